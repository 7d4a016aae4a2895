// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/replay_words.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/session/options/costs.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/replay/replay_changes.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace app {

using analysis::counted;
using analysis::percent;
using engine::Picoseconds;
using engine::text;

namespace {

/// A share below this is not told in percent.
constexpr double smallestTold = 1e-5;

/// "19.3", "36,707,204".
std::string multiple(double number) {
    constexpr double exactly = 100;
    return number < exactly ? engine::showNumber(number, 3) : counted(std::llround(number));
}

/// `origin`: where the model comes from, where its name does not say so.
std::string conditionsIn(const ReplayedRun& run, std::string_view origin) {
    const engine::Model model = engine::modelFromText(run.model);
    const bool isSaid = origin.empty() || origin == model.name;
    const bool byByte = run.inPorts == emulation::InPorts::byByte;
    // On a network without links there is nothing to share.
    const bool shared = run.sharing != toText(emulation::Conditions{}.sharing, {}) && run.network != "full";
    return text(run.network, shared ? ", sharing " + run.sharing : "", ", ", modelWords(model),
                run.unevenness.empty() ? "" : ", " + run.unevenness, byByte ? ", ports by byte" : "",
                isSaid ? "" : "; ", isSaid ? "" : origin);
}

/// How far the replay of the recorded conditions is off.
std::string errorOf(const Replaying& replaying) {
    const std::optional<double>& beside = replaying.errorBesideComputing;
    if (replaying.error() == 0 && beside.value_or(0) == 0) return "none";
    if (!beside) return off(replaying.error()) + " than recorded";
    const std::string sum = *beside == 0 ? "time outside computation as recorded"
                                         : text("time outside computation ", off(*beside), " than recorded");
    const auto& differences = replaying.differences;
    // One that the sum shows needs no name.
    if (differences.empty() || std::abs(differences.front().share) < 2 * std::abs(*beside)) return sum;
    constexpr std::size_t mostNamed = 2;
    std::vector<std::string> named;
    for (const ActivityDifference& one : std::span{differences}.first(std::min(mostNamed, differences.size())))
        named.push_back(text(one.activity, ' ', engine::showTime(Picoseconds{std::abs(one.time.count())}),
                             one.time.count() > 0 ? " more" : " less", " (", percent(std::abs(one.share)), ")"));
    return text(sum, "; per rank, ", analysis::listed(named));
}

std::string messagesOf(const emulation::Replayed& result) {
    return result.messages == 0 ? "none"
                                : text(counted(result.messages), ", ", engine::showBytes(result.bytes), " in total");
}

/// "806 ms; from MPI_Init to the end 303 ms, 50% less than recorded"; without MPI_Init in a trace "303 ms, 50% less
/// than recorded".
std::string timesOf(const Replaying& replaying, const ReplayedRun& run, Picoseconds other, std::string_view what) {
    const std::string words = text(engine::showTime(run.programTime()), ", ", against(run.programTime(), other, what));
    if (run.setUp.last() == Picoseconds{}) return words;
    return text(engine::showTime(run.result.duration),
                replaying.isInitialised ? "; from MPI_Init to the end " : "; in the recorded part ", words);
}

}  // namespace

std::string against(Picoseconds time, Picoseconds other, std::string_view what) {
    if (time == other) return text("as long as ", what);
    const char* const way = time > other ? " more than " : " less than ";
    const Picoseconds difference = time > other ? time - other : other - time;
    const double share = analysis::ratio(difference, other);
    if (other.count() == 0 || share < smallestTold) return text(engine::showTime(difference), way, what);
    if (time > other && share >= 2) return text(multiple(share + 1), " times as long as ", what);
    return text(percent(share), way, what);
}

std::string off(double share) {
    if (share == 0) return "none";
    const char* const way = share > 0 ? " more" : " less";
    return std::abs(share) < smallestTold ? text("under ", percent(smallestTold), way)
                                          : text(percent(std::abs(share)), way);
}

