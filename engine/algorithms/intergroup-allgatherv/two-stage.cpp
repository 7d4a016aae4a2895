// SPDX-License-Identifier: BSD-3-Clause
// The segmented exchange, after which the larger group gathers in two steps: inside subgroups and across them.
//
// Source: Kang et al. 2018 (EuroMPI), as described in Kang et al. 2019, sections 1 and 4.
// P >= Q are the sizes of the larger and the smaller group, c = P/Q; kL and kS their bytes each, lg = ceil log2.
//
// p = 6, q = 2; "n1.2" is piece 2 of b1's contribution n1; inside first:
//
//   round   stage      in A                                            in B
//    1-3    exchange   as in 'segmented': a0 n0.0  a1 n0.1  a2 n0.2    b0 m0 m1 m2
//                                         a3 n1.0  a4 n1.1  a5 n1.2    b1 m3 m4 m5
//     4     gather     a0 a1 a2 swap pieces of n0, a3 a4 a5 of n1      b0 and b1 swap what they hold
//     5                (Bruck on 3 ranks takes two rounds)
//     6                a0-a3, a1-a4, a2-a5 swap n0 and n1
//
// Across first swaps the pieces n0.i and n1.i in the first step and gathers pairs of them inside.
// Where Q does not divide P, the longer subgroups have one rank more than there are columns across. These ranks go with
// the columns in turn as members that bring nothing, and likewise inside: everyone still sends and receives one message
// a round, and no rank receives more than kS (Q + 1) bytes.
// segmented=no sends whole contributions in the exchange, c times each; then A gathers across only.
// Rounds c + lg c + lg Q, without segments c + lg Q. Serialized bytes of A's gather
//     (c - 1) kS Q/P + (Q - 1) kS  =  kS (Q - Q/P)  in either order, as much as in one step;
// without segments the exchange takes c max(kL, kS), which no multiple of the bound limits.
// Correct because after the step inside every rank of subgroup j holds n_j, and across there is one rank of each j.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/subgroups.hpp"

namespace engine::algorithms::intergroup_allgatherv_two_stage {
namespace {

/// The places of the larger group's ranks: columns of one rank of each subgroup. Where Q does not divide P, a longer
/// subgroup has one rank more than there are columns; these ranks go with the columns in turn, without a place of their
/// own there.
class Columns {
public:
    explicit Columns(const Subgroups& groups)
        : groups_{groups},
          count_{groups.large.size / groups.small.size},
          longer_{groups.large.size % groups.small.size} {}

    [[nodiscard]] std::int32_t count() const { return count_; }
    /// Members of column i: a rank of each subgroup, then those that go with it.
    [[nodiscard]] std::int32_t size(std::int32_t i) const { return groups_.small.size + guests(i); }
    /// Of the largest one.
    [[nodiscard]] std::int32_t largest() const { return size(0); }
    /// The column of member m of the larger group, and its place there.
    [[nodiscard]] std::pair<std::int32_t, std::int32_t> of(std::int32_t m) const {
        const std::int32_t j = groups_.of(m);
        const std::int32_t i = m - groups_.first(j);
        return i < count_ ? std::pair{i, j} : std::pair{j % count_, groups_.small.size + j / count_};
    }
    /// Back again.
    [[nodiscard]] std::int32_t member(std::int32_t i, std::int32_t place) const {
        const std::int32_t q = groups_.small.size;
        return place < q ? groups_.first(place) + i : groups_.first(subgroupOfGuest(i, place)) + count_;
    }
    [[nodiscard]] std::int32_t subgroupOfGuest(std::int32_t i, std::int32_t place) const {
        return i + (place - groups_.small.size) * count_;
    }

private:
    [[nodiscard]] std::int32_t guests(std::int32_t i) const {
        return longer_ / count_ + (i < longer_ % count_ ? 1 : 0);
    }

    Subgroups groups_;
    std::int32_t count_;
    std::int32_t longer_;
};

/// A kernel that is called, and not put into its callers: each of two gathers in each combination would make much code,
/// slow to compile and no faster.
template <class Kernel>
struct Called {
    Kernel kernel;

