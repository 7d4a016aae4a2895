// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/what_if/small_multiples_panel.hpp"

#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/settings/run_settings.hpp"
#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace app::gui {

std::vector<SmallMultiple> runAll(const RunWish& wish, QStringList& absent, const engine::Progress& progress) {
    const engine::Algorithm& wished = engine::algorithmNamed(wish.algorithm);
    std::vector<const engine::Algorithm*> all{&wished};
    for (const engine::Algorithm* rival : engine::catalogue())
        if (rival->collective == wished.collective && rival->id != wished.id) all.push_back(rival);
    std::vector<SmallMultiple> runs;
    RunWish here = pinned(wish);
    here.on = "virtual";
    for (std::size_t i = 0; i < all.size(); ++i) {
        progress.at(static_cast<double>(i) / static_cast<double>(all.size()));
        const RunWish each = i == 0 ? here : rivalOf(here, all[i]->id);
        try {
            if (!isSmall(each, makePlan(each))) throw engine::Error{"it has too many messages to be drawn small"};
            runs.push_back({toQt(all[i]->title), std::make_shared<const DrawableRun>(execute(each))});
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
    Picture(MultiplesPanel& panel, const Playback& playback) : panel_{&panel}, playback_{&playback} {
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
        const ViewState& state = playback_->state();
        const QString empty = panel_->isKnown()
                                  ? tr("Run all draws every algorithm for this problem, the fastest first.")
                                  : tr("The problem of this run is not known, nor who else could solve it.");
        scene_ = panel_->runs_.empty() ? sorry(empty, state.dark, QSizeF{size()})
                                       : multiplesScene(panel_->runs_, chosen_, state, QSizeF{size()});
        setAccessibleDescription(scene_.description);
    }

    MultiplesPanel* panel_;
    const Playback* playback_;
    std::ptrdiff_t chosen_ = -1;
    Scene scene_;
};

MultiplesPanel::MultiplesPanel(Playback& playback) : MultiplesPanel{playback, new Picture{*this, playback}} {}

MultiplesPanel::MultiplesPanel(Playback& playback, Picture* picture)
    : AlgorithmComparisonPanel{playback,
                               picture,
                               {.run = tr("Run &all"),
                                .runs = tr("Run all algorithms for this problem"),
                                .table = tr("&Table"),
                                .rows = tr("All algorithms as a table")}},
      picture_{picture} {
    connect(&playback, &Playback::subjectChanged, this, &MultiplesPanel::follow);
}

/// Another problem, other runs.
void MultiplesPanel::follow() {
    clear();
    runs_.clear();
    picture_->begin();
}

void MultiplesPanel::start() {
    const std::optional<RunWish> wish = wishShown();
    if (!wish) return;
    using Made = std::pair<std::vector<SmallMultiple>, QStringList>;
    make(
        [wish = *wish](const engine::Progress& progress) -> std::any {
            Made made;
            made.first = runAll(wish, made.second, progress);
            return made;
        },
        [this](const std::any& result) {
            QStringList absent;
            std::tie(runs_, absent) = std::any_cast<const Made&>(result);
            fill(multiplesTable(runs_), absent);
            picture_->begin();
        });
}

void MultiplesPanel::choose(std::size_t index) {
    const std::string& algorithm = runs_[index].subject->run().setting.algorithm;
    if (playback().subject() && algorithm != playback().subject()->run().setting.algorithm)
        Q_EMIT chosen(toQt(algorithm));
}

}  // namespace app::gui
