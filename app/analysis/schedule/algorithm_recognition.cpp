// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/schedule/algorithm_recognition.hpp"

#include "app/analysis/schedule/message_signature.hpp"
#include "app/analysis/schedule/posted.hpp"
#include "app/analysis/schedule/reachability.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/variants.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <utility>

namespace app::analysis {

using engine::Bytes;
using engine::Problem;
using engine::Run;

namespace {

/// Numbers worth trying: small ones, and those that turn the sizes of messages into parts of contributions.
engine::Trial trialFor(const Run& run, const Problem& problem) {
    std::set<Bytes> sizes;
    for (const Bytes bytes : run.messages.bytes()) {
        if (bytes > 0) sizes.insert(bytes);
        if (sizes.size() > 8) break;
    }
    std::set<std::int64_t> numbers{1, 2, 3, 4, 5, 6, 7, 8};
    for (const Bytes bytes : sizes)
        for (const Bytes whole : {problem.layout.largest(), problem.layout.total()})
            for (const std::int64_t part : {whole / bytes, (whole + bytes - 1) / bytes})
                if (part > 0) numbers.insert(part);
    for (std::int32_t divisor = 2; divisor <= problem.ranks() / 2 && numbers.size() < 40; ++divisor)
        if (problem.ranks() % divisor == 0) numbers.insert(divisor);
    return {{sizes.begin(), sizes.end()}, {numbers.begin(), numbers.end()}, 400};
}

/// Whether a plan could be like enough, by the number of its turns alone: it must have so many messages.
bool inReach(const engine::Plan& plan, std::int64_t mustHave) {
    const engine::Facts& facts = plan.schedule->facts();
    const std::int64_t turns = facts.rounds * facts.ranks;
    return turns <= 8 * comparedMessages && turns >= (mustHave + facts.ports - 1) / facts.ports;
}

}  // namespace

std::string notRecognised(std::int32_t ranks) {
    return ranks < fewestRecognised ? "between two ranks messages fit several collectives, so that none is recognised"
                                    : "its messages are not recognised as any algorithm of the catalogue";
}

std::vector<Recognition> recognise(const Run& run, const Problem& problem, const engine::Progress& progress) {
    std::int64_t left = comparedInAll;
    return recognise(run, problem, left, progress);
}

namespace {

/// Those that are at least `least` alike, by `likenessTo(schedule, least, looked)`.
template <class LikenessTo>
std::vector<Recognition> recogniseBy(const Run& run, const Problem& problem, double least, std::int64_t& left,
                                     LikenessTo likenessTo) {
    const auto messages = static_cast<std::int64_t>(run.messages.size());
    if (messages == 0) return {};
    const engine::Trial trial = trialFor(run, problem);
    // A schedule with fewer messages is less like the run than is enough even if the run has them all.
    const auto mustHave = static_cast<std::int64_t>(static_cast<double>(messages) / (2 / least - 1));
    if (mustHave > comparedMessages) return {};
    std::vector<Recognition> found;
    for (const engine::Algorithm* algorithm : engine::algorithmsFor(problem.collective)) {
        std::optional<Recognition> best;
        bool first = true;
        for (engine::Plan& plan : engine::variants(*algorithm, problem, trial)) {
            if (!inReach(plan, mustHave) || (left < 0 && !first) || left < -comparedInAll) continue;
            first = false;
            std::int64_t looked = 0;
            const double confidence = likenessTo(*plan.schedule, best ? best->confidence : least, looked);
            left -= looked;
            if (confidence < least || (best && confidence <= best->confidence)) continue;
            best = Recognition{std::move(plan), confidence};
            if (confidence >= 1) break;
        }
        if (best) found.push_back(std::move(*best));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Recognition& a, const Recognition& b) { return a.confidence > b.confidence; });
    return found;
}

}  // namespace

std::vector<Recognition> recognise(const Run& run, const Problem& problem, std::int64_t& left,
                                   const engine::Progress& progress) {
    const Sequences seen = sequencesOf(run);
    return recogniseBy(run, problem, likeEnough, left,
                       [&](const engine::Schedule& schedule, double least, std::int64_t& looked) {
                           PlannedTokens planned{schedule, progress};
                           const double alike = likeness(seen, planned, least);
                           looked = planned.looked();
                           return alike;
                       });
}

std::vector<Recognition> recogniseNative(const Run& run, const Problem& problem, const engine::Progress& progress) {
    constexpr double half = 0.5;
    const PostingOrder seen{run};
    std::int64_t left = comparedInAll;
    std::vector<Recognition> found = recogniseBy(
        run, problem, half, left, [&](const engine::Schedule& schedule, double least, std::int64_t& looked) {
            return likeness(seen, schedule, least, looked, progress);
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

std::vector<Recognition> recognise(const Run& run, const engine::Progress& progress) {
    constexpr int always = 4;
    std::vector<Recognition> all;
    std::int64_t left = comparedInAll;
    int tried = 0;
    const Reachability knowledge{run};
    const bool many = run.ranks > 4096;
    for (const Problem& problem : possibleProblems(run)) {
        if (tried == always && left < 0) break;
        // Of many ranks it takes longer to tell what they can know than to compare their messages.
        if (!many && !knowledge.sufficesFor(problem)) continue;
        if (tried < always) ++tried;
        std::vector<Recognition> found = recognise(run, problem, left, progress);
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
        same == 1 ? "the same messages" : engine::showNumber(100 * same, 3) + " % of the messages are the same");
}

}  // namespace app::analysis
