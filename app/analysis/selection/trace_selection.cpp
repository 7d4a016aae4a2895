// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/selection/trace_selection.hpp"

#include "app/analysis/containers/sorted_runs.hpp"
#include "traces/recording/first_sent.hpp"

#include <algorithm>
#include <limits>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Collective;
using traces::Communicator;
using traces::CommunicatorKind;
using traces::firstSent;
using traces::Messages;
using traces::Participant;
using traces::Recording;
using traces::TimeSpan;

AnswerRoom roomWithin(std::uint64_t memory, std::size_t parts, AnswerSize each) {
    constexpr std::size_t least = 100'000;
    const AnswerRoom all;
    AnswerRoom room;
    room.parts = static_cast<std::size_t>(std::clamp<std::uint64_t>(memory / 4 / each.part, least, all.parts));
    const std::uint64_t taken = std::min(memory / 4, each.part * std::min(room.parts, parts));
    room.messages =
        static_cast<std::size_t>(std::clamp<std::uint64_t>((memory / 2 - taken) / each.message, least, all.messages));
    return room;
}

bool Selection::has(std::int32_t communicator) const {
    return communicators.empty() ||
           std::find(communicators.begin(), communicators.end(), communicator) != communicators.end();
}

bool Selection::has(const Messages& m, std::size_t i) const {
    return has(m.communicator[i]) && part.has(m.from[i]) && part.has(m.to[i]) && part.hasTag(m.tag[i]) &&
           part.hasSize(m.bytes[i]) &&
           part.overlaps(std::min(m.sendBegin[i], m.receiveBegin[i]), std::max(m.sendEnd[i], m.receiveEnd[i]));
}

TimeSpan spanOf(std::span<const Participant> parts) {
    if (parts.empty()) return {};
    TimeSpan span{parts.front().begin, parts.front().end};
    for (const Participant& part : parts) span = {std::min(span.begin, part.begin), std::max(span.end, part.end)};
    return span;
}

namespace {

/// Whether it lies in the part's time, and has one of its ranks.
bool isIn(const Part& part, const Recording& recording, const Collective& collective) {
    if (part.whole()) return true;
    const std::span<const Participant> parts = recording.collectives.of(collective);
    const auto [begin, end] = spanOf(parts);
    if (!part.overlaps(begin, end)) return false;
    if (part.ranks.empty()) return true;
    const auto has = [&](Rank rank) { return part.has(rank); };
    const Communicator& entry = recording.communicators[static_cast<std::size_t>(collective.communicator)];
    return std::any_of(entry.members.begin(), entry.members.end(), has) ||
           (entry.kind == CommunicatorKind::inter && std::any_of(entry.remote.begin(), entry.remote.end(), has)) ||
           std::any_of(parts.begin(), parts.end(), [&](const Participant& its) { return has(its.rank); });
}

}  // namespace

ChosenMessages selectedMessages(const Recording& recording, const Selection& selection) {
    const Messages& m = recording.messages;
    if (selection.part.whole() && selection.communicators.empty())
        return m.size() <= selection.most.messages
                   ? ChosenMessages::all(m.size())
                   : ChosenMessages::some(firstSent(m.sendBegin.span(), selection.most.messages));
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t i = 0; i < m.size(); ++i)
        if (selection.has(m, i)) chosen.push_back(i);
    return ChosenMessages::some(firstSent(m.sendBegin.span(), std::move(chosen), selection.most.messages));
}

std::vector<std::uint32_t> selectedCollectives(const Recording& recording, const Selection& selection) {
    std::vector<std::uint32_t> chosen;
    if (selection.part.choosesMessages()) return chosen;
    const auto& all = recording.collectives.instances;
    for (std::uint32_t i = 0; i < all.size(); ++i)
        if (isCommunication(all[i].operation) && selection.has(all[i].communicator) &&
            isIn(selection.part, recording, all[i]))
            chosen.push_back(i);
    std::size_t left = selection.most.parts;
    if (recording.collectives.participants.size() <= left) return chosen;
    // As many as there is room for, those that began first.
    std::vector<Picoseconds> begins(all.size());
    for (const std::uint32_t i : chosen) begins[i] = spanOf(recording.collectives.of(all[i])).begin;
    mergeRuns(chosen, [&](std::uint32_t a, std::uint32_t b) { return begins[a] < begins[b]; });
    const auto end = std::find_if(chosen.begin(), chosen.end(), [&](std::uint32_t i) {
        if (all[i].count > left) return true;
        left -= all[i].count;
        return false;
    });
    chosen.erase(end, chosen.end());
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

std::optional<Picoseconds> endOfRoom(const Recording& recording, const Selection& selection) {
    std::optional<Picoseconds> end;
    const auto leftOut = [&](Picoseconds begin) { end = std::min(end.value_or(begin), begin); };
    Selection all = selection;
    all.most = {.messages = std::numeric_limits<std::size_t>::max(), .parts = std::numeric_limits<std::size_t>::max()};
    const Messages& m = recording.messages;
    if (m.size() > selection.most.messages) {
        const ChosenMessages chosen = selectedMessages(recording, selection);
        std::size_t next = 0;
        for (std::uint32_t i = 0; i < m.size(); ++i) {
            if (next < chosen.size() && chosen[next] == i) ++next;
            else if (all.has(m, i)) leftOut(std::min(m.sendBegin[i], m.receiveBegin[i]));
        }
    }
    if (recording.collectives.participants.size() > selection.most.parts) {
        const std::vector<std::uint32_t> chosen = selectedCollectives(recording, selection);
        auto next = chosen.begin();
        for (const std::uint32_t i : selectedCollectives(recording, all)) {
            if (next != chosen.end() && *next == i) ++next;
            else leftOut(spanOf(recording.collectives.of(recording.collectives.instances[i])).begin);
        }
    }
    if (!end) return end;
    return std::max(*end, selection.part.span(recording.duration).begin + Picoseconds{1});
}

}  // namespace app::analysis
