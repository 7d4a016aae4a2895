// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/text.hpp"

#include "engine/base/error.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace engine {
namespace {

/// Wide enough for every whole number up to 2^62.
using Number = long double;
/// One unit and its size in the smallest one.
using Unit = std::pair<std::string_view, Number>;

constexpr std::array<Unit, 10> byteUnits{{{"", 1},
                                          {"B", 1},
                                          {"kB", 1e3},
                                          {"KiB", 1024},
                                          {"MB", 1e6},
                                          {"MiB", 1024.0 * 1024},
                                          {"GB", 1e9},
                                          {"GiB", 1024.0 * 1024 * 1024},
                                          {"TB", 1e12},
                                          {"TiB", 1024.0 * 1024 * 1024 * 1024}}};
constexpr std::array<Unit, 6> timeUnits{{{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"µs", 1e6}, {"ms", 1e9}, {"s", 1e12}}};
constexpr std::array<Unit, 4> rateUnits{{{"fs/B", 1}, {"ps/B", 1e3}, {"ns/B", 1e6}, {"us/B", 1e9}}};
/// Bytes per second.
constexpr std::array<Unit, 11> bandwidthUnits{{{"B/s", 1},
                                               {"kB/s", 1e3},
                                               {"KiB/s", 1024},
                                               {"MB/s", 1e6},
                                               {"MiB/s", 1024.0 * 1024},
                                               {"GB/s", 1e9},
                                               {"GiB/s", 1024.0 * 1024 * 1024},
                                               {"kbit/s", 1e3 / 8},
                                               {"Mbit/s", 1e6 / 8},
                                               {"Gbit/s", 1e9 / 8},
                                               {"bit/s", 1.0 / 8}}};

/// "B, kB, KiB"; of two spellings the first.
std::string namesOf(std::span<const Unit> units) {
    std::string names;
    Number last = 0;
    for (const auto& [name, size] : units) {
        if (!name.empty() && size != last) names += (names.empty() ? "" : ", ") + std::string{name};
        if (!name.empty()) last = size;
    }
    return names;
}

/// Splits "64KiB" into its number and its unit's size; an Error when either is not understood. 0 needs no unit.
std::pair<Number, Number> readQuantity(std::string_view words, std::string_view what, std::span<const Unit> units,
                                       std::string_view example) {
    Number number = 0;
    const auto [rest, code] = std::from_chars(words.data(), words.data() + words.size(), number);
    std::string_view unit{rest, asSize(words.data() + words.size() - rest)};
    while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
    const auto known = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.first == unit; });
    if (code != std::errc{} || !std::isfinite(number))
        throw Error{text(what, ": '", words, "' is not a quantity; write for example ", example)};
    if (known == units.end() && unit.empty() && number == 0) return {0, 1};
    if (known == units.end())
        throw Error{text(what, ": '", words, "' has ",
                         unit.empty() ? std::string{"no unit"} : text("the unknown unit '", unit, "'"),
                         "; choose one of ", namesOf(units))};
    if (number < 0) throw Error{text(what, ": ", words, " is negative; it must be 0 or more")};
    return {number, known->second};
}

/// The nearest whole number of the smallest unit, `unit`. What is more than nothing never becomes nothing.
std::int64_t rounded(Number number, std::string_view words, std::string_view what, std::string_view unit) {
    if (number > 0x1p62L) throw Error{text(what, ": ", words, " is too large; the largest value is 2^62", unit)};
    const std::int64_t whole = std::llround(number);
    if (number > 0 && whole == 0)
        throw Error{text(what, ": ", words, " is too small; the smallest value above 0 is 1", unit)};
    return whole;
}

/// Letters to insert, delete or replace, or neighbours to swap, until `a` is `b` (optimal string alignment).
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before, last, row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before = std::exchange(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row.back();
}

/// "flat" of "bcast/flat"; all of what has no slash.
std::string_view behindSlash(std::string_view word) { return word.substr(word.rfind('/') + 1); }

}  // namespace

