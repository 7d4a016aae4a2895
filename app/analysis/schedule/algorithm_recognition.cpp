// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/schedule/algorithm_recognition.hpp"

#include "app/analysis/schedule/message_signature.hpp"
#include "app/analysis/schedule/posting_order.hpp"
#include "app/analysis/schedule/reachability.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/variants.hpp"
#include "engine/problem/contract.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>
#include <span>
#include <utility>

namespace app::analysis {

using engine::Bytes;
using engine::Problem;
using engine::Run;

namespace {

/// More rounds, or parts of a contribution, than a schedule has that is like so many messages: few rounds have none.
std::int64_t mostParts(const Run& run) { return 4 * static_cast<std::int64_t>(run.messages.size()) + 64; }

/// Plans of an algorithm that are tried: where the problem is known also with two options changed, else mostly with
/// one.
constexpr std::size_t plansOfKnown = 400;
constexpr std::size_t plansOfUnknown = 64;

/// Numbers worth trying: small ones, and those that turn the sizes of messages into parts of contributions.
engine::Trial trialFor(const Run& run, const Problem& problem, std::size_t plans) {
    const std::int64_t most = mostParts(run);
    std::set<Bytes> sizes;
    for (const Bytes bytes : run.messages.bytes()) {
        if (bytes > 0 && problem.layout.largest() / bytes <= most) sizes.insert(bytes);
        if (sizes.size() > 8) break;
    }
    std::set<std::int64_t> numbers{1, 2, 3, 4, 5, 6, 7, 8};
    for (const Bytes bytes : sizes)
        for (const Bytes whole : {problem.layout.largest(), problem.layout.total()})
            for (const std::int64_t part : {whole / bytes, (whole + bytes - 1) / bytes})
                if (part > 0 && part <= most) numbers.insert(part);
    for (std::int32_t divisor = 2; divisor <= problem.ranks() / 2 && numbers.size() < 40; ++divisor)
        if (problem.ranks() % divisor == 0) numbers.insert(divisor);
    return {{sizes.begin(), sizes.end()}, {numbers.begin(), numbers.end()}, plans};
}

/// Whether a plan could be like enough to `run`, by the number of its rounds and turns alone: it must have so many
/// messages.
bool inReach(const engine::Plan& plan, const Run& run, std::int64_t mustHave) {
    const engine::Facts& facts = plan.schedule->facts();
    if (facts.rounds > mostParts(run)) return false;
    const std::int64_t turns = facts.rounds * facts.ranks;
    return turns <= 8 * comparedMessages && turns >= (mustHave + facts.ports - 1) / facts.ports;
}

}  // namespace

std::string notRecognised(std::int32_t ranks) {
    return ranks < fewestRecognised ? "with two ranks, messages match several collectives and none can be identified"
                                    : "the messages match no algorithm of the catalogue";
}

namespace {

/// Those that are at least `least` alike, by `likenessTo(plan, least, looked)`, of the plans that
/// `eachPlan(algorithm, take)` hands over. `skipped` becomes true where a schedule was not compared to spare time.
template <class EachPlan, class LikenessTo>
std::vector<Recognition> recogniseBy(const Run& run, const Problem& problem, double least, std::int64_t& left,
                                     bool& skipped, EachPlan eachPlan, LikenessTo likenessTo) {
    const auto messages = static_cast<std::int64_t>(run.messages.size());
    if (messages == 0) return {};
    // A schedule with fewer messages is less like the run than is enough even if the run has them all.
    const auto mustHave = static_cast<std::int64_t>(static_cast<double>(messages) / (2 / least - 1));
    if (mustHave > comparedMessages) return {};
    std::vector<Recognition> found;
    for (const engine::Algorithm* algorithm : engine::algorithmsFor(problem.collective)) {
        std::optional<Recognition> best;
        bool first = true;
        eachPlan(*algorithm, [&](engine::Plan&& plan) {
            if (!inReach(plan, run, mustHave)) return true;
            if ((left < 0 && !first) || left < -comparedInAll) {
                skipped = true;
                return false;  // nor are those behind it
            }
            first = false;
            std::int64_t looked = 0;
            const double confidence = likenessTo(plan, best ? best->confidence : least, looked);
            left -= looked;
            if (confidence < least || (best && confidence <= best->confidence)) return true;
            best = Recognition{std::move(plan), confidence};
            return confidence < 1;
        });
        if (best) found.push_back(std::move(*best));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Recognition& a, const Recognition& b) { return a.confidence > b.confidence; });
    return found;
}

/// All variants of an algorithm that are worth a try.
auto allVariants(const Problem& problem, const engine::Trial& trial) {
    return [&](const engine::Algorithm& algorithm, const std::function<bool(engine::Plan &&)>& take) {
        engine::eachVariant(algorithm, problem, trial, take);
    };
}

/// Of one of several problems: of `left` messages or turns it takes those that it compared.
std::vector<Recognition> recogniseSeen(const Run& run, const Sequences& seen, const Problem& problem, std::size_t most,
                                       std::int64_t& left, Candidates& candidates, const engine::Progress& progress) {
    static std::mutex candidatesInUse;  // runs are looked at side by side; what is known stays where it is
    const engine::Trial trial = trialFor(run, problem, most);
    Candidates::key_type key{amountsOfTokens(seen), engine::toText(problem), trial.blocks, trial.numbers};
    const auto known = [&] {
        const std::lock_guard lock{candidatesInUse};
        return candidates.find(key);
    }();
    Candidates::mapped_type possible;
    std::int64_t looked = 0;
    const auto likenessTo = [&](const engine::Plan& plan, double least, std::int64_t& lookedNow) {
        PlannedTokens planned{*plan.schedule, progress};
        bool inAnyOrder = false;
        const double alike = likeness(seen, planned, least, &inAnyOrder);
        if (known == candidates.end() && !inAnyOrder)
            possible.variants.emplace_back(plan.algorithm, plan.options.given());
        lookedNow = planned.looked();
        looked += lookedNow;
        return run.rounds > mostTimesTheRounds * plan.schedule->facts().rounds ? 0 : alike;
    };
    bool skipped = false;
    if (known != candidates.end()) {
        const std::int64_t before = left;
        std::vector<Recognition> found = recogniseBy(
            run, problem, likeEnough, left, skipped,
            [&](const engine::Algorithm& algorithm, const auto& take) {
                for (const auto& [its, options] : known->second.variants)
                    if (its == &algorithm && !take(engine::makePlan(algorithm, problem, options))) return;
            },
            likenessTo);
        left = before - known->second.looked;  // as where all are compared
        return found;
    }
    std::vector<Recognition> found =
        recogniseBy(run, problem, likeEnough, left, skipped, allVariants(problem, trial), likenessTo);
    possible.looked = looked;
    if (!found.empty() || skipped) return found;
    const std::lock_guard lock{candidatesInUse};
    candidates.emplace(std::move(key), std::move(possible));
    return found;
}

}  // namespace

