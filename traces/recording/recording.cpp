// SPDX-License-Identifier: BSD-3-Clause
#include "traces/recording/recording.hpp"

#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace traces {
namespace {

constexpr std::uint64_t picosecondsPerSecond = 1'000'000'000'000;
constexpr std::uint64_t latest = std::uint64_t{1} << 62;

constexpr std::array<std::string_view, 30> operationNames{"barrier",
                                                          "bcast",
                                                          "gather",
                                                          "gatherv",
                                                          "scatter",
                                                          "scatterv",
                                                          "allgather",
                                                          "allgatherv",
                                                          "alltoall",
                                                          "alltoallv",
                                                          "alltoallw",
                                                          "allreduce",
                                                          "reduce",
                                                          "reduce-scatter",
                                                          "scan",
                                                          "exscan",
                                                          "reduce-scatter-block",
                                                          "create-handle",
                                                          "destroy-handle",
                                                          "allocate",
                                                          "deallocate",
                                                          "create-handle-and-allocate",
                                                          "destroy-handle-and-deallocate",
                                                          "unknown",
                                                          "fence",
                                                          "neighbor-allgather",
                                                          "neighbor-allgatherv",
                                                          "neighbor-alltoall",
                                                          "neighbor-alltoallv",
                                                          "neighbor-alltoallw"};

/// "MPI_Ireduce_scatter" and "pmpi_ireduce_scatter_" become "ireduce_scatter"; empty for what is not MPI.
std::string bareName(std::string_view region) {
    std::string name = engine::lowered(region);
    const std::size_t prefix = name.starts_with("mpi_") ? 4 : name.starts_with("pmpi_") ? 5 : 0;
    if (prefix == 0) return {};
    name.erase(0, prefix);
    while (name.ends_with('_')) name.pop_back();
    return name;
}

bool isAny(std::string_view name, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), name) != words.end();
}

Operation collectiveOf(std::string_view bare) {
    using enum Operation;
    constexpr std::array<std::pair<std::string_view, Operation>, 23> names{
        {{"barrier", barrier},
         {"bcast", bcast},
         {"gather", gather},
         {"gatherv", gatherv},
         {"scatter", scatter},
         {"scatterv", scatterv},
         {"allgather", allgather},
         {"allgatherv", allgatherv},
         {"alltoall", alltoall},
         {"alltoallv", alltoallv},
         {"alltoallw", alltoallw},
         {"allreduce", allreduce},
         {"reduce", reduce},
         {"reduce_scatter", reduceScatter},
         {"scan", scan},
         {"exscan", exscan},
         {"reduce_scatter_block", reduceScatterBlock},
         {"win_fence", fence},
         {"neighbor_allgather", neighborAllgather},
         {"neighbor_allgatherv", neighborAllgatherv},
         {"neighbor_alltoall", neighborAlltoall},
         {"neighbor_alltoallv", neighborAlltoallv},
         {"neighbor_alltoallw", neighborAlltoallw}}};
    const auto find = [&](std::string_view word) {
        const auto at =
            std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.first == word; });
        return at == names.end() ? unknown : at->second;
    };
    if (const Operation blocking = find(bare); blocking != unknown) return blocking;
    return bare.starts_with('i') ? find(bare.substr(1)) : unknown;
}

}  // namespace

std::string Location::about() const {
    return speaksForRank || (kind == LocationKind::metric && rank != noRank) ? std::string{} : name;
}

Picoseconds Clock::at(std::uint64_t tick) const {
    if (tick <= zero) return Picoseconds{0};
    const auto time = static_cast<unsigned __int128>(tick - zero) * picosecondsPerSecond / ticksPerSecond;
    return Picoseconds{static_cast<std::int64_t>(time > latest ? latest : static_cast<std::uint64_t>(time))};
}

std::uint64_t Clock::tickOf(Picoseconds time) const {
    if (time.count() <= 0) return zero;
    const auto ticks = static_cast<unsigned __int128>(time.count()) * ticksPerSecond;
    return zero + static_cast<std::uint64_t>((ticks + picosecondsPerSecond - 1) / picosecondsPerSecond);
}

std::string_view nameOf(Operation operation) {
    return operationNames[static_cast<std::size_t>(std::min(operation, lastOperation))];
}

std::int32_t Recording::locationOf(Rank rank) const {
    for (std::size_t i = 0; i < locations.size(); ++i)
        if (locations[i].rank == rank && locations[i].speaksForRank) return static_cast<std::int32_t>(i);
    return noIndex;
}

