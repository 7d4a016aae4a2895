// SPDX-License-Identifier: BSD-3-Clause
#include "traces/kineto/chakra_trace.hpp"

#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule_files/goal/chakra_protobuf.hpp"
#include "engine/schedule_files/goal/chakra_schedule.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace traces::kineto {

namespace fs = std::filesystem;
namespace chakra = engine::schedules::chakra;
using chakra::NodeKind;
using engine::Error;
using engine::text;

namespace {

constexpr std::int64_t mostTraceBytes = std::int64_t{1} << 30;
constexpr std::uint64_t mostNodes = std::uint64_t{1} << 24;
constexpr std::uint64_t longestNode = std::uint64_t{1} << 42;                   ///< microseconds
constexpr std::int64_t longestJob = std::int64_t{30} * 86'400 * 1'000'000'000;  ///< ns; a node alone may take longer
constexpr std::uint64_t mostCollectiveBytes = std::uint64_t{1} << 48;

/// A collective, as et_def.proto numbers it.
struct CollectiveType {
    Operation operation;
    std::string_view name;
};
constexpr auto collectiveTypes = std::to_array<CollectiveType>({
    {Operation::allreduce, "all_reduce"},
    {Operation::reduce, "reduce"},
    {Operation::allgather, "all_gather"},
    {Operation::gather, "gather"},
    {Operation::scatter, "scatter"},
    {Operation::bcast, "broadcast"},
    {Operation::alltoall, "all_to_all"},
    {Operation::reduceScatterBlock, "reduce_scatter"},
    {Operation::reduceScatterBlock, "reduce_scatter"},
    {Operation::barrier, "barrier"},
});

struct GraphNode : chakra::Node {
    std::uint32_t awaited = 0;            ///< nodes that have not ended
    std::vector<std::uint32_t> behind{};  ///< places of those that wait for this one
    std::int64_t ready = 0;               ///< ns
    std::int64_t begin = 0;
    std::int64_t end = -1;  ///< it has not ended
};

GraphNode nodeFrom(std::string_view message, std::string_view file) {
    GraphNode node{chakra::nodeFrom(message, file)};
    node.duration = 1000 * std::min(node.duration, longestNode);
    if (node.size > mostCollectiveBytes) throw Error{text(file, ": node ", node.id, " has ", node.size, " bytes")};
    return node;
}

/// The nodes of one file, which know the places of those that wait for them.
std::vector<GraphNode> nodesOf(const fs::path& path) {
    const std::string file = path.string();
    const std::string content = engine::contentOf(path, mostTraceBytes, text("cannot read '", file, "'"));
    std::vector<GraphNode> nodes;
    std::unordered_map<std::uint64_t, std::uint32_t> places;
    chakra::Wire messages{content, file};
    for (bool first = true; !messages.ended(); first = false) {
        const std::string_view message = messages.take(messages.number());
        if (first) continue;  // metadata
        if (nodes.size() == mostNodes) throw Error{text(file, ": has more than ", mostNodes, " nodes")};
        nodes.push_back(nodeFrom(message, file));
        if (!places.emplace(nodes.back().id, static_cast<std::uint32_t>(nodes.size() - 1)).second)
            throw Error{text(file, ": has node ", nodes.back().id, " twice")};
    }
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        for (const std::uint64_t other : nodes[i].waitsFor) {
            const auto place = places.find(other);
            if (place == places.end())
                throw Error{text(file, ": node ", nodes[i].id, " waits for node ", other, ", which does not exist")};
            nodes[place->second].behind.push_back(i);
            ++nodes[i].awaited;
        }
        nodes[i].waitsFor = {};
    }
    return nodes;
}