std::vector<Recognition> recognise(const Run& run, const Problem& problem, const engine::Progress& progress) {
    std::int64_t left = comparedInAll;
    Candidates none;
    Sequences seen = sequencesOf(run);
    sortTokens(seen);
    return recogniseSeen(run, seen, problem, plansOfKnown, left, none, progress);
}

std::vector<Recognition> recogniseNative(const Run& run, const Problem& problem, const engine::Progress& progress) {
    constexpr double half = 0.5;
    const PostingOrder seen{run};
    const engine::Trial trial = trialFor(run, problem, plansOfKnown);
    std::int64_t left = comparedInAll;
    bool skipped = false;
    std::vector<Recognition> found = recogniseBy(run, problem, half, left, skipped, allVariants(problem, trial),
                                                 [&](const engine::Plan& plan, double least, std::int64_t& looked) {
                                                     return likeness(seen, *plan.schedule, least, looked, progress);
                                                 });
    if (!found.empty() && found.front().confidence >= likeEnough)
        std::erase_if(found, [](const Recognition& one) { return one.confidence < likeEnough; });
    std::ranges::stable_sort(found, {}, [](const Recognition& one) {
        return std::pair{-one.confidence, one.plan.options.given().size()};
    });
    return found;
}

std::vector<Recognition> recogniseNative(const Run& run, engine::Collective collective,
                                         const engine::Progress& progress) {
    std::vector<Recognition> all;
    for (const Problem& problem : possibleProblems(run)) {
        if (problem.collective != collective) continue;
        std::vector<Recognition> found = recogniseNative(run, problem, progress);
        std::move(found.begin(), found.end(), std::back_inserter(all));
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.confidence > b.confidence; });
    return all;
}

