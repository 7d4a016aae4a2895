// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/root_causes.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/wait_states/delay_costs.hpp"
#include "engine/base/median.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;

namespace {

constexpr std::string_view beforeCall = "before ";

/// Of delays that end together, the longest; but one that began before the previous delay ended includes that one, and
/// is taken only if there is no other. `late` rises by `until`.
void setDelays(Cause& cause, std::vector<LateOnce>&& late) {
    cause.late.clear();
    cause.late.reserve(late.size());
    std::vector<Picoseconds> sums{Picoseconds{}};  // of the first delays
    for (auto next = late.begin(); next != late.end();) {
        const Picoseconds before = cause.late.empty() ? Picoseconds{} : cause.late.back().until;
        LateOnce one = *next, longest = one;
        for (; next != late.end() && next->until == one.until; ++next) {
            const bool isApart = next->begin >= before, wasApart = one.begin >= before;
            if (isApart == wasApart ? next->later > one.later : isApart) one = *next;
            if (next->later > longest.later) longest = *next;
        }
        // Somebody waited for several delays together: what the earlier ones do not explain is of this one.
        const auto first = std::ranges::upper_bound(cause.late, longest.begin, {}, &LateOnce::until);
        longest.later -= sums.back() - sums[static_cast<std::size_t>(first - cause.late.begin())];
        if (longest.later > one.later) one = longest;
        cause.late.push_back(one);
        sums.push_back(sums.back() + one.later);
    }
    cause.delays = 0;
    cause.typical = cause.longest = cause.begin = {};
    cause.trend = {};
    if (cause.late.empty()) return;
    std::vector<Picoseconds> later(cause.late.size());
    std::ranges::transform(cause.late, later.begin(), &LateOnce::later);
    const auto longest = std::ranges::max_element(cause.late, {}, &LateOnce::later);
    cause.longest = longest->later;
    cause.begin = longest->begin;
    cause.trend = trendOf(later);
    // Delays far shorter than the longest one caused next to none of the waiting. They hide a trend of those that come
    // in every n-th call.
    if (cause.trend.trend == Trend::none) {
        std::erase_if(later, [&](Picoseconds time) { return shortestOfTrend * time < cause.longest; });
        cause.trend = trendOf(later);
    }
    cause.delays = static_cast<std::int64_t>(later.size());
    cause.typical = engine::median(std::move(later));
}

std::vector<Cause> sorted(DelayCosts&& rows) {
    std::vector<Cause> causes;
    for (auto& [key, row] : rows) {
        Cause cause;
        std::tie(cause.kind, cause.rank, cause.thread, cause.path, cause.before) = key;
        cause.time = Picoseconds{static_cast<std::int64_t>(row.time + 0.5)};
        cause.isInferred = row.isInferred;
        std::ranges::stable_sort(row.late, {}, &LateOnce::until);
        setDelays(cause, std::move(row.late));
        if (cause.time.count() > 0) causes.push_back(std::move(cause));
    }
    std::stable_sort(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) { return a.time > b.time; });
    return causes;
}

/// A longer span may contain the delays of shorter ones: only what exceeds these counts, in the times between them.
std::vector<Lateness> withoutOverlaps(std::vector<DelayOfCause> all, const engine::Progress& progress) {
    // Of delays in one stretch the longest counts.
    std::ranges::stable_sort(all, {}, [](const DelayOfCause& one) {
        return std::pair{one.span.end - one.span.begin, -one.later};
    });
    /// By its start: a span whose delay is counted already.
    struct Dealt {
        Picoseconds end{}, later{}, computed{};
        double share = 0;
    };
    std::map<Picoseconds, Dealt> dealt;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % 1024 == 0) progress.at(0);
        const DelayOfCause& one = all[i];
        Picoseconds later = one.later, computed = one.computed, now = one.span.begin;
        std::vector<traces::TimeSpan> between;
        auto at = dealt.lower_bound(now);
        if (at != dealt.begin() && std::prev(at)->second.end > now) --at;
        for (; at != dealt.end() && at->first < one.span.end; ++at) {
            if (at->first > now) between.push_back({now, at->first});
            // What reaches beyond the span belongs to it in part.
            const auto& [begin, its] = *at;
            const double part =
                ratio(std::min(its.end, one.span.end) - std::max(begin, one.span.begin), its.end - begin);
            later -= Picoseconds{std::llround(part * static_cast<double>(its.later.count()))};
            computed -= Picoseconds{std::llround(part * static_cast<double>(its.computed.count()))};
            now = std::max(now, its.end);
        }
        if (now < one.span.end) between.push_back({now, one.span.end});
        if (between.empty() || later <= Picoseconds{}) continue;
        // What lies before the first event of the rank is all of it.
        const double share = computed > Picoseconds{} ? std::min(1.0, ratio(later, computed)) : 1;
        Picoseconds length{};
        for (const traces::TimeSpan& span : between) length += span.end - span.begin;
        for (const traces::TimeSpan& span : between) {
            const double part = ratio(span.end - span.begin, length);
            const auto partOf = [&](Picoseconds time) {
                return Picoseconds{std::llround(part * static_cast<double>(std::max<std::int64_t>(0, time.count())))};
            };
            dealt.emplace(span.begin, Dealt{span.end, partOf(later), partOf(computed), share});
        }
    }
    std::vector<Lateness> lateness;
    for (const auto& [begin, its] : dealt) lateness.push_back({.span = {begin, its.end}, .share = its.share});
    return lateness;
}

