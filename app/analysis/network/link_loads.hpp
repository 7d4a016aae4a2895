// SPDX-License-Identifier: BSD-3-Clause
// Congestion of any run: its messages routed over a network, link by link, round by round, and in windows of time.
#pragma once

#include "emulation/networks/network.hpp"
#include "engine/run/run.hpp"
#include "traces/recording/recording.hpp"

#include <optional>
#include <vector>

namespace app::analysis {

/// A link over the whole run.
struct LinkLoad {
    emulation::LinkId link;
    engine::Bytes bytes = 0;
    std::int64_t messages = 0;
    engine::Round peakRound;      ///< in which it carried most
    engine::Bytes peakBytes = 0;  ///< that much

    friend bool operator==(const LinkLoad&, const LinkLoad&) = default;
};
/// Links that carried anything, the most loaded first.
std::vector<LinkLoad> linkLoads(const engine::Run& run, const emulation::Network& network);

/// The links of one round.
struct RoundLoad {
    engine::Round round;
    std::int64_t links = 0;  ///< that carried anything
    emulation::LinkId worst;
    engine::Bytes bytes = 0;   ///< through the worst
    std::int64_t sharing = 0;  ///< messages through the worst
    engine::Bytes mean = 0;    ///< of the links that carried anything

    friend bool operator==(const RoundLoad&, const RoundLoad&) = default;
};
std::vector<RoundLoad> roundLoads(const engine::Run& run, const emulation::Network& network);

/// The most loaded link of a window of time. A message loads its links evenly from when both its ranks are in it until
/// it is there.
struct WindowLoad {
    engine::Picoseconds begin{};
    engine::Picoseconds end{};
    emulation::LinkId worst;
    engine::Bytes bytes = 0;
    double ofPeak = 0;            ///< share of what the most loaded link of the busiest window carried
    std::optional<double> use{};  ///< share of the link's capacity, where beta is known
    bool hot = false;             ///< at least four fifths of the busiest window

    friend bool operator==(const WindowLoad&, const WindowLoad&) = default;
};
/// `windows` equal parts of `span`, those without traffic left out; what messages move before and after is none.
std::vector<WindowLoad> windowLoads(const engine::Run& run, traces::TimeSpan span, const emulation::Network& network,
                                    std::int64_t windows, std::optional<engine::Rate> beta = {});

}  // namespace app::analysis