namespace {

/// The two problems of which `problem` may be composed.
std::optional<std::pair<Problem, Problem>> composedOf(const Problem& problem) {
    if (isIntergroup(problem.collective)) return std::nullopt;
    Problem first = problem, second = problem;
    first.root = second.root = engine::Rank{0};
    const auto broadcast = [&](Bytes bytes) {
        second.collective = engine::Collective::bcast;
        second.layout = engine::Layout::regular(1, bytes);
    };
    switch (problem.collective) {
        case engine::Collective::allgatherv:
            first.collective = engine::Collective::gatherv;
            broadcast(problem.layout.total());
            return std::pair{first, second};
        case engine::Collective::allreduce:
            first.collective = engine::Collective::reduce;
            broadcast(problem.layout.largest());
            return std::pair{first, second};
        case engine::Collective::barrier: broadcast(1); return std::pair{first, second};
        case engine::Collective::reduceScatter: {
            first.collective = engine::Collective::reduce;
            second.collective = engine::Collective::scatterv;
            const engine::VectorCut blocks = engine::blocksOf(problem);
            std::vector<Bytes> sizes;
            for (std::int32_t rank = 0; rank < problem.ranks(); ++rank) sizes.push_back(blocks[rank].size());
            second.layout = engine::Layout::irregular(sizes);
            return std::pair{first, second};
        }
        default: return std::nullopt;
    }
}

/// The first plan that solves the problem, may have made messages of `run` and is wanted; those without options first.
std::optional<engine::Plan> firstPlan(const Run& run, const Problem& problem,
                                      const std::function<bool(const engine::Plan&)>& isWanted) {
    const engine::Trial trial = trialFor(run, problem, plansOfKnown);
    std::optional<engine::Plan> wanted;
    for (const bool hasOptions : {false, true})
        for (const engine::Algorithm* algorithm : engine::algorithmsFor(problem.collective)) {
            engine::eachVariant(*algorithm, problem, trial, [&](engine::Plan&& plan) {
                if (plan.options.given().empty() == hasOptions) return hasOptions;  // the first alone has none
                if (inReach(plan, run, 0) && isWanted(plan)) wanted = std::move(plan);
                return hasOptions && !wanted;
            });
            if (wanted) return wanted;
        }
    return std::nullopt;
}

}  // namespace

std::optional<SequenceOfTwo> recogniseSequence(const Run& run, const Problem& problem,
                                               const engine::Progress& progress) {
    const auto parts = composedOf(problem);
    if (!parts || static_cast<std::int64_t>(run.messages.size()) > comparedMessages) return std::nullopt;
    constexpr std::int64_t most = comparedInAll / 10;  // of turns and messages: whole algorithms were compared before
    const PostingOrder seen{run};
    for (const double least : {1.0, sameWithOtherSizes}) {
        std::int64_t looked = 0;
        const auto isSame = [&](const PostingOrder& messages, const engine::Plan& plan) {
            return looked <= most && likeness(messages, *plan.schedule, least, looked, progress) >= least;
        };
        std::optional<engine::Plan> second;
        std::optional<engine::Plan> first = firstPlan(run, parts->first, [&](const engine::Plan& plan) {
            if (looked > most) return false;
            const auto cut = cutBehind(seen, *plan.schedule);
            looked += plan.schedule->facts().rounds * plan.schedule->facts().ranks;
            if (!cut || !isSame(cut->first, plan)) return false;
            second =
                firstPlan(run, parts->second, [&](const engine::Plan& other) { return isSame(cut->second, other); });
            return second.has_value();
        });
        if (first)
            return SequenceOfTwo{.first = std::move(*first), .second = std::move(*second), .hasOtherSizes = least < 1};
    }
    return std::nullopt;
}

