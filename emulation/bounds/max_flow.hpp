// SPDX-License-Identifier: BSD-3-Clause
// Maximum flow and minimum cut, by Boykov and Kolmogorov's algorithm in Boost.Graph.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace emulation::bounds {

/// A directed network whose capacities may be changed between two flows.
class MaxFlow {
public:
    explicit MaxFlow(std::int32_t nodes);
    ~MaxFlow();
    MaxFlow(const MaxFlow&) = delete;
    MaxFlow& operator=(const MaxFlow&) = delete;

    /// Adds an edge and returns its number. Capacities are at least 0 and finite.
    std::int32_t add(std::int32_t from, std::int32_t to, double capacity = 0);
    void setCapacity(std::int32_t edge, double capacity);

    /// The largest flow from `source` to `sink`.
    double flow(std::int32_t source, std::int32_t sink);
    /// By node: whether it is on the source's side of the minimum cut that the last flow found.
    [[nodiscard]] std::vector<bool> sourceSide() const;

private:
    struct Graph;
    std::unique_ptr<Graph> graph_;
};

}  // namespace emulation::bounds
