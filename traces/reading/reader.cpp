// SPDX-License-Identifier: BSD-3-Clause
// An archive becomes a recording: definitions first, then all locations side by side, then what belongs together.
#include "engine/base/error.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"
#include "traces/clocks/clock_ends.hpp"
#include "traces/clocks/clocks.hpp"
#include "traces/reading/locations/location_bytes.hpp"
#include "traces/reading/locations/markers.hpp"
#include "traces/reading/locations/metric_samples.hpp"
#include "traces/reading/locations/survey.hpp"
#include "traces/reading/matching/collective_assembly.hpp"
#include "traces/reading/matching/intercommunicator_sides.hpp"
#include "traces/reading/matching/message_columns.hpp"
#include "traces/reading/matching/message_matching.hpp"
#include "traces/reading/matching/messages_inside.hpp"
#include "traces/reading/matching/receive_inference.hpp"
#include "traces/reading/unrecorded_data.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/copied_unrecorded_data.hpp"
#include "traces/recording/staging.hpp"
#include "traces/recording/training.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>

#include <unistd.h>

namespace traces {
namespace reading {
namespace {

using engine::Error;
using engine::text;

[[noreturn]] void refuse(const std::filesystem::path& anchor, std::string_view how) {
    throw Error{
        text("cannot read the archive ", anchor.string(), ": ", how, "; the archive must be whole and undamaged")};
}

class Reader {
public:
    Reader(const std::filesystem::path& anchor, const MemoryBudget& memory, const engine::Progress& progress,
           engine::live::WorkerProcesses* crew = nullptr)
        : progress_{progress},
          crew_{crew},
          storage_{memory.bytes, memory.folder},
          anchor_{readAnchor(anchor)},
          own_{anchor_.properties.contains(own::property::format)},
          definitions_{readDefinitions(anchor_, progress)},
          world_{definitions_, own_ ? Names::asDefined : Names::merged} {
        if (world_.locations.empty() && !own_) refuse(anchor_.path, "it has no locations");
        if (definitions_.ticksPerSecond == 0) refuse(anchor_.path, "its clock does not tick");
    }

    /// Reads locations for the process that leads the crew.
    void help() {
        look();
        const Reading reading = common();
        crew_->serve([&](std::size_t location, const engine::live::Tell& tell) {
            std::atomic<std::uint64_t> loaded{0};
            tellBytes(readLocation(reading, location, loaded, progress_), tell);
        });
    }

    Recording read(std::string name, const TellExpected& before) {
        recording_.name = std::move(name);
        recording_.creator = anchor_.creator;
        recording_.properties = anchor_.properties;
        for (const PropertyDefinition& property : definitions_.nodeProperties)
            if (property.type == otf2::typeString) addProperty(property);
        look();
        if (before) before(survey_.expected);
        readLocations();
        recording_.ranks = world_.ranks;
        recording_.regions = world_.regions;
        takeStates();
        takeParts();
        for (const Sides& sides : findSides(world_, parts_, createdIn(recording_, parts_.size())))
            recording_.remarks.push_back(joinSides(sides, world_, parts_, events_));
        joinMessages();
        recording_.samples = metricSamples(events_, world_, storage_);
        recording_.metrics = world_.metrics;
        Collected collected = collect(parts_, firstGaps_, world_, &storage_);
        recording_.collectives = std::move(collected.collectives);
        for (const Ref words : collected.algorithms) recording_.algorithms.push_back(definitions_.words(words));
        for (const Ref words : collected.reductions) recording_.reductions.push_back(definitions_.words(words));
        for (const Ref words : collected.ofLibrary) recording_.library.algorithms.push_back(definitions_.words(words));
        for (const Ref words : collected.components) recording_.library.components.push_back(definitions_.words(words));
        takeInside();
        world_.communicators.resize(world_.ofProgram());
        recording_.communicators = std::move(world_.communicators);
        recording_.windows = std::move(world_.windows);
        recording_.groups = std::move(world_.groups);
        recording_.parameters = std::move(world_.parameters);
        recording_.files = std::move(world_.files);
        recording_.markers = readMarkers(anchor_, world_, recording_.clock);
        recording_.topologies = std::move(world_.topologies);
        countRecords();
        describeAbsences(
            Facts{anchor_, definitions_, world_.announced, events_, calls_, communicated_, own_, disputed_},
            recording_);
        describeLimits();
        if (!own_) recallLacking(recording_);
        if (std::string words =
                isTraining(recording_) ? noteClocksByEnds(recording_) : describe(checkClocks(recording_));
            !words.empty())
            recording_.absences.push_back({.what = Absence::clocks, .count = 1, .words = std::move(words)});
        progress_.at(1);
        return std::move(recording_);
    }

private:
    [[nodiscard]] std::vector<std::string> linesOf(const char* property) const {
        const auto entry = recording_.properties.find(property);
        return entry == recording_.properties.end() ? std::vector<std::string>{} : engine::split(entry->second, '\n');
    }

