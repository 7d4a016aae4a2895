// SPDX-License-Identifier: BSD-3-Clause
#include "traces/kineto/collective_matching.hpp"

#include "engine/base/median.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <tuple>

namespace traces::kineto {

namespace {

/// In an all_to_all each rank may have sizes of its own, but all have one element type.
bool alike(const CollectiveCall& a, const CollectiveCall& b) {
    using enum Operation;
    if (a.operation != b.operation) return false;
    if (!a.ran.elementType.empty() && !b.ran.elementType.empty() && a.ran.elementType != b.ran.elementType)
        return false;
    if (a.operation == alltoall || a.operation == alltoallv || a.operation == unknown) return true;
    return a.sent == b.sent && a.received == b.received;
}

/// How far apart half of the differences, which rise, are: 0 for calls that end together on clocks that differ.
std::int64_t spreadOf(const std::vector<std::int64_t>& differences) {
    if (differences.size() < 2) return 0;
    return differences[differences.size() * 3 / 4] - differences[differences.size() / 4];
}

/// A number of calls by which those of one rank may lie behind those of another.
struct Shift {
    std::int64_t by = 0;
    double agree = 0;  ///< share of the pairs
    std::int64_t spread = 0;
    std::int64_t apart = 0;
};

using Calls = std::vector<const CollectiveCall*>;

/// Calls `use(call, other)` for the first `most` pairs; returns how many there are.
template <class Use>
std::int64_t eachPair(const Calls& reference, const Calls& of, std::int64_t shift, std::int64_t most, Use use) {
    const std::int64_t first = std::max<std::int64_t>(0, -shift);
    const std::int64_t end =
        std::min(static_cast<std::int64_t>(of.size()), static_cast<std::int64_t>(reference.size()) - shift);
    for (std::int64_t k = first; k < std::min(end, first + most); ++k)
        use(*of[engine::asSize(k)], *reference[engine::asSize(k + shift)]);
    return std::max<std::int64_t>(0, end - first);
}

/// By the first calls, without sorting: `spread` is how much the distance of ends changes from call to call.
Shift roughly(const Calls& reference, const Calls& of, std::int64_t shift, std::int64_t most) {
    std::int64_t agree = 0, before = 0;
    double changes = 0, apart = 0;
    const std::int64_t both = eachPair(reference, of, shift, most, [&](const auto& its, const auto& other) {
        if (!alike(its, other)) return;
        const std::int64_t distance = its.end - other.end;
        if (agree++ > 0) changes += static_cast<double>(std::abs(distance - before));
        apart += static_cast<double>(std::abs(distance));
        before = distance;
    });
    const auto pairs = static_cast<double>(std::max<std::int64_t>(1, std::min(both, most)));
    return {shift, static_cast<double>(agree) / pairs, static_cast<std::int64_t>(changes / pairs),
            static_cast<std::int64_t>(apart / pairs)};
}

Shift exactly(const Calls& reference, const Calls& of, std::int64_t shift) {
    std::vector<std::int64_t> apart;
    const std::int64_t both =
        eachPair(reference, of, shift, static_cast<std::int64_t>(of.size()), [&](const auto& its, const auto& other) {
            if (alike(its, other)) apart.push_back(its.end - other.end);
        });
    std::sort(apart.begin(), apart.end());
    return {shift, static_cast<double>(apart.size()) / static_cast<double>(both), spreadOf(apart),
            apart.empty() ? 0 : std::abs(engine::median(apart))};
}

/// How many calls `of` begins after `reference` does; negative where it begins before.
std::int64_t shiftOf(const Calls& reference, const Calls& of, const engine::Progress& progress) {
    constexpr std::int64_t most = 64, compared = 512, little = 50'000;  // ns
    constexpr std::size_t kept = 64;
    const auto size = static_cast<std::int64_t>(of.size());
    const auto more = static_cast<std::int64_t>(reference.size()) - size;
    std::vector<Shift> all;
    for (std::int64_t shift = -most; shift <= more + most; ++shift) {
        if ((shift & 0xff) == 0 && progress.stop.stop_requested()) throw engine::Cancelled{};
        const std::int64_t both = eachPair(reference, of, shift, 0, [](const auto&, const auto&) {});
        if (both == 0 || 2 * both < size) continue;
        all.push_back(roughly(reference, of, shift, compared));
    }
    if (all.size() > kept) {
        const auto order = [](const Shift& one) {
            // Distances that differ by less than twofold differ by chance.
            return std::tuple{-one.agree, std::bit_width(static_cast<std::uint64_t>(one.spread / little)), one.apart};
        };
        std::nth_element(all.begin(), all.begin() + kept, all.end(),
                         [&](const Shift& a, const Shift& b) { return order(a) < order(b); });
        all.resize(kept);
    }
    for (Shift& one : all) {
        if (progress.stop.stop_requested()) throw engine::Cancelled{};
        one = exactly(reference, of, one.by);
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
    std::erase_if(all, [&](const Shift& one) { return one.spread > 2 * spread + little; });
    return std::min_element(all.begin(), all.end(), [](const Shift& a, const Shift& b) { return a.apart < b.apart; })
        ->by;
}

}  // namespace

std::vector<std::vector<std::int64_t>> matched(const std::vector<CallsOfRank>& ranks,
                                               const engine::Progress& progress) {
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
        if (!same && !its.empty()) shifts[r] = shiftOf(others, its, progress);
        first = std::min(first, shifts[r]);
    }
    for (std::size_t r = 0; r < ranks.size(); ++r)
        for (std::size_t k = 0; k < ranks[r].calls.size(); ++k)
            numbers[r].push_back(static_cast<std::int64_t>(k) + shifts[r] - first);
    return numbers;
}

}  // namespace traces::kineto
