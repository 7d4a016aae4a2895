// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/wait_findings.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/calls/call_kinds.hpp"
#include "app/analysis/findings/rank_time_breakdown.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/fault_findings.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/wait_states/wait_call_path.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::showTime;
using engine::text;

namespace {

/// Whether causes of so many waits are worth the time of a first page: where the trace tells more of its program than
/// calls of MPI, or waits are few. Beyond that, the waits of some 10^8 calls, the table of causes has them.
bool hasTimeForCauses(TraceAnalysis& analysis, std::size_t waits) {
    constexpr std::size_t mostWaits = 2'000'000, mostOfCalls = 100'000;
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.isCollscopeRun()) return false;
    return waits <= (recordsProgram(trace) ? mostWaits : mostOfCalls) && analysis.callPaths() != nullptr;
}

/// The waiting time that one computation of one thread caused, over all wait states.
struct RootCause {
    Cause cause;                        ///< the costliest; its time is that of all
    std::vector<std::string> kinds;     ///< as sentences call its wait states
    std::vector<std::string> states;    ///< their names
    std::optional<Picoseconds> gain{};  ///< how much earlier the program would end without it; empty: not known
};
/// Its name, without a comma.
std::string inSentence(WaitKind kind) {
    return kind == WaitKind::wrongOrder ? "late sender in the wrong order" : std::string{name(kind)};
}
std::vector<RootCause> rootCausesOf(const std::vector<Cause>& causes) {
    std::vector<RootCause> all;
    for (const Cause& cause : causes) {
        const auto same =
            std::find_if(all.begin(), all.end(), [&](const RootCause& one) { return isSamePlace(one.cause, cause); });
        if (same == all.end()) {
            all.push_back(
                {.cause = cause, .kinds = {inSentence(cause.kind)}, .states = {std::string{name(cause.kind)}}});
            continue;
        }
        same->cause.add(cause);
        same->kinds.push_back(inSentence(cause.kind));
        same->states.emplace_back(name(cause.kind));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const RootCause& a, const RootCause& b) { return a.cause.time > b.cause.time; });
    return all;
}

/// "in main/assemble", "before MPI_Barrier".
std::string whereWords(const Cause& cause, const CallPaths& paths) {
    const bool before = cause.path == outsideOfCalls && cause.before != outsideOfCalls;
    return (before ? "" : "in ") + nameOf(cause, paths);
}

/// The most that a cause made its rank late, but for the longest delay.
Picoseconds exceptLongest(const Cause& cause) {
    Picoseconds first{}, second{};
    for (const LateOnce& one : cause.late) {
        second = std::max(second, std::min(first, one.later));
        first = std::max(first, one.later);
    }
    return second;
}

/// "in main/assemble: late 20 times, typically by 19 ms and at most by 30 ms (at 309 ms)"; "before MPI_Barrier: late
/// once, by 2 ms (at 1 s)".
std::string placeWords(const Cause& cause, const CallPaths& paths) {
    const std::string words = whereWords(cause, paths);
    if (cause.delays == 0) return words;
    if (cause.trend.trend != Trend::none) {
        const bool alternates = cause.trend.trend == Trend::alternates;
        return text(words, ": late ", cause.delays, " times; the delay ", nameOf(cause.trend.trend),
                    alternates ? " between about " : " from about ", showTime(cause.trend.first),
                    alternates ? " and " : " to ", showTime(cause.trend.last), "; the longest is ",
                    showTime(cause.longest), " (at ", showTime(cause.begin, engine::ofPoints), " of the trace)");
    }
    if (cause.delays == 1)
        return text(words, ": late once, by ", showTime(cause.longest), " (at ",
                    showTime(cause.begin, engine::ofPoints), " of the trace)");
    if (showTime(cause.typical) == showTime(cause.longest))
        return text(words, ": late ", cause.delays, " times, by ", showTime(cause.typical), " each (the longest at ",
                    showTime(cause.begin, engine::ofPoints), " of the trace)");
    if (cause.delays == 2)
        return text(words, ": late twice, at most by ", showTime(cause.longest), " (at ",
                    showTime(cause.begin, engine::ofPoints), " of the trace)");
    if (const auto others = exceptLongest(cause); cause.longest > 3 * others)
        return text(words, ": late ", cause.delays, " times: once by ", showTime(cause.longest), " (at ",
                    showTime(cause.begin, engine::ofPoints), " of the trace), otherwise by at most ", showTime(others));
    return text(words, ": late ", cause.delays, " times, typically by ", showTime(cause.typical), " and at most by ",
                showTime(cause.longest), " (at ", showTime(cause.begin, engine::ofPoints), " of the trace)");
}

