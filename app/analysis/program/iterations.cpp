// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/program/iterations.hpp"

#include "app/analysis/calls/computation_times.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/program/iterations_by_call.hpp"
#include "app/analysis/program/marked_iterations.hpp"
#include "app/analysis/wait_states/wait_call_path.hpp"
#include "engine/base/median.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::TimeSpan;

namespace {

constexpr std::size_t mostExplained = 16;

using Profile = std::map<PathId, double>;

/// Not above 0: none of it lies there.
Picoseconds timeWithin(const Wait& wait, TimeSpan span) {
    return std::min(wait.end(), span.end) - std::max(wait.begin, span.begin);
}

/// What a rank's own thread spent in `span` without waiting, by path; `waits` are those of the rank.
Profile timeByActivity(const CallPaths& paths, const Threads& threads, std::size_t location, TimeSpan span,
                       const std::vector<const Wait*>& waits) {
    Profile sums;
    paths.eachStretch(location, span.begin, span.end, [&](PathId path, Picoseconds from, Picoseconds to) {
        sums[path] += static_cast<double>((to - from).count());
    });
    PathOfWaits path{paths, threads};
    for (const Wait* wait : waits)
        if (const Picoseconds time = timeWithin(*wait, span); wait->thread == 0 && time > Picoseconds{})
            sums[path.in(*wait)] -= static_cast<double>(time.count());
    return sums;
}

/// Adds to each turn what lies of the waits within it; turns begin one after the other, but may overlap.
void addWaiting(std::vector<Iteration>& turns, const std::vector<TimeSpan>& spans,
                const std::vector<const Wait*>& waits) {
    std::vector<Picoseconds> over;  // when all turns up to this one are
    for (const TimeSpan& span : spans) over.push_back(over.empty() ? span.end : std::max(over.back(), span.end));
    for (const Wait* wait : waits) {
        const auto first = std::upper_bound(over.begin(), over.end(), wait->begin) - over.begin();
        for (auto k = static_cast<std::size_t>(first); k < spans.size() && spans[k].begin < wait->end(); ++k)
            turns[k].waiting += std::max(Picoseconds{}, timeWithin(*wait, spans[k]));
    }
}

void markOdd(Iterations& found) {
    std::vector<Picoseconds> durations;
    for (const Iteration& one : found.all) durations.push_back(one.whole);
    found.median = engine::median(durations);
    for (Picoseconds& one : durations) one = std::chrono::abs(one - found.median);
    const double deviation = 1.4826 * static_cast<double>(engine::median(durations).count());
    const double least = std::max(6 * deviation, 0.2 * static_cast<double>(found.median.count()));
    for (Iteration& one : found.all)
        one.odd = !one.isCut && std::abs(static_cast<double>((one.whole - found.median).count())) > least;
}

/// What of `span` lies within a part of the time; empty, with a begin in or behind it, where nothing does.
TimeSpan within(const Part& part, TimeSpan span) {
    const Picoseconds begin = std::max(span.begin, part.from.value_or(span.begin));
    return {begin, std::max(begin, std::min(span.end, part.to.value_or(span.end)))};
}

}  // namespace

