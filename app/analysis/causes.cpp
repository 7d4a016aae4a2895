// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/causes.hpp"

#include "app/analysis/origins.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;

namespace {

constexpr std::size_t mostCalls = 20'000;
constexpr std::size_t fewCalls = 64;
constexpr std::size_t callsInAll = 50'000'000;

/// Time by path, over some of them.
class Times {
public:
    explicit Times(std::size_t paths) : time_(paths) {}

    void add(PathId path, Picoseconds time) {
        if (time_[path].count() == 0) touched_.push_back(path);
        time_[path] += time;
    }
    [[nodiscard]] Picoseconds of(PathId path) const { return time_[path]; }
    /// Rising, each once.
    [[nodiscard]] const std::vector<PathId>& touched() {
        std::sort(touched_.begin(), touched_.end());
        touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
        return touched_;
    }
    void clear() {
        for (const PathId path : touched_) time_[path] = {};
        touched_.clear();
    }

private:
    std::vector<Picoseconds> time_;
    std::vector<PathId> touched_;
};

/// Until when two ranks were in step, by the clock of each.
struct InStep {
    Picoseconds late{};
    Picoseconds waiter{};
};

/// Which collectives each rank left when.
class Left {
public:
    explicit Left(const Recording& recording) : recording_{recording}, ranks_(engine::asSize(recording.ranks)) {
        const auto& instances = recording.collectives.instances;
        for (std::uint32_t i = 0; i < instances.size(); ++i)
            if (isCommunication(instances[i].operation))
                for (const traces::Participant& part : recording.collectives.of(instances[i]))
                    ranks_[part.rank.index()].push_back({part.end, i});
        for (auto& its : ranks_) std::stable_sort(its.begin(), its.end());
    }

    /// The last one that `waiter` left not after `begin` and `late` not after `until`; of many, a short look back.
    [[nodiscard]] std::optional<InStep> together(Rank late, Picoseconds until, Rank waiter, Picoseconds begin) const {
        constexpr int farthest = 64;
        const auto& its = ranks_[waiter.index()];
        auto at = std::upper_bound(its.begin(), its.end(), std::pair{begin, ~std::uint32_t{0}});
        for (int k = 0; k < farthest && at != its.begin(); ++k) {
            const auto [end, instance] = *--at;
            const auto parts = recording_.collectives.of(recording_.collectives.instances[instance]);
            const auto part =
                std::lower_bound(parts.begin(), parts.end(), late,
                                 [](const traces::Participant& one, Rank rank) { return one.rank < rank; });
            if (part != parts.end() && part->rank == late && part->end <= until) return InStep{part->end, end};
        }
        return std::nullopt;
    }

private:
    const Recording& recording_;
    std::vector<std::vector<std::pair<Picoseconds, std::uint32_t>>> ranks_;  ///< end and instance
};

class Finding {
public:
    Finding(std::vector<Wait>& waits, const CallPaths& paths)
        : waits_{waits},
          paths_{paths},
          recording_{paths.recording()},
          delays_{traceOrigins(waits, recording_.ranks)},
          left_{recording_},
          ofRank_(engine::asSize(recording_.ranks)),
          pathOf_(waits.size()),
          late_{paths.size()},
          waiter_{paths.size()} {
        for (std::uint32_t i = 0; i < waits.size(); ++i) ofRank_[waits[i].rank.index()].push_back(i);
        for (auto& its : ofRank_) {
            if (its.empty()) continue;
            std::stable_sort(its.begin(), its.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return waits[a].begin < waits[b].begin; });
            PathOfRank path{paths, waits[its.front()].rank};
            for (const std::uint32_t i : its) pathOf_[i] = path.after(waits[i].begin);
        }
        findSteps();
    }

    std::vector<Cause> all(const engine::Progress& progress) {
        std::vector<std::map<WaitKind, Picoseconds>> costs(delays_.size());
        std::vector<Picoseconds> cost(delays_.size());
        for (const Wait& wait : waits_) {
            costs[wait.wave][wait.kind] += wait.time;
            cost[wait.wave] += wait.time;
        }
        std::vector<std::uint32_t> order(delays_.size());
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return cost[a] > cost[b]; });
        for (std::size_t k = 0; k < order.size(); ++k) {
            if (k % 1024 == 0) progress.at(static_cast<double>(k) / static_cast<double>(order.size()));
            if (cost[order[k]].count() > 0) explain(order[k], costs[order[k]]);
        }
        return sorted();
    }