Threads threadsOf(const Trace& trace) {
    return trace.recording ? Threads{*trace.recording} : Threads{trace.report.run->ranks};
}

/// "rank 3", "rank 3, OMP thread 2,".
std::string whoseWords(TraceAnalysis& analysis, const Cause& cause) {
    if (cause.thread == 0) return text("rank ", cause.rank);
    const traces::Recording& recording = *analysis.trace().recording;
    return text("rank ", cause.rank, ", ", nameOf(recording, Threads{recording}, cause.rank, cause.thread), ",");
}

/// What of a run of ours waiting is a part of, where they are one sum.
std::string idleWords(TraceAnalysis& analysis, Picoseconds waited) {
    const engine::Run& run = *analysis.trace().report.run;
    if (!analysis.trace().isCollscopeRun() || !analysis.wish().asksForAll() ||
        totalRankTimeBreakdown(run).wait != waited)
        return {};
    return text(" In total ranks were idle for ", percent(engine::idleShare(run)),
                " of the total rank time: ", idleInParts(run), ".");
}

/// Waiting below this share of the time of those who waited is not reported as a finding.
constexpr double significant = 0.01;

/// Whether a cause with this share of all waiting stands beside the costliest one.
bool isWorthNaming(double share, double waitedShare) { return share >= 0.05 && share * waitedShare >= significant; }

/// Below this share of the program's time a gain is none.
constexpr double gainful = 0.001;

double shareOfTime(TraceAnalysis& analysis, Picoseconds time) {
    const traces::TimeSpan span = analysis.analysedSpan();
    return static_cast<double>(time.count()) /
           static_cast<double>(std::max<std::int64_t>(1, (span.end - span.begin).count()));
}

/// Causes of which a program is faster without all of them than without each: what one of them no longer delays, the
/// others still do.
struct Joint {
    std::vector<Cause> causes{};
    Picoseconds gain{};  ///< without all of them
};

struct GainfulCauses {
    std::vector<RootCause> all;
    std::optional<Joint> joint{};
};

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

/// The costliest first, those of the rank with the costliest delays before all others; without those whose removal
/// would not let the program end earlier, alone or with others, unless that is so of all.
GainfulCauses gainfulCauses(TraceAnalysis& analysis, std::vector<RootCause> causes, const std::vector<DelayRow>& delays,
                            Picoseconds all, double waitedShare) {
    const auto first =
        std::ranges::find_if(causes, [&](const RootCause& one) { return one.cause.rank == delays.front().origin; });
    if (first != causes.end()) std::rotate(causes.begin(), first, std::next(first));
    constexpr std::size_t mostTried = 6;
    std::vector<RootCause> tried;
    for (RootCause& one : causes) {
        const double share = static_cast<double>(one.cause.time.count()) / static_cast<double>(all.count());
        if (&one != &causes.front() && !isWorthNaming(share, waitedShare)) continue;
        if (tried.size() == mostTried) break;
        one.gain = analysis.gainWithout(one.cause);
        tried.push_back(one);
    }
    const traces::TimeSpan span = analysis.analysedSpan();
    const Picoseconds least{std::llround(gainful * static_cast<double>((span.end - span.begin).count()))};
    const auto gainOf = [&](const std::vector<Cause>& some) {
        return some.empty() ? Picoseconds{} : analysis.gainWithout(some).value_or(Picoseconds{});
    };
    const std::vector<bool> together = togetherOnly(tried, least, gainOf);
    GainfulCauses good;
    Joint its;
    for (std::size_t i = 0; i < tried.size(); ++i) {
        const RootCause& one = tried[i];
        if (!one.gain || *one.gain >= least || together[i]) good.all.push_back(one);
        if (together[i]) its.causes.push_back(one.cause);
    }
    if (its.causes.size() > 1) {
        its.gain = gainOf(its.causes);
        good.joint = std::move(its);
    }
    if (good.all.empty()) good.all = std::move(causes);
    return good;
}

