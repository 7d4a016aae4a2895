// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/what_if/sweep_panel.hpp"

#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/widgets/scene_widget.hpp"
#include "app/session/options/recorded.hpp"

#include <QResizeEvent>
#include <QTimer>

#include <algorithm>

namespace app::gui {

/// The lines themselves.
class SweepPanel::Picture final : public SceneWidget {
public:
    Picture(const Chart& chart, const Playback& playback)
        : SceneWidget{tr("Chart: time against size or ranks"),
                      {120, least},
                      [&chart, &playback](QSizeF size) { return drawn(chart, playback, size); }},
          chart_{&chart} {}

    /// As high as it must be for every line to have its name.
    void fit() {
        setMinimumHeight(std::max(least, static_cast<int>(sweepHeight(*chart_, width()))));
        drawAgain();
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        SceneWidget::resizeEvent(event);
        if (event->size().width() != event->oldSize().width()) fit();
    }

private:
    static constexpr int least = 80;

    static Scene drawn(const Chart& chart, const Playback& playback, QSizeF size) {
        const DrawableRunPtr& subject = playback.subject();
        const bool dark = playback.state().dark;
        if (chart.empty() && subject && !wishBehind(subject->report()))
            return sorry(tr("The problem of this run is unknown, so other algorithms cannot be compared."), dark, size);
        return sweepScene(chart, dark, size);
    }

    const Chart* chart_;
};

SweepPanel::SweepPanel(Playback& playback) : SweepPanel{playback, new Picture{chart_, playback}, new QScrollArea} {}

SweepPanel::SweepPanel(Playback& playback, Picture* picture, QScrollArea* room)
    : AlgorithmComparisonPanel{playback,
                               room,
                               {.run = tr("R&un all"),
                                .runs = tr("Run all algorithms over sizes or ranks"),
                                .table = tr("Ta&ble"),
                                .rows = tr("Time against size or ranks")}},
      picture_{picture},
      room_{room},
      across_{new QComboBox} {
    room->setWidget(picture);
    room->setWidgetResizable(true);
    room->setFrameShape(QFrame::NoFrame);
    room->setFocusPolicy(Qt::NoFocus);
    room->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    room->setMinimumHeight(80);
    across_->setAccessibleName(tr("What varies"));
    across_->addItem(tr("over size"), static_cast<int>(Across::size));
    across_->addItem(tr("over ranks"), static_cast<int>(Across::ranks));
    addFirst(across_);
    connect(across_, &QComboBox::activated, this, &SweepPanel::start);
    connect(&playback, &Playback::subjectChanged, this, &SweepPanel::follow);
}

Across SweepPanel::across() const { return static_cast<Across>(across_->currentData().toInt()); }

/// Another problem, another answer; of one that is asked already the old lines stay until the new ones are there.
void SweepPanel::follow() {
    const DrawableRunPtr& subject = playback().subject();
    const std::string& algorithm = subject ? subject->run().setting.algorithm : std::string{};
    const std::string collective = algorithm.substr(0, algorithm.find('/'));
    if (!chart_.empty() && collective == collective_ && isVisible()) return start();
    clear();
    collective_ = collective;
    chart_ = {};
    picture_->fit();
}

void SweepPanel::markRun() {
    const DrawableRunPtr& subject = playback().subject();
    if (!subject || !subject->problem() || subject->run().setting.on != "virtual") return;
    const double time = engine::seconds(subject->run().duration);
    const double at = across() == Across::ranks ? static_cast<double>(subject->problem()->ranks())
                                                : static_cast<double>(subject->problem()->layout.largest());
    chart_.here = Chart::Mark{at, time, inUnit(time, Unit::seconds)};
}

void SweepPanel::start() {
    const std::optional<RunWish> wish = wishShown();
    if (!wish) return;
    collective_ = wish->algorithm.substr(0, wish->algorithm.find('/'));
    make([wish = *wish, across = across()](
             const engine::Progress& progress) { return sweepAround(wish, across, mostSweepLines, progress); },
         [this](Chart chart) {
             const Chart before = std::exchange(chart_, std::move(chart));
             // The line of the run that is looked at, as it was.
             if (!before.empty() && before.across.name == chart_.across.name &&
                 before.lines.front().points != chart_.lines.front().points)
                 chart_.before.push_back(before.lines.front());
             markRun();
             std::vector<Absent> absent;
             for (const std::string& name : chart_.absent) absent.push_back({QString::fromStdString(name)});
             fill(sweepTable(chart_), absent);
             picture_->fit();
             askForRoom();
             // What stands above may be higher once there is room for it.
             QTimer::singleShot(0, this, &SweepPanel::askForRoom);
         });
}

void SweepPanel::askForRoom() {
    if (const int missing = picture_->minimumHeight() - room_->viewport()->height(); missing > 0)
        Q_EMIT tooLow(missing);
}

}  // namespace app::gui
