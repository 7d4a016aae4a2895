// SPDX-License-Identifier: BSD-3-Clause
// Notes at places of pictures: put, seen, edited, moved, taken away, undone, kept, exported.
#include "app/gui/explain/details.hpp"
#include "app/gui/export/export_dialog.hpp"
#include "app/gui/export/export_job.hpp"
#include "app/gui/notes/annotations_panel.hpp"
#include "app/gui/scenes/network/network_frame.hpp"
#include "app/gui/settings/session_file.hpp"
#include "app/gui/views/basic_views.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "app/gui/views/view_menu.hpp"
#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QInputDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMenu>

namespace app::gui {
namespace {

using engine::LinkId;
using engine::Picoseconds;
using engine::Rank;

Mark inNetwork(const char* note, std::int32_t rank, Picoseconds time) {
    return {.time = time, .note = note, .on = Mark::On::network, .rank = Rank{rank}, .link = {}};
}

Mark overTime(const char* note, std::int32_t rank, Picoseconds time) {
    return {.time = time, .note = note, .on = Mark::On::ranks, .rank = Rank{rank}, .link = {}};
}

Mark onLink(const char* note, std::int32_t link, Picoseconds time) {
    return {.time = time, .note = note, .on = Mark::On::network, .rank = {}, .link = LinkId{link}};
}

/// The slip that says `note`.
std::optional<QRectF> slipIn(const std::vector<Shape>& shapes, const QString& note) {
    for (const Shape& shape : shapes)
        if (shape.kind == Shape::Kind::rectangle && shape.meaning.kind == Meaning::Kind::note && shape.tip == note)
            return shape.box;
    return std::nullopt;
}

TEST(Notes, standInTheirPictureAndMoment) {
    const DrawableRunPtr subject = firstSubject();
    const Picoseconds third = subject->middleBegin(engine::Round{2});
    ViewState state{.time = third};
    state.marks = {inNetwork("on a rank", 3, third), onLink("on a link", 0, third), overTime("in time", 3, third)};
    const QSizeF size{800, 500};
    const Scene network = networkScene(*subject, state, size);
    EXPECT_TRUE(slipIn(network.shapes, "on a rank"));
    EXPECT_TRUE(slipIn(network.shapes, "on a link"));
    EXPECT_FALSE(slipIn(network.shapes, "in time"));
    EXPECT_EQ(meaningAt(network, slipIn(network.shapes, "on a link")->center()), (Meaning{Meaning::Kind::note, 1, -1}));
    state.time = {};
    EXPECT_FALSE(slipIn(networkScene(*subject, state, size).shapes, "on a rank")) << "another round";
    const Scene diagram = runTimelineScene(*subject, state, size);
    EXPECT_TRUE(slipIn(diagram.shapes, "in time"));
    EXPECT_FALSE(slipIn(diagram.shapes, "on a rank"));
}

TEST(Notes, ofPlacesThatARunHasNotAreNotDrawn) {
    const DrawableRunPtr subject = firstSubject();
    ViewState state;
    state.marks = {inNetwork("far", 999, {}), onLink("away", 99'999, {}),
                   overTime("late", 3, subject->run().duration * 2), overTime("far", 999, Picoseconds{1})};
    for (const Scene& scene :
         {networkScene(*subject, state, {800, 500}), runTimelineScene(*subject, state, {800, 500})})
        for (const char* note : {"far", "away", "late"}) EXPECT_FALSE(slipIn(scene.shapes, note)) << note;
    state.asked = Meaning{Meaning::Kind::note, 1, -1};
    EXPECT_TRUE(detailsOf(*subject, state).contains("away"));
}

TEST(Notes, coverNeitherEachOtherNorNumbersOfRanks) {
    const DrawableRunPtr subject = firstSubject();
    ViewState state;
    for (std::int32_t rank = 0; rank < subject->run().ranks; ++rank)
        state.marks.push_back(inNetwork("some words of it", rank, {}));
    const Scene scene = networkForeground(*subject, state, {900, 700});
    std::vector<QRectF> slips;
    for (const Shape& shape : scene.shapes)
        if (shape.kind == Shape::Kind::rectangle && shape.meaning.kind == Meaning::Kind::note)
            slips.push_back(shape.box);
    ASSERT_EQ(slips.size(), 10U);
    for (std::size_t i = 0; i < slips.size(); ++i) {
        EXPECT_TRUE(networkFrame(*subject, state, {900, 700}).network.contains(slips[i])) << "not on the legend";
        for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(slips[i].intersects(slips[j])) << i << ' ' << j;
        for (const Shape& shape : scene.shapes)
            if (shape.kind == Shape::Kind::text && shape.meaning.kind != Meaning::Kind::note) {
                EXPECT_FALSE(slips[i].intersects(shape.box)) << i << ' ' << shape.text.toStdString();
            }
    }
}

QJsonObject sessionWith(const std::vector<Mark>& marks) {
    SavedSession session;
    session.wish = firstWish();
    session.view.marks = marks;
    return QJsonDocument::fromJson(jsonOf(session, "session.json")).object();
}

TEST(Notes, comeBackFromASessionWithWhatElseWasSaidOfThem) {
    const std::vector<Mark> marks{{Picoseconds{5}, "a moment"},
                                  inNetwork("a & \"b\"", 2, Picoseconds{123'456'789'012}),
                                  onLink("hot", 4, Picoseconds{7}),
                                  overTime("", 5, Picoseconds{9})};
    QJsonObject json = sessionWith(marks);
    QJsonArray all = json["bookmarks"].toArray();
    QJsonObject second = all[1].toObject();
    second["colour"] = "red";
    all[1] = second;
    json["bookmarks"] = all;
    json["later"] = "kept";
    const SavedSession read = sessionFrom(QJsonDocument{json}.toJson(), "session.json");
    EXPECT_EQ(read.view.marks, marks);
    EXPECT_EQ(QJsonDocument::fromJson(jsonOf(read, "session.json")).object(), json);
}

TEST(Notes, ofADamagedSessionAreRefused) {
    const auto wrong = [](const QJsonObject& mark) {
        QJsonObject json = sessionWith({});
        json["bookmarks"] = QJsonArray{mark};
        EXPECT_THROW(sessionFrom(QJsonDocument{json}.toJson(), "s.json"), engine::Error);
    };
    wrong({{"note", "a"}, {"rank", -4}});
    wrong({{"note", "a"}, {"link", "x"}});
    wrong({{"note", "a"}, {"on", "the moon"}});
    QJsonObject far = sessionWith({});
    far["bookmarks"] = QJsonArray{QJsonObject{{"note", "a"}, {"on", "ranks"}, {"rank", qint64{4'294'967'295}}}};
    EXPECT_GT(sessionFrom(QJsonDocument{far}.toJson(), "s.json").view.marks[0].rank.value_or(Rank{}).value, 0);
}

class Noting : public testing::Test {
protected:
    Noting() { stage.begin(); }

    static QAction* actionOf(QMenu& menu, const QString& begin) {
        for (QAction* action : menu.actions())
            if (QString{action->text()}.remove('&').startsWith(begin)) return action;
        return nullptr;
    }
    void answer(const QString& words) {
        auto* dialog = window.findChild<QInputDialog*>("note");
        ASSERT_NE(dialog, nullptr);
        dialog->setTextValue(words);
        dialog->accept();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    [[nodiscard]] const std::vector<Mark>& marks() const { return playback.state().marks; }
    static QPoint middleOf(ViewWidget& view, const QString& note) {
        const std::optional<QRectF> slip = slipIn(view.shapes(), note);
        EXPECT_TRUE(slip);
        return slip.value_or(QRectF{}).center().toPoint();
    }

    Stage stage;
    MainWindow& window = stage.window;
    Playback& playback = window.playback();
    NetworkPanel& network = stage.find<NetworkPanel>("Network");
    RunTimelinePanel& diagram = stage.find<RunTimelinePanel>("Timeline");
};

TEST_F(Noting, byKeysPutsChangesAndRemoves) {
    playback.seek({});
    network.setFocus();
    QTest::keyClick(&window, Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(window.findChild<QInputDialog*>("note"), nullptr) << "nothing is selected";
    playback.select(Meaning{Meaning::Kind::rank, 3, -1});
    QTest::keyClick(&window, Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    answer("the border");
    EXPECT_EQ(marks(), std::vector{inNetwork("the border", 3, playback.state().time)});
    EXPECT_EQ(playback.selectedMark(), 0U);
    diagram.setFocus();
    playback.seek(playback.duration() / 2);
    window.putNote();
    answer("now");
    EXPECT_EQ(marks().back(), overTime("now", 3, playback.duration() / 2));
    QTest::keyClick(&diagram, Qt::Key_Return);
    answer("then");
    EXPECT_EQ(marks().back().note, "then");
    QTest::keyClick(&diagram, Qt::Key_Delete);
    EXPECT_EQ(marks().size(), 1U);
    for (const std::size_t left : {2U, 2U, 1U, 0U}) {
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        EXPECT_EQ(marks().size(), left);
    }
    EXPECT_FALSE(playback.canUndoMarks());
}

TEST_F(Noting, byTheMouseFollowsThePointerAsOneChange) {
    const Mark before = overTime("here", 3, playback.duration() / 2);
    playback.setMarks({before});
    const QPoint slip = middleOf(diagram, "here");
    QTest::mousePress(&diagram, Qt::LeftButton, {}, slip);
    EXPECT_EQ(playback.selectedMark(), 0U);
    const std::optional<TimeAxis> axis = diagram.axis();
    ASSERT_TRUE(axis);
    const QPoint there{static_cast<int>(axis->pixel(playback.duration() / 4)), slip.y()};
    QTest::mouseMove(&diagram, {(slip.x() + there.x()) / 2, there.y()});
    QTest::mouseMove(&diagram, there);
    QTest::mouseRelease(&diagram, Qt::LeftButton, {}, there);
    ASSERT_EQ(marks().size(), 1U);
    EXPECT_EQ(marks()[0].note, "here");
    EXPECT_EQ(marks()[0].time, axis->time(there.x()));
    EXPECT_EQ(marks()[0].rank, diagram.placeAt(there).value_or(Mark{}).rank);
    playback.undoMarks();
    EXPECT_EQ(marks(), std::vector{before}) << "all the way is one change";
    QTest::mouseDClick(&diagram, Qt::LeftButton, {}, middleOf(diagram, "here"));
    answer("there");
    EXPECT_EQ(marks()[0].note, "there");
}

TEST_F(Noting, inTheNetworkMovesFromRankToRank) {
    playback.setMarks({inNetwork("who", 3, playback.state().time)});
    QPointF seventh;
    for (const Shape& shape : network.shapes())
        if (shape.kind == Shape::Kind::ellipse && shape.meaning == Meaning{Meaning::Kind::rank, 2, -1})
            seventh = shape.box.center();
    const QPoint slip = middleOf(network, "who");
    QTest::mousePress(&network, Qt::LeftButton, {}, slip);
    QTest::mouseMove(&network, seventh.toPoint());
    QTest::mouseRelease(&network, Qt::LeftButton, {}, seventh.toPoint());
    EXPECT_EQ(marks(), std::vector{inNetwork("who", 2, playback.state().time)});
}

TEST_F(Noting, byTheMenuEditsMovesAndRemoves) {
    const Picoseconds now = playback.state().time;
    playback.setMarks({inNetwork("old", 3, now), overTime("elsewhere", 1, now)});
    QMenu menu;
    fillViewMenu(menu, network, playback, Meaning{Meaning::Kind::note, 0, -1});
    actionOf(menu, "Edit note")->trigger();
    answer("new");
    EXPECT_EQ(marks()[1], inNetwork("new", 3, now));
    QMenu there;
    fillViewMenu(there, network, playback, Meaning{Meaning::Kind::rank, 7, -1}, inNetwork("", 7, now));
    EXPECT_EQ(actionOf(there, "Edit note"), nullptr);
    QMenu* move = actionOf(there, "Move a note here")->menu();
    ASSERT_EQ(move->actions().size(), 1) << "a note of another picture does not come here";
    move->actions()[0]->trigger();
    EXPECT_EQ(marks()[1], inNetwork("new", 7, now));
    QMenu last;
    fillViewMenu(last, network, playback, Meaning{Meaning::Kind::note, 1, -1});
    actionOf(last, "Remove note")->trigger();
    EXPECT_EQ(marks().size(), 1U);
    actionOf(last, "Undo") == nullptr ? playback.undoMarks() : actionOf(last, "Undo")->trigger();
    EXPECT_EQ(marks().size(), 2U);
}

TEST_F(Noting, byTheListGoesThereMovesAndRemoves) {
    const Picoseconds half = playback.duration() / 2;
    playback.setMarks({overTime("a note", 3, half)});
    auto& list = stage.find<QTableWidget>("Notes");
    EXPECT_EQ(list.item(0, 1)->text(), "rank 3");
    list.setCurrentCell(0, 2);
    Q_EMIT list.cellActivated(0, 2);
    EXPECT_EQ(playback.state().time, half);
    EXPECT_EQ(playback.selectedMark(), 0U);
    list.item(0, 2)->setText("changed");
    EXPECT_EQ(marks()[0].note, "changed");
    playback.selectRank(Rank{5});
    playback.seek(half / 2);
    stage.find<QPushButton>("Move here").click();
    EXPECT_EQ(marks(), std::vector{overTime("changed", 5, half / 2)});
    stage.find<QPushButton>("Remove").click();
    EXPECT_TRUE(marks().empty());
}

TEST_F(Noting, goesIntoPicturesThatAreWritten) {
    const Picoseconds half = playback.duration() / 2;
    playback.seek(half);
    playback.setMarks({inNetwork("look here", 3, half), overTime("and here", 4, half)});
    window.showExport();
    auto* dialog = window.findChild<ExportDialog*>();
    EXPECT_EQ(dialog->picture().marks, marks());
    EXPECT_EQ(exportCommand(*playback.subject(), {}, dialog->picture(), "a.svg"), "") << "the command has no notes";
    EXPECT_NE(exportCommand(*playback.subject(), {}, dialog->picture(), "a.csv"), "");
    const std::filesystem::path file = stage.folder.filePath("poster.svg").toStdString();
    dialog->write(file, engine::Existing::refuse);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !dialog->busy(); }, 60'000));
    const std::string svg = engine::contentOf(file, 1 << 24, "svg");
    EXPECT_NE(svg.find("look here"), std::string::npos);
    EXPECT_NE(svg.find("and here"), std::string::npos);
}

}  // namespace
}  // namespace app::gui
