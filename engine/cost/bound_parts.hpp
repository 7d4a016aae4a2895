// SPDX-License-Identifier: BSD-3-Clause
// What the bounds of all collectives are put together from.
#pragma once

#include "engine/cost/bounds.hpp"
#include "engine/cost/reach.hpp"

#include <span>

namespace engine {

constexpr std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

/// The bounds of one problem in the making.
class Making {
public:
    Making(const Problem& of, const Wiring& wiring, Sends how)
        : problem{of}, reach{wiring, of.ranks(), of.ports}, sends{how} {
        bounds.spread.emplace_back();
    }

    const Problem& problem;
    Reach reach;
    Sends sends;
    Bounds bounds{};

    [[nodiscard]] bool takesPorts() const { return sends == Sends::takePorts; }
    /// Nobody is done before so many startups.
    void startups(std::int64_t rounds, const char* why, const char* source);
    /// Some word of each of `from` must come to all of `to`.
    void tell(const std::vector<Rank>& from, RankSpan to);
    /// One rank must hear of so many others.
    void hear(std::int64_t others);
    /// `one` must hear of all of `others`, or they of it, which are the farthest of those it has to do with.
    void isFar(Rank one, RankSpan others, bool hears);
    /// `from` bring what all of `to` take in: `bytes`, and `blocks` contributions.
    void takeIn(const std::vector<Rank>& from, RankSpan to, Bytes bytes, std::int64_t blocks);
    /// Some rank takes in, or hands out, so many bytes from its round `first` on.
    void exchange(Bytes bytes, std::int64_t first, const char* why, const char* source);
    /// Some rank takes in `bytes` from others, or hands them out, of each of them `largest` at most: with so many
    /// bytes behind it, a message brings in only what its sender took in before, and what is its own.
    void scatter(Bytes bytes, Bytes largest, std::int64_t hops);
    /// `bytes` of one rank come to so many others, or from so many: see Bounds::hurried.
    void hurry(Bytes bytes, std::int64_t others);
    /// A rank is done with whole contributions no sooner; `uneven`: what follows each other at its one port where they
    /// differ in size.
    void whole(std::int64_t rounds, Cost uneven, const char* why, const char* source);

private:
    void takeWhole(std::int64_t first, Bytes bytes, std::int64_t blocks);
    [[nodiscard]] Bytes smallestOfBytes() const;
};

/// The contributions first .. first + count-1 that have bytes, by the ranks that bring them: nobody needs the others.
std::vector<Rank> holders(const Layout& layout, std::int32_t first, std::int32_t count);

/// Some of many, the first and the last among them: each gives a bound, and to look at all would take long.
std::vector<Rank> someOf(const std::vector<Rank>& ranks);

/// The bounds of one collective each.
void ofBroadcast(Making& making);
void ofAllgather(Making& making);
void ofTwoGroups(Making& making);
void ofAllreduce(Making& making);  // and barrier
void ofReduce(Making& making);
void ofReduceScatter(Making& making);
void ofScan(Making& making);
void ofOtherGroup(Making& making);  // broadcast, reduce and allreduce from one group to the other
void ofPersonal(Making& making);    // gather, scatter, alltoall, in a group and between two

/// What comes in a row, at least, in some rank of an exchange that needs `startups`; nothing where the other bounds say
/// as much.
std::optional<Cost> leastOf(const Exchange& exchange, std::int64_t startups, const Model& model);

/// What a bound on time under LogGP is the sum of.
struct LogGPTime {
    enum class Kind : std::uint8_t {
        port,       ///< bytes pass the port of a rank
        processor,  ///< bytes keep its processor busy
        combining,  ///< it combines them
        blocks,     ///< one-block messages: those behind the first, port or processor
    };
    Picoseconds first{};  ///< until the rank that is served last has the first byte, or the first block
    Picoseconds rest{};   ///< what follows there
    Kind kind = Kind::port;
    Bytes bytes = 0;  ///< of `rest`
};

/// The largest sum that bounds the time of the class; nothing where it has no bound. The model has LogGP.
std::optional<LogGPTime> logGPTime(const Bounds& bounds, Blocks blocks, const Model& model);

/// A time of `startups` in which a schedule of no more than `most` of them has moved bytes: told as such.
Cost inBytes(std::int64_t startups, std::int64_t most, const Model& model);

/// Bytes that pass some port, at least, when all messages follow each other in `startups`; nothing where they cannot.
std::optional<Bytes> volumeIn(const Exchange& exchange, std::int64_t startups);

}  // namespace engine
