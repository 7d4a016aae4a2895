// SPDX-License-Identifier: BSD-3-Clause
// Two runs on one clock and one axis of time: each Playback follows the other, whoever was moved. The second never
// plays by itself. Both are called by what differs between them.
#pragma once

#include "app/gui/playback/playback.hpp"

namespace app::gui {

/// What "the same moment" of two runs is.
enum class Match : std::uint8_t {
    round,  ///< as far into the same round
    time,   ///< as much time since the start
    share,  ///< the same share of the whole run
};

/// The moment of `to` that matches `time` of `from`; within `to`.
engine::Picoseconds matched(const DrawableRun& from, engine::Picoseconds time, const DrawableRun& to, Match match);

class LinkedPlayback final : public QObject {
    Q_OBJECT

public:
    LinkedPlayback(Playback& first, Playback& second);

    [[nodiscard]] Match match() const { return match_; }
    void setMatch(Match match);

    /// Under which name the run is shown that comes next.
    void setFirstName(const QString& name) { firstName_ = name; }
    void setSecondName(const QString& name) { secondName_ = name; }

    /// The run of which something was chosen last; the first one while there is no other.
    [[nodiscard]] Playback& told() const { return *told_; }

Q_SIGNALS:
    void toldChanged();

private:
    void tell(Playback& run);
    void nameSides();
    void shareAxis();
    static void showSame(const Playback& leader, Playback& follower);
    void follow(Playback& leader, Playback& follower);

    Playback* first_;
    Playback* second_;
    Playback* told_ = first_;
    std::array<std::optional<Meaning>, 2> asked_;  // of each, when it was looked at last
    Match match_ = Match::round;
    bool following_ = false;
    QString firstName_;
    QString secondName_;
};

}  // namespace app::gui
