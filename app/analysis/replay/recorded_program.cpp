// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/replay/recorded_program.hpp"

#include "app/analysis/calls/computation_times.hpp"
#include "app/analysis/calls/interval_sums.hpp"
#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "app/analysis/calls/send_modes.hpp"
#include "app/analysis/calls/stream_activity.hpp"
#include "app/analysis/collectives/library.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/wait_states/one_sided_calls.hpp"
#include "app/analysis/wait_states/synchronising_calls.hpp"
#include "emulation/clocks/bounded_time.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/library_names.hpp"
#include "traces/recording/by_rank.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace app::analysis {

using emulation::Does;
using engine::Picoseconds;
using engine::Rank;
using engine::text;
using traces::Recording;

namespace {

/// What its recorder names; NCCL's algorithms by the names of the catalogue. Empty where it names none, or none of the
/// catalogue's.
std::string namedAlgorithm(const Recording& recording, const traces::Collective& collective) {
    if (collective.algorithm == traces::noIndex) return {};
    const std::string& name = recording.algorithms[engine::asSize(collective.algorithm)];
    if (!traces::isTraining(recording)) return name;
    const std::string algorithm = engine::lowered(traces::Ran::from(name).algorithm);
    const std::string_view call = collective.operation == traces::Operation::allreduce            ? "allreduce"
                                  : collective.operation == traces::Operation::allgather          ? "allgather"
                                  : collective.operation == traces::Operation::reduceScatterBlock ? "reducescatter"
                                                                                                  : "";
    for (const engine::Algorithm* one : engine::catalogue())
        for (const engine::KnownAs& known : one->knownAs)
            if (known.library == "NCCL" && known.call == call && known.name == algorithm) return one->id;
    return {};
}

/// The algorithm of the catalogue with the messages of the one that the MPI library ran; null where the library names
/// none, or none of the catalogue's.
const engine::Algorithm* ranByLibrary(const std::string& ofLibrary, const std::string& operation) {
    const std::optional<engine::KnownAs> ran = ranAs(ofLibrary, operation);
    if (!ran) return nullptr;
    const auto& all = engine::libraryAlgorithms();
    const auto its = std::ranges::find_if(all, [&](const engine::LibraryAlgorithm& one) {
        return one.known.library == ran->library && one.known.call == ran->call && one.known.number == ran->number &&
               !one.id.empty();
    });
    return its == all.end() ? nullptr : &engine::algorithmNamed(its->id);
}

/// Its name, in as many segments as the library says.
std::string libraryAlgorithm(const Instance& instance, const engine::Algorithm& its) {
    constexpr std::string_view size = "segsize=", option = "segments";
    const auto at = instance.ofLibrary.rfind(size);
    if (at == std::string::npos || std::ranges::find(its.options, option, &engine::Option::name) == its.options.end())
        return its.id;
    engine::Bytes segment = 0;
    const char* const digits = instance.ofLibrary.data() + at + size.size();
    std::from_chars(digits, instance.ofLibrary.data() + instance.ofLibrary.size(), segment);
    const engine::Bytes whole = instance.problem->layout.total();
    return text(its.id, ':', option, '=',
                segment > 0 ? std::max<engine::Bytes>(1, (whole + segment - 1) / segment) : 1);
}

/// A message that is posted, or a collective that is started.
struct Posted {
    Picoseconds time{};
    Does what = Does::sends;
    std::int64_t number = 0;
    bool lets = false;  ///< another rank go on that waits at a synchronisation for this one alone
};

/// A call that keeps its rank until something is done.
struct Keeping {
    Picoseconds begin{};
    Picoseconds end{};
    Picoseconds came{};  ///< when the other end of a message was posted, or whom a synchronisation awaits came
    Does what = Does::awaitsSend;
    std::int64_t number = 0;
    bool forOne = false;  ///< a synchronisation that awaits one rank alone

