// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/missing_data.hpp"

#include "tests/support/programs/stepping_program.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace app::analysis {
namespace {

/// A program whose locations paused: location k for 10 + k us, `pauses` times in all.
Trace paused(std::int32_t pauses) {
    traces::Recording recording = support::steppingProgram(4, 12);
    for (std::int32_t k = 0; k < pauses; ++k)
        recording.absences.push_back({.what = traces::Absence::interval,
                                      .location = k,
                                      .count = 1,
                                      .end = engine::Picoseconds{(10 + k) * 1'000'000},
                                      .words = engine::text("rank ", k, " did not record for ", 10 + k, " us")});
    auto kept = std::make_shared<const traces::Recording>(std::move(recording));
    return {reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), kept};
}

TEST(NotRecorded, tellsManyPausesInOneClauseThatStandsFirst) {
    const std::vector<std::string> few = notRecordedInBrief(paused(2));
    EXPECT_EQ(std::ranges::count(few, "rank 1 did not record for 11 us"), 1);
    const std::vector<std::string> many = notRecordedInBrief(paused(3));
    EXPECT_EQ(many.front(), "3 locations have gaps in their recording, the longest of 12 us");
    EXPECT_EQ(many.size(), few.size() - 1);
    EXPECT_EQ(notRecordedOf(paused(3)).size(), few.size() + 1) << "the question tells each";
}

TEST(NotRecorded, tellsWhereMuchTimeLiesOutsideOfEvents) {
    const auto said = [](engine::Picoseconds late) {
        traces::Recording recording = support::steppingProgram(4, 12);
        for (traces::Location& location : recording.locations) {
            location.events = 1;
            location.first = {};
            location.last = recording.duration;
        }
        recording.locations[2].first = late;
        auto kept = std::make_shared<const traces::Recording>(std::move(recording));
        const auto all =
            notRecordedInBrief({reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), kept});
        const auto found =
            std::ranges::find_if(all, [](const std::string& words) { return words.starts_with("before their first"); });
        return found == all.end() ? std::string{} : *found;
    };
    const engine::Picoseconds duration = support::steppingProgram(4, 12).duration;
    EXPECT_EQ(said({}), "");
    EXPECT_EQ(said(duration / 200), "") << "an eighth of a percent of all ranks' time";
    EXPECT_EQ(said(duration / 2),
              "before their first event and after their last one ranks recorded nothing: 12.5% of "
              "total rank time, rank 2 for " +
                  engine::showTime(duration / 2));
}

}  // namespace
}  // namespace app::analysis
