// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/panels/sweep_panel.hpp"

#include "app/gui/panels/field.hpp"
#include "app/gui/recall.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QHelpEvent>
#include <QPainter>
#include <QTableView>
#include <QToolTip>
#include <QVBoxLayout>

namespace app::gui {

/// The lines themselves.
class SweepPanel::Picture final : public QWidget {
public:
    Picture(const Chart& chart, const Playback& playback) : chart_{&chart}, playback_{&playback} {
        setFocusPolicy(Qt::StrongFocus);
        setAccessibleName(tr("Chart: time against size or ranks"));
        setMinimumSize(120, 80);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter{this};
        painter.fillRect(rect(), palette().color(QPalette::Base));
        const Scene scene = sweepScene(*chart_, playback_->state().dark, QSizeF{size()});
        paint(painter, scene);
        if (scene.description != accessibleDescription()) setAccessibleDescription(scene.description);
        if (!hasFocus()) return;
        painter.setPen(QPen{palette().color(QPalette::Highlight), 2});
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
    bool event(QEvent* event) override {
        if (event->type() != QEvent::ToolTip) return QWidget::event(event);
        const auto* help = static_cast<QHelpEvent*>(event);
        const Scene scene = sweepScene(*chart_, playback_->state().dark, QSizeF{size()});
        const QString tip =
            playback_->subject() ? tipAt(*playback_->subject(), scene, QPointF{help->pos()}) : QString{};
        if (tip.isEmpty()) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }

private:
    const Chart* chart_;
    const Playback* playback_;
};

SweepPanel::SweepPanel(Playback& playback)
    : playback_{&playback},
      picture_{new Picture{chart_, playback}},
      pages_{new QStackedWidget},
      across_{new QComboBox},
      run_{new QPushButton{tr("R&un all")}},
      asTable_{new QPushButton{tr("Ta&ble")}},
      progress_{new QProgressBar},
      why_{new QLabel} {
    run_->setAccessibleName(tr("Run all algorithms over sizes or ranks"));
    across_->setAccessibleName(tr("What varies"));
    across_->addItem(tr("over size"), static_cast<int>(Across::size));
    across_->addItem(tr("over ranks"), static_cast<int>(Across::ranks));
    asTable_->setAccessibleName(tr("Show these times as a table"));
    asTable_->setCheckable(true);
    progress_->setAccessibleName(tr("Progress of all runs"));
    progress_->hide();
    why_->setWordWrap(true);
    auto* rows = new QTableView;
    rows->setModel(&model_);
    rows->setAccessibleName(tr("Time against size or ranks"));
    rows->setEditTriggers(QAbstractItemView::NoEditTriggers);
    rows->setTabKeyNavigation(false);
    rows->verticalHeader()->hide();
    pages_->addWidget(picture_);
    pages_->addWidget(rows);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 4, 2);
    bar->addWidget(across_);
    bar->addWidget(run_);
    bar->addWidget(progress_, 1);
    bar->addWidget(why_, 1);
    bar->addWidget(asTable_);
    auto* column = new QVBoxLayout{this};
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(pages_, 1);
    connect(run_, &QPushButton::clicked, this, [this] { worker_.busy() ? worker_.cancel() : start(); });
    connect(asTable_, &QPushButton::toggled, pages_, [this](bool on) { pages_->setCurrentIndex(on ? 1 : 0); });
    connect(&worker_, &Worker::busyChanged, this, [this](bool busy) {
        progress_->setVisible(busy);
        why_->setVisible(!busy);
        run_->setText(busy ? tr("Cancel") : tr("R&un all"));
    });
    connect(&worker_, &Worker::progressed, this,
            [this](double share) { progress_->setValue(static_cast<int>(100 * share)); });
    connect(across_, &QComboBox::activated, this, &SweepPanel::start);
    connect(&playback, &Playback::subjectChanged, this, &SweepPanel::follow);
}

Across SweepPanel::across() const { return static_cast<Across>(across_->currentData().toInt()); }

/// Another problem, another answer; of one that is asked already the old lines stay until the new ones are there.
void SweepPanel::follow() {
    const SubjectPtr& subject = playback_->subject();
    const std::string& algorithm = subject ? subject->run().setting.algorithm : std::string{};
    const std::string collective = algorithm.substr(0, algorithm.find('/'));
    if (!chart_.empty() && collective == collective_ && isVisible()) return start();
    worker_.cancel();
    collective_ = collective;
    chart_ = {};
    model_.show({});
    why_->clear();
    picture_->update();
}

void SweepPanel::markRun() {
    const SubjectPtr& subject = playback_->subject();
    if (!subject || !subject->problem() || subject->run().setting.on != "virtual") return;
    const double time = engine::seconds(subject->run().duration);
    const double at = across() == Across::ranks ? static_cast<double>(subject->problem()->ranks())
                                                : static_cast<double>(subject->problem()->layout.largest());
    chart_.here = Chart::Mark{at, time, inUnit(time, Unit::seconds)};
}

void SweepPanel::start() {
    const SubjectPtr& subject = playback_->subject();
    const std::optional<RunWish> wish = subject ? wishBehind(subject->report()) : std::nullopt;
    if (!wish) return why_->setText(tr("The problem of this run is not known."));
    collective_ = wish->algorithm.substr(0, wish->algorithm.find('/'));
    worker_.start(
        [wish = unpinned(*wish), across = across()](const engine::Progress& progress) -> std::any {
            return sweepAround(wish, across, mostSweepLines, progress);
        },
        [this](const std::any& result) {
            const Chart before = std::move(chart_);
            chart_ = std::any_cast<Chart>(result);
            // The line of the run that is looked at, as it was.
            if (!before.empty() && before.across.name == chart_.across.name &&
                before.lines.front().points != chart_.lines.front().points)
                chart_.before.push_back(before.lines.front());
            markRun();
            model_.show(sweepTable(chart_));
            QStringList names;
            for (const std::string& name : chart_.absent) names << QString::fromStdString(name);
            why_->setText(names.isEmpty() ? QString{} : tr("Not possible here: %1").arg(names.join(tr(", "))));
            picture_->update();
        },
        [this](const QString& sentence) { why_->setText(inWords(sentence)); });
}

}  // namespace app::gui
