// SPDX-License-Identifier: BSD-3-Clause
// The window in every size, from the smallest on, light and dark, in each layout and with each kind of work: it has the
// size that was asked for, and what has no room is shortened with a tip, wrapped, or scrolled to; never cut. With
// COLLSCOPE_SIZES=FOLDER pictures are kept there.
#include "app/gui/answers/tables_panel.hpp"
#include "app/gui/comparison/differences_panel.hpp"
#include "app/gui/explain/explain_panel.hpp"
#include "app/gui/replay/replay_panel.hpp"
#include "app/gui/scenes/drawing/colours.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/scenes/time/run_timeline_frame.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/views/basic_views.hpp"
#include "app/gui/views/card.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "app/gui/views/network_and_timeline.hpp"
#include "app/gui/views/two_run_view.hpp"
#include "app/gui/views/view_widget.hpp"
#include "app/gui/what_if/sliders_panel.hpp"
#include "app/gui/widgets/fitting_label.hpp"
#include "app/teaching/panels/teach_panel.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/programs/stepping_program.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <QAbstractScrollArea>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollArea>
#include <QStatusBar>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>
#include <QTextBrowser>
#include <QTextDocument>

#include <algorithm>
#include <map>

namespace app::gui {
namespace {

constexpr QSize sizesOfWindows[] = {{480, 360}, {640, 480}, {800, 600}, {1024, 600}, {1366, 768}, {2560, 1440}};
constexpr int leastProjected = 800;  // pixels of width; no projector has less

void waitForLayout() {
    for (int turn = 0; turn < 6; ++turn) QTest::qWait(1);
}

enum class Work : std::uint8_t { run, trace, comparison, lesson };
constexpr std::array works{Work::run, Work::trace, Work::comparison, Work::lesson};

const char* nameOf(Work work) {
    constexpr std::array names{"run", "trace", "comparison", "lesson"};
    return names[static_cast<std::size_t>(work)];
}

void begin(Stage& stage, Work work) {
    MainWindow& window = stage.window;
    stage.begin();
    switch (work) {
        case Work::run: break;
        case Work::trace: {
            auto recording = std::make_shared<const traces::Recording>(support::steppingProgram(6, 12));
            auto run = std::make_shared<const engine::Run>(traces::runOf(*recording));
            window.presenter().begin(Trace{.report = analysis::reportOn(std::move(run)), .recording = recording});
            break;
        }
        case Work::comparison: window.comparison().compareWith("halfduplex-allgather/ring-belts"); break;
        case Work::lesson:
            window.teaching().start(1);
            stage.settle();
            window.contents().teach->goTo(2);
            break;
    }
    stage.settle();
    if (work == Work::trace) (void)window.playback().subject()->programmed();
}

/// A widget in words, for who has to look for it.
std::string inWords(const QWidget& widget) {
    QStringList path;
    for (const QWidget* each = &widget; each != nullptr && !each->isWindow(); each = each->parentWidget())
        if (!each->objectName().isEmpty() || !each->accessibleName().isEmpty())
            path.prepend(each->accessibleName().isEmpty() ? each->objectName() : each->accessibleName());
    return (path.join(" / ") + " (" + widget.metaObject()->className() + ")").toStdString();
}

/// What shows `widget` by scrolling, if anything does.
const QAbstractScrollArea* scrolls(const QWidget& widget) {
    for (const QWidget* each = &widget; each->parentWidget() != nullptr; each = each->parentWidget())
        if (const auto* area = qobject_cast<const QAbstractScrollArea*>(each->parentWidget()->parentWidget());
            area != nullptr && area->viewport() == each->parentWidget())
            return area;
    return nullptr;
}

/// Whether all words of a label are seen, or can be.
bool saysAll(const QLabel& label) {
    if (label.text().isEmpty()) return true;
    if (const auto* fitting = qobject_cast<const FittingLabel*>(&label))
        return fitting->text() == fitting->words() || fitting->toolTip() == fitting->words();
    // Half a line is seen to be cut, whatever its tip says.
    if (label.wordWrap()) return label.height() >= label.heightForWidth(label.width());
    if (!label.toolTip().isEmpty()) return true;
    return label.width() >= label.minimumSizeHint().width() && label.height() >= label.minimumSizeHint().height();
}

/// What is wrong in a window, in words; each once, wherever it was met.
class Judge {
public:
    void judge(const MainWindow& window, const std::string& where) {
        window_ = &window;
        where_ = where;
        judgeDocks();
        judgeStatus();
        judgePictures();
        for (const QWidget* widget : window.findChildren<QWidget*>())
            if (widget->isVisible() && widget->window() == &window && !widget->visibleRegion().isEmpty())
                judgeWidget(*widget);
    }
    [[nodiscard]] std::string found() const {
        std::string all;
        for (const auto& [fault, where] : faults_) all += fault + " (first in " + where + ")\n";
        return all;
    }

private:
    void hold(bool fine, const std::string& fault) {
        if (!fine) faults_.try_emplace(fault, where_);
    }

