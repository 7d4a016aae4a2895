// SPDX-License-Identifier: BSD-3-Clause
// What perturbs an even machine: ranks that come late, slow ranks, slow links.
#pragma once

#include "engine/base/by_id.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emulation {

/// How many times as long something takes: 1..1,000,000, kept in thousandths so that time stays whole.
struct Factor {
    std::int64_t thousandths = 1000;

    friend constexpr auto operator<=>(Factor, Factor) = default;
    /// Rounded to the nearest picosecond.
    friend constexpr engine::Picoseconds operator*(Factor factor, engine::Picoseconds time) {
        if (factor.thousandths == 1000) return time;
        const __int128 thousand = static_cast<__int128>(factor.thousandths) * time.count();
        return engine::Picoseconds{static_cast<std::int64_t>((thousand + 500) / 1000)};
    }
    /// Rounded to the nearest femtosecond per byte; 2^62 of them stand for more.
    friend constexpr engine::Rate operator*(Factor factor, engine::Rate rate) {
        const __int128 thousand = static_cast<__int128>(factor.thousandths) * rate.femtosecondsPerByte;
        return engine::Rate{
            static_cast<std::int64_t>(std::min<__int128>((thousand + 500) / 1000, std::int64_t{1} << 62))};
    }
};

/// When ranks start. Time 0 is the moment at which nobody can be any earlier.
struct Arrival {
    enum class Pattern : std::uint8_t {
        none,    ///< all at 0
        random,  ///< each anywhere in 0..most, every picosecond as likely as the next; the same for the same seed
        ramp,    ///< rank r of n at most * r / (n - 1), rounded down
        late,    ///< one rank at `most`, the others at 0
    };
    Pattern pattern = Pattern::none;
    engine::Picoseconds most{};
    std::uint64_t seed = 0;  ///< random
    engine::Rank rank{};     ///< late

    friend bool operator==(const Arrival&, const Arrival&) = default;
};

/// Whatever this rank does takes `factor` times as long: the messages that it sends or receives, at both of their ends,
/// and combining.
struct SlowRank {
    engine::Rank rank;
    Factor factor;

    friend bool operator==(const SlowRank&, const SlowRank&) = default;
};

/// A node of a network as people name it: rank 3 as "3", the node on place 3 as "p3", switch 3 as "s3".
struct NodeName {
    enum class Kind : std::uint8_t { rank, place, networkSwitch };
    Kind kind = Kind::rank;
    std::int32_t number = 0;

    friend bool operator==(const NodeName&, const NodeName&) = default;
};

std::string toText(const NodeName& node);

/// The bytes of messages over the link take `factor` times as long; startups do not.
struct SlowLink {
    NodeName from;
    NodeName to;
    Factor factor;

    friend bool operator==(const SlowLink&, const SlowLink&) = default;
};

struct Perturbation {
    Arrival arrival{};
    std::vector<SlowRank> slowRanks{};
    std::vector<SlowLink> slowLinks{};

    [[nodiscard]] bool none() const { return *this == Perturbation{}; }
    friend bool operator==(const Perturbation&, const Perturbation&) = default;
};

/// "none", "random:1ms,7" (at most 1 ms late, seed 7), "ramp:1ms", "late:3,1ms" (rank 3). Throws Error.
Arrival readArrival(std::string_view words);

/// "3:2.5,7:4": rank 3 takes 2.5 times as long, rank 7 four times. Throws Error.
std::vector<SlowRank> readSlowRanks(std::string_view words);

/// "3-4:8,s0-p4:2": the link from rank 3 to rank 4 takes 8 times as long, that from switch 0 to place 4 twice. Throws
/// Error.
std::vector<SlowLink> readSlowLinks(std::string_view words);

/// "arrival=ramp:1000000000ps slow-ranks=3:2.5 slow-links=3-4:8", only what is uneven; can be read back.
std::string toText(const Perturbation& perturbation);

/// What toText wrote. Throws Error.
Perturbation perturbationFromText(std::string_view words);

/// The start of every rank. Throws Error when the late rank is none of `ranks`.
std::vector<engine::Picoseconds> startTimes(const Arrival& arrival, std::int32_t ranks);

/// The factor of every rank; empty when none is slow. Throws Error for a rank that is none of `ranks`.
engine::ById<engine::Rank, Factor> slowness(const std::vector<SlowRank>& slowRanks, std::int32_t ranks);

}  // namespace emulation
