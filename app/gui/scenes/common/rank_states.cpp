// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/common/rank_states.hpp"

#include "app/analysis/messages/messages_in_flight.hpp"
#include "app/gui/scenes/text/rank_glyphs.hpp"

#include <algorithm>

namespace app::gui {

using engine::Picoseconds;
using engine::Rank;

RankStretches::RankStretches(const DrawableRun& subject, std::span<const std::uint32_t> messages, Picoseconds begin,
                             Picoseconds end)
    : subject_{subject}, begin_{begin}, end_{end}, changes_(static_cast<std::size_t>(subject.run().ranks)) {
    const engine::Messages& all = subject.run().messages;
    const auto note = [&](Rank rank, Picoseconds from, Picoseconds to, int sends, int receives, int combines,
                          int computes) {
        if (to <= begin || from >= end) return;
        std::vector<Change>& changes = changes_[rank.index()];
        changes.push_back({std::max(from, begin), sends, receives, combines, computes});
        changes.push_back({std::min(to, end), -sends, -receives, -combines, -computes});
    };
    for (const std::uint32_t i : messages) {
        note(all.from()[i], analysis::sendsFrom(subject.run(), i), all.sendEnd()[i], 1, 0, 0, 0);
        note(all.to()[i], analysis::receivesFrom(subject.run(), i), all.receiveEnd()[i], 0, 1, 0, 0);
    }
    for (const engine::LocalWork& its : subject.run().combining) note(its.rank, its.begin, its.end, 0, 0, 1, 0);
    for (const engine::LocalWork& its : subject.computing()) note(its.rank, its.begin, its.end, 0, 0, 0, 1);
}

std::vector<RankStretch> RankStretches::of(Rank rank) const {
    const Picoseconds done = subject_.doneAt(rank);
    const Picoseconds there = subject_.thereAt(rank);
    const RankState still = betweenState(subject_);
    std::vector<Change> changes = changes_[rank.index()];
    for (const Picoseconds edge : {begin_, std::clamp(there, begin_, end_), std::clamp(done, begin_, end_), end_})
        changes.push_back({edge});
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
    std::vector<RankStretch> found;
    Change now;
    for (std::size_t i = 0; i < changes.size();) {
        const Picoseconds from = changes[i].at;
        for (; i < changes.size() && changes[i].at == from; ++i) {
            now.sends += changes[i].sends;
            now.receives += changes[i].receives;
            now.combines += changes[i].combines;
            now.computes += changes[i].computes;
        }
        if (i == changes.size()) break;
        const bool busy = from < done && (now.sends > 0 || now.receives > 0 || now.combines > 0 || now.computes > 0);
        const RankState state = !busy && from < there               ? RankState::absent
                                : from >= done                      ? RankState::done
                                : now.sends > 0 && now.receives > 0 ? RankState::both
                                : now.sends > 0                     ? RankState::sending
                                : now.receives > 0                  ? RankState::receiving
                                : now.combines > 0                  ? RankState::combining
                                : now.computes > 0                  ? RankState::computing
                                                                    : still;
        found.push_back({from, changes[i].at, state});
    }
    return found;
}

StateColumns::StateColumns(const TimeAxis& axis, std::int32_t columns)
    : begin_{axis.begin()}, span_{axis.end() - axis.begin()}, times_(static_cast<std::size_t>(columns)) {}

Picoseconds StateColumns::edge(std::int32_t column) const {
    // In two steps, lest the product is beyond 64 bits.
    return begin_ + span_ / columns() * column + span_ % columns() * column / columns();
}

void StateColumns::add(const RankStretch& stretch) {
    const auto columnOf = [&](Picoseconds time) {
        const double share =
            static_cast<double>((time - begin_).count()) / static_cast<double>(std::max(span_, Picoseconds{1}).count());
        auto column = static_cast<std::int32_t>(std::clamp(share * columns(), 0.0, static_cast<double>(columns() - 1)));
        while (column > 0 && edge(column) > time) --column;
        while (column + 1 < columns() && edge(column + 1) <= time) ++column;
        return column;
    };
    for (std::int32_t column = columnOf(stretch.begin); column < columns() && edge(column) < stretch.end; ++column) {
        const Picoseconds from = std::max(stretch.begin, edge(column));
        const Picoseconds to = std::min(stretch.end, edge(column + 1));
        if (to > from)
            times_[static_cast<std::size_t>(column)][static_cast<std::size_t>(stretch.state)] += (to - from).count();
    }
}

StateColumns::Times StateColumns::inAll() const {
    Times all{};
    for (const Times& column : times_)
        for (std::size_t state = 0; state < states; ++state) all[state] += column[state];
    return all;
}

}  // namespace app::gui
