// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/goal/goal_schedule.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/proof/verify.hpp"
#include "engine/schedule_files/goal/payload_assignment.hpp"

namespace engine::schedules::goal {
namespace {

/// Without contents every pair of ranks has a block of its own.
constexpr std::int32_t mostRanksAlone = 512;

void settleFacts(Stored& stored, const File& goal, const Course& course, std::string_view file) {
    Facts& facts = stored.facts;
    facts.ranks = static_cast<std::int32_t>(goal.ranks.size());
    countRounds(facts, course.deliveries, file);
    facts.wrong = course.wrong;
    facts.remarks = goal.remarks;
    facts.remarks.insert(facts.remarks.end(), course.remarks.begin(), course.remarks.end());
    if (facts.ports > 1)
        facts.remarks.push_back(
            text("messages that do not wait for each other go in one round, up to ", facts.ports, " of a rank"));
}

void forget(Stored& stored) {
    stored.messages.clear();
    stored.ranges.clear();
    stored.facts.repeats.clear();
    stored.facts.pieces = false;
}

/// Makes a choice of what messages carry that solves the problem; returns what is wrong with the one that came
/// furthest, empty: nothing.
std::string whyNoChoice(Stored& stored, const Course& course) {
    std::string why;
    for (const Preference preference : {Preference::spread, Preference::arrival}) {
        forget(stored);
        const bool parts = isReduction(stored.problem.collective);
        const std::string unchosen =
            parts ? chooseParts(stored, course, preference) : chooseBytes(stored, course, preference);
        if (!unchosen.empty()) continue;
        const Verdict verdict = verify(*scheduleOf(stored), stored.problem);
        if (verdict.proved) {
            stored.facts.remarks.emplace_back(
                "what messages carry is worked out, since sizes leave a choice: first what no later message can "
                "bring");
            return {};
        }
        if (why.empty()) why = verdict.counterExample;
    }
    forget(stored);
    return why.empty() ? "no choice was found" : why;
}

/// Fills `stored`; why neither sizes say what messages carry, nor any choice that they leave solves the problem: then
/// nothing is known, since other contents of the same messages might.
std::string whyUnstated(Stored& stored, const Course& course) {
    const Filled filled = fillBySize(stored, course);
    const bool ends = course.wrong.sentence.empty();
    if (filled.why.empty() && (filled.forced || !ends)) return {};
    std::string plainest;
    if (filled.why.empty()) {
        const Verdict verdict = verify(*scheduleOf(stored), stored.problem);
        if (verdict.proved) return {};
        plainest = verdict.counterExample;
    }
    if (!ends || !canBeFollowed(stored)) {
        forget(stored);
        return filled.why;
    }
    const std::string chosen = whyNoChoice(stored, course);
    if (chosen.empty()) return {};
    return filled.why.empty()
               ? text("what the messages carry; if it were the plainest that their sizes allow, ", plainest)
               : text(filled.why, "; of what would come too late otherwise first, ", chosen);
}

}  // namespace

Stored storedFrom(std::string_view content, std::string_view file) { return storedFrom(fileFrom(content, file), file); }

Stored storedFrom(const File& goal, std::string_view file) {
    const auto ranks = static_cast<std::int32_t>(goal.ranks.size());
    if (goal.problem && goal.problem->ranks() > ranks)
        throw Error{text(file, ": its problem has ", goal.problem->ranks(), " ranks, but num_ranks is ", ranks)};
    const Course course = courseOf(goal, file);
    Stored stored;
    if (goal.problem) stored.problem = *goal.problem;
    settleFacts(stored, goal, course, file);
    stored.facts.unstated = goal.problem ? whyUnstated(stored, course)
                                         : "what the messages carry: GOAL names no blocks, and no line such as "
                                           "// problem: bcast n=8 sizes=1x1024 names the problem";
    if (stored.facts.unstated.empty()) return stored;
    if (ranks > mostRanksAlone)
        throw Error{text(file, ": it does not say ", stored.facts.unstated, "; without that at most ", mostRanksAlone,
                         " ranks are read, not ", ranks)};
    fillAsBlocks(stored, course, ranks);
    return stored;
}

}  // namespace engine::schedules::goal
