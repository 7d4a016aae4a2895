// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/settings/run_settings.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"

#include "app/session/options/recorded.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/run/live.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr std::size_t fewMessages = 200'000;
constexpr std::int64_t fewTurns = 4'000'000;  // even without a message, a turn has to be asked for
constexpr std::int32_t fewThreads = 128;

/// Settings were once kept otherwise: they had names of their own for some fields, and several fields in one.
Asked askedOfOld(QSettings& settings) {
    Asked asked;
    const auto words = [&](const char* key) { return settings.value(key).toString().toStdString(); };
    for (const auto& [key, field] : {std::pair{"ranks", "ranks"},
                                     {"groupA", "group-a"},
                                     {"groupB", "group-b"},
                                     {"size", "size"},
                                     {"sizeB", "size-b"},
                                     {"sizes", "sizes"},
                                     {"root", "root"},
                                     {"operation", "op"},
                                     {"element", "type"},
                                     {"ports", "ports"},
                                     {"on", "on"},
                                     {"topology", "topology"},
                                     {"placement", "placement"}})
        if (const std::string value = words(key); !value.empty()) asked.add(field, value);
    if (settings.value("neighboursOnly").toBool()) asked.add("neighbours-only", std::string{fields::toggledOn});
    if (settings.value("lockstep").toBool()) asked.add("progress", "lockstep");
    std::string model = words("model");
    std::replace(model.begin(), model.end(), ' ', ':');
    if (!model.empty()) asked.add("model", model);
    addRecorded(asked, "sharing", words("sharing"));
    addRecorded(asked, "", words("unevenness"));
    settings.beginGroup("options");
    for (const QString& name : settings.childKeys())
        asked.add("set", (name + '=' + settings.value(name).toString()).toStdString());
    settings.endGroup();
    return asked;
}

Asked askedOf(QSettings& settings) {
    if (!settings.childGroups().contains("asked")) return askedOfOld(settings);
    Asked asked;
    settings.beginGroup("asked");
    for (const QString& key : settings.childKeys())
        for (const QString& words : settings.value(key).toStringList())
            asked.add(key.toStdString(), words.toStdString());
    settings.endGroup();
    return asked;
}

}  // namespace

RunWish firstWish() {
    RunWish wish;
    wish.algorithm = "halfduplex-allgather/ring-streams";
    wish.problem.groupA = 4;
    wish.problem.groupB = 6;
    return wish;
}

std::vector<std::pair<QString, QStringList>> wordsOf(const RunWish& wish) {
    std::vector<std::pair<QString, QStringList>> all;
    const Asked asked = askedFor({.run = wish});
    for (const fields::Entry& entry : fields::all()) {
        QStringList words;
        for (const std::string& each : asked.all(entry.key)) words += toQt(each.empty() ? fields::toggledOn : each);
        if (!words.isEmpty()) all.emplace_back(toQt(std::string{entry.key}), words);
    }
    return all;
}

RunWish wishFrom(const QString& algorithm, const std::vector<std::pair<QString, QStringList>>& words) {
    Asked asked;
    for (const auto& [key, values] : words)
        for (const QString& value : values) asked.add(key.toStdString(), value.toStdString());
    Specification specification;
    take(specification, asked);
    specification.run.algorithm = engine::algorithmNamed(algorithm.toStdString()).id;
    return specification.run;
}

void save(QSettings& settings, const RunWish& wish) {
    settings.remove("run");
    settings.beginGroup("run");
    settings.setValue("algorithm", toQt(wish.algorithm));
    settings.beginGroup("asked");
    for (const auto& [key, words] : wordsOf(wish)) settings.setValue(key, words);
    settings.endGroup();
    settings.endGroup();
}

RunWish savedWish(QSettings& settings) {
    settings.beginGroup("run");
    Specification specification;
    try {
        take(specification, askedOf(settings));
        specification.run.algorithm = engine::algorithmNamed(settings.value("algorithm").toString().toStdString()).id;
    } catch (const engine::Error&) {
        specification.run = firstWish();
    }
    while (!settings.group().isEmpty()) settings.endGroup();
    return specification.run;
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
        engine::text("The median of ", all.samples.size(), " executions is shown: ", engine::showTime(all.median),
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
