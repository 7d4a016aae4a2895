// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/playback.hpp"

#include "app/gui/scenes/program_words.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace app::gui {

using engine::Picoseconds;
using engine::Rank;
using engine::Round;

namespace {

Picoseconds scaled(Picoseconds time, double factor) {
    return Picoseconds{std::llround(static_cast<double>(time.count()) * factor)};
}

}  // namespace

Playback::Playback(Clock clock, QObject* parent) : QObject{parent}, clock_{std::move(clock)} {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(16);
    connect(&timer_, &QTimer::timeout, this, &Playback::tick);
}

/// Brings what scenes and panels see in step with the parts.
void Playback::tell(bool different) {
    if (!different) return;
    state_.time = clock_.time();
    state_.rank = selection_.rank();
    state_.message = selection_.message();
    state_.link = selection_.link();
    state_.block = selection_.block();
    state_.asked = selection_.asked();
    state_.spanBegin = spans_.span().begin;
    state_.spanEnd = spans_.span().end;
    if (!clock_.playing()) timer_.stop();
    else if (!timer_.isActive()) timer_.start();
    Q_EMIT changed();
}

/// The cursor is elsewhere, and the visible span with it.
void Playback::tellMoved() {
    spans_.follow(clock_.time());
    tell();
}

void Playback::show(SubjectPtr subject) {
    pause();
    subject_ = std::move(subject);
    clock_.load(subject_ ? subject_->run().duration : Picoseconds{}, subject_ ? subject_->run().rounds : 1);
    selection_ = Selection{subject_};
    spans_ = SpanStack{duration()};
    state_ = {.dark = state_.dark,
              .reduceMotion = state_.reduceMotion,
              .marks = std::move(state_.marks),
              .notes = std::move(state_.notes),
              .legends = state_.legends};
    Q_EMIT subjectChanged();
    tell();
}

Round Playback::round() const { return subject_ ? subject_->roundAt(state_.time) : Round{0}; }

void Playback::play() {
    if (clock_.play()) tellMoved();
}

void Playback::pause() { tell(clock_.pause()); }

void Playback::tick() {
    if (!playing()) return;
    clock_.tick();
    tellMoved();
}

void Playback::seek(Picoseconds time) {
    if (!subject_) return;
    clock_.seek(time);
    tellMoved();
}

void Playback::seekRound(Round round) {
    if (!subject_) return;
    const auto& rounds = subject_->run().perRound;
    if (round.value < 0 || round.value >= static_cast<std::int64_t>(rounds.size())) return;
    seek(subject_->middleBegin(round));
}

