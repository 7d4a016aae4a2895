// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_sums.hpp"

#include <algorithm>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;

Waits waitsOf(const engine::Run& run, const RankMessages& ends, const engine::Progress& progress) {
    struct Work {
        Picoseconds begin{};
        Picoseconds end{};
        engine::Rank partner{};
        bool receives = false;
    };
    const engine::Messages& messages = run.messages;
    const auto ranks = static_cast<std::size_t>(run.ranks);
    Waits waits{std::vector<Picoseconds>(ranks), std::vector<Picoseconds>(ranks), std::vector<Picoseconds>(ranks)};
    std::vector<Work> works;
    for (std::int32_t number = 0; number < run.ranks; ++number) {
        progress.at(0.5);
        const engine::Rank rank{number};
        works.clear();
        for (const std::uint32_t i : ends.sent.of(rank))
            works.push_back({messages.sendBegin()[i], messages.sendEnd()[i], messages.to()[i], false});
        for (const std::uint32_t i : ends.received.of(rank))
            works.push_back({messages.receiveBegin()[i], messages.receiveEnd()[i], messages.from()[i], true});
        // Of two that begin together, what is received says better whom the rank waited for.
        const auto earlier = [](const Work& a, const Work& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.receives > b.receives;
        };
        // Each half mostly is in order already.
        const auto half = works.begin() + static_cast<std::ptrdiff_t>(ends.sent.of(rank).size());
        for (const auto& [first, last] : {std::pair{works.begin(), half}, std::pair{half, works.end()}})
            if (!std::is_sorted(first, last, earlier)) std::sort(first, last, earlier);
        std::inplace_merge(works.begin(), half, works.end(), earlier);
        Picoseconds free{};
        for (const Work& work : works) {
            if (work.begin > free) {
                (work.receives ? waits.forSender : waits.forReceiver)[static_cast<std::size_t>(number)] +=
                    work.begin - free;
                waits.caused[work.partner.index()] += work.begin - free;
            }
            free = std::max(free, work.end);
        }
    }
    return waits;
}

}  // namespace app::analysis
