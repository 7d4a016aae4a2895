// SPDX-License-Identifier: BSD-3-Clause
// The roll call in words.
#include "engine/base/text.hpp"
#include "engine/live/hang_diagnosis/argument_agreement.hpp"
#include "engine/live/hang_diagnosis/hang_diagnosis.hpp"

#include <algorithm>
#include <array>

namespace engine::live {
namespace {

std::string withoutControls(std::string words) {
    for (char& c : words)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return words;
}

std::string shortened(std::string words) {
    constexpr std::size_t longest = 40;
    if (words.size() > longest) words = words.substr(0, longest - 3) + "...";
    return words;
}

std::string countedRanks(std::size_t count) { return text(count, count == 1 ? " rank" : " ranks"); }

/// "in MPI_Bcast, call 2, root 0, count 256, at main, main.c:35"; "in MPI_Waitall, request 2 of 4: receive of pairs,
/// peer 1, tag 77". `around` is the communicator that is named already.
std::string doingOf(const ProcessesInCall& group, const std::string& around) {
    if (group.call.empty()) return "no recorded MPI call";
    std::string words = (group.within ? "in " : group.polls ? "polling with " : "outside of MPI since ") + group.call;
    // Once it has left, nothing is open.
    const bool open = group.within || group.polls;
    const bool waits = group.request && open;
    if (waits) words += text(", request ", *group.request + 1, " of ", group.count.value_or(1));
    if (waits && !group.awaits.empty()) words += ": " + group.awaits;
    if (group.request && !waits) return group.place.empty() ? words : words + ", at " + group.place;
    if (!group.file.empty()) words += " of file " + group.file;
    else if (!group.communicator.empty() && group.communicator != around) words += " of " + group.communicator;
    if (group.code) words += text(" with error code ", *group.code);
    if (group.sequence) words += text(", call ", *group.sequence);
    const bool message = !group.sequence && !group.code && !group.communicator.empty() &&
                         group.call.find("_Win_") == std::string::npos && (group.peer || group.tag || open) &&
                         (!waits || group.awaits == "send" || group.awaits == "receive");
    if (group.root) words += text(", root ", *group.root);
    if (message) words += group.peer ? text(", peer ", *group.peer) : ", any peer";
    else if (group.peer) words += text(", rank ", *group.peer);
    if (message) words += group.tag ? text(", tag ", *group.tag) : ", any tag";
    if (group.count && !waits) words += text(", count ", *group.count);
    else if (!waits && group.sent && group.received) {
        if (*group.sent > 0) words += text(", sends ", *group.sent, " B");
        if (*group.received > 0) words += text(", receives ", *group.received, " B");
    }
    if (!group.operation.empty()) words += ", " + group.operation;
    return group.place.empty() ? words : words + ", at " + group.place;
}

void addRows(const std::vector<ProcessesInCall>& groups, const std::string& around, std::vector<std::string>& lines) {
    std::vector<std::array<std::string, 3>> rows;
    std::size_t first = 0, second = 0;
    for (const ProcessesInCall& group : groups) {
        const char* const state = group.missing ? "missing" : group.within || group.polls ? "waiting" : "";
        const char* const who = group.processes.size() == 1 ? "rank " : "ranks ";
        rows.push_back({state, shortened(who + membersToText(group.processes)), doingOf(group, around)});
        first = std::max(first, rows.back()[0].size());
        second = std::max(second, rows.back()[1].size());
    }
    for (auto& [state, who, what] : rows) {
        state.resize(first, ' ');
        who.resize(second, ' ');
        lines.push_back(withoutControls(text("  ", state, "  ", who, "  ", what)));
    }
}

}  // namespace

std::vector<std::string> linesOf(const HangDiagnosis& roll) {
    std::vector<std::string> lines{countedRanks(asSize(roll.processes))};
    for (const CommunicatorInCall& entry : roll.communicators) {
        lines.emplace_back();
        lines.push_back(withoutControls(text(entry.communicator, entry.of.empty() ? "" : ", " + entry.of, ", ",
                                             countedRanks(asSize(entry.members)))));
        for (const std::string& mistake : entry.mistakes) lines.push_back(withoutControls("  mistake: " + mistake));
        if (entry.everyoneEntered)
            lines.emplace_back("  every rank has entered the call; the MPI library does not complete it");
        addRows(entry.processes, entry.communicator, lines);
    }
    for (const std::vector<std::int32_t>& circle : roll.circles) {
        lines.emplace_back();
        lines.push_back(rankWords(circle) + " wait for each other");
    }
    if (!roll.elsewhere.empty()) {
        lines.emplace_back();
        lines.emplace_back("other calls, and ranks outside of MPI");
        addRows(roll.elsewhere, "", lines);
    }
    if (roll.endings.empty()) return lines;
    lines.emplace_back();
    lines.emplace_back(endingsHeading);
    for (const std::string& ending : roll.endings) lines.push_back(withoutControls("  " + ending));
    return lines;
}

}  // namespace engine::live