/// Lets the ranks run, in the order of time.
class Course {
public:
    Course(std::vector<std::vector<GraphNode>>& ranks, const std::vector<fs::path>& files,
           const engine::Progress& progress)
        : ranks_{ranks}, files_{files}, progress_{progress}, freeFrom_(ranks.size()) {
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
            for (const GraphNode& node : ranks[rank])
                if (node.kind == static_cast<std::uint64_t>(NodeKind::collective)) {
                    std::vector<std::int32_t>& members = members_[node.group];
                    if (members.empty() || members.back() != static_cast<std::int32_t>(rank))
                        members.push_back(static_cast<std::int32_t>(rank));
                }
    }

    void run() {
        for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
            for (std::uint32_t i = 0; i < ranks_[rank].size(); ++i)
                if (ranks_[rank][i].awaited == 0) ready_.emplace(0, rank, i);
        for (std::uint64_t count = 0; !ready_.empty(); ++count) {
            if (count % 4096 == 0) progress_.at(0.5);
            const auto [time, rank, place] = ready_.top();
            ready_.pop();
            start(rank, place);
        }
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
            for (const GraphNode& node : ranks_[rank])
                if (node.end < 0)
                    throw Error{text(files_[rank].string(), ": node ", node.id,
                                     node.awaited > 0 ? " waits for a node that never ends"
                                                      : " never ends, because another rank does not take part in it")};
    }

    [[nodiscard]] const std::map<std::string, std::vector<std::int32_t>>& members() const { return members_; }
    /// Collectives without a duration.
    [[nodiscard]] std::int64_t instant() const { return instant_; }

private:
    [[nodiscard]] GraphNode& at(std::uint32_t rank, std::uint32_t place) { return ranks_[rank][place]; }

    void start(std::uint32_t rank, std::uint32_t place) {
        GraphNode& node = at(rank, place);
        switch (static_cast<NodeKind>(node.kind)) {
            case NodeKind::collective: return enter(rank, place);
            case NodeKind::send:
            case NodeKind::receive: return transfer(rank, place);
            default: break;
        }
        std::int64_t& freeFrom = freeFrom_[rank][node.onHost ? 0 : 1];
        node.begin = std::max(node.ready, freeFrom);
        freeFrom = node.begin + static_cast<std::int64_t>(node.duration);
        end(rank, place, freeFrom);
    }

    void end(std::uint32_t rank, std::uint32_t place, std::int64_t time) {
        if (time > longestJob)
            throw Error{text(files_[rank].string(), ": node ", at(rank, place).id, " ends after more than 30 days")};
        at(rank, place).end = time;
        for (const std::uint32_t next : at(rank, place).behind) {
            GraphNode& its = at(rank, next);
            its.ready = std::max(its.ready, time);
            if (--its.awaited == 0) ready_.emplace(its.ready, rank, next);
        }
    }

    /// The calls of a rank in a group come one after another, as on one stream.
    void enter(std::uint32_t rank, std::uint32_t place) {
        Group& group = groups_[at(rank, place).group];
        std::deque<std::uint32_t>& its = group.calls[rank];
        its.push_back(place);
        while (group.calls.size() == members_.at(at(rank, place).group).size() &&
               std::none_of(group.calls.begin(), group.calls.end(), [](const auto& one) { return one.second.empty(); }))
            finish(group);
    }

    struct Group {
        std::map<std::uint32_t, std::deque<std::uint32_t>> calls;  ///< by rank: entered, or waiting for their stream
        std::int64_t freeFrom = 0;
    };

    void finish(Group& group) {
        std::int64_t last = 0;
        std::uint64_t duration = ~std::uint64_t{0};
        for (const auto& [rank, calls] : group.calls) {
            GraphNode& node = at(rank, calls.front());
            node.begin = std::max(node.ready, group.freeFrom);
            last = std::max(last, node.begin);
            duration = std::min(duration, node.duration);  // others may have waited
        }
        if (duration == 0) ++instant_;
        group.freeFrom = last + static_cast<std::int64_t>(duration);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> ended;
        for (auto& [rank, calls] : group.calls) {
            ended.emplace_back(rank, calls.front());
            calls.pop_front();
        }
        for (const auto& [rank, place] : ended) end(rank, place, group.freeFrom);
    }

