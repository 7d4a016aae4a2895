// SPDX-License-Identifier: BSD-3-Clause
#include "traces/export/perfetto.hpp"

#include "engine/side_by_side.hpp"
#include "engine/text.hpp"
#include "traces/export/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace traces {
namespace {

constexpr std::size_t bufferBytes = std::size_t{1} << 18;

// Numbers of fields, by message, as perfetto.proto has them.
namespace trace {
constexpr int packet = 1;
}
namespace packet {
constexpr int timestamp = 8, sequence = 10, event = 11, interned = 12, flags = 13, descriptor = 60;
constexpr std::uint64_t cleared = 1, needsWords = 2;  // of flags
}  // namespace packet
namespace descriptor {
constexpr int uuid = 1, name = 2, process = 3, parent = 5;
}
namespace process {
constexpr int pid = 1, name = 6;
}
namespace event {
constexpr int category = 3, annotation = 4, type = 9, name = 10, track = 11, flow = 47, lastFlow = 48;
constexpr int begin = 1, end = 2, instant = 3;  // of type
}  // namespace event
namespace annotation {
constexpr int name = 1, yes = 2, number = 4, words = 6;
}
namespace interned {
constexpr int number = 1, words = 2;
}

constexpr std::size_t slicesOfPiece = 4096;
constexpr std::size_t mostPieces = 16;

template <class Numbers>
void detail(ProtoMessage& to, const TimelineDetail& one, Numbers& numbers) {
    const std::size_t its = to.open(event::annotation);
    to.number(annotation::name, numbers.key(one.key));
    if (const auto* whole = std::get_if<std::int64_t>(&one.value))
        to.number(annotation::number, static_cast<std::uint64_t>(*whole));
    else if (const auto* yes = std::get_if<bool>(&one.value)) to.number(annotation::yes, *yes ? 1 : 0);
    else to.words(annotation::words, validUtf8(std::get<std::string_view>(one.value)));
    to.close(its);
}

/// An event of which `fields` writes what it has.
template <class Numbers, class Fields>
void packetAt(ProtoMessage& to, Picoseconds time, Numbers& numbers, Fields fields) {
    const std::size_t all = to.open(trace::packet);
    to.number(packet::timestamp, static_cast<std::uint64_t>(std::max(time, Picoseconds{}).count()) / 1000);
    to.number(packet::sequence, 1);
    const std::size_t its = to.open(packet::event);
    fields();
    to.close(its);
    to.number(packet::flags, packet::needsWords | numbers.newWords(to));
    to.close(all);
}

template <class Numbers>
void begin(ProtoMessage& to, int type, std::string_view words, std::string_view category, std::uint64_t track,
           Numbers& numbers) {
    if (!category.empty()) to.number(event::category, numbers.category(category));
    to.number(event::type, static_cast<std::uint64_t>(type));
    to.number(event::name, numbers.name(words));
    to.number(event::track, track);
}

template <class Numbers>
void sliceTo(ProtoMessage& to, const TimelineSlice& slice, Numbers& numbers) {
    const std::uint64_t track = numbers.track(slice.row);
    packetAt(to, slice.begin, numbers, [&] {
        begin(to, event::begin, slice.words, slice.category, track, numbers);
        for (const TimelineDetail& one : slice.details) detail(to, one, numbers);
        if (slice.arrow) to.fixed(slice.arrow->leaves ? event::flow : event::lastFlow, slice.arrow->id);
    });
    packetAt(to, std::max(slice.begin, slice.end), numbers, [&] {
        to.number(event::type, event::end);
        to.number(event::track, track);
    });
}

}  // namespace

std::uint64_t PerfettoTimeline::Words::operator()(std::string_view words, ProtoMessage& fresh) {
    Latest& latest = latest_[reinterpret_cast<std::uintptr_t>(words.data()) / 8 % latest_.size()];
    if (latest.number != 0 && latest.words == words) return latest.number;
    const auto [known, isNew] = numbers_.try_emplace(std::string{words}, numbers_.size() + 1);
    if (isNew) {
        const std::size_t entry = fresh.open(field_);
        fresh.number(interned::number, known->second);
        fresh.words(interned::words, validUtf8(words));
        fresh.close(entry);
    }
    latest = {known->first, known->second};
    return known->second;
}

