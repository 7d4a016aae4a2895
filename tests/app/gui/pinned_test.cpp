// SPDX-License-Identifier: BSD-3-Clause
// Notes on places of pictures: put, seen, edited, moved, taken away, undone, kept.
#include "app/gui/panels/diagram_panel.hpp"
#include "app/gui/panels/export_dialog.hpp"
#include "app/gui/panels/pictures.hpp"
#include "app/gui/panels/view_menu.hpp"
#include "app/gui/session_file.hpp"
#include "engine/small_file.hpp"
#include "stage.hpp"

#include <QInputDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMenu>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::Rank;

PinnedNote onRank(const char* text, std::int32_t rank) {
    PinnedNote note;
    note.text = text;
    note.rank = Rank{rank};
    return note;
}

PinnedNote at(const char* text, std::int32_t rank, Picoseconds time) {
    PinnedNote note = onRank(text, rank);
    note.time = time;
    return note;
}

/// The middle of the slip that says `text`; nothing where none does.
std::optional<QPointF> slipIn(const Scene& scene, const QString& text) {
    for (const Shape& shape : scene.shapes)
        if (shape.kind == Shape::Kind::text && shape.text == text) return shape.box.center();
    return std::nullopt;
}

TEST(Notes, standOnTheirPictureOnly) {
    const SubjectPtr subject = firstSubject();
    ViewState state;
    state.notes = {onRank("on the network", 3), at("in time", 3, subject->run().duration / 2)};
    PinnedNote link;
    link.text = "on a link";
    link.link = engine::LinkId{0};
    state.notes.push_back(link);
    const QSizeF size{800, 500};
    const Scene network = networkScene(*subject, state, size);
    EXPECT_TRUE(slipIn(network, "on the network"));
    EXPECT_TRUE(slipIn(network, "on a link"));
    EXPECT_FALSE(slipIn(network, "in time"));
    const Scene diagram = spaceTimeScene(*subject, state, size);
    EXPECT_TRUE(slipIn(diagram, "in time"));
    EXPECT_FALSE(slipIn(diagram, "on the network"));
    // A click on a slip means what it is about.
    EXPECT_EQ(meaningAt(network, *slipIn(network, "on the network")), (Meaning{Meaning::Kind::rank, 3, -1}));
}

TEST(Notes, ofAnotherRunThatHasNoSuchPlaceAreNotDrawn) {
    const SubjectPtr subject = firstSubject();
    ViewState state;
    state.notes = {onRank("far", 999), at("late", 3, subject->run().duration * 2), at("far", 999, Picoseconds{1})};
    EXPECT_FALSE(slipIn(networkScene(*subject, state, {800, 500}), "far"));
    EXPECT_FALSE(slipIn(spaceTimeScene(*subject, state, {800, 500}), "late"));
    EXPECT_FALSE(slipIn(spaceTimeScene(*subject, state, {800, 500}), "far"));
}

