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
        .title = "Traff et al. 2010, A Pipelined Algorithm for Large, Irregular All-gather Problems",
        .items = {
            {.name = "fig1",
             .shows =
                 "the linear ring on a cluster of nodes with several ranks each: one message into and one out of every node in each round",
             .numbers = {{.what = "linear ring on nodes of 1, 5, 2, 1, 1, 1 ranks, as drawn, over a full network",
                          .print = "full bandwidth",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "allgatherv/linear-ring -n 11 --size 1MiB --model bytes-only --topology "
                                  "cluster:1,5,2,1,1,1",
                          .fast = "allgatherv/linear-ring -n 11 --size 1MiB --model bytes-only"},
                         {.what = "the same, ranks dealt out to the nodes in turn over order of nodes",
                          .print = "reranking is needed",
                          .says = moreThan(1),
                          .expected = 3,
                          .slow = "allgatherv/linear-ring -n 11 --size 1MiB --model bytes-only --topology "
                                  "cluster:1,5,2,1,1,1 --placement round-robin",
                          .fast = "allgatherv/linear-ring -n 11 --size 1MiB --model bytes-only --topology "
                                  "cluster:1,5,2,1,1,1"}},
             .why =
                 "With ranks of a node side by side on the ring every network card carries one message each way, however many ranks its node has, so a cluster takes no longer than a full network."},
            {.name = "claim6",
             .kind = Kind::claim,
             .shows = "section 2.1: the linear ring can take p - 1 times as long as all data need",
             .panels =
                 {{.title = "linear ring over the bytes to be received, broadcast",
                   .sweep =
                       "allgatherv/linear-ring -n 2..64*2 --sizes broadcast --size 1MiB --model bytes-only --y 'times the data=time/(total*beta)' --linear x,y --line p-1=p-1"}},
             .curves = {{.panel = 0, .first = "p-1"}},
             .why = "For broadcast every one of the p - 1 rounds costs the whole contribution."},
            {.name = "fig2",
             .shows = "the blocks of every rank, at most B bytes each, go round the ring one after the other",
             .numbers = {{.what = "section 2.2: rounds with 6 ranks, 3 of them with 3 blocks each",
                          .print = "b - min b_i",
                          .says = byFormula("ceil(largest/block)*(p-empty)+empty-1"),
                          .expected = 11,
                          .slow = "allgatherv/pipelined-ring -n 6 --sizes half-full --size 3KiB --set block=2KiB",
                          .of = Of::rounds}},
             .why =
                 "Every rank ends after as many rounds as there are blocks of others. A rank that has received all may still have to send (corrected)."},
            {.name = "eq1",
             .kind = Kind::equation,
             .shows = "rounds of the pipelined ring: b - min b_i",
             .panels =
                 {{.title = "rounds for broadcast, one block a round",
                   .sweep =
                       "allgatherv/pipelined-ring -n 4..64*2 --sizes broadcast --size 1MiB --set block=64KiB --y rounds --line 'equation (1)=ceil(size/block)+p-2'"},
                  {.title = "rounds for regular sizes",
                   .sweep =
                       "allgatherv/pipelined-ring -n 4..64*2 --size 1MiB --set block=64KiB --y rounds --line 'equation (1)=(p-1)*ceil(size/block)'"}},
             .curves = {{.panel = 0, .first = "equation (1)"}, {.panel = 1, .first = "equation (1)"}},
             .why = "The schedule has exactly so many rounds at every number of ranks."},
            {.name = "claim9",
             .kind = Kind::claim,
             .shows = "section 2.2: with a proper B the pipelined ring is never worse than the linear ring",
             .numbers = {{.what = "linear sizes, 32 ranks: linear ring over pipelined ring, B the largest contribution",
                          .print = "1 at least",
                          .says = atLeast(1),
                          .expected = 1,
                          .slow = "allgatherv/linear-ring -n 32 --sizes linear --size 1MiB --model infiniband-2008",
                          .fast = "allgatherv/pipelined-ring -n 32 --sizes linear --size 1MiB --model infiniband-2008 "
                                  "--set block=2MiB"},
                         {.what = "the same, regular sizes, B = c",
                          .print = "1",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "allgatherv/linear-ring -n 32 --size 1MiB --model infiniband-2008",
                          .fast = "allgatherv/pipelined-ring -n 32 --size 1MiB --model infiniband-2008 --set "
                                  "block=1MiB"}},
             .why = "With blocks as large as the largest contribution the two are one schedule, whatever the sizes."},
            {.name = "fig3",
             .shows = "placing empty ranks between the others saves rounds: 9 instead of 11",
             .numbers =
                 {{.what = "fig. 3: rounds as in equation (1)",
                   .print = "11",
                   .says = exactly(11),
                   .expected = 11,
                   .slow = "allgatherv/pipelined-ring -n 6 --sizes half-full --size 3KiB --set block=2KiB",
                   .of = Of::rounds},
                  {.what = "fig. 3: rounds with empty blocks left out",
                   .print = "9",
                   .says = exactly(9),
                   .expected = 9,
                   .slow =
                       "allgatherv/pipelined-ring -n 6 --sizes half-full --size 3KiB --set block=2KiB --set empty=skipped",
                   .of = Of::rounds}},
             .why =
                 "Three ranks with three blocks and three without give 11 and 9; the picture itself names no sizes, and others fit too."},
            {.name = "obs2",
             .kind = Kind::observation,
             .shows = "section 2.3: what leaving empty blocks out saves, and what it asks of the ring",
             .numbers =
                 {{.what = "no empty rank: 4 ranks with 3 blocks each, rounds",
                   .print = "b - z - 1 + z_0 = 11",
                   .says = byFormula("p*ceil(size/block)-empty-1"),
                   .expected = 9,
                   .slow = "allgatherv/pipelined-ring -n 4 --size 3 --set block=1 --set empty=skipped",
                   .of = Of::rounds,
                   .why = "the count is for z > 0; without empty ranks (1) holds, which is less",
                   .refutes = true},
                  {.what =
                       "rounds saved in figure 3 by each rank on the way, with three blocks and one empty rank before it",
                   .print = "z' + 1 = 2",
                   .says = exactly(2),
                   .expected = 1,
                   .slow =
                       "allgatherv/pipelined-ring -n 6 --sizes half-full --size 3KiB --set block=2KiB --set empty=skipped",
                   .formula = "(ceil(largest/block)*(p-empty)+empty-1-rounds)/(p-empty-1)",
                   .why = "it saves min(z', b_i - 1): z' + 1 - b_i is how long it is idle, not what it saves",
                   .refutes = true},
                  {.what = "one rank with data, 15 empty before the next block: rounds of 8 blocks to 16 ranks",
                   .print = "",
                   .expected = 22,
                   .slow = "allgatherv/pipelined-ring -n 16 --sizes broadcast --size 8 --set block=1 --set "
                           "empty=skipped",
                   .of = Of::rounds}},
             .why =
                 "The idea holds, details do not: savings per rank, one sign in the derivation (b_2 - z_2 - 1), and the count for z = 0. One rank with data needs no case of its own: b_0 + p - 2. That the last rank of a node holds data does not go with equal distances; then the order of nodes comes first."},
            {.name = "claim1",
             .kind = Kind::claim,
             .shows = "section 2.3: with ranks at equal distances NB - 1 + floor(z/(p - z)) rounds",
             .numbers =
                 {{.what = "section 2.3: rounds for p = 3, z = 1, six blocks",
                   .print = "5",
                   .says = byFormula("total/block-1+floor(empty/(p-empty))"),
                   .expected = 6,
                   .slow =
                       "allgatherv/pipelined-ring -n 3 --sizes half-full --size 2 --set block=1 --set empty=skipped",
                   .of = Of::rounds,
                   .why = "the floor is a ceiling: below NB no rank without data can have all blocks",
                   .refutes = true}},
             .why =
                 "An empty rank receives NB blocks, one a round, so NB - 1 rounds cannot do; right is NB - 1 + ceil(z/(p - z))."},
            {.name = "eq2",
             .kind = Kind::equation,
             .shows = "the best block size",
             .panels =
                 {{.title = "time over the block size, half of the ranks empty",
                   .sweep =
                       "allgatherv/pipelined-ring -n 32 --sizes half-full --size 250000 --set block=4KiB..512KiB*2 --set empty=skipped --model infiniband-2008 --x block --line 'as printed=(total/block+(p+empty)/2-1+floor(empty/(p-empty)))*(alpha+beta*block)' --line 'corrected=(total/block+(p-empty)/2-1+ceil(empty/(p-empty)))*(alpha+beta*block)'"}},
             .numbers =
                 {{.what = "B of equation (2) as printed, over the corrected one, for p = 32, z = 16",
                   .print = "1",
                   .says = exactly(1),
                   .expected = 0.577,
                   .slow = "allgatherv/pipelined-ring -n 32 --sizes half-full --size 256KiB --model infiniband-2008",
                   .formula = "sqrt(((p-empty)/2-1+ceil(empty/(p-empty)))/((p+empty)/2-1+floor(empty/(p-empty))))",
                   .why = "the printed sum counts the empty ranks twice",
                   .refutes = true}},
             .why =
                 "With (p + z)/2 empty ranks count twice; with (p - z)/2 the estimate is nearer to the run at every block size. Where blocks divide the contributions nothing is rounded, and larger ones are better still."},
            {.name = "obs1",
             .kind = Kind::observation,
             .shows = "the six rules of sizes: broadcast and spike hold c in all, the others p c",
             .numbers = {{.what = "spike, corrected: bytes in all over c",
                          .print = "m = c",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "allgatherv/linear-ring -n 30 --sizes spike --size 1MiB",
                          .formula = "total/size"},
                         {.what = "half full, corrected: bytes in all over p c",
                          .print = "m = p c",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "allgatherv/linear-ring -n 31 --sizes half-full --size 1MiB",
                          .formula = "total/(p*size)"},
                         {.what = "linear: bytes in all over p c",
                          .print = "m = p c",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "allgatherv/linear-ring -n 30 --sizes linear --size 1MiB",
                          .formula = "total/(p*size)"},
                         {.what = "geometric, corrected: bytes in all over p c",
                          .print = "m = p c",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "allgatherv/linear-ring -n 30 --sizes geometric --size 1MiB",
                          .formula = "total/(p*size)"},
                         {.what = "half full as printed, 31 ranks: bytes in all over p c",
                          .print = "m = p c",
                          .says = exactly(1),
                          .expected = 1.0323,
                          .slow = "allgatherv/linear-ring -n 31 --sizes half-full --size 1MiB",
                          .formula = "ceil(p/2)*2*size/(p*size)",
                          .why = "of an odd number of ranks (p + 1)/2 contribute 2c each",
                          .refutes = true},
                         {.what = "geometric as printed, 30 ranks: bytes in all over p c",
                          .print = "m = p c",
                          .says = exactly(1),
                          .expected = 1.019,
                          .slow = "allgatherv/linear-ring -n 30 --sizes geometric --size 1MiB",
                          .formula = "ceil(log2(p))/log2(p)",
                          .why = "each of the ceil(log p) groups of ranks contributes c p/log p",
                          .refutes = true}},
             .why =
                 "The printed sums hold for even numbers of ranks and for powers of two. Half full contributes (p + 1) c for odd p, and geometric ceil(log p)/log p times p c. Both are corrected here, as are the exponent of spike, which is damaged in print, and linear for one rank, where it divides by zero."},
        }};
    return joined(std::move(paper), traff2010Measured());
}

}  // namespace app::figures