    void judgeDocks() {
        std::vector<const QWidget*> places{window_->centralWidget(), window_->statusBar()};
        for (const QDockWidget* dock : window_->findChildren<QDockWidget*>(QString{}, Qt::FindDirectChildrenOnly))
            if (dock->isVisible() && !dock->isFloating() && !dock->visibleRegion().isEmpty()) places.push_back(dock);
        for (const QWidget* one : places) {
            hold(window_->rect().contains(one->geometry()), inWords(*one) + " leaves the window");
            for (const QWidget* other : places)
                hold(one <= other || !one->geometry().intersects(other->geometry()),
                     inWords(*one) + " lies on " + inWords(*other));
            if (one == window_->statusBar()) continue;
            hold(one->width() >= leastWidth && one->height() >= leastHeight, inWords(*one) + " is too small");
        }
    }

    /// A message of the status bar has its room, beside whatever else stands there.
    void judgeStatus() {
        const QStatusBar& status = *window_->findChild<QStatusBar*>();
        int left = status.width();
        for (const QLabel* label : status.findChildren<QLabel*>())
            if (label->isVisible()) left = std::min(left, label->x());
        hold(status.fontMetrics().horizontalAdvance(status.currentMessage()) <= left,
             "'" + status.currentMessage().toStdString() + "' is cut");
    }

    /// Of one run the diagram is all there without scrolling, with rows that can be told apart.
    void judgePictures() {
        Contents& contents = const_cast<MainWindow*>(window_)->contents();
        const RunTimelinePanel& diagram = *contents.spaceTime;
        if (!diagram.isVisible() || contents.otherSide->isVisible()) return;
        hold(QRegion{diagram.rect()}.subtracted(diagram.visibleRegion()).isEmpty(), "the diagram is scrolled away");
        const Playback& playback = const_cast<MainWindow*>(window_)->playback();
        const QSizeF paper = QSizeF{diagram.size()} / playback.magnification();
        const RunTimelineFrame frame = runTimelineFrame(*playback.subject(), playback.state(), paper);
        hold(frame.plot.height() >= leastPlot, "the rows of the diagram are crushed");
    }

    void judgeWidget(const QWidget& widget) {
        const QWidget& ground = *widget.parentWidget();
        hold(scrolls(widget) != nullptr || ground.rect().adjusted(-1, -1, 1, 1).contains(widget.geometry()) ||
                 widget.inherits("QToolBarExtension"),
             inWords(widget) + " leaves what it stands on");
        if (const auto* area = qobject_cast<const QScrollArea*>(&widget); area != nullptr && area->widget() != nullptr)
            hold(area->widget()->width() <= area->viewport()->width() ||
                     area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff,
                 inWords(widget) + " holds more than is seen");
        if (auto* view = qobject_cast<ViewWidget*>(const_cast<QWidget*>(&widget)))
            for (const Shape& shape : view->shapes())
                hold(shape.kind != Shape::Kind::text || QRectF{view->rect()}.adjusted(-1, -1, 1, 1).contains(shape.box),
                     "'" + shape.text.toStdString() + "' leaves " + inWords(widget));
        judgeRoom(widget);
        if (const auto* table = qobject_cast<const QTableView*>(&widget)) judgeEdge(*table);
        hold(!scrollsWithin(widget), inWords(widget) + " scrolls within what scrolls");
        if (const auto* runs = qobject_cast<const TwoRunView*>(&widget))
            hold(!const_cast<MainWindow*>(window_)->comparison().comparing() ||
                     runs->widget()->size() == runs->viewport()->size(),
                 "of two runs a part is seen only by scrolling");
        if (const auto* diagram = qobject_cast<const RunTimelinePanel*>(&widget); diagram && diagram->axis())
            hold(diagram->axis()->right() - diagram->axis()->left() >= leastAxis, inWords(widget) + " is crushed");
        if (const auto* box = qobject_cast<const QComboBox*>(&widget)) judgeBox(*box);
        if (const auto* label = qobject_cast<const QLabel*>(&widget))
            hold(saysAll(*label), "'" + label->text().toStdString() + "' of " + inWords(ground) + " is cut");
        if (const auto* button = qobject_cast<const QAbstractButton*>(&widget); button && !button->text().isEmpty())
            hold(button->width() >= button->minimumSizeHint().width(),
                 "'" + button->text().toStdString() + "' of " + inWords(ground) + " is cut");
    }

