// SPDX-License-Identifier: BSD-3-Clause
// Sweeps over a trace: each row is what `replay` says of it alone.
#include "tests/app/cli/command.hpp"

#include "app/cli/output/ordered_jobs.hpp"
#include "app/cli/replay/replay_points.hpp"
#include "traces/export/copy.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

namespace app::cli {
namespace {

namespace fs = std::filesystem;
using engine::Picoseconds;
using engine::Rank;
using nlohmann::json;

constexpr Picoseconds us(std::int64_t number) { return Picoseconds{number * 1'000'000}; }

/// Four ranks that compute for 10 to 40 us, and add up vectors of 64 KiB, three times.
traces::Recording program() {
    constexpr int ranks = 4;
    traces::RecordingBuilder builder{ranks};
    builder.rest().creator = "Collscope";
    for (int rank = 0; rank < ranks; ++rank) builder.enter(rank, us(0), "main");
    for (int step = 0; step < 3; ++step) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < ranks; ++rank) {
            const Picoseconds begin = us(1000 * step + 10 * (rank + 1));
            const Picoseconds end = us(1000 * step + 400);
            builder.enter(rank, begin, "MPI_Allreduce");
            builder.leave(rank, end);
            parts.push_back({Rank{rank}, begin, end, 65536, 65536});
        }
        builder.collective(traces::Operation::allreduce, 0, traces::noRank, std::move(parts));
    }
    for (int rank = 0; rank < ranks; ++rank) builder.leave(rank, us(3000));
    return builder.finish();
}

class ReplaySweepVerb : public ::testing::Test {
protected:
    void SetUp() override {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        traces::writeCopy(program(), trace());
    }
    void TearDown() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string file(const std::string& name) const { return (folder_ / name).string(); }
    [[nodiscard]] std::string trace() const { return file("trace"); }
    [[nodiscard]] Answer sweep(const std::string& flags, const Surroundings& around = {}) const {
        return command("sweep " + trace() + flags, around);
    }
    [[nodiscard]] static std::string contents(const std::string& name) {
        std::ifstream in{name};
        return {std::istreambuf_iterator<char>{in}, {}};
    }

private:
    fs::path folder_ = fs::temp_directory_path() / ("replay-sweep-" + std::to_string(getpid()));
};

const std::string many =
    " --alpha 1us,20us --beta 1ns/B --with allreduce=recorded,best,allreduce/ring --ports 1..2 "
    "--topology full,torus:2x2 --compute 0.5,1";

TEST_F(ReplaySweepVerb, isTheSameAsSingleReplays) {
    const Answer answer = sweep(many + " --format json");
    ASSERT_EQ(answer.code, 0) << answer.err;
    const json rows = json::parse(answer.out);
    ASSERT_EQ(rows.size(), 2U * 3 * 2 * 2 * 2);
    for (const json& row : rows) {
        std::string flags;
        for (const char* flag : {"with", "compute", "topology", "alpha", "beta", "ports"})
            if (!row[flag].is_null()) flags += std::string{" --"} + flag + ' ' + row[flag].get<std::string>();
        const json alone = jsonOf("replay " + trace() + flags + " --format json");
        EXPECT_EQ(row["recorded_s"], alone["recorded_s"]);
        EXPECT_EQ(row["conditions"], alone["conditions"]);
        EXPECT_EQ(row["error_share"], alone["error_share"]) << flags;
        EXPECT_EQ(row["replayed_s"], alone["replayed"]["time_s"]) << flags;
        EXPECT_EQ(row["time_s"], alone["changed"]["time_s"]) << flags;
        EXPECT_EQ(row["program_time_s"], alone["changed"]["program_time_s"]) << flags;
        EXPECT_EQ(row["messages"], alone["changed"]["messages"]) << flags;
        EXPECT_EQ(row["computing_s"], alone["tables"]["activities"]["rows"][0]["changed_s"]) << flags;
        const auto spent = [&](std::size_t cause) {
            return alone["tables"]["activities"]["rows"][cause]["changed_s"].get<double>();
        };
        EXPECT_NEAR(row["collectives_s"].get<double>(), spent(3) + spent(4), 2e-12) << flags;
        EXPECT_EQ(row["done_early_s"], spent(5)) << flags;
    }
}

