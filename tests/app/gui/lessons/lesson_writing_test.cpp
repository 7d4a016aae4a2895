// SPDX-License-Identifier: BSD-3-Clause
// Writing a lesson in the window: what stands at the cursor is given as the lesson, mistakes are marked in their line,
// and a file is written only over one that was asked about.
#include "app/teaching/editor/editor_panel.hpp"
#include "app/teaching/lessons/lesson_draft.hpp"
#include "app/teaching/panels/teach_panel.hpp"
#include "engine/base/error.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QTextBlock>
#include <QTimer>

#include <fstream>

namespace app::gui {
namespace {

/// What is said of `text`: that its runs bear it out, or what is wrong.
std::string said(const std::string& text) {
    try {
        return borneOut(draftFrom("x.lesson", text, {}), "x.lesson", {}).toStdString();
    } catch (const engine::Error& error) {
        return error.words();
    }
}

TEST(LessonDraft, ofEachLessonIsBorneOut) {
    EXPECT_EQ(said(lessonTemplate().toStdString()), "3 stops; their runs bear out 4 facts");
    for (const Lesson& lesson : lessons()) {
        const std::string words = said(textOfLesson(lesson.name).toStdString());
        EXPECT_NE(words.find("their runs bear out"), std::string::npos) << lesson.name << ": " << words;
    }
}

TEST(LessonDraft, namesTheLineOfWhatIsWrong) {
    const std::string begin = "title: T\nrun: bcast/binomial-tree -n 4\n";
    const std::pair<std::string, std::string> wrong[] = {
        {begin + "rank: 4\nText", "x.lesson:3: 'rank: 4', but its run has 4 ranks"},
        {begin + "at: round 3\nText", "x.lesson:3: 'at: round 3', but its run has 2 rounds"},
        {begin + "Text\nask: sender to rank 9 in round 1", "x.lesson:4: "},
        {begin + "Text\nfact: Text | rounds = 2\nfact: Text | ranks = 5", "x.lesson:5: fact 'Text': ranks is 4, not 5"},
        {begin + "Text\nfact: Words | ranks = 4",
         "x.lesson:4: fact 'Words': the text of the stop does not contain "
         "these words"},
        {begin + "Text\n---\nrun: bcast/nothing -n 4\nText", "x.lesson:5: "},
        {begin + "Text\n---\nrun: bcast/binomial-tree -n 4 --root 7\nText", "x.lesson:5: "},
        {begin + "Text\nrnak: 3", "x.lesson:4: unknown line 'rnak: ...'; did you mean rank?"},
        {begin + "Text\nrank:", "x.lesson:4: 'rank:' has no text"},
        {begin + "Text\n---\n", "x.lesson:5: this stop has no text"},
        {"run: bcast/flat -n 4\nText", "x.lesson:1: a lesson needs a line 'title: ...'"},
    };
    for (const auto& [text, words] : wrong) EXPECT_TRUE(said(text).starts_with(words)) << said(text) << '\n' << text;
    EXPECT_TRUE(said(begin + "remember: this is to be read").starts_with("1 stop;")) << "only what is nearly a key";
}

TEST(LessonDraft, makesNoLargeRunsNorRealProcesses) {
    const std::string words = said(
        "title: T\nrun: allgatherv/linear-ring -n 2000\nText\nfact: Text | ranks = 3\n---\n"
        "run: bcast/flat -n 3 --on threads\nText\nfact: Text | ranks = 4\n---\nrun: bcast/flat -n 3\nText\n"
        "fact: Text | ranks = 3");
    EXPECT_TRUE(words.starts_with("3 stops; their runs bear out 1 fact. Large runs")) << words;
}

TEST(LessonDraft, knowsTheStopOfEachLine) {
    const Lesson lesson =
        draftFrom("x.lesson", "title: T\nrun: bcast/flat -n 3\nOne\n---\nTwo\n---\nThree\n", {}).lesson;
    const std::size_t stops[] = {0, 0, 0, 0, 1, 1, 2, 2};
    for (int line = 1; line <= 8; ++line) EXPECT_EQ(stopAtLine(lesson, line), stops[line - 1]) << line;
}

class LessonWriting : public testing::Test {
protected:
    LessonWriting() { stage.begin(); }

    EditorPanel& editor() { return *window.contents().editor; }
    TeachPanel& teach() { return *window.contents().teach; }
    /// Puts `words` in the place of `old`, as a user does.
    void type(const QString& old, const QString& words) {
        QTextCursor cursor = editor().edit().document()->find(old);
        ASSERT_FALSE(cursor.isNull()) << old.toStdString();
        cursor.insertText(words);
        editor().edit().setTextCursor(cursor);
        stage.settle();
    }
    void goToLine(int line) {
        editor().edit().setTextCursor(QTextCursor{editor().edit().document()->findBlockByNumber(line - 1)});
        stage.settle();
    }
    std::string path(const QString& name) { return stage.folder.filePath(name).toStdString(); }
    static std::string contentOf(const std::string& file) {
        std::ifstream in{file, std::ios::binary};
        return {std::istreambuf_iterator<char>{in}, {}};
    }
    /// Saves; in the dialog `name` is chosen, and one that is there is not given up.
    void saveAs(const QString& name) {
        QTimer answering;
        int patience = 200;
        QObject::connect(&answering, &QTimer::timeout, &answering, [&] {
            if (auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget()))
                return question->button(QMessageBox::No)->click();
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr) return;
            if (patience-- <= 190) return dialog->reject();
            auto* line = dialog->findChild<QLineEdit*>();
            line->setText(stage.folder.filePath(name));
            QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection);
        });
        answering.start(20);
        window.authoring().save();
        stage.settle();
    }

    Stage stage;
    MainWindow& window = stage.window;
};

