// SPDX-License-Identifier: BSD-3-Clause
// replay: a recorded program again, in virtual time.
#include "app/cli/files.hpp"
#include "app/cli/json.hpp"
#include "app/cli/summary.hpp"
#include "app/cli/tables.hpp"
#include "app/cli/verbs.hpp"
#include "app/session/replaying.hpp"
#include "emulation/replay/goal.hpp"
#include "engine/error.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace app::cli {
namespace {

using engine::Picoseconds;
using engine::seconds;
using engine::text;

/// A share below this is not told in percent.
constexpr double smallestTold = 1e-5;

/// "19.3", "36,707,204".
std::string multiple(double number) {
    constexpr double exactly = 100;
    return number < exactly ? engine::showNumber(number, 3) : counted(std::llround(number));
}

/// "2.5 % more than recorded", "4 times as long as recorded".
std::string against(Picoseconds time, Picoseconds other, std::string_view what) {
    if (time == other) return text("as long as ", what);
    const char* const way = time > other ? " more than " : " less than ";
    const Picoseconds difference = time > other ? time - other : other - time;
    const double share = static_cast<double>(difference.count()) / static_cast<double>(other.count());
    if (other.count() == 0 || share < smallestTold) return text(engine::showTime(difference), way, what);
    if (time > other && share >= 2) return text(multiple(share + 1), " times as long as ", what);
    return text(percent(share), way, what);
}

/// `origin`: where the model comes from, where its name does not say so.
std::string conditionsIn(const ReplayedRun& run, std::string_view origin) {
    const engine::Model model = engine::modelFromText(run.model);
    const bool isSaid = origin.empty() || origin == model.name;
    return text("network ", run.network, ", ", modelWords(model), isSaid ? "" : "; ", isSaid ? "" : origin);
}

/// "2.5 % more", "1 % less", "none".
std::string off(double share) {
    if (share == 0) return "none";
    const char* const way = share > 0 ? " more" : " less";
    return std::abs(share) < smallestTold ? text("under ", percent(smallestTold), way)
                                          : text(percent(std::abs(share)), way);
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
    return result.messages == 0 ? "none"
                                : text(counted(result.messages), ", ", engine::showBytes(result.bytes), " in all");
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
              {"error_beside_computing_share",
               replaying.errorBesideComputing ? Json(*replaying.errorBesideComputing) : Json{}},
              {"replayed", replayJson(replaying.asRecorded)},
              {"changed", replaying.changed ? replayJson(*replaying.changed) : Json{}}};
    Json& tables = json["tables"] = Json::object();
    for (const engine::Table* table : chosen(replaying, arguments.tables)) tables[table->name] = tableJson(*table);
    Json& remarks = json["remarks"] = Json::array();
    for (const std::string& remark : replaying.remarks) remarks.push_back(spoken(remark));
    console.out << json.dump(2, ' ', false, lenient) << '\n';
}

/// Before long work: whether the archive could be written there. One that is named by its anchor is never replaced.
void requireArchiveFits(const std::filesystem::path& target, traces::Overwrite overwrite) {
    if (target.extension() != ".otf2") return traces::requireWritable(target, overwrite);
    if (std::filesystem::exists(target))
        throw engine::Error{text("--trace: ", target.string(), " is there already; choose another name")};
}

}  // namespace

int replayTrace(const Arguments& arguments, const Console& console) {
    const std::string& path = wordsOf(arguments, 1, 1, "replay TRACE")[0];
    const std::string format = chosenFormat(arguments, {"text", "json", "csv"});
    if (format == "csv" && (!arguments.tables || arguments.tables->find(',') != std::string::npos))
        throw engine::Error{"--format csv holds one table; name it with --tables"};
    const ReplayWish wish{.asked = arguments.asked,
                          .with = arguments.with,
                          .ownTime = {arguments.compute, arguments.without, arguments.even},
                          .kept = arguments.trace.has_value()};
    const auto overwrite = arguments.force ? traces::Overwrite::replace : traces::Overwrite::refuse;
    if (arguments.trace) requireArchiveFits(*arguments.trace, overwrite);
    if (arguments.goal) requireFree(*arguments.goal, arguments.force, "--goal");
    if (arguments.goal && arguments.trace &&
        std::filesystem::weakly_canonical(*arguments.goal) == std::filesystem::weakly_canonical(*arguments.trace))
        throw engine::Error{"--trace and --goal name the same file; choose another name for one of them"};
    const Trace trace = [&] {
        ProgressLine line{console, "reading"};
        return app::openTrace(path, readClocks(arguments), line.progress(), readOpening(arguments));
    }();
    if (arguments.trace && trace.own() && std::filesystem::path{*arguments.trace}.extension() == ".otf2")
        throw engine::Error{
            text("--trace: a run of Collscope is recorded in a folder; choose a name without .otf2 in place of ",
                 *arguments.trace)};
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
    if (arguments.trace && stuck.empty()) {
        {
            ProgressLine line{console, "writing the trace"};
            writeReplayed(replaying, *arguments.trace, overwrite, line.progress());
        }
        if (format == "text")
            console.out << "\nrecorded in " << *arguments.trace << "; collscope open or collscope view show it\n";
    }
    if (arguments.goal) {
        ProgressLine line{console, "writing GOAL"};
        writeFile(*arguments.goal, existing(arguments.force), console.around.stop,
                  [&](std::ostream& out) { emulation::writeGoal(replaying.program, out, line.progress()); });
    }
    if (arguments.goal && format == "text") console.out << "\nwrote " << *arguments.goal << '\n';
    return stuck.empty() ? done : checkFailed;
}

}  // namespace app::cli
