// SPDX-License-Identifier: BSD-3-Clause
// rollcall: who is missing in a program that hangs.
#include "app/cli/output/json.hpp"
#include "app/cli/verbs.hpp"
#include "engine/live/rollcall.hpp"
#include "engine/text.hpp"

namespace app::cli {
namespace {

using engine::text;
using engine::live::Gathered;
using engine::live::Meeting;
using engine::live::RollCall;

Json gatheredJson(const std::vector<Gathered>& groups) {
    Json rows = Json::array();
    for (const Gathered& group : groups)
        rows.push_back({{"ranks", group.processes},
                        {"missing", group.missing},
                        {"within", group.within},
                        {"call", orNull(group.call)},
                        {"communicator", orNull(group.communicator)},
                        {"sequence", orNull(group.sequence)},
                        {"root", orNull(group.root)},
                        {"peer", orNull(group.peer)},
                        {"tag", orNull(group.tag)},
                        {"count", orNull(group.count)},
                        {"request", orNull(group.request)},
                        {"awaits", orNull(group.awaits)},
                        {"operation", orNull(group.operation)},
                        {"place", orNull(group.place)}});
    return rows;
}

std::string ranksOf(const Gathered& group) {
    return text(group.processes.size() == 1 ? "rank " : "ranks ", engine::live::membersToText(group.processes));
}

/// "in MPI_Bcast, its call 2, root 0, count 256, at main, main.c:35"; "in MPI_Waitall, request 2 of 4: receive of
/// pairs, peer 1, tag 77". `around` is the communicator told already.
std::string doingOf(const Gathered& group, const std::string& around) {
    if (group.call.empty()) return "left no word";
    std::string words = (group.within ? "in " : "outside of MPI since ") + group.call;
    // Once it has left, nothing is open.
    const bool waits = group.request && group.within;
    if (waits) words += text(", request ", *group.request + 1, " of ", group.count.value_or(1));
    if (waits && !group.awaits.empty()) words += ": " + group.awaits;
    if (group.request && !waits) return group.place.empty() ? words : words + ", at " + group.place;
    if (!group.communicator.empty() && group.communicator != around) words += " of " + group.communicator;
    if (group.sequence) words += text(", call ", *group.sequence);
    const bool message = !group.sequence && !group.communicator.empty() &&
                         (!waits || group.awaits == "send" || group.awaits == "receive");
    if (group.root) words += text(", root ", *group.root);
    if (message) words += group.peer ? text(", peer ", *group.peer) : ", any peer";
    if (message) words += group.tag ? text(", tag ", *group.tag) : ", any tag";
    if (group.count && !waits) words += text(", count ", *group.count);
    if (!group.operation.empty()) words += ", " + group.operation;
    return group.place.empty() ? words : words + ", at " + group.place;
}

void writeGathered(const std::vector<Gathered>& groups, const std::string& around, const Console& console) {
    Table table{{Align::left, Align::left, Align::left}, 2};
    for (const Gathered& group : groups) {
        const char* state = group.missing ? "missing" : group.within ? "waiting" : "";
        table.row({state, fitted(ranksOf(group), 40), doingOf(group, around)});
    }
    table.write(console.out);
}

}  // namespace

int rollCall(const Arguments& arguments, const Console& console) {
    const std::string folder = wordsOf(arguments, 1, 1, "rollcall FOLDER.records")[0];
    const std::string format = chosenFormat(arguments, {"text", "json"});
    const RollCall roll = engine::live::rollCall(folder);
    if (format == "json") {
        Json communicators = Json::array();
        for (const Meeting& meeting : roll.meetings)
            communicators.push_back({{"name", meeting.communicator},
                                     {"ranks", meeting.members},
                                     {"groups", gatheredJson(meeting.processes)}});
        const Json json{
            {"ranks", roll.processes}, {"communicators", communicators}, {"elsewhere", gatheredJson(roll.elsewhere)}};
        console.out << json.dump(2, ' ', false, lenient) << '\n';
        return done;
    }
    console.out << analysis::counted(roll.processes, "rank") << '\n';
    for (const Meeting& meeting : roll.meetings) {
        console.out << '\n'
                    << console.paint(Tone::strong,
                                     text(meeting.communicator, ", ", analysis::counted(meeting.members, "rank")))
                    << '\n';
        writeGathered(meeting.processes, meeting.communicator, console);
    }
    if (roll.elsewhere.empty()) return done;
    console.out << '\n' << console.paint(Tone::strong, "in other calls, or in none") << '\n';
    writeGathered(roll.elsewhere, "", console);
    return done;
}

}  // namespace app::cli