Iterations iterationsOf(const CallPaths& paths, const std::vector<Rank>& ranks, const std::vector<Wait>& waits,
                        const engine::Progress& progress, const Part& part) {
    Iterations found;
    RecordedRanks of = recordedRanksOf(paths.recording(), ranks);
    MarkedIterations told = markedIterations(paths.recording(), of.ranks);
    found.toldBy = told.by;
    SpansOfRanks spans = std::move(told.spans);
    if (spans.empty()) spans = spansByCalls(paths, of, found, progress);
    if (spans.empty()) {
        spans = spansOf(collectiveTurns(paths.recording(), of.ranks), found);
        if (!isPlausible(spans, paths.recording())) return {};
        found.caller = of.ranks.front();
        found.call = PathOfRank{paths, found.caller}.before(spans.front().front().end);
        found.endsWithIt = true;
    }
    std::map<Rank, std::vector<const Wait*>> waitsOf;
    for (const Wait& wait : waits) waitsOf[wait.rank].push_back(&wait);
    found.all.resize(spans.front().size());
    for (std::size_t k = 0; k < told.names.size(); ++k) found.all[k].name = std::move(told.names[k]);
    const bool isSelection = part.from || part.to;
    for (Iteration& one : found.all) one.isOutside = isSelection;
    std::vector<Picoseconds> ofSlowest(found.all.size());  // durations
    for (std::size_t r = 0; r < spans.size(); ++r) {
        const ComputationTimes computation{paths.recording(), {of.ranks[r]}};
        for (std::size_t k = 0; k < found.all.size(); ++k) {
            Iteration& one = found.all[k];
            const Picoseconds whole = spans[r][k].end - spans[r][k].begin;
            spans[r][k] = within(part, spans[r][k]);
            const Picoseconds duration = spans[r][k].end - spans[r][k].begin;
            one.whole = std::max(one.whole, whole);
            one.isCut = one.isCut || duration < whole;
            one.isOutside = one.isOutside && duration <= Picoseconds{};
            one.begin = r == 0 ? spans[r][k].begin : std::min(one.begin, spans[r][k].begin);
            const Picoseconds computed = computation.of(of.ranks[r], spans[r][k].begin, spans[r][k].end);
            if (r == 0 || std::pair{computed, duration} > std::pair{one.computation, ofSlowest[k]})
                one.computation = computed, ofSlowest[k] = duration, one.slowest = of.ranks[r];
            one.duration = std::max(one.duration, duration);
            one.mean += duration;
            one.meanComputation += computed;
        }
        addWaiting(found.all, spans[r], waitsOf[of.ranks[r]]);
    }
    for (Iteration& one : found.all) {
        one.mean /= static_cast<std::int64_t>(spans.size());
        one.meanComputation /= static_cast<std::int64_t>(spans.size());
    }
    markOdd(found);
    // Nothing says when the first iteration began if its end is all that is known.
    if (found.endsWithIt && found.all.front().whole < found.median) found.all.front().odd = false;
    // Phases of different names need not take as long as each other.
    if (!told.by.empty() && !told.alike)
        for (Iteration& one : found.all) one.odd = false;
    std::vector<std::size_t> odd;
    for (std::size_t k = 0; k < found.all.size(); ++k)
        if (found.all[k].odd && found.all[k].duration > found.median) odd.push_back(k);
    std::stable_sort(odd.begin(), odd.end(),
                     [&](std::size_t a, std::size_t b) { return found.all[a].duration > found.all[b].duration; });
    if (odd.size() > mostExplained) odd.resize(mostExplained);
    if (odd.empty()) {
        found.ranks = of.ranks;
        found.spans = std::move(spans);
        return found;
    }
    const Threads threads{paths.recording()};
    for (std::size_t r = 0; r < spans.size(); ++r) {
        progress.at(static_cast<double>(r) / static_cast<double>(spans.size()));
        const auto& its = waitsOf[of.ranks[r]];
        const auto spent = [&](TimeSpan span) { return timeByActivity(paths, threads, of.locations[r], span, its); };
        Profile whole = spent({spans[r].front().begin, spans[r].back().end});
        const auto others = std::ranges::count_if(found.all, std::not_fn(&Iteration::isOutside)) - 1;
        for (const std::size_t k : odd) {
            Iteration& one = found.all[k];
            for (const auto& [path, time] : spent(spans[r][k])) {
                const double usual = (whole[path] - time) / static_cast<double>(std::max<std::ptrdiff_t>(others, 1));
                const Picoseconds longer{static_cast<std::int64_t>(time - usual)};
                if (longer > one.longer) one.longer = longer, one.late = of.ranks[r], one.path = path;
            }
        }
    }
    // What explains little of why one took longer is no explanation.
    for (const std::size_t k : odd)
        if (Iteration& one = found.all[k]; 5 * one.longer < one.duration - found.median)
            one.late = traces::noRank, one.path = outsideOfCalls, one.longer = {};
    found.ranks = of.ranks;
    found.spans = std::move(spans);
    return found;
}

std::string Iterations::durationsInWords() const {
    std::vector<Picoseconds> durations;
    for (const Iteration& one : all) durations.push_back(one.whole);
    return medianInWords(std::move(durations));
}

std::optional<std::size_t> iterationAt(const std::vector<Iteration>& iterations, engine::Picoseconds time) {
    const auto after = std::partition_point(iterations.begin(), iterations.end(),
                                            [&](const Iteration& one) { return one.begin <= time; });
    if (after == iterations.begin()) return std::nullopt;
    const auto its = std::prev(after);
    return time < its->begin + its->duration ? std::optional{static_cast<std::size_t>(its - iterations.begin())}
                                             : std::nullopt;
}

}  // namespace app::analysis
