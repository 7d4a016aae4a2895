// SPDX-License-Identifier: BSD-3-Clause
// The cut of the largest quotient of bytes and speed, by Newton's method: where t is the best quotient so far, one
// minimum cut tells whether some set S has bytes(S) > t speed(S); its own quotient is the next t.
//
// Bytes that must leave S add up rank by rank once it is known that some rank who brings is in S and some who takes is
// not. So these two are tried in turn. Of sets that leave out a taker, those that leave out the first one are searched;
// then those that have it, and leave out the second one; and so on: what is known only shortens later searches.
#include "emulation/bounds/bound_searches.hpp"
#include "emulation/bounds/max_flow.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace emulation::bounds {
namespace {

using Kind = Demand::Kind;

constexpr double mostWork = 3e8;  // links looked at by all flows together

/// Where a rank must be.
enum class Where : std::int8_t { anywhere, inside, outside };

/// Some of the ranks must be inside, or outside.
struct Choice {
    Where where = Where::inside;
    std::vector<std::int32_t> ranks;
};

/// Ranks that may change their places without anybody's notice: those with the same links and the same bytes.
std::vector<std::int32_t> twins(const Asked& asked) {
    const Capacities& graph = asked.capacities;
    std::vector<std::vector<std::tuple<std::int32_t, int, double>>> links(engine::asSize(graph.ranks));
    for (const Capacities::Edge& edge : graph.edges) {
        if (edge.from < graph.ranks) links[engine::asSize(edge.from)].emplace_back(edge.to, 0, edge.speed);
        if (edge.to < graph.ranks) links[engine::asSize(edge.to)].emplace_back(edge.from, 1, edge.speed);
    }
    using Look = std::pair<std::vector<std::tuple<std::int32_t, int, double>>, std::vector<std::int64_t>>;
    std::map<Look, std::int32_t> known;
    std::vector<std::int32_t> classes;
    for (std::size_t rank = 0; rank < links.size(); ++rank) {
        Look look{std::move(links[rank]), {}};
        std::sort(look.first.begin(), look.first.end());
        for (const Demand& demand : asked.demands.list()) {
            if (demand.kind == Kind::chain) look.second.push_back(static_cast<std::int64_t>(rank));
            if (!demand.brings.empty()) look.second.push_back(demand.brings[rank] ? 1 : 0);
            if (!demand.takes.empty()) look.second.push_back(demand.takes[rank] ? 1 : 0);
            if (!demand.bytes.empty()) look.second.push_back(demand.bytes[rank]);
        }
        classes.push_back(known.emplace(std::move(look), static_cast<std::int32_t>(known.size())).first->second);
    }
    return classes;
}

class Cuts {
public:
    Cuts(const Asked& asked, NetworkBound best)
        : asked_{asked},
          graph_{asked.capacities},
          best_{std::move(best)},
          flow_{graph_.nodes + 2},
          where_(engine::asSize(graph_.ranks), Where::anywhere),
          twin_{twins(asked)} {
        for (const Capacities::Edge& edge : graph_.edges) links_.push_back(flow_.add(edge.from, edge.to));
        for (std::int32_t rank = 0; rank < graph_.ranks; ++rank) {
            in_.push_back(flow_.add(graph_.nodes, rank));
            out_.push_back(flow_.add(rank, graph_.nodes + 1));
        }
    }

    /// Searches the sets of which all `choices` hold, for the bytes of `demands`.
    void search(const std::vector<const Demand*>& demands, const std::vector<Choice>& choices) {
        bring_.assign(engine::asSize(graph_.ranks), 0);
        take_.assign(engine::asSize(graph_.ranks), 0);
        fixed_ = 0;
        for (const Demand* demand : demands) {
            if (demand->kind == Kind::vector || demand->kind == Kind::chain)
                fixed_ += static_cast<double>(demand->size);
            std::vector<double>& side = demand->kind == Kind::spread ? bring_ : take_;
            for (std::size_t rank = 0; rank < demand->bytes.size(); ++rank)
                side[rank] += static_cast<double>(demand->bytes[rank]);
        }
        descend(choices, 0);
    }

    [[nodiscard]] NetworkBound best() && { return std::move(best_); }

private:
    void descend(const std::vector<Choice>& choices, std::size_t level) {
        if (level == choices.size()) return ask();
        const Choice& choice = choices[level];
        const Where other = choice.where == Where::inside ? Where::outside : Where::inside;
        const auto stands = [&](std::int32_t rank) { return where_[engine::asSize(rank)] == choice.where; };
        if (std::ranges::any_of(choice.ranks, stands)) return descend(choices, level + 1);
        const std::vector<Where> before = where_;
        std::set<std::int32_t> tried;
        for (const std::int32_t rank : choice.ranks) {
            Where& where = where_[engine::asSize(rank)];
            if (where == other) continue;
            if (tried.insert(twin_[engine::asSize(rank)]).second) {
                where = choice.where;
                descend(choices, level + 1);
            }
            where = other;
        }
        where_ = before;
    }