    /// Before all else that is not in the trace.
    void describeLimits() {
        std::vector<NotRecorded> said;
        for (std::string& line : linesOf(own::limits))
            said.push_back({.what = Absence::limit, .count = 1, .words = std::move(line)});
        constexpr std::string_view no = "no: ";
        for (const std::string& line : linesOf(own::inside))
            if (line != "yes")
                said.push_back({.what = Absence::limit,
                                .count = 1,
                                .words = line.starts_with(no)
                                             ? text("the messages inside of collectives were not recorded: ",
                                                    line.substr(no.size()))
                                             : line});
        recording_.absences.insert(recording_.absences.begin(), std::make_move_iterator(said.begin()),
                                   std::make_move_iterator(said.end()));
    }

    /// Long values lie in pieces: NAME, NAME+1, ...
    void addProperty(const PropertyDefinition& property) {
        const std::string name = definitions_.words(property.name);
        const auto begins = [&](std::string_view with) { return name.starts_with(with); };
        if (!begins(own::properties) && !begins(own::replayed::properties) && !begins(own::copied::properties) &&
            !begins(own::programProperties))
            return;
        recording_.properties[name.substr(0, name.find('+'))] += definitions_.words(static_cast<Ref>(property.value));
    }

    void look() {
        survey_ = survey(anchor_, definitions_, world_, own_);
        recording_.clock = survey_.clock;
        if (!survey_.remark.empty()) recording_.remarks.push_back(survey_.remark);
    }

    [[nodiscard]] Reading common() {
        return {anchor_,
                world_,
                recording_.clock,
                own_ ? Names::asDefined : Names::merged,
                own_ ? 0 : undefined,
                static_cast<std::int32_t>(world_.regions.size()),
                &storage_,
                survey_.files,
                survey_.offsets,
                attributeNamed(own::algorithmWord),
                attributeNamed(own::reductionWord),
                attributeNamed(own::libraryAlgorithmWord),
                attributeNamed(own::libraryComponentWord),
                attributeNamed(own::insideWord),
                attributeNamed(own::neighboursWord)};
    }

    [[nodiscard]] Ref attributeNamed(std::string_view words) const {
        for (const auto& [id, name] : definitions_.attributes)
            if (definitions_.words(name) == words) return id;
        return undefined;
    }

    void keep(std::size_t location, LocationEvents events) {
        for (std::size_t r = 0; r < events.calls.size(); ++r) {
            calls_[r] += events.calls[r];
            communicated_[r] |= events.communicated[r];
        }
        events.calls = {};
        events.communicated = {};
        events_[location] = std::move(events);
    }

    void readTogether(const Reading& reading) {
        std::atomic<std::uint64_t> loaded{0};
        std::mutex guard;
        std::size_t done = 0;
        const auto finished = [&](std::size_t location, LocationEvents events) {
            const std::lock_guard lock{guard};
            keep(location, std::move(events));
            progress_.at(0.7 * static_cast<double>(++done) / static_cast<double>(events_.size()));
        };
        std::map<std::size_t, Arriving> arriving;
        crew_->lead(
            0, events_.size(),
            [&](std::size_t location) { finished(location, readLocation(reading, location, loaded, progress_)); },
            [&](std::size_t location, std::string_view piece) {
                Arriving& its = arriving.try_emplace(location, &storage_).first->second;
                if (!piece.empty()) return its.take(piece);
                finished(location, its.finish());
                arriving.erase(location);
            });
    }

    void readLocations() {
        const Reading reading = common();
        const std::size_t count = world_.locations.size();
        calls_.resize(world_.regions.size() + 1);
        communicated_.resize(world_.regions.size() + 1);
        events_.resize(count);
        if (crew_ != nullptr) readTogether(reading);
        else readSideBySide(reading);
        if (std::none_of(events_.begin(), events_.end(), [](const LocationEvents& e) { return e.there; }) &&
            std::any_of(world_.announced.begin(), world_.announced.end(), [](std::uint64_t n) { return n > 0; }))
            refuse(anchor_.path, "none of its files of events is there");
        if (calls_.back() > 0)
            world_.regions.push_back({"(not defined)", "unknown", Call::none, Recorded::notExpected, 0});
    }