    /// Calls that begin together follow each other: all but the last take no time.
    [[nodiscard]] std::pair<Picoseconds, Picoseconds> span() const { return {begin, end}; }
};

/// Of one message, whose ends its ranks have posted.
constexpr std::uint8_t sendIsPosted = 1, receiveIsPosted = 2;

class Programmer {
public:
    Programmer(const Recording& recording, const ComputationOf& ownTime)
        : recording_{recording}, ownTime_{ownTime}, postedEnds_(recording.messages.size()) {
        made_.program.ranks.resize(recording.ranks);
        made_.spent.resize(recording.ranks);
        made_.begun.resize(recording.ranks);
        made_.setUp.ends.resize(recording.ranks);
        made_.duration = recording.duration;
        rankEnds_.resize(recording.ranks);
        if (!traces::isTraining(recording)) computation_.emplace(recording);
        for (const Rank rank : rankEnds_.ids())
            if (const std::int32_t its = recording.locationOf(rank); its != traces::noIndex)
                rankEnds_[rank] = recording.locations[engine::asSize(its)].last;
        if (!traces::isTraining(recording)) return;
        // The compute stream of a rank ends before its host and its last step do.
        for (const traces::Location& one : recording.locations)
            if (one.rank != traces::noRank) rankEnds_[one.rank] = std::max(rankEnds_[one.rank], one.last);
        for (const traces::Marker& marker : recording.markers)
            if (marker.group == traces::stepGroup && marker.location != traces::noIndex)
                if (const Rank rank = recording.locations[engine::asSize(marker.location)].rank; rank != traces::noRank)
                    rankEnds_[rank] = std::max(rankEnds_[rank], marker.end);
    }

    RecordedProgram make(const engine::Progress& progress) {
        if (traces::isTraining(recording_)) made_.program.streams.resize(recording_.ranks);
        takeMessages();
        takeCollectives(progress);
        const LocationsOfRanks locations = locationsOfRanks(recording_);
        const MpiRegions regions{recording_};
        if (!traces::isTraining(recording_)) takeSynchronisations(regions, locations);
        made_.program.messages.synchronous = synchronousSends(recording_);
        const traces::Messages& m = recording_.messages;
        const traces::Grouped sends{m.from.span(), recording_.ranks};
        const traces::Grouped receives{m.to.span(), recording_.ranks};
        for (Rank rank{0}; rank.value < recording_.ranks; ++rank) {
            if (rank.value % 64 == 0) progress.at(0.3 + 0.7 * rank.value / recording_.ranks);
            const MpiCalls calls{recording_, regions, locations[rank.index()]};
            posted_.clear();
            keeping_.clear();
            started_.clear();
            for (const std::uint32_t i : sends.of(rank)) addSend(calls, i);
            for (const std::uint32_t i : receives.of(rank)) addReceive(calls, i);
            if (made_.program.streams.empty()) addCollectives(calls, rank);
            else addOnStreams(rank, locations[rank.index()]);
            std::ranges::stable_sort(posted_, {}, &Posted::time);
            std::ranges::stable_sort(keeping_, {}, &Keeping::span);
            const Picoseconds begins = setUpEnd(recording_, rank);
            write(rank, begins);
            made_.setUp.ends[rank] = ownTime_ ? ownTime_(rank, {}, begins) : begins;
        }
        made_.program.setUp = made_.setUp.ends;
        nameWhatLacks();
        return std::move(made_);
    }

private:
    void takeMessages() {
        const traces::Messages& m = recording_.messages;
        emulation::PointToPoint& messages = made_.program.messages;
        messages.from.assign(m.from.span().begin(), m.from.span().end());
        messages.to.assign(m.to.span().begin(), m.to.span().end());
        messages.bytes.assign(m.bytes.span().begin(), m.bytes.span().end());
    }

