// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/dataflow/reduction_order.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::analysis {
namespace {

// More operands than rows of a picture, and more turns than are followed while somebody waits.
constexpr std::int32_t mostOperands = 256;
constexpr std::int64_t mostTurns = 200'000;

std::string whyUnknown(const engine::Problem& problem, const engine::Plan* plan, const engine::Verdict* verdict) {
    if (!combinesVectors(problem.collective))
        return engine::text("Nothing is reduced here: ", title(problem.collective), " combines no vectors.");
    if (plan == nullptr) return "Which partial results were joined was not recorded.";
    if (problem.ranks() > mostOperands)
        return engine::text("Sums of ", problem.ranks(), " vectors are too large to be drawn.");
    const engine::Facts& facts = plan->schedule->facts();
    if (facts.ranks * facts.rounds > mostTurns || verdict == nullptr)
        return engine::text(facts.rounds, " rounds are too many to be followed.");
    if (!verdict->proved) return "The schedule does not do what it promises, so its results have no order.";
    return {};
}

}  // namespace

std::string ReductionTree::words(std::int32_t node) const {
    const Node& here = nodes[engine::asSize(node)];
    if (here.isLeaf()) return engine::text(here.rank);
    return "(" + words(here.left) + " " + words(here.right) + ")";
}

ReductionOrder::ReductionOrder(const engine::Problem& problem, const engine::Plan* plan, const engine::Verdict* verdict)
    : unknown_{whyUnknown(problem, plan, verdict)} {
    if (!unknown_.empty()) return;
    history_ = joinsOf(*plan->schedule, plan->problem);
    if (history_.results.empty()) unknown_ = "No rank has a result: the vector is empty.";
    const engine::Collective collective = plan->problem.collective;
    if (collective == engine::Collective::allreduce || collective == engine::Collective::intergroupAllreduce)
        sameBits_ = bracketingOf(*plan->schedule, plan->problem).sameBits;
}

std::span<const engine::Bracketed> ReductionOrder::resultsOf(engine::Rank rank) const {
    const auto& all = history_.results;
    const auto first =
        std::partition_point(all.begin(), all.end(), [&](const auto& result) { return result.rank < rank; });
    const auto end = std::partition_point(first, all.end(), [&](const auto& result) { return result.rank == rank; });
    return {first, end};
}

ReductionTree ReductionOrder::treeOf(const engine::Bracketed& result) const {
    ReductionTree tree{.rank = result.rank, .range = result.range, .nodes = {}, .leaves = {}};
    const auto add = [&](auto&& self, engine::Brackets::Id id) -> std::int32_t {
        if (history_.isLeaf(id)) {
            tree.nodes.push_back({.rank = engine::Rank{id}});
            tree.leaves.push_back(tree.top());
            return tree.top();
        }
        const engine::Join& join = history_.join(id);
        const std::int32_t left = self(self, join.left);
        const std::int32_t right = self(self, join.right);
        tree.nodes.push_back({.left = left, .right = right, .rank = join.rank, .round = join.round});
        return tree.top();
    };
    add(add, result.expression);
    return tree;
}

}  // namespace app::analysis