TEST(Notes, comeBackFromASession) {
    SavedSession session;
    session.wish = firstWish();
    session.view.notes = {onRank("a & \"b\"\nsecond line", 2), at("there", 5, Picoseconds{123'456'789'012})};
    PinnedNote link;
    link.text = "hot";
    link.link = engine::LinkId{4};
    session.view.notes.push_back(link);
    const std::filesystem::path file = "session.json";
    QJsonObject json = QJsonDocument::fromJson(jsonOf(session, file)).object();
    json["later"] = "kept";
    const SavedSession read = sessionFrom(QJsonDocument{json}.toJson(), file);
    EXPECT_EQ(read.view.notes, session.view.notes);
    EXPECT_EQ(QJsonDocument::fromJson(jsonOf(read, file)).object(), json);
}

TEST(Notes, ofADamagedSessionAreRefused) {
    SavedSession session;
    session.wish = firstWish();
    session.view.notes = {onRank("a", 2)};
    QJsonObject json = QJsonDocument::fromJson(jsonOf(session, "s.json")).object();
    json["notes"] = QJsonArray{QJsonObject{{"text", "a"}, {"rank", -4}}};
    EXPECT_THROW(sessionFrom(QJsonDocument{json}.toJson(), "s.json"), engine::Error);
}

class Pinning : public testing::Test {
protected:
    Pinning() { stage.begin(); }

    QAction* actionOf(QMenu& menu, const QString& begin) {
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
    const std::vector<PinnedNote>& notes() { return playback.state().notes; }

    Stage stage;
    MainWindow& window = stage.window;
    Playback& playback = window.playback();
};

TEST_F(Pinning, byKeysPutsOneOnWhatIsSelected) {
    auto& network = stage.find<NetworkPanel>("Network");
    network.setFocus();
    window.putNote();
    EXPECT_EQ(window.findChild<QInputDialog*>("note"), nullptr) << "nothing is selected";
    playback.select(Meaning{Meaning::Kind::rank, 3, -1});
    window.putNote();
    answer("the border");
    EXPECT_EQ(notes(), std::vector{onRank("the border", 3)});
    stage.find<SpaceTimePanel>("Space-time diagram").setFocus();
    playback.seek(playback.duration() / 2);
    window.putNote();
    answer("now");
    EXPECT_EQ(notes().back(), at("now", 3, playback.duration() / 2));
    playback.undoNotes();
    EXPECT_EQ(notes().size(), 1U);
    playback.undoNotes();
    EXPECT_TRUE(notes().empty());
    EXPECT_FALSE(playback.canUndoNotes());
}

TEST_F(Pinning, byTheMenuEditsMovesAndRemoves) {
    auto& network = stage.find<NetworkPanel>("Network");
    playback.setNotes({onRank("old", 3), at("elsewhere", 1, Picoseconds{5})});
    QMenu menu;
    fillViewMenu(menu, network, playback, Meaning{Meaning::Kind::rank, 3, -1}, onRank("", 3));
    actionOf(menu, "Edit note 'old'")->trigger();
    answer("new");
    EXPECT_EQ(notes()[0], onRank("new", 3));
    QMenu there;
    fillViewMenu(there, network, playback, Meaning{Meaning::Kind::rank, 7, -1}, onRank("", 7));
    EXPECT_EQ(actionOf(there, "Edit note"), nullptr);
    QMenu* move = actionOf(there, "Move a note here")->menu();
    ASSERT_EQ(move->actions().size(), 1) << "a note of another picture does not come here";
    move->actions()[0]->trigger();
    EXPECT_EQ(notes()[0], onRank("new", 7));
    QMenu last;
    fillViewMenu(last, network, playback, Meaning{Meaning::Kind::rank, 7, -1}, onRank("", 7));
    actionOf(last, "Remove note 'new'")->trigger();
    EXPECT_EQ(notes().size(), 1U);
    actionOf(last, "Undo")->trigger();
    EXPECT_EQ(notes().size(), 2U);
}

TEST_F(Pinning, goesIntoPicturesThatAreWritten) {
    playback.setNotes({onRank("look here", 3)});
    window.showExport();
    auto* dialog = window.findChild<ExportDialog*>();
    EXPECT_EQ(dialog->picture().notes, notes());
    const std::filesystem::path file = stage.folder.filePath("poster.svg").toStdString();
    dialog->write(file, engine::Existing::refuse);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !dialog->busy(); }, 60'000));
    EXPECT_NE(engine::contentOf(file, 1 << 24, "svg").find("look here"), std::string::npos);
    if (const QString folder = qEnvironmentVariable("COLLSCOPE_PICTURES"); !folder.isEmpty()) {
        playback.setNotes({onRank("A longer note that takes more than one line", 3), onRank("short", 8),
                           at("The stream turns here", 4, playback.duration() / 3)});
        window.grab().save(folder + "/notes.png");
    }
}

}  // namespace
}  // namespace app::gui
