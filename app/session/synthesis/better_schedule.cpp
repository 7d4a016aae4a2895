// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/synthesis/better_schedule.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/session/options/specification.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/synthesis/search_problem.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <tuple>

namespace app {
namespace {

using engine::text;

std::int32_t evened(std::int32_t number, bool composed) { return composed ? number / 2 * 2 : number; }

std::string tookOf(const BetterAnswer& answer) {
    return engine::showTime(std::chrono::duration_cast<engine::Picoseconds>(answer.row.took));
}

/// The schedules that answers are about.
std::string searchedBy(const Better& better) {
    return text(better.composed ? "schedule that is a reduce-scatter and then an allgather"
                                : "schedule without split contributions",
                better.neighboursOnly ? better.composed ? " and in which only neighbours exchange messages"
                                                        : " in which only neighbours exchange messages"
                                      : "");
}

/// "4 serialized blocks", "1.91 MiB of serialized bytes".
std::string serializedBy(const Better& better, engine::Bytes bytes) {
    if (!better.counted) return engine::showBytes(bytes) + " of serialized bytes";
    const double blocks = static_cast<double>(bytes) / static_cast<double>(better.block);
    const auto whole = std::llround(blocks);
    if (std::abs(blocks - static_cast<double>(whole)) < 0.01) return analysis::counted(whole, "serialized block");
    return text(engine::showNumber(blocks, 3), " serialized blocks");
}

/// "bcast/binomial-tree takes 3 rounds with 3 serialized blocks (..., this run 9 us), and ..."
std::string inWords(const Better& better, const BetterKnown& known) {
    return text(known.algorithm, " takes ", analysis::counted(known.rounds, "round"), " with ",
                serializedBy(better, known.bytes), " (", engine::showTime(known.time), "; this run ",
                engine::showTime(better.time), ")",
                known.direct ? "" : "; ranks that are not neighbours exchange messages in it");
}

/// The fastest algorithm of the catalogue that improves the run, as far as they are compared until `end`.
std::optional<BetterKnown> improvedBy(const Better& better, const Report& report, const ProblemWish& problem,
                                      std::chrono::steady_clock::time_point end, const engine::Progress& progress) {
    RunWish run{
        .algorithm = {}, .problem = problem, .network = {.topology = report.network->name()}, .model = *report.model};
    const NetworkFabric fabric = fabricOf(*report.network, problem.ports);
    const ComparisonLimit limit{progress, end};
    std::optional<BetterKnown> best;
    for (const engine::Algorithm* algorithm : engine::algorithmsFor(report.plan->problem.collective)) {
        progress.at(0);
        if (algorithm->id == better.algorithm) continue;
        if (std::chrono::steady_clock::now() > end) break;
        run.algorithm = algorithm->id;
        try {
            const Report other = execute(run, limit.progress());
            const BetterKnown known{algorithm->id, other.startups(), other.serializedBytes(), other.run->duration};
            const bool less = known.rounds < better.rounds || known.bytes < better.bytes;
            if (!less || known.rounds > better.rounds || known.bytes > better.bytes) continue;
            if (best && best->time <= known.time) continue;
            best = known;
            best->direct = costLineOf({}, *other.plan, *other.network, fabric, *report.model).direct;
        } catch (const engine::Error&) {
            continue;  // it does not fit this problem or this network
        } catch (const engine::Cancelled&) {
            if (progress.stop.stop_requested()) throw;
            break;
        }
    }
    return best;
}

std::string sentence(const Better& better, const BetterAnswer& answer, bool rounds) {
    const std::string took = tookOf(answer);
    const std::string few = rounds ? text("fewer than ", analysis::counted(better.rounds, "round"), " and at most ",
                                          analysis::counted(better.blocks, "serialized block"))
                                   : text("at most ", analysis::counted(better.rounds, "round"), " and fewer than ",
                                          analysis::counted(better.blocks, "serialized block"));
    const std::string what = searchedBy(better);
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
           (report.startups() > limit.rounds.value || report.serializedBytes() > limit.serializedBytes);
}

Better lookForBetter(const Report& report, const ProblemWish& problem, std::chrono::milliseconds limit,
                     const engine::Progress& progress) {
    if (!report.plan || !report.network || !report.model || report.run->setting.on != "virtual")
        throw engine::Error{"--search: only a run in virtual time can be compared with other schedules"};
    const engine::Problem& solved = report.plan->problem;
    const auto begin = std::chrono::steady_clock::now();
    const engine::synthesis::SearchProblem question = engine::synthesis::searchProblemOf(solved, 1);
    Better better{.algorithm = report.plan->algorithm->id,
                  .rounds = static_cast<std::int32_t>(report.startups()),
                  .bytes = report.serializedBytes(),
                  .time = report.run->duration,
                  .composed = question.kind == engine::synthesis::Kind::composed};
    engine::Bytes smallest = std::numeric_limits<engine::Bytes>::max();
    for (const engine::synthesis::Chunk& chunk : question.chunks) {
        better.block = std::max(better.block, chunk.range.size());
        smallest = std::min(smallest, chunk.range.size());
    }
    better.blocks = static_cast<std::int32_t>((better.bytes + better.block - 1) / better.block);
    better.counted = (better.block - std::min(smallest, better.block)) * better.blocks < better.block;
    const NetworkFabric fabric = fabricOf(*report.network, problem.ports);
    better.neighboursOnly = fabric.neighboursOnly;
    better.written = fabric.apart || !fabric.neighboursOnly;
    better.known = improvedBy(better, report, problem, begin + limit / 4, progress);
    if (!better.counted) return better;
    const auto left = [&] {
        return std::chrono::duration_cast<std::chrono::milliseconds>(begin + limit - std::chrono::steady_clock::now());
    };
    const auto ask = [&](std::int32_t steps, std::int32_t rounds) -> std::optional<BetterAnswer> {
        steps = evened(steps, better.composed);
        rounds = evened(rounds, better.composed);
        if (steps < 1 || rounds < steps) return std::nullopt;
        BetterAnswer answer{.wish = {.collective = solved.collective,
                                     .problem = problem,
                                     // Serialized blocks are those of messages, whatever links they share.
                                     .network = {.topology = better.neighboursOnly ? report.network->name() : "full"},
                                     .model = *report.model,
                                     .portsGiven = true,
                                     .chunks = 1,
                                     .steps = steps,
                                     .rounds = rounds,
                                     .limit = std::max(std::min(limit * 3 / 8, left()), std::chrono::milliseconds{1}),
                                     .compared = false,
                                     .serialized = true}};
        const Synthesis synthesis = synthesize(answer.wish, progress);
        if (synthesis.rows.empty()) return std::nullopt;
        answer.row = synthesis.rows.front();
        return answer;
    };
    better.fewerBlocks = ask(std::min(better.rounds, better.blocks - 1), better.blocks - 1);
    // A step has a block at least, so that more steps than blocks cannot be.
    better.fewerRounds = ask(std::min(better.rounds - 1, better.blocks), better.blocks);
    for (const auto& answer : {better.fewerBlocks, better.fewerRounds})
        if (answer && answer->row.answer == SearchAnswer::found && better.known &&
            answer->row.steps <= better.known->rounds && answer->row.rounds * better.block <= better.known->bytes)
            better.known.reset();
    return better;
}

bool foundTheSame(const Better& better) {
    const auto& [blocks, rounds] = std::tie(better.fewerBlocks, better.fewerRounds);
    return blocks && rounds && blocks->row.answer == SearchAnswer::found && rounds->row.answer == SearchAnswer::found &&
           blocks->row.steps == rounds->row.steps && blocks->row.rounds == rounds->row.rounds;
}

std::vector<std::string> inWords(const Better& better) {
    const std::string bytes =
        better.counted ? analysis::counted(better.blocks, "serialized block") : serializedBy(better, better.bytes);
    std::vector<std::string> words{
        text(better.algorithm, " takes ", analysis::counted(better.rounds, "round"), " with ", bytes, ".")};
    if (better.fewerBlocks) words.push_back(sentence(better, *better.fewerBlocks, false));
    if (better.fewerRounds && !foundTheSame(better)) words.push_back(sentence(better, *better.fewerRounds, true));
    if (!better.counted)
        words.emplace_back("No search was made: contributions differ in size, so that blocks do not count.");
    else if (words.size() == 1)
        words.emplace_back(better.rounds <= 1 && better.blocks <= 1 ? "No schedule has fewer of either."
                                                                    : "No search was made for fewer of either.");
    if (better.known) words.push_back(inWords(better, *better.known) + '.');
    return words;
}

std::string inOneSentence(const Better& better, const Report& report) {
    std::string words = text(
        better.algorithm.substr(better.algorithm.find('/') + 1), " takes ", analysis::counted(better.rounds, "round"),
        " and ",
        better.counted ? analysis::counted(better.blocks, "serialized block") : serializedBy(better, better.bytes));
    const std::string what = searchedBy(better);
    const analysis::Limit limit = report.limits->held();
    const auto add = [&](const BetterAnswer& answer, const std::string& fewer) {
        switch (answer.row.answer) {
            case SearchAnswer::found:
                words += text(
                    "; a schedule with ", analysis::counted(answer.row.steps, "round"), " and ",
                    analysis::counted(answer.row.rounds, "serialized block"), " exists",
                    answer.row.steps <= limit.rounds.value && answer.row.rounds * better.block <= limit.serializedBytes
                        ? ", as few as the lower bounds"
                        : "");
                break;
            case SearchAnswer::impossible:
                words += text("; no ", what, " has ", fewer, " (proved in ", tookOf(answer), ")");
                break;
            case SearchAnswer::undecided:
                words += text("; whether ", better.composed ? "a " : "an ", what, " has ", fewer,
                              " is undecided after ", tookOf(answer));
                break;
        }
    };
    const bool showsBlocks = better.fewerBlocks && report.serializedBytes() > limit.serializedBytes;
    if (showsBlocks) add(*better.fewerBlocks, "fewer blocks in as many rounds");
    if (better.fewerRounds && report.startups() > limit.rounds.value && !(showsBlocks && foundTheSame(better)))
        add(*better.fewerRounds, "fewer rounds with as many blocks");
    if (better.known) words += "; " + inWords(better, *better.known);
    return words + '.';
}

std::string commandOf(const Better& better, const BetterAnswer& answer) {
    if (!better.written) return {};
    const SynthesisWish& wish = answer.wish;
    const std::string run = lineOf(
        {.run = {.algorithm = better.algorithm, .problem = wish.problem, .network = wish.network, .model = wish.model}},
        {"ports"});
    return text("collscope synthesize ", name(wish.collective), run.substr(std::min(run.size(), run.find(' '))),
                " --ports ", wish.problem.ports, " --chunks 1 --steps ", *wish.steps, " --rounds ", *wish.rounds,
                " -o FILE.json");
}

}  // namespace app
