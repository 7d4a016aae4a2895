// SPDX-License-Identifier: BSD-3-Clause
// The order in which a result was evaluated: the operations that led to one part of the vector on one rank, as a tree.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/proof/bracketing.hpp"
#include "engine/proof/verify.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace app::analysis {

/// The operations behind one result. Its nodes stand behind those they join.
struct ReductionTree {
    struct Node {
        std::int32_t left = -1;  ///< node; -1 of a rank's own vector
        std::int32_t right = -1;
        engine::Rank rank{};    ///< that joins, or whose vector it is
        engine::Round round{};  ///< in which what it joins with what it has came to it

        [[nodiscard]] bool isLeaf() const { return left < 0; }
    };

    engine::Rank rank{};    ///< that has the result
    engine::Range range{};  ///< of the vector, in bytes
    std::vector<Node> nodes;
    std::vector<std::int32_t> leaves;  ///< nodes, in the order of the operands

    [[nodiscard]] std::int32_t top() const { return static_cast<std::int32_t>(nodes.size()) - 1; }
    /// "((0 1) (2 3))".
    [[nodiscard]] std::string words(std::int32_t node) const;
};

class ReductionOrder {
public:
    ReductionOrder() = default;
    /// `plan` may be null: not known; `verdict`: of its schedule, where it was judged.
    ReductionOrder(const engine::Problem& problem, const engine::Plan* plan, const engine::Verdict* verdict);

    /// Why there are no trees, as a sentence; empty when there are.
    [[nodiscard]] const std::string& unknown() const { return unknown_; }
    /// Whether all that have a result get the same bits; nothing where each has one of its own.
    [[nodiscard]] std::optional<engine::SameBits> sameBits() const { return sameBits_; }
    /// The results of a rank, parts of the vector in rising order, as far as they were reduced in one way; none where
    /// the collective gives it none.
    [[nodiscard]] std::span<const engine::Bracketed> resultsOf(engine::Rank rank) const;
    /// The first rank that has a result.
    [[nodiscard]] engine::Rank first() const { return history_.results.front().rank; }
    /// How one of those was evaluated.
    [[nodiscard]] ReductionTree treeOf(const engine::Bracketed& result) const;

private:
    std::string unknown_ = "It is not known which problem these messages solve.";
    engine::JoinHistory history_;
    std::optional<engine::SameBits> sameBits_;
};

}  // namespace app::analysis
