// SPDX-License-Identifier: BSD-3-Clause
#include "traces/recording/run_from_recording.hpp"

#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/first_sent.hpp"
#include "traces/recording/recorded_rank_times.hpp"
#include "traces/recording/training.hpp"
#include "traces/storage/large_pages.hpp"

#include <algorithm>
#include <future>

namespace traces {

using engine::Round;
using engine::Run;
using engine::text;

namespace {

constexpr Bytes mostBytes = Bytes{1} << 62;  ///< of a damaged trace

/// All messages as one round, a piece of them by each core.
engine::RoundTimes roundOf(const Messages& messages) {
    constexpr std::size_t piece = std::size_t{1} << 16;
    std::vector<engine::RoundTimes> pieces((messages.size() + piece - 1) / piece);
    engine::parallelFor(pieces.size(), [&](std::size_t k) {
        for (std::size_t i = k * piece; i < std::min(messages.size(), (k + 1) * piece); ++i) {
            pieces[k].add({messages.from[i], messages.to[i], Round{0}, messages.bytes[i], messages.sendBegin[i],
                           messages.sendEnd[i], messages.receiveBegin[i], messages.receiveEnd[i]});
            pieces[k].bytes = std::min(pieces[k].bytes, mostBytes);
        }
    });
    engine::RoundTimes all;
    for (const engine::RoundTimes& its : pieces) {
        all.begin = all.messages == 0 ? its.begin : std::min(all.begin, its.begin);
        all.end = std::max(all.end, its.end);
        all.messages += its.messages;
        all.bytes = std::min(all.bytes + its.bytes, mostBytes);
        all.largest = std::max(all.largest, its.largest);
    }
    return all;
}

Run foreignRunOf(const Recording& recording, const engine::Progress& progress, std::int64_t budget, BusyRanks busy) {
    Run run;
    run.setting.on = "trace";
    run.ranks = recording.ranks;
    run.duration = recording.duration;
    const Messages& messages = recording.messages;
    // Neither needs the other.
    std::future<std::vector<engine::RankTimes>> perRank;
    if (busy == BusyRanks::told)
        perRank = std::async(std::launch::async, [&] {
            return rankTimes({messages.from.span(), messages.to.span(), messages.sendBegin.span(),
                              messages.sendEnd.span(), messages.receiveBegin.span(), messages.receiveEnd.span()},
                             recording.ranks, recording.duration);
        });
    const std::vector<std::uint32_t> kept =
        firstSent(messages.sendBegin.span(), engine::asSize(std::max<std::int64_t>(budget, 0)));
    progress.at(0.3);
    reserveMessages(run.messages, kept.size());
    for (const std::uint32_t i : kept)
        run.messages.push({messages.from[i], messages.to[i], Round{0}, messages.bytes[i], messages.sendBegin[i],
                           messages.sendEnd[i], messages.receiveBegin[i], messages.receiveEnd[i]},
                          {});
    const engine::RoundTimes round = roundOf(messages);
    progress.at(0.6);
    run.messageCount = round.messages;
    run.byteCount = round.bytes;
    run.droppedMessages = run.messageCount - static_cast<std::int64_t>(run.messages.size());
    if (round.messages > 0) {
        run.rounds = 1;
        run.perRound.push_back(round);
    }
    if (busy == BusyRanks::told) run.perRank = perRank.get();
    return run;
}

void addRemarks(const Recording& recording, Run& run) {
    // Nobody expects rounds and contents in traces of accelerators.
    if (isTraining(recording)) return;
    run.remarks.emplace_back("rounds were not recorded");
    run.remarks.emplace_back("message contents were not recorded");
    const auto sends = std::count_if(recording.halves.begin(), recording.halves.end(),
                                     [](const Half& half) { return half.side == Side::send; });
    const auto receives = static_cast<std::ptrdiff_t>(recording.halves.size()) - sends;
    if (sends != 0 || receives != 0)
        run.remarks.push_back(
            text("messages with only one half were left out: ", sends, " sends, ", receives, " receives"));
    const std::int64_t parts = collectivesWithoutMessages(recording).calls;
    if (parts != 0)
        run.remarks.push_back(text(parts,
                                   parts == 1 ? " call of a collective was recorded without its"
                                              : " calls of collectives were recorded without their",
                                   " messages"));
    for (const NotRecorded& absence : recording.absences)
        if (absence.what == Absence::messages || absence.what == Absence::collective || absence.what == Absence::file ||
            absence.what == Absence::receiveCompletion || absence.what == Absence::anyMessage ||
            absence.what == Absence::clocks || absence.what == Absence::sizes)
            run.remarks.push_back(absence.words);
    run.remarks.insert(run.remarks.end(), recording.remarks.begin(), recording.remarks.end());
}

}  // namespace

Run runOf(const Recording& recording, const engine::Progress& progress, std::int64_t budget, BusyRanks busy) {
    if (isOwn(recording)) return ownRunOf(recording);
    Run run = foreignRunOf(recording, progress, budget, busy);
    addRemarks(recording, run);
    return run;
}

Run read(const std::filesystem::path& path, const engine::Progress& progress) {
    return runOf(*readRecording(path, progress), {.stop = progress.stop});
}

}  // namespace traces
