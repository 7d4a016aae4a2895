// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/trace/trace_analysis.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/collectives/library.hpp"
#include "app/analysis/schedule/logical_rounds.hpp"
#include "app/analysis/schedule/message_signature.hpp"
#include "app/analysis/schedule/schedule_conformance.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "app/analysis/trace/library_use.hpp"
#include "emulation/networks/rank_placement.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "traces/recording/recorded_rank_times.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace app::analysis {

using engine::Error;
using engine::Picoseconds;
using engine::text;

namespace {

/// How many different collectives are compared with the catalogue, and how many exchanges of messages, each of which is
/// compared with every collective.
constexpr std::size_t mostLooks = 100;
constexpr std::size_t mostExchanges = 32;

/// Names instances whose messages have the same ends, bytes and order.
std::string kindKeyOf(const Instance& instance) {
    return text(instance.operation, ' ', instance.rankCount(), ' ', instance.groupA, ' ',
                instance.problem ? engine::toText(*instance.problem) : instance.whyNoProblem, ' ', instance.look);
}

/// The collective of the catalogue that a recorded operation is; nothing where it has none.
std::optional<engine::Collective> collectiveOf(const Instance& instance) {
    if (instance.operation == "alltoallv" || instance.operation == "alltoallw")
        return instance.groupB > 0 ? engine::Collective::intergroupAlltoallv : engine::Collective::alltoallv;
    return std::nullopt;
}

std::vector<Recognition> likenesses(const Instance& instance, Candidates& candidates,
                                    const engine::Progress& progress) {
    if (instance.isNative) {
        if (instance.problem) return recogniseNative(*instance.run, *instance.problem, progress);
        const std::optional<engine::Collective> collective = collectiveOf(instance);
        return collective ? recogniseNative(*instance.run, *collective, progress) : std::vector<Recognition>{};
    }
    return instance.problem ? recognise(*instance.run, *instance.problem, progress)
                            : recognise(*instance.run, candidates, progress);
}

/// The two collectives that a library's collective is composed of: exactly by its messages, else those it names.
std::optional<SequenceOfTwo> sequenceOf(const Instance& instance, const engine::Progress& progress) {
    if (auto exact = recogniseSequence(*instance.run, *instance.problem, progress)) return exact;
    const std::vector<engine::KnownAs> parts = partsNamed(instance.ofLibrary, instance.operation);
    if (parts.size() != 2) return std::nullopt;
    const auto isNamed = [](const engine::KnownAs& part) {
        return [&part](const engine::Algorithm& algorithm) {
            return std::ranges::any_of(algorithm.knownAs, [&](const engine::KnownAs& one) {
                return one.library == part.library && one.call == part.call && one.name == part.name;
            });
        };
    };
    return closestSequence(*instance.run, *instance.problem, isNamed(parts[0]), isNamed(parts[1]), progress);
}

/// Whether a run has one message for each block of an alltoall, from rank to rank, and no other.
bool isDirectExchange(const engine::Run& run, const engine::Problem& problem) {
    const std::int64_t n = run.ranks;
    const auto messages = static_cast<std::int64_t>(run.messages.size());
    if (problem.collective != engine::Collective::alltoallv || problem.ranks() != run.ranks || messages != n * (n - 1))
        return false;
    std::set<std::pair<engine::Rank, engine::Rank>> pairs;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const engine::Rank from = run.messages.from()[i], to = run.messages.to()[i];
        const auto block = static_cast<std::int32_t>(from.value * n + to.value);
        if (!pairs.emplace(from, to).second || run.messages.bytes()[i] != problem.layout.size(block)) return false;
    }
    return true;
}

/// Refuses tags that no message has: nothing would be found, and nothing would be wrong.
void requireTags(const traces::Recording& recording, const Part& part) {
    const auto& tags = recording.messages.tag;
    if (part.tags.empty() || std::ranges::any_of(tags, [&](std::uint32_t tag) { return part.hasTag(tag); })) return;
    constexpr std::size_t few = 12;
    std::set<std::uint32_t> known;
    for (const std::uint32_t tag : tags)
        if (known.insert(tag).second && known.size() > few) break;
    std::vector<std::string> words;
    for (const std::uint32_t tag : known) words.push_back(text(tag));
    throw Error{text(engine::field::tags, ": no message has such a tag; ",
                     words.empty()         ? "the trace has no messages"
                     : words.size() <= few ? text("the trace has tags ", engine::joined(words, ", "))
                                           : text(engine::field::tables, " tags lists those of the trace"))};
}

