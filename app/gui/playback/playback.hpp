// SPDX-License-Identifier: BSD-3-Clause
// What is looked at, for everybody: a run with its cursor, selection and visible span, and how pictures look. Panels
// read it, ask it to change, and repaint when it says so; they never talk to each other. The rules stand with its
// parts; here they are kept in step, and told.
#pragma once

#include "app/gui/playback/play_clock.hpp"
#include "app/gui/playback/selection.hpp"
#include "app/gui/playback/view_animation.hpp"
#include "app/gui/playback/zoom_history.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

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
    [[nodiscard]] const DrawableRunPtr& subject() const { return subject_; }
    [[nodiscard]] const ViewState& state() const { return state_; }
    /// What pictures show: the same, but while a change of round or of the visible span is eased on the way there.
    [[nodiscard]] const ViewState& shown() const { return shown_; }
    /// Shows another run from its start: cursor, selection and span start again; speed, loop and theme stay.
    void show(DrawableRunPtr subject);

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
    /// To the start of `round`.
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
    /// The same for something of a program, wherever the cursor and the visible span are; nothing where the program has
    /// none such.
    void choose(const Meaning& meaning);
    /// Asks for the rounds of something of a trace: `openWanted` tells.
    void open(const Meaning& meaning) { Q_EMIT openWanted(meaning); }
    /// Sends clicks to `asker` as answers; null: they select again.
    void ask(std::function<void(const Meaning&)> asker) { asker_ = std::move(asker); }
    void selectRank(std::optional<engine::Rank> rank);
    void selectMessage(std::optional<std::size_t> message);
    void selectLink(std::optional<engine::LinkId> link);
    /// Follows a column of what is held; nothing: no longer.
    void selectBlock(std::optional<std::int32_t> block);
    /// The next (+1) or previous (-1) rank; the first or last one when none is selected.
    void selectNeighbour(int direction);
    /// The selected rank's next (+1) or previous (-1) message, with the cursor at its start; any rank's when none is
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

    /// Arranges the rows of Tracks and of the space-time diagram.
    void setProgramTimeline(ProgramTimelineView tracks);
    /// Shows one layer of a three-dimensional grid; only where the network is one. Layers are clamped to those there
    /// are.
    void setCut(CutPlane cut);
    /// Which part of the network is seen; another network is seen whole.
    void setLens(Lens lens);

    /// Lights the chain that led to a message; nothing: none. `litChanged` tells, as nothing else changes.
    void light(std::optional<std::uint32_t> message);

    /// Hides what begins at `veil` or later; nothing hides nothing.
    void setVeil(std::optional<engine::Picoseconds> veil);

    /// Lets the axis of the whole run reach at least so far, for a longer one beside it, of which something happens
    /// from `first` on; 0: no farther than the run. Another run that is shown begins without.
    void setHorizon(engine::Picoseconds horizon, engine::Picoseconds first = {});

    /// Leaves a line where the run ended before it was changed; 0: none. Another run that is shown begins without.
    void setBefore(engine::Picoseconds before);

    // Marks, which stay when another run is shown; they are kept in the order of time
    /// Whether the user can leave some: not beside another run, where nothing keeps them.
    [[nodiscard]] bool keepsMarks() const { return keepsMarks_; }
    void setKeepsMarks(bool keeps) { keepsMarks_ = keeps; }
    /// In place of all others; nothing before is undone any more.
    void setMarks(std::vector<Mark> marks);
    /// Adds one, and selects it where it stands at a place; its number.
    std::size_t addMark(Mark mark);
    /// `number` must be that of a mark. `Undo::joined`: with the change before it one that is undone.
    enum class Undo : std::uint8_t { own, joined };
    /// Its number from then on.
    std::size_t changeMark(std::size_t number, Mark mark, Undo undo = Undo::own);
    void removeMark(std::size_t number);
    void selectMark(std::size_t number);
    /// The number of the selected one.
    [[nodiscard]] std::optional<std::size_t> selectedMark() const;
    [[nodiscard]] bool canUndoMarks() const { return !marksBefore_.empty(); }
    void undoMarks();

    /// What this run is called while two are compared; empty: there is one.
    [[nodiscard]] const QString& side() const { return side_; }
    void setSide(const QString& name);

    // Looks
    void setDark(bool dark);
    void setReduceMotion(bool reduce);
    /// Whether changes of round and of the visible span are eased, unless motion is reduced; at first they are not.
    void setEased(bool eased) { eased_ = eased; }
    /// Folds the legends of all pictures, or shows them.
    void setLegends(bool shown);
    /// How many times as large as usual everything in the pictures is, 1..4.
    [[nodiscard]] double magnification() const { return magnification_; }
    void setMagnification(double times);

Q_SIGNALS:
    /// Anything in `state()`, playing, speed or loop changed.
    void changed();
    /// Only what `shown` says, on its way.
    void seenChanged();
    /// Only which chain is lit.
    void litChanged();
    /// Another run is shown; `changed` follows.
    void subjectChanged();
    /// `side` says something else.
    void sideChanged();
    /// Something was clicked that has details: `state().asked`.
    void asked();
    /// The user wants to see what is shown in rounds: a collective of a trace, or what a rank was in.
    void openWanted(const Meaning& meaning);

private:
    [[nodiscard]] VisibleSpan shownSpan() const;
    [[nodiscard]] VisibleSpan spanOf(const ViewState& state) const;
    void ease();
    void note();
    void lookAgain();
    void showSpan(VisibleSpan span, ZoomHistory::Undo undo);
    void foldGroup(std::int32_t group);
    void tell(bool different = true);
    void tellMoved();
    void replaceMarks(std::vector<Mark> marks, std::optional<std::size_t> selected, Undo undo);

    PlayClock clock_;
    Selection selection_;
    ZoomHistory spans_;
    DrawableRunPtr subject_;
    std::function<void(const Meaning&)> asker_;
    ViewState state_;                             // what the parts say, for scenes
    ViewState shown_;                             // state_, or on the way there
    std::vector<std::vector<Mark>> marksBefore_;  // each change, the last one at the end
    bool keepsMarks_ = true;
    double magnification_ = 1;
    QString side_;
    Clock now_;
    ViewAnimation easing_;
    bool eased_ = false;
    QTimer timer_;
};

}  // namespace app::gui
