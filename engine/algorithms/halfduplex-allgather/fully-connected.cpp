// SPDX-License-Identifier: BSD-3-Clause
// Every contribution crosses to the receivers at once; rows of p processes then exchange what they hold.
//
// Source: Kang et al. (half duplex), section III; broadcast: van de Geijn's scatter-allgather, or a binomial tree.
// p senders a0..a(p-1) = ranks 0..p-1, q receivers b0..b(q-1) = ranks p..p+q-1, k bytes each, lg = ceil log2.
//
// One rule for all p and q ("combined"):
//   cross   a(i) broadcasts its contribution to b(i), b(i+p), b(i+2p), ...: one message if there is only one.
//   rows    b(0)..b(p-1) are row 0, b(p)..b(2p-1) row 1, ...; a row that lacks its last members is filled up with the
//           senders of the same places. Member i of every row now holds contribution i: an allgather per row, Bruck's
//           or another of p - 1 contributions (`gather`).
//
// p = 3, q = 4, binomial; rows are b0 b1 b2 and b3 a1 a2:
//
//   round   stage    messages
//     1     cross    a0->b3 m0    a1->b1 m1    a2->b2 m2
//     2              a0->b0 m0
//     3     rows     b0->b2 m0    b1->b0 m1    b2->b1 m2    b3->a2 m0    a1->b3 m1    a2->a1 m2
//     4              b0->b1 m0    b1->b2 m1    b2->b0 m2    b3->a1 m0    a1->a2 m1    a2->b3 m2
//
// With c = ceil(q/p):
//   p >= q                     1 + lg p rounds, serialized bytes k p: the bound
//   p < q, binomial            lg(c+1) + lg p rounds, k (p - 1 + lg(c+1))
//   p < q, scatter-allgather   2 lg(c+1) + lg p rounds, k (p - 1) + 2 k (1 - 1/(c+1))
//   sequential (q divides p)   p/q + lg q rounds, k p: a(j p/q + i) sends to b(j) in round i, then B gathers alone
// Correct because every row has exactly one member that holds contribution i, for each i.
#include "engine/algorithm/algorithm.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/allgather.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/group_allgather.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::algorithms::halfduplex_allgather_fully_connected {
namespace {

/// The senders' and receivers' places in broadcast groups and rows.
struct Places {
    std::int32_t p;
    std::int32_t q;

