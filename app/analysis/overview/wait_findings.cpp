// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/wait_findings.hpp"

#include "app/analysis/calls/calls_by_size.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/cause_sentences.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/trace/rank_time_breakdown.hpp"
#include "app/analysis/wait_states/wait_call_path.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
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

Threads threadsOf(const Trace& trace) {
    return trace.recording ? Threads{*trace.recording} : Threads{trace.report.run->ranks};
}

/// What of a run of ours waiting is a part of, where they are one sum.
std::string idleWords(TraceAnalysis& analysis, Picoseconds waited) {
    const engine::Run& run = *analysis.trace().report.run;
    if (!analysis.trace().isCollscopeRun() || !analysis.wish().asksForAll() ||
        totalRankTimeBreakdown(run).noCommunication != waited)
        return {};
    return text(" In total ranks were idle for ", percent(engine::idleShare(run)),
                " of the total rank time: ", idleInParts(run), ".");
}

/// " Ranks 0, 1, 2 and 3 were late in turn, one at a time: 12 times, typically by 40 ms."
std::string inTurnWords(const DelaysInTurn& delays) {
    std::vector<std::string> ranks;
    for (const engine::Rank rank : delays.ranks) ranks.push_back(text(rank));
    return text(" Ranks ", listed(ranks),
                delays.inBlocks ? " were late one after the other, each several times in succession: "
                                : " were late in turn, one at a time: ",
                delays.count, " times, typically by ", showTime(delays.typical), ".");
}

/// ". No rank stands out: ranks 3, 1 and 0 caused 31%, 27% and 22% of the waiting time, mostly in ..."
std::string noneStandsOutWords(const Attribution& its, const std::vector<DelayRow>& all, Picoseconds total,
                               const CallPaths& paths) {
    // A rank that caused nearly as much as the last one of these is no other case.
    constexpr std::size_t most = 8;
    std::size_t named = fewestAlike;
    while (named < std::min(most, its.delays.size()) &&
           10 * its.delays[named].all() >= 9 * its.delays[fewestAlike - 1].all())
        ++named;
    std::vector<DelayRow> first;
    for (const DelayRow& row : std::span{its.delays}.first(named)) {
        // As elsewhere, and in table delays, all delays of a rank count.
        const auto ofRank = std::ranges::find(all, row.origin, &DelayRow::origin);
        first.push_back(ofRank == all.end() ? row : *ofRank);
    }
    const Cause& front = its.causes.front().cause;
    Picoseconds there{};
    for (const RootCause& one : its.causes)
        if (areAtOnePath(one.cause, front)) there += one.cause.time;
    const std::string where = areAtOnePlace(its.causes, its.delays)
                                  ? text(2 * there >= total ? ", mostly " : ", partly ", whereWords(front, paths))
                                  : "";
    return text(". No rank stands out: ", causedWords(first, total), where, ".",
                its.inTurn ? inTurnWords(*its.inTurn) : "");
}

