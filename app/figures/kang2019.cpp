// SPDX-License-Identifier: BSD-3-Clause
// Kang et al. 2019: allgather between two groups, everybody in both sends and receives.
//
// Letters: p, q ranks of the groups A and B, k_A and k_B bytes of each of their ranks, M = max(p k_A, q k_B) the lower
// bound on bytes. Settings 1 to 8 are those of its section 5; 25 : 7 is 50 : 14, 200 : 56 and 1600 : 448 here. The
// machine's alpha and beta are not printed: charts of times take the model `cori`, whose values are usual for such a
// machine, quotients take bytes alone.
#include "app/figures/parts.hpp"

namespace app::figures {

Paper kang2019() {
    Paper
        paper{
            .name = "kang2019",
            .title = "Kang et al. 2019, Scalable Algorithms for MPI Intergroup Allgather and Allgatherv",
            .notes =
                "Algorithm 1 is intergroup-allgatherv/segmented, Algorithm 2 intergroup-allgatherv/balanced, the predecessor (EuroMPI) intergroup-allgatherv/two-stage, root gathering as libraries do it intergroup-allgatherv/root-gathering-production. Quotients of times take the model bytes-only: then a time of 1 ns is one byte, and a time is the number of bytes on the longest path. k_A and k_B are the bytes of a rank of A and of B, K_A and K_B those of a group, M = max(p k_A, q k_B) is the lower bound of section 2.2 on the bytes. Not run here: that MPICH, MVAPICH and Open MPI use root gathering, and that it can be improved for other operations between groups. The paper prints no times and neither t_s nor t_w; charts of times take the model cori, whose values are assumed.",
            .items =
                {
                    {.name = "eq1",
                     .kind = Kind::equation,
                     .shows = "root gathering at its best takes about three times the lower bound",
                     .numbers =
                         {quotient("equation (1): root gathering at its best over Algorithm 1, 32 : 32", "about 3",
                                   about(3), 2.97,
                                   "intergroup-allgatherv/root-gathering -p 32 -q 32 --size 1MiB --model bytes-only",
                                   "intergroup-allgatherv/segmented -p 32 -q 32 --size 1MiB --model bytes-only --set "
                                   "pad=yes"),
                          computed(
                              "equation (1), second line: bytes of a run over it, p = 3, k_A = 3000 B, q = 2, k_B = 5000 B",
                              "at most 1: an upper bound, and equal to the first line", atMost(1), 1.04,
                              "1000000000*time/max((3*p-1)*size, (3*q-1)*size_b)",
                              "intergroup-allgatherv/root-gathering -p 3 -q 2 --size 3000 --size-b 5000 --model "
                              "bytes-only --set segments=1000")
                              .refuting(
                                  "the first line has 6000 + 2 x 10000 B, which the run takes; the second has 25000 B. It is smaller if one "
                                  "group has the longer gather and the other one the larger full message")},
                     .why =
                         "The factor of three holds. The second line of the equation does not equal the first: for p = 3, k_A = 3, q = 2, "
                         "k_B = 5 it has 25 where the first has 26, and is a lower bound of the first line only. The last line has fewer startups "
                         "than the first, too: 2 log p for 1 + 2 log p."},
                    {.name = "eq2",
                     .kind = Kind::equation,
                     .shows = "root gathering as libraries do it: M + 3 (p k_A + q k_B) for many ranks",
                     .panels =
                         {{.title = "production root gathering, p = q",
                           .sweep =
                               "intergroup-allgatherv/root-gathering-production -p 8..128*2 -q 8..128*2 --together "
                               "p,q --size 1MiB --model bytes-only --progress lockstep --x 'p=p' --line 'equation "
                               "(2)=(max((p-1)*size, (q-1)*size_b) + 3*p*size + 3*q*size_b)*beta' --line '(2 (1 - 1/p) for "
                               "2)=(max((p-1)*size, (q-1)*size_b) + p*size + q*size_b + 2*(1-1/q)*p*size + "
                               "2*(1-1/p)*q*size_b)*beta'"}},
                     .numbers =
                         {counted("startups of root gathering as libraries do it, 32 : 32", "2 + 2 log p + log q = 17",
                                  byFormula("2+2*ceil(log2(p))+ceil(log2(q))"), 27, Of::rounds,
                                  "intergroup-allgatherv/root-gathering-production -p 32 -q 32 --size 1")
                              .explained(
                                  "a broadcast by scatter and allgather has 2 log p startups, of which print counts half",
                                  "ceil(log2(max(p,q)))+2+2*ceil(log2(p))+2*ceil(log2(q))")},
                     .curves = {{.panel = 0,
                                 .first = "equation (2)",
                                 .what = "equation (2) over the run",
                                 .says = atLeast(1),
                                 .why = "print has an upper bound"},
                                {.panel = 0, .first = "(2 (1 - 1/p) for 2)", .why = "corrected"}},
                     .why =
                         "The printed bytes are an upper bound, as stated. Equation (2) counts 2 p k_A for a broadcast by scatter and allgather; it takes "
                         "2 (1 - 1/q) p k_A. It counts log q startups; it takes 2 log q. The last line has 3 log p for 2 + 2 log p + log q, which is more if p = q."},
                    {.name = "alg1",
                     .kind = Kind::algorithm,
                     .shows = "exchange between subgroups of A and single ranks of B, then an allgather in each group",
                     .numbers = {peer("line 4: whose message b_1 gets in the first round, 6 : 2", "a_3", exactly(3), 3,
                                      {.rank = 7, .sent = false, .round = 1, .place = 1},
                                      "intergroup-allgatherv/segmented -p 6 -q 2"),
                                 peer("line 11: the same, as b_1 is said to gather it", "a_1", byFormula("q*0 + 1"), 3,
                                      {.rank = 7, .sent = false, .round = 1, .place = 1},
                                      "intergroup-allgatherv/segmented -p 6 -q 2")
                                     .refuting("the line has q i + j, a block that b_1 does not hold, for (p/q) j + i"),
                                 peer("the text on line 4: rank that a_4 sends to, 6 : 2, where b_j is rank 6 + j",
                                      "b_2, from floor(4/2) = 2", byFormula("p + floor(4/q)"), 7,
                                      {.rank = 4, .round = 2}, "intergroup-allgatherv/segmented -p 6 -q 2")
                                     .refuting(
                                         "there are b_0 and b_1 alone; line 4 and figures 1 and 2 have floor(i q/p)")},
                     .why =
                         "Line 4 is right, and the other lines are corrected from it. Line 9 has item floor(j/q) of m_B,j; it has to be item j mod (p/q) of m_B,floor(j q/p). Line 11 names blocks that other ranks hold. A piece has k_B q/p bytes, not k_B p/q, also in the proof of Theorem 1. The partner floor(i/q) of the text has to be floor(i q/p)."},
                    {.name = "fig1",
                     .shows = "Algorithm 1 with p = 6, q = 2",
                     .numbers = {counted("figure 1: rounds, p/q of the exchange and log p of the gathers",
                                         "p/q + log p", byFormula("p/q+ceil(log2(p))"), 6,
                                         Of::rounds, "intergroup-allgatherv/segmented -p 6 -q 2 --size 3KiB"),
                                 proved("figure 1: messages of the exchange and the gathers are right",
                                        "(correct)", "intergroup-allgatherv/segmented -p 6 -q 2 --size 3KiB")},
                     .why =
                         "The schedule drawn is proved rank by rank and byte by byte. In each round of the exchange q pairs are active, as section 4 says."},
                    {.name = "fig2",
                     .shows = "Algorithm 1 with p = 8, q = 3, where q does not divide p",
                     .numbers = {counted("figure 2: rounds, ceil(p/q) of the exchange and log p of the gathers",
                                         "ceil(p/q) + log p", byFormula("ceil(p/q)+ceil(log2(p))"), 6,
                                         Of::rounds, "intergroup-allgatherv/segmented -p 8 -q 3 --size 6KiB"),
                                 proved("figure 2: the same",
                                        "(correct)", "intergroup-allgatherv/segmented -p 8 -q 3 --size 6KiB")},
                     .why =
                         "As figure 1. The figure prints the subgroups {0,1,2}, {3,4,5} and {6,7}, not the rounds. The text calls both send sizes, 3 k_A and k_B/2, those of group B; k_B/2 is group A's."},
                    {.name = "claim2",
                     .kind = Kind::claim,
                     .shows =
                         "section 4: if p k_A < q k_B, the time without segments is not bounded by any multiple of M as p/q grows; two gathers take as long as one",
                     .numbers = {quotient(
                                     "section 4: two-stage without segments over two-stage with segments, p/q = 10, k_A = 12 B, k_B = 240 B",
                                     "unbounded in p/q", moreThan(1), 3.793,
                                     "intergroup-allgatherv/two-stage -p 20 -q 2 --size 12 --size-b 240 --model bytes-only "
                                     "--set segmented=no",
                                     "intergroup-allgatherv/two-stage -p 20 -q 2 --size 12 --size-b 240 --model "
                                     "bytes-only"),
                                 quotient(
                                     "the same, p/q = 100, k_A = 12 B, k_B = 2400 B", "unbounded in p/q",
                                     moreThan(3.793), 33.78,
                                     "intergroup-allgatherv/two-stage -p 200 -q 2 --size 12 --size-b 2400 --model bytes-only "
                                     "--set segmented=no",
                                     "intergroup-allgatherv/two-stage -p 200 -q 2 --size 12 --size-b 2400 --model "
                                     "bytes-only"),
                                 quotient(
                                     "section 4: two-stage over Algorithm 1 with ring gathers",
                                     "the same", exactly(1), 1,
                                     "intergroup-allgatherv/two-stage -p 20 -q 2 --size 12 --size-b 240 --model "
                                     "bytes-only",
                                     "intergroup-allgatherv/segmented -p 20 -q 2 --size 12 --size-b 240 --model bytes-only "
                                     "--set gather=ring")},
                     .why =
                         "Without segments 2640 bytes are on the longest path where M is 480 (p/q = 10), and 242400 where M is 4800 (p/q = 100): 5.5 and 50.5 times M. With segments there are 696 where M is 480, with two gathers as with one."},
                    {.name = "claim8",
                     .kind = Kind::claim,
                     .shows = "section 4: Algorithm 1 takes p/q + log p startups",
                     .panels =
                         {{.title = "rounds, q = 4",
                           .sweep = "intergroup-allgatherv/segmented -p 4..256*2 -q 4 --size 1KiB --x 'p=p' --y rounds "
                                    "--line 'p/q + log p=p/q + log2(p)'"}},
                     .curves = {{.panel = 0, .first = "p/q + log p"}},
                     .why =
                         "Equal to the run where q divides p and p is a power of two; otherwise both terms are rounded up. The log q startups of B's gather run beside A's."},
                    {.name = "eq3",
                     .kind = Kind::equation,
                     .shows = "equation (3), Theorem 1: Algorithm 1 moves at most M + k_B bytes one after another",
                     .panels =
                         {{.title = "ring gathers, q divides p, k_B = 10 k_A",
                           .sweep = "intergroup-allgatherv/segmented -p 4..64*2 -q 2 --size 6KiB --size-b 60KiB --x 'p=p' --model "
                                    "bytes-only --set gather=ring --line 'M + k_B=(max(p*size, q*size_b) + size_b)*beta' "
                                    "--line 'equation (3)=(max(size*p/q, size_b) + max(size*(p-p/q), "
                                    "size_b*(q-q/p)))*beta'"}},
                     .numbers =
                         {quotient("Algorithm 1 with the largest send size, 64 : 32, over M (the time of Algorithm 2)",
                                   "at most M + k_B", atMost(65.0 / 64), 1,
                                   "intergroup-allgatherv/segmented -p 64 -q 32 --size 1MiB --model bytes-only --set "
                                   "pad=yes",
                                   "intergroup-allgatherv/balanced -p 64 -q 32 --size 1MiB --model bytes-only")},
                     .curves = {{.panel = 0, .first = "M + k_B", .what = "M + k_B over the run", .says = atLeast(1)},
                                {.panel = 0,
                                 .first = "equation (3)",
                                 .what = "equation (3) over the run",
                                 .says = atLeast(1),
                                 .why = "at most 2% above the run"}},
                     .why =
                         "True where q divides p. The theorem does not state this condition; its proof uses p/q, and max(k_A p/q, k_B p/q) in it has to be max(k_A p/q, k_B). For other groups see claim9. The text after the theorem calls the bound a lower one; it is an upper bound."},
                    {.name = "claim9",
                     .kind = Kind::claim,
                     .shows =
                         "section 4: where q does not divide p, an allgather with the largest send size (padding), or an Allgatherv, costs no significant time",
                     .panels =
                         {{.title = "q does not divide p, largest send size",
                           .sweep = "intergroup-allgatherv/segmented intergroup-allgatherv/balanced -p 32..63 -q 32 "
                                    "--size 64KiB --model bytes-only --set pad=yes --x 'p=p' --linear x,y --line 'M=max(p*"
                                    "size, q*size_b)*beta'"}},
                     .numbers = {quotient(
                                     "Algorithm 1 with the largest send size, 63 : 32, over M (the time of Algorithm 2)",
                                     "no significant completion time overhead", about(1), 1.016,
                                     "intergroup-allgatherv/segmented -p 63 -q 32 --size 1MiB --model bytes-only --set "
                                     "pad=yes",
                                     "intergroup-allgatherv/balanced -p 63 -q 32 --size 1MiB --model bytes-only"),
                                 quotient(
                                     "the same, 33 : 32", "no significant completion time overhead", about(1), 1.939,
                                     "intergroup-allgatherv/segmented -p 33 -q 32 --size 1MiB --model bytes-only --set "
                                     "pad=yes",
                                     "intergroup-allgatherv/balanced -p 33 -q 32 --size 1MiB --model bytes-only")
                                     .refuting(
                                         "one rank of B gathers two blocks where the mean is 33/32: 64 of them go round"),
                                 quotient(
                                     "the same without padding, Bruck's allgather",
                                     "", {}, 1.1515, "intergroup-allgatherv/segmented -p 33 -q 32 --size 1MiB --model bytes-only",
                                     "intergroup-allgatherv/balanced -p 33 -q 32 --size 1MiB --model bytes-only")
                                     .because(
                                         "2 blocks in the exchange and 2 + 3 + 5 + 9 + 17 in the rounds of the allgather, over 33")},
                     .curves = {{.panel = 0,
                                 .first = "M",
                                 .second = "intergroup-allgatherv/balanced",
                                 .says = about(1),
                                 .why = "Algorithm 2 takes M"}},
                     .why =
                         "An allgather with the largest send size costs up to twice M, 1.94 M at 33 : 32, where the subgroups have one rank or two. The Allgatherv that the text offers as well costs 1.15 M there with Bruck's algorithm and 1.94 M with a ring. Algorithm 2's balanced ranges avoid it."},
                    {.name = "claim1",
                     .kind = Kind::claim,
                     .shows = "Theorem 2: Algorithm 1 (corrected) is correct",
                     .numbers = {proved("Theorem 2: 20 : 6, corrected as in alg1, proved",
                                        "correct", "intergroup-allgatherv/segmented -p 20 -q 6 --size 1000"),
                                 proved("Theorem 2: 17 : 17, corrected as in alg1, proved",
                                        "correct", "intergroup-allgatherv/segmented -p 17 -q 17 --size 1000")},
                     .why =
                         "Holds for the algorithm corrected as in alg1; not for the printed lines. With 20 : 6 the pieces differ in size, which the text says is correct, too. collscope verify proves ranges of p and q."},
                    {.name = "claim3",
                     .kind = Kind::claim,
                     .shows = "section 4: fewer than p + q + p/q links suffice",
                     .numbers = {counted("section 4: links by its own count, p + p + q, for p = 6, q = 3",
                                         "fewer than p + q + p/q = 11", lessThan(11), 15, Of::links,
                                         "intergroup-allgatherv/segmented -p 6 -q 3 --set gather=ring")
                                     .refuting("p links between the groups, a ring of p and a ring of q")},
                     .why =
                         "The exchange needs p links, the two rings p and q: 2p + q in all, which is linear as well."},
                    {.name = "alg2",
                     .kind = Kind::algorithm,
                     .shows = "the bytes of each group are cut into equal ranges, one for each rank of the other group",
                     .numbers =
                         {proved("Algorithm 2, corrected: 6 : 4, arithmetic sizes, proved", "(corrected)",
                                 "intergroup-allgatherv/balanced -p 6 -q 4 --sizes rising --size 1000"),
                          peer("line 23: whom b_0, which is rank 6, sends to first, 6 : 2", "a rank of B",
                               between(6, 7), 0, {.rank = 6}, "intergroup-allgatherv/balanced -p 6 -q 2")
                              .refuting("b_i sends to a_k; rank 0 is a_0"),
                          carried("line 7: bytes that a_0 sends to b_0, 6 : 4, 1001 B each",
                                  "at most 1: b_0 has the range [1502, 1502]", atMost(1), 1001,
                                  {.rank = 6, .sent = false, .round = 2},
                                  "intergroup-allgatherv/balanced -p 6 -q 4 --size 1001")
                              .refuting(
                                  "its lower end is ceil(K_A/q) for every i, so that the first range holds its end alone")},
                     .why =
                         "The idea is right. The title says Allgather for Allgatherv; lines 3 and 4 take k_A and k_B instead of the sums k'_A and k'_B; line 7 lacks i in its lower end; the ranges of lines 7, 9, 17 and 19 include their upper end, which belongs to the next range; line 23 sends to b_k instead of a_k. The text after the algorithm exchanges the groups: the ranks of B receive at line 13. Lines are read from the text at hand, which has i in line 17."},
                    {.name = "fig3",
                     .shows = "Algorithm 2's exchange with p = 6, q = 2 and sizes that differ",
                     .numbers = {proof("an example with p = 6, q = 2, sizes in arithmetic sequence, proved", "", {}, 1,
                                       "intergroup-allgatherv/balanced -p 6 -q 2 --sizes rising --size 1000")},
                     .notHere = true,
                     .why =
                         "The sizes are not printed, and the text names a b_2 that q = 2 does not have. Shown is an example of our own, in which each rank of B receives 3000 bytes and has at most two senders that send to several receivers."},
                    {.name = "def1",
                     .kind = Kind::definition,
                     .shows =
                         "Definition 1: a receiver receives compactly if its transfer time is that of its senders' bytes alone",
                     .numbers = {computed(
                         "bytes on the longest path, p = 6, q = 2, 0 to 2000 bytes each: 3000 of the exchange, 3000 of the gather",
                         "compactly: no byte more", exactly(6000), 6000, "1000000000*time",
                         "intergroup-allgatherv/balanced -p 6 -q 2 --sizes rising --size 1000 --model bytes-only")},
                     .why =
                         "Checked in one example: with the paper's order a rank of B receives 3000 bytes in the exchange and 3000 in the gather without a pause."},
                    {.name = "obs1",
                     .kind = Kind::observation,
                     .shows = "section 4.1: the order of sends and receives, which keeps senders busy, is crucial",
                     .panels = {{.title = "time over that of the paper's order, 50 : 14, arithmetic sizes",
                                 .sweep =
                                     "intergroup-allgatherv/balanced -p 50 -q 14 --sizes rising --size 64KiB..4MiB*2 "
                                     "--set order=paper,rank,greedy --model bytes-only --x size --y ratio --baseline "
                                     "order=paper --linear y"}},
                     .numbers = {quotient(
                         "rank order over the paper's order, 50 : 14, arithmetic sizes", "best possible transfer time",
                         atLeast(1), 1.0278,
                         "intergroup-allgatherv/balanced -p 50 -q 14 --sizes rising --size 1MiB --set order=rank --model bytes-only",
                         "intergroup-allgatherv/balanced -p 50 -q 14 --sizes rising --size 1MiB --model bytes-only")},
                     .curves = {{.panel = 0,
                                 .first = "order rank",
                                 .second = "order greedy",
                                 .what = "time of greedy over rank order",
                                 .says = atMost(1),
                                 .low = 0.973,
                                 .high = 0.973,
                                 .why = "greedy takes what comes and is as fast as the paper's order here",
                                 .ours = true}},
                     .notHere = true,
                     .why =
                         "Where receivers take any sender that is ready, rank order takes 2.8% longer than the paper's order, and greedy takes as long as the paper's order. These runs do not show the order to be crucial. "
                         "A schedule in which each send blocks until its receiver is ready, in rank order on both sides, could wait through all ranks; the program has none."},
                    {.name = "eq4",
                     .kind = Kind::equation,
                     .shows =
                         "equation (4), Theorem 3: Algorithm 2 (print: Algorithm 1) takes at most M + max k + log(pq) bytes",
                     .panels =
                         {{.title = "arithmetic sizes, p = q",
                           .sweep =
                               "intergroup-allgatherv/balanced -p 4..64*2 -q 4..64*2 --together p,q --sizes rising "
                               "--size 64KiB --model bytes-only --x 'p=p' --line 'M + max k=(total/2 + largest)*beta' --line "
                               "'M=total/2*beta'"},
                          {.title = "arithmetic sizes, p = 2q",
                           .sweep =
                               "intergroup-allgatherv/balanced -p 8..64*2 -q 4..32*2 --together p,q --sizes rising "
                               "--size 64KiB --model bytes-only --x 'p=p' --line 'M + max k=(p*size + largest)*beta' --line "
                               "'M=p*size*beta'"}},
                     .curves =
                         {{.panel = 0, .first = "M + max k", .what = "M + max k over the run", .says = atLeast(1)},
                          {.panel = 0,
                           .first = "M",
                           .what = "M over the run",
                           .says = atMost(1),
                           .why = "M is a lower bound"},
                          {.panel = 1, .first = "M + max k", .what = "M + max k over the run", .says = atLeast(1)},
                          {.panel = 1,
                           .first = "M",
                           .what = "M over the run",
                           .says = atMost(1),
                           .why = "M is a lower bound"}},
                     .why =
                         "The run stays between M and the bound, for p = q and for p = 2q. The last term is the Allreduce of lines 1 and 2. A run leaves it out, since sizes are known. Print leaves out rounding: where p and q do not divide the bytes evenly, it adds at most max(p, q) bytes. For a step of the proof see claim10."},
                    {.name = "claim10",
                     .kind = Kind::claim,
                     .shows =
                         "proof of Theorem 3: ceil(K_A/q) <= max k_A; section 4.1: the largest block determines the time of the exchange",
                     .numbers = {computed("ceil(K_A/q) over max k_A, 50 : 14, equal sizes", "at most 1", atMost(1),
                                          50.0 / 14, "ceil(p*size/q)/size",
                                          "intergroup-allgatherv/balanced -p 50 -q 14 --size 1MiB")
                                     .refuting("each rank of B receives the bytes of 50/14 ranks of A")},
                     .why =
                         "False for p > q: the exchange takes max(max k_A, ceil(K_A/q)). The theorem still holds (eq4). The proof also has line 25 for line 26, and size_A = ceil(K_A/p), which has to be ceil(K_A/q)."},
                    {.name = "claim4",
                     .kind = Kind::claim,
                     .shows = "Theorem 4: Algorithm 2 (corrected) is correct",
                     .numbers = {proved("Theorem 4: 20 : 6, arithmetic sizes, corrected as in alg2, proved", "correct",
                                        "intergroup-allgatherv/balanced -p 20 -q 6 --sizes rising --size 1000")},
                     .why =
                         "Holds for the algorithm corrected as in alg2; with the printed ends of ranges bytes are sent twice."},
                }};
    return joined(std::move(paper), kang2019Measured());
}

}  // namespace app::figures
