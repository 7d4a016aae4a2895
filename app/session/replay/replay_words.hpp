// SPDX-License-Identifier: BSD-3-Clause
// What a replay came to, in words: of the command line and of the window.
#pragma once

#include "app/session/replay/replay_run.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace app {

/// "2.5% more than recorded", "4 times as long as recorded".
std::string against(engine::Picoseconds time, engine::Picoseconds other, std::string_view what);

/// A share that something is off by: "2.5% more", "1% less", "none".
std::string off(double share);

/// "10 ranks, 12 messages, 1 collective; 3.2 ms".
std::string titleOf(const Replaying& replaying);

/// One thing that there is to say.
struct ReplayFact {
    std::string_view what;  ///< "replayed"
    std::string words;      ///< "3.1 ms, 2.5% less than recorded"
};

/// How the recorded conditions were replayed, with which error; what that is with the changes; and what is sent then.
std::vector<ReplayFact> factsOf(const Replaying& replaying);

/// The last replay beside the one of the recorded conditions, or that one beside the recording: "2.43x faster with the
/// changes: 146 ms instead of 355 ms, both replayed. Changes: without rank 3: main/assemble." `wish` is what was
/// replayed.
std::string resultOf(const Replaying& replaying, const ReplayWish& wish);

/// What ranks wait for forever, in sentences, in the first replay in which any do; empty where both came to their end.
const std::vector<std::string>& stuckIn(const Replaying& replaying);

}  // namespace app
