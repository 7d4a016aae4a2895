// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/calls/call_paths.hpp"

#include "app/analysis/calls/activity.hpp"
#include "engine/base/parallel.hpp"

#include <cctype>
#include <charconv>
#include <unordered_map>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::LocationKind;
using traces::States;

/// Paths by their parent and region. Mostly a path is that of the sibling found before, or one of few.
class CallPaths::Tree {
public:
    Tree() : nodes_(1) {}

    PathId child(PathId parent, std::int32_t region) {
        const std::uint64_t key = std::uint64_t{parent} << 32U | static_cast<std::uint32_t>(region);
        if (key == lastKey_) return last_;
        const auto [entry, isNew] = known_.try_emplace(key, static_cast<PathId>(nodes_.size()));
        if (isNew) nodes_.push_back({region, parent});
        lastKey_ = key;
        return last_ = entry->second;
    }

    [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }

private:
    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, PathId> known_;
    std::uint64_t lastKey_ = ~std::uint64_t{0};
    PathId last_ = 0;
};

CallPaths::CallPaths(const traces::Recording& recording, const engine::Progress& progress,
                     const traces::MemoryBudget& memory)
    : recording_{recording}, calls_(recording.states.size()), threads_{locationsOfRanks(recording)} {
    for (auto& its : threads_)
        std::erase_if(its, [&](std::size_t i) { return recording.locations[i].kind == LocationKind::accelerator; });
    traces::reading::Storage storage = traces::roomBeside(recording, memory);
    std::vector<Tree> trees(calls_.size());
    engine::parallelFor(
        calls_.size(),
        [&](std::size_t location) {
            const States& states = recording.states[location];
            Calls& calls = calls_[location];
            calls.path = traces::reading::Values<PathId>{states.size(), &storage};
            calls.parent = traces::reading::Values<std::uint32_t>{states.size(), &storage};
            std::vector<std::uint32_t> around;
            for (std::size_t s = 0; s < states.size(); ++s) {
                if (states.depth[s] < around.size()) around.resize(states.depth[s]);
                // Calls of our own archives may overlap: what has ended is no longer around.
                while (!around.empty() && states.end[around.back()] < states.begin[s]) around.pop_back();
                calls.parent[s] = around.empty() ? none : around.back();
                calls.path[s] = trees[location].child(around.empty() ? outsideOfCalls : calls.path[around.back()],
                                                      states.region[s]);
                around.push_back(static_cast<std::uint32_t>(s));
            }
        },
        [&] { progress.at(0); });
    Tree all;
    std::vector<std::vector<PathId>> meaning(trees.size());
    for (std::size_t location = 0; location < trees.size(); ++location) {
        const auto& nodes = trees[location].nodes();
        if (recording.locations[location].kind == LocationKind::accelerator && nodes.size() > 1) {
            accelerators_ = all.child(outsideOfCalls, traces::noIndex);
            calls_[location].root = accelerators_;
        }
        auto& its = meaning[location];
        its.push_back(calls_[location].root);
        for (std::size_t node = 1; node < nodes.size(); ++node)
            its.push_back(all.child(its[nodes[node].parent], nodes[node].region));
    }
    engine::parallelFor(calls_.size(), [&](std::size_t location) {
        for (PathId& path : calls_[location].path) path = meaning[location][path];
    });
    nodes_ = all.nodes();
    for (const Node& node : nodes_)
        knownByCalls_.push_back(node.region != traces::noIndex &&
                                app::analysis::isKnownByCalls(recording.regions[engine::asSize(node.region)]));
    hasProgram_ = std::any_of(nodes_.begin() + 1, nodes_.end(), [&](const Node& node) {
        return node.region != traces::noIndex &&
               recording.regions[engine::asSize(node.region)].call == traces::Call::none;
    });
}

bool CallPaths::ofAccelerators(PathId path) const {
    if (accelerators_ == outsideOfCalls) return false;
    while (path > accelerators_) path = nodes_[path].parent;
    return path == accelerators_;
}

std::string CallPaths::name(PathId path) const {
    if (path == outsideOfCalls) return std::string{wordsOutside};
    const Node& node = nodes_[path];
    const std::string own =
        node.region == traces::noIndex ? "(accelerators)" : recording_.regions[engine::asSize(node.region)].title();
    return node.parent == outsideOfCalls ? own : name(node.parent) + '/' + own;
}

std::uint32_t CallPaths::lastBegun(const States& states, Picoseconds time, std::uint32_t hint) {
    const auto& begin = states.begin;
    const std::size_t count = begin.size();
    if (count == 0 || begin[0] > time) return none;
    // From the hint in growing steps, then by halves: begin[low] <= time < begin[high].
    std::size_t low = std::min<std::size_t>(hint, count - 1);
    std::size_t high = low;
    if (begin[low] <= time)
        for (std::size_t step = 1; (high = std::min(count, low + step)) < count && begin[high] <= time; step *= 2)
            low = high;
    else
        for (std::size_t step = 1; begin[low = high > step ? high - step : 0] > time; step *= 2) high = low;
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        (begin[middle] <= time ? low : high) = middle;
    }
    return static_cast<std::uint32_t>(low);
}

std::uint32_t CallPaths::nextCall(std::size_t location, Picoseconds time, std::uint32_t hint) const {
    const States& states = recording_.states[location];
    const std::uint32_t begun = lastBegun(states, time, hint);
    std::uint32_t next = begun == none ? 0 : begun + 1;
    while (next < states.size() && knownByCalls_[of(location, next)]) ++next;
    return next < states.size() ? next : none;
}

