// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedules/goal/schedule.hpp"

#include "engine/error.hpp"
#include "engine/schedules/goal/contents.hpp"
#include "engine/text.hpp"
#include "engine/verify.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace engine::schedules::goal {
namespace {

/// Without contents every pair of ranks has a block of its own.
constexpr std::int32_t mostRanksAlone = 512;

void settleFacts(Stored& stored, const File& goal, const Course& course, std::string_view file) {
    Facts& facts = stored.facts;
    facts.ranks = static_cast<std::int32_t>(goal.ranks.size());
    std::map<std::tuple<Round, Rank, bool>, int> ports;
    for (const Delivery& one : course.deliveries) {
        facts.rounds = std::max(facts.rounds, one.round.value + 1);
        facts.ports =
            std::max({facts.ports, ++ports[{one.round, one.from, true}], ++ports[{one.round, one.to, false}]});
    }
    if (facts.rounds * facts.ranks > mostTurns)
        throw Error{text(file, ": ", facts.rounds, " rounds of ", facts.ranks, " ranks are more than is read; at most ",
                         mostTurns, " turns")};
    facts.wrong = course.wrong;
    facts.remarks = goal.remarks;
    facts.remarks.insert(facts.remarks.end(), course.remarks.begin(), course.remarks.end());
    if (facts.ports > 1)
        facts.remarks.push_back(
            text("messages that do not wait for each other go in one round, up to ", facts.ports, " of a rank"));
}

/// Fills `stored` by sizes; why they do not say what messages carry. What is not forced may be otherwise where it
/// proves nothing: another schedule could have the same messages.
std::string whyUnstated(Stored& stored, const Course& course) {
    const Filled filled = fillBySize(stored, course);
    if (!filled.why.empty() || filled.forced || !course.wrong.sentence.empty()) return filled.why;
    const Verdict verdict = verify(*scheduleOf(stored), stored.problem);
    if (verdict.proved) return {};
    stored.messages.clear();
    stored.ranges.clear();
    stored.facts.repeats.clear();
    return text("what the messages carry; if it were the plainest that their sizes allow, ", verdict.counterExample);
}

}  // namespace

Stored storedFrom(std::string_view content, std::string_view file) {
    const File goal = fileFrom(content, file);
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
