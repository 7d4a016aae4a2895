// SPDX-License-Identifier: BSD-3-Clause
// What a page holds: shapes of both papers, frames, names that cannot harm it, numbers of the runs themselves. What it
// does is tried in Chromium, by tests/scripts/output/page_test.py.
#include "app/gui/page/course_page.hpp"
#include "app/gui/page/page_parameter_grid.hpp"
#include "app/gui/page/run_page.hpp"
#include "app/gui/scenes/picture/views.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/session/options/specification.hpp"
#include "engine/base/error.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace app::gui::page {
namespace {

DrawableRunPtr subjectFor(const std::string& line) {
    return std::make_shared<const DrawableRun>(execute(specified(line).run));
}

/// The data of a page.
QJsonObject dataIn(const QByteArray& html) {
    const QByteArray begin = "id=\"data\">";
    const qsizetype from = html.indexOf(begin) + begin.size();
    QJsonParseError error;
    const QJsonDocument json = QJsonDocument::fromJson(html.mid(from, html.indexOf("</script>", from) - from), &error);
    EXPECT_EQ(error.error, QJsonParseError::NoError) << error.errorString().toStdString();
    return json.object();
}

std::vector<int> shapesOf(const QJsonArray& frame) {
    std::vector<int> shapes;
    for (qsizetype i = 0; i + 1 < frame.size(); i += 2)
        for (int each = 0; each < frame[i + 1].toInt(); ++each) shapes.push_back(frame[i].toInt() + each);
    return shapes;
}

TEST(Drawing, writesAShapeOnceForBothPapers) {
    Inks inks{false};
    Drawing drawing{inks};
    Scene light;
    Scene dark;
    for (Scene* scene : {&light, &dark}) {
        Shape box;
        box.box = {1, 2, 3.04, 4};
        box.fill = scene == &light ? QColor{255, 255, 255} : QColor{0, 0, 0};
        box.meaning = {Meaning::Kind::block, 2, 3};
        scene->shapes = {box, box};
    }
    const Frame frame = drawing.add(light, dark);
    EXPECT_EQ(frame, (Frame{0, 0}));
    EXPECT_EQ(drawing.svg({0}), "<rect class=\"f0\" data-m=\"b2.3\" x=\"1\" y=\"2\" width=\"3\" height=\"4\"/>");
    EXPECT_TRUE(inks.style().contains("--c0:#ffffff"));
    EXPECT_TRUE(inks.style().contains("--c0:#000000"));
    Inks always{true};
    Drawing night{always};
    (void)night.add(light, dark);
    EXPECT_FALSE(always.style().contains("#ffffff")) << "dark, whatever the reader's machine says";
}

TEST(Drawing, countsShapesThatFollowEachOther) {
    EXPECT_EQ(toJson(Frame{}), "[]");
    EXPECT_EQ(toJson(Frame{0, 1, 2, 7, 3, 4}), "[0,3,7,1,3,2]");
    EXPECT_EQ(toJson(Frame{5, 5}), "[5,1,5,1]");
    EXPECT_EQ(toJson(QStringLiteral("a\"</script>\n")), "\"a\\\"\\u003c/script>\\n\"");
}

// The same marks on both papers, whatever the view and the run: a drawing insists on it.
TEST(Drawing, takesEveryViewOfManyRuns) {
    Inks inks{false};
    Drawing drawing{inks};
    for (const char* line :
         {"halfduplex-allgather/ring-belts -p 4 -q 6", "bcast/binomial-tree -n 1", "allreduce/swing -n 16",
          "barrier/dissemination -n 9", "halfduplex-allgather/torus-belts -p 8 -q 8 --topology torus:4x4",
          "allgatherv/linear-ring -n 200"}) {
        const DrawableRunPtr subject = subjectFor(line);
        for (const StageView& view : stageViews())
            for (const Screen screen : screens)
                for (const int share : {0, 1, 2})
                    EXPECT_FALSE(
                        frameOf(drawing, view, screen, *subject, {.time = subject->run().duration * share / 2}).empty())
                        << line;
    }
}

TEST(Footage, showsWhatTheSceneShows) {
    const DrawableRunPtr subject = subjectFor("halfduplex-allgather/ring-belts -p 4 -q 6");
    Inks inks{false};
    Drawing drawing{inks};
    std::vector<ViewState> shots;
    for (const engine::Picoseconds time : momentsOf(*subject, 30, {engine::Picoseconds{12345}}))
        shots.push_back({.time = time});
    const Footage footage{subject, shots, drawing};
    EXPECT_TRUE(
        std::any_of(shots.begin(), shots.end(), [](const ViewState& shot) { return shot.time.count() == 12345; }));
    EXPECT_LE(shots.size(), 40U);
    for (std::size_t shot = 0; shot < shots.size(); ++shot)
        for (std::size_t view = 0; view < stageViews().size(); ++view) {
            const StageView& its = stageViews()[view];
            const Scene scene = viewNamed(its.name).scene(*subject, shots[shot], its.size(Screen::desk));
            EXPECT_EQ(footage.frame(view, Screen::desk, shot).size(), scene.shapes.size());
            EXPECT_EQ(footage.shotAt(shots[shot].time), shot);
        }
    const QJsonObject json = QJsonDocument::fromJson('{' + footage.json() + '}').object();
    EXPECT_EQ(json["words"].toArray().size(), static_cast<qsizetype>(shots.size()));
    EXPECT_EQ(json["ofRank"].toArray().size(), 10);
    // Who carries a block, by the analysis.
    for (std::int32_t block = 0; block < 4; ++block)
        EXPECT_EQ(json["ofBlock"].toArray()[block].toArray().size(),
                  static_cast<qsizetype>(subject->routeOf(block)->hops.size()));
}

TEST(RunPage, hasTheNotesInItsPicturesAndAsAList) {
    const std::vector<Mark> notes{{.time = engine::Picoseconds{30'000'000},
                                   .note = "here <it> turns",
                                   .on = Mark::On::network,
                                   .rank = engine::Rank{3}},
                                  {.time = engine::Picoseconds{90'000'000}, .note = "half of it"}};
    const Report report = execute(specified("halfduplex-allgather/ring-belts -p 4 -q 6").run);
    const QByteArray html = pageOfRun(report, false, notes, {});
    const qsizetype list = html.indexOf("<section id=\"notes\">");
    ASSERT_GT(list, 0);
    const QByteArray told = html.mid(list, html.indexOf("</section>", list) - list);
    EXPECT_TRUE(told.contains("<a href=\"#round=2\">")) << told.toStdString();
    EXPECT_TRUE(told.contains(", rank 3, network: here &lt;it&gt; turns")) << told.toStdString();
    EXPECT_TRUE(told.contains("half of it"));
    EXPECT_TRUE(html.contains("href=\"#notes\""));
    // In the pictures, too; and nowhere where nobody noted anything.
    EXPECT_GT(QByteArray{html}.replace(told, "").count("here &lt;it&gt; turns"), 0);
    EXPECT_FALSE(pageOfRun(report, false, {}, {}).contains("id=\"notes\""));
}

TEST(RunPage, tellsEveryRoundAndEveryRank) {
    const QByteArray html =
        pageOfRun(execute(specified("halfduplex-allgather/ring-belts -p 4 -q 6").run), false, {}, {});
    for (int round = 1; round <= 6; ++round)
        EXPECT_TRUE(html.contains("id=\"round=" + QByteArray::number(round) + '"'));
    for (int rank = 0; rank < 10; ++rank) EXPECT_TRUE(html.contains("id=\"rank=" + QByteArray::number(rank) + '"'));
    const QJsonObject data = dataIn(html);
    const QJsonArray shapes = data["shapes"].toArray();
    for (const auto& run : data["runs"].toArray())
        for (const auto& view : run.toObject()["views"].toObject())
            for (const auto& screen : view.toArray())
                for (const auto& frame : screen.toArray())
                    for (const int shape : shapesOf(frame.toArray())) EXPECT_LT(shape, shapes.size());
    EXPECT_LE(html.size(), mostBytes * 5 / 4);
}

TEST(RunPage, turnsSizesAndStartupsToRunsOfTheirOwn) {
    const RunWish wish = specified("allreduce/ring -n 4 --size 8KiB").run;
    const Report report = execute(wish);
    const DrawableRunPtr subject = std::make_shared<const DrawableRun>(report);
    Inks inks{false};
    Drawing drawing{inks};
    const Footage footage{subject, {ViewState{}}, drawing};
    const Grid grid = gridAround(report, footage, drawing, mostBytes, {});
    ASSERT_EQ(grid.axes.size(), 2U);
    ASSERT_EQ(grid.times.size(), 15U);
    EXPECT_EQ(grid.axes[0].values[0], "128 B");
    for (std::size_t i = 0; i < grid.times.size(); ++i) {
        RunWish other = wish;
        other.problem.size = (engine::Bytes{128} << (3 * (i / 3)));
        other.model.alpha = wish.model.alpha * (i % 3 == 0 ? 1 : i % 3 == 1 ? 10 : 100) / 10;
        EXPECT_EQ(grid.times[i], execute(other).run->duration) << i;
    }
    EXPECT_EQ(grid.runs[7], 0) << "the run itself is in the middle";
    EXPECT_TRUE(gridAround(execute(specified("bcast/flat -n 4 --on threads").run), footage, drawing, mostBytes, {})
                    .axes.empty())
        << "what was measured cannot be turned";
}

TEST(RunPage, staysSmallWithManyMessages) {
    // 62,250 messages, each of which two ranks would name.
    const QByteArray html = pageOfRun(execute(specified("alltoallv/flat -n 250 --size 8").run), false, {}, {});
    const QJsonArray ofRank = dataIn(html)["runs"][0]["ofRank"].toArray();
    ASSERT_EQ(ofRank.size(), 250);
    for (const QJsonValue& messages : ofRank) EXPECT_TRUE(messages.toArray().isEmpty());
    EXPECT_TRUE(html.contains("Of 62,250 messages none are lit"));
    EXPECT_LE(html.size(), mostBytes);
}

TEST(RunPage, isHarmedByNoName) {
    engine::Run run = strangeRun();
    const std::string evil = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
    run.stages = {{evil, engine::Round{0}, 1}};
    run.remarks = {evil};
    run.setting.algorithm = evil;
    const QByteArray html = pageOfRun(analysis::reportOn(std::make_shared<const engine::Run>(run)), false, {}, {});
    EXPECT_EQ(html.count("</script>"), 2);
    EXPECT_FALSE(html.contains("<img"));
    EXPECT_FALSE(html.contains("<script>alert"));
    (void)dataIn(html);
}

TEST(CoursePage, asksWithEveryWrongAnswerExplained) {
    std::vector<const Lesson*> all;
    for (const Lesson& lesson : lessons()) all.push_back(&lesson);
    const QByteArray html = pageOfLessons(all, false, {});
    EXPECT_EQ(html.count("class=\"chapter\""), static_cast<qsizetype>(all.size()));
    EXPECT_EQ(html.count("data-right=\"0\" data-why=\"\""), 0) << "a wrong answer without a reason";
    EXPECT_GT(html.count("data-right=\"1\" data-why=\"\""), 8);
    EXPECT_EQ(html.count("Next lesson: "), static_cast<qsizetype>(all.size()) - 1);
    const QJsonArray runs = dataIn(html)["runs"].toArray();
    for (const auto& run : runs)
        EXPECT_EQ(run.toObject()["hidden"].toArray().size(), run.toObject()["words"].toArray().size());
    EXPECT_LE(html.size(), mostBytes * 3 / 2) << "all lessons, one of them a run of a page alone";
}

TEST(CoursePage, refusesALessonThatStatesWhatIsNot) {
    const Lesson lesson =
        readLesson("title: T\nrun: bcast/flat -n 4\nAll have it.\nfact: All have it | rounds = 7", "x.lesson");
    EXPECT_THROW((void)pageOfLessons({&lesson}, false, {}), engine::Error);
}

}  // namespace
}  // namespace app::gui::page
