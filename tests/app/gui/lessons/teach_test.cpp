// SPDX-License-Identifier: BSD-3-Clause
// Lessons and questions: every lesson that comes with the program can be played, every question has an answer, and
// what is asked about is hidden.
#include "app/gui/explain/glossary.hpp"
#include "app/gui/views/basic_views.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "app/session/options/specification.hpp"
#include "app/teaching/lessons/lesson.hpp"
#include "app/teaching/lessons/lesson_facts.hpp"
#include "app/teaching/panels/teach_panel.hpp"
#include "engine/base/error.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QAction>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTextBrowser>

#include <set>

namespace app::gui {
namespace {

using engine::Picoseconds;

Meaning rightAnswer(const DrawableRun& subject, const Question& question) {
    for (const Choice& choice : choices(subject, question))
        if (judge(subject, question, choice.meaning)->right) return choice.meaning;
    throw std::runtime_error{"no right answer is offered"};
}

TEST(Lessons, areThereForTheBeginnerAndForEveryPaper) {
    ASSERT_GE(lessons().size(), 6U);
    EXPECT_EQ(lessons().front().title, "What a round is");
    std::set<QString> papers;
    for (const Lesson& lesson : lessons()) papers.insert(lesson.paper);
    for (const char* paper : {"Kang et al. (half duplex)", "Kang et al. 2019", "Träff et al. 2010",
                              "Hasanov et al. 2014", "End et al. 2016"})
        EXPECT_TRUE(papers.contains(paper)) << paper;
}

TEST(Lessons, runAndAskWhatCanBeAnswered) {
    for (const Lesson& lesson : lessons()) {
        EXPECT_LE(lesson.minutes, 10) << lesson.title.toStdString();
        std::optional<DrawableRun> subject;
        int questions = 0;
        for (const Stop& stop : lesson.stops) {
            if (stop.run) subject.emplace(execute(*stop.run));
            EXPECT_FALSE(stop.text.isEmpty());
            EXPECT_LE(momentOf(stop, *subject), subject->run().duration);
            EXPECT_LT(stop.rank.value_or(engine::Rank{0}).value, subject->run().ranks) << lesson.title.toStdString();
            EXPECT_LT(stop.round.value, subject->run().rounds) << lesson.title.toStdString();
            if (!stop.question) continue;
            ++questions;
            ASSERT_TRUE(canBeAsked(*subject, *stop.question))
                << lesson.title.toStdString() << ": " << inWords(*subject, *stop.question).toStdString();
            EXPECT_TRUE(judge(*subject, *stop.question, rightAnswer(*subject, *stop.question))->right);
        }
        EXPECT_GE(questions, 1) << lesson.title.toStdString();
    }
}

TEST(Lessons, stateWhatTheirRunsShow) {
    for (const Lesson& lesson : lessons()) {
        std::optional<DrawableRun> subject;
        for (const Stop& stop : lesson.stops) {
            if (stop.run) subject.emplace(execute(*stop.run));
            for (const Fact& fact : stop.facts) {
                Stop one = stop;
                one.facts = {fact};
                EXPECT_NO_THROW(requireTrue(lesson, one, *subject)) << fact.words.toStdString();
            }
        }
    }
}

// Whoever writes a number into a lesson says what it is a number of.
TEST(Lessons, stateNoNumberUnheld) {
    const QRegularExpression number{
        "\\b(\\d[\\d.]*|one|two|three|four|five|six|seven|eight|nine|ten|fourteen|half|eighth|quarter|everybody|nobody)\\b",
        QRegularExpression::CaseInsensitiveOption};
    for (const Lesson& lesson : lessons())
        for (const Stop& stop : lesson.stops)
            for (const QString& sentence : stop.text.simplified().split(QRegularExpression{"(?<=[.?]) "})) {
                if (!number.match(sentence).hasMatch()) continue;
                const bool held = std::any_of(stop.facts.begin(), stop.facts.end(), [&](const Fact& fact) {
                    return sentence.contains(fact.words) || fact.words.contains(sentence.chopped(1));
                });
                EXPECT_TRUE(held) << lesson.name << ": " << sentence.toStdString();
            }
}

TEST(Lessons, refuseWhatTheirRunDoesNotShow) {
    const Lesson lesson = readLesson(
        "title: T\nrun: bcast/binomial-tree -n 8\nat: round 2\nThree have it.\n"
        "fact: Three have it | holders of block 0 = 0 4 6",
        "x.lesson");
    const DrawableRun subject{execute(*lesson.stops[0].run)};
    try {
        requireTrue(lesson, lesson.stops[0], subject);
        FAIL() << "two have it";
    } catch (const engine::Error& error) {
        EXPECT_NE(std::string{error.what()}.find("holders of block 0 is 0 4, not 0 4 6"), std::string::npos)
            << error.what();
    }
    for (const char* claim : {"colour of rank 3", "blocks at rank 8", "holders of block 1", "messages in round 4",
                              "messages in round 0", "receivers from rank 3 in round 99", "# of block 0", ""})
        EXPECT_THROW((void)valueOf(claim, subject, {}), engine::Error) << claim;
    for (const char* line : {"rank: 8", "at: round 4", "at: middle of round 9", "ask: sender to rank 9 in round 1",
                             "ask: sender to rank 1 in round 1"}) {
        const std::string words = std::string{"title: T\nrun: bcast/binomial-tree -n 8\n"} + line + "\nText.";
        const Lesson wrong = readLesson(words, "x.lesson");
        EXPECT_THROW(requireTrue(wrong, wrong.stops[0], subject), engine::Error) << line;
    }
}

// What is said before a question has happened, and nothing of what is asked about.
TEST(Lessons, showAllThatIsBeforeAQuestion) {
    const Lesson& lesson = lessons().front();
    const Stop& stop = lesson.stops[2];
    ASSERT_TRUE(stop.question);
    const DrawableRun subject{execute(*lesson.stops[0].run)};
    EXPECT_EQ(valueOf("holders of block 0", subject, askedAt(*stop.question, stop, subject)), "0 4");
    EXPECT_EQ(subject.roundAt(askedAt(*stop.question, stop, subject)), stop.question->round);
}

TEST(Lessons, sayWhereTheyAreWrong) {
    const auto refusal = [](const char* words) {
        try {
            readLesson(words, "x.lesson");
        } catch (const engine::Error& error) {
            return std::string{error.what()};
        }
        return std::string{};
    };
    EXPECT_NE(refusal("title: T\nrun: bcast/nothing -n 4\nText").find("x.lesson:2: "), std::string::npos);
    EXPECT_NE(refusal("title: T\nrun: bcast/flat -n 4\nat: noon\nText").find("not a time"), std::string::npos);
    EXPECT_NE(refusal("title: T\nrun: bcast/flat -n 4\nText\nask: why").find("not a question"), std::string::npos);
    EXPECT_NE(refusal("title: T\nText").find("run: ..."), std::string::npos);
    EXPECT_NE(refusal("title: T\nrun: bcast/flat -n 4\n---\nText").find("has no text"), std::string::npos);
    EXPECT_NE(refusal("title: T\nrun: bcast/flat --speed 4\nText").find("not known here"), std::string::npos);
    EXPECT_EQ(refusal("title: T\nrun: bcast/flat -n 4\nText"), "");
    EXPECT_EQ(refusal("title: T\nrun: bcast/flat -n 4 --model bgp --arrival ramp:1ms --slow-ranks 3:2\nText"), "")
        << "a lesson knows what the command line knows";
}

TEST(Questions, areJudgedFromTheSchedule) {
    const DrawableRun subject{execute(specified("bcast/binomial-tree -n 8").run)};
    const Question sender{Question::Kind::sender, engine::Rank{7}, engine::Round{2}};
    const auto answer = [&](std::int64_t rank) { return judge(subject, sender, {Meaning::Kind::rank, rank, -1}); };
    EXPECT_TRUE(answer(6)->right);
    EXPECT_FALSE(answer(5)->right);
    EXPECT_TRUE(answer(5)->reason.contains("rank 6 sends")) << answer(5)->reason.toStdString();
    EXPECT_FALSE(judge(subject, sender, {Meaning::Kind::axis, 0, -1}));
    EXPECT_FALSE(canBeAsked(subject, {Question::Kind::sender, engine::Rank{7}, engine::Round{0}}));
    EXPECT_FALSE(canBeAsked(subject, {Question::Kind::link, {}, engine::Round{0}})) << "a full network has no links";

    const DrawableRun ring = DrawableRun{execute(firstWish())};
    const Question link{Question::Kind::link, {}, engine::Round{0}};
    ASSERT_TRUE(canBeAsked(ring, link));
    EXPECT_TRUE(judge(ring, link, rightAnswer(ring, link))->right);
    const Question block{Question::Kind::block, engine::Rank{4}, engine::Round{0}};
    EXPECT_TRUE(judge(ring, block, {Meaning::Kind::block, 3, 4})->right);
    EXPECT_FALSE(judge(ring, block, {Meaning::Kind::block, 0, 4})->right);
}

TEST(Questions, sayWhatIsTrueOfAWrongAnswer) {
    const DrawableRun tree{execute(specified("bcast/binomial-tree -n 8").run)};
    const auto mistake = [](const DrawableRun& subject, const Question& question, const Meaning& answer) {
        return judge(subject, question, answer)->mistake.toStdString();
    };
    const Question sender{Question::Kind::sender, engine::Rank{7}, engine::Round{2}};
    EXPECT_EQ(mistake(tree, sender, {Meaning::Kind::rank, 5, -1}), "Rank 5 sends nothing in round 3.");
    EXPECT_EQ(mistake(tree, sender, {Meaning::Kind::rank, 6, -1}), "");
    EXPECT_NE(mistake(tree, sender, {Meaning::Kind::rank, 2, -1}).find("but to rank 3"), std::string::npos);
    const Question block{Question::Kind::block, engine::Rank{4}, engine::Round{2}};
    const DrawableRun belts{execute(specified("halfduplex-allgather/ring-belts -p 4 -q 6 --progress lockstep").run)};
    EXPECT_EQ(mistake(belts, block, {Meaning::Kind::block, 3, 4}), "Rank 4 got block 3 in round 1 already.");
    for (const Lesson& lesson : lessons()) {
        std::optional<DrawableRun> subject;
        for (const Stop& stop : lesson.stops) {
            if (stop.run) subject.emplace(execute(*stop.run));
            if (!stop.question) continue;
            for (const Choice& choice : choices(*subject, *stop.question)) {
                const Judgement judgement = *judge(*subject, *stop.question, choice.meaning);
                EXPECT_EQ(judgement.right, judgement.mistake.isEmpty()) << choice.words.toStdString();
            }
        }
    }
}

TEST(Glossary, hasEveryTermOnceInOrder) {
    ASSERT_GT(glossary().size(), 40U);
    for (std::size_t i = 0; i + 1 < glossary().size(); ++i)
        EXPECT_LT(QString::compare(glossary()[i].word, glossary()[i + 1].word, Qt::CaseInsensitive), 0)
            << glossary()[i + 1].word.toStdString();
    for (const char* word : {"rank", "round", "block", "startup", "bound", "busiest rank", "late sender", "root"})
        EXPECT_TRUE(std::any_of(glossary().begin(), glossary().end(), [&](const Term& term) {
            return term.word == word;
        })) << word;
}

/// Marks of Markdown are for the file; pages and window have them as HTML.
TEST(Glossary, hasNoMarksOfMarkdown) {
    bool code = false, emphasis = false;
    for (const Term& term : glossary()) {
        for (const QString& words : {term.meaning, term.html})
            EXPECT_FALSE(words.contains('`') || words.contains('*')) << words.toStdString();
        EXPECT_FALSE(term.meaning.contains('<')) << term.meaning.toStdString();
        code = code || term.html.contains(QStringLiteral("<code>allgatherv</code>"));
        emphasis = emphasis || term.html.contains(QStringLiteral("<em>one-block bound</em>"));
    }
    EXPECT_TRUE(code && emphasis);
}

class TeachTest : public testing::Test {
protected:
    TeachTest() { stage.begin(); }

