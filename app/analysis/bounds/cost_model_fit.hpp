// SPDX-License-Identifier: BSD-3-Clause
// alpha and beta as a trace's own messages show them.
#pragma once

#include "app/analysis/selection/message_subset.hpp"
#include "engine/cost/model.hpp"
#include "engine/run/run.hpp"
#include "traces/recording/recording.hpp"

#include <optional>
#include <string>
#include <vector>

namespace app::analysis {

/// How long a message moved once both of its ranks were in it.
struct Transfer {
    engine::Bytes bytes = 0;
    engine::Picoseconds time{};

    friend auto operator<=>(const Transfer&, const Transfer&) = default;
};

/// The messages of `run` that tell. In traces of calls those whose receiver came late are left out: they had arrived
/// by then, and only their copy was timed.
std::vector<Transfer> transfersOf(const engine::Run& run);
/// The same of these messages of a recording, which need not become a run for that; of those that all have one size a
/// few.
std::vector<Transfer> transfersOf(const traces::Messages& messages, const ChosenMessages& chosen);

/// A line through transfers, t = alpha + beta m, with 95% intervals.
struct Fit {
    engine::Model model;
    engine::Picoseconds alphaLow{};
    engine::Picoseconds alphaHigh{};
    engine::Rate betaLow{};
    engine::Rate betaHigh{};
    std::int64_t samples = 0;
    std::int64_t sizes = 0;  ///< different sizes among them
    double deviation = 0;    ///< median distance of a message's time from the line, as a share of it
};

inline constexpr std::size_t fewestFitted = 4;
/// Theil and Sen's median of slopes (Sen 1968), which up to 29% of stray messages do not disturb; alpha is the median
/// of what the slope leaves. With more than some thousand messages an even sample of each size counts.
/// Nothing, and `why`, when the messages do not determine a line: where there are fewer than fewestFitted, or all have
/// one size.
std::optional<Fit> fitted(std::vector<Transfer> transfers, std::string& why);

/// Why alpha or beta of a fit gives no times: half of the messages are far from the line, or an interval has 0 in it or
/// ends that differ by more than a factor of 3. Empty where the fit is good enough. A parameter that the user gave
/// is not checked.
std::string whyTooUncertain(const Fit& fit, bool alphaGiven, bool betaGiven);

}  // namespace app::analysis
