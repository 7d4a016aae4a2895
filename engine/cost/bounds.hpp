// SPDX-License-Identifier: BSD-3-Clause
// Lower bounds: what no algorithm can beat on this problem, these ports and this wiring. They belong to the problem;
// what an algorithm is predicted to take stands in its own file.
//
// Two classes of schedules have bounds of their own:
//   segmented      a message carries any bytes: contributions are split and joined freely
//   one-block      every message is one whole contribution
// Segmented bounds hold for all schedules.
#pragma once

#include "engine/cost/model.hpp"
#include "engine/problem/problem.hpp"
#include "engine/schedule/wiring.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// Classes of schedules by what their messages carry.
enum class Blocks : std::uint8_t { anyMessages, whole };

/// "any messages", "one-block messages".
std::string_view name(Blocks blocks);

/// One bound with its reason.
template <class T>
struct Bound {
    T value{};
    std::string why;     ///< the reason in a sentence
    std::string source;  ///< where it is proved
    /// An algorithm of the catalogue that needs no more on this very problem; empty: none is known to.
    std::string attained{};
};

/// Whether the sends of a rank keep its ports busy.
enum class Sends : std::uint8_t {
    takePorts,
    areFree,  ///< messages are off their sender's hands at once; they still come in one by one at each port
};

/// What `from` ranks know at first, `known` ranks know in the end, and each of those that were told took in `blocks`
/// contributions of `bytes` in all, and combined `combined`.
struct Spread {
    std::int64_t from = 1;
    std::int64_t known = 1;
    Bytes bytes = 0;
    std::int64_t blocks = 0;
    Bytes combined = 0;
};

/// So many ranks have `blocks` contributions for others each, of at least `bytes`, all for different ones.
struct Meant {
    std::int64_t ranks = 0;
    std::int64_t blocks = 0;
    Bytes bytes = 0;

    friend bool operator==(const Meant&, const Meant&) = default;
};

/// Contributions for one rank each. Those that are joined on the way save startups and cost volume.
struct Exchange {
    std::vector<Meant> meant{};
    int ports = 1;
    std::int64_t ranks = 1;  ///< that send: of the problem
};

/// Lower bounds of one problem.
struct Bounds {
    // Segmented.
    Bound<std::int64_t> startups;  ///< serialized messages on some rank's way to its result
    /// Startups that pass before the rank served last gets its first byte (1 where ranks can be served at once).
    std::int64_t firstByte = 0;
    Bound<Bytes> volume;              ///< bytes through one port of some rank
    Bytes perRank = 0;                ///< bytes that this rank takes in through all its ports
    std::vector<Cost> anyMessages{};  ///< what comes in a row at some rank: the time of each is a bound
    std::vector<Spread> spread{};     ///< the same for models that count otherwise than in rounds
    /// With no more startups than the least, everything passes the root's ports in each; otherwise there is one more.
    std::optional<Cost> hurried{};
    std::optional<Exchange> exchange{};  ///< what few startups cost where contributions have one receiver
    /// What startups and volume cannot be below at once; nothing where it is not known that they cannot.
    std::optional<Bound<Cost>> together{};

    // For one-block messages; nothing where no contribution has bytes, and for reductions.
    std::optional<Bound<std::int64_t>> unitRounds{};
    std::vector<Cost> whole{};  ///< as `anyMessages`; nothing where unequal blocks come through several ports at once
    Bytes block = 0;            ///< of each, where all are equal
};

/// The bounds of `problem` with the ports it states, on `wiring`.
Bounds boundsOf(const Problem& problem, const Wiring& wiring, Sends sends = Sends::takePorts);

/// What comes in a row in every schedule of the class, at least, and takes the longest under `model`, which is
/// Hockney's; nothing where the class has no such bound.
std::optional<Cost> leastCost(const Bounds& bounds, Blocks blocks, const Model& model);

/// The time no execution of a schedule of the class can beat; for segmented ones, no schedule at all can. Nothing
/// where the class has no such bound: one-block messages of unequal sizes through several ports, or under LogGP.
std::optional<Picoseconds> timeBound(const Bounds& bounds, Blocks blocks, const Model& model);

/// Of segmented schedules.
Picoseconds timeBound(const Bounds& bounds, const Model& model);

}  // namespace engine