    /// Those that all of their members came to, with numbers of their own.
    void takeCollectives(const engine::Progress& progress) {
        parts_.resize(recording_.ranks);
        std::map<std::vector<Rank>, std::shared_ptr<const std::vector<Rank>>> groups;
        const auto& all = recording_.collectives.instances;
        eachCollective(recording_, {}, [&](Instance&& instance) {
            const std::size_t index = instance.collective;
            if (index % 256 == 0) progress.at(0.3 * static_cast<double>(index) / static_cast<double>(all.size()));
            const traces::Collective& collective = all[index];
            if (isAmongNeighbours(collective.operation)) return;  // made of messages, which are emulated
            if (!instance.complete) {
                ++incomplete_;
                return;
            }
            const auto number = static_cast<std::int64_t>(made_.collectives.size());
            const std::vector<Picoseconds> waited = waitedIn(instance);
            for (std::size_t place = 0; place < waited.size(); ++place)
                made_.spent[instance.ranks[place]].waitingInCollectives += waited[place];
            Picoseconds latest{};
            for (const traces::Participant& part : recording_.collectives.of(collective))
                latest = std::max(latest, part.begin);
            for (const traces::Participant& part : recording_.collectives.of(collective))
                parts_[part.rank].push_back({.its = part,
                                             .number = number,
                                             .behindLast = std::max(Picoseconds{}, part.end - latest),
                                             .isEarly = part.end < latest && !joinsAll(collective.operation)});
            auto& group = groups[instance.ranks];
            if (group == nullptr) group = std::make_shared<const std::vector<Rank>>(instance.ranks);
            std::string algorithm = namedAlgorithm(recording_, collective);
            const bool isOfLibrary = algorithm.empty();
            if (isOfLibrary && instance.problem && !instance.ofLibrary.empty()) {
                const auto [ran, isNew] = ranByLibrary_.try_emplace({instance.ofLibrary, instance.operation}, nullptr);
                if (isNew) ran->second = ranByLibrary(instance.ofLibrary, instance.operation);
                if (ran->second != nullptr) algorithm = libraryAlgorithm(instance, *ran->second);
            }
            const AlgorithmSource source = algorithm.empty() ? AlgorithmSource::none : AlgorithmSource::recorded;
            made_.program.collectives.push_back({.members = group, .schedule = nullptr});
            made_.collectives.push_back({std::move(instance.communicator),
                                         std::move(instance.operation),
                                         !instance.completing.empty() && !traces::isTraining(recording_),
                                         instance.bytes,
                                         {instance.begin, instance.end},
                                         std::move(instance.problem),
                                         std::move(instance.whyNoProblem),
                                         instance.root,
                                         std::move(algorithm),
                                         index,
                                         {},
                                         isOfLibrary,
                                         source});
        });
    }

    /// Waits in calls that move nothing that was recorded.
    void takeSynchronisations(const MpiRegions& regions, const LocationsOfRanks& locations) {
        // Calls that all of their ranks make; those who waited for one rank come one after the other.
        const std::vector<BlockingCall> together = synchronisingCalls(recording_, {});
        std::map<Rank, MpiCalls> callsOf;
        for (std::size_t first = 0, behind = 0; first < together.size(); first = behind) {
            const BlockingCall& one = together[first];
            std::vector<traces::Participant> parts;
            for (; behind < together.size() && together[behind].late == one.late && together[behind].came == one.came;
                 ++behind)
                parts.push_back(
                    {.rank = together[behind].rank, .begin = together[behind].begin, .end = together[behind].end});
            const auto calls = callsOf.try_emplace(one.late, recording_, regions, locations[one.late.index()]).first;
            const std::optional<MpiCall> its = calls->second.beginning(one.came, one.came);
            parts.push_back({.rank = one.late, .begin = one.came, .end = its ? its->end : one.came});
            std::ranges::sort(parts, {}, &traces::Participant::rank);
            addSynchronisation(one, std::move(parts), false);
        }
        for (const BlockingCall& one : oneSidedCalls(recording_, {})) {
            if (!one.waited()) continue;
            std::vector<traces::Participant> parts{
                {.rank = one.rank, .begin = one.begin, .end = std::max(one.end, one.until())},
                {.rank = one.late, .begin = one.until(), .end = one.until(), .nonBlocking = true}};
            std::ranges::sort(parts, {}, &traces::Participant::rank);
            addSynchronisation(one, std::move(parts), true);
            made_.callsAtWindows.try_emplace(made_.collectives.back().operation);
        }
        for (const traces::Region& region : recording_.regions)
            if (const auto its = made_.callsAtWindows.find(withoutPlace(region.name));
                its != made_.callsAtWindows.end())
                its->second += region.calls;
    }