/// "about 10 ms (5%) less: 190 ms instead of 200 ms (estimated by a replay)."
std::string lessWords(TraceAnalysis& analysis, Picoseconds gain) {
    const traces::TimeSpan span = analysis.analysedSpan();
    const std::string now = showTime(span.end - span.begin), then = showTime(span.end - span.begin - gain);
    return text("the program would take about ", showTime(gain), " (", percent(shareOfTime(analysis, gain)), ") less",
                now == then ? "" : text(": ", then, " instead of ", now),
                " (estimated with the recorded transfer times).");
}

/// `unknown`: reasons why gains are not known that the page has.
std::string gainWords(TraceAnalysis& analysis, const RootCause& its, std::set<std::string>& unknown) {
    if (!its.gain) {
        const std::string why = analysis.whyNoGain(std::span{&its.cause, 1});
        if (why.empty() || !unknown.insert(why).second) return {};
        return text(" It is unknown how much less time the program would take without these delays: ", why, ".");
    }
    if (shareOfTime(analysis, *its.gain) < gainful)
        return " Without these delays alone the program would not end earlier.";
    return " Without these delays " + lessWords(analysis, *its.gain);
}

/// `shown`: the causes on the page. Where others are among those that belong together, each is named.
std::string jointWords(TraceAnalysis& analysis, const Joint& joint, const std::vector<Cause>& shown) {
    std::set<engine::Rank> ranks;
    for (const Cause& its : joint.causes) ranks.insert(its.rank);
    const auto isJoint = [&](const Cause& one) {
        return std::ranges::any_of(joint.causes, [&](const Cause& its) { return isSamePlace(its, one); });
    };
    const bool areShown =
        std::ranges::count_if(shown, isJoint) == std::ssize(joint.causes) &&
        std::ranges::all_of(shown, [&](const Cause& one) { return isJoint(one) || !ranks.contains(one.rank); });
    std::vector<std::string> names;
    if (areShown)
        for (const engine::Rank rank : ranks) names.push_back(text(rank));
    else
        for (const Cause& its : joint.causes)
            names.push_back(text(whoseWords(analysis, its), ' ', whereWords(its, *analysis.callPaths())));
    const std::string whose = !areShown           ? text("the delays of ", listed(names), " together")
                              : ranks.size() == 1 ? "all these delays of rank " + names.front()
                                                  : "these delays of ranks " + listed(names) + " together";
    return text(" Without ", whose, ", ", lessWords(analysis, joint.gain));
}

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
        const Picoseconds all = row.direct + row.passedOn;
        const Picoseconds rest = std::max(Picoseconds{}, all - ofRank[row.origin]);
        row.direct = Picoseconds{std::llround(static_cast<double>(row.direct.count()) * shareOf(rest, all))};
        row.passedOn = rest - row.direct;
    }
    std::erase_if(delays, [](const DelayRow& row) { return row.direct + row.passedOn <= Picoseconds{}; });
    std::ranges::stable_sort(delays, std::greater{}, [](const DelayRow& row) { return row.direct + row.passedOn; });
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

struct LeftOut {
    Picoseconds inPolls{};            ///< waiting time that these delays caused
    std::set<engine::Rank> polled{};  ///< their ranks
    bool areCallsLeftOut = false;     ///< ranks share processors
    Picoseconds inCalls{};            ///< likewise, of delays within calls of MPI
};

/// Takes out the delays that say little about their ranks: of ranks that polled and, where ranks share processors,
/// within calls of MPI.
LeftOut leaveOut(TraceAnalysis& analysis, std::vector<RootCause>& causes, std::vector<DelayRow>& delays) {
    LeftOut out;
    if (causes.empty()) return out;
    out.inPolls = withoutPolls(analysis, causes, delays, out.polled);
    out.areCallsLeftOut = !causes.empty() && analysis.trace().propertyOfProgram(traces::own::sharing) != nullptr;
    if (out.areCallsLeftOut) out.inCalls = withoutCalls(causes, delays, *analysis.callPaths());
    return out;
}

