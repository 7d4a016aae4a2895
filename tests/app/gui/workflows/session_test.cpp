// SPDX-License-Identifier: BSD-3-Clause
// What the window looks at, kept in a file and brought back.
#include "app/gui/notes/annotations_panel.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/settings/session_file.hpp"
#include "app/gui/workflows/session_controller.hpp"
#include "app/session/saved_window.hpp"
#include "engine/base/error.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/programs/stepping_program.hpp"
#include "traces/export/copy.hpp"
#include "traces/recording/archive.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

namespace app::gui {
namespace {

using engine::Picoseconds;

QByteArray contentOf(const QString& path) {
    QFile file{path};
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    return file.readAll();
}

TEST(SessionFile, comesBackAsItWas) {
    SavedSession session;
    session.wish = groupsFor("halfduplex-allgather/ring-belts", 3, 5);
    session.view = {.time = Picoseconds{123},
                    .rank = engine::Rank{4},
                    .message = 7,
                    .spanBegin = Picoseconds{100},
                    .spanEnd = Picoseconds{900},
                    .link = engine::LinkId{2},
                    .block = 1,
                    .asked = Meaning{Meaning::Kind::wait, 3, -1},
                    .marks = {{Picoseconds{5}, "here"}, {Picoseconds{6}, ""}},
                    .tracks = {.order = ProgramTimelineView::Order::waited,
                               .groups = ProgramTimelineView::Groups::communicator,
                               .metrics = std::vector<std::int32_t>{0, 4},
                               .folded = {1, 2},
                               .zoom = 2.5,
                               .top = 1.25}};
    const SavedSession back = sessionFrom(jsonOf(session, "/tmp/a/s.json"), "/tmp/a/s.json");
    EXPECT_EQ(back.view, session.view);
    ASSERT_TRUE(back.wish);
    EXPECT_EQ(wordsOf(*back.wish), wordsOf(*session.wish));
    EXPECT_EQ(back.wish->algorithm, session.wish->algorithm);
}

TEST(SessionFile, namesTracesRelativeToItself) {
    SavedSession session;
    session.trace = "/tmp/a/traces/one";
    session.messages = 3;
    const QByteArray content = jsonOf(session, "/tmp/a/sessions/s.json");
    EXPECT_TRUE(content.contains("\"../traces/one\"")) << content.constData();
    EXPECT_EQ(sessionFrom(content, "/home/b/sessions/s.json").trace, "/home/b/traces/one") << "moved with its trace";
}

TEST(SessionFile, namesAlgorithmsRelativeToItself) {
    const QTemporaryDir folder;
    const std::filesystem::path at{folder.path().toStdString()};
    for (const char* each : {"a", "a/sessions", "b", "b/sessions"}) std::filesystem::create_directory(at / each);
    for (const char* each : {"a/mine.lua", "b/mine.lua"})
        std::ofstream{at / each} << contentOf(":/templates/bcast.lua").toStdString();
    SavedSession session;
    session.wish = wishFor("bcast/binomial-tree", 4);
    session.wish->algorithm = (at / "a/mine.lua").string();
    const QByteArray content = jsonOf(session, at / "a/sessions/s.json");
    EXPECT_TRUE(content.contains("\"../mine.lua\"")) << content.constData();
    EXPECT_EQ(sessionFrom(content, at / "b/sessions/s.json").wish->algorithm, (at / "b/mine.lua").string())
        << "moved with its algorithm";
}

TEST(SessionFile, keepsFieldsThatItDoesNotKnow) {
    QJsonObject json = QJsonDocument::fromJson(jsonOf({.wish = firstWish()}, "s.json")).object();
    json["colour"] = "red";
    json["view"] = QJsonObject{{"time_ps", 5}, {"zoom", 2}};
    SavedSession session = sessionFrom(QJsonDocument{json}.toJson(), "s.json");
    session.view.time = Picoseconds{9};
    const QJsonObject back = QJsonDocument::fromJson(jsonOf(session, "s.json")).object();
    EXPECT_EQ(back["colour"], "red");
    EXPECT_EQ(back["view"]["zoom"], 2);
    EXPECT_EQ(back["view"]["time_ps"], 9);
}

TEST(SessionFile, waitsForNoPipe) {
    const std::filesystem::path pipe =
        std::filesystem::path{testing::TempDir()} / ("session-" + std::to_string(getpid()) + ".json");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_TRUE(isSavedWindow(pipe)) << "told of as one";
    EXPECT_THROW(readSession(pipe), engine::Error);
    std::filesystem::remove(pipe);
}

TEST(SessionFile, saysWhatIsWrong) {
    const auto refusal = [](const QByteArray& content) -> std::string {
        try {
            sessionFrom(content, "s.json");
        } catch (const engine::Error& error) {
            return error.what();
        }
        return "it was taken";
    };
    EXPECT_EQ(refusal("[]"), "s.json: it is no session: no json object");
    EXPECT_TRUE(refusal("{").starts_with("s.json: it is no session: "));
    EXPECT_EQ(refusal("{}"), "s.json: it is no session: 'collscope_session' is missing");
    EXPECT_EQ(refusal(R"({"collscope_session": 7})"),
              "s.json: it is a session of version 7, of a later program; this one reads up to 1");
    EXPECT_EQ(refusal(R"({"collscope_session": 1})"), "s.json: a session has either a 'run' or a 'trace'");
    EXPECT_EQ(refusal(R"({"collscope_session": 1, "run": 3})"), "s.json: 'run' is no object");
    EXPECT_EQ(refusal(R"({"collscope_session": 1, "trace": {"messages": 1}})"), "s.json: the 'trace' has no 'path'");
    EXPECT_EQ(refusal(R"({"collscope_session": 1, "trace": {"path": "x"}, "view": {"time_ps": -1}})"),
              "s.json: 'time_ps' is not a whole number from 0 on");
    EXPECT_EQ(refusal(R"({"collscope_session": 1, "trace": {"path": "x"}, "tracks": {"order": "size"}})"),
              "s.json: 'order' is none of rank, waited, computed");
    EXPECT_EQ(refusal(R"({"collscope_session": 1, "trace": {"path": "x"}, "tracks": {"zoom": 0}})"),
              "s.json: 'zoom' is not a number from 1 to 100000");
    EXPECT_EQ(refusal(R"({"collscope_session": 1, "trace": {"path": "x"}, "tracks": {"folded": [-1]}})"),
              "s.json: 'folded' is not a whole number from 0 on");
    EXPECT_TRUE(refusal(R"({"collscope_session": 1, "run": {"algorithm": "bcast/nosuch"}})").starts_with("s.json: "));
}

class SessionTest : public testing::Test {
protected:
    SessionTest() { stage.begin(); }

