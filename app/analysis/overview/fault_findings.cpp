// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/fault_findings.hpp"

#include "app/analysis/calls/errors.hpp"
#include "app/analysis/collectives/mismatches.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/missing_data.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "app/analysis/wait_states/wait_states.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "engine/live/hang_diagnosis/hang_diagnosis.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <utility>

namespace app::analysis {
namespace {

using engine::capitalised;
using engine::showTime;
using engine::text;

/// A row of the roll call: "missing", "rank 2" and "in MPI_Bcast, call 3", in columns.
struct StandingRow {
    explicit StandingRow(std::string_view line) {
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        for (const std::string_view word : {"missing ", "waiting "})
            if (line.starts_with(word)) {
                isMissing = word.front() == 'm', waits = !isMissing;
                line.remove_prefix(word.size());
                line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
            }
        const std::size_t end = std::min(line.find("  "), line.size());
        who = line.substr(0, end);
        // "ranks 0,2,5-7": a list in a sentence
        if (const std::size_t last = who.rfind(','); last != std::string::npos) who.replace(last, 1, " and ");
        for (std::size_t at = 0; (at = who.find(',', at)) != std::string::npos; ++at) who.replace(at, 1, ", ");
        line.remove_prefix(end);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        what = line;
    }

    /// "Ranks 0-2 were in no MPI call and did not call MPI_Finalize. Their last call was MPI_Bcast, call 3 of
    /// MPI_COMM_WORLD." `of`: what calls are counted by. Whether a process still ran is not recorded.
    [[nodiscard]] std::string sentence(const std::string& of) const {
        const bool several = who.starts_with("ranks");
        const std::string were = several ? " were " : " was ";
        constexpr std::string_view outside = "outside of MPI since ", polling = "polling with ", call = ", call ";
        std::string doing{what};
        if (const std::size_t at = doing.find(call); at != std::string::npos && !of.empty())
            doing.insert(std::min(doing.find(',', at + call.size()), doing.size()), " of " + of);
        std::string words = capitalised(who);
        if (isMissing) words += text(were, "missing there. ", several ? "They" : "It");
        if (doing.starts_with(outside))
            return text(words, were, "in no MPI call and did not call MPI_Finalize. ", several ? "Their" : "Its",
                        " last call was ", doing.substr(outside.size()), ".");
        if (doing == "no recorded MPI call") return words + " left no record of its calls.";
        if (waits && doing.starts_with("in ")) return text(words, " waited ", doing, ".");
        return text(words, were, waits && doing.starts_with(polling) ? "waiting, " : "", doing, ".");
    }

