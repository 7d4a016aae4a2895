// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/exercises/grading.hpp"

#include "app/analysis/bounds/lower_bounds.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/proofs/proofs.hpp"
#include "engine/base/lines.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/proof/sent_too_early.hpp"
#include "engine/proof/verify.hpp"

#include <algorithm>
#include <set>

namespace app {
namespace {

using engine::Error;
using engine::text;

/// The flags of a check.
Asked flagsIn(const std::string& line) {
    Asked asked;
    const std::vector<std::string> words = wordsIn(line);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto& all = fields::all();
        const auto entry = std::find_if(all.begin(), all.end(), [&](const fields::Entry& one) {
            return one.part == fields::Part::problem &&
                   (words[i] == text("--", one.key) || (one.letter != '\0' && words[i] == text('-', one.letter)));
        });
        if (entry == all.end()) throw Error{text("'", words[i], "' names no problem; write for example -n 2..12")};
        if (++i == words.size()) throw Error{text(entry->field(), " needs a value")};
        asked.add(entry->key, words[i]);
    }
    return asked;
}

/// "proved", "rounds at most bound + 2", "rounds at most optimum + 0", "neighbours on ring", "bytes at most 448 each".
void readDemand(const std::string& words, Check& check) {
    constexpr std::string_view rounds = "rounds at most ";
    constexpr std::string_view bytes = "bytes at most ";
    constexpr std::string_view bound = "bound + ";
    constexpr std::string_view optimum = "optimum + ";
    if (words == "proved") {
        check.kind = Check::Kind::proved;
    } else if (words == "neighbours on ring") {
        check.kind = Check::Kind::neighbours;
    } else if (words.starts_with(rounds)) {
        check.kind = Check::Kind::rounds;
        std::string number = words.substr(rounds.size());
        check.aboveBound = number.starts_with(bound);
        if (check.aboveBound) number = number.substr(bound.size());
        if (number.starts_with(optimum)) {
            check.kind = Check::Kind::optimum;
            number = number.substr(optimum.size());
        }
        check.most = engine::readInteger(number, "rounds", 0, 1'000'000'000);
    } else if (words.starts_with(bytes) && words.ends_with(" each")) {
        check.kind = Check::Kind::bytes;
        check.most = engine::readBytes(words.substr(bytes.size(), words.size() - bytes.size() - 5), "bytes");
    } else {
        throw Error{text(
            "'", words,
            "' cannot be checked; write proved, rounds at most bound + 1, rounds at most optimum + 0, neighbours on "
            "ring or bytes at most 448 each")};
    }
}

/// "proved, 4 points, hidden: -n 2..12".
Check checkFromText(const std::string& line) {
    const auto colon = line.find(':');
    if (colon == std::string::npos)
        throw Error{"a check needs its problems: write for example proved, 4 points: -n 2..12"};
    Check check{.words = {}, .asked = flagsIn(line.substr(colon + 1))};
    std::vector<std::string> parts = engine::split(line.substr(0, colon), ',');
    for (std::string& part : parts) part = engine::trimmed(part);
    readDemand(parts.front(), check);
    check.words = text(parts.front(), ":", line.substr(colon + 1));
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const auto space = parts[i].find(' ');
        const std::string unit = space == std::string::npos ? "" : parts[i].substr(space + 1);
        if (parts[i] == "hidden") check.hidden = true;
        else if (unit == "points" || unit == "point")
            check.points = engine::readInteger(parts[i].substr(0, space), "points", 0, 1000);
        else throw Error{text("'", parts[i], "' is unknown here; write for example 4 points, or hidden")};
    }
    return check;
}

/// Where a rank sends or receives more messages in a round than the task gives it ports, whatever the file says of
/// itself; empty: nowhere.
std::string exceedsPorts(const engine::Schedule& schedule, int ports, const engine::Progress& progress) {
    engine::Turn turn;
    for (engine::Round round{0}; round.value < schedule.facts().rounds; ++round) {
        if (progress.stop.stop_requested()) throw engine::Cancelled{};
        for (engine::Rank rank{0}; rank.value < schedule.facts().ranks; ++rank) {
            schedule.turn(rank, round, turn);
            const std::size_t most = std::max(turn.sends().size(), turn.receives().size());
            if (most <= engine::asSize(ports)) continue;
            return text("Rank ", rank, turn.sends().size() == most ? " sends " : " receives ", most,
                        " messages in round ", round.value + 1, "; with ", ports, ports == 1 ? " port" : " ports",
                        " it can do ", ports, " at a time");
        }
    }
    return {};
}

/// The blocks that each message of a schedule carries, as moves.
std::vector<engine::synthesis::Send> movesOf(const engine::Plan& plan, const engine::synthesis::Fabric& fabric,
                                             const std::vector<engine::synthesis::Chunk>& chunks) {
    std::set<std::pair<std::int32_t, std::int32_t>> channels;
    for (const engine::synthesis::Channel& one : fabric.channels) channels.emplace(one.from, one.to);
    std::vector<engine::synthesis::Send> moves;
    engine::Turn turn;
    for (engine::Round round{0}; round.value < plan.schedule->facts().rounds; ++round)
        for (engine::Rank rank{0}; rank.value < plan.problem.ranks(); ++rank) {
            plan.schedule->turn(rank, round, turn);
            for (const engine::Message& message : turn.sends()) {
                if (!channels.contains({rank.value, message.peer.value}))
                    throw Error{text("rank ", rank, " sends to rank ", message.peer, " in round ", round.value + 1,
                                     ", but they are not neighbours on the network")};
                for (const engine::Range range : turn.ranges(message))
                    for (std::size_t c = 0; c < chunks.size(); ++c) {
                        const engine::Range& block = chunks[c].range;
                        if (block.begin >= range.end || range.begin >= block.end) continue;
                        if (block.begin < range.begin || range.end < block.end)
                            throw Error{text("rank ", rank, " sends a part of block ", c, " in round ", round.value + 1,
                                             "; here blocks are whole")};
                        moves.push_back({static_cast<std::int32_t>(round.value), rank.value, message.peer.value,
                                         static_cast<std::int32_t>(c)});
                    }
            }
        }
    return moves;
}

/// Whether every sender holds what it sends.
bool areSound(const std::vector<engine::synthesis::Chunk>& chunks, const std::vector<engine::synthesis::Send>& moves) {
    std::set<std::pair<std::int32_t, std::int32_t>> held;
    std::vector<std::pair<std::int32_t, std::int32_t>> arrived;
    std::int32_t round = 0;
    for (const engine::synthesis::Send& move : moves) {
        if (move.step != round) {
            held.insert(arrived.begin(), arrived.end());
            arrived.clear();
            round = move.step;
        }
        if (!chunks[engine::asSize(move.chunk)].isHeld(move.from) && !held.contains({move.from, move.chunk}))
            return false;
        arrived.emplace_back(move.to, move.chunk);
    }
    return true;
}

/// Both together, and the rest of a grading, take less than `grade` gives a file.
constexpr std::chrono::milliseconds mostForOptimum{2500};
constexpr std::chrono::milliseconds mostForRemainingRounds{1500};

Puzzle puzzleOf(const Check& check, const engine::Problem& problem) {
    const auto asked = [&](const char* key) {
        const std::vector<std::string> words = check.asked.all(key);
        return words.empty() ? std::string{} : words.front();
    };
    return app::puzzleOf(problem, {.topology = asked("topology"), .placement = asked("placement")});
}

/// How far the moves of a schedule have come, and where they lost rounds against the best one; empty where they end
/// within so many rounds.
std::string remainingRoundsText(const engine::Plan& plan, const Check& check, std::int64_t rounds, bool ends,
                                const engine::Progress& progress) {
    const Puzzle puzzle = puzzleOf(check, plan.problem);
    const std::vector<engine::synthesis::Send> moves = movesOf(plan, puzzle.fabric, puzzle.question.chunks);
    if (!areSound(puzzle.question.chunks, moves)) return {};
    const std::optional<std::int32_t> fewest = optimumOf(puzzle, mostForOptimum, progress);
    if (!fewest)
        throw Error{text("the optimum is unknown: the search did not end within ",
                         static_cast<double>(mostForOptimum.count()) / 1000, " s")};
    if (ends && rounds <= *fewest + check.most) return {};
    const std::vector<engine::synthesis::RemainingRounds> remaining = engine::synthesis::remainingRoundsOf(
        puzzle.fabric, puzzle.question.chunks, moves, patienceOf(mostForRemainingRounds, progress), fewest);
    if (progress.stop.stop_requested()) throw engine::Cancelled{};
    std::string words = ends ? text("it takes ", rounds, " rounds; the optimum is ", *fewest)
                             : text("the optimum is ", *fewest, " rounds");
    const auto first = std::find_if(remaining.begin(), remaining.end(), [](const auto& one) { return one.lost > 0; });
    if (first == remaining.end()) {
        if (const auto left = remaining.back().left; left && !ends)
            words += text(". Adding the right ", *left == 1 ? std::string{"round"} : text(*left, " rounds"),
                          " to these still reaches it");
        return words;
    }
    words += text(". It is out of reach after round ", first->played);
    if (!first->late.empty()) words += text(": then ", lateInWords(puzzle, *first));
    if (const engine::synthesis::RemainingRounds& now = remaining.back(); now.left && !ends)
        words += text(". From here on the best moves need ", *now.left, " more");
    return words;
}

/// Why the plan does not keep to the check; empty when it does.
std::string brokenBy(const engine::Plan& plan, const Check& check, const engine::Progress& progress) {
    const engine::Schedule& schedule = *plan.schedule;
    if (!schedule.facts().unstated.empty() && schedule.facts().wrong.sentence.empty()) return unprovable(plan);
    if (std::string why = exceedsPorts(schedule, plan.problem.ports, progress); !why.empty()) return why;
    const engine::Verdict verdict = engine::verify(schedule, plan.problem, progress);
    if (!verdict.proved) {
        if (check.kind == Check::Kind::optimum)
            if (const std::string remaining =
                    remainingRoundsText(plan, check, schedule.facts().rounds, false, progress);
                !remaining.empty())
                return text(verdict.counterExample, "; ", remaining);
        const auto early = engine::tooEarly(schedule, plan.problem, verdict, progress);
        return early ? inWords(*early) : verdict.counterExample;
    }
    const std::int32_t ranks = schedule.facts().ranks;
    if (check.kind == Check::Kind::rounds) {
        const std::int64_t bound =
            check.aboveBound ? analysis::limitsOf(plan.problem, engine::Wiring::any(), {}).bounds.startups.value : 0;
        const std::int64_t rounds = verdict.lockstep.startups;
        return rounds <= bound + check.most
                   ? std::string{}
                   : text("it takes ", rounds, " rounds; ", bound + check.most, " are allowed");
    }
    if (check.kind == Check::Kind::optimum)
        return remainingRoundsText(plan, check, verdict.lockstep.startups, true, progress);
    if (check.kind == Check::Kind::proved) return {};
    const engine::Wiring ring = engine::Wiring::ring(ranks);
    std::vector<engine::Bytes> sent(engine::asSize(ranks));
    engine::Turn turn;
    for (engine::Round round{0}; round.value < schedule.facts().rounds; ++round) {
        if (progress.stop.stop_requested()) throw engine::Cancelled{};
        for (engine::Rank rank{0}; rank.value < ranks; ++rank) {
            schedule.turn(rank, round, turn);
            for (const engine::Message& message : turn.sends()) {
                sent[rank.index()] += message.bytes;
                if (check.kind == Check::Kind::neighbours && !ring.adjacent(rank, message.peer))
                    return text("Rank ", rank, " sends to rank ", message.peer, " in round ", round.value + 1,
                                ", which is no neighbour.");
            }
        }
    }
    const auto most = std::max_element(sent.begin(), sent.end());
    if (check.kind == Check::Kind::bytes && *most > check.most)
        return text("Rank ", most - sent.begin(), " sends ", *most, " bytes; ", check.most, " are allowed.");
    return {};
}

/// The problems of a check, with the defaults of what it does not say: a file that holds the schedule of one problem
/// must not decide on any of them.
Asked conditionsOf(const Check& check, engine::Collective collective) {
    Asked asked = fitting(check.asked, collective);
    const ProblemWish usual;
    if (engine::hasRoot(collective) && !asked.has("root")) asked.add("root", text(usual.root));
    if (!asked.has("size") && fields::named("size").isOf(collective)) asked.add("size", text(usual.size));
    return asked;
}

/// Throws Error where a check leaves open how many ranks there are.
void requireRanks(const Check& check, engine::Collective collective) {
    const bool two = isIntergroup(collective);
    for (const engine::Field field :
         two ? std::vector{engine::field::groupA, engine::field::groupB} : std::vector{engine::field::ranks})
        if (!check.asked.has(field.key))
            throw Error{text("a check needs ", field, ": write for example ",
                             two ? "proved, 4 points: -p 2..6 -q 2..6" : "proved, 4 points: -n 2..12")};
}

/// The problems of a check of the optimum, as they are where the file states none.
std::vector<Puzzle> puzzlesOf(const Check& check, engine::Collective collective) {
    std::vector<Puzzle> puzzles;
    if (check.kind == Check::Kind::optimum)
        for (const ProblemWish& wish : problemsOf(conditionsOf(check, collective), collective))
            puzzles.push_back(puzzleOf(check, makeProblem(collective, wish)));
    return puzzles;
}

/// What a check sets with --set.
std::map<std::string, std::string> optionsOf(const Check& check) {
    Asked set;
    for (const std::string& words : check.asked.all("set")) set.add("set", words);
    return problemOf(set).options;
}

/// Throws Error where a check sets an option that is no part of the problem: a file may have it or not.
void requireOptionsOfProblem(const Check& check, engine::Collective collective) {
    for (const auto& [name, value] : optionsOf(check)) {
        if (collective != engine::Collective::scan || name != engine::exclusiveOption().name)
            throw Error{
                text("--set ", name, '=', value,
                     ": a check sets no option of an algorithm; only exclusive of a scan is part of the problem")};
        (void)engine::Options{"--set", {engine::exclusiveOption()}, {{name, value}}};
    }
}

/// Whether a check is for exclusive scans.
bool isExclusive(const Check& check) {
    const std::map<std::string, std::string> options = optionsOf(check);
    const auto given = options.find(engine::exclusiveOption().name);
    return given != options.end() && given->second == "yes";
}

Outcome markOf(const Check& check, const engine::Algorithm& algorithm, const engine::Progress& progress) {
    const Asked asked = completed(conditionsOf(check, algorithm.collective), algorithm);
    const bool exclusive = isExclusive(check);
    // The problem of a file with one schedule is its own, exclusive or not; such a file has no option for it.
    const engine::Problem* own = engine::schedules::problemOf(algorithm);
    if (own != nullptr && own->exclusive != exclusive)
        throw Error{
            text(algorithm.id, " contains the schedule for an ", own->exclusive ? "exclusive" : "inclusive", " scan")};
    std::map<std::string, std::string> options;
    if (own == nullptr && exclusive) options.emplace(engine::exclusiveOption().name, "yes");
    for (const ProblemWish& wish : problemsOf(asked, algorithm.collective)) {
        const engine::Plan plan = makePlan(algorithm, wish, options);
        if (const std::string why = brokenBy(plan, check, progress); !why.empty())
            return {false, text(why, " (", toText(plan.problem), ')'), wish};
    }
    return {.held = true, .said = {}, .problem = {}};
}

}  // namespace

