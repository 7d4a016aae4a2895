// SPDX-License-Identifier: BSD-3-Clause
// The page of a program and its pictures, beside what `open` says of it.
#include "app/analysis/overview/first_page.hpp"
#include "app/gui/gui.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/scene.hpp"
#include "app/gui/scenes/picture/views.hpp"
#include "app/gui/scenes/text/headline.hpp"
#include "engine/base/text.hpp"
#include "tests/app/gui/program_support.hpp"
#include "tests/support/first_page.hpp"
#include "tests/support/programs/late_program.hpp"

#include <gtest/gtest.h>

#include <QByteArray>
#include <QFile>
#include <QRegularExpression>
#include <QString>
#include <QTemporaryDir>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace app::gui::of_programs {
namespace {

using engine::text;

/// As `export` writes it.
QByteArray exported(const analysis::Trace& trace) {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("program.html"));
    writePicture(trace, file.toStdString());
    QFile page{file};
    EXPECT_TRUE(page.open(QIODevice::ReadOnly));
    return page.readAll();
}

/// All that a page says, but for its words at the end, which are those of all pages.
QString saidOn(const QByteArray& html) {
    QString said = QString::fromUtf8(html);
    const qsizetype begin = said.indexOf(QStringLiteral("<section id=\"glossary\">"));
    EXPECT_GT(begin, 0);
    const qsizetype end = said.indexOf(QStringLiteral("</section>"), begin);
    return said.remove(begin, end - begin);
}

/// A program computes between its messages: they do not say when its ranks stand still, or are done.
void expectNothingOfRunsOfOurs(const QString& said, const std::string& where) {
    for (const char* words : {"finished early", "is idle", "are idle", "were idle", "no port moved",
                              "the algorithm behind them is unknown"}) {
        const qsizetype at = said.indexOf(QString::fromUtf8(words), 0, Qt::CaseInsensitive);
        EXPECT_LT(at, 0) << where << ": " << said.mid(std::max<qsizetype>(at - 200, 0), 400).toStdString();
    }
}

TEST(ProgramPictures, sayNothingOfRunsOfOurs) {
    std::mt19937 random{98};
    for (int trial = 0; trial < 6; ++trial) {
        const DrawableRun subject = programSubject(support::lateProgram(random, {.messages = trial % 2 == 0}));
        (void)subject.programmed();
        for (const View& view : views())
            for (const int share : {0, 1, 2}) {
                const Scene scene = view.scene(subject, {.time = subject.run().duration * share / 2}, {1100, 700});
                QString said = scene.description;
                for (const Shape& shape : scene.shapes)
                    said += QStringLiteral("\n%1\n%2\n").arg(shape.text, shape.tip) +
                            tipAt(subject, scene, shape.box.center());
                expectNothingOfRunsOfOurs(said, text(view.name, ' ', trial));
            }
    }
}

TEST(ProgramPage, saysWhatOpenSaysAndNothingOfRunsOfOurs) {
    std::mt19937 random{97};
    int waited = 0;
    for (int trial = 0; trial < 9; ++trial) {
        const auto kept = std::make_shared<const traces::Recording>(
            support::lateProgram(random, {.regions = trial % 3 != 0, .messages = trial % 2 == 0}));
        const analysis::Trace trace{
            .report = analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), .recording = kept};
        const QString said = saidOn(exported(trace));
        expectNothingOfRunsOfOurs(said, text("page ", trial));
        analysis::TraceAnalysis analysis{trace, {}};
        const Headline headline = headlineOf(analysis::TracedProgram{analysis});
        EXPECT_TRUE(said.contains(headline.words().toHtmlEscaped())) << headline.words().toStdString();
        // "Ranks waited in collectives 12.5% of their time (3.1 us in total".
        analysis::TraceAnalysis another{trace, {}};
        static const QRegularExpression onFirstPage{
            QStringLiteral("^Ranks waited [a-z ]*([0-9.]+%) of their time \\(([0-9.]+ \\w+) in total")};
        const auto found = onFirstPage.match(QString::fromStdString(
            support::sentenceOnWaits(support::firstPageInWords(another, analysis::AnalysisUse::pageOnly))));
        if (!found.hasMatch()) continue;
        ++waited;
        const QString time = withMu(found.captured(2));
        EXPECT_TRUE(
            said.contains(QStringLiteral("ranks waited %1 in total, %2 of their time").arg(time, found.captured(1))))
            << found.captured(0).toStdString();
    }
    EXPECT_GT(waited, 5);
}

}  // namespace
}  // namespace app::gui::of_programs
