// SPDX-License-Identifier: BSD-3-Clause
// open: the first page and the tables of a trace.
#include "app/analysis/selection/partial_runs.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/nccl_log.hpp"
#include "app/cli/open/first_page_output.hpp"
#include "app/cli/open/open_tables.hpp"
#include "app/cli/open/requirement.hpp"
#include "app/cli/output/run_summary.hpp"
#include "engine/base/processors.hpp"
#include "engine/base/text.hpp"
#include "traces/flight_recorder/dump.hpp"
#include "traces/recording/archive.hpp"

#include <algorithm>
#include <cmath>

#include <malloc.h>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

/// Before a trace is read that takes more than a moment: how much it is, and what it takes.
void announce(const traces::Expected& expected, const traces::Opening& opening, const Console& console) {
    constexpr double moment = 0.3;
    if (expected.coreSeconds < moment) return;
    const auto shown = [](std::uint64_t bytes) { return engine::showBytes(static_cast<engine::Bytes>(bytes)); };
    // One figure of it: it is a guess.
    const int cores = std::min(expected.cores, engine::processors());
    const double seconds = expected.coreSeconds / cores;
    const double ten = std::pow(10.0, std::floor(std::log10(std::max(seconds, 1e-3))));
    console.err << "collscope: reading ";
    if (expected.events > 0)
        console.err << analysis::counted(static_cast<std::int64_t>(expected.events), "event") << ", ";
    const bool spills = expected.inFiles && expected.memory > opening.memory.bytes;
    console.err << shown(expected.eventBytes) << ": some " << engine::showNumber(std::round(seconds / ten) * ten, 4)
                << (cores == engine::processors() ? std::string{" s on all cores"}
                                                  : text(" s on ", cores, cores == 1 ? " core" : " cores"))
                << ", and " << shown(spills ? opening.memory.bytes : expected.memory) << " of memory"
                << (spills ? " with what is beyond it in files (--memory)" : "") << '\n';
}

/// Blocks of some megabytes go back to the system when they are freed. Else the allocator learns from the first of them
/// to keep such blocks for others, which are rarely of their size: an eighth more memory for a trace of 10^7 events.
void keepNoLargeBlocks() {
    ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

}  // namespace

int openTrace(const Arguments& arguments, const Console& console) {
    const std::string& path = wordsOf(arguments, 1, 1, "open TRACE")[0];
    const std::string format = chosenFormat(arguments, {"text", "json", "csv"});
    const bool isDump = traces::flight::isDumps(path);
    if (isDump || nccl::isLog(path)) {
        if (arguments.tables || arguments.sql || !arguments.require.empty() || !readAnswerWish(arguments).asksForAll())
            throw Error{text(path, isDump ? " contains Flight Recorder dumps" : " is a debug log of NCCL",
                             ", which has no tables and no parts; leave out all options but --format")};
        return isDump ? openDumps(path, format, console) : nccl::openLog(path, format, console);
    }
    const std::vector<const analysis::TableDefinition*> list =
        arguments.tables ? chosenTables(*arguments.tables) : std::vector<const analysis::TableDefinition*>{};
    if (arguments.sql && arguments.tables) throw Error{"--sql selects from all tables; leave out --tables"};
    if (arguments.limit && !arguments.sql)
        throw Error{"--limit sets the number of rows of --sql; leave it out without --sql"};
    std::vector<Requirement> requirements;
    for (const std::string& words : arguments.require) requirements.push_back(readRequirement(words));
    const analysis::AnalysisOptions wish = readAnswerWish(arguments);
    const analysis::Clocks clocks = readClocks(arguments);
    if (console.around.crew != nullptr && !console.around.crew->leads()) {
        traces::helpReading(path, *console.around.crew, readOpening(arguments).memory);
        return done;
    }
    keepNoLargeBlocks();
    traces::Opening opening = readOpening(arguments);
    opening.crew = console.around.crew;
    opening.before = [&](const traces::Expected& expected) { announce(expected, opening, console); };
    const Trace trace = [&] {
        ProgressLine line{console, "reading"};
        // Tables look at the recording's messages: of another tool's trace the run is for its sums, unless it is
        // written itself.
        const bool writesRun = list.empty() && !arguments.sql && format != "text";
        const auto most = static_cast<std::int64_t>(analysis::roomWithin(opening.memory.bytes, 0).messages);
        const bool page = list.empty() && !arguments.sql && format == "text";
        Trace read = analysis::openTrace(path, clocks, line.progress(), opening,
                                         writesRun ? std::min(most, engine::RunBuilder::defaultBudget) : 0,
                                         page ? traces::BusyRanks::leftOut : traces::BusyRanks::told);
        if (list.empty() && !arguments.sql)
            read.most = analysis::roomWithin(opening.memory.bytes, read.recording->collectives.participants.size(),
                                             analysis::sizeOfPage);
        return read;
    }();
    analysis::TraceAnalysis analysis{trace, wish, {.stop = console.around.stop}};
    // Refused before anything is written.
    if (!wish.topology.empty()) (void)analysis::networkNamed(analysis.topology(), trace.report.run->ranks);
    if (arguments.sql) {
        writeSelected(analysis, arguments, format, console);
    } else if (!list.empty()) {
        writeTables(analysis, list, format, console);
    } else if (format == "json") {
        writePageJson(analysis, console);
    } else if (format == "csv") {
        writeCsv(shownReport(analysis), console);
    } else {
        writePage(analysis, console);
    }
    return std::max(concluded(trace.report, console), require(requirements, analysis, console));
}

}  // namespace app::cli
