// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/playback.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {

using engine::Picoseconds;
using engine::Rank;
using engine::Round;

namespace {

constexpr double secondsPerRound = 0.8;
constexpr double shortestShow = 3;  // seconds a whole run takes at speed 1, at least and at most
constexpr double longestShow = 60;
constexpr std::int64_t smallestSpan = 1000;  // picoseconds

Picoseconds scaled(Picoseconds time, double factor) {
    return Picoseconds{std::llround(static_cast<double>(time.count()) * factor)};
}

}  // namespace

Playback::Playback(Clock clock, QObject* parent) : QObject{parent}, clock_{std::move(clock)} {
    if (!clock_) clock_ = [] { return std::chrono::steady_clock::now().time_since_epoch(); };
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(16);
    connect(&timer_, &QTimer::timeout, this, &Playback::tick);
}

void Playback::show(SubjectPtr subject) {
    pause();
    subject_ = std::move(subject);
    state_.time = {};
    state_.rank.reset();
    state_.message.reset();
    state_.link.reset();
    state_.veil.reset();
    state_.spanBegin = state_.spanEnd = {};
    earlier_.clear();
    joining_ = false;
    Q_EMIT subjectChanged();
    Q_EMIT changed();
}

Picoseconds Playback::duration() const { return subject_ ? subject_->run().duration : Picoseconds{}; }

Round Playback::round() const { return subject_ ? subject_->roundAt(state_.time) : Round{0}; }

double Playback::picosecondsPerSecond() const {
    const double rounds = subject_ ? static_cast<double>(subject_->run().rounds) : 1;
    const double show = std::clamp(rounds * secondsPerRound, shortestShow, longestShow);
    return static_cast<double>(duration().count()) / show * speed_;
}

void Playback::anchor() {
    anchorClock_ = clock_();
    anchorTime_ = state_.time;
}

void Playback::play() {
    if (!subject_ || playing_ || duration() <= Picoseconds{}) return;
    if (state_.time >= duration()) state_.time = {};
    playing_ = true;
    anchor();
    timer_.start();
    follow();
    Q_EMIT changed();
}

void Playback::pause() {
    if (!playing_) return;
    playing_ = false;
    timer_.stop();
    Q_EMIT changed();
}

void Playback::tick() {
    if (!playing_) return;
    const double elapsed = std::chrono::duration<double>(clock_() - anchorClock_).count();
    const double moved = elapsed * picosecondsPerSecond();
    const double end = static_cast<double>(duration().count());
    double time = static_cast<double>(anchorTime_.count()) + moved;
    if (time >= end) {
        if (looping_) {
            time = std::fmod(time, end);
        } else {
            time = end;
            playing_ = false;
            timer_.stop();
        }
    }
    state_.time = Picoseconds{std::llround(time)};
    follow();
    Q_EMIT changed();
}

void Playback::place(Picoseconds time) {
    state_.time = std::clamp(time, Picoseconds{}, duration());
    anchor();
    follow();
    Q_EMIT changed();
}

void Playback::seek(Picoseconds time) {
    if (subject_) place(time);
}

void Playback::seekRound(Round round) {
    if (!subject_) return;
    const auto& rounds = subject_->run().perRound;
    if (round.value < 0 || round.value >= static_cast<std::int64_t>(rounds.size())) return;
    place(rounds[round.index()].begin);
}

void Playback::step(int direction) {
    if (!subject_) return;
    pause();
    const auto& stops = subject_->stops();
    if (direction > 0) {
        const auto next = std::upper_bound(stops.begin(), stops.end(), state_.time);
        place(next == stops.end() ? duration() : *next);
    } else {
        const auto here = std::lower_bound(stops.begin(), stops.end(), state_.time);
        place(here == stops.begin() ? Picoseconds{} : *std::prev(here));
    }
}

void Playback::toBegin() {
    pause();
    seek({});
}

void Playback::toEnd() {
    pause();
    seek(duration());
}

