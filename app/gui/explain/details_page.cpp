// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/explain/details_page.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/text.hpp"

#include <QCoreApplication>

namespace app::gui {

QString detail(const char* words) { return QCoreApplication::translate("Details", words); }

QString inHtml(const std::string& words) { return withMu(QString::fromStdString(words)).toHtmlEscaped(); }

DetailsPage::DetailsPage(QString words, bool dark)
    : heading_{std::move(words)}, muted_{paletteFor(dark).muted.name()} {}

DetailsPage& DetailsPage::row(const QString& question, const QString& answer) {
    if (!answer.isEmpty()) rows_.emplace_back(question, answer);
    return *this;
}

DetailsPage& DetailsPage::row(const QString& question, const QStringList& lines) {
    return row(question, lines.join(QStringLiteral("<br>")));
}

QString DetailsPage::html() const {
    QString rows;
    for (const auto& [question, answer] : rows_)
        rows +=
            QStringLiteral(
                "<tr><td style=\"color:%1; padding-right:10px\">%2</td><td style=\"padding-bottom:5px\">%3</td></tr>")
                .arg(muted_, question, answer);
    return QStringLiteral("<p><b>%1</b></p><table cellspacing=\"0\">%2</table>").arg(heading_, rows);
}

QString cargoLink(const DrawableRun& subject, std::size_t message) {
    const bool known = !subject.cargoOf(message).isEmpty();
    const QString words = known ? subject.cargoInWords(message) : bytesInWords(subject.run().messages.bytes()[message]);
    return QStringLiteral("<a href=\"message:%1\">%2</a>").arg(message).arg(words.toHtmlEscaped());
}

QString linkTo(engine::Rank rank) { return detail("rank <a href=\"rank:%1\">%1</a>").arg(rank.value); }

QString linkToRound(engine::Round round) {
    return detail("round <a href=\"round:%1\">%2</a>").arg(round.value).arg(countInWords(round.value + 1));
}

QString inRound(const DrawableRun& subject, engine::Round round) {
    return subject.hasRounds() ? QStringLiteral(" (%1)").arg(linkToRound(round)) : QString{};
}

QString linkTo(const DrawableRun& subject, std::uint32_t message, engine::Rank seen) {
    const engine::MessageRecord m = subject.run().messages[message];
    return (m.from == seen ? detail("%1 to %2%3") : detail("%1 from %2%3"))
        .arg(cargoLink(subject, message), linkTo(m.from == seen ? m.to : m.from), inRound(subject, m.round));
}

QString linkTo(const DrawableRun& subject, std::uint32_t message) {
    const engine::MessageRecord m = subject.run().messages[message];
    return detail("%1 from %2 to %3%4")
        .arg(cargoLink(subject, message), linkTo(m.from), linkTo(m.to), inRound(subject, m.round));
}

QString linkToBlock(const DrawableRun& subject, std::int32_t block) {
    return QStringLiteral("<a href=\"block:%1\">%2</a>").arg(block).arg(subject.columnName(block).toHtmlEscaped());
}

QString linkTo(const analysis::IdleInterval& still) {
    return detail("<a href=\"still:%1:%2\">%3</a> from %4 on")
        .arg(still.rank.value)
        .arg(still.begin.count())
        .arg(timeInWords(still.time()), timeInWords(still.begin));
}

QString linkToCause(int cause, const QString& words) {
    return QStringLiteral("<a href=\"cause:%1\">%2</a>").arg(cause).arg(words);
}

QStringList fewOf(const QStringList& all, qsizetype most) {
    if (all.size() <= most) return all;
    QStringList few = all.first(most);
    few += detail("and %1 more").arg(countInWords(all.size() - most));
    return few;
}

QString costOf(const Report& report, engine::Bytes bytes) {
    if (!report.model || report.model->logGP) return {};
    const engine::Model& model = *report.model;
    return detail("\u03b1 + \u03b2 m = %1 + %2 \u00d7 %3 = %4")
        .arg(timeInWords(model.alpha), withMu(QString::fromStdString(engine::showRate(model.beta))),
             bytesInWords(bytes), timeInWords(model.message(bytes)));
}

}  // namespace app::gui