    /// A receive ends once its send is posted.
    void transfer(std::uint32_t rank, std::uint32_t place) {
        GraphNode& node = at(rank, place);
        const bool sends = node.kind == static_cast<std::uint64_t>(NodeKind::send);
        const std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> key{sends ? rank : node.source,
                                                                          sends ? node.target : rank, node.tag};
        node.begin = node.ready;
        auto& [sent, received] = transfers_[key];
        if (sends) {
            end(rank, place, node.begin + static_cast<std::int64_t>(node.duration));
            sent.push_back(node.end);
        } else {
            received.push_back(place);
        }
        while (!sent.empty() && !received.empty()) {
            const auto receiver = static_cast<std::uint32_t>(std::get<1>(key));
            const std::int64_t time = std::max(sent.front(), at(receiver, received.front()).begin);
            end(receiver, received.front(), time);
            sent.pop_front();
            received.pop_front();
        }
    }

    std::vector<std::vector<GraphNode>>& ranks_;
    const std::vector<fs::path>& files_;
    const engine::Progress& progress_;
    std::map<std::string, std::vector<std::int32_t>> members_;  ///< of process groups: who calls them
    std::vector<std::array<std::int64_t, 2>> freeFrom_;         ///< of the host and of the stream for computation
    std::map<std::string, Group> groups_;
    std::int64_t instant_ = 0;
    /// By sender, receiver and tag: times of sends and places of receives that have not met.
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>,
             std::pair<std::deque<std::int64_t>, std::deque<std::uint32_t>>>
        transfers_;
    using Ready = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;  ///< time, rank and place
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
};

/// What a rank did, once its nodes have times.
class Writer {
public:
    Writer(const std::vector<GraphNode>& nodes, const std::map<std::string, std::vector<std::int32_t>>& members)
        : nodes_{nodes}, members_{members} {}

    RankTrace write() {
        std::map<std::string, std::vector<const GraphNode*>> lanes;  // the own one first
        for (const GraphNode& node : nodes_) lanes[laneOf(node)].push_back(&node);
        for (auto& [name, its] : lanes) {
            std::stable_sort(its.begin(), its.end(),
                             [](const GraphNode* a, const GraphNode* b) { return a->begin < b->begin; });
            LaneCalls& calls = trace_.lanes.emplace_back();
            calls.name = name;
            calls.isStream = name != host;
            calls.isRanks = name == lanes.begin()->first;
            for (const GraphNode* node : its) add(calls, *node);
        }
        std::stable_sort(trace_.collectives.begin(), trace_.collectives.end(),
                         [](const auto& a, const auto& b) { return a.begin < b.begin; });
        trace_.activities = nodes_.size();
        return std::move(trace_);
    }

private:
    static constexpr std::string_view host = "host";

    static std::string laneOf(const GraphNode& node) {
        switch (static_cast<NodeKind>(node.kind)) {
            case NodeKind::collective: return node.group.empty() ? "stream of collectives" : "stream of " + node.group;
            case NodeKind::send:
            case NodeKind::receive: return "stream of transfers";
            default: return node.onHost ? std::string{host} : "computation";
        }
    }

