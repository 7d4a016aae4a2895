// SPDX-License-Identifier: BSD-3-Clause
// library: which algorithms an MPI library chooses, as a map, and how two maps differ.
#include "app/analysis/format/csv.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/printable.hpp"
#include "app/cli/output/text_layout.hpp"
#include "app/cli/tune/library_picture.hpp"
#include "app/cli/tune/measured_cases.hpp"
#include "app/cli/tune/tune_command.hpp"
#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <filesystem>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;
using tune::LibraryCase;
using tune::LibraryMap;

constexpr const char* usageOfLibrary = "library [COLLECTIVE,...|MAP.csv [MAP.csv]]";
constexpr const char* usualCalls =
    "allreduce,bcast,allgather,alltoall,reduce,gather,scatter,barrier,reduce_scatter,reduce_scatter_block";

bool isMapFile(const std::string& word) { return std::filesystem::path{word}.extension() == ".csv"; }

LibraryMap mapIn(const std::string& path) {
    constexpr std::int64_t most = std::int64_t{1} << 28;
    return tune::libraryMapFrom(engine::contentOf(path, most, text("cannot read '", path, "'")), path);
}

/// "2..7" of neighbouring rows.
std::string rangeWords(std::int64_t from, std::int64_t to) { return from == to ? text(from) : text(from, "..", to); }
std::string sizeWords(engine::Bytes from, engine::Bytes to) {
    return from == to ? engine::showBytes(from) : text(engine::showBytes(from), "..", engine::showBytes(to));
}

/// A letter for each case, with as many sizes in a block as a line holds.
void writeGrid(const LibraryGrid& grid, const Console& console) {
    constexpr std::size_t most = 10;
    for (std::size_t begin = 0; begin < grid.sizes.size(); begin += most) {
        const std::size_t end = std::min(begin + most, grid.sizes.size());
        Table table{std::vector<Align>(end - begin + 1, Align::left), 2};
        std::vector<std::string> head{"ranks"};
        for (std::size_t c = begin; c < end; ++c) head.push_back(sizeHeading(grid, c));
        table.row(std::move(head));
        for (std::size_t r = 0; r < grid.ranks.size();) {
            std::size_t last = r;
            while (last + 1 < grid.ranks.size() && grid.at[last + 1] == grid.at[r]) ++last;
            std::vector<std::string> row{rangeWords(grid.ranks[r], grid.ranks[last])};
            for (std::size_t c = begin; c < end; ++c) row.push_back(grid.at[r][c] ? letterOf(*grid.at[r][c]) : "");
            table.row(std::move(row));
            r = last + 1;
        }
        table.write(console.out);
    }
    Table legend{{Align::left, Align::left, Align::left}, 2};
    for (std::size_t i = 0; i < grid.algorithms.size(); ++i) {
        const LibraryGrid::Algorithm& one = grid.algorithms[i];
        std::string messages;
        if (one.catalogue.empty())
            messages = one.uncompared == one.cases ? "messages not compared with the catalogue"
                                                   : "no algorithm of the catalogue has similar messages";
        else if (one.differing == 0) messages = text("messages of ", one.catalogue);
        else
            messages = text("closest: ", one.catalogue, "; other messages in ", one.differing, " of ", one.cases,
                            one.cases == 1 ? " case" : " cases");
        legend.row({letterOf(i), visibleName(one.name), visibleName(messages)});
    }
    legend.write(console.out);
}

Json caseJson(const LibraryCase& one) {
    return {{"collective", one.collective},
            {"ranks", one.ranks},
            {"bytes", one.bytes},
            {"executed", orNull(one.executed)},
            {"catalogue", orNull(one.catalogue)},
            {"differs", orNull(one.differs)},
            {"asked", orNull(one.asked)},
            {"instead", orNull(one.instead)},
            {"messages", one.messages}};
}

