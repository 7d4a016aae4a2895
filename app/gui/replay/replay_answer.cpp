// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/replay/replay_answer.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/style/theme.hpp"
#include "app/gui/tables/table_look.hpp"
#include "app/gui/widgets/field.hpp"
#include "app/gui/widgets/zero_margin_layout.hpp"
#include "app/session/replay/replay_words.hpp"

#include <QEvent>

#include <algorithm>

namespace app::gui {
namespace {

constexpr int lowAnswer = 240;    // pixels
constexpr int widestWords = 260;  // pixels of a column; longer words are in the tip

QString escapedWords(const QString& words) { return withMu(words).toHtmlEscaped(); }

/// Renames columns as the activities are named: elsewhere, waiting is more than waiting for messages.
engine::Table calledAsActivities(engine::Table ranks) {
    for (engine::Column& column : ranks.columns) {
        if (column.name == "waiting_s") column.name = "waiting_for_messages_s";
        if (column.name == "moving_s") column.name = "message_transfer_s";
    }
    return ranks;
}

QString coloured(const QString& html, const QColor& colour) {
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), html);
}

/// Cells as the tables of answers show them.
QString htmlOfTable(const engine::Table& table, const QColor& quiet) {
    const auto cell = [](const QString& html, bool words) {
        // Numbers and their headings are not broken; words are, between them.
        return QStringLiteral("<td align='%1' style='padding:1px 8px 1px 0; white-space:%2'>%3</td>")
            .arg(words ? QStringLiteral("left") : QStringLiteral("right"),
                 words ? QStringLiteral("normal") : QStringLiteral("nowrap"), html);
    };
    const auto isText = [&](std::size_t column) { return table.columns[column].content == engine::Content::words; };
    QString html = QStringLiteral("<table cellspacing='0'><tr>");
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        html += cell(coloured(escapedWords(toQt(analysis::heading(table.columns[i]))), quiet), isText(i));
    html += QStringLiteral("</tr>");
    for (const std::vector<engine::Cell>& row : table.rows) {
        html += QStringLiteral("<tr>");
        for (std::size_t i = 0; i < row.size(); ++i)
            html += cell(escapedWords(toQt(analysis::shown(row[i], table.columns[i].content))), isText(i));
        html += QStringLiteral("</tr>");
    }
    return html + QStringLiteral("</table>");
}

}  // namespace

ReplayAnswer::ReplayAnswer()
    : tabs_{new QTabBar},
      pages_{new QStackedWidget},
      page_{new QTextBrowser},
      rows_{new AnswerTable{tr("Table of the replay"), tr("A row about a rank selects it.")}},
      remarks_{new QLabel} {
    tabs_->setAccessibleName(tr("Tables of the replay"));
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setElideMode(Qt::ElideNone);
    for (const QString& title : {tr("Summary"), tr("Collectives"), tr("Ranks")}) tabs_->addTab(title);
    page_->setAccessibleName(tr("Result of the replay"));
    page_->setFrameShape(QFrame::NoFrame);
    page_->document()->setDocumentMargin(8);
    rows_->setSelectionMode(QAbstractItemView::SingleSelection);
    remarks_->setWordWrap(true);
    remarks_->setContentsMargins(8, 2, 8, 2);
    remarks_->setAccessibleName(tr("Remarks on the table"));
    auto* behind = new QWidget;
    QVBoxLayout* lines = columnIn(*behind);
    lines->addWidget(rows_, 1);
    lines->addWidget(remarks_);
    pages_->addWidget(page_);
    pages_->addWidget(behind);
    QVBoxLayout* column = columnIn(*this);
    column->addWidget(tabs_);
    column->addWidget(pages_, 1);
    connect(tabs_, &QTabBar::currentChanged, this, &ReplayAnswer::turn);
    connect(rows_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!index.isValid() || table().columns.front().content != engine::Content::rank) return;
        const auto row = rows_->rowOf(index);
        if (const auto* rank = std::get_if<std::int64_t>(&table().rows[row].front()))
            Q_EMIT rankChosen(engine::Rank{static_cast<std::int32_t>(*rank)});
    });
    clear();
}