    void addSynchronisation(const BlockingCall& one, std::vector<traces::Participant> parts, bool forOne) {
        const auto number = static_cast<std::int64_t>(made_.collectives.size());
        const Picoseconds came = one.until();
        auto members = std::make_shared<std::vector<Rank>>();
        emulation::Lasting lasted{parts.front().begin, {}};
        for (const traces::Participant& part : parts) {
            members->push_back(part.rank);
            lasted = {std::min(lasted.begin, part.begin), std::max(lasted.end, part.end)};
            if (!part.nonBlocking)
                made_.spent[part.rank].waitingInCollectives += std::max(Picoseconds{}, came - part.begin);
            parts_[part.rank].push_back({.its = part,
                                         .number = number,
                                         .behindLast = std::max(Picoseconds{}, part.end - came),
                                         .came = came,
                                         .forOne = forOne});
        }
        made_.program.collectives.push_back({.members = std::move(members), .schedule = nullptr});
        made_.collectives.push_back({.communicator = {},
                                     .operation = withoutPlace(callAt(recording_, one.rank, one.begin)),
                                     .lasted = lasted,
                                     .problem = nullptr,
                                     .whyNoProblem = {},
                                     .parts = std::move(parts),
                                     .forOne = forOne});
    }

    static std::string withoutPlace(const std::string& region) { return region.substr(0, region.find(' ')); }

    void addSend(const MpiCalls& calls, std::uint32_t i) {
        const traces::Messages& m = recording_.messages;
        const bool nonBlocking = (m.flags[i] & traces::flag::sendNonBlocking) != 0;
        posted_.push_back({m.sendBegin[i], Does::sends, i});
        if ((m.flags[i] & traces::flag::sendEndUnknown) != 0) return;
        const Picoseconds receiverCame = m.sendEnd[i] > m.receiveBegin[i] ? m.receiveBegin[i] : Picoseconds{};
        keep(calls, nonBlocking ? m.sendEnd[i] : m.sendBegin[i], m.sendEnd[i],
             {.came = receiverCame, .what = Does::awaitsSend, .number = i});
    }

    void addReceive(const MpiCalls& calls, std::uint32_t i) {
        const traces::Messages& m = recording_.messages;
        const bool nonBlocking = (m.flags[i] & traces::flag::receiveNonBlocking) != 0;
        const Picoseconds end = std::max(m.receiveBegin[i], m.receiveEnd[i]);
        posted_.push_back({m.receiveBegin[i], Does::receives, i});
        keep(calls, nonBlocking ? end : m.receiveBegin[i], end,
             {.came = m.sendBegin[i], .what = Does::awaitsReceive, .number = i});
    }

    void addCollectives(const MpiCalls& calls, Rank rank) {
        for (const Part& part : parts_[rank]) {
            if (part.forOne && part.its.nonBlocking) {
                posted_.push_back({.time = part.its.begin, .what = Does::starts, .number = part.number, .lets = true});
                continue;
            }
            if (made_.collectives[engine::asSize(part.number)].isSynchronisation()) {
                keeping_.push_back({.begin = part.its.begin,
                                    .end = part.its.end,
                                    .came = part.came,
                                    .what = Does::enters,
                                    .number = part.number,
                                    .forOne = part.forOne});
                continue;
            }
            if (part.its.nonBlocking) posted_.push_back({part.its.begin, Does::starts, part.number});
            keep(calls, part.its.nonBlocking ? part.its.end : part.its.begin, part.its.end,
                 {.what = part.its.nonBlocking ? Does::ends : Does::enters, .number = part.number});
        }
    }