std::string keyOf(const engine::Plan& plan) { return wordsOf(plan) + " | " + engine::toText(plan.problem); }

/// Until when each rank has messages, in all of a recording.
std::vector<engine::Picoseconds> lastEndsOf(const traces::Recording& recording) {
    const traces::Messages& m = recording.messages;
    std::vector<engine::Picoseconds> last(engine::asSize(recording.ranks));
    for (std::size_t i = 0; i < m.size(); ++i) {
        engine::Picoseconds& sent = last[m.from[i].index()];
        sent = std::max(sent, m.sendEnd[i]);
        engine::Picoseconds& received = last[m.to[i].index()];
        received = std::max(received, m.receiveEnd[i]);
    }
    return last;
}

std::vector<engine::RankTimes> rankTimesOf(const engine::Run& run, traces::TimeSpan span) {
    const auto within = [&](std::span<const engine::Picoseconds> times) {
        std::vector<engine::Picoseconds> cut(times.begin(), times.end());
        for (engine::Picoseconds& time : cut) time = std::clamp(time, span.begin, span.end) - span.begin;
        return cut;
    };
    const engine::Messages& m = run.messages;
    const auto sendBegin = within(m.sendBegin()), sendEnd = within(m.sendEnd());
    const auto receiveBegin = within(m.receiveBegin()), receiveEnd = within(m.receiveEnd());
    std::vector<engine::LocalWork> work = engine::workOf(run);
    for (engine::LocalWork& its : work)
        its = {its.rank, std::clamp(its.begin, span.begin, span.end) - span.begin,
               std::clamp(its.end, span.begin, span.end) - span.begin};
    return traces::rankTimes({m.from(), m.to(), sendBegin, sendEnd, receiveBegin, receiveEnd, work}, run.ranks,
                             span.end - span.begin);
}

}  // namespace

std::string wordsOf(const engine::Plan& plan) {
    std::string words = plan.algorithm->id;
    bool first = true;
    for (const auto& [key, value] : plan.options.given()) {
        words += text(first ? " with " : ", ", key, "=", value);
        first = false;
    }
    return words;
}

TraceAnalysis::TraceAnalysis(const Trace& trace, AnalysisOptions wish, engine::Progress progress)
    : trace_{trace}, wish_{std::move(wish)}, progress_{std::move(progress)} {
    requireWithin(wish_.part, trace_.report.run->ranks,
                  trace_.recording ? trace_.recording->duration : trace_.report.run->duration);
    if (!wish_.part.tags.empty() && (!trace_.recording || trace_.isCollscopeRun()))
        throw Error{text(engine::field::tags,
                         ": a run of Collscope counts rounds in place of tags; choose messages of "
                         "traces of other tools by them")};
    const Selection asked = selection();
    if (recorded() == nullptr) return;
    requireTags(*recorded(), wish_.part);
    if (const auto end = endOfRoom(*recorded(), asked)) wish_.part.to = end, isCut_ = true;
}

Selection TraceAnalysis::selection() const {
    Selection chosen{.part = wish_.part, .communicators = {}, .most = trace_.most};
    if (wish_.communicators.empty()) return chosen;
    const auto refuse = [](const std::string& word, const std::vector<std::string>& names) {
        constexpr std::size_t fewNames = 12;
        const std::string hint = engine::didYouMean(word, names);
        throw Error{
            text(engine::field::communicators, ": the trace has no communicator '", word, "'",
                 hint.empty() && names.size() <= fewNames ? text("; it has ", engine::joined(names, ", ")) : hint)};
    };
    if (!trace_.recording || trace_.isCollscopeRun()) {
        for (const std::string& word : wish_.communicators)
            if (word != "world" && word != "0") refuse(word, {"world"});
        return chosen;
    }
    const auto& known = trace_.recording->communicators;
    for (const std::string& word : wish_.communicators) {
        std::vector<std::string> names;
        const std::size_t before = chosen.communicators.size();
        for (std::size_t i = 0; i < known.size(); ++i) {
            names.push_back(communicatorName(*trace_.recording, static_cast<std::int32_t>(i)));
            if (names.back() == word || text(i) == word) chosen.communicators.push_back(static_cast<std::int32_t>(i));
        }
        if (chosen.communicators.size() == before) refuse(word, names);
    }
    return chosen;
}

