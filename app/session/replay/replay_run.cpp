// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/replay_run.hpp"

#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "app/analysis/calls/send_modes.hpp"
#include "app/analysis/collectives/amounts.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/replay/nonblocking_rewrite.hpp"
#include "app/analysis/replay/replayed_collective_waits.hpp"
#include "app/analysis/replay/replayed_recording.hpp"
#include "app/analysis/replay/wildcard_races.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "app/analysis/trace/trace_analysis.hpp"
#include "app/session/replay/algorithm_choices.hpp"
#include "app/session/replay/nccl_fit.hpp"
#include "app/session/replay/replay_algorithms.hpp"
#include "app/session/replay/replay_conditions.hpp"
#include "app/session/replay/replay_rules.hpp"
#include "app/session/replay/replay_tables.hpp"
#include "app/session/replay/time_by_activity.hpp"
#include "emulation/clocks/bounded_time.hpp"
#include "emulation/networks/rank_placement.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/export/copy.hpp"
#include "traces/recording/run_from_recording.hpp"
#include "traces/recording/training.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>

namespace app {

using analysis::RecordedCollective;
using analysis::RecordedProgram;
using emulation::Does;
using engine::Picoseconds;
using engine::Rank;
using engine::text;

namespace {

/// Where and how a program is replayed.
struct Surroundings {
    emulation::NetworkPtr network;
    emulation::Conditions conditions;
    emulation::InPorts inPorts = emulation::InPorts::byMessage;
    std::map<std::string, std::string> properties;  ///< that say so
    bool isFitted = false;                          ///< collectives of a training job have models of their own
};

/// The one collective that a run of ours is, as a program.
RecordedProgram programOf(const engine::Run& run, const engine::Plan& plan) {
    RecordedProgram made;
    made.duration = run.duration;
    made.program.ranks.resize(run.ranks);
    made.spent = timeByActivity(run);
    made.begun.resize(run.ranks);
    std::vector<Rank> members;
    for (const Rank rank : made.program.ranks.ids()) {
        members.push_back(rank);
        made.program.ranks[rank].add(Does::enters, 0);
        made.begun[rank].push_back({});
    }
    made.program.collectives.push_back(
        {.members = std::make_shared<const std::vector<Rank>>(std::move(members)), .schedule = nullptr});
    made.collectives.push_back({.communicator = "all ranks",
                                .operation = std::string{name(plan.problem.collective)},
                                .bytes = run.byteCount,
                                .lasted = {{}, run.duration},
                                .problem = std::make_shared<const engine::Problem>(plan.problem),
                                .whyNoProblem = {}});
    return made;
}

/// Throws Error if another thread than the main one of a rank calls MPI: a replayed rank does one thing at a time, in
/// the order of all of its calls.
void requireMainThreads(const traces::Recording& recording) {
    if (traces::isTraining(recording)) return;
    const analysis::MpiRegions regions{recording};
    std::int64_t threads = 0;
    std::set<std::string> calls;
    for (std::size_t i = 0; i < recording.states.size(); ++i) {
        if (recording.locations[i].rank == traces::noRank || recording.locations[i].speaksForRank) continue;
        bool callsMpi = false;
        for (const std::int32_t region : recording.states[i].region)
            if (regions.isMpi(region)) {
                callsMpi = true;
                const std::string& name = recording.regions[engine::asSize(region)].name;
                calls.insert(name.substr(0, name.find(' ')));
            }
        threads += callsMpi ? 1 : 0;
    }
    if (threads > 0)
        throw engine::Error{text("replay: ", analysis::counted(threads, "thread"),
                                 threads == 1 ? " other than a main thread calls" : " other than main threads call",
                                 " MPI (", analysis::listed({calls.begin(), calls.end()}),
                                 "); only main threads can be replayed")};
}

class Replayer {
public:
    Replayer(const Trace& trace, const ReplayWish& wish, const engine::Progress& progress)
        : trace_{trace}, wish_{wish}, said_{wish.with}, progress_{progress} {}

