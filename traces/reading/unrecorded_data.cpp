// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/unrecorded_data.hpp"

#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace traces::reading {

using engine::showTime;
using engine::text;

namespace {

std::string times(std::int64_t count, std::string_view one, std::string_view many) {
    return text(count, " ", count == 1 ? one : many);
}

class Describing {
public:
    Describing(const Facts& facts, Recording& recording) : facts_{facts}, recording_{recording} {}

    void regions() {
        // Calls of one function are known by where they are made, too; one that sends to MPI_PROC_NULL moves nothing.
        std::set<std::string_view> communicate;
        for (std::size_t i = 0; i < recording_.regions.size(); ++i)
            if (facts_.communicated[i] != 0) communicate.insert(recording_.regions[i].name);
        const bool recordsMessages = facts_.anchor.creator.starts_with(own::creator);
        std::map<std::string_view, std::size_t> byName;  // one call from several places is one line
        for (std::size_t i = 0; i < recording_.regions.size(); ++i) {
            Region& region = recording_.regions[i];
            region.calls = facts_.calls[i];
            const bool moves = region.call == Call::send || region.call == Call::receive ||
                               region.call == Call::sendReceive || region.call == Call::collective;
            if (!moves || region.calls == 0) continue;
            const bool collective = region.call == Call::collective;
            const bool isKnown = communicate.contains(region.name) || (recordsMessages && !collective);
            region.recorded = isKnown ? Recorded::yes : Recorded::no;
            if (isKnown) continue;
            const auto [entry, isNew] = byName.try_emplace(region.name, recording_.absences.size());
            if (isNew)
                add({.what = collective ? Absence::collective : Absence::messages,
                     .region = static_cast<std::int32_t>(i),
                     .words = {}});
            NotRecorded& absence = recording_.absences[entry->second];
            absence.count += region.calls;
            absence.words = text(region.name, " (", times(absence.count, "call", "calls"), "): its ",
                                 collective ? "collectives" : "messages", " were not recorded");
        }
    }

    void locations() {
        for (std::size_t i = 0; i < facts_.events.size(); ++i) {
            const LocationEvents& events = facts_.events[i];
            const Location& location = recording_.locations[i];
            const auto index = static_cast<std::int32_t>(i);
            for (const Interval& gap : events.gaps)
                if (gap.end > gap.begin)
                    add({.what = Absence::interval,
                         .location = index,
                         .count = 1,
                         .begin = Picoseconds{gap.begin},
                         .end = Picoseconds{gap.end},
                         .words = text(shown(location), " did not record for ",
                                       showTime(Picoseconds{gap.end - gap.begin}))});
            if (!events.there) {
                if (facts_.announced[i] == 0) continue;
                endsEarly(index, Picoseconds{0}, text("the events of ", shown(location), " are missing"));
            } else if (events.ending != Ending::whole) {
                endsEarly(index, location.last,
                          text("the events of ", shown(location),
                               events.ending == Ending::cutOff ? " are cut off after " : " are damaged after ",
                               showTime(location.last, engine::ofPoints)));
            } else if (!recording_.states[i].open.empty() && location.last < recording_.duration) {
                recording_.earlyEnds.push_back(
                    {index, location.last,
                     text(shown(location), " ends inside of ",
                          times(static_cast<std::int64_t>(recording_.states[i].open.size()), "call", "calls"))});
            }
        }
    }

    /// Ids of regions and communicators are a location's own, and clocks have offsets, where a file of its says so.
    void localDefinitions() {
        std::vector<std::string> missing;
        bool some = false;
        for (std::size_t i = 0; i < facts_.events.size(); ++i) {
            if (facts_.events[i].localDefinitionsThere) some = true;
            else if (facts_.events[i].events > 0) missing.push_back(shown(recording_.locations[i]));
        }
        if (missing.empty() || facts_.own) return;
        const std::string who = !some ? "all locations"
                                : missing.size() == 1
                                    ? missing.front()
                                    : text(missing.size(), " locations, ", missing.front(), " among them,");
        add({.what = Absence::file,
             .count = static_cast<std::int64_t>(missing.size()),
             .words = text("the local definitions of ", who,
                           " are missing: communicators, calls and times are used as recorded there")});
    }

