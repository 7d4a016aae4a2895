// SPDX-License-Identifier: BSD-3-Clause
// Which algorithm a trace looks like: its messages beside the schedules of the catalogue.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace app::analysis {

/// One algorithm that may have made a run.
struct Recognition {
    engine::Plan plan;
    double confidence = 0;  ///< likeness of its messages and the run's, rank by rank in order: 1 = the same

    [[nodiscard]] const std::string& id() const { return plan.algorithm->id; }
};

/// How like an algorithm messages must be to count as it, in every answer. Two thirds is what a plain exchange with
/// both neighbours on a ring has in common with an allgather on that ring, of whose messages it has all, and as many
/// the other way round; the most that any exchange of the tests reaches is 16/21, of two on a ring of five beside a
/// barrier.
inline constexpr double likeEnough = 0.8;
/// Nor has a run that is like an algorithm more than this times its rounds: a token that goes around a ring again and
/// again has the messages of a pipelined broadcast, but each of them follows the one before. Ranks that take turns in
/// sending and receiving have up to twice the rounds.
inline constexpr std::int64_t mostTimesTheRounds = 2;
/// Of fewer ranks nothing tells what messages solved that nobody recorded: between two every exchange fits several
/// collectives.
inline constexpr std::int32_t fewestRecognised = 3;
/// Why the messages of so many ranks count as no algorithm: a clause.
std::string notRecognised(std::int32_t ranks);
/// Messages that a schedule may have to be compared at all; longer ones are not looked at.
inline constexpr std::int64_t comparedMessages = 4'000'000;
/// Messages, or turns, of all schedules that one run is compared with; beyond, each algorithm is tried as it is,
/// without options, and beyond twice as many none.
inline constexpr std::int64_t comparedInAll = 10'000'000;
/// Likewise of messages of which no collective is known, and which mostly are none.
inline constexpr std::int64_t comparedOfExchange = comparedInAll / 10;

/// Every algorithm for `problem` with the options that fit best, likeliest first; with the same likeness by id, so that
/// ids with identical schedules stand together. Only the messages of `run` count, and their rounds; not what its
/// setting says. Those less like than likeEnough, and those with far fewer rounds, are left out. Throws Cancelled.
std::vector<Recognition> recognise(const engine::Run& run, const engine::Problem& problem,
                                   const engine::Progress& progress = {});
/// The same of messages that a library sent inside of a collective, in the order in which ranks posted them
/// (posting_order.hpp); of several equally like those with the fewest options first. Where none is like enough, those
/// that have half in common. Throws Cancelled.
std::vector<Recognition> recogniseNative(const engine::Run& run, const engine::Problem& problem,
                                         const engine::Progress& progress = {});
/// The same if only the collective is known.
std::vector<Recognition> recogniseNative(const engine::Run& run, engine::Collective collective,
                                         const engine::Progress& progress = {});

/// Two collectives one after the other, as libraries compose one of them: an allreduce of a reduce and a broadcast, an
/// allgather of a gather and a broadcast, a reduce-scatter of a reduce and a scatter, a barrier of a barrier and a
/// broadcast of one byte, all with root 0.
struct SequenceOfTwo {
    engine::Plan first;
    engine::Plan second;
    /// Where the two are only what the library names: how the messages differ from theirs; both 0 where these are the
    /// same in another order.
    bool isExact = true;
    bool hasOtherSizes = false;  ///< only sizes differ (sameWithOtherSizes)
    std::int64_t missing = 0;
    std::int64_t extra = 0;
};
/// The first two whose messages are exactly those of a library's collective, else those whose sizes alone differ;
/// nothing where there are none. Throws Cancelled.
std::optional<SequenceOfTwo> recogniseSequence(const engine::Run& run, const engine::Problem& problem,
                                               const engine::Progress& progress = {});

/// The two that a library names, with the options whose messages are closest; `isFirst` and `isSecond` say which
/// algorithms it names. Nothing where `problem` is not composed of two, or the catalogue lacks one of them. Throws
/// Cancelled.
using IsNamed = std::function<bool(const engine::Algorithm&)>;
std::optional<SequenceOfTwo> closestSequence(const engine::Run& run, const engine::Problem& problem,
                                             const IsNamed& isFirst, const IsNamed& isSecond,
                                             const engine::Progress& progress = {});

/// Variants of algorithms that a run which is like none could match if only the order of its messages were another, and
/// the messages or turns that were looked at to find them.
struct CandidateVariants {
    std::vector<std::pair<const engine::Algorithm*, std::map<std::string, std::string>>> variants;
    std::int64_t looked = 0;
};
/// By amounts of messages (amountsOfTokens), problem, and the sizes and numbers that are tried. Spares comparing each
/// of many exchanges that differ in their order alone with all variants.
using Candidates =
    std::map<std::tuple<std::uint64_t, std::string, std::vector<std::int64_t>, std::vector<std::int64_t>>,
             CandidateVariants>;

/// The same for a run whose problem is not known: of possibleProblems(), the first four that its messages can solve,
/// and more while comparing is cheap. `candidates` is used and added to. Throws Cancelled.
std::vector<Recognition> recognise(const engine::Run& run, Candidates& candidates,
                                   const engine::Progress& progress = {});
inline std::vector<Recognition> recognise(const engine::Run& run, const engine::Progress& progress = {}) {
    Candidates none;
    return recognise(run, none, progress);
}

/// "bcast/binomial and 2 more: the same messages"; "…: 92% of the messages are the same". Of several equally like,
/// likeliest first; at most three are named, by `nameOf`. Empty where there is none.
std::string inWords(const std::vector<Recognition>& alike,
                    const std::function<std::string(const engine::Plan&)>& nameOf);

/// Problems that the messages of `run` may have solved, as far as their bytes tell: of one group when `run` has one,
/// else between its groups. What every rank must receive decides the sizes; empty when nothing fits, and where they
/// have fewer ranks than fewestRecognised.
std::vector<engine::Problem> possibleProblems(const engine::Run& run);

}  // namespace app::analysis
