// SPDX-License-Identifier: BSD-3-Clause
// What call paths and regions took: time, visits, waits, bytes, and how evenly over ranks.
#pragma once

#include "app/analysis/calls/call_paths.hpp"
#include "app/analysis/collectives/collective_instances.hpp"
#include "app/analysis/wait_states/wait_state.hpp"

#include <array>
#include <string>
#include <vector>

namespace app::analysis {

/// How a time is spread over ranks that were recorded.
class AcrossRanks {
public:
    static constexpr std::size_t mostBins = 32;

    /// What one of `ranks` ranks spent, as the one at `place` among them; in any order.
    void add(engine::Rank rank, std::size_t place, std::size_t ranks, engine::Picoseconds time);

    [[nodiscard]] engine::Picoseconds mean() const { return count_ > 0 ? sum_ / count_ : engine::Picoseconds{}; }
    engine::Picoseconds least{};
    engine::Rank leastRank = traces::noRank;  ///< of those alike the first
    engine::Picoseconds most{};
    engine::Rank mostRank = traces::noRank;

    /// A letter for each rank, or for a few together the one that spent most: 9 = the most of all, 0 = below a tenth of
    /// it, . = nothing. Empty for a single rank.
    [[nodiscard]] std::string heat() const;

    friend bool operator==(const AcrossRanks&, const AcrossRanks&) = default;

private:
    std::int64_t count_ = 0;
    engine::Picoseconds sum_{};
    std::array<engine::Picoseconds, mostBins> bins_{};
    std::size_t used_ = 0;
};

/// What was spent in one path or region.
struct Spent {
    std::int64_t visits = 0;
    engine::Picoseconds time{};     ///< in it and in what it called
    engine::Picoseconds own{};      ///< in it alone
    engine::Picoseconds waiting{};  ///< for others, in it and in what it called
    engine::Bytes sent = 0;         ///< likewise; of collectives as recorded
    engine::Bytes received = 0;
    AcrossRanks ranks;  ///< the exclusive time

    friend bool operator==(const Spent&, const Spent&) = default;
};

/// Over the part of `selection`, whose limit on messages does not matter here: calls that overlap it, time within it.
class CallProfile {
public:
    /// `waits`: those of the same selection. Throws Cancelled.
    CallProfile(const CallPaths& paths, const Selection& selection, const std::vector<Wait>& waits,
                const engine::Progress& progress = {});

    /// By path.
    [[nodiscard]] const std::vector<Spent>& paths() const { return paths_; }
    /// By region; what is outside of calls comes last. What a region called itself counts once.
    [[nodiscard]] const std::vector<Spent>& regions() const { return regions_; }
    /// Paths that were visited, each before those below it, among siblings the longest first.
    [[nodiscard]] std::vector<PathId> inOrder() const;

private:
    class Summing;
    void sumUp();

    const CallPaths& tree_;
    std::vector<Spent> paths_;
    std::vector<Spent> regions_;
};

}  // namespace app::analysis