    Replaying run() {
        if (!trace_.isCollscopeRun()) {
            requireMainThreads(*trace_.recording);
            ownTime_ = unslowedOwnTime(*trace_.recording);
        }
        recorded_ = trace_.isCollscopeRun() ? ownProgram()
                                            : analysis::recordedProgram(*trace_.recording, ownTime_, part(0, 0.1));
        recogniseAlgorithms(recorded_, trace_, part(0.1, 0.2));
        said_.requireAbout(recorded_.collectives);
        settle();
        made_.ranks = static_cast<std::int32_t>(recorded_.program.ranks.size());
        made_.messages = static_cast<std::int64_t>(recorded_.program.messages.size());
        made_.collectives = std::ranges::count(recorded_.collectives, false, &RecordedCollective::isSynchronisation);
        made_.recorded = recorded_.duration;
        made_.isInitialised = trace_.recording && analysis::setUpTimes(*trace_.recording).initialised;
        if (!trace_.isCollscopeRun()) remarkOnOneSided();
        made_.remarks = recorded_.remarks;
        if (isTraining())
            made_.job = analysis::jobSummaryOf(*trace_.recording, {{}, trace_.recording->duration + Picoseconds{1}});
        made_.otherConditions = after_ || made_.modelOrigin == "given";
        made_.otherTimes = !wish_.ownTime.empty();
        const bool otherProgram = made_.otherTimes || wish_.overlap;
        const bool changes = otherProgram || !wish_.with.empty() || after_;
        if (wish_.known == nullptr || !changes) {
            made_.asRecorded =
                again(recorded_, before_, SaidAlgorithms{}, {.kept = wish_.kept && !changes}, part(0.2, 0.6));
        } else {
            choose(recorded_, before_, SaidAlgorithms{}, part(0.2, 0.6));
            made_.asRecorded = *wish_.known;
        }
        if (otherProgram) {
            RecordedProgram changed = made_.otherTimes ? withOtherTimes() : recorded_;
            if (wish_.overlap) changed = withOverlap(std::move(changed));
            made_.changed =
                again(changed, after_ ? *after_ : before_, said_, {.changed = true, .kept = wish_.kept}, part(0.7, 1));
            made_.program = std::move(changed.program);
        } else if (changes) {
            made_.changed = again(recorded_, after_ ? *after_ : before_, said_, {.changed = true, .kept = wish_.kept},
                                  part(0.6, 1));
        }
        if (wish_.checked) prepareCheck();
        const ReplayTables tables{
            recorded_,
            trace_.isCollscopeRun() ? analysis::KeptTimes{} : analysis::keptTimes(*trace_.recording, recorded_), made_};
        if (!trace_.recording || !traces::isOfChakra(*trace_.recording))
            made_.errorBesideComputing = tables.errorBesideComputing(), made_.differences = tables.differences();
        made_.keptInMpi = tables.keptInMpi();
        made_.activities = tables.activities();
        made_.perRank = tables.perRank();
        made_.algorithms = tables.algorithms(ways_);
        if (!otherProgram) made_.program = std::move(recorded_.program);
        return std::move(made_);
    }

private:
    [[nodiscard]] engine::Progress part(double from, double to) const { return within(progress_, from, to); }

    void prepareCheck() {
        if (trace_.isCollscopeRun())
            throw engine::Error{
                "--check runs a recorded program; a run of Collscope is measured by 'collscope run ... --on mpi'"};
        made_.rules = rulesOf(recorded_.collectives, ways_.back());
        for (const CollectiveWay& way : ways_.back()) made_.named += way.isChosen() ? 1 : 0;
    }

