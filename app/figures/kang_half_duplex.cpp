// SPDX-License-Identifier: BSD-3-Clause
// Kang et al., half-duplex allgather between two groups: p senders in A, q receivers in B, k bytes from each sender, on
// a full network and on a ring.
#include "app/figures/parts.hpp"

namespace app::figures {
Paper kangHalfDuplex() {
    Paper paper{
        .name = "kang-half-duplex",
        .title =
            "Kang et al. (half duplex), Half-duplex inter-group all-to-all broadcast on fully connected and ring topologies",
        .notes =
            "The proposal is halfduplex-allgather/fully-connected on a full network and halfduplex-allgather/ring-streams on the ring; the baselines are halfduplex-allgather/root-gathering and halfduplex-allgather/ring-intragroup (Intra-Allgather). Stream 1, 2, ... of the runs is the paper's sequence #1, #2, ... halfduplex-allgather/ring-belts is not in the paper: two counter-rotating streams, one step shorter; with one sender and even q it takes as many. Section IV says that naive pipelines from both ends of the senders break the limit of one send and one receive; ring-belts has a message in every second place only, so that at each rank the two streams take turns. Numbers of bytes are those on the longest path, which the model bytes-only gives as the time: 1 ns is one byte. Charts of times take the model cori, whose values are assumed.",
        .items =
            {
                {.name = "claim1",
                 .kind = Kind::claim,
                 .shows = "section III: p k bytes and 1 + log p startups are least, so the algorithm is optimal",
                 .numbers = {computed(
                                 "section III: bytes on the longest path over p k, 128 : 128", "p k is optimal",
                                 exactly(1), 1, "1000000000*time/(p*size)",
                                 "halfduplex-allgather/fully-connected -p 128 -q 128 --size 1MiB --model bytes-only"),
                             counted("section III: startups, 128 : 128", "1 + log p", byFormula("1+log2(p)"), 8,
                                     Of::rounds, "halfduplex-allgather/fully-connected -p 128 -q 128"),
                             computed("section III: startups over the lower bound, 96 : 96", "optimal", exactly(1),
                                      1.143, "rounds/bound_rounds", "halfduplex-allgather/fully-connected -p 96 -q 96")
                                 .explained("1 + ceil(log p) is one above ceil(log(p + 1)) where p is no power of two",
                                            "(1+ceil(log2(p)))/ceil(log2(p+1))")},
                 .why =
                     "Both are met for powers of two with p >= q. For other numbers 1 + ceil(log p) startups are one above the bound of ceil(log(p + 1)); for p < q see table I. Where p does not divide q, the sets of receivers of section III are not defined in print; the program fills incomplete rows of receivers with senders."},
                {.name = "fig1",
                 .shows = "the algorithm for a full network with p = 6, q = 2 and with p = 2, q = 6",
                 .numbers = {counted("figure 1a, 1b: rounds with p = 6, q = 2", "1 + log p",
                                     byFormula("1+ceil(log2(p))"), 4, Of::rounds,
                                     "halfduplex-allgather/fully-connected -p 6 -q 2"),
                             proved("figure 1c, 1d: p = 2, q = 6, binomial broadcasts in the first step, proved",
                                    "(correct)",
                                    "halfduplex-allgather/fully-connected -p 2 -q 6 --set broadcast=binomial")},
                 .why =
                     "In (b) the idle senders take part in the receivers' allgather. The caption counts the broadcasts of (c) as the first step; as binomial broadcasts they take two rounds."},
                {.name = "obs2",
                 .kind = Kind::observation,
                 .shows =
                     "section III: without the senders' help p/q startups come first, which does not suit small messages",
                 .numbers =
                     {quotient(
                          "64 : 2, senders in turn over senders that help; startups", "p/q = 32 at least, over 7",
                          atLeast(32.0 / 7), 4.714,
                          "halfduplex-allgather/fully-connected -p 64 -q 2 --size 1 --model rounds-only --set variant=sequential",
                          "halfduplex-allgather/fully-connected -p 64 -q 2 --size 1 --model rounds-only"),
                      quotient(
                          "the same, bytes on the longest path", "(the same bandwidth term)", exactly(1), 1,
                          "halfduplex-allgather/fully-connected -p 64 -q 2 --size 1MiB --model bytes-only --set variant=sequential",
                          "halfduplex-allgather/fully-connected -p 64 -q 2 --size 1MiB --model bytes-only")},
                 .why =
                     "33 startups against 7. The alternative sends nothing twice; its transfer time is the same, p k."},
                {.name = "obs7",
                 .kind = Kind::observation,
                 .shows = "section I: fewer startups than the full-duplex algorithm of the authors' earlier paper [2]",
                 .numbers =
                     {quotient("64 : 16: startups of the full-duplex algorithm / of the proposal",
                               "smaller startup latency", moreThan(1), 10.0 / 7,
                               "intergroup-allgatherv/two-stage -p 64 -q 16 --size 1 --model rounds-only",
                               "halfduplex-allgather/fully-connected -p 64 -q 16 --size 1 --model rounds-only")
                          .because("p/q + log(p/q) + log q = 10 startups over 1 + log p = 7"),
                      quotient("the same, 32 : 32", "smaller startup latency", moreThan(1), 1,
                               "intergroup-allgatherv/two-stage -p 32 -q 32 --size 1 --model rounds-only",
                               "halfduplex-allgather/fully-connected -p 32 -q 32 --size 1 --model rounds-only")
                          .refuting("with p = q both have one exchange and an allgather, 1 + log p startups"),
                      quotient("the same, 32 : 64", "smaller startup latency", moreThan(1), 8.0 / 9,
                               "intergroup-allgatherv/two-stage -p 32 -q 64 --size 1 --model rounds-only",
                               "halfduplex-allgather/fully-connected -p 32 -q 64 --size 1 --model rounds-only")
                          .unavailable(
                              "2 + 1 + 5 = 8 startups over log p + 2 log(q/p + 1) = 9; that of the other paper for p < q is not printed here")},
                 .why =
                     "True where there are more senders than receivers. With as many of each both have the same startups. With q = 2p the proposal takes 9 startups and the full-duplex algorithm 8. The startups of [2] are not printed in this paper; they are those of intergroup-allgatherv/two-stage."},
                {.name = "obs8",
                 .kind = Kind::observation,
                 .shows =
                     "sections I and II: receivers do not receive in some stages of root gathering; the proposal reduces that time",
                 .numbers =
                     {computed("root gathering, 128 : 128: time for p k bytes over the time that it takes",
                               "receiving channels are idle in some stages", lessThan(1), 128.0 / 509,
                               "p*size/(1000000000*time)",
                               "halfduplex-allgather/root-gathering -p 128 -q 128 --size 1MiB --model bytes-only")
                          .because("p blocks of (p - 1) + p + 2p (1 - 1/q)"),
                      computed("the proposal, 128 : 128: the same", "reduce the idle time", moreThan(128.0 / 509), 1,
                               "p*size/(1000000000*time)",
                               "halfduplex-allgather/fully-connected -p 128 -q 128 --size 1MiB --model bytes-only")},
                 .why =
                     "A receiver has to receive p k bytes. This takes a quarter of the time of root gathering and all of the time of the proposal."},
                {.name = "tab1",
                 .kind = Kind::table,
                 .shows =
                     "startups and bytes of root gathering, log p + 2 log q and 4p, and of the proposal, log p and p",
                 .panels =
                     {
                         {.title = "bytes on the longest path over k, p = q",
                          .sweep =
                              "halfduplex-allgather/root-gathering halfduplex-allgather/fully-connected -p 4..256*2 -q 4..256*2 --together p,q --size 1MiB --model bytes-only --x 'senders=p' --y 'bytes on the longest path over k=time/(beta*size)' --line 4p=4*p --line '(p - 1) + p + 2p (1 - 1/q)=2*p-1+2*p*(1-1/q)' --line p=p"},
                         {.title = "startups, p = q",
                          .sweep =
                              "halfduplex-allgather/root-gathering halfduplex-allgather/fully-connected -p 4..256*2 -q 4..256*2 --together p,q --size 1 --x 'senders=p' --y rounds --line 'log p + 2 log q + 1=log2(p)+2*log2(q)+1' --line 'log p + 1=log2(p)+1'"},
                         {.title = "startups, 4 p = q", .sweep = "halfduplex-allgather/root-gathering halfduplex-allgather/fully-connected -p 4..64*2 -q 16..256*2 --together p,q --size 1 --x 'senders=p' --y rounds --line 'log q=log2(q)' --line 'log p + 2 log(q/p + 1)=log2(p)+2*ceil(log2(q/p+1))'"},
                         {.title = "bytes on the longest path over k, p = 4 q",
                          .sweep =
                              "halfduplex-allgather/root-gathering halfduplex-allgather/fully-connected -p 16..256*2 -q 4..64*2 --together p,q --size 1MiB --model bytes-only --x 'senders=p' --y 'bytes on the longest path over k=time/(beta*size)' --line 4p=4*p --line '(p - 1) + p + 2p (1 - 1/q)=2*p-1+2*p*(1-1/q)' --line p=p"},
                         {.title = "bytes on the longest path over k, 4 p = q",
                          .sweep =
                              "halfduplex-allgather/root-gathering halfduplex-allgather/fully-connected -p 4..64*2 -q 16..256*2 --together p,q --size 1MiB --model bytes-only --x 'senders=p' --y 'bytes on the longest path over k=time/(beta*size)' --line 4p=4*p --line '(p - 1) + p + 2p (1 - 1/q)=2*p-1+2*p*(1-1/q)' --line 'p + 1=p+1'"}},
                 .numbers =
                     {counted("p < q: startups of the proposal, 16 : 64", "log p = 4 (table)", byFormula("log2(p)"), 10,
                              Of::rounds, "halfduplex-allgather/fully-connected -p 16 -q 64")
                          .refuting("log p + 2 log(q/p + 1), as the text has it one line before"),
                      counted("p < q: startups of the proposal, 2 : 64", "converges to log q = 6 (text)",
                              byFormula("log2(q)"), 13, Of::rounds, "halfduplex-allgather/fully-connected -p 2 -q 64")
                          .refuting(
                              "log p + 2 log(q/p + 1) = 1 + 2 x 6, which comes to 2 log q if q/p grows; if q/p stays, it comes to log q"),
                      quotient("p < q: startups of root gathering / startups of the proposal, 16 : 64",
                               "log p + log q = 10 fewer (of 17)", exactly(17.0 / 7), 1.7,
                               "halfduplex-allgather/root-gathering -p 16 -q 64 --model rounds-only",
                               "halfduplex-allgather/fully-connected -p 16 -q 64 --model rounds-only")
                          .explained("7 fewer; for p : q = 1 : 4 this stays 3 below log p + log q",
                                     "(log2(p)+1+2*log2(q))/(log2(p)+2*ceil(log2(q/p+1)))"),
                      quotient("p > q: startups of root gathering / startups of the proposal, 64 : 16",
                               "2 log q = 8 fewer (of 15)", exactly(15.0 / 7), 15.0 / 7,
                               "halfduplex-allgather/root-gathering -p 64 -q 16 --model rounds-only",
                               "halfduplex-allgather/fully-connected -p 64 -q 16 --model rounds-only"),
                      quotient("section III.A: bytes of root gathering over those of the proposal, 64 : 2",
                               "approximately 4 times faster for any p, q", about(4), 191.0 / 64,
                               "halfduplex-allgather/root-gathering -p 64 -q 2 --size 1MiB --model bytes-only",
                               "halfduplex-allgather/fully-connected -p 64 -q 2 --size 1MiB --model bytes-only")
                          .refuting(
                              "63 + 64 + 2 x 64 (1 - 1/2) = 191 blocks over 64: with few receivers the broadcast costs less")},
                 .curves =
                     {{.panel = 0, .first = "p", .second = "halfduplex-allgather/fully-connected"},
                      {.panel = 0,
                       .first = "4p",
                       .second =
                           "halfduplex-allgather/root-gathering",
                       .low = 1.0029,
                       .high = 16.0 / 13,
                       .term = "(p - 1) + p + 2p (1 - 1/q)",
                       .why = "a gather of p - 1 blocks, and a broadcast of 2p (1 - 1/q)"},
                      {.panel = 1, .first = "log p + 1", .second = "halfduplex-allgather/fully-connected"},
                      {.panel = 1, .first = "log p + 2 log q + 1", .second = "halfduplex-allgather/root-gathering"},
                      {.panel = 2,
                       .first = "log q",
                       .second = "halfduplex-allgather/fully-connected",
                       .low = 0.5,
                       .high = 8.0 / 12,
                       .term = "log p + 2 log(q/p + 1)",
                       .why = "the paper's own sum; for q = 4p it is log q + 4"},
                      {.panel = 2, .first = "log p + 2 log(q/p + 1)", .second = "halfduplex-allgather/fully-connected"},
                      {.panel = 3, .first = "p", .second = "halfduplex-allgather/fully-connected"},
                      {.panel = 4,
                       .first = "p + 1",
                       .second = "halfduplex-allgather/fully-connected",
                       .says = atLeast(1)}},
                 .why =
                     "For p >= q and many receivers Table I leaves out lower terms: root gathering takes 4p - 1 - 2p/q blocks, the proposal 1 + log p startups. With few receivers 4p does not hold: q = 2 gives 3p. For p < q the text's own sum, log p + 2 log(q/p + 1), is not the table's log p. It comes to the text's log q only if q/p stays the same as the groups grow."},
                {.name = "obs4",
                 .kind = Kind::observation,
                 .shows = "section IV: where p or q is odd a dummy process makes it even",
                 .numbers = {counted("rounds of the three streams with 5 : 7, each group with a dummy: as 6 : 8",
                                     "p + q/2 = 10", exactly(10), 10, Of::rounds,
                                     "halfduplex-allgather/ring-streams -p 5 -q 7"),
                             counted("rounds of ring-belts with 5 : 7, which need no dummy", "", {}, 8, Of::rounds,
                                     "halfduplex-allgather/ring-belts -p 5 -q 7")
                                 .because("p + ceil(q/2) - 1")},
                 .why =
                     "With dummies as processes of their own the ring has 14 ranks, and the steps are those stated. If a rank played its neighbour's dummy, it would often need its port twice in one step. Not run."},
                {.name = "def1",
                 .kind = Kind::definition,
                 .shows =
                     "definition IV.1: the receivers of a stream's messages have rising or falling ranks, all steps through",
                 .numbers = {peer("stream 1, 4 : 4: where m_3 goes in the first step", "4", exactly(4), 4, {.rank = 3},
                                  "halfduplex-allgather/ring-streams -p 4 -q 4"),
                             peer("stream 2, 4 : 4: where m_0 goes in the first step, across the end of the ring", "7",
                                  exactly(7), 7, {.rank = 0}, "halfduplex-allgather/ring-streams -p 4 -q 4")},
                 .why =
                     "Checked in one example. Ranks are taken around the ring: from 0 a falling sequence goes on with p + q - 1, as in line 8 of Algorithm 1."},
                {.name = "alg1",
                 .kind = Kind::algorithm,
                 .shows = "three streams on the ring, p = q",
                 .numbers = {proved("Algorithm 1: 8 : 8, proved", "correct",
                                    "halfduplex-allgather/ring-streams -p 8 -q 8"),
                             proved("Algorithm 1: 24 : 24, proved", "correct",
                                    "halfduplex-allgather/ring-streams -p 24 -q 24"),
                             counted("Algorithm 1: steps, 8 : 8", "p + q/2 = 12", byFormula("p+q/2"), 12,
                                     Of::rounds, "halfduplex-allgather/ring-streams -p 8 -q 8")},
                 .why =
                     "Right as printed: a test takes its lines word by word and finds these schedules, message for message."},
                {.name = "thm2",
                 .kind = Kind::theorem,
                 .shows =
                     "theorem IV.2: every message of a sequence is available at its sender if the first senders have theirs",
                 .numbers = {proved("every message of 12 : 12 is there when it is sent", "(correct)",
                                    "halfduplex-allgather/ring-streams -p 12 -q 12")},
                 .why = "Checked in one example: the receivers of each step send the same messages in the next one."},
                {.name = "alg2",
                 .kind = Kind::algorithm,
                 .shows = "the pattern of a stream: its senders move one on with every step, its messages stay",
                 .numbers = {peer("stream 1, 4 : 4: where the sender of m_3 in step 1, rank 3, sends it", "one on: 4",
                                  exactly(4), 4, {.rank = 3}, "halfduplex-allgather/ring-streams -p 4 -q 4"),
                             peer("where rank 4 sends it in step 2", "one on: 5", exactly(5), 5,
                                  {.rank = 4, .round = 2}, "halfduplex-allgather/ring-streams -p 4 -q 4")},
                 .why =
                     "Algorithm 2 is the pattern of theorem IV.2. Sequence #1 follows it throughout, the others as long as their set of messages does not change; the paper proves the first stage of #3 separately. Indices of messages need no mod p + q, since there are p messages."},
                {.name = "thm3",
                 .kind = Kind::theorem,
                 .shows =
                     "theorem IV.3: where two sequences meet for every message, every process between them has every message",
                 .numbers = {peer("streams 2 and 3, 4 : 4: who sends m_0 last, to rank 5 = 2j + p + 1", "6", exactly(6),
                                  6, {.rank = 5, .sent = false, .round = 6},
                                  "halfduplex-allgather/ring-streams -p 4 -q 4"),
                             peer("the same: who sends it last the other way, to rank 4 = 2j + p", "3", exactly(3), 3,
                                  {.rank = 4, .sent = false, .round = 6},
                                  "halfduplex-allgather/ring-streams -p 4 -q 4")},
                 .why =
                     "Checked in one example: in the last step m_0 reaches neighbours from both sides, as the proof has it."},
                {.name = "claim9",
                 .kind = Kind::claim,
                 .shows = "section IV.B: in every step a process sends at most one message and receives at most one",
                 .numbers = {proved("12 : 12, one port, proved", "(holds)",
                                    "halfduplex-allgather/ring-streams -p 12 -q 12"),
                             proved("6 : 14, one port, Algorithm 3 corrected, proved", "(holds)",
                                    "halfduplex-allgather/ring-streams -p 6 -q 14"),
                             proof("12 : 12, one port, ring-belts (not in print), proved", "", {}, 1,
                                   "halfduplex-allgather/ring-belts -p 12 -q 12")},
                 .why = "The proof of a schedule includes one send and one receive per process and step."},
                {.name = "claim12",
                 .kind = Kind::claim,
                 .shows = "section IV.E: for p > q three streams take q/2 + (p - q/2) + q/2 steps",
                 .numbers = {proved("18 : 6, proved", "the previous proofs are valid",
                                    "halfduplex-allgather/ring-streams -p 18 -q 6"),
                             counted("steps, 18 : 6", "p + q/2 = 21", byFormula("p+q/2"), 21, Of::rounds,
                                     "halfduplex-allgather/ring-streams -p 18 -q 6")},
                 .why =
                     "Right in this case. Of p < q the section says that without sequence #4 the cost is at least q (ts + tw) k, which is not optimal; it is not run. It prints costs as (p + q/2)(ts + tw) k, which has to be (p + q/2)(ts + k tw)."},
                {.name = "claim2",
                 .kind = Kind::claim,
                 .shows = "section IV: p + q/2 steps are optimal",
                 .numbers =
                     {quotient("section IV.D: rounds, streams over belts, 128 : 128", "optimal", atMost(1), 1.00524,
                               "halfduplex-allgather/ring-streams -p 128 -q 128 --model rounds-only",
                               "halfduplex-allgather/ring-belts -p 128 -q 128 --model rounds-only")
                          .explained(
                              "two counter-rotating streams (ring-belts) take p + q/2 - 1 rounds, which is the bound",
                              "(p+q/2)/(p+q/2-1)")
                          .asHeadline()},
                 .why =
                     "True for large groups. The text gives the bound p + q/2 - 1 and says that p + q/2 converges to it. Two counter-rotating streams (ring-belts) need one step less, except for one sender and even q. The first message arrives at the end of step q/2; print has at least q/2 - 1 steps."},
                {.name = "tab2",
                 .kind = Kind::table,
                 .shows =
                     "on the ring: p + q - 1 startups and blocks for the allgather over both groups, p + q/2 for the proposal",
                 .panels =
                     {{.title = "rounds on the ring, p = q",
                       .sweep =
                           "halfduplex-allgather/ring-intragroup halfduplex-allgather/ring-streams halfduplex-allgather/ring-belts -p 4..64*2 -q 4..64*2 --together p,q --x 'senders=p' --y rounds --linear x,y --line p+q-1=p+q-1 --line p+q/2=p+q/2"},
                      {.title = "rounds on the ring, p : q = 3 : 1",
                       .sweep =
                           "halfduplex-allgather/ring-intragroup halfduplex-allgather/ring-streams halfduplex-allgather/ring-belts -p 12..96*2 -q 4..32*2 --together p,q --x 'senders=p' --y rounds --linear x,y --line p+q-1=p+q-1 --line p+q/2=p+q/2"},
                      {.title = "rounds on the ring, p : q = 1 : 3",
                       .sweep =
                           "halfduplex-allgather/ring-intragroup halfduplex-allgather/ring-streams halfduplex-allgather/ring-belts -p 4..32*2 -q 12..96*2 --together p,q --x 'senders=p' --y rounds --linear x,y --line p+q-1=p+q-1 --line p+q/2=p+q/2"}},
                 .numbers = {quotient("allgather over both groups over the proposal, 32 : 32, rounds",
                                      "(p + q - 1)/(p + q/2)", byFormula("(p+q-1)/(p+q/2)"), 1.3125,
                                      "halfduplex-allgather/ring-intragroup -p 32 -q 32",
                                      "halfduplex-allgather/ring-streams -p 32 -q 32", Of::rounds),
                             quotient("section IV.D: the same, 32 : 96",
                                      "the improvement increases with the number of receivers", moreThan(1.3125),
                                      1.5875, "halfduplex-allgather/ring-intragroup -p 32 -q 96",
                                      "halfduplex-allgather/ring-streams -p 32 -q 96", Of::rounds)},
                 .curves = {{.panel = 0, .first = "p+q-1", .second = "halfduplex-allgather/ring-intragroup"},
                            {.panel = 0, .first = "p+q/2", .second = "halfduplex-allgather/ring-streams"},
                            {.panel = 1, .first = "p+q-1", .second = "halfduplex-allgather/ring-intragroup"},
                            {.panel = 1, .first = "p+q/2", .second = "halfduplex-allgather/ring-streams"},
                            {.panel = 2, .first = "p+q-1", .second = "halfduplex-allgather/ring-intragroup"},
                            {.panel = 2, .first = "p+q/2", .second = "halfduplex-allgather/ring-streams"}},
                 .why = "Both rows equal the runs, with as many senders as receivers and with 3 : 1 and 1 : 3."},
                {.name = "alg3",
                 .kind = Kind::algorithm,
                 .shows = "four streams on the ring, p < q",
                 .numbers =
                     {proved("Algorithm 3, corrected: 6 : 14, proved", "correct",
                             "halfduplex-allgather/ring-streams -p 6 -q 14"),
                      counted("Algorithm 3, corrected: steps, 6 : 14", "p + q/2 = 13", byFormula("p+q/2"), 13,
                              Of::rounds, "halfduplex-allgather/ring-streams -p 6 -q 14"),
                      peer("line 40, 6 : 14: who sends to rank 17 with i = 3 and j = 3, in round 7",
                           "none (-1): 2j = 6 is not above 2i + p/2 = 9", exactly(-1), 18,
                           {.rank = 17, .sent = false, .round = 7}, "halfduplex-allgather/ring-streams -p 6 -q 14")
                          .refuting(
                              "the condition is that of p = q: sequence #4 stops early. With ranks mod p + q, from q = 3p/2 + 2 on ranks end without all messages"),
                      peer("line 41, 6 : 8: who sends to rank 13 with i = 1 and j = p/2 = 3, in round 5",
                           "2j - i + q + 1 = 14", byFormula("2*(p/2) - 1 + q + 1"), 0,
                           {.rank = 13, .sent = false, .round = 5}, "halfduplex-allgather/ring-streams -p 6 -q 8")
                          .refuting(
                              "the ranks are 0 to 13: for odd i the sender with the largest j is p + q, which is rank 0")},
                 .why =
                     "As printed it uses a rank that does not exist for every p of 6 or more (line 8 has the mod p + q that lines 35 to 43 lack), and for p = 2 and 4 it leaves receivers without all messages from q = 6 and q = 8 on. The proof for #1 and #4-2 has a third condition, 2j > 2i + q - p/2, and the completeness proof [p/2, p] for [p/2, p - 1]. With ranks mod p + q, the condition 2j > 2i + 3p/2 - q and j < p it is right and takes the stated p + q/2 steps."},
                {.name = "fig2",
                 .shows = "the ring algorithm with p = 4, q = 6: 7 steps",
                 .numbers = {counted("figure 2: steps with p = 4, q = 6", "7", exactly(7), 7, Of::rounds,
                                     "halfduplex-allgather/ring-streams -p 4 -q 6"),
                             counted("p = 4, q = 6 with two counter-rotating streams (ring-belts)", "", {}, 6,
                                     Of::rounds, "halfduplex-allgather/ring-belts -p 4 -q 6")
                                 .because("one step less is possible")},
                 .why =
                     "Seven steps; at this size Algorithm 3 works as printed. Section IV.E exchanges the sizes of figures 2 and 3; the captions are right."},
                {.name = "fig3",
                 .shows = "the ring algorithm with p = 6, q = 4: 8 steps",
                 .numbers = {counted("figure 3: steps with p = 6, q = 4", "8", exactly(8), 8, Of::rounds,
                                     "halfduplex-allgather/ring-streams -p 6 -q 4"),
                             counted("p = 6, q = 4 with two counter-rotating streams (ring-belts)", "", {}, 7,
                                     Of::rounds, "halfduplex-allgather/ring-belts -p 6 -q 4")
                                 .because("one step less is possible")},
                 .why =
                     "Eight steps, after which all receivers have all messages. Section IV.E exchanges the sizes of figures 2 and 3; the captions are right."},
            }};
    return joined(std::move(paper), kangHalfDuplexMeasured());
}

}  // namespace app::figures
