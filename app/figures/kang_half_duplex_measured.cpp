// SPDX-License-Identifier: BSD-3-Clause
// The same paper, section V: what it measures, and what it looks forward to.
//
// The machine's alpha and beta are not printed: charts take the model `cori`, whose values are usual for it, quotients
// bytes alone.
#include "app/figures/parts.hpp"

namespace app::figures {
namespace {

/// A measured gain on a full network, and the two algorithms behind it.
Number gathered(std::string_view what, std::string_view print, const Says& says, double expected, std::string_view slow,
                std::string_view fast, std::string_view why) {
    const Number number = quotient(what, print, says, expected, slow, fast).unavailable(why).asHeadline();
    return what.find("8 a node") == std::string_view::npos ? number : number.inWholeForm();
}

/// A measured gain on the ring.
Number onTheRing(std::string_view what, std::string_view print, const Says& says, double expected,
                 std::string_view slow, std::string_view fast) {
    return quotient(what, print, says, expected, slow, fast)
        .unavailable("(p + q - 1)/(p + q/2) of table II; the rest was measured on a network that is not a ring")
        .asHeadline();
}

/// A printed gain on the ring over the quotient of steps, which table II has and the run takes.
Number overTheory(std::string_view what, double expected, std::string_view run, std::string_view formula) {
    return computed(what, "", {}, expected, formula, run);
}

/// The same with four times the ranks, which is nearer to theory where it is less.
Number nearerToTheory(std::string_view what, double before, double expected, std::string_view run,
                      std::string_view formula) {
    return computed(what, "close to the theoretical values as the total increases (below the line before)",
                    lessThan(before), expected, formula, run);
}

/// Figure 4: letter, groups, network.
std::vector<Panel> times() {
    struct Chart {
        std::string_view title;
        std::string_view groups;
        bool ring = false;
        bool shared = false;
    };
    constexpr Chart charts[] = {
        {"a: 512/512, full, 8 a node", "-p 512 -q 512", false, true},
        {"b: 256/768, full, 8 a node", "-p 256 -q 768", false, true},
        {"c: 768/256, full, 8 a node", "-p 768 -q 256", false, true},
        {"d: 128/128, full", "-p 128 -q 128"},
        {"e: 64/192, full", "-p 64 -q 192"},
        {"f: 192/64, full", "-p 192 -q 64"},
        {"g: 512/512, ring", "-p 512 -q 512", true},
        {"h: 256/768, ring", "-p 256 -q 768", true},
        {"i: 768/256, ring", "-p 768 -q 256", true},
        {"j: 128/128, ring", "-p 128 -q 128", true},
        {"k: 64/192, ring", "-p 64 -q 192", true},
        {"l: 192/64, ring", "-p 192 -q 64", true},
    };
    std::vector<Panel> panels;
    for (const Chart& chart : charts) {
        const std::string algorithms =
            chart.ring ? "halfduplex-allgather/ring-intragroup halfduplex-allgather/ring-streams "
                         "halfduplex-allgather/ring-belts "
                       : "halfduplex-allgather/root-gathering halfduplex-allgather/fully-connected ";
        const std::string begin = algorithms + std::string{chart.groups};
        const std::string end =
            std::string{" --model cori --x 'bytes per message=size'"} + (chart.shared ? " --topology cluster:8" : "");
        panels.push_back({.title = std::string{chart.title},
                          .sweep = begin + " --size 32KiB..4MiB*2" + end,
                          .small = begin + " --size 64KiB,4MiB" + end});
    }
    return panels;
}

/// Of figure 4: the proposal is the faster one everywhere.
std::vector<Curves> orders() {
    std::vector<Curves> curves;
    constexpr std::size_t full = 6;
    for (std::size_t panel = 0; panel < 2 * full; ++panel)
        curves.push_back(
            {.panel = panel,
             .first = panel < full ? "halfduplex-allgather/root-gathering" : "halfduplex-allgather/ring-intragroup",
             .second = panel < full ? "halfduplex-allgather/fully-connected" : "halfduplex-allgather/ring-streams",
             .says = moreThan(1)});
    return curves;
}

}  // namespace

std::vector<Item> kangHalfDuplexMeasured() {
    return {
        {.name = "obs3",
         .kind = Kind::observation,
         .shows = "section V: root gathering put together from broadcast and allgather is within 3% of the library's",
         .notHere = true,
         .why =
             "A comparison of two implementations on Cori. The authors therefore use their own baseline in figures 4a to 4f."},
        {.name = "obs5",
         .kind = Kind::observation,
         .shows = "section V: root gathering is highly inefficient on a ring, which has no links for binary indexing",
         .numbers =
             {quotient(
                  "on a ring, 32 : 32: time of root gathering / of the allgather over both groups",
                  "highly inefficient (taken as at least 2)", atLeast(2), 6.905,
                  "halfduplex-allgather/root-gathering -p 32 -q 32 --size 1MiB --model bytes-only --topology ring",
                  "halfduplex-allgather/ring-intragroup -p 32 -q 32 --size 1MiB --model bytes-only --topology ring")
                  .because("31 + 32 + 31 + (1 + 4 + 16 + 64 + 256) contributions on the longest path over 63"),
              quotient(
                  "the same, 128 : 128", "highly inefficient (taken as at least 2)", atLeast(2), 22.91,
                  "halfduplex-allgather/root-gathering -p 128 -q 128 --size 1MiB --model bytes-only --topology ring",
                  "halfduplex-allgather/ring-intragroup -p 128 -q 128 --size 1MiB --model bytes-only --topology ring")
                  .because("127 + 128 + 127 + 5461 contributions on the longest path over 255")},
         .why =
             "In the last rounds of Bruck's allgather many messages share each link of the ring. The authors therefore compare the ring algorithms with the allgather over both groups."},
        {.name = "claim6",
         .kind = Kind::claim,
         .shows = "section V: below 32 KB the proposal does not improve performance significantly",
         .numbers = {quotient("section V: startups, root gathering over the proposal, 128 : 128", "not significantly",
                              about(1), 2.75,
                              "halfduplex-allgather/root-gathering -p 128 -q 128 --size 1 --model rounds-only",
                              "halfduplex-allgather/fully-connected -p 128 -q 128 --size 1 --model rounds-only")
                         .unavailable("measured; 7 + 1 + 14 startups against 8")
                         .asHeadline(),
                     quotient("the same, 64 : 192", "not significantly", about(1), 2.3,
                              "halfduplex-allgather/root-gathering -p 64 -q 192 --size 1 --model rounds-only",
                              "halfduplex-allgather/fully-connected -p 64 -q 192 --size 1 --model rounds-only")
                         .unavailable("measured; 6 + 1 + 16 startups against 10"),
                     quotient("the same, 192 : 64", "not significantly", about(1), 2.333,
                              "halfduplex-allgather/root-gathering -p 192 -q 64 --size 1 --model rounds-only",
                              "halfduplex-allgather/fully-connected -p 192 -q 64 --size 1 --model rounds-only")
                         .unavailable("measured; 8 + 1 + 12 startups against 9")},
         .why =
             "By section III's own sums the proposal has 2.3 to 2.8 times fewer startups, so that it should be more than twice as fast down to one byte. The model does not give what was measured, and no term of the paper's count accounts for it. See also obs2 of kang2019."},
        {.name = "fig4",
         .shows =
             "time over the message size, and which of two algorithms is faster: root gathering or the proposal on a full network (a to f), allgather over both groups or the proposal on a ring (g to l)",
         .axes = "bytes per message across; seconds up",
         .panels = times(),
         .curves = orders(),
         .why =
             "In all twelve panels the proposal is faster than its baseline, as measured, also with eight processes a node. The measured factors are not reproduced; see claims 4 and 5. Panels g to l are run with one rank a node. By the nodes that the text counts h, i, k and l had 32, though section V names 1 and 8."},
        {.name = "claim4",
         .kind = Kind::claim,
         .shows =
             "abstract: up to 5 times faster on a full network; section V.A: measured 5.3, 5.1, 4.4 with one rank a node, 1.8, 2.0, 1.2 with eight",
         .numbers =
             {gathered("figure 4d: 128/128, 4 MiB", "5.3", exactly(5.3), 3.977,
                       "halfduplex-allgather/root-gathering -p 128 -q 128 --size 4MiB --model bytes-only",
                       "halfduplex-allgather/fully-connected -p 128 -q 128 --size 4MiB --model bytes-only",
                       "4 - 1/p - 2/q by table I; what Cori added is not known"),
              gathered("figure 4e: 64/192, 4 MiB", "5.1", exactly(5.1), 3.945,
                       "halfduplex-allgather/root-gathering -p 64 -q 192 --size 4MiB --model bytes-only",
                       "halfduplex-allgather/fully-connected -p 64 -q 192 --size 4MiB --model bytes-only",
                       "by table I for p < q; what Cori added is not known"),
              gathered("figure 4f: 192/64, 4 MiB", "4.4", exactly(4.4), 3.964,
                       "halfduplex-allgather/root-gathering -p 192 -q 64 --size 4MiB --model bytes-only",
                       "halfduplex-allgather/fully-connected -p 192 -q 64 --size 4MiB --model bytes-only",
                       "4 - 1/p - 2/q by table I; what Cori added is not known"),
              gathered(
                  "figure 4a: 512/512, 4 MiB, 8 a node", "1.8", exactly(1.8), 1.376,
                  "halfduplex-allgather/root-gathering -p 512 -q 512 --size 4MiB --model bytes-only --topology cluster:8",
                  "halfduplex-allgather/fully-connected -p 512 -q 512 --size 4MiB --model bytes-only --topology cluster:8",
                  "eight ranks share a network card, so that up to eight messages of a round of Bruck's algorithm pass it one after another: allgathers take 1 + 4 + 16 + 8(q - 8) = 8q - 43 transfer times of one contribution in place of q - 1; the 43 = 64 - 21 is that of eight ranks a node"),
              gathered(
                  "figure 4b: 256/768, 4 MiB, 8 a node", "2.0", exactly(2), 1.388,
                  "halfduplex-allgather/root-gathering -p 256 -q 768 --size 4MiB --model bytes-only --topology cluster:8",
                  "halfduplex-allgather/fully-connected -p 256 -q 768 --size 4MiB --model bytes-only --topology cluster:8",
                  "as figure 4a, with the groups of p < q"),
              gathered(
                  "figure 4c: 768/256, 4 MiB, 8 a node", "1.2", exactly(1.2), 1.361,
                  "halfduplex-allgather/root-gathering -p 768 -q 256 --size 4MiB --model bytes-only --topology cluster:8",
                  "halfduplex-allgather/fully-connected -p 768 -q 256 --size 4MiB --model bytes-only --topology cluster:8",
                  "as figure 4a"),
              quotient(
                  "figure 4a: 512/512, 4 MiB, 8 a node, with ring allgathers", "", {}, 3.940,
                  "halfduplex-allgather/root-gathering -p 512 -q 512 --size 4MiB --model bytes-only --topology cluster:8 --set gather=ring",
                  "halfduplex-allgather/fully-connected -p 512 -q 512 --size 4MiB --model bytes-only --topology cluster:8 --set gather=ring")
                  .because("511 + 512 + 1022 contributions on the longest path over 512 + 7")
                  .inWholeForm(),
              quotient(
                  "figure 4b: 256/768, 4 MiB, 8 a node, with ring allgathers", "", {}, 3.829,
                  "halfduplex-allgather/root-gathering -p 256 -q 768 --size 4MiB --model bytes-only --topology cluster:8 --set gather=ring",
                  "halfduplex-allgather/fully-connected -p 256 -q 768 --size 4MiB --model bytes-only --topology cluster:8 --set gather=ring")
                  .because("255 + 256 + 511.3 contributions on the longest path over 255 + 12")
                  .inWholeForm(),
              quotient(
                  "figure 4c: 768/256, 4 MiB, 8 a node, with ring allgathers", "", {}, 3.955,
                  "halfduplex-allgather/root-gathering -p 768 -q 256 --size 4MiB --model bytes-only --topology cluster:8 --set gather=ring",
                  "halfduplex-allgather/fully-connected -p 768 -q 256 --size 4MiB --model bytes-only --topology cluster:8 --set gather=ring")
                  .because("767 + 768 + 1530 contributions on the longest path over 768 + 7")
                  .inWholeForm(),
              computed("section V.A: printed gains, p = q: one rank a node / eight", "much better with one",
                       moreThan(1), 2.944, "5.3/1.8")
                  .because("3.98 over 1.38 in the model"),
              computed("the same, p : q = 1 : 3", "much better with one", moreThan(1), 2.55, "5.1/2.0")
                  .because("3.95 over 1.39 in the model"),
              computed("the same, p : q = 3 : 1", "much better with one", moreThan(1), 3.667, "4.4/1.2")
                  .because("3.96 over 1.36 in the model")},
         .why =
             "Table I gives 4 at most. The model gives 3.98, 3.95 and 3.96 with one rank a node; what was measured beyond 4 is not in the model. With eight ranks a node it gives 1.38, 1.39 and 1.36 with Bruck's allgather, of which eight messages pass the shared card at once; in figure 4c the model's 1.36 is more than the measured 1.2. With a ring allgather only one message at a time leaves a node, and the gains are 3.94, 3.83 and 3.96. The printed 1.8 and 2.0 lie between the two."},
        {.name = "claim7",
         .kind = Kind::claim,
         .shows = "section V.A: the improvement on a full network increases with the number of processes",
         .numbers = {quotient("16 : 16: root gathering over the proposal", "", {}, 3.8125,
                              "halfduplex-allgather/root-gathering -p 16 -q 16 --size 4MiB --model bytes-only",
                              "halfduplex-allgather/fully-connected -p 16 -q 16 --size 4MiB --model bytes-only"),
                     quotient("512 : 512: the same", "increases", moreThan(3.8125), 3.994,
                              "halfduplex-allgather/root-gathering -p 512 -q 512 --size 4MiB --model bytes-only",
                              "halfduplex-allgather/fully-connected -p 512 -q 512 --size 4MiB --model bytes-only")
                         .inWholeForm(),
                     computed("printed gains: 512 : 512 with eight ranks a node over 128 : 128 with one", "increases",
                              moreThan(1), 0.3396, "1.8/5.3")
                         .unavailable("1.8 and 5.3 are in print; the ranks a node differ as well")},
         .tolerance = 0.02,
         .why =
             "The printed gains, 5.3 (256 processes, one a node) and 1.8 (1024, eight a node), also differ in the ranks per node, so they neither confirm nor refute the claim. The reason in print is that a process receives more bytes. With one rank a node the model's gain grows as 4 - 1/p - 2/q, by very little."},
        {.name = "obs6",
         .kind = Kind::observation,
         .shows =
             "section V.A: with the message size the difference between the two times becomes significant, since bandwidth starts to dominate",
         .numbers = {computed("128 : 128, 32 KiB: share of bandwidth in the proposal's time, in percent", "", {}, 97.76,
                              "100*(1 - rounds*alpha/time)",
                              "halfduplex-allgather/fully-connected -p 128 -q 128 --size 32KiB --model cori"),
                     computed("the same, 4 MiB", "bandwidth starts to dominate", moreThan(50), 99.98,
                              "100*(1 - rounds*alpha/time)",
                              "halfduplex-allgather/fully-connected -p 128 -q 128 --size 4MiB --model cori"),
                     computed("the same of root gathering's time, 4 MiB", "bandwidth dominates", moreThan(50), 99.99,
                              "100*(1 - rounds*alpha/time)",
                              "halfduplex-allgather/root-gathering -p 128 -q 128 --size 4MiB --model cori")},
         .why =
             "Both times grow linearly with the size, root gathering's four times as fast, and so does their difference. Under the assumed values of alpha and beta bandwidth dominates from the start, at all sizes of figure 4."},
        {.name = "claim11",
         .kind = Kind::claim,
         .shows =
             "abstract and section I: on the ring the proposal is up to 1.4 times faster than the allgather over both groups",
         .numbers = {computed("the largest printed gain of section V.B", "up to 1.4", atMost(1.4), 1.9, "1.9")
                         .refuting("both numbers are in print"),
                     quotient("by table II, 256 : 768", "", {}, 1.598,
                              "halfduplex-allgather/ring-intragroup -p 256 -q 768",
                              "halfduplex-allgather/ring-streams -p 256 -q 768", Of::rounds)
                         .because("(p + q - 1)/(p + q/2)")},
         .why =
             "The abstract has the least of the six measured gains, that of figure 4l; the others are 1.7 to 1.9. Table II gives 1.6 where there are three times as many receivers."},
        {.name = "claim5",
         .kind = Kind::claim,
         .shows = "section V.B: measured on the ring 1.7 and 1.9 (p = q), 1.9 and 1.9 (1 : 3), 1.8 and 1.4 (3 : 1)",
         .numbers = {onTheRing("figure 4g: 512/512 on the ring, 4 MiB", "1.7", exactly(1.7), 1.332,
                               "halfduplex-allgather/ring-intragroup -p 512 -q 512 --size 4MiB --model bytes-only",
                               "halfduplex-allgather/ring-streams -p 512 -q 512 --size 4MiB --model bytes-only"),
                     onTheRing("figure 4j: 128/128 on the ring, 4 MiB", "1.9", exactly(1.9), 1.328,
                               "halfduplex-allgather/ring-intragroup -p 128 -q 128 --size 4MiB --model bytes-only",
                               "halfduplex-allgather/ring-streams -p 128 -q 128 --size 4MiB --model bytes-only"),
                     onTheRing("figure 4h: 256/768 on the ring, 4 MiB", "1.9", exactly(1.9), 1.598,
                               "halfduplex-allgather/ring-intragroup -p 256 -q 768 --size 4MiB --model bytes-only",
                               "halfduplex-allgather/ring-streams -p 256 -q 768 --size 4MiB --model bytes-only"),
                     onTheRing("figure 4k: 64/192 on the ring, 4 MiB", "1.9", exactly(1.9), 1.594,
                               "halfduplex-allgather/ring-intragroup -p 64 -q 192 --size 4MiB --model bytes-only",
                               "halfduplex-allgather/ring-streams -p 64 -q 192 --size 4MiB --model bytes-only"),
                     onTheRing("figure 4i: 768/256 on the ring, 4 MiB", "1.8", exactly(1.8), 1.142,
                               "halfduplex-allgather/ring-intragroup -p 768 -q 256 --size 4MiB --model bytes-only",
                               "halfduplex-allgather/ring-streams -p 768 -q 256 --size 4MiB --model bytes-only"),
                     onTheRing("figure 4l: 192/64 on the ring, 4 MiB", "1.4", exactly(1.4), 1.138,
                               "halfduplex-allgather/ring-intragroup -p 192 -q 64 --size 4MiB --model bytes-only",
                               "halfduplex-allgather/ring-streams -p 192 -q 64 --size 4MiB --model bytes-only")},
         .why =
             "All measured gains exceed (p + q - 1)/(p + q/2), the limit on a ring: the ring was emulated on a network that is not a ring, so the measured gain need not follow the number of rounds. All are run with one rank a node; by the nodes that the text counts h, i, k and l had 32."},
        {.name = "claim3",
         .kind = Kind::claim,
         .shows = "section V.B: improvements on the ring of 1.5, 1.14 and 1.6 for p = q, p = 2q and 2p = q",
         .numbers = {quotient("section V.B: p = q on the ring; 4/3 is right", "1.5", exactly(1.5), 1.328,
                              "halfduplex-allgather/ring-intragroup -p 128 -q 128 --size 1MiB --model bytes-only",
                              "halfduplex-allgather/ring-streams -p 128 -q 128 --size 1MiB --model bytes-only")
                         .refuting("(p + q - 1)/(p + q/2) of Table II comes to 4/3")
                         .asHeadline(),
                     quotient("section V.B: p = 2q in print, p = 3q here", "(1.14 is printed for p = 2q)",
                              exactly(1.14), 1.138,
                              "halfduplex-allgather/ring-intragroup -p 192 -q 64 --size 1MiB --model bytes-only",
                              "halfduplex-allgather/ring-streams -p 192 -q 64 --size 1MiB --model bytes-only")
                         .asHeadline(),
                     quotient("section V.B: p = 2q itself (128 : 64); 6/5 is right", "1.14", exactly(1.14), 1.194,
                              "halfduplex-allgather/ring-intragroup -p 128 -q 64 --size 1MiB --model bytes-only",
                              "halfduplex-allgather/ring-streams -p 128 -q 64 --size 1MiB --model bytes-only")
                         .refuting("the number belongs to p = 3q, which is what was measured"),
                     quotient("section V.B: 2p = q itself (64 : 128); 3/2 is right", "1.6", exactly(1.6), 1.492,
                              "halfduplex-allgather/ring-intragroup -p 64 -q 128 --size 1MiB --model bytes-only",
                              "halfduplex-allgather/ring-streams -p 64 -q 128 --size 1MiB --model bytes-only")
                         .refuting("the number belongs to 3p = q, which is what was measured"),
                     quotient("section V.B: 2p = q in print, 3p = q here", "(1.6 is printed for 2p = q)", exactly(1.6),
                              1.594, "halfduplex-allgather/ring-intragroup -p 64 -q 192 --size 1MiB --model bytes-only",
                              "halfduplex-allgather/ring-streams -p 64 -q 192 --size 1MiB --model bytes-only")
                         .asHeadline()},
         .why =
             "4/3, 6/5 and 3/2 follow from Table II; the printed 1.5 for p = q is its value for 2p = q. 1.14 and 1.6 belong to the groups of 3 : 1 and 1 : 3 that were measured."},
        {.name = "claim10",
         .kind = Kind::claim,
         .shows =
             "section V.B: the improvement for p = 3q is less than for p = q and q = 3p, that for q = 3p is larger than for p = q",
         .numbers = {quotient("p = q, 128 : 128: allgather over both groups over the proposal", "", {}, 1.328,
                              "halfduplex-allgather/ring-intragroup -p 128 -q 128 --size 1MiB --model bytes-only",
                              "halfduplex-allgather/ring-streams -p 128 -q 128 --size 1MiB --model bytes-only"),
                     quotient("p = 3q, 192 : 64: the same", "less, as table II has it", lessThan(1.328), 1.138,
                              "halfduplex-allgather/ring-intragroup -p 192 -q 64 --size 1MiB --model bytes-only",
                              "halfduplex-allgather/ring-streams -p 192 -q 64 --size 1MiB --model bytes-only"),
                     quotient("q = 3p, 64 : 192: the same",
                              "larger, as table II has it; increases with the number of receivers (section IV.D)",
                              moreThan(1.328), 1.594,
                              "halfduplex-allgather/ring-intragroup -p 64 -q 192 --size 1MiB --model bytes-only",
                              "halfduplex-allgather/ring-streams -p 64 -q 192 --size 1MiB --model bytes-only"),
                     computed("printed gains with 1024 processes: p = 3q over p = q, 1.8 over 1.7", "less", lessThan(1),
                              1.059, "1.8/1.7")
                         .refuting("both numbers are in print"),
                     computed("printed gains with 256 processes: p = 3q over p = q, 1.4 over 1.9", "less", lessThan(1),
                              0.7368, "1.4/1.9"),
                     computed("printed gains with 1024 processes: p = 3q over q = 3p, 1.8 over 1.9", "less",
                              lessThan(1), 0.9474, "1.8/1.9"),
                     computed("printed gains with 256 processes: p = 3q over q = 3p, 1.4 over 1.9", "less", lessThan(1),
                              0.7368, "1.4/1.9"),
                     computed("printed gains with 256 processes: q = 3p over p = q, 1.9 over 1.9", "larger",
                              moreThan(1), 1, "1.9/1.9")
                         .refuting("both numbers are in print"),
                     computed("printed gains with 1024 processes: q = 3p over p = q, 1.9 over 1.7", "larger",
                              moreThan(1), 1.118, "1.9/1.7")},
         .why =
             "In the runs, as in table II, the gains are 1.14, 1.33 and 1.59 for p = 3q, p = q and q = 3p, in this order. Two printed gains break the order: with 1024 processes p = 3q has 1.8 and p = q 1.7; with 256 processes q = 3p and p = q both have 1.9. By Table II the times differ by q/2 - 1 steps, nearly in proportion to the number of receivers, as printed."},
        {.name = "claim8",
         .kind = Kind::claim,
         .shows = "section V.B: from 256 to 1024 processes the improvements on the ring come nearer to theory",
         .numbers =
             {overTheory(
                  "1 : 1, 256 processes: printed gain 1.9 over the gain of table II, (p + q - 1)/rounds of the run",
                  1.4306, "halfduplex-allgather/ring-streams -p 128 -q 128", "1.9*rounds/(p+q-1)"),
              nearerToTheory("the same, 1024 processes: 1.7", 1.4306, 1.2763,
                             "halfduplex-allgather/ring-streams -p 512 -q 512", "1.7*rounds/(p+q-1)"),
              overTheory("1 : 3, 256 processes: 1.9", 1.1922, "halfduplex-allgather/ring-streams -p 64 -q 192",
                         "1.9*rounds/(p+q-1)"),
              overTheory("the same, 1024 processes: 1.9, as printed for 256", 1.1887,
                         "halfduplex-allgather/ring-streams -p 256 -q 768", "1.9*rounds/(p+q-1)"),
              overTheory("3 : 1, 256 processes: 1.4", 1.2298, "halfduplex-allgather/ring-streams -p 192 -q 64",
                         "1.4*rounds/(p+q-1)"),
              nearerToTheory("the same, 1024 processes: 1.8", 1.2298, 1.5765,
                             "halfduplex-allgather/ring-streams -p 768 -q 256", "1.8*rounds/(p+q-1)")
                  .refuting("with four times the ranks the printed gain is farther from table II")},
         .tolerance = 0.001,
         .why =
             "By the printed numbers the gain comes nearer for 1 : 1, stays about the same for 1 : 3, and goes farther away for 3 : 1. All six are above table II, which is the limit of rounds."},
        {.name = "obs1",
         .kind = Kind::observation,
         .shows = "conclusion: a torus is future work (section II: the ring algorithm can readily be extended to it)",
         .numbers = {proof("two belts on a torus of 8x8, 32 : 32, proved", "", {}, 1,
                           "halfduplex-allgather/torus-belts -p 32 -q 32 --topology torus:8x8")},
         .notHere = true,
         .why =
             "The paper makes no statement that can be tested, and has no algorithm for it. Beyond it: two counter-rotating streams in every ring of the first dimension, then ring allgathers along the others."},
    };
}

}  // namespace app::figures
