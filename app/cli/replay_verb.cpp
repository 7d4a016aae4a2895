// SPDX-License-Identifier: BSD-3-Clause
// replay: a recorded program again, in virtual time.
#include "app/cli/json.hpp"
#include "app/cli/summary.hpp"
#include "app/cli/tables.hpp"
#include "app/cli/verbs.hpp"
#include "app/session/replaying.hpp"
#include "engine/error.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace app::cli {
namespace {

using engine::Picoseconds;
using engine::text;

/// "2.5 % more than recorded".
std::string against(Picoseconds time, Picoseconds other, std::string_view what) {
    if (time == other) return text("as long as ", what);
    if (other.count() == 0) return text("more than ", what);
    const double share = static_cast<double>((time - other).count()) / static_cast<double>(other.count());
    return text(percent(std::abs(share)), share > 0 ? " more than " : " less than ", what);
}

std::string conditionsIn(const ReplayedRun& run, std::string_view origin) {
    return text("network ", run.network, ", ", modelWords(engine::modelFromText(run.model)), origin.empty() ? "" : "; ",
                origin);
}

/// "2.5 % more", "1 % less", "the same".
std::string off(double share) {
    return share == 0 ? "the same" : text(percent(std::abs(share)), share > 0 ? " more" : " less");
}

using TableOfReplay = const engine::Table Replaying::*;
constexpr std::array<TableOfReplay, 3> replayTables{&Replaying::causes, &Replaying::algorithms, &Replaying::perRank};

/// Those that --tables names; all of them where it does not.
std::vector<const engine::Table*> chosen(const Replaying& replaying, const Arguments::Word& words) {
    std::vector<const engine::Table*> list;
    if (!words)
        for (const TableOfReplay table : replayTables) list.push_back(&(replaying.*table));
    for (const std::string& word : words ? engine::split(*words, ',') : std::vector<std::string>{}) {
        std::vector<std::string> known;
        for (const TableOfReplay table : replayTables) known.push_back((replaying.*table).name);
        const auto found = std::ranges::find(known, word);
        if (found == known.end())
            throw engine::Error{text("--tables: there is no table '", word, "' here", engine::didYouMean(word, known))};
        list.push_back(&(replaying.*replayTables.at(static_cast<std::size_t>(found - known.begin()))));
    }
    return list;
}

void writeFacts(const Replaying& replaying, const Console& console) {
    const ReplayedRun& last = replaying.last();
    const Picoseconds again = replaying.asRecorded.result.duration;
    console.out << console.paint(
                       Tone::strong,
                       text(counted(replaying.ranks, "rank"), ", ", counted(replaying.messages, "message"), ", ",
                            counted(replaying.collectives, "collective"), "; ", engine::showTime(replaying.recorded)))
                << "\n\n";
    Table facts{{Align::left, Align::left}, 2};
    facts.row({"replayed", text(engine::showTime(again), ", ", against(again, replaying.recorded, "recorded"))});
    facts.row({"on", conditionsIn(replaying.asRecorded,
                                  replaying.modelOrigin == "recorded" ? "as recorded" : replaying.modelOrigin)});
    facts.row({"error", text(off(replaying.error()), "; beside computing ", off(replaying.errorBesideComputing))});
    if (replaying.changed) {
        facts.row({"changed", text(engine::showTime(last.result.duration), ", ",
                                   against(last.result.duration, again, "replayed"))});
        facts.row({"on", conditionsIn(last, "")});
    }
    facts.row({"messages", text(counted(last.result.messages), ", ", engine::showBytes(last.result.bytes), " in all")});
    facts.write(console.out);
}

void writeReplay(const Replaying& replaying, const Arguments& arguments, const Console& console) {
    if (!arguments.tables) writeFacts(replaying, console);
    const std::vector<const engine::Table*> list = chosen(replaying, arguments.tables);
    const std::size_t mostRows = list.size() == 1 ? 1000 : 20;
    for (const engine::Table* table : list) {
        if (table->rows.empty()) continue;
        if (!arguments.tables || table != list.front()) console.out << '\n';
        writeText(*table, console, mostRows);
    }
    if (arguments.tables) return;
    if (!replaying.remarks.empty()) console.out << '\n';
    for (const std::string& remark : replaying.remarks)
        for (const std::string& line : wrapped(spoken(remark), lineWidth))
            console.out << console.paint(Tone::faint, line) << '\n';
}

Json replayJson(const ReplayedRun& run) {
    return {{"model", run.model},
            {"topology", run.network},
            {"time_s", seconds(run.result.duration)},
            {"messages", run.result.messages},
            {"bytes", run.result.bytes},
            {"stuck", run.stuck}};
}

void writeJson(const Replaying& replaying, const Arguments& arguments, const std::string& name,
               const Console& console) {
    Json json{{"trace", name},
              {"ranks", replaying.ranks},
              {"messages", replaying.messages},
              {"collectives", replaying.collectives},
              {"recorded_s", seconds(replaying.recorded)},
              {"conditions", replaying.modelOrigin},
              {"error_share", replaying.error()},
              {"error_beside_computing_share", replaying.errorBesideComputing},
              {"replayed", replayJson(replaying.asRecorded)},
              {"changed", replaying.changed ? replayJson(*replaying.changed) : Json{}}};
    Json& tables = json["tables"] = Json::object();
    for (const engine::Table* table : chosen(replaying, arguments.tables)) tables[table->name] = tableJson(*table);
    Json& remarks = json["remarks"] = Json::array();
    for (const std::string& remark : replaying.remarks) remarks.push_back(spoken(remark));
    console.out << json.dump(2, ' ', false, lenient) << '\n';
}

}  // namespace

int replayTrace(const Arguments& arguments, const Console& console) {
    const std::string& path = wordsOf(arguments, 1, 1, "replay TRACE")[0];
    const std::string format = chosenFormat(arguments, {"text", "json", "csv"});
    if (format == "csv" && (!arguments.tables || arguments.tables->find(',') != std::string::npos))
        throw engine::Error{"--format csv holds one table; name it with --tables"};
    const ReplayWish wish{.asked = arguments.asked,
                          .with = arguments.with,
                          .ownTime = {arguments.compute, arguments.without, arguments.even}};
    const Trace trace = [&] {
        ProgressLine line{console, "reading"};
        return app::openTrace(path, readClocks(arguments), line.progress(), readOpening(arguments));
    }();
    const Replaying replaying = [&] {
        ProgressLine line{console, "replaying"};
        return replayed(trace, wish, line.progress());
    }();
    if (format == "json") writeJson(replaying, arguments, trace.recording->name, console);
    else if (format == "csv") writeCsv(*chosen(replaying, arguments.tables).front(), console.out);
    else writeReplay(replaying, arguments, console);
    const std::vector<std::string>& stuck =
        replaying.asRecorded.stuck.empty() ? replaying.last().stuck : replaying.asRecorded.stuck;
    for (const std::string& sentence : stuck) console.err << "collscope: " << sentence << '\n';
    return stuck.empty() ? done : checkFailed;
}

}  // namespace app::cli