/// The late rank, and when others began to wait for its longest delay.
Place placeOf(const Cause& cause) {
    if (cause.delays == 0) return {.rank = cause.rank};
    return {.begin = cause.begin, .rank = cause.rank};
}

/// `all` is the waiting time of all ranks.
std::vector<Fact> factsOf(TraceAnalysis& analysis, const RootCause& root, Picoseconds all) {
    const Cause& its = root.cause;
    const CallPaths& paths = *analysis.callPaths();
    std::vector<Fact> facts{{"origin", engine::cell(its.rank)},
                            {"time_s", its.time},
                            {"part_share", shareOf(its.time, all)},
                            {"wait", engine::cell(engine::joined(root.states, "; "))},
                            {"delays", its.delays},
                            {"inferred", engine::cell(std::string{root.cause.isInferred ? "yes" : "no"})}};
    if (its.before != outsideOfCalls) facts.push_back({"before_call", engine::cell(paths.name(its.before))});
    if (its.delays > 0) {
        facts.push_back({"typical_s", its.typical});
        facts.push_back({"longest_s", its.longest});
    }
    if (its.thread != 0) facts.push_back({"thread", threadCell(analysis, its.rank, its.thread)});
    if (its.trend.trend != Trend::none) {
        facts.push_back({"trend", engine::cell(std::string{nameOf(its.trend.trend)})});
        facts.push_back({"trend_first_s", its.trend.first});
        facts.push_back({"trend_last_s", its.trend.last});
    }
    if (root.gain) facts.push_back({"gain_s", *root.gain});
    return facts;
}

/// Where the late rank had spent the time; empty outside of all calls.
std::string callPathOf(TraceAnalysis& analysis, const Cause& cause) {
    return cause.path == outsideOfCalls ? std::string{} : analysis.callPaths()->name(cause.path);
}

/// The finding on one cause beside the costliest one. `isNamed`: one of its rank stands before it. `ofRank`: all
/// waiting that its rank caused; `why`: of a rank that caused more than the one before it, why it comes later.
Finding causeFinding(TraceAnalysis& analysis, const RootCause& cause, bool isNamed, Picoseconds ofRank,
                     const std::string& why, Picoseconds all, std::set<std::string>& unknown) {
    const Cause& its = cause.cause;
    const CallPaths& paths = *analysis.callPaths();
    const std::string amount = text(percent(shareOf(its.time, all)), " of the waiting time (", showTime(its.time), "; ",
                                    listed(cause.kinds), ")"),
                      whose = whoseWords(analysis, its), where = placeWords(its, paths);
    std::string words;
    if (isNamed)
        words = text("The waiting time caused by ", whose, " includes ", showTime(its.time), " (",
                     percent(shareOf(its.time, all)), " of the waiting time; ", listed(cause.kinds), ") ", where);
    else {
        words = text("Rank", whose.substr(std::string_view{"rank"}.size()), " caused ");
        const bool isNearlyAll = 20 * its.time >= 19 * ofRank;
        words += isNearlyAll ? text(amount, ", ", where)
                             : text(percent(shareOf(ofRank, all)), " of the waiting time", why, ". This includes ",
                                    amount, " ", where);
    }
    Finding finding{.kind = FindingKind::rootCause,
                    .words = text(words, ".", gainWords(analysis, cause, unknown)),
                    .facts = factsOf(analysis, cause, all)};
    finding.place = placeOf(its);
    finding.callPath = callPathOf(analysis, its);
    return finding;
}

bool areAtOnePath(const Cause& a, const Cause& b) { return a.path == b.path && a.before == b.before; }

constexpr std::size_t fewestAlike = 3;

/// Whether each of the ranks with the costliest delays has one at the place of the costliest cause, for a third as much
/// or more.
bool areAtOnePlace(const std::vector<RootCause>& causes, const std::vector<DelayRow>& delays) {
    const Cause& front = causes.front().cause;
    return std::ranges::all_of(std::span{delays}.first(fewestAlike), [&](const DelayRow& row) {
        return std::ranges::any_of(causes, [&](const RootCause& one) {
            return one.cause.rank == row.origin && areAtOnePath(one.cause, front) && 3 * one.cause.time >= front.time;
        });
    });
}

