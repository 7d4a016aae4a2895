// SPDX-License-Identifier: BSD-3-Clause
// Traff, Ripke, Siebert, Balaji, Thakur, Gropp 2010: a pipelined ring for irregular allgathers.
//
// Letters: p ranks, c base count, m_i bytes of rank i, m their sum, B largest block, b_i = max(1, ceil(m_i/B)), b their
// sum, z ranks with nothing. Where the paper measures, `bytes-only` gives the quotients of its own analysis: startups
// matter little at these sizes.
#include "app/figures/parts.hpp"

namespace app::figures {

Paper traff2010() {
    Paper paper{
        .name = "traff2010",
        .title = "Träff et al. 2010, A Pipelined Algorithm for Large, Irregular All-gather Problems",
        .notes =
            "KByte and MByte are read as KiB and MiB. The paper shows times as curves only and prints neither startup nor bandwidth of a machine. The curves take the models sx-8, infiniband-2008, gigabit-ethernet, sicortex and bgp, whose values are assumed. Numbers marked \"bytes alone\" use the model bytes-only, which counts bytes as the paper's O(r B) does. c is given in bytes, as the base data size of figure 4.",
        .items = {
            {.name = "fig1",
             .shows =
                 "the linear ring on a cluster of nodes with several ranks each: one message into and one out of every node in each round",
             .numbers =
                 {quotient(
                      "linear ring on the first six nodes of figure 1, with 1, 5, 2, 1, 1 and 1 ranks, over a full network",
                      "communication-bandwidth optimal", exactly(1), 1,
                      "allgatherv/linear-ring -n 11 --size 1MiB --model bytes-only --topology "
                      "cluster:1,5,2,1,1,1",
                      "allgatherv/linear-ring -n 11 --size 1MiB --model bytes-only"),
                  quotient("the same, ranks dealt out to the nodes in turn over order of nodes",
                           "reranking \"might be necessary\" (section 2.2)", moreThan(1), 3,
                           "allgatherv/linear-ring -n 11 --size 1MiB --model bytes-only --topology "
                           "cluster:1,5,2,1,1,1 --placement round-robin",
                           "allgatherv/linear-ring -n 11 --size 1MiB --model bytes-only --topology "
                           "cluster:1,5,2,1,1,1")},
             .why =
                 "With ranks of a node side by side on the ring every network card carries one message each way, however many ranks its node has, so a cluster takes no longer than a full network."},
            {.name = "claim6",
             .kind = Kind::claim,
             .shows =
                 "section 2.1: the linear ring uses the whole bandwidth for regular sizes; for irregular ones it can take p - 1 times as long as all data need",
             .panels =
                 {{.title = "linear ring over the bytes to be received, broadcast",
                   .sweep =
                       "allgatherv/linear-ring -n 2..64*2 --sizes broadcast --size 1MiB --model bytes-only --y 'times the data=time/(total*beta)' --linear x,y --line p-1=p-1"}},
             .numbers = {computed("regular sizes, 32 ranks: time over that of the m - c bytes that a rank receives",
                                  "uses the bandwidth to full capacity", exactly(1), 1, "1000000000*time/((p-1)*size)",
                                  "allgatherv/linear-ring -n 32 --size 1MiB --model bytes-only")},
             .curves = {{.panel = 0, .first = "p-1"}},
             .why =
                 "With regular sizes a rank receives without a pause. For broadcast every one of the p - 1 rounds costs the whole contribution."},
            {.name = "fig2",
             .shows = "the blocks of every rank, at most B bytes each, go around the ring one after the other",
             .numbers = {counted("rounds for 2, 2, 2, 1, 1 and 1 blocks (chosen)",
                                 "b - min b_i by equation (1) (9 - 1 here)", exactly(8), 8, Of::rounds,
                                 "allgatherv/pipelined-ring -n 6 --sizes linear --size 1000 --set block=1000"),
                         carried("figure 2, round 1: bytes that rank 1, with blocks of 1000 B and 600 B, sends",
                                 "process i starts sending block j + k - 1 (its last)", exactly(600), 600, {.rank = 1},
                                 "allgatherv/pipelined-ring -n 6 --sizes linear --size 1000 --set block=1000"),
                         carried("the same, bytes that it receives from rank 0, with two blocks of 1000 B",
                                 "and receiving block j - 1 (the last one of its predecessor)", exactly(1000), 1000,
                                 {.rank = 1, .sent = false},
                                 "allgatherv/pipelined-ring -n 6 --sizes linear --size 1000 --set block=1000")},
             .why =
                 "The rounds, and the blocks with which a rank begins, are those of the caption. The numbers of blocks are chosen."},
            {.name = "claim11",
             .kind = Kind::claim,
             .shows = "section 2.2: a process terminates as soon as it has received all blocks",
             .numbers =
                 {counted(
                      "2 ranks, rank 0 with 4 blocks and rank 1 with none: rounds in which rank 0 sends",
                      "a process terminates as soon as it has received all blocks from the others (b - b_0 = 1 round)",
                      exactly(1), 4, Of::rounds,
                      "allgatherv/pipelined-ring -n 2 --sizes broadcast --size 4 --set block=1")
                      .refuting("rank 0 has to send its 4 blocks, one a round")},
             .why =
                 "Rank i has received everything after b - b_i rounds. It may still have to send; the program lets it."},
            {.name = "eq1",
             .kind = Kind::equation,
             .shows = "rounds of the pipelined ring: b - min b_i",
             .panels =
                 {{.title = "rounds for broadcast",
                   .sweep =
                       "allgatherv/pipelined-ring -n 4..64*2 --sizes broadcast --size 1MiB --set block=64KiB --y rounds --line 'equation (1)=ceil(size/block)+p-2'"},
                  {.title = "rounds for regular sizes",
                   .sweep =
                       "allgatherv/pipelined-ring -n 4..64*2 --size 1MiB --set block=64KiB --y rounds --line 'equation (1)=(p-1)*ceil(size/block)'"}},
             .curves = {{.panel = 0, .first = "equation (1)"}, {.panel = 1, .first = "equation (1)"}},
             .why = "Exactly that many rounds at 4, 8, 16, 32 and 64 ranks, for broadcast and for regular sizes."},
            {.name = "claim9",
             .kind = Kind::claim,
             .shows = "section 2.2: with a proper B the pipelined ring is never worse than the linear ring",
             .numbers = {quotient("linear sizes, 32 ranks: linear ring over pipelined ring, B the largest contribution",
                                  "never worse", atLeast(1), 1,
                                  "allgatherv/linear-ring -n 32 --sizes linear --size 1MiB --model infiniband-2008",
                                  "allgatherv/pipelined-ring -n 32 --sizes linear --size 1MiB --model infiniband-2008 "
                                  "--set block=2MiB"),
                         quotient("the same, regular sizes, B = c", "identical", exactly(1), 1,
                                  "allgatherv/linear-ring -n 32 --size 1MiB --model infiniband-2008",
                                  "allgatherv/pipelined-ring -n 32 --size 1MiB --model infiniband-2008 --set "
                                  "block=1MiB"),
                         quotient("one rank has all data: rounds over those of a pipelined broadcast, 32 blocks",
                                  "equivalent to a linear broadcast pipeline", exactly(1), 1,
                                  "allgatherv/pipelined-ring -n 30 --sizes broadcast --size 32MiB --set block=1MiB",
                                  "bcast/pipelined-chain -n 30 --size 32MiB --set segments=32", Of::rounds)},
             .why =
                 "With blocks as large as the largest contribution the two are one schedule, whatever the sizes. For broadcast the pipelined ring takes as many rounds as a pipelined chain broadcast."},
            {.name = "fig3",
             .shows = "placing empty ranks between the others saves rounds: 9 instead of 11",
             .numbers =
                 {counted("figure 3: rounds as in equation (1)", "11", exactly(11), 11, Of::rounds,
                          "allgatherv/pipelined-ring -n 6 --sizes half-full --size 3KiB --set block=2KiB"),
                  counted(
                      "figure 3: rounds with empty blocks left out", "9", exactly(9), 9, Of::rounds,
                      "allgatherv/pipelined-ring -n 6 --sizes half-full --size 3KiB --set block=2KiB --set empty=skipped")},
             .why =
                 "Three ranks with three blocks and three without give 11 and 9. The paper names no sizes; two ranks with four blocks and four without give the same numbers."},
            {.name = "obs2",
             .kind = Kind::observation,
             .shows = "sections 2.3 and 2.4: rounds saved by leaving empty blocks out, and conditions on the ring",
             .numbers =
                 {counted("section 2.4, irregular sizes with z = 0: 4 ranks with 6, 2, 2 and 2 blocks, rounds",
                          "b - z - 1 + z' (11 here)", byFormula("total/block-empty-1"), 10, Of::rounds,
                          "allgatherv/pipelined-ring -n 4 --sizes spike --size 12 --set block=1 --set empty=skipped")
                      .refuting(
                          "section 2.3 derives the count for 0 < z < p - 1, section 2.4 takes it otherwise, too; without empty ranks (1) holds, b - min b_i"),
                  computed(
                      "section 2.3: rounds that each intermediate rank with data (three blocks, one empty rank before it) saves in figure 3",
                      "reduced by z' + 1 if b_i > z' (2 here)", exactly(2), 1,
                      "(ceil(largest/block)*(p-empty)+empty-1-rounds)/(p-empty-1)",
                      "allgatherv/pipelined-ring -n 6 --sizes half-full --size 3KiB --set block=2KiB --set empty=skipped")
                      .refuting(
                          "it saves min(z', b_i - 1) rounds; where b_i <= z', the printed z' + 1 - b_i is the time it is idle"),
                  counted(
                      "section 2.3, blocks of nearly one size: rounds for three contributions of 5000 B, B = 2000 B",
                      "roughly even sized blocks, b_i of them (so that the number of rounds remains the same)",
                      exactly(11), 11, Of::rounds,
                      "allgatherv/pipelined-ring -n 6 --sizes half-full --size 2500 --set block=2000 --set split=even"),
                  quotient("the same: time of full blocks and a shorter last one over time of even blocks", "", {},
                           1.036,
                           "allgatherv/pipelined-ring -n 6 --sizes half-full --size 2500 --set block=2000 --model "
                           "bytes-only --progress lockstep",
                           "allgatherv/pipelined-ring -n 6 --sizes half-full --size 2500 --set block=2000 --set "
                           "split=even --model bytes-only --progress lockstep")
                      .because("8 rounds of 2000 B and 3 of 1000 B against 11 of 1667 B"),
                  counted("one rank with 8 blocks, 15 without data: rounds", "", {}, 22, Of::rounds,
                          "allgatherv/pipelined-ring -n 16 --sizes broadcast --size 8 --set block=1 --set "
                          "empty=skipped")},
             .why =
                 "Empty blocks can be left out, but the printed savings per rank and the printed count for z = 0 are wrong. With one rank with data the count is b_0 + p - 2, as equation (1) and the formula of section 2.3 both give. Read, not run: the derivation has b_2 + z_2 - 1 where b_2 - z_2 - 1 is meant; its result with unequal gaps, b - z - 1 + z_0; and that the nodes of a cluster send actual blocks from the first round on. Ranks with data at equal distances cannot in general also be the last rank of every node."},
            {.name = "claim1",
             .kind = Kind::claim,
             .shows =
                 "section 2.3: with the ranks that have data at equal distances and b_i > z', sum ceil(m_i/B) - 1 + floor(z/(p - z)) rounds",
             .numbers =
                 {counted("section 2.3: rounds for p = 3, z = 1, two contributions of three blocks each",
                          "sum ceil(m_i/B) - 1 + floor(z/(p - z)) (5 here)",
                          byFormula("total/block-1+floor(empty/(p-empty))"), 6, Of::rounds,
                          "allgatherv/pipelined-ring -n 3 --sizes half-full --size 2 --set block=1 --set empty=skipped")
                      .refuting("ceil(z/(p - z)) is right: the gaps cannot all be as small as the floor")},
             .why =
                 "The gaps cannot all be as small as floor(z/(p - z)) unless p - z divides z. With the larger gap the count is sum ceil(m_i/B) - 1 + ceil(z/(p - z)). For z < p - z the printed count is even less than the blocks that an empty rank receives, one a round."},
            {.name = "eq2",
             .kind = Kind::equation,
             .shows = "an approximation of the best block size B for given alpha, beta, m, p and z",
             .panels =
                 {{.title = "time over the block size, half of the ranks empty", .sweep = "allgatherv/pipelined-ring -n 32 --sizes half-full --size 250000 --set block=4KiB..512KiB*2 --set empty=skipped --model infiniband-2008 --x block --line 'as printed=(total/block+(p+empty)/2-1+floor(empty/(p-empty)))*(alpha+beta*block)' --line 'corrected=(total/block+(p-empty)/2-1+ceil(empty/(p-empty)))*(alpha+beta*block)'"}},
             .numbers =
                 {computed("B of equation (2) as printed, over the corrected one, for p = 32, z = 16",
                           "equation (2)", exactly(1), 0.577,
                           "sqrt(((p-empty)/2-1+ceil(empty/(p-empty)))/((p+empty)/2-1+floor(empty/(p-empty))))",
                           "allgatherv/pipelined-ring -n 32 --sizes half-full --size 256KiB --model infiniband-2008")
                      .refuting(
                          "(p + z)/2 counts every empty rank as a block, though empty blocks are left out; m/B + (p - z)/2 - 1 + z' follows from the text above it"),
                  quotient(
                      "16 contributions of 500 kB: time with the printed B, 40825 B, over that with the corrected one, 70711 B",
                      "", {},
                      0.987,
                      "allgatherv/pipelined-ring -n 32 --sizes half-full --size 250000 --set block=40825 --set "
                      "empty=skipped --model infiniband-2008",
                      "allgatherv/pipelined-ring -n 32 --sizes half-full --size 250000 --set block=70711 --set "
                      "empty=skipped --model infiniband-2008")
                      .because("13 blocks each, the last of 10100 B, against 8 blocks, the last of 5023 B"),
                  quotient("16 contributions of 40 kB: time with the printed B, 11547 B, over that with the corrected "
                           "one, 20 kB",
                           "", {},
                           1.324,
                           "allgatherv/pipelined-ring -n 32 --sizes half-full --size 20000 --set block=11547 --set "
                           "empty=skipped --model infiniband-2008",
                           "allgatherv/pipelined-ring -n 32 --sizes half-full --size 20000 --set block=20000 --set "
                           "empty=skipped --model infiniband-2008")
                      .because(
                          "64 rounds of 11547 B against 32 of 20 kB, with startups worth 5 kB: 20 kB divides 40 kB")},
             .why =
                 "The equation lacks a term of its own derivation. Which B is faster is decided by rounding: with contributions of 500 kB the printed B takes 9.50 ms and the corrected one 9.63 ms, with 40 kB the printed one takes 32% longer. The chart is best at 256 KiB (8.52 ms), where two blocks of nearly full size make a contribution. At 512 KiB b_i > z' no longer holds."},
            {.name = "claim10",
             .kind = Kind::claim,
             .shows =
                 "section 3: broadcast (and spike), with c bytes in all, can be expected to take as long as regular sizes of c/p, and the other four sizes, with p c bytes, as long as one another",
             .numbers =
                 {quotient(
                      "pipelined ring for broadcast of 1 GiB over linear ring for regular sizes of 1 GiB/30, B = 1 MiB",
                      "comparable", about(1),
                      1.063,
                      "allgatherv/pipelined-ring -n 30 --sizes broadcast --size 1GiB --set block=1MiB --model bytes-only",
                      "allgatherv/linear-ring -n 30 --size 35791394 --model bytes-only"),
                  quotient(
                      "the same for 32 MiB", "comparable", about(1), 1.94,
                      "allgatherv/pipelined-ring -n 30 --sizes broadcast --size 32MiB --set block=1MiB --model bytes-only",
                      "allgatherv/linear-ring -n 30 --size 1118481 --model bytes-only")
                      .explained(
                          "the pipeline takes p - 2 = 28 rounds to fill, as long as most of the 32 blocks",
                          "(ceil(size/block)+p-2)*block/((p-1)*size/p)"),
                  quotient(
                      "half full, p c bytes in all, over regular sizes of c = 32 MiB, B = 1 MiB", "analogous", about(1),
                      1.05,
                      "allgatherv/pipelined-ring -n 30 --sizes half-full --size 32MiB --set block=1MiB --model bytes-only",
                      "allgatherv/linear-ring -n 30 --size 32MiB --model bytes-only")
                      .because("974 rounds of 1 MiB over 29 of 32 MiB"),
                  quotient(
                      "the same, linearly decreasing", "analogous", about(1), 1.05,
                      "allgatherv/pipelined-ring -n 30 --sizes linear --size 32MiB --set block=1MiB --model bytes-only",
                      "allgatherv/linear-ring -n 30 --size 32MiB --model bytes-only"),
                  quotient(
                      "the same, geometric", "analogous", about(1), 1.044,
                      "allgatherv/pipelined-ring -n 30 --sizes geometric --size 32MiB --set block=1MiB --model bytes-only",
                      "allgatherv/linear-ring -n 30 --size 32MiB --model bytes-only")},
             .why =
                 "True for many blocks per rank: the p - 2 rounds that fill the pipeline add 2.7% at 1 GiB, but 88% at 32 MiB; that the linear ring takes p - 1 rounds for p contributions adds 3.4%. For spike see obs3 and claim3. Sizes with p c bytes in all take 5% longer than regular ones at 32 MiB."},
            {.name = "obs1",
             .kind = Kind::observation,
             .shows = "section 3: the six rules of sizes; broadcast and spike have c bytes in all, the others p c",
             .numbers =
                 {computed("spike, corrected: bytes in all over c", "m = c", exactly(1), 1, "total/size",
                           "allgatherv/linear-ring -n 30 --sizes spike --size 1MiB"),
                  computed("half full, corrected: bytes in all over p c", "m = p c", exactly(1), 1, "total/(p*size)",
                           "allgatherv/linear-ring -n 31 --sizes half-full --size 1MiB"),
                  computed("linear: bytes in all over p c", "m = p c", exactly(1), 1, "total/(p*size)",
                           "allgatherv/linear-ring -n 30 --sizes linear --size 1MiB"),
                  computed("geometric, corrected: bytes in all over p c", "m = p c", exactly(1), 1, "total/(p*size)",
                           "allgatherv/linear-ring -n 30 --sizes geometric --size 1MiB"),
                  computed(
                      "half full as printed, 16 of 31 ranks with 2c = 62000 B (the run's size is 32000, which is scaled to 31/32 of it): bytes in all over p c",
                      "m = p c",
                      exactly(1),
                      1.0323,
                      "total/(p*31000)", "allgatherv/linear-ring -n 31 --sizes half-full --size 32000")
                      .refuting("of an odd number of ranks (p + 1)/2 contribute 2c each"),
                  computed(
                      "geometric as printed, 7 ranks, c = 1 MiB (the run's size is chosen so that the scaled contributions are these): bytes in all over p c",
                      "m = p c",
                      exactly(1),
                      1.0686,
                      "total/(p*1048576)", "allgatherv/linear-ring -n 7 --sizes geometric --size 1120543")
                      .refuting("each of the 3 groups, of 1, 2 and 4 ranks, contributes c p/log2 p")},
             .why =
                 "Half full sums up to p c for even p only, and to (p + 1) c for odd p. Geometric does so for powers of two only, if the last rank has nothing. Both are scaled to p c here. Section 3.1 names half-full sizes with 30 and 240 ranks, both even, so that of what is measured only geometric sizes deviate. The denominator of spike is read as 2 (p - 1), log as log2. With one rank the rules linear and spike divide by zero; here that rank has c."},
        }};
    return joined(std::move(paper), traff2010Measured());
}

}  // namespace app::figures
