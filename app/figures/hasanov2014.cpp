// SPDX-License-Identifier: BSD-3-Clause
// Hasanov, Quintin, Lastovetsky 2014: broadcasts in two levels.
//
// Letters: p ranks, m bytes, G groups, X segments, F(G) the time with G groups. Formulas of rounds hold when all ranks
// march in step. The pair alpha, beta of the model `bgp` is fitted to the gains of figures 3 and 5; what it says of
// figures 4 and 6 is then a prediction.
#include "app/figures/parts.hpp"

namespace app::figures {
namespace {

/// A formula over ranks, or over groups at 64 ranks.
Item equation(std::string_view name, std::string_view shows, std::string_view sweep, std::string_view line,
              std::string_view why) {
    return {.name = name,
            .kind = Kind::equation,
            .shows = shows,
            .panels = {{.title = std::string{shows}, .sweep = std::string{sweep}}},
            .curves = {{.panel = 0, .first = line}},
            .why = why};
}

}  // namespace

Paper hasanov2014() {
    Paper paper{.name = "hasanov2014",
                .title =
                    "Hasanov et al. 2014, High-Level Topology-Oblivious Optimization of MPI Broadcast Algorithms on Extreme-Scale Platforms",
                .items =
                    {
                        {.name = "fig1",
                         .shows = "a broadcast to all ranks at once, in one level",
                         .numbers = {{.what = "fig. 1: rounds of a flat broadcast to 12 ranks",
                                      .print = "",
                                      .expected = 11,
                                      .slow = "bcast/flat -n 12",
                                      .of = Of::rounds}},
                         .why = "A picture without numbers; collscope export bcast/flat -n 12 -o FILE.svg draws it."},
                        {.name = "fig2",
                         .shows = "12 ranks in 3 groups of 4: first among the leaders, then inside the groups",
                         .numbers = {{.what = "fig. 2: rounds of the same in 3 groups",
                                      .print = "",
                                      .expected = 5,
                                      .slow = "bcast/flat -n 12 --set groups=3",
                                      .of = Of::rounds}},
                         .why = "A picture without numbers; 2 rounds among leaders, then 3 inside."},
                        {.name = "alg1",
                         .kind = Kind::algorithm,
                         .shows = "the broadcast among the leaders of groups, then one inside each group",
                         .numbers =
                             {{.what =
                                   "root 5 of 12 ranks in 3 groups: proved, leaders at the root's place (1: proved)",
                               .print = "",
                               .says = exactly(1),
                               .expected = 1,
                               .slow = "bcast/flat -n 12 --set groups=3 --root 5",
                               .of = Of::proved},
                              {.what = "the same: leader of the first group, whom the root sends to in round 2",
                               .print = "0, the first of the group",
                               .says = exactly(0),
                               .expected = 1,
                               .slow = "bcast/flat -n 12 --set groups=3 --root 5",
                               .of = Of::peer,
                               .message = {.rank = 5, .round = 2},
                               .why =
                                   "the root must lead its own group, where it is second, and lines 6 and 8 have one inner root for all",
                               .refutes = true}},
                         .why =
                             "The root among the leaders, which line 7 uses, is never computed; first ranks as leaders do not go with an arbitrary root; and all ranks are sent into the outer broadcast. With root mod p/G inside and root div p/G outside it is right."},
                        equation("eq1", "flat tree: (p - 1)(alpha + m beta)",
                                 "bcast/flat -n 4..64*2 --size 64KiB --line 'equation (1)=(p-1)*(alpha+size*beta)'",
                                 "equation (1)", "Exact at every number of ranks."),
                        equation("eq2", "linear tree (chain): (p - 1)(alpha + m beta)",
                                 "bcast/chain -n 4..64*2 --size 64KiB --line 'equation (2)=(p-1)*(alpha+size*beta)'",
                                 "equation (2)", "Exact at every number of ranks."),
                        equation(
                            "eq3", "pipelined chain: (X + p - 2)(alpha + m beta/X)",
                            "bcast/pipelined-chain -n 16 --size 1MiB --set segments=1..256*2 --x segments --line 'equation (3)=(segments+p-2)*(alpha+size*beta/segments)'",
                            "equation (3)", "Exact at every number of segments that divides the message."),
                        {.name = "eq4",
                         .kind = Kind::equation,
                         .shows = "binary and binomial tree: log2(p)(alpha + m beta)",
                         .panels =
                             {{.title = "binomial and binary tree",
                               .sweep =
                                   "bcast/binomial-tree bcast/binary-tree -n 4..128*2 --size 64KiB --line 'equation (4)=log2(p)*(alpha+size*beta)'"}},
                         .curves =
                             {{.panel = 0, .first = "equation (4)", .second = "bcast/binomial-tree"},
                              {.panel = 0,
                               .first = "equation (4)",
                               .second = "bcast/binary-tree",
                               .low = 7.0 / 12,
                               .high = 1,
                               .refutes = true,
                               .why = "log2 128 = 7 rounds in print, 12 are needed where each node has two children"}},
                         .why =
                             "Right for the binomial tree. A binary tree cannot serve two children in one step: 7 ranks need 4 rounds, 2(log2(p + 1) - 1) on complete trees."},
                        equation(
                            "eq5", "scatter and ring allgather: (log2 p + p - 1) alpha + 2 (p - 1)/p m beta",
                            "bcast/scatter-ring-allgather -n 4..256*2 --size 1MiB --progress lockstep --line 'equation (5)=(log2(p)+p-1)*alpha+2*(p-1)/p*size*beta'",
                            "equation (5)", "Exact for powers of two; in print the fraction stands as an exponent."),
                        equation(
                            "eq6", "scatter and recursive doubling: 2 log2(p) alpha + 2 (p - 1)/p m beta",
                            "bcast/scatter-recursive-doubling-allgather -n 4..256*2 --size 1MiB --progress lockstep --line 'equation (6)=2*log2(p)*alpha+2*(p-1)/p*size*beta'",
                            "equation (6)", "Exact for powers of two."),
                        {.name = "eq7",
                         .kind = Kind::equation,
                         .shows = "split binary tree: 2 (log2(p + 1) - 2)(alpha + m beta) + alpha + m beta/2",
                         .panels =
                             {{.title = "split binary tree",
                               .sweep =
                                   "bcast/split-binary-tree -n 3,7,15,31,63,127 --size 1MiB --set segments=2 --progress lockstep --line 'equation (7)=2*(log2(p+1)-2)*(alpha+size*beta)+alpha+size*beta/2' --line 'corrected=2*(log2(p+1)+segments/2-2)*(alpha+size*beta/segments)+alpha+size*beta/2'"}},
                         .curves = {{.panel = 0,
                                     .first = "equation (7)",
                                     .low = 0.3333,
                                     .high = 21.0 / 13,
                                     .refutes = true,
                                     .why = "for 3 ranks it is below the lower bound of the message's bytes"},
                                    {.panel = 0, .first = "corrected"}},
                         .why =
                             "The equation has no number of segments X. For 3 ranks it is below the lower bound. Right is 2 (log2(p + 1) + X/2 - 2)(alpha + m beta/X) + alpha + m beta/2."},
                        equation(
                            "eq8", "flat and chain in G groups: (G + p/G - 2)(alpha + m beta)",
                            "bcast/flat -n 64 --size 64KiB --set groups=1..64*2 --baseline groups=1 --line 'equation (8)=(groups+p/groups-2)*(alpha+size*beta)'",
                            "equation (8)", "Exact for every number of groups that divides the ranks."),
                        {.name = "eq9",
                         .kind = Kind::equation,
                         .shows = "the derivative of (8): zero at G = sqrt(p)",
                         .numbers = {{.what = "flat, 64 ranks, 4 groups over 8 groups",
                                      .print = "more than 1",
                                      .says = moreThan(1),
                                      .expected = 1.2857,
                                      .slow = "bcast/flat -n 64 --set groups=4",
                                      .fast = "bcast/flat -n 64 --set groups=8"},
                                     {.what = "16 groups over 8 groups",
                                      .print = "more than 1",
                                      .says = moreThan(1),
                                      .expected = 1.2857,
                                      .slow = "bcast/flat -n 64 --set groups=16",
                                      .fast = "bcast/flat -n 64 --set groups=8"}},
                         .why = "Eight groups of eight are best, and F is the same for G and p/G."},
                        {.name = "eq10",
                         .kind = Kind::equation,
                         .shows = "flat and chain at G = sqrt(p): (2 sqrt(p) - 2)(alpha + m beta)",
                         .panels =
                             {{.title = "rounds with sqrt(p) groups",
                               .sweep =
                                   "bcast/chain -n 16,64,256,1024 --set groups=4,8,16,32 --together n,groups --size 64KiB --x p --line 'equation (10)=(2*sqrt(p)-2)*(alpha+size*beta)'"}},
                         .curves = {{.panel = 0, .first = "equation (10)"}},
                         .why = "Exact at every square."},
                        {.name = "eq11",
                         .kind = Kind::equation,
                         .shows = "pipelined chain in G groups: (2X + G + p/G - 4)(alpha + m beta/X)",
                         .panels =
                             {
                                 {.title = "between its ends",
                                  .sweep =
                                      "bcast/pipelined-chain -n 64 --size 1MiB --set segments=8 --set groups=2..32*2 --x groups --progress lockstep --line 'equation (11)=(2*segments+groups+p/groups-4)*(alpha+size*beta/segments)'"},
                                 {.title = "with one group",
                                  .sweep = "bcast/pipelined-chain -n 16..64*2 --size 1MiB --set segments=8 --set groups=1 --progress lockstep --line 'equation (11)=(2*segments+groups+p/groups-4)*(alpha+size*beta/segments)' --line 'equation (3)=(segments+p-2)*(alpha+size*beta/segments)'"}},
                         .numbers = {{.what = "3.2: pipelined chain, 64 ranks, 8 segments: 4 groups over 8",
                                      .print = "more than 1",
                                      .says = moreThan(1),
                                      .expected = 1.1429,
                                      .slow = "bcast/pipelined-chain -n 64 --size 1MiB --set segments=8 --set groups=4 --progress lockstep",
                                      .fast = "bcast/pipelined-chain -n 64 --size 1MiB --set segments=8 --set groups=8 --progress lockstep"},
                                     {.what = "the same, 16 groups over 8",
                                      .print = "more than 1",
                                      .says = moreThan(1),
                                      .expected = 1.1429,
                                      .slow = "bcast/pipelined-chain -n 64 --size 1MiB --set segments=8 --set groups=16 --progress lockstep",
                                      .fast = "bcast/pipelined-chain -n 64 --size 1MiB --set segments=8 --set groups=8 --progress lockstep"}},
                         .curves = {{.panel = 0, .first = "equation (11)"},
                                    {.panel = 1,
                                     .first = "equation (11)",
                                     .low = 77.0 / 70,
                                     .high = 29.0 / 22,
                                     .term = "equation (3)",
                                     .why = "one level only: the first X + G - 2 rounds are not there"}},
                         .why =
                             "Right for 1 < G < p, with its minimum at sqrt(p). At the ends there is one level only, and (3) holds."},
                        equation(
                            "eq12", "scatter-ring-allgather in G groups: (log2 p + G + p/G - 2) alpha + 2 m (2 - 1/G - G/p) beta",
                            "bcast/scatter-ring-allgather -n 2048 --size 512KiB --set groups=1..2048*2 --model bgp --progress lockstep --baseline groups=1 --line 'equation (12)=(log2(p)+groups+p/groups-2)*alpha+2*size*(2-1/groups-groups/p)*beta'",
                            "equation (12)", "Exact for every power of two of groups."),
                        {.name = "eq13",
                         .kind = Kind::equation,
                         .shows = "the derivative of (12)",
                         .numbers = {{.what = "2048 ranks, 512 KiB: 16 groups over 32",
                                      .print = "more than 1",
                                      .says = moreThan(1),
                                      .expected = 1.021,
                                      .slow = "bcast/scatter-ring-allgather -n 2048 --size 512KiB --model bgp --progress lockstep --set groups=16",
                                      .fast = "bcast/scatter-ring-allgather -n 2048 --size 512KiB --model bgp --progress lockstep --set groups=32"},
                                     {.what = "64 groups over 32: as good",
                                      .print = "1",
                                      .says = exactly(1),
                                      .expected = 1,
                                      .slow = "bcast/scatter-ring-allgather -n 2048 --size 512KiB --model bgp --progress lockstep --set groups=64",
                                      .fast = "bcast/scatter-ring-allgather -n 2048 --size 512KiB --model bgp --progress lockstep --set groups=32"}},
                         .why =
                             "The least time stands at the divisors next to sqrt(2048) = 45; in print one G is a g."},
                        {.name = "eq14",
                         .kind = Kind::equation,
                         .shows = "grouping gains if alpha/beta > 2m/p",
                         .panels = {{.title = "gain of 32 groups over the size, 2048 ranks", .sweep = "bcast/scatter-ring-allgather -n 2048 --size 64KiB..16MiB*2 --set groups=1,32 --model bgp --progress lockstep --x size --y ratio --baseline groups=1 --line 'alpha/beta over 2m/p=alpha/beta*p/(2*size)' --line parity=1", .small = "bcast/scatter-ring-allgather -n 2048 --size 64KiB..16MiB*16 --set groups=1,32 --model bgp --progress lockstep --x size --y ratio --baseline groups=1 --line 'alpha/beta over 2m/p=alpha/beta*p/(2*size)' --line parity=1"}},
                         .curves = {{.panel = 0,
                                     .first = "groups 32",
                                     .second = "parity",
                                     .says = moreThan(1),
                                     .to = 1048576},
                                    {.panel = 0,
                                     .first = "alpha/beta over 2m/p",
                                     .second = "parity",
                                     .says = moreThan(1),
                                     .to = 1048576},
                                    {.panel = 0,
                                     .first = "groups 32",
                                     .second = "parity",
                                     .says = lessThan(1),
                                     .from = 2097152},
                                    {.panel = 0,
                                     .first = "alpha/beta over 2m/p",
                                     .second = "parity",
                                     .says = lessThan(1),
                                     .from = 2097152}},
                         .why = "The gain crosses 1 exactly where the quotient of the condition does."},
                        {.name = "eq15",
                         .kind = Kind::equation,
                         .shows = "F(sqrt(p)) = (log2 p + 2 sqrt(p) - 2) alpha + 2 m (2 - 2/sqrt(p)) beta",
                         .panels =
                             {{.title = "scatter-ring-allgather with sqrt(p) groups",
                               .sweep = "bcast/scatter-ring-allgather -n 16,64,256,1024 --set groups=4,8,16,32 --together n,groups --size 512KiB --x p --model bgp --progress lockstep --line 'equation (15)=(log2(p)+2*sqrt(p)-2)*alpha+2*size*(2-2/sqrt(p))*beta'"}},
                         .curves = {{.panel = 0, .first = "equation (15)"}},
                         .why = "Exact at every square of a power of two."},
                        equation(
                            "eq16", "scatter and recursive doubling in G groups: 2 log2(p) alpha + 2 m (2 - 1/G - G/p) beta",
                            "bcast/scatter-recursive-doubling-allgather -n 64 --size 1MiB --set groups=1..64*2 --progress lockstep --baseline groups=1 --line 'equation (16)=2*log2(p)*alpha+2*size*(2-1/groups-groups/p)*beta'",
                            "equation (16)",
                            "The formula is right. The text after it, by which the latency doubles, is not: only the bytes grow, as its own first term says."),
                        {.name = "eq17",
                         .kind = Kind::equation,
                         .shows =
                             "split binary tree in G groups: 2 (log2 p + X - 4)(alpha + m beta/X) + 2 (alpha + m beta/2)",
                         .panels =
                             {{.title = "225 ranks in 15 groups, over the segments", .sweep = "bcast/split-binary-tree -n 225 --size 1MiB --set groups=15 --set segments=2..64*2 --x segments --progress lockstep --line 'as printed=2*(log2(p)+segments-4)*(alpha+size*beta/segments)+2*(alpha+size*beta/2)' --line 'corrected=2*(log2(groups+1)+log2(p/groups+1)+segments-4)*(alpha+size*beta/segments)+2*(alpha+size*beta/2)'"}},
                         .curves = {{.panel = 0, .first = "corrected"},
                                    {.panel = 0,
                                     .first = "as printed",
                                     .term = "corrected",
                                     .why = "p + 1 for p, of both levels"}},
                         .why =
                             "It takes p + 1 for p, as the text says, and an X that (7) lacks; with p + 1 kept it is exact. That it is slightly worse than (7) is claim2."},
                        {.name = "claim1",
                         .kind = Kind::claim,
                         .shows =
                             "section 3.7: grouping reduces the cost of the flat, chain, pipelined and scatter-ring-allgather broadcasts",
                         .numbers =
                             {{.what = "3.7: chain, 64 ranks, 8 groups",
                               .print = "a gain",
                               .says = moreThan(1),
                               .expected = 4.5,
                               .slow = "bcast/chain -n 64 --size 64KiB",
                               .fast = "bcast/chain -n 64 --size 64KiB --set groups=8",
                               .headline = true},
                              {.what = "3.7: pipelined chain, 64 ranks, 16 MiB, best X",
                               .print = "a gain",
                               .says = moreThan(1),
                               .expected = 0.566,
                               .slow = "bcast/pipelined-chain -n 64 --size 16MiB --progress lockstep",
                               .fast = "bcast/pipelined-chain -n 64 --size 16MiB --set groups=8 --progress lockstep",
                               .headline = true,
                               .why =
                                   "with the best number of segments on both sides two levels move all bytes twice, and lose for long messages",
                               .refutes = true}},
                         .why =
                             "So for flat and chain always, for scatter-ring-allgather under (14). Not for the pipelined chain with long messages and well-chosen segments, where two levels cost up to twice as much."},
                        {.name = "claim2",
                         .kind = Kind::claim,
                         .shows =
                             "section 3.7: binary, binomial, doubling and split-binary broadcasts stay as they are or get slightly worse",
                         .numbers =
                             {{.what = "3.7: binomial tree, 64 ranks, without groups over with 8",
                               .print = "1",
                               .says = exactly(1),
                               .expected = 1,
                               .slow = "bcast/binomial-tree -n 64",
                               .fast = "bcast/binomial-tree -n 64 --set groups=8",
                               .headline = true},
                              {.what = "3.7: binary tree, 128 ranks, without groups over with 8",
                               .print = "1",
                               .says = exactly(1),
                               .expected = 1.2,
                               .slow = "bcast/binary-tree -n 128",
                               .fast = "bcast/binary-tree -n 128 --set groups=8",
                               .headline = true,
                               .why = "12 rounds become 10, since (4) does not hold for binary trees",
                               .refutes =
                                   true},
                              {.what = "3.7: scatter-doubling, 64 ranks, 1 MiB, 8 groups over none",
                               .print = "slightly over 1",
                               .says = between(1, 1.1),
                               .expected = 1.767,
                               .slow =
                                   "bcast/scatter-recursive-doubling-allgather -n 64 --size 1MiB --set groups=8 --progress lockstep",
                               .fast =
                                   "bcast/scatter-recursive-doubling-allgather -n 64 --size 1MiB --progress lockstep",
                               .headline = true,
                               .why = "by (16) and (6) bytes grow by 2 - 1/G - G/p over 1 - 1/p",
                               .refutes = true},
                              {.what = "3.5: the same with startups alone",
                               .print = "2",
                               .says = exactly(2),
                               .expected = 1,
                               .slow =
                                   "bcast/scatter-recursive-doubling-allgather -n 64 --size 1MiB --set groups=8 --model rounds-only",
                               .fast =
                                   "bcast/scatter-recursive-doubling-allgather -n 64 --size 1MiB --model rounds-only",
                               .why = "both formulas begin with 2 log2(p) alpha",
                               .refutes = true},
                              {.what = "3.6: split binary tree, 225 ranks, 1 MiB, 15 groups over none",
                               .print = "slightly over 1",
                               .says = between(1, 1.1),
                               .expected = 1.842,
                               .slow = "bcast/split-binary-tree -n 225 --size 1MiB --set groups=15",
                               .fast = "bcast/split-binary-tree -n 225 --size 1MiB",
                               .headline = true,
                               .why = "two levels send all bytes twice, which no number of segments hides",
                               .refutes = true}},
                         .why =
                             "True of the binomial tree. The binary tree gains up to two rounds; the other two send nearly all bytes twice and lose up to the factor of 2 with long messages, which is a constant, but no slight one."},
                    }};
    return joined(std::move(paper), hasanov2014Measured());
}

}  // namespace app::figures