std::vector<bool> recordedRanks(const Recording& recording) {
    std::vector<bool> recorded(engine::asSize(recording.ranks));
    for (std::size_t i = 0; i < recording.locations.size(); ++i) {
        const Location& location = recording.locations[i];
        const bool hasCalls = i < recording.states.size() && recording.states[i].size() > 0;
        if (location.rank != noRank && (hasCalls || location.events > 0 || location.last > location.first))
            recorded[location.rank.index()] = true;
    }
    for (const Participant& part : recording.collectives.participants) recorded[part.rank.index()] = true;
    if (std::ranges::find(recorded, true) == recorded.end()) recorded.assign(recorded.size(), true);
    return recorded;
}

TimeSpan communicationOf(const Recording& recording) {
    TimeSpan span{recording.duration, Picoseconds{0}};
    const auto add = [&](Picoseconds begin, Picoseconds end) {
        span.begin = std::min(span.begin, begin);
        span.end = std::max(span.end, end);
    };
    const Messages& messages = recording.messages;
    for (std::size_t i = 0; i < messages.size(); ++i)
        add(std::min(messages.sendBegin[i], messages.receiveBegin[i]),
            std::max(messages.sendEnd[i], messages.receiveEnd[i]));
    for (const Half& half : recording.halves) add(half.begin, half.end);
    for (const Collective& instance : recording.collectives.instances)
        if (isCommunication(instance.operation))
            for (const Participant& part : recording.collectives.of(instance)) add(part.begin, part.end);
    if (span.end < span.begin) return {Picoseconds{0}, recording.duration};
    return span;
}

Call callOf(std::string_view region) {
    const std::string name = bareName(region);
    if (name.empty()) return Call::none;
    if (isAny(name, {"send", "bsend", "ssend", "rsend", "isend", "ibsend", "issend", "irsend", "pready", "pready_range",
                     "pready_list"}))
        return Call::send;
    if (isAny(name, {"recv", "irecv", "mrecv", "imrecv"})) return Call::receive;
    if (name.starts_with("sendrecv") || name.starts_with("isendrecv")) return Call::sendReceive;
    if (name.starts_with("wait") || name.starts_with("test") || name == "parrived") return Call::wait;
    if (const Operation its = collectiveOf(name); its != Operation::unknown && its != Operation::fence)
        return Call::collective;
    if (name.starts_with("comm_") || name.starts_with("cart_create") || name.starts_with("cart_sub") ||
        name.starts_with("graph_create") || name.starts_with("dist_graph_create") || name.starts_with("intercomm_"))
        return Call::communicator;
    if (isAny(name, {"init", "init_thread", "finalize", "abort", "session_init", "session_finalize"}))
        return Call::setup;
    return Call::other;
}

Operation operationOf(std::string_view region) { return collectiveOf(bareName(region)); }

namespace {

/// Whether the collectives of this recording that have no messages sent none.
bool recordsInside(const Recording& recording) {
    const auto entry = recording.properties.find(own::inside);
    return !recording.library.messages.empty() ||
           (entry != recording.properties.end() && entry->second.starts_with("yes"));
}

/// Whether no data move in it, so that only a barrier needs messages.
bool isEmpty(const Recording& recording, const Collective& instance) {
    const auto parts = recording.collectives.of(instance);
    return !isBarrier(instance.operation) && std::all_of(parts.begin(), parts.end(), [](const Participant& part) {
        return part.sent == 0 && part.received == 0;
    });
}

}  // namespace

WithoutMessages collectivesWithoutMessages(const Recording& recording) {
    const bool isInside = recordsInside(recording);
    const auto& instances = recording.collectives.instances;
    std::vector<bool> hasMessages(recording.library.collective.empty() ? 0 : instances.size());
    for (const std::int32_t instance : recording.library.collective)
        if (instance != noIndex) hasMessages[engine::asSize(instance)] = true;
    WithoutMessages found;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (!isCommunication(instances[i].operation) || (!hasMessages.empty() && hasMessages[i])) continue;
        if (isInside && isAmongNeighbours(instances[i].operation)) continue;
        if (isInside && isEmpty(recording, instances[i])) continue;
        const std::int32_t number = instances[i].communicator;
        if (number != noIndex) {
            const Communicator& its = recording.communicators[engine::asSize(number)];
            const bool ofOne = its.kind == CommunicatorKind::self || its.members.size() == 1;
            if (ofOne && its.remote.empty()) continue;
        }
        ++found.collectives;
        found.calls += static_cast<std::int64_t>(instances[i].count);
    }
    return found;
}

}  // namespace traces