    Stage stage;
    MainWindow& window = stage.window;
    Playback& playback = window.playback();
    QString file = stage.folder.filePath("s.json");
};

TEST_F(SessionTest, bringsARunBackWithItsViewSelectionAndNotes) {
    playback.seekRound(engine::Round{3});
    playback.selectBlock(2);
    playback.addMark({.time = playback.state().time, .note = "look here"});
    const ViewState before = playback.state();
    window.sessions().save(file.toStdString());
    EXPECT_EQ(window.notice(), QString{});
    EXPECT_EQ(window.files().recent().front(), file);

    Stage later;
    later.begin();
    const DrawableRunPtr other = later.window.playback().subject();
    later.window.sessions().open(file.toStdString());
    later.settleAfter(other);
    later.settle();
    const ViewState& after = later.window.playback().state();
    EXPECT_EQ(after.time, before.time);
    EXPECT_EQ(after.block, before.block);
    EXPECT_EQ(after.marks, before.marks);
    EXPECT_TRUE(later.window.contents().docks[Dock::notes].isVisible());
}

TEST_F(SessionTest, saysWhenATraceHasChangedOrIsGone) {
    const QString folder = stage.folder.filePath("trace");
    const auto write = [&](std::int64_t ranks) {
        std::filesystem::remove_all(folder.toStdString());
        traces::write(*execute(wishFor("bcast/binomial-tree", ranks)).run, folder.toStdString());
    };
    const auto open = [&](const auto& begin) {
        const DrawableRunPtr before = playback.subject();
        begin();
        stage.settleAfter(before);
        stage.settle();
    };
    write(5);
    open([&] { window.presenter().openTrace(folder.toStdString()); });
    playback.selectRank(engine::Rank{3});
    window.sessions().save(file.toStdString());
    EXPECT_TRUE(contentOf(file).contains("\"path\": \"trace\"")) << contentOf(file).constData();
    open([&] { window.sessions().open(file.toStdString()); });
    EXPECT_EQ(playback.state().rank, engine::Rank{3});
    EXPECT_EQ(window.notice(), QString{});
    write(9);
    open([&] { window.sessions().open(file.toStdString()); });
    EXPECT_TRUE(window.notice().contains("has changed")) << window.notice().toStdString();
    std::filesystem::remove_all(folder.toStdString());
    window.sessions().open(file.toStdString());
    EXPECT_TRUE(window.notice().contains("is missing")) << window.notice().toStdString();
}

TEST_F(SessionTest, bringsAProgramBackAsItWasLookedAt) {
    const std::string trace = stage.folder.filePath("program").toStdString();
    traces::Recording recording = support::steppingProgram(4, 12);
    recording.metrics = {{"load", "", "", traces::MetricValue::absolute, traces::MetricTiming::next},
                         {"power", "", "W", traces::MetricValue::absolute, traces::MetricTiming::next}};
    recording.samples = {{.location = 0,
                          .rank = engine::Rank{0},
                          .about = {},
                          .metrics = {0, 1},
                          .time = std::vector{Picoseconds{1}, Picoseconds{2}},
                          .values = {std::vector{1.0, 2.0}, std::vector{3.0, 4.0}}}};
    traces::writeCopy(recording, trace);
    const auto open = [&](Stage& in, const auto& begin) {
        const DrawableRunPtr before = in.window.playback().subject();
        begin(in.window);
        in.settleAfter(before);
        in.settle();
    };
    open(stage, [&](MainWindow& to) { to.presenter().openTrace(trace); });
    playback.showSpan(Picoseconds{20'000'000'000}, Picoseconds{90'000'000'000});
    playback.setProgramTimeline({.order = ProgramTimelineView::Order::waited,
                                 .groups = ProgramTimelineView::Groups::node,
                                 .metrics = std::vector<std::int32_t>{1},
                                 .folded = {1},
                                 .zoom = 2,
                                 .top = 0.5});
    playback.addMark({.time = playback.state().time, .note = "look here"});
    const std::size_t waits = programOf(*playback.subject())->waits().size();
    ASSERT_GT(waits, 2U);
    playback.select(Meaning{Meaning::Kind::wait, 2, -1});
    const ViewState before = playback.state();
    window.sessions().save(file.toStdString());
    EXPECT_EQ(window.notice(), QString{});

    Stage later;
    later.begin();
    open(later, [&](MainWindow& in) { in.sessions().open(file.toStdString()); });
    const ViewState& after = later.window.playback().state();
    EXPECT_EQ(after.tracks, before.tracks);
    EXPECT_EQ(after.asked, before.asked);
    EXPECT_EQ(after.rank, before.rank);
    EXPECT_EQ(after.marks, before.marks);
    EXPECT_EQ(after.time, before.time);
    EXPECT_EQ(after.spanBegin, before.spanBegin);
    EXPECT_EQ(after.spanEnd, before.spanEnd);
    EXPECT_EQ(later.window.notice(), QString{});
}

TEST_F(SessionTest, refusesWhatIsNoSessionAndKeepsTheRun) {
    const DrawableRunPtr before = playback.subject();
    window.sessions().open("/no/such/session.json");
    EXPECT_TRUE(window.notice().contains("cannot read '")) << window.notice().toStdString();
    window.sessions().save("/no/such/folder/s.json");
    EXPECT_FALSE(window.notice().isEmpty());
    EXPECT_EQ(playback.subject(), before);
}

TEST_F(SessionTest, refusesARunOfAnAlgorithmThatHasNoFile) {
    window.authoring().begin();
    stage.settle();
    ASSERT_EQ(playback.subject()->run().setting.algorithm, "untitled.lua");
    window.sessions().save(file.toStdString());
    EXPECT_TRUE(window.notice().contains("save the algorithm first")) << window.notice().toStdString();
    EXPECT_FALSE(QFile::exists(file));
}

TEST_F(SessionTest, bringsItsViewToNoOtherRun) {
    playback.addMark({.time = playback.state().time, .note = "of the session"});
    window.sessions().save(file.toStdString());
    QJsonObject json = QJsonDocument::fromJson(contentOf(file)).object();
    const RunWish wish = firstWish();
    const auto runAgain = [&] {
        const DrawableRunPtr before = playback.subject();
        window.presenter().run(wish, RunLoader::Moment::begin);
        stage.settleAfter(before);
        stage.settle();
    };
    playback.setMarks({});
    window.sessions().open(file.toStdString());
    window.presenter().cancel();
    stage.settle();
    runAgain();
    EXPECT_TRUE(playback.state().marks.empty());
    // Nor what else stood in its file.
    json["colour"] = "red";
    {
        QFile changed{file};
        ASSERT_TRUE(changed.open(QIODevice::WriteOnly));
        changed.write(QJsonDocument{json}.toJson());
    }
    const DrawableRunPtr before = playback.subject();
    window.sessions().open(file.toStdString());
    stage.settleAfter(before);
    stage.settle();
    window.sessions().save(file.toStdString());
    EXPECT_TRUE(contentOf(file).contains("colour"));
    runAgain();
    window.sessions().save(file.toStdString());
    EXPECT_FALSE(contentOf(file).contains("colour"));
}

TEST_F(SessionTest, marksAreDrawnAndTheirNotesWritten) {
    AnnotationsPanel& notes = *window.contents().notes;
    window.contents().docks.bringUp(Dock::notes);
    notes.mark();
    auto& rows = stage.find<QTableWidget>("Notes");
    ASSERT_EQ(rows.rowCount(), 1);
    rows.item(0, 2)->setText("the last block arrives");
    ASSERT_EQ(playback.state().marks.size(), 1U);
    EXPECT_EQ(playback.state().marks[0].note, "the last block arrives");
    bool drawn = false;
    for (const Shape& shape : runTimelineForeground(*playback.subject(), playback.state(), {900, 500}).shapes)
        drawn = drawn || shape.tip == "the last block arrives";
    EXPECT_TRUE(drawn);
    stage.find<QPushButton>("Remove").click();
    EXPECT_TRUE(playback.state().marks.empty());
}

}  // namespace
}  // namespace app::gui