    bool isMissing = false, waits = false;
    std::string who;
    std::string_view what;
};

/// The ranks of "rank 1", "ranks 0, 1, 2, 3" or "ranks 0-3 and 5".
std::set<std::int64_t> ranksIn(std::string_view who) {
    std::set<std::int64_t> ranks;
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    for (auto at = std::ranges::find_if(who, isDigit); at != who.end(); at = std::find_if(at, who.end(), isDigit)) {
        const auto end = std::find_if_not(at, who.end(), isDigit);
        constexpr std::int64_t most = 1'000'000;
        std::int64_t number = 0;
        if (std::from_chars(&*at, &*at + (end - at), number).ec != std::errc{} || number > most) return {};
        const bool isRange = at != who.begin() && *std::prev(at) == '-' && !ranks.empty();
        for (std::int64_t rank = isRange ? *ranks.rbegin() : number; rank <= number; ++rank) ranks.insert(rank);
        at = end;
    }
    return ranks;
}

/// Of the lines on how processes ended: the ranks whose call returned an error. They no longer wait in it.
std::set<std::int64_t> ranksWithErrors(std::span<const std::string> lines) {
    std::set<std::int64_t> ranks;
    bool isOfEndings = false;
    for (const std::string& line : lines) {
        if (!line.empty() && !line.starts_with(' ')) isOfEndings = line == engine::live::endingsHeading;
        const std::size_t returned = line.find(" returned the error "), of = line.find(" of rank");
        if (isOfEndings && returned != std::string::npos && of < returned)
            ranks.merge(ranksIn(std::string_view{line}.substr(of, returned - of)));
    }
    return ranks;
}

/// Who called MPI_Abort, and when.
std::string abortWords(const StandingRow& row, const traces::Recording& recording) {
    std::optional<engine::Picoseconds> when;
    for (const traces::States& states : recording.states)
        for (std::size_t i = 0; i < states.size(); ++i)
            if (recording.regions[engine::asSize(states.region[i])].name == "MPI_Abort" &&
                (!when || states.begin[i] < *when))
                when = states.begin[i];
    constexpr std::string_view in = "in ";
    return text(capitalised(row.who), " called ", row.what.substr(in.size()),
                when ? " (at " + showTime(*when, engine::ofPoints) + ")" : std::string{}, ".");
}

std::optional<Finding> unfinished(TraceAnalysis& analysis) {
    const std::string* const standing = analysis.trace().propertyOfProgram(traces::own::standing);
    if (standing == nullptr) return std::nullopt;
    std::vector<std::string> first{"The program did not finish."}, endings, waiting, others;
    bool isOfEndings = false;
    std::string of;  // what the paragraph is about: a communicator, a file or a window
    const std::vector<std::string> lines = engine::split(*standing, '\n');
    constexpr std::string_view mistake = "  mistake: ", entered = "  every rank has entered";
    const std::set<std::int64_t> withErrors = ranksWithErrors(lines);
    // Those that wait come first: others are missing there. The first line says how many ranks there are.
    const auto flush = [&] {
        for (auto* const sentences : {&waiting, &others}) {
            first.insert(first.end(), sentences->begin(), sentences->end());
            sentences->clear();
        }
    };
    for (const std::string& line : std::span{lines}.subspan(std::min<std::size_t>(1, lines.size()))) {
        if (line.empty()) continue;
        if (!line.starts_with(' ')) {
            flush();
            isOfEndings = line == engine::live::endingsHeading;
            const std::size_t count = line.rfind(", ");
            of = count == std::string::npos || line.starts_with("other calls") ? "" : line.substr(0, count);
            if (line.ends_with(" wait for each other"))
                others.push_back(capitalised(line.substr(0, line.rfind(" wait "))) + " waited for each other.");
        } else if (isOfEndings) {
            endings.push_back(capitalised(line.substr(line.find_first_not_of(' '))) + '.');
        } else if (line.starts_with(mistake)) {
            others.push_back(text("Arguments disagree: ", line.substr(mistake.size()), "."));
        } else if (line.starts_with(entered)) {
            if (withErrors.empty())
                others.push_back(
                    text("Every rank of ", of, " had entered the call. The MPI library did not complete it."));
        } else {
            const StandingRow row{line};
            if (row.what.starts_with("in MPI_Abort"))
                first.insert(first.begin() + 1, abortWords(row, *analysis.trace().recording));
            else if (!row.waits || !std::ranges::includes(withErrors, ranksIn(row.who)))
                (row.waits ? waiting : others).push_back(row.sentence(of));
        }
    }
    flush();
    first.insert(first.begin() + 1, endings.begin(), endings.end());
    return Finding{.kind = FindingKind::unfinished, .severity = Severity::fault, .words = engine::joined(first, " ")};
}

std::optional<Finding> mismatch(TraceAnalysis& analysis) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.isCollscopeRun()) return std::nullopt;
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
    if (!trace.recording || trace.isCollscopeRun()) return std::nullopt;
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
    if (!trace.recording || trace.isCollscopeRun() || !analysis.wish().asksForAll() ||
        !hasAllMessages(*trace.recording))
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
        .words = analysis.trace().sharesProcessors()
                     ? text("Caution: ", engine::joined(hosts, "; "), ". All times include waiting for a processor.")
                     : text("Caution: this is a replay of a recording whose ranks shared processors (",
                            engine::joined(hosts, "; "),
                            "). Its computation includes waiting for a processor: with a processor for each rank, "
                            "times and efficiencies may be entirely different."),
        .facts = {{"hosts", static_cast<std::int64_t>(all)}}};
}

