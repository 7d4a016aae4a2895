// SPDX-License-Identifier: BSD-3-Clause
// Slices and flows for Perfetto: what is written is the json that its readers expect, whatever the names are.
#include "app/cli/export/perfetto_export.hpp"
#include "app/cli/export/trace_events.hpp"
#include "engine/base/text.hpp"
#include "traces/export/slice_rows.hpp"
#include "traces/export/utf8.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>
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
    writePerfetto(recording, ".json", out);
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
    EXPECT_EQ(messages[1]["ph"], "s");
    EXPECT_EQ(messages[2]["args"], json({{"from", 0}, {"bytes", 100}, {"tag", 5}, {"inferred", true}}));
    EXPECT_EQ(messages[2]["dur"], 6);
    EXPECT_EQ(messages[3]["ph"], "f");
    EXPECT_EQ(messages[3]["bp"], "e");
    EXPECT_EQ(messages[1]["id"], messages[3]["id"]);
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
    events.slice("x", {}, {0, 0}, Picoseconds{-1'000'001}, Picoseconds{12'000'000}, {}, {});
    events.slice("y", "c", {0, 0}, Picoseconds{(std::int64_t{1} << 60) + 7}, Picoseconds{std::int64_t{1} << 60}, {},
                 {});
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

/// What overlaps without lying within the other stands in rows of its own: slices of one row could not be told apart.
TEST(Perfetto, keepsOverlappingMessagesApart) {
    traces::RecordingBuilder b{2};
    for (const auto& [begin, end] : {std::pair{0, 10}, {5, 15}, {10, 12}, {11, 20}})
        b.message({.from = Rank{0},
                   .to = Rank{1},
                   .bytes = 8,
                   .sendBegin = us(begin),
                   .sendEnd = us(end),
                   .receiveBegin = us(begin + 20),
                   .receiveEnd = us(begin + 20)});
    const std::string words = written(b.finish());
    std::string rows;
    for (const json& event : eventsOf(words, "name", "send"))
        if (event["ph"] == "X") rows += engine::text(event["ts"].get<double>(), ":", event["tid"].dump(), ' ');
    EXPECT_EQ(rows, "0:0 5:6 10:0 11:8 ");
    EXPECT_EQ(eventsOf(words, "name", "thread_name").size(), 2 * 3U + 2U) << "each of the two further rows has a name";
}

TEST(Lanes, neverOverlap) {
    std::mt19937 random{3};
    for (int i = 0; i < 50; ++i) {
        std::vector<std::pair<int, int>> spans(40);
        for (auto& [begin, end] : spans)
            begin = static_cast<int>(random() % 100), end = begin + static_cast<int>(random() % 20);
        std::sort(spans.begin(), spans.end());
        traces::Lanes lanes;
        std::vector<int> taken;
        std::size_t most = 0;
        for (std::size_t k = 0; k < spans.size(); ++k) {
            taken.push_back(lanes.take(us(spans[k].first), us(spans[k].second)));
            std::size_t open = 0;
            for (std::size_t other = 0; other <= k; ++other) {
                if (other < k && taken[other] == taken[k]) {
                    EXPECT_LE(spans[other].second, spans[k].first);
                }
                open += other == k || spans[other].second > spans[k].first ? 1 : 0;
            }
            most = std::max(most, open);
        }
        EXPECT_EQ(static_cast<std::size_t>(lanes.count()), most) << "no more than are needed";
    }
}

TEST(Utf8, isMadeOfAnyBytes) {
    std::mt19937 random{5};
    for (int i = 0; i < 20'000; ++i) {
        std::string words;
        for (auto left = random() % 8; left > 0; --left)
            words += static_cast<char>(random() % 3 == 0 ? 0x80 + random() % 64 : random() % 256);
        const std::string valid = traces::validUtf8(words);
        EXPECT_NO_THROW((void)json(valid).dump()) << i;
        bool isValid = true;
        try {
            (void)json(words).dump();
        } catch (const json::exception&) {
            isValid = false;
        }
        EXPECT_EQ(valid == words, isValid) << i;
    }
    EXPECT_EQ(traces::validUtf8("a\xff"
                                "caf\xc3\xa9\xc3"),
              "a\xef\xbf\xbd"
              "caf\xc3\xa9\xef\xbf\xbd");
}

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
