// SPDX-License-Identifier: BSD-3-Clause
// Slices and flows for Perfetto: what is written is the json that its readers expect, whatever the names are.
#include "app/cli/perfetto.hpp"
#include "app/cli/trace_events.hpp"
#include "traces/recording_builder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace app::cli {
namespace {

using engine::Rank;
using nlohmann::json;
using traces::Picoseconds;

Picoseconds us(int time) { return Picoseconds{1'000'000} * time; }

/// Rank 0 sends to rank 1 inside calls; a send of rank 1 has no other end; both meet in a barrier.
traces::Recording sample(const char* call = "MPI_Send") {
    traces::RecordingBuilder b{2};
    b.enter(0, us(10), call);
    b.message({.from = Rank{0},
               .to = Rank{1},
               .tag = 5,
               .bytes = 100,
               .sendBegin = us(10),
               .sendEnd = us(12),
               .receiveBegin = us(8),
               .receiveEnd = us(14),
               .flags = traces::flag::receiveInferred});
    b.leave(0, us(12));
    b.half({.side = traces::Side::send, .self = Rank{1}, .peer = Rank{0}, .bytes = 3, .begin = us(30), .end = us(30)});
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 2; ++rank) parts.push_back({Rank{rank}, us(40 + rank), us(45)});
    b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    return b.finish();
}

std::string written(const traces::Recording& recording) {
    std::ostringstream out;
    writePerfetto(recording, out);
    return out.str();
}

std::vector<json> eventsOf(const std::string& words, const char* key, const char* value) {
    std::vector<json> found;
    const json all = json::parse(words);
    for (const json& event : all["traceEvents"])
        if (event.value(key, "") == value) found.push_back(event);
    return found;
}

TEST(Perfetto, drawsMessagesOfARecordingAsFlows) {
    const std::string words = written(sample());
    const auto messages = eventsOf(words, "cat", "message");
    ASSERT_EQ(messages.size(), 4U) << words;
    const json zero = messages[0]["ts"];
    EXPECT_EQ(messages[0], json({{"ph", "X"},
                                 {"name", "send"},
                                 {"cat", "message"},
                                 {"pid", 0},
                                 {"tid", 0},
                                 {"ts", zero},
                                 {"dur", 2},
                                 {"args", {{"to", 1}, {"bytes", 100}, {"tag", 5}}}}));
    EXPECT_EQ(messages[1]["args"], json({{"from", 0}, {"bytes", 100}, {"tag", 5}, {"inferred", true}}));
    EXPECT_EQ(messages[1]["dur"], 6);
    EXPECT_EQ(messages[2]["ph"], "s");
    EXPECT_EQ(messages[3]["ph"], "f");
    EXPECT_EQ(messages[3]["bp"], "e");
    EXPECT_EQ(messages[2]["id"], messages[3]["id"]);
    EXPECT_EQ(messages[3]["ts"].get<double>() - zero.get<double>(), 4);
    EXPECT_EQ(eventsOf(words, "cat", "collective").size(), 2U);
    EXPECT_EQ(eventsOf(words, "cat", "half").size(), 1U);
    EXPECT_EQ(eventsOf(words, "name", "process_name").size(), 2U);
}

TEST(Perfetto, survivesNamesOfAnyBytes) {
    const std::string words = written(sample("a\"\\\n\x1b\xff caf\xc3\xa9"));
    EXPECT_EQ(eventsOf(words, "name", "a\"\\\n\x1b\xef\xbf\xbd caf\xc3\xa9").size(), 1U) << words;
}

TEST(TraceEvents, keepPicoseconds) {
    std::ostringstream out;
    TraceEvents events{out};
    events.slice("x", {}, {0, 0}, Picoseconds{-1'000'001}, Picoseconds{12'000'000});
    events.slice("y", "c", {0, 0}, Picoseconds{(std::int64_t{1} << 60) + 7}, Picoseconds{std::int64_t{1} << 60});
    events.close();
    EXPECT_NE(out.str().find(R"("ts":-1.000001,"dur":13.000001})"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find(R"("ts":1152921504606.846983,"dur":-0.000007})"), std::string::npos) << out.str();
}

/// Counts what arrives, and the most that arrives at once.
class Counter : public std::streambuf {
public:
    std::streamsize bytes = 0, most = 0;

private:
    std::streamsize xsputn(const char*, std::streamsize count) override {
        bytes += count;
        most = std::max(most, count);
        return count;
    }
};

TEST(TraceEvents, leaveAsTheyCome) {
    Counter counter;
    std::ostream out{&counter};
    TraceEvents events{out};
    for (int i = 0; i < 20'000; ++i) events.instant("moment", "c", {0, 0}, us(i));
    const std::streamsize before = counter.bytes;
    events.close();
    EXPECT_GT(before, counter.bytes * 9 / 10) << "nearly all is written before the end is known";
    EXPECT_LT(counter.most, 100'000);
}

}  // namespace
}  // namespace app::cli
