// SPDX-License-Identifier: BSD-3-Clause
// replay: a recorded program again, in virtual time.
#include "app/cli/commands.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/tables.hpp"
#include "app/cli/replay/check_output.hpp"
#include "app/cli/replay/replay_files.hpp"
#include "app/session/goal/goal_replay.hpp"
#include "app/session/replay/replay_conditions.hpp"
#include "app/session/replay/replay_run.hpp"
#include "app/session/replay/replay_tables.hpp"
#include "app/session/replay/replay_words.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/archive.hpp"

#include <algorithm>

namespace app::cli {
namespace {

using engine::seconds;
using engine::text;

/// What there is to tell; `checked` may be null.
struct Told {
    const Replaying& replaying;
    const Checked* checked;

    [[nodiscard]] std::vector<const engine::Table*> tables() const {
        std::vector<const engine::Table*> all{&replaying.activities, &replaying.algorithms, &replaying.perRank};
        if (checked != nullptr) all.insert(all.end(), {&checked->table, &checked->activities});
        return all;
    }
    [[nodiscard]] std::vector<std::string> remarks() const {
        std::vector<std::string> all = replaying.remarks;
        if (checked != nullptr) all.insert(all.end(), checked->remarks.begin(), checked->remarks.end());
        return all;
    }
    /// Those that --tables names, as far as there are any; all of them where it does not.
    [[nodiscard]] std::vector<const engine::Table*> chosen(const Arguments::Word& words) const {
        if (!words) return tables();
        std::vector<const engine::Table*> list;
        for (const std::string& word : engine::split(*words, ','))
            for (const engine::Table* table : tables())
                if (table->name == word) list.push_back(table);
        return list;
    }
};

/// Before any work. Throws Error for a table that there will not be.
void requireTables(const Arguments& arguments) {
    std::vector<std::string> known;
    for (const std::string_view name : {replayTable::activities, replayTable::collectives, replayTable::ranks})
        known.emplace_back(name);
    if (arguments.check)
        for (const std::string_view name : {replayTable::check, replayTable::checkActivities}) known.emplace_back(name);
    for (const std::string& word :
         arguments.tables ? engine::split(*arguments.tables, ',') : std::vector<std::string>{})
        if (std::ranges::find(known, word) == known.end()) {
            const std::string hint = engine::didYouMean(word, known);
            throw engine::Error{text("--tables: unknown table '", word, "'",
                                     hint.empty() ? text("; choose from ", engine::joined(known, ", ")) : hint)};
        }
}

void writeFacts(const Told& told, const Console& console) {
    const Replaying& replaying = told.replaying;
    console.out << console.paint(Tone::strong, titleOf(replaying)) << "\n\n";
    Table facts{{Align::left, Align::left}, 2};
    for (const ReplayFact& fact : factsOf(replaying)) facts.row({std::string{fact.what}, fact.words});
    if (told.checked != nullptr) {
        facts.row({"measured", text(engine::showTime(told.checked->measured), " after MPI_Init; predicted ",
                                    off(told.checked->error()))});
        if (const std::string gain = gainOf(replaying, *told.checked); !gain.empty()) facts.row({"gain", gain});
    }
    facts.write(console.out);
}

void writeReplay(const Told& told, const Arguments& arguments, const Console& console) {
    if (!arguments.tables) writeFacts(told, console);
    const std::vector<const engine::Table*> list = told.chosen(arguments.tables);
    const std::size_t mostRows = list.size() == 1 ? 1000 : 20;
    for (const engine::Table* table : list) {
        if (table->rows.empty()) continue;
        if (!arguments.tables || table != list.front()) console.out << '\n';
        writeText(*table, console, mostRows);
    }
    if (arguments.tables) return;
    const std::vector<std::string> remarks = told.remarks();
    if (!remarks.empty()) console.out << '\n';
    for (const std::string& remark : remarks)
        for (const std::string& line : wrapped(spoken(remark), lineWidth))
            console.out << console.paint(Tone::faint, line) << '\n';
}

Json replayJson(const ReplayedRun& run) {
    return {{"model", run.model},
            {"topology", run.network},
            {"sharing", run.sharing},
            {"unevenness", orNull(run.unevenness)},
            {"in_ports", nameOf(run.inPorts)},
            {"time_s", seconds(run.result.duration)},
            {"program_time_s", seconds(run.programTime())},
            {"messages", run.result.messages},
            {"bytes", run.result.bytes},
            {"stuck", run.stuck}};
}

Json asJson(const Told& told, const Arguments& arguments, const std::string& name) {
    const Replaying& replaying = told.replaying;
    Json json{{"trace", name},
              {"ranks", replaying.ranks},
              {"messages", replaying.messages},
              {"collectives", replaying.collectives},
              {"recorded_s", replaying.isOfGoal ? Json{} : Json(seconds(replaying.recorded))},
              {"recorded_program_time_s", replaying.isOfGoal ? Json{} : Json(seconds(replaying.recordedProgramTime()))},
              {"conditions", replaying.modelOrigin},
              {"error_share", replaying.isOfGoal ? Json{} : Json(replaying.error())},
              {"error_beside_computing_share",
               replaying.errorBesideComputing ? Json(*replaying.errorBesideComputing) : Json{}},
              {"replayed", replayJson(replaying.asRecorded)},
              {"changed", replaying.changed ? replayJson(*replaying.changed) : Json{}}};
    Json& differences = json["activity_errors"] = Json::array();
    for (const ActivityDifference& one : replaying.differences)
        differences.push_back({{"activity", one.activity}, {"time_s", seconds(one.time)}, {"share", one.share}});
    Json& tables = json["tables"] = Json::object();
    for (const engine::Table* table : told.chosen(arguments.tables)) tables[table->name] = tableJson(*table);
    Json& remarks = json["remarks"] = Json::array();
    for (const std::string& remark : told.remarks()) remarks.push_back(spoken(remark));
    return json;
}

/// Throws Error for files that need a program whose ranks do one thing after the other.
void refuseForGoal(const Arguments& arguments, const std::string& path) {
    const auto refuse = [&](bool given, std::string_view flag) {
        if (given)
            throw engine::Error{text(flag, ": ", path,
                                     " is a GOAL text already; only the replay of a trace is written "
                                     "in this format")};
    };
    refuse(arguments.goal.has_value(), "--goal");
    refuse(arguments.timeIndependent.has_value(), "--time-independent");
}

using NamedReplay = std::pair<Replaying, std::string>;

NamedReplay replayedText(const std::string& path, const ReplayWish& wish, const Console& console) {
    ProgressLine line{console, "replaying"};
    return {replayedGoal(path, wish, line.progress()), path};
}

NamedReplay replayedTrace(const std::string& path, const Arguments& arguments, const ReplayWish& wish,
                          const Console& console) {
    traces::Opening opening = readOpening(arguments);
    opening.crew = console.around.crew;
    const Trace trace = [&] {
        ProgressLine line{console, "reading"};
        return analysis::openTrace(path, readClocks(arguments), line.progress(), opening);
    }();
    ProgressLine line{console, "replaying"};
    return {replayed(trace, wish, line.progress()), trace.recording->name};
}

}  // namespace

int replayTrace(const Arguments& arguments, const Console& console) {
    const std::string& path = wordsOf(arguments, 1, 1, "replay TRACE")[0];
    if (isGoal(path)) refuseForGoal(arguments, path);
    const std::string format = chosenFormat(arguments, {"text", "json", "csv"});
    if (format == "csv" && (!arguments.tables || arguments.tables->find(',') != std::string::npos))
        throw engine::Error{"--format csv writes one table; name it with --tables"};
    requireTables(arguments);
    const ReplayWish wish{.asked = arguments.asked,
                          .with = arguments.with,
                          .ownTime = {arguments.compute, arguments.without, arguments.even},
                          .overlap = arguments.overlap,
                          .inPorts = arguments.inPorts ? std::optional{inPortsNamed(*arguments.inPorts)} : std::nullopt,
                          .kept = arguments.trace.has_value(),
                          .checked = arguments.check.has_value()};
    const std::optional<CheckWish> checkWish = readCheck(arguments);
    requireReplayFilesFit(arguments);
    if (console.around.crew != nullptr && !console.around.crew->leads() && !isGoal(path)) {
        traces::helpReading(path, *console.around.crew, readOpening(arguments).memory);
        return done;
    }
    const auto [replaying, name] =
        isGoal(path) ? replayedText(path, wish, console) : replayedTrace(path, arguments, wish, console);
    if (!replaying.notKept.empty()) throw engine::Error{replaying.notKept};
    std::optional<Checked> checked;
    if (checkWish) checked = check(replaying, *checkWish, console);
    const bool isMeasured = checked && checked->trouble.empty();
    const Told told{replaying, isMeasured ? &*checked : nullptr};
    if (format == "json") {
        Json json = asJson(told, arguments, name);
        if (checked) json["check"] = checkJson(replaying, *checkWish, *checked);
        console.out << json.dump(2, ' ', false, lenient) << '\n';
    } else if (format == "csv") {
        for (const engine::Table* table : told.chosen(arguments.tables)) analysis::writeCsv(*table, console.out);
    } else {
        writeReplay(told, arguments, console);
    }
    const std::vector<std::string>& stuck = stuckIn(replaying);
    for (const std::string& sentence : stuck) console.err << "collscope: " << sentence << '\n';
    if (checked && !isMeasured) console.err << "collscope: " << spoken(checked->trouble) << '\n';
    writeReplayFiles(replaying, arguments, format == "text", console);
    return stuck.empty() && (!checked || isMeasured) ? done : checkFailed;
}

}  // namespace app::cli