    void ends() {
        std::int64_t sends = 0, receives = 0;
        for (std::size_t i = 0; i < recording_.messages.size(); ++i) {
            sends += (recording_.messages.flags[i] & flag::sendEndUnknown) != 0 ? 1 : 0;
            receives += (recording_.messages.flags[i] & flag::receiveInferred) != 0 ? 1 : 0;
        }
        for (const Half& half : recording_.halves)
            if (half.side == Side::receive && half.communicator == noIndex && half.nonBlocking) ++receives;
        if (sends > 0)
            add({.what = Absence::sendCompletion,
                 .count = sends,
                 .words =
                     text(times(sends, "nonblocking send does", "nonblocking sends do"), " not say when completed")});
        if (receives > 0)
            add({.what = Absence::receiveCompletion,
                 .count = receives,
                 .words =
                     text(times(receives, "receive request does", "receive requests do"), " not say what arrived")});
        if (std::string words = facts_.disputed.words(); !words.empty())
            add({.what = Absence::sizes, .count = facts_.disputed.count, .words = std::move(words)});
        if (const auto count = static_cast<std::int64_t>(recording_.unfinished.size()); count > 0)
            add({.what = Absence::collectiveEnd,
                 .count = count,
                 .words =
                     text(times(count, "collective was begun and does", "collectives were begun and do"), " not end")});
    }

    void whole() {
        if (!facts_.definitions.whole)
            add({.what = Absence::file,
                 .words = text("the definitions are cut off or damaged: ", facts_.definitions.count, " of ",
                               facts_.anchor.definitions, " could be read")});
        const std::int64_t inside = collectivesWithoutMessages(recording_).collectives;
        if (inside > 0)
            add({.what = Absence::insideCollectives,
                 .count = inside,
                 .words = text("the messages inside of ", times(inside, "collective", "collectives"),
                               " were not recorded")});
        const bool hasCalls = std::ranges::any_of(recording_.regions, [](const Region& region) {
            return region.calls > 0 &&
                   (region.call == Call::send || region.call == Call::receive || region.call == Call::sendReceive);
        });
        const bool recordsMessages = facts_.anchor.creator.starts_with(own::creator) && !facts_.own;
        if (recording_.messages.empty() && recording_.halves.empty() && (hasCalls || !recordsMessages))
            add({.what = Absence::anyMessage,
                 .words = recording_.library.messages.empty() ? "the trace has no message"
                                                              : "no point-to-point messages were recorded"});
        if (!facts_.own) {
            add({.what = Absence::rounds, .words = "rounds were not recorded"});
            add({.what = Absence::contents, .words = "message contents were not recorded"});
        }
        if (recording_.topologies.empty()) add({.what = Absence::topology, .words = "the network was not recorded"});
    }

    /// Records that Collscope does not use: they are listed, so that users see why results lack them.
    void passedOver() {
        struct Kind {
            std::string_view one;
            std::string_view many;
            std::vector<std::string_view> prefixes;
        };
        static const std::vector<Kind> kinds{
            {"record of the completion of one-sided operations",
             "records of the completion of one-sided operations",
             {"RMA_TRY_", "RMA_WAIT_", "RMA_OP_"}},
            {"record of how an open file was changed",
             "records of how open files were changed",
             {"IO_DUPLICATE_", "IO_CHANGE_", "IO_DELETE_"}},
            {"record of tasks or of threads' begin and end",
             "records of tasks or of threads' begin and end",
             {"THREAD_TASK_", "OMP_TASK_", "THREAD_CREATE", "THREAD_BEGIN", "THREAD_WAIT", "THREAD_END"}},
            {"sample or call by its context", "samples and calls by their context", {"CALLING_CONTEXT_"}},
            {"buffer flush", "buffer flushes", {"BUFFER_FLUSH"}},
            {"record of a kind that is not known here", "records of kinds that are not known here", {"RECORD_"}}};
        std::vector<std::int64_t> sums(kinds.size());
        std::vector<std::string> names(kinds.size());
        for (const RecordCount& record : recording_.records)
            for (std::size_t k = 0; k < kinds.size(); ++k) {
                const auto& prefixes = kinds[k].prefixes;
                if (std::none_of(prefixes.begin(), prefixes.end(),
                                 [&](std::string_view prefix) { return record.name.starts_with(prefix); }))
                    continue;
                sums[k] += static_cast<std::int64_t>(record.count);
                names[k] += text(names[k].empty() ? "" : ", ", record.count, " ", record.name);
                break;
            }
        for (std::size_t k = 0; k < kinds.size(); ++k)
            if (sums[k] > 0)
                add({.what = Absence::passedOver,
                     .count = sums[k],
                     .words = text(times(sums[k], kinds[k].one, kinds[k].many), " (", names[k],
                                   ") are in the trace and looked at by nothing here")});
    }

