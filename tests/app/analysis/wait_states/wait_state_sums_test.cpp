// SPDX-License-Identifier: BSD-3-Clause
// One trace, one waiting: whatever sums it up says the same, of messages, collectives, windows and threads.
#include "app/analysis/wait_states/wait_state_sums.hpp"
#include "app/analysis/overview/attributable_causes.hpp"
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/overview/run_diff.hpp"
#include "app/analysis/overview/wait_findings.hpp"
#include "app/analysis/program/rank_activity.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "tests/support/first_page.hpp"
#include "tests/support/programs/thread_program.hpp"
#include "tests/support/programs/window_program.hpp"
#include "traces/recording/run_from_recording.hpp"
#include "traces/recording/vocabulary.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace app::analysis::in_wait_sums {
namespace {

using engine::Picoseconds;
using engine::Rank;
using traces::NoticeKind;
constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

/// Ranks of two threads each that send, meet in collectives, open and lock windows, and fork teams.
class MixedPlay {
public:
    explicit MixedPlay(unsigned seed) : play_{seed} {
        for (Rank rank{0}; rank.value < play_.ranks(); ++rank) workers_.push_back(b_.thread(rank, "OMP thread 1"));
    }

    traces::Recording recording() {
        for (int steps = 60; steps > 0; --steps) {
            const int rank = play_.below(play_.ranks());
            switch (play_.below(6)) {
                case 0: message(rank, (rank + 1 + play_.below(play_.ranks() - 1)) % play_.ranks()); break;
                case 1: collective(); break;
                case 2: team(rank); break;
                default: play_.step(rank);
            }
        }
        std::int64_t end = 0;
        for (int rank = 0; rank < play_.ranks(); ++rank) end = std::max(end, play_.now(rank) + 16);
        // Two turns that share all the time there is.
        for (const auto& [from, to] : {std::pair{std::int64_t{0}, end / 2}, {end / 2, end}})
            b_.rest().markers.push_back(
                {.group = "steps", .category = "step", .text = "", .begin = Picoseconds{from}, .end = Picoseconds{to}});
        traces::Recording recording = play_.finish();
        samples::giveRoles(recording);
        return recording;
    }

private:
    void call(int rank, std::int64_t begin, std::int64_t end, const char* name) {
        b_.enter(rank, Picoseconds{begin}, name);
        b_.leave(rank, Picoseconds{play_.now(rank) = end});
    }
    void message(int from, int to) {
        const std::int64_t sent = play_.now(from) + 8 * play_.below(4), came = play_.now(to) + 8 * play_.below(4);
        const std::int64_t there = std::max(sent, came) + 8;
        const std::int64_t left = play_.below(2) == 0 ? sent + 8 : there;
        call(from, sent, left, "MPI_Send");
        call(to, came, there, "MPI_Recv");
        b_.message({.from = Rank{from},
                    .to = Rank{to},
                    .bytes = 8,
                    .sendBegin = Picoseconds{sent},
                    .sendEnd = Picoseconds{left},
                    .receiveBegin = Picoseconds{came},
                    .receiveEnd = Picoseconds{there}});
    }
    void collective() {
        std::int64_t last = 0;
        std::vector<std::int64_t> came;
        for (int rank = 0; rank < play_.ranks(); ++rank) {
            came.push_back(play_.now(rank) + 8 * play_.below(4));
            last = std::max(last, came.back());
        }
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < play_.ranks(); ++rank) {
            const std::int64_t begin = came[static_cast<std::size_t>(rank)], left = last + 8 * (1 + play_.below(3));
            call(rank, begin, left, "MPI_Barrier");
            parts.push_back({.rank = Rank{rank}, .begin = Picoseconds{begin}, .end = Picoseconds{left}});
        }
        b_.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    }
    void team(int rank) {
        const std::int64_t fork = play_.now(rank) + 8 * play_.below(3);
        const int worker = workers_[static_cast<std::size_t>(rank)];
        b_.notice(rank, {.time = Picoseconds{fork}, .number = 2, .kind = NoticeKind::fork});
        const std::int64_t own = fork + 8 * play_.below(9), other = fork + 8 * play_.below(9);
        const std::int64_t end = std::max(own, other);
        for (const auto& [location, came] : {std::pair{rank, own}, {worker, other}}) {
            b_.notice(location, {.time = Picoseconds{fork}, .subject = 2, .kind = NoticeKind::teamBegin});
            b_.enter(location, Picoseconds{fork}, "!$omp parallel");
            b_.enter(location, Picoseconds{came}, "!$omp implicit barrier");
            b_.leave(location, Picoseconds{end});
            b_.leave(location, Picoseconds{end});
            b_.notice(location, {.time = Picoseconds{end}, .subject = 2, .kind = NoticeKind::teamEnd});
        }
        b_.notice(rank, {.time = Picoseconds{end}, .kind = NoticeKind::join});
        play_.now(rank) = end;
    }

