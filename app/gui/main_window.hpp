// SPDX-License-Identifier: BSD-3-Clause
// The window: network and space-time diagram in the middle, set-up and explanation on the left, holdings, bounds and
// rounds on the right. It connects the panels with Playback and the worker; the panels do not know each other.
#pragma once

#include "app/gui/playback.hpp"
#include "app/gui/theme.hpp"
#include "app/gui/worker.hpp"
#include "app/session/session.hpp"

#include <QDockWidget>
#include <QMainWindow>
#include <QSettings>
#include <QSplitter>

#include <filesystem>

class QActionGroup;
class QLabel;

namespace app::gui {

class ExplainPanel;
class NetworkPanel;
class NoticeBar;
class RoundsTable;
class SetupPanel;
class SpaceTimePanel;
class TransportBar;

class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    /// `settings`: what is remembered from start to start; must outlive the window.
    explicit MainWindow(QSettings& settings, Playback::Clock clock = {});
    ~MainWindow() override;

    /// Shows `report`; without one, runs the last problem, or the first example at the very first start.
    void begin(std::optional<Report> report);
    void openTrace(const std::filesystem::path& path);
    void saveTrace(const std::filesystem::path& folder);
    void exportPicture(const std::filesystem::path& file);
    void setTheme(Theme theme);

    [[nodiscard]] Playback& playback() { return playback_; }
    [[nodiscard]] SetupPanel& setup() { return *setup_; }
    [[nodiscard]] TransportBar& transport() { return *transport_; }
    /// The sentence above the pictures; empty when there is none.
    [[nodiscard]] QString notice() const;
    [[nodiscard]] bool working() const { return runner_.busy() || writer_.busy(); }

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Where : std::uint8_t { tellingMoment, sameShare };

    void buildPanels();
    QDockWidget* addDock(const QString& title, const QString& name, QWidget* content, Qt::DockWidgetArea area);
    void buildMenus();
    void buildFileMenu();
    void buildRunMenu();
    void buildViewMenu();
    void buildHelpMenu();
    void fillRecent();
    void restore();
    void remember();

    void run(const RunWish& wish, Where where);
    void present(SubjectPtr subject, const QString& name, Where where);
    void toTellingMoment();
    void askForTrace();
    void askWhereToSave();
    void askWhereToExport();
    void addRecent(const QString& path);
    [[nodiscard]] QString summary() const;

    QSettings& settings_;
    Playback playback_;
    Theme theme_ = Theme::system;

    NetworkPanel* network_ = nullptr;
    SpaceTimePanel* spaceTime_ = nullptr;
    SetupPanel* setup_ = nullptr;
    TransportBar* transport_ = nullptr;
    NoticeBar* notice_ = nullptr;
    QSplitter* splitter_ = nullptr;
    QLabel* summary_ = nullptr;
    QList<QDockWidget*> docks_;
    QMenu* recent_ = nullptr;
    QActionGroup* themes_ = nullptr;
    QAction* save_ = nullptr;
    QAction* export_ = nullptr;
    QAction* reduceMotion_ = nullptr;

    Worker runner_;  // runs and reads
    Worker writer_;  // saves and exports: not cancelled by another run
};

}  // namespace app::gui
