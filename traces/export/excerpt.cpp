// SPDX-License-Identifier: BSD-3-Clause
#include "traces/export/excerpt.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace traces {
namespace {

class Cutting {
public:
    Cutting(const Recording& recording, const Excerpt& wanted)
        : all_{recording},
          span_{wanted.span.value_or(TimeSpan{Picoseconds{0}, recording.duration + Picoseconds{1}})},
          everyone_{wanted.ranks.empty()},
          chosen_(engine::asSize(recording.ranks), everyone_) {
        for (const Rank rank : wanted.ranks) {
            if (rank.value < 0 || rank.value >= recording.ranks)
                throw engine::Error{
                    engine::text("rank ", rank, " is not in the trace; it has ranks 0..", recording.ranks - 1)};
            chosen_[rank.index()] = true;
        }
    }

    Recording part() const {
        Recording part = all_;
        part.own.reset();
        std::erase_if(part.properties,
                      [](const auto& property) { return property.first.starts_with(own::properties); });
        for (std::size_t i = 0; i < part.states.size(); ++i) part.states[i] = statesOf(i);
        for (std::size_t i = 0; i < part.notices.size(); ++i) part.notices[i] = noticesOf(i);
        for (Location& location : part.locations) {
            location.first = has(location.rank) ? std::clamp(location.first, span_.begin, span_.end) : Picoseconds{};
            location.last = has(location.rank) ? std::clamp(location.last, span_.begin, span_.end) : Picoseconds{};
        }
        for (MetricSamples& samples : part.samples) cut(samples);
        std::erase_if(part.samples, [](const MetricSamples& samples) { return samples.time.empty(); });
        std::erase_if(part.markers, [&](const Marker& marker) {
            const bool kept = marker.location == noIndex || has(all_.locations[engine::asSize(marker.location)].rank);
            return !kept || marker.end < span_.begin || marker.begin >= span_.end;
        });
        for (Marker& marker : part.markers) {
            marker.begin = std::max(marker.begin, span_.begin);
            marker.end = std::max(marker.begin, std::min(marker.end, span_.end));
        }
        messages(part);
        collectives(part);
        absences(part);
        std::erase_if(part.unfinished,
                      [&](const Unfinished& begun) { return !has(begun.rank) || !inside(begun.begin); });
        return part;
    }

private:
    [[nodiscard]] bool has(Rank rank) const { return rank == noRank ? everyone_ : chosen_[rank.index()]; }
    [[nodiscard]] bool inside(Picoseconds time) const { return span_.begin <= time && time < span_.end; }
    /// A receive that was posted before the span, or a send that completes after it, is cut as calls are.
    [[nodiscard]] Picoseconds cut(Picoseconds time) const { return std::clamp(time, span_.begin, span_.end); }
    /// What lasts until the end of the span lies in it.
    [[nodiscard]] bool endsInside(Picoseconds time) const { return span_.begin <= time && time <= span_.end; }

    [[nodiscard]] States statesOf(std::size_t location) const {
        const States& states = all_.states[location];
        if (!has(all_.locations[location].rank)) return {};
        std::vector<Picoseconds> begin, end;
        std::vector<std::int32_t> region;
        std::vector<std::uint16_t> depth;
        std::vector<std::uint32_t> open;
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (!overlaps(states, i)) continue;
            const auto was = std::binary_search(states.open.begin(), states.open.end(), static_cast<std::uint32_t>(i));
            if (was) open.push_back(static_cast<std::uint32_t>(begin.size()));
            begin.push_back(std::max(states.begin[i], span_.begin));
            end.push_back(std::min(states.end[i], span_.end));
            region.push_back(states.region[i]);
            depth.push_back(states.depth[i]);
        }
        return {std::move(begin), std::move(end), std::move(region), std::move(depth), std::move(open)};
    }

    [[nodiscard]] bool overlaps(const States& states, std::size_t call) const {
        return states.end[call] >= span_.begin && states.begin[call] < span_.end;
    }

    [[nodiscard]] Column<Notice> noticesOf(std::size_t location) const {
        if (!has(all_.locations[location].rank)) return {};
        const States& states = all_.states[location];
        std::vector<Notice> notices;
        std::set<std::uint16_t> underWay;  // operations on files that begin in the part
        std::size_t call = 0;
        std::uint32_t entered = 0;  // of the calls before it those that are kept
        for (Notice notice : all_.notices[location]) {
            for (; call < notice.entered; ++call) entered += overlaps(states, call) ? 1 : 0;
            if (!inside(notice.time)) continue;
            const bool ends = notice.kind == NoticeKind::endOperation || notice.kind == NoticeKind::cancelOperation;
            if (notice.kind == NoticeKind::beginOperation) underWay.insert(notice.slot);
            if (ends && underWay.erase(notice.slot) == 0) continue;
            notice.entered = entered;
            notices.push_back(notice);
        }
        return notices;
    }

    void cut(MetricSamples& samples) const {
        const bool kept = has(all_.locations[engine::asSize(samples.location)].rank);
        const auto from = std::lower_bound(samples.time.begin(), samples.time.end(), span_.begin);
        const auto to = kept ? std::lower_bound(from, samples.time.end(), span_.end) : from;
        const auto first = from - samples.time.begin(), end = to - samples.time.begin();
        const auto within = [&](const auto& column) {
            return std::vector(column.begin() + first, column.begin() + end);
        };
        for (Column<double>& values : samples.values) values = within(values);
        samples.time = within(samples.time);
    }

