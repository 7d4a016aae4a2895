// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/attributable_causes.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/findings/finding.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/fault_findings.hpp"
#include "engine/base/median.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;

namespace {

/// Takes out the delays of some causes, and gives the waiting time that they caused.
template <class IsTaken>
Picoseconds takeOut(std::vector<RootCause>& causes, std::vector<DelayRow>& delays, IsTaken isTaken) {
    Picoseconds sum{};
    std::map<engine::Rank, Picoseconds> ofRank;
    std::erase_if(causes, [&](const RootCause& one) {
        if (!isTaken(one.cause)) return false;
        ofRank[one.cause.rank] += one.cause.time;
        sum += one.cause.time;
        return true;
    });
    for (DelayRow& row : delays) {
        const Picoseconds all = row.all();
        const Picoseconds rest = std::max(Picoseconds{}, all - ofRank[row.origin]);
        row.direct = Picoseconds{std::llround(static_cast<double>(row.direct.count()) * ratio(rest, all))};
        row.passedOn = rest - row.direct;
    }
    std::erase_if(delays, [](const DelayRow& row) { return row.all() <= Picoseconds{}; });
    std::ranges::stable_sort(delays, std::greater{}, &DelayRow::all);
    return sum;
}

/// Those that arose in calls of MPI: a rank that shares its processor spends time there without one.
Picoseconds withoutCalls(std::vector<RootCause>& causes, std::vector<DelayRow>& delays, const CallPaths& paths) {
    return takeOut(causes, delays, [&](const Cause& cause) {
        const std::int32_t region = cause.path == outsideOfCalls ? traces::noIndex : paths[cause.path].region;
        return region != traces::noIndex && isMpiCall(paths.recording().regions[engine::asSize(region)]);
    });
}

/// Those of ranks that polled for at least half of that time before the call that they were late for: what looks like
/// computation is waiting for what had not come. `polled` receives these ranks.
Picoseconds withoutPolls(TraceAnalysis& analysis, std::vector<RootCause>& causes, std::vector<DelayRow>& delays,
                         std::set<engine::Rank>& polled) {
    const std::vector<Polled> polls = pollsOf(analysis.trace());
    if (polls.empty()) return {};
    const CallPaths& paths = *analysis.callPaths();
    const bool areRecorded = arePollsRecorded(paths.recording());
    return takeOut(causes, delays, [&](const Cause& cause) {
        const auto nameOf = [&](PathId path) -> std::string_view {
            const std::int32_t region = path == outsideOfCalls ? traces::noIndex : paths[path].region;
            return region == traces::noIndex ? std::string_view{}
                                             : paths.recording().regions[engine::asSize(region)].name;
        };
        if (nameOf(cause.path).ends_with(traces::own::foundNothing)) {
            polled.insert(cause.rank);
            return true;
        }
        // Where such calls were recorded, the time outside of them is computation.
        if (cause.path != outsideOfCalls || nameOf(cause.before).empty() || areRecorded) return false;
        Picoseconds late{}, its{};
        for (const LateOnce& one : cause.late) late += one.later;
        bool isPolled = false;
        for (const Polled& one : polls) {
            if (one.rank != cause.rank) continue;
            its += one.time;
            isPolled = isPolled || one.call == nameOf(cause.before);
        }
        if (!isPolled || 2 * its < late) return false;
        polled.insert(cause.rank);
        return true;
    });
}

/// Which of `tried`, whose gains are known, belong together; `gainOf(causes)` is the gain without several.
template <class GainOf>
std::vector<bool> togetherOnly(const std::vector<RootCause>& tried, Picoseconds least, GainOf gainOf) {
    const auto known = [&](std::size_t without) {
        std::vector<Cause> some;
        for (std::size_t i = 0; i < tried.size(); ++i)
            if (i != without && tried[i].gain) some.push_back(tried[i].cause);
        return some;
    };
    std::vector<bool> together(tried.size());
    const std::vector<Cause> all = known(tried.size());
    if (all.size() < 2) return together;
    const Picoseconds ofAll = gainOf(all);
    Picoseconds sum{};
    for (const RootCause& one : tried) sum += one.gain.value_or(Picoseconds{});
    if (ofAll < sum + least) return together;
    for (std::size_t i = 0; i < tried.size(); ++i)
        if (tried[i].gain) together[i] = ofAll - gainOf(known(i)) >= *tried[i].gain + least;
    return together;
}

/// Takes out the delays that say little about their ranks: of ranks that polled and, where ranks share processors,
/// within calls of MPI.
LeftOut leaveOut(TraceAnalysis& analysis, std::vector<RootCause>& causes, std::vector<DelayRow>& delays) {
    LeftOut out;
    if (causes.empty()) return out;
    out.inPolls = withoutPolls(analysis, causes, delays, out.polled);
    out.areCallsLeftOut = !causes.empty() && analysis.trace().sharesProcessors();
    if (out.areCallsLeftOut) out.inCalls = withoutCalls(causes, delays, *analysis.callPaths());
    return out;
}

/// `ranks`: how many are analysed.
bool noneStandsOut(const std::vector<RootCause>& causes, const std::vector<DelayRow>& delays, Picoseconds total,
                   std::int64_t ranks) {
    if (causes.empty() || delays.size() < fewestAlike || 2 * delays.front().all() >= total) return false;
    Picoseconds ofFirst{};
    for (const DelayRow& row : std::span{delays}.first(fewestAlike)) ofFirst += row.all();
    const bool areAlike = 2 * delays[fewestAlike - 1].all() >= delays.front().all() && 2 * ofFirst < total;
    if (!areAlike && 2 * ranks * delays.front().all() > 3 * total) return false;
    const Cause& front = causes.front().cause;
    return front.trend.trend == Trend::none && (10 * front.time < total || areAtOnePlace(causes, delays));
}

std::optional<DelaysInTurn> delaysInTurn(const std::vector<RootCause>& causes) {
    const Cause& front = causes.front().cause;
    std::map<Picoseconds, std::pair<engine::Rank, Picoseconds>> delays;  // by their ends
    Picoseconds longest{};
    for (const RootCause& one : causes) {
        if (!areAtOnePath(one.cause, front)) continue;
        for (const LateOnce& delay : one.cause.late) {
            delays[delay.until] = {one.cause.rank, delay.later};
            longest = std::max(longest, delay.later);
        }
    }
    std::vector<engine::Rank> late;
    std::vector<Picoseconds> times;
    for (const auto& [until, delay] : delays) {
        if (3 * delay.second < longest) continue;  // noise
        late.push_back(delay.first);
        times.push_back(delay.second);
    }
    std::vector<engine::Rank> ranks = ranksInTurn(late);
    const bool inBlocks = ranks.empty();
    if (inBlocks) ranks = ranksInBlocks(late);
    if (ranks.empty()) return std::nullopt;
    return DelaysInTurn{std::move(ranks), inBlocks, std::ssize(late), engine::median(std::move(times))};
}

}  // namespace

