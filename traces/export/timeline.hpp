// SPDX-License-Identifier: BSD-3-Clause
// A run or a recording as rows of slices with arrows between them, told one by one to whoever writes a format of them
// (perfetto.hpp; Chrome's json in app/cli). Rows are written in the order of time each, and slices of a row never
// overlap unless one lies within the other.
#pragma once

#include "engine/run/run.hpp"
#include "traces/recording/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace traces {

/// A row of the picture, among the rows of a process.
struct TimelineRow {
    std::int64_t process = 0;
    std::int64_t row = 0;

    friend auto operator<=>(const TimelineRow&, const TimelineRow&) = default;
};

/// Something said of a slice.
struct TimelineDetail {
    std::string_view key;
    std::variant<bool, std::int64_t, std::string_view> value;
};
using TimelineDetails = std::initializer_list<TimelineDetail>;

/// An arrow from the slice that it leaves to the one that has the same number and that it comes to.
struct TimelineArrow {
    std::uint64_t id = 0;
    bool leaves = false;
    Picoseconds at{};  ///< within its slice
};

/// What there is to say of all of it.
struct TimelineAbout {
    std::string trace;
    std::vector<std::string> notRecorded;
};

/// Takes what is written. Words may have any bytes.
class Timeline {
public:
    using TellPart = std::function<void(std::size_t part, Timeline& timeline)>;

    Timeline() = default;
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;
    virtual ~Timeline() = default;

    virtual void nameProcess(std::int64_t process, std::string_view words) = 0;
    virtual void nameRow(TimelineRow row, std::string_view words) = 0;
    /// From `begin` to `end`; `category` and `details` may be empty.
    virtual void slice(std::string_view words, std::string_view category, TimelineRow row, Picoseconds begin,
                       Picoseconds end, TimelineDetails details, const std::optional<TimelineArrow>& arrow) = 0;
    virtual void instant(std::string_view words, std::string_view category, TimelineRow row, Picoseconds time) = 0;
    /// Calls tellPart(i, timeline) for every i below `count`: what parts tell comes in their order, however many are
    /// written at once. They name nothing.
    virtual void inParts(std::size_t count, const TellPart& tellPart) {
        for (std::size_t i = 0; i < count; ++i) tellPart(i, *this);
    }
    /// Nothing is written after this.
    virtual void close() = 0;
};

/// What `recording` does not have.
TimelineAbout aboutOf(const Recording& recording);

/// Ranks are processes, ports are rows; slices know their round, arrows lead from send to receive.
void tell(const engine::Run& run, Timeline& timeline);

/// A process per rank, a row per location; calls as slices, messages and collectives as slices of rows of their own, as
/// many as are open at once. Ends of messages whose other end is not in the trace are instants that say so.
void tell(const Recording& recording, Timeline& timeline);

}  // namespace traces