    void readSideBySide(const Reading& reading) {
        const std::size_t count = world_.locations.size();
        std::vector<std::size_t> order(count);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return survey_.files[a].eventBytes > survey_.files[b].eventBytes;
        });
        const auto total = static_cast<double>(
            std::accumulate(survey_.files.begin(), survey_.files.end(), std::uint64_t{1},
                            [](std::uint64_t sum, const LocationFiles& one) { return sum + one.eventBytes; }));
        std::atomic<std::uint64_t> loaded{0};
        std::mutex guard;
        engine::parallelFor(
            count,
            [&](std::size_t i) {
                LocationEvents events = readLocation(reading, order[i], loaded, progress_);
                const std::lock_guard lock{guard};
                keep(order[i], std::move(events));
            },
            [&] { progress_.at(std::min(0.7, 0.7 * static_cast<double>(loaded) / total)); });
    }

    void takeStates() {
        recording_.locations = world_.locations;
        recording_.states.resize(events_.size());
        for (std::size_t i = 0; i < events_.size(); ++i) {
            LocationEvents& events = events_[i];
            Location& location = recording_.locations[i];
            location.events = events.events;
            location.first = Picoseconds{events.first};
            location.last = Picoseconds{events.last};
            recording_.duration = std::max(recording_.duration, location.last);
            recording_.states[i] = {events.begin.column(), events.end.column(), events.region.column(),
                                    events.depth.column(), std::move(events.open)};
            if (events.notices.size() > 0) {
                nameWords(events.notices);
                recording_.notices.resize(events_.size());
                recording_.notices[i] = events.notices.column();
            }
            for (const OffsetDefinition& offset : events.offsets)
                recording_.clockOffsets.push_back(
                    {static_cast<std::int32_t>(i), offset.at, offset.offset, offset.deviation});
            recording_.unfinished.insert(recording_.unfinished.end(), events.unfinished.begin(),
                                         events.unfinished.end());
        }
    }

    /// Values that are words become their places in the list of their parameter.
    void nameWords(Growing<Notice>& notices) {
        for (std::size_t i = 0; i < notices.size(); ++i) {
            Notice& notice = notices[i];
            if (notice.kind != NoticeKind::parameter ||
                notice.detail != static_cast<std::uint8_t>(ParameterType::words))
                continue;
            std::vector<std::string>& words = world_.parameters[notice.subject].words;
            const auto [entry, isNew] = words_.try_emplace({notice.subject, notice.number}, words.size());
            if (isNew) words.push_back(definitions_.words(static_cast<Ref>(notice.number)));
            notice.number = entry->second;
        }
    }

    /// Several threads of a rank may communicate: their ends are the rank's, in the order of time.
    void joinMessages() {
        std::vector<RankEnds> ranks(engine::asSize(world_.ranks));
        for (std::size_t i = 0; i < events_.size(); ++i) {
            const Rank rank = world_.locations[i].rank;
            if (rank == noRank) continue;
            RankEnds& ends = ranks[rank.index()];
            addInOrder(ends.sends, std::move(events_[i].sends));
            addInOrder(ends.receives, std::move(events_[i].receives));
            if (!own_) continue;
            ends.ownSends = std::move(events_[i].ownSends);
            ends.ownReceives = std::move(events_[i].ownReceives);
        }
        if (own_) requireWholeEnds(ranks);
        progress_.at(0.75);
        const bool completed = sum(event::mpiIrecvRequest) == 0 || sum(event::mpiIrecv) > 0;
        const Partners partners = completed ? match(ranks, &storage_)
                                            : matchInferring(ranks, meetingsOf(parts_, world_, &storage_),
                                                             waitsOf(recording_, parts_.size(), &storage_), &storage_);
        progress_.at(0.85);
        Matched matched = columnsOf(std::move(ranks), partners, definitions_, own_, &storage_);
        recording_.messages = std::move(matched.messages);
        recording_.halves = std::move(matched.halves);
        recording_.own = std::move(matched.own);
        disputed_ = std::move(matched.disputed);
    }

    void takeInside() {
        Inside inside = insideOf(events_, world_, definitions_, recording_.collectives, &storage_);
        recording_.library.messages = std::move(inside.messages);
        recording_.library.collective = std::move(inside.collective);
        if (inside.halves > 0)
            recording_.remarks.push_back(
                text(inside.halves, " ends of messages inside of collectives have no other end"));
    }

