// SPDX-License-Identifier: BSD-3-Clause
#include "traces/recording/copied_unrecorded_data.hpp"

#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

namespace traces {
namespace {

using engine::text;

/// What a copy shows by its own records is not among them: calls without messages, requests without an end.
constexpr std::array<std::pair<Absence, std::string_view>, 7> kinds{{{Absence::interval, "interval"},
                                                                     {Absence::file, "file"},
                                                                     {Absence::sizes, "sizes"},
                                                                     {Absence::passedOver, "passed-over"},
                                                                     {Absence::limit, "limit"},
                                                                     {Absence::insideCollectives, "inside"},
                                                                     {Absence::messages, "messages"}}};
/// The first of `kinds`, which recordings of all programs can lack; the others are of training jobs alone.
constexpr std::size_t ofAny = 5;

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

/// Parts of a rank in the collectives of a communicator, in the order of time, by the index of the participant.
using PartsByRank = std::map<std::pair<std::int32_t, Rank>, std::vector<std::size_t>>;

PartsByRank partsByRank(const Collectives& collectives) {
    PartsByRank parts;
    for (const Collective& instance : collectives.instances)
        for (std::size_t k = instance.first; k < instance.first + instance.count; ++k)
            parts[{instance.communicator, collectives.participants[k].rank}].push_back(k);
    for (auto& [who, its] : parts)
        std::stable_sort(its.begin(), its.end(), [&](std::size_t a, std::size_t b) {
            return collectives.participants[a].begin < collectives.participants[b].begin;
        });
    return parts;
}

/// The number of the instance of each part, a line for each communicator and rank: "0 3: 0 1 2"; empty where the k-th
/// parts of all ranks of each communicator are one instance.
std::string numbersOf(const Collectives& collectives) {
    std::vector<std::size_t> instanceOf(collectives.participants.size());
    for (std::size_t i = 0; i < collectives.instances.size(); ++i)
        for (std::size_t k = 0; k < collectives.instances[i].count; ++k)
            instanceOf[collectives.instances[i].first + k] = i;
    const PartsByRank parts = partsByRank(collectives);
    std::map<std::int32_t, std::vector<std::size_t>> usual;
    bool alike = true;
    std::string lines;
    for (const auto& [who, its] : parts) {
        std::string line = text(who.first, ' ', who.second, ':');
        std::vector<std::size_t> numbers;
        for (const std::size_t k : its) {
            numbers.push_back(instanceOf[k]);
            line += text(' ', instanceOf[k]);
        }
        const auto [first, isNew] = usual.try_emplace(who.first, numbers);
        alike = alike && (isNew || first->second == numbers);
        addLine(lines, line);
    }
    return alike ? std::string{} : lines;
}

/// The inverse; false, and nothing is changed, where the lines do not fit the collectives: the archive is damaged.
/// Participants of an instance must be sorted by rank.
bool joinByNumbers(Recording& recording, const std::vector<std::string>& lines) {
    Collectives& collectives = recording.collectives;
    const PartsByRank parts = partsByRank(collectives);
    std::map<std::int64_t, std::vector<std::size_t>> together;
    std::vector<const Collective*> instanceOf(collectives.participants.size());
    for (const Collective& instance : collectives.instances)
        for (std::size_t k = 0; k < instance.count; ++k) instanceOf[instance.first + k] = &instance;
    auto its = parts.begin();
    for (const std::string& line : lines) {
        std::istringstream words{line};
        std::int32_t communicator = 0, rank = 0;
        char colon = 0;
        words >> communicator >> rank >> colon;
        // In their order, each once: so the parts of each instance rise by rank.
        if (!words || its == parts.end() || its->first != std::pair{communicator, Rank{rank}}) return false;
        std::size_t next = 0;
        for (std::int64_t number = 0; words >> number; ++next) {
            if (next >= its->second.size()) return false;
            std::vector<std::size_t>& one = together[number];
            if (!one.empty() && collectives.participants[one.back()].rank >= Rank{rank}) return false;
            one.push_back(its->second[next]);
        }
        if (next != its->second.size() || !words.eof()) return false;
        ++its;
    }
    if (its != parts.end()) return false;
    std::vector<Collective> instances;
    std::vector<Participant> participants;
    for (const auto& [number, joined] : together) {
        Collective made = *instanceOf[joined.front()];
        made.first = participants.size();
        made.count = joined.size();
        made.complete = made.count == recording.communicators[engine::asSize(made.communicator)].members.size();
        made.ordered = true;
        for (const std::size_t k : joined) {
            if (instanceOf[k]->operation != made.operation || instanceOf[k]->communicator != made.communicator)
                return false;
            participants.push_back(collectives.participants[k]);
        }
        instances.push_back(made);
    }
    collectives = {std::move(instances), std::move(participants)};
    return true;
}

}  // namespace

std::map<std::string, std::string> lackingOf(const Recording& recording) {
    std::string absences, remarks;
    const bool training = isTraining(recording);
    // What the archive of a training job holds was read from files of another kind.
    const auto asOf = [&](const std::string& words) { return training ? words : asOfOriginal(words); };
    const auto known = std::span{kinds}.first(training ? kinds.size() : ofAny);
    for (const NotRecorded& one : recording.absences) {
        const auto kind =
            std::find_if(known.begin(), known.end(), [&](const auto& its) { return its.first == one.what; });
        if (one.what == Absence::clocks && !training) addLine(remarks, asOfOriginal(one.words));
        if (kind == known.end()) continue;
        addLine(absences, text(kind->second, ' ', one.location, ' ', one.count, ' ', one.begin.count(), ' ',
                               one.end.count(), ' ', one.location == noIndex ? asOf(one.words) : one.words));
    }
    for (const std::string& remark : recording.remarks) addLine(remarks, asOf(remark));
    std::map<std::string, std::string> properties;
    if (!absences.empty()) properties[own::copied::notRecorded] = absences;
    if (!remarks.empty()) properties[own::copied::remarks] = remarks;
    if (std::string numbers = training ? numbersOf(recording.collectives) : std::string{}; !numbers.empty())
        properties[own::copied::collectives] = std::move(numbers);
    return properties;
}

void recallLacking(Recording& recording) {
    const auto linesOf = [&](const char* property) {
        const auto entry = recording.properties.find(property);
        return entry == recording.properties.end() ? std::vector<std::string>{} : engine::split(entry->second, '\n');
    };
    if (isTraining(recording)) {
        std::erase_if(recording.absences, [](const NotRecorded& one) {
            return one.what == Absence::rounds || one.what == Absence::contents || one.what == Absence::messages ||
                   one.what == Absence::collective || one.what == Absence::insideCollectives ||
                   one.what == Absence::anyMessage;
        });
        if (const std::vector<std::string> numbers = linesOf(own::copied::collectives);
            !numbers.empty() && !joinByNumbers(recording, numbers))
            recording.remarks.emplace_back(
                "the archive's list of which calls are one collective does not fit its calls and was ignored: the k-th "
                "calls of all ranks are taken as one collective");
    }
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