std::vector<Cause> attributableCauses(TraceAnalysis& analysis) {
    std::vector<Cause> causes = causesAboveUncertainty(analysis.causes(), analysis.trace().uncertainty());
    std::vector<RootCause> left = rootCauses(causes);
    std::vector<DelayRow> delays;
    (void)leaveOut(analysis, left, delays);
    std::erase_if(causes, [&](const Cause& cause) {
        return std::ranges::none_of(left, [&](const RootCause& one) { return isSamePlace(one.cause, cause); });
    });
    return causes;
}

Attribution attributionOf(TraceAnalysis& analysis, std::vector<RootCause> causes, const WaitTotals& waits,
                          double waitedShare) {
    Attribution its{.causes = std::move(causes), .delays = waits.delays};
    its.leftOut = leaveOut(analysis, its.causes, its.delays);
    const Picoseconds out = its.leftOut.inCalls + its.leftOut.inPolls;
    if (out > Picoseconds{} &&
        (its.delays.empty() || !isWorthNaming(ratio(its.delays.front().all(), waits.all()), waitedShare))) {
        its.to = AttributedTo::unknownRank;
        return its;
    }
    const Part& part = analysis.wish().part;
    const std::int64_t ranks = part.ranks.empty() ? analysis.trace().report.run->ranks : std::ssize(part.ranks);
    if (noneStandsOut(its.causes, its.delays, waits.all() - out, ranks)) {
        its.to = AttributedTo::noRank;
        its.inTurn = delaysInTurn(its.causes);
    }
    return its;
}

bool isWorthNaming(double share, double waitedShare) { return share >= 0.05 && share * waitedShare >= significant; }

bool areAtOnePath(const Cause& a, const Cause& b) { return a.path == b.path && a.before == b.before; }

