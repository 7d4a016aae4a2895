// SPDX-License-Identifier: BSD-3-Clause
// How every rank spent the time. People see parts of one whole: of a program its calls, else its messages.
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/program/rank_activity.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/trace/rank_time_breakdown.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <numeric>

namespace app::analysis::tables::about_ranks {
namespace {

using engine::Cell;
using engine::Content;
using engine::Picoseconds;
using engine::Rank;

/// Columns by their places below.
enum Place : std::size_t { absent = 1, busy, wait, idle, waiting, computing, mpiWaiting, inMpi, nothing };

/// Shows people no column but these, and of them none that is 0 everywhere but the first two.
void show(engine::Table& table, std::initializer_list<Place> parts) {
    const auto isTold = [&](std::size_t place) {
        const auto* const its = std::ranges::find(parts, static_cast<Place>(place));
        if (its == parts.end()) return false;
        return its < parts.begin() + 2 || std::ranges::any_of(table.rows, [&](const std::vector<Cell>& row) {
                   return row[place] != Cell{Picoseconds{}} && row[place] != Cell{};
               });
    };
    for (std::size_t place = absent; place < table.columns.size(); ++place)
        table.columns[place].isShown = isTold(place);
}

/// "busy: 149.7 us on average; the maximum, on rank 4, is 27.3% above the average".
void remarkOnImbalance(engine::Table& table, const Imbalance& its, std::string_view what) {
    if (its.mean.count() == 0) return;
    addRemark(table,
              its.most == its.least
                  ? engine::text(what, ": ", engine::showTime(its.mean), " on every rank")
                  : engine::text(what, ": ", engine::showTime(its.mean), " on average; the maximum, on rank ", its.who,
                                 ", is ", engine::showNumber(100 * its.aboveMean(), 3), "% above the average"));
}

/// Whether ranks of a training job have accelerators, whose streams are shown instead of calls.
bool drivesStreams(const traces::Recording& recording) {
    return traces::isTraining(recording) && std::ranges::any_of(recording.locations, [](const traces::Location& one) {
               return one.kind == traces::LocationKind::accelerator;
           });
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const std::vector<RankTimeBreakdown> breakdowns = analysis.rankTimeBreakdowns();
    const std::vector<Picoseconds> waited = analysis.waitSums().all();
    const bool program = isProgram(analysis.trace());
    const WaitSums waits = program ? analysis.waitSumsOfTime() : WaitSums{};
    const std::vector<RankActivity> calls =
        program ? programTimes(*analysis.trace().recording, waits, analysis.span()) : std::vector<RankActivity>{};
    // Of a program some ranks may have no file; of a run none.
    const std::vector<bool> recorded =
        program ? traces::recordedRanks(*analysis.trace().recording) : std::vector<bool>(breakdowns.size(), true);
    std::int64_t missing = 0;
    std::vector<Picoseconds> compared;
    std::vector<Rank> comparedRanks;
    for (std::size_t rank = 0; rank < breakdowns.size(); ++rank) {
        const RankTimeBreakdown& times = breakdowns[rank];
        const Rank self{static_cast<std::int32_t>(rank)};
        if (!analysis.wish().part.has(self)) continue;
        if (!recorded[rank]) {
            ++missing;
            continue;
        }
        compared.push_back(program ? calls[rank].computing : times.busy);
        comparedRanks.push_back(self);
        std::vector<Cell> cells{static_cast<std::int64_t>(rank), times.notYetEntered, times.busy,
                                times.noCommunication,           times.finishedEarly, waited[rank]};
        for (const auto part :
             {&RankActivity::computing, &RankActivity::waiting, &RankActivity::inMpi, &RankActivity::nothing})
            cells.push_back(program ? Cell{calls[rank].*part} : Cell{});
        table.rows.push_back(std::move(cells));
    }
    if (missing > 0)
        addRemark(table, engine::text(counted(missing, "rank"), missing == 1 ? " was" : " were", " not recorded and ",
                                      missing == 1 ? "has" : "have", " no row"));
    remarkOnMessages(analysis, table);
    const bool streams = program && drivesStreams(*analysis.trace().recording);
    if (program) {
        show(table, {computing, mpiWaiting, inMpi, nothing});
        if (streams) {
            setHeadings(table, {{"computing_s", "compute"},
                                {"mpi_waiting_s", "waiting"},
                                {"in_mpi_s", "exposed communication"},
                                {"nothing_recorded_s", "idle"}});
            addRemark(table,
                      "activities of the accelerators, over the whole time: waiting and exposed communication together "
                      "are the exposed communication of table steps");
        }
        const Picoseconds others =
            std::accumulate(waits.besideMainThread.begin(), waits.besideMainThread.end(), Picoseconds{});
        if (!streams && others.count() > 0)
            addRemark(table, engine::text("times are those of the main thread of each rank; other threads waited ",
                                          engine::showTime(others), " in MPI: table waits"));
    } else {
        show(table, {busy, wait, absent, idle});
        if (idleMeansWaiting(*analysis.trace().report.run)) table.columns[wait].heading = "waiting";
        else
            addRemark(
                table,
                analysis.trace().isCollscopeRun()
                    ? "without communication a rank of a live run waits, has no processor, or is in the library: the table of waits shows which ranks waited"
                    : "without communication a program may compute: the table of waits shows which ranks waited");
    }
    if (comparedRanks.size() < 2) return;
    Imbalance imbalance = imbalanceOf(compared);
    imbalance.who = comparedRanks[imbalance.who.index()];
    remarkOnImbalance(table, imbalance, streams ? "compute" : program ? "computation" : "busy");
    const traces::TimeSpan whole = analysis.span(), analysed = analysis.analysedSpan();
    if (program && (analysed.begin > whole.begin || analysed.end < whole.end))
        addRemark(table,
                  "the whole trace counts; table efficiency counts from the last exit from MPI_Init to the last entry "
                  "into MPI_Finalize");
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "ranks",
        .page = 130,
        .meaning = "time of each rank by activity",
        .title = "time of each rank by activity",
        .how =
            "text shows parts that add up to the time: for a program computing, waiting, in MPI and nothing recorded, of a training job those of its accelerators, else busy, waiting or no communication, not yet entered and finished early; ranks that were not recorded have no row; if ranks or messages are selected, the row still contains everything that the rank did in the selected time; a remark names the imbalance",
        .columns =
            {{"rank", Content::rank, "rank of MPI_COMM_WORLD", CellLocation::rank},
             {"absent_s", Content::time, "not yet entered: before it entered the collective"},
             {"busy_s", Content::time,
              "time in which it sent, received, combined received data, or computed between the halves of a split-phase call"},
             {"no_communication_s", Content::time,
              "no communication: time after its entry and before it finished in which it was not busy; in virtual time it waits, a traced program may compute then"},
             {"finished_early_s", Content::time,
              "from when it finished until the end of the run; for a part of the run the time in that part"},
             {"waiting_s", Content::time,
              "waiting time of its threads, as in the table waits, for the selected messages"},
             {"computing_s", Content::time,
              "of a program: time outside of MPI on its own location, as far as recorded; of a training job with accelerators the compute of table steps"},
             {"mpi_waiting_s", Content::time,
              "of a program: time of the main thread in MPI calls, or exposed communication, in which it waited for other ranks"},
             {"in_mpi_s", Content::time,
              "of a program: time of the main thread in MPI calls, or exposed communication, in which it did not wait"},
             {"nothing_recorded_s", Content::time,
              "of a program: time before its first event, in pauses of the recording, and after its last event; of a training job with accelerators: idle, no stream has anything to do"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_ranks
