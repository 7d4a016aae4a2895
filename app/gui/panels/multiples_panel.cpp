// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/panels/multiples_panel.hpp"

#include "app/gui/panels/field.hpp"
#include "app/gui/recall.hpp"
#include "app/gui/scenes/chart_frame.hpp"
#include "app/gui/scenes/style.hpp"
#include "app/gui/to_qt.hpp"
#include "app/session/recorded.hpp"
#include "engine/catalogue.hpp"
#include "engine/error.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTableView>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace app::gui {

std::vector<SmallMultiple> runAll(const RunWish& wish, QStringList& absent, const engine::Progress& progress) {
    const engine::Algorithm& wished = engine::algorithmNamed(wish.algorithm);
    std::vector<const engine::Algorithm*> all{&wished};
    for (const engine::Algorithm* rival : engine::catalogue())
        if (rival->collective == wished.collective && rival->id != wished.id) all.push_back(rival);
    std::vector<SmallMultiple> runs;
    for (std::size_t i = 0; i < all.size(); ++i) {
        progress.at(static_cast<double>(i) / static_cast<double>(all.size()));
        RunWish each = i == 0 ? wish : rivalOf(wish, all[i]->id);
        each.on = "virtual";
        try {
            if (!isSmall(each, makePlan(each))) throw engine::Error{"it has too many messages to be drawn small"};
            runs.push_back({toQt(all[i]->title), std::make_shared<const Subject>(execute(each))});
        } catch (const engine::Error&) {
            absent << toQt(all[i]->title);
        }
    }
    std::ranges::stable_sort(runs, {}, [](const SmallMultiple& run) { return run.subject->run().duration; });
    return runs;
}

/// The diagrams; the mouse and the keyboard choose one.
class MultiplesPanel::Picture final : public QWidget {
public:
    explicit Picture(MultiplesPanel& panel) : panel_{&panel} {
        setFocusPolicy(Qt::StrongFocus);
        setAccessibleName(tr("All algorithms as small diagrams"));
        setMinimumSize(120, 80);
        setMouseTracking(true);
    }
    void begin() {
        chosen_ = -1;
        scene_.shapes.clear();
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter{this};
        painter.fillRect(rect(), palette().color(QPalette::Base));
        refresh();
        paint(painter, scene_);
        if (!hasFocus()) return;
        painter.setPen(QPen{palette().color(QPalette::Highlight), 2});
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
    bool event(QEvent* event) override {
        if (event->type() == QEvent::PaletteChange) scene_.shapes.clear();
        if (event->type() != QEvent::ToolTip || panel_->runs_.empty()) return QWidget::event(event);
        const auto* help = static_cast<QHelpEvent*>(event);
        refresh();
        const std::ptrdiff_t index = indexAt(QPointF{help->pos()});
        if (index < 0) QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(),
                               tr("%1: click to compare").arg(panel_->runs_[static_cast<std::size_t>(index)].name),
                               this);
        return true;
    }
    void resizeEvent(QResizeEvent*) override { scene_.shapes.clear(); }
    void mouseReleaseEvent(QMouseEvent* event) override {
        const std::ptrdiff_t index = indexAt(event->position());
        if (event->button() == Qt::LeftButton && index >= 0) panel_->choose(static_cast<std::size_t>(index));
    }
    void keyPressEvent(QKeyEvent* event) override {
        const auto count = static_cast<std::ptrdiff_t>(panel_->runs_.size());
        if (count == 0) return QWidget::keyPressEvent(event);
        switch (event->key()) {
            case Qt::Key_Down: chosen_ = std::min(chosen_ + 1, count - 1); break;
            case Qt::Key_Up: chosen_ = std::max<std::ptrdiff_t>(chosen_ - 1, 0); break;
            case Qt::Key_Return:
            case Qt::Key_Enter:
                if (chosen_ >= 0) panel_->choose(static_cast<std::size_t>(chosen_));
                return;
            default: return QWidget::keyPressEvent(event);
        }
        scene_.shapes.clear();
        update();
    }

private:
    [[nodiscard]] std::ptrdiff_t indexAt(QPointF at) const {
        const std::vector<QRectF> cells = multipleCells(panel_->runs_.size(), QSizeF{size()});
        const auto found = std::ranges::find_if(cells, [&](const QRectF& cell) { return cell.contains(at); });
        return found == cells.end() ? -1 : found - cells.begin();
    }
    void refresh() {
        if (!scene_.shapes.empty()) return;
        const ViewState& state = panel_->playback_->state();
        scene_ = panel_->runs_.empty() ? sorry(tr("Run all draws every algorithm for this problem, the fastest first."),
                                               state.dark, QSizeF{size()})
                                       : multiplesScene(panel_->runs_, chosen_, state, QSizeF{size()});
        setAccessibleDescription(scene_.description);
    }

