// SPDX-License-Identifier: BSD-3-Clause
// What is found out at once for many: instances without their messages, waits added up and not kept; and a trace that
// memory has no room for is looked at until that room ends, as if that had been asked for.
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"
#include "tests/support/first_page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace app::analysis {
namespace {

using calling::randomTrace;
using engine::Picoseconds;
using engine::Rank;

TEST(WaitTotals, areThoseOfAllWaits) {
    std::mt19937 random{11};
    std::size_t waits = 0;
    for (int i = 0; i < 400; ++i) {
        const Trace trace = randomTrace(random);
        Selection selection;
        if (i % 4 == 1) selection.part.ranks = {Rank{1}};
        if (i % 4 == 2) selection.part.to = calling::us(25);
        if (i % 4 == 3) selection.part.from = calling::us(12), selection.part.to = calling::us(30);
        const std::vector<Instance> instances = instancesOf(*trace.recording, selection);
        std::vector<Instance> collectives;
        eachCollective(*trace.recording, selection, [&](Instance&& one) { collectives.push_back(std::move(one)); });
        const WaitTotals whole = waitTotals(tracedWaits(*trace.recording, selection, instances));
        const ShortWaits beside = waitsBesideMessages(*trace.recording, selection, collectives);
        EXPECT_EQ(waitTotals(*trace.recording, shortWaits(*trace.recording, selection, beside)), whole) << i;
        waits += whole.waits;
    }
    EXPECT_GT(waits, 5'000U);
}

TEST(Instances, getBackTheMessagesThatWereLeftOut) {
    std::mt19937 random{12};
    for (int i = 0; i < 50; ++i) {
        const Trace trace = randomTrace(random);
        const std::vector<Instance> whole = instancesOf(*trace.recording, {});
        std::vector<Instance> few = instancesOf(*trace.recording, {}, InstanceMessages::leftOut);
        ASSERT_EQ(few.size(), whole.size());
        for (std::size_t k = 0; k < few.size(); ++k) {
            EXPECT_EQ(lacksMessages(few[k]), whole[k].hasMessages);
            EXPECT_EQ(few[k].look, whole[k].look);
            EXPECT_EQ(few[k].messageCount, whole[k].messageCount);
            EXPECT_EQ(few[k].rounds, whole[k].rounds);
            EXPECT_EQ(few[k].run == nullptr, lacksMessages(few[k]) || !whole[k].hasMessages);
            if (lacksMessages(few[k])) addMessages(*trace.recording, few[k]);
            EXPECT_EQ(few[k].run == nullptr, whole[k].run == nullptr);
            if (whole[k].run) {
                EXPECT_EQ(*few[k].run, *whole[k].run);
            }
        }
    }
}

/// When the messages and collectives of all ranks begin that lie in `part`, in their order.
struct Begins {
    std::vector<Picoseconds> messages, collectives;
};
Begins beginsIn(const traces::Recording& recording, const Part& part) {
    Begins begins;
    const traces::Messages& m = recording.messages;
    for (std::size_t i = 0; i < m.size(); ++i)
        if (part.has(m.from[i]) && part.has(m.to[i]) &&
            part.overlaps(std::min(m.sendBegin[i], m.receiveBegin[i]), std::max(m.sendEnd[i], m.receiveEnd[i])))
            begins.messages.push_back(std::min(m.sendBegin[i], m.receiveBegin[i]));
    for (const traces::Collective& one : recording.collectives.instances) {
        Picoseconds begin = Picoseconds::max(), end = Picoseconds::min();
        for (const traces::Participant& its : recording.collectives.of(one))
            begin = std::min(begin, its.begin), end = std::max(end, its.end);
        if (part.overlaps(begin, end)) begins.collectives.push_back(begin);
    }
    std::sort(begins.messages.begin(), begins.messages.end());
    std::sort(begins.collectives.begin(), begins.collectives.end());
    return begins;
}

std::string pageOf(TraceAnalysis& analysis) {
    std::string all;
    for (const std::string& sentence : support::firstPageInWords(analysis, AnalysisUse::pageOnly))
        all += sentence + '\n';
    return all;
}

bool isAboutRoom(const std::string& remark) {
    return remark.find(engine::text(engine::field::memory)) != std::string::npos;
}

TEST(Room, endsWhereTheFirstBeginsThatItDoesNotHave) {
    std::mt19937 random{21};
    int cut = 0;
    for (int i = 0; i < 300; ++i) {
        Trace trace = randomTrace(random);
        trace.most.messages = 1 + random() % 70;
        trace.most.parts = 1 + random() % 50;
        AnalysisOptions wish;
        if (i % 3 == 1) wish.part.from = calling::us(9);
        if (i % 3 == 2) wish.part.ranks = {Rank{0}, Rank{1}};
        TraceAnalysis analysis{trace, wish};
        const Begins begins = beginsIn(*trace.recording, wish.part);
        const std::size_t collectives = trace.most.parts / static_cast<std::size_t>(trace.recording->ranks);
        std::optional<Picoseconds> sent, end;
        // Those that are sent first have room; of the others the first one begins maybe before one of these.
        if (begins.collectives.size() > collectives) end = begins.collectives[collectives];
        if (begins.messages.size() > trace.most.messages) {
            EXPECT_TRUE(analysis.isCut()) << i;
            EXPECT_LE(analysis.wish().part.to, begins.messages.back()) << i;
        } else {
            EXPECT_EQ(analysis.isCut(), end.has_value()) << i;
            if (end) {
                EXPECT_EQ(analysis.wish().part.to,
                          std::max(*end, wish.part.from.value_or(Picoseconds{}) + Picoseconds{1}));
            }
        }
        if (analysis.isCut() && end) {
            EXPECT_LE(analysis.wish().part.to, std::max(*end, wish.part.from.value_or(Picoseconds{}) + Picoseconds{1}));
        }
        EXPECT_LE(static_cast<std::size_t>(analysis.run().messageCount), trace.most.messages) << i;
        cut += analysis.isCut();
    }
    EXPECT_GT(cut, 150);
}

TEST(Room, isAPartOfTheTimeForEveryQuestion) {
    std::mt19937 random{22};
    int cut = 0;
    for (int i = 0; i < 40; ++i) {
        Trace small = randomTrace(random);
        Trace whole = small;
        small.most.messages = 25 + random() % 30;
        small.most.parts = 8 + random() % 20;
        AnalysisOptions wish;
        if (i % 3 == 1) wish.part.from = calling::us(5);
        TraceAnalysis analysis{small, wish};
        // Where more begin at once than there is room for, not even all of these are looked at.
        const Picoseconds from = wish.part.from.value_or(Picoseconds{});
        if (!analysis.isCut() || analysis.wish().part.to == from + Picoseconds{1}) continue;
        ++cut;
        TraceAnalysis asked{whole, analysis.wish()};
        for (const TableDefinition& definition : tableDefinitions()) {
            engine::Table answer = computeTable(definition, analysis), plain = computeTable(definition, asked);
            EXPECT_EQ(answer.rows, plain.rows) << i << ' ' << definition.name;
            const bool says = std::erase_if(answer.remarks, isAboutRoom) == 1;
            EXPECT_EQ(answer.remarks, plain.remarks) << i << ' ' << definition.name;
            const bool ofInstances =
                std::any_of(definition.columns.begin(), definition.columns.end(),
                            [](const ColumnDefinition& column) { return column.leads == CellLocation::instance; });
            EXPECT_TRUE(says || !ofInstances) << i << ' ' << definition.name;
        }
        TraceAnalysis first{small, wish}, second{whole, analysis.wish()};
        const std::string page = pageOf(first), plain = pageOf(second);
        EXPECT_EQ(page.find("Only what begins before "), 0U) << page;
        // What ranks waited for stands behind that; the least of many kinds of instances may make room.
        const std::size_t words = page.find('\n') + 1;
        EXPECT_EQ(page.substr(words, page.find('\n', words) - words), plain.substr(0, plain.find('\n'))) << i;
    }
    EXPECT_GT(cut, 20);
}

TEST(Room, isSharedByMessagesAndCollectives) {
    constexpr std::uint64_t memory = std::uint64_t{1} << 30;
    const AnswerRoom none = roomWithin(memory, 0), few = roomWithin(memory, 500'000), many = roomWithin(memory, ~0U);
    EXPECT_EQ(none.messages, memory / 2 / sizeOfTables.message);
    EXPECT_EQ(few.messages, (memory / 2 - 500'000 * sizeOfTables.part) / sizeOfTables.message);
    EXPECT_EQ(many.messages, memory / 4 / sizeOfTables.message);
    EXPECT_EQ(many.parts, memory / 4 / sizeOfTables.part);
    EXPECT_EQ(roomWithin(1, 0).messages, 100'000U);
}

}  // namespace
}  // namespace app::analysis
