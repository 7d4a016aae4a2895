// SPDX-License-Identifier: BSD-3-Clause
// Ranks on a grid: rings and tori, which close in every dimension, meshes, which do not, and hypercubes.
// Everywhere ranks are row-major (the last dimension runs fastest) and routes in dimension order, the last one first.
#pragma once

#include "emulation/networks/network.hpp"

namespace emulation {

/// Which way a torus takes when both are equally long.
enum class Ties : std::uint8_t {
    rising,   ///< towards higher ranks
    simgrid,  ///< so too, except from the middle place of a dimension to place 0, as SimGrid 3.32 does
};

/// An N-dimensional torus; a ring is the one-dimensional case. Each dimension is crossed the shorter way. Link
/// 2 * dimensions * rank + 2 * dimension leads from `rank` to its successor in that dimension, the next id to its
/// predecessor.
class Torus final : public Network {
public:
    /// `name` as the user writes it; the product of `lengths` is the number of places, of which the first ones are for
    /// the `ranks` ranks; 0: for as many as there are.
    Torus(std::string name, std::vector<int> lengths, engine::Wiring wiring, Ties ties = Ties::rising,
          std::int32_t ranks = 0);

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::int32_t ranks() const override { return ranks_; }
    [[nodiscard]] std::int32_t places() const override { return places_; }
    [[nodiscard]] std::int32_t links() const override;
    void route(Rank from, Rank to, std::vector<LinkId>& out) const override;
    [[nodiscard]] std::shared_ptr<const Lines> lines() const override;
    [[nodiscard]] LinkEnds ends(LinkId link) const override;
    [[nodiscard]] engine::Wiring wiring() const override { return wiring_; }
    [[nodiscard]] std::vector<int> shape() const override { return lengths_; }

private:
    [[nodiscard]] std::int32_t dimensions() const { return static_cast<std::int32_t>(lengths_.size()); }

    std::string name_;
    std::vector<int> lengths_;
    std::vector<std::int32_t> strides_;
    std::int32_t places_ = 1;
    std::int32_t ranks_ = 1;
    engine::Wiring wiring_;
    Ties ties_;
};

/// An N-dimensional mesh: a torus without the links that close it. Links are counted dimension by dimension; of two
/// neighbours the link towards the higher rank comes first, its way back has the next id.
class Mesh final : public Network {
public:
    /// As a Torus.
    Mesh(std::string name, std::vector<int> lengths, std::int32_t ranks = 0);

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::int32_t ranks() const override { return ranks_; }
    [[nodiscard]] std::int32_t places() const override { return places_; }
    [[nodiscard]] std::int32_t links() const override { return first_.back(); }
    void route(Rank from, Rank to, std::vector<LinkId>& out) const override;
    [[nodiscard]] std::shared_ptr<const Lines> lines() const override;
    [[nodiscard]] LinkEnds ends(LinkId link) const override;
    [[nodiscard]] engine::Wiring wiring() const override;
    [[nodiscard]] std::vector<int> shape() const override { return lengths_; }

private:
    std::string name_;
    std::vector<int> lengths_;
    std::vector<std::int32_t> strides_;
    std::vector<std::int32_t> first_;  // per dimension its first link; behind them the number of links
    std::int32_t places_ = 1;
    std::int32_t ranks_ = 1;
};

/// 2^dimensions ranks; ranks that differ in one bit are neighbours. The lowest differing bit is crossed first. Link
/// dimensions * rank + bit leads from `rank` to rank ^ (1 << bit).
class Hypercube final : public Network {
public:
    explicit Hypercube(int dimensions);

    [[nodiscard]] std::string name() const override;
    [[nodiscard]] std::int32_t ranks() const override { return std::int32_t{1} << dimensions_; }
    [[nodiscard]] std::int32_t links() const override { return ranks() * dimensions_; }
    void route(Rank from, Rank to, std::vector<LinkId>& out) const override;
    [[nodiscard]] LinkEnds ends(LinkId link) const override;
    [[nodiscard]] engine::Wiring wiring() const override;
    [[nodiscard]] std::vector<int> shape() const override;

private:
    int dimensions_;
};

}  // namespace emulation
