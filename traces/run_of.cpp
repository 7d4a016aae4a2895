// SPDX-License-Identifier: BSD-3-Clause
#include "traces/run_of.hpp"

#include "engine/text.hpp"
#include "traces/archive.hpp"
#include "traces/reading/workers.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace traces {

using engine::Round;
using engine::Run;
using engine::text;

namespace {

/// How each rank spent `duration`. Times of one rank overlap in any way here.
std::vector<engine::RankTimes> rankTimes(const Recording& recording) {
    using Span = std::pair<Picoseconds, Picoseconds>;
    const Messages& messages = recording.messages;
    std::vector<engine::RankTimes> perRank(static_cast<std::size_t>(recording.ranks));
    // Messages by receiver: of the largest traces not all spans are to be in memory at one time.
    std::vector<std::size_t> first(perRank.size() + 1);
    for (const Rank to : messages.to) ++first[static_cast<std::size_t>(to.value) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::uint32_t> received(messages.size());
    std::vector<std::size_t> next{first.begin(), first.end()};
    for (std::size_t i = 0; i < messages.size(); ++i)
        received[next[static_cast<std::size_t>(messages.to[i].value)]++] = static_cast<std::uint32_t>(i);
    reading::sideBySide(perRank.size(), [&](std::size_t rank) {
        std::vector<Span> sends;
        std::vector<Span> receives;
        const IndexSpan sent = sentBy(messages, Rank{static_cast<std::int32_t>(rank)});
        sends.reserve(sent.last - sent.first);
        receives.reserve(first[rank + 1] - first[rank]);
        for (std::size_t i = sent.first; i < sent.last; ++i)
            sends.emplace_back(messages.sendBegin[i], messages.sendEnd[i]);
        for (std::size_t k = first[rank]; k < first[rank + 1]; ++k)
            receives.emplace_back(messages.receiveBegin[received[k]], messages.receiveEnd[received[k]]);
        // Each is mostly in the order of time already.
        for (std::vector<Span>* list : {&sends, &receives})
            if (!std::is_sorted(list->begin(), list->end())) std::sort(list->begin(), list->end());
        Picoseconds busy{}, last{};
        const auto take = [&](const Span& span) {
            busy += std::max(Picoseconds{}, span.second - std::max(span.first, last));
            last = std::max(last, span.second);
        };
        auto send = sends.begin();
        auto receive = receives.begin();
        while (send != sends.end() || receive != receives.end()) {
            const bool sentFirst = receive == receives.end() || (send != sends.end() && *send < *receive);
            take(sentFirst ? *send++ : *receive++);
        }
        perRank[rank] = {busy, last - busy, recording.duration - last};
    });
    return perRank;
}

/// Which messages are kept: all, or the `budget` that begin first.
std::vector<bool> keptOf(const Messages& messages, std::size_t budget) {
    if (messages.size() <= budget) return std::vector<bool>(messages.size(), true);
    std::vector<std::uint32_t> order(messages.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(budget);
    std::nth_element(order.begin(), middle, order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair{messages.sendBegin[a], a} < std::pair{messages.sendBegin[b], b};
    });
    std::vector<bool> kept(messages.size());
    for (auto at = order.begin(); at != middle; ++at) kept[*at] = true;
    return kept;
}

constexpr Bytes mostBytes = Bytes{1} << 62;  ///< of a damaged trace

Run foreignRunOf(const Recording& recording, const engine::Progress& progress, std::int64_t budget) {
    Run run;
    run.setting.on = "trace";
    run.ranks = recording.ranks;
    run.duration = recording.duration;
    const Messages& messages = recording.messages;
    const std::vector<bool> kept = keptOf(messages, static_cast<std::size_t>(std::max<std::int64_t>(budget, 0)));
    progress.at(0.3);
    run.messages.reserve(static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true)));
    engine::RoundTimes round{run.duration, {}, 0, 0, 0};
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const engine::MessageRecord message{messages.from[i],         messages.to[i],        Round{0},
                                            messages.bytes[i],        messages.sendBegin[i], messages.sendEnd[i],
                                            messages.receiveBegin[i], messages.receiveEnd[i]};
        if (kept[i]) run.messages.push(message, {});
        round.begin = std::min({round.begin, message.sendBegin, message.receiveBegin});
        round.end = std::max({round.end, message.sendEnd, message.receiveEnd});
        round.bytes = std::min(round.bytes + message.bytes, mostBytes);
        round.largest = std::max(round.largest, message.bytes);
    }
    progress.at(0.6);
    round.messages = run.messageCount = static_cast<std::int64_t>(messages.size());
    run.byteCount = round.bytes;
    run.droppedMessages = run.messageCount - static_cast<std::int64_t>(run.messages.size());
    if (round.messages > 0) {
        run.rounds = 1;
        run.perRound.push_back(round);
    }
    run.perRank = rankTimes(recording);
    return run;
}

void addRemarks(const Recording& recording, Run& run) {
    run.remarks.emplace_back("rounds were not recorded");
    run.remarks.emplace_back("message contents were not recorded");
    const auto sends = std::count_if(recording.halves.begin(), recording.halves.end(),
                                     [](const Half& half) { return half.side == Side::send; });
    const auto receives = static_cast<std::ptrdiff_t>(recording.halves.size()) - sends;
    if (sends != 0 || receives != 0)
        run.remarks.push_back(
            text("messages with only one half were left out: ", sends, " sends, ", receives, " receives"));
    if (const std::size_t parts = recording.collectives.participants.size(); parts != 0)
        run.remarks.push_back(text(parts, " calls of collectives were recorded without their messages"));
    for (const NotRecorded& absence : recording.absences)
        if (absence.what == Absence::messages || absence.what == Absence::collective || absence.what == Absence::file ||
            absence.what == Absence::receiveCompletion || absence.what == Absence::anyMessage ||
            absence.what == Absence::clocks)
            run.remarks.push_back(absence.words);
    run.remarks.insert(run.remarks.end(), recording.remarks.begin(), recording.remarks.end());
}

}  // namespace

Run runOf(const Recording& recording, const engine::Progress& progress, std::int64_t budget) {
    if (isOwn(recording)) return ownRunOf(recording);
    Run run = foreignRunOf(recording, progress, budget);
    addRemarks(recording, run);
    return run;
}

Run read(const std::filesystem::path& path, const engine::Progress& progress) {
    return runOf(*readRecording(path, progress), {.stop = progress.stop});
}

}  // namespace traces
