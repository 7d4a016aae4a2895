// SPDX-License-Identifier: BSD-3-Clause
// Writing an algorithm in the window: what is right is shown while somebody types, what is wrong is marked in its line,
// and the last good picture stays.
#include "app/gui/setup/setup_panel.hpp"
#include "app/session/proofs/proofs.hpp"
#include "app/teaching/editor/editor_panel.hpp"
#include "app/teaching/lessons/templates.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QAbstractItemView>
#include <QCompleter>
#include <QDialog>
#include <QScrollBar>
#include <QTimer>

#include <fstream>

namespace app::gui {
namespace {

/// A window whose editor is open.
class AuthoringTest : public testing::Test {
protected:
    AuthoringTest() { stage.begin(); }

    EditorPanel& editor() { return *stage.window.contents().editor; }
    QString text() { return editor().text(); }
    /// Puts other words in the place of all, as a user does.
    void type(const QString& words) {
        QTextCursor all{editor().edit().document()};
        all.select(QTextCursor::Document);
        all.insertText(words);
    }
    /// Waits until the text is read, run and proved.
    void settle() { stage.settle(); }
    const Report& shown() { return stage.window.playback().subject()->report(); }
    std::string path(const QString& name) { return stage.folder.filePath(name).toStdString(); }
    /// A file of that content, and its path.
    std::string write(const QString& name, const std::string& bytes) {
        std::ofstream{path(name), std::ios::binary} << bytes;
        return path(name);
    }
    static std::string contentOf(const std::string& file) {
        std::ifstream in{file, std::ios::binary};
        return {std::istreambuf_iterator<char>{in}, {}};
    }

