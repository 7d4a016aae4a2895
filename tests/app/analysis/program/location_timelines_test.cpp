// SPDX-License-Identifier: BSD-3-Clause
// Lanes of calls and what a rank did when, by looking at every picosecond on its own.
#include "app/analysis/program/location_timelines.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "tests/support/programs/random_program.hpp"

#include <gtest/gtest.h>

#include <random>

namespace app::analysis::in_tracks {
namespace {

using engine::Picoseconds;
using engine::Rank;

Picoseconds ps(std::int64_t time) { return Picoseconds{time}; }

/// Waits of a rank, of which some overlap.
std::vector<Wait> randomWaits(std::mt19937& random, int ranks) {
    std::vector<Wait> waits;
    for (int k = static_cast<int>(random() % 8); k > 0; --k) {
        Wait wait;
        wait.rank = Rank{static_cast<std::int32_t>(random() % static_cast<unsigned>(ranks))};
        wait.begin = ps(static_cast<std::int64_t>(random() % 20));
        wait.time = ps(static_cast<std::int64_t>(random() % 9));
        waits.push_back(wait);
    }
    return waits;
}

Lane::Stretch stretchAt(const Lane& lane, std::int64_t t) {
    const std::size_t i = lane.at(ps(t));
    if (i == lane.size() || lane[i].begin > ps(t)) return {};
    return lane[i];
}

TEST(Lane, addsUpWhatPassedAndFindsWhatIsLong) {
    std::mt19937 random{7};
    for (int turn = 0; turn < 200; ++turn) {
        Lane lane;
        std::vector<Lane::Stretch> slow;
        std::int64_t now = static_cast<std::int64_t>(random() % 5);
        for (std::uint32_t k = 0; k < random() % 400; ++k) {
            now += random() % 3 == 0 ? static_cast<std::int64_t>(random() % 4) : 0;
            const std::int64_t end = now + static_cast<std::int64_t>(random() % 50 == 0 ? random() % 90 : random() % 4);
            const auto activity = static_cast<Activity>(1 + random() % (activities - 1));
            lane.add({ps(now), ps(end), activity, k});
            if (end > now) slow.push_back({ps(now), ps(end), activity, k});
            now = end;
        }
        lane.finish();
        std::vector<Picoseconds> edges{ps(-3)};
        while (edges.back() < ps(now + 5))
            edges.push_back(edges.back() + ps(static_cast<std::int64_t>(random() % (random() % 4 == 0 ? 500 : 20))));
        // A second turn begins with nothing; of two lanes the times add up.
        TimeInColumns columns{edges};
        for (const int lanes : {1, 2}) {
            for (int k = 0; k < lanes; ++k) columns.add(lane);
            std::size_t seen = 0;
            columns.each([&](std::size_t column, Picoseconds length, TimeByActivity sums) {
                ASSERT_EQ(column, seen++);
                const Picoseconds from = edges[column];
                const Picoseconds to = edges[column + 1];
                ASSERT_EQ(length, to - from);
                TimeByActivity expected{};
                for (const Lane::Stretch& one : slow)
                    expected[static_cast<std::size_t>(one.activity)] +=
                        lanes * std::max(ps(0), std::min(one.end, to) - std::max(one.begin, from));
                sums[0] = ps(0);  // what lies between two is nobody's
                ASSERT_EQ(sums, expected) << "turn " << turn << ", column " << column;
            });
            ASSERT_EQ(seen, columns.size());
        }
        for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
            const Picoseconds from = edges[k];
            const Picoseconds to = edges[k + 1];
            std::vector<Lane::Stretch> found;
            std::vector<Lane::Stretch> wanted;
            const Picoseconds shortest = ps(1 + static_cast<std::int64_t>(random() % 30));
            lane.eachOfAtLeast(shortest, from, to, [&](const Lane::Stretch& one) { found.push_back(one); });
            for (const Lane::Stretch& one : slow)
                if (one.end - one.begin >= shortest && one.end > from && one.begin < to) wanted.push_back(one);
            ASSERT_EQ(found, wanted) << "turn " << turn << ", column " << k;
        }
    }
}

TEST(LocationTimelines, tellWhatARankDidAtEveryMoment) {
    std::mt19937 random{11};
    for (int turn = 0; turn < 300; ++turn) {
        const int ranks = 1 + static_cast<int>(random() % 3);
        const traces::Recording recording = slow::randomProgram(random, ranks);
        const std::vector<Wait> waits = randomWaits(random, ranks);
        const LocationTimelines tracks{recording, waits};
        for (std::size_t i = 0; i < recording.states.size(); ++i) {
            const traces::States& states = recording.states[i];
            const traces::Location& location = recording.locations[i];
            for (std::int64_t t = -1; t <= recording.duration.count() + 1; ++t) {
                const auto calls = slow::callsDuring(states, t);
                const bool inside = t >= location.first.count() && t < location.last.count();
                for (std::size_t depth = 0; depth < tracks.of(i).calls.size(); ++depth) {
                    const Lane::Stretch stretch = stretchAt(tracks.of(i).calls[depth], t);
                    if (depth < calls.size()) {
                        ASSERT_EQ(stretch.id, calls[depth]) << "turn " << turn << " at " << t;
                        EXPECT_EQ(stretch.begin, states.begin[calls[depth]]);
                    } else {
                        EXPECT_EQ(stretch.id, Lane::noId);
                        EXPECT_EQ(stretch.activity, depth == 0 && inside ? Activity::compute : Activity::none);
                    }
                }
                const Lane::Stretch did = stretchAt(tracks.of(i).activity, t);
                bool waited = false;
                for (const Wait& wait : waits)
                    waited = waited || (wait.rank == location.rank && wait.begin <= ps(t) && ps(t) < wait.end());
                // A thread that does nothing yet, or no longer, may wait; what a rank does then is not known.
                Activity expected = Activity::none;
                if (inside) expected = Activity::compute;
                if (inside && !calls.empty())
                    expected = activityOf(recording.regions[static_cast<std::size_t>(states.region[calls.back()])]);
                if (waited && t < recording.duration.count()) expected = Activity::waiting;
                ASSERT_EQ(did.activity, expected) << "turn " << turn << ", location " << i << " at " << t;
            }
        }
    }
}

/// Rank 0 completes a nonblocking collective in its first MPI_Wait, and a message in the second.
TEST(LocationTimelines, countTheCompletionOfACollectiveAsCollective) {
    traces::RecordingBuilder b{1};
    b.enter(0, ps(0), "main");
    for (const auto& [begin, end, name] :
         {std::tuple{10, 20, "MPI_Iallreduce"}, {30, 50, "MPI_Wait"}, {60, 90, "MPI_Wait"}}) {
        b.enter(0, ps(begin), name);
        b.leave(0, ps(end));
    }
    b.leave(0, ps(100));
    b.collective(traces::Operation::allreduce, 0, traces::noRank,
                 {{.rank = Rank{0}, .begin = ps(10), .end = ps(50), .nonBlocking = true}});
    const traces::Recording recording = b.finish();
    const LocationTimelines tracks{recording, {}};
    const TimeByActivity& spent = tracks.spentBy(Rank{0});
    EXPECT_EQ(spent[static_cast<std::size_t>(Activity::collective)], ps(10 + 20));
    EXPECT_EQ(spent[static_cast<std::size_t>(Activity::pointToPoint)], ps(30));
}

TEST(Activity, isSummedFromInitToFinalize) {
    traces::RecordingBuilder b{1};
    for (const auto& [begin, end, name] :
         {std::tuple{0, 40, "MPI_Init"}, {50, 60, "MPI_Send"}, {70, 100, "MPI_Finalize"}}) {
        b.enter(0, ps(begin), name);
        b.leave(0, ps(end));
    }
    const traces::Recording recording = b.finish();
    const LocationTimelines tracks{recording, {}};
    EXPECT_TRUE(tracks.isWithoutStartUp());
    EXPECT_EQ(tracks.summed().begin, ps(40));
    EXPECT_EQ(tracks.summed().end, ps(70));
    const TimeByActivity& spent = tracks.spentBy(Rank{0});
    EXPECT_EQ(spent[static_cast<std::size_t>(Activity::pointToPoint)], ps(10));
    EXPECT_EQ(spent[static_cast<std::size_t>(Activity::compute)], ps(20));
    EXPECT_EQ(spent[static_cast<std::size_t>(Activity::otherMpi)], ps(0));
    EXPECT_TRUE(tracks.present()[static_cast<std::size_t>(Activity::otherMpi)]) << "it is drawn";
}

TEST(Activity, isThatOfItsGroupOfFunctions) {
    const auto of = [](const char* name, const char* paradigm) {
        return activityOf({.name = name, .paradigm = paradigm, .call = traces::callOf(name)});
    };
    EXPECT_EQ(of("MPI_Isend", "user"), Activity::pointToPoint);
    EXPECT_EQ(of("MPI_Waitall", "mpi"), Activity::pointToPoint);
    EXPECT_EQ(of("MPI_Iallreduce", "mpi"), Activity::collective);
    EXPECT_EQ(of("MPI_Win_fence", "mpi"), Activity::collective);
    EXPECT_EQ(of("mpi_win_fence_", "user"), Activity::collective);
    EXPECT_EQ(of("MPI_Win_free", "mpi"), Activity::otherMpi);
    EXPECT_EQ(of("MPI_Comm_split", "mpi"), Activity::otherMpi);
    EXPECT_EQ(of("MPI_File_write_all", "mpi"), Activity::inputOutput);
    EXPECT_EQ(of("fwrite", "user"), Activity::inputOutput);
    EXPECT_EQ(of("!$omp parallel @a.c:3", "openmp"), Activity::threads);
    EXPECT_EQ(of("kernel", "cuda"), Activity::accelerator);
    EXPECT_EQ(of("assemble", "user"), Activity::compute);
    for (std::size_t k = 0; k < activities; ++k) EXPECT_FALSE(name(static_cast<Activity>(k)).empty());
}

traces::Recording onNodes() {
    traces::RecordingBuilder builder{6};
    builder.communicator("rows", {Rank{0}, Rank{2}});
    builder.communicator("rows", {Rank{4}, Rank{1}});
    builder.communicator("all but one", {Rank{0}, Rank{1}, Rank{2}, Rank{3}, Rank{4}});
    traces::Recording recording = builder.finish();
    for (std::size_t i = 0; i < recording.locations.size(); ++i)
        recording.locations[i].path = {"machine", i % 2 == 0 ? "node 0" : "node 1"};
    return recording;
}

TEST(RankGroups, areRanksOfOneNodeOrOfCommunicatorsThatShareNone) {
    const traces::Recording recording = onNodes();
    EXPECT_EQ(byNode(recording), (std::vector<RankGroup>{{"node 0", {Rank{0}, Rank{2}, Rank{4}}},
                                                         {"node 1", {Rank{1}, Rank{3}, Rank{5}}}}));
    EXPECT_EQ(
        byCommunicator(recording),
        (std::vector<RankGroup>{{"rows", {Rank{0}, Rank{2}}}, {"rows", {Rank{1}, Rank{4}}}, {"", {Rank{3}, Rank{5}}}}));
    traces::RecordingBuilder alone{3};
    EXPECT_TRUE(byCommunicator(alone.finish()).empty());
}

}  // namespace
}  // namespace app::analysis::in_tracks