/// As on a busy machine, which delays different ranks in turn. No rank caused half of the waiting. The first rank
/// caused at most 1.5 times its even share, or at most twice as much as the third while the first three caused less
/// than half together. Their delays are at one place, or no cause has a tenth of the waiting. `ranks`: how many are
/// analysed.
bool noneStandsOut(const std::vector<RootCause>& causes, const std::vector<DelayRow>& delays, Picoseconds total,
                   std::int64_t ranks) {
    const auto caused = [](const DelayRow& row) { return row.direct + row.passedOn; };
    if (causes.empty() || delays.size() < fewestAlike || 2 * caused(delays.front()) >= total) return false;
    Picoseconds ofFirst{};
    for (const DelayRow& row : std::span{delays}.first(fewestAlike)) ofFirst += caused(row);
    const bool areAlike = 2 * caused(delays[fewestAlike - 1]) >= caused(delays.front()) && 2 * ofFirst < total;
    if (!areAlike && 2 * ranks * caused(delays.front()) > 3 * total) return false;
    const Cause& front = causes.front().cause;
    return front.trend.trend == Trend::none && (10 * front.time < total || areAtOnePlace(causes, delays));
}

/// ". No rank stands out: ranks 3, 1 and 0 caused 31%, 27% and 22% of the waiting time, mostly in ..."
std::string noneStandsOutWords(const std::vector<RootCause>& causes, const std::vector<DelayRow>& delays,
                               Picoseconds total, const CallPaths& paths) {
    std::vector<std::string> ranks, shares;
    for (const DelayRow& row : std::span{delays}.first(fewestAlike)) {
        ranks.push_back(text(row.origin));
        shares.push_back(percent(shareOf(row.direct + row.passedOn, total)));
    }
    const Cause& front = causes.front().cause;
    Picoseconds there{};
    for (const RootCause& one : causes)
        if (areAtOnePath(one.cause, front)) there += one.cause.time;
    const std::string where = areAtOnePlace(causes, delays)
                                  ? text(2 * there >= total ? ", mostly " : ", partly ", whereWords(front, paths))
                                  : "";
    return text(". No rank stands out: ranks ", listed(ranks), " caused ", listed(shares), " of the waiting time",
                where, ".");
}

/// "MPI_Finalize", "MPI_File_write_at_all and MPI_Finalize": calls in which most of the waiting at synchronising calls
/// lies; where causes are not worked out, what may be among them.
std::string synchronisingWords(TraceAnalysis& analysis, bool hasTime) {
    constexpr std::size_t most = 2;
    if (!hasTime || analysis.callPaths() == nullptr) return "MPI_Finalize and other calls that only synchronize";
    const CallPaths& paths = *analysis.callPaths();
    const Threads threads = threadsOf(analysis.trace());
    PathOfWaits pathOf{paths, threads};
    std::map<std::string, Picoseconds> times;
    Picoseconds all{};
    for (const Wait& wait : analysis.waits()) {
        if (wait.kind != WaitKind::atSynchronisingCall) continue;
        const std::int32_t region = paths[pathOf.in(wait)].region;
        if (region != traces::noIndex) times[paths.recording().regions[engine::asSize(region)].name] += wait.time;
        all += wait.time;
    }
    std::vector<std::pair<Picoseconds, std::string>> calls;
    for (const auto& [name, time] : times)
        if (20 * time >= all) calls.emplace_back(time, name);
    std::ranges::stable_sort(calls, std::greater{}, [](const auto& one) { return one.first; });
    std::vector<std::string> names;
    for (const auto& [time, name] : calls) names.push_back(name);
    if (names.empty() || names.size() > most) {
        names.resize(std::min(names.size(), most - 1));
        names.emplace_back("other calls that synchronize");
    }
    return listed(names);
}