    RecordedProgram withOtherTimes() {
        if (trace_.isCollscopeRun())
            throw engine::Error{engine::Field{!wish_.ownTime.compute.empty()   ? "compute"
                                              : !wish_.ownTime.without.empty() ? "without"
                                                                               : "even"},
                                "replay: a run of Collscope has no computation that could be changed"};
        const traces::Recording& recording = *trace_.recording;
        analysis::ComputationOf changedTime =
            analysis::changedOwnTime(recording, wish_.ownTime, {.report = {}, .stop = progress_.stop});
        ownTime_ = ownTime_ ? analysis::ComputationOf{[before = ownTime_, changedTime](Rank rank, Picoseconds from,
                                                                                       Picoseconds to) {
            return before(rank, from, from + changedTime(rank, from, to));
        }}
                            : std::move(changedTime);
        RecordedProgram changed = analysis::recordedProgram(recording, ownTime_, part(0.6, 0.7));
        changed.program.messages.together = recorded_.program.messages.together;
        changed.program.messages.synchronous = recorded_.program.messages.synchronous;
        return changed;
    }

    RecordedProgram withOverlap(RecordedProgram program) {
        if (trace_.isCollscopeRun())
            throw engine::Error{
                text(engine::Field{"overlap"}, " is for programs; a run of Collscope has only messages")};
        if (isTraining())
            throw engine::Error{
                text(engine::Field{"overlap"},
                     " is for MPI programs; the collectives of a training job already overlap with compute")};
        analysis::Overlapped made = analysis::overlapped(*trace_.recording, std::move(program));
        const auto count = [](std::int64_t number, std::string_view one, std::string_view more) {
            return text(analysis::counted(number), " ", number == 1 ? one : more);
        };
        if (made.sends + made.collectives + made.receives == 0)
            made_.remarks.push_back(text(engine::Field{"overlap"},
                                         ": nothing to change, the program has no blocking sends, no receives "
                                         "that could be posted earlier, and no rooted collectives"));
        else
            made_.remarks.push_back(
                text(engine::Field{"overlap"}, ": ranks do not wait for ", count(made.sends, "send", "sends"), " and ",
                     count(made.collectives, "part", "parts"), " in collectives any more, and post ",
                     count(made.receives, "receive", "receives"), " earlier"));
        return std::move(made.program);
    }

    RecordedProgram ownProgram() {
        const engine::Run& run = *trace_.report.run;
        if (!trace_.report.plan)
            throw engine::Error{
                text("replay: ", run.setting.algorithm.empty() ? "its algorithm" : run.setting.algorithm,
                     " is not in the catalogue, so that its messages are unknown")};
        return programOf(run, *trace_.report.plan);
    }

    /// The conditions as recorded, as far as they are known, and those asked for.
    void settle() {
        const engine::Setting& setting = trace_.report.run->setting;
        Specification before;
        const std::int32_t ranks = trace_.report.run->ranks;
        before.run.network.topology = "full";
        const auto given = [&](std::string_view key) { return wish_.asked.has(key); };
        const bool givesCosts =
            given("model") || given("alpha") || given("beta") || given("bandwidth") || given("loggp");
        if (trace_.isCollscopeRun()) {
            before.run.problem.ports = trace_.report.plan->problem.ports;
            const auto [network, placement] = emulation::placedNameFrom(setting.topology);
            if (!network.empty()) before.run.network.topology = network;
            before.run.network.placement = placement;
            if (setting.progress == "lockstep") {
                before.run.stepping = emulation::Stepping::lockstep;
                recorded_.remarks.emplace_back("the run was in lockstep, and so is its replay");
            }
        }
        if (trace_.report.model) {
            before.run.model = *trace_.report.model;
            const auto shared = emulation::sharingFromText(setting.sharing);
            before.run.sharing = shared.sharing;
            before.run.protocol = shared.protocol;
            before.run.perturbation = emulation::perturbationFromText(setting.perturbation);
            made_.modelOrigin = "recorded";
        } else if (trace_.recording && takeReplayProperties(*trace_.recording, before.run)) {
            made_.modelOrigin = "recorded";
        } else if (isTraining()) {
            settleTraining(before, givesCosts);
        } else {
            analysis::TraceAnalysis analysis{trace_, {}, {.report = {}, .stop = progress_.stop}};
            const auto& fit = analysis.fit();
            const std::string doubt = analysis.whyNoModel();
            // Waiting for a processor is no part of a message; any other doubt is about how exact the fit is.
            if (fit && !trace_.sharesProcessors()) {
                before.run.model = fit->model;
                made_.modelOrigin = "fitted";
                if (!doubt.empty())
                    recorded_.remarks.push_back(text("do not rely on the fitted alpha and beta: ", doubt));
            } else if (givesCosts) {
                take(before, wish_.asked);
                made_.modelOrigin = "given";
            } else {
                made_.modelOrigin = "assumed";
                if (recorded_.program.messages.size() + recorded_.collectives.size() > 0)
                    recorded_.remarks.push_back(text("alpha and beta are assumed: ", doubt,
                                                     trace_.sharesProcessors()
                                                         ? "; record again with a processor for each rank, or give "
                                                         : "; give ",
                                                     engine::field::alpha, " and ", engine::field::beta));
            }
            settleRendezvous(before.run.model);
        }
        const emulation::InPorts recordedPorts =
            trace_.isCollscopeRun() ? emulation::InPorts::byMessage : inPortsOf(*trace_.recording);
        const emulation::InPorts ports = wish_.inPorts.value_or(recordedPorts);
        if (trace_.isCollscopeRun() && ports == emulation::InPorts::byByte)
            throw engine::Error{
                text(engine::Field{"in-ports"},
                     " byte is for programs; ports of a run of Collscope take one message after the other")};
        before_ = surroundings(before.run, recordedPorts, ranks);
        before_.isFitted = !fittedModels_.empty() && !isFair(before.run.sharing);
        Specification after = before;
        take(after, wish_.asked);
        if (!(after == before) || ports != recordedPorts) after_ = surroundings(after.run, ports, ranks);
        if (after_) after_->isFitted = before_.isFitted && !givesCosts && !isFair(after.run.sharing);
    }

