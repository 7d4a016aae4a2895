// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/relay/relay_plan.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>

namespace emulation {
namespace {

using engine::Slots;

std::size_t indexOf(Rank rank) { return rank.index(); }

/// Moves all messages on, step by step, until every one has arrived.
class Planner {
public:
    Planner(const std::vector<RelayedMessage>& relayedMessages, const RelayRules& rules)
        : relayedMessages_{relayedMessages}, rules_{rules}, nodes_(engine::asSize(rules.network->ranks())) {
        std::vector<LinkId> route;
        for (const RelayedMessage& relayed : relayedMessages) {
            route.clear();
            rules.network->route(relayed.from, relayed.to, route);
            Journey journey{.firstStop = stops_.size()};
            appendStops(*rules.network, route, stops_);
            journey.links = static_cast<std::int32_t>(stops_.size() - journey.firstStop);
            ++nodes_[indexOf(relayed.from)].unsent;
            if (journey.links > 1) ++farUnsent_;
            journeys_.push_back(journey);
        }
        if (rules.partials) orderReceives();
        open_.resize(relayedMessages.size());
        std::iota(open_.begin(), open_.end(), 0);
    }

    std::vector<Hop> plan() {
        for (std::int32_t step = 0; !open_.empty(); ++step) {
            // Stable, so that equally far ones stay in the order of their senders.
            std::stable_sort(open_.begin(), open_.end(),
                             [&](std::int32_t a, std::int32_t b) { return left(a) > left(b); });
            const std::size_t before = hops_.size();
            if (rules_.partials && farUnsent_ == 0) releaseNeighbours(step);
            while (pass(step)) {
            }
            if (hops_.size() == before) refuseTransit();
            endStep(before);
        }
        return std::move(hops_);
    }

private:
    struct Journey {
        std::size_t firstStop = 0;  ///< into stops_: the ranks that it comes to
        std::int32_t links = 0;     ///< from rank to rank
        std::int32_t crossed = 0;
        std::int32_t slot = -1;  ///< where it lies in transit
        bool moved = false;      ///< in this step
    };
    struct Node {
        int sends = 0;  ///< in this step
        int receives = 0;
        std::int32_t unsent = 0;  ///< own messages that have not left, with those chosen for this step taken off
        Slots transit = 0;        ///< occupied transit slots, bit 0 = the first above the algorithm's
        Slots leaving = 0;        ///< those that become free when the step ends
        std::vector<std::int32_t> receiving;  ///< reductions: messages for it, in the order they are applied
    };

    const RelayedMessage& relayed(std::int32_t p) const { return relayedMessages_[engine::asSize(p)]; }
    Journey& journey(std::int32_t p) { return journeys_[engine::asSize(p)]; }
    std::int32_t left(std::int32_t p) {
        const Journey& j = journey(p);
        return j.links - j.crossed;
    }
    Rank at(std::int32_t p) {
        const Journey& j = journey(p);
        return j.crossed == 0 ? relayed(p).from : stop(j, j.crossed - 1);
    }
    Rank stop(const Journey& j, std::int32_t link) const { return stops_[j.firstStop + engine::asSize(link)]; }

    void orderReceives() {
        for (std::size_t p = 0; p < relayedMessages_.size(); ++p)
            nodes_[indexOf(relayedMessages_[p].to)].receiving.push_back(static_cast<std::int32_t>(p));
        for (Node& node : nodes_)
            std::sort(node.receiving.begin(), node.receiving.end(),
                      [&](std::int32_t a, std::int32_t b) { return relayed(a).place < relayed(b).place; });
    }

    /// Whether all receives that are applied before `p`'s, to a slot of it, are done or chosen for this step.
    bool inOrder(std::int32_t p) {
        for (const std::int32_t earlier : nodes_[indexOf(relayed(p).to)].receiving) {
            if (earlier == p) return true;
            if ((relayed(earlier).changed & relayed(p).changed) != 0 && left(earlier) > 0) return false;
        }
        return true;
    }

    /// A partial result may come in when nobody needs any more what it changes, and in its order.
    bool welcome(std::int32_t p) {
        if (!rules_.partials) return true;
        if (left(p) == 1) return nodes_[indexOf(relayed(p).to)].unsent == 0 && inOrder(p);
        const Journey& j = journey(p);
        return std::countr_one(nodes_[indexOf(stop(j, j.crossed))].transit) + rules_.slots < mostSlots;
    }

    /// Chooses all that may go. One choice can make another possible: true when there was any.
    bool pass(std::int32_t step) {
        bool any = false;
        for (const std::int32_t p : open_) {
            const Journey& j = journey(p);
            if (j.moved) continue;
            const Node& here = nodes_[indexOf(at(p))];
            const Node& there = nodes_[indexOf(stop(j, j.crossed))];
            if (here.sends >= rules_.ports || there.receives >= rules_.ports || !welcome(p)) continue;
            choose(p, step);
            any = true;
        }
        return any && rules_.partials;
    }

