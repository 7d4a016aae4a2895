// SPDX-License-Identifier: BSD-3-Clause
// rollcall: who is missing in a program that hangs.
#include "app/analysis/training/hang.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/nccl_log.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/tables.hpp"
#include "engine/base/text.hpp"
#include "engine/live/hang_diagnosis/hang_diagnosis.hpp"

#include <sstream>

namespace app::cli {
namespace {

using engine::live::CommunicatorInCall;
using engine::live::HangDiagnosis;
using engine::live::ProcessesInCall;

Json gatheredJson(const std::vector<ProcessesInCall>& groups) {
    Json rows = Json::array();
    for (const ProcessesInCall& group : groups)
        rows.push_back({{"ranks", group.processes},
                        {"missing", group.missing},
                        {"within", group.within},
                        {"polls", group.polls},
                        {"call", orNull(group.call)},
                        {"communicator", orNull(group.communicator)},
                        {"file", orNull(group.file)},
                        {"sequence", orNull(group.sequence)},
                        {"root", orNull(group.root)},
                        {"peer", orNull(group.peer)},
                        {"tag", orNull(group.tag)},
                        {"count", orNull(group.count)},
                        {"sent_bytes", orNull(group.sent)},
                        {"received_bytes", orNull(group.received)},
                        {"request", orNull(group.request)},
                        {"awaits", orNull(group.awaits)},
                        {"operation", orNull(group.operation)},
                        {"place", orNull(group.place)}});
    return rows;
}

std::string_view wordOf(analysis::HangSide::Did did) {
    switch (did) {
        case analysis::HangSide::Did::nothing: return "not called";
        case analysis::HangSide::Did::scheduled: return "scheduled";
        case analysis::HangSide::Did::started: return "started";
        case analysis::HangSide::Did::completed: return "completed";
    }
    return {};
}

Json hangJson(const analysis::Hang& hang) {
    Json sides = Json::array();
    for (const analysis::HangSide& side : hang.sides)
        sides.push_back({{"ranks", side.ranks},
                         {"state", wordOf(side.did)},
                         {"call", orNull(side.call)},
                         {"sequence", side.sequence < 0 ? Json() : Json(side.sequence)},
                         {"frames", side.frames}});
    return {{"group", hang.group},        {"description", orNull(hang.description)},
            {"members", hang.members},    {"without_dump", hang.withoutDump},
            {"sequence", hang.sequence},  {"kind", name(hang.kind)},
            {"why", orNull(hang.why)},    {"sides", sides},
            {"transfers", hang.transfers}};
}

/// Of a training job.
int rollCallOfDumps(const std::string& path, const std::string& format, const Console& console) {
    const analysis::HangReport report = analysis::hangReport(traces::flight::readDumps(path));
    if (format == "json") {
        Json hangs = Json::array();
        for (const analysis::Hang& hang : report.hangs) hangs.push_back(hangJson(hang));
        const Json json{{"ranks", report.ranks}, {"version", orNull(report.version)}, {"entries", report.entries},
                        {"hangs", hangs},        {"transfers", report.transfers},     {"remarks", report.remarks}};
        console.out << json.dump(2, ' ', false, lenient) << '\n';
        return done;
    }
    bool first = true;
    for (const std::string& line : linesOf(report)) {
        console.out << (first || line.starts_with(' ') ? line : console.paint(Tone::strong, line)) << '\n';
        first = false;
    }
    return done;
}

/// Fewer of each rank where there are many ranks.
void writeLastCalls(const std::vector<traces::flight::Dump>& dumps, const Console& console) {
    constexpr std::size_t mostShown = 5, rows = 60;
    const std::size_t each =
        std::max<std::size_t>(1, std::min(mostShown, rows / std::max<std::size_t>(1, dumps.size())));
    writeText(analysis::lastCalls(dumps, each), console, rows);
}

}  // namespace

int openDumps(const std::string& path, const std::string& format, const Console& console) {
    const std::vector<traces::flight::Dump> dumps = traces::flight::readDumps(path);
    constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
    if (format == "csv") {
        analysis::writeCsv(analysis::lastCalls(dumps, all), console.out);
        return done;
    }
    if (format == "json") {
        console.out << tableJson(analysis::lastCalls(dumps, all)).dump(2, ' ', false, lenient) << '\n';
        return done;
    }
    const analysis::HangReport report = analysis::hangReport(dumps);
    const std::vector<std::string> lines = analysis::linesOf(report);
    console.out << console.paint(Tone::strong, lines.front()) << '\n';
    if (report.hangs.empty()) console.out << lines[1] << '\n';
    for (const analysis::Hang& hang : report.hangs)
        console.out << "process group " << hang.group << ", sequence number " << hang.sequence << ": "
                    << name(hang.kind) << '\n';
    console.out << '\n';
    writeLastCalls(dumps, console);
    console.out << '\n'
                << console.paint(Tone::faint,
                                 "collscope rollcall names the ranks that others wait for; --format csv has all calls")
                << '\n';
    return done;
}

std::optional<std::string> readReport(const std::filesystem::path& path) {
    const std::string name = path.string();
    const bool areDumps = traces::flight::isDumps(path);
    if (!areDumps && !nccl::isLog(name)) return std::nullopt;
    std::ostringstream words;
    const Surroundings around;
    const Console console{words, words, around, Paint{}};
    if (areDumps) {
        rollCallOfDumps(name, "text", console);
        words << '\n';
        writeLastCalls(traces::flight::readDumps(path), console);
    } else {
        nccl::openLog(name, "text", console);
    }
    return std::move(words).str();
}

int rollCall(const Arguments& arguments, const Console& console) {
    const std::string folder = wordsOf(arguments, 1, 1, "rollcall FOLDER")[0];
    const std::string format = chosenFormat(arguments, {"text", "json"});
    if (traces::flight::isDumps(folder)) return rollCallOfDumps(folder, format, console);
    const HangDiagnosis roll = engine::live::diagnoseHang(folder);
    if (format == "json") {
        Json communicators = Json::array();
        for (const CommunicatorInCall& entry : roll.communicators)
            communicators.push_back({{"name", entry.communicator},
                                     {"of", orNull(entry.of)},
                                     {"ranks", entry.members},
                                     {"everyone_entered", entry.everyoneEntered},
                                     {"mistakes", entry.mistakes},
                                     {"groups", gatheredJson(entry.processes)}});
        const Json json{{"ranks", roll.processes},
                        {"communicators", communicators},
                        {"circles", roll.circles},
                        {"endings", roll.endings},
                        {"elsewhere", gatheredJson(roll.elsewhere)}};
        console.out << json.dump(2, ' ', false, lenient) << '\n';
        return done;
    }
    bool first = true;
    for (const std::string& line : engine::live::linesOf(roll)) {
        console.out << (first || line.starts_with(' ') ? line : console.paint(Tone::strong, line)) << '\n';
        first = false;
    }
    return done;
}

}  // namespace app::cli