    MultiplesPanel* panel_;
    std::ptrdiff_t chosen_ = -1;
    Scene scene_;
};

MultiplesPanel::MultiplesPanel(Playback& playback)
    : playback_{&playback},
      picture_{new Picture{*this}},
      pages_{new QStackedWidget},
      run_{new QPushButton{tr("Run &all")}},
      asTable_{new QPushButton{tr("&Table")}},
      progress_{new QProgressBar},
      why_{new QLabel} {
    run_->setAccessibleName(tr("Run all algorithms for this problem"));
    asTable_->setAccessibleName(tr("Show all algorithms as a table"));
    asTable_->setCheckable(true);
    auto* rows = new QTableView;
    rows->setModel(&model_);
    rows->setAccessibleName(tr("All algorithms as a table"));
    rows->setEditTriggers(QAbstractItemView::NoEditTriggers);
    rows->setTabKeyNavigation(false);
    rows->verticalHeader()->hide();
    pages_->addWidget(picture_);
    pages_->addWidget(rows);
    progress_->setAccessibleName(tr("Progress of all algorithms"));
    progress_->hide();
    why_->setWordWrap(true);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 4, 2);
    bar->addWidget(run_);
    bar->addWidget(progress_, 1);
    bar->addWidget(why_, 1);
    bar->addWidget(asTable_);
    auto* column = new QVBoxLayout{this};
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(pages_, 1);
    connect(asTable_, &QPushButton::toggled, pages_, [this](bool on) { pages_->setCurrentIndex(on ? 1 : 0); });
    connect(run_, &QPushButton::clicked, this, [this] { worker_.busy() ? worker_.cancel() : start(); });
    connect(&worker_, &Worker::busyChanged, this, [this](bool busy) {
        progress_->setVisible(busy);
        why_->setVisible(!busy);
        run_->setText(busy ? tr("Cancel") : tr("Run &all"));
    });
    connect(&worker_, &Worker::progressed, this,
            [this](double share) { progress_->setValue(static_cast<int>(100 * share)); });
    connect(&playback, &Playback::subjectChanged, this, &MultiplesPanel::follow);
}

/// Another problem, other runs.
void MultiplesPanel::follow() {
    worker_.cancel();
    runs_.clear();
    why_->clear();
    model_.show({});
    picture_->begin();
}

void MultiplesPanel::start() {
    const SubjectPtr& subject = playback_->subject();
    const std::optional<RunWish> wish = subject ? wishBehind(subject->report()) : std::nullopt;
    if (!wish) return why_->setText(tr("The problem of this run is not known."));
    using Made = std::pair<std::vector<SmallMultiple>, QStringList>;
    worker_.start(
        [wish = unpinned(*wish)](const engine::Progress& progress) -> std::any {
            Made made;
            made.first = runAll(wish, made.second, progress);
            return made;
        },
        [this](const std::any& result) {
            QStringList absent;
            std::tie(runs_, absent) = std::any_cast<const Made&>(result);
            why_->setText(absent.isEmpty() ? QString{} : tr("Not possible here: %1").arg(absent.join(tr(", "))));
            model_.show(multiplesTable(runs_));
            picture_->begin();
        },
        [this](const QString& sentence) { why_->setText(inWords(sentence)); });
}

void MultiplesPanel::choose(std::size_t index) {
    const std::string& algorithm = runs_[index].subject->run().setting.algorithm;
    if (playback_->subject() && algorithm != playback_->subject()->run().setting.algorithm)
        Q_EMIT chosen(toQt(algorithm));
}

}  // namespace app::gui
