// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/calls/errors.hpp"

#include "app/analysis/calls/event_walk.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <tuple>

namespace app::analysis {

using traces::Notice;

std::vector<CallError> callErrors(const traces::Recording& recording, const Selection& selection) {
    std::vector<CallError> errors;
    const auto named =
        std::find_if(recording.parameters.begin(), recording.parameters.end(),
                     [](const traces::Parameter& parameter) { return parameter.name == traces::own::errorWord; });
    if (named == recording.parameters.end()) return errors;
    const auto subject = static_cast<std::uint32_t>(named - recording.parameters.begin());
    for (std::size_t location = 0; location < recording.notices.size(); ++location) {
        const engine::Rank rank = recording.locations[location].rank;
        if (rank == traces::noRank || (!selection.part.ranks.empty() && !selection.part.has(rank))) continue;
        const traces::States& states = recording.states[location];
        eachNotice(states, recording.notices[location].span(),
                   [&](const Notice& notice, std::span<const std::size_t> around) {
                       if (notice.kind != traces::NoticeKind::parameter || notice.subject != subject ||
                           around.empty() || notice.detail != static_cast<std::uint8_t>(traces::ParameterType::words))
                           return;
                       const std::size_t call = around.back();
                       if (!selection.part.overlaps(states.begin[call], states.end[call])) return;
                       errors.push_back({rank, states.region[call], states.begin[call], states.end[call],
                                         named->words[engine::asSize(notice.number)]});
                   });
    }
    std::stable_sort(errors.begin(), errors.end(), [](const CallError& a, const CallError& b) {
        return std::tie(a.begin, a.rank.value) < std::tie(b.begin, b.rank.value);
    });
    return errors;
}

}  // namespace app::analysis