    /// Collectives that start on streams, and where the rank waits for them.
    void addOnStreams(Rank rank, const std::vector<std::size_t>& locations) {
        std::map<traces::TimeSpan, std::size_t, decltype([](const auto& a, const auto& b) {
                     return std::pair{a.begin, a.end} < std::pair{b.begin, b.end};
                 })>
            streamOf;
        for (const std::size_t location : locations) {
            const traces::States& states = recording_.states[location];
            for (std::size_t i = 0; i < states.size(); ++i)
                if (recording_.regions[engine::asSize(states.region[i])].call == traces::Call::collective)
                    streamOf.try_emplace({states.begin[i], states.end[i]}, location);
        }
        std::vector<Picoseconds> steps;                                      // their ends
        std::map<std::pair<std::size_t, Picoseconds>, Picoseconds> awaited;  // by stream and end of a collective
        for (const traces::Marker* const marker : markersOf(rank)) {
            if (marker->group == traces::stepGroup) steps.push_back(marker->end);
            if (marker->group == traces::awaitedGroup) {
                const auto [first, isNew] =
                    awaited.try_emplace({engine::asSize(marker->location), marker->begin}, marker->end);
                if (!isNew) first->second = std::min(first->second, marker->end);
            }
        }
        std::ranges::sort(steps);
        const StreamActivity streams = streamActivityOf(recording_, locations);
        std::vector<const Part*> parts;
        for (const Part& part : parts_[rank]) parts.push_back(&part);
        std::ranges::stable_sort(parts, {}, [](const Part* part) { return part->its.begin; });
        std::map<std::size_t, std::int64_t> lastOn;  // streams
        onStream_.clear();
        for (const Part* part : parts) {
            const traces::Participant& its = part->its;
            const auto stream = streamOf.find({its.begin, its.end});
            const auto [last, isFirst] = lastOn.try_emplace(
                stream == streamOf.end() ? recording_.locations.size() : stream->second, emulation::OnStream::none);
            onStream_[part->number] = {.after = last->second,
                                       .lingers = part->isEarly ? its.end - its.begin : part->behindLast,
                                       .waits = !part->isEarly};
            last->second = part->number;
            posted_.push_back({its.begin, Does::starts, part->number});
            if (const auto from = streams.waitsFrom({its.begin, its.end})) {
                keeping_.push_back({.begin = *from, .end = its.end, .what = Does::ends, .number = part->number});
                continue;
            }
            if (stream != streamOf.end())
                if (const auto kernel = awaited.find({stream->second, its.end}); kernel != awaited.end()) {
                    keeping_.push_back(
                        {.begin = kernel->second, .end = kernel->second, .what = Does::ends, .number = part->number});
                    continue;
                }
            const auto step = std::ranges::lower_bound(steps, its.end);
            const Picoseconds end = std::max(its.end, step == steps.end() ? rankEnds_[rank] : *step);
            keeping_.push_back({.begin = end, .end = end, .what = Does::ends, .number = part->number});
        }
    }

    const std::vector<const traces::Marker*>& markersOf(Rank rank) {
        if (markers_.empty()) {
            markers_.resize(recording_.ranks);
            for (const traces::Marker& marker : recording_.markers)
                if (marker.location != traces::noIndex)
                    if (const Rank its = recording_.locations[engine::asSize(marker.location)].rank;
                        its != traces::noRank)
                        markers_[its].push_back(&marker);
        }
        return markers_[rank];
    }

    /// What is done within [begin, end] keeps the rank for as long as the call around that lasts.
    void keep(const MpiCalls& calls, Picoseconds begin, Picoseconds end, Keeping what) {
        const bool wasPosted = begin == end;  // before this call
        const std::optional<MpiCall> call = wasPosted ? calls.completing(end) : calls.at(end);
        const bool around = call && call->begin <= begin;
        what.begin = around ? call->begin : begin;
        what.end = around ? std::max(call->end, end) : end;
        keeping_.push_back(what);
    }