    void add(LaneCalls& calls, const GraphNode& node) {
        const auto kind = static_cast<NodeKind>(node.kind);
        const auto push = [&](std::int32_t region) {
            calls.begin.push_back(node.begin);
            calls.end.push_back(node.end);
            calls.region.push_back(region);
            calls.depth.push_back(0);
        };
        trace_.first = std::min(trace_.first, node.begin);
        trace_.last = std::max(trace_.last, node.end);
        if (kind == NodeKind::send || kind == NodeKind::receive) {
            ++trace_.transfers;
            return push(kind == NodeKind::send ? region("send", "cuda", Call::send)
                                               : region("recv", "cuda", Call::receive));
        }
        if (kind != NodeKind::collective) return push(region(node.name, node.onHost ? "user" : "cuda", Call::none));
        const CollectiveType its = node.type < collectiveTypes.size()
                                       ? collectiveTypes[node.type]
                                       : CollectiveType{Operation::unknown, "collective"};
        push(region(std::string{its.name}, "cuda", Call::collective));
        const std::vector<std::int32_t>& members = members_.at(node.group);
        const auto [group, isNew] = groups_.try_emplace(node.group, static_cast<std::int32_t>(trace_.groups.size()));
        if (isNew) trace_.groups.push_back({.name = node.group, .description = {}, .members = members});
        const auto size = static_cast<Bytes>(node.size);
        const auto ranks = static_cast<Bytes>(members.size());
        CollectiveCall call{.begin = node.begin,
                            .end = node.end,
                            .sequence = sequence_[group->second]++,
                            .sent = size,
                            .received = size,
                            .group = group->second,
                            .operation = its.operation,
                            .ran = {}};
        if (its.operation == Operation::allgather) call.received = size * ranks;
        if (its.operation == Operation::reduceScatterBlock) call.received = size / ranks;
        if (its.operation == Operation::barrier) call.sent = call.received = 0;
        trace_.collectives.push_back(std::move(call));
    }

    std::int32_t region(const std::string& name, std::string_view paradigm, Call call) {
        return regions_.of(trace_.regions, name, paradigm, call);
    }

    const std::vector<GraphNode>& nodes_;
    const std::map<std::string, std::vector<std::int32_t>>& members_;
    RankTrace trace_;
    RegionIndex regions_;
    std::map<std::string, std::int32_t> groups_;
    std::map<std::int32_t, std::int64_t> sequence_;
};

}  // namespace

bool isExecutionTrace(const fs::path& path) { return chakra::isOfJob(path.string()); }

std::vector<fs::path> executionTracesBeside(const fs::path& path) {
    std::vector<fs::path> files;
    const auto part = chakra::partOf(path.string());
    std::error_code unknown;
    for (std::int64_t rank = 0; part && rank < mostRanks; ++rank) {
        fs::path file = text(part->name, '.', rank, ".et");
        if (!fs::exists(file, unknown)) break;
        files.push_back(std::move(file));
    }
    return files;
}

std::vector<RankTrace> executionTraces(const std::vector<fs::path>& files, std::vector<std::string>& remarks,
                                       const engine::Progress& progress) {
    std::vector<std::vector<GraphNode>> ranks;
    std::int64_t unknown = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        progress.at(0.5 * static_cast<double>(i) / static_cast<double>(files.size()));
        ranks.push_back(nodesOf(files[i]));
        unknown += std::count_if(ranks.back().begin(), ranks.back().end(), [](const GraphNode& node) {
            return node.duration == 0 && node.kind == static_cast<std::uint64_t>(NodeKind::compute);
        });
    }
    Course course{ranks, files, progress};
    course.run();
    std::vector<RankTrace> traces;
    for (std::size_t i = 0; i < files.size(); ++i) {
        traces.push_back(Writer{ranks[i], course.members()}.write());
        traces.back().path = files[i];
        traces.back().rank = static_cast<std::int64_t>(i);
        traces.back().worldSize = static_cast<std::int64_t>(files.size());
        ranks[i] = {};
    }
    const auto add = [&](std::int64_t count, std::string_view one, std::string_view more, std::string_view rest) {
        if (count > 0) remarks.push_back(text(count, ' ', count == 1 ? one : more, " no time", rest));
    };
    add(unknown, "node that computes has no duration and takes", "nodes that compute have no duration and take", "");
    add(course.instant(), "collective has no duration and takes", "collectives have no duration and take",
        " (a replay with an algorithm gives them one)");
    return traces;
}

}  // namespace traces::kineto
