// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/playback/linked_playback.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/run/visible_span.hpp"
#include "app/session/compare/run_names.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace app::gui {

using engine::Picoseconds;

namespace {

Picoseconds scaled(Picoseconds time, Picoseconds from, Picoseconds to) {
    if (from.count() <= 0) return {};
    const double share = static_cast<double>(time.count()) / static_cast<double>(from.count());
    return Picoseconds{std::llround(share * static_cast<double>(to.count()))};
}

/// When the round after the one in progress at `time` begins; the end of the run where there is none.
Picoseconds nextAfter(const DrawableRun& subject, Picoseconds time) {
    const auto next = std::upper_bound(subject.stops().begin(), subject.stops().end(), time);
    return next == subject.stops().end() ? subject.run().duration : *next;
}

/// The same round, and as far into it.
Picoseconds inSameRound(const DrawableRun& from, Picoseconds time, const DrawableRun& to) {
    const auto& rounds = to.run().perRound;
    if (time >= from.run().duration) return to.run().duration;
    auto round = static_cast<std::size_t>(from.roundAt(time).value);
    const Picoseconds began = from.roundBegan(time);
    // Rounds without a message take no time.
    while (round < rounds.size() && rounds[round].messages == 0) ++round;
    if (round >= rounds.size()) return to.run().duration;
    const Picoseconds begin = to.middleBegin(engine::Round{static_cast<std::int64_t>(round)});
    return begin + scaled(time - began, nextAfter(from, time) - began, nextAfter(to, begin) - begin);
}

}  // namespace

Picoseconds matched(const DrawableRun& from, Picoseconds time, const DrawableRun& to, Match match) {
    Picoseconds found = time;
    if (match == Match::share) found = scaled(time, from.run().duration, to.run().duration);
    if (match == Match::round) found = inSameRound(from, time, to);
    return std::clamp(found, Picoseconds{}, to.run().duration);
}

LinkedPlayback::LinkedPlayback(Playback& first, Playback& second) : first_{&first}, second_{&second} {
    connect(&first, &Playback::changed, this, [this] { follow(*first_, *second_); });
    connect(&second, &Playback::changed, this, [this] { follow(*second_, *first_); });
    for (const Playback* each : {&first, &second}) {
        connect(each, &Playback::subjectChanged, this, &LinkedPlayback::shareAxis);
        connect(each, &Playback::subjectChanged, this, &LinkedPlayback::nameSides);
    }
}

void LinkedPlayback::setMatch(Match match) {
    match_ = match;
    follow(*first_, *second_);
}

void LinkedPlayback::tell(Playback& run) {
    if (std::exchange(told_, &run) != &run) Q_EMIT toldChanged();
}

void LinkedPlayback::nameSides() {
    if (!second_->subject()) tell(*first_);
    std::array<std::string, 2> names;
    if (first_->subject() && second_->subject())
        names = namesOf({&first_->subject()->report(), firstName_.toStdString()},
                        {&second_->subject()->report(), secondName_.toStdString()});
    first_->setSide(toQt(names[0]));
    second_->setSide(toQt(names[1]));
}

void LinkedPlayback::shareAxis() {
    const bool both = first_->subject() && second_->subject();
    const Picoseconds horizon = both ? std::max(first_->duration(), second_->duration()) : Picoseconds{};
    const Picoseconds first =
        both ? std::min(firstShown(*first_->subject()), firstShown(*second_->subject())) : Picoseconds{};
    for (Playback* each : {first_, second_}) each->setHorizon(horizon, first);
}

/// The same part of the axis.
void LinkedPlayback::showSame(const Playback& leader, Playback& follower) {
    const ViewState& its = leader.state();
    if (its.spanBegin == follower.state().spanBegin && its.spanEnd == follower.state().spanEnd) return;
    if (its.spanBegin == its.spanEnd) follower.showAll();
    else follower.showSpan(its.spanBegin, its.spanEnd);
}

void LinkedPlayback::follow(Playback& leader, Playback& follower) {
    if (following_ || !leader.subject() || !follower.subject()) return;
    following_ = true;
    follower.setDark(leader.state().dark);
    follower.setReduceMotion(leader.state().reduceMotion);
    const Picoseconds there = matched(*leader.subject(), leader.state().time, *follower.subject(), match_);
    // A run that is longer or shorter cannot be at every moment of the other; a mere echo moves nobody.
    const Picoseconds echo = matched(*follower.subject(), follower.state().time, *leader.subject(), match_);
    if (&leader == first_ || echo != leader.state().time) follower.seek(there);
    if (match_ == Match::time) showSame(leader, follower);
    if (leader.state().rank != follower.state().rank) follower.selectRank(leader.state().rank);
    if (leader.state().block != follower.state().block) follower.selectBlock(leader.state().block);
    if (leader.subject()->run().ranks == follower.subject()->run().ranks)
        follower.setProgramTimeline(leader.state().tracks);
    following_ = false;
    const bool chosen = leader.state().asked && leader.state().asked != asked_[&leader == first_ ? 0 : 1];
    asked_ = {first_->state().asked, second_->state().asked};
    if (chosen) tell(leader);
}

}  // namespace app::gui