    void write(Rank rank, Picoseconds setUpEnd) {
        now_ = {};
        setUpEnd_ = setUpEnd;
        auto next = posted_.begin();
        const auto postUntil = [&](Picoseconds time) {
            for (; next != posted_.end() && next->time < time; ++next) {
                compute(rank, next->time);
                post(rank, *next);
            }
        };
        for (std::size_t first = 0; first < keeping_.size();) {
            std::size_t behind = first + 1;
            while (behind < keeping_.size() && keeping_[behind].span() == keeping_[first].span()) ++behind;
            const auto call = std::span{keeping_}.subspan(first, behind - first);
            postUntil(call.front().begin);
            compute(rank, call.front().begin);
            // What a call both posts and awaits begins with it. Whom a rank lets go on behind its own wait at a window,
            // it lets go on behind the call.
            const bool forOne = std::ranges::all_of(call, &Keeping::forOne);
            const Picoseconds came = std::ranges::max(call, {}, &Keeping::came).came;
            std::vector<Posted> later;
            for (; next != posted_.end() && (next->time <= call.front().begin || next->time < call.front().end); ++next)
                if (forOne && next->lets && next->time >= came) later.push_back(*next);
                else post(rank, *next);
            for (const Keeping& one : call)
                if (one.what != Does::enters) post(rank, {one.begin, postedBy(one.what), one.number});
            finish(rank, call);
            for (const Posted& one : later) post(rank, one);
            first = behind;
        }
        postUntil(emulation::endOfTime);
        compute(rank, rankEnds_[rank]);
        emulation::TimeSpent& spent = made_.spent[rank];
        spent.end = now_;
        spent.waitingInCollectives = std::min(spent.waitingInCollectives, spent.inCollectives);
    }

    static Does postedBy(Does awaiting) {
        return awaiting == Does::awaitsSend ? Does::sends : awaiting == Does::ends ? Does::starts : Does::receives;
    }

    void add(Rank rank, Does what, std::int64_t number) {
        made_.program.ranks[rank].add(what, number);
        made_.begun[rank].push_back(now_);
    }

    void compute(Rank rank, Picoseconds until) {
        if (until <= now_) return;
        const Picoseconds time = ownTime_ ? ownTime_(rank, now_, until) : until - now_;
        add(rank, Does::computes, time.count());
        const Picoseconds inMpi = inMpiBetween(rank, std::max(now_, setUpEnd_), until);
        made_.spent[rank].computing += until - now_ - inMpi;
        made_.spent[rank].inMpi += inMpi;
        now_ = until;
    }

    [[nodiscard]] Picoseconds inMpiBetween(Rank rank, Picoseconds from, Picoseconds to) const {
        const std::int32_t location = recording_.locationOf(rank);
        if (!computation_ || location == traces::noIndex) return {};
        from = std::max(from, recording_.locations[engine::asSize(location)].first);
        return to <= from ? Picoseconds{} : to - from - computation_->of(rank, from, to);
    }

    /// Once, and before it is awaited, whatever the clock says.
    void post(Rank rank, const Posted& one) {
        if (one.what == Does::starts) {
            if (!started_.insert(one.number).second) return;
            if (!made_.program.streams.empty()) {
                emulation::OnStream its = onStream_.at(one.number);
                its.delay = std::max(Picoseconds{}, one.time - now_);
                made_.program.streams[rank].push_back(its);
            }
        } else {
            std::uint8_t& done = postedEnds_[engine::asSize(one.number)];
            const std::uint8_t its = one.what == Does::sends ? sendIsPosted : receiveIsPosted;
            if ((done & its) != 0) return;
            done |= its;
        }
        add(rank, one.what, one.number);
    }

    void finish(Rank rank, std::span<const Keeping> call) {
        Picoseconds came{};
        Picoseconds end = now_;
        bool collective = false;
        for (const Keeping& one : call) {
            add(rank, one.what, one.number);
            if (one.what == Does::enters || one.what == Does::ends) {
                if (made_.program.streams.empty()) add(rank, Does::lingers, lingered(rank, one.number).count());
                collective = true;
            }
            came = std::max(came, one.came);
            end = std::max(end, one.end);
        }
        emulation::TimeSpent& spent = made_.spent[rank];
        if (collective) {
            spent.inCollectives += end - now_;
        } else {
            came = std::clamp(came, now_, end);
            spent.waiting += came - now_;
            spent.moving += end - came;
        }
        now_ = end;
    }

    [[nodiscard]] Picoseconds lingered(Rank rank, std::int64_t number) const {
        const auto& its = parts_[rank];
        return std::ranges::lower_bound(its, number, {}, &Part::number)->behindLast;
    }

