// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/synthesis/better_schedule.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/session/options/specification.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/synthesis/question.hpp"

#include <algorithm>

namespace app {
namespace {

using engine::text;

std::int32_t evened(std::int32_t number, bool composed) { return composed ? number / 2 * 2 : number; }

std::string tookOf(const BetterAnswer& answer) {
    return engine::showTime(std::chrono::duration_cast<engine::Picoseconds>(answer.row.took));
}

std::string sentence(const Better& better, const BetterAnswer& answer, bool rounds) {
    const std::string took = tookOf(answer);
    const std::string few = rounds ? text("fewer than ", analysis::counted(better.rounds, "round"), " and at most ",
                                          analysis::counted(better.blocks, "serialized block"))
                                   : text("at most ", analysis::counted(better.rounds, "round"), " and fewer than ",
                                          analysis::counted(better.blocks, "serialized block"));
    const std::string what =
        better.composed ? "schedule that is a reduce-scatter and then an allgather" : "unsegmented schedule";
    switch (answer.row.answer) {
        case SearchAnswer::found:
            return text("A schedule with ", analysis::counted(answer.row.steps, "round"), " and ",
                        analysis::counted(answer.row.rounds, "serialized block"), " exists (found in ", took, ").");
        case SearchAnswer::impossible: return text("No ", what, " has ", few, " (proved in ", took, ").");
        case SearchAnswer::undecided: break;
    }
    return text("Undecided after ", took, better.composed ? ": a " : ": an ", what, " with ", few, ".");
}

}  // namespace

bool mayBeImproved(const Report& report) {
    if (!report.plan || !report.network || !report.model || !report.limits || report.run->setting.on != "virtual")
        return false;
    const engine::Problem& problem = report.plan->problem;
    const analysis::Limit limit = report.limits->held();
    return engine::synthesis::isSearched(problem.collective) && report.network->ranks() <= mostSearchedRanks &&
           (report.startups() > limit.rounds.value || report.inARow() > limit.inARow);
}

Better lookForBetter(const Report& report, const ProblemWish& problem, std::chrono::milliseconds limit,
                     const engine::Progress& progress) {
    if (!report.plan || !report.network || !report.model || report.run->setting.on != "virtual")
        throw engine::Error{"--search: only a run in virtual time can be compared with other schedules"};
    const engine::Problem& solved = report.plan->problem;
    const engine::synthesis::Question question = engine::synthesis::questionOf(solved, 1);
    engine::Bytes block = 1;
    for (const engine::synthesis::Chunk& chunk : question.chunks) block = std::max(block, chunk.range.size());
    Better better{.algorithm = report.plan->algorithm->id,
                  .rounds = static_cast<std::int32_t>(report.startups()),
                  .blocks = static_cast<std::int32_t>((report.inARow() + block - 1) / block),
                  .composed = question.kind == engine::synthesis::Kind::composed};
    const auto ask = [&](std::int32_t steps, std::int32_t rounds) -> std::optional<BetterAnswer> {
        steps = evened(steps, better.composed);
        rounds = evened(rounds, better.composed);
        if (steps < 1 || rounds < steps) return std::nullopt;
        BetterAnswer answer{.wish = {.collective = solved.collective,
                                     .problem = problem,
                                     .network = {.topology = report.network->name()},
                                     .model = *report.model,
                                     .portsGiven = true,
                                     .chunks = 1,
                                     .steps = steps,
                                     .rounds = rounds,
                                     .limit = limit / 2,
                                     .compared = false}};
        const Synthesis synthesis = synthesize(answer.wish, progress);
        if (synthesis.rows.empty()) return std::nullopt;
        answer.row = synthesis.rows.front();
        return answer;
    };
    better.fewerBlocks = ask(std::min(better.rounds, better.blocks - 1), better.blocks - 1);
    // A step has a block at least, so that more steps than blocks cannot be.
    better.fewerRounds = ask(std::min(better.rounds - 1, better.blocks), better.blocks);
    return better;
}

std::vector<std::string> inWords(const Better& better) {
    std::vector<std::string> words{text(better.algorithm, " takes ", analysis::counted(better.rounds, "round"),
                                        " with ", analysis::counted(better.blocks, "serialized block"), ".")};
    if (better.fewerBlocks) words.push_back(sentence(better, *better.fewerBlocks, false));
    if (better.fewerRounds) words.push_back(sentence(better, *better.fewerRounds, true));
    if (words.size() == 1)
        words.emplace_back(better.rounds <= 1 && better.blocks <= 1 ? "No schedule has fewer of either."
                                                                    : "No search was made for fewer of either.");
    return words;
}

std::string inOneSentence(const Better& better, const Report& report) {
    std::string words =
        text(better.algorithm.substr(better.algorithm.find('/') + 1), " takes ",
             analysis::counted(better.rounds, "round"), " and ", analysis::counted(better.blocks, "serialized block"));
    const std::string what = better.composed ? "reduce-scatter followed by an allgather" : "unsegmented schedule";
    const auto add = [&](const BetterAnswer& answer, const std::string& fewer) {
        switch (answer.row.answer) {
            case SearchAnswer::found:
                words += text("; a schedule with ", analysis::counted(answer.row.steps, "round"), " and ",
                              analysis::counted(answer.row.rounds, "serialized block"), " exists (found in ",
                              tookOf(answer), ")");
                break;
            case SearchAnswer::impossible:
                words += text("; no ", what, " has ", fewer, " (proved in ", tookOf(answer), ")");
                break;
            case SearchAnswer::undecided:
                words += text("; whether a ", what, " has ", fewer, " is undecided after ", tookOf(answer));
                break;
        }
    };
    const analysis::Limit limit = report.limits->held();
    if (better.fewerBlocks && report.inARow() > limit.inARow)
        add(*better.fewerBlocks, "fewer blocks in as many rounds");
    if (better.fewerRounds && report.startups() > limit.rounds.value)
        add(*better.fewerRounds, "fewer rounds with as many blocks");
    return words + '.';
}

std::string commandOf(const Better& better, const BetterAnswer& answer) {
    const SynthesisWish& wish = answer.wish;
    const std::string run = lineOf(
        {.run = {.algorithm = better.algorithm, .problem = wish.problem, .network = wish.network, .model = wish.model}},
        {"ports"});
    return text("collscope synthesize ", name(wish.collective), run.substr(std::min(run.size(), run.find(' '))),
                " --ports ", wish.problem.ports, " --chunks 1 --steps ", *wish.steps, " --rounds ", *wish.rounds,
                " -o FILE.json");
}

}  // namespace app