/// The map as --format asks for it; in text what ran in place of the requested algorithm is listed too.
void writeMap(const LibraryMap& map, const std::string& format, const Console& console) {
    if (format == "csv") {
        console.out << toCsv(map);
        return;
    }
    if (format == "json") {
        Json cases = Json::array();
        for (const LibraryCase& one : map.cases) cases.push_back(caseJson(one));
        console.out << Json{{"library", map.library}, {"cases", cases}, {"remarks", map.remarks}}.dump(2, ' ', false,
                                                                                                       lenient)
                    << '\n';
        return;
    }
    console.out << console.paint(Tone::strong, visibleName(map.library)) << ": "
                << analysis::counted(static_cast<std::int64_t>(map.cases.size()), "case") << ", each called once\n";
    const std::vector<LibraryGrid> grids = gridsOf(map, namingOf(map));
    for (const LibraryGrid& grid : grids) {
        console.out << '\n' << console.paint(Tone::strong, visibleName(grid.collective)) << '\n';
        writeGrid(grid, console);
    }
    std::vector<std::string> remarks = map.remarks;
    const auto anyShown = [&](const auto& isShown) {
        return std::ranges::any_of(
            grids, [&](const LibraryGrid& grid) { return std::ranges::any_of(grid.algorithms, isShown); });
    };
    if (anyShown([](const auto& one) { return one.name.find(" + ") != std::string::npos; }))
        remarks.emplace_back("X + Y: the library chose X, which called Y");
    if (anyShown([](const auto& one) { return one.catalogue.ends_with(optionsVary); }))
        remarks.emplace_back("options vary: the options of the algorithm differ between the cases of this letter");
    for (const LibraryCase& one : map.cases) {
        if (one.instead.empty()) continue;
        std::string words = text(one.collective, ": ", one.asked, " was requested, and ", one.instead);
        if (std::ranges::find(remarks, words) == remarks.end()) remarks.push_back(std::move(words));
    }
    if (!remarks.empty()) console.out << '\n';
    for (const std::string& remark : remarks)
        for (const std::string& line : wrapped(spoken(remark), lineWidth)) console.out << line << '\n';
}

void writeComparison(const std::vector<std::string>& files, const std::vector<LibraryMap>& maps,
                     const std::string& format, const Console& console) {
    const tune::LibraryComparison found = compared(maps[0], maps[1]);
    if (format == "json") {
        Json rows = Json::array();
        for (const tune::LibraryChange& one : found.changes)
            rows.push_back({{"collective", one.collective},
                            {"ranks_from", one.ranksFrom},
                            {"ranks_to", one.ranksTo},
                            {"bytes_from", one.bytesFrom},
                            {"bytes_to", one.bytesTo},
                            {"a", one.before},
                            {"b", one.after}});
        console.out << Json{{"a", maps[0].library},     {"b", maps[1].library}, {"common", found.common},
                            {"changed", found.changed}, {"alone", found.alone}, {"changes", rows}}
                           .dump(2, ' ', false, lenient)
                    << '\n';
        return;
    }
    if (format == "csv") {
        console.out << "collective,ranks_from,ranks_to,bytes_from,bytes_to,a,b\n";
        for (const tune::LibraryChange& one : found.changes)
            console.out << analysis::csvCell(one.collective) << ',' << one.ranksFrom << ',' << one.ranksTo << ','
                        << one.bytesFrom << ',' << one.bytesTo << ',' << analysis::csvCell(one.before) << ','
                        << analysis::csvCell(one.after) << '\n';
        return;
    }
    console.out << "A: " << visibleName(maps[0].library) << " (" << visibleName(files[0])
                << ")\nB: " << visibleName(maps[1].library) << " (" << visibleName(files[1]) << ")\n";
    console.out << console.paint(Tone::strong,
                                 text(found.changed, " of ", analysis::counted(found.common, "common case"),
                                      found.changed == 1 ? " differs" : " differ"))
                << (found.alone > 0 ? text("; ", analysis::counted(found.alone, "case"), " in one map alone") : "")
                << '\n';
    if (found.changes.empty()) return;
    console.out << '\n';
    Table table{{Align::left, Align::left, Align::left, Align::left, Align::left}, 2};
    table.row({"collective", "ranks", "bytes", "A", "B"});
    for (const tune::LibraryChange& one : found.changes)
        table.row({visibleName(one.collective), rangeWords(one.ranksFrom, one.ranksTo),
                   sizeWords(one.bytesFrom, one.bytesTo), visibleName(one.before), visibleName(one.after)});
    table.write(console.out);
}