const engine::RunPtr& TraceAnalysis::keptRun() {
    if (!run_ && recorded() != nullptr)
        run_ = std::make_shared<const engine::Run>(selectedRun(*recorded(), selection()));
    else if (!run_ && wish_.part.whole()) run_ = trace_.report.run;
    else if (!run_) run_ = std::make_shared<const engine::Run>(partOf(*trace_.report.run, wish_.part));
    return run_;
}

const engine::Run& TraceAnalysis::run() { return *keptRun(); }

const ChosenMessages& TraceAnalysis::chosen() {
    if (!chosen_) chosen_ = selectedMessages(*recorded(), selection());
    return *chosen_;
}

traces::TimeSpan TraceAnalysis::span() const {
    return wish_.part.span(recorded() != nullptr ? recorded()->duration : trace_.report.run->duration);
}

traces::TimeSpan TraceAnalysis::analysedSpan() const {
    if (recorded() == nullptr) return span();
    if (!analysedSpan_) analysedSpan_ = analysedTime(*recorded(), wish_.part);
    return *analysedSpan_;
}

engine::RunPtr TraceAnalysis::runOfTime() {
    if (recorded() == nullptr) return trace_.report.run;
    if (asksForAllOfTime()) return keptRun();
    return std::make_shared<const engine::Run>(
        selectedRun(*recorded(), {.part = ofTime(), .communicators = {}, .most = trace_.most}));
}

std::vector<engine::RankTimes> TraceAnalysis::rankTimes() {
    if (wish_.asksForAll()) return run().perRank;
    const traces::TimeSpan of = span();
    std::vector<engine::RankTimes> all = rankTimesOf(*runOfTime(), of);
    if (recorded() == nullptr || of.end >= recorded()->duration) return all;
    // Nobody is done who has messages behind the end of the part.
    const std::vector<engine::Picoseconds> last = lastEndsOf(*recorded());
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        if (last[rank] > of.end) all[rank].noCommunication += std::exchange(all[rank].finishedEarly, {});
    return all;
}

std::vector<RankTimeBreakdown> TraceAnalysis::rankTimeBreakdowns() {
    return rankTimeBreakdownsOf(*runOfTime(), rankTimes(), span());
}

const std::vector<Instance>& TraceAnalysis::instances() {
    if (instances_) return *instances_;
    if (trace_.recording && !trace_.isCollscopeRun()) {
        instances_ = instancesOf(*trace_.recording, selection(), messages_, [&](const std::vector<Instance>& found) {
            // Times of polling are known where waits are kept.
            if (!addsUpWaits_ || hasPolls(*trace_.recording)) return;
            // What all cores can do together comes first: the rest, one wait after the other, takes one of them, while
            // the others look at messages.
            const engine::Progress progress{.report = {}, .stop = progress_.stop};
            std::vector<ShortWaits> lists = shortWaits(
                *trace_.recording, selection(), waitsBesideMessages(*trace_.recording, selection(), found), progress);
            waitTotals_ = std::async(std::launch::async,
                                     [&recording = *trace_.recording, lists = std::move(lists), progress]() mutable {
                                         return analysis::waitTotals(recording, std::move(lists), progress);
                                     });
        });
    } else {
        const auto& plan = trace_.report.plan;
        instances_.emplace();
        if (run().messageCount > 0)
            instances_->push_back(instanceOf(
                trace_.isCollscopeRun() ? keptRun() : std::make_shared<const engine::Run>(inLogicalRounds(run())),
                plan && wish_.part.whole() ? std::optional{plan->problem} : std::nullopt));
        if (!instances_->empty()) instances_->front().hasRounds = trace_.isCollscopeRun();
        if (!instances_->empty() && !wish_.part.whole()) {
            Instance& part = instances_->front();
            part.rounds = static_cast<std::int64_t>(rounds(*part.run).size());  // that it has messages of
            part.whyNoProblem = "only a part of the run is looked at";
        }
    }
    return *instances_;
}

void TraceAnalysis::loadMessages(const std::set<std::size_t>& of) {
    for (const std::size_t i : of)
        if (lacksMessages(instances()[i])) {
            addMessages(*trace_.recording, (*instances_)[i]);
            if (i < identified_.size() && identified_[i]) takeRounds((*instances_)[i], *identified_[i]);
        }
}

const CallPaths* TraceAnalysis::callPaths() { return keptCallPaths().get(); }