/// The share of the time in MPI that is spent in calls of which neither messages nor collectives were recorded, and
/// their names.
struct Unseen {
    double share = 0;
    std::vector<std::string> calls;
};
Unseen unseenOf(TraceAnalysis& analysis) {
    Unseen unseen;
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.isCollscopeRun()) return unseen;
    std::set<std::string> names;
    for (const traces::NotRecorded& one : trace.recording->absences)
        if ((one.what == traces::Absence::messages || one.what == traces::Absence::collective) &&
            one.region != traces::noIndex)
            names.insert(trace.recording->regions[engine::asSize(one.region)].name);
    if (names.empty()) return unseen;
    Picoseconds all{}, its{};
    for (const CallGroup& kind : callGroups(*trace.recording, analysis.selection())) {
        all += kind.time;
        if (!names.contains(kind.operation)) continue;
        its += kind.time;
        if (std::ranges::find(unseen.calls, kind.operation) == unseen.calls.end())
            unseen.calls.push_back(kind.operation);
    }
    unseen.share = shareOf(its, all);
    return unseen;
}

/// " Waits in MPI_Neighbor_alltoall are not among them ..."; empty where little is missing.
std::string unseenWords(const Unseen& unseen) {
    constexpr double much = 0.02;
    if (unseen.share < much) return {};
    return text(" Waits in ", listed(unseen.calls), " are not among them: their ",
                "messages and collectives were not recorded, and ranks spent ", percent(unseen.share),
                " of their time in MPI there.");
}

}  // namespace

bool recordsProgram(const Trace& trace) {
    if (!trace.recording || trace.isCollscopeRun()) return false;
    const auto& regions = trace.recording->regions;
    return std::any_of(regions.begin(), regions.end(), [](const traces::Region& region) {
        return region.calls > 0 && (region.call == traces::Call::none || !region.place.empty());
    });
}

