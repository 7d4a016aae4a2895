// SPDX-License-Identifier: BSD-3-Clause
// Contributions go around the ring in blocks of one size, so that a large one no longer holds up the others.
//
// Source: Träff et al. 2010, sections 2.2 to 2.4, corrected. p ranks, z of them empty, rank i brings m_i bytes in
// b_i = ceil(m_i/B) blocks; m bytes and NB blocks in all. engine/schedule/ring_shift.hpp and
// shapes/pipelined_ring.hpp have the rules and worked tables.
//
//   empty=sent       empty contributions count as one block: b - min b_i rounds of the fixed schedule
//   empty=omitted    the same schedule without those messages: it saves little, since everyone still keeps step
//   empty=skipped    the compact schedule: everyone passes blocks on as soon as it can; NB - 1 + max gap rounds when
//                    every rank that brings something has more blocks than empty ranks before it
//
// Rounds of alpha + beta B. The placement of the empty ranks decides the gaps; see shapes/ring_order.hpp.
// Correct because each link carries every block but those of its far end once, in an order in which they come.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/best_pieces.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/schedule/ring_shift.hpp"
#include "engine/shapes/pipelined_ring.hpp"
#include "engine/shapes/ring_order.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace engine::algorithms::allgatherv_pipelined_ring {
namespace {

/// The node of every rank: as the network has them, or runs of as many ranks as the options say.
std::vector<std::int32_t> nodesOf(std::size_t ranks, const Options& options) {
    std::vector<std::int32_t> nodes;
    if (options.isAuto("nodes")) nodes = options.nodes();
    if (nodes.size() == ranks) return nodes;
    const std::int64_t perNode = options.isAuto("nodes") ? 1 : options.number("nodes");
    nodes.clear();
    for (std::size_t rank = 0; rank < ranks; ++rank)
        nodes.push_back(static_cast<std::int32_t>(static_cast<std::int64_t>(rank) / perNode));
    return nodes;
}

/// Rank by place, as the options say.
std::vector<std::int32_t> orderOf(const std::vector<std::int64_t>& blocks, const Options& options) {
    if (options.is("placement", "equidistant")) return shapes::orderEquidistant(blocks);
    if (options.is("placement", "within-nodes"))
        return shapes::orderWithinNodes(blocks, nodesOf(blocks.size(), options));
    if (options.is("placement", "along-network"))
        if (const std::vector<std::int32_t> way = options.way(); way.size() == blocks.size())
            return shapes::orderAlong(blocks, way);
    return shapes::orderAsIs(blocks);
}

/// The ring as the problem and the options set it up.
struct Belt {
    Layout layout;
    Bytes block = 0;
    bool even = false;
    std::vector<std::int32_t> order;        ///< rank by place
    std::vector<std::int32_t> placeOf;      ///< place by rank
    std::vector<std::int64_t> blocks;       ///< by place; 0 for empty ranks
    std::vector<std::int64_t> withEmpties;  ///< by place; 1 for empty ranks

    Belt(const Problem& problem, const Options& options, Bytes largestBlock)
        : layout{problem.layout}, block{largestBlock}, even{options.is("split", "even")} {
        const auto p = asSize(problem.groupA);
        std::vector<std::int64_t> byRank(p);
        for (std::size_t rank = 0; rank < p; ++rank)
            byRank[rank] = (layout.size(static_cast<std::int32_t>(rank)) + block - 1) / block;
        order = orderOf(byRank, options);
        placeOf.resize(p);
        for (std::size_t place = 0; place < p; ++place) {
            const auto rank = asSize(order[place]);
            placeOf[rank] = static_cast<std::int32_t>(place);
            blocks.push_back(byRank[rank]);
            withEmpties.push_back(std::max<std::int64_t>(1, byRank[rank]));
        }
    }

