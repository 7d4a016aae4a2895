// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/what_if/algorithm_comparison_panel.hpp"

#include "app/gui/settings/run_settings.hpp"
#include "app/gui/widgets/field.hpp"
#include "app/gui/widgets/zero_margin_layout.hpp"
#include "app/session/options/recorded.hpp"

#include <QHeaderView>
#include <QTableView>

namespace app::gui {
namespace {

constexpr int leastWidth = 140;    // pixels
constexpr int mostOfColumn = 320;  // pixels

}  // namespace

AlgorithmComparisonPanel::AlgorithmComparisonPanel(Playback& playback, QWidget* picture, const Words& words)
    : playback_{&playback},
      rows_{new AnswerTable{words.rows, {}}},
      pages_{new QStackedWidget},
      bar_{new QBoxLayout{QBoxLayout::LeftToRight}},
      run_{new QPushButton{words.run}},
      why_{new QLabel} {
    run_->setAccessibleName(words.runs);
    run_->setToolTip(tr("Other algorithms run with their default options"));
    why_->setWordWrap(true);
    auto* asTable = new QPushButton{words.table};
    asTable->setAccessibleName(tr("As a table"));
    asTable->setCheckable(true);
    auto* progress = new QProgressBar;
    progress->setAccessibleName(tr("Progress of all runs"));
    progress->hide();
    pages_->addWidget(picture);
    pages_->addWidget(rows_);
    bar_->setContentsMargins(4, 2, 4, 2);
    bar_->setSpacing(8);
    bar_->addWidget(run_);
    bar_->addWidget(progress, 1);
    bar_->addWidget(why_, 1);
    bar_->addWidget(asTable);
    QVBoxLayout* column = columnIn(*this);
    column->addLayout(bar_);
    column->addWidget(pages_, 1);
    connect(run_, &QPushButton::clicked, this, [this] { worker_.busy() ? worker_.cancel() : start(); });
    connect(asTable, &QPushButton::toggled, pages_, [this](bool on) { pages_->setCurrentIndex(on ? 1 : 0); });
    connect(&worker_, &Worker::busyChanged, this, [this, progress, words](bool busy) {
        progress->setVisible(busy);
        why_->setVisible(!busy);
        run_->setText(busy ? tr("Cancel") : words.run);
    });
    connect(&worker_, &Worker::progressed, progress,
            [progress](double share) { progress->setValue(static_cast<int>(100 * share)); });
}

QSize AlgorithmComparisonPanel::minimumSizeHint() const { return {leastWidth, QWidget::minimumSizeHint().height()}; }

void AlgorithmComparisonPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    bar_->setDirection(width() < slimForm ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    bar_->setSpacing(width() < slimForm ? 2 : 8);
}

bool AlgorithmComparisonPanel::isKnown() const {
    const DrawableRunPtr& subject = playback_->subject();
    return !subject || wishBehind(subject->report());
}

std::optional<RunWish> AlgorithmComparisonPanel::wishShown() const {
    const DrawableRunPtr& subject = playback_->subject();
    const std::optional<RunWish> wish = subject ? wishBehind(subject->report()) : std::nullopt;
    return wish ? std::optional{unpinned(*wish)} : std::nullopt;
}

void AlgorithmComparisonPanel::refuse(const QString& sentence) { why_->setText(inWords(sentence)); }

void AlgorithmComparisonPanel::fill(Table table, const std::vector<Absent>& absent) {
    QStringList names, reasons;
    rows_->show(std::move(table), mostOfColumn);
    for (const Absent& one : absent) {
        names << one.name;
        if (!one.why.isEmpty()) reasons << one.why;
    }
    why_->setText(names.isEmpty() ? QString{} : tr("Not possible here: %1").arg(names.join(tr(", "))));
    why_->setToolTip(reasons.join(QChar{'\n'}));
}

void AlgorithmComparisonPanel::clear() {
    worker_.cancel();
    fill({}, {});
    run_->setEnabled(isKnown());
    run_->setToolTip(isKnown() ? QString{} : tr("The problem of this run is not known."));
}

}  // namespace app::gui
