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
    Paper
        paper{
            .name = "hasanov2014",
            .title =
                "Hasanov et al. 2014, High-Level Topology-Oblivious Optimization of MPI Broadcast Algorithms on Extreme-Scale Platforms",
            .notes =
                "kB and MB are read as KiB and MiB. The paper prints neither alpha nor beta and no numbers of groups with its gains. The model bgp is fitted: alpha/beta = 1485 bytes to the gains of figures 3 and 5; alpha = 3.7 us is assumed. The values of grid5000-graphene are assumed. Equations are run with alpha = 1 us and beta = 0.4 ns/B where no model is named.",
            .items =
                {
                    {.name = "obs5",
                     .kind = Kind::observation,
                     .shows =
                         "section 1: linear broadcasts do not suit many processes, binary and binomial trees do not suit large messages, and pipelined ones are meant for both",
                     .numbers = {quotient("flat over binomial tree, 1024 ranks, 64 KiB",
                                          "not good for a large number of processes", moreThan(1), 102.3,
                                          "bcast/flat -n 1024 --size 64KiB", "bcast/binomial-tree -n 1024 --size 64KiB")
                                     .because("1023 rounds over 10"),
                                 quotient("binomial tree over pipelined chain with the best X, 16 ranks, 16 MiB",
                                          "not efficient for large data sizes", moreThan(1), 3.66,
                                          "bcast/binomial-tree -n 16 --size 16MiB --progress lockstep",
                                          "bcast/pipelined-chain -n 16 --size 16MiB --progress lockstep")
                                     .because("4 (alpha + m beta) over (sqrt(14 alpha) + sqrt(m beta))^2"),
                                 quotient("flat over pipelined chain with the best X, 256 ranks, 16 MiB",
                                          "efficient for large numbers of processes and data sizes", moreThan(1), 178.7,
                                          "bcast/flat -n 256 --size 16MiB --progress lockstep",
                                          "bcast/pipelined-chain -n 256 --size 16MiB --progress lockstep")
                                     .because("255 (alpha + m beta) over (sqrt(254 alpha) + sqrt(m beta))^2")},
                     .why =
                         "Each is shown by one pair of runs under the model with alpha = 1 us and beta = 0.4 ns/B. Not run here: which of the eight algorithms Open MPI and MPICH have, and that other collective operations could be grouped, as the conclusion says."},
                    {.name = "fig1",
                     .shows = "a broadcast from the root to all other ranks, in one level",
                     .numbers = {counted("figure 1: rounds of a flat broadcast to 12 ranks", "(p - 1 by equation (1))",
                                         byFormula("p-1"), 11, Of::rounds, "bcast/flat -n 12")},
                     .why =
                         "The rounds of the picture follow from equation (1). The text of section 3 names figure 2 for both arrangements, and figure 1 for the red leaders; by the captions figure 1 is the linear way and figure 2 the groups."},
                    {.name = "fig2",
                     .shows = "12 ranks in 3 groups of 4: first among the leaders, then inside the groups",
                     .numbers = {counted("figure 2: rounds of the same in 3 groups", "G + p/G - 2 (equation (8))",
                                         byFormula("groups+p/groups-2"), 5, Of::rounds,
                                         "bcast/flat -n 12 --set groups=3")},
                     .why = "By equation (8) there are 2 rounds among leaders, then 3 inside the groups."},
                    {.name = "alg1",
                     .kind = Kind::algorithm,
                     .shows = "the broadcast among the leaders of groups, then one inside each group",
                     .numbers =
                         {proof("root 5 of 12 ranks in 3 groups, leaders at the root's place in their groups, proved",
                                "(corrected)", {}, 1, "bcast/flat -n 12 --set groups=3 --root 5"),
                          peer("the same: whom rank 4, the first of the root's group, receives from",
                               "none (-1): the first process in each group is the leader", exactly(-1), 5,
                               {.rank = 4, .sent = false, .round = 5}, "bcast/flat -n 12 --set groups=3 --root 5")
                              .refuting(
                                  "root 5 is the second of its group and has to lead it; if rank 4 led, the root's message would not reach the leaders")},
                     .why =
                         "Making the first rank of each group its leader fails for the root's own group unless the root is one of them; the leaders of the other groups may be the first ranks (the runs take those at the root's place). Every rank calls the outer broadcast, not only the leaders, and its root in line 7 is never computed. With root mod p/G inside and root div p/G outside the algorithm is right."},
                    equation("eq1", "flat tree: (p - 1)(alpha + m beta)",
                             "bcast/flat -n 4..64*2 --size 64KiB --line 'equation (1)=(p-1)*(alpha+size*beta)'",
                             "equation (1)", "Equal to the run at 4, 8, 16, 32 and 64 ranks."),
                    equation("eq2", "linear tree (chain): (p - 1)(alpha + m beta)",
                             "bcast/chain -n 4..64*2 --size 64KiB --line 'equation (2)=(p-1)*(alpha+size*beta)'",
                             "equation (2)", "Equal to the run at 4, 8, 16, 32 and 64 ranks."),
                    equation(
                        "eq3", "pipelined chain: (X + p - 2)(alpha + m beta/X)",
                        "bcast/pipelined-chain -n 16 --size 1MiB --set segments=1..256*2 --x segments --line 'equation (3)=(segments+p-2)*(alpha+size*beta/segments)'",
                        "equation (3)",
                        "Equal to the run for 1, 2, 4, ... 256 segments, of which more than one take less time than (2), as the text says."),
                    {.name = "eq4",
                     .kind = Kind::equation,
                     .shows = "binary and binomial tree: log2(p)(alpha + m beta)",
                     .panels =
                         {{.title = "binomial and binary tree",
                           .sweep =
                               "bcast/binomial-tree bcast/binary-tree -n 4..128*2 --size 64KiB --line 'equation (4)=log2(p)*(alpha+size*beta)'"}},
                     .curves = {{.panel = 0, .first = "equation (4)", .second = "bcast/binomial-tree"},
                                {.panel = 0,
                                 .first = "equation (4)",
                                 .second = "bcast/binary-tree",
                                 .low = 7.0 / 12,
                                 .high = 1,
                                 .refutes = true,
                                 .why =
                                     "for 128 ranks log2 p = 7 rounds in print, 12 in the run, where each rank has two children"}},
                     .why =
                         "Right for the binomial tree. In a binary tree a rank sends to its two children in two steps. A complete binary tree of p ranks needs 2 (log2(p + 1) - 1) rounds, for example 4 for 7 ranks; equation (4) gives 2.8. The text itself says that the binomial tree is more balanced in practice."},
                    equation(
                        "eq5", "scatter and ring allgather: (log2 p + p - 1) alpha + 2 (p - 1)/p m beta",
                        "bcast/scatter-ring-allgather -n 4..256*2 --size 1MiB --progress lockstep --line 'equation (5)=(log2(p)+p-1)*alpha+2*(p-1)/p*size*beta'",
                        "equation (5)",
                        "Equal to the run for powers of two. The fraction is read as a factor: 2 (p - 1)/p."),
                    equation(
                        "eq6", "scatter and recursive doubling: 2 log2(p) alpha + 2 (p - 1)/p m beta",
                        "bcast/scatter-recursive-doubling-allgather -n 4..256*2 --size 1MiB --progress lockstep --line 'equation (6)=2*log2(p)*alpha+2*(p-1)/p*size*beta'",
                        "equation (6)", "Equal to the run for powers of two."),
                    {.name = "obs4",
                     .kind = Kind::observation,
                     .shows =
                         "section 2.1: for large messages the ring is more efficient than recursive doubling, since its ranks communicate with their nearest neighbours",
                     .numbers = {quotient(
                                     "recursive doubling over the ring, 64 ranks on a ring network, bytes alone",
                                     "more efficient", moreThan(1), 11.33,
                                     "bcast/scatter-recursive-doubling-allgather -n 64 --size 1MiB --model bytes-only "
                                     "--topology ring",
                                     "bcast/scatter-ring-allgather -n 64 --size 1MiB --model bytes-only --topology ring")
                                     .because(
                                         "2^i messages of 2^i blocks cross a link in round i: 1365 blocks one after another, and "
                                         "63 of the scatter, over 63 + 63"),
                                 quotient(
                                     "the same on a full network",
                                     "", {}, 1, "bcast/scatter-recursive-doubling-allgather -n 64 --size 1MiB --model bytes-only",
                                     "bcast/scatter-ring-allgather -n 64 --size 1MiB --model bytes-only")},
                     .why =
                         "True where links are shared, as on a ring. Where all pairs are alike, equations (5) and (6) have the same bytes."},
                    {.name = "eq7",
                     .kind = Kind::equation,
                     .shows = "split binary tree: 2 (log2(p + 1) - 2)(alpha + m beta) + alpha + m beta/2",
                     .panels =
                         {{.title = "split binary tree", .sweep = "bcast/split-binary-tree -n 3,7,15,31,63,127 --size 1MiB --set segments=2 --progress lockstep --line 'equation (7)=2*(log2(p+1)-2)*(alpha+size*beta)+alpha+size*beta/2' --line '(corrected)=2*(log2(p+1)+segments/2-2)*(alpha+size*beta/segments)+alpha+size*beta/2'"}},
                     .curves = {{.panel = 0,
                                 .first = "equation (7)",
                                 .low = 0.3333,
                                 .high = 21.0 / 13,
                                 .refutes = true,
                                 .why = "for 3 ranks it is below m beta"},
                                {.panel = 0, .first = "(corrected)"}},
                     .why =
                         "The equation has no number of segments X. For 3 ranks it gives alpha + m beta/2; a rank needs m beta to receive the message. Right is 2 (log2(p + 1) + X/2 - 2)(alpha + m beta/X) + alpha + m beta/2."},
                    equation(
                        "eq8", "flat and chain in G groups: (G + p/G - 2)(alpha + m beta)",
                        "bcast/flat -n 64 --size 64KiB --set groups=1..64*2 --baseline groups=1 --line 'equation (8)=(groups+p/groups-2)*(alpha+size*beta)'",
                        "equation (8)", "Equal to the run for 1, 2, 4, ... 64 groups."),
                    {.name = "eq9",
                     .kind = Kind::equation,
                     .shows = "the derivative of (8): zero at G = sqrt(p)",
                     .numbers = {quotient("flat, 64 ranks, 4 groups over 8 groups", "decreases below sqrt(p)",
                                          moreThan(1), 1.2857, "bcast/flat -n 64 --set groups=4",
                                          "bcast/flat -n 64 --set groups=8"),
                                 quotient("16 groups over 8 groups", "increases above sqrt(p)",
                                          moreThan(1), 1.2857, "bcast/flat -n 64 --set groups=16",
                                          "bcast/flat -n 64 --set groups=8")},
                     .why = "Eight groups of eight take the least time; F(G) = F(p/G)."},
                    {.name = "eq10",
                     .kind = Kind::equation,
                     .shows = "flat and chain at G = sqrt(p): (2 sqrt(p) - 2)(alpha + m beta)",
                     .panels =
                         {
                             {.title = "time with sqrt(p) groups",
                              .sweep =
                                  "bcast/chain -n 16,64,256,1024 --set groups=4,8,16,32 --together n,groups --size 64KiB --x p --line 'equation (10)=(2*sqrt(p)-2)*(alpha+size*beta)'"}},
                     .curves = {{.panel = 0, .first = "equation (10)"}},
                     .why = "Equal to the run at 16, 64, 256 and 1024 ranks."},
                    {.name = "eq11",
                     .kind = Kind::equation,
                     .shows = "pipelined chain in G groups: (2X + G + p/G - 4)(alpha + m beta/X)",
                     .panels =
                         {
                             {.title = "between its ends",
                              .sweep =
                                  "bcast/pipelined-chain -n 64 --size 1MiB --set segments=8 --set groups=2..32*2 --x groups --progress lockstep --line 'equation (11)=(2*segments+groups+p/groups-4)*(alpha+size*beta/segments)'"},
                             {.title = "with one group",
                              .sweep =
                                  "bcast/pipelined-chain -n 16..64*2 --size 1MiB --set segments=8 --set groups=1 --progress lockstep --line 'equation (11)=(2*segments+groups+p/groups-4)*(alpha+size*beta/segments)' --line 'equation (3)=(segments+p-2)*(alpha+size*beta/segments)'"}},
                     .numbers =
                         {quotient("section 3.2: pipelined chain, 64 ranks, 8 segments: 4 groups over 8",
                                   "sqrt(p) is the minimum", moreThan(1), 1.1429,
                                   "bcast/pipelined-chain -n 64 --size 1MiB --set segments=8 --set groups=4 --progress lockstep",
                                   "bcast/pipelined-chain -n 64 --size 1MiB --set segments=8 --set groups=8 --progress lockstep"),
                          quotient("the same, 16 groups over 8", "sqrt(p) is the minimum", moreThan(1), 1.1429,
                                   "bcast/pipelined-chain -n 64 --size 1MiB --set segments=8 --set groups=16 --progress lockstep",
                                   "bcast/pipelined-chain -n 64 --size 1MiB --set segments=8 --set groups=8 --progress lockstep")},
                     .curves = {{.panel = 0, .first = "equation (11)"},
                                {.panel = 1,
                                 .first = "equation (11)",
                                 .low = 77.0 / 70,
                                 .high = 29.0 / 22,
                                 .term = "equation (3)",
                                 .why = "with one group there is one level, and equation (3) holds"}},
                     .why =
                         "Equation (11) holds for 1 < G < p; its minimum is at sqrt(p). With one group or p groups there is one level only, and (3) holds. For the same X sqrt(p) groups gain only if X < (sqrt(p) - 1)^2 + 1 (claim1)."},
                    equation(
                        "eq12",
                        "scatter-ring-allgather in G groups: (log2 p + G + p/G - 2) alpha + 2 m (2 - 1/G - G/p) beta",
                        "bcast/scatter-ring-allgather -n 2048 --size 512KiB --set groups=1..2048*2 --progress lockstep --baseline groups=1 --line 'equation (12)=(log2(p)+groups+p/groups-2)*alpha+2*size*(2-1/groups-groups/p)*beta'",
                        "equation (12)", "Equal to the run for 1, 2, 4, ... 2048 groups."),
                    {.name = "eq13",
                     .kind = Kind::equation,
                     .shows = "the derivative of (12): (G^2 - p)/G^2 (alpha - 2 m beta/p)",
                     .numbers =
                         {quotient("2048 ranks, 512 KiB: 16 groups over 32", "sqrt(p) is the minimum", moreThan(1),
                                   1.0413,
                                   "bcast/scatter-ring-allgather -n 2048 --size 512KiB --progress lockstep --set groups=16",
                                   "bcast/scatter-ring-allgather -n 2048 --size 512KiB --progress lockstep --set groups=32"),
                          quotient("64 groups over 32", "(F(G) = F(p/G) by equation (12))", exactly(1), 1,
                                   "bcast/scatter-ring-allgather -n 2048 --size 512KiB --progress lockstep --set groups=64",
                                   "bcast/scatter-ring-allgather -n 2048 --size 512KiB --progress lockstep --set groups=32")},
                     .why =
                         "The least time is at 32 and 64 groups, the divisors of 2048 next to its square root, 45: sqrt(p) is rarely a divisor of p. In print one G is a g."},
                    {.name = "eq14",
                     .kind = Kind::equation,
                     .shows =
                         "if alpha/beta > 2m/p, sqrt(p) groups take the least time (so that grouping gains); with more ranks more so",
                     .panels =
                         {
                             {.title = "gain of 32 groups over the size, 2048 ranks",
                              .sweep =
                                  "bcast/scatter-ring-allgather -n 2048 --size 64KiB..16MiB*2 --set groups=1,32 --progress lockstep --x size --y ratio --baseline groups=1 --line 'alpha/beta over 2m/p=alpha/beta*p/(2*size)' --line 'no gain=1'",
                              .small =
                                  "bcast/scatter-ring-allgather -n 2048 --size 64KiB..16MiB*16 --set groups=1,32 --progress lockstep --x size --y ratio --baseline groups=1 --line 'alpha/beta over 2m/p=alpha/beta*p/(2*size)' --line 'no gain=1'"}},
                     .numbers =
                         {quotient("512 KiB, 256 ranks: time without groups over 16 groups", "", {}, 0.8258,
                                   "bcast/scatter-ring-allgather -n 256 --size 512KiB --progress lockstep",
                                   "bcast/scatter-ring-allgather -n 256 --size 512KiB --progress lockstep --set groups=16")
                              .because("263 alpha + 418 us over 38 alpha + 786 us"),
                          quotient("section 4.1: 512 KiB, 1024 ranks: the same with 32 groups",
                                   "for a larger number of nodes the performance should improve", moreThan(0.8258),
                                   1.641, "bcast/scatter-ring-allgather -n 1024 --size 512KiB --progress lockstep",
                                   "bcast/scatter-ring-allgather -n 1024 --size 512KiB --progress lockstep --set groups=32")
                              .because("1033 alpha + 419 us over 72 alpha + 813 us")},
                     .curves = {{.panel = 0,
                                 .first = "groups 32",
                                 .second = "no gain",
                                 .what = "gain of 32 groups",
                                 .says = moreThan(1),
                                 .to = 2097152},
                                {.panel = 0,
                                 .first = "alpha/beta over 2m/p",
                                 .second = "no gain",
                                 .what = "alpha/beta over 2m/p",
                                 .says = moreThan(1),
                                 .to = 2097152,
                                 .ours = true},
                                {.panel = 0,
                                 .first = "groups 32",
                                 .second = "no gain",
                                 .what = "gain of 32 groups",
                                 .says = lessThan(1),
                                 .from = 4194304,
                                 .ours = true},
                                {.panel = 0,
                                 .first = "alpha/beta over 2m/p",
                                 .second = "no gain",
                                 .what = "alpha/beta over 2m/p",
                                 .says = lessThan(1),
                                 .from = 4194304,
                                 .ours = true}},
                     .why =
                         "Both the gain of 32 groups and alpha/beta over 2m/p are above 1 up to 2 MiB and below 1 from 4 MiB on. The measured gains with 2048 and 5000 ranks are those of figures 3 to 6."},
                    {.name = "eq15",
                     .kind = Kind::equation,
                     .shows = "F(sqrt(p)) = (log2 p + 2 sqrt(p) - 2) alpha + 2 m (2 - 2/sqrt(p)) beta",
                     .panels =
                         {
                             {.title = "scatter-ring-allgather with sqrt(p) groups",
                              .sweep =
                                  "bcast/scatter-ring-allgather -n 16,64,256,1024 --set groups=4,8,16,32 --together n,groups --size 512KiB --x p --progress lockstep --line 'equation (15)=(log2(p)+2*sqrt(p)-2)*alpha+2*size*(2-2/sqrt(p))*beta'"}},
                     .curves = {{.panel = 0, .first = "equation (15)"}},
                     .why = "Equal to the run at 16, 64, 256 and 1024 ranks."},
                    equation("eq16",
                             "scatter and recursive doubling in G groups: 2 log2(p) alpha + 2 m (2 - 1/G - G/p) beta",
                             "bcast/scatter-recursive-doubling-allgather -n 64 --size 1MiB --set groups=1..64*2 --progress lockstep --baseline groups=1 --line 'equation (16)=2*log2(p)*alpha+2*size*(2-1/groups-groups/p)*beta'",
                             "equation (16)",
                             "The formula equals the run. The text after it says that the latency term doubles; both formulas begin with 2 log2(p) alpha, and only the bytes grow (claim2)."),
                    {.name = "eq17",
                     .kind = Kind::equation,
                     .shows =
                         "split binary tree in G groups: 2 (log2 p + X - 4)(alpha + m beta/X) + 2 (alpha + m beta/2)",
                     .panels =
                         {{.title = "225 ranks in 15 groups, over the segments",
                           .sweep =
                               "bcast/split-binary-tree -n 225 --size 1MiB --set groups=15 --set segments=2..64*2 --x segments --progress lockstep --line 'as printed=2*(log2(p)+segments-4)*(alpha+size*beta/segments)+2*(alpha+size*beta/2)' --line '(corrected)=2*(log2(groups+1)+log2(p/groups+1)+segments-4)*(alpha+size*beta/segments)+2*(alpha+size*beta/2)'"}},
                     .curves = {{.panel = 0, .first = "(corrected)"},
                                {.panel = 0,
                                 .first = "as printed",
                                 .low = 0.973,
                                 .high = 0.998,
                                 .term = "(corrected)",
                                 .why = "with p + 1 kept on both levels"}},
                     .why =
                         "Equation (17) puts p in place of p + 1, as the text says, and has an X that (7) lacks; with p + 1 kept it equals the run. That it is slightly worse than (7) is claim2."},
                    {.name = "claim1",
                     .kind = Kind::claim,
                     .shows =
                         "section 3.7: grouping reduces the cost of the flat, chain, pipelined and scatter-ring-allgather broadcasts",
                     .numbers =
                         {quotient("section 3.7: chain, 64 ranks, 8 groups", "reduce the cost", moreThan(1), 4.5,
                                   "bcast/chain -n 64 --size 64KiB", "bcast/chain -n 64 --size 64KiB --set groups=8")
                              .asHeadline(),
                          quotient(
                              "section 3.7: pipelined chain, 64 ranks, 16 MiB, 64 segments, 8 groups",
                              "reduce the cost", moreThan(1), 0.9,
                              "bcast/pipelined-chain -n 64 --size 16MiB --set segments=64 --progress lockstep",
                              "bcast/pipelined-chain -n 64 --size 16MiB --set segments=64 --set groups=8 --progress lockstep")
                              .refuting(
                                  "with X = 64 equation (3) has X + p - 2 = 126 steps and equation (11) 2X + G + p/G - 4 = 140")
                              .asHeadline(),
                          quotient("the same with the best number of segments with and without groups", "", {}, 0.566,
                                   "bcast/pipelined-chain -n 64 --size 16MiB --progress lockstep",
                                   "bcast/pipelined-chain -n 64 --size 16MiB --set groups=8 --progress lockstep")
                              .because("two levels move all bytes twice")},
                     .why =
                         "True of flat and chain (see eq8), and of scatter-ring-allgather under (14) (see eq14). Of the pipelined chain with sqrt(p) groups only if X < (sqrt(p) - 1)^2 + 1; with the best number of segments two levels take up to twice as long for long messages."},
                    {.name = "claim2",
                     .kind = Kind::claim,
                     .shows =
                         "section 3.7: binary, binomial, doubling and split-binary broadcasts stay as they are or get slightly worse, by a constant factor",
                     .numbers =
                         {quotient("section 3.7: binomial tree, 64 ranks: time without groups / with 8 groups",
                                   "the same (section 3.3)", exactly(1), 1, "bcast/binomial-tree -n 64",
                                   "bcast/binomial-tree -n 64 --set groups=8")
                              .asHeadline(),
                          quotient("section 3.7: binary tree, 128 ranks: time without groups / with 8 groups",
                                   "the same (section 3.3)", exactly(1), 1.2, "bcast/binary-tree -n 128",
                                   "bcast/binary-tree -n 128 --set groups=8")
                              .refuting("12 rounds become 10, since (4) does not hold for binary trees")
                              .asHeadline(),
                          quotient(
                              "section 3.7: scatter-doubling, 64 ranks, 1 MiB: time with 8 groups / without",
                              "slightly increase by a constant factor", between(1, 1.1), 1.767,
                              "bcast/scatter-recursive-doubling-allgather -n 64 --size 1MiB --set groups=8 --progress lockstep",
                              "bcast/scatter-recursive-doubling-allgather -n 64 --size 1MiB --progress lockstep")
                              .refuting("by (16) and (6) bytes grow by 2 - 1/G - G/p over 1 - 1/p")
                              .asHeadline(),
                          quotient(
                              "section 3.5: the same with startups alone", "latency term increased two times",
                              exactly(2), 1,
                              "bcast/scatter-recursive-doubling-allgather -n 64 --size 1MiB --set groups=8 --model rounds-only",
                              "bcast/scatter-recursive-doubling-allgather -n 64 --size 1MiB --model rounds-only")
                              .refuting("both formulas begin with 2 log2(p) alpha"),
                          quotient("section 3.6: split binary tree, 225 ranks, 1 MiB: time with 15 groups / without",
                                   "slightly worse", between(1, 1.1), 1.842,
                                   "bcast/split-binary-tree -n 225 --size 1MiB --set groups=15",
                                   "bcast/split-binary-tree -n 225 --size 1MiB")
                              .refuting("two levels send all bytes twice, which no number of segments hides")
                              .asHeadline()},
                     .why =
                         "True of the binomial tree. With groups the binary tree needs up to two rounds fewer. The other two send nearly all bytes twice and take up to twice as long for long messages: a constant factor, but not a slight one."},
                }};
    return joined(std::move(paper), hasanov2014Measured());
}

}  // namespace app::figures