Task taskFromText(const std::string& content, const std::string& file) {
    Task task;
    bool known = false;
    std::vector<std::int64_t> lineOf;  // of each check
    engine::eachLine(content, file, engine::Comments::wholeLines, [&](std::string_view line, std::int64_t number) {
        const auto colon = line.find(": ");
        const std::string_view key = colon == std::string_view::npos ? "" : line.substr(0, colon);
        const std::string words{colon == std::string_view::npos ? line : engine::trimmed(line.substr(colon + 2))};
        if (key == "title") task.title = words;
        else if (key == "collective") task.collective = engine::collectiveNamed(words), known = true;
        else if (key == "hint") task.hints.push_back(words);
        else if (key == "check") task.checks.push_back(checkFromText(words)), lineOf.push_back(number);
        else task.text += text(task.text.empty() ? "" : " ", line);
    });
    if (!known) throw Error{text(file, ": the collective is missing; write for example collective: allgatherv")};
    if (task.checks.empty())
        throw Error{text(file, ": a check is missing; write for example check: proved, 4 points: -n 2..12")};
    for (std::size_t i = 0; i < task.checks.size(); ++i) {
        try {
            Check& check = task.checks[i];
            requireFitting(check.asked, task.collective);
            requireOptionsOfProblem(check, task.collective);
            requireRanks(check, task.collective);
            if (problemsOf(conditionsOf(check, task.collective), task.collective, &check.leftOut).empty())
                throw Error{"--root: every root lies outside the ranks"};
            puzzlesOf(check, task.collective);
        } catch (const Error& error) {
            throw Error{text(file, ':', lineOf[i], ": ", error.words())};
        }
    }
    return task;
}