TEST_F(ReplaySweepVerb, doesNotDependOnThreads) {
    EXPECT_EQ(sweep(many + " --threads 1 --format csv").out, sweep(many + " --threads 3 --format csv").out);
}

TEST_F(ReplaySweepVerb, tellsWhatVaries) {
    const Answer answer = sweep(" --alpha 1us,2us --beta 1ns/B --with allreduce=allreduce/ring");
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_TRUE(answer.out.starts_with("recorded 3 ms; replayed without changes ")) << answer.out;
    const std::string head = answer.out.substr(0, answer.out.find('\n'));
    EXPECT_NE(head.find(" to ", head.find("error of the time after MPI_Init: ")), std::string::npos)
        << "each alpha has an error of its own: " << head;
    EXPECT_NE(answer.out.find("gain: share of the time after MPI_Init of the replay without changes"),
              std::string::npos)
        << answer.out;
    EXPECT_NE(answer.out.find("\n  alpha "), std::string::npos) << answer.out;
    EXPECT_EQ(answer.out.find("allreduce/ring"), std::string::npos) << answer.out;
}

TEST_F(ReplaySweepVerb, goesOnWhereItWasStopped) {
    ASSERT_EQ(sweep(many + " -o " + file("whole.csv")).code, 0);
    const std::string whole = contents(file("whole.csv"));
    std::ofstream{file("again.csv.part")} << whole.substr(0, whole.size() / 2);
    ASSERT_EQ(sweep(many + " --resume -o " + file("again.csv")).code, 0);
    EXPECT_EQ(contents(file("again.csv")), whole);
    std::ofstream{file("other.csv.part")} << whole.substr(0, whole.size() / 2);
    const Answer other = sweep(" --alpha 7us,8us --resume -o " + file("other.csv"));
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find("the rows that are there are of another sweep"), std::string::npos) << other.err;
    EXPECT_EQ(command("sweep bcast/flat -n 2..4 --resume -o " + file("other.csv")).code, 2);
}

TEST_F(ReplaySweepVerb, drawsWhatVaries) {
    Chart drawn;
    Surroundings around;
    around.chart = [&](const Sheet& sheet, const fs::path&, const gui::Picture&) { drawn = sheet.charts.at(0); };
    const Answer answer =
        sweep(" --alpha 1us,20us --beta 1ns/B --with allreduce=recorded,allreduce/ring -o x.svg", around);
    ASSERT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(drawn.across.name, "alpha");
    EXPECT_EQ(drawn.across.unit, Unit::seconds);
    ASSERT_EQ(drawn.lines.size(), 2U);
    EXPECT_EQ(drawn.lines[0].name, "with as recorded");
    EXPECT_EQ(drawn.lines[1].name, "allreduce=allreduce/ring");
    ASSERT_EQ(drawn.lines[1].points.size(), 2U);
    EXPECT_DOUBLE_EQ(drawn.lines[1].points[1].x, 20e-6);
    const json alone =
        jsonOf("replay " + trace() + " --alpha 20us --beta 1ns/B --with allreduce=allreduce/ring --format json");
    EXPECT_DOUBLE_EQ(drawn.lines[1].points[1].y, alone["changed"]["time_s"].get<double>());
    ASSERT_EQ(sweep(" --compute 0.5,1 --y waiting -o x.svg", around).code, 0);
    EXPECT_EQ(drawn.up.name, "waiting");
}

