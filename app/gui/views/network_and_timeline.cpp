// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/network_and_timeline.hpp"

#include "app/gui/playback/playback.hpp"
#include "app/gui/scenes/text/card_facts.hpp"
#include "app/gui/views/basic_views.hpp"
#include "app/gui/views/card.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "app/gui/views/overview_panel.hpp"
#include "app/gui/views/program_timeline_panel.hpp"
#include "app/gui/widgets/zero_margin_layout.hpp"

#include <algorithm>

namespace app::gui {
namespace {

// Pixels, with titles.
constexpr int lowPlace = 250;     // in one lower than this they stand side by side
constexpr int widePlace = 420;    // if it is so wide
constexpr int leastNetwork = 76;  // above a diagram of
constexpr int readDiagram = 165;  // with less, the network has no more
constexpr int leastOverTheStrip = 240;
constexpr double networkShare = 0.5;         // of the height
constexpr double networkShareBeside = 0.25;  // of the width
constexpr double mostBeside = 0.4;

}  // namespace

NetworkAndTimeline::NetworkAndTimeline(Playback& playback, NetworkPanel* network, RunTimelinePanel* spaceTime,
                                       OverviewPanel* overview, ProgramTimelinePanel* tracks)
    : playback_{&playback},
      network_{new Card{tr("Network"), network}},
      spaceTime_{spaceTime},
      overview_{overview},
      tracks_{tracks} {
    auto* below = new QWidget;
    QVBoxLayout* rows = columnIn(*below);
    rows->addWidget(spaceTime, 1);
    rows->addWidget(tracks, 1);
    tracks->hide();
    rows->addWidget(overview);
    overTime_ = new Card{tr("Timeline"), below};
    network_->title().follow(playback, roundFact);
    overTime_->title().follow(playback, timeFact);
    connect(&playback, &Playback::sideChanged, this, &NetworkAndTimeline::nameCards);
    addWidget(network_);
    addWidget(overTime_);
    setChildrenCollapsible(false);
    setMinimumWidth(256);
    setOrientation(Qt::Vertical);
    setStretchFactor(1, 1);
    connect(this, &QSplitter::splitterMoved, this, [this] {
        divided_ = true;
        showOverview();
    });
}

void NetworkAndTimeline::nameCards() {
    overTime_->title().setTitle(run().isEmpty() ? tr("Timeline") : run());
    network_->title().setTitle(run().isEmpty() ? tr("Network") : run());
}

const QString& NetworkAndTimeline::run() const { return playback_->side(); }

void NetworkAndTimeline::setAbove(bool above) {
    above_ = above;
    arrange();
}

void NetworkAndTimeline::resizeEvent(QResizeEvent* event) {
    QSplitter::resizeEvent(event);
    arrange();
}

int NetworkAndTimeline::scaled(int pixels) const { return static_cast<int>(pixels * playback_->magnification()); }

void NetworkAndTimeline::arrange() {
    const bool beside = above_ || (height() < scaled(lowPlace) && width() >= scaled(widePlace));
    turn(beside ? Qt::Horizontal : Qt::Vertical);
    if (!divided_ && network_->isVisibleTo(this)) share();
    showOverview();
}

void NetworkAndTimeline::turn(Qt::Orientation way) {
    if (orientation() == way) return;
    divided_ = false;
    setOrientation(way);
}

void NetworkAndTimeline::share() {
    const int room = (orientation() == Qt::Horizontal ? width() : height()) - handleWidth();
    int network = static_cast<int>(room * (above_ ? networkShareBeside : networkShare));
    if (orientation() == Qt::Vertical)
        network = std::min(network, std::max(room - scaled(readDiagram), scaled(leastNetwork)));
    else if (!above_) network = std::min(height(), static_cast<int>(room * mostBeside));
    setSizes({network, room - network});
}

/// The strip stands below the diagram where that has room for both.
void NetworkAndTimeline::showOverview() {
    const int height = orientation() == Qt::Horizontal ? this->height() : sizes().at(1);
    overview_->setVisible(height >= scaled(leastOverTheStrip));
}

QByteArray NetworkAndTimeline::division() const { return divided_ ? saveState() : QByteArray{}; }

void NetworkAndTimeline::divideAs(const QByteArray& division) { divided_ = restoreState(division); }

void NetworkAndTimeline::showProgram(bool shown) {
    program_ = shown;
    showParts();
}

void NetworkAndTimeline::setNetwork(bool room) {
    roomForNetwork_ = room;
    showParts();
}

void NetworkAndTimeline::showParts() {
    network_->setVisible(!program_ && roomForNetwork_);
    spaceTime_->setVisible(!program_);
    tracks_->setVisible(program_);
    arrange();
}

NetworkAndTimeline* otherSide(Playback& other) {
    auto* network = new NetworkPanel{other};
    network->setAccessibleName(NetworkAndTimeline::tr("Network of the second run"));
    auto* spaceTime = new RunTimelinePanel{other};
    spaceTime->setAccessibleName(NetworkAndTimeline::tr("Timeline of the second run"));
    auto* overview = new OverviewPanel{other};
    overview->setAccessibleName(NetworkAndTimeline::tr("Overview of the second run"));
    auto* tracks = new ProgramTimelinePanel{other};
    tracks->setAccessibleName(NetworkAndTimeline::tr("Timeline of the second program"));
    return new NetworkAndTimeline{other, network, spaceTime, overview, tracks};
}

}  // namespace app::gui
