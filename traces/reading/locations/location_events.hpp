// SPDX-License-Identifier: BSD-3-Clause
// What one location recorded, as columns: its calls, the ends of its messages, its parts in collectives.
#pragma once

#include "traces/reading/files/definitions.hpp"
#include "traces/reading/files/events.hpp"
#include "traces/reading/locations/rank_mapping.hpp"
#include "traces/storage/blocks.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace traces::reading {

/// Ticks of the archive to picoseconds since its first event, without a division; equals Clock::at.
class TickClock {
public:
    explicit TickClock(const Clock& clock);
    [[nodiscard]] std::int64_t operator()(std::uint64_t tick) const;

private:
    std::uint64_t zero_;
    std::uint64_t ticksPerSecond_;
    std::uint64_t whole_;  ///< whole picoseconds a tick
    std::uint64_t part_;   ///< the rest, in 2^-64 ps
};

/// Adds what the archive's own clock measurement says, as the OTF2 library does: linearly between two records, and on
/// along the first and the last of these lines.
class OffsetLine {
public:
    explicit OffsetLine(const std::vector<OffsetDefinition>& offsets) : offsets_{offsets} {}
    [[nodiscard]] std::uint64_t operator()(std::uint64_t tick);

private:
    const std::vector<OffsetDefinition>& offsets_;
    std::size_t line_ = 0;
};

/// A send or a receive of one rank.
struct End {
    static constexpr std::uint8_t nonBlocking = 1, open = 2, cancelled = 4, inferred = 8;

    std::int64_t begin = 0;  ///< ps
    std::int64_t end = 0;
    std::int64_t bytes = 0;
    Rank peer = noRank;
    std::int32_t communicator = noIndex;
    std::uint32_t tag = 0;
    std::uint8_t flags = 0;
};

/// What archives of Collscope attach to the event of a message.
struct OwnEnd {
    std::uint64_t round = 0;
    std::uint64_t portTime = 0;
    std::uint64_t place = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    Ref ranges = undefined;
    bool hasRange = false;
};

struct CollectivePart {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::int32_t communicator = noIndex;
    std::uint32_t root = 0;
    std::uint8_t operation = 0;
    bool nonBlocking = false;
    Ref algorithm = undefined;  ///< of the words that name it
    Ref reduction = undefined;  ///< likewise the operation of a reduction
    Ref ofLibrary = undefined;  ///< and what the library ran
    Ref component = undefined;  ///< and its component
};

/// By rank, in the order of time where nothing else is said.
using PartsOfRanks = std::vector<Growing<CollectivePart>>;

struct Interval {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// Values of one set of metrics (World::metricSets), as many a sample as it has.
struct MetricEvents {
    std::uint64_t set = 0;
    Growing<Picoseconds> time;
    Growing<double> values;
};

struct LocationEvents {
    explicit LocationEvents(Storage* storage = nullptr)
        : begin{storage},
          end{storage},
          region{storage},
          depth{storage},
          notices{storage},
          sends{storage},
          receives{storage},
          ownSends{storage},
          ownReceives{storage},
          insideSends{storage},
          insideReceives{storage},
          insideCalls{storage},
          parts{storage} {}

    /// Nothing more will come: gives room back that has no value. Locations are many, and all are kept.
    void fit() {
        begin.fit(), end.fit(), region.fit(), depth.fit(), notices.fit(), parts.fit();
        sends.fit(), receives.fit(), ownSends.fit(), ownReceives.fit();
        insideSends.fit(), insideReceives.fit(), insideCalls.fit();
        for (MetricEvents& one : metrics) one.time.fit(), one.values.fit();
    }

    Growing<Picoseconds> begin;
    Growing<Picoseconds> end;
    Growing<std::int32_t> region;
    Growing<std::uint16_t> depth;
    Growing<Notice> notices;
    std::vector<std::uint32_t> open;
    Blocks<End> sends;
    Blocks<End> receives;     ///< in the order they were posted
    Blocks<OwnEnd> ownSends;  ///< beside `sends`, of Collscope's archives only
    Blocks<OwnEnd> ownReceives;
    Blocks<End> insideSends;     ///< of the library itself, within calls; their communicators are its own
    Blocks<End> insideReceives;  ///< in the order they were posted
    /// Beside `insideSends`: the start of the call that each is sent in, or of its collective.
    Blocks<std::int64_t> insideCalls;
    Growing<CollectivePart> parts;
    std::vector<MetricEvents> metrics;  ///< as they first came
    std::vector<Unfinished> unfinished;
    std::vector<Interval> gaps;              ///< the location was told not to record
    std::vector<std::int64_t> calls;         ///< by region
    std::vector<std::uint8_t> communicated;  ///< by region: one of its calls has a record of its own
    std::vector<std::uint64_t> counts;       ///< by kind of record; empty where nothing was read
    std::uint64_t events = 0;
    std::uint64_t disorder = 0;        ///< timestamps below their predecessors
    std::uint64_t unbalanced = 0;      ///< calls left that were never entered, or entered and left by another's end
    std::uint64_t strangeMetrics = 0;  ///< records whose metrics are not defined, or not as they say
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::vector<OffsetDefinition> offsets;
    Ending ending = Ending::cutOff;
    bool there = false;  ///< the file of events
    bool localDefinitionsThere = false;
    bool localDefinitionsDamaged = false;
};

/// Whether times have the archive's own clock measurement in them.
enum class ClockOffsets : std::uint8_t { applied, leftOut };

/// What a location has in the archive's folder.
struct LocationFiles {
    std::uint64_t eventBytes = 0;
    bool events = false;
};

/// What all locations share.
struct Reading {
    const Anchor& anchor;
    const World& world;
    Clock clock;
    Names names = Names::merged;
    Ref ownAttributes = undefined;  ///< id of the first attribute of Collscope's archives; undefined for others
    std::int32_t unknownRegion = 0;
    Storage* storage = nullptr;
    std::span<const LocationFiles> files;  ///< by location
    ClockOffsets offsets = ClockOffsets::applied;
    Ref algorithm = undefined;   ///< id of the attribute that names the algorithm of a collective
    Ref reduction = undefined;   ///< and of the one that names its operation
    Ref ofLibrary = undefined;   ///< and of the one that names what the library ran
    Ref component = undefined;   ///< and its component
    Ref inside = undefined;      ///< and of the one that names the collective of a message of the library
    Ref neighbours = undefined;  ///< and of the one that marks collectives among neighbours
};

/// The first tick of a location; false when it has no events.
bool firstTick(const Anchor& anchor, std::uint64_t location, ClockOffsets offsets, std::uint64_t& tick);

/// Reads one location. Damage ends it early and is reported by `ending`; `loaded` counts the bytes. Throws Cancelled.
LocationEvents readLocation(const Reading& reading, std::size_t location, std::atomic<std::uint64_t>& loaded,
                            const engine::Progress& progress);

}  // namespace traces::reading
