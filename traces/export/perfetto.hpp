// SPDX-License-Identifier: BSD-3-Clause
// Perfetto's own format, .pftrace (perfetto.proto says of what it is made): less than half of the json's size. Events
// are written as they are told, many at once by all cores: a trace of any length takes a few buffers, and what its
// words take once each.
#pragma once

#include "traces/export/protobuf.hpp"
#include "traces/export/timeline.hpp"

#include <array>
#include <map>
#include <ostream>
#include <string>
#include <unordered_map>

namespace traces {

/// Times are rounded down to nanoseconds, which are the format's; those before 0 become 0. Bytes of words that are no
/// UTF-8 become U+FFFD.
class PerfettoTimeline final : public Timeline {
public:
    explicit PerfettoTimeline(std::ostream& out, const TimelineAbout& about = {});

    void nameProcess(std::int64_t process, std::string_view words) override;
    void nameRow(TimelineRow row, std::string_view words) override;
    void slice(const TimelineSlice& slice) override;
    void slices(std::size_t count, const std::function<TimelineSlice(std::size_t i)>& describe) override;
    void instant(std::string_view words, std::string_view category, TimelineRow row, Picoseconds time) override;
    void close() override;

private:
    /// Words that are written once, and numbered from 1 in the order in which they are first met.
    class Words {
    public:
        explicit Words(int field) : field_{field} {}
        /// Their number; new ones are added to `fresh`.
        std::uint64_t operator()(std::string_view words, ProtoMessage& fresh);
        /// Their number; 0 of new ones.
        [[nodiscard]] std::uint64_t known(std::string_view words) const;

    private:
        struct Latest {
            std::string words;
            std::uint64_t number = 0;
        };
        int field_;  ///< of InternedData
        std::unordered_map<std::string, std::uint64_t> numbers_;
        std::array<Latest, 64> latest_{};  ///< by where the words lie: mostly the same ones come again
    };
    class Numbering;
    class Known;

    std::uint64_t trackOf(TimelineRow row);
    std::uint64_t processTrack(std::int64_t process);
    void writeTrack();
    void writeIfMuch();
    void flush();

    std::ostream& out_;
    ProtoMessage buffer_;        ///< packets that are not written yet
    ProtoMessage part_, fresh_;  ///< kept for their memory
    Words categories_{1}, names_{2}, keys_{3};
    std::map<TimelineRow, std::uint64_t> tracks_;
    std::map<std::int64_t, std::uint64_t> processes_;
    TimelineRow latestRow_{-1, -1};
    std::uint64_t latestTrack_ = 0;
    std::uint64_t lastTrack_ = 0;  ///< given away
    bool first_ = true;
};

}  // namespace traces
