// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/what_if/tuning_window.hpp"

#include "app/gui/scenes/charts/tuning_map_scene.hpp"
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "engine/base/error.hpp"

#include <QHeaderView>
#include <QKeyEvent>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace app::gui {
namespace {

constexpr std::size_t shownSchedules = 2;

/// The candidates that were measured, the fastest first.
std::vector<std::size_t> bySpeed(const tune::Tuned& one) {
    std::vector<std::size_t> all;
    for (std::size_t k = 1; k < one.tried.size(); ++k)
        if (one.tried[k].gain) all.push_back(k);
    std::ranges::stable_sort(all, std::ranges::greater{}, [&](std::size_t k) { return one.tried[k].gain->median; });
    return all;
}

}  // namespace

/// The cells; the mouse and the keyboard choose one.
class TuningWindow::Map final : public SceneWidget {
public:
    explicit Map(TuningWindow& window)
        : SceneWidget{TuningWindow::tr("Fastest algorithms by collective, ranks and bytes"),
                      {320, 200},
                      [this](QSizeF size) { return drawn(size); }},
          window_{&window} {
        connect(this, &SceneWidget::clicked, this, [this](QPointF at) {
            if (const std::optional<Meaning> meaning = meaningAt(scene(), at))
                window_->choose(static_cast<std::size_t>(meaning->index));
        });
    }

protected:
    void keyPressEvent(QKeyEvent* event) override {
        const std::size_t last = window_->cases_.size() - 1;
        if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Down)
            window_->choose(std::min(window_->chosen_ + 1, last));
        else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Up)
            window_->choose(window_->chosen_ > 0 ? window_->chosen_ - 1 : 0);
        else QWidget::keyPressEvent(event);
    }

private:
    /// With a frame around the cell that is chosen.
    [[nodiscard]] Scene drawn(QSizeF size) const {
        Scene scene = tuningMapScene(window_->cases_, window_->dark_, size);
        const auto chosen = std::ranges::find_if(scene.shapes, [this](const Shape& shape) {
            return shape.kind == Shape::Kind::rectangle &&
                   shape.meaning.index == static_cast<std::int64_t>(window_->chosen_);
        });
        if (chosen == scene.shapes.end()) return scene;
        Shape frame = *chosen;
        frame.fill = QColor{};  // {} is Qt::color0, which is white
        frame.hatched = false;
        frame.pen = paletteFor(window_->dark_).accent;
        frame.width = 2.5;
        scene.shapes.push_back(frame);
        return scene;
    }

    TuningWindow* window_;
};

TuningWindow::TuningWindow(const std::string& path, bool dark, QWidget* parent)
    : QDialog{parent},
      file_{tune::measuredIn(tune::measurementsOf(path).value_or(path))},
      cases_{file_.decisions()},
      dark_{dark},
      title_{new QLabel},
      rows_{new AnswerTable{tr("Measurements of the case"), {}}},
      map_{new Map{*this}},
      pictures_{new SceneWidget{tr("Schedules of the two fastest algorithms"), {320, 160}, [this](QSizeF size) {
                                    if (schedules_.empty()) return sorry(why_, dark_, size);
                                    ViewState state;
                                    state.dark = dark_;
                                    return multiplesScene(schedules_, -1, state, size);
                                }}} {
    pictures_->setFocusPolicy(Qt::NoFocus);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Tuning of %1").arg(toQt(file_.conditions)));
    title_->setWordWrap(true);
    rows_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    rows_->horizontalHeader()->setStretchLastSection(true);
    auto* split = new QSplitter{Qt::Vertical};
    for (QWidget* part : std::initializer_list<QWidget*>{map_, rows_, pictures_}) split->addWidget(part);
    split->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout{this};
    column->addWidget(title_);
    column->addWidget(split, 1);
    resize(900, 800);
    std::size_t first = 0;
    for (std::size_t i = cases_.size(); i-- > 0;)
        if (cases_[i].hasRule(cases_[i].shown())) first = i;
    choose(first);
}

void TuningWindow::choose(std::size_t index) {
    if (index >= cases_.size()) return;
    chosen_ = index;
    const tune::Tuned& one = cases_[index];
    rows_->show(tuningTable(one), width());
    QStringList title{toQt(titleOf(one.cell))};
    if (one.checked) title << tr("With the file: %1").arg(toQt(gainWords(*one.checked)));
    if (one.dropInChecked) title << tr("With the drop-in library: %1").arg(toQt(gainWords(*one.dropInChecked)));
    title_->setText(title.join(QStringLiteral(". ")));
    map_->drawAgain();
    runFastest();
}

void TuningWindow::runFastest() {
    const tune::Tuned& one = cases_[chosen_];
    std::vector<RunWish> wishes;
    std::vector<QString> names;
    QStringList unknown;
    for (const std::size_t k : bySpeed(one)) {
        if (names.size() == shownSchedules) break;
        const tune::Candidate& candidate = one.cell.candidates[k];
        std::optional<RunWish> wish = runOf(one.cell, candidate, file_.library());
        if (!wish) {
            unknown << toQt(candidate.name);
            continue;
        }
        if (file_.model) wish->model = *file_.model;
        wishes.push_back(std::move(*wish));
        names.push_back(toQt(toText(candidate)));
    }
    schedules_.clear();
    why_ = unknown.isEmpty() ? tr("No other algorithm was measured.")
                             : tr("The catalogue has no schedule of %1.").arg(unknown.join(QStringLiteral(", ")));
    pictures_->drawAgain();
    if (wishes.empty()) return worker_.cancel();
    why_ = tr("Running the two fastest algorithms in virtual time...");
    worker_.start(
        [wishes, names](const engine::Progress& progress) {
            std::vector<SmallMultiple> runs;
            for (std::size_t i = 0; i < wishes.size(); ++i) {
                progress.at(static_cast<double>(i) / static_cast<double>(wishes.size()));
                runs.push_back({names[i], std::make_shared<const DrawableRun>(execute(wishes[i], progress))});
            }
            return runs;
        },
        [this](std::vector<SmallMultiple> runs) {
            schedules_ = std::move(runs);
            pictures_->drawAgain();
        },
        [this](const QString& sentence) {
            why_ = sentence;
            pictures_->drawAgain();
        });
}

}  // namespace app::gui