    /// One pixel of it for each that it is laid out in, however large those of the screen are.
    static QImage drawn(QWidget& widget) {
        QImage image{widget.size(), QImage::Format_RGB32};
        image.fill(Qt::white);
        widget.render(&image);
        return image;
    }

    /// No letter of a table ends at its edge: what is cut there ends in dots.
    void judgeEdge(const QTableView& table) {
        const QImage seen = drawn(*table.viewport());
        const int edge = seen.width() - 1;
        for (int row = 0; row < table.model()->rowCount() && edge > 0; ++row) {
            const int top = table.rowViewportPosition(row);
            const int bottom = std::min(top + table.rowHeight(row), seen.height()) - 2;
            for (int y = std::max(top, 0) + 2; y < bottom; ++y)
                hold(contrast(seen.pixelColor(edge, y), seen.pixelColor(edge, bottom - 1)) < 2,
                     inWords(table) + " cuts a cell at its edge");
        }
        const QHeaderView& headings = *table.horizontalHeader();
        const QImage above = drawn(*headings.viewport());
        for (int section = 0; section < headings.count(); ++section) {
            const int x = std::max(headings.sectionViewportPosition(section), 0) + 2;
            const int way = table.model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
            if (headings.isSectionHidden(section) || x > above.width() - 8 || !(way & Qt::AlignRight)) continue;
            for (int y = 2; y < above.height() - 3; ++y)
                hold(contrast(above.pixelColor(x, y), above.pixelColor(x, above.height() / 2)) < 2,
                     inWords(table) + " cuts a heading");
        }
    }

    /// A table or a page within what is scrolled as well, with a part of it out of sight.
    [[nodiscard]] static bool scrollsWithin(const QWidget& widget) {
        const QAbstractScrollArea* area = scrolls(widget);
        const bool reads = widget.inherits("QTableView") || widget.inherits("QTextBrowser");
        return reads && area != nullptr &&
               !area->viewport()->rect().contains(QRect{widget.mapTo(area->viewport(), QPoint{}), widget.size()});
    }

    /// What is read in tables and sentences, and where words are typed, can be used.
    void judgeRoom(const QWidget& widget) {
        if (const auto* table = qobject_cast<const QTableView*>(&widget); table && table->model()) {
            const int rows = std::min(table->model()->rowCount(), leastRows);
            const int last = rows - 1;
            hold(rows == 0 ||
                     table->rowViewportPosition(last) - table->rowViewportPosition(0) + table->rowHeight(last) <=
                         table->viewport()->height(),
                 inWords(widget) + " shows less than four rows");
        }
        if (const auto* page = qobject_cast<const QTextBrowser*>(&widget); page && !page->toPlainText().isEmpty()) {
            const int lines = std::min(page->height() / page->fontMetrics().lineSpacing(), leastRows);
            hold(lines == leastRows && page->viewport()->width() >= leastWidth, inWords(widget) + " is hardly read");
        }
        const bool within = widget.parentWidget()->inherits("QAbstractSpinBox");
        const bool typed = !within && (widget.inherits("QLineEdit") || widget.inherits("QComboBox"));
        hold(!typed || widget.height() >= widget.minimumSizeHint().height(), inWords(widget) + " is cut");
        if (const QAbstractScrollArea* area = typed ? scrolls(widget) : nullptr)
            hold(area->viewport()->height() >= leastOfForm, inWords(*area) + " shows hardly a field");
    }

    /// A box as wide as what can be chosen shows all of that; others are told to be shorter.
    void judgeBox(const QComboBox& box) {
        if (box.sizeAdjustPolicy() == QComboBox::AdjustToMinimumContentsLengthWithIcon) return;
        QStyleOptionComboBox option;
        option.initFrom(&box);
        const QRect room =
            box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
        hold(room.width() >= box.fontMetrics().horizontalAdvance(box.currentText()),
             "'" + box.currentText().toStdString() + "' of " + inWords(box) + " is cut");
    }