    void remarkOnOneSided() {
        std::int64_t operations = 0;
        engine::Bytes bytes = 0;
        for (const analysis::OneSidedAmounts& one : analysis::oneSidedAmountsOf(*trace_.recording, {}))
            for (const analysis::RankAmount& its : one.ranks) operations += its.calls, bytes += its.sent;
        if (operations > 0)
            recorded_.remarks.push_back(text(analysis::counted(operations, "one-sided operation"), " with ",
                                             engine::showBytes(bytes),
                                             ": not replayed as messages; calls keep their recorded time"));
    }

    /// Senders wait for their receivers as recorded, where that is more than noise.
    void settleRendezvous(engine::Model& model) {
        constexpr double least = 0.01;  // of the ranks' time
        const engine::Picoseconds time = recorded_.duration - recorded_.setUp.last();
        if (model.eagerLimit || time.count() <= 0) return;
        const auto found = analysis::rendezvousIn(*trace_.recording);
        if (!found) return;
        const double all = engine::seconds(time) * static_cast<double>(recorded_.program.ranks.size());
        if (engine::seconds(found->time) < least * all) return;
        if (!found->isContradictory) model.eagerLimit = found->eagerLimit;
        recorded_.remarks.push_back(
            text(analysis::counted(found->waited, "call"), " of MPI_Send waited for ",
                 found->waited == 1 ? "its receiver" : "their receivers", " in the recording (",
                 engine::showTime(found->time), " in total)",
                 found->isContradictory
                     ? std::string{", but messages as large were also sent completely before their receives began: the "
                                   "replay sends all of them eagerly"}
                     : text(": in the replay, messages of more than ", analysis::counted(found->eagerLimit),
                            " B wait for their receivers (rendezvous)")));
    }

    [[nodiscard]] bool isTraining() const { return trace_.recording && traces::isTraining(*trace_.recording); }