/// "MPI_Finalize", "MPI_File_write_at_all and MPI_Finalize": calls in which most of the waiting at synchronising calls
/// lies; where causes are not worked out, what may be among them.
std::string synchronisingWords(TraceAnalysis& analysis, bool hasTime) {
    constexpr std::size_t most = 2;
    if (!hasTime || analysis.callPaths() == nullptr) return "MPI_Finalize and other calls that only synchronise";
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
        names.emplace_back("other calls that synchronise");
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
    unseen.share = ratio(its, all);
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

/// How long ranks, or threads, waited, by what for.
struct WaitingTime {
    Picoseconds total{};
    Picoseconds forMessages{};
    Picoseconds inCollectives{};
    Picoseconds atCalls{};       ///< of that, at calls that only synchronise, where it counts apart
    bool hasSmallCalls = false;  ///< in such calls there is some waiting that does not count apart
    Picoseconds atWindows{};
    Picoseconds ofThreads{};
    bool ofSeveralThreads = false;
    double share = 0;  ///< of the time of those who could wait

    [[nodiscard]] bool hasThreads() const { return ofThreads.count() != 0 || ofSeveralThreads; }
    [[nodiscard]] const char* who() const { return hasThreads() ? "threads" : "ranks"; }
    [[nodiscard]] double shareBy(Picoseconds time) const { return ratio(time, total); }
    /// Whether something that caused so much of it is worth a sentence.
    [[nodiscard]] bool isWorthNaming(Picoseconds caused) const {
        return analysis::isWorthNaming(shareBy(caused), share);
    }
};
WaitingTime waitingTimeOf(TraceAnalysis& analysis, const WaitTotals& waits) {
    const Picoseconds total = waits.all(), inCollectives = waits.of(WaitGroup::collectives);
    // Beside collectives, less than 1% of the waiting time counts as waiting in these.
    const bool isApart = 100 * waits.atSynchronisingCalls >= total || waits.atSynchronisingCalls == inCollectives;
    const Picoseconds couldWait =
        timeOfWaiters(waits, threadsOf(analysis.trace()), analysis.wish().part, analysis.analysedSpan());
    return {.total = total,
            .forMessages = waits.forMessages(),
            .inCollectives = inCollectives,
            .atCalls = isApart ? waits.atSynchronisingCalls : Picoseconds{},
            .hasSmallCalls = !isApart && waits.atSynchronisingCalls > Picoseconds{},
            .atWindows = waits.of(WaitGroup::windows),
            .ofThreads = waits.of(WaitGroup::threads),
            .ofSeveralThreads = waits.ofSeveralThreads,
            .share = ratio(total, couldWait)};
}

/// "Ranks waited 12% of their time (3 s in total: 2 s for messages and 1 s in collectives)".
std::string waitingWords(TraceAnalysis& analysis, const WaitingTime& time, bool hasTime) {
    const std::string calls = time.atCalls.count() == 0 ? std::string{} : synchronisingWords(analysis, hasTime);
    std::vector<std::string> wherein;
    const auto add = [&](Picoseconds part, const auto&... words) {
        if (part.count() != 0) wherein.push_back(text(showTime(part), ' ', words...));
    };
    add(time.forMessages, "for messages");
    add(time.inCollectives - time.atCalls,
        time.hasSmallCalls ? "in collectives and other synchronising calls" : "in collectives");
    add(time.atCalls, "in ", calls);
    add(time.atWindows, "at windows");
    add(time.ofThreads, "of threads for each other");
    return text(time.hasThreads()                ? "Threads waited "
                : time.forMessages == time.total ? "Ranks waited for messages "
                : wherein.size() > 1             ? "Ranks waited "
                : time.atWindows == time.total   ? "Ranks waited at windows "
                : time.atCalls == time.total     ? "Ranks waited in " + calls + ' '
                : time.inCollectives == time.total && time.hasSmallCalls
                    ? "Ranks waited in collectives and other synchronising calls "
                : time.inCollectives == time.total ? "Ranks waited in collectives "
                                                   : "Ranks waited ",
                percent(time.share), " of their time (", showTime(time.total), " in total",
                time.hasThreads() || wherein.size() > 1 ? text(": ", listed(wherein)) : "", ")");
}

/// On delays that are not attributed to ranks.
void addLeftOut(Finding& finding, const LeftOut& out, const WaitingTime& time) {
    if (out.inPolls.count() > 0) {
        finding.facts.push_back({"polled_s", out.inPolls});
        std::vector<std::string> ranks;
        for (const engine::Rank rank : out.polled) ranks.push_back(text(rank));
        if (time.isWorthNaming(out.inPolls))
            finding.words +=
                text(". Delays of ", ranks.size() == 1 ? "rank " : "ranks ", listed(ranks), ", which polled, caused ",
                     percent(time.shareBy(out.inPolls)), " of the waiting time; which rank was late first is unknown");
    }
    if (!out.areCallsLeftOut) return;
    finding.facts.push_back({"in_calls_s", out.inCalls});
    if (time.isWorthNaming(out.inCalls))
        finding.words += text(". ", percent(time.shareBy(out.inCalls)), " of the waiting time was caused within ",
                              out.inPolls.count() > 0 && time.isWorthNaming(out.inPolls) ? "other " : "",
                              "MPI calls, in which ranks also waited for a processor: no cause "
                              "is named for this part");
}

constexpr std::string_view includedWords = ", but the shares of ranks include it";
constexpr std::string_view inferredSentence = " Which rank the others waited for is partly ";

/// The findings on ranks that caused waiting.
class CauseFindings {
public:
    /// `waits`: with the delays in `out`; `delays`: without them.
    CauseFindings(TraceAnalysis& analysis, const WaitingTime& time, const WaitTotals& waits, const LeftOut& out,
                  const std::vector<DelayRow>& delays)
        : analysis_{analysis}, time_{time}, waits_{waits}, out_{out}, delays_{delays} {}

    /// Completes `first` by the rank whose delays cost most, and adds up to two other causes. `ending`: what else there
    /// is to say of all waiting.
    std::vector<Finding> with(Finding first, std::vector<RootCause> allCauses, const std::string& ending) {
        const GainfulCauses gains = gainfulCauses(analysis_, std::move(allCauses), delays_, time_.total, time_.share);
        const std::vector<RootCause>& causes = gains.all;
        // Where nothing is known of causes, the rank is: its delays cost most.
        const DelayRow* const chosen = causes.empty() ? nullptr : rowOf(delays_, causes.front().cause.rank);
        // A rank's share is that of all its delays, also of those in MPI calls or while it polled, as in table delays.
        worst_ = rowOf(waits_.delays, (chosen != nullptr ? *chosen : delays_.front()).origin);
        addWorstRank(first, chosen != nullptr);
        if (chosen != nullptr) addWorstCause(first, causes.front());
        first.words += ".";
        if (chosen != nullptr) first.words += waitStateWords(causes.front());
        if (!gains.asLate.empty()) {
            first.words += asLateWords(analysis_, gains.asLate, causes.front().cause.rank);
            std::vector<std::string> ranks;
            for (const engine::Rank rank : gains.asLate) ranks.push_back(engine::text(rank));
            first.facts.push_back({"as_late", engine::cell(engine::joined(ranks, "; "))});
        }
        if (chosen != nullptr) first.words += gainWords(analysis_, causes.front(), unknown_);
        first.words += ending;
        std::vector<Finding> findings{std::move(first)};
        std::vector<Cause> shown;
        if (chosen != nullptr) shown.push_back(causes.front().cause);
        addOthers(findings, shown, causes);
        if (gains.joint) findings.back().words += jointWords(analysis_, *gains.joint, shown);
        if (std::ranges::any_of(shown, &Cause::isInferred))
            findings.back().words += text(inferredSentence, inferredWords, ".");
        return findings;
    }

private:
    static const DelayRow* rowOf(const std::vector<DelayRow>& delays, engine::Rank rank) {
        const auto its = std::ranges::find(delays, rank, &DelayRow::origin);
        return its == delays.end() ? nullptr : &*its;
    }

    void addWorstRank(Finding& first, bool isCauseKnown) const {
        const Picoseconds caused = worst_->all();
        first.place.rank = worst_->origin;
        first.facts.insert(first.facts.end(), {{"origin", engine::cell(worst_->origin)},
                                               {"caused_s", caused},
                                               {"caused_share", time_.shareBy(caused)},
                                               {"direct_s", worst_->direct},
                                               {"passed_on_s", worst_->passedOn}});
        if (out_.areCallsLeftOut && time_.isWorthNaming(out_.inCalls)) first.words += includedWords;
        const std::vector<DelayRow> alike = ranksAlike(waits_.delays, worst_->origin);
        first.words += ". " + engine::capitalised(causedWords(alike, time_.total));
        if (alike.size() > 1 && !isCauseKnown) return;
        if (alike.size() > 1) first.words += text(". Rank ", worst_->origin, " caused ", showTime(caused));
        if (worst_->passedOn.count() > 0)
            first.words += text(" (", showTime(worst_->direct), " directly, ", showTime(worst_->passedOn),
                                " through ranks that it had delayed)");
    }

    void addWorstCause(Finding& first, const RootCause& root) const {
        const Cause& its = root.cause;
        first.words += 2 * its.time >= worst_->all()
                           ? ", mostly "
                           : text(", partly (", percent(time_.shareBy(its.time)), " of the waiting time) ");
        if (its.thread != 0) {
            const traces::Recording& recording = *analysis_.trace().recording;
            first.words += text("its ", nameOf(recording, Threads{recording}, its.rank, its.thread), " ");
        }
        first.words += placeWords(its, *analysis_.callPaths());
        addCause(first, analysis_, root, time_.total);
    }

    void addOthers(std::vector<Finding>& findings, std::vector<Cause>& shown, const std::vector<RootCause>& causes) {
        constexpr std::size_t most = 3;
        for (std::size_t i = 1; i < causes.size() && findings.size() < most; ++i) {
            const Cause& its = causes[i].cause;
            if (!time_.isWorthNaming(its.time)) continue;
            const DelayRow* const row = rowOf(waits_.delays, its.rank);
            RankBeside rank{.isNamed = std::ranges::any_of(
                                findings, [&](const Finding& one) { return one.place.rank == its.rank; }),
                            .caused = row == nullptr ? its.time : row->all()};
            if (rank.caused > worst_->all() && restOf(its.rank) < restOf(worst_->origin)) rank.why = whyLater();
            findings.push_back(causeFinding(analysis_, causes[i], rank, time_.total, unknown_));
            shown.push_back(its);
        }
    }
    /// What of the delays of a rank is not left out.
    [[nodiscard]] Picoseconds restOf(engine::Rank rank) const {
        const DelayRow* const row = rowOf(delays_, rank);
        return row == nullptr ? Picoseconds{} : row->all();
    }
    [[nodiscard]] std::string whyLater() const {
        const bool inCalls = out_.inCalls.count() > 0, inPolls = out_.inPolls.count() > 0;
        return text(" (more than rank ", worst_->origin, ", but less outside of ", inCalls ? "MPI calls" : "",
                    inCalls && inPolls ? " and " : "", inPolls ? "polling" : "", ")");
    }

    TraceAnalysis& analysis_;
    const WaitingTime& time_;
    const WaitTotals& waits_;
    const LeftOut& out_;
    const std::vector<DelayRow>& delays_;
    const DelayRow* worst_ = nullptr;  ///< of the rank that caused most
    std::set<std::string> unknown_;    ///< reasons on the page why gains are not known
};

}  // namespace