    samples::WindowPlay play_;
    traces::RecordingBuilder& b_ = play_.builder();
    std::vector<int> workers_;
};

/// Tables of one analysis, by the names of their columns.
class Answer {
public:
    explicit Answer(engine::Table table) : table_{std::move(table)} {}
    Answer(std::string_view definition, TraceAnalysis& analysis)
        : Answer{computeTable(tableNamed(definition), analysis)} {}

    template <class T>
    [[nodiscard]] T at(std::size_t row, std::string_view column) const {
        for (std::size_t k = 0; k < table_.columns.size(); ++k)
            if (table_.columns[k].name == column) return std::get<T>(table_.rows[row][k]);
        throw std::out_of_range{std::string{column}};
    }
    [[nodiscard]] std::size_t size() const { return table_.rows.size(); }
    /// Over the rows that `has` takes.
    template <class Has>
    [[nodiscard]] Picoseconds sum(std::string_view column, Has has) const {
        Picoseconds all{};
        for (std::size_t row = 0; row < size(); ++row)
            if (has(row)) all += at<Picoseconds>(row, column);
        return all;
    }
    [[nodiscard]] Picoseconds sum(std::string_view column) const {
        return sum(column, [](std::size_t) { return true; });
    }
    /// Over call paths that nothing is around.
    [[nodiscard]] Picoseconds sumOfOutermost(std::string_view column) const {
        return sum(column,
                   [&](std::size_t row) { return at<std::string>(row, "path").find('/') == std::string::npos; });
    }

private:
    engine::Table table_;
};

/// By rank, what the table of waits says without completions.
std::vector<Picoseconds> waitedByRank(TraceAnalysis& analysis) {
    const Answer waits{"waits", analysis};
    std::vector<Picoseconds> sums(static_cast<std::size_t>(analysis.trace().recording->ranks));
    for (std::size_t row = 0; row < waits.size(); ++row)
        if (waits.at<std::string>(row, "wait").find("completion") == std::string::npos)
            sums[static_cast<std::size_t>(waits.at<std::int64_t>(row, "rank"))] += waits.at<Picoseconds>(row, "time_s");
    return sums;
}

void compareSums(const Trace& trace, const AnalysisOptions& wish) {
    TraceAnalysis analysis{trace, wish};
    const std::vector<Picoseconds> byRank = waitedByRank(analysis);
    const Picoseconds all = std::accumulate(byRank.begin(), byRank.end(), Picoseconds{});

    const Answer ranks{"ranks", analysis};
    for (std::size_t row = 0; row < ranks.size(); ++row)
        EXPECT_EQ(ranks.at<Picoseconds>(row, "waiting_s"),
                  byRank[static_cast<std::size_t>(ranks.at<std::int64_t>(row, "rank"))]);
    EXPECT_EQ(ranks.sum("waiting_s"), all);
    const WaitSums sums = analysis.waitSums();
    EXPECT_EQ(sums.all(), byRank);
    EXPECT_EQ(std::accumulate(sums.caused.begin(), sums.caused.end(), Picoseconds{}), all);

    const Answer delays{"delays", analysis};
    EXPECT_EQ(delays.sum("direct_s") + delays.sum("passed_on_s"), all);
    const Answer causes{"causes", analysis};
    EXPECT_LE(std::abs((causes.sum("time_s") - all).count()), static_cast<std::int64_t>(causes.size()) + 8)
        << "each is rounded";
    EXPECT_EQ((Answer{"calltree", analysis}.sumOfOutermost("waiting_s")), all);

    EXPECT_EQ(waitTotals(*analysis.keptWaits()).all(), all);
    if (all.count() > 0)
        for (const AnalysisUse afterwards : {AnalysisUse::pageOnly, AnalysisUse::pageAndMore}) {
            TraceAnalysis asked{trace, wish};
            const std::vector<std::string> page = support::firstPageInWords(asked, afterwards);
            const std::string waits = support::sentenceOnWaits(page);
            EXPECT_NE(waits.find("(" + engine::showTime(all) + " in total"), std::string::npos) << waits;
        }
    const Answer iterations{"iterations", analysis};
    EXPECT_EQ(iterations.sum("waiting_s"), all);
}

