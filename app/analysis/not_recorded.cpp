// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/not_recorded.hpp"

#include <algorithm>

namespace app::analysis {

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

}  // namespace app::analysis