/// The delays that causes have any of, each once.
std::vector<std::uint32_t> numbersOf(const std::vector<std::vector<DelayOfCause>>& ofCauses) {
    std::set<std::uint32_t> numbers;
    for (const auto& delays : ofCauses)
        for (const DelayOfCause& one : delays) numbers.insert(one.number);
    return {numbers.begin(), numbers.end()};
}

}  // namespace

std::vector<Cause> causesOf(const TracedWaits& waits, const CallPaths& paths, const engine::Progress& progress) {
    return sorted(delayCosts(waits, paths, progress));
}

HiddenCauses hiddenBehind(const Cause& cause, const TracedWaits& waits, const CallPaths& paths,
                          const engine::Progress& progress) {
    const std::vector<std::uint32_t> numbers =
        numbersOf(delaysByCause(std::span{&cause, 1}, waits.delays, waits, paths, progress));
    HiddenCauses behind;
    for (const std::uint32_t number : numbers)
        behind.longestWaits += waits.delays[number].until - waits.delays[number].since;
    const std::vector<Delay> hidden = hiddenDelays(numbers, waits, paths.recording());
    if (!hidden.empty()) behind.causes = sorted(costsOfHidden(hidden, waits, paths, progress));
    return behind;
}

void Cause::add(const Cause& other) {
    time += other.time;
    isInferred = isInferred || other.isInferred;
    std::vector<LateOnce> both;
    both.reserve(late.size() + other.late.size());
    std::ranges::merge(late, other.late, std::back_inserter(both), {}, &LateOnce::until, &LateOnce::until);
    setDelays(*this, std::move(both));
}

Picoseconds DelaysOfRank::within(Rank who, PathId where, Picoseconds from, Picoseconds to) const {
    Picoseconds late{};
    if (who != rank || where != path) return late;
    auto one = std::ranges::upper_bound(lateness, from, {}, [](const Lateness& its) { return its.span.end; });
    for (; one != lateness.end() && one->span.begin < to; ++one) {
        const Picoseconds both = std::min(to, one->span.end) - std::max(from, one->span.begin);
        if (both > Picoseconds{}) late += Picoseconds{std::llround(one->share * static_cast<double>(both.count()))};
    }
    return late;
}

std::vector<DelaysOfRank> delaysOf(std::span<const Cause> causes, const TracedWaits& waits, const CallPaths& paths,
                                   const engine::Progress& progress) {
    std::vector<std::vector<DelayOfCause>> each = delaysByCause(causes, waits.delays, waits, paths, progress);
    const bool areOfOneRank =
        std::ranges::all_of(causes, [&](const Cause& one) { return one.rank == causes.front().rank; });
    if (!areOfOneRank) {
        // Without the delays of one rank, the others would wait for those of another.
        const std::vector<Delay> hidden = hiddenDelays(numbersOf(each), waits, paths.recording());
        std::vector<std::vector<DelayOfCause>> behind = delaysByCause(causes, hidden, waits, paths, progress);
        for (std::size_t i = 0; i < each.size(); ++i) each[i].insert(each[i].end(), behind[i].begin(), behind[i].end());
    }
    std::vector<DelaysOfRank> delays;
    for (std::size_t i = 0; i < each.size(); ++i)
        delays.push_back({causes[i].rank, causes[i].path, withoutOverlaps(std::move(each[i]), progress)});
    return delays;
}

std::vector<Cause> causesAboveUncertainty(std::vector<Cause> causes, Picoseconds uncertainty) {
    if (uncertainty.count() > 0)
        std::erase_if(causes, [&](const Cause& cause) { return cause.longest <= uncertainty; });
    return causes;
}

bool isSamePlace(const Cause& a, const Cause& b) {
    return a.rank == b.rank && a.thread == b.thread && a.path == b.path && a.before == b.before;
}

std::vector<RootCause> rootCauses(const std::vector<Cause>& causes) {
    std::vector<RootCause> all;
    std::map<std::tuple<Rank, ThreadNumber, PathId, PathId>, std::size_t> at;
    for (const Cause& cause : causes) {
        const auto [its, isFirst] =
            at.emplace(std::tuple{cause.rank, cause.thread, cause.path, cause.before}, all.size());
        if (isFirst) all.push_back({.cause = cause});
        else all[its->second].cause.add(cause);
        all[its->second].kinds.push_back(cause.kind);
    }
    std::ranges::stable_sort(all, std::greater{}, [](const RootCause& one) { return one.cause.time; });
    return all;
}

std::string nameOf(const Cause& cause, const CallPaths& paths) {
    return cause.path == outsideOfCalls && cause.before != outsideOfCalls
               ? engine::text(beforeCall, paths.name(cause.before))
               : paths.name(cause.path);
}

std::optional<std::string_view> precedingCall(std::string_view nameOfCause) {
    if (!nameOfCause.starts_with(beforeCall)) return std::nullopt;
    return nameOfCause.substr(beforeCall.size());
}

}  // namespace app::analysis
