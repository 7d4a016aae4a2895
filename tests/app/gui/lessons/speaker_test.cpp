// SPDX-License-Identifier: BSD-3-Clause
// What the speaker sees while the projector is on.
#include "app/gui/window/speaker_window.hpp"
#include "app/teaching/panels/teach_panel.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QAction>
#include <QScreen>

namespace app::gui {
namespace {

TEST(Lesson, hasNotesForTheSpeaker) {
    const Lesson lesson =
        readLesson("title: T\nrun: bcast/binomial-tree -n 8\nWords.\nnotes: One.\nnotes: Two.\n", "t");
    EXPECT_EQ(lesson.stops[0].text, "Words.");
    EXPECT_EQ(lesson.stops[0].notes, "One.\n\nTwo.");
}

class Speaking : public testing::Test {
protected:
    Speaking() { stage.begin(); }

    /// What the key does in the speaker's window.
    void press(Qt::Key key) {
        for (QAction* action : speaker.actions())
            if (action->shortcut() == QKeySequence{key}) return action->trigger();
        FAIL() << "no action has this key";
    }

    Stage stage;
    MainWindow& window = stage.window;
    SpeakerWindow& speaker = window.speaker();
};

TEST_F(Speaking, comesAndGoesWithTheProjector) {
    EXPECT_FALSE(speaker.isVisible());
    window.projector().set(true);
    EXPECT_TRUE(speaker.isVisible());
    EXPECT_EQ(speaker.window(), &speaker) << "it is a window of its own";
    if (QGuiApplication::screens().size() > 1) {
        EXPECT_NE(speaker.screen(), window.screen());
    }
    window.projector().set(false);
    EXPECT_FALSE(speaker.isVisible());
    window.projector().set(true);
    window.close();
    EXPECT_FALSE(speaker.isVisible());
}

TEST_F(Speaking, saysWhatIsSaidNowAndWhatComesNext) {
    window.teaching().start(0);
    stage.settle();
    window.projector().set(true);
    const Lesson& lesson = lessons()[0];
    ASSERT_FALSE(lesson.stops[0].notes.isEmpty());
    EXPECT_TRUE(speaker.notes().startsWith(lesson.stops[0].notes.left(20))) << speaker.notes().toStdString();
    EXPECT_TRUE(speaker.following().startsWith(lesson.stops[1].text.left(20)));
    press(Qt::Key_PageDown);
    stage.settle();
    EXPECT_EQ(window.contents().teach->stop(), 1U);
    EXPECT_TRUE(speaker.notes().startsWith(lesson.stops[1].notes.left(20)));
    press(Qt::Key_PageUp);
    EXPECT_EQ(window.contents().teach->stop(), 0U);
    if (const QString folder = qEnvironmentVariable("COLLSCOPE_PICTURES"); !folder.isEmpty())
        speaker.grab().save(folder + "/speaker.png");
    window.projector().set(false);
}

// A stop without notes is told by what everybody reads.
TEST_F(Speaking, isNeverAtALossForWords) {
    window.projector().set(true);
    EXPECT_TRUE(speaker.notes().contains("Teach")) << speaker.notes().toStdString();
    window.teaching().start(2);
    stage.settle();
    EXPECT_TRUE(speaker.notes().startsWith(lessons()[2].stops[0].text.left(20)));
    window.projector().set(false);
}

TEST_F(Speaking, countsFromWhenTheProjectorWasTurnedOn) {
    stage.clock.pass(std::chrono::seconds{30});
    window.projector().set(true);
    EXPECT_EQ(speaker.elapsed(), "0:00");
    stage.clock.pass(std::chrono::seconds{185});
    EXPECT_TRUE(QTest::qWaitFor([&] { return speaker.elapsed() == "3:05"; }, 5000)) << speaker.elapsed().toStdString();
    window.projector().set(false);
}

}  // namespace
}  // namespace app::gui
