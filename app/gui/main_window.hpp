// SPDX-License-Identifier: BSD-3-Clause
// The window: network and space-time diagram in the middle, set-up and explanation on the left, holdings, bounds and
// rounds on the right. It connects the panels with Playback and the worker; the panels do not know each other.
#pragma once

#include "app/gui/docks.hpp"
#include "app/gui/gui.hpp"
#include "app/gui/pairing.hpp"
#include "app/gui/path_dialog.hpp"
#include "app/gui/theme.hpp"
#include "app/gui/worker.hpp"
#include "app/session/session.hpp"

#include <QFont>
#include <QMainWindow>
#include <QSettings>
#include <QSplitter>

#include <filesystem>

class QActionGroup;
class QLabel;

namespace app::gui {

class AnswersPanel;
class ChartsPanel;
class DifferencesPanel;
class ExplainPanel;
class NetworkPanel;
class NoticeBar;
class OtherSide;
class RoundsTable;
class SearchBar;
class SetupPanel;
class SpaceTimePanel;
class TeachPanel;
class TransportBar;

class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    /// `settings`: what is remembered from start to start; must outlive the window.
    explicit MainWindow(QSettings& settings, Playback::Clock clock = {});
    ~MainWindow() override;

    /// Shows what it is opened on; without anything opens the last trace or runs the last problem, and the first
    /// example at the very first start.
    void begin(Beginning beginning);
    /// Reads an archive beside the window and shows it. What is wrong with it stands above the pictures.
    void openTrace(const std::filesystem::path& path, const traces::Opening& opening = {});
    void saveTrace(const std::filesystem::path& folder);
    void exportPicture(const std::filesystem::path& file);
    /// Shows another run beside the present one, on one clock: of another algorithm for the same problem, of a trace,
    /// or the present one itself, to be compared with what is run next.
    void compareWith(const std::string& algorithm);
    void compareWithTrace(const std::filesystem::path& path);
    void compareWithNext();
    void stopComparing();
    /// Shows the lesson of that number (see lessons()) from its first stop.
    void startLesson(std::size_t number);
    void setTheme(Theme theme);
    /// For a room full of people: full screen, large letters, slow motion, and only the panels a lesson is about. Off
    /// again, everything is as it was before.
    void setProjecting(bool on);
    [[nodiscard]] bool projecting() const { return beforeProjecting_.has_value(); }

    [[nodiscard]] Playback& playback() { return playback_; }
    [[nodiscard]] SetupPanel& setup() { return *setup_; }
    [[nodiscard]] TransportBar& transport() { return *transport_; }
    [[nodiscard]] SearchBar& search() { return *search_; }
    [[nodiscard]] TeachPanel& teach() { return *teach_; }
    [[nodiscard]] AnswersPanel& answers() { return *answers_; }
    /// Brings the answers to questions about the run to the front.
    void showAnswers();
    /// The sentence above the pictures; empty when there is none.
    [[nodiscard]] QString notice() const;
    /// The second run, while two are compared.
    [[nodiscard]] Playback& other() { return other_; }
    [[nodiscard]] bool comparing() const { return other_.subject() != nullptr; }
    [[nodiscard]] bool working() const { return runner_.busy() || writer_.busy() || comparer_.busy(); }

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Where : std::uint8_t { tellingMoment, sameShare, begin };

    void buildPanels();
    void buildMenus();
    void buildFileMenu();
    void buildRunMenu();
    void buildCompareMenu();
    void buildTeachMenu();
    void fillLessons(QMenu& menu);
    void fillRivals(QMenu& menu);
    void buildViewMenu();
    void buildHelpMenu();
    void fillRecent();
    void restore();
    bool restoreLayout();
    void remember(const QByteArray& geometry);

    void showTrace(Trace trace);
    void run(const RunWish& wish, Where where);
    void present(SubjectPtr subject, const QString& name, Where where);
    void toTellingMoment();
    void presentOther(SubjectPtr subject, const QString& name);
    [[nodiscard]] QString shownName() const;
    void askForTraceToCompare();
    void keepIndex(const std::function<void(const engine::Progress&)>& keep);
    QString ask(PathQuestion question);
    void askForTrace();
    void askWhereToSave();
    void askWhereToExport();
    void addRecent(const QString& path);
    void showTable();
    [[nodiscard]] QString summary() const;

    QSettings& settings_;
    Playback playback_;
    Playback other_;
    Pairing pairing_{playback_, other_};
    std::string rival_;  // algorithm that is compared with whatever is run; empty: none
    Theme theme_ = Theme::system;
    Docks docks_{*this};

    NetworkPanel* network_ = nullptr;
    SpaceTimePanel* spaceTime_ = nullptr;
    ChartsPanel* charts_ = nullptr;
    SetupPanel* setup_ = nullptr;
    TransportBar* transport_ = nullptr;
    TeachPanel* teach_ = nullptr;
    AnswersPanel* answers_ = nullptr;
    QDockWidget* teachDock_ = nullptr;
    NoticeBar* notice_ = nullptr;
    SearchBar* search_ = nullptr;
    QSplitter* splitter_ = nullptr;
    QLabel* title_ = nullptr;  // of the first run, while there is a second
    OtherSide* otherSide_ = nullptr;
    DifferencesPanel* differences_ = nullptr;
    QLabel* summary_ = nullptr;
    QString tellNext_;  // above the next run that is shown
    QMenu* recent_ = nullptr;
    QActionGroup* themes_ = nullptr;
    QAction* save_ = nullptr;
    QAction* export_ = nullptr;
    QAction* reduceMotion_ = nullptr;
    QAction* fullScreen_ = nullptr;
    QAction* projector_ = nullptr;
    QAction* predict_ = nullptr;

    /// What a projector is left for.
    struct Looks {
        QByteArray geometry;
        Docks::Arrangement docks;
        QFont font;
        double speed;
        bool fullScreen;
    };
    std::optional<Looks> beforeProjecting_;

    Worker runner_;    // runs and reads
    Worker comparer_;  // the second run
    Worker writer_;    // saves and exports: not cancelled by another run
    Worker keeper_;    // keeps the index of a trace, for which nobody waits
};

}  // namespace app::gui