std::vector<std::string> split(std::string_view words, char separator) {
    std::vector<std::string> parts;
    while (true) {
        const auto end = words.find(separator);
        parts.emplace_back(words.substr(0, end));
        if (end == std::string_view::npos) return parts;
        words.remove_prefix(end + 1);
    }
}

std::string capitalised(std::string_view words) {
    std::string sentence{words};
    if (!sentence.empty()) sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
    return sentence;
}

std::string lowered(std::string_view words) {
    std::string small{words};
    for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return small;
}

std::string joined(std::span<const std::string> words, std::string_view between) {
    std::string line;
    for (const std::string& word : words) {
        if (&word != words.data()) line += between;
        line += word;
    }
    return line;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    std::string best;
    // What ids share, "bcast/", makes no two of them alike.
    const std::string_view own = behindSlash(word);
    const std::size_t letters = own.size() - std::min(own.find_first_not_of('-'), own.size());
    std::size_t least = std::max<std::size_t>(1, letters / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::string_view other = own.size() == word.size() ? behindSlash(candidate) : candidate;
        // A part of a name ("belts" for "halfduplex-allgather/ring-belts") is as near as one slip of the keys, but not
        // letters in the middle of a word: "main" does not stand for "Domain".
        const std::size_t place = candidate.find(word);
        const bool isPart = word.size() >= 3 && place != std::string::npos &&
                            (place == 0 || std::isalnum(static_cast<unsigned char>(candidate[place - 1])) == 0 ||
                             std::isalnum(static_cast<unsigned char>(word.front())) == 0);
        const std::size_t distance = isPart ? 1 : editDistance(word, other);
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string best = nearest(word, candidates);
    return best.empty() ? std::string{} : text("; did you mean ", best, "?");
}

std::int64_t readInteger(std::string_view words, std::string_view what, std::int64_t low, std::int64_t high,
                         std::string_view example) {
    std::int64_t number = 0;
    const auto [rest, code] = std::from_chars(words.data(), words.data() + words.size(), number);
    if (code == std::errc::result_out_of_range)
        throw Error{text(what, ": ", words, " is too large; the largest value is ", high)};
    if (code != std::errc{} || rest != words.data() + words.size())
        throw Error{text(what, ": '", words, "' is not a whole number", example.empty() ? "" : "; write for example ",
                         example)};
    if (number < low) throw Error{text(what, ": ", number, " is too small; it must be at least ", low)};
    if (number > high) throw Error{text(what, ": ", number, " is too large; the largest value is ", high)};
    return number;
}

Bytes readBytes(std::string_view words, std::string_view what) {
    // Reading a long double is slow, and recognition reads the options of many thousand plans.
    Bytes whole = 0;
    if (const auto [rest, code] = std::from_chars(words.data(), words.data() + words.size(), whole);
        code == std::errc{} && rest == words.data() + words.size() && whole >= 0 && whole <= (Bytes{1} << 62))
        return whole;
    const auto [number, unit] = readQuantity(words, what, byteUnits, "64KiB or 1000");
    if (unit == 1 && number != std::floor(number))
        throw Error{text(what, ": ", words, " is not a whole number of bytes")};
    return rounded(number * unit, words, what, "B");
}

Picoseconds readTime(std::string_view words, std::string_view what) {
    const auto [number, unit] = readQuantity(words, what, timeUnits, "1us");
    return Picoseconds{rounded(number * unit, words, what, "ps")};
}

Rate readRate(std::string_view words, std::string_view what) {
    const auto [number, unit] = readQuantity(words, what, rateUnits, "0.4ns/B");
    return Rate{rounded(number * unit, words, what, "fs/B")};
}

Rate readBandwidth(std::string_view words, std::string_view what) {
    const auto [number, unit] = readQuantity(words, what, bandwidthUnits, "2.5GB/s or 100Mbit/s");
    if (number * unit <= 0) throw Error{text(what, ": a bandwidth of ", words, " moves nothing; it must be above 0")};
    constexpr Number fastest = 2e15;  // whose bytes round to one femtosecond each
    if (number * unit > fastest) throw Error{text(what, ": ", words, " is too large; the largest value is 2e6GB/s")};
    constexpr Number slowest = 1e15L / 0x1p62L;  // whose bytes take 2^62 femtoseconds each
    if (number * unit < slowest) throw Error{text(what, ": ", words, " is too small; it must be at least 2.2e-4B/s")};
    return Rate{static_cast<std::int64_t>(std::llround(1e15L / (number * unit)))};
}

std::vector<int> readDimensions(std::string_view words, std::string_view what) {
    std::vector<int> dimensions;
    std::int64_t product = 1;
    for (const std::string& part : split(words, 'x')) {
        if (part.empty() || part.find_first_not_of("-0123456789") != std::string::npos)
            throw Error{text(what, ": '", words,
                             "' is not a list of sizes; write whole numbers with x between them, such as 4x4")};
        dimensions.push_back(static_cast<int>(readInteger(part, what, 1, std::numeric_limits<int>::max())));
        product *= dimensions.back();
        if (product > std::numeric_limits<std::int32_t>::max())
            throw Error{text(what, ": ", words, " has more than 2^31-1 ranks")};
    }
    return dimensions;
}

std::string showNumber(double number, int figures) {
    // Whole thousands are written as such, not as powers of ten; 999.9 is 1000 in three figures, not 1e+03.
    const double size = std::abs(number);
    const bool whole = size < 1e6 && size >= 1 && static_cast<int>(std::log10(size)) + 1 >= figures;
    std::array<char, 64> buffer;
    const auto [end, code] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                      whole ? std::chars_format::fixed : std::chars_format::general, whole ? 0 : figures);
    return std::string(buffer.data(), end);
}

