// SPDX-License-Identifier: BSD-3-Clause
// Words and numbers in and out: building sentences, reading quantities with their units, naming the nearest word.
#pragma once

#include "engine/base/types.hpp"

#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

inline std::ostream& operator<<(std::ostream& out, Rank rank) { return out << rank.value; }
inline std::ostream& operator<<(std::ostream& out, Round round) { return out << round.value; }
inline std::ostream& operator<<(std::ostream& out, Block block) { return out << block.value; }

/// Joins its arguments to one string: text("rank ", rank, " lacks block ", block).
template <class... Parts>
std::string text(const Parts&... parts) {
    std::ostringstream out;
    (out << ... << parts);
    return std::move(out).str();
}

std::vector<std::string> split(std::string_view words, char separator);

/// The words in one line, with `between` between them.
std::string joined(std::span<const std::string> words, std::string_view between);

/// With small letters of ASCII.
std::string lowered(std::string_view words);
/// Begins with a capital letter, if with one of ASCII.
std::string capitalised(std::string_view words);

/// The candidate with the smallest edit distance to `word`, or an empty string when none comes near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean X?" or an empty string: the tail of an error about an unknown name.
std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates);

/// Whole number within [low, high]. `what` names the value in the Error, e.g. text(field::ranks); `example`, if any, is
/// what to write instead of words that are no number.
std::int64_t readInteger(std::string_view words, std::string_view what, std::int64_t low, std::int64_t high,
                         std::string_view example = {});

/// Bytes: a whole or decimal number with B, kB, KiB, MB, MiB, GB, GiB or nothing (bytes). Errors name `what`.
Bytes readBytes(std::string_view words, std::string_view what);

/// Time: a number with ps, ns, us, ms or s. Errors name `what`.
Picoseconds readTime(std::string_view words, std::string_view what);

/// Time per byte, e.g. "0.4ns/B" or "400ps/B". Errors name `what`.
Rate readRate(std::string_view words, std::string_view what);

/// Bandwidth, e.g. "2.5GB/s" or "100Mbit/s", as the time per byte. Errors name `what`.
Rate readBandwidth(std::string_view words, std::string_view what);

/// Sizes of a grid, e.g. "16x8x8": each at least 1, product below 2^31. Errors name `what`.
std::vector<int> readDimensions(std::string_view words, std::string_view what);

/// Significant figures of quantities in sentences, and of points in time, which differ in their last figures.
inline constexpr int inSentences = 3, ofPoints = 6;

/// "64 KiB", "1.5 MiB", "300 B": binary prefixes; whole numbers have all of their figures.
std::string showBytes(Bytes bytes, int figures = inSentences);

/// "1.31 ms", "27.2 us": the unit that keeps the number within 1..999.
std::string showTime(Picoseconds time, int figures = inSentences);

/// "0.4 ns/B".
std::string showRate(Rate rate, int figures = inSentences);

/// "16x8x8".
std::string showDimensions(const std::vector<int>& dimensions);

/// A double with at most `figures` significant figures, without trailing zeros.
std::string showNumber(double number, int figures = 4);

/// Picoseconds as seconds, the nearest double: for json and csv.
double seconds(Picoseconds time);

}  // namespace engine