bool isTask(std::string_view path) { return path.ends_with(".task"); }

Task taskIn(const std::string& path) {
    constexpr std::int64_t largest = std::int64_t{1} << 20;
    return taskFromText(engine::contentOf(path, largest, text("cannot read '", path, "'")), path);
}

std::optional<Puzzle> puzzleOf(const Task& task) {
    for (const Check& check : task.checks)
        if (!check.hidden)
            if (std::vector<Puzzle> puzzles = puzzlesOf(check, task.collective); puzzles.size() == 1)
                return std::move(puzzles.front());
    return std::nullopt;
}

void solve(const Task& task, const engine::Progress& progress) {
    for (const Check& check : task.checks)
        for (const Puzzle& puzzle : puzzlesOf(check, task.collective)) optimumOf(puzzle, mostForOptimum, progress);
}

std::int64_t pointsOf(const Task& task) {
    std::int64_t sum = 0;
    for (const Check& check : task.checks) sum += check.points;
    return sum;
}

Outcome markFor(const Task& task, const Check& check, const std::string& path, const engine::Progress& progress) {
    try {
        const engine::Algorithm& algorithm = engine::schedules::algorithmIn(path);
        if (algorithm.collective != task.collective)
            throw Error{text(path, " solves ", name(algorithm.collective), ", not ", name(task.collective))};
        return markOf(check, algorithm, progress);
    } catch (const Error& error) {
        return {.held = false, .said = error.words(), .problem = {}};
    }
}

void grade(const Task& task, const std::string& path, const std::function<void(const Outcome&)>& told,
           const engine::Progress& progress) {
    for (const Check& check : task.checks) told(markFor(task, check, path, progress));
}

}  // namespace app