bool areAtOnePlace(const std::vector<RootCause>& causes, const std::vector<DelayRow>& delays) {
    const Cause& front = causes.front().cause;
    return std::ranges::all_of(std::span{delays}.first(fewestAlike), [&](const DelayRow& row) {
        return std::ranges::any_of(causes, [&](const RootCause& one) {
            return one.cause.rank == row.origin && areAtOnePath(one.cause, front) && 3 * one.cause.time >= front.time;
        });
    });
}

std::vector<DelayRow> ranksAlike(const std::vector<DelayRow>& delays, engine::Rank rank) {
    const auto its = std::ranges::find(delays, rank, &DelayRow::origin);
    ENSURE(its != delays.end(), "a rank without delays");
    std::vector<DelayRow> alike{*its};
    for (const DelayRow& row : delays)
        if (row.origin != rank && 10 * row.all() >= 9 * its->all()) alike.push_back(row);
    return alike;
}

namespace {

/// Ranks that were nearly as late: without the cause, others would wait for them at least four fifths as long.
std::vector<engine::Rank> ranksAsLate(const HiddenCauses& behind) {
    std::map<engine::Rank, Picoseconds> times;
    for (const Cause& one : behind.causes) times[one.rank] += one.time;
    std::vector<engine::Rank> ranks;
    for (const auto& [rank, time] : times)
        if (5 * time >= 4 * behind.longestWaits) ranks.push_back(rank);
    return ranks;
}

/// Adds to `tried` the causes that its first one hides. `known`: causes with waiting of their own, which may be hidden
/// by it in other calls.
void addHidden(TraceAnalysis& analysis, const HiddenCauses& behind, const std::vector<RootCause>& known,
               std::vector<RootCause>& tried) {
    constexpr std::size_t most = 8;
    for (const RootCause& hidden : rootCauses(behind.causes)) {
        if (tried.size() >= most || 3 * hidden.cause.time < behind.longestWaits) return;
        const auto isIt = [&](const RootCause& one) { return isSamePlace(one.cause, hidden.cause); };
        if (std::ranges::any_of(tried, isIt)) continue;
        const auto its = std::ranges::find_if(known, isIt);
        tried.push_back(its == known.end() ? hidden : *its);
        if (its == known.end()) tried.back().cause.time = {};  // it caused no waiting
        tried.back().gain = analysis.gainWithout(tried.back().cause);
    }
}

}  // namespace

GainfulCauses gainfulCauses(TraceAnalysis& analysis, std::vector<RootCause> causes, const std::vector<DelayRow>& delays,
                            Picoseconds waited, double waitedShare) {
    const auto first =
        std::ranges::find_if(causes, [&](const RootCause& one) { return one.cause.rank == delays.front().origin; });
    if (first != causes.end()) std::rotate(causes.begin(), first, std::next(first));
    constexpr std::size_t mostTried = 6;
    std::vector<RootCause> tried;
    for (const RootCause& one : causes) {
        const double share = ratio(one.cause.time, waited);
        if (&one != &causes.front() && !isWorthNaming(share, waitedShare)) continue;
        if (tried.size() == mostTried) break;
        tried.push_back(one);
        tried.back().gain = analysis.gainWithout(one.cause);
    }
    GainfulCauses good;
    if (!tried.empty() && tried.front().gain) {
        Picoseconds late{};
        for (const LateOnce& one : tried.front().cause.late) late += one.later;
        if (10 * *tried.front().gain < 9 * late) {
            const HiddenCauses behind = analysis.hiddenBehind(tried.front().cause);
            good.asLate = ranksAsLate(behind);
            addHidden(analysis, behind, causes, tried);
        }
    }
    const traces::TimeSpan span = analysis.analysedSpan();
    const Picoseconds least{std::llround(gainful * static_cast<double>((span.end - span.begin).count()))};
    const auto gainOf = [&](const std::vector<Cause>& some) {
        return some.empty() ? Picoseconds{} : analysis.gainWithout(some).value_or(Picoseconds{});
    };
    const std::vector<bool> together = togetherOnly(tried, least, gainOf);
    JointCauses its;
    for (std::size_t i = 0; i < tried.size(); ++i) {
        const RootCause& one = tried[i];
        if (i == 0 || !one.gain || *one.gain >= least || together[i]) good.all.push_back(one);
        if (together[i]) its.causes.push_back(one.cause);
    }
    if (its.causes.size() > 1) {
        its.gain = gainOf(its.causes);
        good.joint = std::move(its);
    }
    return good;
}

}  // namespace app::analysis
