// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/two_run_view.hpp"

#include "app/gui/playback/playback.hpp"
#include "app/gui/views/card.hpp"
#include "app/gui/views/network_and_timeline.hpp"
#include "app/gui/widgets/zero_margin_layout.hpp"

#include <QResizeEvent>

namespace app::gui {
namespace {

// Pixels, of which a magnified picture has fewer.
constexpr double wide = 900;     // two runs, and what differs beside or below them
constexpr double high = 520;     // that below two runs with their networks
constexpr double wideRun = 480;  // a network beside a diagram
constexpr int plenty = 10'000;
constexpr double highRun = 115;  // a diagram and its title

}  // namespace

TwoRunView::TwoRunView(const Playback& playback, const Playback& other, NetworkAndTimeline* first,
                       NetworkAndTimeline* second, Card* differences)
    : playback_{&playback},
      first_{first},
      second_{second},
      differences_{differences},
      runs_{new QSplitter{Qt::Horizontal}},
      levels_{new QSplitter{Qt::Vertical}},
      tabs_{new QTabBar} {
    runs_->addWidget(first);
    runs_->addWidget(second);
    levels_->addWidget(runs_);
    levels_->addWidget(differences);
    levels_->setStretchFactor(0, 1);
    for (QSplitter* each : {runs_, levels_}) each->setChildrenCollapsible(false);
    connect(runs_, &QSplitter::splitterMoved, this, [this] { divided_ = true; });
    tabs_->setAccessibleName(tr("Part of the comparison to show"));
    tabs_->setElideMode(Qt::ElideRight);
    tabs_->setUsesScrollButtons(false);
    tabs_->setDrawBase(false);
    connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
        if (index >= 0) show(static_cast<Part>(tabs_->tabData(index).toInt()));
    });
    for (const Playback* each : {&playback, &other}) connect(each, &Playback::sideChanged, this, &TwoRunView::arrange);
    auto* all = new QWidget;
    QVBoxLayout* column = columnIn(*all);
    column->addWidget(tabs_);
    column->addWidget(levels_, 1);
    setWidget(all);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    arrange();
}

void TwoRunView::setSecond(bool there) {
    two_ = there;
    arrange();
}

void TwoRunView::setAbove(bool above) {
    above_ = above;
    arrange();
}

void TwoRunView::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    arrange();
}

void TwoRunView::arrange() {
    two_ ? arrangeTwo(QSizeF{maximumViewportSize()} / playback_->magnification()) : arrangeOne();
}

void TwoRunView::arrangeOne() {
    offer({});
    show(Part::first);
    first_->setAbove(above_);
    first_->setNetwork(true);
    setWays(above_ ? Qt::Vertical : Qt::Horizontal, above_ ? Qt::Horizontal : Qt::Vertical);
}

void TwoRunView::arrangeTwo(QSizeF room) {
    const bool projected = playback_->magnification() > 1;
    const bool above = above_ || projected;
    if (room.width() < wide || room.height() < (above ? 2 * highRun : high)) return arrangeTight(room);
    offer({});
    show(Part::both);
    differences_->show();
    for (NetworkAndTimeline* run : {first_, second_}) {
        run->setAbove(above);
        run->setNetwork(true);
    }
    setWays(above ? Qt::Vertical : Qt::Horizontal, above ? Qt::Horizontal : Qt::Vertical);
}

void TwoRunView::arrangeTight(QSizeF room) {
    const bool projected = playback_->magnification() > 1;
    const double height = projected ? room.height() : room.height() - tabs_->sizeHint().height();
    const bool beside = room.width() >= wide;
    const bool both = projected || beside || height >= 2 * highRun;
    for (NetworkAndTimeline* run : {first_, second_}) {
        run->setAbove(true);
        run->setNetwork(!beside && room.width() >= wideRun);
    }
    setWays(beside && !projected ? Qt::Horizontal : Qt::Vertical, Qt::Vertical);
    if (projected) {
        offer({});
        return show(Part::both);
    }
    if (both) offer({Part::both, Part::differences});
    else offer({Part::first, Part::second, Part::differences});
}

/// The one that is chosen stays so, where it is among them.
void TwoRunView::offer(const QList<Part>& parts) {
    const QVariant chosen = tabs_->tabData(tabs_->currentIndex());
    {
        const QSignalBlocker quiet{tabs_};
        while (tabs_->count() > 0) tabs_->removeTab(0);
        for (const Part part : parts) {
            const int index = tabs_->addTab(name(part));
            tabs_->setTabToolTip(index, name(part));
            tabs_->setTabData(index, static_cast<int>(part));
            if (tabs_->tabData(index) == chosen) tabs_->setCurrentIndex(index);
        }
    }
    tabs_->setVisible(!parts.isEmpty());
    if (!parts.isEmpty()) show(static_cast<Part>(tabs_->tabData(tabs_->currentIndex()).toInt()));
}

void TwoRunView::show(Part part) {
    first_->setVisible(part == Part::both || part == Part::first);
    second_->setVisible(part == Part::both || part == Part::second);
    runs_->setVisible(part != Part::differences);
    differences_->setVisible(part == Part::differences);
    // Of less than there is the one that wants more would get more.
    if (part == Part::both && !divided_) runs_->setSizes({plenty, plenty});
}

QString TwoRunView::name(Part part) const {
    switch (part) {
        case Part::both: return tr("Both runs");
        case Part::first: return first_->run();
        case Part::second: return second_->run();
        case Part::differences: return tr("What differs");
    }
    return {};
}

void TwoRunView::setWays(Qt::Orientation runs, Qt::Orientation levels) {
    if (runs_->orientation() == runs && levels_->orientation() == levels) return;  // as the user left them
    divided_ = divided_ && runs_->orientation() == runs;
    runs_->setOrientation(runs);
    levels_->setOrientation(levels);
    if (levels == Qt::Horizontal) levels_->setSizes({64, 36});
    else levels_->setSizes({70, 30});
}

}  // namespace app::gui
