// SPDX-License-Identifier: BSD-3-Clause
// replay: a recorded program again, in virtual time.
#include "app/cli/json.hpp"
#include "app/cli/replay_check.hpp"
#include "app/cli/replay_files.hpp"
#include "app/cli/replay_words.hpp"
#include "app/cli/summary.hpp"
#include "app/cli/tables.hpp"
#include "app/cli/verbs.hpp"
#include "app/session/replay_conditions.hpp"
#include "app/session/replay_tables.hpp"
#include "app/session/replaying.hpp"
#include "engine/error.hpp"
#include "engine/text.hpp"
#include "traces/archive.hpp"

#include <algorithm>

namespace app::cli {
namespace {

using engine::Picoseconds;
using engine::seconds;
using engine::text;

/// `origin`: where the model comes from, where its name does not say so.
std::string conditionsIn(const ReplayedRun& run, std::string_view origin) {
    const engine::Model model = engine::modelFromText(run.model);
    const bool isSaid = origin.empty() || origin == model.name;
    const bool byByte = run.inPorts == emulation::InPorts::byByte;
    // On a network without links there is nothing to share.
    const bool shared = run.sharing != toText(emulation::Conditions{}.sharing, {}) && run.network != "full";
    return text("network ", run.network, shared ? ", sharing " + run.sharing : "", ", ", modelWords(model),
                run.unevenness.empty() ? "" : ", " + run.unevenness, byByte ? ", ports by byte" : "",
                isSaid ? "" : "; ", isSaid ? "" : origin);
}

/// How far the replay of the recorded conditions is off.
std::string errorOf(const Replaying& replaying) {
    const std::optional<double>& beside = replaying.errorBesideComputing;
    if (replaying.error() == 0 && beside.value_or(0) == 0) return "none";
    if (!beside) return off(replaying.error());
    return text(off(replaying.error()), " in all, ", off(*beside), " beside computing");
}

/// "10 ranks, 12 messages, 1 collective".
std::string whatIsIn(const Replaying& replaying) {
    std::string words = counted(replaying.ranks, "rank");
    if (replaying.messages > 0) words += ", " + counted(replaying.messages, "message");
    if (replaying.collectives > 0) words += ", " + counted(replaying.collectives, "collective");
    return replaying.messages + replaying.collectives > 0 ? words : words + ", no communication";
}

std::string messagesOf(const emulation::Replayed& result) {
    return result.messages == 0
               ? "none"
               : text(analysis::counted(result.messages), ", ", engine::showBytes(result.bytes), " in all");
}

/// What there is to tell; `checked` may be null.
struct Told {
    const Replaying& replaying;
    const Checked* checked;

    [[nodiscard]] std::vector<const engine::Table*> tables() const {
        std::vector<const engine::Table*> all{&replaying.causes, &replaying.algorithms, &replaying.perRank};
        if (checked != nullptr) all.insert(all.end(), {&checked->table, &checked->causes});
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
    for (const std::string_view name : {replayTable::causes, replayTable::collectives, replayTable::ranks})
        known.emplace_back(name);
    if (arguments.check)
        for (const std::string_view name : {replayTable::check, replayTable::checkCauses}) known.emplace_back(name);
    for (const std::string& word :
         arguments.tables ? engine::split(*arguments.tables, ',') : std::vector<std::string>{})
        if (std::ranges::find(known, word) == known.end())
            throw engine::Error{text("--tables: there is no table '", word, "' here", engine::didYouMean(word, known))};
}

void writeFacts(const Told& told, const Console& console) {
    const Replaying& replaying = told.replaying;
    const ReplayedRun& last = replaying.last();
    const Picoseconds again = replaying.asRecorded.result.duration;
    console.out << console.paint(Tone::strong, text(whatIsIn(replaying), "; ", engine::showTime(replaying.recorded)))
                << "\n\n";
    Table facts{{Align::left, Align::left}, 2};
    facts.row({"replayed", text(engine::showTime(again), ", ", against(again, replaying.recorded, "recorded"))});
    facts.row({"on", conditionsIn(replaying.asRecorded,
                                  replaying.modelOrigin == "recorded" ? "as recorded" : replaying.modelOrigin)});
    facts.row({"error", errorOf(replaying)});
    if (replaying.changed) {
        facts.row({"changed", text(engine::showTime(last.result.duration), ", ",
                                   against(last.result.duration, again, "replayed"))});
        facts.row({"on", conditionsIn(last, "")});
    }
    facts.row({"messages", messagesOf(last.result)});
    if (told.checked != nullptr) {
        facts.row({"measured", text(engine::showTime(told.checked->measured), " behind MPI_Init; predicted ",
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
              {"recorded_s", seconds(replaying.recorded)},
              {"conditions", replaying.modelOrigin},
              {"error_share", replaying.error()},
              {"error_beside_computing_share",
               replaying.errorBesideComputing ? Json(*replaying.errorBesideComputing) : Json{}},
              {"replayed", replayJson(replaying.asRecorded)},
              {"changed", replaying.changed ? replayJson(*replaying.changed) : Json{}}};
    Json& tables = json["tables"] = Json::object();
    for (const engine::Table* table : told.chosen(arguments.tables)) tables[table->name] = tableJson(*table);
    Json& remarks = json["remarks"] = Json::array();
    for (const std::string& remark : told.remarks()) remarks.push_back(spoken(remark));
    return json;
}

}  // namespace

int replayTrace(const Arguments& arguments, const Console& console) {
    const std::string& path = wordsOf(arguments, 1, 1, "replay TRACE")[0];
    const std::string format = chosenFormat(arguments, {"text", "json", "csv"});
    if (format == "csv" && (!arguments.tables || arguments.tables->find(',') != std::string::npos))
        throw engine::Error{"--format csv holds one table; name it with --tables"};
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
    if (console.around.crew != nullptr && !console.around.crew->leads()) {
        traces::helpReading(path, *console.around.crew, readOpening(arguments).memory);
        return done;
    }
    traces::Opening opening = readOpening(arguments);
    opening.crew = console.around.crew;
    const Trace trace = [&] {
        ProgressLine line{console, "reading"};
        return analysis::openTrace(path, readClocks(arguments), line.progress(), opening);
    }();
    const Replaying replaying = [&] {
        ProgressLine line{console, "replaying"};
        return replayed(trace, wish, line.progress());
    }();
    std::optional<Checked> checked;
    if (checkWish) checked = check(replaying, *checkWish, console);
    const bool isMeasured = checked && checked->trouble.empty();
    const Told told{replaying, isMeasured ? &*checked : nullptr};
    if (format == "json") {
        Json json = asJson(told, arguments, trace.recording->name);
        if (checked) json["check"] = checkJson(replaying, *checkWish, *checked);
        console.out << json.dump(2, ' ', false, lenient) << '\n';
    } else if (format == "csv") {
        for (const engine::Table* table : told.chosen(arguments.tables)) analysis::writeCsv(*table, console.out);
    } else {
        writeReplay(told, arguments, console);
    }
    const std::vector<std::string>& stuck =
        replaying.asRecorded.stuck.empty() ? replaying.last().stuck : replaying.asRecorded.stuck;
    for (const std::string& sentence : stuck) console.err << "collscope: " << sentence << '\n';
    if (checked && !isMeasured) console.err << "collscope: " << spoken(checked->trouble) << '\n';
    writeReplayFiles(replaying, arguments, format == "text", console);
    return stuck.empty() && (!checked || isMeasured) ? done : checkFailed;
}

}  // namespace app::cli