std::uint64_t PerfettoTimeline::Words::known(std::string_view words) const {
    const auto known = numbers_.find(std::string{words});
    return known == numbers_.end() ? 0 : known->second;
}

/// Numbers of words and rows, new ones among them.
class PerfettoTimeline::Numbering {
public:
    explicit Numbering(PerfettoTimeline& timeline) : all_{timeline} {}

    std::uint64_t category(std::string_view words) { return all_.categories_(words, all_.fresh_); }
    std::uint64_t name(std::string_view words) { return all_.names_(words, all_.fresh_); }
    std::uint64_t key(std::string_view words) { return all_.keys_(words, all_.fresh_); }
    std::uint64_t track(TimelineRow row) { return all_.trackOf(row); }
    /// Writes the words that are new in this packet; returns its further flags.
    std::uint64_t newWords(ProtoMessage& to) {
        if (!all_.fresh_.bytes().empty()) to.words(packet::interned, all_.fresh_.bytes());
        all_.fresh_.clear();
        return std::exchange(all_.first_, false) ? packet::cleared : 0;
    }

private:
    PerfettoTimeline& all_;
};

/// Numbers of words and rows that were met before, for slices whose words stay where they lie: several threads may have
/// one each.
class PerfettoTimeline::Known {
public:
    explicit Known(const PerfettoTimeline& timeline) : all_{timeline} {}

    std::uint64_t category(std::string_view words) { return of(all_.categories_, categories_, words); }
    std::uint64_t name(std::string_view words) { return of(all_.names_, names_, words); }
    std::uint64_t key(std::string_view words) { return of(all_.keys_, keys_, words); }
    std::uint64_t track(TimelineRow row) {
        if (row == row_) return track_;
        const auto known = all_.tracks_.find(row);
        if (known == all_.tracks_.end()) {
            complete_ = false;
            return 0;
        }
        row_ = row;
        return track_ = known->second;
    }
    static std::uint64_t newWords(ProtoMessage&) { return 0; }
    /// Whether all that was asked for was known.
    [[nodiscard]] bool complete() const { return complete_; }

private:
    struct Latest {
        std::string_view words;
        std::uint64_t number = 0;
    };
    using Latests = std::array<Latest, 64>;

    std::uint64_t of(const Words& all, Latests& latests, std::string_view words) {
        Latest& latest = latests[reinterpret_cast<std::uintptr_t>(words.data()) / 8 % latests.size()];
        if (latest.words.data() == words.data() && latest.words.size() == words.size() && latest.number != 0)
            return latest.number;
        latest = {words, all.known(words)};
        if (latest.number == 0) complete_ = false;
        return latest.number;
    }

    const PerfettoTimeline& all_;
    Latests categories_{}, names_{}, keys_{};
    TimelineRow row_{-1, -1};
    std::uint64_t track_ = 0;
    bool complete_ = true;
};

PerfettoTimeline::PerfettoTimeline(std::ostream& out, const TimelineAbout& about) : out_{out} {
    if (about.trace.empty() && about.notRecorded.empty()) return;
    const std::uint64_t track = ++lastTrack_;
    part_.clear();
    part_.number(descriptor::uuid, track);
    part_.words(descriptor::name, "about the trace");
    writeTrack();
    Numbering numbers{*this};
    packetAt(buffer_, {}, numbers, [&] {
        begin(buffer_, event::instant, "about the trace", {}, track, numbers);
        detail(buffer_, {"trace", about.trace}, numbers);
        for (const std::string& words : about.notRecorded) detail(buffer_, {"not recorded", words}, numbers);
    });
}