    /// Both in the order of their begins, as the answer is.
    template <class Sequence>
    void addInOrder(Sequence& to, Sequence&& from) {
        if (from.empty()) return;
        if (to.empty()) {
            to = std::move(from);
            return;
        }
        Sequence merged{&storage_};
        std::size_t a = 0, b = 0;
        while (a < to.size() || b < from.size())
            merged.push_back(b == from.size() || (a < to.size() && to[a].begin <= from[b].begin) ? to[a++] : from[b++]);
        merged.fit();
        to = std::move(merged);
        from = Sequence{};
    }

    void requireWholeEnds(const std::vector<RankEnds>& ranks) const {
        for (const RankEnds& ends : ranks)
            if (ends.ownSends.size() != ends.sends.size() || ends.ownReceives.size() != ends.receives.size())
                refuse(anchor_.path, "its messages are not those of a run");
    }

    [[nodiscard]] std::uint64_t sum(std::uint8_t kind) const {
        return std::accumulate(
            events_.begin(), events_.end(), std::uint64_t{0},
            [&](std::uint64_t s, const LocationEvents& e) { return s + (e.counts.empty() ? 0 : e.counts[kind]); });
    }

    void takeParts() {
        parts_.resize(engine::asSize(world_.ranks));
        firstGaps_.resize(parts_.size(), noGap);
        for (std::size_t i = 0; i < events_.size(); ++i) {
            const Rank rank = world_.locations[i].rank;
            if (rank == noRank) continue;
            Growing<CollectivePart>& its = events_[i].parts;
            const auto earlier = [](const CollectivePart& a, const CollectivePart& b) { return a.begin < b.begin; };
            if (!std::is_sorted(its.begin(), its.end(), earlier)) std::stable_sort(its.begin(), its.end(), earlier);
            addInOrder(parts_[rank.index()], std::move(its));
            std::int64_t& first = firstGaps_[rank.index()];
            for (const Interval& gap : events_[i].gaps) first = std::min<std::int64_t>(first, gap.begin);
        }
    }

    /// In one pass: there may be a million locations, most of them without a record.
    void countRecords() {
        std::array<std::uint64_t, 256> counts{};
        for (const LocationEvents& events : events_)
            for (std::size_t kind = 0; kind < events.counts.size(); ++kind) counts[kind] += events.counts[kind];
        for (std::size_t kind = 0; kind < counts.size(); ++kind) {
            if (counts[kind] == 0) continue;
            const std::string_view known = recordName(static_cast<std::uint8_t>(kind));
            recording_.records.push_back({known.empty() ? text("RECORD_", kind) : std::string{known}, counts[kind]});
        }
    }

    const engine::Progress& progress_;
    engine::live::WorkerProcesses* crew_;  ///< null: this process reads alone
    Storage storage_;
    Anchor anchor_;
    bool own_;
    Definitions definitions_;
    World world_;
    Recording recording_;
    Survey survey_;
    std::vector<LocationEvents> events_;
    std::vector<std::int64_t> calls_;         ///< by region
    std::vector<std::uint8_t> communicated_;  ///< by region
    Disputed disputed_;
    PartsOfRanks parts_;                   ///< in collectives
    std::vector<std::int64_t> firstGaps_;  ///< by rank: when it was first told not to record for a while, or noGap
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> words_;  ///< of parameters, by the ids of strings
};

}  // namespace
}  // namespace reading

std::uint64_t sensibleMemory() {
    return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) /
           4;
}

RecordingPtr readRecording(const std::filesystem::path& path, const engine::Progress& progress,
                           const MemoryBudget& memory, engine::live::WorkerProcesses* crew,
                           const TellExpected& before) {
    const std::filesystem::path anchor = anchorOf(path);
    try {
        return std::make_shared<const Recording>(
            reading::Reader{anchor, memory, progress, crew}.read(path.string(), before));
    } catch (const std::bad_alloc&) {
        throw engine::Error{engine::text("cannot read the archive ", anchor.string(),
                                         ": not enough memory; read it on a larger machine")};
    }
}

void requireReadable(const std::filesystem::path& path) {
    constexpr std::uint64_t few = std::uint64_t{4} << 20;  // bytes of definitions, read in a moment
    const std::filesystem::path anchor = anchorOf(path);
    const reading::Anchor known = reading::readAnchor(anchor);
    if (reading::ChunkedFile{known.definitionFile(), known.definitionChunk}.size() > few) return;
    const engine::Progress unseen;
    const reading::Reader tried{anchor, {}, unseen};
}

void helpReading(const std::filesystem::path& path, engine::live::WorkerProcesses& crew, const MemoryBudget& memory) {
    const engine::Progress unseen;
    reading::Reader{anchorOf(path), memory, unseen, &crew}.help();
}

}  // namespace traces
