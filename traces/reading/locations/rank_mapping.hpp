// SPDX-License-Identifier: BSD-3-Clause
// Who is who in an archive: locations have sparse 64-bit ids, and peers are counted within communicators.
//
//   COMM_LOCATIONS  [17, 4, 9]   rank 0 is location 17, rank 1 location 4, rank 2 location 9
//   COMM_GROUP      [2, 0]       in a communicator of this group, peer 0 is rank 2 and peer 1 is rank 0
//
// Ids of groups and of communicators have nothing to do with each other, and EZTrace gives one id to two groups.
#pragma once

#include "traces/reading/files/definitions.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace traces::reading {

/// Ids to indices; ids that lie close together cost an array look-up.
class Lookup {
public:
    void set(Ref id, std::int32_t index);
    [[nodiscard]] std::int32_t operator()(std::uint64_t id) const {
        if (id < dense_.size()) return dense_[engine::asSize(id)];
        if (sparse_.empty()) return noIndex;
        const auto entry = sparse_.find(id);
        return entry == sparse_.end() ? noIndex : entry->second;
    }

private:
    static constexpr std::size_t mostDense = 1 << 16;
    std::vector<std::int32_t> dense_;
    std::unordered_map<std::uint64_t, std::int32_t> sparse_;
};

enum class Names : std::uint8_t { merged, asDefined };

/// Metrics that are recorded together, about a location or something else.
struct MetricSet {
    std::vector<std::int32_t> metrics;  ///< indices into World::metrics
    std::vector<double> scales;         ///< what values are multiplied by
    bool ofRecorder = true;             ///< about the location that records them
    Rank rank = noRank;                 ///< else whom they are about, as MetricSamples say it
    std::string about;
};

/// Definitions understood. What was said twice is there once.
struct World {
    /// `names`: whether regions of one name and paradigm are one region (tools define each once per rank), or each
    /// definition is one.
    World(const Definitions& definitions, Names names);

    /// The rank that `self` calls `peer` within a communicator; noRank when there is none.
    [[nodiscard]] Rank rankOf(std::int32_t communicator, std::uint32_t peer, Rank self) const;

    /// Whether the archive has messages that the library sent within calls.
    [[nodiscard]] bool hasInside() const { return hasInside_; }
    /// How many communicators the program has.
    [[nodiscard]] std::size_t ofProgram() const { return communicators.size() - insideOf.size(); }
    [[nodiscard]] bool isOfLibrary(std::int32_t communicator) const {
        return communicator >= static_cast<std::int32_t>(ofProgram());
    }
    /// The communicator of the call; noIndex of one that only the library has.
    [[nodiscard]] std::int32_t outerOf(std::int32_t communicator) const {
        return isOfLibrary(communicator) ? insideOf[engine::asSize(communicator) - ofProgram()] : communicator;
    }

    /// Makes `local` the intercommunicator whose other side is `remote`.
    void join(std::int32_t local, std::int32_t remote);

    std::int32_t ranks = 0;
    std::vector<Location> locations;
    std::vector<std::uint64_t> announced;  ///< events by location, as the archive says
    std::vector<Region> regions;
    std::vector<Communicator> communicators;
    /// Of the last communicators, which have the library's own messages: the one that each belongs to, or noIndex.
    std::vector<std::int32_t> insideOf;
    std::vector<Window> windows;
    std::vector<std::vector<Rank>> groups;
    std::vector<Parameter> parameters;
    std::vector<File> files;
    std::vector<CartTopology> topologies;
    std::vector<Metric> metrics;
    std::vector<MetricSet> metricSets;
    Lookup regionOf;
    Lookup communicatorOf;
    Lookup teamOf;  ///< teams of threads, which archives define as communicators, by numbers of their own
    Lookup windowOf;
    Lookup groupOf;  ///< of ranks of MPI
    Lookup parameterOf;
    Lookup fileOf;  ///< of handles
    Lookup metricSetOf;

private:
    void findLocations(const Definitions& definitions);
    void findRanks(const Definitions& definitions);
    void findRegions(const Definitions& definitions, Names names);
    void findCommunicators(const Definitions& definitions);
    void findWindows(const Definitions& definitions);
    void findParameters(const Definitions& definitions);
    void findFiles(const Definitions& definitions);
    void findTopologies(const Definitions& definitions);
    void findMetrics(const Definitions& definitions);

    std::unordered_map<std::uint64_t, std::int32_t> indexOf_;  ///< of location ids
    std::vector<Ref> process_;                                 ///< by location
    std::unordered_map<Ref, Rank> rankOfProcess_;
    bool hasInside_ = false;
    std::vector<std::unordered_set<std::int32_t>> isLocal_;  ///< by communicator; of intercommunicators only
};

}  // namespace traces::reading
