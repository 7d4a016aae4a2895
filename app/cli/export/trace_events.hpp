// SPDX-License-Identifier: BSD-3-Clause
// Chrome's JSON trace events, as https://ui.perfetto.dev and chrome://tracing read them. Each is written when it is
// named: a trace of any length takes one buffer.
#pragma once

#include "traces/export/timeline.hpp"

#include <ostream>
#include <string>
#include <string_view>

namespace app::cli {

/// Times are picoseconds, written as microseconds with six decimals. Bytes of words that are no UTF-8 become U+FFFD.
class TraceEvents final : public traces::Timeline {
public:
    explicit TraceEvents(std::ostream& out, const traces::TimelineAbout& about = {});

    void nameProcess(std::int64_t process, std::string_view words) override;
    void nameRow(traces::TimelineRow row, std::string_view words) override;
    void slice(std::string_view words, std::string_view category, traces::TimelineRow row, engine::Picoseconds begin,
               engine::Picoseconds end, traces::TimelineDetails details,
               const std::optional<traces::TimelineArrow>& arrow) override;
    void instant(std::string_view words, std::string_view category, traces::TimelineRow row,
                 engine::Picoseconds time) override;
    void close() override;

private:
    void open(std::string_view phase, std::string_view words, std::string_view category);
    void on(traces::TimelineRow row);
    void at(std::string_view key, engine::Picoseconds time);
    void detail(traces::TimelineDetails details);
    void half(const traces::TimelineArrow& arrow, traces::TimelineRow row);
    void number(std::int64_t value);
    void flush();

    std::ostream& out_;
    std::string buffer_;
    bool first_ = true;
};

}  // namespace app::cli
