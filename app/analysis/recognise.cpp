// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/recognise.hpp"

#include "app/analysis/sequences.hpp"
#include "engine/catalogue.hpp"
#include "engine/error.hpp"
#include "engine/variants.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace app::analysis {

using engine::Bytes;
using engine::Collective;
using engine::Layout;
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

/// Whether a plan could be as like as `least`, by the number of its turns alone.
bool inReach(const engine::Plan& plan) {
    const engine::Facts& facts = plan.schedule->facts();
    return facts.rounds * facts.ranks <= 8 * comparedMessages;
}

/// What all ranks in a group would hold if each received everything but its own: sizes, or nothing.
std::optional<Layout> gatheredSizes(const std::vector<Bytes>& received) {
    const auto ranks = static_cast<Bytes>(received.size());
    const Bytes sum = std::accumulate(received.begin(), received.end(), Bytes{0});
    if (ranks < 2 || sum == 0 || sum % (ranks - 1) != 0) return std::nullopt;
    const Bytes total = sum / (ranks - 1);
    std::vector<Bytes> sizes;
    for (const Bytes bytes : received) {
        if (bytes > total) return std::nullopt;
        sizes.push_back(total - bytes);
    }
    if (std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>{}) == sizes.end())
        return Layout::regular(static_cast<std::int32_t>(ranks), sizes.front());
    return Layout::irregular(sizes);
}

void addIfValid(std::vector<Problem>& problems, Problem problem) {
    try {
        engine::validate(problem);
        problems.push_back(std::move(problem));
    } catch (const engine::Error&) {
        return;  // the numbers do not fit together: not this problem
    }
}

}  // namespace

std::vector<Recognition> recognise(const Run& run, const Problem& problem, double least,
                                   const engine::Progress& progress) {
    const Sequences seen = sequencesOf(run);
    if (seen.messages == 0) return {};
    const engine::Trial trial = trialFor(run, problem);
    // A schedule with more messages than this is less like the run than `least` even if it has them all.
    const std::int64_t mayHave =
        std::min(comparedMessages, static_cast<std::int64_t>(static_cast<double>(seen.messages) * (2 / least - 1)) + 1);
    std::int64_t left = comparedInAll;
    std::vector<Recognition> found;
    for (const engine::Algorithm* algorithm : engine::algorithmsFor(problem.collective)) {
        std::optional<Recognition> best;
        bool first = true;
        for (engine::Plan& plan : engine::variants(*algorithm, problem, trial)) {
            if (!inReach(plan) || (left < 0 && !first)) continue;
            first = false;
            const auto planned = sequencesOf(*plan.schedule, mayHave, progress);
            left -= planned ? planned->messages : mayHave;
            if (!planned) continue;
            const double confidence = likeness(seen, *planned);
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

std::vector<Problem> possibleProblems(const Run& run) {
    std::vector<Problem> problems;
    const auto ranks = static_cast<std::size_t>(run.ranks);
    std::vector<Bytes> received(ranks);
    std::vector<std::int64_t> receives(ranks);
    Bytes smallest = 0;
    Bytes largest = 0;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const auto to = run.messages.to()[i].index();
        const Bytes bytes = run.messages.bytes()[i];
        received[to] += bytes;
        ++receives[to];
        largest = std::max(largest, bytes);
        if (bytes > 0) smallest = smallest == 0 ? bytes : std::min(smallest, bytes);
    }
    if (run.messages.empty()) return problems;
    if (run.groupA > 0 && run.groupB > 0) {
        for (const Collective collective : {Collective::halfduplexAllgather, Collective::intergroupAllgatherv}) {
            const bool half = collective == Collective::halfduplexAllgather;
            addIfValid(problems, {.collective = collective,
                                  .groupA = run.groupA,
                                  .groupB = run.groupB,
                                  .layout = Layout::regular(half ? run.groupA : run.ranks, smallest)});
        }
        return problems;
    }
    if (largest <= 1) addIfValid(problems, {.collective = Collective::barrier, .groupA = run.ranks});
    const auto silent = std::count(receives.begin(), receives.end(), 0);
    if (silent == 1) {
        const auto root = static_cast<std::int32_t>(std::find(receives.begin(), receives.end(), 0) - receives.begin());
        const Bytes most = *std::max_element(received.begin(), received.end());
        addIfValid(problems, {.collective = Collective::bcast,
                              .groupA = run.ranks,
                              .layout = Layout::regular(1, most),
                              .root = engine::Rank{root}});
    }
    if (const auto sizes = gatheredSizes(received))
        addIfValid(problems, {.collective = Collective::allgatherv, .groupA = run.ranks, .layout = *sizes});
    if (smallest == largest && largest > 0)
        addIfValid(
            problems,
            {.collective = Collective::allreduce, .groupA = run.ranks, .layout = Layout::regular(run.ranks, largest)});
    return problems;
}

}  // namespace app::analysis