namespace {

/// How often a message of these bytes goes from one rank to another.
using SentMessages = std::map<std::tuple<engine::Rank, engine::Rank, Bytes>, std::int64_t>;

SentMessages messagesOf(const engine::Schedule& schedule, const engine::Progress& progress) {
    SentMessages sent;
    const engine::Facts& facts = schedule.facts();
    engine::Turn turn;
    for (engine::Rank rank{0}; rank.value < facts.ranks; ++rank)
        for (engine::Round round{0}; round.value < facts.rounds; ++round) {
            if (progress.stop.stop_requested()) throw engine::Cancelled{};
            schedule.turn(rank, round, turn);
            for (const engine::Message& one : turn.sends()) ++sent[{rank, one.peer, one.bytes}];
        }
    return sent;
}

/// The plan of the named algorithms that leaves the fewest messages of `left` and of its own over; takes what both have
/// from `left`, and adds what only the plan has to `missing`.
std::optional<engine::Plan> closestPlan(const Run& run, const Problem& problem, const IsNamed& isNamed,
                                        SentMessages& left, std::int64_t& missing, const engine::Progress& progress) {
    std::optional<engine::Plan> closest;
    SentMessages taken;
    std::int64_t most = 0, lacking = 0;
    for (const engine::Algorithm* algorithm : engine::algorithmsFor(problem.collective)) {
        if (!isNamed(*algorithm)) continue;
        for (engine::Plan& plan : engine::variants(*algorithm, problem, trialFor(run, problem, plansOfKnown))) {
            if (!inReach(plan, run, 0)) continue;
            SentMessages common;
            std::int64_t shared = 0, others = 0;
            for (const auto& [message, times] : messagesOf(*plan.schedule, progress)) {
                const auto its = left.find(message);
                const std::int64_t both = its == left.end() ? 0 : std::min(times, its->second);
                if (both > 0) common[message] = both;
                shared += both, others += times - both;
            }
            if (closest && shared - others <= most - lacking) continue;
            closest = std::move(plan);
            taken = std::move(common);
            most = shared, lacking = others;
        }
    }
    for (const auto& [message, times] : taken) left[message] -= times;
    missing += lacking;
    return closest;
}

}  // namespace

std::optional<SequenceOfTwo> closestSequence(const Run& run, const Problem& problem, const IsNamed& isFirst,
                                             const IsNamed& isSecond, const engine::Progress& progress) {
    const auto parts = composedOf(problem);
    constexpr std::size_t most = 10'000;  // messages: every variant is looked at
    if (!parts || run.messages.size() > most) return std::nullopt;
    SentMessages all;
    for (std::size_t i = 0; i < run.messages.size(); ++i)
        ++all[{run.messages.from()[i], run.messages.to()[i], run.messages.bytes()[i]}];
    // Whichever takes its messages first may take one of the other's.
    std::optional<SequenceOfTwo> closest;
    for (const bool firstBegins : {true, false}) {
        SentMessages left = all;
        std::int64_t missing = 0, extra = 0;
        std::optional<engine::Plan> first, second;
        const auto takeFirst = [&] { first = closestPlan(run, parts->first, isFirst, left, missing, progress); };
        if (firstBegins) takeFirst();
        second = closestPlan(run, parts->second, isSecond, left, missing, progress);
        if (!firstBegins) takeFirst();
        if (!first || !second) return std::nullopt;
        for (const auto& [message, times] : left) extra += times;
        if (!closest || missing + extra < closest->missing + closest->extra)
            closest = SequenceOfTwo{std::move(*first), std::move(*second), false, false, missing, extra};
    }
    return closest;
}

std::vector<Recognition> recognise(const Run& run, Candidates& candidates, const engine::Progress& progress) {
    constexpr int always = 4;
    std::vector<Recognition> all;
    std::int64_t left = comparedOfExchange;
    int tried = 0;
    Sequences seen = sequencesOf(run);
    sortTokens(seen);
    const Reachability knowledge{run};
    const bool many = run.ranks > 4096;
    for (const Problem& problem : possibleProblems(run)) {
        if (tried == always && left < 0) break;
        // Of many ranks it takes longer to tell what they can know than to compare their messages.
        if (!many && !knowledge.sufficesFor(problem)) continue;
        if (tried < always) ++tried;
        std::vector<Recognition> found = recogniseSeen(run, seen, problem, plansOfUnknown, left, candidates, progress);
        if (found.empty() || (many && !knowledge.sufficesFor(problem))) continue;
        std::move(found.begin(), found.end(), std::back_inserter(all));
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.confidence > b.confidence; });
    return all;
}

std::string inWords(const std::vector<Recognition>& alike,
                    const std::function<std::string(const engine::Plan&)>& nameOf) {
    if (alike.empty()) return {};
    constexpr std::size_t most = 3;
    std::vector<std::string> names;
    for (const Recognition& one : std::span{alike}.first(std::min(most, alike.size())))
        names.push_back(nameOf(one.plan));
    if (alike.size() > most) names.push_back(engine::text(alike.size() - most, " more"));
    const double same = alike.front().confidence;
    return engine::text(
        engine::joined(names, ", "), ": ",
        same == 1 ? "the same messages" : engine::showNumber(100 * same, 3) + "% of the messages in the same order");
}

}  // namespace app::analysis