std::shared_ptr<const CallPaths> TraceAnalysis::keptCallPaths() {
    if (!trace_.recording) return nullptr;
    if (!callPaths_)
        callPaths_ = std::make_shared<const CallPaths>(
            *trace_.recording, engine::Progress{.report = {}, .stop = progress_.stop}, trace_.memory);
    return callPaths_->size() > 1 ? callPaths_ : nullptr;
}

std::vector<BlockingCall> TraceAnalysis::blockingCalls() {
    std::vector<BlockingCall> calls;
    eachBlockingCall(*trace_.recording, selection(), instances(),
                     [&](std::span<const BlockingCall> its) { calls.insert(calls.end(), its.begin(), its.end()); },
                     {.report = {}, .stop = progress_.stop});
    const ThreadCalls beside = callsOfThreadsAndWindows(*trace_.recording, Threads{*trace_.recording}, selection());
    calls.insert(calls.end(), beside.calls.begin(), beside.calls.end());
    return calls;
}

std::shared_ptr<const TracedWaits> TraceAnalysis::keptWaits() {
    const engine::Progress progress{.report = {}, .stop = progress_.stop};
    if (!waits_)
        waits_ = std::make_shared<const TracedWaits>(recorded() != nullptr
                                                         ? tracedWaits(*recorded(), selection(), instances(), progress)
                                                         : tracedWaits(*trace_.report.run, wish_.part, progress));
    return waits_;
}

WaitTotals TraceAnalysis::waitTotals() {
    if (waitTotals_.valid()) return waitTotals_.get();
    return analysis::waitTotals(*keptWaits());
}

WaitSums TraceAnalysis::waitSums() {
    const engine::Progress progress{.report = {}, .stop = progress_.stop};
    if (recorded() == nullptr) return analysis::waitSums(*trace_.report.run, wish_.part, progress);
    return analysis::waitSums(*recorded(), selection(), progress);
}

WaitSums TraceAnalysis::waitSumsOfTime() {
    if (asksForAllOfTime()) return waitSums();
    const engine::Progress progress{.report = {}, .stop = progress_.stop};
    if (recorded() == nullptr) return analysis::waitSums(*trace_.report.run, ofTime(), progress);
    return analysis::waitSums(*recorded(), {.part = ofTime(), .communicators = {}, .most = trace_.most}, progress);
}

const std::optional<Efficiency>& TraceAnalysis::efficiency() {
    if (efficiency_) return *efficiency_;
    efficiency_.emplace();
    const traces::Recording* const recording = recorded();
    // Kernels of communication do not block the ranks of a training job: its page has other shares.
    if (recording == nullptr || traces::isTraining(*recording) || !hasMpiCalls(*recording)) return *efficiency_;
    // Above, the ideal network would take as long as all else on the first page.
    constexpr std::size_t most = 500'000;
    const std::size_t ends = 2 * recording->messages.size() + recording->collectives.participants.size();
    const engine::Progress progress{.report = {}, .stop = progress_.stop};
    *efficiency_ = ends <= most ? Efficiencies{*recording, progress}.of(span(), wish_.part.ranks)
                                : efficiencyInBrief(*recording, span(), wish_.part.ranks);
    if ((*efficiency_)->time().count() == 0 || (*efficiency_)->maxRank == traces::noRank) efficiency_->reset();
    return *efficiency_;
}

const std::vector<Cause>& TraceAnalysis::causes() {
    if (!causes_) causes_ = causesOf(*keptWaits(), *callPaths(), {.report = {}, .stop = progress_.stop});
    return *causes_;
}

namespace {

/// Why evaluating the recorded program again would not give what it takes, a clause: something that ranks wait for is
/// unknown, or it would take longer than all else on the first page. Empty where it would.
std::string whyNotEvaluated(const traces::Recording& recording) {
    constexpr std::size_t mostEnds = 200'000, mostStates = 2'000'000;
    if (!hasMpiCalls(recording)) return "the trace has no MPI calls";
    std::size_t states = 0;
    for (const traces::States& its : recording.states) states += its.size();
    if (states > mostStates || 2 * recording.messages.size() + recording.collectives.participants.size() > mostEnds)
        return "the trace has too many calls";
    const auto calls = [&](std::string_view name) {
        return std::ranges::any_of(
            recording.regions, [&](const traces::Region& region) { return region.calls > 0 && region.name == name; });
    };
    for (const char* const name : {"MPI_Probe", "MPI_Mprobe"})
        if (calls(name)) return text("the program calls ", name);
    const bool lacks = std::ranges::any_of(recording.absences, [](const traces::NotRecorded& absence) {
        return absence.what == traces::Absence::messages || absence.what == traces::Absence::collective;
    });
    if (lacks) return "messages or collectives were not recorded";
    const bool incomplete = std::ranges::any_of(recording.collectives.instances, [](const traces::Collective& one) {
        return isCommunication(one.operation) && !one.complete;
    });
    if (incomplete) return "not all ranks of a collective were recorded";
    if (!recording.halves.empty()) return "sends or receives without their other ends were recorded";
    return {};
}

}  // namespace

