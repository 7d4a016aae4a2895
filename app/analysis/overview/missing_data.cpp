// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/missing_data.hpp"

#include "engine/base/text.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace app::analysis {
namespace {

constexpr std::size_t fewPauses = 2;
constexpr double muchTime = 0.01;  // of the total rank time; below, ranks begin and end together

/// Where much of the time lies before the first event of a rank, or behind its last one.
std::optional<traces::NotRecorded> outsideOfEvents(const traces::Recording& recording) {
    using engine::Picoseconds;
    Picoseconds all{}, most{};
    std::int64_t ranks = 0;
    engine::Rank who{0};
    for (const traces::Location& location : recording.locations) {
        if (!location.speaksForRank || location.events == 0) continue;
        const Picoseconds outside = location.first + std::max(recording.duration - location.last, Picoseconds{});
        if (outside > most) most = outside, who = location.rank;
        all += outside;
        ++ranks;
    }
    const double share = ranks == 0 ? 0
                                    : static_cast<double>(all.count()) / static_cast<double>(ranks) /
                                          static_cast<double>(std::max(recording.duration, Picoseconds{1}).count());
    if (share < muchTime) return std::nullopt;
    traces::NotRecorded absence;
    absence.words = engine::text("before their first event and after their last one ranks recorded nothing: ",
                                 engine::showNumber(100 * share, 3), "% of total rank time, rank ", who, " for ",
                                 engine::showTime(most));
    return absence;
}

}  // namespace

std::vector<traces::NotRecorded> notRecordedOf(const Trace& trace) {
    std::vector<traces::NotRecorded> found;
    if (trace.recording && !trace.isCollscopeRun()) {
        found = trace.recording->absences;
        if (auto outside = outsideOfEvents(*trace.recording)) found.push_back(std::move(*outside));
    }
    const std::size_t recorded = found.size();
    for (const std::string& remark : trace.report.run->remarks) {
        const auto said = found.begin() + static_cast<std::ptrdiff_t>(recorded);
        if (std::none_of(found.begin(), said, [&](const auto& one) { return one.words == remark; }))
            found.emplace_back().words = remark;
    }
    return found;
}

std::vector<std::string> notRecordedInBrief(const Trace& trace) {
    std::vector<traces::NotRecorded> all = notRecordedOf(trace);
    const auto isPause = [](const traces::NotRecorded& one) { return one.what == traces::Absence::interval; };
    std::vector<std::string> words;
    if (static_cast<std::size_t>(std::ranges::count_if(all, isPause)) > fewPauses) {
        std::set<std::int32_t> who;
        engine::Picoseconds longest{};
        for (const traces::NotRecorded& one : all)
            if (isPause(one)) {
                who.insert(one.location);
                longest = std::max(longest, one.end - one.begin);
            }
        words.push_back(engine::text(who.size(), who.size() == 1 ? " location" : " locations",
                                     " have gaps in their recording, the longest of ", engine::showTime(longest)));
        std::erase_if(all, isPause);
    }
    for (traces::NotRecorded& one : all) words.push_back(std::move(one.words));
    return words;
}

}  // namespace app::analysis