namespace {

/// The number in the largest unit that leaves at least 1 of what is shown: 999.97 us are 1 ms.
std::string showScaled(double number, std::span<const std::pair<const char*, double>> units, int figures) {
    const auto shownIn = [&](const std::pair<const char*, double>& unit) {
        const double scaled = number / unit.second;
        const int whole = std::abs(scaled) >= 1 ? static_cast<int>(std::log10(std::abs(scaled))) + 1 : 1;
        return showNumber(scaled, std::max(figures, whole));
    };
    const auto isLess = [](const std::string& shown) {
        double value = 0;
        std::from_chars(shown.data(), shown.data() + shown.size(), value);
        return std::abs(value) < 1;
    };
    auto unit = units.begin();
    while (unit + 1 != units.end() && isLess(shownIn(*unit))) ++unit;
    return shownIn(*unit) + " " + unit->first;
}

}  // namespace

std::string showBytes(Bytes bytes, int figures) {
    static constexpr std::array<std::pair<const char*, double>, 5> units{{{"TiB", 1024.0 * 1024 * 1024 * 1024},
                                                                          {"GiB", 1024.0 * 1024 * 1024},
                                                                          {"MiB", 1024.0 * 1024},
                                                                          {"KiB", 1024.0},
                                                                          {"B", 1.0}}};
    return showScaled(static_cast<double>(bytes), units, figures);
}

std::string showTime(Picoseconds time, int figures) {
    static constexpr std::array<std::pair<const char*, double>, 5> units{
        {{"s", 1e12}, {"ms", 1e9}, {"us", 1e6}, {"ns", 1e3}, {"ps", 1.0}}};
    if (time.count() == 0) return "0 s";
    return showScaled(static_cast<double>(time.count()), units, figures);
}

std::string showRate(Rate rate, int figures) {
    return showNumber(static_cast<double>(rate.femtosecondsPerByte) / 1e6, figures) + " ns/B";
}

std::string showDimensions(const std::vector<int>& dimensions) {
    std::string words;
    for (const int dimension : dimensions) words += (words.empty() ? "" : "x") + std::to_string(dimension);
    return words;
}

double seconds(Picoseconds time) { return static_cast<double>(time.count()) / 1e12; }

}  // namespace engine