std::string TraceAnalysis::whyNoGain(std::span<const Cause> causes) {
    const traces::Recording* const recording = recorded();
    if (recording == nullptr || callPaths() == nullptr) return "the trace has no calls";
    if (!wish_.asksForAll()) return "a part of the trace is selected";
    for (const Cause& cause : causes) {
        if (cause.thread != 0 || groupOf(cause.kind) == WaitGroup::threads) return "threads are not replayed";
        // What lies within a call of MPI is no computation that could be left out.
        const std::int32_t region = cause.path == outsideOfCalls ? traces::noIndex : (*callPaths())[cause.path].region;
        if (region != traces::noIndex && isMpiCall(recording->regions[engine::asSize(region)]))
            return "the delays arose within MPI calls";
        // A replay keeps the time between the calls of a rank that polls.
        Picoseconds polled{};
        for (const Wait& wait : keptWaits()->polled)
            if (wait.late == cause.rank) polled += wait.time;
        if (polled * 10 > cause.time) return "other ranks polled for its messages";
    }
    if (std::string why = whyNotEvaluated(*recording); !why.empty()) return why;
    if (!gains_) gains_.emplace(*recording, engine::Progress{.report = {}, .stop = progress_.stop});
    return gains_->isAsRecorded() ? "" : "a replay of the unchanged program does not take the recorded time";
}

std::optional<engine::Picoseconds> TraceAnalysis::gainWithout(std::span<const Cause> causes) {
    if (!whyNoGain(causes).empty()) return std::nullopt;
    const engine::Progress progress{.report = {}, .stop = progress_.stop};
    return gains_->without(delaysOf(causes, *keptWaits(), *callPaths(), progress), *callPaths());
}

HiddenCauses TraceAnalysis::hiddenBehind(const Cause& cause) {
    return analysis::hiddenBehind(cause, *keptWaits(), *callPaths(), {.report = {}, .stop = progress_.stop});
}

Identified TraceAnalysis::identify(const Instance& instance) {
    if (lacksMessages(instance)) {
        Instance whole = instance;
        addMessages(*trace_.recording, whole);
        return identify(whole);
    }
    Identified result;
    if (instance.problem) result.problem = *instance.problem;
    result.whyNoProblem = instance.whyNoProblem;
    if (instance.problem && trace_.isCollscopeRun() && trace_.report.plan && wish_.part.whole()) {
        result.plan = trace_.report.plan;
        result.planRecorded = true;
    }
    if (!instance.hasMessages || instance.isAmongNeighbours() || result.plan) return result;
    result.found = likenesses(instance, candidates_, {.stop = progress_.stop});
    if (instance.isNative && instance.problem && result.confidence() < 1)
        result.sequence = sequenceOf(instance, {.stop = progress_.stop});
    if (result.found.empty()) {
        if (!result.problem && result.whyNoProblem.empty()) result.whyNoProblem = notRecognised(instance.rankCount());
        return result;
    }
    if (instance.isNative) putNamedFirst(result.found, librarySettingOf(*trace_.recording), instance);
    if (result.found.front().confidence >= likeEnough) result.plan = result.found.front().plan;
    if (!result.problem && result.plan) result.problem = result.plan->problem;
    // One message between each two ranks tells the amounts, even where these are those of no known algorithm.
    if (!result.problem && instance.isNative && isDirectExchange(*instance.run, result.found.front().plan.problem))
        result.problem = result.found.front().plan.problem;
    return result;
}

TraceAnalysis::Face TraceAnalysis::faceOf(const Instance& instance) {
    return {instance.operation,     instance.rankCount(),  instance.groupA,
            instance.problem.get(), instance.whyNoProblem, instance.look};
}