/// What threads show as waiting in the window, in all.
Picoseconds waitingIn(const LocationTimelines& tracks, std::size_t locations) {
    Picoseconds all{};
    for (std::size_t location = 0; location < locations; ++location) {
        const Lane& lane = tracks.of(location).activity;
        for (std::size_t i = 0; i < lane.size(); ++i)
            if (lane[i].activity == Activity::waiting) all += lane[i].end - lane[i].begin;
    }
    return all;
}

TEST(WaitSums, areTheSameWhereverTheyAreShown) {
    std::array<Picoseconds, waitGroups> met{};
    for (unsigned seed = 0; seed < 16; ++seed) {
        SCOPED_TRACE(seed);
        auto recording = std::make_shared<const traces::Recording>(MixedPlay{seed}.recording());
        const Trace trace{.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
                          .recording = recording};
        AnalysisOptions ofTime, ofRanks;
        ofTime.part.from = recording->duration / 4, ofTime.part.to = recording->duration / 2;
        ofRanks.part.ranks = {Rank{1}};
        for (const AnalysisOptions& wish : {AnalysisOptions{}, ofTime, ofRanks}) compareSums(trace, wish);

        TraceAnalysis whole{trace, {}};
        const WaitTotals totals = whole.waitTotals();
        for (std::size_t group = 0; group < waitGroups; ++group) met[group] += totals.time[group];
        const TracedProgram program{whole};
        EXPECT_EQ(program.waited(), totals.all());
        EXPECT_EQ(waitingIn(program.tracks(), recording->locations.size()), totals.all());
        const std::vector<engine::Table> changes = programChanges({"a", trace}, {"b", trace});
        for (const auto& [name, column] :
             {std::pair{"paths", "second_waiting_s"}, std::pair{"iterations", "first_waiting_s"}}) {
            const auto table = std::ranges::find(changes, name, &engine::Table::name);
            ASSERT_NE(table, changes.end()) << name;
            EXPECT_EQ(Answer{*table}.sum(column), totals.all()) << name;
        }
        if (HasFailure()) return;
    }
    for (const Picoseconds time : met) EXPECT_GT(time.count(), 0) << "every group is in the programs";
}

TEST(WaitSums, sayTheSameShareOfTimeOnTheFirstPageAndInTheHeadline) {
    // Two ranks of two threads; rank 1 waits in a barrier, threads do not wait for each other.
    traces::RecordingBuilder b{2};
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 2; ++rank) {
        const int worker = b.thread(Rank{rank}, "OMP thread 1");
        const Picoseconds came{rank == 0 ? 50 : 10};
        b.enter(worker, Picoseconds{0}, "work");
        b.leave(worker, Picoseconds{100});
        b.enter(rank, Picoseconds{0}, "main");
        b.enter(rank, came, "MPI_Barrier");
        b.leave(rank, Picoseconds{50});
        b.leave(rank, Picoseconds{100});
        parts.push_back({.rank = Rank{rank}, .begin = came, .end = Picoseconds{50}});
    }
    b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    auto recording = std::make_shared<const traces::Recording>(b.finish());
    const Trace trace{.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
                      .recording = recording};
    TraceAnalysis analysis{trace, {}};
    // 40 of 2 times 100.
    EXPECT_NE(support::sentenceOnWaits(support::firstPageInWords(analysis))
                  .find("Ranks waited in collectives 20% of their time (40 ps in total)"),
              std::string::npos);
    EXPECT_NE(TracedProgram{analysis}.besides().find("; ranks waited 40 ps in total, 20% of their time"),
              std::string::npos)
        << TracedProgram{analysis}.besides();
}

