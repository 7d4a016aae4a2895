// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/playback/playback.hpp"

#include "app/gui/scenes/text/program_text.hpp"

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

bool earlier(const Mark& a, const Mark& b) { return a.time < b.time; }

}  // namespace

Playback::Playback(Clock clock, QObject* parent)
    : QObject{parent}, clock_{clock}, now_{clock ? std::move(clock) : PlayClock::steady()} {
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
    note();
    Q_EMIT changed();
}

/// What is seen now, and whether time changes it.
void Playback::note() {
    shown_ = state_;
    const bool easing = subject_ && easing_.going(now_());
    if (easing) {
        const SeenTime seen = easing_.at({state_.time, shownSpan()}, now_());
        shown_.time = seen.time;
        shown_.spanBegin = seen.span.begin;
        shown_.spanEnd = seen.span.end;
    } else {
        easing_.stop();
    }
    if (!clock_.playing() && !easing) timer_.stop();
    else if (!timer_.isActive()) timer_.start();
}

/// What changes from now on is eased, from what is seen now.
void Playback::ease() {
    if (!eased_ || state_.reduceMotion || !subject_ || clock_.playing()) return;
    easing_.begin({shown_.time, spanOf(shown_)}, now_());
}

/// The cursor is elsewhere, and the visible span with it.
void Playback::tellMoved() {
    spans_.follow(clock_.time());
    tell();
}

void Playback::show(DrawableRunPtr subject) {
    pause();
    // A slider that changes a run leaves its network where it is looked at.
    const bool isSameNetwork = subject_ && subject && subject_->blueprint().nodes == subject->blueprint().nodes &&
                               subject_->blueprint().arrangement == subject->blueprint().arrangement;
    subject_ = std::move(subject);
    clock_.load(subject_ ? subject_->run().duration : Picoseconds{}, subject_ ? subject_->run().rounds : 1);
    selection_ = Selection{subject_};
    easing_.stop();
    spans_ = ZoomHistory{duration()};
    state_ = {.dark = state_.dark,
              .reduceMotion = state_.reduceMotion,
              .marks = std::move(state_.marks),
              .legends = state_.legends,
              .lens = isSameNetwork ? state_.lens : Lens{}};
    shown_ = state_;
    asker_ = nullptr;  // the question was about the subject before
    Q_EMIT subjectChanged();
    tell();
}

Round Playback::round() const { return subject_ ? subject_->roundAt(state_.time) : Round{0}; }

void Playback::play() {
    if (clock_.play()) tellMoved();
}

void Playback::pause() { tell(clock_.pause()); }

void Playback::tick() {
    if (!playing()) {
        const bool moves = shown_ != state_;
        note();
        if (moves) Q_EMIT seenChanged();
        return;
    }
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
    ease();
    seek(subject_->middleBegin(round));
}

void Playback::step(int direction) {
    if (!subject_) return;
    pause();
    ease();
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
        if (meaning && meaning->kind != Meaning::Kind::note)
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

void Playback::choose(const Meaning& meaning) {
    if (isOfProgram(*subject_, meaning) && state_.asked != meaning) tell(selection_.toggle(meaning));
}

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
    return spanOf(state_);
}

VisibleSpan Playback::spanOf(const ViewState& state) const {
    if (state.spanBegin != state.spanEnd) return {state.spanBegin, state.spanEnd};
    const TimeAxis axis = timeAxisOf(*subject_, state, QSizeF{1000, 500});
    return {axis.begin(), std::min(axis.end(), std::max(duration(), state.horizon))};
}

Picoseconds Playback::spanBegin() const { return shownSpan().begin; }

Picoseconds Playback::spanEnd() const { return shownSpan().end; }

void Playback::showSpan(VisibleSpan span, ZoomHistory::Undo undo) {
    if (subject_) tell(spans_.show(span, undo));
}

void Playback::showSpan(Picoseconds begin, Picoseconds end) {
    ease();
    showSpan({std::min(begin, end), std::max(begin, end)}, ZoomHistory::Undo::own);
}

void Playback::zoom(double factor, Picoseconds around) {
    ease();
    const VisibleSpan shown = shownSpan();
    showSpan({around - scaled(around - shown.begin, factor), around + scaled(shown.end - around, factor)},
             ZoomHistory::Undo::joined);
}

void Playback::pan(double share) {
    const VisibleSpan shown = shownSpan();
    const Picoseconds by = scaled(shown.end - shown.begin, share);
    showSpan({shown.begin + by, shown.end + by}, ZoomHistory::Undo::joined);
}

void Playback::undoSpan() {
    ease();
    tell(spans_.undo());
}

void Playback::showAll() {
    ease();
    showSpan({Picoseconds{}, Picoseconds::max()}, ZoomHistory::Undo::own);
}

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
    ease();
    showSpan({span.begin - room, span.end + room}, ZoomHistory::Undo::own);
}

void Playback::setProgramTimeline(ProgramTimelineView tracks) {
    if (tracks == state_.tracks) return;
    state_.tracks = std::move(tracks);
    tell();
}

