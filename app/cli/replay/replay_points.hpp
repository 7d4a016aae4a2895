// SPDX-License-Identifier: BSD-3-Clause
// The replays of a sweep over a trace: every combination of what its flags say.
#pragma once

#include "app/cli/arguments/arguments.hpp"
#include "app/session/replay/replay_run.hpp"

#include <optional>

namespace app::cli {

/// One replay to be made, with its coordinates as the files of a sweep name them.
struct ReplayPoint {
    ReplayWish wish;
    std::vector<std::string> coordinates;  ///< one word per name of `replayCoordinates`, as said; empty: as recorded
};

/// Names of the coordinates, in the order of the columns.
const std::vector<std::string>& replayCoordinates();

/// What a word of the coordinate `name` comes to as a number: seconds, bytes, or as it stands; nothing for words.
std::optional<double> numberOf(const std::string& name, const std::string& word);

/// The points in the order of the coordinates, the last of which runs fastest. Lists stand where the flag has one value
/// in a replay: --with allreduce=recorded,best,allreduce/ring, --topology full,torus:4x4, --ports 1..4, --compute
/// assemble=0.5,1. What has no list, such as --without, is of all points. Throws Error, also for flags that mean
/// nothing to a trace.
std::vector<ReplayPoint> replayPoints(const Arguments& arguments);

}  // namespace app::cli
