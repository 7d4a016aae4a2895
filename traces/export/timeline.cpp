// SPDX-License-Identifier: BSD-3-Clause
#include "traces/export/timeline.hpp"

#include "engine/text.hpp"
#include "traces/export/lanes.hpp"
#include "traces/grouped.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace traces {
namespace {

using engine::text;

/// Numbers the messages of a rank within a round: each port becomes a row of its own, so that none overlap.
class PortsOfRound {
public:
    int next(Rank rank, engine::Round round) {
        auto& [latest, port] = byRank_[rank.value];
        port = latest == round ? port + 1 : 0;
        latest = round;
        return port;
    }

private:
    std::map<std::int32_t, std::pair<engine::Round, int>> byRank_;
};

/// Tells a recording.
class Telling {
public:
    Telling(const Recording& recording, Timeline& timeline) : all_{recording}, timeline_{timeline} {}

    void tell() {
        names();
        for (std::size_t i = 0; i < all_.states.size(); ++i) calls(i);
        collectives();
        messages();
        halves();
        timeline_.close();
    }

private:
    /// Rows of a process: what its first message and its first collective lie in, then its locations, then what more
    /// of both is under way at once.
    static constexpr std::int64_t messageRow = 0, collectiveRow = 1, firstLocation = 2;

    /// A span of a rank, and what it is of.
    struct Span {
        Picoseconds begin{};
        Picoseconds end{};
        std::uint64_t what = 0;

        friend auto operator<=>(const Span&, const Span&) = default;
    };

    [[nodiscard]] std::int64_t processOf(Rank rank) const { return rank == noRank ? all_.ranks : rank.value; }
    [[nodiscard]] TimelineRow rowOf(std::size_t location) const {
        return {processOf(all_.locations[location].rank), firstLocation + static_cast<std::int64_t>(location)};
    }

    void names() {
        for (std::int32_t rank = 0; rank < all_.ranks; ++rank) {
            timeline_.nameProcess(rank, text("rank ", rank));
            timeline_.nameRow({rank, messageRow}, "messages");
            timeline_.nameRow({rank, collectiveRow}, "collectives");
        }
        for (std::size_t i = 0; i < all_.locations.size(); ++i) timeline_.nameRow(rowOf(i), all_.locations[i].name);
    }

    void calls(std::size_t location) {
        const States& states = all_.states[location];
        const TimelineRow row = rowOf(location);
        timeline_.slices(states.size(), [&](std::size_t i) {
            const Region& region = all_.regions[static_cast<std::size_t>(states.region[i])];
            TimelineSlice slice{.words = region.name,
                                .category = region.call == Call::none ? "call" : "mpi",
                                .row = row,
                                .begin = states.begin[i],
                                .end = states.end[i]};
            if (region.recorded == Recorded::no) slice.details = {{"messages", "not recorded"}};
            return slice;
        });
    }

    /// Tells spans_, which are those of `rank`, in the order of time, as `slice` makes them. The first `sorted` of
    /// them, and the others, are mostly in order.
    template <class Slice>
    void inLanes(Rank rank, std::int64_t firstRow, const char* name, std::size_t sorted, Slice slice) {
        const auto middle = spans_.begin() + static_cast<std::ptrdiff_t>(sorted);
        for (const auto& [begin, end] : {std::pair{spans_.begin(), middle}, std::pair{middle, spans_.end()}})
            if (!std::is_sorted(begin, end)) std::sort(begin, end);
        std::inplace_merge(spans_.begin(), middle, spans_.end());
        const auto rowOfLane = [&](int lane) {
            return TimelineRow{rank.value, lane == 0
                                               ? firstRow
                                               : firstLocation + static_cast<std::int64_t>(all_.locations.size()) +
                                                     2 * std::int64_t{lane} + firstRow};
        };
        Lanes lanes;
        laneOf_.clear();
        for (const Span& span : spans_) laneOf_.push_back(lanes.take(span.begin, span.end));
        for (int lane = 1; lane < lanes.count(); ++lane) timeline_.nameRow(rowOfLane(lane), text(name, ' ', lane + 1));
        timeline_.slices(spans_.size(), [&](std::size_t i) {
            TimelineSlice its = slice(spans_[i].what);
            its.row = rowOfLane(laneOf_[i]);
            its.begin = spans_[i].begin;
            its.end = spans_[i].end;
            return its;
        });
        spans_.clear();
    }

