// SPDX-License-Identifier: BSD-3-Clause
// Schedules that were found beside the catalogue's, under one model: which of them costs least at which message size.
#pragma once

#include "app/session/proofs/search_network.hpp"
#include "app/session/sweep/chart.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace app {

/// A schedule, and its cost over the size m of a contribution: steps alpha + share beta m.
struct CostLine {
    std::string name{};
    std::int64_t steps = 0;
    double share = 0;  ///< contributions that the most loaded lane of each step carries, added up over all steps
    std::vector<double> loads{};                 ///< of each step: their sum is the share
    engine::Picoseconds cost{};                  ///< in lockstep, at the size of the problem
    bool direct = false;                         ///< only neighbours exchange messages
    std::shared_ptr<const engine::Plan> plan{};  ///< of an algorithm of the catalogue
};

/// A plan on a network. Links have their own speeds; `fabric` has the speed of a lane.
CostLine costLineOf(std::string name, engine::Plan plan, const emulation::Network& network, const NetworkFabric& fabric,
                    const engine::Model& model);

/// Stops comparisons with the catalogue at a point in time, or when the work that they are part of is cancelled.
class ComparisonLimit {
public:
    ComparisonLimit(const engine::Progress& whole, std::chrono::steady_clock::time_point end);

    /// Without a share; may be used as long as this object.
    [[nodiscard]] const engine::Progress& progress() const { return limited_; }

private:
    std::stop_source late_;
    std::stop_callback<std::function<void()>> chained_;
    engine::Progress limited_;
};

/// Message sizes, both ends included.
struct SizeRange {
    engine::Bytes from = 0;
    std::optional<engine::Bytes> to{};  ///< nothing: all larger sizes

    friend bool operator==(const SizeRange&, const SizeRange&) = default;
};

/// "<= 12.3 KiB", ">= 12.3 KiB", "1 KiB to 12.3 KiB", "all".
std::string inWords(const SizeRange& range);

/// For each line the sizes at which no other one costs less; nothing where one always does. `alpha` in picoseconds and
/// `beta` in picoseconds per byte are not negative.
std::vector<std::optional<SizeRange>> cheapestRanges(std::span<const CostLine> lines, double alpha, double beta);

/// Adds a line for each algorithm of the catalogue that solves the problem of `wish` on the network without errors, by
/// its cost at the size wished for, in the order of the catalogue. Which options they choose depends on that size.
/// Throws Cancelled, with the lines before added.
void addCatalogueLines(std::vector<CostLine>& lines, const RunWish& wish, engine::Collective collective,
                       const emulation::Network& network, const NetworkFabric& fabric,
                       const engine::Progress& progress);

/// Cost over size, from 64 B to 64 MiB, of `found` and of those of `catalogue` that cost least of the catalogue at some
/// size; `bound` has what no schedule beats.
Chart frontierChart(std::span<const CostLine> found, std::span<const CostLine> catalogue, const CostLine& bound,
                    double alpha, double beta);

}  // namespace app
