// SPDX-License-Identifier: BSD-3-Clause
// How busy ports are, for more messages than can be drawn one by one: sums over bundles of ranks and buckets of time,
// made once, so that a picture costs by its pixels and not by its messages.
#pragma once

#include "engine/run.hpp"

#include <vector>

namespace app::gui {

class Density {
public:
    Density() = default;
    explicit Density(const engine::Run& run);

    [[nodiscard]] bool empty() const { return rows_ == 0; }
    /// Length of a bucket of time; within one, sums are interpolated.
    [[nodiscard]] engine::Picoseconds bucket() const { return engine::Picoseconds{width_}; }
    [[nodiscard]] std::int32_t rows() const { return rows_; }
    [[nodiscard]] std::int32_t rowOf(engine::Rank rank) const {
        return static_cast<std::int32_t>(static_cast<std::int64_t>(rank.value) * rows_ / ranks_);
    }

    /// Time [ps] that the ports of all ranks of `row` together were busy before `time`; exact at the ends of buckets.
    [[nodiscard]] double busyBefore(std::int32_t row, engine::Picoseconds time) const;
    /// Messages that ranks of `row` began to send before `time`.
    [[nodiscard]] double sentBefore(std::int32_t row, engine::Picoseconds time) const;

private:
    template <class Number>
    [[nodiscard]] double before(const std::vector<Number>& sums, std::int32_t row, engine::Picoseconds time) const;

    std::int32_t ranks_ = 1;
    std::int32_t rows_ = 0;
    std::int64_t buckets_ = 0;
    std::int64_t width_ = 1;           // picoseconds
    std::vector<std::int64_t> busy_;   // row x (bucket + 1): sums before the bucket
    std::vector<std::uint32_t> sent_;  // likewise
};

}  // namespace app::gui
