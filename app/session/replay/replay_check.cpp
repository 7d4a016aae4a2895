// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/replay_check.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/session/options/specification.hpp"
#include "app/session/replay/program_run.hpp"
#include "app/session/replay/replay_tables.hpp"
#include "app/session/run/scratch.hpp"
#include "engine/base/error.hpp"
#include "engine/base/median.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/archive.hpp"

#include <algorithm>

namespace app {

using analysis::RecordedProgram;
using engine::Content;
using engine::Error;
using engine::Picoseconds;
using engine::text;

namespace {

/// What a run of the program was.
struct SeenRun {
    std::filesystem::path archive;
    RecordedProgram program;
    Picoseconds time{};        ///< from when all had left MPI_Init
    std::size_t byOthers = 0;  ///< collectives that an algorithm of ours did
};

double shareOff(Picoseconds predicted, Picoseconds measured) { return analysis::ratio(predicted - measured, measured); }

ProgramWish programToRun(const Replaying& replaying, const CheckWish& wish) {
    constexpr std::int64_t least = 60;  // to start and to end, on a machine with other work
    const Picoseconds longest = std::max(replaying.recorded, replaying.last().result.duration);
    const auto enough = least + 10 * static_cast<std::int64_t>(engine::seconds(longest));
    return {.command = wish.command,
            .rules = replaying.rules,
            .processes = replaying.ranks,
            .lab = wish.lab,
            .most = wish.most.value_or(std::chrono::seconds{enough})};
}

class Checking {
public:
    Checking(const Replaying& replaying, const CheckWish& wish, const engine::Progress& progress)
        : replaying_{replaying}, wish_{wish}, progress_{progress} {}

    Checked run() {
        made_.recorded = replaying_.recordedProgramTime();
        made_.replayed = replaying_.asRecorded.programTime();
        made_.predicted = replaying_.last().programTime();
        for (std::int32_t i = 0; i < wish_.repeats && made_.trouble.empty(); ++i) once(i);
        if (!made_.trouble.empty()) return std::move(made_);
        std::vector<const SeenRun*> order;
        for (const SeenRun& run : runs_) order.push_back(&run);
        const SeenRun& median = *engine::lowerMedian(
            std::move(order), [](const SeenRun* a, const SeenRun* b) { return a->time < b->time; });
        made_.measured = median.time;
        tell(median);
        if (wish_.kept) keep(median.archive);
        return std::move(made_);
    }

private:
    void keep(const std::filesystem::path& archive) const {
        std::error_code failed;
        std::filesystem::copy(archive, *wish_.kept, std::filesystem::copy_options::recursive, failed);
        if (failed)
            throw Error{
                text(engine::Field{"measured"}, ": ", wish_.kept->string(), " cannot be written: ", failed.message())};
    }

    void once(std::int32_t number) {
        const auto share = [&](double done) { return (number + done) / wish_.repeats; };
        const std::filesystem::path archive = scratch_.folder() / text("run-", number);
        const ProgramRun ran = runRecorded(programToRun(replaying_, wish_), archive, scratch_.folder(),
                                           within(progress_, share(0), share(0.9)));
        made_.said += ran.said;
        made_.trouble = ran.trouble;
        if (!made_.trouble.empty()) return;
        const Trace trace =
            analysis::openTrace(archive, analysis::Clocks::fittedWhereNeeded, within(progress_, share(0.9), share(1)));
        SeenRun run{.archive = archive, .program = analysis::recordedProgram(*trace.recording)};
        if (trace.recording->ranks != replaying_.ranks) {
            made_.trouble = text("'", wish_.command, "' ran on ", trace.recording->ranks, " ranks, but the trace has ",
                                 replaying_.ranks, "; start it with ", replaying_.ranks);
            return;
        }
        run.time = run.program.duration - run.program.setUp.last();
        for (const analysis::RecordedCollective& one : run.program.collectives)
            run.byOthers += !one.algorithm.empty() && !one.isOfLibrary;
        made_.times.push_back(run.time);
        runs_.push_back(std::move(run));
    }

    void tell(const SeenRun& median) {
        made_.table = {.name = std::string{replayTable::check},
                       .title = "predicted and measured time after MPI_Init",
                       .columns = {{"program", Content::words},
                                   {"predicted_s", Content::time},
                                   {"measured_s", Content::time},
                                   {"error_share", Content::share}},
                       .rows = {}};
        const auto row = [&](const char* what, Picoseconds predicted, Picoseconds measured) {
            made_.table.rows.push_back({std::string{what}, predicted, measured, shareOff(predicted, measured)});
        };
        row("as recorded", made_.replayed, made_.recorded);
        row(replaying_.changed ? "changed" : "run again", made_.predicted, made_.measured);
        made_.activities = activitiesBeside(replaying_, median.program);
        remark(median);
    }

    void remark(const SeenRun& median) {
        std::vector<std::string>& remarks = made_.remarks;
        if (replaying_.otherConditions)
            remarks.emplace_back(
                "the program runs on the actual network: the measurement does not include other conditions of the "
                "replay");
        if (replaying_.otherTimes)
            remarks.emplace_back("changes of computation are measured only if the program itself makes them");
        const auto differ = [&](const char* what, std::int64_t now, std::int64_t before) {
            if (now != before) remarks.push_back(text("the program made ", now, ' ', what, "; the trace has ", before));
        };
        differ("messages", static_cast<std::int64_t>(median.program.program.messages.size()), replaying_.messages);
        differ("collectives",
               std::ranges::count(median.program.collectives, false, &analysis::RecordedCollective::isSynchronisation),
               replaying_.collectives);
        if (replaying_.named != median.byOthers)
            remarks.push_back(text(median.byOthers, " of ", analysis::counted(replaying_.named, "collective"),
                                   " ran with the algorithm that was requested"));
        if (made_.times.size() > 1) {
            const auto [least, most] = std::ranges::minmax(made_.times);
            remarks.push_back(text(made_.times.size(), " runs took ", engine::showTime(least), " to ",
                                   engine::showTime(most), "; the one with the median time is reported"));
        }
        remarks.insert(remarks.end(), median.program.remarks.begin(), median.program.remarks.end());
    }

    const Replaying& replaying_;
    const CheckWish& wish_;
    const engine::Progress& progress_;
    Scratch scratch_;
    std::vector<SeenRun> runs_;
    Checked made_;
};

}  // namespace

double Checked::error() const { return shareOff(predicted, measured); }

std::string commandOfCheck(const Replaying& replaying, const CheckWish& wish) {
    const Scratch scratch;
    std::string words;
    for (const std::string& word :
         commandUnderRecorder(programToRun(replaying, wish), scratch.folder() / "run", scratch.folder()))
        words += (words.empty() ? "" : " ") + shellWord(word);
    return words;
}

Checked checked(const Replaying& replaying, const CheckWish& wish, const engine::Progress& progress) {
    if (!replaying.last().stuck.empty())
        throw Error{text(engine::Field{"check"}, ": the replay ends in a deadlock, so no time is predicted")};
    return Checking{replaying, wish, progress}.run();
}

}  // namespace app
