// SPDX-License-Identifier: BSD-3-Clause
// What is told of a timeline can be drawn: slices of a row come in the order of time, and none reaches into another.
#include "traces/export/timeline.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace of_timelines {
namespace {

using traces::Picoseconds;
using traces::TimelineRow;

class Judge final : public traces::Timeline {
public:
    void nameProcess(std::int64_t, std::string_view) override {}
    void nameRow(TimelineRow row, std::string_view words) override {
        if (words.starts_with("messages ")) ++beside;
        named_[row] = words;
    }
    void slice(std::string_view words, std::string_view, TimelineRow row, Picoseconds begin, Picoseconds end,
               traces::TimelineDetails, const std::optional<traces::TimelineArrow>&) override {
        std::vector<std::pair<Picoseconds, Picoseconds>>& around = open_[row];
        while (!around.empty() && around.back().second <= begin) around.pop_back();
        if (!around.empty()) {
            EXPECT_GE(begin, around.back().first) << words;
            EXPECT_LE(end, around.back().second) << words;
            const std::string& name = named_[row];
            EXPECT_FALSE(name.starts_with("messages") || name.starts_with("collectives")) << words << " in " << name;
        }
        if (begin < end) around.emplace_back(begin, end);
        ++slices;
    }
    void instant(std::string_view, std::string_view, TimelineRow, Picoseconds) override {}
    void close() override {}

    int slices = 0;
    int beside = 0;  ///< rows of messages that are under way beside others

private:
    std::map<TimelineRow, std::string> named_;
    std::map<TimelineRow, std::vector<std::pair<Picoseconds, Picoseconds>>> open_;
};

/// Messages and barriers at times that often coincide, some of no length.
traces::Recording program(std::mt19937& random, int ranks) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    traces::RecordingBuilder b{ranks};
    for (int k = below(30); k > 0; --k) {
        const int from = below(ranks), sent = below(40), left = sent + below(9);
        const int came = below(40), there = std::max(sent, came) + below(9);
        b.message({.from = traces::Rank{from},
                   .to = traces::Rank{(from + 1 + below(ranks - 1)) % ranks},
                   .bytes = 8,
                   .sendBegin = Picoseconds{sent},
                   .sendEnd = Picoseconds{left},
                   .receiveBegin = Picoseconds{came},
                   .receiveEnd = Picoseconds{there}});
    }
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < ranks; ++rank)
        parts.push_back({traces::Rank{rank}, Picoseconds{40 + below(5)}, Picoseconds{45 + below(3)}});
    b.collective(traces::Operation::barrier, 0, traces::noRank, parts);
    return b.finish();
}

TEST(Timelines, haveRowsInWhichNothingOverlaps) {
    std::mt19937 random{4};
    int slices = 0, beside = 0;
    for (int trial = 0; trial < 200; ++trial) {
        Judge judge;
        traces::tell(program(random, 2 + trial % 5), judge);
        slices += judge.slices;
        beside += judge.beside;
        ASSERT_FALSE(HasFailure()) << "trial " << trial;
    }
    EXPECT_GT(slices, 1000);
    EXPECT_GT(beside, 10) << "the programs have what is judged";
}

}  // namespace
}  // namespace of_timelines