    void remarks() {
        std::uint64_t disorder = 0, unbalanced = 0, strange = 0;
        std::int64_t strangers = 0, damagedTables = 0;
        for (std::size_t i = 0; i < facts_.events.size(); ++i) {
            const LocationEvents& events = facts_.events[i];
            disorder += events.disorder;
            unbalanced += events.unbalanced;
            strange += events.strangeMetrics;
            damagedTables += events.localDefinitionsDamaged ? 1 : 0;
            if (recording_.locations[i].rank == noRank && !events.counts.empty())
                for (const std::uint8_t kind : {event::mpiSend, event::mpiIsend, event::mpiRecv, event::mpiIrecv})
                    strangers += static_cast<std::int64_t>(events.counts[kind]);
        }
        if (damagedTables > 0)
            recording_.remarks.push_back(
                text("the definitions of ", times(damagedTables, "location", "locations"), " are cut off or damaged"));
        if (disorder > 0)
            recording_.remarks.push_back(
                text(times(static_cast<std::int64_t>(disorder), "timestamp lies before its predecessor",
                           "timestamps lie before their predecessors")));
        if (unbalanced > 0)
            recording_.remarks.push_back(text(times(static_cast<std::int64_t>(unbalanced), "call is", "calls are"),
                                              " left without being entered, or the reverse"));
        if (strange > 0)
            recording_.remarks.push_back(
                text(times(static_cast<std::int64_t>(strange), "record of metrics is", "records of metrics are"),
                     " left out: their definition is missing or contradictory"));
        if (strangers > 0)
            recording_.remarks.push_back(text(times(strangers, "record of a message lies at a location that is",
                                                    "records of messages lie at locations that are"),
                                              " no rank"));
        const auto unordered =
            std::count_if(recording_.collectives.instances.begin(), recording_.collectives.instances.end(),
                          [](const Collective& instance) { return !instance.ordered; });
        if (unordered > 0)
            recording_.remarks.push_back(text(times(unordered, "part of a collective", "parts of collectives"),
                                              " could not be put together with the other ranks' parts"));
    }

private:
    void add(NotRecorded absence) { recording_.absences.push_back(std::move(absence)); }

    void endsEarly(std::int32_t location, Picoseconds last, const std::string& why) {
        recording_.earlyEnds.push_back({location, last, why});
        add({.what = Absence::file,
             .location = location,
             .count = 1,
             .begin = last,
             .end = recording_.duration,
             .words = why});
    }

    [[nodiscard]] static std::string shown(const Location& location) {
        return location.rank == noRank ? text("location ", location.id) : text("rank ", location.rank);
    }

    const Facts& facts_;
    Recording& recording_;
};

}  // namespace

void describeAbsences(const Facts& facts, Recording& recording) {
    Describing describing{facts, recording};
    describing.regions();
    describing.locations();
    describing.localDefinitions();
    describing.ends();
    describing.whole();
    describing.passedOver();
    describing.remarks();
}

}  // namespace traces::reading
