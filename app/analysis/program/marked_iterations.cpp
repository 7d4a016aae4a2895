// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/program/marked_iterations.hpp"

#include "app/analysis/calls/event_walk.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using engine::text;
using traces::Marker;
using traces::Notice;
using traces::NoticeKind;
using traces::ParameterType;
using traces::Recording;
using traces::TimeSpan;

namespace {

constexpr std::size_t fewestIterations = 2, fewestNumbers = 3;

std::string withoutNumbers(const std::string& name) {
    std::string words;
    for (const char c : name)
        if (std::isdigit(static_cast<unsigned char>(c)) == 0) words += c;
    return words;
}

bool areAlike(const std::vector<std::string>& names) {
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& name) { return withoutNumbers(name) == withoutNumbers(names.front()); });
}

/// Markers of one kind about one rank, or all, as spans.
std::vector<TimeSpan> spansOf(const std::vector<const Marker*>& markers, Picoseconds end) {
    std::vector<TimeSpan> spans;
    const bool moments =
        std::all_of(markers.begin(), markers.end(), [](const Marker* marker) { return marker->begin == marker->end; });
    for (std::size_t i = 0; i < markers.size(); ++i)
        spans.push_back({markers[i]->begin, !moments                 ? markers[i]->end
                                            : i + 1 < markers.size() ? markers[i + 1]->begin
                                                                     : std::max(end, markers[i]->begin)});
    return spans;
}

MarkedIterations byMarkers(const Recording& recording, const std::vector<Rank>& ranks) {
    const Picoseconds end = traces::communicationOf(recording).end;
    std::map<std::pair<std::string, std::string>, std::map<std::int32_t, std::vector<const Marker*>>> kinds;
    for (const Marker& marker : recording.markers)
        kinds[{marker.group, marker.category}][marker.location].push_back(&marker);
    MarkedIterations best;
    for (const auto& [kind, byLocation] : kinds) {
        MarkedIterations turns{
            .by = text("the marker ", kind.second.empty() ? kind.first : kind.second), .names = {}, .spans = {}};
        const std::vector<const Marker*>* first = nullptr;
        for (const Rank rank : ranks) {
            auto its = byLocation.find(recording.locationOf(rank));
            if (its == byLocation.end()) its = byLocation.find(traces::noIndex);
            if (its == byLocation.end() || (first != nullptr && its->second.size() != first->size())) break;
            if (first == nullptr) first = &its->second;
            turns.spans.push_back(spansOf(its->second, end));
        }
        if (first == nullptr || turns.spans.size() != ranks.size() || first->size() < fewestIterations) continue;
        for (const Marker* marker : *first) turns.names.push_back(marker->text);
        if (turns.names.size() > best.names.size()) best = std::move(turns);
    }
    return best;
}

/// A value that a parameter is given, and in which call.
struct Told {
    const Notice* notice = nullptr;
    std::size_t call = 0;
};

/// What the location tells of each parameter, within some call.
std::map<std::uint32_t, std::vector<Told>> toldBy(const Recording& recording, std::size_t location) {
    std::map<std::uint32_t, std::vector<Told>> told;
    eachNotice(recording.states[location], recording.notices[location].span(),
               [&](const Notice& notice, std::span<const std::size_t> around) {
                   if (notice.kind == NoticeKind::parameter && !around.empty())
                       told[notice.subject].push_back({&notice, around.back()});
               });
    return told;
}

bool rises(const Notice& a, const Notice& b) {
    if (a.detail != b.detail) return false;
    return static_cast<ParameterType>(a.detail) == ParameterType::natural
               ? a.number < b.number
               : static_cast<std::int64_t>(a.number) < static_cast<std::int64_t>(b.number);
}

/// Whether these are the steps of a loop, or phases.
bool areTurns(const std::vector<Told>& told) {
    const bool words = std::all_of(told.begin(), told.end(), [](const Told& one) {
        return static_cast<ParameterType>(one.notice->detail) == ParameterType::words;
    });
    if (words) {
        std::set<std::uint64_t> different;
        for (const Told& one : told) different.insert(one.notice->number);
        return told.size() >= fewestIterations && different.size() == told.size();
    }
    for (std::size_t i = 1; i < told.size(); ++i)
        if (!rises(*told[i - 1].notice, *told[i].notice)) return false;
    return told.size() >= fewestNumbers;
}

std::vector<TimeSpan> spansOf(const std::vector<Told>& told, const traces::States& states) {
    std::set<std::size_t> calls;
    for (const Told& one : told) calls.insert(one.call);
    std::vector<TimeSpan> spans;
    for (std::size_t i = 0; i < told.size(); ++i) {
        const TimeSpan call{states.begin[told[i].call], states.end[told[i].call]};
        if (calls.size() == told.size()) spans.push_back(call);
        else spans.push_back({told[i].notice->time, i + 1 < told.size() ? told[i + 1].notice->time : call.end});
    }
    return spans;
}

std::string valueOf(const traces::Parameter& parameter, const Notice& notice) {
    switch (static_cast<ParameterType>(notice.detail)) {
        case ParameterType::words: return parameter.words[engine::asSize(notice.number)];
        case ParameterType::integer: return text(static_cast<std::int64_t>(notice.number));
        case ParameterType::natural: break;
    }
    return text(notice.number);
}

MarkedIterations byParameters(const Recording& recording, const std::vector<Rank>& ranks) {
    if (recording.notices.empty() || recording.parameters.empty()) return {};
    std::vector<std::map<std::uint32_t, std::vector<Told>>> told;
    for (const Rank rank : ranks) told.push_back(toldBy(recording, engine::asSize(recording.locationOf(rank))));
    const TimeSpan span = traces::communicationOf(recording);
    Picoseconds most = (span.end - span.begin) / 2;
    MarkedIterations best;
    for (const auto& [parameter, first] : told.front()) {
        if (recording.parameters[parameter].name == traces::own::errorWord) continue;
        MarkedIterations turns{
            .by = text("the parameter ", recording.parameters[parameter].name), .names = {}, .spans = {}};
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            const auto its = told[r].find(parameter);
            const bool same = its != told[r].end() && std::equal(its->second.begin(), its->second.end(), first.begin(),
                                                                 first.end(), [](const Told& a, const Told& b) {
                                                                     return a.notice->number == b.notice->number &&
                                                                            a.notice->detail == b.notice->detail;
                                                                 });
            if (!same || !areTurns(its->second)) break;
            turns.spans.push_back(
                spansOf(its->second, recording.states[engine::asSize(recording.locationOf(ranks[r]))]));
        }
        if (turns.spans.size() != ranks.size()) continue;
        Picoseconds time{};
        for (const TimeSpan& turn : turns.spans.front()) time += turn.end - turn.begin;
        if (time < most) continue;
        most = time;
        for (const Told& one : first) turns.names.push_back(valueOf(recording.parameters[parameter], *one.notice));
        best = std::move(turns);
    }
    return best;
}

}  // namespace

MarkedIterations markedIterations(const Recording& recording, const std::vector<Rank>& ranks) {
    if (ranks.empty()) return {};
    MarkedIterations turns = byMarkers(recording, ranks);
    if (turns.names.empty()) turns = byParameters(recording, ranks);
    if (turns.names.empty()) return {};
    turns.alike = areAlike(turns.names);
    return turns;
}

}  // namespace app::analysis