IdentifiedPtr TraceAnalysis::identified(std::size_t index) {
    identified_.resize(instances().size());
    IdentifiedPtr& known = identified_[index];
    if (known) return known;
    const Instance& instance = instances()[index];
    const Face face = faceOf(instance);
    if (const auto like = byFace_.find(face); like != byFace_.end()) {
        known = like->second;
    } else {
        known = identifiedByLook(instance);
        if (known->lookedAt || areLooksChosen_) byFace_.emplace(face, known);
    }
    takeRounds((*instances_)[index], *known);
    return known;
}

void TraceAnalysis::takeRounds(Instance& instance, const Identified& known) {
    if (!instance.isNative || known.confidence() < 1) return;
    const engine::Schedule& schedule = *known.plan->schedule;
    instance.rounds = schedule.facts().rounds;
    if (!instance.run || instance.hasRounds) return;
    instance.run = std::make_shared<const engine::Run>(inRoundsOf(*instance.run, schedule, {.stop = progress_.stop}));
    instance.hasRounds = true;
}

IdentifiedPtr TraceAnalysis::identifiedByLook(const Instance& instance) {
    const std::string look = kindKeyOf(instance);
    if (const auto like = byLook_.find(look); like != byLook_.end()) return like->second;
    // kindOf() has chosen those that took most time.
    if (instance.hasMessages && (areLooksChosen_ || byLook_.size() > mostLooks)) return notLookedAt(instance);
    return byLook_[look] = std::make_shared<const Identified>(identify(instance));
}

IdentifiedPtr TraceAnalysis::notLookedAt(const Instance& instance) {
    IdentifiedPtr& entry =
        notLookedAt_[text(instance.operation, ' ', instance.problem ? engine::toText(*instance.problem) : "")];
    if (entry) return entry;
    Identified none;
    if (instance.problem) none.problem = *instance.problem;
    none.lookedAt = false;
    const std::size_t most = instance.problem ? mostLooks : mostExchanges;
    none.whyNoProblem =
        text("the trace has more than ", most, " different ", instance.problem ? "collectives" : "exchanges",
             ", and only the ", most, " with the most time are compared with algorithms; select others with ",
             engine::field::from, ", ", engine::field::to, ", ", engine::field::ranks);
    return entry = std::make_shared<const Identified>(std::move(none));
}

std::vector<Recognition> TraceAnalysis::recognised(std::size_t index) {
    const IdentifiedPtr known = identified(index);
    if (!known->planRecorded) return known->found;
    return likenesses(instances()[index], candidates_, {.stop = progress_.stop});
}

namespace {

/// Why nothing is fitted to some of so many messages, a clause; `message` is what one of them is called.
std::string whyNotFitted(std::size_t messages, const std::vector<Transfer>& transfers, std::string_view message,
                         std::string_view where) {
    if (messages == 0) return text("the program has no ", message, where);
    if (transfers.size() >= fewestFitted)
        return text("all ", message, "s", where,
                    transfers.size() < messages ? " that were sent while the receiver waited" : "", " have ",
                    engine::showBytes(transfers.front().bytes));
    return text(transfers.empty() ? "no " : text("only ", transfers.size(), " of ", messages, ' '), message,
                transfers.empty() ? "" : "s", where, transfers.size() == 1 || transfers.empty() ? " was" : " were",
                " sent while the receiver waited", transfers.empty() ? "" : text(" (", fewestFitted, " are needed)"));
}

}  // namespace

const std::optional<Fit>& TraceAnalysis::fit() {
    if (fit_) return *fit_;
    if (recorded() == nullptr) return *(fit_ = fitted(transfersOf(run()), whyNoFit_));
    std::vector<Transfer> transfers = transfersOf(recorded()->messages, chosen());
    const std::string why = whyNotFitted(chosen().size(), transfers, "point-to-point message", "");
    bool isOneSize = transfers.size() >= fewestFitted;
    fit_ = fitted(std::move(transfers), whyNoFit_);
    if (*fit_) return *fit_;
    whyNoFit_ = why;
    // The library's messages take the same network.
    if (const traces::Messages& inside = recorded()->library.messages; !inside.empty()) {
        transfers = transfersOf(inside, ChosenMessages::all(inside.size()));
        whyNoFit_ += ", and " + whyNotFitted(inside.size(), transfers, "message", " within collectives");
        isOneSize = isOneSize || transfers.size() >= fewestFitted;
        std::string none;
        fit_ = fitted(std::move(transfers), none);
    }
    if (isOneSize) whyNoFit_ += "; two sizes are needed to distinguish alpha and beta";
    return *fit_;
}

