// SPDX-License-Identifier: BSD-3-Clause
// The same paper, section 3: what it measures.
#include "app/figures/parts.hpp"

namespace app::figures {

std::vector<Item> traff2010Measured() {
    return {
        {.name = "fig4",
         .shows =
             "time over the base size on 30 nodes of an NEC SX-8, linear ring and pipelined ring with blocks of 1 MiB, six panels",
         .axes = "the base data size across; the time up",
         .panels =
             {{.title = "broadcast, 30 ranks",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=1MiB -n 30 --sizes broadcast --size 256KiB..64MiB*2 --model sx-8"},
              {.title = "spike, 30 ranks",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=1MiB -n 30 --sizes spike --size 256KiB..64MiB*2 --model sx-8"},
              {.title = "linear, 30 ranks",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=1MiB -n 30 --sizes linear --size 64KiB..4MiB*2 --model sx-8"},
              {.title = "geometric, 30 ranks",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=1MiB -n 30 --sizes geometric --size 64KiB..4MiB*2 --model sx-8"},
              {.title = "broadcast, 8 ranks a node",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=1MiB -n 240 --sizes broadcast --size 1MiB..32MiB*2 --model sx-8 --topology cluster:8",
               .small =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=1MiB -n 48 --sizes broadcast --size 1MiB..32MiB*4 --model sx-8 --topology cluster:8"},
              {.title = "spike, 8 ranks a node",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=1MiB -n 240 --sizes spike --size 1MiB..32MiB*2 --model sx-8 --topology cluster:8",
               .small =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=1MiB -n 48 --sizes spike --size 1MiB..32MiB*4 --model sx-8 --topology cluster:8"}},
         .curves = {{.panel = 0,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 1 MiB",
                     .says = atLeast(1),
                     .low = 1,
                     .high = 19.44},
                    {.panel = 1,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 1 MiB",
                     .says = atLeast(1),
                     .low = 1,
                     .high = 10.18},
                    {.panel = 2,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 1 MiB",
                     .says = atLeast(1),
                     .low = 1,
                     .high = 1.676},
                    {.panel = 3,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 1 MiB",
                     .says = atLeast(1),
                     .low = 1,
                     .high = 4.909},
                    {.panel = 4,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 1 MiB",
                     .says = atLeast(1)},
                    {.panel = 5,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 1 MiB",
                     .says = atLeast(1)}},
         .why =
             "Shapes and quotients are those of the analysis. Times are of the model sx-8, whose values are assumed: the paper prints none."},
        {.name = "claim2",
         .kind = Kind::claim,
         .shows =
             "section 3.1: on 30 nodes broadcast gains more than tenfold; 32 x 29/(29 + 31), about 15, would be best",
         .numbers =
             {{.what = "fig. 4: broadcast, 32 MiB, 30 ranks, B = 1 MiB",
               .print = "about 15",
               .says = about(15),
               .expected = 15.47,
               .slow = "allgatherv/linear-ring -n 30 --sizes broadcast --size 32MiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 30 --sizes broadcast --size 32MiB --model bytes-only --set block=1MiB",
               .headline = true},
              {.what = "fig. 4: spike, 32 MiB, 30 ranks, B = 1 MiB",
               .print = "significant",
               .says = moreThan(1),
               .expected = 10.5455,
               .slow = "allgatherv/linear-ring -n 30 --sizes spike --size 32MiB --model bytes-only",
               .fast = "allgatherv/pipelined-ring -n 30 --sizes spike --size 32MiB --model bytes-only --set block=1MiB",
               .headline = true},
              {.what = "fig. 4: broadcast, 32 MiB, 8 ranks on each of 30 nodes",
               .print = "",
               .expected = 28.3,
               .slow =
                   "allgatherv/linear-ring -n 240 --sizes broadcast --size 32MiB --model bytes-only --topology cluster:8",
               .fast =
                   "allgatherv/pipelined-ring -n 240 --sizes broadcast --size 32MiB --model bytes-only --topology cluster:8 --set block=1MiB"}},
         .why = "The printed quotient is that of two schedules: 29 rounds of 32 MiB over 60 rounds of 1 MiB."},
        {.name = "claim3",
         .kind = Kind::claim,
         .shows = "section 3.1: the linear ring takes twice as long for broadcast as for spike",
         .numbers = {{.what = "3.1: linear ring, broadcast over spike, 32 MiB",
                      .print = "twice",
                      .says = exactly(2),
                      .expected = 2,
                      .slow = "allgatherv/linear-ring -n 30 --sizes broadcast --size 32MiB --model bytes-only",
                      .fast = "allgatherv/linear-ring -n 30 --sizes spike --size 32MiB --model bytes-only",
                      .headline = true}},
         .why = "The largest contribution sets the time of every round, and it is c against c/2."},
        {.name = "obs3",
         .kind = Kind::observation,
         .shows = "section 3.1: the pipelined ring takes similar times for broadcast and for spike",
         .numbers =
             {{.what = "3.1: pipelined ring, broadcast over spike, 32 MiB, 30 ranks, B = 1 MiB",
               .print = "similar",
               .says = about(1),
               .expected = 1.364,
               .slow =
                   "allgatherv/pipelined-ring -n 30 --sizes broadcast --size 32MiB --model bytes-only --set block=1MiB",
               .fast = "allgatherv/pipelined-ring -n 30 --sizes spike --size 32MiB --model bytes-only --set block=1MiB",
               .headline = true,
               .why = "60 rounds against 44: half of the bytes of spike start from all ranks at once",
               .term = "(ceil(size/block)+p-2)/(ceil(size/2/block)+p-2)"},
              {.what = "the same, 64 MiB",
               .print = "similar",
               .says = about(1),
               .expected = 1.0455,
               .slow =
                   "allgatherv/pipelined-ring -n 30 --sizes broadcast --size 64MiB --model bytes-only --set block=1MiB",
               .fast = "allgatherv/pipelined-ring -n 30 --sizes spike --size 64MiB --model bytes-only --set block=1MiB",
               .why = "92 rounds against 88"}},
         .why =
             "A third more for broadcast at 32 MiB, nearly none at 64 MiB; the linear ring's factor is 2 at every size."},
        {.name = "claim4",
         .kind = Kind::claim,
         .shows = "section 3.1: regular and half-full sizes take the same time with both algorithms",
         .numbers =
             {{.what = "3.1: regular sizes, 2 MiB, 30 ranks, B = 1 MiB",
               .print = "similar",
               .says = about(1),
               .expected = 1,
               .slow = "allgatherv/linear-ring -n 30 --size 2MiB --model bytes-only",
               .fast = "allgatherv/pipelined-ring -n 30 --size 2MiB --model bytes-only --set block=1MiB",
               .headline = true},
              {.what = "3.1: half-full sizes, 2 MiB, 30 ranks, B = 1 MiB",
               .print = "similar",
               .says = about(1),
               .expected = 1.57,
               .slow = "allgatherv/linear-ring -n 30 --sizes half-full --size 2MiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 30 --sizes half-full --size 2MiB --model bytes-only --set block=1MiB",
               .headline = true,
               .why =
                   "the largest contribution is twice the mean, so the linear ring idles half of the time; parity holds while 2c <= B",
               .term = "(p-1)*largest/(((p-empty)*largest/1048576+empty-1)*1048576)"},
              {.what = "the same, 512 KiB: 2c fits a block",
               .print = "similar",
               .says = about(1),
               .expected = 1,
               .slow = "allgatherv/linear-ring -n 30 --sizes half-full --size 512KiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 30 --sizes half-full --size 512KiB --model bytes-only --set block=1MiB"},
              {.what = "2 MiB again, with empty blocks left out",
               .print = "similar",
               .says = about(1),
               .expected = 1.93,
               .slow = "allgatherv/linear-ring -n 30 --sizes half-full --size 2MiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 30 --sizes half-full --size 2MiB --model bytes-only --set block=1MiB --set empty=skipped",
               .why = "29 rounds of 4 MiB against 60 of 1 MiB",
               .term = "(p-1)*largest/((total/1048576-1+ceil(empty/(p-empty)))*1048576)"}},
         .why =
             "Regular sizes are at parity. Half full is where 2c fits one block, up to c = 512 KiB; the text names no size. Beyond that the paper's own model gives the pipelined ring a gain, at 2 MiB 29 rounds of 4 MiB against 74 of 1 MiB."},
        {.name = "claim5",
         .kind = Kind::claim,
         .shows = "section 3.1: ranks in random order take almost the same time",
         .numbers =
             {{.what = "3.1: broadcast, random order over order of ranks",
               .print = "almost identical",
               .says = about(1),
               .expected = 1,
               .slow =
                   "allgatherv/pipelined-ring -n 30 --sizes broadcast --size 32MiB --set block=1MiB --model bytes-only --placement random:7",
               .fast =
                   "allgatherv/pipelined-ring -n 30 --sizes broadcast --size 32MiB --set block=1MiB --model bytes-only",
               .headline = true},
              {.what = "the same, 8 ranks on each of 30 nodes, dealt out in turn, over order of nodes",
               .print = "reranking is needed",
               .says = moreThan(1),
               .expected = 1.778,
               .slow =
                   "allgatherv/pipelined-ring -n 240 --sizes broadcast --size 32MiB --set block=1MiB --model bytes-only --topology cluster:8 --placement round-robin",
               .fast =
                   "allgatherv/pipelined-ring -n 240 --sizes broadcast --size 32MiB --set block=1MiB --model bytes-only --topology cluster:8",
               .why = "32 blocks are in flight at once, so that two of them cross one card: (210 x 2 + 60)/270 rounds"},
              {.what = "3.1: the same on 30 nodes of 8 ranks, reranked",
               .print = "almost identical",
               .says = about(1),
               .expected = 1,
               .slow =
                   "allgatherv/pipelined-ring -n 240 --sizes broadcast --size 32MiB --set block=1MiB --model bytes-only --topology cluster:8 --placement round-robin --set placement=within-nodes",
               .fast =
                   "allgatherv/pipelined-ring -n 240 --sizes broadcast --size 32MiB --set block=1MiB --model bytes-only --topology cluster:8",
               .headline = true}},
         .why =
             "With one rank a node every order is alike. With eight it is the reranking of section 2.2 that makes it so: without it such an order takes 1.8 times as long, and the linear ring up to 8 times."},
        {.name = "fig5",
         .shows = "time over the base size for five block sizes, 16 x 2 ranks on InfiniBand",
         .axes = "the base data size across; the time up",
         .panels =
             {{.title = "spike, 32 ranks",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring -n 32 --sizes spike --size 256KiB..16MiB*2 --set block=32KiB,64KiB,128KiB,512KiB,1MiB --model infiniband-2008 --x size"},
              {.title = "linear, 32 ranks",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring -n 32 --sizes linear --size 16KiB..1MiB*2 --set block=32KiB,64KiB,128KiB,512KiB,1MiB --model infiniband-2008 --x size"}},
         .curves = {{.panel = 0,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 32 KiB",
                     .says = atLeast(1)},
                    {.panel = 0,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 64 KiB",
                     .says = atLeast(1)},
                    {.panel = 0,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 128 KiB",
                     .says = atLeast(1)},
                    {.panel = 0,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 512 KiB",
                     .says = atLeast(1)},
                    {.panel = 0,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 1 MiB",
                     .says = atLeast(1)},
                    {.panel = 1,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 32 KiB",
                     .says = atLeast(1)},
                    {.panel = 1,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 64 KiB",
                     .says = atLeast(1)},
                    {.panel = 1,
                     .first = "allgatherv/linear-ring",
                     .second = "allgatherv/pipelined-ring, block 128 KiB",
                     .says = atLeast(1)},
                    {.panel = 1,
                     .first = "allgatherv/pipelined-ring, block 32 KiB",
                     .second = "allgatherv/pipelined-ring, block 128 KiB",
                     .says = lessThan(1),
                     .from = 32768,
                     .to = 262144,
                     .why = "the best block depends on the size"},
                    {.panel = 1,
                     .first = "allgatherv/pipelined-ring, block 32 KiB",
                     .second = "allgatherv/pipelined-ring, block 128 KiB",
                     .says = moreThan(1),
                     .from = 524288}},
         .why =
             "For spike every block size below half of c gains, and with larger blocks the two are the same schedule. For linear sizes the best block size depends on the data size. The loss below the linear ring is claim8. Drawn with one rank a node: a ring crosses the card of a node once each way, however many ranks are behind it."},
        {.name = "claim7",
         .kind = Kind::claim,
         .shows = "section 3.2: the pipelined ring is faster for spike at every block size",
         .numbers =
             {{.what = "fig. 5: spike, 16 MiB, 32 ranks, B = 32 KiB",
               .print = "faster",
               .says = moreThan(1),
               .expected = 15.1,
               .slow = "allgatherv/linear-ring -n 32 --sizes spike --size 16MiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 32 --sizes spike --size 16MiB --model bytes-only --set block=32KiB",
               .headline = true},
              {.what = "the same, B = 64 KiB",
               .print = "faster",
               .says = moreThan(1),
               .expected = 14.3,
               .slow = "allgatherv/linear-ring -n 32 --sizes spike --size 16MiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 32 --sizes spike --size 16MiB --model bytes-only --set block=64KiB"},
              {.what = "the same, B = 128 KiB",
               .print = "faster",
               .says = moreThan(1),
               .expected = 12.9,
               .slow = "allgatherv/linear-ring -n 32 --sizes spike --size 16MiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 32 --sizes spike --size 16MiB --model bytes-only --set block=128KiB"},
              {.what = "the same, B = 512 KiB",
               .print = "faster",
               .says = moreThan(1),
               .expected = 10.8,
               .slow = "allgatherv/linear-ring -n 32 --sizes spike --size 16MiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 32 --sizes spike --size 16MiB --model bytes-only --set block=512KiB"},
              {.what = "the same, B = 1 MiB",
               .print = "faster",
               .says = moreThan(1),
               .expected = 6.5,
               .slow = "allgatherv/linear-ring -n 32 --sizes spike --size 16MiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 32 --sizes spike --size 16MiB --model bytes-only --set block=1MiB"},
              {.what = "the least size drawn, 256 KiB, B = 128 KiB",
               .print = "faster",
               .says = moreThan(1),
               .expected = 1,
               .slow = "allgatherv/linear-ring -n 32 --sizes spike --size 256KiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 32 --sizes spike --size 256KiB --model bytes-only --set block=128KiB",
               .why = "c/2 is one block: the two are one schedule",
               .term = "ceil(largest/131072)"}},
         .why =
             "The pipelined ring is faster wherever the contribution of c/2 is more than a block. At the smallest size drawn it is one block, and the two rings are the same schedule. Bytes alone, as the paper's O(r B) counts them; startups take a little from the small blocks."},
        {.name = "claim8",
         .kind = Kind::claim,
         .shows =
             "section 3.2: too small a block makes the pipelined ring slower than the linear ring for linear sizes",
         .numbers =
             {{.what = "fig. 5: linear sizes, 1 MiB, 32 ranks, B = 32 KiB",
               .print = "a loss",
               .says = lessThan(1),
               .expected = 1.66,
               .slow = "allgatherv/linear-ring -n 32 --sizes linear --size 1MiB --model infiniband-2008",
               .fast =
                   "allgatherv/pipelined-ring -n 32 --sizes linear --size 1MiB --model infiniband-2008 --set block=32KiB",
               .headline = true,
               .why = "a loss needs startups worth more than 31 kB; those of InfiniBand are worth 5 kB",
               .term = "(p-1)*(alpha+beta*largest)/(1039*(alpha+beta*32768))"},
              {.what = "the same with startups worth 33 kB",
               .print = "a loss",
               .says = lessThan(1),
               .expected = 0.97,
               .slow = "allgatherv/linear-ring -n 32 --sizes linear --size 1MiB --alpha 33us --beta 1ns/B",
               .fast =
                   "allgatherv/pipelined-ring -n 32 --sizes linear --size 1MiB --alpha 33us --beta 1ns/B --set block=32KiB"}},
         .why =
             "It is so where a startup costs as much as a block, more than the network alone explains: other costs per message must have been at work."},
        {.name = "obs4",
         .kind = Kind::observation,
         .shows = "section 3.2: even for regular sizes smaller blocks than the contributions sometimes help",
         .numbers = {{.what = "regular, 1 MiB, 32 ranks: linear ring over pipelined ring, B = 512 KiB",
                      .print = "sometimes a gain",
                      .says = moreThan(1),
                      .expected = 0.995,
                      .slow = "allgatherv/linear-ring -n 32 --size 1MiB --model infiniband-2008",
                      .fast = "allgatherv/pipelined-ring -n 32 --size 1MiB --model infiniband-2008 --set block=512KiB",
                      .why =
                          "31 (alpha + beta c) against 62 (alpha + beta c/2): cutting adds startups and nothing else",
                      .term = "(alpha+beta*size)/(2*alpha+beta*size)"}},
         .notHere = true,
         .why =
             "Cutting adds startups and saves nothing under any model here, since all contributions are alike and each round is full. What a library gained by it, such as copies beside transfers, is not in print."},
        {.name = "fig6",
         .shows = "time over the base size, 96 ranks on Gigabit Ethernet, B = 32 KiB",
         .axes = "the base data size across; the time up",
         .panels =
             {{.title = "spike, 96 ranks",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=32KiB -n 96 --sizes spike --size 16KiB..4MiB*2 --model gigabit-ethernet"},
              {.title = "geometric, 96 ranks",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=32KiB -n 96 --sizes geometric --size 128..32KiB*2 --model gigabit-ethernet"}},
         .numbers =
             {{.what = "fig. 6: spike, 4 MiB, bytes alone",
               .print = "considerable",
               .says = moreThan(1),
               .expected = 38.5,
               .slow = "allgatherv/linear-ring -n 96 --sizes spike --size 4MiB --model bytes-only",
               .fast = "allgatherv/pipelined-ring -n 96 --sizes spike --size 4MiB --model bytes-only --set block=32KiB",
               .headline = true},
              {.what = "fig. 6: geometric, 32 KiB, bytes alone",
               .print = "considerable",
               .says = moreThan(1),
               .expected = 9.8,
               .slow = "allgatherv/linear-ring -n 96 --sizes geometric --size 32KiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 96 --sizes geometric --size 32KiB --model bytes-only --set block=32KiB",
               .headline = true}},
         .why =
             "Small sizes differ little, large ones by more than an order. Times are of the model gigabit-ethernet, whose values are assumed: the paper prints none. Drawn with one rank a node, from which a ring hardly tells four."},
        {.name = "fig7",
         .shows =
             "left: geometric sizes over the number of ranks; right: how much of the time ranks idle for broadcast",
         .axes = "left: the number of processes across; right: communication and idle time",
         .panels =
             {{.title = "geometric, 32 KiB, over ranks",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=32KiB -n 4,8,16,24,32,48,64,96 --sizes geometric --size 32KiB --model gigabit-ethernet --linear x"},
              {.title = "idle share, broadcast, 96 ranks",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=32KiB -n 96 --sizes broadcast --size 64KiB..8MiB*2 --model gigabit-ethernet --y idle --linear y"}},
         .numbers =
             {{.what = "fig. 7: geometric, 32 KiB, 24 ranks, bytes alone",
               .print = "",
               .expected = 3.4,
               .slow = "allgatherv/linear-ring -n 24 --sizes geometric --size 32KiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 24 --sizes geometric --size 32KiB --model bytes-only --set block=32KiB"},
              {.what = "the same, 48 ranks",
               .print = "",
               .expected = 5.2,
               .slow = "allgatherv/linear-ring -n 48 --sizes geometric --size 32KiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 48 --sizes geometric --size 32KiB --model bytes-only --set block=32KiB"}},
         .why =
             "The linear ring's ranks idle for nearly all of a broadcast, those of the pipelined ring less and less with its size. That the left panel is of c = 32 KiB is chosen: the caption names no size."},
        {.name = "fig8",
         .shows = "a trace of both rings for broadcast: light where ranks idle, dark where they communicate",
         .numbers =
             {{.what = "fig. 8: idle share of the linear ring, 1 MiB, 96 ranks",
               .print = "many processes remain idle",
               .says = atLeast(0.5),
               .expected = 0.979,
               .slow = "allgatherv/linear-ring -n 96 --sizes broadcast --size 1MiB --model bytes-only",
               .of = Of::still},
              {.what = "fig. 8: idle share of the pipelined ring, B = 32 KiB",
               .print = "more balanced",
               .says = lessThan(0.979),
               .expected = 0.738,
               .slow =
                   "allgatherv/pipelined-ring -n 96 --sizes broadcast --size 1MiB --model bytes-only --set block=32KiB",
               .of = Of::still}},
         .why =
             "Only shares can be compared, for a size and a number of ranks that are chosen: 1 MiB and 96. The traces themselves: collscope export ... -o FILE.svg --view timeline."},
        {.name = "obs5",
         .kind = Kind::observation,
         .shows = "section 3.4: both algorithms on top of MPI cost hardly more than within the library",
         .notHere = true,
         .why = "A comparison with the machine's own library, whose results are not shown in print either."},
        {.name = "fig9",
         .shows = "time over the message size, geometric sizes, 5772 ranks of a SiCortex (Kautz graph), B = 32 KiB",
         .axes = "the message size across; the time up",
         .panels =
             {{.title = "geometric, 5772 ranks",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=32KiB -n 5772 --sizes geometric --size 64..32KiB*2 --model sicortex",
               .small =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=32KiB -n 577 --sizes geometric --size 64..32KiB*8 --model sicortex"}},
         .numbers =
             {{.what = "fig. 9: 1 KiB, 5772 ranks, bytes alone",
               .print = "significantly",
               .says = moreThan(1),
               .expected = 14.4,
               .slow = "allgatherv/linear-ring -n 5772 --sizes geometric --size 1KiB --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 5772 --sizes geometric --size 1KiB --model bytes-only --set block=32KiB",
               .headline = true,
               .large = true},
              {.what = "the same on the machine's network: a Kautz graph, six cores behind the port of each node",
               .print = "significantly",
               .says = moreThan(1),
               .expected = 13.76,
               .slow =
                   "allgatherv/linear-ring -n 5772 --sizes geometric --size 1KiB --model bytes-only --topology kautz:3,6,cores=6,ports=1",
               .fast =
                   "allgatherv/pipelined-ring -n 5772 --sizes geometric --size 1KiB --model bytes-only --set block=32KiB --topology kautz:3,6,cores=6,ports=1",
               .why =
                   "ways of several nodes meet on links of the graph: even blocks take 4.9 % longer, one large block 0.1 %; with --sharing none it is 14.42",
               .large = true}},
         .why =
             "Times are of the model sicortex, whose values are assumed. Drawn on a full network, from which the ring hardly tells the machine's own: a ring crosses the port of a node once each way, however many cores are behind it."},
        {.name = "fig10",
         .shows =
             "geometric sizes on Blue Gene/P, B = 32 KiB: over the message size with 65536 ranks, over the ranks with 64 bytes",
         .axes = "left: the message size across; right: the system size; the time up",
         .panels =
             {{.title = "65536 ranks, over the message size",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=32KiB -n 65536 --sizes geometric --size 16..1KiB*2 --model bgp",
               .small =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=32KiB -n 2048 --sizes geometric --size 16..1KiB*8 --model bgp"},
              {.title = "64 bytes, over the ranks",
               .sweep =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=32KiB -n 1024..65536*2 --sizes geometric --size 64 --model bgp",
               .small =
                   "allgatherv/linear-ring allgatherv/pipelined-ring:block=32KiB -n 1024..16384*4 --sizes geometric --size 64 --model bgp"}},
         .numbers =
             {{.what = "fig. 10: 65536 ranks, 64 B, bytes alone",
               .print = "significantly",
               .says = moreThan(1),
               .expected = 8,
               .slow = "allgatherv/linear-ring -n 65536 --sizes geometric --size 64 --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 65536 --sizes geometric --size 64 --model bytes-only --set block=32KiB",
               .large = true},
              {.what = "fig. 10: 16384 ranks, 64 B, bytes alone",
               .print = "significantly",
               .says = moreThan(1),
               .expected = 2.29,
               .slow = "allgatherv/linear-ring -n 16384 --sizes geometric --size 64 --model bytes-only",
               .fast =
                   "allgatherv/pipelined-ring -n 16384 --sizes geometric --size 64 --model bytes-only --set block=32KiB",
               .headline = true},
              {.what = "fig. 10 right: 4096 ranks, 64 B: no block is full",
               .print = "",
               .expected = 1,
               .slow = "allgatherv/linear-ring -n 4096 --sizes geometric --size 64 --model bgp",
               .fast = "allgatherv/pipelined-ring -n 4096 --sizes geometric --size 64 --model bgp --set block=32KiB"}},
         .why =
             "Up to 4096 ranks the largest contribution fits one block and both rings are one; from there the gap opens. What is in print is the picture and that the pipelined ring is significantly faster; its runs left the last rank out."},
    };
}

}  // namespace app::figures
