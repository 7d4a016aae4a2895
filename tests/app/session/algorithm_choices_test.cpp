// SPDX-License-Identifier: BSD-3-Clause
// What users say of the algorithms of a replay, and the rules that say the same to the drop-in library.
#include "app/session/replay/algorithm_choices.hpp"

#include "app/session/replay/replay_run.hpp"
#include "engine/base/error.hpp"
#include "tests/app/session/replay_samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <utility>

namespace app {
namespace {

using engine::Rank;
using samples::scratchOf;
using samples::traceOf;
using samples::us;

/// The algorithm of each row of the table of collectives, by operation and bytes.
std::map<std::pair<std::string, std::int64_t>, std::string> changedTo(const Replaying& replaying) {
    std::map<std::pair<std::string, std::int64_t>, std::string> found;
    const engine::Table& table = replaying.algorithms;
    const auto column = [&](const char* name) {
        return std::ranges::find(table.columns, name, &engine::Column::name) - table.columns.begin();
    };
    for (const auto& row : table.rows)
        if (const auto* words = std::get_if<std::string>(&row[engine::asSize(column("changed_to"))]))
            found[{std::get<std::string>(row[0]), std::get<std::int64_t>(row[2])}] = *words;
    return found;
}

/// Allreduces of 1 KiB and 64 KiB of all four ranks, and one of 1 KiB of two that are called "pair".
Trace ofTwoSizes() {
    traces::RecordingBuilder builder{4};
    builder.rest().creator = "Collscope";
    const std::int32_t pair = builder.communicator("pair", {Rank{0}, Rank{2}});
    std::int64_t now = 0;
    const auto allreduce = [&](std::vector<int> ranks, std::int32_t communicator, engine::Bytes bytes) {
        std::vector<traces::Participant> parts;
        for (const int rank : ranks) {
            builder.enter(rank, us(now), "MPI_Allreduce");
            builder.leave(rank, us(now + 5));
            parts.push_back({Rank{rank}, us(now), us(now + 5), bytes, bytes});
        }
        builder.collective(traces::Operation::allreduce, communicator, traces::noRank, std::move(parts));
        now += 10;
    };
    allreduce({0, 1, 2, 3}, 0, 1024);
    allreduce({0, 1, 2, 3}, 0, 65536);
    allreduce({0, 2}, pair, 1024);
    return traceOf(builder);
}

TEST(SaidAlgorithms, runsCollectivesAsSaidOfTheirCommunicatorAndBytes) {
    const Trace trace = ofTwoSizes();
    const auto changed = [&](std::vector<std::string> with) {
        return changedTo(replayed(trace, {.with = std::move(with)}));
    };
    auto found =
        changed({"allreduce=allreduce/ring", "allreduce@pair=allreduce/butterfly", "allreduce:..4KiB=allreduce/bruck"});
    EXPECT_EQ((found[{"allreduce", 4 * 1024}]), "allreduce/bruck");
    EXPECT_EQ((found[{"allreduce", 4 * 65536}]), "allreduce/ring");
    EXPECT_EQ((found[{"allreduce", 2 * 1024}]), "allreduce/butterfly");
    for (const auto& wrong : {"allreduce:x=allreduce/ring", "allreduce@=allreduce/ring",
                              "allreduce:8..4=allreduce/ring", "@/nowhere/rules", "allreduce@pairs=allreduce/ring"})
        EXPECT_THROW(replayed(trace, {.with = {wrong}}), engine::Error) << wrong;
    EXPECT_THROW(replayed(trace, {.with = {"allreduce@pair=best", "allreduce@pair=allreduce/ring"}}), engine::Error);
    // One that is about nothing, beside one that is.
    EXPECT_THROW(replayed(trace, {.with = {"allreduce@pair=best", "allreduce@pairs=allreduce/ring"}}), engine::Error);
}

TEST(SaidAlgorithms, takesAndMakesRulesOfTheDropInLibrary) {
    const Trace trace = ofTwoSizes();
    const std::filesystem::path file = scratchOf("rules");
    std::ofstream{file} << "allreduce intra 2..3 * native\nallreduce intra * ..1KiB allreduce/bruck:n=2\n"
                           "allreduce intra * * allreduce/ring\n";
    const Replaying replaying = replayed(trace, {.with = {"@" + file.string()}, .checked = true});
    EXPECT_EQ(replaying.rules,
              "allreduce intra 4 1024..1024 allreduce/bruck:n=2\n"
              "allreduce intra 4 65536..65536 allreduce/ring\n");
    EXPECT_EQ(replaying.named, 2U);
    EXPECT_EQ(replayed(trace, {.with = {"allreduce=allreduce/ring"}, .checked = true}).rules,
              "allreduce intra 2 1024..1024 allreduce/ring\nallreduce intra 4 1024..65536 allreduce/ring\n");
    EXPECT_EQ(replayed(trace, {.checked = true}).rules, "");
    std::filesystem::remove(file);
}

TEST(SaidAlgorithms, saysWhatRulesCannotSay) {
    traces::RecordingBuilder builder{2};
    builder.rest().creator = "Collscope";
    const std::int32_t other = builder.communicator("other", {Rank{0}, Rank{1}});
    for (const std::int32_t communicator : {0, other}) {
        std::vector<traces::Participant> parts;
        for (const int rank : {0, 1}) {
            builder.enter(rank, us(10 * communicator), "MPI_Allreduce");
            builder.leave(rank, us(10 * communicator + 5));
            parts.push_back({Rank{rank}, us(10 * communicator), us(10 * communicator + 5), 64, 64});
        }
        builder.collective(traces::Operation::allreduce, communicator, traces::noRank, std::move(parts));
    }
    const Trace trace = traceOf(builder);
    EXPECT_NO_THROW(replayed(trace, {.with = {"allreduce@other=allreduce/ring"}}));
    EXPECT_THROW(replayed(trace, {.with = {"allreduce@other=allreduce/ring"}, .checked = true}), engine::Error);
}

}  // namespace
}  // namespace app
