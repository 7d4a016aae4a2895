// SPDX-License-Identifier: BSD-3-Clause
// tune placement TRACE: an order of ranks with less traffic between hosts.
#include "app/analysis/format/cell_format.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/printable.hpp"
#include "app/cli/output/text_layout.hpp"
#include "app/cli/tune/tune_command.hpp"
#include "app/cli/tune/tune_report.hpp"
#include "app/session/tune/placement.hpp"
#include "engine/base/error.hpp"
#include "engine/base/median.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace app::cli {

using engine::Error;
using engine::text;

namespace {

/// Of the new order: "1.4x faster", "2x slower" or "equal".
std::string comparison(engine::Picoseconds before, engine::Picoseconds after) {
    if (before == after) return "equal";
    const std::string word = after < before ? "faster" : "slower";
    const auto [least, most] = std::minmax({before, after});
    if (least.count() <= 0) return word;
    return text(engine::showNumber(engine::seconds(most) / engine::seconds(least), 3), "x ", word);
}

}  // namespace

int placeRanks(const Arguments& arguments, const Console& console) {
    constexpr const char* usage = "tune placement TRACE --hosts FILE";
    const std::string& path = wordsOf(arguments, 2, 2, usage)[1];
    const std::string format = chosenFormat(arguments, {"text", "json"});
    if (!arguments.hosts) throw Error{text("--hosts is missing; write collscope ", usage)};
    constexpr std::int64_t most = std::int64_t{1} << 24;
    std::vector<tune::Host> hosts = tune::hostsFrom(
        engine::contentOf(*arguments.hosts, most, text("--hosts: cannot read '", *arguments.hosts, "'")),
        *arguments.hosts);
    const std::string rankfile = arguments.output.value_or("ranks.rankfile");
    const std::string list = std::filesystem::path{rankfile}.replace_extension(".hosts").string();
    if (list == rankfile)
        throw Error{text("--output ", rankfile,
                         ": the host list of MPICH is written to this name; choose another ending, ",
                         "such as .rankfile")};
    for (const std::string& one : {rankfile, list}) requireFree(one, arguments.force);
    const auto repeats =
        static_cast<std::int32_t>(engine::readInteger(arguments.repeats.value_or("3"), "--repeat", 1, 1000));
    const std::chrono::seconds mostOfRun{
        engine::readInteger(arguments.seconds.value_or("600"), "--seconds", 1, 1'000'000)};
    const tune::Placement made = [&] {
        ProgressLine line{console, "placing"};
        const Trace trace =
            analysis::openTrace(path, analysis::Clocks::fittedWhereNeeded, analysis::within(line.progress(), 0, 0.3));
        return tune::placementFor(trace, std::move(hosts), arguments.asked, analysis::within(line.progress(), 0.3, 1));
    }();
    Specification asked;
    take(asked, arguments.asked);
    const std::vector<std::string> levels = tune::levelNames(made.hosts);
    if (made.isBetter()) {  // before the program runs, which may fail
        writeFile(rankfile, existing(arguments.force), console.around.stop,
                  [&](std::ostream& out) { out << tune::asRankfile(made.hosts, made.after); });
        writeFile(list, existing(arguments.force), console.around.stop,
                  [&](std::ostream& out) { out << tune::asHostList(made.hosts, made.after); });
    }
    const bool measures = arguments.check.has_value() && made.isBetter();
    const tune::ProgramTimes times = [&] {
        if (!measures) return tune::ProgramTimes{};
        ProgressLine line{console, "running the program"};
        return tune::measured(made, *arguments.check, asked.launcher.lab, repeats, mostOfRun, line.progress());
    }();
    std::vector<std::string> remarks = made.remarks;
    if (measures && made.emulatedAfter < made.emulatedBefore &&
        engine::median(times.after) > engine::median(times.before))
        remarks.emplace_back("The measurement contradicts the emulation: the new order is slower.");
    if (format == "json") {
        Json rows = Json::array();
        for (std::size_t i = 0; i < levels.size(); ++i)
            rows.push_back(
                {{"level", levels[i]}, {"bytes_before", made.bytesBefore[i]}, {"bytes_after", made.bytesAfter[i]}});
        Json order = Json::array();
        for (const std::int32_t host : made.after) order.push_back(made.hosts[static_cast<std::size_t>(host)].name);
        console.out << Json{{"trace", path},
                            {"levels", rows},
                            {"hosts", order},
                            {"better", made.isBetter()},
                            {"network", made.network},
                            {"emulated_before_s", engine::seconds(made.emulatedBefore)},
                            {"emulated_after_s", engine::seconds(made.emulatedAfter)},
                            {"measured_before_s", inSeconds(times.before)},
                            {"measured_after_s", inSeconds(times.after)},
                            {"remarks", remarks}}
                           .dump(2, ' ', false, lenient)
                    << '\n';
        return done;
    }
    Table table{{Align::left, Align::right, Align::right, Align::right}, 2};
    table.row({"traffic", "in file order", "in the new order", "change"});
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const auto old = static_cast<double>(made.bytesBefore[i]);
        table.row({levels[i], engine::showBytes(made.bytesBefore[i]), engine::showBytes(made.bytesAfter[i]),
                   old > 0 ? text(made.bytesAfter[i] >= made.bytesBefore[i] ? "+" : "-",
                                  analysis::percent(std::abs(static_cast<double>(made.bytesAfter[i]) - old) / old))
                           : std::string{"-"}});
    }
    const auto printRemarks = [&] {
        for (const std::string& remark : remarks)
            for (const std::string& line : wrapped(spoken(remark), lineWidth)) console.out << line << '\n';
        console.out << '\n';
    };
    if (!made.isBetter()) {
        console.out << "No order was found with less traffic between hosts than the order of the file.\n";
        if (arguments.output) console.out << rankfile << " and " << list << " were not written.\n";
        printRemarks();
        table.write(console.out);
        return done;
    }
    console.out << "Emulated on " << made.network << ": " << engine::showTime(made.emulatedBefore) << " in file order, "
                << engine::showTime(made.emulatedAfter) << " in the new order ("
                << comparison(made.emulatedBefore, made.emulatedAfter) << ").\n";
    if (measures) {
        const engine::Picoseconds old = engine::median(times.before);
        const engine::Picoseconds now = engine::median(times.after);
        console.out << "Measured, " << times.before.size() << " runs in each order in turn: " << engine::showTime(old)
                    << " in file order, " << engine::showTime(now) << " in the new order (" << comparison(old, now)
                    << "; medians).\n";
    }
    printRemarks();
    table.write(console.out);
    console.out << "\nmpirun --rankfile " << rankfile << " ...\nmpiexec.mpich -f " << list << " ...\n\nwrote "
                << rankfile << ", " << list << '\n';
    return done;
}

}  // namespace app::cli