    Stage stage;
};

QString templateOf(const QString& collective) {
    for (const Template& each : templates())
        if (each.name == collective) return each.text;
    return {};
}

TEST(Templates, areThereForEveryCollectiveAndRight) {
    std::set<engine::Collective> known;
    for (const Template& each : templates()) {
        const engine::Algorithm& algorithm =
            engine::schedules::algorithmFrom(each.collective.toStdString() + ".lua", each.text.toStdString());
        known.insert(algorithm.collective);
        std::vector<Conjecture> all;
        for (std::int32_t a = 1; a <= 6; ++a)
            if (!engine::isIntergroup(algorithm.collective))
                all.push_back({.algorithm = &algorithm, .problem = {.ranks = a, .size = 48}});
            else
                for (std::int32_t b = 1; b <= 6; ++b)
                    all.push_back({.algorithm = &algorithm, .problem = {.groupA = a, .groupB = b, .size = 48}});
        const Proofs proofs = prove(all, {});
        // Some demand a power of two of ranks.
        EXPECT_EQ(proofs.proved + proofs.refused, proofs.problems) << each.name.toStdString();
        EXPECT_TRUE(proofs.refused == 0 || each.name != each.collective) << each.name.toStdString();
        EXPECT_GT(proofs.proved, 1) << each.name.toStdString();
        EXPECT_EQ(engine::name(algorithm.collective), each.collective.toStdString());
        EXPECT_FALSE(each.idea.isEmpty()) << each.name.toStdString();
    }
    std::set<engine::Collective> all;
    for (const engine::Algorithm* algorithm : engine::catalogue()) all.insert(algorithm->collective);
    EXPECT_EQ(known, all);
}

TEST_F(AuthoringTest, beginsWithATemplateThatIsProvedAndShown) {
    stage.window.authoring().begin();
    settle();
    EXPECT_EQ(text(), templateOf("allgatherv"));
    EXPECT_TRUE(editor().said().startsWith(QStringLiteral("\u2713 Proved for "))) << editor().said().toStdString();
    EXPECT_EQ(shown().run->setting.algorithm, "untitled.lua");
    EXPECT_TRUE(shown().verdict->proved);
    EXPECT_EQ(stage.window.setup().wish()->algorithm, "untitled.lua");
}

TEST_F(AuthoringTest, marksTheFaultyLineWhileTheLastGoodPictureStays) {
    stage.window.authoring().begin();
    settle();
    const DrawableRunPtr before = stage.window.playback().subject();
    const QString right = text();
    QString broken = right;
    broken.replace(QStringLiteral("n - 1"), QStringLiteral("n - - ("));
    type(broken);
    settle();
    const int line = static_cast<int>(right.left(right.indexOf(QStringLiteral("n - 1"))).count('\n')) + 1;
    EXPECT_TRUE(editor().edit().marked()) << editor().said().toStdString();
    EXPECT_GE(editor().edit().marked().value_or(0), line);
    EXPECT_TRUE(editor().said().startsWith(QStringLiteral("\u2717 Line "))) << editor().said().toStdString();
    EXPECT_EQ(stage.window.playback().subject(), before);
    EXPECT_TRUE(editor().said().endsWith(QStringLiteral(". The picture shows the previous text.")))
        << editor().said().toStdString();
    type(right);
    settle();
    EXPECT_FALSE(editor().edit().marked());
    EXPECT_TRUE(editor().said().startsWith(QStringLiteral("\u2713")));
}

TEST_F(AuthoringTest, marksWhatIsWrongWithinATurn) {
    stage.window.authoring().begin();
    settle();
    QString wrong = text();
    wrong.replace(QStringLiteral("block((rank - round) % n)"), QStringLiteral("blok(rank)"));
    type(wrong);
    settle();
    EXPECT_EQ(editor().edit().marked(),
              static_cast<int>(wrong.left(wrong.indexOf(QStringLiteral("blok"))).count('\n')) + 1)
        << editor().said().toStdString();
}

TEST_F(AuthoringTest, marksWhatFailsForOtherProblems) {
    stage.window.authoring().begin();
    settle();
    type(text().replace(QStringLiteral("  send("), QStringLiteral("  if n == 3 then block(9) end\n  send(")));
    settle();
    EXPECT_TRUE(editor().edit().marked());
    EXPECT_TRUE(editor().said().contains(QStringLiteral("block 9 does not exist"))) << editor().said().toStdString();
    EXPECT_TRUE(editor().said().endsWith(QStringLiteral(", for n = 3"))) << editor().said().toStdString();
}

TEST_F(AuthoringTest, showsWholeLinesAndTheSignOfTheFaultyOne) {
    stage.window.authoring().begin();
    settle();
    QString wrong = text();
    type(wrong.replace(QStringLiteral("  send("), QStringLiteral("\n\n\n\n  ") + QStringLiteral("1 + ").repeated(50)));
    settle();
    ScriptEdit& edit = editor().edit();
    ASSERT_GE(edit.marked().value_or(0), 10);
    EXPECT_GE(edit.viewport()->geometry().left(), edit.fontMetrics().horizontalAdvance(QStringLiteral("\u2717 99")));
    EXPECT_EQ(edit.horizontalScrollBar()->maximum(), 0);
    ASSERT_EQ(edit.extraSelections().size(), 1);
    EXPECT_TRUE(edit.extraSelections()[0].cursor.selectedText().startsWith(QStringLiteral("  1 + 1")))
        << "all of a wrapped line is marked";
}

TEST_F(AuthoringTest, showsTheCounterExampleOfAWrongGuard) {
    stage.window.authoring().begin();
    settle();
    type(text()
             .replace(QStringLiteral("rank - round) % n"), QStringLiteral("rank + round) % n"))
             .replace(QStringLiteral("rank - round - 1"), QStringLiteral("rank + round - 1")));
    settle();
    EXPECT_TRUE(editor().said().startsWith(QStringLiteral("\u2717 n = 3: Rank 0 sends block 1 to rank 1 in round 2")))
        << editor().said().toStdString();
    const DrawableRunPtr& subject = stage.window.playback().subject();
    ASSERT_TRUE(subject->fault());
    EXPECT_EQ(stage.window.playback().state().time, subject->fault()->time);
    EXPECT_EQ(stage.window.playback().state().message, subject->fault()->message);
}

TEST_F(AuthoringTest, takesAFileUpThatSomebodyElseSaves) {
    const std::string file = path("mine.lua");
    std::ofstream{file} << templateOf("bcast").toStdString();
    stage.window.authoring().open(file);
    settle();
    EXPECT_EQ(shown().plan->problem.collective, engine::Collective::bcast);
    const std::string other = templateOf("scan").toStdString();
    std::ofstream{file + ".new"} << other;
    std::filesystem::rename(file + ".new", file);  // as editors do
    EXPECT_TRUE(QTest::qWaitFor([&] { return text().toStdString() == other; }, 10'000));
    settle();
    EXPECT_EQ(shown().plan->problem.collective, engine::Collective::scan);
    // But not over what is not saved.
    type(text() + QStringLiteral("-- mine\n"));
    settle();
    std::ofstream{file} << templateOf("bcast").toStdString();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !stage.window.notice().isEmpty(); }, 10'000));
    EXPECT_TRUE(text().endsWith(QStringLiteral("-- mine\n")));
}

TEST_F(AuthoringTest, savesWhatIsWritten) {
    const std::string file = path("mine.lua");
    std::ofstream{file} << templateOf("bcast").toStdString();
    stage.window.authoring().open(file);
    settle();
    type(text() + QStringLiteral("-- mine\n"));
    EXPECT_TRUE(editor().modified());
    stage.window.authoring().save();
    settle();
    EXPECT_FALSE(editor().modified());
    std::ifstream in{file};
    const std::string saved{std::istreambuf_iterator<char>{in}, {}};
    EXPECT_EQ(saved, text().toStdString());
}

TEST_F(AuthoringTest, keepsWhatIsNotSavedForTheNextStart) {
    stage.window.authoring().begin();
    type(templateOf("scan") + QStringLiteral("-- mine\n"));
    settle();
    stage.window.close();
    Stage next{stage.folder.filePath("settings.ini")};
    next.window.authoring().begin();
    next.settle();
    EXPECT_TRUE(next.window.contents().editor->text().endsWith(QStringLiteral("-- mine\n")));
    EXPECT_TRUE(next.window.contents().editor->modified());
}

TEST_F(AuthoringTest, showsTheTextOfAFileThatTheWindowIsOpenedOn) {
    const std::string file = path("mine.lua");
    std::ofstream{file} << templateOf("gatherv").toStdString();
    RunWish wish;
    wish.algorithm = file;
    wish.problem.ranks = 5;
    stage.window.presenter().begin(Trace{execute(wish)});
    settle();
    EXPECT_EQ(text(), templateOf("gatherv"));
    EXPECT_FALSE(editor().modified());
    EXPECT_TRUE(editor().isVisible());
    EXPECT_EQ(shown().run->ranks, 5);
}

TEST_F(AuthoringTest, bringsBackWhatATemplateReplaced) {
    stage.window.authoring().begin();
    type(templateOf("scan") + QStringLiteral("-- mine\n"));
    stage.window.authoring().beginWith(QStringLiteral("bcast"));
    settle();
    EXPECT_EQ(text(), templateOf("bcast"));
    editor().edit().undo();
    EXPECT_TRUE(text().endsWith(QStringLiteral("-- mine\n")));
}

TEST_F(AuthoringTest, keepsWhatIsNotSavedOverAStartWithoutTheEditor) {
    stage.window.authoring().begin();
    type(templateOf("scan") + QStringLiteral("-- mine\n"));
    settle();
    stage.window.close();
    const QString settings = stage.folder.filePath("settings.ini");
    {
        Stage between{settings};
        between.window.close();
    }
    Stage next{settings};
    next.window.authoring().begin();
    next.settle();
    EXPECT_TRUE(next.window.contents().editor->text().endsWith(QStringLiteral("-- mine\n")));
}

TEST_F(AuthoringTest, showsWhatWasNotSavedOfTheFileThatIsRunAtTheNextStart) {
    const std::string file = write("mine.lua", templateOf("bcast").toStdString());
    stage.window.authoring().open(file);
    settle();
    type(text() + QStringLiteral("-- mine\n"));
    settle();
    stage.window.close();
    Stage next{stage.folder.filePath("settings.ini")};
    next.begin();
    EXPECT_TRUE(next.window.contents().editor->text().endsWith(QStringLiteral("-- mine\n")));
    EXPECT_TRUE(next.window.contents().editor->modified());
    EXPECT_EQ(contentOf(file), templateOf("bcast").toStdString());
}

TEST_F(AuthoringTest, undoesNothingIntoAnotherFile) {
    const std::string first = write("a.lua", templateOf("bcast").toStdString());
    const std::string second = write("b.lua", templateOf("scan").toStdString());
    stage.window.authoring().open(first);
    settle();
    stage.window.authoring().open(second);
    settle();
    editor().edit().undo();
    EXPECT_EQ(text(), templateOf("scan"));
    stage.window.authoring().save();
    EXPECT_EQ(contentOf(second), templateOf("scan").toStdString());
}

TEST_F(AuthoringTest, keepsWhatIsNotSavedWhileAnotherFileIsOpen) {
    const std::string first = write("a.lua", templateOf("bcast").toStdString());
    const std::string second = write("b.lua", templateOf("scan").toStdString());
    stage.window.authoring().open(first);
    type(text() + QStringLiteral("-- mine\n"));
    stage.window.authoring().open(second);
    EXPECT_EQ(text(), templateOf("scan"));
    stage.window.authoring().beginWith(QStringLiteral("gatherv"));
    EXPECT_EQ(text(), templateOf("gatherv"));
    stage.window.authoring().open(first);
    EXPECT_TRUE(text().endsWith(QStringLiteral("-- mine\n")));
    EXPECT_TRUE(editor().modified());
    // Once more: what stands on the disk, which can be undone.
    stage.window.authoring().open(first);
    EXPECT_EQ(text(), templateOf("bcast"));
    EXPECT_FALSE(editor().modified());
    editor().edit().undo();
    EXPECT_TRUE(text().endsWith(QStringLiteral("-- mine\n")));
    settle();
}

TEST_F(AuthoringTest, replacesNoFileThatWasChangedMeanwhile) {
    const std::string file = write("mine.lua", templateOf("bcast").toStdString());
    stage.window.authoring().open(file);
    settle();
    type(text() + QStringLiteral("-- mine\n"));
    settle();
    const std::string others = templateOf("scan").toStdString();
    write("mine.lua", others);
    bool asked = false;
    QTimer closing;
    QObject::connect(&closing, &QTimer::timeout, &closing, [&] {
        if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
            asked = true;
            dialog->reject();
        }
    });
    closing.start(20);
    stage.window.authoring().save();
    EXPECT_TRUE(asked);
    EXPECT_EQ(contentOf(file), others);
    EXPECT_TRUE(stage.window.notice().contains("was changed by another program"))
        << stage.window.notice().toStdString();
    EXPECT_TRUE(editor().modified());
}

TEST_F(AuthoringTest, keepsLineEndsAndEveryByteThatWasNotEdited) {
    const std::string bytes =
        "\xEF\xBB\xBF" + templateOf("bcast").replace("\n", "\r\n").toStdString() + "-- a\xC2\xA0z \xE2\x86\x92\r\n";
    const std::string file = write("mine.lua", bytes);
    stage.window.authoring().open(file);
    EXPECT_FALSE(editor().modified());
    type(text() + QStringLiteral("-- mine\n"));
    stage.window.authoring().save();
    EXPECT_EQ(contentOf(file), bytes + "-- mine\r\n");
    settle();
}

TEST_F(AuthoringTest, editsNoFileWhoseBytesItCannotKeep) {
    stage.window.authoring().begin();
    const QString before = text();
    stage.window.authoring().open(write("latin.lua", "-- f\xFCr\n"));
    EXPECT_TRUE(stage.window.notice().endsWith("it is no valid UTF-8")) << stage.window.notice().toStdString();
    stage.window.authoring().open(write("mixed.lua", "-- a\r\n-- b\n"));
    EXPECT_TRUE(stage.window.notice().contains("its lines end in several ways")) << stage.window.notice().toStdString();
    EXPECT_EQ(text(), before);
    settle();
}

/// From a key to the picture and the proof of 64 ranks; several times what it takes on a machine with other work.
TEST_F(AuthoringTest, answersWhileOneTypes) {
    stage.window.authoring().begin();
    settle();
    RunWish wish = *stage.window.setup().wish();
    wish.problem.ranks = 64;
    stage.window.setup().setWish(wish);
    const DrawableRunPtr before = stage.window.playback().subject();
    const auto begin = std::chrono::steady_clock::now();
    type(text() + QStringLiteral(" "));
    stage.settleAfter(before);
    const auto shownAfter = std::chrono::steady_clock::now() - begin;
    settle();
    const auto provedAfter = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(shown().run->ranks, 64);
    const auto inMilliseconds = [](auto time) {
        return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
    };
    RecordProperty("shown_ms", inMilliseconds(shownAfter));
    RecordProperty("proved_ms", inMilliseconds(provedAfter));
    EXPECT_LT(inMilliseconds(provedAfter), 3000);
}

/// What is typed over is neither shown nor told, however long it would have taken.
TEST_F(AuthoringTest, cancelsWhatIsTypedOver) {
    stage.window.authoring().begin();
    settle();
    RunWish wish = *stage.window.setup().wish();
    wish.problem.ranks = 64;
    stage.window.setup().setWish(wish);
    const QString right = text();
    std::vector<QString> shownTitles;
    QObject::connect(&stage.window.playback(), &Playback::subjectChanged, &stage.window,
                     [&] { shownTitles.push_back(QString::fromStdString(shown().plan->algorithm->title)); });
    // A turn of it takes about a millisecond: a run of 64 ranks, seconds.
    QString slow = right;
    slow.replace(QStringLiteral("title = \"Ring\""), QStringLiteral("title = \"Slow\""))
        .replace(QStringLiteral("  send("), QStringLiteral("  for i = 1, 100000 do local j = i end\n  send("));
    ASSERT_TRUE(slow.contains("Slow") && slow.contains("100000"));
    type(slow);
    QTest::qWait(150);  // it is being run, or proved
    EXPECT_TRUE(stage.window.working());
    type(right + QStringLiteral("\n"));
    settle();
    EXPECT_EQ(shownTitles, (std::vector<QString>{QStringLiteral("Ring")}));
    EXPECT_TRUE(editor().said().startsWith(QStringLiteral("\u2713")));
}

TEST_F(AuthoringTest, keepsFewStatesOfWhatIsTyped) {
    stage.window.authoring().begin();
    settle();
    for (int key = 0; key < 40; ++key) {
        type(text() + QStringLiteral("-"));
        type(text() + QStringLiteral("-\n"));
        QTest::qWait(60);
    }
    settle();
    type(text() + QStringLiteral("\n"));
    settle();
    // The one that is there, the one before, and the runs that are shown and run.
    EXPECT_LE(engine::schedules::shelved("untitled.lua"), 6U);
}

TEST_F(AuthoringTest, proposesTheWordsOfScripts) {
    stage.window.authoring().begin();
    settle();
    ScriptEdit& edit = editor().edit();
    edit.setPlainText({});
    edit.setFocus();
    QTest::keyClicks(&edit, "rece");
    EXPECT_TRUE(edit.completer().popup()->isVisible());
    EXPECT_EQ(edit.completer().currentCompletion(), QStringLiteral("receive"));
    QTest::keyClick(edit.completer().popup(), Qt::Key_Return);
    EXPECT_EQ(edit.toPlainText(), QStringLiteral("receive"));
    QTest::keyClicks(&edit, "(0)");
    EXPECT_FALSE(edit.completer().popup()->isVisible());
}

TEST_F(AuthoringTest, runsWhatIsTypedAndNotYetSaved) {
    const std::string file = path("mine.lua");
    std::ofstream{file} << templateOf("bcast").toStdString();
    stage.window.authoring().open(file);
    settle();
    type(templateOf("scan"));
    settle();
    const DrawableRunPtr before = stage.window.playback().subject();
    stage.window.setup().runNow();
    stage.settleAfter(before);
    EXPECT_EQ(shown().plan->problem.collective, engine::Collective::scan);
}

}  // namespace
}  // namespace app::gui
