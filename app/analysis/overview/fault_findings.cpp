// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/fault_findings.hpp"

#include "app/analysis/calls/errors.hpp"
#include "app/analysis/collectives/mismatches.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/missing_data.hpp"
#include "engine/base/field.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace app::analysis {
namespace {

using engine::showTime;
using engine::text;

std::optional<Finding> unfinished(TraceAnalysis& analysis) {
    const std::string* const standing = analysis.trace().propertyOfProgram(traces::own::standing);
    if (standing == nullptr) return std::nullopt;
    std::vector<std::string> parts;
    const std::vector<std::string> lines = engine::split(*standing, '\n');
    // The first line says how many ranks there are.
    for (const std::string& line : std::span{lines}.subspan(std::min<std::size_t>(1, lines.size()))) {
        std::string words;  // columns of a table, with one space between them
        for (const char c : line)
            if (c != ' ' || (!words.empty() && words.back() != ' ')) words += c;
        if (words.empty()) continue;
        if (!line.starts_with(' ')) words += ":";
        const bool afterHead = !parts.empty() && parts.back().ends_with(':');
        if (afterHead) parts.back() += " " + words;
        else parts.push_back(std::move(words));
    }
    return Finding{
        .kind = FindingKind::unfinished,
        .severity = Severity::fault,
        .words = text("The program did not finish. Last calls of its ranks: ", engine::joined(parts, "; "), ".")};
}

std::optional<Finding> mismatch(TraceAnalysis& analysis) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.own()) return std::nullopt;
    const std::vector<Mismatch> all = mismatchesOf(*trace.recording, analysis.selection());
    if (all.empty()) return std::nullopt;
    const Mismatch& first = all.front();
    const std::string communicator = communicatorName(*trace.recording, first.communicator);
    return Finding{.kind = FindingKind::mismatch,
                   .severity = Severity::fault,
                   .words = text("Arguments disagree between ranks",
                                 all.size() > 1 ? text(" in ", all.size(), " places, first in ") : std::string{" in "},
                                 first.operation.empty() ? "" : first.operation + ", ", "call ", first.call, " of ",
                                 communicator, " at ", showTime(first.begin, engine::ofPoints), ": ", first.sentence(),
                                 ". See ", engine::field::tables, " mismatches."),
                   .facts = {{"mismatches", static_cast<std::int64_t>(all.size())},
                             {"operation", engine::cell(first.operation)},
                             {"communicator", engine::cell(communicator)},
                             {"call", std::int64_t{first.call}}},
                   .place = {.begin = first.begin}};
}

std::optional<Finding> callErrorsFinding(TraceAnalysis& analysis) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.own()) return std::nullopt;
    const std::vector<CallError> errors = callErrors(*trace.recording, analysis.selection());
    if (errors.empty()) return std::nullopt;
    const CallError& first = errors.front();
    const traces::Region& region = trace.recording->regions[engine::asSize(first.region)];
    return Finding{.kind = FindingKind::callErrors,
                   .severity = Severity::fault,
                   .words = text(errors.size() == 1 ? std::string{}
                                                    : text("MPI calls returned ", errors.size(), " errors. First, "),
                                 region.title(), " of rank ", first.rank, " returned ", first.errorClass, " at ",
                                 showTime(first.begin, engine::ofPoints), ". See ", engine::field::tables, " errors."),
                   .facts = {{"errors", static_cast<std::int64_t>(errors.size())},
                             {"call", engine::cell(region.name)},
                             {"place", engine::cell(region.place)},
                             {"error", engine::cell(first.errorClass)}},
                   .place = {.begin = first.begin, .rank = first.rank}};
}

/// Whether the recording has all messages of the whole program: what has one end in it was received by nobody.
bool hasAllMessages(const traces::Recording& recording) {
    std::int64_t ended = 0;
    for (const traces::Region& region : recording.regions)
        if (region.call == traces::Call::setup && region.name.find("inalize") != std::string::npos)
            ended += region.calls;
    using enum traces::Absence;
    return ended >= recording.ranks && std::ranges::none_of(recording.absences, [](const traces::NotRecorded& one) {
               return one.what == messages || one.what == sendCompletion || one.what == receiveCompletion ||
                      one.what == interval || one.what == file || one.what == limit;
           });
}

