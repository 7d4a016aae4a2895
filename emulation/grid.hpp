// SPDX-License-Identifier: BSD-3-Clause
// Rings and tori: ranks on a grid that closes in every dimension.
#pragma once

#include "emulation/network.hpp"

namespace emulation {

/// An N-dimensional torus, ranks row-major (the last dimension runs fastest); a ring is the one-dimensional case.
/// Routing in dimension order, the last dimension first; each dimension the shorter way, and in the rising direction
/// when both ways are equally long. Link 2 * dimensions * rank + 2 * dimension leads from `rank` to its successor in
/// that dimension, the next id to its predecessor.
class Torus final : public Network {
public:
    /// `name` as the user writes it; the product of `lengths` is the number of ranks.
    Torus(std::string name, std::vector<int> lengths, engine::Wiring wiring);

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::int32_t ranks() const override { return ranks_; }
    [[nodiscard]] std::int32_t links() const override;
    void route(Rank from, Rank to, std::vector<LinkId>& out) const override;
    [[nodiscard]] LinkEnds ends(LinkId link) const override;
    [[nodiscard]] engine::Wiring wiring() const override { return wiring_; }

private:
    [[nodiscard]] std::int32_t dimensions() const { return static_cast<std::int32_t>(lengths_.size()); }

    std::string name_;
    std::vector<int> lengths_;
    std::vector<std::int32_t> strides_;
    std::int32_t ranks_ = 1;
    engine::Wiring wiring_;
};

}  // namespace emulation
