// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/live.hpp"

#include "app/session/options/variant.hpp"
#include "app/session/proofs/proofs.hpp"
#include "app/session/run/scratch.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/native_collectives.hpp"
#include "engine/live/network_namespaces/lab_hosts.hpp"
#include "engine/live/splitphase/on_threads.hpp"

#include <algorithm>
#include <limits>

namespace app {
namespace {

using engine::Error;
using engine::Picoseconds;
using engine::Progress;
using engine::text;
namespace live = engine::live;

/// One method of the run, on both sides of the order.
struct Contestant {
    std::string id;  ///< what the answer calls it
    engine::Problem problem;
    std::optional<engine::Plan> plan{};  ///< none: native
    LiveOrder::Entry entry{};

    [[nodiscard]] std::int32_t ranks() const { return plan ? plan->schedule->facts().ranks : problem.ranks(); }
};

/// `run` with what is left to the algorithm chosen: neither its processes nor its archive know the model.
RunWish settled(RunWish run) {
    const engine::Algorithm& algorithm = engine::algorithmNamed(run.algorithm);
    for (const engine::Choice& choice : engine::choicesOf(makePlan(run)))
        for (const engine::Option& option : algorithm.options)
            if (option.name == choice.option) run.options[choice.option] = choice.value;
    run.model = {};
    return run;
}

/// `words` are an id, or "id:option=value:option=value".
Contestant contestant(RunWish run, const std::string& words) {
    const auto [id, options] = readVariant(words, text(engine::field::against));
    Contestant one;
    one.id = words;
    for (const auto& [key, value] : options) run.options[key] = value;
    if (const live::Native* native = live::nativeNamed(id); native != nullptr) {
        one.problem = makeProblem(native->about.collective, run.problem);
        one.entry.options = engine::toText(live::optionsFor(*native, one.problem, run.options).given());
    } else {
        run.algorithm = id;
        one.plan = makePlan(settled(run));
        one.problem = one.plan->problem;
        one.entry.file = engine::schedules::contentOf(*one.plan->algorithm);
        one.entry.options = engine::toText(one.plan->options.given());
        if (run.network.neighboursOnly) one.entry.network = networkFor(*one.plan, run.network)->name();
    }
    one.entry.id = id;
    one.entry.problem = engine::toText(one.problem);
    return one;
}

/// The first one becomes split-phase; with a computation, a second one has none and a third one nothing else.
void splitInHalves(std::vector<Contestant>& all, const engine::splitphase::Settings& settings) {
    Contestant& whole = all.front();
    if (!whole.plan)
        throw Error{text(engine::field::splitPhase, " splits an algorithm of the catalogue, not the MPI library's own ",
                         whole.id)};
    engine::splitphase::requireSplitPhase(*whole.plan);
    whole.entry.split = settings;
    if (settings.compute.count() == 0) return;
    Contestant alone = whole;
    alone.id += ", computing nothing";
    alone.entry.split->compute = {};
    Contestant silent = whole;
    silent.id += ", communicating nothing";
    silent.entry.split->communicate = false;
    all.push_back(std::move(alone));
    all.push_back(std::move(silent));
}

/// No two rows of an answer have one name: where they would, the first says the options it was `given`, and what is
/// still alike is numbered.
void tellApart(std::vector<Contestant>& all, const std::map<std::string, std::string>& given) {
    const auto alike = [&](std::size_t end, const std::string& id) {
        return std::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(end),
                             [&](const Contestant& one) { return one.id == id; });
    };
    if (alike(all.size(), all.front().id) > 1)
        for (const auto& [name, value] : given) all.front().id += text(':', name, '=', value);
    for (std::size_t i = all.size() - 1; i > 0; --i)
        if (const auto before = alike(i, all[i].id); before > 0) all[i].id += text(" (", before + 1, ')');
}

/// What the method solves, as ids begin. Throws Error where there is none of this name.
std::string collectiveOf(const std::string& id) {
    const live::Native* native = live::nativeNamed(id);
    return std::string{name(native != nullptr ? native->about.collective : engine::algorithmNamed(id).collective)};
}

std::vector<Contestant> contestantsOf(const Specification& wish) {
    const std::string& first = wish.run.algorithm;
    const std::string collective = collectiveOf(first);
    std::vector<Contestant> all{contestant(wish.run, first)};
    if (wish.split) splitInHalves(all, *wish.split);
    RunWish run = wish.run;
    run.options.clear();
    for (const std::string& other : wish.against) {
        const bool native = other == "native" || other.starts_with("native:");
        const std::string id = native ? text(collective, '/', other) : other;
        if (collectiveOf(readVariant(id, text(engine::field::against)).id) != collective)
            throw Error{text(engine::field::against, ": ", id, " solves another problem than ", first)};
        all.push_back(contestant(run, id));
    }
    if (all.size() > live::mostEntries)
        throw Error{
            text(engine::field::against, ": at most ", live::mostEntries - 1, " methods, not ", wish.against.size())};
    tellApart(all, wish.run.options);
    return all;
}

/// What is known of the costs of the machine that processes run on: of its network nothing.
analysis::Machine machineOf(const Specification& wish) {
    return {.model = wish.costsKnown ? std::optional{wish.run.model} : std::nullopt};
}

/// The first method's run, and what its processes complained of.
Report reportOf(const Contestant& first, engine::Execution execution, const Specification& wish,
                const Progress& progress) {
    if (!first.plan) {
        execution.run.setting.algorithm = first.entry.id;
        execution.run.setting.options = first.entry.options;
        execution.run.setting.problem = engine::toText(first.problem);
        execution.run.groupA = first.problem.groupB > 0 ? first.problem.groupA : 0;
        execution.run.groupB = first.problem.groupB;
        execution.run.remarks.insert(
            execution.run.remarks.begin(),
            text(live::nativeNamed(first.entry.id)->call, ": the messages of the MPI library are unknown"));
    } else {
        execution.run.setting.topology = networkFor(*first.plan, wish.run.network)->name();
        if (wish.run.network.neighboursOnly) execution.run.setting.routing = analysis::relayedRouting;
    }
    Report report = analysis::reportOn(std::make_shared<const engine::Run>(std::move(execution.run)), progress);
    if (!first.plan) report.limits = analysis::limitsOf(first.problem, engine::Wiring::any(), machineOf(wish));
    report.compared = wish.check;
    report.correct = execution.correct;
    if (!execution.correct) report.fault = std::move(execution.fault);
    return report;
}

Measured measured(const Contestant& one, std::vector<live::Sample> samples, const Specification& wish) {
    Measured result{.id = one.id, .samples = std::move(samples)};
    result.median = live::medianBy(&live::Sample::slowest, result.samples).slowest;
    result.medianSpan = live::medianBy(&live::Sample::span, result.samples).span;
    result.minimum = std::min_element(result.samples.begin(), result.samples.end(), [](const auto& a, const auto& b) {
                         return a.slowest < b.slowest;
                     })->slowest;
    const analysis::Machine machine = machineOf(wish);
    if (machine.model) {
        const analysis::Limits limits = one.plan ? analysis::limitsOf(*one.plan, analysis::totalsOf(*one.plan), machine)
                                                 : analysis::limitsOf(one.problem, engine::Wiring::any(), machine);
        result.bound = limits.held().time;
    }
    return result;
}

/// How long the slowest process took to make the method's communicators.
Picoseconds setUpOf(const std::vector<live::Record>& records, std::size_t entry) {
    std::int64_t longest = 0;
    for (const live::Record& record : records) longest = std::max(longest, record.setUp[entry]);
    return Picoseconds{longest * 1000};
}

/// What the processes say of themselves, whatever was measured.
void describeProcesses(const std::vector<live::Record>& records, Measurement& measurement) {
    for (const live::Record& record : records) {
        measurement.hosts.push_back(record.host);
        measurement.library = record.library;
        measurement.clockOffsets.emplace_back(record.clock[0].offset * 1000);
    }
}

/// The ring or torus that all plans stand on; processes have nothing but sendrecv with their neighbours there.
std::string neighboursOf(const std::vector<Contestant>& all, const RunWish& run) {
    std::optional<engine::Wiring> common;
    for (const Contestant& one : all) {
        if (!one.plan) continue;
        const engine::Wiring wiring = networkFor(*one.plan, run.network)->wiring();
        if (wiring.kind() != engine::Wiring::Kind::ring && wiring.kind() != engine::Wiring::Kind::torus)
            throw Error{text(engine::field::neighboursOnly,
                             ": processes over MPI are placed on a ring or torus, each rank on its own place; choose ",
                             engine::field::topology, " ring or torus:AxB")};
        if (common && !(*common == wiring))
            throw Error{text(engine::field::against, ": ", one.id, " needs another number of processes on the ",
                             common->name())};
        common = wiring;
    }
    return common ? common->name() : "";
}

std::optional<Overlap> overlapOf(const Specification& wish, const Measurement& measurement) {
    const bool computing = wish.split && wish.split->compute.count() > 0;
    if (!wish.split || measurement.methods.size() < (computing ? 3U : 1U)) return std::nullopt;
    Overlap overlap{.settings = *wish.split};
    overlap.alone = measurement.methods[computing ? 1 : 0].median;
    if (!computing) return overlap;
    overlap.together = measurement.methods[0].median;
    overlap.computation = measurement.methods[2].median;
    return overlap;
}

/// Time of one more startup in each round, as a share of the time of the largest messages of all rounds.
double addedTo(const engine::Schedule& schedule, const engine::Model& model) {
    engine::Bytes serialized = 0;
    engine::Batch batch;
    for (engine::Round round{0}; round.value < schedule.facts().rounds; ++round) {
        batch.reset(engine::asSize(schedule.facts().ranks));
        schedule.batch(round, engine::Rank{0}, engine::Rank{schedule.facts().ranks}, batch);
        if (batch.size() > 0) serialized += std::ranges::max(batch.bytes());
    }
    const auto startups = static_cast<double>((schedule.facts().rounds * model.alpha).count());
    const auto bytes = static_cast<double>((model.beta * serialized).count());
    return startups == 0 ? 0 : bytes == 0 ? std::numeric_limits<double>::infinity() : startups / bytes;
}

std::optional<double> addedByGrants(const Specification& wish, const std::vector<Contestant>& all) {
    const bool hosts = wish.launcher.lab || !wish.launcher.hostfile.empty();
    if (wish.grants != Grants::wherePaying || wish.run.on != "mpi" || !wish.run.network.neighboursOnly || !hosts)
        return std::nullopt;
    engine::Model model = wish.run.model;
    if (wish.launcher.lab)
        if (const auto lab = engine::live::existingLab()) model.beta = lab->rate;
    std::optional<double> most;
    for (const Contestant& one : all)
        if (one.plan) most = std::max(most.value_or(0), addedTo(*one.plan->schedule, model));
    return most;
}

std::string remarkOn(bool granted, double added) {
    const std::string share = engine::showNumber(100 * added, 2);
    return granted ? text("messages are granted by default, which adds ", share,
                          "% to the time of the messages under the model; --no-grants turns this off")
                   : text("messages are not granted, which would add ", share,
                          "% to the time of the messages under the model; --granted turns this on");
}

LiveOrder orderFor(const Specification& wish, const std::vector<Contestant>& all, bool granted) {
    LiveOrder order{
        .repeats = wish.executions(), .warmUps = wish.executionsBefore(), .check = wish.check, .granted = granted};
    for (const Contestant& one : all) order.entries.push_back(one.entry);
    if (wish.run.network.neighboursOnly) order.neighbours = neighboursOf(all, wish.run);
    return order;
}

/// Executes on threads here, or wherever `launch` starts processes.
std::vector<live::Record> carryOut(const Specification& wish, const std::vector<Contestant>& all, bool granted,
                                   const Launch& launch, Launched& launched, const Progress& progress) {
    if (wish.run.on == "threads") {
        std::vector<engine::splitphase::Settings> ways;
        for (const Contestant& one : all) ways.push_back(*one.entry.split);
        return engine::splitphase::onThreads(*all.front().plan, ways, wish.executions(), wish.executionsBefore(),
                                             wish.check, progress);
    }
    std::int32_t processes = 0;
    for (const Contestant& one : all) processes = std::max(processes, one.ranks());
    const Scratch scratch;
    launched = launch(orderFor(wish, all, granted), scratch.folder(), processes, progress);
    std::vector<live::Record> records = live::readRecords(scratch.folder());
    ENSURE(!records.empty(), "processes ran and left nothing");
    return records;
}

}  // namespace

