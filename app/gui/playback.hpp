// SPDX-License-Identifier: BSD-3-Clause
// What is looked at, for everybody: a run with its cursor, selection and visible span, and how pictures look. Panels
// read it, ask it to change, and repaint when it says so; they never talk to each other. The rules stand with its
// parts; here they are kept in step, and told.
#pragma once

#include "app/gui/play_clock.hpp"
#include "app/gui/scenes/subject.hpp"
#include "app/gui/selection.hpp"
#include "app/gui/span_stack.hpp"

#include <QObject>
#include <QTimer>

#include <functional>

namespace app::gui {

class Playback final : public QObject {
    Q_OBJECT

public:
    using Clock = PlayClock::Source;

    static constexpr double slowest = PlayClock::slowest;
    static constexpr double fastest = PlayClock::fastest;

    /// Without a clock: the computer's steady one.
    explicit Playback(Clock clock = {}, QObject* parent = nullptr);

    /// What is shown; null before the first run.
    [[nodiscard]] const SubjectPtr& subject() const { return subject_; }
    [[nodiscard]] const ViewState& state() const { return state_; }
    /// Shows another run from its begin: cursor, selection and span start anew; speed, loop and theme stay.
    void show(SubjectPtr subject);

    // Time
    [[nodiscard]] bool playing() const { return clock_.playing(); }
    [[nodiscard]] bool looping() const { return clock_.looping(); }
    /// 1 = a round takes about 0.8 s.
    [[nodiscard]] double speed() const { return clock_.speed(); }
    [[nodiscard]] engine::Picoseconds duration() const { return clock_.duration(); }
    [[nodiscard]] engine::Round round() const;
    /// Starts; at the end of the run it starts over.
    void play();
    void pause();
    void playOrPause() { playing() ? pause() : play(); }
    /// Moves the cursor, within the run; goes on playing from there.
    void seek(engine::Picoseconds time);
    /// To the begin of `round`.
    void seekRound(engine::Round round);
    /// To the next (+1) or previous (-1) stop of the subject; pauses.
    void step(int direction);
    void toBegin();
    void toEnd();
    void setLooping(bool looping);
    /// Clamped to slowest..fastest; what is no number changes nothing.
    void setSpeed(double speed);
    void faster() { setSpeed(speed() * 2); }
    void slower() { setSpeed(speed() / 2); }
    /// Reads the clock and moves the cursor; what the timer calls every 16 ms.
    void tick();

    // Selection
    /// What was clicked: a rank, a message, a link or a block on a rank; nothing, or the same again, clears. While
    /// somebody asks for an answer, the click is one and selects nothing.
    void select(const std::optional<Meaning>& meaning);
    /// Sends clicks to `asker` as answers; null: they select again.
    void ask(std::function<void(const Meaning&)> asker) { asker_ = std::move(asker); }
    void selectRank(std::optional<engine::Rank> rank);
    void selectMessage(std::optional<std::size_t> message);
    void selectLink(std::optional<engine::LinkId> link);
    /// Follows a column of what is held; nothing: no longer.
    void selectBlock(std::optional<std::int32_t> block);
    /// The next (+1) or previous (-1) rank; the first or last one when none is selected.
    void selectNeighbour(int direction);
    /// The selected rank's next (+1) or previous (-1) message, with the cursor at its begin; any rank's when none is
    /// selected.
    void selectNextMessage(int direction);

    // Visible part of the time axis; the whole run when begin == end
    [[nodiscard]] engine::Picoseconds spanBegin() const;
    [[nodiscard]] engine::Picoseconds spanEnd() const;
    void showSpan(engine::Picoseconds begin, engine::Picoseconds end);
    /// Makes the span `factor` times as long, with `around` kept where it is. Successive zooms undo as one.
    void zoom(double factor, engine::Picoseconds around);
    /// Moves the span by a share of its length. Successive moves undo as one.
    void pan(double share);
    void undoSpan();
    void showAll();
    /// The selected message with some room, else the round of the cursor.
    void fitSelection();

    /// Arranges the rows of Tracks.
    void setTracks(TracksView tracks);

    /// Hides what begins at `veil` or later; nothing hides nothing.
    void setVeil(std::optional<engine::Picoseconds> veil);

    /// Lets the axis of the whole run reach at least so far, for a longer one beside it; 0: no farther than the run.
    /// Another run that is shown begins without.
    void setHorizon(engine::Picoseconds horizon);

    /// Leaves a line where the run ended before it was changed; 0: none. Another run that is shown begins without.
    void setBefore(engine::Picoseconds before);

    /// Moments with notes, which stay when another run is shown; they are kept in the order of time.
    void setMarks(std::vector<Mark> marks);
    /// Marks the moment of the cursor.
    void mark(const QString& note);

    /// Notes on places of pictures, which stay when another run is shown. Each change can be undone.
    void setNotes(std::vector<PinnedNote> notes);
    void undoNotes();
    [[nodiscard]] bool canUndoNotes() const { return !notesBefore_.empty(); }

    // Looks
    void setDark(bool dark);
    void setReduceMotion(bool reduce);
    /// Folds the legends of all pictures, or shows them.
    void setLegends(bool shown);
    /// How many times as large as usual everything in the pictures is, 1..4.
    [[nodiscard]] double magnification() const { return magnification_; }
    void setMagnification(double times);

Q_SIGNALS:
    /// Anything in `state()`, playing, speed or loop changed.
    void changed();
    /// Another run is shown; `changed` follows.
    void subjectChanged();
    /// Something was clicked, and can be told about: `state().asked`.
    void asked();

private:
    [[nodiscard]] VisibleSpan shownSpan() const;
    void showSpan(VisibleSpan span, SpanStack::Undo undo);
    void foldGroup(std::int32_t group);
    void tell(bool different = true);
    void tellMoved();

    PlayClock clock_;
    Selection selection_;
    SpanStack spans_;
    SubjectPtr subject_;
    std::function<void(const Meaning&)> asker_;
    ViewState state_;                                   // what the parts say, for scenes
    std::vector<std::vector<PinnedNote>> notesBefore_;  // each change, the last one at the end
    double magnification_ = 1;
    QTimer timer_;
};

}  // namespace app::gui