    [[nodiscard]] bool isSender(Rank rank) const { return rank.value < p; }
    /// Index in a row, and the sender whose broadcast the rank belongs to.
    [[nodiscard]] std::int32_t column(Rank rank) const { return isSender(rank) ? rank.value : (rank.value - p) % p; }
    [[nodiscard]] std::int32_t row(Rank rank) const { return isSender(rank) ? q / p : (rank.value - p) / p; }
    /// Receivers of a sender's contribution in the first stage.
    [[nodiscard]] std::int32_t targets(std::int32_t column) const { return q / p + (column < q % p ? 1 : 0); }
    [[nodiscard]] std::int32_t mostTargets() const { return targets(0); }
    /// Senders fill up the last row, if there is an incomplete one.
    [[nodiscard]] bool inRow(Rank rank) const { return !isSender(rank) || (q % p != 0 && rank.value >= q % p); }
    [[nodiscard]] Rank member(std::int32_t row, std::int32_t column) const {
        const std::int32_t receiver = row * p + column;
        return Rank{receiver < q ? p + receiver : column};
    }
};

std::int64_t crossRounds(const Places& places, bool cutting) {
    const std::int32_t most = places.mostTargets();
    return stages::ceilLog2(most + 1) * (cutting && most > 1 ? 2 : 1);
}

/// Each sender's own broadcast; groups of different size do not wait for each other.
auto cross(const Places& places, const Layout& layout, bool cutting) {
    return Part{"cross", crossRounds(places, cutting), [=](Rank rank, Round round, auto& out) {
                    const std::int32_t column = places.column(rank);
                    const std::int32_t members = places.targets(column) + 1;
                    const Rank local{places.isSender(rank) ? 0 : places.row(rank) + 1};
                    const auto toGlobal = [&](Rank member) {
                        return member.value == 0 ? Rank{column} : places.member(member.value - 1, column);
                    };
                    const auto run = [&](const auto& stage) {
                        if (round.value < stage.rounds()) stages::runAsMember(local, toGlobal, stage, round, out);
                        round = round - stage.rounds();
                    };
                    const Range block = layout.block(column);
                    if (cutting && members > 2) {
                        run(stages::BinomialScatter{stages::pieces(block, members)});
                        if (round.value >= 0) run(stages::BruckAllgather{stages::pieces(block, members)});
                    } else {
                        run(stages::BinomialBroadcast{members, block});
                    }
                }};
}

/// Each row's allgather of p contributions.
auto rows(const Places& places, const Layout& layout, stages::GatherBy by) {
    return Part{"rows", stages::gatherRounds(by, places.p),
                [places, allgather = stages::GroupAllgather{by, stages::blocks(layout, 0, places.p)}](
                    Rank rank, Round round, auto& out) {
                    if (!places.inRow(rank)) return;
                    const std::int32_t row = places.row(rank);
                    const auto toGlobal = [&](Rank member) { return places.member(row, member.value); };
                    stages::runAsMember(Rank{places.column(rank)}, toGlobal, allgather, round, out);
                }};
}

SchedulePtr planSequential(const Problem& problem, stages::GatherBy by) {
    const std::int32_t p = problem.groupA;
    const std::int32_t q = problem.groupB;
    const std::int32_t each = p / q;
    const auto shares =
        stages::EndToEnd{q, [layout = problem.layout, each](std::int32_t j) { return layout.offset(j * each); }};
    return then(Facts{.ranks = p + q},
                Part{"cross", each,
                     [=, layout = problem.layout](Rank rank, Round round, auto& out) {
                         const auto turn = static_cast<std::int32_t>(round.value);
                         if (rank.value >= p) {
                             const std::int32_t sender = (rank.value - p) * each + turn;
                             out.receive(Rank{sender}, layout.block(sender));
                         } else if (rank.value % each == turn) {
                             out.send(Rank{p + rank.value / each}, layout.block(rank.value));
                         }
                     }},
                stages::on(Group{p, q}, "allgather in B", stages::GroupAllgather{by, shares}));
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const stages::GatherBy by = stages::gatherBy(options, "gather");
    if (options.is("variant", "sequential")) return planSequential(problem, by);
    const Places places{problem.groupA, problem.groupB};
    const bool cutting = options.is("broadcast", "scatter-allgather");
    Facts facts{.ranks = problem.ranks()};
    if (cutting && places.mostTargets() > 1)
        facts.repeats =
            "the allgather of a broadcast brings its root, and others inside the scatter's tree, pieces "
            "they have passed on";
    return then(facts, cross(places, problem.layout, cutting), rows(places, problem.layout, by));
}

Objection objects(const Problem& problem, const Options& options) {
    if (options.is("variant", "sequential") && problem.groupA % problem.groupB != 0)
        return text("variant=sequential gives every receiver the same number of senders, but ", problem.groupB,
                    " receivers do not divide ", problem.groupA, " senders; variant=combined supports any numbers");
    return stages::againstGather(options, "gather",
                                 {options.is("variant", "sequential") ? problem.groupB : problem.groupA});
}

/// Exact for equal contributions; scatter-allgather besides only where all broadcasts cut equal pieces.
std::optional<Cost> predict(const Problem& problem, const Options& options) {
    if (!problem.layout.isRegular()) return std::nullopt;
    const Places places{problem.groupA, problem.groupB};
    const std::int64_t p = places.p;
    const Bytes k = problem.layout.largest();
    const stages::GatherBy by = stages::gatherBy(options, "gather");
    if (options.is("variant", "sequential"))
        return Cost{.startups = p / places.q + stages::gatherRounds(by, places.q), .volume = p * k};
    const bool cutting = options.is("broadcast", "scatter-allgather");
    const std::int64_t startups = crossRounds(places, cutting) + stages::gatherRounds(by, places.p);
    const std::int64_t most = places.mostTargets();
    if (!cutting || most == 1) return Cost{.startups = startups, .volume = (crossRounds(places, false) + p - 1) * k};
    if (places.q % places.p != 0 || k % (most + 1) != 0) return std::nullopt;
    return Cost{.startups = startups, .volume = 2 * most * (k / (most + 1)) + (p - 1) * k};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "halfduplex-allgather/fully-connected",
        .collective = Collective::halfduplexAllgather,
        .title = "Rows of receivers",
        .idea =
            "Each sender sends its contribution to one receiver of every row of p. The rows then gather, the last one with the help of the senders. Receivers are busy from the first round on.",
        .source = "Kang et al. (half duplex), section III",
        .formula =
            "(lg(c + 1) + lg p) alpha + (lg(c + 1) + p - 1) beta k with broadcast=binomial; "
            "(1 + lg p) alpha + p beta k for p >= q; p - 1 in place of lg p with gather=ring",
        .letters = "p senders, q receivers, k bytes per contribution, c = ceil(q/p), lg = ceil(log2)",
        .errata = {{"section III, p not dividing q", "undefined in print: fill the incomplete row with senders"},
                   {"section III, startups for p < q",
                    "lg p + 2 lg(q/p + 1) is about 2 lg q - lg p; it equals lg q only while q/p is bounded"},
                   {"section III, p = q",
                    "1 + lg p startups are least for powers of two; else the bound lg(p + 1) is "
                    "one below"}},
        .options = {{.name = "broadcast",
                     .kind = Option::Kind::choice,
                     .fallback = "scatter-allgather",
                     .meaning = "how a sender reaches its receivers when there are several",
                     .choices = {"scatter-allgather", "binomial"}},
                    {.name = "variant",
                     .kind = Option::Kind::choice,
                     .fallback = "combined",
                     .meaning = "let senders help the rows, or let them send in turn and receivers gather alone",
                     .choices = {"combined", "sequential"}},
                    stages::gatherOption("gather",
                                         "how each row, or all receivers, gather; in print it takes lg rounds")},
        .objects = objects,
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::halfduplex_allgather_fully_connected