    [[nodiscard]] Range bytes(const shapes::RingBlock& at) const {
        const auto origin = asSize(at.origin);
        const Range whole = layout.block(order[origin]);
        if (even) return piece(whole, withEmpties[origin], at.index);
        return {whole.begin + at.index * block, std::min(whole.end, whole.begin + (at.index + 1) * block)};
    }
};

/// Every block in a fixed place on one belt; empty ranks bring one empty block.
RingShift fixedRing(const Belt& belt, bool sendsEmpty) {
    std::vector<std::vector<Range>> blocks(belt.order.size());
    for (std::size_t place = 0; place < blocks.size(); ++place)
        for (std::int64_t index = 0; index < belt.withEmpties[place]; ++index)
            blocks[place].push_back(belt.bytes({static_cast<std::int32_t>(place), index}));
    RingShift ringShift = allgatherRingShift(blocks, belt.order);
    ringShift.sendsEmpty = sendsEmpty;
    return ringShift;
}

/// Empty ranks left out, everyone passing blocks on as soon as it can.
SchedulePtr compactRing(std::shared_ptr<const Belt> belt) {
    const auto p = static_cast<std::int32_t>(belt->order.size());
    const auto ring = std::make_shared<const shapes::CompactRing>(belt->blocks);
    return then(Facts{.ranks = p}, Part{"around the ring", ring->rounds(), [=](Rank rank, Round round, auto& out) {
                                            const auto at = [&](std::int32_t place) {
                                                return Rank{belt->order[asSize(place)]};
                                            };
                                            const std::int32_t place = belt->placeOf[rank.index()];
                                            const std::int32_t left = place > 0 ? place - 1 : p - 1;
                                            if (const auto leaves = ring->sends(place, round.value))
                                                out.send(at(place + 1 < p ? place + 1 : 0), belt->bytes(*leaves));
                                            if (const auto comes = ring->sends(left, round.value))
                                                out.receive(at(left), belt->bytes(*comes));
                                        }});
}

std::int64_t fixedRounds(const Belt& belt) {
    const auto& blocks = belt.withEmpties;
    return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0}) -
           *std::min_element(blocks.begin(), blocks.end());
}

std::int64_t roundsOf(const Belt& belt, const Options& options) {
    return options.is("empty", "skipped") ? shapes::CompactRing{belt.blocks}.rounds() : fixedRounds(belt);
}

/// The B whose rounds of alpha + beta B take least, near sqrt(m alpha / (beta K)): with b the blocks that rounding adds
/// to m/B, and the rounds that empty ranks add, K = (p - z)/2 - 1 + ceil(z/(p - z)) where they are skipped, equation
/// (2) corrected, and (p + z)/2 - 1 where they take part. Sizes that are all equal go in one block each.
Bytes bestBlock(const Problem& problem, const Options& options) {
    constexpr int nearest = 3;  // powers of two on either side, by quarters around the best
    const Layout& layout = problem.layout;
    const std::int64_t p = problem.groupA;
    std::int64_t empty = 0;
    for (std::int32_t i = 0; i < problem.groupA; ++i) empty += layout.size(i) == 0 ? 1 : 0;
    const Bytes largest = std::max<Bytes>(1, layout.largest());
    if (empty == p || layout.smallest() == layout.largest()) return largest;
    const std::int64_t others = options.is("empty", "skipped") ? (p - 1) / (p - empty) : empty;
    const double rounding = static_cast<double>(p - empty) / 2 - 1 + static_cast<double>(others);
    const Model model = asAlphaBeta(options.model());
    const double start = static_cast<double>(layout.total()) / bestPieces(rounding, layout.total(), model);

    Bytes best = largest;
    std::optional<Picoseconds> least;
    const auto consider = [&](double size) {
        // As many blocks of the largest contribution, none much smaller than the others.
        const auto count = std::max<std::int64_t>(1, std::llround(static_cast<double>(largest) / size));
        const Bytes block = (largest + count - 1) / count;
        const Picoseconds time = model.message(block) * roundsOf(Belt{problem, options, block}, options);
        if (least && *least <= time) return;
        least = time;
        best = block;
    };
    // Where startups cost nothing, finer blocks are only ever so little better.
    const bool finer = model.alpha.count() > 0;
    for (int power = finer ? -nearest : 0; power <= nearest; ++power) consider(start * std::exp2(power));
    const auto centre = static_cast<double>(best);
    for (const double quarter : {-0.75, -0.5, -0.25, 0.25, 0.5, 0.75})
        if (finer || quarter > 0) consider(centre * std::exp2(quarter));
    return best;
}

Belt beltOf(const Problem& problem, const Options& options) {
    return {problem, options, options.isAuto("block") ? bestBlock(problem, options) : options.number("block")};
}

/// Nodes that are runs of equally many ranks are their number's; others have no word that could be given.
Choice chosenNodes(std::size_t ranks, const Options& options) {
    const std::vector<std::int32_t> nodes = nodesOf(ranks, options);
    const auto perNode = std::count(nodes.begin(), nodes.end(), nodes.front());
    for (std::size_t rank = 0; rank < ranks; ++rank)
        if (nodes[rank] != static_cast<std::int32_t>(static_cast<std::int64_t>(rank) / perNode))
            return {"nodes as ranks are placed", std::to_string(std::set(nodes.begin(), nodes.end()).size())};
    return {"nodes", std::to_string(perNode)};
}

Choices choose(const Problem& problem, const Options& options) {
    Choices all;
    if (options.isAuto("block")) all.push_back({"block", std::to_string(bestBlock(problem, options))});
    if (options.is("placement", "within-nodes") && options.isAuto("nodes"))
        all.push_back(chosenNodes(asSize(problem.groupA), options));
    return all;
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    // Without empty ranks both schedules are the same, and the fixed one is found faster.
    if (options.is("empty", "skipped") && problem.layout.smallest() == 0)
        return compactRing(std::make_shared<const Belt>(beltOf(problem, options)));
    return onRingShift({}, "around the ring", fixedRing(beltOf(problem, options), options.is("empty", "sent")));
}

