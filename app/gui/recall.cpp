// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/recall.hpp"

#include "app/gui/to_qt.hpp"
#include "app/session/live.hpp"
#include "engine/catalogue.hpp"
#include "engine/sizes.hpp"
#include "engine/text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr std::size_t fewMessages = 200'000;
constexpr std::int64_t fewTurns = 4'000'000;  // even without a message, a turn has to be asked for
constexpr std::int32_t fewThreads = 128;

void keep(QSettings& settings, const QString& key, const std::optional<std::int64_t>& number) {
    if (number) settings.setValue(key, static_cast<qlonglong>(*number));
}

std::map<std::string, std::string> options(const std::string& words) {
    std::map<std::string, std::string> found;
    for (const std::string& word : engine::split(words, ' ')) {
        const auto equals = word.find('=');
        if (equals != std::string::npos) found[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return found;
}

/// Sets the spread and the base size that give `problem` its sizes; false when no spread does. Sums rise with the base.
bool adoptSizes(const engine::Problem& problem, ProblemWish& wish) {
    const engine::Layout& layout = problem.layout;
    if (layout.isRegular()) {
        if (layout.count() > 0) wish.size = layout.largest();
        return true;
    }
    for (const engine::Distribution& spread : engine::distributions()) {
        ProblemWish tried = wish;
        tried.sizes = spread.name;
        const auto made = [&](engine::Bytes base) {
            tried.size = base;
            return makeProblem(problem.collective, tried).layout;
        };
        engine::Bytes low = 0;
        engine::Bytes high = std::max<engine::Bytes>(1, layout.total());
        while (low < high) {
            const engine::Bytes middle = low + (high - low) / 2;
            if (made(middle).total() < layout.total()) low = middle + 1;
            else high = middle;
        }
        if (!(made(low) == layout)) continue;
        wish.sizes = tried.sizes;
        wish.size = low;
        return true;
    }
    return false;
}

/// Throws Error for words that name nothing.
RunWish readWish(QSettings& settings) {
    const auto words = [&](const QString& key, const char* fallback) {
        return settings.value("run/" + key, fallback).toString().toStdString();
    };
    const auto number = [&](const QString& key) -> std::optional<std::int64_t> {
        const QVariant value = settings.value("run/" + key);
        return value.isNull() ? std::nullopt : std::optional<std::int64_t>{value.toLongLong()};
    };
    RunWish wish;
    wish.algorithm = engine::algorithmNamed(words("algorithm", "")).id;
    ProblemWish& problem = wish.problem;
    problem.ranks = number("ranks");
    problem.groupA = number("groupA");
    problem.groupB = number("groupB");
    problem.size = number("size").value_or(problem.size);
    problem.sizeB = number("sizeB");
    problem.sizes = words("sizes", "regular");
    problem.root = number("root").value_or(0);
    problem.operation = engine::operationNamed(words("operation", "sum"));
    problem.element = engine::elementNamed(words("element", "int32"));
    problem.ports = static_cast<int>(number("ports").value_or(1));
    wish.on = words("on", "virtual");
    wish.topology = words("topology", "");
    wish.placement = words("placement", "");
    wish.neighboursOnly = settings.value("run/neighboursOnly").toBool();
    wish.model = engine::modelFromText(words("model", engine::toText(engine::Model{}).c_str()));
    if (settings.value("run/lockstep").toBool()) wish.stepping = emulation::Stepping::lockstep;
    const emulation::SharingWords sharing = emulation::sharingFromText(words("sharing", "bottleneck"));
    wish.sharing = sharing.sharing;
    wish.protocol = sharing.protocol;
    wish.perturbation = emulation::perturbationFromText(words("unevenness", ""));
    settings.beginGroup("run/options");
    for (const QString& name : settings.childKeys()) {
        wish.options[name.toStdString()] = settings.value(name).toString().toStdString();
    }
    settings.endGroup();
    return wish;
}

}  // namespace

RunWish firstWish() {
    RunWish wish;
    wish.algorithm = "halfduplex-allgather/ring-streams";
    wish.problem.groupA = 4;
    wish.problem.groupB = 6;
    return wish;
}

void save(QSettings& settings, const RunWish& wish) {
    settings.remove("run");
    settings.beginGroup("run");
    settings.setValue("algorithm", toQt(wish.algorithm));
    const ProblemWish& problem = wish.problem;
    keep(settings, "ranks", problem.ranks);
    keep(settings, "groupA", problem.groupA);
    keep(settings, "groupB", problem.groupB);
    keep(settings, "size", problem.size);
    keep(settings, "sizeB", problem.sizeB);
    settings.setValue("sizes", toQt(problem.sizes));
    settings.setValue("root", static_cast<qlonglong>(problem.root));
    settings.setValue("operation", toQt(std::string{engine::name(problem.operation)}));
    settings.setValue("element", toQt(std::string{engine::name(problem.element)}));
    settings.setValue("ports", problem.ports);
    settings.setValue("on", toQt(wish.on));
    settings.setValue("topology", toQt(wish.topology));
    settings.setValue("placement", toQt(wish.placement));
    settings.setValue("neighboursOnly", wish.neighboursOnly);
    settings.setValue("model", toQt(engine::toText(wish.model)));
    settings.setValue("lockstep", wish.stepping == emulation::Stepping::lockstep);
    settings.setValue("sharing", toQt(emulation::toText(wish.sharing, wish.protocol)));
    settings.setValue("unevenness", toQt(emulation::toText(wish.perturbation)));
    settings.beginGroup("options");
    for (const auto& [name, value] : wish.options) settings.setValue(toQt(name), toQt(value));
    settings.endGroup();
    settings.endGroup();
}

RunWish savedWish(QSettings& settings) {
    try {
        return readWish(settings);
    } catch (const engine::Error&) {
        return firstWish();
    }
}

std::optional<RunWish> wishBehind(const Report& report) {
    if (!report.plan || !report.run) return std::nullopt;
    const engine::Problem& problem = report.plan->problem;
    RunWish wish;
    wish.algorithm = report.plan->algorithm->id;
    if (engine::isIntergroup(problem.collective)) {
        wish.problem.groupA = problem.groupA;
        wish.problem.groupB = problem.groupB;
    } else {
        wish.problem.ranks = problem.groupA;
    }
    wish.problem.root = problem.root.value;
    wish.problem.operation = problem.operation;
    wish.problem.element = problem.element;
    wish.problem.ports = problem.ports;
    if (!adoptSizes(problem, wish.problem)) return std::nullopt;
    wish.options = options(report.run->setting.options);
    const std::string& on = report.run->setting.on;
    wish.on = on == "threads" || on == "mpi" ? on : "virtual";
    // Names of networks say where ranks stand.
    constexpr std::string_view placement = " placement=";
    const std::string& network = report.run->setting.topology;
    const auto at = network.find(placement);
    wish.topology = network.substr(0, at);
    if (at != std::string::npos) wish.placement = network.substr(at + placement.size());
    if (report.model) wish.model = *report.model;
    if (report.run->setting.progress == "lockstep") wish.stepping = emulation::Stepping::lockstep;
    wish.neighboursOnly = report.run->setting.routing == "neighbours-only";
    try {
        const emulation::SharingWords sharing = emulation::sharingFromText(report.run->setting.sharing);
        wish.sharing = sharing.sharing;
        wish.protocol = sharing.protocol;
        wish.perturbation = emulation::perturbationFromText(report.run->setting.perturbation);
    } catch (const engine::Error&) {
        return std::nullopt;
    }
    return wish;
}

void save(QSettings& settings, const Processes& processes) {
    settings.beginGroup("processes");
    settings.setValue("launcher", toQt(processes.launcher.command));
    settings.setValue("hostfile", toQt(processes.launcher.hostfile));
    settings.setValue("lab", processes.launcher.lab);
    settings.setValue("repeats", processes.repeats);
    settings.setValue("warmUps", processes.warmUps);
    settings.endGroup();
}

Processes savedProcesses(QSettings& settings) {
    Processes processes;
    settings.beginGroup("processes");
    processes.launcher.command = settings.value("launcher").toString().toStdString();
    processes.launcher.hostfile = settings.value("hostfile").toString().toStdString();
    processes.launcher.lab = settings.value("lab").toBool();
    processes.repeats = std::max(1, settings.value("repeats", processes.repeats).toInt());
    processes.warmUps = std::max(0, settings.value("warmUps", processes.warmUps).toInt());
    settings.endGroup();
    return processes;
}

Ran runWished(const RunWish& wish, const Processes& processes, const engine::Progress& progress) {
    if (wish.on != "mpi") return {.report = execute(wish, progress)};
    LiveReport live = executeLive({.run = wish, .repeats = processes.repeats, .warmUps = processes.warmUps},
                                  startedBy(processes.launcher), progress);
    Ran ran{.report = std::move(live.report), .command = live.measurement.command};
    if (processes.repeats == 1 || live.measurement.methods.empty()) return ran;
    const Measured& all = live.measurement.methods.front();
    ran.measured =
        engine::text("The median of ", processes.repeats, " executions is shown: ", engine::showTime(all.median),
                     "; the fastest took ", engine::showTime(all.minimum),
                     live.measurement.contended() ? "; other programs kept the processors busy" : "", ".");
    return ran;
}

bool isSmall(const RunWish& wish, const engine::Plan& plan) {
    if (wish.on == "mpi") return false;
    const engine::Facts& facts = plan.schedule->facts();
    if (wish.on == "threads" && facts.ranks > fewThreads) return false;
    if (facts.rounds > fewTurns / std::max(1, facts.ranks)) return false;
    engine::Batch batch;
    std::size_t messages = 0;
    for (std::int64_t round = 0; round < facts.rounds; ++round) {
        batch.reset(0);
        plan.schedule->batch(engine::Round{round}, engine::Rank{0}, engine::Rank{facts.ranks}, batch);
        messages += batch.size();
        if (messages >= fewMessages) return false;
    }
    return true;
}

}  // namespace app::gui
