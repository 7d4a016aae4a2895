// SPDX-License-Identifier: BSD-3-Clause
// How busy ports are, for more messages than can be drawn one by one: sums over bundles of ranks and buckets of time,
// made once, so that a picture costs by its pixels and not by its messages.
#pragma once

#include "app/gui/scenes/run/message_index.hpp"
#include "app/gui/scenes/run/port_loads.hpp"

namespace app::gui {

/// In every bucket some 256 messages begin, so that buckets are narrow where much happens and wide where little does:
/// whoever needs less than a bucket has few messages to look at.
class Density {
public:
    Density() = default;
    Density(const engine::Run& run, const MessageIndex& index, Bundles bundles);

    [[nodiscard]] bool empty() const { return edges_.empty(); }
    [[nodiscard]] const Bundles& bundles() const { return bundles_; }
    /// Where buckets begin, rising strictly; and, last, the first moment after the run.
    [[nodiscard]] std::span<const engine::Picoseconds> edges() const { return edges_; }
    /// Whether a picture with so little time in a column would show the buckets and not what is in them.
    [[nodiscard]] bool tooWideFor(engine::Picoseconds begin, engine::Picoseconds end) const;

    /// Adds what the ports of each bundle did between two moments to the cell that `rowOf` has for the bundle;
    /// negative: to none. Exact at the edges of buckets; within one, all is taken to be spread evenly.
    void add(engine::Picoseconds begin, engine::Picoseconds end, std::span<const std::int32_t> rowOf,
             std::span<PortLoad> cells) const;

private:
    /// A moment: a bucket, and how much of it has passed.
    struct Moment {
        std::size_t bucket = 0;
        double share = 0;
    };

    void makeEdges(const engine::Run& run, const MessageIndex& index);
    [[nodiscard]] std::size_t guideOf(engine::Picoseconds time) const {
        return static_cast<std::size_t>(static_cast<double>(time.count()) * guideScale_);
    }
    [[nodiscard]] std::size_t bucketOf(engine::Picoseconds time) const;
    [[nodiscard]] Moment momentAt(engine::Picoseconds time) const;

    Bundles bundles_{1};
    std::vector<engine::Picoseconds> edges_;
    std::vector<std::uint32_t> guide_;  // even pieces of time: how many edges lie before each
    double guideScale_ = 0;             // pieces in a picosecond
    // Edge by edge, for each bundle: sums of all before. Busy picoseconds wrap around; their differences do not.
    std::vector<std::uint64_t> busy_;
    std::vector<std::uint32_t> sent_;
};

}  // namespace app::gui