LibraryMap recorded(const Arguments& arguments, const Console& console) {
    if (console.around.live)
        throw Error{text("library starts its own processes: leave out mpirun, or pass it as ", engine::field::mpirun)};
    Specification asked;
    take(asked, arguments.asked);
    const tune::LibraryMapWish wish{.calls = callsFrom(arguments.words.empty() ? usualCalls : arguments.words[0]),
                                    .ranks = ranksFrom(arguments.processes.value_or("2..16")),
                                    .sizes = sizesFrom(arguments.sizes.value_or("4..4MiB"))};
    const bool haveSizes =
        std::ranges::any_of(wish.calls, [](engine::live::Called one) { return one != engine::live::Called::barrier; });
    console.err << "collscope: calling "
                << analysis::counted(static_cast<std::int64_t>(wish.calls.size()), "collective") << " on "
                << wish.ranks.front() << " to " << wish.ranks.back() << " ranks"
                << (haveSizes
                        ? text(", each with ", analysis::counted(static_cast<std::int64_t>(wish.sizes.size()), "size"))
                        : std::string{})
                << "; fewer with library COLLECTIVES, -n and --sizes\n";
    ProgressLine line{console, "calling"};
    return tune::libraryMap(wish, launchFor(asked.launcher, console), line.progress());
}

}  // namespace

int library(const Arguments& arguments, const Console& console) {
    const std::string format = chosenFormat(arguments, {"text", "csv", "json"});
    const auto& words = wordsOf(arguments, 0, 2, usageOfLibrary);
    const bool fromFiles = !words.empty() && isMapFile(words[0]);
    if (words.size() == 2 && !(fromFiles && isMapFile(words[1])))
        throw Error{text("library: two words must be two maps that end in .csv; write collscope ", usageOfLibrary)};
    if (fromFiles && (arguments.processes || arguments.sizes))
        throw Error{"library: --ranks and --sizes are for new maps; leave them out with MAP.csv"};
    for (const char* key : {"mpirun", "hostfile", "lab"})
        if (fromFiles && arguments.asked.has(key))
            throw Error{text("library: ", engine::Field{key}, " is for new maps; leave it out with MAP.csv")};
    const std::string ending = arguments.output ? std::filesystem::path{*arguments.output}.extension().string() : "";
    if (arguments.output) {
        if (ending != ".csv" && ending != ".svg")
            throw Error{text("--output: ", *arguments.output, " must end in .csv or .svg")};
        if (ending == ".csv" && words.size() == 2)
            throw Error{"--output: a comparison is drawn as .svg; --format csv prints it as a table"};
        requireFree(*arguments.output, arguments.force);
    }
    std::vector<LibraryMap> maps;
    if (!fromFiles) maps.push_back(recorded(arguments, console));
    else
        for (const std::string& word : words) maps.push_back(mapIn(word));
    if (arguments.output) {
        const tune::Naming naming = maps.size() == 2 ? namingOf(maps[0], maps[1]) : namingOf(maps[0]);
        const std::string content = ending == ".csv" ? toCsv(maps[0]) : librarySvg(maps, naming);
        writeFile(*arguments.output, existing(arguments.force), console.around.stop,
                  [&](std::ostream& out) { out << content; });
        console.err << "wrote " << *arguments.output << '\n';
    }
    if (maps.size() == 2) writeComparison(words, maps, format, console);
    else writeMap(maps[0], format, console);
    return done;
}

}  // namespace app::cli