std::optional<Finding> unreceived(TraceAnalysis& analysis) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.own() || !analysis.wish().asksForAll() || !hasAllMessages(*trace.recording))
        return std::nullopt;
    const auto isLost = [&](const traces::Half& half) {
        return half.side == traces::Side::send && half.peer != traces::noRank && half.peer != half.self;
    };
    const auto& halves = trace.recording->halves;
    // Who received something unknown may have received it.
    if (std::ranges::any_of(halves, [](const traces::Half& half) { return half.side == traces::Side::receive; }))
        return std::nullopt;
    std::int64_t count = 0;
    std::optional<traces::Half> first;
    for (const traces::Half& half : halves) {
        if (!isLost(half)) continue;
        ++count;
        if (!first || half.begin < first->begin) first = half;
    }
    if (!first) return std::nullopt;
    return Finding{.kind = FindingKind::unreceived,
                   .severity = Severity::fault,
                   .words = text(counted(count, "message"), count == 1 ? " was" : " were", " sent and never received. ",
                                 count == 1 ? "Rank " : "First, rank ", first->self, " sent ",
                                 engine::showBytes(first->bytes), " with tag ", first->tag, " to rank ", first->peer,
                                 " at ", showTime(first->begin, engine::ofPoints), "."),
                   .facts = {{"messages", count},
                             {"from", engine::cell(first->self)},
                             {"to", engine::cell(first->peer)},
                             {"tag", static_cast<std::int64_t>(first->tag)},
                             {"bytes", static_cast<std::int64_t>(first->bytes)}},
                   .place = {.begin = first->begin, .rank = first->self}};
}

std::optional<Finding> sharedProcessors(TraceAnalysis& analysis) {
    const std::string* const sharing = analysis.trace().propertyOfProgram(traces::own::sharing);
    if (sharing == nullptr) return std::nullopt;
    std::vector<std::string> hosts = engine::split(*sharing, '\n');
    constexpr std::size_t most = 3;
    const std::size_t all = hosts.size();
    hosts.resize(std::min(all, most));
    if (all > most) hosts.push_back(text(all - most, " more hosts"));
    return Finding{
        .kind = FindingKind::sharedProcessors,
        .severity = Severity::caution,
        .words = text("Caution: ", engine::joined(hosts, "; "), ". All times include waiting for a processor."),
        .facts = {{"hosts", static_cast<std::int64_t>(all)}}};
}

}  // namespace

std::vector<Finding> faultFindings(TraceAnalysis& analysis) {
    std::vector<Finding> all;
    for (std::optional<Finding>& one :
         std::vector<std::optional<Finding>>{unfinished(analysis), mismatch(analysis), callErrorsFinding(analysis),
                                             unreceived(analysis), sharedProcessors(analysis)})
        if (one) all.push_back(std::move(*one));
    return all;
}

std::vector<Finding> cautionFindings(TraceAnalysis& analysis) {
    std::vector<Finding> all;
    if (const std::string clocks = clockWords(analysis.trace()); !clocks.empty())
        all.push_back({.kind = FindingKind::clocks,
                       .severity = Severity::caution,
                       .words = text("Take care, ", clocks, "."),
                       .facts = {{"uncertainty_s", analysis.trace().uncertainty() > engine::Picoseconds{}
                                                       ? engine::Cell{analysis.trace().uncertainty()}
                                                       : engine::Cell{}}}});
    if (analysis.isCut())
        all.push_back(
            {.kind = FindingKind::part,
             .severity = Severity::caution,
             .words = text("Only what begins before ", showTime(analysis.span().end), " is looked at here, as far as ",
                           engine::field::memory, " has room; choose other times with ", engine::field::from, " and ",
                           engine::field::to, "."),
             .place = {.begin = analysis.span().begin, .end = analysis.span().end}});
    return all;
}

std::optional<Finding> limitationFinding(TraceAnalysis& analysis) {
    std::vector<std::string> words = notRecordedInBrief(analysis.trace());
    // No recorder of programs writes these, and nothing on the page needs them.
    for (const traces::NotRecorded& one : notRecordedOf(analysis.trace()))
        if (one.what == traces::Absence::rounds || one.what == traces::Absence::contents ||
            one.what == traces::Absence::topology)
            std::erase(words, one.words);
    const std::string clocks = clockWords(analysis.trace());  // stand before all else
    std::erase_if(words, [&](const std::string& clause) { return clocks.find(clause) != std::string::npos; });
    if (words.empty()) return std::nullopt;
    constexpr std::size_t most = 6;
    std::string all = engine::joined(std::span{words}.first(std::min(most, words.size())), "; ");
    if (words.size() > most)
        all += text("; and ", words.size() - most, " more (", engine::field::tables, " not-recorded)");
    return Finding{
        .kind = FindingKind::limitations,
        .severity = Severity::note,
        .words = text("Limitations of ", analysis.wish().asksForAll() ? "this" : "the whole", " trace: ", all, "."),
        .facts = {{"limitations", static_cast<std::int64_t>(words.size())}}};
}

}  // namespace app::analysis
