// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/what_if/small_multiples_panel.hpp"

#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/settings/run_settings.hpp"
#include "app/gui/widgets/scene_widget.hpp"
#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <QKeyEvent>

#include <algorithm>

namespace app::gui {

std::vector<SmallMultiple> runAll(const RunWish& wish, std::vector<Absent>& absent, const engine::Progress& progress) {
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
            if (!isSmall(each, makePlan(each)))
                throw engine::Error{all[i]->id + ": has too many messages to be drawn small"};
            runs.push_back({toQt(all[i]->title), std::make_shared<const DrawableRun>(execute(each))});
        } catch (const engine::Error& why) {
            absent.push_back({toQt(all[i]->title), toQt(why.what())});
        }
    }
    std::ranges::stable_sort(runs, {}, [](const SmallMultiple& run) { return run.subject->run().duration; });
    return runs;
}

/// The diagrams; the mouse and the keyboard choose one.
class MultiplesPanel::Picture final : public SceneWidget {
public:
    Picture(MultiplesPanel& panel, const Playback& playback)
        : SceneWidget{tr("All algorithms as small diagrams"),
                      {120, 80},
                      [this, &playback](QSizeF size) { return drawn(playback.state(), size); }},
          panel_{&panel} {
        setMouseTracking(true);
        connect(this, &SceneWidget::clicked, this, [this](QPointF at) {
            const std::vector<QRectF> cells = multipleCells(panel_->runs_.size(), QSizeF{size()});
            const auto found = std::ranges::find_if(cells, [&](const QRectF& cell) { return cell.contains(at); });
            if (found != cells.end()) panel_->choose(static_cast<std::size_t>(found - cells.begin()));
        });
    }
    void begin() {
        chosen_ = -1;
        drawAgain();
    }

protected:
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
        drawAgain();
    }

private:
    [[nodiscard]] Scene drawn(const ViewState& state, QSizeF size) const {
        if (panel_->runs_.empty())
            return sorry(panel_->isKnown()
                             ? tr("Run all draws every algorithm for this problem, the fastest first.")
                             : tr("The problem of this run is unknown, so other algorithms cannot be compared."),
                         state.dark, size);
        Scene scene = multiplesScene(panel_->runs_, chosen_, state, size);
        const std::vector<QRectF> cells = multipleCells(panel_->runs_.size(), size);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            Shape& over = scene.shapes.emplace_back();
            over.box = cells[i];
            over.tip = tr("%1: click to compare").arg(panel_->runs_[i].name);
        }
        return scene;
    }

    MultiplesPanel* panel_;
    std::ptrdiff_t chosen_ = -1;
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
    make(
        [wish = *wish](const engine::Progress& progress) {
            std::pair<std::vector<SmallMultiple>, std::vector<Absent>> made;
            made.first = runAll(wish, made.second, progress);
            return made;
        },
        [this](const std::pair<std::vector<SmallMultiple>, std::vector<Absent>>& made) {
            runs_ = made.first;
            fill(multiplesTable(runs_), made.second);
            picture_->begin();
        });
}

void MultiplesPanel::choose(std::size_t index) {
    const std::string& algorithm = runs_[index].subject->run().setting.algorithm;
    if (playback().subject() && algorithm != playback().subject()->run().setting.algorithm)
        Q_EMIT chosen(toQt(algorithm));
}

}  // namespace app::gui
