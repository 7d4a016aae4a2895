// SPDX-License-Identifier: BSD-3-Clause
// bench: the speed of this machine, beside the peers installed on it.
#include "app/cli/commands.hpp"
#include "app/cli/output/json.hpp"
#include "app/session/run/simulator_benchmark.hpp"
#include "engine/base/text.hpp"

#include <cstdio>
#include <cstdlib>

namespace app::cli {
namespace {

using engine::text;

/// Three digits, as "1.23e+08" where the number is long.
std::string rough(double number) {
    char words[32];
    std::snprintf(words, sizeof words, "%.3g", number);
    return words;
}

double perSecond(const Speed& speed) { return static_cast<double>(speed.messages) / speed.simgrid->cpuSeconds; }

std::string peerWords(const Speed& speed) {
    if (!speed.simgrid) return "";
    const bool agrees = std::abs((speed.simgrid->time - speed.time).count()) <= 1000;
    return text(rough(perSecond(speed)), agrees ? "" : ", another time");
}

Json speedJson(const Speed& speed) {
    Json row{{"case", speed.what.name},        {"command", speed.what.command},
             {"messages", speed.messages},     {"cpu_s", speed.cpuSeconds},
             {"messages_per_s", speed.rate()}, {"time_s", static_cast<double>(speed.time.count()) * 1e-12},
             {"goal", speed.what.goal},        {"reached", speed.reached()}};
    row["times_one_thread"] = speed.gain ? Json(*speed.gain) : Json{};
    row["peak_mebibytes"] = speed.mebibytes ? Json(*speed.mebibytes) : Json{};
    row["simgrid_cpu_s"] = speed.simgrid ? Json(speed.simgrid->cpuSeconds) : Json{};
    row["simgrid_messages_per_s"] = speed.simgrid ? Json(perSecond(speed)) : Json{};
    row["simgrid_time_s"] = speed.simgrid ? Json(static_cast<double>(speed.simgrid->time.count()) * 1e-12) : Json{};
    return row;
}

void writeSpeedsCsv(const std::vector<Speed>& all, const Console& console) {
    console.out
        << "case,command,messages,cpu_s,messages_per_s,peak_mebibytes,goal,reached,simgrid_messages_per_s,times_one_thread\n";
    for (const Speed& speed : all)
        console.out << '"' << speed.what.name << "\",\"" << speed.what.command << "\"," << speed.messages << ','
                    << speed.cpuSeconds << ',' << speed.rate() << ','
                    << (speed.mebibytes ? rough(*speed.mebibytes) : "") << ",\"" << speed.what.goal << "\","
                    << (speed.reached() ? "yes" : "no") << ',' << (speed.simgrid ? rough(perSecond(speed)) : "") << ','
                    << (speed.gain ? rough(*speed.gain) : "") << '\n';
}

void writeTable(const std::vector<Speed>& all, Length length, const Console& console) {
    bool peers = false;
    Table table{{Align::left, Align::right, Align::right, Align::right, Align::right, Align::left, Align::left}, 0};
    table.row({"case", "messages", "CPU s", "msg/s", "MiB", "SimGrid msg/s", "goal"});
    for (const Speed& speed : all) {
        peers = peers || speed.simgrid;
        const bool judged = speed.what.whole || speed.what.rate > 0 || speed.gain;
        const std::string verdict = !judged ? "" : speed.reached() ? ": reached" : ": missed";
        table.row({speed.what.name, analysis::counted(speed.messages), rough(speed.cpuSeconds), rough(speed.rate()),
                   speed.mebibytes ? rough(*speed.mebibytes) : "", peerWords(speed),
                   text(speed.what.goal, verdict, speed.gain ? text(", ", rough(*speed.gain)) : "")});
    }
    table.write(console.out);
    console.out
        << "\nOne thread unless a number is given. MiB: peak memory of the program; msg/s: messages per CPU second.\n";
    if (length == Length::quick)
        console.out << "These are short runs; without --quick the goals in seconds are judged, too.\n";
    if (!peers) console.out << "SimGrid was not found, or did not run; Debian's package is libsimgrid-dev.\n";
    console.out << "collscope bench --format json shows the command of each case.\n";
}

}  // namespace

int bench(const Arguments& arguments, const Console& console) {
    wordsOf(arguments, 0, 0, "bench [--quick]");
    const std::string format = chosenFormat(arguments, {"text", "json", "csv"});
    const Length length = arguments.quick ? Length::quick : Length::whole;
    const std::vector<Speed> all = [&] {
        ProgressLine line{console, "timing"};
        return measureSpeed(length, line.progress());
    }();
    if (format == "json") {
        Json rows = Json::array();
        for (const Speed& speed : all) rows.push_back(speedJson(speed));
        console.out << Json{{"quick", arguments.quick}, {"cases", rows}}.dump(2, ' ', false, lenient) << '\n';
    } else if (format == "csv") {
        writeSpeedsCsv(all, console);
    } else {
        writeTable(all, length, console);
    }
    return done;
}

}  // namespace app::cli