    void messages(Recording& part) const {
        std::vector<Rank> from, to;
        std::vector<std::int32_t> communicator;
        std::vector<std::uint32_t> tag;
        std::vector<Bytes> bytes;
        std::vector<Picoseconds> sendBegin, sendEnd, receiveBegin, receiveEnd;
        std::vector<MessageFlags> flags;
        std::vector<Half> halves;
        std::copy_if(all_.halves.begin(), all_.halves.end(), std::back_inserter(halves), [&](const Half& half) {
            return has(half.self) && (half.side == Side::send ? inside(half.begin) : endsInside(half.end));
        });
        for (Half& half : halves) half.begin = cut(half.begin), half.end = cut(half.end);
        for (std::size_t i = 0; i < all_.messages.size(); ++i) {
            const Message m = all_.messages[i];
            const bool sends = has(m.from) && inside(m.sendBegin);
            const bool receives = has(m.to) && endsInside(m.receiveEnd);
            // Where both ranks are there, an end without its other one would be taken for that of another message.
            if (sends != receives && !(has(m.from) && has(m.to)))
                halves.push_back(
                    {.side = sends ? Side::send : Side::receive,
                     .self = sends ? m.from : m.to,
                     .peer = sends ? m.to : m.from,
                     .communicator = m.communicator,
                     .tag = m.tag,
                     .bytes = m.bytes,
                     .begin = cut(sends ? m.sendBegin : m.receiveBegin),
                     .end = cut(sends ? m.sendEnd : m.receiveEnd),
                     .nonBlocking = (m.flags & (sends ? flag::sendNonBlocking : flag::receiveNonBlocking)) != 0});
            if (!sends || !receives) continue;
            from.push_back(m.from);
            to.push_back(m.to);
            communicator.push_back(m.communicator);
            tag.push_back(m.tag);
            bytes.push_back(m.bytes);
            sendBegin.push_back(m.sendBegin);
            sendEnd.push_back(cut(m.sendEnd));
            receiveBegin.push_back(cut(m.receiveBegin));
            receiveEnd.push_back(m.receiveEnd);
            flags.push_back(m.flags);
        }
        part.messages = {std::move(from),       std::move(to),        std::move(communicator), std::move(tag),
                         std::move(bytes),      std::move(sendBegin), std::move(sendEnd),      std::move(receiveBegin),
                         std::move(receiveEnd), std::move(flags)};
        part.halves = std::move(halves);
    }

    void collectives(Recording& part) const {
        std::vector<Collective> instances;
        std::vector<Participant> participants;
        std::vector<std::int32_t> placeOf;  // of each instance in the part
        for (const Collective& instance : all_.collectives.instances) {
            Collective kept = instance;
            kept.first = participants.size();
            // Likewise: of the ranks that are there all parts, or none.
            bool whole = true;
            for (const Participant& one : all_.collectives.of(instance)) {
                if (!has(one.rank)) continue;
                whole = whole && inside(one.begin) && endsInside(one.end);
                participants.push_back(one);
            }
            if (!whole) participants.resize(kept.first);
            kept.count = participants.size() - kept.first;
            kept.complete = kept.complete && kept.count == instance.count;
            placeOf.push_back(kept.count > 0 ? static_cast<std::int32_t>(instances.size()) : noIndex);
            if (kept.count > 0) instances.push_back(kept);
        }
        library(part, placeOf);
        part.collectives = {std::move(instances), std::move(participants)};
    }

    /// Messages of the library are there with their collectives, between ranks that are there.
    void library(Recording& part, const std::vector<std::int32_t>& placeOf) const {
        const Messages& all = all_.library.messages;
        std::vector<std::size_t> kept;
        std::vector<std::int32_t> within;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::int32_t was = all_.library.collective[i];
            const std::int32_t place = was == noIndex ? noIndex : placeOf[engine::asSize(was)];
            const bool lies =
                was == noIndex ? inside(all.sendBegin[i]) && endsInside(all.receiveEnd[i]) : place != noIndex;
            if (!lies || !has(all.from[i]) || !has(all.to[i])) continue;
            kept.push_back(i);
            within.push_back(place);
        }
        const auto of = [&]<class T>(const Column<T>& column) {
            std::vector<T> values;
            for (const std::size_t i : kept) values.push_back(column[i]);
            return Column<T>{std::move(values)};
        };
        part.library.messages = {of(all.from),       of(all.to),        of(all.communicator), of(all.tag),
                                 of(all.bytes),      of(all.sendBegin), of(all.sendEnd),      of(all.receiveBegin),
                                 of(all.receiveEnd), of(all.flags)};
        part.library.collective = std::move(within);
    }

    /// What is said of locations and times that lie outside is not said of the part.
    void absences(Recording& part) const {
        const auto outside = [&](std::int32_t location) {
            return location != noIndex && !has(all_.locations[engine::asSize(location)].rank);
        };
        std::erase_if(part.absences, [&](const NotRecorded& absence) {
            if (outside(absence.location)) return true;
            const bool lasts =
                absence.what == Absence::interval || (absence.what == Absence::file && absence.end > absence.begin);
            return lasts && (absence.begin >= span_.end || absence.end <= span_.begin);
        });
        for (NotRecorded& absence : part.absences) {
            absence.begin = std::clamp(absence.begin, span_.begin, span_.end);
            absence.end = std::clamp(absence.end, span_.begin, span_.end);
        }
        std::erase_if(part.earlyEnds, [&](const EarlyEnd& early) { return outside(early.location); });
    }

    const Recording& all_;
    TimeSpan span_;
    bool everyone_;
    std::vector<bool> chosen_;
};

}  // namespace

Recording excerptOf(const Recording& recording, const Excerpt& wanted) { return Cutting{recording, wanted}.part(); }

}  // namespace traces
