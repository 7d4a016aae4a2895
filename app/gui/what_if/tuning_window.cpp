// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/what_if/tuning_window.hpp"

#include "app/gui/scenes/charts/tuning_map_scene.hpp"
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/tables/table_look.hpp"
#include "engine/base/error.hpp"

#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSplitter>
#include <QToolTip>
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
class TuningWindow::Map final : public QWidget {
public:
    explicit Map(TuningWindow& window) : window_{&window} {
        setFocusPolicy(Qt::StrongFocus);
        setAccessibleName(TuningWindow::tr("Fastest algorithms by collective, ranks and bytes"));
        setMinimumSize(320, 200);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter{this};
        painter.fillRect(rect(), paletteFor(window_->dark_).paper);
        Scene scene = drawn();
        for (const Shape& shape : scene.shapes)
            if (shape.meaning.index == static_cast<std::int64_t>(window_->chosen_) &&
                shape.kind == Shape::Kind::rectangle) {
                Shape frame = shape;
                frame.fill = QColor{};  // {} is Qt::color0, which is white
                frame.hatched = false;
                frame.pen = paletteFor(window_->dark_).accent;
                frame.width = 2.5;
                scene.shapes.push_back(frame);
                break;
            }
        paint(painter, scene);
        setAccessibleDescription(scene.description);
    }
    bool event(QEvent* event) override {
        if (event->type() != QEvent::ToolTip) return QWidget::event(event);
        const auto* help = static_cast<QHelpEvent*>(event);
        const Scene scene = drawn();
        QString tip;
        for (const Shape& shape : scene.shapes)
            if (shape.box.contains(QPointF{help->pos()}) && !shape.tip.isEmpty()) tip = shape.tip;
        if (tip.isEmpty()) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    void mouseReleaseEvent(QMouseEvent* event) override {
        const std::optional<Meaning> meaning = meaningAt(drawn(), event->position());
        if (event->button() == Qt::LeftButton && meaning) window_->choose(static_cast<std::size_t>(meaning->index));
    }
    void keyPressEvent(QKeyEvent* event) override {
        const std::size_t last = window_->cases_.size() - 1;
        if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Down)
            window_->choose(std::min(window_->chosen_ + 1, last));
        else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Up)
            window_->choose(window_->chosen_ > 0 ? window_->chosen_ - 1 : 0);
        else QWidget::keyPressEvent(event);
    }

private:
    [[nodiscard]] Scene drawn() const { return tuningMapScene(window_->cases_, window_->dark_, QSizeF{size()}); }

    TuningWindow* window_;
};

/// Two space-time diagrams, or a sentence.
class TuningWindow::Schedules final : public QWidget {
public:
    explicit Schedules(TuningWindow& window) : window_{&window} {
        setAccessibleName(TuningWindow::tr("Schedules of the two fastest algorithms"));
        setMinimumSize(320, 160);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter{this};
        painter.fillRect(rect(), paletteFor(window_->dark_).paper);
        ViewState state;
        state.dark = window_->dark_;
        const Scene scene = window_->schedules_.empty()
                                ? sorry(window_->why_, window_->dark_, QSizeF{size()})
                                : multiplesScene(window_->schedules_, -1, state, QSizeF{size()});
        paint(painter, scene);
        setAccessibleDescription(scene.description);
    }

private:
    TuningWindow* window_;
};

TuningWindow::TuningWindow(const std::string& path, bool dark, QWidget* parent)
    : QDialog{parent},
      file_{tune::measuredIn(tune::measurementsOf(path).value_or(path))},
      cases_{file_.decisions()},
      dark_{dark},
      title_{new QLabel},
      rows_{new QTableView},
      map_{new Map{*this}},
      pictures_{new Schedules{*this}} {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Tuning of %1").arg(toQt(file_.conditions)));
    title_->setWordWrap(true);
    showRows(*rows_, model_, tr("Measurements of the case"));
    rows_->setSelectionBehavior(QAbstractItemView::SelectRows);
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
    model_.show(tuningTable(one));
    rows_->resizeColumnsToContents();
    QStringList title{toQt(titleOf(one.cell))};
    if (one.checked) title << tr("With the file: %1").arg(toQt(gainWords(*one.checked)));
    if (one.dropInChecked) title << tr("With the drop-in library: %1").arg(toQt(gainWords(*one.dropInChecked)));
    title_->setText(title.join(QStringLiteral(". ")));
    map_->update();
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
    pictures_->update();
    if (wishes.empty()) return worker_.cancel();
    why_ = tr("Running the two fastest algorithms in virtual time...");
    worker_.start(
        [wishes, names](const engine::Progress& progress) -> std::any {
            std::vector<SmallMultiple> runs;
            for (std::size_t i = 0; i < wishes.size(); ++i) {
                progress.at(static_cast<double>(i) / static_cast<double>(wishes.size()));
                runs.push_back({names[i], std::make_shared<const DrawableRun>(execute(wishes[i], progress))});
            }
            return runs;
        },
        [this](const std::any& result) {
            schedules_ = std::any_cast<const std::vector<SmallMultiple>&>(result);
            pictures_->update();
        },
        [this](const QString& sentence) {
            why_ = sentence;
            pictures_->update();
        });
}

}  // namespace app::gui