TEST_F(ReplaySweepVerb, refusesInOneSentence) {
    const auto refused = [&](const std::string& flags, const std::string& sentence) {
        const Answer answer = sweep(flags);
        EXPECT_EQ(answer.code, 2) << flags;
        EXPECT_EQ(answer.err, "collscope: " + sentence + "\n") << flags;
    };
    refused(" --size 1KiB", "--size has no effect on replays of " + trace() + ", whose recording determines it");
    refused(" --baseline x", "--baseline is for sweeps of algorithms, not for one of a trace");
    refused(" --with allreduce=best,bcast/chain",
            "--with: bcast/chain does not solve allreduce; allreduce/adapted-dissemination does");
    refused(" --topology torus:3x1", "--topology torus:3x1 has 3 places, but there are 4 ranks; torus:2x2 would fit");
    const Answer mixed = sweep(" --topology full,torus:3x1");
    EXPECT_EQ(mixed.code, 0) << mixed.err;
    EXPECT_NE(mixed.out.find("1 of 2 replays refused, first: "), std::string::npos) << mixed.out;
    EXPECT_EQ(command("sweep bcast/chain -n 4 --with best").err,
              "collscope: --with is about replays; name a trace that is there in place of algorithms\n");
}

TEST_F(ReplaySweepVerb, keepsHowPortsTakeBytes) {
    const std::string again = file("again");
    const Answer kept = command("replay " + trace() +
                                " --alpha 5us --beta 1ns/B --ports 1 --in-ports byte --with allreduce=allreduce/ring "
                                "--trace " +
                                again);
    ASSERT_EQ(kept.code, 0) << kept.err;
    const json replayed = jsonOf("replay " + again + " --format json");
    EXPECT_EQ(replayed["conditions"], "recorded");
    EXPECT_EQ(replayed["replayed"]["in_ports"], "byte");
    EXPECT_EQ(replayed["error_share"], 0);
    EXPECT_TRUE(replayed["changed"].is_null());
    EXPECT_FALSE(jsonOf("replay " + again + " --in-ports message --format json")["changed"].is_null());
    const Answer wrong = command("replay " + trace() + " --in-ports bytes");
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.err.find("did you mean byte?"), std::string::npos) << wrong.err;
}

/// Does jobs in a random order, as processes of different speed would.
class ShuffledCrew : public engine::live::WorkerProcesses {
public:
    [[nodiscard]] bool leads() const override { return true; }
    [[nodiscard]] int members() const override { return 3; }
    void lead(std::size_t first, std::size_t last, const std::function<void(std::size_t job)>& own,
              const std::function<void(std::size_t job, std::string_view piece)>&) override {
        std::vector<std::size_t> jobs;
        for (std::size_t job = first; job < last; ++job) jobs.push_back(job);
        std::mt19937 random{7};
        std::shuffle(jobs.begin(), jobs.end(), random);
        for (const std::size_t job : jobs) own(job);
    }
    void serve(const std::function<void(std::size_t job, const engine::live::Tell& tell)>&) override {}
};

TEST_F(ReplaySweepVerb, isTheSameFromManyProcesses) {
    ShuffledCrew crew;
    Surroundings around;
    around.crew = &crew;
    EXPECT_EQ(sweep(many + " --format csv", around).out, sweep(many + " --format csv").out);
}

TEST(InTurn, tellsResultsInTheOrderOfTheJobs) {
    ShuffledCrew crew;
    std::string told;
    leadInTurn(
        crew, 3, 9, [](std::size_t job) { return std::to_string(job); },
        [&](const std::string& result) { told += result; }, {});
    EXPECT_EQ(told, "345678");
}

TEST(ReplayPoints, readsNumbersOfItsCoordinates) {
    EXPECT_EQ(numberOf("alpha", "2us"), 2e-6);
    EXPECT_EQ(numberOf("compute", "rank 3: assemble=0.5"), 0.5);
    EXPECT_EQ(numberOf("eager", "4KiB"), 4096);
    EXPECT_EQ(numberOf("topology", "ring"), std::nullopt);
    EXPECT_EQ(numberOf("alpha", ""), std::nullopt);
}

TEST(ReplayPoints, splitsListsOfNetworksWithCommasOfTheirOwn) {
    Arguments arguments;
    arguments.words = {"trace"};
    arguments.asked.add("topology", "full,fat-tree:4x4,taper=2,torus:4x4");
    const auto points = replayPoints(arguments);
    ASSERT_EQ(points.size(), 3U);
    EXPECT_EQ(points[1].wish.asked.word("topology"), "fat-tree:4x4,taper=2");
}

}  // namespace
}  // namespace app::cli