void ReplayAnswer::show(const Replaying& replaying) {
    title_ = toQt(titleOf(replaying));
    facts_.clear();
    for (const ReplayFact& fact : factsOf(replaying)) facts_.emplace_back(toQt(fact.what), toQt(fact.words));
    stuck_.clear();
    for (const std::string& sentence : stuckIn(replaying)) stuck_ += inWords(toQt(sentence));
    more_.clear();
    for (const std::string& remark : replaying.remarks) more_ += inWords(toQt(remark));
    tables_ = {replaying.activities, replaying.algorithms, calledAsActivities(replaying.perRank)};
    for (int tab = 0; tab < tabs_->count(); ++tab)
        tabs_->setTabEnabled(tab, tab == 0 || !tables_[static_cast<std::size_t>(tab)].rows.empty());
    turn(tabs_->currentIndex());
}

void ReplayAnswer::clear(const QString& sentence) {
    title_.clear();
    facts_.clear();
    stuck_.clear();
    more_ = sentence.isEmpty() ? QStringList{} : QStringList{sentence};
    tables_.assign(static_cast<std::size_t>(tabs_->count()), {});
    tabs_->setCurrentIndex(0);
    for (int tab = 1; tab < tabs_->count(); ++tab) tabs_->setTabEnabled(tab, false);
    turn(0);
}

void ReplayAnswer::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    rows_->fitRows(height() < lowAnswer);
    fitRemarks();
}

/// Rows are what one looks for: remarks that have no room below them end in dots, or stand in the tip of the tab alone.
void ReplayAnswer::fitRemarks() {
    const bool inSight = pages_->currentIndex() == 1;
    pages_->setMinimumHeight(inSight ? rows_->minimumHeight() : 0);
    const QString words = remarks_->accessibleDescription();
    const QMargins around = remarks_->contentsMargins();
    const QFontMetrics letters = remarks_->fontMetrics();
    const int wide = width() - around.left() - around.right();
    const int left = height() - tabs_->sizeHint().height() - rows_->minimumHeight() - around.top() - around.bottom();
    const bool fits = letters.boundingRect(QRect{0, 0, wide, height()}, Qt::TextWordWrap, words).height() <= left;
    remarks_->setWordWrap(fits);
    remarks_->setText(fits ? words : letters.elidedText(QString{words}.replace('\n', ' '), Qt::ElideRight, wide));
    remarks_->setVisible(!words.isEmpty() && (fits || letters.height() <= left));
    remarks_->setToolTip(fits ? QString{} : words);
    tabs_->setTabToolTip(tabs_->currentIndex(), inSight ? words : QString{});
}

void ReplayAnswer::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !tables_.empty()) write();
}

void ReplayAnswer::turn(int page) {
    const engine::Table& table = tables_[static_cast<std::size_t>(page)];
    rows_->show(table, widestWords);
    pages_->setCurrentIndex(page == 0 ? 0 : 1);
    fitRemarks();
    if (page == 0) return write();
    rows_->sortByColumn(-1, Qt::AscendingOrder);
    QStringList remarks;
    for (const std::string& remark : table.remarks) remarks += inWords(toQt(remark));
    remarks_->setAccessibleDescription(remarks.join('\n'));
    fitRemarks();
}

void ReplayAnswer::write() {
    const Palette look = paletteFor(isDark(palette()));
    QString html;
    for (const QString& sentence : stuck_) html += "<p>" + coloured(escapedWords(sentence), look.wrong) + "</p>";
    if (!title_.isEmpty()) {
        html += "<p><b>" + escapedWords(title_) + "</b></p><table cellspacing='0'>";
        for (const auto& [what, words] : facts_)
            html += QStringLiteral("<tr><td style='padding:1px 10px 1px 0'>%1</td><td>%2</td></tr>")
                        .arg(coloured(escapedWords(what), look.muted), escapedWords(words));
        html += "</table>";
    }
    const engine::Table& activities = tables_.front();
    if (!activities.rows.empty())
        html += "<p>" + coloured(escapedWords(toQt(activities.title)), look.muted) + "</p>" +
                htmlOfTable(activities, look.muted);
    for (const QString& remark : more_) html += "<p>" + coloured(escapedWords(remark), look.muted) + "</p>";
    page_->setHtml(html);
}

}  // namespace app::gui
