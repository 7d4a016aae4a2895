// SPDX-License-Identifier: BSD-3-Clause
// Everything that is seen in the window: pictures in the middle, the other panels in docks around them. The panels do
// not know each other; they follow a Playback.
#pragma once

#include "app/gui/playback/linked_playback.hpp"
#include "app/gui/settings/dock_areas.hpp"

#include <QCoreApplication>
#include <QStackedWidget>

namespace app::gui {

class TablesPanel;
class BetterSchedulePanel;
class Card;
class ChartsPanel;
class ChipBar;
class DetailsPanel;
class DifferencesPanel;
class EditorPanel;
class ExplainPanel;
class FittingLabel;
class GamePanel;
class HeadlinePanel;
class InsideBar;
class MultiplesPanel;
class NetworkPanel;
class AnnotationsPanel;
class NoticeBar;
class NetworkAndTimeline;
class TwoRunView;
class ReplayPanel;
class RunProgress;
class SearchBar;
class SetupPanel;
class SlidersPanel;
class RunTimelinePanel;
class TaskPanel;
class TeachPanel;
class ProgramTimelinePanel;
class TransportBar;

/// Fills a window once and empties it again; every panel is there as long as this is.
class Contents final {
    Q_DECLARE_TR_FUNCTIONS(app::gui::Contents)

public:
    /// `second` is the run beside the first, while two are compared.
    Contents(QMainWindow& window, Playback& first, Playback& second, LinkedPlayback& pairing);
    ~Contents();
    Contents(const Contents&) = delete;
    Contents& operator=(const Contents&) = delete;

    DockAreas docks;
    HeadlinePanel* const headline;
    NetworkPanel* const network;
    RunTimelinePanel* const spaceTime;
    ProgramTimelinePanel* const tracks;  ///< in the place of both of a traced program, unless two are compared
    SetupPanel* const setup;
    SlidersPanel* const sliders;
    MultiplesPanel* const multiples;
    BetterSchedulePanel* const better;  ///< bounds, and the search for schedules nearer to them
    TransportBar* const transport;
    ChipBar* const chips;
    RunProgress* const progress;
    NoticeBar* const notice;
    InsideBar* const inside;  ///< what of a trace is opened
    SearchBar* const search;
    TeachPanel* const teach;
    TablesPanel* const answers;
    EditorPanel* const editor;
    TaskPanel* const task;
    GamePanel* const game;  ///< in the place of the task, or above it
    AnnotationsPanel* const notes;
    ReplayPanel* const replay;
    NetworkAndTimeline* const pictures;   ///< those of the first run
    NetworkAndTimeline* const otherSide;  ///< of the second run
    DifferencesPanel* const differences;  ///< between the two

    /// To be called when the window has another size.
    void fit();
    /// Two runs stand above each other, or side by side.
    void setAbove(bool above);
    /// Whether there is a second run, with what differs.
    void showSecond(bool shown);

private:
    void buildTop();
    void buildMiddle(const Playback& second, const LinkedPlayback& pairing);
    void buildDocks(Playback& first);
    /// Explanation and details speak of that run from now on.
    void tellOf(Playback& run);
    /// The titles that name that run.
    void nameRuns(TitleRun which, const QString& side);
    void fitResult();
    void sayInALine();
    void fitStatus();
    /// Brings up where a cause of the time is seen.
    void show(int cause);

    QMainWindow* window_;
    const Playback* first_;
    FittingLabel* summary_;  // of the run, in the status bar
    ExplainPanel* explanation_;
    DetailsPanel* details_;
    ChartsPanel* charts_;
    TwoRunView* runs_;
    QStackedWidget* result_;  // of one run, or of two
    bool two_ = false;        // runs
};

}  // namespace app::gui
