// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/networks/congestion.hpp"

#include <algorithm>
#include <utility>

namespace emulation {

using engine::Bytes;
using engine::Round;
using engine::Run;

LinkTally::LinkTally(const Network& network, std::int64_t rounds, Asked asked) {
    if (asked == Asked::routes)
        if (auto lines = network.lines()) lines_.emplace(std::move(lines));
    if (!lines_) counters_.emplace(network);
    congestion_.perLink.resize(engine::asSize(network.links()));
    congestion_.perRound.resize(engine::asSize(rounds));
}

void LinkTally::closeRound(Round round) {
    LinkPeak& peak = congestion_.perRound[round.index()];
    if (lines_) {
        peak = lines_->close();
    } else {
        for (const LinkId link : counters_->used()) {
            const Bytes load = (*counters_)[link].bytes;
            congestion_.perLink[link.index()] += load;
            if (load > peak.bytes || (load == peak.bytes && link < peak.link)) peak = {link, load};
        }
        counters_->clear();
    }
    if (peak.bytes > congestion_.perRound[congestion_.peakRound.index()].bytes) congestion_.peakRound = round;
}

Congestion LinkTally::finish() {
    if (lines_) lines_->addTotals(congestion_.perLink);
    return std::move(congestion_);
}

Congestion congestion(const Run& run, const Network& network) {
    LinkTally tally{network, run.rounds, LinkTally::Asked::routes};
    std::size_t next = 0;
    for (Round round{0}; round.value < run.rounds; ++round) {
        for (; next < run.messages.size() && run.messages.round()[next] == round; ++next)
            tally.add(run.messages.from()[next], run.messages.to()[next], run.messages.bytes()[next]);
        tally.settle();
        tally.closeRound(round);
    }
    return tally.finish();
}

std::vector<Bytes> loadsInRound(const Run& run, const Network& network, Round round) {
    std::vector<Bytes> loads(engine::asSize(network.links()));
    if (loads.empty()) return loads;
    const auto rounds = run.messages.round();
    const auto [first, last] = std::equal_range(rounds.begin(), rounds.end(), round);
    LinkCounters counters{network};
    for (auto i = engine::asSize(first - rounds.begin()); i < engine::asSize(last - rounds.begin()); ++i)
        counters.add(run.messages.from()[i], run.messages.to()[i], run.messages.bytes()[i]);
    for (const LinkId link : counters.used()) loads[link.index()] = counters[link].bytes;
    return loads;
}

}  // namespace emulation
