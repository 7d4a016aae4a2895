// SPDX-License-Identifier: BSD-3-Clause
#include "traces/export/timeline.hpp"

#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"
#include "traces/export/slice_rows.hpp"
#include "traces/recording/by_rank.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

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
        calls();
        collectives();
        messages();
        halves();
        timeline_.close();
    }

private:
    /// Rows of a process: what its first message and its first collective lie in, then its locations, then what more
    /// of both is open at once.
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

    /// Slices of one row, or spans of one rank, that are written together.
    struct Piece {
        std::size_t of = 0;  ///< which row or rank
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    static void cut(std::size_t of, std::size_t count, std::vector<Piece>& pieces) {
        constexpr std::size_t most = std::size_t{1} << 15;
        for (std::size_t begin = 0; begin < count; begin += most)
            pieces.push_back({of, begin, std::min(begin + most, count)});
    }

    void calls() {
        std::vector<Piece> pieces;
        for (std::size_t i = 0; i < all_.states.size(); ++i) cut(i, all_.states[i].size(), pieces);
        timeline_.inParts(pieces.size(), [&](std::size_t i, Timeline& timeline) { calls(pieces[i], timeline); });
    }

    void calls(const Piece& piece, Timeline& timeline) const {
        const States& states = all_.states[piece.of];
        const TimelineRow row = rowOf(piece.of);
        for (std::size_t i = piece.begin; i < piece.end; ++i) {
            const Region& region = all_.regions[static_cast<std::size_t>(states.region[i])];
            const char* category = region.call == Call::none ? "call" : "mpi";
            if (region.recorded == Recorded::no)
                timeline.slice(region.name, category, row, states.begin[i], states.end[i],
                               {{"messages", "not recorded"}}, {});
            else timeline.slice(region.name, category, row, states.begin[i], states.end[i], {}, {});
        }
    }

    /// Spans of a rank in the order of time, and which of its rows each lies in.
    struct InLanes {
        std::vector<Span> spans;
        std::vector<std::int32_t> lanes;  ///< by span
        std::int32_t count = 0;

        /// The first `sorted` spans, and the others, are mostly in order.
        void arrange(std::size_t sorted) {
            const auto middle = spans.begin() + static_cast<std::ptrdiff_t>(sorted);
            for (const auto& [begin, end] : {std::pair{spans.begin(), middle}, std::pair{middle, spans.end()}})
                if (!std::is_sorted(begin, end)) std::sort(begin, end);
            std::inplace_merge(spans.begin(), middle, spans.end());
            Lanes rows;
            lanes.clear();
            lanes.reserve(spans.size());
            for (const Span& span : spans) lanes.push_back(rows.take(span.begin, span.end));
            count = rows.count();
        }
    };

    /// What lies in rows of ranks that begin with `firstRow`, and what these are named.
    struct Kind {
        std::int64_t firstRow = 0;
        const char* name = nullptr;
    };
    [[nodiscard]] TimelineRow rowOf(Rank rank, const Kind& kind, std::int32_t lane) const {
        if (lane == 0) return {rank.value, kind.firstRow};
        return {rank.value, firstLocation + static_cast<std::int64_t>(all_.locations.size()) + 2 * std::int64_t{lane} +
                                kind.firstRow};
    }

    /// Calls each(timeline, row, span) for the spans of all ranks. `fill(rank, spans)` adds those of one, the first so
    /// many of which, as it returns, are mostly in order, and so are the others; `countOf(rank)`: how many it will be.
    /// Some ranks at once, for cores to have enough to do beside each other.
    template <class CountOf, class Fill, class Each>
    void inLanes(const Kind& kind, CountOf countOf, Fill fill, Each each) {
        constexpr std::size_t enough = std::size_t{1} << 18;
        std::vector<InLanes> together;
        for (Rank first{0}; first.value < all_.ranks;) {
            const Rank behind = engine::worthTogether(first, all_.ranks, enough, countOf);
            together.resize(engine::asSize(behind.value - first.value));
            const auto rankAt = [&](std::size_t k) { return Rank{first.value + static_cast<std::int32_t>(k)}; };
            engine::parallelFor(together.size(), [&](std::size_t k) {
                together[k].spans.clear();
                together[k].arrange(fill(rankAt(k), together[k].spans));
            });
            std::vector<Piece> pieces;
            for (std::size_t k = 0; k < together.size(); ++k) {
                for (std::int32_t lane = 1; lane < together[k].count; ++lane)
                    timeline_.nameRow(rowOf(rankAt(k), kind, lane), text(kind.name, ' ', lane + 1));
                cut(k, together[k].spans.size(), pieces);
            }
            timeline_.inParts(pieces.size(), [&](std::size_t i, Timeline& timeline) {
                const auto& [k, begin, end] = pieces[i];
                for (std::size_t s = begin; s < end; ++s)
                    each(timeline, rowOf(rankAt(k), kind, together[k].lanes[s]), together[k].spans[s]);
            });
            first = behind;
        }
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
        inLanes(
            {collectiveRow, "collectives"}, [&](Rank rank) { return ofRank.of(rank).size(); },
            [&](Rank rank, std::vector<Span>& spans) {
                for (const std::uint32_t i : ofRank.of(rank)) spans.push_back({parts[i].begin, parts[i].end, i});
                return std::size_t{0};
            },
            [&](Timeline& timeline, TimelineRow row, const Span& span) {
                const Participant& part = parts[span.what];
                const Collective& instance = all_.collectives.instances[instanceOf[span.what]];
                timeline.slice(
                    nameOf(instance.operation), "collective", row, span.begin, span.end,
                    {{"communicator", all_.communicators[static_cast<std::size_t>(instance.communicator)].name},
                     {"sent", part.sent},
                     {"received", part.received},
                     {"complete", instance.complete}},
                    {});
            });
    }

    void messages() {
        const Messages& m = all_.messages;
        const Grouped sends{m.from.span(), all_.ranks};
        const Grouped receives{m.to.span(), all_.ranks};
        inLanes(
            {messageRow, "messages"}, [&](Rank rank) { return sends.of(rank).size() + receives.of(rank).size(); },
            [&](Rank rank, std::vector<Span>& spans) {
                for (const std::uint64_t i : sends.of(rank)) spans.push_back({m.sendBegin[i], m.sendEnd[i], 2 * i});
                const std::size_t sent = spans.size();
                for (const std::uint64_t i : receives.of(rank))
                    spans.push_back({m.receiveBegin[i], m.receiveEnd[i], 2 * i + 1});
                return sent;
            },
            [&](Timeline& timeline, TimelineRow row, const Span& span) {
                const std::uint64_t i = span.what / 2;
                if (span.what % 2 == 0) send(timeline, row, i);
                else receive(timeline, row, i);
            });
    }

    void send(Timeline& timeline, TimelineRow row, std::uint64_t i) const {
        const Messages& m = all_.messages;
        timeline.slice("send", "message", row, m.sendBegin[i], m.sendEnd[i],
                       {{"to", m.to[i].value}, {"bytes", m.bytes[i]}, {"tag", m.tag[i]}},
                       TimelineArrow{i, true, m.sendBegin[i]});
    }

    void receive(Timeline& timeline, TimelineRow row, std::uint64_t i) const {
        const Messages& m = all_.messages;
        const TimelineDetail sender{"from", m.from[i].value}, size{"bytes", m.bytes[i]}, label{"tag", m.tag[i]};
        const TimelineArrow arrow{i, false, m.receiveEnd[i]};
        if ((m.flags[i] & flag::receiveInferred) != 0)
            timeline.slice("receive", "message", row, m.receiveBegin[i], m.receiveEnd[i],
                           {sender, size, label, {"inferred", true}}, arrow);
        else
            timeline.slice("receive", "message", row, m.receiveBegin[i], m.receiveEnd[i], {sender, size, label}, arrow);
    }

    void halves() {
        for (const Half& half : all_.halves)
            timeline_.instant(text(half.side == Side::send ? "send" : "receive", " without its other end"), "half",
                              {processOf(half.self), messageRow}, half.begin);
    }

    const Recording& all_;
    Timeline& timeline_;
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
        timeline.slice(text("to ", m.to), {}, from, m.sendBegin, m.sendEnd, details,
                       TimelineArrow{i, true, m.sendBegin});
        timeline.slice(text("from ", m.from), {}, to, m.receiveBegin, m.receiveEnd, details,
                       TimelineArrow{i, false, m.receiveBegin});
    }
    timeline.close();
}

void tell(const Recording& recording, Timeline& timeline) { Telling{recording, timeline}.tell(); }

}  // namespace traces