    template <class Out>
    [[gnu::noinline]] void operator()(Rank rank, Round round, Out& out) const {
        kernel(rank, round, out);
    }
};

template <class Kernel>
Called(Kernel) -> Called<Kernel>;

/// An allgather inside the subgroup of each rank of the larger group: of `sharesOf(j)` in subgroup j.
template <class SharesOf>
auto inside(const Subgroups& groups, stages::GatherBy by, SharesOf sharesOf) {
    return Part{"inside", stages::gatherRounds(by, groups.largest()), Called{[=](Rank rank, Round round, auto& out) {
                    if (!groups.large.contains(rank)) return;
                    const std::int32_t j = groups.of(groups.large.local(rank).value);
                    const Group subgroup{groups.large.first + groups.first(j), groups.size(j)};
                    const stages::GroupAllgather gathering{by, sharesOf(j)};
                    if (round.value < gathering.rounds()) onGroup(subgroup, gathering)(rank, round, out);
                }}};
}

/// An allgather in every column: of `sharesOf(i)` in column i.
template <class SharesOf>
auto across(const Subgroups& groups, stages::GatherBy by, SharesOf sharesOf) {
    const Columns columns{groups};
    return Part{"across", stages::gatherRounds(by, columns.largest()), Called{[=](Rank rank, Round round, auto& out) {
                    if (!groups.large.contains(rank)) return;
                    const auto [i, place] = columns.of(groups.large.local(rank).value);
                    const auto toGlobal = [&, column = i](Rank member) {
                        return groups.large.global(Rank{columns.member(column, member.value)});
                    };
                    const stages::GroupAllgather gathering{by, sharesOf(i)};
                    if (round.value < gathering.rounds())
                        stages::runAsMember(Rank{place}, toGlobal, gathering, round, out);
                }}};
}

/// One part after the other as one part.
template <class First, class Second>
auto inTurn(Part<First> first, Part<Second> second) {
    return Part{std::string{}, first.rounds + second.rounds, [=](Rank rank, Round round, auto& out) {
                    if (round.value < first.rounds) first.kernel(rank, round, out);
                    else second.kernel(rank, round - first.rounds, out);
                }};
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const Subgroups groups{problem};
    const Columns columns{groups};
    const stages::GatherBy by = stages::gatherBy(options, "gather");
    const bool segmented = options.is("segmented", "yes");
    const Layout layout = problem.layout;
    Facts facts{.ranks = problem.ranks()};
    if (!groups.divides())
        facts.repeats = "ranks that complete no column bring nothing in one step, and get what their subgroup has";
    const auto contribution = [=](std::int32_t j) { return layout.block(groups.small.first + j); };
    const auto small = stages::on(groups.small, "", stages::GroupAllgather{by, sharesOfSmall(groups, layout)});
    // Share j: contribution j; those that go with a column bring nothing.
    // Shares refer to what the kernel holds: a copy in every turn would take longer than all else.
    const auto wholes = [=](std::int32_t i) {
        return stages::Scattered{columns.size(i), [&](std::int32_t place, auto&& take) {
                                     if (place < groups.small.size) take(contribution(place));
                                 }};
    };
    const auto finish = [&](auto large) {
        return then(facts, exchange(groups, layout, segmented), alongside("gather", std::move(large), small));
    };
    if (!segmented) return finish(across(groups, by, wholes));
    const auto pieceOf = [=](std::int32_t j, std::int32_t i) { return piece(contribution(j), groups.size(j), i); };
    if (options.is("order", "inside-first"))
        return finish(
            inTurn(inside(groups, by, [=](std::int32_t j) { return stages::pieces(contribution(j), groups.size(j)); }),
                   across(groups, by, wholes)));
    // What a member of column i brings: its piece.
    const auto brings = [=](std::int32_t i, std::int32_t place, auto&& take) {
        if (place < groups.small.size) take(pieceOf(place, i));
        else take(pieceOf(columns.subgroupOfGuest(i, place), columns.count()));
    };
    const auto pieces = [=](std::int32_t i) {
        return stages::Scattered{columns.size(i), [&, i](std::int32_t place, auto&& take) { brings(i, place, take); }};
    };
    const auto ofColumns = [=](std::int32_t j) {  // share i: all that column i holds
        return stages::Scattered{groups.size(j), [&](std::int32_t i, auto&& take) {
                                     if (i >= columns.count()) return;
                                     for (std::int32_t place = 0; place < columns.size(i); ++place)
                                         brings(i, place, take);
                                 }};
    };
    return finish(inTurn(across(groups, by, pieces), inside(groups, by, ofColumns)));
}

Objection objects(const Problem& problem, const Options& options) {
    const Subgroups groups{problem};
    const Columns columns{groups};
    const bool segmented = options.is("segmented", "yes");
    return stages::againstGather(options, "gather",
                                 {groups.small.size, columns.size(0), columns.size(columns.count() - 1),
                                  segmented ? groups.size(0) : 1, segmented ? groups.size(groups.small.size - 1) : 1});
}

/// Exact for equal sizes per group where Q divides P and, if segmented, pieces are equal.
std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const Subgroups groups{problem};
    const bool segmented = options.is("segmented", "yes");
    const auto large = equalSize(problem, groups.large);
    const auto small = equalSize(problem, groups.small);
    const std::int32_t c = groups.largest();
    const std::int32_t q = groups.small.size;
    if (!large || !small || !groups.divides() || (segmented && *small % c != 0)) return std::nullopt;
    const stages::GatherBy by = stages::gatherBy(options, "gather");
    const Doubling wholes{q, *small};
    const Doubling pieces{c, *small / c};
    const Doubling piecesAcross{q, *small / c};
    const Doubling columns{c, *small / c * q};
    const bool insideFirst = options.is("order", "inside-first");
    const Doubling none{};
    const Doubling first = !segmented ? none : insideFirst ? pieces : piecesAcross;
    const Doubling second = !segmented || insideFirst ? wholes : columns;
    const std::int64_t roundsFirst = stages::gatherRounds(by, first.members);
    const std::int64_t roundsSecond = stages::gatherRounds(by, second.members);
    const std::int64_t rounds = std::max(roundsFirst + roundsSecond, stages::gatherRounds(by, q));
    Bytes gathered = 0;
    for (std::int64_t t = 0; t < rounds; ++t) {
        const Bytes inLarge = t < roundsFirst ? stages::gatherRun(by, first.members, t) * first.share
                                              : stages::gatherRun(by, second.members, t - roundsFirst) * second.share;
        gathered += std::max(inLarge, stages::gatherRun(by, q, t) * c * *large);
    }
    return Cost{.startups = c + rounds, .volume = exchangeBytes(groups, *large, *small, segmented) + gathered};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "intergroup-allgatherv/two-stage",
        .collective = Collective::intergroupAllgatherv,
        .title = "Exchange and two gathers",
        .idea =
            "After the segmented exchange, the larger group gathers within its subgroups and then across them, so that one of the steps can stay within nodes. Without segments it shows why segments are needed.",
        .source = "Kang et al. 2018 (EuroMPI), as described in Kang et al. 2019, sections 1 and 4",
        .formula = "(P/Q + lg(P/Q) + lg Q) alpha + (max(kL P/Q, kS) + D) beta",
        .letters =
            "P = max(p, q), Q = min(p, q), Q divides P; kL and kS bytes per rank of the larger and the smaller group; "
            "lg = ceil(log2). D is the bytes of the gathers in lockstep, the larger group's two beside the smaller "
            "group's one: the larger message of every round added up. D is at least max(kL (P - P/Q), kS (Q - Q/P)), "
            "the larger of both groups' sums",
        .options = {{.name = "order",
                     .kind = Option::Kind::choice,
                     .fallback = "inside-first",
                     .meaning = "which gather of the larger group comes first",
                     .choices = {"inside-first", "across-first"}},
                    {.name = "segmented",
                     .kind = Option::Kind::choice,
                     .fallback = "yes",
                     .meaning = "whether the smaller group cuts its contributions for the exchange",
                     .choices = {"yes", "no"}},
                    gatherOption()},
        .objects = objects,
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::intergroup_allgatherv_two_stage
