// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/last_in_step.hpp"

#include "app/analysis/containers/mostly_sorted.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;

namespace {

/// Which collectives, and which barriers of threads, each thread left when.
class Left {
public:
    Left(const Recording& recording, const TracedWaits& waits)
        : recording_{recording}, barriers_{waits.barriers}, threads_(engine::asSize(waits.threads.count())) {
        const auto& instances = recording.collectives.instances;
        for (std::uint32_t i = 0; i < instances.size(); ++i)
            if (isCommunication(instances[i].operation) && !isAmongNeighbours(instances[i].operation))
                for (const traces::Participant& part : recording.collectives.of(instances[i]))
                    threads_[part.rank.index()].push_back({part.end, i});
        auto number = static_cast<std::uint32_t>(instances.size());
        for (const std::vector<LeavesBarrier>& barrier : barriers_) {
            for (const LeavesBarrier& one : barrier) threads_[engine::asSize(one.place)].push_back({one.end, number});
            ++number;
        }
        for (auto& its : threads_) std::stable_sort(its.begin(), its.end());
    }

    /// The last one that `waiter` left not after `begin` and `late` not after `until`; of many, a short look back.
    [[nodiscard]] std::optional<InStep> together(std::int32_t late, Picoseconds until, std::int32_t waiter,
                                                 Picoseconds begin) const {
        constexpr int farthest = 64;
        const auto& ofWaiter = threads_[engine::asSize(waiter)];
        auto at = std::upper_bound(ofWaiter.begin(), ofWaiter.end(), std::pair{begin, ~std::uint32_t{0}});
        for (int k = 0; k < farthest && at != ofWaiter.begin(); ++k) {
            const auto [end, number] = *--at;
            const auto its = spanIn(number, late);
            if (!its || its->end > until) continue;
            // What does not join them, such as a broadcast, may have kept one longer than the other.
            if (const auto other = joinsAll(number) ? std::nullopt : spanIn(number, waiter))
                return InStep{its->begin, other->begin, false};
            return InStep{its->end, end, true};
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] bool joinsAll(std::uint32_t number) const {
        const auto& instances = recording_.collectives.instances;
        return number >= instances.size() || traces::joinsAll(instances[number].operation);
    }
    /// When a thread was in a collective, or left a barrier; nothing where it was not in it.
    [[nodiscard]] std::optional<traces::TimeSpan> spanIn(std::uint32_t number, std::int32_t place) const {
        const auto& instances = recording_.collectives.instances;
        if (number >= instances.size()) {
            const std::vector<LeavesBarrier>& barrier = barriers_[number - instances.size()];
            const auto part =
                std::lower_bound(barrier.begin(), barrier.end(), place,
                                 [](const LeavesBarrier& one, std::int32_t at) { return one.place < at; });
            if (part == barrier.end() || part->place != place) return std::nullopt;
            return traces::TimeSpan{part->end, part->end};
        }
        const auto parts = recording_.collectives.of(instances[number]);
        const auto part =
            std::lower_bound(parts.begin(), parts.end(), place,
                             [](const traces::Participant& one, std::int32_t at) { return one.rank.value < at; });
        if (part == parts.end() || part->rank.value != place) return std::nullopt;
        return traces::TimeSpan{part->begin, part->end};
    }

    const Recording& recording_;
    const std::vector<std::vector<LeavesBarrier>>& barriers_;
    std::vector<std::vector<std::pair<Picoseconds, std::uint32_t>>> threads_;  ///< by place: end and which one
};

}  // namespace

std::vector<InStep> stepsOf(std::span<const Delay> delays, const TracedWaits& waits, const Recording& recording) {
    const std::vector<Wait>& all = waits.all;
    std::vector<std::uint32_t> byEnd(all.size());
    std::iota(byEnd.begin(), byEnd.end(), 0U);
    sortMostlySorted(std::span{byEnd}, [&](std::uint32_t a, std::uint32_t b) { return all[a].end() < all[b].end(); });
    std::unordered_map<std::uint64_t, Picoseconds> last;
    const auto keyOf = [](std::int32_t a, std::int32_t b) {
        return std::uint64_t{static_cast<std::uint32_t>(std::min(a, b))} << 32U |
               static_cast<std::uint32_t>(std::max(a, b));
    };
    const auto placeOf = [&](Rank rank, ThreadNumber thread) { return waits.threads.placeOf(rank, thread); };
    const Left left{recording, waits};
    // What ranks did before the time that is analysed, such as MPI_Init, made nobody late.
    std::vector<InStep> steps(delays.size(), {waits.span.begin, waits.span.begin});
    std::size_t next = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Delay& delay = delays[i];
        for (; next < byEnd.size() && all[byEnd[next]].end() < delay.until; ++next) {
            const Wait& wait = all[byEnd[next]];
            last[keyOf(placeOf(wait.rank, wait.thread), placeOf(wait.late, wait.lateThread))] = wait.end();
        }
        const std::int32_t behind = placeOf(delay.rank, delay.thread);
        const std::int32_t waiter = placeOf(delay.waiter, delay.waiterThread);
        const std::optional<InStep> collective = left.together(behind, delay.until, waiter, delay.since);
        if (collective) steps[i] = *collective;
        const auto known = last.find(keyOf(behind, waiter));
        if (known == last.end()) continue;
        const Picoseconds then = std::min(known->second, delay.since);
        if (!collective || then > collective->waiter) steps[i] = {then, then};
    }
    for (InStep& step : steps) {
        step.late = std::max(step.late, waits.span.begin);
        step.waiter = std::max(step.waiter, waits.span.begin);
    }
    return steps;
}

}  // namespace app::analysis