/// The rank that a rank mostly waited for with its requests: whose sends, receives or entries into collectives came
/// after the rank had posted its own, by the time between; nothing where that is less than a quarter of `polled`.
std::optional<engine::Rank> awaitedWithRequests(const traces::Recording& recording, engine::Rank rank,
                                                engine::Picoseconds polled) {
    using engine::Picoseconds;
    std::map<engine::Rank, Picoseconds> times;
    const auto add = [&](engine::Rank late, Picoseconds from, Picoseconds came, Picoseconds end) {
        if (late != rank && end > from) times[late] += std::max(Picoseconds{}, std::min(came, end) - from);
    };
    const traces::Messages& m = recording.messages;
    for (std::size_t i = 0; i < m.size(); ++i) {
        if (m.to[i] == rank && (m.flags[i] & traces::flag::receiveNonBlocking) != 0)
            add(m.from[i], m.receiveBegin[i], m.sendBegin[i], m.receiveEnd[i]);
        const bool sends =
            (m.flags[i] & traces::flag::sendNonBlocking) != 0 && (m.flags[i] & traces::flag::sendEndUnknown) == 0;
        if (m.from[i] == rank && sends && m.sendEnd[i] > m.receiveBegin[i])
            add(m.to[i], m.sendBegin[i], m.receiveBegin[i], m.sendEnd[i]);
    }
    for (const traces::Collective& instance : recording.collectives.instances) {
        const std::span<const traces::Participant> parts = recording.collectives.of(instance);
        const auto its = std::ranges::find(parts, rank, &traces::Participant::rank);
        if (its == parts.end() || !its->nonBlocking) continue;
        const auto last = std::ranges::max_element(parts, {}, &traces::Participant::begin);
        add(last->rank, its->begin, last->begin, its->end);
    }
    const auto most = std::ranges::max_element(times, {}, [](const auto& one) { return one.second; });
    if (most == times.end() || 4 * most->second < polled) return std::nullopt;
    return most->first;
}

/// Time of the rank's main thread in recorded calls that found nothing, within `span`.
engine::Picoseconds timeInPolls(const traces::Recording& recording, engine::Rank rank, traces::TimeSpan span) {
    engine::Picoseconds time{};
    const std::int32_t location = recording.locationOf(rank);
    if (location == traces::noIndex) return time;
    const traces::States& states = recording.states[engine::asSize(location)];
    for (std::size_t i = 0; i < states.size(); ++i)
        if (recording.regions[engine::asSize(states.region[i])].name.ends_with(traces::own::foundNothing))
            time += std::max(engine::Picoseconds{},
                             std::min(states.end[i], span.end) - std::max(states.begin[i], span.begin));
    return time;
}