void Playback::setCut(CutPlane cut) {
    const bool isCut = subject_ && subject_->blueprint().hasLayers() && cut.axis >= 0 && cut.axis < 3;
    if (!isCut) cut = {};
    else cut.layer = std::clamp(cut.layer, 0, subject_->blueprint().lengths[static_cast<std::size_t>(cut.axis)] - 1);
    tell(std::exchange(state_.cut, cut) != cut);
}

void Playback::setLens(Lens lens) { tell(std::exchange(state_.lens, lens) != lens); }

void Playback::light(std::optional<std::uint32_t> message) {
    const bool lights = subject_ && (subject_->hasRounds() || subject_->isProgram());
    if (!lights) message.reset();
    if (std::exchange(state_.lit, message) == message) return;
    shown_.lit = message;
    Q_EMIT litChanged();
    lookAgain();
}

/// Of a large run chains are found while people already look.
void Playback::lookAgain() {
    if (!state_.lit || !subject_->hasRounds() || subject_->chainsReady()) return;
    QTimer::singleShot(40, this, [this] {
        if (state_.lit && subject_->chainsReady()) Q_EMIT litChanged();
        else if (state_.lit) lookAgain();
    });
}

void Playback::foldGroup(std::int32_t group) {
    ProgramTimelineView tracks = state_.tracks;
    const auto at = std::lower_bound(tracks.folded.begin(), tracks.folded.end(), group);
    if (at != tracks.folded.end() && *at == group) tracks.folded.erase(at);
    else tracks.folded.insert(at, group);
    setProgramTimeline(std::move(tracks));
}

void Playback::setVeil(std::optional<Picoseconds> veil) { tell(std::exchange(state_.veil, veil) != veil); }

void Playback::setMarks(std::vector<Mark> marks) {
    std::stable_sort(marks.begin(), marks.end(), earlier);
    replaceMarks(std::move(marks), std::nullopt, Undo::own);
    marksBefore_.clear();
}

std::size_t Playback::addMark(Mark mark) {
    std::vector<Mark> marks = state_.marks;
    const auto at = marks.insert(std::upper_bound(marks.begin(), marks.end(), mark, earlier), mark);
    const auto number = static_cast<std::size_t>(at - marks.begin());
    replaceMarks(std::move(marks), mark.on == Mark::On::moment ? std::nullopt : std::optional{number}, Undo::own);
    return number;
}

std::size_t Playback::changeMark(std::size_t number, Mark mark, Undo undo) {
    if (state_.marks[number] == mark) return number;
    std::vector<Mark> marks = state_.marks;
    marks.erase(marks.begin() + static_cast<std::ptrdiff_t>(number));
    const auto at = marks.insert(std::upper_bound(marks.begin(), marks.end(), mark, earlier), mark);
    const auto now = static_cast<std::size_t>(at - marks.begin());
    replaceMarks(std::move(marks), now, undo);
    return now;
}

void Playback::removeMark(std::size_t number) {
    std::vector<Mark> marks = state_.marks;
    marks.erase(marks.begin() + static_cast<std::ptrdiff_t>(number));
    replaceMarks(std::move(marks), std::nullopt, Undo::own);
}

void Playback::selectMark(std::size_t number) { tell(selection_.selectMark(number)); }

std::optional<std::size_t> Playback::selectedMark() const {
    if (!state_.asked || state_.asked->kind != Meaning::Kind::note) return std::nullopt;
    return static_cast<std::size_t>(state_.asked->index);
}

void Playback::undoMarks() {
    if (marksBefore_.empty()) return;
    state_.marks = std::move(marksBefore_.back());
    marksBefore_.pop_back();
    selection_.selectMark(std::nullopt);
    tell();
}

void Playback::replaceMarks(std::vector<Mark> marks, std::optional<std::size_t> selected, Undo undo) {
    const bool different = state_.marks != marks;
    std::vector<Mark> before = std::exchange(state_.marks, std::move(marks));
    if (different && undo == Undo::own) marksBefore_.push_back(std::move(before));
    tell(selection_.selectMark(selected) || different);
}

void Playback::setHorizon(Picoseconds horizon, Picoseconds first) {
    const bool other = state_.horizon != horizon || state_.firstBeside != first;
    state_.horizon = horizon;
    state_.firstBeside = first;
    spans_.reach(std::max(duration(), horizon));
    tell(other);
}

void Playback::setBefore(Picoseconds before) { tell(std::exchange(state_.before, before) != before); }

void Playback::setDark(bool dark) { tell(std::exchange(state_.dark, dark) != dark); }

void Playback::setReduceMotion(bool reduce) { tell(std::exchange(state_.reduceMotion, reduce) != reduce); }

void Playback::setLegends(bool shown) { tell(std::exchange(state_.legends, shown) != shown); }

void Playback::setSide(const QString& name) {
    if (std::exchange(side_, name) != name) Q_EMIT sideChanged();
}

void Playback::setMagnification(double times) {
    times = std::clamp(times, 1.0, 4.0);
    tell(std::exchange(magnification_, times) != times);
}

}  // namespace app::gui