bool recordsProgram(const Trace& trace) {
    if (!trace.recording || trace.isCollscopeRun()) return false;
    const auto& regions = trace.recording->regions;
    return std::any_of(regions.begin(), regions.end(), [](const traces::Region& region) {
        return region.calls > 0 && (region.call == traces::Call::none || !region.place.empty());
    });
}

void prepareWaitFindings(TraceAnalysis& analysis) {
    // Else waits are summed already.
    if (!recordsProgram(analysis.trace())) return;
    const WaitTotals waits = analysis.waitTotals();
    if (waits.delays.empty()) return;
    if (waitingTimeOf(analysis, waits).share >= significant && hasTimeForCauses(analysis, waits.waits))
        (void)analysis.causes();
}

std::vector<Finding> waitFindings(TraceAnalysis& analysis, bool isChain) {
    const WaitTotals waits = analysis.waitTotals();
    if (waits.delays.empty()) return {};
    const WaitingTime time = waitingTimeOf(analysis, waits);
    Finding first{.kind = FindingKind::waitStates,
                  .facts = {{"waited_s", time.total},
                            {"waited_share", time.share},
                            {"for_messages_s", time.forMessages},
                            {"in_collectives_s", time.inCollectives - waits.atSynchronisingCalls},
                            {"in_synchronising_calls_s", waits.atSynchronisingCalls},
                            {"at_windows_s", time.atWindows},
                            {"of_threads_s", time.ofThreads}}};
    const Unseen unseen = unseenOf(analysis);
    std::string notAmong = unseenWords(unseen);
    if (!notAmong.empty()) first.facts.push_back({"unseen_share", unseen.share});
    const bool isUnfinished = analysis.trace().propertyOfProgram(traces::own::standing) != nullptr;
    if (isUnfinished) notAmong += " Waiting in calls that did not end is not counted.";
    // What is known of so little says nothing of who caused it.
    constexpr double mostUnseen = 0.5;
    const std::string waited =
        text(time.who(), " waited ", percent(time.share), " of their time (", showTime(time.total), " in total).");
    if (unseen.share > mostUnseen) {
        first.words = text("Wait states are known of a part of the MPI calls only: in these ", waited, notAmong);
        return {first};
    }
    std::string ending = notAmong + idleWords(analysis, time.total);
    if (!analysis.wish().part.ranks.empty())
        ending +=
            " Messages of ranks that are not selected are left out: delays that such ranks only passed on are "
            "attributed to them.";
    if (time.share < significant) {
        first.words = text(isUnfinished ? "In the calls that ended, " : "No significant wait states: ", waited, ending);
        return {first};
    }
    const bool hasTime = hasTimeForCauses(analysis, waits.waits);
    first.words = waitingWords(analysis, time, hasTime);
    if (isChain) {
        first.facts.push_back({"in_chain", engine::cell(std::string{"yes"})});
        first.words += ". They wait because they compute one after the other (see Serialization)";
    }
    std::vector<RootCause> causes;
    if (hasTime) causes = rootCauses(causesAboveUncertainty(analysis.causes(), analysis.trace().uncertainty()));
    Attribution its = attributionOf(analysis, std::move(causes), waits, time.share);
    // The ranks of a chain are late in turn by what they compute one after the other.
    if (isChain) its.inTurn.reset();
    addLeftOut(first, its.leftOut, time);
    if (its.to == AttributedTo::unknownRank) {
        first.words += "." + ending;
        return {first};
    }
    if (its.to == AttributedTo::noRank) {
        first.facts.push_back({"stands_out", engine::cell(std::string{"no"})});
        if (its.leftOut.areCallsLeftOut && time.isWorthNaming(its.leftOut.inCalls)) first.words += includedWords;
        first.words += noneStandsOutWords(its, waits.delays, time.total, *analysis.callPaths()) + ending;
        if (its.causes.front().cause.isInferred) first.words += text(inferredSentence, inferredWords, ".");
        return {first};
    }
    return CauseFindings{analysis, time, waits, its.leftOut, its.delays}.with(std::move(first), std::move(its.causes),
                                                                              ending);
}

}  // namespace app::analysis