    void ask() {
        asked_.check();
        double all = fixed_;
        for (std::size_t rank = 0; rank < where_.size(); ++rank) all += bring_[rank] + take_[rank];
        if (all == 0) return;
        // A capacity that no flow fills.
        const double unlimited = 4 * all;
        for (std::size_t rank = 0; rank < where_.size(); ++rank) {
            flow_.setCapacity(in_[rank], where_[rank] == Where::inside ? unlimited : bring_[rank]);
            flow_.setCapacity(out_[rank], where_[rank] == Where::outside ? unlimited : take_[rank]);
        }
        for (;;) {
            const double t = best_.bytes / best_.speed;
            for (std::size_t link = 0; link < links_.size(); ++link) {
                const double speed = graph_.edges[link].speed;
                // Where nothing is known yet, every set is better.
                const double time = t > 0 ? t : all * 1e-12;
                flow_.setCapacity(links_[link],
                                  speed == Capacities::unlimited ? unlimited : std::min(unlimited, time * speed));
            }
            if (flow_.flow(graph_.nodes, graph_.nodes + 1) >= all * (1 - 1e-12)) return;
            std::vector<bool> inside = flow_.sourceSide();
            inside.resize(engine::asSize(graph_.nodes));
            const auto found = boundOfCut(asked_, inside);
            if (!found || found->bytes * best_.speed <= best_.bytes * found->speed * (1 + 1e-12)) return;
            best_ = *found;
        }
    }

    const Asked& asked_;
    const Capacities& graph_;
    NetworkBound best_;
    MaxFlow flow_;
    std::vector<std::int32_t> links_, in_, out_;  // edges of the flow, by link, by rank
    std::vector<double> bring_, take_;            // bytes that leave because a rank is inside, because it is outside
    double fixed_ = 0;
    std::vector<Where> where_;
    std::vector<std::int32_t> twin_;
};

std::vector<std::int32_t> listed(const std::vector<bool>& members) {
    std::vector<std::int32_t> ranks;
    for (std::size_t rank = 0; rank < members.size(); ++rank)
        if (members[rank]) ranks.push_back(static_cast<std::int32_t>(rank));
    return ranks;
}

std::vector<Choice> choicesOf(const Demand& demand) {
    std::vector<Choice> choices;
    if (demand.hasBringer()) choices.push_back({Where::inside, listed(demand.brings)});
    if (demand.hasTaker()) choices.push_back({Where::outside, listed(demand.takes)});
    return choices;
}

/// Flows that a search makes at most.
double flowsOf(const std::vector<Choice>& choices) {
    double flows = 1;
    for (const Choice& choice : choices) flows *= static_cast<double>(choice.ranks.size());
    // From everybody to everybody it takes two flows a rank.
    const bool all = choices.size() == 2 && choices[0].ranks == choices[1].ranks;
    return all ? 2 * static_cast<double>(choices[0].ranks.size()) : flows;
}

/// A search, and whose bytes it is for.
struct Search {
    std::vector<const Demand*> demands;
    std::vector<Choice> choices;
};

std::vector<Search> searchesOf(const Asked& asked) {
    const std::vector<Demand>& list = asked.demands.list();
    std::vector<Search> searches;
    for (const Demand& demand : list) {
        if (demand.kind != Kind::chain) {
            searches.push_back({{&demand}, choicesOf(demand)});
            continue;
        }
        for (std::int32_t rank = 0; rank + 1 < asked.capacities.ranks; ++rank)
            searches.push_back({{&demand}, {{Where::inside, {rank}}, {Where::outside, {rank + 1}}}});
    }
    if (list.size() == 2) {
        std::vector<Choice> both = choicesOf(list[0]);
        for (Choice& choice : choicesOf(list[1])) both.push_back(std::move(choice));
        searches.push_back({{&list[0], &list[1]}, std::move(both)});
    }
    return searches;
}

}  // namespace

NetworkBound allCuts(const Asked& asked, NetworkBound best) {
    const Capacities& graph = asked.capacities;
    const double workOfOne = static_cast<double>(graph.edges.size()) + 4.0 * static_cast<double>(graph.nodes);
    std::optional<Cuts> cuts;
    double left = mostWork;
    for (const Search& search : searchesOf(asked)) {
        const double work = flowsOf(search.choices) * workOfOne;
        if (work > left) continue;
        left -= work;
        if (!cuts) cuts.emplace(asked, std::move(best));
        cuts->search(search.demands, search.choices);
    }
    return cuts ? std::move(*cuts).best() : best;
}

}  // namespace emulation::bounds
