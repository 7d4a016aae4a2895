// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/window_locks.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::everyRank;
using traces::TimeSpan;

void WindowLocks::request(std::uint32_t window, Rank rank, Which which, bool exclusive, TimeSpan call) {
    underWay_[window][{rank, which}] = {
        .rank = rank, .exclusive = exclusive, .calls = {{call, which.first}}, .released = {}};
}

void WindowLocks::reach(std::uint32_t window, Rank rank, Rank target, TimeSpan call) {
    auto& underWay = underWay_[window];
    for (auto lock = underWay.lower_bound({rank, Which{everyRank, 0}});
         lock != underWay.end() && lock->first.first == rank; ++lock) {
        const Rank at = lock->first.second.first;
        if (at == target || at == everyRank || target == everyRank) lock->second.calls.push_back({call, target});
    }
}

void WindowLocks::release(std::uint32_t window, Rank rank, Which which, TimeSpan call, Picoseconds time) {
    auto& underWay = underWay_[window];
    const auto lock = underWay.find({rank, which});
    if (lock == underWay.end()) return;
    lock->second.calls.push_back({call, which.first});
    lock->second.released = time;
    gone_[window][which].push_back(std::move(lock->second));
    underWay.erase(lock);
}

bool WindowLocks::mayHaveWaited(const Call& call, const Lock& before) {
    return call.span.begin < before.released && call.span.end >= before.calls.back().span.begin;
}

Picoseconds WindowLocks::waited(const Call& call, const Lock& before) {
    return std::min(call.span.end, before.released) - call.span.begin;
}

void WindowLocks::waitsOfOne(const std::vector<Lock>& locks, const std::vector<const Lock*>& ofAll,
                             std::vector<Wait>& found) {
    const Lock* exclusive = nullptr;  // the last one
    for (std::size_t i = 0; i < locks.size(); ++i) {
        const Lock& lock = locks[i];
        const Lock* before = !lock.exclusive ? exclusive : i > 0 ? &locks[i - 1] : nullptr;
        if (lock.exclusive) {
            exclusive = &lock;
            const auto later = std::partition_point(ofAll.begin(), ofAll.end(),
                                                    [&](const Lock* all) { return all->released < lock.released; });
            if (later != ofAll.begin() && (before == nullptr || (*std::prev(later))->released > before->released))
                before = *std::prev(later);
        }
        if (before == nullptr) continue;
        const Call* waiting = nullptr;
        for (const Call& call : lock.calls)
            if (mayHaveWaited(call, *before) &&
                (waiting == nullptr || waited(call, *before) > waited(*waiting, *before)))
                waiting = &call;
        if (waiting != nullptr) found.push_back({lock.rank, before->rank, waiting->span, before->released});
    }
}

void WindowLocks::waitsOfAll(const Lock& lock, const Alone& alone, std::vector<Wait>& found) {
    std::map<const Lock*, const Call*> waiting;  // for whom, and where
    std::vector<const Lock*> inOrder;
    for (const Call& call : lock.calls) {
        const auto those = alone.find(call.target);
        if (those == alone.end()) continue;
        const auto begins = [&](const Lock* one) { return one->calls.back().span.begin <= call.span.end; };
        auto last = std::partition_point(those->second.begin(), those->second.end(), begins);
        while (last != those->second.begin() && (*std::prev(last))->released >= lock.released) --last;
        if (last == those->second.begin() || !mayHaveWaited(call, **std::prev(last))) continue;
        const Lock* const before = *std::prev(last);
        const auto [its, isNew] = waiting.try_emplace(before, &call);
        if (isNew) inOrder.push_back(before);
        else if (waited(call, *before) > waited(*its->second, *before)) its->second = &call;
    }
    for (const Lock* before : inOrder)
        found.push_back({lock.rank, before->rank, waiting[before]->span, before->released});
}

std::vector<WindowLocks::Wait> WindowLocks::waits() {
    std::vector<Wait> found;
    for (auto& [number, gone] : gone_) {
        std::vector<const Lock*> ofAll;
        Alone alone;
        for (auto& [which, locks] : gone) {
            std::stable_sort(locks.begin(), locks.end(),
                             [](const Lock& a, const Lock& b) { return a.released < b.released; });
            for (const Lock& lock : locks)
                if (which.first == everyRank) ofAll.push_back(&lock);
                else if (lock.exclusive) alone[which.first].push_back(&lock), alone[everyRank].push_back(&lock);
        }
        std::stable_sort(ofAll.begin(), ofAll.end(),
                         [](const Lock* a, const Lock* b) { return a->released < b->released; });
        const auto begun = [](const Lock* lock) { return std::pair{lock->calls.back().span.begin, lock->released}; };
        for (auto& [target, locks] : alone)
            std::stable_sort(locks.begin(), locks.end(),
                             [&](const Lock* a, const Lock* b) { return begun(a) < begun(b); });
        for (const auto& [which, locks] : gone)
            waitsOfOne(locks, which.first == everyRank ? std::vector<const Lock*>{} : ofAll, found);
        for (const Lock* lock : ofAll) waitsOfAll(*lock, alone, found);
    }
    return found;
}

}  // namespace app::analysis