    void collectives() {
        const std::span<const Participant> parts = all_.collectives.participants.span();
        std::vector<Rank> who(parts.size());
        std::vector<std::uint32_t> instanceOf(parts.size());
        for (std::uint32_t i = 0; i < all_.collectives.instances.size(); ++i) {
            const Collective& instance = all_.collectives.instances[i];
            std::fill_n(instanceOf.begin() + static_cast<std::ptrdiff_t>(instance.first), instance.count, i);
        }
        std::transform(parts.begin(), parts.end(), who.begin(), [](const Participant& part) { return part.rank; });
        const Grouped ofRank{who, all_.ranks};
        for (Rank rank{0}; rank.value < all_.ranks; ++rank) {
            for (const std::uint32_t i : ofRank.of(rank)) spans_.push_back({parts[i].begin, parts[i].end, i});
            inLanes(rank, collectiveRow, "collectives", 0, [&](std::uint64_t i) {
                const Collective& instance = all_.collectives.instances[instanceOf[i]];
                const Communicator& among = all_.communicators[static_cast<std::size_t>(instance.communicator)];
                return TimelineSlice{.words = nameOf(instance.operation),
                                     .category = "collective",
                                     .row = {},
                                     .details = {{"communicator", among.name},
                                                 {"sent", parts[i].sent},
                                                 {"received", parts[i].received},
                                                 {"complete", instance.complete}}};
            });
        }
    }

    void messages() {
        const Messages& m = all_.messages;
        const Grouped sends{m.from.span(), all_.ranks};
        const Grouped receives{m.to.span(), all_.ranks};
        for (Rank rank{0}; rank.value < all_.ranks; ++rank) {
            for (const std::uint64_t i : sends.of(rank)) spans_.push_back({m.sendBegin[i], m.sendEnd[i], 2 * i});
            const std::size_t sent = spans_.size();
            for (const std::uint64_t i : receives.of(rank))
                spans_.push_back({m.receiveBegin[i], m.receiveEnd[i], 2 * i + 1});
            inLanes(rank, messageRow, "messages", sent,
                    [&](std::uint64_t what) { return what % 2 == 0 ? send(what / 2) : receive(what / 2); });
        }
    }

    [[nodiscard]] TimelineSlice send(std::uint64_t i) const {
        const Messages& m = all_.messages;
        return {.words = "send",
                .category = "message",
                .row = {},
                .details = {{"to", m.to[i].value}, {"bytes", m.bytes[i]}, {"tag", m.tag[i]}},
                .arrow = TimelineArrow{i, true, m.sendBegin[i]}};
    }

    [[nodiscard]] TimelineSlice receive(std::uint64_t i) const {
        const Messages& m = all_.messages;
        const TimelineDetail sender{"from", m.from[i].value}, size{"bytes", m.bytes[i]}, label{"tag", m.tag[i]};
        TimelineSlice slice{.words = "receive",
                            .category = "message",
                            .row = {},
                            .details = {sender, size, label},
                            .arrow = TimelineArrow{i, false, m.receiveEnd[i]}};
        if ((m.flags[i] & flag::receiveInferred) != 0) slice.details = {sender, size, label, {"inferred", true}};
        return slice;
    }

    void halves() {
        for (const Half& half : all_.halves)
            timeline_.instant(text(half.side == Side::send ? "send" : "receive", " without its other end"), "half",
                              {processOf(half.self), messageRow}, half.begin);
    }

    const Recording& all_;
    Timeline& timeline_;
    std::vector<Span> spans_;
    std::vector<int> laneOf_;  ///< beside spans_
};

}  // namespace

TimelineAbout aboutOf(const Recording& recording) {
    TimelineAbout about{.trace = recording.name, .notRecorded = {}};
    for (const NotRecorded& absence : recording.absences) about.notRecorded.push_back(absence.words);
    return about;
}

void tell(const engine::Run& run, Timeline& timeline) {
    for (std::int32_t rank = 0; rank < run.ranks; ++rank) timeline.nameProcess(rank, text("rank ", rank));
    PortsOfRound sends;
    PortsOfRound receives;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const engine::MessageRecord m = run.messages[i];
        const TimelineRow from{m.from.value, 2 * sends.next(m.from, m.round)};
        const TimelineRow to{m.to.value, 2 * receives.next(m.to, m.round) + 1};
        const TimelineDetails details{{"round", m.round.value}, {"bytes", m.bytes}};
        timeline.slice({.words = text("to ", m.to),
                        .category = {},
                        .row = from,
                        .begin = m.sendBegin,
                        .end = m.sendEnd,
                        .details = details,
                        .arrow = TimelineArrow{i, true, m.sendBegin}});
        timeline.slice({.words = text("from ", m.from),
                        .category = {},
                        .row = to,
                        .begin = m.receiveBegin,
                        .end = m.receiveEnd,
                        .details = details,
                        .arrow = TimelineArrow{i, false, m.receiveBegin}});
    }
    timeline.close();
}

void tell(const Recording& recording, Timeline& timeline) { Telling{recording, timeline}.tell(); }

}  // namespace traces