/// Exact where the largest block in flight is known in every round: blocks of one size, or contributions of one size.
std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const Belt belt = beltOf(problem, options);
    const std::int64_t p = problem.groupA;
    const Layout& layout = problem.layout;
    const bool anyEmpty = layout.smallest() == 0;
    const bool skipped = options.is("empty", "skipped");
    if (layout.total() == 0 && !options.is("empty", "sent")) return Cost{};
    if (anyEmpty && options.is("empty", "omitted")) return std::nullopt;
    const std::int64_t rounds = roundsOf(belt, options);
    if (layout.smallest() == layout.largest()) return Cost{.startups = rounds, .volume = (p - 1) * layout.largest()};
    if (belt.block >= layout.largest() && (!anyEmpty || !skipped))
        return Cost{.startups = rounds, .volume = rounds * layout.largest()};
    for (std::int32_t i = 0; i < problem.groupA; ++i)
        if (layout.size(i) % belt.block != 0) return std::nullopt;
    if (anyEmpty && !skipped) return std::nullopt;
    return Cost{.startups = rounds, .volume = rounds * belt.block};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allgatherv/pipelined-ring",
        .collective = Collective::allgatherv,
        .title = "Pipelined ring",
        .idea =
            "Contributions travel around the ring in blocks of one size, so that a large contribution does not delay the others. Ranks without data add at most as many rounds as the longest run of empty ranks.",
        .source = "Träff et al. 2010, sections 2.2 to 2.4",
        .formula = "(b - min b_i)(alpha + beta B) fixed; (NB - 1 + max z_i)(alpha + beta B) compact, if b_i > z_i > 0",
        .letters =
            "b_i blocks of at most B bytes (option block) of rank i, b their sum with 1 for empty ranks, NB with 0, z_i empty "
            "ranks before rank i",
        .errata =
            {{"section 2.2, termination",
              "a rank that has received all may still have to send: m = (3, 1), B = 1; it takes part in max(b - b_i, b "
              "- "
              "b_(i+1)) rounds"},
             {"section 2.3, rounds with floor(z/(p - z))",
              "right is NB - 1 + ceil(z/(p - z)) for 0 < z and b_i > gap; m = (2, 2, 0), B = 1 takes 4 rounds, not 3"},
             {"section 2.3, z = 0", "the improved count would be b - 1; use equation (1)"},
             {"section 2.3, derivation", "(b_2 + z_2 - 1) is b_2 - z_2 - 1"},
             {"section 2.3, saving per rank", "it is min(z', b_i - 1); z' + 1 - b_i is the time it is idle"},
             {"section 2.3, omitting empty blocks",
              "is not enough while a send is coupled to a receive: the two streams must run free of each other"},
             {"equation (2)", "counts z twice; K = (p - z)/2 - 1 + ceil(z/(p - z)), B = sqrt(m alpha/(beta K))"},
             {"section 2.3, clusters",
              "equal gaps conflict with data on the last rank of each node; the order of nodes comes first"}},
        .options = {{.name = "block",
                     .kind = Option::Kind::bytes,
                     .fallback = "auto",
                     .meaning = "largest block (B); auto: the best estimate under the model",
                     .choices = {std::string{automatic}}},
                    {.name = "split",
                     .kind = Option::Kind::choice,
                     .fallback = "fixed",
                     .meaning = "fixed: full blocks and a shorter last one; even: blocks of nearly one size",
                     .choices = {"fixed", "even"}},
                    {.name = "empty",
                     .kind = Option::Kind::choice,
                     .fallback = "sent",
                     .meaning = "empty contributions: sent, omitted from the fixed schedule, or skipped by the compact "
                                "one",
                     .choices = {"sent", "omitted", "skipped"}},
                    {.name = "placement",
                     .kind = Option::Kind::choice,
                     .fallback = "as-is",
                     .meaning =
                         "order on the ring: by rank, empty ranks at equal distances, or first within each node; "
                         "along-network: likewise, and nodes that follow each other are near on the network",
                     .choices = {"as-is", "equidistant", "within-nodes", "along-network"}},
                    {.name = "nodes",
                     .kind = Option::Kind::integer,
                     .fallback = std::string{automatic},
                     .meaning =
                         "ranks per node, for placement within nodes; auto: the nodes of the network, which are the "
                         "rows of its places; 1 where it has none",
                     .choices = {std::string{automatic}}}},
        .plan = plan,
        .predict = predict,
        .choose = choose,
    };
}

}  // namespace engine::algorithms::allgatherv_pipelined_ring
