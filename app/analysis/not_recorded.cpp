// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/not_recorded.hpp"

#include "engine/text.hpp"

#include <algorithm>
#include <set>

namespace app::analysis {
namespace {

constexpr std::size_t fewPauses = 2;

}  // namespace

std::vector<traces::NotRecorded> notRecordedOf(const Trace& trace) {
    std::vector<traces::NotRecorded> found;
    if (trace.recording && !trace.own()) found = trace.recording->absences;
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
                                     " did not record for a while, for ", engine::showTime(longest),
                                     " at the longest"));
        std::erase_if(all, isPause);
    }
    for (traces::NotRecorded& one : all) words.push_back(std::move(one.words));
    return words;
}

}  // namespace app::analysis