    Stage stage;
    MainWindow& window = stage.window;
    Playback& playback = window.playback();
    TeachPanel& teach = *window.contents().teach;
};

TEST_F(TeachTest, playsTheFirstLessonToItsEnd) {
    window.teaching().start(0);
    stage.settle();
    EXPECT_TRUE(teach.isVisible());
    EXPECT_EQ(playback.subject()->run().setting.algorithm, "bcast/binomial-tree");
    EXPECT_EQ(playback.state().time, Picoseconds{});
    int questions = 0;
    for (std::size_t stop = 0; stop < lessons()[0].stops.size(); ++stop) {
        ASSERT_EQ(teach.stop(), stop);
        if (teach.box().open()) {
            ++questions;
            EXPECT_TRUE(playback.state().veil);
            QListWidget& answers = stage.find<QListWidget>("Answers");
            const std::vector<Choice> offered = choices(*playback.subject(), *teach.box().question());
            for (std::size_t i = 0; i < offered.size(); ++i) {
                if (!judge(*playback.subject(), *teach.box().question(), offered[i].meaning)->right) continue;
                answers.setFocus();
                answers.setCurrentRow(static_cast<int>(i));
                QTest::keyClick(&answers, Qt::Key_Return);
                break;
            }
            EXPECT_FALSE(teach.box().open());
            EXPECT_TRUE(teach.box().verdict().contains("Right"));
            EXPECT_FALSE(playback.state().veil);
        }
        QTest::mouseClick(&stage.find<QPushButton>("Next step"), Qt::LeftButton);
        stage.settle();
    }
    EXPECT_EQ(questions, 2);
    EXPECT_EQ(teach.lesson(), nullptr);
    EXPECT_TRUE(teach.isVisible()) << "the next lesson is offered";
    EXPECT_TRUE(teach.text().contains(lessons()[1].title));
    EXPECT_TRUE(stage.settings.value("lessons").toStringList().contains("What a round is"));
}

TEST_F(TeachTest, goesOnToTheNextLesson) {
    window.teaching().start(0);
    stage.settle();
    for (std::size_t stop = 0; stop < lessons()[0].stops.size(); ++stop) {
        teach.next();
        stage.settle();
    }
    QTest::mouseClick(&stage.find<QPushButton>("Next step"), Qt::LeftButton);
    stage.settle();
    EXPECT_EQ(teach.lesson(), &lessons()[1]);
    EXPECT_EQ(playback.subject()->run().setting.algorithm, "halfduplex-allgather/ring-intragroup");
}

TEST_F(TeachTest, givesASecondTryAndSaysWhyTheFirstWasWrong) {
    window.teaching().start(0);
    stage.settle();
    teach.next();
    teach.next();
    ASSERT_TRUE(teach.box().open());
    const Question question = *teach.box().question();
    playback.select(Meaning{Meaning::Kind::rank, 7, -1});
    EXPECT_TRUE(teach.box().open()) << "a second try";
    EXPECT_TRUE(teach.box().verdict().contains("Rank 7 receives nothing in round 2."))
        << teach.box().verdict().toStdString();
    EXPECT_TRUE(playback.state().veil) << "the answer is still hidden";
    playback.select(rightAnswer(*playback.subject(), question));
    EXPECT_FALSE(teach.box().open());
    EXPECT_TRUE(teach.box().verdict().contains("Right"));
    EXPECT_EQ(teach.score(), "0 of 1 right") << "at the first try";
}

TEST_F(TeachTest, explainsWordsOnF2) {
    QTest::keyClick(&window, Qt::Key_F2);
    QTextBrowser& words = stage.find<QTextBrowser>("Words and what they mean");
    EXPECT_TRUE(words.toPlainText().contains("late sender"));
    stage.find<QLineEdit>("Look for a word").setText("duplex");
    EXPECT_FALSE(words.toPlainText().contains("late sender"));
    EXPECT_TRUE(words.toPlainText().contains("full duplex"));
    words.window()->close();
}

TEST_F(TeachTest, goesBackToTheRunOfAnEarlierStop) {
    window.teaching().start(0);
    stage.settle();
    for (std::size_t stop = 0; stop + 1 < lessons()[0].stops.size(); ++stop) {
        teach.next();
        stage.settle();
    }
    EXPECT_EQ(playback.subject()->run().setting.algorithm, "bcast/flat");
    QTest::mouseClick(&stage.find<QPushButton>("Previous step"), Qt::LeftButton);
    stage.settle();
    EXPECT_EQ(playback.subject()->run().setting.algorithm, "bcast/binomial-tree");
    EXPECT_EQ(playback.state().time, playback.duration());
}

TEST_F(TeachTest, predictStopsBeforeEveryRoundAndTakesAClickAsAnswer) {
    playback.toBegin();
    QTest::keyClick(&window, Qt::Key_P);
    ASSERT_TRUE(teach.predicting());
    EXPECT_TRUE(teach.isVisible());
    QTest::keyClick(&window, Qt::Key_Right);
    ASSERT_TRUE(teach.box().open());
    const Question question = *teach.box().question();
    EXPECT_EQ(question.round, engine::Round{1});
    EXPECT_LT(playback.state().time, playback.subject()->run().perRound[1].begin);
    const Meaning right = rightAnswer(*playback.subject(), question);
    playback.select(Meaning{Meaning::Kind::axis, 0, -1});
    EXPECT_TRUE(teach.box().open()) << "the axis is no answer";
    playback.select(right);
    EXPECT_FALSE(teach.box().open());
    EXPECT_FALSE(playback.state().rank) << "an answer selects nothing";
    EXPECT_EQ(teach.score(), "1 of 1 right");
    QTest::keyClick(&window, Qt::Key_Right);
    EXPECT_FALSE(teach.box().open()) << "the round was asked about already";
    EXPECT_EQ(playback.round(), engine::Round{1});
    QTest::keyClick(&window, Qt::Key_Right);
    EXPECT_TRUE(teach.box().open());
    QTest::keyClick(&window, Qt::Key_P);
    EXPECT_FALSE(teach.predicting());
    EXPECT_FALSE(playback.state().veil);
}

TEST_F(TeachTest, predictWithTheMouseOnARank) {
    playback.toBegin();
    teach.setPredicting(true);
    NetworkPanel& network = stage.find<NetworkPanel>();
    // Rounds are asked about until one wants a rank.
    for (int round = 1; round < 6; ++round) {
        playback.step(+1);
        if (!teach.box().open()) continue;
        const Question question = *teach.box().question();
        const Meaning right = rightAnswer(*playback.subject(), question);
        if (right.kind != Meaning::Kind::rank) {
            playback.select(right);
            continue;
        }
        for (const Shape& shape : network.shapes()) {
            if (!(shape.meaning == right) || shape.box.isEmpty()) continue;
            QTest::mouseClick(&network, Qt::LeftButton, {}, shape.box.center().toPoint());
            break;
        }
        EXPECT_FALSE(teach.box().open());
        EXPECT_TRUE(teach.box().verdict().contains("Right"));
        return;
    }
    FAIL() << "no round asked for a rank";
}

TEST_F(TeachTest, projectsInLargeLettersAndSlowMotion) {
    const double letters = QApplication::font().pointSizeF();
    const double speed = playback.speed();
    const auto dockShown = [&](const char* name) { return !window.findChild<QDockWidget*>(name)->isHidden(); };
    playback.setReduceMotion(true);
    QTest::keyClick(&window, Qt::Key_F5);
    ASSERT_TRUE(window.projector().on());
    EXPECT_TRUE(window.isFullScreen());
    EXPECT_GT(QApplication::font().pointSizeF(), letters * 1.5);
    EXPECT_LT(playback.speed(), speed);
    EXPECT_TRUE(playback.state().reduceMotion) << "who wants no motion wants none on the wall";
    EXPECT_TRUE(dockShown("holdings"));
    const QSet<QString> ofALesson{"lesson", "explanation", "holdings"};
    for (const QDockWidget* dock : window.contents().docks.all()) {
        EXPECT_TRUE(dock->isHidden() || ofALesson.contains(dock->objectName())) << dock->objectName().toStdString();
    }
    // What is seen is what is hit: the scene is drawn larger, and the mouse knows.
    auto& network = stage.find<NetworkPanel>("Network");
    for (const Shape& shape : network.shapes()) {
        if (shape.meaning.kind != Meaning::Kind::rank || shape.kind != Shape::Kind::ellipse) continue;
        EXPECT_EQ(network.meaningAt(shape.box.center() * playback.magnification()), shape.meaning);
    }
    auto& diagram = stage.find<RunTimelinePanel>("Timeline");
    const auto axis = diagram.axis();
    QTest::mouseClick(&diagram, Qt::LeftButton, {},
                      QPoint{static_cast<int>((axis->left() + axis->right()) / 2), diagram.height() / 2});
    const double share =
        static_cast<double>(playback.state().time.count()) / static_cast<double>(playback.duration().count());
    EXPECT_NEAR(share, 0.5, 0.02);
    QTest::keyClick(&window, Qt::Key_F5);
    EXPECT_FALSE(window.projector().on());
    EXPECT_FALSE(window.isFullScreen());
    EXPECT_EQ(QApplication::font().pointSizeF(), letters);
    EXPECT_EQ(playback.speed(), speed);
    EXPECT_EQ(playback.magnification(), 1);
    EXPECT_TRUE(dockShown("strip"));
}

}  // namespace
}  // namespace app::gui
