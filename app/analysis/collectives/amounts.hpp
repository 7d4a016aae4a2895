// SPDX-License-Identifier: BSD-3-Clause
// How much each rank contributes to collectives and gets from them, and moves by one-sided communication: a rank that
// receives, or sends, far more than the others makes a collective as slow as its port is.
#pragma once

#include "app/analysis/selection/trace_selection.hpp"
#include "engine/run/executor.hpp"

#include <array>
#include <string>
#include <vector>

namespace app::analysis {

/// What one rank moved in all collectives of one operation on one communicator, its own share included, or at a window.
struct RankAmount {
    engine::Rank rank{};
    std::int64_t calls = 0;
    engine::Bytes sent = 0;
    engine::Bytes received = 0;

    friend bool operator==(const RankAmount&, const RankAmount&) = default;
};
struct Amounts {
    traces::Operation operation = traces::Operation::unknown;
    std::int32_t communicator = 0;
    std::vector<RankAmount> ranks;  ///< by rank

    friend bool operator==(const Amounts&, const Amounts&) = default;
};

/// Of the collectives that move data, the largest amounts first. Throws Cancelled.
std::vector<Amounts> amountsOf(const traces::Recording& recording, const Selection& selection,
                               const engine::Progress& progress = {});

/// Bytes that operations of one kind moved at one window. A target sends what is got from it. Those of an atomic
/// operation, which may return some of them or none, count as sent to it, as in table calls.
struct OneSidedAmounts {
    std::uint32_t window = 0;                           ///< index into Recording::windows
    traces::NoticeKind kind = traces::NoticeKind::put;  ///< put, get or atomic
    std::vector<RankAmount> ranks;                      ///< by rank; calls are those of origins

    friend bool operator==(const OneSidedAmounts&, const OneSidedAmounts&) = default;
};

/// By window and kind; nothing where messages are chosen. Throws Cancelled.
std::vector<OneSidedAmounts> oneSidedAmountsOf(const traces::Recording& recording, const Selection& selection,
                                               const engine::Progress& progress = {});

/// Operations to which ranks may pass different sizes.
inline constexpr std::array unevenOperations{traces::Operation::alltoallv,  traces::Operation::alltoallw,
                                             traces::Operation::scatterv,   traces::Operation::gatherv,
                                             traces::Operation::allgatherv, traces::Operation::reduceScatter};
/// "Rank 1 receives 6.104 MiB per call, the others 3.125 KiB on average, their own blocks included." for operations
/// that allow uneven amounts, where the rank with the most has more than twice the mean of all, and the same of what
/// ranks send; else empty.
std::string unevenWords(const Amounts& amounts);

}  // namespace app::analysis