void PerfettoTimeline::nameProcess(std::int64_t process, std::string_view words) {
    const std::uint64_t track = processes_[process] = ++lastTrack_;
    part_.clear();
    part_.number(descriptor::uuid, track);
    const std::size_t its = part_.open(descriptor::process);
    part_.number(process::pid, static_cast<std::uint64_t>(process) + 1);  // 0 is the system's own
    part_.words(process::name, validUtf8(words));
    part_.close(its);
    writeTrack();
}

std::uint64_t PerfettoTimeline::processTrack(std::int64_t process) {
    if (!processes_.contains(process)) nameProcess(process, engine::text("process ", process));
    return processes_[process];
}

void PerfettoTimeline::nameRow(TimelineRow row, std::string_view words) {
    const std::uint64_t parent = processTrack(row.process);
    const std::uint64_t track = tracks_[row] = ++lastTrack_;
    part_.clear();
    part_.number(descriptor::uuid, track);
    part_.words(descriptor::name, validUtf8(words));
    part_.number(descriptor::parent, parent);
    writeTrack();
}

std::uint64_t PerfettoTimeline::trackOf(TimelineRow row) {
    if (row == latestRow_) return latestTrack_;
    if (!tracks_.contains(row)) nameRow(row, engine::text("row ", row.row));
    latestRow_ = row;
    latestTrack_ = tracks_[row];
    return latestTrack_;
}

void PerfettoTimeline::slice(const TimelineSlice& slice) {
    Numbering numbers{*this};
    sliceTo(buffer_, slice, numbers);
    writeIfMuch();
}

void PerfettoTimeline::slices(std::size_t count, const std::function<TimelineSlice(std::size_t i)>& describe) {
    struct Piece {
        ProtoMessage bytes;
        bool complete = true;
    };
    std::array<Piece, mostPieces> pieces;
    std::size_t at = 0;
    if (first_ && count > 0) slice(describe(at++));
    // The first of them meet the new words: others in pieces of the same time would not know them.
    for (std::size_t together = 1; at < count; together = std::min(2 * together, mostPieces)) {
        const std::size_t behind = std::min(count, at + together * slicesOfPiece);
        const auto firstOf = [&](std::size_t piece) { return std::min(behind, at + piece * slicesOfPiece); };
        const std::size_t needed = (behind - at + slicesOfPiece - 1) / slicesOfPiece;
        engine::sideBySide(needed, [&](std::size_t k) {
            Known numbers{*this};
            pieces[k].bytes.clear();
            for (std::size_t i = firstOf(k); i < firstOf(k + 1) && numbers.complete(); ++i)
                sliceTo(pieces[k].bytes, describe(i), numbers);
            pieces[k].complete = numbers.complete();
        });
        for (std::size_t k = 0; k < needed; ++k) {
            if (pieces[k].complete) buffer_.append(pieces[k].bytes.bytes()), writeIfMuch();
            else
                for (std::size_t i = firstOf(k); i < firstOf(k + 1); ++i) slice(describe(i));
        }
        at = behind;
    }
}

void PerfettoTimeline::instant(std::string_view words, std::string_view category, TimelineRow row, Picoseconds time) {
    Numbering numbers{*this};
    const std::uint64_t track = numbers.track(row);
    packetAt(buffer_, time, numbers, [&] { begin(buffer_, event::instant, words, category, track, numbers); });
    writeIfMuch();
}

/// The track that part_ describes.
void PerfettoTimeline::writeTrack() {
    const std::size_t all = buffer_.open(trace::packet);
    buffer_.number(packet::sequence, 1);
    buffer_.words(packet::descriptor, part_.bytes());
    buffer_.close(all);
    writeIfMuch();
}

void PerfettoTimeline::writeIfMuch() {
    if (buffer_.bytes().size() > bufferBytes) flush();
}

void PerfettoTimeline::close() { flush(); }

void PerfettoTimeline::flush() {
    out_.write(buffer_.bytes().data(), static_cast<std::streamsize>(buffer_.bytes().size()));
    buffer_.clear();
}

}  // namespace traces
