// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/setup/chip_bar.hpp"

#include "app/gui/scenes/drawing/colours.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/style/theme.hpp"
#include "app/gui/widgets/exact_quantity_text.hpp"
#include "app/session/options/recorded.hpp"
#include "app/session/options/run_in_brief.hpp"
#include "traces/recording/training.hpp"

#include <QPainter>

namespace app::gui {
namespace {

constexpr int padding = 9;  // pixels within a chip, at its ends
constexpr int between = 4;  // label and words
constexpr int apart = 6;    // chips

QFont bold(QFont font) {
    font.setBold(true);
    return font;
}

}  // namespace

ChipButton::ChipButton(const QString& label, const QString& words, QWidget* parent)
    : QAbstractButton{parent}, label_{label} {
    setText(words);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

QSize ChipButton::sizeHint() const {
    const int left = label_.isEmpty() ? 0 : fontMetrics().horizontalAdvance(label_) + between;
    return {2 * padding + left + QFontMetrics{bold(font())}.horizontalAdvance(text()), fontMetrics().height() + 8};
}

void ChipButton::paintEvent(QPaintEvent*) {
    const Palette look = paletteFor(isDark(palette()));
    QPainter painter{this};
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF{rect()}.adjusted(0.75, 0.75, -0.75, -0.75);
    painter.setPen(QPen{hasFocus() ? look.highlight : look.hairline, hasFocus() ? 1.5 : 1});
    painter.setBrush(underMouse() ? mixed(look.paper, look.highlight, 0.1) : look.paper);
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
    QRect words = rect().adjusted(padding, 0, -padding, 0);
    painter.setPen(look.muted);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, label_);
    if (!label_.isEmpty()) words.setLeft(words.left() + fontMetrics().horizontalAdvance(label_) + between);
    painter.setFont(bold(font()));
    painter.setPen(look.ink);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, text());
}

void ChipButton::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void ChipButton::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

ChipBar::ChipBar() : more_{new ChipButton{{}, QStringLiteral("+"), this}} {
    setAccessibleName(tr("What is shown"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    more_->hide();
    connect(more_, &ChipButton::clicked, this, [this] { Q_EMIT fieldAsked({}); });
}

void ChipBar::show(const DrawableRunPtr& subject, const QString& name) {
    subject_ = subject;
    name_ = name;
    fill();
}

void ChipBar::setOther(const DrawableRunPtr& other) {
    other_ = other;
    if (subject_) fill();
}

ChipButton* ChipBar::add(const QString& label, const QString& words, const QString& tip) {
    auto* chip = new ChipButton{label, words, this};
    chip->setAccessibleName(label.isEmpty() ? words : label + ' ' + words);
    chip->setToolTip(tip);
    chips_ += chip;
    return chip;
}

void ChipBar::fill() {
    qDeleteAll(chips_);
    chips_.clear();
    const Report& report = subject_->report();
    if (const std::optional<RunWish> wish = wishBehind(report); wish && report.plan) {
        const auto leadTo = [this](ChipButton* chip, const QString& key) {
            connect(chip, &ChipButton::clicked, this, [this, key] { Q_EMIT fieldAsked(key); });
        };
        const QString tip = tr("The algorithm: opens the set-up");
        leadTo(add({}, toQt(report.plan->algorithm->title), tip), {});
        if (other_ && other_->report().plan)
            leadTo(add(tr("against"), toQt(other_->report().plan->algorithm->title), tip), {});
        const engine::Layout& layout = report.plan->problem.layout;
        // With a distribution, the size that was asked for is that of few contributions, or of none.
        const QString sizes = wish->problem.sizes == "regular" || layout.smallest() == layout.largest()
                                  ? QString{}
                                  : tr("%1 to %2").arg(bytesInWords(layout.smallest()), bytesInWords(layout.largest()));
        for (const Chip& chip : chipsOf(*wish, report.plan->problem.collective)) {
            // The wish behind a recorded run has the costs that runs have by default.
            if (!report.model && (chip.field->key == "alpha" || chip.field->key == "beta")) continue;
            emulation::Perturbation only;
            if (chip.field->key == "arrival") only.arrival = wish->perturbation.arrival;
            if (chip.field->key == "slow-ranks") only.slowRanks = wish->perturbation.slowRanks;
            if (chip.field->key == "slow-links") only.slowLinks = wish->perturbation.slowLinks;
            if (const QString words = perturbationInWords(toText(only)); !words.isEmpty()) {
                leadTo(add({}, words, tr("%1: opens the set-up").arg(toQt(std::string{chip.field->label}))),
                       toQt(std::string{chip.field->key}));
                continue;
            }
            leadTo(add(toQt(chip.label),
                       chip.field->key == "size" && !sizes.isEmpty() ? sizes : forPeople(chip.field->kind, chip.words),
                       tr("%1: opens the set-up").arg(toQt(std::string{chip.field->label}))),
                   toQt(std::string{chip.field->key}));
        }
    } else {
        const engine::Run& run = subject_->run();
        const traces::RecordingPtr& recording = subject_->recording();
        const bool training = recording && traces::isTraining(*recording);
        const QString tip = tr("Contents of the trace, in Analysis");
        for (const auto& [label, words] :
             {std::pair{tr("trace"), name_},
              {tr("ranks"), countInWords(run.ranks)},
              training ? std::pair{tr("collectives"),
                                   countInWords(static_cast<std::int64_t>(recording->collectives.instances.size()))}
                       : std::pair{tr("messages"), countInWords(run.messageCount)},
              {tr("took"), timeInWords(run.duration)}})
            if (words != label)  // one whose file nobody named
                connect(add(label, words, tip), &ChipButton::clicked, this, &ChipBar::traceAsked);
    }
    updateGeometry();
    fit();
}

QSize ChipBar::sizeHint() const {
    int width = 0;
    for (const ChipButton* chip : chips_) width += chip->sizeHint().width() + apart;
    return {width, more_->sizeHint().height()};
}

// Where even the count has no room, the transport beside it matters more; View opens the set-up as well.
QSize ChipBar::minimumSizeHint() const { return {0, more_->sizeHint().height()}; }

void ChipBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

// What has no room is counted, never cut.
void ChipBar::fit() {
    qsizetype room = chips_.size();
    const bool all = sizeHint().width() <= width();
    if (!all) {
        more_->setText(QStringLiteral("+%1").arg(chips_.size()));
        int left = width() - more_->sizeHint().width() - apart;
        room = 0;
        while (room < chips_.size() && left >= chips_[room]->sizeHint().width() + apart)
            left -= chips_[room++]->sizeHint().width() + apart;
    }
    int x = 0;
    const auto place = [&](ChipButton* chip) {
        const QSize size = chip->sizeHint();
        chip->setGeometry(x, (height() - size.height()) / 2, size.width(), size.height());
        chip->show();
        x += size.width() + apart;
    };
    for (qsizetype i = 0; i < chips_.size(); ++i) {
        if (i < room) place(chips_[i]);
        else chips_[i]->hide();
    }
    const bool counts = !all && more_->sizeHint().width() <= width();
    more_->setVisible(counts);
    if (!counts) return;
    QStringList hidden;
    for (qsizetype i = room; i < chips_.size(); ++i) hidden << chips_[i]->accessibleName();
    more_->setText(QStringLiteral("+%1").arg(chips_.size() - room));
    more_->setAccessibleName(tr("%1 more").arg(chips_.size() - room));
    more_->setToolTip(hidden.join('\n'));
    place(more_);
}

}  // namespace app::gui