    void nameWhatLacks() {
        std::vector<std::string>& remarks = made_.remarks;
        const auto name = [&](std::size_t number, std::string_view one, std::string_view more) {
            if (number > 0)
                remarks.push_back(text(counted(static_cast<std::int64_t>(number)), " ", number == 1 ? one : more));
        };
        name(recording_.halves.size(), "send or receive without its other end is left out",
             "sends or receives without their other ends are left out");
        name(incomplete_, "collective with ranks that were not recorded keeps its recorded time",
             "collectives with ranks that were not recorded keep their recorded time");
        name(recording_.unfinished.size(), "collective that never ended is left out",
             "collectives that never ended are left out");
        std::size_t pauses = 0;
        for (const traces::NotRecorded& absence : recording_.absences) {
            if (absence.what == traces::Absence::interval) ++pauses;
            if (absence.what == traces::Absence::messages || absence.what == traces::Absence::collective ||
                absence.what == traces::Absence::file || absence.what == traces::Absence::limit ||
                absence.what == traces::Absence::clocks)
                remarks.push_back(absence.words);
            if (absence.what == traces::Absence::sendCompletion)
                remarks.push_back(absence.words + ": their ranks do not wait for them");
            if (absence.what == traces::Absence::receiveCompletion)
                remarks.push_back(absence.words + ": completion times are inferred from the order of messages");
            if (absence.what == traces::Absence::passedOver)
                remarks.push_back(absence.words + ": their time counts as computation");
        }
        nameChoices();
        name(pauses, "gap in the recording of a location keeps its recorded time",
             "gaps in the recording of locations keep their recorded time");
    }

    /// Calls that find what is there.
    void nameChoices() {
        static const std::set<std::string_view> calls{
            "MPI_Waitany", "MPI_Waitsome", "MPI_Test",   "MPI_Testany", "MPI_Testall",           "MPI_Testsome",
            "MPI_Probe",   "MPI_Iprobe",   "MPI_Mprobe", "MPI_Improbe", "MPI_Request_get_status"};
        std::int64_t all = 0;
        std::set<std::string> names;  // a function has a region for each place that calls it
        for (const traces::Region& region : recording_.regions) {
            if (region.calls == 0 || !calls.contains(region.name)) continue;
            all += region.calls;
            names.insert(region.name);
        }
        if (all > 0)
            made_.remarks.push_back(text(counted(all), all == 1 ? " call" : " calls", " of ",
                                         listed({names.begin(), names.end()}), all == 1 ? " completes" : " complete",
                                         " the same requests and messages as in the recording"));
    }

    struct Part {
        traces::Participant its;
        std::int64_t number = 0;
        Picoseconds behindLast{};  ///< its leaving behind the last one's coming
        bool isEarly = false;      ///< it left before, as the root of a broadcast may
        Picoseconds came{};        ///< at a synchronisation: when the last one did
        bool forOne = false;       ///< likewise: one rank lets another one go on
    };

    const Recording& recording_;
    const ComputationOf& ownTime_;
    RecordedProgram made_;
    engine::ById<Rank, std::vector<Part>> parts_;  // by number
    /// By what the library names and the operation: few of these are different.
    std::map<std::pair<std::string, std::string>, const engine::Algorithm*> ranByLibrary_;
    std::vector<std::uint8_t> postedEnds_;                            // by message
    engine::ById<Rank, std::vector<const traces::Marker*>> markers_;  // of training jobs; empty: not sorted out yet
    std::size_t incomplete_ = 0;
    // of one rank:
    std::vector<Posted> posted_;
    std::vector<Keeping> keeping_;
    std::set<std::int64_t> started_;                        // collectives
    std::map<std::int64_t, emulation::OnStream> onStream_;  // by collective
    engine::ById<Rank, Picoseconds> rankEnds_;
    std::optional<ComputationTimes> computation_;
    Picoseconds now_{};
    Picoseconds setUpEnd_{};
};

}  // namespace

std::string_view name(AlgorithmSource source) {
    switch (source) {
        case AlgorithmSource::none: break;
        case AlgorithmSource::recorded: return "recorded";
        case AlgorithmSource::recognised: return "recognised";
        case AlgorithmSource::closest: return "closest";
    }
    return {};
}

