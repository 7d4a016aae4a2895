// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/export/trace_events.hpp"

#include "app/cli/output/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdlib>

namespace app::cli {

using engine::Picoseconds;
using traces::TimelineArrow;
using traces::TimelineDetail;
using traces::TimelineDetails;
using traces::TimelineRow;

namespace {

constexpr std::size_t bufferBytes = std::size_t{1} << 16;

bool isPlain(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

void append(std::string& json, std::string_view words) {
    if (std::all_of(words.begin(), words.end(), isPlain)) json.append("\"").append(words).append("\"");
    else json += Json(words).dump(-1, ' ', false, lenient);
}

}  // namespace

TraceEvents::TraceEvents(std::ostream& out, const traces::TimelineAbout& about) : out_{out} {
    buffer_ += R"({"displayTimeUnit":"ns",)";
    if (!about.trace.empty() || !about.notRecorded.empty()) {
        buffer_ += R"("otherData":{"trace":)";
        append(buffer_, about.trace);
        buffer_ += R"(,"not recorded":[)";
        for (const std::string& words : about.notRecorded) {
            if (&words != &about.notRecorded.front()) buffer_ += ',';
            append(buffer_, words);
        }
        buffer_ += "]},\n";
    }
    buffer_ += "\"traceEvents\":[";
}

void TraceEvents::nameProcess(std::int64_t process, std::string_view words) {
    open("M", "process_name", {});
    buffer_ += ",\"pid\":";
    number(process);
    detail({{"name", words}});
    buffer_ += '}';
}

void TraceEvents::nameRow(TimelineRow row, std::string_view words) {
    open("M", "thread_name", {});
    on(row);
    detail({{"name", words}});
    buffer_ += '}';
}

void TraceEvents::slice(std::string_view words, std::string_view category, TimelineRow row, Picoseconds begin,
                        Picoseconds end, TimelineDetails details, const std::optional<TimelineArrow>& arrow) {
    open("X", words, category);
    on(row);
    at("ts", begin);
    at("dur", end - begin);
    detail(details);
    buffer_ += '}';
    if (arrow) half(*arrow, row);
}

void TraceEvents::instant(std::string_view words, std::string_view category, TimelineRow row, Picoseconds time) {
    open("i", words, category);
    buffer_ += R"(,"s":"t")";
    on(row);
    at("ts", time);
    buffer_ += '}';
}

void TraceEvents::close() {
    buffer_ += "\n]}\n";
    flush();
}

void TraceEvents::half(const TimelineArrow& arrow, TimelineRow row) {
    open(arrow.leaves ? "s" : "f", "message", "message");
    if (!arrow.leaves) buffer_ += R"(,"bp":"e")";
    buffer_ += ",\"id\":";
    number(static_cast<std::int64_t>(arrow.id));
    on(row);
    at("ts", arrow.at);
    buffer_ += '}';
}

void TraceEvents::open(std::string_view phase, std::string_view words, std::string_view category) {
    if (buffer_.size() > bufferBytes) flush();
    buffer_.append(first_ ? "\n" : ",\n").append(R"({"ph":")").append(phase).append(R"(","name":)");
    append(buffer_, words);
    if (!category.empty()) buffer_.append(R"(,"cat":")").append(category).append("\"");
    first_ = false;
}

void TraceEvents::on(TimelineRow row) {
    buffer_ += ",\"pid\":";
    number(row.process);
    buffer_ += ",\"tid\":";
    number(row.row);
}

void TraceEvents::at(std::string_view key, Picoseconds time) {
    constexpr std::int64_t perMicrosecond = 1'000'000;
    const std::int64_t part = std::abs(time.count() % perMicrosecond);
    buffer_.append(",\"").append(key).append("\":");
    if (time.count() < 0) buffer_ += '-';
    number(std::abs(time.count() / perMicrosecond));
    if (part == 0) return;
    const std::size_t point = buffer_.size();
    number(perMicrosecond + part);  // its leading 1 makes place for the point, and zeros before the part stay
    buffer_[point] = '.';
}

void TraceEvents::detail(TimelineDetails details) {
    if (details.size() == 0) return;
    buffer_ += ",\"args\":";
    char before = '{';
    for (const TimelineDetail& one : details) {
        buffer_ += before;
        append(buffer_, one.key);
        buffer_ += ':';
        if (const auto* whole = std::get_if<std::int64_t>(&one.value)) number(*whole);
        else if (const auto* yes = std::get_if<bool>(&one.value)) buffer_ += *yes ? "true" : "false";
        else append(buffer_, std::get<std::string_view>(one.value));
        before = ',';
    }
    buffer_ += '}';
}

void TraceEvents::number(std::int64_t value) {
    std::array<char, 24> digits;
    const auto [end, code] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    buffer_.append(digits.data(), end);
}

void TraceEvents::flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
}

}  // namespace app::cli