TEST_F(LessonWriting, goesOnWithTheOneThatWasBegun) {
    window.authoring().beginLesson({});
    stage.settle();
    type("My lesson", "Begun");
    window.authoring().beginWith("bcast");
    stage.settle();
    window.authoring().resumeLesson();
    stage.settle();
    EXPECT_TRUE(editor().text().startsWith("title: Begun\n"));
    EXPECT_EQ(teach().lesson()->title, "Begun");
    EXPECT_TRUE(window.authoring().path().empty()) << "it is no algorithm";
}

TEST_F(LessonWriting, givesTheStopAtTheCursorAtOnce) {
    window.authoring().beginLesson({});
    stage.settle();
    ASSERT_TRUE(teach().showsDraft());
    EXPECT_TRUE(teach().text().startsWith("Four ranks run at the same time."));
    EXPECT_EQ(window.playback().subject()->run().ranks, 4);
    EXPECT_EQ(editor().said(), QString::fromUtf8("\u2713 3 stops; their runs bear out 4 facts"));
    for (const Dock dock : {Dock::lesson, Dock::editor})
        EXPECT_FALSE(window.contents().docks[dock].widget()->visibleRegion().isEmpty()) << rowOf(dock).name;
    type("Rank 0 has a message that the others need.", "Rank 0 has a message.");
    EXPECT_TRUE(teach().text().endsWith("Rank 0 has a message."));
    goToLine(14);
    EXPECT_EQ(teach().stop(), 1U);
    EXPECT_TRUE(teach().box().open());
    EXPECT_EQ(window.playback().state().rank, engine::Rank{0});
    type("receiver from rank 0", "sender to rank 3");
    EXPECT_EQ(teach().stop(), 1U) << "it stays where somebody writes";
    EXPECT_EQ(teach().box().question()->kind, Question::Kind::sender);
    goToLine(6);
    const DrawableRunPtr before = window.playback().subject();
    type("-n 4", "-n 8");
    EXPECT_NE(window.playback().subject(), before) << "another run is shown";
    EXPECT_EQ(window.playback().subject()->run().ranks, 8);
}

TEST_F(LessonWriting, marksWhatIsWrongAndKeepsTheLessonBefore) {
    window.authoring().beginLesson({});
    stage.settle();
    type("at: begin", "at: noon");
    EXPECT_EQ(editor().edit().marked(), 7);
    EXPECT_TRUE(editor().said().startsWith(QString::fromUtf8("\u2717 Line 7: 'noon' is not a time")))
        << editor().said().toStdString();
    EXPECT_TRUE(teach().text().startsWith("Four ranks")) << "the lesson before";
    type("at: noon", "at: begin");
    EXPECT_EQ(editor().edit().marked(), std::nullopt);
    type("| ranks = 4", "| ranks = 5");
    EXPECT_EQ(editor().edit().marked(), 10);
    EXPECT_TRUE(editor().said().contains("ranks is 4, not 5")) << editor().said().toStdString();
    type("binomial-tree", "no-tree");
    EXPECT_EQ(editor().edit().marked(), 6);
}

TEST_F(LessonWriting, savesAndOpensAgain) {
    window.authoring().beginLesson("what-a-round-is");
    stage.settle();
    EXPECT_EQ(editor().text(), textOfLesson("what-a-round-is"));
    type("What a round is", "Mine");
    saveAs("mine");
    const std::string file = path("mine.lesson");
    EXPECT_EQ(contentOf(file), editor().text().toStdString()) << "it ends as lessons do";
    EXPECT_FALSE(editor().modified());
    EXPECT_EQ(lessonCalled(file).title, "Mine");
    window.authoring().beginWith("bcast");
    stage.settle();
    window.open(QString::fromStdString(file));
    stage.settle();
    EXPECT_TRUE(editor().text().startsWith("title: Mine\n"));
    ASSERT_TRUE(teach().showsDraft());
    EXPECT_EQ(teach().lesson()->title, "Mine");
}

TEST_F(LessonWriting, writesOverNothingUnasked) {
    for (const char* name : {"other.lesson", "own.lesson"}) std::ofstream{path(name)} << "title: Another\n";
    window.authoring().beginLesson({});
    stage.settle();
    for (const char* name : {"other", "own.lesson"}) {
        saveAs(name);
        EXPECT_TRUE(editor().modified()) << name;
    }
    for (const char* name : {"other.lesson", "own.lesson"}) EXPECT_EQ(contentOf(path(name)), "title: Another\n");
    EXPECT_TRUE(window.notice().contains("other.lesson")) << window.notice().toStdString();
    window.authoring().beginWith("bcast");
    stage.settle();
    saveAs("script.lesson");
    EXPECT_FALSE(std::filesystem::exists(path("script.lesson"))) << "an algorithm is no lesson";
}

TEST_F(LessonWriting, ofADraftIsNoLessonThatWasFinished) {
    window.authoring().beginLesson({});
    stage.settle();
    for (int i = 0; i < 3; ++i) {
        teach().next();
        stage.settle();
    }
    EXPECT_EQ(teach().lesson(), nullptr) << "it is at its end";
    EXPECT_TRUE(stage.settings.value("lessons").toStringList().isEmpty());
    type("Four ranks", "Four  ranks");
    EXPECT_TRUE(teach().showsDraft()) << "who writes on sees it again";
}

}  // namespace
}  // namespace app::gui
