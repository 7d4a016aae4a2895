// SPDX-License-Identifier: BSD-3-Clause
// What the window says in tables and sentences.
#include "app/gui/explain/explanation.hpp"
#include "app/gui/scenes/text/card_facts.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/tables/rounds_table.hpp"
#include "app/session/options/specification.hpp"

#include "engine/catalogue/catalogue.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QAbstractItemModelTester>
#include <QTextDocument>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace app::gui {
namespace {

QString plain(const QString& html) {
    QTextDocument document;
    document.setHtml(html);
    return document.toPlainText();
}

DrawableRunPtr run(const std::string& algorithm, std::int64_t ranks) {
    RunWish wish;
    wish.algorithm = algorithm;
    wish.problem.ranks = ranks;
    wish.problem.size = 4096;
    return std::make_shared<const DrawableRun>(execute(wish));
}

TEST(AnswerModel, keepsTheRulesOfModels) {
    AnswerModel model;
    const QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
    model.show(networkTable(*firstSubject(), {}));
    EXPECT_EQ(model.rowCount(), 10);
    model.show({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(RoundsTable, showsEveryRound) {
    Playback playback;
    const RoundsTable table{playback};
    const DrawableRunPtr subject = firstSubject();
    playback.show(subject);
    ASSERT_EQ(table.model()->rowCount(), 7);
    const auto words = [&](int row, int column) { return table.model()->index(row, column).data().toString(); };
    EXPECT_EQ(words(0, 0), "1");
    EXPECT_EQ(words(6, 0), "7");
    std::int64_t messages = 0;
    for (int row = 0; row < 7; ++row) messages += words(row, 1).toLongLong();
    EXPECT_EQ(messages, subject->run().messageCount);
    EXPECT_EQ(words(0, 3), QString{"27.21 \u00b5s"});
    EXPECT_TRUE(words(0, 4).contains(" \u2192 ")) << words(0, 4).toStdString();
    playback.seekRound(engine::Round{2});
    EXPECT_EQ(table.currentIndex().row(), 2);
}

TEST(RoundsTable, isBriefAboutLargeNumbers) {
    Playback playback;
    const RoundsTable table{playback};
    playback.show(run("allreduce/butterfly", 1024));
    EXPECT_EQ(table.model()->index(0, 1).data().toString(), "1,024");
    RunWish wish;
    wish.algorithm = "allgatherv/bruck";
    wish.problem.ranks = 16;
    wish.network.topology = "fat-tree:4x4";
    playback.show(std::make_shared<const DrawableRun>(execute(wish)));
    EXPECT_EQ(table.model()->index(0, 4).data().toString(), "0 \u2192 switch 0: 64 KiB");
}

TEST(Title, namesTheNetworkAsPeopleDo) {
    const auto titled = [](const std::string& topology, std::int64_t ranks) {
        RunWish wish;
        wish.algorithm = "bcast/binomial-tree";
        wish.problem.ranks = ranks;
        wish.network = {.topology = topology, .placement = "random:3"};
        const DrawableRun subject{execute(wish)};
        EXPECT_TRUE(subtitleOf(subject).contains("ranks placed random:3")) << topology;
        return titleOf(subject);
    };
    EXPECT_EQ(titled("full", 8), "Broadcast on a fully connected network: 8 ranks, root 0");
    EXPECT_EQ(titled("kautz:2,2", 6), "Broadcast on a Kautz graph (2,2): 6 ranks, root 0");
    EXPECT_EQ(titled("torus:2x4", 8), QStringLiteral("Broadcast on a torus of 2\u00d74: 8 ranks, root 0"));
    EXPECT_EQ(titled("fat-tree:4x2", 8), "Broadcast on a fat tree (4x2): 8 ranks, root 0");
}

/// Two runs that differ in a condition have different subtitles.
TEST(Title, namesTheConditionsThatFewRunsHave) {
    const auto said = [](const char* line) { return subtitleOf(DrawableRun{execute(specified(line).run)}); };
    const QString plain = said("allreduce/ring -n 8 --topology ring");
    const std::vector<std::pair<std::string, const char*>> conditions{
        {"--arrival late:3,1ms", "rank 3 starts 1 ms late"},
        {"--slow-links 3-4:8", "link 3 \u2192 4 takes 8 times as long per byte"},
        {"--slow-ranks 3:2", "rank 3 takes 2 times as long"},
        {"--progress lockstep", "lockstep"},
        {"--eager 1KiB", "1KiB"}};
    for (const auto& [flags, named] : conditions) {
        const QString words = said(("allreduce/ring -n 8 --topology ring " + flags).c_str());
        EXPECT_NE(words, plain) << flags;
        EXPECT_TRUE(words.contains(QString::fromUtf8(named))) << words.toStdString();
    }
    EXPECT_TRUE(said("allreduce/ring -n 8 --size 0").contains("0 B per contribution"));
    EXPECT_TRUE(said("bcast/flat -n 8 --ports 3").contains("3 ports"));
}

TEST(Moment, hasNoRoundWhereThereAreNone) {
    const DrawableRun alone{execute(specified("bcast/binomial-tree -n 1").run)};
    EXPECT_EQ(roundsOf(alone, {}), "No rounds");
}

TEST(Moment, hasNoRoundInTracesOfOtherTools) {
    const DrawableRunPtr own = run("bcast/chain", 4);
    EXPECT_EQ(roundFact(*own, {}), "round 1 of 3");
    engine::Run foreign = own->run();
    foreign.setting = {};
    foreign.setting.on = "trace";
    const DrawableRun subject{analysis::reportOn(std::make_shared<const engine::Run>(foreign))};
    EXPECT_EQ(momentOf(subject, {}), momentOf(*own, {}).section(QStringLiteral(", "), 1));
    EXPECT_FALSE(momentOf(subject, foreign.duration).contains("round"));
    EXPECT_EQ(roundFact(subject, {}), "");
    EXPECT_EQ(roundsFact(subject, {}), "");
}

TEST(Explanation, saysWhoSendsWhatToWhom) {
    const DrawableRunPtr subject = run("bcast/binomial-tree", 4);
    const QString words = plain(explain(*subject, {}));
    EXPECT_TRUE(words.contains("Round 1 of 2")) << words.toStdString();
    EXPECT_TRUE(words.contains("One message of 4 KiB")) << words.toStdString();
    EXPECT_TRUE(words.contains("rank 0 to rank ")) << words.toStdString();
    EXPECT_TRUE(words.contains(" 0")) << words.toStdString();
    EXPECT_TRUE(words.contains(QString::fromStdString(subject->report().plan->algorithm->idea.substr(0, 20))));
}

TEST(Explanation, saysWhatWasChosenForTheModel) {
    RunWish wish;
    wish.algorithm = "bcast/pipelined-chain";
    wish.problem.ranks = 8;
    wish.problem.size = 1 << 20;
    EXPECT_TRUE(plain(explain(DrawableRun{execute(wish)}, {})).contains("Chosen for this model: segments=50"));
    wish.options["segments"] = "50";
    EXPECT_FALSE(plain(explain(DrawableRun{execute(wish)}, {})).contains("Chosen for this model"));
}

TEST(Explanation, recognisesAShift) {
    RunWish wish;
    wish.algorithm = "halfduplex-allgather/ring-intragroup";
    wish.problem.groupA = 3;
    wish.problem.groupB = 3;
    const DrawableRun subject{execute(wish)};
    EXPECT_TRUE(plain(explain(subject, {})).contains("Each goes to the next rank."));
    const DrawableRunPtr bruck = run("allgatherv/bruck", 7);
    const auto inRound = [&](std::int64_t round) {
        return plain(explain(*bruck, {.time = bruck->middleBegin(engine::Round{round})}));
    };
    EXPECT_TRUE(inRound(1).contains(QString::fromUtf8("Each goes from rank r to rank r − 2 (modulo 7).")));
}

TEST(Explanation, putsTheSelectedRankFirst) {
    const DrawableRunPtr subject = run("bcast/binomial-tree", 4);
    ViewState state;
    state.rank = engine::Rank{0};
    EXPECT_TRUE(plain(explain(*subject, state)).contains("Rank 0 sends the message to rank "));
    state.rank = engine::Rank{3};
    state.time = {};
    EXPECT_TRUE(plain(explain(*subject, state)).contains("Rank 3 "));
}

TEST(Explanation, knowsOnlyWhatATraceTells) {
    Report report = execute(firstWish());
    report.plan.reset();
    report.verdict.reset();
    const DrawableRun subject{std::move(report)};
    const QString words = plain(explain(subject, {}));
    EXPECT_TRUE(words.contains("not known")) << words.toStdString();
    EXPECT_TRUE(words.contains("64 KiB")) << words.toStdString();
}

/// Four ranks gather by a binomial tree; the file names no problem.
TEST(Explanation, namesTheAlgorithmThatAFileResembles) {
    const std::filesystem::path file = std::filesystem::path{testing::TempDir()} / "explained.goal";
    std::ofstream{file} << "num_ranks 4\n"
                           "rank 0 {\na: send 64b to 2 tag 0\nb: send 64b to 1 tag 0\nb requires a\n}\n"
                           "rank 1 {\na: recv 64b from 0 tag 0\n}\n"
                           "rank 2 {\na: recv 64b from 0 tag 0\nb: send 64b to 3 tag 0\nb requires a\n}\n"
                           "rank 3 {\na: recv 64b from 2 tag 0\n}\n";
    RunWish wish;
    wish.algorithm = file.string();
    const DrawableRun subject{execute(wish)};
    std::filesystem::remove(file);
    const QString words = explain(subject, {});
    EXPECT_TRUE(words.contains("Recognised: bcast/binomial-tree, ")) << words.toStdString();
    EXPECT_TRUE(words.contains("the same messages")) << words.toStdString();
}

}  // namespace
}  // namespace app::gui
