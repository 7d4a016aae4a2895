// SPDX-License-Identifier: BSD-3-Clause
#include "traces/kineto/matching.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace traces::kineto {

namespace {

/// In an all_to_all each rank may have sizes of its own.
bool alike(const CollectiveCall& a, const CollectiveCall& b) {
    using enum Operation;
    if (a.operation != b.operation) return false;
    if (a.operation == alltoall || a.operation == alltoallv || a.operation == unknown) return true;
    return a.sent == b.sent && a.received == b.received;
}

/// How far apart half of the differences are: 0 for calls that end together on clocks that differ.
std::int64_t spreadOf(std::vector<std::int64_t> differences) {
    if (differences.size() < 2) return 0;
    std::sort(differences.begin(), differences.end());
    return differences[differences.size() * 3 / 4] - differences[differences.size() / 4];
}

/// How many calls `of` begins after `reference` does; negative where it begins before.
std::int64_t shiftOf(const std::vector<const CollectiveCall*>& reference,
                     const std::vector<const CollectiveCall*>& of) {
    constexpr std::int64_t most = 64;
    const auto more = static_cast<std::int64_t>(reference.size()) - static_cast<std::int64_t>(of.size());
    struct Shift {
        std::int64_t by = 0;
        double agree = 0;
        std::int64_t spread = 0;
        std::int64_t apart = 0;
    };
    std::vector<Shift> all;
    for (std::int64_t shift = -most; shift <= more + most; ++shift) {
        std::int64_t agree = 0, both = 0;
        std::vector<std::int64_t> apart;
        for (std::int64_t k = std::max<std::int64_t>(0, -shift);
             k < static_cast<std::int64_t>(of.size()) && k + shift < static_cast<std::int64_t>(reference.size()); ++k) {
            const CollectiveCall& its = *of[engine::asSize(k)];
            const CollectiveCall& other = *reference[engine::asSize(k + shift)];
            ++both;
            if (!alike(its, other)) continue;
            ++agree;
            apart.push_back(its.end - other.end);
        }
        if (both == 0 || 2 * both < static_cast<std::int64_t>(of.size())) continue;
        std::sort(apart.begin(), apart.end());
        all.push_back({shift, static_cast<double>(agree) / static_cast<double>(both), spreadOf(apart),
                       apart.empty() ? 0 : std::abs(apart[apart.size() / 2])});
    }
    if (all.empty()) return 0;
    // Steps are alike: of shifts that are as good as the best one that which needs clocks to differ least.
    const double agree = std::max_element(all.begin(), all.end(), [](const Shift& a, const Shift& b) {
                             return a.agree < b.agree;
                         })->agree;
    std::erase_if(all, [&](const Shift& one) { return one.agree < agree; });
    const std::int64_t spread = std::min_element(all.begin(), all.end(), [](const Shift& a, const Shift& b) {
                                    return a.spread < b.spread;
                                })->spread;
    constexpr std::int64_t little = 50'000;  // ns
    std::erase_if(all, [&](const Shift& one) { return one.spread > 2 * spread + little; });
    return std::min_element(all.begin(), all.end(), [](const Shift& a, const Shift& b) { return a.apart < b.apart; })
        ->by;
}

}  // namespace

std::vector<std::vector<std::int64_t>> matched(const std::vector<CallsOfRank>& ranks) {
    std::vector<std::vector<std::int64_t>> numbers(ranks.size());
    const bool sequenced = std::all_of(ranks.begin(), ranks.end(), [](const CallsOfRank& one) {
        return std::all_of(one.calls.begin(), one.calls.end(), [](const auto* call) { return call->sequence >= 0; });
    });
    if (sequenced) {
        // Calls that are launched together may have one number.
        std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> instances;
        std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> keys(ranks.size());
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            std::map<std::int64_t, std::int64_t> before;
            for (const CollectiveCall* call : ranks[r].calls) {
                keys[r].emplace_back(call->sequence, before[call->sequence]++);
                instances.emplace(keys[r].back(), 0);
            }
        }
        std::int64_t next = 0;
        for (auto& [key, number] : instances) number = next++;
        for (std::size_t r = 0; r < ranks.size(); ++r)
            for (const auto& key : keys[r]) numbers[r].push_back(instances[key]);
        return numbers;
    }
    std::size_t reference = 0;
    for (std::size_t r = 1; r < ranks.size(); ++r)
        if (ranks[r].calls.size() > ranks[reference].calls.size()) reference = r;
    std::int64_t first = 0;
    std::vector<std::int64_t> shifts(ranks.size());
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const auto& its = ranks[r].calls;
        const auto& others = ranks[reference].calls;
        const bool same =
            its.size() == others.size() && std::equal(its.begin(), its.end(), others.begin(),
                                                      [](const auto* a, const auto* b) { return alike(*a, *b); });
        if (!same && !its.empty()) shifts[r] = shiftOf(others, its);
        first = std::min(first, shifts[r]);
    }
    for (std::size_t r = 0; r < ranks.size(); ++r)
        for (std::size_t k = 0; k < ranks[r].calls.size(); ++k)
            numbers[r].push_back(static_cast<std::int64_t>(k) + shifts[r] - first);
    return numbers;
}

}  // namespace traces::kineto
