// SPDX-License-Identifier: BSD-3-Clause
// Kang et al. 2019: allgather between two groups, everybody in both sends and receives.
//
// Letters: p, q ranks of the groups A and B, kA and kB bytes of each of their ranks, M = max(p kA, q kB) the lower
// bound on bytes. Settings 1 to 8 are those of its section 5; 25 : 7 is 50 : 14, 200 : 56 and 1600 : 448 here. The
// machine's alpha and beta are not printed: charts take 1 us and 0.4 ns/B, quotients take bytes alone.
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
                          .expected = 2.97,
                          .slow = "intergroup-allgatherv/root-gathering -p 32 -q 32 --size 1MiB --model bytes-only",
                          .fast = "intergroup-allgatherv/segmented -p 32 -q 32 --size 1MiB --model bytes-only --set "
                                  "pad=yes"},
                         {.what = "equation (1), second line over the first, p = 2, kA = 5, q = 9, kB = 1",
                          .print = "1",
                          .expected = 0.929,
                          .slow = "intergroup-allgatherv/root-gathering -p 2 -q 9 --size 5 --size-b 1",
                          .formula = "max((3*p-1)*size, (3*q-1)*size_b)/(max((p-1)*size, (q-1)*size_b) + 2*max(p*size, "
                                     "q*size_b))",
                          .why = "the line is an equality in print; it is a lower bound",
                          .contradicted = true}},
             .verdict = Verdict::explained,
             .why = "The factor of three holds. That the second line equals the first does not: 26 where the first "
                    "has 28."},
            {.name = "eq2",
             .kind = Kind::equation,
             .shows = "root gathering as libraries do it: M + 3 (p kA + q kB) for many ranks",
             .panels = {{.title = "production root gathering, p = q",
                         .sweep = "intergroup-allgatherv/root-gathering-production -p 8..128*2 -q 8..128*2 --together "
                                  "p,q --size 1MiB --model bytes-only --progress lockstep --formula --line 'equation "
                                  "(2)=(max((p-1)*size, (q-1)*size_b) + 3*p*size + 3*q*size_b)*beta'"}},
             .agreements = {{.panel = 0, .line = "formula of intergroup-allgatherv/root-gathering-production"},
                            {.panel = 0, .line = "equation (2)", .agrees = false}},
             .verdict = Verdict::explained,
             .why = "A broadcast by scatter and allgather moves 2 (1 - 1/p) of its bytes, not 2, and has twice the "
                    "startups that are counted; the difference goes with 1/p."},
            {.name = "fig1",
             .shows = "Algorithm 1 with p = 6, q = 2",
             .numbers = {{.what = "fig. 1: messages of the exchange and the gathers are right (1: proved)",
                          .print = "",
                          .expected = 1,
                          .slow = "intergroup-allgatherv/segmented -p 6 -q 2 --size 3KiB",
                          .of = Of::proved}},
             .verdict = Verdict::reproduced,
             .why = "Proved rank by rank and byte by byte; collscope export draws it."},
            {.name = "fig2",
             .shows = "Algorithm 1 with p = 8, q = 3, which does not divide",
             .numbers = {{.what = "fig. 2: the same (1: proved)",
                          .print = "",
                          .expected = 1,
                          .slow = "intergroup-allgatherv/segmented -p 8 -q 3 --size 6KiB",
                          .of = Of::proved}},
             .verdict = Verdict::reproduced,
             .why = "As figure 1. The text says both sizes of group B; the second is A's."},
            {.name = "eq3",
             .kind = Kind::equation,
             .shows = "Theorem 1: Algorithm 1 moves at most M + kB bytes",
             .panels = {{.title = "ring gathers, q divides p, kB = 10 kA",
                         .sweep = "intergroup-allgatherv/segmented -p 4..64*2 -q 2 --size 6KiB --size-b 60KiB --model "
                                  "bytes-only --set gather=ring --line 'M + kB=(max(p*size, q*size_b) + size_b)*beta' "
                                  "--line 'equation (3)=(max(size*p/q, size_b) + max(size*(p-p/q), "
                                  "size_b*(q-q/p)))*beta'"},
                        {.title = "q does not divide p, largest send size",
                         .sweep = "intergroup-allgatherv/segmented intergroup-allgatherv/balanced -p 32..63 -q 32 "
                                  "--size 64KiB --model bytes-only --set pad=yes --x p --linear x,y --line 'M=max(p*"
                                  "size, q*size_b)*beta'"}},
             .numbers = {{.what = "Theorem 1: Algorithm 1 over M, 63 : 32, largest send size",
                          .print = "1 + q/p at most",
                          .expected = 1.03,
                          .slow = "intergroup-allgatherv/segmented -p 64 -q 32 --size 1MiB --model bytes-only --set "
                                  "gather=ring",
                          .formula = "1 + 1/q"}},
             .verdict = Verdict::explained,
             .why = "Holds where q divides p. Elsewhere an allgather with the largest send size costs up to twice M, "
                    "though it is called insignificant; Algorithm 2's cuts mend it."},
            {.name = "claim1",
             .kind = Kind::claim,
             .shows = "Theorem 2: Algorithm 1 is correct",
             .numbers = {{.what = "Theorem 2: 20 : 6 (1: proved)",
                          .print = "correct",
                          .expected = 1,
                          .slow = "intergroup-allgatherv/segmented -p 20 -q 6 --size 1000",
                          .of = Of::proved},
                         {.what = "Theorem 2: 17 : 17 (1: proved)",
                          .print = "correct",
                          .expected = 1,
                          .slow = "intergroup-allgatherv/segmented -p 17 -q 17 --size 1000",
                          .of = Of::proved}},
             .verdict = Verdict::explained,
             .why = "Correct with the partner floor(i q/p); the text's floor(i/q) and the indices of lines 9 and 11 "
                    "leave the ranks. collscope verify proves ranges of p and q."},
            {.name = "claim2",
             .kind = Kind::claim,
             .shows = "section 4: without segments the time is no multiple of M; two gathers take as long as one",
             .numbers = {{.what = "section 4: two-stage without segments over M, p = 20, q = 2, kA = 12, kB = 120",
                          .print = "unbounded in p/q",
                          .expected = 3.793,
                          .slow =
                              "intergroup-allgatherv/two-stage -p 20 -q 2 --size 12 --size-b 120 --model bytes-only "
                              "--set segmented=no",
                          .fast = "intergroup-allgatherv/two-stage -p 20 -q 2 --size 12 --size-b 120 --model "
                                  "bytes-only"},
                         {.what = "section 4: two-stage over Algorithm 1 with ring gathers",
                          .print = "the same",
                          .expected = 1,
                          .slow = "intergroup-allgatherv/two-stage -p 20 -q 2 --size 12 --size-b 120 --model "
                                  "bytes-only",
                          .fast =
                              "intergroup-allgatherv/segmented -p 20 -q 2 --size 12 --size-b 120 --model bytes-only "
                              "--set gather=ring"}},
             .verdict = Verdict::reproduced,
             .why = "1320 bytes in a row without segments where the bound is 240; 348 with them, by either gather."},
            {.name = "claim3",
             .kind = Kind::claim,
             .shows = "section 4: fewer than p + q + p/q links suffice",
             .numbers = {{.what = "section 4: its own count, 2p + q, over what it says, p = 6, q = 2",
                          .print = "1",
                          .expected = 1.273,
                          .slow = "intergroup-allgatherv/segmented -p 6 -q 2",
                          .formula = "(2*p + q)/(p + q + p/q)",
                          .why = "p links between the groups, a ring of p and a ring of q",
                          .contradicted = true}},
             .verdict = Verdict::contradicted,
             .why = "The exchange needs p links, the two rings p and q: 2p + q in all. Still linear."},
            {.name = "fig3",
             .shows = "Algorithm 2's exchange with p = 6, q = 2 and uneven sizes",
             .numbers = {{.what = "fig. 3: 6 : 2, sizes in arithmetic sequence (1: proved)",
                          .print = "",
                          .expected = 1,
                          .slow = "intergroup-allgatherv/balanced -p 6 -q 2 --sizes rising --size 1000",
                          .of = Of::proved}},
             .verdict = Verdict::reproduced,
             .why = "The sizes of the picture are not printed."},
            {.name = "eq4",
             .kind = Kind::equation,
             .shows = "Theorem 3: Algorithm 2 takes at most M + max k + log(pq) bytes",
             .panels = {{.title = "arithmetic sizes, p = q",
                         .sweep = "intergroup-allgatherv/balanced -p 4..64*2 -q 4..64*2 --together p,q --sizes rising "
                                  "--size 64KiB --model bytes-only --line 'M + max k=(total/2 + largest)*beta' --line "
                                  "'M=total/2*beta'"}},
             .verdict = Verdict::reproduced,
             .why = "The run stays between M and the bound and comes nearer to M with every doubling; the last term is "
                    "max(p, q) bytes of rounding, not log(pq)."},
            {.name = "claim4",
             .kind = Kind::claim,
             .shows = "Theorem 4: Algorithm 2 is correct",
             .numbers = {{.what = "Theorem 4: 20 : 6, arithmetic sizes (1: proved)",
                          .print = "correct",
                          .expected = 1,
                          .slow = "intergroup-allgatherv/balanced -p 20 -q 6 --sizes rising --size 1000",
                          .of = Of::proved}},
             .verdict = Verdict::explained,
             .why = "Correct with half-open ranges [i ceil, (i+1) ceil); with the printed ends bytes are sent twice."},
            {.name = "obs1",
             .kind = Kind::observation,
             .shows = "section 4.1: the order of sends and receives keeps senders busy",
             .panels = {{.title = "time over that of the paper's order, 50 : 14, arithmetic sizes",
                         .sweep = "intergroup-allgatherv/balanced -p 50 -q 14 --sizes rising --size 64KiB..4MiB*2 "
                                  "--set order=paper,rank,greedy --model bytes-only --x size --y ratio --baseline "
                                  "order=paper --linear y"}},
             .verdict = Verdict::explained,
             .why = "Little where a receiver may take what comes; the gain is large only against sends that block in "
                    "rank order at both ends, up to a chain through all ranks."},
        }};
    return joined(std::move(paper), kang2019Measured());
}

}  // namespace app::figures
