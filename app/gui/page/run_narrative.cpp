// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/page/run_narrative.hpp"

#include "app/gui/explain/details_page.hpp"
#include "app/gui/explain/explanation.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/headline.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/teaching/teaching.hpp"

#include <algorithm>

namespace app::gui::page {
namespace {

constexpr std::int64_t mostTold = 60;         // rounds
constexpr qsizetype mostOfParts = 400 << 10;  // bytes
constexpr std::int64_t mostParts = 64;        // ranks, and blocks
constexpr std::size_t mostListed = 2000;      // rows

QByteArray cardOf(const QByteArray& id, const DetailsPage& page) {
    QByteArray html = "<section class=\"card\" id=\"" + id + "\"><h3>" + linked(page.heading()) + "</h3><dl>";
    for (const auto& [question, answer] : page.rows())
        html += "<dt>" + linked(question) + "</dt><dd>" + linked(answer) + "</dd>";
    return html + "</dl></section>\n";
}

template <class Page>
QByteArray cardsOf(const QByteArray& kind, const QString& heading, std::int64_t all, Page page) {
    if (all == 0) return {};
    QByteArray html = "<section id=\"" + kind + "s\"><h2>" + escaped(heading) + "</h2><div class=\"cards\">";
    std::int64_t told = 0;
    for (; told < std::min(all, mostParts) && html.size() < mostOfParts; ++told)
        html += cardOf(kind + '=' + QByteArray::number(static_cast<qlonglong>(told)),
                       page(static_cast<std::int32_t>(told)));
    html += "</div>";
    if (all > told)
        html += "<p class=\"quiet\">" + escaped(countInWords(all - told)) + " more are not in this file.</p>";
    return html + "</section>\n";
}

}  // namespace

std::vector<engine::Round> toldRounds(const engine::Run& run) {
    std::vector<engine::Round> told;
    const std::int64_t count = std::min(run.rounds, mostTold);
    for (std::int64_t i = 0; i < count; ++i) told.emplace_back(i * run.rounds / count);
    return told;
}

std::vector<engine::Picoseconds> toldMoments(const DrawableRun& subject) {
    std::vector<engine::Picoseconds> moments{engine::Picoseconds{}, subject.run().duration};
    for (const engine::Round round : toldRounds(subject.run()))
        moments.push_back(momentOf({.where = Stop::Where::middle, .round = round}, subject));
    return moments;
}

Chapter storyOfRun(const Footage& footage, std::size_t number) {
    const DrawableRun& subject = footage.subject();
    const engine::Run& run = subject.run();
    Chapter chapter{"story-of-the-run", QStringLiteral("The run"), {}, {}, {}};
    const QString begin = QStringLiteral("<p>%1</p>")
                              .arg((titleOf(subject) + QStringLiteral(". ") + subtitleOf(subject)).toHtmlEscaped());
    chapter.steps.push_back(
        {.id = "moment=begin",
         .heading = subject.hasRounds() ? QStringLiteral("Before round 1") : QStringLiteral("Before it"),
         .html = (begin + algorithmInWords(subject.report())).toUtf8(),
         .run = number});
    const std::vector<engine::Round> told = toldRounds(run);
    for (const engine::Round round : told) {
        const std::size_t shot = footage.shotAt(momentOf({.where = Stop::Where::middle, .round = round}, subject));
        const QString heading =
            subject.hasRounds()
                ? QStringLiteral("Round %1 of %2").arg(countInWords(round.value + 1), countInWords(run.rounds))
                : QStringLiteral("All messages");
        QString words = explainedRoundInWords(subject, footage.shots()[shot]);
        // The heading says it already.
        const QString said = QStringLiteral("<b>%1</b>").arg(heading);
        words.remove(said + QStringLiteral(" &middot; ")).remove(said).remove(QStringLiteral("<p></p>"));
        chapter.steps.push_back({.id = "round=" + QByteArray::number(static_cast<qlonglong>(round.value + 1)),
                                 .heading = heading,
                                 .html = linked(words),
                                 .run = number,
                                 .shot = shot});
    }
    const Headline headline = headlineOf(subject);
    QString end = QStringLiteral("<p>%1.</p>").arg(headline.result.toHtmlEscaped());
    if (!headline.better.isEmpty()) end += QStringLiteral("<p>%1.</p>").arg(headline.better.toHtmlEscaped());
    if (static_cast<std::int64_t>(told.size()) < run.rounds)
        end += QStringLiteral(
                   "<p class=\"quiet\">%1 of %2 rounds are described here; the pictures show the others, too.</p>")
                   .arg(countInWords(static_cast<std::int64_t>(told.size())), countInWords(run.rounds));
    if (!areLit(subject))
        end += QStringLiteral(
                   "<p class=\"quiet\">Of %1 messages none are lit when a rank or a block is chosen: this file "
                   "has no room for the list.</p>")
                   .arg(countInWords(static_cast<std::int64_t>(run.messages.size())));
    chapter.steps.push_back({.id = "moment=end",
                             .heading = QStringLiteral("The end"),
                             .html = (end + verdictInWords(subject.report())).toUtf8(),
                             .run = number,
                             .shot = footage.shotAt(run.duration)});
    return chapter;
}

QByteArray partsOf(const DrawableRun& subject) {
    QByteArray html = cardsOf("rank", QStringLiteral("Every rank"), subject.run().ranks,
                              [&](std::int32_t rank) { return pageOfRank(subject, engine::Rank{rank}, false); });
    html += cardsOf("block",
                    QStringLiteral("The route of every %1").arg(QString::fromStdString(subject.columns().singular())),
                    subject.columns().count(), [&](std::int32_t block) { return pageOfBlock(subject, block, false); });
    const Table messages = runTimelineTable(subject, {});
    if (messages.rows.empty()) return html;
    return html + "<section id=\"messages\"><h2>All messages</h2>" +
           tableOf(messages, QStringLiteral("All messages"), mostListed, "message") + "</section>\n";
}

}  // namespace app::gui::page
