// SPDX-License-Identifier: BSD-3-Clause
// End, Yahyapour, Simmendinger, Alrutz 2016: allreduces with a butterfly-like scheme for split-phase calls.
//
// Letters: P ranks, n messages a rank sends in a round, N = n + 1, k = ceil(log_N P) rounds; (s, l_snd, l_rcv, j_snd,
// j_rcv) the tuple that says how the last round of n-way dissemination is adapted, see `collscope tuple`.
#include "app/figures/parts.hpp"

namespace app::figures {
namespace {

/// An equation that says who sends or holds what, which is proved with the whole schedule.
Item proved(std::string_view name, std::string_view shows, std::string_view run, std::string_view why) {
    return {.name = name,
            .kind = Kind::equation,
            .shows = shows,
            .numbers = {{.what = "the schedule that follows it (1: proved)",
                         .print = "right",
                         .says = exactly(1),
                         .expected = 1,
                         .slow = run,
                         .of = Of::proved}},
            .why = why};
}

/// Whom rank 0 sends to or receives from in the example of section III.C.
Item peer(std::string_view name, std::string_view shows, std::string_view print, double rank, Message message,
          std::string_view why) {
    return {.name = name,
            .kind = Kind::equation,
            .shows = shows,
            .numbers = {{.what = shows,
                         .print = print,
                         .says = exactly(rank),
                         .expected = rank,
                         .slow = "allreduce/bruck -n 8 --ports 2 --set n=2",
                         .of = Of::peer,
                         .message = message}},
            .why = why};
}

/// A schedule of adapted 2-way dissemination, whose tuple is of one case.
Number adapted(std::string_view what, std::string_view run) {
    return {.what = what, .print = "right", .says = exactly(1), .expected = 1, .slow = run, .of = Of::proved};
}

constexpr std::string_view border8 = "allreduce/adapted-dissemination -n 8 --ports 2 --set n=2 --set tuple=2,1,-1,1,0";
constexpr std::string_view case1 = "allreduce/adapted-dissemination -n 22 --ports 2 --set n=2 --set tuple=2,2,1,1,1";
constexpr std::string_view case2 = "allreduce/adapted-dissemination -n 5 --ports 2 --set n=2 --set tuple=2,0,1,0,1";
constexpr std::string_view case3 = "allreduce/adapted-dissemination -n 6 --ports 2 --set n=2 --set fallback=no";
constexpr std::string_view case4 = "allreduce/adapted-dissemination -n 8 --ports 2 --set n=2 --set tuple=2,1,0,2,0";
constexpr std::string_view case5 = "allreduce/adapted-dissemination -n 26 --ports 2 --set n=2 --set tuple=2,2,0,2,0";
constexpr std::string_view bruck8 = "allreduce/bruck -n 8 --ports 2 --set n=2";

}  // namespace

Paper end2016() {
    Paper paper{
        .name = "end2016",
        .title = "End et al. 2016, Butterfly-like Algorithms for GASPI Split Phase Allreduce",
        .items = {
            {.name = "fig1",
             .shows = "butterfly with virtual processes beside pairwise exchange, P = 5",
             .numbers = {{.what = "fig. 1: rounds of the butterfly",
                          .print = "3",
                          .says = exactly(3),
                          .expected = 3,
                          .slow = "allreduce/butterfly -n 5 --ports 2",
                          .of = Of::rounds},
                         {.what = "fig. 1: rounds of pairwise exchange",
                          .print = "4",
                          .says = exactly(4),
                          .expected = 4,
                          .slow = "allreduce/pairwise-exchange -n 5",
                          .of = Of::rounds}},
             .why =
                 "The virtual processes have to begin with the neutral element; with the rank's vector again, as drawn, the first ranks count twice."},
            {.name = "claim1",
             .kind = Kind::claim,
             .shows =
                 "rounds: 2 ceil(log2 P) for the tree, floor(log2 P) + 2 for pairwise exchange, ceil(log_(n+1) P) for the others",
             .panels =
                 {{.title = "rounds over the ranks",
                   .sweep =
                       "allreduce/binomial-tree allreduce/pairwise-exchange allreduce/bruck:n=2 allreduce/bruck:n=5 -n 2..96 --ports 5 --x n --y rounds --linear x,y --line '2 ceil(log2 P)=2*ceil(log2(p)-0.000000001)' --line 'floor(log2 P) + 2=floor(log2(p)+0.000000001)+2' --line 'ceil(log2 P) at powers of two=floor(log2(p)+0.000000001)+2*(ceil(log2(p)-0.000000001)-floor(log2(p)+0.000000001))' --line 'ceil(log3 P)=ceil(log2(p)/log2(3)-0.000000001)'"}},
             .curves = {{.panel = 0, .first = "2 ceil(log2 P)", .second = "allreduce/binomial-tree"},
                        {.panel = 0, .first = "ceil(log3 P)", .second = "allreduce/bruck, n 2"},
                        {.panel = 0,
                         .first = "floor(log2 P) + 2",
                         .second = "allreduce/pairwise-exchange",
                         .low = 1,
                         .high = 3,
                         .term = "ceil(log2 P) at powers of two",
                         .why = "powers of two need no exchange before and after: log2 P rounds"}},
             .why = "Exact but for pairwise exchange with powers of two, which takes log2 P rounds."},
            {.name = "fig2",
             .shows = "2-way dissemination beside its adaption, P = 5",
             .numbers = {{.what = "fig. 2: the adapted one gives every contribution once (1: proved)",
                          .print = "right",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "allreduce/adapted-dissemination -n 5 --ports 2 --set n=2 --set fallback=no",
                          .of = Of::proved}},
             .why = "Proved; collscope show writes it message by message."},
            proved("eq1", "peers of a round: p + i N^(l-1) and p - j N^(l-1) mod P",
                   "allreduce/dissemination -n 9 --ports 2 --set n=2",
                   "Right while i N^(l-1) < P; beyond that the last round repeats peers or names the rank itself."),
            proved("eq2", "a rank combines its partial result with those of its n peers",
                   "allreduce/dissemination -n 27 --ports 2 --set n=2",
                   "The schedule is proved with every contribution counted."),
            {.name = "tab1",
             .kind = Kind::table,
             .shows = "partial results round by round, 2-way dissemination with 9 ranks and with 8",
             .numbers = {{.what = "table I: 9 ranks (1: every contribution once)",
                          .print = "1",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "allreduce/dissemination -n 9 --ports 2 --set n=2",
                          .of = Of::proved},
                         {.what = "table I: 8 ranks, all peers (1: every contribution once)",
                          .print = "0",
                          .says = exactly(0),
                          .expected = 0,
                          .slow = "allreduce/dissemination -n 8 --ports 2 --set n=2 --set repeats=allowed",
                          .of = Of::proved}},
             .why =
                 "With 9 ranks each contribution comes once. With 8 one comes twice, as the table is there to show."},
            {.name = "eq3",
             .kind = Kind::equation,
             .shows = "with 8 ranks x0 comes twice",
             .numbers = {{.what = "equation (3): 8 ranks (0: some contribution comes twice)",
                          .print = "0",
                          .says = exactly(0),
                          .expected = 0,
                          .slow = "allreduce/dissemination -n 8 --ports 2 --set n=2 --set repeats=allowed",
                          .of = Of::proved}},
             .why = "collscope verify names the rank and the contribution: rank 0 has contribution 0 twice."},
            {.name = "eq4",
             .kind = Kind::equation,
             .shows = "after l rounds (n + 1)^l contributions are in a result",
             .panels =
                 {{.title = "rounds until all P are in",
                   .sweep =
                       "allreduce/dissemination -n 3,9,27,81,243 --ports 2 --set n=2 --x n --y rounds --line 'log_(n+1) P=log2(p)/log2(3)'"}},
             .curves = {{.panel = 0, .first = "log_(n+1) P"}},
             .why = "k rounds for P = (n + 1)^k."},
            {.name = "fig3",
             .shows = "data boundaries of ranks 0 and 2, P = 8, n = 2",
             .numbers = {{.what = "fig. 3: the adaption found for it (1: proved)",
                          .print = "right",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = border8,
                          .of = Of::proved}},
             .why =
                 "The base border of rank 0 meets a border of rank 2: rank 2 sends x2, x1. collscope tuple -n 2 -P 8 lists it."},
            proved("eq5", "the receiver's data boundaries", case2,
                   "The sum of property (2) before it goes to l - 2 and counts the sender too; the boundary is right."),
            proved("eq6", "the senders' data boundaries", case5, "They follow from (5), s N^(k-1) ranks further."),
            proved(
                "eq7", "adaptable where a sender's boundary is one of the receiver's", case1,
                "collscope tuple searches exactly this; of 22 ranks it finds one pair, with both boundaries inside."),
            {.name = "eq8",
             .kind = Kind::equation,
             .shows = "P = g_snd - g_rcv, worked out in s, l and j",
             .numbers = {{.what = "equation (8) with (s, l_snd, l_rcv, j_snd, j_rcv) = (2, 1, 0, 2, 0), n = 2",
                          .print = "8",
                          .says = exactly(8),
                          .expected = 8,
                          .slow = case4,
                          .formula = "2*3^1 + 0 + 2*3^0 - 0"}},
             .why =
                 "The first line lacks a sign, the lines below are right. Pairs with equal boundaries, P = s N^(k-1), are to be skipped: case 3 has them."},
            {.name = "claim2",
             .kind = Kind::claim,
             .shows = "Theorem 1: the five cases of the adapted last round",
             .numbers = {adapted("case 1: P = 22, n = 2 (1: proved)", case1),
                         adapted("case 2: P = 5, n = 2 (1: proved)", case2),
                         adapted("case 3: P = 6, n = 2 (1: proved)", case3),
                         adapted("case 4: P = 8, n = 2 (1: proved)", case4),
                         adapted("case 5: P = 26, n = 2 (1: proved)", case5),
                         adapted("base border, sent one boundary further: P = 8, n = 2 (1: proved)", border8)},
             .why =
                 "The five cases are right. The base border is said to comply with case 4, where the last sender stops one boundary earlier: P = 8 needs x2 and x1."},
            proved("eq9", "case 1: both boundaries inside", case1, "Part of the proof, executed."),
            proved("eq10", "case 2: the sender sends its own data", case2,
                   "In print g stands for the offset; the case is right."),
            proved("eq11", "case 3: P = s N^(k-1)", case3,
                   "The sum runs over N^i for i = 0 to k - 2, not 1 to k - 1; s = 1 cannot occur."),
            proved("eq12", "case 4: P = s N^(k-1) + j", case4, "Part of the proof, executed."),
            {.name = "eq13",
             .kind = Kind::equation,
             .shows = "case 4: j + 1 elements are missing before the last sender",
             .numbers = {{.what = "equation (13): P - (s N^(k-1) - 1), P = 8, s = 2, n = 2",
                          .print = "j + 1 = 3",
                          .says = exactly(3),
                          .expected = 3,
                          .slow = case4,
                          .formula = "p - (2*3 - 1)"}},
             .why = "Arithmetic."},
            proved("eq14", "case 5: the receiver takes its own data out", case5,
                   "Part of the proof, executed; recomputing without it is exact in floating point too."),
            {.name = "fig4",
             .shows = "Bruck's global combine with P = 8, n = 2",
             .numbers = {{.what = "fig. 4: rounds",
                          .print = "2",
                          .says = exactly(2),
                          .expected = 2,
                          .slow = bruck8,
                          .of = Of::rounds},
                         {.what = "fig. 4: every contribution once (1: proved)",
                          .print = "right",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = bruck8,
                          .of = Of::proved}},
             .why = "As drawn."},
            {.name = "eq15",
             .kind = Kind::equation,
             .shows = "digits of P - 1 = 7 in base 3: 2 and 1",
             .numbers = {{.what = "equation (15): 2*3 + 1",
                          .print = "7",
                          .says = exactly(7),
                          .expected = 7,
                          .slow = bruck8,
                          .formula = "floor((p-1)/3)*3 + (p-1-3*floor((p-1)/3))"}},
             .why = "Arithmetic."},
            peer("eq16", "round 1: the first rank that rank 0 sends to", "7", 7, {.round = 1, .place = 1},
                 "Printed and run."),
            peer("eq17", "round 1: the second rank that rank 0 sends to", "6", 6, {.round = 1, .place = 2},
                 "Printed and run."),
            proved(
                "eq18", "what goes without the rank's own data: x1 and x2", bruck8,
                "collscope show allreduce/bruck -n 8 --ports 2 --set n=2 --rounds 2 --rank 0 lists it: 1..2 to rank 3."),
            proved("eq19", "what goes with it: x0, x1 and x2", bruck8, "The same list: 0..2 to rank 5."),
            peer("eq20", "round 2: the rank that rank 0 sends its data with its own to", "5", 5,
                 {.round = 2, .place = 1},
                 "Right in this example, where alpha_0 is 1; for the i-th of more ranks alpha_0 is i."),
            peer("eq21", "round 2: the rank that rank 0 sends its data without its own to", "3", 3,
                 {.round = 2, .place = 2},
                 "Right in this example, where there is one such rank; for the j-th of more the term c is j c."),
            peer("eq22", "round 2: the first rank that rank 0 receives from", "3", 3,
                 {.sent = false, .round = 2, .place = 1}, "Right for the first; the i-th is at i (c + 1)."),
            peer("eq23", "round 2: the second rank that rank 0 receives from", "5", 5,
                 {.sent = false, .round = 2, .place = 2}, "As (21)."),
            proved("eq24", "the result of rank 0", bruck8, "All eight, once each, in the order 0 to 7."),
            {.name = "obs1",
             .kind = Kind::observation,
             .shows = "section III.D: Bruck works for all (n, P), the adaption not",
             .numbers = {{.what = "41 ranks, n = 2, no adaption: Bruck (1: proved)",
                          .print = "works",
                          .says = exactly(1),
                          .expected = 1,
                          .slow = "allreduce/bruck -n 41 --ports 2 --set n=2",
                          .of = Of::proved}},
             .why = "collscope tuple lists the gaps: none up to P = (n + 1)^3, the first for n = 2 at 40."},
            {.name = "obs3",
             .kind = Kind::observation,
             .shows =
                 "section III.D: messages go back and forth on one path in pairwise exchange, not in Bruck and n-way dissemination",
             .numbers =
                 {{.what = "pairwise exchange, 8 ranks: of 24 messages those that meet their opposite",
                   .print = "all",
                   .says = exactly(24),
                   .expected = 24,
                   .slow = "allreduce/pairwise-exchange -n 8",
                   .of = Of::opposed},
                  {.what = "Bruck, 8 ranks, n = 2: of 32 messages",
                   .print = "none",
                   .says = exactly(0),
                   .expected = 16,
                   .slow = bruck8,
                   .of = Of::opposed,
                   .why = "equations (20) to (23) have rank 0 send to 5 and 3 and receive from 3 and 5 in one round",
                   .refutes = true},
                  {.what = "dissemination, 8 ranks, n = 1: of 24 messages",
                   .print = "none",
                   .says = exactly(0),
                   .expected = 8,
                   .slow = "allreduce/dissemination -n 8 --set n=1",
                   .of = Of::opposed,
                   .why = "by (1) the last round of 8 ranks has distance 4, which is the same either way",
                   .refutes = true}},
             .why =
                 "Fewer than in pairwise exchange, but not none: its own example for Bruck exchanges both messages of the second round, and so does dissemination wherever a distance is half of P."},
        }};
    return joined(std::move(paper), end2016Measured());
}

}  // namespace app::figures
