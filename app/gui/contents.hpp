// SPDX-License-Identifier: BSD-3-Clause
// Everything that is seen in the window: pictures in the middle, the other panels in docks around them. The panels do
// not know each other; they follow a Playback.
#pragma once

#include "app/gui/docks.hpp"
#include "app/gui/pairing.hpp"

#include <QCoreApplication>
#include <QLabel>
#include <QSplitter>

namespace app::gui {

class AnswersPanel;
class ChartsPanel;
class DifferencesPanel;
class EditorPanel;
class HeadlinePanel;
class NetworkPanel;
class NotesPanel;
class NoticeBar;
class OtherSide;
class SearchBar;
class SetupPanel;
class SpaceTimePanel;
class TaskPanel;
class TeachPanel;
class TracksPanel;
class TransportBar;

/// Fills a window once and empties it again; every panel is there as long as this is.
class Contents final {
    Q_DECLARE_TR_FUNCTIONS(app::gui::Contents)

public:
    /// `second` is the run beside the first, while two are compared.
    Contents(QMainWindow& window, Playback& first, Playback& second, Pairing& pairing);
    ~Contents();
    Contents(const Contents&) = delete;
    Contents& operator=(const Contents&) = delete;

    Docks docks;
    HeadlinePanel* const headline;
    NetworkPanel* const network;
    SpaceTimePanel* const spaceTime;
    TracksPanel* const tracks;  ///< in the place of both of a traced program, unless two are compared
    SetupPanel* const setup;
    TransportBar* const transport;
    NoticeBar* const notice;
    SearchBar* const search;
    TeachPanel* const teach;
    AnswersPanel* const answers;
    EditorPanel* const editor;
    TaskPanel* const task;
    NotesPanel* const notes;
    QSplitter* const pictures;            ///< those of the first run, above each other
    QLabel* const title;                  ///< of the first run, while there is a second
    OtherSide* const otherSide;           ///< the second run
    DifferencesPanel* const differences;  ///< between the two

private:
    void buildMiddle(Playback& first);
    void buildDocks(Playback& first);
    /// Brings up where a cause of the time is seen.
    void show(int cause);

    QMainWindow* window_;
    ChartsPanel* charts_;
};

}  // namespace app::gui