    /// Of a training job nothing but the durations of its collectives shows alpha and beta. Where these do not suffice
    /// and none are given, collectives take as long as recorded.
    void settleTraining(Specification& before, bool isGiven) {
        NcclFit fit = fittedToCollectives(*trace_.recording);
        if (fit.model) {
            before.run.model = *fit.model;
            made_.modelOrigin = "fitted";
            recorded_.remarks.push_back(fit.words);
            for (const RecordedCollective& one : recorded_.collectives)
                fittedModels_.push_back(one.isSynchronisation() ? nullptr : fit.ofInstance[one.instance]);
        } else if (isGiven) {
            Specification given = before;
            take(given, wish_.asked);
            before.run.model = given.run.model;
            made_.modelOrigin = "given";
        } else if (wish_.asked.has("topology") && wish_.with.empty()) {
            throw engine::Error{text("alpha and beta cannot be fitted to the collectives (", fit.words,
                                     "), and without them ", engine::field::topology, " changes nothing; give ",
                                     engine::field::alpha, " and ", engine::field::beta)};
        } else {
            made_.modelOrigin = "assumed";
            keepsRecorded_ = true;
            recorded_.remarks.push_back(
                text("alpha and beta cannot be fitted to the collectives (", fit.words,
                     "): collectives take as long as recorded. Collectives with an algorithm of ",
                     engine::Field{"with"}, " take the time of that algorithm under the assumed alpha and beta; give ",
                     engine::field::alpha, " and ", engine::field::beta));
        }
    }

    Surroundings surroundings(const RunWish& wish, emulation::InPorts inPorts, std::int32_t ranks) {
        emulation::Conditions conditions = conditionsOf(wish);
        emulation::NetworkPtr network = networkOf(wish.network, ranks);
        if (network->links() > 0 && !trace_.isCollscopeRun() && recorded_.program.messages.together.empty())
            putTogether(*trace_.recording);
        std::map<std::string, std::string> properties = replayProperties(wish, network->name(), inPorts);
        return {std::move(network), std::move(conditions), inPorts, std::move(properties)};
    }

    void putTogether(const traces::Recording& recording) {
        const traces::Messages& m = recording.messages;
        std::vector<Picoseconds> receiveEnd(m.size());
        for (std::size_t i = 0; i < m.size(); ++i) receiveEnd[i] = std::max(m.receiveBegin[i], m.receiveEnd[i]);
        shareLinks(recorded_.program, {m.from.span(), m.to.span(), m.sendBegin.span(), m.sendEnd.span(),
                                       m.receiveBegin.span(), receiveEnd});
    }

    /// Which of the replays it is.
    struct Which {
        bool changed = false;  ///< not that of the recorded conditions
        bool kept = false;     ///< it is to be recorded
    };

    ReplayedRun again(RecordedProgram& program, const Surroundings& around, const SaidAlgorithms& said, Which which,
                      const engine::Progress& progress) {
        choose(program, around, said, within(progress, 0, 0.4));
        ReplayedRun run{.model = engine::toText(around.conditions.model),
                        .network = around.network->name(),
                        .sharing = emulation::toText(around.conditions.sharing, around.conditions.protocol),
                        .unevenness = emulation::toText(around.conditions.perturbation),
                        .inPorts = around.inPorts,
                        .setUp = setUpUnder(program, around.conditions)};
        std::optional<analysis::ReplayTimes> times;
        if ((which.kept || which.changed || isTraining()) && !trace_.isCollscopeRun())
            times.emplace(program.program.ranks.size());
        analysis::CollectiveStays stays{program, times ? &*times : nullptr};
        run.result = emulation::replay(program.program, *around.network, around.conditions, within(progress, 0.4, 0.9),
                                       &stays, around.inPorts);
        run.stuck = whatKeeps(program, run.result);
        if (!run.stuck.empty()) return run;
        if (trace_.isCollscopeRun()) {
            lookInside(run.result, around, which.kept, within(progress, 0.9, 1));
            return run;
        }
        for (const Rank rank : run.result.ranks.ids()) {
            emulation::TimeSpent& spent = run.result.ranks[rank];
            spent.waitingInCollectives = std::min(stays.waited()[rank], spent.inCollectives);
            spent.inMpi = std::min(program.spent[rank].inMpi, spent.computing);
            spent.computing -= spent.inMpi;
        }
        if (which.changed) nameOtherChoices(program.program, *times);
        if (!isTraining() && !which.kept) return run;
        traces::Recording made =
            analysis::replayedRecording(*trace_.recording, program, *times, ownTime_, within(progress, 0.9, 1));
        if (isTraining()) run.job = analysis::jobSummaryOf(made, {{}, made.duration + Picoseconds{1}});
        if (which.kept) keepRecording(program, around, std::move(made));
        return run;
    }

