// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/tallies.hpp"

#include "engine/text.hpp"

#include <algorithm>
#include <numeric>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr std::int32_t mostBundles = 256;
constexpr std::size_t mostLinks = 256;
constexpr std::int32_t mostRounds = 1024;
constexpr std::size_t mostRouted = 1'000'000;  // messages followed over the network, link by link

Traffic trafficOf(const engine::Run& run, const engine::Progress& progress) {
    Traffic traffic;
    traffic.ranks = Bins{run.ranks, mostBundles};
    const auto side = static_cast<std::size_t>(traffic.ranks.shown);
    traffic.cells.resize(side * side);
    const engine::Messages& messages = run.messages;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (i % (std::size_t{1} << 20) == 0) progress.at(0);
        const auto from = static_cast<std::size_t>(traffic.ranks.binOf(messages.from()[i].value));
        Traffic::Cell& cell =
            traffic.cells[from * side + static_cast<std::size_t>(traffic.ranks.binOf(messages.to()[i].value))];
        cell.bytes += messages.bytes()[i];
        ++cell.messages;
        traffic.largest = std::max(traffic.largest, cell.bytes);
    }
    return traffic;
}

LinkRounds linkRoundsOf(const Report& report, const engine::Progress& progress) {
    LinkRounds found;
    const engine::Run& run = *report.run;
    if (report.network == nullptr) {
        found.unknown = "It is not known which network the messages travelled on.";
    } else if (report.network->links() == 0 || !report.congestion || report.congestion->perLink.empty()) {
        found.unknown = "On a fully connected network no messages share a link.";
    } else if (run.messages.size() > mostRouted) {
        found.unknown = engine::text(run.messages.size(),
                                     " messages are too many to follow over every link; the table "
                                     "of rounds names the busiest one of each.");
    }
    if (!found.unknown.empty()) return found;
    const std::vector<engine::Bytes>& totals = report.congestion->perLink;
    for (std::size_t link = 0; link < totals.size(); ++link)
        if (totals[link] > 0) found.links.push_back(engine::LinkId{static_cast<std::int32_t>(link)});
    found.used = static_cast<std::int64_t>(found.links.size());
    std::stable_sort(found.links.begin(), found.links.end(),
                     [&](engine::LinkId a, engine::LinkId b) { return totals[a.index()] > totals[b.index()]; });
    found.links.resize(std::min(found.links.size(), mostLinks));
    std::vector<std::int32_t> rowOf(totals.size(), -1);
    for (std::size_t row = 0; row < found.links.size(); ++row)
        rowOf[found.links[row].index()] = static_cast<std::int32_t>(row);

    found.rounds = Bins{run.rounds, mostRounds};
    const auto columns = static_cast<std::size_t>(found.rounds.shown);
    found.loads.resize(found.links.size() * columns);
    std::vector<engine::Bytes> now(found.links.size());
    std::vector<engine::LinkId> route;
    const engine::Messages& messages = run.messages;
    for (std::size_t i = 0; i < messages.size();) {
        progress.at(0.5);
        const engine::Round round = messages.round()[i];
        std::fill(now.begin(), now.end(), 0);
        for (; i < messages.size() && messages.round()[i] == round; ++i) {
            route.clear();
            report.network->route(messages.from()[i], messages.to()[i], route);
            for (const engine::LinkId link : route) {
                const std::int32_t row = rowOf[link.index()];
                if (row >= 0) now[static_cast<std::size_t>(row)] += messages.bytes()[i];
            }
        }
        const auto column = static_cast<std::size_t>(found.rounds.binOf(round.value));
        for (std::size_t row = 0; row < now.size(); ++row) {
            engine::Bytes& load = found.loads[row * columns + column];
            load = std::max(load, now[row]);
            found.largest = std::max(found.largest, load);
        }
    }
    return found;
}

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

}  // namespace

Tallies::Tallies(const Report& report, const RankMessages& messages, const engine::Progress& progress)
    : traffic{trafficOf(*report.run, progress)},
      linkRounds{linkRoundsOf(report, progress)},
      waits{waitsOf(*report.run, messages, progress)} {}

}  // namespace app::gui