std::vector<Finding> waitFindings(TraceAnalysis& analysis, bool isChain) {
    const WaitTotals waits = analysis.waitTotals();
    std::vector<DelayRow> delays = waits.delays;
    if (delays.empty()) return {};
    const Picoseconds total = waits.all();
    const Picoseconds forMessages = waits.forMessages();
    const Picoseconds inCollectives = waits.of(WaitGroup::collectives);
    // Beside collectives, less than 1% of the waiting time counts as waiting in these.
    const bool isApart = 100 * waits.atSynchronisingCalls >= total || waits.atSynchronisingCalls == inCollectives;
    const Picoseconds atCalls = isApart ? waits.atSynchronisingCalls : Picoseconds{};
    const Picoseconds atWindows = waits.of(WaitGroup::windows);
    const Picoseconds ofThreads = waits.of(WaitGroup::threads);
    const bool threads = ofThreads.count() != 0;
    const Picoseconds all =
        timeOfWaiters(waits, threadsOf(analysis.trace()), analysis.wish().part, analysis.analysedSpan());
    const double waitedShare = shareOf(total, all);
    Finding first{.kind = FindingKind::waitStates,
                  .facts = {{"waited_s", total},
                            {"waited_share", waitedShare},
                            {"for_messages_s", forMessages},
                            {"in_collectives_s", inCollectives},
                            {"in_synchronising_calls_s", waits.atSynchronisingCalls},
                            {"at_windows_s", atWindows},
                            {"of_threads_s", ofThreads}}};
    const Unseen unseen = unseenOf(analysis);
    std::string notAmong = unseenWords(unseen);
    if (!notAmong.empty()) first.facts.push_back({"unseen_share", unseen.share});
    const bool isUnfinished = analysis.trace().propertyOfProgram(traces::own::standing) != nullptr;
    if (isUnfinished) notAmong += " Waiting in calls that did not end is not counted.";
    // What is known of so little says nothing of who caused it.
    constexpr double mostUnseen = 0.5;
    if (unseen.share > mostUnseen) {
        first.words =
            text("Wait states are known of a part of the MPI calls only: in these ", threads ? "threads" : "ranks",
                 " waited ", percent(waitedShare), " of their time (", showTime(total), " in total).", notAmong);
        return {first};
    }
    if (waitedShare < significant) {
        first.words = text(isUnfinished ? "In the calls that ended, " : "No significant wait states: ",
                           threads ? "threads" : "ranks", " waited ", percent(waitedShare), " of their time (",
                           showTime(total), " in total).", notAmong, idleWords(analysis, total));
        return {first};
    }
    const bool hasTime = hasTimeForCauses(analysis, waits.waits);
    const std::string synchronisingCalls = atCalls.count() == 0 ? std::string{} : synchronisingWords(analysis, hasTime);
    std::vector<std::string> wherein;
    if (forMessages.count() != 0) wherein.push_back(text(showTime(forMessages), " for messages"));
    if (inCollectives != atCalls) wherein.push_back(text(showTime(inCollectives - atCalls), " in collectives"));
    if (atCalls.count() != 0) wherein.push_back(text(showTime(atCalls), " in ", synchronisingCalls));
    if (atWindows.count() != 0) wherein.push_back(text(showTime(atWindows), " at windows"));
    if (threads) wherein.push_back(text(showTime(ofThreads), " of threads for each other"));
    first.words = text(threads                  ? "Threads waited "
                       : forMessages == total   ? "Ranks waited for messages "
                       : wherein.size() > 1     ? "Ranks waited "
                       : atWindows == total     ? "Ranks waited at windows "
                       : atCalls == total       ? "Ranks waited in " + synchronisingCalls + ' '
                       : inCollectives == total ? "Ranks waited in collectives "
                                                : "Ranks waited ",
                       percent(waitedShare), " of their time (", showTime(total), " in total");
    if (threads || wherein.size() > 1) first.words += text(": ", listed(wherein));
    first.words += ")";
    if (isChain) {
        first.facts.push_back({"in_chain", engine::cell(std::string{"yes"})});
        first.words += ". They wait because they compute one after the other (see Serialization).";
        return {first};
    }
    std::vector<RootCause> allCauses;
    if (hasTime) allCauses = rootCausesOf(causesAboveUncertainty(analysis.causes(), analysis.trace().uncertainty()));
    const LeftOut out = leaveOut(analysis, allCauses, delays);
    const Picoseconds inPolls = out.inPolls, inCalls = out.inCalls;
    if (inPolls.count() > 0) {
        first.facts.push_back({"polled_s", inPolls});
        std::vector<std::string> ranks;
        for (const engine::Rank rank : out.polled) ranks.push_back(text(rank));
        if (isWorthNaming(shareOf(inPolls, total), waitedShare))
            first.words +=
                text(". Delays of ", ranks.size() == 1 ? "rank " : "ranks ", listed(ranks), ", which polled, caused ",
                     percent(shareOf(inPolls, total)), " of the waiting time; which rank was late first is unknown");
    }
    const bool areCallsNamed = out.areCallsLeftOut && isWorthNaming(shareOf(inCalls, total), waitedShare);
    if (out.areCallsLeftOut) {
        first.facts.push_back({"in_calls_s", inCalls});
        if (areCallsNamed)
            first.words += text(". ", percent(shareOf(inCalls, total)),
                                " of the waiting time was caused within MPI calls, in which ranks also waited for a "
                                "processor");
    }
    if (inCalls + inPolls > Picoseconds{} &&
        (delays.empty() ||
         !isWorthNaming(shareOf(delays.front().direct + delays.front().passedOn, total), waitedShare))) {
        first.words += "." + notAmong + idleWords(analysis, total);
        return {first};
    }
    const Part& part = analysis.wish().part;
    const std::int64_t ranks =
        part.ranks.empty() ? analysis.trace().report.run->ranks : static_cast<std::int64_t>(part.ranks.size());
    if (noneStandsOut(allCauses, delays, total - inCalls - inPolls, ranks)) {
        first.facts.push_back({"stands_out", engine::cell(std::string{"no"})});
        first.words +=
            noneStandsOutWords(allCauses, delays, total, *analysis.callPaths()) + notAmong + idleWords(analysis, total);
        if (allCauses.front().cause.isInferred)
            first.words += text(" Which rank the others waited for is partly ", inferredWords, ".");
        return {first};
    }
    const GainfulCauses gains = gainfulCauses(analysis, std::move(allCauses), delays, total, waitedShare);
    const std::vector<RootCause>& causes = gains.all;
    std::set<std::string> unknown;
    // Where nothing is known of causes, the rank is: its delays cost most.
    const auto isOf = [](engine::Rank rank) { return [rank](const DelayRow& row) { return row.origin == rank; }; };
    const auto chosen = causes.empty() ? delays.end() : std::ranges::find_if(delays, isOf(causes.front().cause.rank));
    const bool causeIsKnown = chosen != delays.end();
    // A rank's share is that of all its delays, also of those in MPI calls or while it polled, as in table delays.
    const DelayRow& worst =
        *std::ranges::find_if(waits.delays, isOf(causeIsKnown ? chosen->origin : delays.front().origin));
    const Picoseconds caused = worst.direct + worst.passedOn;
    first.place.rank = worst.origin;
    first.facts.insert(first.facts.end(), {{"origin", engine::cell(worst.origin)},
                                           {"caused_s", caused},
                                           {"caused_share", shareOf(caused, total)},
                                           {"direct_s", worst.direct},
                                           {"passed_on_s", worst.passedOn}});
    if (areCallsNamed) first.words += "; the shares of ranks below include it";
    first.words += text(". Rank ", worst.origin, " caused ", percent(shareOf(caused, total)), " of the waiting time");
    if (worst.passedOn.count() > 0)
        first.words += text(" (", showTime(worst.direct), " directly, ", showTime(worst.passedOn),
                            " through ranks that it had delayed)");
    if (causeIsKnown) {
        const Cause& its = causes.front().cause;
        first.words += text(
            2 * its.time >= caused ? ", mostly "
                                   : text(", partly (", percent(shareOf(its.time, total)), " of the waiting time) "),
            its.thread == 0
                ? ""
                : text("its ",
                       nameOf(*analysis.trace().recording, Threads{*analysis.trace().recording}, its.rank, its.thread),
                       " "),
            placeWords(its, *analysis.callPaths()));
        for (Fact& fact : factsOf(analysis, causes.front(), total))
            if (fact.name != "origin") first.facts.push_back(std::move(fact));
        first.place = placeOf(its);
        first.callPath = callPathOf(analysis, its);
    }
    first.words += ".";
    if (causeIsKnown) first.words += gainWords(analysis, causes.front(), unknown);
    first.words += notAmong + idleWords(analysis, total);
    std::vector<Finding> findings{std::move(first)};
    constexpr std::size_t most = 3;
    bool inferred = causeIsKnown && causes.front().cause.isInferred;
    std::vector<Cause> shown;
    if (causeIsKnown) shown.push_back(causes.front().cause);
    /// What of the delays of a rank is not left out above.
    const auto restOf = [&](engine::Rank rank) {
        const auto its = std::ranges::find_if(delays, isOf(rank));
        return its == delays.end() ? Picoseconds{} : its->direct + its->passedOn;
    };
    for (std::size_t i = 1; i < causes.size() && findings.size() < most; ++i) {
        if (!isWorthNaming(shareOf(causes[i].cause.time, total), waitedShare)) continue;
        const auto its = std::ranges::find_if(waits.delays, isOf(causes[i].cause.rank));
        const Picoseconds ofRank = its == waits.delays.end() ? causes[i].cause.time : its->direct + its->passedOn;
        const bool isNamed =
            std::ranges::any_of(findings, [&](const Finding& one) { return one.place.rank == causes[i].cause.rank; });
        std::string why;
        if (ofRank > caused && restOf(causes[i].cause.rank) < restOf(worst.origin))
            why = text(
                " (more than rank ", worst.origin, ", but less outside of ", inCalls.count() > 0 ? "MPI calls" : "",
                inCalls.count() > 0 && inPolls.count() > 0 ? " and " : "", inPolls.count() > 0 ? "polling" : "", ")");
        findings.push_back(causeFinding(analysis, causes[i], isNamed, ofRank, why, total, unknown));
        shown.push_back(causes[i].cause);
        inferred = inferred || causes[i].cause.isInferred;
    }
    if (gains.joint) findings.back().words += jointWords(analysis, *gains.joint, shown);
    if (inferred) findings.back().words += text(" Which rank the others waited for is partly ", inferredWords, ".");
    return findings;
}

std::vector<Cause> attributableCauses(TraceAnalysis& analysis) {
    std::vector<Cause> causes = causesAboveUncertainty(analysis.causes(), analysis.trace().uncertainty());
    std::vector<RootCause> left = rootCausesOf(causes);
    std::vector<DelayRow> delays;
    (void)leaveOut(analysis, left, delays);
    std::erase_if(causes, [&](const Cause& cause) {
        return std::ranges::none_of(left, [&](const RootCause& one) { return isSamePlace(one.cause, cause); });
    });
    return causes;
}

}  // namespace app::analysis