std::string TraceAnalysis::whyNoModel() {
    if (!fit()) return whyNoFit_;
    return whyNoTimes(trace_, *fit(), wish_.alpha.has_value(), wish_.beta.has_value());
}

std::optional<engine::Model> TraceAnalysis::model() {
    std::optional<engine::Model> base = trace_.report.model;
    if (!base && !(wish_.alpha && wish_.beta) && whyNoModel().empty()) base = fit()->model;
    if (!base && wish_.alpha && wish_.beta) base = engine::Model{};
    if (!base && (wish_.alpha || wish_.beta))
        throw Error{text(wish_.alpha ? engine::field::alpha : engine::field::beta, ": give ",
                         wish_.alpha ? engine::field::beta : engine::field::alpha,
                         ", too; it cannot be fitted to this trace: ", whyNoModel())};
    if (!base) return std::nullopt;
    if (base->logGP && wish_.alpha && wish_.beta) base->logGP.reset();
    if (base->logGP && (wish_.alpha || wish_.beta))
        throw engine::Error{text(wish_.alpha ? engine::field::alpha : engine::field::beta,
                                 ": the trace was recorded under LogGP; give both ", engine::field::alpha, " and ",
                                 engine::field::beta, ", or none")};
    if (wish_.alpha) base->alpha = *wish_.alpha;
    if (wish_.beta) base->beta = *wish_.beta;
    return base;
}

std::string TraceAnalysis::modelOrigin() {
    if (wish_.alpha && wish_.beta) return "given";
    const std::string base = trace_.report.model ? "recorded" : whyNoModel().empty() ? "fitted" : "";
    if (base.empty() || (!wish_.alpha && !wish_.beta)) return base;
    return "partly given, else " + base;
}

std::optional<emulation::Conditions> TraceAnalysis::conditions() {
    const std::optional<engine::Model> under = model();
    if (!under) return std::nullopt;
    emulation::Conditions conditions = recordedConditions(trace_.report).value_or(emulation::Conditions{});
    conditions.model = *under;
    return conditions;
}

std::string TraceAnalysis::topology() {
    if (!wish_.topology.empty()) return toText(emulation::PlacedName{wish_.topology, wish_.placement});
    if (!trace_.report.run->setting.topology.empty()) return trace_.report.run->setting.topology;
    if (!trace_.recording) return {};
    // A Cartesian topology over the world whose coordinates are those of its ranks in order.
    for (const traces::CartTopology& cart : trace_.recording->topologies) {
        std::vector<int> lengths(cart.lengths.begin(), cart.lengths.end());
        std::int64_t places = 1;
        for (const int length : lengths) places *= length;
        if (lengths.empty() || places != trace_.recording->ranks) continue;
        bool inOrder = true;
        for (std::size_t rank = 0; rank < cart.coordinates.size(); ++rank) {
            std::int64_t place = 0;
            for (std::size_t d = 0; d < cart.coordinates[rank].size() && d < lengths.size(); ++d)
                place = place * lengths[d] + cart.coordinates[rank][d];
            inOrder = inOrder && place == static_cast<std::int64_t>(rank);
        }
        const bool torus = std::all_of(cart.periodic.begin(), cart.periodic.end(), [](bool round) { return round; });
        if (inOrder) return text(torus ? "torus:" : "mesh:", engine::showDimensions(lengths));
    }
    return {};
}

std::string TraceAnalysis::topologyOrigin() {
    return topology().empty() ? "" : wish_.topology.empty() ? "recorded" : "given";
}

bool TraceAnalysis::spansTheWorld(std::size_t index) {
    return instances()[index].rankCount() == trace_.report.run->ranks;
}

const AlgorithmRanking* TraceAnalysis::whatIf(std::size_t index) {
    const IdentifiedPtr known = identified(index);
    const std::optional<emulation::Conditions> under = conditions();
    if (!known->problem || !under) return nullptr;
    const std::string key = engine::toText(*known->problem);
    if (const auto done = whatIfs_.find(key); done != whatIfs_.end()) return &done->second;
    // The network spans the world: a communicator of fewer ranks is emulated fully connected.
    const bool whole = spansTheWorld(index);
    return &whatIfs_
                .emplace(key,
                         analysis::whatIf(*known->problem, *under, whole ? topology() : "", {.stop = progress_.stop}))
                .first->second;
}