    static constexpr int leastAxis = 100;   // pixels of all time
    static constexpr int leastOfForm = 70;  // a field with its words above, and the next one
    static constexpr int leastRows = 4;
    static constexpr int leastWidth = 150;  // pixels in which a panel, or the pictures, can be used
    static constexpr int leastHeight = 100;
    static constexpr int leastPlot = 50;

    const MainWindow* window_ = nullptr;
    std::string where_;
    std::map<std::string, std::string> faults_;
};

void keep(MainWindow& window, const std::string& name) {
    const QByteArray folder = qgetenv("COLLSCOPE_SIZES");
    if (folder.isEmpty()) return;
    EXPECT_TRUE(window.grab().save(QString::fromLocal8Bit(folder) + '/' + QString::fromStdString(name) + ".png"));
}

class EverySize : public testing::TestWithParam<Work> {};

TEST_P(EverySize, layoutsInEverySize) {
    Stage stage;
    MainWindow& window = stage.window;
    begin(stage, GetParam());
    Judge judge;
    std::map<std::string, std::pair<QRect, QRect>> divided;
    std::vector<QSize> sizes{std::begin(sizesOfWindows), std::end(sizesOfWindows)};
    for (const Theme theme : {Theme::dark, Theme::light}) {
        for (const QSize size : sizes) {
            window.resize(size);
            window.setTheme(theme);
            for (const Layout layout : layouts) {
                window.desk().choose(layout);
                window.playback().seek(window.playback().duration() * 45 / 100);
                waitForLayout();
                const std::string where = std::string{nameOf(GetParam())} + '-' + name(layout).toStdString() + '-' +
                                          std::to_string(size.width()) + '-' + name(theme).toStdString();
                // Bars of tabs that Qt keeps for later lie anywhere, and with a line that tabs would stand on.
                for (const QTabBar* tabs : window.findChildren<QTabBar*>(QString{}, Qt::FindDirectChildrenOnly))
                    EXPECT_EQ(tabs->drawBase(), tabs->count() > 1) << where;
                EXPECT_EQ(window.size(), size) << where;
                const auto placeOf = [](const QWidget& picture) {
                    return picture.isVisible() ? picture.geometry() : QRect{};
                };
                const std::pair places{placeOf(*window.contents().network), placeOf(*window.contents().spaceTime)};
                const auto known = divided.try_emplace(where.substr(0, where.rfind('-')), places).first;
                EXPECT_EQ(known->second, places) << where;
                judge.judge(window, where);
                keep(window, where);
            }
        }
        // Pictures share their place alike, whichever size the window had before.
        std::ranges::reverse(sizes);
    }
    window.setTheme(Theme::light);
    EXPECT_EQ(judge.found(), "");
}

TEST(PanelsOfAProgram, tellTheMomentThatIsShown) {
    Stage stage;
    begin(stage, Work::trace);
    Playback& playback = stage.window.playback();
    const ExplainPanel& words = stage.find<ExplainPanel>();
    const CardTitle& title = stage.window.contents().docks.titleOf(Dock::explanation);
    const analysis::TracedProgram& program = *playback.subject()->programmed().program;
    stage.window.contents().docks.bringUp(Dock::explanation);
    for (const std::size_t k : {1U, 5U, 10U}) {
        const analysis::Iteration& iteration = program.iterations().all[k];
        playback.seek(iteration.begin + iteration.duration / 2);
        EXPECT_EQ(title.fact(), timeInWords(playback.state().time));
        EXPECT_TRUE(words.toPlainText().startsWith(QStringLiteral("iteration %1 of 12").arg(k + 1)))
            << words.toPlainText().left(40).toStdString();
    }
}

/// Laying out rich text costs more than a picture: only what ranks do is told, and only where that is another thing.
TEST(PanelsOfAProgram, layOutTheirWordsWhenTheseChange) {
    Stage stage;
    begin(stage, Work::trace);
    Playback& playback = stage.window.playback();
    const ExplainPanel& words = stage.find<ExplainPanel>();
    playback.seek({});
    int laidOut = 0;
    QObject::connect(words.document(), &QTextDocument::contentsChanged, [&] { ++laidOut; });
    QString before = words.toPlainText();
    int different = 0;
    constexpr int frames = 1200;
    for (int frame = 1; frame < frames; ++frame) {
        playback.seek(playback.duration() * frame / frames);
        different += words.toPlainText() != before ? 1 : 0;
        before = words.toPlainText();
    }
    EXPECT_GT(different, 12) << "each iteration is told";
    EXPECT_LE(laidOut, 3 * different);
    EXPECT_LT(different, frames / 4);
}

/// Whose ranks and sizes the set-up shows is said beside its title, where a trace is of no algorithm that is known.
TEST(PanelsOfAProgram, doNotPassTheSetUpOfAnotherRunOffAsTheirs) {
    Stage stage;
    const auto fact = [&] { return stage.window.contents().docks.titleOf(Dock::setup).fact(); };
    begin(stage, Work::run);
    EXPECT_EQ(fact(), "");
    begin(stage, Work::trace);
    EXPECT_EQ(fact(), "of another run");
}

INSTANTIATE_TEST_SUITE_P(OfEachWork, EverySize, testing::ValuesIn(works),
                         [](const auto& tested) { return std::string{nameOf(tested.param)}; });

/// Each panel alone, also those that no layout shows at first, in the smallest place that it can be given.
TEST_P(EverySize, showsEachPanelInTheSmallestWindow) {
    Stage stage;
    MainWindow& window = stage.window;
    begin(stage, GetParam());
    Judge judge;
    for (const QSize size : {QSize{480, 360}, QSize{800, 600}})
        for (const DockRow& row : dockRows()) {
            window.resize(size);
            window.desk().reset();
            window.contents().docks.bringUp(row.dock);
            stage.settle();
            waitForLayout();
            const std::string where =
                std::string{nameOf(GetParam())} + "-panel-" + row.name + '-' + std::to_string(size.width());
            EXPECT_EQ(window.size(), size) << where;
            EXPECT_FALSE(window.contents().docks[row.dock].visibleRegion().isEmpty()) << where;
            judge.judge(window, where);
            keep(window, where);
        }
    EXPECT_EQ(judge.found(), "");
}

/// Answers and the replay, with what can be unfolded and typed there.
TEST_P(EverySize, answersHaveRoomForTheirRows) {
    Stage stage;
    MainWindow& window = stage.window;
    begin(stage, GetParam());
    TablesPanel& answers = *window.contents().answers;
    Judge judge;
    for (const QSize size : {QSize{480, 360}, QSize{800, 600}, QSize{1366, 768}})
        for (const Theme theme : {Theme::dark, Theme::light}) {
            window.resize(size);
            window.setTheme(theme);
            window.desk().reset();
            const auto look = [&](const std::string& what) {
                EXPECT_TRUE(QTest::qWaitFor([&] { return !answers.busy() && !window.working(); }, 60'000));
                waitForLayout();
                const std::string where = std::string{nameOf(GetParam())} + '-' + what + '-' +
                                          std::to_string(size.width()) + '-' + name(theme).toStdString();
                judge.judge(window, where);
                keep(window, where);
            };
            window.contents().docks.bringUp(Dock::analysis);
            for (const char* question : {"", "waits", "ranks"}) {
                answers.choose(question);
                look(std::string{"answer-"} + question);
            }
            if (!window.replays().action()->isEnabled()) continue;
            window.replays().action()->trigger();
            look("replayed");
            const ReplayAnswer& came = window.contents().replay->answer();
            EXPECT_EQ(came.visibleRegion().boundingRect(), came.rect()) << size.width();
            for (int page = 0; page < 3; ++page) {
                stage.find<QTabBar>("Tables of the replay").setCurrentIndex(page);
                look("replayed-" + std::to_string(page));
            }
        }
    window.setTheme(Theme::light);
    EXPECT_EQ(judge.found(), "");
}

/// The window for a room full of people, whose letters are large.
TEST_P(EverySize, projectsInEverySize) {
    Stage stage;
    MainWindow& window = stage.window;
    begin(stage, GetParam());
    window.projector().set(true);
    window.setWindowState(Qt::WindowNoState);
    EXPECT_EQ(window.other().magnification(), window.playback().magnification());
    Judge judge;
    for (const QSize size : sizesOfWindows) {
        if (size.width() < leastProjected) continue;
        window.resize(size);
        waitForLayout();
        const std::string where = std::string{nameOf(GetParam())} + "-projected-" + std::to_string(size.width());
        EXPECT_EQ(window.size(), size) << where;
        judge.judge(window, where);
        keep(window, where);
    }
    window.projector().set(false);
    EXPECT_EQ(judge.found(), "");
}

}  // namespace
}  // namespace app::gui
