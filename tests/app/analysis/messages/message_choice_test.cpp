// SPDX-License-Identifier: BSD-3-Clause
// Messages chosen by what they are: every table is about those alone.
#include "app/analysis/tables/table_definition.hpp"
#include "tests/support/small_runs.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace app::analysis::in_message_choice {
namespace {

using engine::Picoseconds;
using engine::Rank;

using samples::traceOf;

/// Four ranks send at random, receivers waiting; then all wait for rank 3 at a barrier.
traces::Recording program(std::mt19937& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    constexpr engine::Bytes sizes[] = {0, 1, 1000, 4096, 5000};
    traces::RecordingBuilder b{4};
    for (int i = 0; i < 200; ++i) {
        const int from = below(4);
        const Picoseconds begin{100 * i};
        b.message({.from = Rank{from},
                   .to = Rank{(from + 1 + below(3)) % 4},
                   .tag = static_cast<std::uint32_t>(below(10)),
                   .bytes = sizes[below(5)],
                   .sendBegin = begin + Picoseconds{20},
                   .sendEnd = begin + Picoseconds{30},
                   .receiveBegin = begin,
                   .receiveEnd = begin + Picoseconds{40}});
    }
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 4; ++rank)
        parts.push_back({.rank = Rank{rank}, .begin = Picoseconds{30000 + 10 * rank}, .end = Picoseconds{30100}});
    b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    return b.finish();
}

struct Sum {
    std::int64_t messages = 0;
    std::int64_t bytes = 0;

    friend bool operator==(const Sum&, const Sum&) = default;
};
using Sums = std::map<std::vector<std::int64_t>, Sum>;

std::int64_t number(const engine::Cell& cell) { return std::get<std::int64_t>(cell); }

/// Messages and bytes by the columns `keys`.
Sums sumsOf(const engine::Table& table, const std::vector<std::string>& keys) {
    const auto place = [&](const std::string& name) {
        std::size_t i = 0;
        while (table.columns[i].name != name) ++i;
        return i;
    };
    Sums sums;
    for (const auto& row : table.rows) {
        std::vector<std::int64_t> key;
        for (const std::string& name : keys) key.push_back(number(row[place(name)]));
        sums[key].messages += number(row[place("messages")]);
        sums[key].bytes += number(row[place("bytes")]);
    }
    return sums;
}

TEST(MessageChoice, isByTagSizeAndRanksInEveryTable) {
    std::mt19937 random{18};
    const std::vector<std::vector<NumberRange>> tagLists{{}, {{3, 5}, {9, 9}}, {{0, 0}}, {{7, 1 << 30}}};
    const std::vector<std::vector<NumberRange>> sizeLists{{}, {{1, 4096}}, {{0, 0}, {5000, 5000}}};
    for (const auto& tags : tagLists)
        for (const auto& sizes : sizeLists)
            for (const std::vector<Rank>& ranks : {std::vector<Rank>{}, {Rank{0}, Rank{2}}}) {
                const traces::Recording recording = program(random);
                const Trace trace = traceOf(recording);
                Sums byPair, byTag;
                Sum all;
                const auto in = [](const std::vector<NumberRange>& list, std::int64_t value) {
                    bool any = list.empty();
                    for (const NumberRange& one : list) any = any || (value >= one.low && value <= one.high);
                    return any;
                };
                for (std::size_t i = 0; i < recording.messages.size(); ++i) {
                    const traces::Message m = recording.messages[i];
                    if (!in(tags, m.tag) || !in(sizes, m.bytes)) continue;
                    if (!ranks.empty() && (m.from.value % 2 == 1 || m.to.value % 2 == 1)) continue;
                    for (Sum* sum : {&byPair[{m.from.value, m.to.value}], &byTag[{m.tag}], &all})
                        ++sum->messages, sum->bytes += m.bytes;
                }
                TraceAnalysis analysis{trace, {.part = {.ranks = ranks, .tags = tags, .bytes = sizes}}};
                const auto ask = [&](std::string_view name) { return computeTable(tableNamed(name), analysis); };
                EXPECT_EQ(sumsOf(ask("pairs"), {"from", "to"}), byPair);
                EXPECT_EQ(sumsOf(ask("tags"), {"tag"}), byTag);
                EXPECT_EQ(sumsOf(ask("sizes"), {})[{}], all);
                // Every receiver waits for its sender; the barrier is none of the messages that were chosen.
                const bool whole = tags.empty() && sizes.empty();
                std::int64_t forMessages = 0, inCollectives = 0;
                for (const Wait& wait : analysis.waits()) ++(wait.message != Wait::none ? forMessages : inCollectives);
                EXPECT_EQ(forMessages, all.messages);
                EXPECT_EQ(inCollectives, !whole ? 0 : ranks.empty() ? 3 : 2);
                const auto remarksOn = [&](std::string_view name, std::string_view start) {
                    return std::ranges::any_of(ask(name).remarks,
                                               [&](const std::string& one) { return one.starts_with(start); });
                };
                EXPECT_EQ(remarksOn("waits", "messages are selected by tag or size"), !whole);
            }
}

TEST(MessageChoice, doesNotApplyToTableCalls) {
    traces::RecordingBuilder b{1};
    b.enter(0, Picoseconds{1}, "MPI_Probe");
    b.leave(0, Picoseconds{5});
    const Trace trace = traceOf(b.finish());
    for (const bool chosen : {false, true}) {
        TraceAnalysis analysis{trace, chosen ? AnalysisOptions{.part = {.bytes = {{1, 2}}}} : AnalysisOptions{}};
        const engine::Table calls = computeTable(tableNamed("calls"), analysis);
        EXPECT_EQ(calls.rows.size(), 1U);
        EXPECT_EQ(calls.remarks.size(), chosen ? 1U : 0U);
    }
}

TEST(MessageChoice, byTagIsOfOtherToolsTraces) {
    const Trace own{.report = reportOn(std::make_shared<const engine::Run>(
                        samples::small(2, samples::moves(0, 1, 0, 8, 0, 5) + samples::moves(1, 0, 1, 64, 5, 9))))};
    EXPECT_THROW((TraceAnalysis{own, {.part = {.tags = {{1, 2}}}}}), engine::Error);
    TraceAnalysis large{own, {.part = {.bytes = {{9, 100}}}}};
    EXPECT_EQ(large.run().messageCount, 1);
    EXPECT_EQ(large.run().byteCount, 64);
}

}  // namespace
}  // namespace app::analysis::in_message_choice