void Playback::setLooping(bool looping) {
    if (looping == looping_) return;
    looping_ = looping;
    Q_EMIT changed();
}

void Playback::setSpeed(double speed) {
    const double allowed = std::clamp(speed, slowest, fastest);
    if (allowed == speed_ || std::isnan(allowed)) return;
    if (playing_) tick();
    speed_ = allowed;
    anchor();
    Q_EMIT changed();
}

void Playback::select(const std::optional<Meaning>& meaning) {
    if (asker_) {
        if (meaning) asker_(*meaning);
        return;
    }
    if (!meaning || !subject_) return selectRank(std::nullopt);
    switch (meaning->kind) {
        case Meaning::Kind::rank: {
            const Rank rank{static_cast<std::int32_t>(meaning->index)};
            return selectRank(state_.rank == rank ? std::nullopt : std::optional{rank});
        }
        case Meaning::Kind::block: return selectRank(Rank{static_cast<std::int32_t>(meaning->second)});
        case Meaning::Kind::message: {
            const auto message = static_cast<std::size_t>(meaning->index);
            return selectMessage(state_.message == message ? std::nullopt : std::optional{message});
        }
        case Meaning::Kind::link: {
            const engine::LinkId link{static_cast<std::int32_t>(meaning->index)};
            // A round is named where the link was clicked in one: the cursor goes there.
            if (meaning->second >= 0 && round().value != meaning->second) seekRound(Round{meaning->second});
            else if (state_.link == link) return selectLink(std::nullopt);
            return selectLink(link);
        }
        case Meaning::Kind::none:
        case Meaning::Kind::stage:
        case Meaning::Kind::axis:
        case Meaning::Kind::bound: return;
    }
}

void Playback::selectRank(std::optional<Rank> rank) {
    if (rank && (!subject_ || rank->value < 0 || rank->value >= subject_->run().ranks)) return;
    if (state_.rank == rank && !state_.message && (rank || !state_.link)) return;
    state_.rank = rank;
    state_.message.reset();
    if (!rank) state_.link.reset();
    Q_EMIT changed();
}

void Playback::selectLink(std::optional<engine::LinkId> link) {
    if (link && (!subject_ || !subject_->report().network || link->value < 0 ||
                 link->value >= subject_->report().network->links())) {
        return;
    }
    if (state_.link == link) return;
    state_.link = link;
    Q_EMIT changed();
}

void Playback::selectMessage(std::optional<std::size_t> message) {
    if (message && (!subject_ || *message >= subject_->run().messages.size())) return;
    if (state_.message == message) return;
    state_.message = message;
    Q_EMIT changed();
}

void Playback::selectNeighbour(int direction) {
    if (!subject_) return;
    const std::int32_t ranks = subject_->run().ranks;
    const std::int32_t next = state_.rank ? state_.rank->value + direction : (direction > 0 ? 0 : ranks - 1);
    selectRank(Rank{std::clamp(next, 0, std::max(0, ranks - 1))});
}

bool Playback::concerns(std::size_t message) const {
    const auto& messages = subject_->run().messages;
    return !state_.rank || messages.from()[message] == *state_.rank || messages.to()[message] == *state_.rank;
}

void Playback::selectNextMessage(int direction) {
    if (!subject_ || subject_->run().messages.empty()) return;
    const auto count = static_cast<std::int64_t>(subject_->run().messages.size());
    std::int64_t i = state_.message ? static_cast<std::int64_t>(*state_.message) : (direction > 0 ? -1 : count);
    do {
        i += direction;
    } while (i >= 0 && i < count && !concerns(static_cast<std::size_t>(i)));
    if (i < 0 || i >= count) return;
    const auto message = static_cast<std::size_t>(i);
    pause();
    state_.message = message;
    place(subject_->run().messages.sendBegin()[message]);
}

