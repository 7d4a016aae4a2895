// SPDX-License-Identifier: BSD-3-Clause
// Kang et al. 2019: allgather between two groups, everybody in both sends and receives.
//
// Letters: p, q ranks of the groups A and B, kA and kB bytes of each of their ranks, M = max(p kA, q kB) the lower
// bound on bytes. Settings 1 to 8 are those of its section 5; 25 : 7 is 50 : 14, 200 : 56 and 1600 : 448 here. The
// machine's alpha and beta are not printed: charts of times take the model `cori`, whose values are usual for such a
// machine, quotients take bytes alone.
#include "app/figures/parts.hpp"

namespace app::figures {

Paper kang2019() {
    Paper paper{
        .name = "kang2019",
        .title = "Kang et al. 2019, Scalable Algorithms for MPI Intergroup Allgather and Allgatherv",
        .items = {
            {.name = "eq1",
             .kind = Kind::equation,
             .shows = "root gathering at its best takes about three times the lower bound",
             .numbers = {{.what = "equation (1): root gathering at its best over Algorithm 1, 32 : 32",
                          .print = "about 3",
                          .says = about(3),
                          .expected = 2.97,
                          .slow = "intergroup-allgatherv/root-gathering -p 32 -q 32 --size 1MiB --model bytes-only",
                          .fast = "intergroup-allgatherv/segmented -p 32 -q 32 --size 1MiB --model bytes-only --set "
                                  "pad=yes"},
                         {.what = "equation (1), second line over the first, p = 2, kA = 5, q = 9, kB = 1",
                          .print = "1",
                          .says = exactly(1),
                          .expected = 0.929,
                          .slow = "intergroup-allgatherv/root-gathering -p 2 -q 9 --size 5 --size-b 1",
                          .formula = "max((3*p-1)*size, (3*q-1)*size_b)/(max((p-1)*size, (q-1)*size_b) + 2*max(p*size, "
                                     "q*size_b))",
                          .why = "the line is an equality in print; it is a lower bound",
                          .refutes = true}},
             .why = "The factor of three holds. The second line of the equation does not equal the first: it has 26 "
                    "where the first has 28, and is a lower bound only."},
            {.name = "eq2",
             .kind = Kind::equation,
             .shows = "root gathering as libraries do it: M + 3 (p kA + q kB) for many ranks",
             .panels =
                 {{.title = "production root gathering, p = q",
                   .sweep =
                       "intergroup-allgatherv/root-gathering-production -p 8..128*2 -q 8..128*2 --together "
                       "p,q --size 1MiB --model bytes-only --progress lockstep --x 'p=p' --line 'equation "
                       "(2)=(max((p-1)*size, (q-1)*size_b) + 3*p*size + 3*q*size_b)*beta' --line 'with 2 (1 - 1/p) for "
                       "2=(max((p-1)*size, (q-1)*size_b) + p*size + q*size_b + 2*(1-1/q)*p*size + "
                       "2*(1-1/p)*q*size_b)*beta'"}},
             .curves = {{.panel = 0,
                         .first = "equation (2)",
                         .term = "with 2 (1 - 1/p) for 2",
                         .why = "a broadcast by scatter and allgather sends 2 (1 - 1/p) times its bytes"}},
             .why = "A broadcast by scatter and allgather moves 2 (1 - 1/p) of its bytes, not 2, and has twice the "
                    "startups that are counted; the difference goes with 1/p."},
            {.name = "alg1",
             .kind = Kind::algorithm,
             .shows = "exchange between subgroups of A and single ranks of B, then an allgather in each group",
             .numbers = {{.what = "line 4: whose message b_1 gets in the first round, 6 : 2",
                          .print = "a_3",
                          .says = exactly(3),
                          .expected = 3,
                          .slow = "intergroup-allgatherv/segmented -p 6 -q 2",
                          .of = Of::peer,
                          .message = {.rank = 7, .sent = false, .round = 1, .place = 1}},
                         {.what = "line 11: the same, as b_1 is said to gather it",
                          .print = "a_1",
                          .says = byFormula("q*0 + 1"),
                          .expected = 3,
                          .slow = "intergroup-allgatherv/segmented -p 6 -q 2",
                          .of = Of::peer,
                          .message = {.rank = 7, .sent = false, .round = 1, .place = 1},
                          .why = "the line has q i + j, a block that b_1 does not hold, for (p/q) j + i",
                          .refutes = true},
                         {.what = "the text on line 4: rank that a_4 sends to, 6 : 2, where b_j is rank 6 + j",
                          .print = "b_2, from floor(4/2) = 2",
                          .says = byFormula("p + floor(4/q)"),
                          .expected = 7,
                          .slow = "intergroup-allgatherv/segmented -p 6 -q 2",
                          .of = Of::peer,
                          .message = {.rank = 4, .round = 2},
                          .why = "there are b_0 and b_1 alone; line 4 and figures 1 and 2 have floor(i q/p)",
                          .refutes = true}},
             .why =
                 "Line 4 is right and fixes the rest. Line 9 says m_B,j for ranks j up to p - 1 where the item of a_j is meant, line 11 names blocks of others, and a piece has kB q/p bytes, not kB p/q."},
            {.name = "fig1",
             .shows = "Algorithm 1 with p = 6, q = 2",
             .numbers = {{.what = "fig. 1: messages of the exchange and the gathers are right (1: proved)",
                          .print = "",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "intergroup-allgatherv/segmented -p 6 -q 2 --size 3KiB",
                          .of = Of::proved}},
             .why = "Proved rank by rank and byte by byte; collscope export draws it."},
            {.name = "fig2",
             .shows = "Algorithm 1 with p = 8, q = 3, which does not divide",
             .numbers = {{.what = "fig. 2: the same (1: proved)",
                          .print = "",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "intergroup-allgatherv/segmented -p 8 -q 3 --size 6KiB",
                          .of = Of::proved}},
             .why = "As figure 1. The text says both sizes of group B; the second is A's."},
            {.name = "claim2",
             .kind = Kind::claim,
             .shows =
                 "section 4: without segments the time is not bounded by any multiple of M; two gathers take as long as one",
             .numbers =
                 {{.what = "section 4: two-stage without segments over with them, p/q = 10, kA = 12, kB = 120",
                   .print = "unbounded in p/q",
                   .says = moreThan(1),
                   .expected = 3.793,
                   .slow = "intergroup-allgatherv/two-stage -p 20 -q 2 --size 12 --size-b 120 --model bytes-only "
                           "--set segmented=no",
                   .fast = "intergroup-allgatherv/two-stage -p 20 -q 2 --size 12 --size-b 120 --model "
                           "bytes-only"},
                  {.what = "the same, p/q = 100, kA = 12, kB = 1200",
                   .print = "unbounded in p/q",
                   .says = moreThan(3.793),
                   .expected = 33.78,
                   .slow = "intergroup-allgatherv/two-stage -p 200 -q 2 --size 12 --size-b 1200 --model bytes-only "
                           "--set segmented=no",
                   .fast = "intergroup-allgatherv/two-stage -p 200 -q 2 --size 12 --size-b 1200 --model "
                           "bytes-only"},
                  {.what = "section 4: two-stage over Algorithm 1 with ring gathers",
                   .print = "the same",
                   .says = exactly(1),
                   .expected = 1,
                   .slow = "intergroup-allgatherv/two-stage -p 20 -q 2 --size 12 --size-b 120 --model "
                           "bytes-only",
                   .fast = "intergroup-allgatherv/segmented -p 20 -q 2 --size 12 --size-b 120 --model bytes-only "
                           "--set gather=ring"}},
             .why =
                 "1320 serialized bytes without segments where M is 240, 121200 where it is 2400: the quotient grows with p/q. With segments 348, by either gather."},
            {.name = "claim8",
             .kind = Kind::claim,
             .shows = "section 4: Algorithm 1 takes p/q + log p startups",
             .panels = {{.title = "rounds, q = 4",
                         .sweep = "intergroup-allgatherv/segmented -p 4..256*2 -q 4 --size 1KiB --x 'p=p' --y rounds "
                                  "--line 'p/q + log p=p/q + log2(p)'"}},
             .curves = {{.panel = 0, .first = "p/q + log p"}},
             .why =
                 "Exact where q divides p and p is a power of two; else both terms are rounded up. Startups of B's gather, log q, run beside A's."},
            {.name = "eq3",
             .kind = Kind::equation,
             .shows = "Theorem 1: Algorithm 1 moves at most M + kB bytes",
             .panels =
                 {{.title = "ring gathers, q divides p, kB = 10 kA",
                   .sweep =
                       "intergroup-allgatherv/segmented -p 4..64*2 -q 2 --size 6KiB --size-b 60KiB --x 'p=p' --model "
                       "bytes-only --set gather=ring --line 'M + kB=(max(p*size, q*size_b) + size_b)*beta' "
                       "--line 'equation (3)=(max(size*p/q, size_b) + max(size*(p-p/q), "
                       "size_b*(q-q/p)))*beta'"},
                  {.title = "q does not divide p, largest send size",
                   .sweep = "intergroup-allgatherv/segmented intergroup-allgatherv/balanced -p 32..63 -q 32 "
                            "--size 64KiB --model bytes-only --set pad=yes --x 'p=p' --linear x,y --line 'M=max(p*"
                            "size, q*size_b)*beta'"}},
             .numbers = {{.what = "Algorithm 1 with the largest send size over Algorithm 2, which takes M: 64 : 32",
                          .print = "M + kB at most",
                          .says = atMost(65.0 / 64),
                          .expected = 1,
                          .slow = "intergroup-allgatherv/segmented -p 64 -q 32 --size 1MiB --model bytes-only --set "
                                  "pad=yes",
                          .fast = "intergroup-allgatherv/balanced -p 64 -q 32 --size 1MiB --model bytes-only"},
                         {.what = "the same, 63 : 32",
                          .print = "not significant",
                          .says = about(1),
                          .expected = 1.016,
                          .slow = "intergroup-allgatherv/segmented -p 63 -q 32 --size 1MiB --model bytes-only --set "
                                  "pad=yes",
                          .fast = "intergroup-allgatherv/balanced -p 63 -q 32 --size 1MiB --model bytes-only"},
                         {.what = "the same, 33 : 32",
                          .print = "not significant",
                          .says = about(1),
                          .expected = 1.939,
                          .slow = "intergroup-allgatherv/segmented -p 33 -q 32 --size 1MiB --model bytes-only --set "
                                  "pad=yes",
                          .fast = "intergroup-allgatherv/balanced -p 33 -q 32 --size 1MiB --model bytes-only",
                          .why = "one rank of B gathers two blocks where the mean is 33/32: 64 of them go round",
                          .refutes = true}},
             .curves = {{.panel = 0, .first = "M + kB", .says = atLeast(1)},
                        {.panel = 0, .first = "equation (3)", .says = between(1, 1.02)},
                        {.panel = 1, .first = "M", .second = "intergroup-allgatherv/balanced", .says = about(1)}},
             .why =
                 "Holds where q divides p. Elsewhere an allgather with the largest send size, whose overhead is called not significant, costs up to twice M; Algorithm 2's cuts mend it."},
            {.name = "claim1",
             .kind = Kind::claim,
             .shows = "Theorem 2: Algorithm 1 is correct",
             .numbers = {{.what = "Theorem 2: 20 : 6 (1: proved)",
                          .print = "correct",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "intergroup-allgatherv/segmented -p 20 -q 6 --size 1000",
                          .of = Of::proved},
                         {.what = "Theorem 2: 17 : 17 (1: proved)",
                          .print = "correct",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "intergroup-allgatherv/segmented -p 17 -q 17 --size 1000",
                          .of = Of::proved}},
             .why =
                 "Correct with the partner of line 4, floor(i q/p), and the gathers corrected as alg1 lists: the theorem is of the corrected algorithm. collscope verify proves ranges of p and q."},
            {.name = "claim3",
             .kind = Kind::claim,
             .shows = "section 4: fewer than p + q + p/q links suffice",
             .numbers = {{.what = "section 4: links by its own count, 2p + q, for p = 6, q = 2",
                          .print = "fewer than p + q + p/q = 11",
                          .says = byFormula("p + q + p/q"),
                          .expected = 14,
                          .slow = "intergroup-allgatherv/segmented -p 6 -q 2",
                          .formula = "2*p + q",
                          .why = "p links between the groups, a ring of p and a ring of q",
                          .refutes = true}},
             .why = "The exchange needs p links, the two rings p and q: 2p + q in all. Still linear."},
            {.name = "alg2",
             .kind = Kind::algorithm,
             .shows = "the bytes of each group are cut into equal ranges, one for each rank of the other group",
             .numbers = {{.what = "Algorithm 2, corrected: 6 : 4, arithmetic sizes (1: proved)",
                          .print = "",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "intergroup-allgatherv/balanced -p 6 -q 4 --sizes rising --size 1000",
                          .of = Of::proved},
                         {.what = "line 23: whom b_0, which is rank 6, sends to first, 6 : 2",
                          .print = "a rank of B",
                          .says = between(6, 7),
                          .expected = 0,
                          .slow = "intergroup-allgatherv/balanced -p 6 -q 2",
                          .of = Of::peer,
                          .message = {.rank = 6},
                          .why = "b_i sends to a_k; rank 0 is a_0",
                          .refutes = true},
                         {.what = "line 7: bytes of the first range, 6 : 4, 1001 B each",
                          .print = "1",
                          .says = exactly(1),
                          .expected = 1502,
                          .slow = "intergroup-allgatherv/balanced -p 6 -q 4 --size 1001",
                          .formula = "ceil(p*size/q)",
                          .why =
                              "its lower end is ceil(K_A/q) for every i, so that the first range holds its end alone",
                          .refutes = true}},
             .why =
                 "The idea is right, four lines are not: the title says Allgather, lines 3 and 4 take k_A for the sum K_A, line 7 lacks i in its lower end, all ranges are closed at both ends, line 23 sends to B again."},
            {.name = "fig3",
             .shows = "Algorithm 2's exchange with p = 6, q = 2 and uneven sizes",
             .numbers = {{.what = "fig. 3: 6 : 2, sizes in arithmetic sequence (1: proved)",
                          .print = "",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "intergroup-allgatherv/balanced -p 6 -q 2 --sizes rising --size 1000",
                          .of = Of::proved}},
             .why =
                 "The sizes of the picture are not printed. The text on it has a_3 and a_4 send to b_2, which is not there with q = 2."},
            {.name = "obs1",
             .kind = Kind::observation,
             .shows = "section 4.1: the order of sends and receives keeps senders busy",
             .panels = {{.title = "time over that of the paper's order, 50 : 14, arithmetic sizes",
                         .sweep = "intergroup-allgatherv/balanced -p 50 -q 14 --sizes rising --size 64KiB..4MiB*2 "
                                  "--set order=paper,rank,greedy --model bytes-only --x size --y ratio --baseline "
                                  "order=paper --linear y"}},
             .curves = {{.panel = 0,
                         .first = "order rank",
                         .second = "order greedy",
                         .says = atMost(1),
                         .low = 0.973,
                         .high = 0.973}},
             .why = "The order gains 2.7 % over rank order where a receiver takes what comes. The gain is large only "
                    "against sends that block in rank order at both ends, up to a chain through all ranks."},
            {.name = "eq4",
             .kind = Kind::equation,
             .shows = "Theorem 3: Algorithm 2 takes at most M + max k + log(pq) bytes",
             .panels =
                 {{.title = "arithmetic sizes, p = q",
                   .sweep =
                       "intergroup-allgatherv/balanced -p 4..64*2 -q 4..64*2 --together p,q --sizes rising "
                       "--size 64KiB --model bytes-only --x 'p=p' --line 'M + max k=(total/2 + largest)*beta' --line "
                       "'M=total/2*beta'"}},
             .curves = {{.panel = 0, .first = "M + max k", .says = atLeast(1)},
                        {.panel = 0, .first = "M", .says = atMost(1)}},
             .why =
                 "The run stays between M and the bound and comes nearer to M with every doubling. The last term is the Allreduce of lines 1 and 2, which a run leaves out, since sizes are known; ranges that do not come out even add at most max(p, q) bytes of rounding, which print leaves out."},
            {.name = "claim4",
             .kind = Kind::claim,
             .shows = "Theorem 4: Algorithm 2 is correct",
             .numbers = {{.what = "Theorem 4: 20 : 6, arithmetic sizes (1: proved)",
                          .print = "correct",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "intergroup-allgatherv/balanced -p 20 -q 6 --sizes rising --size 1000",
                          .of = Of::proved}},
             .why =
                 "The theorem is of the corrected algorithm: with half-open ranges [i ceil, (i+1) ceil) it is correct, with the printed ends bytes are sent twice (alg2)."},
        }};
    return joined(std::move(paper), kang2019Measured());
}

}  // namespace app::figures