private:
    /// When the two ranks of each delay had last been in step.
    void findSteps() {
        std::vector<std::uint32_t> byEnd(waits_.size());
        std::iota(byEnd.begin(), byEnd.end(), 0U);
        std::stable_sort(byEnd.begin(), byEnd.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return waits_[a].end() < waits_[b].end(); });
        std::vector<std::uint32_t> byUntil(delays_.size());
        std::iota(byUntil.begin(), byUntil.end(), 0U);
        std::stable_sort(byUntil.begin(), byUntil.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return delays_[a].until < delays_[b].until; });
        std::unordered_map<std::uint64_t, Picoseconds> last;
        const auto keyOf = [](Rank a, Rank b) {
            return std::uint64_t{static_cast<std::uint32_t>(std::min(a, b).value)} << 32U |
                   static_cast<std::uint32_t>(std::max(a, b).value);
        };
        steps_.resize(delays_.size());
        std::size_t next = 0;
        for (const std::uint32_t i : byUntil) {
            const Delay& delay = delays_[i];
            for (; next < byEnd.size() && waits_[byEnd[next]].end() < delay.until; ++next) {
                const Wait& wait = waits_[byEnd[next]];
                last[keyOf(wait.rank, wait.late)] = wait.end();
            }
            const std::optional<InStep> collective = left_.together(delay.rank, delay.until, delay.waiter, delay.since);
            if (collective) steps_[i] = *collective;
            const auto known = last.find(keyOf(delay.rank, delay.waiter));
            if (known == last.end()) continue;
            const Picoseconds then = std::min(known->second, delay.since);
            if (!collective || then > collective->waiter) steps_[i] = {then, then};
        }
    }

    /// What `rank` spent in [begin, end) by path, without its waits.
    void look(Rank rank, Picoseconds begin, Picoseconds end, Times& times) {
        const std::int32_t location = recording_.locationOf(rank);
        if (location == traces::noIndex || begin >= end) return;
        const traces::States& states = recording_.states[engine::asSize(location)];
        const std::size_t most = looked_ < callsInAll ? mostCalls : fewCalls;
        const auto behind = std::lower_bound(states.begin.begin(), states.begin.end(), end) - states.begin.begin();
        if (static_cast<std::size_t>(behind) > most)
            begin = std::max(begin, states.begin[static_cast<std::size_t>(behind) - most]);
        paths_.eachStretch(engine::asSize(location), begin, end, [&](PathId path, Picoseconds from, Picoseconds to) {
            times.add(path, to - from);
            ++looked_;
        });
        const auto& its = ofRank_[rank.index()];
        auto at =
            std::partition_point(its.begin(), its.end(), [&](std::uint32_t i) { return waits_[i].end() <= begin; });
        for (; at != its.end() && waits_[*at].begin < end; ++at) {
            const Picoseconds time = std::min(waits_[*at].end(), end) - std::max(waits_[*at].begin, begin);
            if (time > Picoseconds{}) times.add(pathOf_[*at], -time);
        }
    }

    void explain(std::uint32_t number, const std::map<WaitKind, Picoseconds>& costs) {
        const Delay& delay = delays_[number];
        late_.clear();
        waiter_.clear();
        look(delay.rank, steps_[number].late, delay.until, late_);
        look(delay.waiter, steps_[number].waiter, delay.since, waiter_);
        std::vector<std::pair<PathId, Picoseconds>> excess;
        Picoseconds sum{};
        for (const PathId path : late_.touched())
            if (const Picoseconds more = late_.of(path) - waiter_.of(path); more > Picoseconds{})
                excess.emplace_back(path, more), sum += more;
        if (excess.empty()) excess.emplace_back(outsideOfCalls, Picoseconds{1}), sum = Picoseconds{1};
        for (const auto& [path, more] : excess) {
            const double part = static_cast<double>(more.count()) / static_cast<double>(sum.count());
            const Picoseconds later{
                static_cast<std::int64_t>(part * static_cast<double>((delay.until - delay.since).count()) + 0.5)};
            const PathId before = path == outsideOfCalls ? lateFor(delay) : outsideOfCalls;
            for (const auto& [kind, cost] : costs) {
                Row& row = rows_[{kind, delay.rank, path, before}];
                row.time += part * static_cast<double>(cost.count());
                if (part < 0.1) continue;
                row.delays.push_back(later);
                if (later > row.longest) row.longest = later, row.begin = delay.since;
            }
        }
    }

    /// The call in which the late rank came.
    [[nodiscard]] PathId lateFor(const Delay& delay) const { return PathOfRank{paths_, delay.rank}.after(delay.until); }

    std::vector<Cause> sorted() {
        std::vector<Cause> causes;
        for (auto& [key, row] : rows_) {
            Cause cause;
            std::tie(cause.kind, cause.rank, cause.path, cause.before) = key;
            cause.time = Picoseconds{static_cast<std::int64_t>(row.time + 0.5)};
            cause.delays = static_cast<std::int64_t>(row.delays.size());
            cause.longest = row.longest;
            cause.begin = row.begin;
            if (!row.delays.empty()) {
                const auto middle = row.delays.begin() + static_cast<std::ptrdiff_t>(row.delays.size() / 2);
                std::nth_element(row.delays.begin(), middle, row.delays.end());
                cause.typical = *middle;
            }
            if (cause.time.count() > 0) causes.push_back(cause);
        }
        std::stable_sort(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) { return a.time > b.time; });
        return causes;
    }

    struct Row {
        double time = 0;
        std::vector<Picoseconds> delays;
        Picoseconds longest{};
        Picoseconds begin{};
    };

    std::vector<Wait>& waits_;
    const CallPaths& paths_;
    const Recording& recording_;
    std::vector<Delay> delays_;  ///< by wave
    Left left_;
    std::vector<std::vector<std::uint32_t>> ofRank_;  ///< waits by their begins
    std::vector<PathId> pathOf_;                      ///< by wait
    std::vector<InStep> steps_;                       ///< by wave
    std::map<std::tuple<WaitKind, Rank, PathId, PathId>, Row> rows_;
    Times late_, waiter_;
    std::size_t looked_ = 0;
};

}  // namespace

std::vector<Cause> causesOf(std::vector<Wait> waits, const CallPaths& paths, const engine::Progress& progress) {
    return Finding{waits, paths}.all(progress);
}

std::string nameOf(const Cause& cause, const CallPaths& paths) {
    return cause.path == outsideOfCalls && cause.before != outsideOfCalls
               ? engine::text("before ", paths.name(cause.before))
               : paths.name(cause.path);
}

}  // namespace app::analysis
