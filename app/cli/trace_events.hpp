// SPDX-License-Identifier: BSD-3-Clause
// Chrome's JSON trace events, as https://ui.perfetto.dev and chrome://tracing read them. Each is written when it is
// named: a trace of any length takes one buffer.
#pragma once

#include "engine/types.hpp"

#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>

namespace app::cli {

/// A row of the picture.
struct EventThread {
    std::int64_t process = 0;
    std::int64_t thread = 0;
};

/// Something said of an event.
struct EventDetail {
    std::string_view key;
    std::variant<bool, std::int64_t, std::string_view> value;
};

using EventDetails = std::initializer_list<EventDetail>;

/// Times are picoseconds, written as microseconds with six decimals. Bytes of words that are no UTF-8 become U+FFFD.
class TraceEvents {
public:
    /// `about`: members that stand before the events, as json with a comma behind each; usually empty.
    explicit TraceEvents(std::ostream& out, std::string_view about = {});

    void nameProcess(std::int64_t process, std::string_view words);
    void nameThread(EventThread thread, std::string_view words);

    /// From `begin` to `end`; `category` and `details` may be empty.
    void slice(std::string_view words, std::string_view category, EventThread thread, engine::Picoseconds begin,
               engine::Picoseconds end, EventDetails details = {});
    void instant(std::string_view words, std::string_view category, EventThread thread, engine::Picoseconds time);

    /// An arrow from the slice around `sent` to the one around `received`; `id` is its own.
    void arrow(std::uint64_t id, EventThread from, engine::Picoseconds sent, EventThread to,
               engine::Picoseconds received);

    /// What must follow the last event.
    void close();

private:
    void open(std::string_view phase, std::string_view words, std::string_view category);
    void on(EventThread thread);
    void at(std::string_view key, engine::Picoseconds time);
    void detail(EventDetails details);
    void half(std::string_view phase, std::uint64_t id, EventThread thread, engine::Picoseconds time);
    void number(std::int64_t value);
    void flush();

    std::ostream& out_;
    std::string buffer_;
    bool first_ = true;
};

/// As a json string, quotes included.
std::string jsonString(std::string_view words);

}  // namespace app::cli