    void nameOtherChoices(const emulation::Program& program, const analysis::ReplayTimes& times) {
        const std::int64_t others = analysis::otherChoices(*trace_.recording, recorded_.program, program, times);
        if (others == 0) return;
        made_.remarks.push_back(
            text(analysis::counted(others), others == 1 ? " receive keeps its" : " receives keep their",
                 " recorded message, although in the replay a message of another rank with the same tag comes earlier; "
                 "posted with MPI_ANY_SOURCE, ",
                 others == 1 ? "it" : "they", " would match that one, and the program could behave differently"));
    }

    static analysis::SetUp setUpUnder(const RecordedProgram& program, const emulation::Conditions& conditions) {
        const auto ranks = static_cast<std::int32_t>(program.program.ranks.size());
        const auto starts = emulation::startTimes(conditions.perturbation.arrival, ranks);
        analysis::SetUp setUp = program.setUp;
        for (const Rank rank : setUp.ends.ids()) setUp.ends[rank] += starts[rank.index()];
        return setUp;
    }

    void keepRecording(const RecordedProgram& program, const Surroundings& around, traces::Recording recording) {
        recording.properties = around.properties;
        // Computation stays as recorded, with the times in which ranks waited for a processor.
        if (const std::string* const sharing = trace_.propertyOfProgram(traces::own::sharing))
            recording.properties.emplace(traces::own::sharing, *sharing);
        // Another replay fits alpha and beta of each kind to what this one made.
        if (around.isFitted) recording.properties.erase(traces::own::replayed::model);
        if (isTraining()) recording.properties.emplace(*trace_.recording->properties.find(traces::trainingSource));
        recording.algorithms.clear();
        const auto& recorded = recording.collectives.instances;
        std::vector<traces::Collective> instances{recorded.begin(), recorded.end()};
        for (traces::Collective& instance : instances) instance.algorithm = traces::noIndex;
        std::map<std::string, std::int32_t> known;
        for (std::size_t i = 0; i < program.collectives.size(); ++i) {
            if (program.collectives[i].isSynchronisation()) continue;
            const engine::Plan* plan = ways_.back()[i].plan;
            const std::int32_t before =
                trace_.recording->collectives.instances[program.collectives[i].instance].algorithm;
            if (plan == nullptr && (!isTraining() || before == traces::noIndex)) continue;
            std::string words = plan != nullptr ? analysis::variantWords(*plan) : std::string{};
            if (isTraining() && before != traces::noIndex) {
                traces::Ran ran = traces::Ran::from(trace_.recording->algorithms[engine::asSize(before)]);
                if (plan != nullptr) ran.algorithm = words;
                words = ran.words();
            }
            const auto [entry, isNew] = known.try_emplace(words, static_cast<std::int32_t>(known.size()));
            if (isNew) recording.algorithms.push_back(entry->first);
            instances[program.collectives[i].instance].algorithm = entry->second;
        }
        recording.collectives.instances = std::move(instances);
        made_.recording = std::make_shared<const traces::Recording>(std::move(recording));
    }

    /// A run of ours is one collective that all begin with: run like that by itself it says what happens within.
    void lookInside(emulation::Replayed& result, const Surroundings& around, bool kept,
                    const engine::Progress& progress) {
        const engine::Plan& plan = *ways_.back().front().plan;
        engine::Run run = emulation::emulate(plan, *around.network, around.conditions, progress).run;
        if (run.duration == result.duration) result.ranks = timeByActivity(run);
        if (!kept) return;
        if (run.duration != result.duration) {
            made_.notKept = text("replay: a run of its own takes ", engine::showTime(run.duration),
                                 " under these conditions, where rendezvous meet at ports; record that run");
            return;
        }
        if (&plan == &*trace_.report.plan) run.setting.routing = trace_.report.run->setting.routing;
        made_.run = std::make_shared<const engine::Run>(std::move(run));
    }

