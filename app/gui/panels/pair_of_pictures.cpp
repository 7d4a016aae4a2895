// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/panels/pair_of_pictures.hpp"

#include "app/gui/panels/card.hpp"
#include "app/gui/panels/diagram_panel.hpp"
#include "app/gui/panels/overview_panel.hpp"
#include "app/gui/panels/pictures.hpp"
#include "app/gui/panels/tracks_panel.hpp"
#include "app/gui/playback.hpp"
#include "app/gui/scenes/facts.hpp"

#include <QVBoxLayout>

namespace app::gui {

PairOfPictures::PairOfPictures(Playback& playback, NetworkPanel* network, SpaceTimePanel* spaceTime,
                               OverviewPanel* overview, TracksPanel* tracks)
    : playback_{&playback},
      network_{new Card{tr("Network"), network}},
      spaceTime_{spaceTime},
      overview_{overview},
      tracks_{tracks} {
    auto* below = new QWidget;
    auto* rows = new QVBoxLayout{below};
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(spaceTime, 1);
    rows->addWidget(tracks, 1);
    tracks->hide();
    rows->addWidget(overview);
    overTime_ = new Card{tr("Ranks over time"), below};
    network_->title().follow(playback, roundFact);
    overTime_->title().follow(playback, timeFact);
    connect(&playback, &Playback::sideChanged, this, &PairOfPictures::nameCards);
    addWidget(network_);
    addWidget(overTime_);
    setChildrenCollapsible(false);
    setMinimumWidth(256);
    setAbove(false);
}

void PairOfPictures::nameCards() {
    overTime_->title().setTitle(run().isEmpty() ? tr("Ranks over time") : run());
    network_->title().setTitle(run().isEmpty() ? tr("Network") : tr("Network of %1").arg(run()));
}

const QString& PairOfPictures::run() const { return playback_->side(); }

void PairOfPictures::setAbove(bool above) {
    const Qt::Orientation way = above ? Qt::Horizontal : Qt::Vertical;
    if (orientation() == way) return;  // as the user left it
    setOrientation(way);
    setStretchFactor(0, above ? 1 : 11);
    setStretchFactor(1, above ? 3 : 9);
    if (above) setSizes({100, 300});
    else setSizes({110, 90});
}

void PairOfPictures::setRoom(bool network, bool overview) {
    overview_->setVisible(overview);
    roomForNetwork_ = network;
    showParts();
}

void PairOfPictures::showProgram(bool shown) {
    program_ = shown;
    showParts();
}

void PairOfPictures::showParts() {
    network_->setVisible(!program_ && roomForNetwork_);
    spaceTime_->setVisible(!program_);
    tracks_->setVisible(program_);
}

PairOfPictures* otherSide(Playback& other) {
    auto* network = new NetworkPanel{other};
    network->setAccessibleName(PairOfPictures::tr("Network of the second run"));
    auto* spaceTime = new SpaceTimePanel{other};
    spaceTime->setAccessibleName(PairOfPictures::tr("Ranks over time of the second run"));
    auto* overview = new OverviewPanel{other};
    overview->setAccessibleName(PairOfPictures::tr("Overview of the second run"));
    auto* tracks = new TracksPanel{other};
    tracks->setAccessibleName(PairOfPictures::tr("Tracks of the second program"));
    return new PairOfPictures{other, network, spaceTime, overview, tracks};
}

}  // namespace app::gui