/// Ranks that polled for a twentieth of the analysed time or longer: where such calls were recorded, in them or for
/// messages that were not sent yet, since pauses between them may be computation.
std::optional<Finding> polling(TraceAnalysis& analysis) {
    struct OfRank {
        std::int64_t calls = 0;
        engine::Picoseconds time{};
        std::set<std::string> names{};
    };
    std::map<engine::Rank, OfRank> ranks;
    const traces::TimeSpan span = analysis.analysedSpan();
    const auto isLittle = [&](engine::Picoseconds time) { return 20 * time < span.end - span.begin; };
    for (Polled& one : pollsOf(analysis.trace())) {
        if (isLittle(one.time)) continue;
        OfRank& its = ranks[one.rank];
        its.calls += one.calls;
        its.time += one.time;
        its.names.insert(std::move(one.call));
    }
    if (ranks.empty()) return std::nullopt;
    const traces::Recording& recording = *analysis.trace().recording;
    if (arePollsRecorded(recording)) {
        std::map<engine::Rank, engine::Picoseconds> forMessages;
        for (const Wait& one : polledTimes(recording, analysis.selection())) forMessages[one.rank] += one.time;
        for (auto& [rank, its] : ranks) its.time = std::max(timeInPolls(recording, rank, span), forMessages[rank]);
        std::erase_if(ranks, [&](const auto& one) { return isLittle(one.second.time); });
    }
    std::set<std::string> names;
    for (const auto& [rank, its] : ranks) names.insert(its.names.begin(), its.names.end());
    if (ranks.empty()) return std::nullopt;
    const auto& [longest, its] = *std::ranges::max_element(ranks, {}, [](const auto& one) { return one.second.time; });
    const std::string with = " with " + listed(std::vector<std::string>(names.begin(), names.end()));
    const std::string who = ranks.size() == 1 ? text("rank ", longest, " polled", with, " for ")
                                              : text(ranks.size(), " ranks polled", with, ", rank ", longest, " for ");
    // Where ranks hardly compute, it does not matter what else counts as computation.
    const std::optional<Efficiency>& efficiency = analysis.efficiency();
    const bool compute = !efficiency || 20 * efficiency->meanComputation >= efficiency->time();
    const std::optional<engine::Rank> awaited = awaitedWithRequests(recording, longest, its.time);
    return Finding{
        .kind = FindingKind::polling,
        .severity = Severity::caution,
        .words = text(
            "Caution: ", who, showTime(its.time), " (", counted(its.calls), " calls found nothing)",
            awaited ? text(". Rank ", longest, " mostly waited for rank ", *awaited) : std::string{},
            arePollsRecorded(recording)
                ? compute ? ". The time outside of these calls counts as computation, even if the rank only waited."
                          : "."
                : ". Their time counts as computation, even if the rank only waited: efficiency and load "
                  "balance are too high."),
        .facts = {{"ranks", static_cast<std::int64_t>(ranks.size())}, {"time_s", its.time}, {"calls", its.calls}},
        .place = {.rank = longest}};
}

}  // namespace

bool arePollsRecorded(const traces::Recording& recording) {
    return std::ranges::any_of(recording.regions, [](const traces::Region& region) {
        return region.calls > 0 && region.name.ends_with(traces::own::foundNothing);
    });
}

std::vector<Polled> pollsOf(const Trace& trace) {
    std::vector<Polled> all;
    const std::string* const lines = trace.propertyOfProgram(traces::own::polling);
    if (lines == nullptr) return all;
    for (const std::string& line : engine::split(*lines, '\n')) {
        std::istringstream parts{line};
        std::int64_t rank = 0, nanoseconds = 0;
        Polled one;
        if (!(parts >> rank >> one.calls >> nanoseconds >> one.call)) continue;
        one.rank = engine::Rank{static_cast<std::int32_t>(rank)};
        std::int64_t within = 0;
        parts >> within;
        one.time = engine::Picoseconds{std::max(nanoseconds, within) * 1000};
        all.push_back(std::move(one));
    }
    return all;
}

std::vector<Finding> faultFindings(TraceAnalysis& analysis) {
    std::vector<Finding> all;
    for (std::optional<Finding>& one :
         std::vector<std::optional<Finding>>{unfinished(analysis), mismatch(analysis), callErrorsFinding(analysis),
                                             unreceived(analysis), sharedProcessors(analysis), polling(analysis)})
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
    const traces::Recording* const recording =
        analysis.trace().isCollscopeRun() ? nullptr : analysis.trace().recording.get();
    const auto until = recording == nullptr || analysis.wish().part.to ? std::nullopt : recordedUntil(*recording);
    if (until)
        all.push_back({.kind = FindingKind::part,
                       .severity = Severity::caution,
                       .words = text("Caution: ranks stopped recording at ", showTime(*until, engine::ofPoints),
                                     " of the trace, which lasts ", showTime(recording->duration),
                                     ". What follows is analysed only with ", engine::field::to, "; ",
                                     engine::field::tables, " not-recorded shows the reason."),
                       .facts = {{"recorded_until_s", *until}},
                       .place = {.begin = analysis.analysedSpan().begin, .end = *until}});
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