std::string variantWords(const engine::Plan& plan) {
    std::string words = plan.algorithm->id;
    for (const auto& [key, value] : plan.options.given()) words += text(':', key, '=', value);
    return words;
}

Picoseconds setUpEnd(const Recording& recording, Rank rank) {
    const std::int32_t location = recording.locationOf(rank);
    if (location == traces::noIndex) return {};
    const traces::States& states = recording.states[engine::asSize(location)];
    for (std::size_t i = 0; i < states.size(); ++i) {
        const traces::Region& region = recording.regions[engine::asSize(states.region[i])];
        if (region.call == traces::Call::setup)
            return region.name.find("nit") == std::string::npos ? Picoseconds{} : states.end[i];
    }
    return {};
}

Picoseconds SetUp::last() const { return ends.empty() ? Picoseconds{} : *std::ranges::max_element(ends); }

Picoseconds SetUp::mean() const {
    __int128 sum = 0;
    for (const Picoseconds end : ends) sum += end.count();
    const auto count = std::max<std::int64_t>(1, static_cast<std::int64_t>(ends.size()));
    return Picoseconds{static_cast<std::int64_t>(sum / count)};
}

RecordedProgram recordedProgram(const Recording& recording, const ComputationOf& ownTime,
                                const engine::Progress& progress) {
    return Programmer{recording, ownTime}.make(progress);
}

KeptTimes keptTimes(const Recording& recording, const RecordedProgram& program) {
    KeptTimes kept;
    kept.gaps.resize(recording.ranks);
    if (traces::isTraining(recording)) return kept;
    const MpiRegions regions{recording};
    for (const Rank rank : kept.gaps.ids()) {
        const std::int32_t location = recording.locationOf(rank);
        if (location == traces::noIndex) continue;
        const emulation::Operations& does = program.program.ranks[rank];
        const std::vector<Picoseconds>& begun = program.begun[rank];
        const Picoseconds first =
            std::max(setUpEnd(recording, rank), recording.locations[engine::asSize(location)].first);
        IntervalSums computed;
        for (std::size_t i = 0; i < does.size(); ++i)
            if (does.what(i) == Does::computes)
                computed.add(std::max(first, begun[i]), i + 1 < does.size() ? begun[i + 1] : program.spent[rank].end);
        std::vector<traces::TimeSpan> pauses;
        for (const traces::NotRecorded& one : recording.absences)
            if (one.what == traces::Absence::interval && one.location == location)
                pauses.push_back({one.begin, one.end});
        std::ranges::sort(pauses, {}, &traces::TimeSpan::begin);
        IntervalSums gaps;
        for (const traces::TimeSpan& pause : pauses) {
            kept.gaps[rank] += computed.between(pause.begin, pause.end);
            gaps.add(pause.begin, pause.end);
        }
        const traces::States& states = recording.states[engine::asSize(location)];
        Picoseconds behind{};  // the last call: others within it are part of it
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (!regions.isMpi(states.region[i]) || states.begin[i] < behind) continue;
            behind = states.end[i];
            const Picoseconds time = computed.between(states.begin[i], behind) - gaps.between(states.begin[i], behind);
            if (time <= Picoseconds{}) continue;
            const std::string& name = recording.regions[engine::asSize(states.region[i])].name;
            kept.calls[name.substr(0, name.find(' '))] += time;
        }
    }
    return kept;
}

std::string callAt(const Recording& recording, Rank rank, Picoseconds time) {
    const std::int32_t location = recording.locationOf(rank);
    if (location == traces::noIndex) return {};
    const traces::States& states = recording.states[engine::asSize(location)];
    const auto behind = std::upper_bound(states.begin.begin(), states.begin.end(), time) - states.begin.begin();
    for (auto i = static_cast<std::size_t>(behind); i-- > 0;) {
        if (time < states.end[i]) return recording.regions[engine::asSize(states.region[i])].name;
        if (states.depth[i] == 0) break;
    }
    return {};
}

}  // namespace app::analysis