/// Both ranks are in a barrier for 30 us, while the second thread of rank 0 waits 80 us for a message of rank 1. What
/// that thread waits is no part of the time that the main thread is in MPI. A wait in the barrier is.
TEST(WaitSums, ofOtherThreadsAreNoPartOfTheMainThreadsMpiTime) {
    for (const std::int64_t came : {0, 10}) {
        traces::RecordingBuilder b{2};
        const std::int32_t worker = b.thread(Rank{0}, "worker");
        const auto call = [&](std::int32_t location, std::int64_t begin, std::int64_t end, const char* name) {
            b.enter(location, us(begin), name);
            b.leave(location, us(end));
        };
        call(worker, 0, 82, "MPI_Recv");
        call(0, 0, 30, "MPI_Barrier");
        call(1, came, 30, "MPI_Barrier");
        call(1, 80, 81, "MPI_Send");
        b.message({.from = Rank{1},
                   .to = Rank{0},
                   .bytes = 8,
                   .sendBegin = us(80),
                   .sendEnd = us(81),
                   .receiveBegin = us(0),
                   .receiveEnd = us(82)});
        b.collective(
            traces::Operation::barrier, 0, traces::noRank,
            {{.rank = Rank{0}, .begin = us(0), .end = us(30)}, {.rank = Rank{1}, .begin = us(came), .end = us(30)}});
        const traces::Recording recording = b.finish();
        const WaitSums sums = waitSums(recording, {});
        EXPECT_EQ(sums.of(WaitGroup::senders)[0], us(80));
        EXPECT_EQ(sums.besideMainThread[0], us(80));
        const std::vector<RankActivity> times = programTimes(recording, sums, {us(0), us(82)});
        EXPECT_EQ(times[0].waiting, us(came)) << "in the barrier";
        EXPECT_EQ(times[0].inMpi, us(30 - came));
    }
}

/// Above the views of the window stands first, as on the page, that the program did not end.
TEST(WaitSums, standBehindAFaultOfTheProgram) {
    traces::RecordingBuilder b{2};
    for (int rank = 0; rank < 2; ++rank) {
        b.enter(rank, us(rank == 0 ? 50 : 10), "MPI_Barrier");
        b.leave(rank, us(60));
    }
    b.collective(
        traces::Operation::barrier, 0, traces::noRank,
        {{.rank = Rank{0}, .begin = us(50), .end = us(60)}, {.rank = Rank{1}, .begin = us(10), .end = us(60)}});
    traces::Recording written = b.finish();
    written.properties[traces::own::standing] =
        "2 ranks\n\nworld, 2 ranks\n  waiting  ranks 0-1  in MPI_Bcast, call 2\n";
    auto recording = std::make_shared<const traces::Recording>(std::move(written));
    const Trace trace{.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
                      .recording = recording};
    TraceAnalysis analysis{trace, {}};
    const TracedProgram program{analysis};
    EXPECT_EQ(program.headline(), "60 us. The program did not finish");
    EXPECT_TRUE(program.besides().starts_with("Ranks 0-1 waited in MPI_Bcast, call 2 of world; ")) << program.besides();
}

/// Rank 0 is late for a barrier because it was long in MPI_Send. If ranks share a processor it may only have waited for
/// one there: page and headline name no rank then.
TEST(WaitSums, blameNoCallOfMpiOnSharedProcessors) {
    for (const bool shared : {false, true}) {
        traces::RecordingBuilder b{2};
        for (int rank = 0; rank < 2; ++rank) {
            const Picoseconds came{rank == 0 ? 60'000'000 : 20'000'000};
            b.enter(rank, Picoseconds{0}, "main");
            b.enter(rank, Picoseconds{10'000'000}, "MPI_Send");
            b.leave(rank, came);
            b.enter(rank, came, "MPI_Barrier");
            b.leave(rank, Picoseconds{60'000'000});
            b.leave(rank, Picoseconds{100'000'000});
        }
        b.collective(traces::Operation::barrier, 0, traces::noRank,
                     {{.rank = Rank{0}, .begin = Picoseconds{60'000'000}, .end = Picoseconds{60'000'000}},
                      {.rank = Rank{1}, .begin = Picoseconds{20'000'000}, .end = Picoseconds{60'000'000}}});
        traces::Recording written = b.finish();
        if (shared) written.properties[traces::own::sharing] = "2 ranks share 1 processor of host alpha";
        const auto recording = std::make_shared<const traces::Recording>(std::move(written));
        const Trace trace{.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
                          .recording = recording};
        TraceAnalysis analysis{trace, {}};
        EXPECT_EQ(attributableCauses(analysis).empty(), shared);
        EXPECT_EQ(TracedProgram{analysis}.headline().find("caused by rank 0") == std::string::npos, shared);
        EXPECT_EQ(TracedProgram{analysis}.besides().find("ranks share processors") != std::string::npos, shared);
        const std::vector<Finding> page = waitFindings(analysis, false);
        ASSERT_FALSE(page.empty());
        EXPECT_EQ(page[0].place.rank == Rank{0}, !shared);
        EXPECT_EQ(page[0].words.find("the shares of ranks"), std::string::npos) << page[0].words;
    }
}

}  // namespace
}  // namespace app::analysis::in_wait_sums
