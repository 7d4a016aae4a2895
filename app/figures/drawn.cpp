// SPDX-License-Identifier: BSD-3-Clause
#include "app/figures/drawn.hpp"

#include <algorithm>

namespace app::figures {
namespace {

std::vector<Drawn> ofTraff2010() {
    constexpr std::string_view sixRanks =
        "allgatherv/pipelined-ring -n 6 --sizes linear --size 1000 --set block=1000 --progress lockstep";
    return {
        {.paper = "traff2010",
         .item = "fig1",
         .below =
             "Round 1. Nodes of 1, 5, 2, 1, 1 and 1 ranks around the network s0; s1 to s6 are the network cards of "
             "the nodes. In every round one message leaves each node and one enters it.",
         .panels = {{.title = "Linear ring on a cluster of nodes",
                     .run = "allgatherv/linear-ring -n 11 --topology cluster:1,5,2,1,1,1",
                     .view = "network"}}},
        {.paper = "traff2010",
         .item = "fig2",
         .columns = 2,
         .below =
             "6 ranks with 2000, 1600, 1200, 800, 400 and 0 bytes in blocks of at most 1000 bytes: 2, 2, 2, 1, 1 "
             "and 1 blocks, of which the last of a rank may be partly full. The columns of a table are the "
             "contributions of ranks, which it calls blocks. In round 1 each rank sends its last block; an arrow is "
             "the wider the more bytes it carries, and the thin one is the empty block of rank 5. After 9 - 1 = 8 "
             "rounds all ranks have gathered all data.",
         .panels = {{.title = "Before round 1", .run = sixRanks, .view = "holdings", .afterRound = 0},
                    {.title = "Round 1: each rank sends to the next one",
                     .run = sixRanks,
                     .view = "strip",
                     .count = 1,
                     .together = true},
                    {.title = "After round 4", .run = sixRanks, .view = "holdings", .afterRound = 4},
                    {.title = "After round 8", .run = sixRanks, .view = "holdings", .afterRound = 8}}},
        {.paper = "traff2010",
         .item = "fig3",
         .columns = 2,
         .sameTime = true,
         .below = "Ranks 0, 2 and 4 have 3 blocks each, ranks 1, 3 and 5 between them have none: b = 12, b - min b_i = "
                  "11 rounds, or 9 when empty blocks are neither sent nor received, 2 rounds fewer. A message has the "
                  "colour of the rank whose data it carries.",
         .panels =
             {{.title = "All blocks are sent: 11 rounds",
               .run =
                   "allgatherv/pipelined-ring -n 6 --sizes half-full --size 3KiB --set block=2KiB --progress lockstep",
               .view = "timeline"},
              {.title = "Empty blocks are left out: 9 rounds",
               .run = "allgatherv/pipelined-ring -n 6 --sizes half-full --size 3KiB --set block=2KiB --set "
                      "empty=skipped --progress lockstep",
               .view = "timeline"}}},
        {.paper = "traff2010",
         .item = "fig8",
         .columns = 2,
         .below =
             "One allgather of broadcast sizes, 1 MiB at rank 0, with 32 ranks; each panel has its own axis of "
             "time. Hatched: waiting. Blank at the end of a row: finished early. Empty contributions take no time here.",
         .panels = {
             {.title = "Linear ring, not pipelined",
              .run =
                  "allgatherv/linear-ring -n 32 --sizes broadcast --size 1MiB --model bytes-only --progress lockstep",
              .view = "timeline"},
             {.title = "Pipelined ring, B = 32 KiB",
              .run =
                  "allgatherv/pipelined-ring -n 32 --sizes broadcast --size 1MiB --set block=32KiB --set empty=skipped "
                  "--model bytes-only --progress lockstep",
              .view = "timeline"}}}};
}

std::vector<Drawn> ofHasanov2014() {
    return {{.paper = "hasanov2014",
             .item = "fig1",
             .below = "The root, rank 0, and the other 11 ranks form one level.",
             .panels =
                 {{.title = "Broadcast among 12 ranks", .run = "bcast/flat -n 12", .view = "strip", .together = true}}},
            {.paper = "hasanov2014",
             .item = "fig2",
             .columns = 2,
             .below = "3 groups of 4 ranks. The leader of a group is an ellipse, all other ranks are circles.",
             .panels = {{.title = "First step: among the leaders",
                         .run = "bcast/flat -n 12 --set groups=3",
                         .view = "strip",
                         .count = 2,
                         .together = true},
                        {.title = "Second step: inside each group",
                         .run = "bcast/flat -n 12 --set groups=3",
                         .view = "strip",
                         .first = 3,
                         .together = true}}}};
}

std::vector<Drawn> ofKang2019() {
    constexpr std::string_view balanced = "intergroup-allgatherv/balanced -p 6 -q 2 --sizes rising --size 1000";
    return {
        {.paper = "kang2019",
         .item = "fig1",
         .below =
             "Group A: ranks 0 to 5 from left to right, above. Group B: ranks 6 and 7, below. Each rank of B exchanges messages "
             "with 3 ranks of A in 3 rounds; then both groups gather, after the last round shown all data. A "
             "message has the colour of the rank whose data it carries.",
         .panels = {{.title = "Algorithm 1, p = 6, q = 2",
                     .run = "intergroup-allgatherv/segmented -p 6 -q 2 --size 3KiB --progress lockstep",
                     .view = "strip",
                     .held = true}}},
        {.paper = "kang2019",
         .item = "fig2",
         .below =
             "Group A: ranks 0 to 7 from left to right, above, in the subgroups 0-2, 3-5 and 6-7. Group B: ranks 8 to 10, "
             "below. A message has the colour of the rank whose data it carries. After the last round shown all "
             "ranks have all data of the other group.",
         .panels = {{.title = "Algorithm 1, p = 8, q = 3",
                     .run = "intergroup-allgatherv/segmented -p 8 -q 3 --size 6KiB --progress lockstep",
                     .view = "strip",
                     .held = true}}},
        {.paper = "kang2019",
         .item = "fig3",
         .columns = 2,
         .below = "All rounds of the exchange in one picture. The ranks of A have 0, 400, 800, 1200, 1600 and 2000 "
                  "bytes, of which each rank of B receives 3000. Of B only rank 7 has data, 2000 bytes; each rank "
                  "of A receives 333 or 334. Rank 4 of A sends to two receivers.",
         .panels = {{.title = "(a) Group A to group B",
                     .run = balanced,
                     .view = "strip",
                     .count = 6,
                     .together = true,
                     .senders = 'A'},
                    {.title = "(b) Group B to group A",
                     .run = balanced,
                     .view = "strip",
                     .count = 6,
                     .together = true,
                     .senders = 'B'}}}};
}

std::vector<Drawn> ofKangHalfDuplex() {
    constexpr std::string_view more = "halfduplex-allgather/fully-connected -p 6 -q 2 --progress lockstep";
    constexpr std::string_view fewer =
        "halfduplex-allgather/fully-connected -p 2 -q 6 --set broadcast=binomial --progress lockstep";
    const auto ring = [](std::string_view item, std::string_view title, std::string_view run) {
        return Drawn{
            .paper = "kang-half-duplex",
            .item = item,
            .below =
                "Senders are circles, receivers squares. The colour of an arrow is that of its message. After the last "
                "step shown all receivers have all messages.",
            .panels = {{.title = title, .run = run, .view = "strip", .held = true}}};
    };
    return {
        {.paper = "kang-half-duplex",
         .item = "fig1",
         .columns = 2,
         .below = "Senders are circles, receivers squares. The colour of an arrow is that of its message. In (b) the "
                  "senders 2 to 5 and the receivers gather together; in (d) every 2 receivers do.",
         .panels = {{.title = "(a) First step, p = 6, q = 2",
                     .run = more,
                     .view = "strip",
                     .count = 1,
                     .together = true,
                     .held = true},
                    {.title = "(b) Second step, p = 6, q = 2",
                     .run = more,
                     .view = "strip",
                     .first = 2,
                     .together = true,
                     .held = true},
                    {.title = "(c) First step, p = 2, q = 6: binomial broadcasts",
                     .run = fewer,
                     .view = "strip",
                     .count = 2,
                     .together = true,
                     .held = true},
                    {.title = "(d) Second step, p = 2, q = 6",
                     .run = fewer,
                     .view = "strip",
                     .first = 3,
                     .together = true,
                     .held = true}}},
        ring("fig2", "p = 4, q = 6: 7 steps", "halfduplex-allgather/ring-streams -p 4 -q 6 --progress lockstep"),
        ring("fig3", "p = 6, q = 4: 8 steps", "halfduplex-allgather/ring-streams -p 6 -q 4 --progress lockstep")};
}

std::vector<Drawn> ofEnd2016() {
    constexpr std::string_view border8 =
        "allreduce/adapted-dissemination -n 8 --ports 2 --set n=2 --set tuple=2,1,-1,1,0";
    return {
        {.paper = "end2016",
         .item = "fig1",
         .columns = 2,
         .below =
             "The number in a dashed circle is the rank that acts as the virtual process: 0, 1 and 2 as 5, 6 and 7.",
         .panels = {{.title = "Butterfly with virtual processes, P = 5",
                     .run = "allreduce/butterfly -n 5 --ports 2",
                     .view = "pattern"},
                    {.title = "Pairwise exchange, P = 5",
                     .run = "allreduce/pairwise-exchange -n 5",
                     .view = "pattern"}}},
        {.paper = "end2016",
         .item = "fig2",
         .columns = 2,
         .below =
             "In round 2 rank p sends to p + 3: all 3 contributions that it has, of which one comes back to its "
             "owner, or only 2 of them. By equation (1) the original scheme also sends to p + 6 mod 5 = p + 1, which "
             "is not drawn: that rank has two of the three contributions already and gets the third from p - 2.",
         .panels = {{.title = "2-way dissemination, P = 5: round 2 sends 3 contributions",
                     .run = "allreduce/dissemination -n 5 --ports 2 --set n=2 --set repeats=allowed",
                     .view = "pattern"},
                    {.title = "Adapted, P = 5: round 2 sends 2 contributions",
                     .run = "allreduce/adapted-dissemination -n 5 --ports 2 --set n=2 --set fallback=no",
                     .view = "pattern"}}},
        {.paper = "end2016",
         .item = "tab1",
         .panels = {{.title = "9 ranks", .run = "allreduce/dissemination -n 9 --ports 2 --set n=2", .view = "partials"},
                    {.title = "8 ranks",
                     .run = "allreduce/dissemination -n 8 --ports 2 --set n=2 --set repeats=allowed",
                     .view = "partials"}}},
        {.paper = "end2016",
         .item = "fig3",
         .below = "Dashed: data boundaries of the rank, g, and of the sender 2, g^2. Filled: combined in round 1. "
                  "Hollow: pending until round 2. Rank 0 receives the sums of ranks "
                  "5 (x5, x4, x3) and 2. Its base border g_B, behind x1 and before x0, coincides with g^2_1[1], "
                  "between x1 and x0: rank 2 sends x2, x1 without x0.",
         .panels = {{.title = "Rank 0 after round 1",
                     .run = border8,
                     .view = "brackets",
                     .afterRound = 1,
                     .rank = 0,
                     .borders = "g"},
                    {.title = "Rank 2 after round 1",
                     .run = border8,
                     .view = "brackets",
                     .afterRound = 1,
                     .rank = 2,
                     .borders = "g^2",
                     .bordersTo = 1}}},
        {.paper = "end2016",
         .item = "fig4",
         .panels = {{.title = "Bruck's global combine, P = 8, n = 2",
                     .run = "allreduce/bruck -n 8 --ports 2 --set n=2",
                     .view = "pattern"}}}};
}

}  // namespace

const std::vector<Drawn>& drawnItems() {
    static const std::vector<Drawn> all = [] {
        std::vector<Drawn> found;
        for (const auto& part : {ofTraff2010(), ofHasanov2014(), ofKang2019(), ofKangHalfDuplex(), ofEnd2016()})
            found.insert(found.end(), part.begin(), part.end());
        return found;
    }();
    return all;
}

const Drawn* drawnOf(std::string_view paper, std::string_view item) {
    const auto found = std::find_if(drawnItems().begin(), drawnItems().end(),
                                    [&](const Drawn& one) { return one.paper == paper && one.item == item; });
    return found == drawnItems().end() ? nullptr : &*found;
}

}  // namespace app::figures