std::string titleOf(const Replaying& replaying) {
    std::string words = counted(replaying.ranks, "rank");
    if (replaying.messages > 0) words += ", " + counted(replaying.messages, "point-to-point message");
    if (replaying.collectives > 0) words += ", " + counted(replaying.collectives, "collective");
    if (replaying.messages + replaying.collectives == 0)
        words += replaying.job ? ", no collective recorded on all of its ranks" : ", no communication";
    return replaying.isOfGoal ? words : text(words, "; ", engine::showTime(replaying.recorded));
}

std::vector<ReplayFact> factsOf(const Replaying& replaying) {
    const ReplayedRun& last = replaying.last();
    const std::string recorded = replaying.asRecorded.setUp.last() == Picoseconds{}
                                     ? "recorded"
                                     : text("the recorded ", engine::showTime(replaying.recordedProgramTime()));
    const std::string origin = replaying.modelOrigin == "recorded" ? "as recorded" : replaying.modelOrigin;
    std::vector<ReplayFact> facts{
        {"unchanged", timesOf(replaying, replaying.asRecorded, replaying.recordedProgramTime(), recorded)},
        {"model error", errorOf(replaying)},
        {"network", conditionsIn(replaying.asRecorded, origin)}};
    if (replaying.isOfGoal) {
        facts.erase(facts.begin() + 1);
        facts.front().words = engine::showTime(replaying.recorded);
    }
    // Half of the communication is not explained; where that is little of the program, the rest may still be.
    constexpr double unlike = 0.5, little = 0.05;
    const auto recordedTime = static_cast<double>(replaying.recordedProgramTime().count());
    const double off = std::abs(static_cast<double>(replaying.asRecorded.programTime().count()) - recordedTime);
    std::vector<ReplayFact> cautions;
    if (std::abs(replaying.errorBesideComputing.value_or(0)) > unlike ||
        (!replaying.differences.empty() && std::abs(replaying.differences.front().share) > unlike))
        cautions.push_back({"caution", off > little * recordedTime
                                           ? "the replay does not reproduce this program: see the model error; do not "
                                             "rely on predictions"
                                           : "the replay does not reproduce the communication of this program: see "
                                             "the model error; do not rely on predictions for communication"});
    if (replaying.keptInMpi > little)
        cautions.push_back({"caution", text(percent(replaying.keptInMpi),
                                            " of the time is in MPI calls that are not replayed; they keep their "
                                            "recorded time")});
    facts.insert(facts.begin() + 1, cautions.begin(), cautions.end());
    if (replaying.changed) {
        facts.push_back({"with changes", timesOf(replaying, last, replaying.asRecorded.programTime(), "unchanged")});
        facts.push_back({"conditions", conditionsIn(last, "")});
    }
    facts.push_back({"messages", messagesOf(last.result)});
    return facts;
}

std::string resultOf(const Replaying& replaying, const ReplayWish& wish) {
    const Picoseconds unchanged = replaying.asRecorded.programTime();
    if (!replaying.changed)
        return text("Replayed without changes: ", engine::showTime(unchanged), ", ",
                    against(unchanged, replaying.recordedProgramTime(),
                            text("the recorded ", engine::showTime(replaying.recordedProgramTime()))),
                    '.');
    const Picoseconds time = replaying.last().programTime();
    const auto [less, more] = std::minmax(time, unchanged);
    const std::string factor =
        less == more || less == Picoseconds{}
            ? "As fast"
            : text(multiple(engine::seconds(more) / engine::seconds(less)), time < unchanged ? "x faster" : "x slower");
    std::vector<std::string> changes;
    for (const auto& [key, values] : wordsOf(wish))
        for (const std::string& value : values)
            changes.push_back(value == fields::toggledOn ? key : text(key, ' ', value));
    return text(factor, " with the changes: ", engine::showTime(time), " instead of ", engine::showTime(unchanged),
                ", both replayed. Changes: ", engine::joined(changes, ", "), '.');
}

const std::vector<std::string>& stuckIn(const Replaying& replaying) {
    return replaying.asRecorded.stuck.empty() ? replaying.last().stuck : replaying.asRecorded.stuck;
}

}  // namespace app