    /// Gives every collective the schedule of its algorithm.
    void choose(RecordedProgram& program, const Surroundings& around, const SaidAlgorithms& said,
                const engine::Progress& progress) {
        const engine::Model& model = around.conditions.model;
        emulation::Conditions conditions = around.conditions;
        if (recorded_.collectives.size() > 1) conditions.perturbation.arrival = {};  // long past when later ones begin
        std::map<const engine::Model*, AlgorithmChoice*> choiceUnder;
        const auto choiceFor = [&](std::size_t i) -> AlgorithmChoice& {
            const engine::Model* own = around.isFitted ? fittedModels_[i].get() : nullptr;
            AlgorithmChoice*& choice = choiceUnder[own];
            if (choice == nullptr) {
                emulation::Conditions its = conditions;
                if (own != nullptr) its.model = *own;
                choice = &choices_.emplace_back(std::move(its), around.network->name(), made_.ranks);
            }
            return *choice;
        };
        std::vector<CollectiveWay> ways;
        std::set<std::string> unfit;
        std::size_t fits = 0;
        for (std::size_t i = 0; i < recorded_.collectives.size(); ++i) {
            progress.at(static_cast<double>(i) / static_cast<double>(recorded_.collectives.size()));
            const RecordedCollective& collective = recorded_.collectives[i];
            AlgorithmChoice& choice = choiceFor(i);
            const Variant* variant = said.of(collective);
            // Without a fit of its own it takes as long as recorded, until costs are given.
            const bool isKept = keepsRecorded_ || (around.isFitted && fittedModels_[i] == nullptr);
            const bool isNew = ways_.empty() || (ways_.front()[i].kept && !isKept);
            CollectiveWay way = isNew ? wayAsRecorded(choice, collective, isKept, progress) : ways_.front()[i];
            if (variant != nullptr) {
                const ChosenAlgorithm& chosen = choice.said(collective, *variant, progress);
                if (chosen.plan) way = {.plan = planOf(chosen), .named = true}, ++fits;
                else if (collective.problem) unfit.insert(chosen.why);
            }
            emulation::CollectiveDone& done = program.program.collectives[i];
            done.schedule = way.schedule();
            done.model = around.isFitted ? fittedModels_[i] : nullptr;
            if (collective.problem) done.gamma = model.combiningBy(collective.problem->operation).gamma;
            ways.push_back(way);
        }
        ways_.push_back(std::move(ways));
        std::map<std::string, std::string> unknown;
        for (const auto& [own, choice] : choiceUnder)
            unknown.insert(choice->unknown().begin(), choice->unknown().end());
        for (const auto& [words, why] : unknown)
            if (!why.empty()) made_.remarks.push_back(text("recorded to run by '", words, "': ", why));
        if (!said.empty() && fits == 0)
            throw engine::Error{text(engine::Field{"with"}, ": ",
                                     unfit.empty() ? made_.collectives == 0 ? "the program has no collectives"
                                                                            : "the program has no such collective"
                                                   : *unfit.begin())};
        for (const std::string& words : unfit) made_.remarks.push_back(text("with exceptions: ", words));
    }

    CollectiveWay wayAsRecorded(AlgorithmChoice& choice, const RecordedCollective& collective, bool isKept,
                                const engine::Progress& progress) const {
        if (trace_.isCollscopeRun()) return {.plan = &*trace_.report.plan, .named = true, .source = "recorded"};
        if (isKept || collective.isSynchronisation()) return {.kept = true};
        const std::string_view source = name(collective.source);
        if (const ChosenAlgorithm* recorded = choice.recorded(collective, progress))
            return {.plan = planOf(*recorded), .named = true, .source = source, .ofLibrary = collective.isOfLibrary};
        if (collective.sequence)
            return {.sequence = collective.sequence.get(), .named = true, .source = source, .ofLibrary = true};
        const engine::Plan* const best = planOf(choice.best(collective, progress));
        return {.plan = best, .source = best != nullptr ? assumedSource : ""};
    }

