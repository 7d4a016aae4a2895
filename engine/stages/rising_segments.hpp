// SPDX-License-Identifier: BSD-3-Clause
// Bytes cut into pieces that do not get shorter, for pipelines in which the newest piece is always in flight: the
// longest message of a round is then the newest.
#pragma once

#include "engine/problem/block_layout.hpp"

namespace engine::stages {

/// `range`, in units of `unit` bytes, cut into `pieces` balanced ones, the shorter ones first.
class RisingSegments {
public:
    constexpr RisingSegments(Range range, std::int64_t pieces, Bytes unit = 1)
        : end_{range.end}, unit_{unit}, last_{pieces - 1}, backwards_{{0, range.size()}, pieces} {}

    /// In bytes.
    [[nodiscard]] constexpr Range operator[](std::int64_t index) const {
        const Range fromEnd = backwards_[last_ - index];
        return {(end_ - fromEnd.end) * unit_, (end_ - fromEnd.begin) * unit_};
    }

private:
    Bytes end_;
    Bytes unit_;
    std::int64_t last_;
    Cutting backwards_;
};

}  // namespace engine::stages
