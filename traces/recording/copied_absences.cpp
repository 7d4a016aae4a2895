// SPDX-License-Identifier: BSD-3-Clause
#include "traces/recording/copied_absences.hpp"

#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace traces {
namespace {

using engine::text;

/// What a copy shows by its own records is not among them: calls without messages, requests without an end.
constexpr std::array<std::pair<Absence, std::string_view>, 5> kinds{{{Absence::interval, "interval"},
                                                                     {Absence::file, "file"},
                                                                     {Absence::sizes, "sizes"},
                                                                     {Absence::passedOver, "passed-over"},
                                                                     {Absence::limit, "limit"}}};

/// How clauses begin that are true of the archive that was copied, not of its copy.
constexpr std::string_view ofOriginal = "in what was copied: ";

std::string asOfOriginal(const std::string& words) {
    return words.starts_with(ofOriginal) ? words : text(ofOriginal, words);
}

void addLine(std::string& lines, const std::string& line) {
    std::string one = line;
    std::replace(one.begin(), one.end(), '\n', ' ');
    lines += (lines.empty() ? "" : "\n") + one;
}

/// The number at the start of `words`, and the blank behind it, which are taken off.
std::optional<std::int64_t> takeNumber(std::string_view& words) {
    std::int64_t number = 0;
    const auto [rest, code] = std::from_chars(words.data(), words.data() + words.size(), number);
    if (code != std::errc{} || rest == words.data() + words.size() || *rest != ' ') return std::nullopt;
    words.remove_prefix(engine::asSize(rest - words.data()) + 1);
    return number;
}

/// "interval 3 1 1000 2000 rank 3 did not record for 1 ns"; nothing where the line says what cannot be.
std::optional<NotRecorded> absenceIn(std::string_view line, const Recording& recording) {
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) {
        return line.starts_with(one.second) && line.substr(one.second.size()).starts_with(' ');
    });
    if (kind == kinds.end()) return std::nullopt;
    line.remove_prefix(kind->second.size() + 1);
    const auto location = takeNumber(line), count = takeNumber(line), begin = takeNumber(line), end = takeNumber(line);
    const auto isTime = [](std::int64_t time) { return time >= 0 && time <= own::largest; };
    if (!location || !count || !begin || !end || line.empty()) return std::nullopt;
    if (*location < noIndex || *location >= static_cast<std::int64_t>(recording.locations.size()) || *count < 0 ||
        *count > own::largest || !isTime(*begin) || !isTime(*end) || *end < *begin)
        return std::nullopt;
    return NotRecorded{.what = kind->first,
                       .location = static_cast<std::int32_t>(*location),
                       .count = *count,
                       .begin = Picoseconds{*begin},
                       .end = Picoseconds{*end},
                       .words = std::string{line}};
}

}  // namespace

std::map<std::string, std::string> lackingOf(const Recording& recording) {
    std::string absences, remarks;
    for (const NotRecorded& one : recording.absences) {
        const auto kind =
            std::find_if(kinds.begin(), kinds.end(), [&](const auto& known) { return known.first == one.what; });
        if (one.what == Absence::clocks) addLine(remarks, asOfOriginal(one.words));
        if (kind == kinds.end()) continue;
        addLine(absences, text(kind->second, ' ', one.location, ' ', one.count, ' ', one.begin.count(), ' ',
                               one.end.count(), ' ', one.location == noIndex ? asOfOriginal(one.words) : one.words));
    }
    for (const std::string& remark : recording.remarks) addLine(remarks, asOfOriginal(remark));
    std::map<std::string, std::string> properties;
    if (!absences.empty()) properties[own::copied::notRecorded] = absences;
    if (!remarks.empty()) properties[own::copied::remarks] = remarks;
    return properties;
}

void recallLacking(Recording& recording) {
    const auto linesOf = [&](const char* property) {
        const auto entry = recording.properties.find(property);
        return entry == recording.properties.end() ? std::vector<std::string>{} : engine::split(entry->second, '\n');
    };
    for (const std::string& line : linesOf(own::copied::notRecorded)) {
        std::optional<NotRecorded> absence = absenceIn(line, recording);
        if (!absence) continue;
        if (absence->what == Absence::file && absence->location != noIndex)
            recording.earlyEnds.push_back({absence->location, absence->begin, absence->words});
        recording.absences.push_back(*std::move(absence));
    }
    for (const std::string& line : linesOf(own::copied::remarks))
        if (std::find(recording.remarks.begin(), recording.remarks.end(), line) == recording.remarks.end())
            recording.remarks.push_back(line);
}

}  // namespace traces