    static const engine::Plan* planOf(const ChosenAlgorithm& chosen) { return chosen.plan ? &*chosen.plan : nullptr; }

    [[nodiscard]] std::vector<std::string> whatKeeps(const RecordedProgram& program,
                                                     const emulation::Replayed& result) const {
        std::vector<std::string> sentences;
        constexpr std::size_t most = 20;
        for (const emulation::Stuck& stuck : result.stuck) {
            if (sentences.size() == most) {
                sentences.push_back(text(result.stuck.size() - most, " more ranks wait forever"));
                break;
            }
            sentences.push_back(whatKeeps(program, stuck));
        }
        return sentences;
    }

    [[nodiscard]] std::string whatKeeps(const RecordedProgram& program, const emulation::Stuck& stuck) const {
        const emulation::Operations& doings = program.program.ranks[stuck.rank];
        const std::int64_t number = doings.number(stuck.at);
        const Picoseconds begun = program.begun[stuck.rank][stuck.at];
        std::string call =
            trace_.isCollscopeRun() ? std::string{} : analysis::callAt(*trace_.recording, stuck.rank, begun);
        call = text("rank ", stuck.rank, " waits forever", call.empty() ? "" : " in ", call);
        const emulation::PointToPoint& messages = program.program.messages;
        const auto at = engine::asSize(number);
        switch (doings.what(stuck.at)) {
            case Does::awaitsSend:
                call += text(" until rank ", messages.to[at], " receives ", engine::showBytes(messages.bytes[at]));
                break;
            case Does::awaitsReceive:
                call += text(" for ", engine::showBytes(messages.bytes[at]), " from rank ", messages.from[at]);
                break;
            default:
                call += text(" for the other ranks of ", recorded_.collectives[at].communicator, " in ",
                             recorded_.collectives[at].operation);
        }
        return call + text(" (recorded at ", engine::showTime(begun, engine::ofPoints), ")");
    }

    const Trace& trace_;
    const ReplayWish& wish_;
    SaidAlgorithms said_;
    const engine::Progress& progress_;
    RecordedProgram recorded_;
    analysis::ComputationOf ownTime_;  // of the program that was made last; empty: as recorded
    bool keepsRecorded_ = false;       // collectives without an algorithm of the user take as long as recorded
    /// By collective of a training job: alpha and beta of its kind, null where these have no fit; empty: there is none.
    std::vector<std::shared_ptr<const engine::Model>> fittedModels_;
    Surroundings before_;
    std::optional<Surroundings> after_;
    std::deque<AlgorithmChoice> choices_;           // by replay
    std::vector<std::vector<CollectiveWay>> ways_;  // by replay and collective
    Replaying made_;
};

}  // namespace

double Replaying::error() const {
    const engine::Picoseconds time = recordedProgramTime();
    if (time.count() <= 0) return 0;
    return static_cast<double>((asRecorded.programTime() - time).count()) / static_cast<double>(time.count());
}

std::optional<Trace> traceOf(const Replaying& replaying, std::int64_t budget, const engine::Progress& progress) {
    if (replaying.run) return Trace{.report = analysis::reportOn(replaying.run, progress)};
    if (!replaying.recording) return std::nullopt;
    auto run =
        std::make_shared<const engine::Run>(traces::runOf(*replaying.recording, within(progress, 0, 0.7), budget));
    return Trace{.report = analysis::reportOn(std::move(run), within(progress, 0.7, 1)),
                 .recording = replaying.recording};
}

void writeReplayed(const Replaying& replaying, const std::filesystem::path& target, traces::Overwrite overwrite,
                   const engine::Progress& progress) {
    if (replaying.recording) traces::writeCopy(*replaying.recording, target, progress, overwrite);
    if (replaying.run) traces::write(*replaying.run, target, overwrite, progress);
}

Replaying replayed(const Trace& trace, const ReplayWish& wish, const engine::Progress& progress) {
    return Replayer{trace, wish, progress}.run();
}

}  // namespace app