    /// All own messages that still wait are for neighbours. They can go at once, as they would have in the
    /// round, and some may have to: in a circle nobody may receive before he has sent.
    void releaseNeighbours(std::int32_t step) {
        for (const std::int32_t p : open_)
            if (journey(p).crossed == 0) choose(p, step);
        for (const std::int32_t p : open_) {
            const bool commutes = !rules_.orderMatters && relayed(p).action != engine::Action::keep;
            if (journey(p).moved && !commutes && !inOrder(p))
                throw engine::Error{engine::text(engine::field::neighboursOnly, " on ", rules_.network->name(),
                                                 ": rank ", relayed(p).to,
                                                 " would combine partial results in another order; ",
                                                 "choose one port or an operation that commutes")};
        }
    }

    void choose(std::int32_t p, std::int32_t step) {
        Journey& j = journey(p);
        const Rank from = at(p);
        const Rank to = stop(j, j.crossed);
        Node& here = nodes_[indexOf(from)];
        Node& there = nodes_[indexOf(to)];
        Hop hop{.step = step, .from = from, .to = to, .relayed = p, .last = left(p) == 1};
        ++here.sends;
        ++there.receives;
        if (j.crossed == 0) {
            --here.unsent;
            if (j.links > 1) --farUnsent_;
        }
        if (rules_.partials) {
            if (j.slot >= 0) {
                here.leaving |= Slots{1} << j.slot;
                hop.fromSlot = rules_.slots + j.slot;
            }
            j.slot = hop.last ? -1 : std::countr_one(there.transit);
            if (!hop.last) {
                there.transit |= Slots{1} << j.slot;
                hop.toSlot = rules_.slots + j.slot;
            }
        }
        j.moved = true;
        ++j.crossed;
        hops_.push_back(hop);
    }

    void endStep(std::size_t firstHop) {
        for (std::size_t i = firstHop; i < hops_.size(); ++i) {
            for (const Rank rank : {hops_[i].from, hops_[i].to}) {
                Node& node = nodes_[indexOf(rank)];
                node.sends = node.receives = 0;
                node.transit &= ~node.leaving;
                node.leaving = 0;
            }
            journey(hops_[i].relayed).moved = false;
        }
        std::erase_if(open_, [&](std::int32_t p) { return left(p) == 0; });
    }

    [[noreturn]] void refuseTransit() const {
        throw engine::Error{engine::text(engine::field::neighboursOnly, " on ", rules_.network->name(),
                                         ": more partial results are in transit than the ", mostSlots - rules_.slots,
                                         " a rank can keep; choose a network with shorter ways")};
    }

    static constexpr int mostSlots = std::numeric_limits<Slots>::digits;

    const std::vector<RelayedMessage>& relayedMessages_;
    const RelayRules& rules_;
    std::vector<Node> nodes_;
    std::vector<Rank> stops_;
    std::vector<Journey> journeys_;   // per message
    std::vector<std::int32_t> open_;  // messages that have not arrived
    std::int64_t farUnsent_ = 0;      // messages for others than neighbours that have not left
    std::vector<Hop> hops_;
};

}  // namespace

void appendStops(const Network& network, std::span<const LinkId> route, std::vector<Rank>& out) {
    for (const LinkId link : route)
        if (const std::int32_t node = network.ends(link).to; node < network.ranks()) out.emplace_back(node);
}

RelayPlan::RelayPlan(std::vector<RelayedMessage> relayedMessages, std::vector<Hop> hops)
    : relayedMessages_{std::move(relayedMessages)},
      bySender_{std::move(hops)},
      steps_{bySender_.empty() ? 0 : std::int64_t{bySender_.back().step} + 1} {
    // Within a step deliveries come in the order of their receives, then what only passes.
    const auto order = [&](const Hop& hop) { return std::tuple{!hop.last, relayed(hop).place, hop.relayed}; };
    byReceiver_ = bySender_;
    std::sort(bySender_.begin(), bySender_.end(), [&](const Hop& a, const Hop& b) {
        return std::tuple{a.step, a.from, order(a)} < std::tuple{b.step, b.from, order(b)};
    });
    std::sort(byReceiver_.begin(), byReceiver_.end(), [&](const Hop& a, const Hop& b) {
        return std::tuple{a.step, a.to, order(a)} < std::tuple{b.step, b.to, order(b)};
    });
}

std::span<const Hop> RelayPlan::leaving(std::int64_t step, Rank first, Rank last) const {
    const auto from = [&](Rank rank) {
        return std::partition_point(bySender_.begin(), bySender_.end(), [&](const Hop& hop) {
            return std::pair{std::int64_t{hop.step}, hop.from} < std::pair{step, rank};
        });
    };
    return {from(first), from(last)};
}

std::span<const Hop> RelayPlan::reaching(std::int64_t step, Rank first, Rank last) const {
    const auto from = [&](Rank rank) {
        return std::partition_point(byReceiver_.begin(), byReceiver_.end(), [&](const Hop& hop) {
            return std::pair{std::int64_t{hop.step}, hop.to} < std::pair{step, rank};
        });
    };
    return {from(first), from(last)};
}

RelayPlan planRelays(std::vector<RelayedMessage> relayedMessages, const RelayRules& rules) {
    std::vector<Hop> hops = Planner{relayedMessages, rules}.plan();
    return {std::move(relayedMessages), std::move(hops)};
}

}  // namespace emulation
