// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/sweep/fastest.hpp"

#include "app/session/options/run_options.hpp"
#include "app/session/replay/rule_words.hpp"
#include "app/session/sweep/sweep.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace app {
namespace {

using engine::Bytes;
using engine::Error;
using engine::text;

/// The value of `option` that leaves it to the algorithm; empty: there is none.
std::string policyOf(const engine::Option& option) {
    for (const std::string_view policy : policies)
        if (option.fallback != policy && std::ranges::find(option.choices, policy) != option.choices.end())
            return std::string{policy};
    return {};
}

/// A range of sizes, ends included, and what is fastest there.
struct Span {
    Bytes first = 0;
    Bytes last = 0;
    std::string way;

    friend bool operator==(const Span&, const Span&) = default;
};
/// All sizes that were tried on so many ranks, falling.
using Column = std::vector<Span>;

/// A way holds from a size that was tried to the next one that was; the last one for the largest alone.
Column columnOf(const std::vector<Fastest>& all, std::size_t first, std::size_t end) {
    Column column;
    for (std::size_t i = first; i < end; ++i) {
        if (!column.empty() && column.back().way != all[i].way) column.back().last = all[i].bytes - 1;
        if (column.empty() || column.back().way != all[i].way)
            column.push_back({all[i].bytes, all[i].bytes, all[i].way});
        column.back().last = all[i].bytes;
    }
    std::ranges::reverse(column);
    return column;
}

/// Whether one rule can stand for both: the same ways at the same sizes, or one way at whatever sizes were tried.
bool canJoin(const Column& a, const Column& b) {
    return a == b || (a.size() == 1 && b.size() == 1 && a.front().way == b.front().way);
}

/// Operations and communicator of the rules: every call that the collective is.
std::vector<std::string_view> calledIn(engine::Collective collective) {
    switch (collective) {
        case engine::Collective::bcast: return {"bcast intra"};
        case engine::Collective::reduce: return {"reduce intra"};
        case engine::Collective::gatherv: return {"gather intra", "gatherv intra"};
        case engine::Collective::scatterv: return {"scatter intra", "scatterv intra"};
        case engine::Collective::allgatherv: return {"allgather intra", "allgatherv intra"};
        case engine::Collective::alltoallv: return {"alltoall intra", "alltoallv intra"};
        case engine::Collective::allreduce: return {"allreduce intra"};
        case engine::Collective::reduceScatter: return {"reduce_scatter_block intra", "reduce_scatter intra"};
        case engine::Collective::scan: return {"scan intra", "exscan intra"};
        case engine::Collective::barrier: return {"barrier intra"};
        case engine::Collective::intergroupBcast: return {"bcast inter"};
        case engine::Collective::intergroupReduce: return {"reduce inter"};
        case engine::Collective::intergroupAllreduce: return {"allreduce inter"};
        case engine::Collective::intergroupAlltoallv: return {"alltoall inter", "alltoallv inter"};
        case engine::Collective::intergroupAllgatherv:
        case engine::Collective::halfduplexAllgather: break;
    }
    return {"allgather inter", "allgatherv inter"};
}

}  // namespace

std::vector<std::string> waysOf(const engine::Algorithm& algorithm) {
    std::vector<std::string> ways{algorithm.id};
    for (const engine::Option& option : algorithm.options)
        if (const std::string policy = policyOf(option); !policy.empty())
            ways.push_back(text(algorithm.id, ':', option.name, '=', policy));
    return ways;
}

std::vector<Fastest> fastestOf(const std::vector<RunWish>& candidates, int threads, const engine::Progress& progress) {
    std::map<std::pair<std::int64_t, Bytes>, Fastest> found;
    std::string firstRefusal;
    std::set<std::tuple<std::string, std::map<std::string, std::string>, std::int64_t, Bytes>> seen;
    sweep(
        wholeRuns(candidates), threads,
        [&](std::size_t i, const SweepResult& result) {
            if (!result.refusal.empty()) {
                if (firstRefusal.empty()) firstRefusal = result.refusal;
                return;
            }
            const RunWish& wish = candidates[i];
            const engine::Plan plan = makePlan(wish);
            const std::int64_t ranks = plan.problem.ranks();
            const Bytes bytes = bytesInRules(plan.problem);
            if (!seen.insert({wish.algorithm, wish.options, ranks, bytes}).second)
                throw Error{text("a rule depends on ranks and bytes only; leave other ranges out, for which ",
                                 wish.algorithm, " was tried twice on ", ranks, " ranks with ", bytes, " bytes")};
            auto [place, fresh] = found.try_emplace({ranks, bytes});
            if (!fresh && place->second.time <= result.time) return;
            place->second = {ranks, bytes, wayInRules(wish.algorithm, wish.options, plan), result.time};
        },
        progress);
    if (found.empty() && !firstRefusal.empty()) throw Error{firstRefusal};
    std::vector<Fastest> all;
    for (auto& [problem, fastest] : found) all.push_back(std::move(fastest));
    return all;
}

std::string rulesOf(engine::Collective collective, const std::vector<Fastest>& all) {
    struct Stretch {
        std::int64_t first = 0;
        std::int64_t last = 0;
        Column column;
    };
    std::vector<Stretch> stretches;
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i;
        while (end < all.size() && all[end].ranks == all[i].ranks) ++end;
        Column column = columnOf(all, i, end);
        if (!stretches.empty()) stretches.back().last = all[i].ranks - 1;
        if (!stretches.empty() && canJoin(stretches.back().column, column)) {
            Stretch& open = stretches.back();
            open.last = all[i].ranks;
            open.column.front().last = std::max(open.column.front().last, column.front().last);
            open.column.back().first = std::min(open.column.back().first, column.back().first);
        } else {
            stretches.push_back({all[i].ranks, all[i].ranks, std::move(column)});
        }
        i = end;
    }
    std::string words;
    for (const std::string_view called : calledIn(collective))
        for (const Stretch& stretch : stretches)
            for (const Span& span : stretch.column)
                words += text(called, ' ', stretch.first, "..", stretch.last, ' ', fields::exactly(span.first), "..",
                              fields::exactly(span.last), ' ', span.way, '\n');
    return words;
}

std::string triedIn(const std::vector<Fastest>& all) {
    std::string words;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool fresh = i == 0 || all[i].ranks != all[i - 1].ranks;
        if (fresh) words += text(i == 0 ? "" : "\n", "# tried on ", all[i].ranks, " ranks, bytes: ");
        words += text(fresh ? "" : ", ", fields::exactly(all[i].bytes));
    }
    return words.empty() ? words : words + '\n';
}

}  // namespace app
