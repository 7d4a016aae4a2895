// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/pairing.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {

using engine::Picoseconds;

namespace {

Picoseconds scaled(Picoseconds time, Picoseconds from, Picoseconds to) {
    if (from.count() <= 0) return {};
    const double share = static_cast<double>(time.count()) / static_cast<double>(from.count());
    return Picoseconds{std::llround(share * static_cast<double>(to.count()))};
}

/// Begin of round `index` of those that send anything; the end of the run after the last.
Picoseconds stopOf(const Subject& subject, std::size_t index) {
    const auto& stops = subject.stops();
    return index < stops.size() ? stops[index] : subject.run().duration;
}

/// The same number of rounds, and as far into the last of them.
Picoseconds inSameRound(const Subject& from, Picoseconds time, const Subject& to) {
    const auto& stops = from.stops();
    const auto after = static_cast<std::size_t>(std::upper_bound(stops.begin(), stops.end(), time) - stops.begin());
    if (after == 0) return scaled(time, stopOf(from, 0), stopOf(to, 0));
    const Picoseconds begin = stopOf(to, after - 1);
    return begin + scaled(time - stopOf(from, after - 1), stopOf(from, after) - stopOf(from, after - 1),
                          stopOf(to, after) - begin);
}

}  // namespace

Picoseconds matched(const Subject& from, Picoseconds time, const Subject& to, Match match) {
    Picoseconds found = time;
    if (match == Match::share) found = scaled(time, from.run().duration, to.run().duration);
    if (match == Match::round) found = inSameRound(from, time, to);
    return std::clamp(found, Picoseconds{}, to.run().duration);
}

Pairing::Pairing(Playback& first, Playback& second) : first_{&first}, second_{&second} {
    connect(&first, &Playback::changed, this, [this] { follow(*first_, *second_); });
    connect(&second, &Playback::changed, this, [this] { follow(*second_, *first_); });
}

void Pairing::setMatch(Match match) {
    match_ = match;
    follow(*first_, *second_);
}

void Pairing::follow(Playback& leader, Playback& follower) {
    if (following_ || !leader.subject() || !follower.subject()) return;
    following_ = true;
    follower.setDark(leader.state().dark);
    follower.setReduceMotion(leader.state().reduceMotion);
    const Picoseconds there = matched(*leader.subject(), leader.state().time, *follower.subject(), match_);
    // A run that is longer or shorter cannot be at every moment of the other; a mere echo moves nobody.
    const Picoseconds echo = matched(*follower.subject(), follower.state().time, *leader.subject(), match_);
    if (&leader == first_ || echo != leader.state().time) follower.seek(there);
    if (leader.state().rank != follower.state().rank) follower.selectRank(leader.state().rank);
    following_ = false;
}

}  // namespace app::gui