std::optional<engine::Picoseconds> TraceAnalysis::reemulatedTime(std::size_t index) {
    const IdentifiedPtr known = identified(index);
    const std::optional<emulation::Conditions> under = conditions();
    if (!known->plan || !under) return std::nullopt;
    const std::string key = keyOf(*known->plan);
    if (const auto done = again_.find(key); done != again_.end()) return done->second;
    const engine::Facts& facts = known->plan->schedule->facts();
    if (facts.rounds * facts.ranks > 10 * triedTurns) return std::nullopt;
    const bool whole = spansTheWorld(index);
    const engine::Picoseconds time =
        emulatedTime(*known->plan, *under, whole ? topology() : "", {.stop = progress_.stop});
    return again_[key] = time;
}

void TraceAnalysis::recogniseLooks() {
    constexpr std::size_t isKnown = ~std::size_t{};
    std::vector<Look> looks;
    std::map<Face, std::size_t> byFace;
    std::map<std::string, std::size_t> byKey;
    for (const Instance& instance : instances()) {
        const Face face = faceOf(instance);
        if (byFace_.contains(face)) continue;
        const auto [place, isNew] = byFace.try_emplace(face, isKnown);
        if (isNew)
            if (std::string key = kindKeyOf(instance); !byLook_.contains(key)) {
                const auto [look, isFirst] = byKey.try_emplace(key, looks.size());
                if (isFirst) looks.push_back({std::move(key), &instance});
                place->second = look->second;
            }
        if (place->second != isKnown) looks[place->second].time += instance.duration() * instance.rankCount();
    }
    std::ranges::stable_sort(looks, {}, [](const Look& look) {
        return std::pair{look.example->hasMessages, -look.time};
    });
    std::size_t collectives = 0, exchanges = 0;
    std::erase_if(looks, [&](const Look& look) {
        if (!look.example->hasMessages) return false;
        return look.example->problem ? collectives++ >= mostLooks : exchanges++ >= mostExchanges;
    });
    if (costliest_) keepCostliest(looks, *costliest_);
    std::vector<IdentifiedPtr> found(looks.size());
    engine::parallelFor(looks.size(), [&](std::size_t i) {
        found[i] = std::make_shared<const Identified>(identify(*looks[i].example));
    });
    for (std::size_t i = 0; i < looks.size(); ++i) byLook_[looks[i].key] = std::move(found[i]);
    areLooksChosen_ = true;
}

void TraceAnalysis::keepCostliest(std::vector<Look>& looks, std::size_t kinds) {
    const auto groupOf = [](const Look& look) {
        const Instance& its = *look.example;
        return text(its.operation, ' ', its.rankCount(), ' ', its.problem ? engine::toText(*its.problem) : "");
    };
    // A look is part of a kind, and a kind is part of a group.
    struct Group {
        Picoseconds time{};
        Picoseconds longest{};  ///< of its looks
    };
    std::map<std::string, Group> groups;
    for (const Look& look : looks) {
        Group& its = groups[groupOf(look)];
        its.time += look.time;
        its.longest = std::max(its.longest, look.time);
    }
    if (groups.size() <= kinds) return;
    std::vector<Picoseconds> longest;
    for (const auto& [name, its] : groups) longest.push_back(its.longest);
    std::ranges::nth_element(longest, longest.begin() + static_cast<std::ptrdiff_t>(kinds) - 1, std::greater{});
    // Times of kinds may be less than these: of nonblocking collectives, and where a part of the trace is selected.
    const Picoseconds least = longest[kinds - 1] / 2;
    std::erase_if(looks, [&](const Look& look) {
        return look.example->hasMessages && look.example->problem && groups[groupOf(look)].time < least;
    });
}

std::size_t TraceAnalysis::kindOf(std::size_t index) {
    // One kind is rarely all that is needed: all are recognised at once, in parallel, those with the most time first.
    if (!areLooksChosen_) recogniseLooks();
    const IdentifiedPtr known = identified(index);
    const std::string& operation = instances()[index].operation;
    const std::int32_t ranks = instances()[index].rankCount();
    const auto [kind, isNew] = kindOf_.try_emplace({known.get(), ranks, operation});
    if (!isNew) return kind->second;
    const std::string its = known->plan      ? keyOf(*known->plan)
                            : known->problem ? engine::toText(*known->problem)
                                             : text(ranks);
    return kind->second = kinds_.try_emplace(text(operation, ' ', its), kinds_.size()).first->second;
}

}  // namespace app::analysis