Picoseconds CallPaths::endOfStretch(std::size_t location, Picoseconds time) const {
    const States& states = recording_.states[location];
    const std::uint32_t begun = lastBegun(states, time, 0);
    const std::uint32_t call = innermost(location, begun, time + Picoseconds{1});
    if (call == none || knownByCalls_[of(location, call)]) {
        const std::uint32_t next = nextCall(location, time, begun == none ? 0 : begun);
        return next == none ? recording_.locations[location].last : states.begin[next];
    }
    return begun + 1 < states.size() ? std::min(states.begin[begun + 1], states.end[call]) : states.end[call];
}

/// `begun` or whatever is around it and ends at `since` or later.
std::uint32_t CallPaths::innermost(std::size_t location, std::uint32_t begun, Picoseconds since) const {
    while (begun != none && recording_.states[location].end[begun] < since) begun = calls_[location].parent[begun];
    return begun;
}

PathOfRank::PathOfRank(const CallPaths& paths, Rank rank)
    : paths_{paths}, threads_{paths.threadsOf(rank)}, hints_(threads_.size()) {}

PathOfRank::PathOfRank(const CallPaths& paths, Rank rank, std::int32_t location) : paths_{paths}, alone_{true} {
    const auto all = paths.threadsOf(rank);
    const auto at = std::find(all.begin(), all.end(), static_cast<std::size_t>(location));
    if (location != traces::noIndex && at != all.end()) threads_ = std::span{at, 1};
    hints_.resize(threads_.size());
}

PathId PathOfRank::after(Picoseconds time) { return at(time, time + Picoseconds{1}); }

PathId PathOfRank::before(Picoseconds time) { return at(time - Picoseconds{1}, time); }

PathId PathOfRank::at(Picoseconds begun, Picoseconds since) {
    PathId found = outsideOfCalls;
    Picoseconds latest{-1};
    bool inMpi = false;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        const States& states = paths_.recording_.states[threads_[i]];
        std::uint32_t call = CallPaths::lastBegun(states, begun, hints_[i]);
        if (call == CallPaths::none) continue;
        hints_[i] = call;
        call = paths_.innermost(threads_[i], call, since);
        if (call == CallPaths::none) continue;
        const auto region = engine::asSize(states.region[call]);
        const bool mpi = paths_.recording_.regions[region].call != traces::Call::none;
        const PathId path = paths_.of(threads_[i], call);
        const PathId own = paths_.isKnownByCalls(path) ? outsideOfCalls : path;
        if (alone_) return own;
        const bool better = mpi ? !inMpi || states.begin[call] > latest
                                : !inMpi && paths_.recording_.locations[threads_[i]].speaksForRank;
        if (!better) continue;
        found = own;
        latest = states.begin[call];
        inMpi = mpi;
    }
    return found;
}

namespace {

/// Where the line of a call begins in the name of its path, behind the colon; the end where it has none.
std::size_t callLineAt(const std::string& path) {
    if (!path.ends_with(')')) return path.size();
    std::size_t at = path.size() - 1;
    while (at > 0 && std::isdigit(static_cast<unsigned char>(path[at - 1])) != 0) --at;
    return at > 0 && at + 1 < path.size() && path[at - 1] == ':' ? at : path.size();
}

std::int64_t callLine(const std::string& path) {
    const std::size_t at = callLineAt(path);
    std::int64_t line = 0;
    if (at < path.size()) std::from_chars(path.data() + at, path.data() + path.size() - 1, line);
    return line;
}

using Match = std::map<std::string, std::string>;

/// Adds the paths of both that `nameOf` calls alike to `same`, where both have as many: in the order of their lines.
void matchInOrder(const std::set<std::string>& before, const std::set<std::string>& after,
                  std::string (*nameOf)(const std::string& path), Match& same) {
    using Lines = std::set<std::pair<std::int64_t, std::string>>;
    const auto byName = [&](const std::set<std::string>& paths) {
        std::map<std::string, Lines> lines;
        for (const std::string& path : paths) lines[nameOf(path)].emplace(callLine(path), path);
        return lines;
    };
    const std::map<std::string, Lines> others = byName(after);
    for (const auto& [name, lines] : byName(before)) {
        const auto partner = others.find(name);
        if (partner == others.end() || partner->second.size() != lines.size()) continue;
        auto other = partner->second.begin();
        for (const auto& [line, path] : lines) same.emplace(path, (other++)->second);
    }
}

}  // namespace

std::string nameWithoutLine(const std::string& path) {
    const std::size_t at = callLineAt(path);
    return at == path.size() ? path : path.substr(0, at - 1) + ')';
}

std::string nameWithoutFile(const std::string& path) {
    const std::string name = nameWithoutLine(path);
    if (!name.ends_with(')')) return name;
    const std::size_t file = name.rfind(name == path ? " in " : ", ");
    return file == std::string::npos ? name : name.substr(0, file) + ')';
}

Match samePaths(const std::set<std::string>& before, const std::set<std::string>& after) {
    Match same;
    std::set<std::string> left = before, others = after;
    const auto leaveOutMatched = [&] {
        for (const auto& [path, partner] : same) left.erase(path), others.erase(partner);
    };
    matchInOrder(left, others, nameWithoutLine, same);
    leaveOutMatched();
    for (const std::string& path : left)
        if (others.contains(path)) same.emplace(path, path);
    leaveOutMatched();
    matchInOrder(left, others, nameWithoutFile, same);
    return same;
}

}  // namespace app::analysis
