// SPDX-License-Identifier: BSD-3-Clause
// Perfetto's own format, .pftrace (perfetto.proto says of what it is made): less than half of the json's size. Events
// are written when they are emitted, those of a part when the parts before it are: a trace of any length takes some
// buffers, and what its words take once each. Parts are of a sequence of packets of their own, and each tells its words
// again.
#pragma once

#include "traces/export/protobuf.hpp"
#include "traces/export/timeline.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <unordered_map>

namespace traces {

/// Times are rounded down to nanoseconds, which are the format's; those before 0 become 0. Bytes of words that are no
/// UTF-8 become U+FFFD.
class PerfettoTimeline final : public Timeline {
public:
    explicit PerfettoTimeline(std::ostream& out, const TimelineAbout& about = {});
    ~PerfettoTimeline() override;

    void nameProcess(std::int64_t process, std::string_view words) override;
    void nameRow(TimelineRow row, std::string_view words) override;
    void slice(std::string_view words, std::string_view category, TimelineRow row, Picoseconds begin, Picoseconds end,
               TimelineDetails details, const std::optional<TimelineArrow>& arrow) override;
    void instant(std::string_view words, std::string_view category, TimelineRow row, Picoseconds time) override;
    void inParts(std::size_t count, const TellPart& tellPart) override;
    void close() override;

private:
    class Parts;
    /// A part of `whole`, which is not written by itself.
    explicit PerfettoTimeline(PerfettoTimeline& whole);
    /// Nothing of its sequence is known any more.
    void beginAnew();

    /// Words that are written once, and numbered from 1 in the order in which they are first met.
    class Words {
    public:
        explicit Words(int field) : field_{field} {}
        void clear();
        /// Their number; new ones are added to `fresh`.
        std::uint64_t operator()(std::string_view words, ProtoMessage& fresh);

    private:
        struct Latest {
            std::string words;
            std::uint64_t number = 0;
        };
        int field_;  ///< of InternedData
        std::unordered_map<std::string, std::uint64_t> numbers_;
        std::array<Latest, 64> latest_{};  ///< by where the words lie: mostly the same ones come again
    };

    std::uint64_t trackOf(TimelineRow row);
    std::uint64_t processTrack(std::int64_t process);
    void begin(int type, std::string_view words, std::string_view category, TimelineRow row);
    void detail(const TimelineDetail& one);
    void writeEvent(Picoseconds time);
    void writeTrack();
    void writePacket();
    void flush();

    std::ostream& out_;
    PerfettoTimeline* whole_ = nullptr;           ///< of which this is a part
    std::unique_ptr<Parts> parts_;                ///< kept for their memory
    ProtoMessage buffer_;                         ///< packets that are not written yet
    ProtoMessage packet_, event_, part_, fresh_;  ///< kept for their memory
    Words categories_{1}, names_{2}, keys_{3};
    std::map<TimelineRow, std::uint64_t> tracks_;
    std::map<std::int64_t, std::uint64_t> processes_;
    TimelineRow latestRow_{-1, -1};
    std::uint64_t latestTrack_ = 0;
    std::uint64_t lastTrack_ = 0;  ///< given away
    std::uint64_t sequence_ = 1;
    bool first_ = true;
};

}  // namespace traces
