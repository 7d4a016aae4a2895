// SPDX-License-Identifier: BSD-3-Clause
#include "traces/export/perfetto.hpp"

#include "engine/base/error.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"
#include "traces/export/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

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

}  // namespace

std::uint64_t PerfettoTimeline::Words::operator()(std::string_view words, ProtoMessage& fresh) {
    Latest& latest = latest_[reinterpret_cast<std::uintptr_t>(words.data()) / 8 % latest_.size()];
    if (latest.number != 0 && latest.words == words) return latest.number;
    const auto [known, isNew] = numbers_.try_emplace(std::string{words}, numbers_.size() + 1);
    if (isNew) {
        ProtoMessage entry;
        entry.number(interned::number, known->second);
        entry.words(interned::words, validUtf8(words));
        fresh.message(field_, entry);
    }
    latest = {known->first, known->second};
    return known->second;
}

void PerfettoTimeline::Words::clear() {
    numbers_.clear();
    latest_ = {};
}

/// Parts that are being emitted, or have been and wait for those before them.
class PerfettoTimeline::Parts {
public:
    explicit Parts(PerfettoTimeline& whole) : whole_{whole} {}

    void tell(std::size_t count, const TellPart& tellPart) {
        told_.clear();
        next_ = 0;
        engine::parallelFor(count, [&](std::size_t i) {
            std::unique_ptr<PerfettoTimeline> part = begin();
            tellPart(i, *part);
            end(i, std::move(part));
        });
    }

private:
    std::unique_ptr<PerfettoTimeline> begin() {
        std::unique_ptr<PerfettoTimeline> part;
        {
            const std::lock_guard lock{guard_};
            if (idle_.empty()) idle_.emplace_back(new PerfettoTimeline{whole_});
            part = std::move(idle_.back());
            idle_.pop_back();
        }
        part->beginAnew();
        return part;
    }

    void end(std::size_t i, std::unique_ptr<PerfettoTimeline> part) {
        const std::lock_guard lock{guard_};
        told_.emplace(i, std::move(part));
        for (; !told_.empty() && told_.begin()->first == next_; ++next_) {
            told_.begin()->second->flush();
            idle_.push_back(std::move(told_.begin()->second));
            told_.erase(told_.begin());
        }
    }

    PerfettoTimeline& whole_;
    std::mutex guard_;
    std::vector<std::unique_ptr<PerfettoTimeline>> idle_;
    std::map<std::size_t, std::unique_ptr<PerfettoTimeline>> told_;
    std::size_t next_ = 0;  ///< to be written
};

PerfettoTimeline::PerfettoTimeline(PerfettoTimeline& whole)
    : out_{whole.out_}, whole_{&whole}, sequence_{whole.sequence_ + 1} {}
PerfettoTimeline::~PerfettoTimeline() = default;

void PerfettoTimeline::inParts(std::size_t count, const TellPart& tellPart) {
    flush();
    if (!parts_) parts_ = std::make_unique<Parts>(*this);
    parts_->tell(count, tellPart);
}

void PerfettoTimeline::beginAnew() {
    first_ = true;
    for (Words* const words : {&categories_, &names_, &keys_}) words->clear();
}

PerfettoTimeline::PerfettoTimeline(std::ostream& out, const TimelineAbout& about) : out_{out} {
    if (about.trace.empty() && about.notRecorded.empty()) return;
    const std::uint64_t track = ++lastTrack_;
    part_.clear();
    part_.number(descriptor::uuid, track);
    part_.words(descriptor::name, "about the trace");
    writeTrack();
    event_.clear();
    event_.number(event::type, event::instant);
    event_.number(event::name, names_("about the trace", fresh_));
    event_.number(event::track, track);
    detail({"trace", about.trace});
    for (const std::string& words : about.notRecorded) detail({"not recorded", words});
    writeEvent({});
}

void PerfettoTimeline::nameProcess(std::int64_t process, std::string_view words) {
    const std::uint64_t track = processes_[process] = ++lastTrack_;
    ProtoMessage its;
    its.number(process::pid, static_cast<std::uint64_t>(process) + 1);  // 0 is the system's own
    its.words(process::name, validUtf8(words));
    part_.clear();
    part_.number(descriptor::uuid, track);
    part_.message(descriptor::process, its);
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
    if (whole_ == nullptr && !tracks_.contains(row)) nameRow(row, engine::text("row ", row.row));
    const auto& tracks = whole_ != nullptr ? whole_->tracks_ : tracks_;
    const auto known = tracks.find(row);
    ENSURE(known != tracks.end(), "a part of a timeline names no rows");
    latestRow_ = row;
    latestTrack_ = known->second;
    return latestTrack_;
}

void PerfettoTimeline::slice(std::string_view words, std::string_view category, TimelineRow row, Picoseconds from,
                             Picoseconds to, TimelineDetails details, const std::optional<TimelineArrow>& arrow) {
    begin(event::begin, words, category, row);
    for (const TimelineDetail& one : details) detail(one);
    if (arrow) event_.fixed(arrow->leaves ? event::flow : event::lastFlow, arrow->id);
    writeEvent(from);
    event_.clear();
    event_.number(event::type, event::end);
    event_.number(event::track, latestTrack_);
    writeEvent(std::max(from, to));
}

void PerfettoTimeline::instant(std::string_view words, std::string_view category, TimelineRow row, Picoseconds time) {
    begin(event::instant, words, category, row);
    writeEvent(time);
}

void PerfettoTimeline::begin(int type, std::string_view words, std::string_view category, TimelineRow row) {
    const std::uint64_t track = trackOf(row);
    event_.clear();
    if (!category.empty()) event_.number(event::category, categories_(category, fresh_));
    event_.number(event::type, static_cast<std::uint64_t>(type));
    event_.number(event::name, names_(words, fresh_));
    event_.number(event::track, track);
}

void PerfettoTimeline::detail(const TimelineDetail& one) {
    part_.clear();
    part_.number(annotation::name, keys_(one.key, fresh_));
    if (const auto* whole = std::get_if<std::int64_t>(&one.value))
        part_.number(annotation::number, static_cast<std::uint64_t>(*whole));
    else if (const auto* yes = std::get_if<bool>(&one.value)) part_.number(annotation::yes, *yes ? 1 : 0);
    else part_.words(annotation::words, validUtf8(std::get<std::string_view>(one.value)));
    event_.message(event::annotation, part_);
}

void PerfettoTimeline::writeEvent(Picoseconds time) {
    packet_.clear();
    packet_.number(packet::timestamp, static_cast<std::uint64_t>(std::max(time, Picoseconds{}).count()) / 1000);
    packet_.number(packet::sequence, sequence_);
    packet_.message(packet::event, event_);
    if (!fresh_.bytes().empty()) packet_.message(packet::interned, fresh_);
    fresh_.clear();
    packet_.number(packet::flags, packet::needsWords | (first_ ? packet::cleared : 0));
    first_ = false;
    writePacket();
}

/// The track that part_ describes.
void PerfettoTimeline::writeTrack() {
    packet_.clear();
    packet_.number(packet::sequence, sequence_);
    packet_.message(packet::descriptor, part_);
    writePacket();
}

void PerfettoTimeline::writePacket() {
    buffer_.message(trace::packet, packet_);
    if (whole_ == nullptr && buffer_.bytes().size() > bufferBytes) flush();
}

void PerfettoTimeline::close() { flush(); }

void PerfettoTimeline::flush() {
    out_.write(buffer_.bytes().data(), static_cast<std::streamsize>(buffer_.bytes().size()));
    buffer_.clear();
}

}  // namespace traces
