// SPDX-License-Identifier: BSD-3-Clause
// End, Yahyapour, Simmendinger, Alrutz 2016: allreduces with a butterfly-like scheme for split-phase calls.
//
// Letters: P ranks, n messages a rank sends in a round, N = n + 1, k = ceil(log_N P) rounds; (s, l_snd, l_rcv, j_snd,
// j_rcv) the tuple that says how the last round of n-way dissemination is adapted, see `collscope tuple`.
#include "app/figures/parts.hpp"

namespace app::figures {
namespace {

/// An equation that says who sends or holds what, which is proved with the whole schedule.
Item provedEquation(std::string_view name, std::string_view shows, std::string_view run, std::string_view why) {
    return {.name = name,
            .kind = Kind::equation,
            .shows = shows,
            .numbers = {proved("the schedule built from it: is every contribution counted once?", "the equation", run)},
            .why = why};
}

/// Whom rank 0 sends to or receives from in the example of section III.C.
Item peerEquation(std::string_view name, std::string_view shows, std::string_view print, double rank, Message message,
                  std::string_view why) {
    return {.name = name,
            .kind = Kind::equation,
            .shows = shows,
            .numbers = {peer(shows, print, exactly(rank), rank, message, "allreduce/bruck -n 8 --ports 2 --set n=2")},
            .why = why};
}

constexpr std::string_view border8 = "allreduce/adapted-dissemination -n 8 --ports 2 --set n=2 --set tuple=2,1,-1,1,0";
constexpr std::string_view case1 = "allreduce/adapted-dissemination -n 22 --ports 2 --set n=2 --set tuple=2,2,1,1,1";
constexpr std::string_view case2 = "allreduce/adapted-dissemination -n 5 --ports 2 --set n=2 --set tuple=2,0,1,0,1";
constexpr std::string_view case2More =
    "allreduce/adapted-dissemination -n 13 --ports 2 --set n=2 --set tuple=2,0,2,0,1";
constexpr std::string_view case3 = "allreduce/adapted-dissemination -n 6 --ports 2 --set n=2 --set fallback=no";
constexpr std::string_view case4 = "allreduce/adapted-dissemination -n 8 --ports 2 --set n=2 --set tuple=2,1,0,2,0";
constexpr std::string_view case5 = "allreduce/adapted-dissemination -n 26 --ports 2 --set n=2 --set tuple=2,2,0,2,0";
constexpr std::string_view bruck8 = "allreduce/bruck -n 8 --ports 2 --set n=2";

}  // namespace

Paper end2016() {
    Paper paper{.name = "end2016",
                .title = "End et al. 2016, Butterfly-like Algorithms for GASPI Split Phase Allreduce",
                .notes =
                    "The paper prints no latency, gap or bandwidth of its clusters. LogGP models are fitted to the printed times, which are taken as those of Bruck's algorithm with n = 5 on 28 and 96 sockets; the paper names Bruck for small messages only, and not at which number of sockets. Cluster 1 (infiniband-qdr): L = 2.7 us, g = 0.657 us, G = 0.3125 ns/B, 0.538 ns/B to add, 0.6135 ns/B for a maximum. Cluster 2 (infiniband-fdr10): L = 2.7 us, g = 0.878 us, G = 0.2 ns/B, 0.1575 and 0.235 ns/B. L and G are assumed. In formulas of times, x is G (m - 1), and y is the time to combine m bytes once. Heights of curves are not compared: the printed axes end at 25 us (figures 7 and 8), 70 us (9 and 10), 50 us (11 and 12) and 140 us (13 and 14), up to three times the highest curve here. The option tuple has the five values s, l_snd, l_rcv, j_snd, j_rcv of section III.B; l_rcv = -1 means the base border g_B.",
                .items = {
                    {.name = "fig1",
                     .shows = "butterfly with virtual processes beside pairwise exchange, P = 5",
                     .numbers =
                         {counted("figure 1: rounds of the butterfly", "3", exactly(3), 3, Of::rounds,
                                  "allreduce/butterfly -n 5 --ports 2"),
                          counted("figure 1: rounds of pairwise exchange", "4", exactly(4), 4, Of::rounds,
                                  "allreduce/pairwise-exchange -n 5"),
                          refuted(
                              "figure 1 left: is every contribution counted once? Virtual processes with the vectors of others",
                              "repeated inclusion of initial data from the virtual processes",
                              "allreduce/butterfly -n 5 --ports 2 --set neutral=no"),
                          proof("the same, virtual processes with the neutral element", "", {}, 1,
                                "allreduce/butterfly -n 5 --ports 2")},
                     .why =
                         "The rounds are as drawn. With the vectors of the ranks that play the virtual processes, these count twice, as printed. Not in print: the scheme would be right if the virtual processes began with the neutral element. That they add communication and overhead is printed without a number."},
                    {.name = "claim1",
                     .kind = Kind::claim,
                     .shows =
                         "rounds: 2 ceil(log2 P) for the tree, floor(log2 P) + 2 for pairwise exchange, ceil(log_(n+1) P) for the others",
                     .panels =
                         {{.title = "rounds over the ranks",
                           .sweep =
                               "allreduce/binomial-tree allreduce/pairwise-exchange allreduce/bruck:n=2 allreduce/bruck:n=5 -n 2..96 --ports 5 --x n --y rounds --linear x,y --line '2 ceil(log2 P)=2*ceil(log2(p)-0.000000001)' --line 'floor(log2 P) + 2=floor(log2(p)+0.000000001)+2' --line 'floor(log2 P) + 2, but log2 P at powers of two=floor(log2(p)+0.000000001)+2*(ceil(log2(p)-0.000000001)-floor(log2(p)+0.000000001))' --line 'ceil(log3 P)=ceil(log2(p)/log2(3)-0.000000001)' --line 'ceil(log6 P)=ceil(log2(p)/log2(6)-0.000000001)'"},
                          {.title = "n-way, n = 2, adapted",
                           .sweep =
                               "allreduce/adapted-dissemination:n=2 -n 3..39 --set fallback=no --ports 2 --x n --y rounds --linear x,y --line 'ceil(log3 P)=ceil(log2(p)/log2(3)-0.000000001)'"}},
                     .curves = {{.panel = 0, .first = "2 ceil(log2 P)", .second = "allreduce/binomial-tree"},
                                {.panel = 0, .first = "ceil(log3 P)", .second = "allreduce/bruck, n 2"},
                                {.panel = 0, .first = "ceil(log6 P)", .second = "allreduce/bruck, n 5"},
                                {.panel = 1, .first = "ceil(log3 P)"},
                                {.panel = 0,
                                 .first = "floor(log2 P) + 2",
                                 .second = "allreduce/pairwise-exchange",
                                 .low = 1,
                                 .high = 3,
                                 .term = "floor(log2 P) + 2, but log2 P at powers of two",
                                 .why = "powers of two need no exchange before and after, as section III.A has it"}},
                     .why =
                         "Equal to the runs with 2 to 96 ranks (adapted n-way dissemination: n = 2, 3 to 39 ranks, which are all adaptable), except that pairwise exchange takes log2 P rounds for powers of two."},
                    {.name = "fig2",
                     .shows = "2-way dissemination beside its adaptation, P = 5",
                     .numbers = {proved("figure 2 right: is every contribution counted once?", "the adapted scheme",
                                        "allreduce/adapted-dissemination -n 5 --ports 2 --set n=2 --set fallback=no"),
                                 refuted("figure 2 left: is every contribution counted once?",
                                         "transfers certain data elements more than once",
                                         "allreduce/dissemination -n 5 --ports 2 --set n=2 --set repeats=allowed")},
                     .why =
                         "By (1) the original sends two messages of three contributions in round 2. The second one, to rank p + 6 = p + 1 mod 5, is left out of the run; the first one alone repeats contributions. Of the four adaptations with n = 2, P = 5 (collscope tuple) the run takes (1, 1, -1, 1, 0), which sends one message in round 2, with x_p and x_(p-1); eq5 and claim2 run another one."},
                    provedEquation(
                        "eq1", "peers of a round: p + i (n + 1)^(l-1) and p - j (n + 1)^(l-1) mod P",
                        "allreduce/dissemination -n 9 --ports 2 --set n=2",
                        "Right for P = 9, n = 2. For larger i (n + 1)^(l-1), from P on, (1) names the rank itself or a peer a second time."),
                    provedEquation("eq2", "a rank combines its partial result with those of its n peers",
                                   "allreduce/dissemination -n 27 --ports 2 --set n=2",
                                   "Checked by one schedule, in which every contribution is counted."),
                    {.name = "tab1",
                     .kind = Kind::table,
                     .shows = "partial results round by round, 2-way dissemination with 9 ranks and with 8",
                     .numbers = {proved("table I, 9 ranks: is every contribution counted once?",
                                        "every contribution once in all rows of round 2",
                                        "allreduce/dissemination -n 9 --ports 2 --set n=2"),
                                 refuted("table I, 8 ranks and all peers: is every contribution counted once?",
                                         "rank 0 has x0 twice (equation (3))",
                                         "allreduce/dissemination -n 8 --ports 2 --set n=2 --set repeats=allowed")},
                     .why =
                         "With 9 ranks each contribution is counted once, with 8 ranks one is counted twice, as in print. The entries of the table are shown by collscope show; the check is only whether each contribution is counted once."},
                    {.name = "eq3",
                     .kind = Kind::equation,
                     .shows = "with 8 ranks rank 0 has x0 twice",
                     .numbers = {refuted("equation (3), 8 ranks: is every contribution counted once?", "x0 twice",
                                         "allreduce/dissemination -n 8 --ports 2 --set n=2 --set repeats=allowed")},
                     .why = "The command refutes the schedule with the printed case: rank 0 has contribution 0 twice."},
                    {.name = "obs8",
                     .kind = Kind::observation,
                     .shows = "section III.B: repeated contributions change a sum, but not a maximum",
                     .numbers =
                         {refuted("sum, 26 ranks, n = 2, not adapted: is it right?",
                                  "the final result will include data of at least one rank twice",
                                  "allreduce/dissemination -n 26 --ports 2 --set n=2 --set repeats=allowed"),
                          refuted("sum, 8 ranks, n = 2, not adapted: is it right?", "different final sums",
                                  "allreduce/dissemination -n 8 --ports 2 --set n=2 --set repeats=allowed"),
                          proved("maximum, 8 ranks, n = 2, not adapted: is it right?", "this does not matter",
                                 "allreduce/dissemination -n 8 --ports 2 --set n=2 --set repeats=allowed --op max")},
                     .why = "As printed, in these cases."},
                    {.name = "eq4",
                     .kind = Kind::equation,
                     .shows = "after l rounds (n + 1)^l contributions are in a result",
                     .panels =
                         {{.title = "rounds until a result has all P contributions",
                           .sweep =
                               "allreduce/dissemination -n 3,9,27,81,243 --ports 2 --set n=2 --x n --y rounds --linear y --line 'log_(n+1) P=log2(p)/log2(3)'"}},
                     .curves = {{.panel = 0, .first = "log_(n+1) P"}},
                     .why = "The run takes k rounds for P = (n + 1)^k."},
                    {.name = "fig3",
                     .shows = "data boundaries of ranks 0 and 2, P = 8, n = 2",
                     .numbers = {proved("figure 3: the adaptation found for it, proved",
                                        "the boundaries and reduction S' of the figure", border8)},
                     .why =
                         "The base border of rank 0 coincides with g_1[1] of rank 2, so that rank 2 sends x2 and x1. collscope tuple -n 2 -P 8 lists it."},
                    {.name = "eq5",
                     .kind = Kind::equation,
                     .shows = "the receiver's data boundaries",
                     .numbers =
                         {proved("l_rcv = 1, P = 5, n = 2: is every contribution counted once?", "the equation", case2),
                          proved(
                              "l_rcv = 2, so that the sum has a term, P = 13, n = 2: is every contribution counted once?",
                              "the equation", case2More)},
                     .why =
                         "Right in these two cases. The sum in property (2), above equation (5), starts in print at i = 0. It must start at i = 1; its value then includes the sender, which print calls left-hand neighbours only."},
                    provedEquation("eq6", "the senders' data boundaries", case5,
                                   "They follow from (5), s (n + 1)^(k-1) ranks further. Checked in one case."),
                    provedEquation(
                        "eq7", "adaptable where a sender's boundary is one of the receiver's", case1,
                        "collscope tuple searches for this; for P = 22, n = 2 it finds one pair, of case 1, which is run."),
                    {.name = "eq8",
                     .kind = Kind::equation,
                     .shows = "P = g_snd - g_rcv, worked out in s, l and j",
                     .numbers = {computed("equation (8) with (s, l_snd, l_rcv, j_snd, j_rcv) = (2, 1, 0, 2, 0), n = 2",
                                          "8", exactly(8), 8, "2*3^1 + 0 + 2*3^0 - 0", case4),
                                 computed("the same with (2, 0, 2, 0, 1), where the receiver's sum has a term", "13",
                                          exactly(13), 13, "2*3^2 + 0 - 2*3^0 - 1*3^1", case2More),
                                 proved("P = 13 with this tuple: is every contribution counted once?", "the equation",
                                        case2More)},
                     .why =
                         "The first line lacks a sign, the lines below it are right. Pairs with l_snd = l_rcv and j_snd = j_rcv give P = s (n + 1)^(k-1); they must be skipped, since case 3 covers that P."},
                    {.name = "claim2",
                     .kind = Kind::claim,
                     .shows = "Theorem 1: the five cases of the adapted last round",
                     .numbers = {proved("case 1: P = 22, n = 2, proved", "case 1 of the theorem", case1),
                                 proved("case 2: P = 5, n = 2, proved", "case 2 of the theorem", case2),
                                 proved("case 3: P = 6, n = 2, proved", "case 3 of the theorem", case3),
                                 proved("case 4: P = 8, n = 2, proved", "case 4 of the theorem", case4),
                                 proved("case 5: P = 26, n = 2, proved", "case 5 of the theorem", case5)},
                     .why = "Each of the five cases is right in the case that is run."},
                    {.name = "claim6",
                     .kind = Kind::claim,
                     .shows = "note after the proof of Theorem 1: the base border complies to case 4",
                     .numbers =
                         {proved(
                              "base border, last sender up to its boundary g[j_snd]: rank 2 sends x2, x1 as in figure 3; P = 8, n = 2, proved",
                              "S' = x2 o x1 (figure 3)", border8),
                          proof("base border by case 4 as printed, where the last sender sends x2 alone, proved",
                                "the reasoning \"complies to case 4\"", exactly(1), 0,
                                "allreduce/adapted-dissemination -n 8 --ports 2 --set n=2 --set tuple=2,1,-1,1,0 "
                                "--set border=printed")
                              .refuting("case 4 stops one boundary earlier, at g[j_snd - 1]; x1 is missing then")},
                     .why =
                         "Contradicted if \"up to g[j_snd - 1]\" of case 4 is taken over literally. By the reasoning of case 4, and in figure 3, the base border is right: the last sender has to send P - s (n + 1)^(k-1) contributions."},
                    provedEquation(
                        "eq9", "case 1: both boundaries inside", case1,
                        "A case of the proof, executed as a schedule. Its last line lacks the sign that (8) lacks."),
                    {.name = "eq10",
                     .kind = Kind::equation,
                     .shows = "case 2: the sender sends its own data",
                     .numbers = {proved("P = 5, n = 2: is every contribution counted once?", "the equation", case2),
                                 proved("P = 13, n = 2, l_rcv = 2: is every contribution counted once?", "the equation",
                                        case2More)},
                     .why = "Right in these two cases; in print g_lrcv[j_rcv] stands for p - g_lrcv[j_rcv]."},
                    provedEquation(
                        "eq11", "case 3: P = s (n + 1)^(k-1)", case3,
                        "The sum in the proof must run over (n + 1)^i from i = 0 to k - 2, not from 1 to k - 1; the line (s - 1)(n + 1)^(k-1) + (n + 1)^(k-1) = s (n + 1)^(k-1) - 1 lacks a - 1 on its left side; s = 1 cannot occur."),
                    provedEquation("eq12", "case 4: P = s (n + 1)^(k-1) + j", case4,
                                   "A case of the proof, executed as a schedule."),
                    {.name = "eq13",
                     .kind = Kind::equation,
                     .shows = "case 4: j + 1 elements are missing before the last sender",
                     .numbers = {computed("equation (13): P - (s (n + 1)^(k-1) - 1), P = 8, s = 2, n = 2", "j + 1 = 3",
                                          exactly(3), 3, "p - (2*3 - 1)", case4)},
                     .why = "True; arithmetic alone."},
                    provedEquation(
                        "eq14", "case 5: the receiver takes its own data out", case5,
                        "A case of the proof, executed as a schedule. Recomputing without it avoids the rounding of an inverse."),
                    {.name = "fig4",
                     .shows = "Bruck's global combine with P = 8, n = 2",
                     .numbers = {counted("figure 4: rounds", "2", exactly(2), 2, Of::rounds, bruck8),
                                 proved("figure 4: is every contribution counted once?", "the result of rank 0",
                                        bruck8)},
                     .why = "Rounds and result are those drawn."},
                    {.name = "eq15",
                     .kind = Kind::equation,
                     .shows = "digits of P - 1 = 7 in base 3: 2 and 1",
                     .numbers = {computed("equation (15): 2*3 + 1", "7", exactly(7), 7,
                                          "floor((p-1)/3)*3 + (p-1-3*floor((p-1)/3))", bruck8)},
                     .why = "True; arithmetic alone."},
                    peerEquation("eq16", "round 1: the first rank that rank 0 sends to", "7", 7,
                                 {.round = 1, .place = 1}, "The run has the printed peer."),
                    peerEquation("eq17", "round 1: the second rank that rank 0 sends to", "6", 6,
                                 {.round = 1, .place = 2}, "The run has the printed peer."),
                    provedEquation(
                        "eq18", "S[0], without the rank's own data: x1 and x2", bruck8,
                        "collscope show allreduce/bruck -n 8 --ports 2 --set n=2 --rounds 2 --rank 0 lists it: contributions 1 and 2 to rank 3."),
                    provedEquation("eq19", "S[1], with the rank's own data: x0, x1 and x2", bruck8,
                                   "The same list: contributions 0 to 2 to rank 5."),
                    peerEquation(
                        "eq20", "round 2: destination of S[1], which contains rank 0's own data", "5", 5,
                        {.round = 2, .place = 1},
                        "Right in this example, where alpha_0 is 1; in general S[1] goes to the ranks p - i (c + 1), i = 1 to alpha_0."),
                    peerEquation(
                        "eq21", "round 2: destination of S[0], without rank 0's own data", "3", 3,
                        {.round = 2, .place = 2},
                        "Right in this example, where n - alpha_0 is 1; in general S[0] goes to the ranks p - j c - alpha_0 (c + 1), j = 1 to n - alpha_0."),
                    peerEquation("eq22", "round 2: the first rank that rank 0 receives from", "3", 3,
                                 {.sent = false, .round = 2, .place = 1},
                                 "Right in this example; in general they are the ranks p + i (c + 1)."),
                    peerEquation("eq23", "round 2: the second rank that rank 0 receives from", "5", 5,
                                 {.sent = false, .round = 2, .place = 2},
                                 "Right in this example; in general they are the ranks p + j c + alpha_0 (c + 1)."),
                    provedEquation("eq24", "the result of rank 0", bruck8,
                                   "The command proves that all eight contributions are in it once."),
                    {.name = "obs1",
                     .kind = Kind::observation,
                     .shows =
                         "section III.D: Bruck's algorithm works for all (n, P), the adapted dissemination does not",
                     .numbers =
                         {proved("41 ranks, n = 2: Bruck's algorithm, proved", "works",
                                 "allreduce/bruck -n 41 --ports 2 --set n=2"),
                          counted(
                              "41 ranks: rounds with the smallest n that is adaptable (n = 1 would take 6, n = 2 would take 4)",
                              "alternative solutions need to be found (n = 3 here)", lessThan(4), 3, Of::rounds,
                              "allreduce/adapted-dissemination -n 41 --set n=smallest")},
                     .why =
                         "With n = 2 the smallest P without an adaptation is 40, the next is 41, where n = 1 has none either. collscope tuple -n 2 -P 40 says so."},
                    {.name = "obs7",
                     .kind = Kind::observation,
                     .shows =
                         "sections I and III.D: ranks are idle in the tree and in pairwise exchange, in dissemination and Bruck's algorithm none is",
                     .numbers =
                         {counted("tree, 8 ranks: idle share of total rank time",
                                  "in each of these rounds a large part of the ranks is idle (taken as half)",
                                  atLeast(0.5), 5.0 / 12, Of::still,
                                  "allreduce/binomial-tree -n 8 --model bytes-only --progress lockstep")
                              .refuting(
                                  "in the first and the last round all 8 ranks are busy: 28 of 6 x 8 rounds of ranks, which is more than half"),
                          counted("tree, 28 ranks: the same, all rounds together", "", {}, 0.614, Of::still,
                                  "allreduce/binomial-tree -n 28 --model bytes-only --progress lockstep")
                              .because("27 messages up and 27 down occupy 108 of 10 x 28 rounds of ranks"),
                          counted(
                              "n-way dissemination, n = 1, 28 ranks", "all ranks are involved in every round",
                              exactly(0), 0, Of::still,
                              "allreduce/adapted-dissemination -n 28 --set n=1 --model bytes-only --progress lockstep"),
                          counted("Bruck, n = 5, 28 ranks", "all ranks are involved in every round", exactly(0), 0,
                                  Of::still,
                                  "allreduce/bruck -n 28 --ports 5 --set n=5 --model bytes-only --progress lockstep"),
                          counted("pairwise exchange, 6 ranks, q = 2 beyond 4",
                                  "q ranks are idle (2 of 6 ranks in 2 of 4 rounds)", atLeast(1.0 / 6), 1.0 / 3,
                                  Of::still, "allreduce/pairwise-exchange -n 6 --model bytes-only --progress lockstep")
                              .because(
                                  "in the first and last round ranks 2 and 3, which have no partner among ranks 4 and 5, are idle, too")},
                     .why =
                         "True of all rounds of the tree together, not of each: in its first and last round every second rank sends to another one, so that none is idle, in the next ones half are busy. The idle share counts rounds in which a rank neither sends nor receives."},
                    {.name = "obs3",
                     .kind = Kind::observation,
                     .shows =
                         "section III.D: messages go back and forth on one path in pairwise exchange, not in Bruck and n-way dissemination",
                     .numbers =
                         {counted("pairwise exchange, 8 ranks: of 24 messages those that cross their opposite", "all",
                                  exactly(24), 24, Of::opposed, "allreduce/pairwise-exchange -n 8"),
                          counted("Bruck, 8 ranks, n = 2: of 32 messages", "none", exactly(0), 16, Of::opposed, bruck8)
                              .refuting(
                                  "equations (20) to (23) have rank 0 send to 5 and 3 and receive from 3 and 5 in one round"),
                          counted("dissemination, 8 ranks, n = 1: of 24 messages", "none", exactly(0), 8, Of::opposed,
                                  "allreduce/dissemination -n 8 --set n=1")
                              .refuting(
                                  "by (1) the last round of 8 ranks has distance 4, which is the same either way")},
                     .why =
                         "The paper speaks of messages in opposite directions on the same path; here these are messages between the same two ranks. Fewer than in pairwise exchange, but not none: the paper's own example for Bruck exchanges both messages of the second round, and dissemination does so wherever a distance is half of P."},
                }};
    return joined(std::move(paper), end2016Measured());
}

}  // namespace app::figures