void Playback::step(int direction) {
    if (!subject_) return;
    pause();
    const auto& stops = subject_->stops();
    if (direction > 0) {
        const auto next = std::upper_bound(stops.begin(), stops.end(), state_.time);
        seek(next == stops.end() ? duration() : *next);
    } else {
        const auto here = std::lower_bound(stops.begin(), stops.end(), state_.time);
        seek(here == stops.begin() ? Picoseconds{} : *std::prev(here));
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
    if (looping == clock_.looping()) return;
    clock_.setLooping(looping);
    tell();
}

void Playback::setSpeed(double speed) {
    tick();
    tell(clock_.setSpeed(speed));
}

void Playback::select(const std::optional<Meaning>& meaning) {
    if (asker_) {
        if (meaning)
            asker_(meaning->kind == Meaning::Kind::still ? Meaning{Meaning::Kind::rank, meaning->index, -1} : *meaning);
        return;
    }
    if (meaning && meaning->kind == Meaning::Kind::round) return seekRound(Round{meaning->index});
    if (meaning && meaning->kind == Meaning::Kind::group) return foldGroup(static_cast<std::int32_t>(meaning->index));
    if (!meaning || !subject_) return selectRank(std::nullopt);
    // A round is named where the link was clicked in one: the cursor goes there.
    if (meaning->kind == Meaning::Kind::link && meaning->second >= 0 && round().value != meaning->second) {
        seekRound(Round{meaning->second});
        selectLink(engine::LinkId{static_cast<std::int32_t>(meaning->index)});
        Q_EMIT asked();
        return;
    }
    tell(selection_.toggle(*meaning));
    if (!state_.asked) return;
    if (const std::optional<traces::TimeSpan> place = placeOf(*subject_, *state_.asked)) {
        const Picoseconds room = scaled(place->end - place->begin, 0.25);
        seek(place->begin);
        showSpan(place->begin - room, place->end + room);
    }
    Q_EMIT asked();
}

void Playback::selectRank(std::optional<Rank> rank) { tell(selection_.selectRank(rank)); }

void Playback::selectBlock(std::optional<std::int32_t> block) { tell(selection_.selectBlock(block, std::nullopt)); }

void Playback::selectLink(std::optional<engine::LinkId> link) { tell(selection_.selectLink(link)); }

void Playback::selectMessage(std::optional<std::size_t> message) { tell(selection_.selectMessage(message)); }

void Playback::selectNeighbour(int direction) { tell(selection_.selectNeighbour(direction)); }

void Playback::selectNextMessage(int direction) {
    const std::optional<std::size_t> message = selection_.nextMessage(direction);
    if (!message) return;
    pause();
    selection_.selectMessage(message);
    seek(subject_->run().messages.sendBegin()[*message]);
}

// What an unset span means is the diagram's to say: it leaves out a long time before the first message.
VisibleSpan Playback::shownSpan() const {
    if (!subject_ || state_.spanBegin != state_.spanEnd) return spans_.span();
    const TimeAxis axis = timeAxisOf(*subject_, state_, QSizeF{1000, 500});
    return {axis.begin(), std::min(axis.end(), duration())};
}

Picoseconds Playback::spanBegin() const { return shownSpan().begin; }

Picoseconds Playback::spanEnd() const { return shownSpan().end; }

void Playback::showSpan(VisibleSpan span, SpanStack::Undo undo) {
    if (subject_) tell(spans_.show(span, undo));
}

void Playback::showSpan(Picoseconds begin, Picoseconds end) {
    showSpan({std::min(begin, end), std::max(begin, end)}, SpanStack::Undo::own);
}

void Playback::zoom(double factor, Picoseconds around) {
    const VisibleSpan shown = shownSpan();
    showSpan({around - scaled(around - shown.begin, factor), around + scaled(shown.end - around, factor)},
             SpanStack::Undo::joined);
}

void Playback::pan(double share) {
    const VisibleSpan shown = shownSpan();
    const Picoseconds by = scaled(shown.end - shown.begin, share);
    showSpan({shown.begin + by, shown.end + by}, SpanStack::Undo::joined);
}

void Playback::undoSpan() { tell(spans_.undo()); }

void Playback::showAll() { showSpan({Picoseconds{}, duration()}, SpanStack::Undo::own); }

void Playback::fitSelection() {
    if (!subject_) return;
    VisibleSpan span;
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
    showSpan({span.begin - room, span.end + room}, SpanStack::Undo::own);
}

void Playback::setTracks(TracksView tracks) {
    if (tracks == state_.tracks) return;
    state_.tracks = std::move(tracks);
    tell();
}

void Playback::foldGroup(std::int32_t group) {
    TracksView tracks = state_.tracks;
    const auto at = std::lower_bound(tracks.folded.begin(), tracks.folded.end(), group);
    if (at != tracks.folded.end() && *at == group) tracks.folded.erase(at);
    else tracks.folded.insert(at, group);
    setTracks(std::move(tracks));
}

void Playback::setVeil(std::optional<Picoseconds> veil) { tell(std::exchange(state_.veil, veil) != veil); }

void Playback::setMarks(std::vector<Mark> marks) {
    std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.time < b.time; });
    tell(std::exchange(state_.marks, marks) != marks);
}

void Playback::mark(const QString& note) {
    std::vector<Mark> marks = state_.marks;
    marks.push_back({state_.time, note});
    setMarks(std::move(marks));
}

void Playback::setNotes(std::vector<PinnedNote> notes) {
    if (notes == state_.notes) return;
    notesBefore_.push_back(std::exchange(state_.notes, std::move(notes)));
    tell();
}

void Playback::undoNotes() {
    if (notesBefore_.empty()) return;
    state_.notes = std::move(notesBefore_.back());
    notesBefore_.pop_back();
    tell();
}

void Playback::setHorizon(Picoseconds horizon) { tell(std::exchange(state_.horizon, horizon) != horizon); }

void Playback::setBefore(Picoseconds before) { tell(std::exchange(state_.before, before) != before); }

void Playback::setDark(bool dark) { tell(std::exchange(state_.dark, dark) != dark); }

void Playback::setReduceMotion(bool reduce) { tell(std::exchange(state_.reduceMotion, reduce) != reduce); }

void Playback::setLegends(bool shown) { tell(std::exchange(state_.legends, shown) != shown); }

void Playback::setMagnification(double times) {
    times = std::clamp(times, 1.0, 4.0);
    tell(std::exchange(magnification_, times) != times);
}

}  // namespace app::gui