std::string splitRemark(const engine::splitphase::Settings& settings) {
    std::string words = text("split-phase, ", name(settings.by));
    if (settings.compute.count() > 0)
        words += text(", ", engine::showTime(Picoseconds{settings.compute.count() * 1000}),
                      " of computation on every rank between start and wait, ", looksOf(settings));
    return words;
}

std::optional<double> Overlap::hidden() const {
    if (!together || alone.count() <= 0) return std::nullopt;
    const auto exposed = static_cast<double>((*together - computation).count());
    return std::clamp(1 - exposed / static_cast<double>(alone.count()), 0.0, 1.0);
}

bool Measurement::contended() const { return std::max(before.busy, after.busy) > contendedShare; }

std::optional<double> addedByGrants(const Specification& wish) { return addedByGrants(wish, contestantsOf(wish)); }

LiveReport executeLive(const Specification& wish, const Launch& launch, const Progress& progress) {
    const std::vector<Contestant> all = contestantsOf(wish);
    for (const Contestant& one : all)
        if (one.plan) requirePaired(*one.plan, {.stop = progress.stop});
    std::int32_t processes = 0;
    for (const Contestant& one : all) processes = std::max(processes, one.ranks());
    const std::optional<double> added = addedByGrants(wish, all);
    const bool granted = wish.grants == Grants::always || (added && *added <= littleAdded);
    const bool measuring = wish.executions() > 1 || (wish.split && wish.split->compute.count() > 0);

    LiveReport result;
    Measurement& measurement = result.measurement;
    measurement.repeats = wish.executions();
    measurement.warmUps = wish.executionsBefore();
    if (measuring) measurement.before = lookAtLoad();
    Launched launched;
    const std::vector<live::Record> records = carryOut(wish, all, granted, launch, launched, progress);
    measurement.command = launched.how;
    if (measuring) measurement.after = lookAtLoad();
    describeProcesses(records, measurement);
    for (std::size_t e = 0; e < all.size(); ++e) {
        auto samples = live::samplesOf(records, static_cast<std::int32_t>(e));
        if (samples.empty()) continue;
        measurement.methods.push_back(measured(all[e], std::move(samples), wish));
        measurement.methods.back().setUp = setUpOf(records, e);
    }

    // The execution that is shown: the one that broke off, or the median.
    std::size_t shown = 0;
    std::int32_t repeat = 0;
    if (const auto broken = live::brokenOff(records)) {
        shown = static_cast<std::size_t>(broken->first);
        repeat = broken->second;
    } else if (const auto samples = live::samplesOf(records, 0); !samples.empty()) {
        repeat = live::medianBy(&live::Sample::slowest, samples).repeat;
    }
    const Contestant& one = all[shown];
    engine::Execution execution =
        live::joined(records, static_cast<std::int32_t>(shown), repeat, one.plan ? &*one.plan : nullptr, one.entry.id);
    if (execution.correct && static_cast<std::int32_t>(records.size()) < processes) {
        execution.correct = false;
        execution.fault = text("only ", records.size(), " of ", processes, " processes left a record");
    }
    for (std::size_t e = 0; e < all.size() && execution.correct; ++e)
        for (const live::Record& record : records)
            if (record.faultEntry == static_cast<std::int32_t>(e) && !record.fault.empty()) {
                execution.correct = false;
                execution.fault = all[e].id + ": " + record.fault;
            }
    if (!launched.trouble.empty()) {
        execution.fault += (execution.correct ? "" : "; ") + launched.trouble;
        execution.correct = false;
    }
    execution.run.setting.on = wish.run.on;
    if (one.plan && granted) execution.run.setting.progress = analysis::grantedProgress;
    if (one.plan && added) execution.run.remarks.insert(execution.run.remarks.begin(), remarkOn(granted, *added));
    if (one.entry.split) execution.run.remarks.insert(execution.run.remarks.begin(), splitRemark(*one.entry.split));
    result.overlap = overlapOf(wish, measurement);
    result.report = reportOf(one, std::move(execution), wish, progress);
    return result;
}

}  // namespace app
