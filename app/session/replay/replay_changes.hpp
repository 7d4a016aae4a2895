// SPDX-License-Identifier: BSD-3-Clause
// What a replay can change, as words: the flags of `replay`, the form of the window, its sessions, and the command that
// repeats a replay come from here. Conditions are fields of a run (fields.hpp); what else there is stands in a table of
// its own.
#pragma once

#include "app/session/replay/replay_run.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

/// Something of a recorded program, beside its conditions, that can be another way.
struct ReplayChange {
    std::string_view key;      ///< --key
    std::string_view label;    ///< in the window
    std::string_view type;     ///< of the value, in the help; empty for a toggle
    std::string_view help;     ///< of the flag
    std::string_view tip;      ///< in the window
    std::string_view unset{};  ///< what holds when nothing is said, as people say it
    bool several = false;      ///< may be said several times
    bool ofPrograms = true;    ///< means nothing for a run of Collscope
};

/// In the order of the help.
std::span<const ReplayChange> replayChanges();
/// The one with this key, or null.
const ReplayChange* findReplayChange(std::string_view key);
/// The same; it must be there.
const ReplayChange& replayChange(std::string_view key);

/// The fields of a run that a replay takes, by their keys, in the order of the help.
inline constexpr std::array<std::string_view, 15> replayConditions{
    "topology", "placement", "model",   "alpha",  "beta",     "bandwidth",  "gamma",     "loggp",
    "eager",    "ports",     "sharing", "header", "detached", "slow-ranks", "slow-links"};

/// What is said, by the key of what it is about, in the order of the help; a toggle that is on says
/// `fields::toggledOn`.
using ReplayWords = std::vector<std::pair<std::string, std::vector<std::string>>>;

ReplayWords wordsOf(const ReplayWish& wish);
/// Throws Error for keys that a replay does not know.
ReplayWish replayWishFrom(const ReplayWords& words);

/// The command that repeats the replay of `trace`, as a shell takes it.
std::string commandOf(const std::string& trace, const ReplayWish& wish);

/// The delay of a rank in a region or call path, as `--without` takes it out: "rank 3: main/assemble".
std::string delayIn(engine::Rank rank, std::string_view region);

}  // namespace app
