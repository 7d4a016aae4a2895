// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/delay_trend.hpp"

#include "engine/base/median.hpp"

#include <algorithm>
#include <numeric>

namespace app::analysis {

using engine::Picoseconds;

std::string_view nameOf(Trend trend) {
    switch (trend) {
        case Trend::none: break;
        case Trend::grows: return "grows";
        case Trend::shrinks: return "shrinks";
        case Trend::alternates: return "alternates";
    }
    return {};
}

TrendOf trendOf(std::span<const Picoseconds> values) {
    constexpr std::size_t fewest = 10;
    const std::size_t count = values.size();
    if (count < fewest) return {};
    const auto medianOf = [&](std::size_t first, std::size_t behind, std::size_t step) {
        std::vector<Picoseconds> some;
        for (std::size_t i = first; i < behind; i += step) some.push_back(values[i]);
        return engine::median(std::move(some));
    };
    const Picoseconds even = medianOf(0, count, 2), odd = medianOf(1, count, 2);
    if (std::max(even, odd) > 2 * std::min(even, odd)) {
        const Picoseconds between = (even + odd) / 2;
        std::size_t onItsSide = 0;
        for (std::size_t i = 0; i < count; ++i)
            onItsSide += (values[i] > between) == ((i % 2 == 0) == (even > odd)) ? 1U : 0U;
        if (20 * onItsSide >= 19 * count) return {Trend::alternates, even, odd};
    }
    // Spearman's rank correlation with the order of the delays.
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
    double squares = 0;
    for (std::size_t rank = 0; rank < count; ++rank) {
        const double apart = static_cast<double>(rank) - static_cast<double>(order[rank]);
        squares += apart * apart;
    }
    const auto n = static_cast<double>(count);
    const double correlation = 1 - 6 * squares / (n * (n * n - 1));
    const std::size_t third = count / 3;
    const Picoseconds early = medianOf(0, third, 1), late = medianOf(count - third, count, 1);
    const bool grows = correlation >= 0.85 && late > early && 2 * late >= 3 * early;
    const bool shrinks = correlation <= -0.85 && early > late && 2 * early >= 3 * late;
    if (!grows && !shrinks) return {};
    // The line through the two medians, at the first and at the last delay.
    const double apart = static_cast<double>(count - third);
    const double beyond = static_cast<double>((late - early).count()) * (static_cast<double>(third) - 1) / 2 / apart;
    const auto at = [](double time) { return Picoseconds{static_cast<std::int64_t>(std::max(0.0, time))}; };
    return {grows ? Trend::grows : Trend::shrinks, at(static_cast<double>(early.count()) - beyond),
            at(static_cast<double>(late.count()) + beyond)};
}

std::optional<Period> periodOf(std::span<const Picoseconds> delays, std::span<const std::size_t> calls,
                               std::int64_t shortest) {
    if (delays.empty()) return std::nullopt;
    const Picoseconds longest = *std::ranges::max_element(delays);
    Period period;
    std::vector<std::size_t> late;
    Picoseconds all{}, its{};
    for (std::size_t i = 0; i < delays.size(); ++i) {
        all += delays[i];
        if (shortest * delays[i] < longest) {
            period.others = std::max(period.others, delays[i]);
            continue;
        }
        its += delays[i];
        period.delays.push_back(delays[i]);
        late.push_back(calls[i]);
    }
    if (late.size() < 4 || 10 * its < 9 * all) return std::nullopt;
    period.every = late[1] - late[0];
    for (std::size_t i = 1; i < late.size(); ++i)
        if (late[i] - late[i - 1] != period.every) return std::nullopt;
    if (period.every < 2 || (period.every == 2 && late.size() < 6)) return std::nullopt;
    return period;
}

std::vector<engine::Rank> ranksInTurn(std::span<const engine::Rank> late) {
    constexpr std::size_t fewest = 6;
    std::vector<engine::Rank> ranks;
    for (const engine::Rank rank : late)
        if (std::ranges::find(ranks, rank) == ranks.end()) ranks.push_back(rank);
    const std::size_t turn = ranks.size();
    if (turn < 2 || late.size() < std::max(fewest, 2 * turn)) return {};
    std::size_t exceptions = 0;
    for (std::size_t i = turn; i < late.size(); ++i) exceptions += late[i] == late[i - turn] ? 0 : 1;
    // The first turn has each of them once.
    const bool isWhole = std::ranges::equal(late.first(turn), ranks);
    return isWhole && 20 * exceptions <= late.size() ? ranks : std::vector<engine::Rank>{};
}

std::vector<engine::Rank> ranksInBlocks(std::span<const engine::Rank> late) {
    constexpr std::ptrdiff_t fewestDelays = 2;
    constexpr std::size_t fewestRanks = 3;
    std::vector<engine::Rank> ranks;
    for (auto block = late.begin(); block != late.end();) {
        const auto end = std::find_if(block, late.end(), [&](engine::Rank rank) { return rank != *block; });
        if (end - block < fewestDelays || std::ranges::find(ranks, *block) != ranks.end()) return {};
        ranks.push_back(*block);
        block = end;
    }
    return ranks.size() < fewestRanks ? std::vector<engine::Rank>{} : ranks;
}

}  // namespace app::analysis