// What an unset span means is the diagram's to say: it leaves out a long time before the first message.
Playback::Span Playback::span() const {
    if (!subject_ || state_.spanBegin != state_.spanEnd) return {state_.spanBegin, state_.spanEnd};
    const TimeAxis axis = spaceTimeAxis(*subject_, state_, QSizeF{1000, 500});
    return {axis.begin(), axis.end()};
}

Picoseconds Playback::spanBegin() const { return span().begin; }

Picoseconds Playback::spanEnd() const { return span().end; }

void Playback::setSpan(Span span, Undo undo) {
    if (!subject_) return;
    const Picoseconds least = std::min(duration(), Picoseconds{smallestSpan});
    Picoseconds length = std::clamp(span.end - span.begin, least, duration());
    span.begin = std::clamp(span.begin, Picoseconds{}, duration() - length);
    span.end = span.begin + length;
    if (length == duration()) span = {};
    const Span now{state_.spanBegin, state_.spanEnd};
    if (span == now) return;
    if (undo == Undo::own || !joining_) earlier_.push_back(now);
    joining_ = undo == Undo::joined;
    state_.spanBegin = span.begin;
    state_.spanEnd = span.end;
    Q_EMIT changed();
}

void Playback::showSpan(Picoseconds begin, Picoseconds end) {
    setSpan({std::min(begin, end), std::max(begin, end)}, Undo::own);
}

void Playback::zoom(double factor, Picoseconds around) {
    setSpan({around - scaled(around - spanBegin(), factor), around + scaled(spanEnd() - around, factor)}, Undo::joined);
}

void Playback::pan(double share) {
    const Picoseconds by = scaled(spanEnd() - spanBegin(), share);
    setSpan({spanBegin() + by, spanEnd() + by}, Undo::joined);
}

void Playback::undoSpan() {
    if (earlier_.empty()) return;
    state_.spanBegin = earlier_.back().begin;
    state_.spanEnd = earlier_.back().end;
    earlier_.pop_back();
    joining_ = false;
    Q_EMIT changed();
}

void Playback::showAll() { setSpan({Picoseconds{}, duration()}, Undo::own); }

void Playback::fitSelection() {
    if (!subject_) return;
    Span span;
    if (state_.message) {
        const engine::MessageRecord message = subject_->run().messages[*state_.message];
        span = {std::min(message.sendBegin, message.receiveBegin), std::max(message.sendEnd, message.receiveEnd)};
    } else {
        const auto& rounds = subject_->run().perRound;
        const auto at = round().index();
        if (at >= rounds.size()) return;
        span = {rounds[at].begin, rounds[at].end};
    }
    const Picoseconds room = scaled(span.end - span.begin, 0.25);
    setSpan({span.begin - room, span.end + room}, Undo::own);
}

// A cursor that leaves the visible span takes it along, page by page; going back is not a step of the user's.
void Playback::follow() {
    if (state_.spanBegin == state_.spanEnd) return;
    const Picoseconds length = state_.spanEnd - state_.spanBegin;
    if (state_.time >= state_.spanBegin && state_.time <= state_.spanEnd) return;
    state_.spanBegin = std::clamp(state_.time - length / 20, Picoseconds{}, duration() - length);
    state_.spanEnd = state_.spanBegin + length;
}

void Playback::setVeil(std::optional<Picoseconds> veil) {
    if (state_.veil == veil) return;
    state_.veil = veil;
    Q_EMIT changed();
}

void Playback::setDark(bool dark) {
    if (state_.dark == dark) return;
    state_.dark = dark;
    Q_EMIT changed();
}

void Playback::setReduceMotion(bool reduce) {
    if (state_.reduceMotion == reduce) return;
    state_.reduceMotion = reduce;
    Q_EMIT changed();
}

void Playback::setMagnification(double times) {
    times = std::clamp(times, 1.0, 4.0);
    if (magnification_ == times) return;
    magnification_ = times;
    Q_EMIT changed();
}

}  // namespace app::gui
