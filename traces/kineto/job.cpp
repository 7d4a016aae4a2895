// SPDX-License-Identifier: BSD-3-Clause
#include "traces/kineto/job.hpp"

#include "engine/base/error.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"
#include "traces/clocks/clock_ends.hpp"
#include "traces/kineto/chakra_trace.hpp"
#include "traces/kineto/collective_matching.hpp"
#include "traces/kineto/profile.hpp"
#include "traces/kineto/rank_trace.hpp"
#include "traces/kineto/source.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace traces::kineto {

namespace fs = std::filesystem;
using engine::Error;
using engine::text;

namespace {

bool hasName(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.ends_with(".json") || name.ends_with(".json.gz");
}

/// Files of the folder that may be traces, by name.
std::vector<fs::path> filesIn(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator at{folder, failed}, end; !failed && at != end; at.increment(failed))
        if (hasName(at->path()) && at->is_regular_file(failed)) files.push_back(at->path());
    std::sort(files.begin(), files.end());
    return files;
}

/// The execution traces of Chakra that the path is or holds, by rank. Throws Error where a folder holds several jobs.
std::vector<fs::path> chakraFilesOf(const fs::path& path) {
    std::error_code failed;
    if (!fs::is_directory(path, failed))
        return isExecutionTrace(path) ? executionTracesBeside(path) : std::vector<fs::path>{};
    std::vector<fs::path> jobs;
    for (fs::directory_iterator at{path, failed}, end; !failed && at != end; at.increment(failed))
        if (at->path().filename().string().ends_with(".0.et")) jobs.push_back(at->path());
    std::sort(jobs.begin(), jobs.end());
    if (jobs.size() > 1)
        throw Error{
            text(path.string(), " contains several jobs: name the first file of one, such as ", jobs[0].string())};
    return jobs.empty() ? jobs : executionTracesBeside(jobs[0]);
}

std::vector<fs::path> filesOf(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored) ? filesIn(path) : std::vector<fs::path>{path};
}

/// The number behind the last "rank" of a name; -1 where none stands there.
std::int64_t rankInName(const std::string& name) {
    const std::size_t at = name.rfind("rank");
    if (at == std::string::npos) return -1;
    std::size_t digits = at + 4;
    while (digits < name.size() && (name[digits] == '-' || name[digits] == '_')) ++digits;
    std::int64_t rank = -1;
    for (std::size_t i = digits;
         i < name.size() && std::isdigit(static_cast<unsigned char>(name[i])) != 0 && i < digits + 6; ++i)
        rank = std::max<std::int64_t>(rank, 0) * 10 + (name[i] - '0');
    return rank;
}

/// "0..3, 7 and 12"; of many groups the first few.
std::string rankList(const std::vector<std::int64_t>& ranks) {
    constexpr std::size_t most = 8;
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t j = i;
        while (j + 1 < ranks.size() && ranks[j + 1] == ranks[j] + 1) ++j;
        if (parts.size() == most) {
            parts.push_back("...");
            break;
        }
        parts.push_back(i == j ? text(ranks[i]) : text(ranks[i], "..", ranks[j]));
        i = j + 1;
    }
    return engine::joined(parts, ", ");
}

class Job {
public:
    Job(std::vector<RankTrace> traces, std::string name, std::string creator, const engine::Progress& progress)
        : traces_{std::move(traces)}, progress_{progress} {
        recording_.name = std::move(name);
        recording_.creator = std::move(creator);
        recording_.properties[trainingSource] = recording_.creator;
    }

    Recording make(std::vector<std::string> remarks) {
        recording_.remarks = std::move(remarks);
        nameRanks();
        setZero();
        addLocations();
        addCollectives();
        addRecords();
        return std::move(recording_);
    }

private:
    [[nodiscard]] Picoseconds at(std::int64_t nanoseconds) const { return Picoseconds{(nanoseconds - zero_) * 1000}; }
    [[nodiscard]] RankTrace* traceOf(std::int64_t rank) {
        return byRank_[engine::asSize(rank)] < 0 ? nullptr : &traces_[engine::asSize(byRank_[engine::asSize(rank)])];
    }

    void nameRanks() {
        for (RankTrace& one : traces_)
            if (one.rank < 0)
                if (const std::int64_t rank = rankInName(one.path.filename().string()); rank < mostRanks)
                    one.rank = rank;
        if (traces_.size() == 1 && traces_[0].rank < 0) traces_[0].rank = 0;
        std::set<std::int64_t> taken;
        for (const RankTrace& one : traces_)
            if (one.rank >= 0) taken.insert(one.rank);
        std::int64_t next = 0;
        for (RankTrace& one : traces_) {
            if (one.rank >= 0) continue;
            while (taken.count(next) != 0) ++next;
            one.rank = next;
            taken.insert(next);
            recording_.remarks.push_back(
                text(one.path.filename().string(), " does not contain its rank: it counts as rank ", next));
        }
        // Of several files of a rank the one with the most activities.
        std::map<std::int64_t, std::size_t> best;
        std::vector<bool> leftOut(traces_.size());
        for (std::size_t i = 0; i < traces_.size(); ++i) {
            const auto [entry, isNew] = best.try_emplace(traces_[i].rank, i);
            if (isNew) continue;
            const bool better = traces_[i].activities > traces_[entry->second].activities;
            const std::size_t out = better ? entry->second : i, kept = better ? i : entry->second;
            entry->second = kept;
            leftOut[out] = true;
            recording_.remarks.push_back(
                text("rank ", traces_[i].rank, " has several files: ", traces_[out].path.filename().string(),
                     " is left out, ", traces_[kept].path.filename().string(), " has more activities"));
        }
        std::vector<RankTrace> kept;
        for (std::size_t i = 0; i < traces_.size(); ++i)
            if (!leftOut[i]) kept.push_back(std::move(traces_[i]));
        traces_ = std::move(kept);
        std::int64_t ranks = 1;
        for (const RankTrace& one : traces_) {
            ranks = std::max({ranks, one.rank + 1, one.worldSize});
            for (const Group& group : one.groups)
                for (const std::int32_t member : group.members) ranks = std::max<std::int64_t>(ranks, member + 1);
        }
        recording_.ranks = static_cast<std::int32_t>(ranks);
        byRank_.assign(engine::asSize(ranks), -1);
        for (std::size_t i = 0; i < traces_.size(); ++i)
            byRank_[engine::asSize(traces_[i].rank)] = static_cast<std::int32_t>(i);
        std::vector<std::int64_t> missing;
        for (std::int64_t rank = 0; rank < ranks; ++rank)
            if (byRank_[engine::asSize(rank)] < 0) missing.push_back(rank);
        if (!missing.empty())
            recording_.remarks.push_back(text("traces of ", missing.size(), " of ", ranks, " ranks are missing: ",
                                              missing.size() == 1 ? "rank " : "ranks ", rankList(missing)));
    }

    void setZero() {
        recording_.clock = {1'000'000'000, 0};
        if (std::all_of(traces_.begin(), traces_.end(), [](const RankTrace& one) { return one.activities == 0; }))
            return;
        std::int64_t last = std::numeric_limits<std::int64_t>::min();
        zero_ = std::numeric_limits<std::int64_t>::max();
        for (const RankTrace& one : traces_) {
            if (one.activities == 0) continue;
            zero_ = std::min(zero_, one.first);
            last = std::max(last, one.last);
        }
        constexpr std::int64_t longest = std::int64_t{30} * 86'400 * 1'000'000'000;  // ns; times are ps in 64 bits
        if (last - zero_ > longest)
            throw Error{text(recording_.name,
                             ": its files were recorded more than 30 days apart; keep the "
                             "files of one run in a folder")};
        recording_.clock.zero = static_cast<std::uint64_t>(std::max<std::int64_t>(zero_, 0));
        // Collectives of Chakra alone may take no time.
        recording_.duration = std::max(at(last), Picoseconds{1000});
    }

    std::int32_t regionOf(const Region& region) {
        const auto [entry, isNew] = regions_.try_emplace({region.name, region.call, region.paradigm},
                                                         static_cast<std::int32_t>(recording_.regions.size()));
        if (isNew) recording_.regions.push_back(region);
        return entry->second;
    }

    void addLocation(std::int64_t rank, const std::string& name, bool isRanks, LocationKind kind) {
        recording_.locations.push_back({.id = recording_.locations.size(),
                                        .name = name,
                                        .kind = kind,
                                        .rank = Rank{static_cast<std::int32_t>(rank)},
                                        .speaksForRank = isRanks,
                                        .process = text("rank ", rank),
                                        .path = {"training job"},
                                        .properties = {}});
        recording_.states.emplace_back();
    }

    void addLocations() {
        for (std::int64_t rank = 0; rank < recording_.ranks; ++rank) {
            RankTrace* const trace = traceOf(rank);
            if (trace == nullptr || trace->lanes.empty()) {
                addLocation(rank, "not recorded", true, LocationKind::thread);
                recording_.absences.push_back({.what = Absence::file,
                                               .location = static_cast<std::int32_t>(recording_.locations.size() - 1),
                                               .count = 1,
                                               .words = text("rank ", rank, " was not recorded")});
                continue;
            }
            const auto own = static_cast<std::int32_t>(recording_.locations.size());  // the first that is added
            std::vector<std::int32_t> regions;
            for (const Region& region : trace->regions) regions.push_back(regionOf(region));
            std::vector<std::int32_t> locations(trace->lanes.size());
            for (const bool ownOnes : {true, false})
                for (LaneCalls& lane : trace->lanes) {
                    if (lane.isRanks != ownOnes) continue;
                    locations[static_cast<std::size_t>(&lane - trace->lanes.data())] =
                        static_cast<std::int32_t>(recording_.locations.size());
                    addLocation(rank, lane.name, lane.isRanks,
                                lane.isStream ? LocationKind::accelerator : LocationKind::thread);
                    addStates(lane, regions);
                }
            for (const Step& step : trace->steps)
                recording_.markers.push_back({.group = std::string{stepGroup},
                                              .category = std::string{stepCategory},
                                              .text = step.name,
                                              .begin = at(step.begin),
                                              .end = at(step.end),
                                              .location = own});
            for (const Awaited& one : trace->awaited)
                recording_.markers.push_back({.group = std::string{awaitedGroup},
                                              .category = "collective",
                                              .text = one.name,
                                              .begin = at(one.end),
                                              .end = at(one.begin),
                                              .location = locations[one.lane]});
            if (trace->passedOver > 0)
                recording_.remarks.push_back(text(trace->path.filename().string(), ": ", trace->passedOver,
                                                  " activities have no time or no thread and are left out"));
        }
        std::stable_sort(recording_.markers.begin(), recording_.markers.end(),
                         [](const Marker& a, const Marker& b) { return a.begin < b.begin; });
        // A rank that is missing among many is named by the remark on all of them.
        if (recording_.absences.size() > 8) recording_.absences.clear();
    }

    void addStates(LaneCalls& lane, const std::vector<std::int32_t>& regions) {
        Location& location = recording_.locations.back();
        std::vector<Picoseconds> begin(lane.begin.size()), end(lane.begin.size());
        for (std::size_t i = 0; i < begin.size(); ++i) {
            begin[i] = at(lane.begin[i]);
            end[i] = at(lane.end[i]);
            lane.region[i] = regions[engine::asSize(lane.region[i])];
            ++recording_.regions[engine::asSize(lane.region[i])].calls;
            location.last = std::max(location.last, end[i]);
        }
        location.first = begin.empty() ? Picoseconds{} : begin.front();
        location.events = 2 * begin.size();
        recording_.states.back() = {
            std::move(begin), std::move(end), std::move(lane.region), std::move(lane.depth), {}};
        lane = {};
    }

    std::int32_t communicatorOf(const Group& group) {
        std::vector<Rank> members;
        for (const std::int32_t member : group.members) members.push_back(Rank{member});
        const bool known = !members.empty();
        const bool everyone = known && members.size() == engine::asSize(recording_.ranks);
        if (everyone && (group.name.empty() || group.name == "0" || group.description == "default_pg")) return 0;
        const auto [entry, isNew] =
            communicators_.try_emplace({known ? group.name : group.name + group.description, group.members},
                                       static_cast<std::int32_t>(recording_.communicators.size()));
        if (!isNew) return entry->second;
        const bool described = !group.description.empty() && group.description != "undefined";
        const std::string words = described ? group.description : text("process group ", group.name);
        std::string name =
            known ? words : text(unknownGroup, " (", group.name.empty() ? group.description : words, ")");
        if (!known) members = recording_.communicators.front().members;
        recording_.communicators.push_back({.name = std::move(name),
                                            .kind = CommunicatorKind::ordinary,
                                            .members = std::move(members),
                                            .remote = {},
                                            .parent = 0,
                                            .ids = {recording_.communicators.size()}});
        return entry->second;
    }

    void addCollectives() {
        std::vector<Rank> everyone;
        for (std::int32_t rank = 0; rank < recording_.ranks; ++rank) everyone.push_back(Rank{rank});
        recording_.communicators.push_back({.name = "default_pg",
                                            .kind = CommunicatorKind::world,
                                            .members = std::move(everyone),
                                            .remote = {},
                                            .ids = {0}});
        std::map<std::int32_t, std::vector<CallsOfRank>> byCommunicator;
        std::int64_t transfers = 0, unnamed = 0;
        for (std::int64_t rank = 0; rank < recording_.ranks; ++rank) {
            RankTrace* const trace = traceOf(rank);
            if (trace == nullptr) continue;
            transfers += trace->transfers;
            unnamed += trace->unnamed;
            std::vector<std::int32_t> communicators;
            for (const Group& group : trace->groups) communicators.push_back(communicatorOf(group));
            for (const CollectiveCall& call : trace->collectives) {
                auto& its = byCommunicator[communicators[engine::asSize(call.group)]];
                if (its.empty() || its.back().rank != rank) its.push_back({static_cast<std::int32_t>(rank), {}});
                its.back().calls.push_back(&call);
            }
        }
        std::vector<Collective> instances;
        std::vector<Participant> participants;
        for (const auto& [communicator, ranks] : byCommunicator) {
            const std::vector<std::vector<std::int64_t>> numbers = matched(ranks, progress_);
            // Ranks that differ in what they do are not in one instance.
            std::map<std::pair<std::int64_t, Operation>, std::vector<std::pair<std::int32_t, const CollectiveCall*>>>
                all;
            for (std::size_t r = 0; r < ranks.size(); ++r)
                for (std::size_t k = 0; k < ranks[r].calls.size(); ++k)
                    all[{numbers[r][k], ranks[r].calls[k]->operation}].emplace_back(ranks[r].rank, ranks[r].calls[k]);
            const std::size_t members = recording_.communicators[engine::asSize(communicator)].members.size();
            for (const auto& [key, parts] : all) {
                instances.push_back({.operation = key.second,
                                     .communicator = communicator,
                                     .first = participants.size(),
                                     .count = parts.size(),
                                     .complete = parts.size() == members,
                                     .algorithm = algorithmOf(parts.front().second->ran)});
                for (const auto& [rank, call] : parts)
                    participants.push_back({.rank = Rank{rank},
                                            .begin = at(call->begin),
                                            .end = at(call->end),
                                            .sent = call->sent,
                                            .received = call->received});
            }
        }
        const auto count = static_cast<std::int64_t>(instances.size());
        recording_.collectives = {std::move(instances), std::move(participants)};
        if (count > 0)
            recording_.absences.push_back(
                {.what = Absence::insideCollectives,
                 .count = count,
                 .words = text("the transfers inside of ", count, count == 1 ? " collective" : " collectives",
                               " were not recorded")});
        if (transfers > 0)
            recording_.absences.push_back(
                {.what = Absence::messages,
                 .count = transfers,
                 .words = text(transfers, " point-to-point transfers (send, recv) are shown by their kernels alone")});
        if (unnamed > 0)
            recording_.remarks.push_back(
                text(unnamed, " kernels of the communication library without the name of their collective"));
        recording_.absences.push_back({.what = Absence::topology, .words = "the network was not recorded"});
    }

    std::int32_t algorithmOf(const Ran& ran) {
        const auto [entry, isNew] =
            algorithms_.try_emplace(ran.words(), static_cast<std::int32_t>(recording_.algorithms.size()));
        if (isNew) recording_.algorithms.push_back(entry->first);
        return entry->second;
    }

    void addRecords() {
        std::uint64_t activities = 0;
        for (const RankTrace& one : traces_) activities += one.activities;
        recording_.records.push_back({"activity", activities});
        recording_.records.push_back({"collective", recording_.collectives.participants.size()});
    }

    std::vector<RankTrace> traces_;
    const engine::Progress& progress_;
    Recording recording_;
    std::vector<std::int32_t> byRank_;  ///< index into traces_; -1: no file
    std::int64_t zero_ = 0;             ///< ns since 1970
    std::map<std::tuple<std::string, Call, std::string>, std::int32_t> regions_;
    std::map<std::pair<std::string, std::vector<std::int32_t>>, std::int32_t> communicators_;
    std::map<std::string, std::int32_t> algorithms_;
};

/// Calls that cannot be one collective, since a rank has left before another one enters, are apart again: where neither
/// sequence numbers nor equal counts tell them, or where the trace has but some of its kernels.
void splitImpossible(Recording& recording, const ClockFit& fit) {
    constexpr Picoseconds little{20'000'000};
    std::vector<Collective> instances;
    std::int64_t split = 0;
    for (const Collective& instance : recording.collectives.instances) {
        Picoseconds entered = Picoseconds::min(), left = Picoseconds::max(), unsure{};
        for (const Participant& part : recording.collectives.of(instance)) {
            const ClockLine& clock = fit.byRank[part.rank.index()];
            entered = std::max(entered, clock(part.begin));
            left = std::min(left, clock(part.end));
            unsure = std::max(unsure, fit.slack[part.rank.index()]);
        }
        if (instance.count < 2 || !joinsAll(instance.operation) || entered <= left + std::max(little, 2 * unsure)) {
            instances.push_back(instance);
            continue;
        }
        ++split;
        for (std::size_t k = 0; k < instance.count; ++k) {
            Collective& one = instances.emplace_back(instance);
            one.first = instance.first + k;
            one.count = 1;
            one.complete = false;
            one.ordered = false;
        }
    }
    if (split == 0) return;
    recording.collectives.instances = std::move(instances);
    recording.remarks.push_back(text(split, split == 1 ? " collective" : " collectives",
                                     " of several ranks could not be matched: the traces do not contain which calls "
                                     "belong together"));
}

/// A job of Chakra's traces, whose times have no clocks.
RecordingPtr readChakra(const fs::path& path, const std::vector<fs::path>& files, const engine::Progress& progress) {
    std::vector<std::string> remarks;
    std::vector<RankTrace> traces = executionTraces(files, remarks, progress);
    Recording recording =
        Job{std::move(traces), path.string(), std::string{chakraSource}, progress}.make(std::move(remarks));
    progress.at(1);
    return std::make_shared<const Recording>(std::move(recording));
}

}  // namespace

bool isJob(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return (hasName(path) && looksLikeProfile(path)) || isExecutionTrace(path);
    if (!fs::is_directory(path, ignored)) return false;
    bool isChakra = false;
    for (fs::directory_iterator at{path, ignored}, end; !ignored && at != end; at.increment(ignored)) {
        if (at->path().extension() == ".otf2") return false;
        isChakra = isChakra || at->path().filename().string().ends_with(".0.et");
    }
    if (isChakra) return true;
    const std::vector<fs::path> files = filesIn(path);
    return std::any_of(files.begin(), files.end(), looksLikeProfile);
}

RecordingPtr readJob(const fs::path& path, const engine::Progress& progress, const TellExpected& before) {
    if (const std::vector<fs::path> its = chakraFilesOf(path); !its.empty()) return readChakra(path, its, progress);
    const std::vector<fs::path> files = filesOf(path);
    std::uint64_t bytes = 0, plain = 0;
    for (const fs::path& file : files) {
        std::error_code ignored;
        const auto its = fs::file_size(file, ignored);
        if (!ignored) bytes += its;
        plain += plainSize(file);
    }
    // As measured: an activity takes some 350 bytes of json and 80 of memory, and a core reads 280 MB/s.
    if (before)
        before({.events = 0,
                .eventBytes = bytes,
                .memory = plain / 4,
                .coreSeconds = static_cast<double>(plain) * 3.5e-9,
                .cores = static_cast<int>(std::min<std::size_t>(files.size(), mostRanks)),
                .inFiles = false});
    std::vector<RankTrace> traces(files.size());
    std::atomic<std::uint64_t> loaded{0};
    const auto report = [&] {
        progress.at(bytes == 0 ? 0 : 0.9 * std::min(1.0, static_cast<double>(loaded) / static_cast<double>(bytes)));
    };
    try {
        engine::parallelFor(
            files.size(), [&](std::size_t i) { traces[i] = rankTraceOf(readProfile(files[i], loaded, progress)); },
            report);
        Recording recording = Job{std::move(traces), path.string(), "PyTorch profiler", progress}.make({});
        splitImpossible(recording, fitClocksByEnds(recording));
        if (std::string words = noteClocksByEnds(recording); !words.empty())
            recording.absences.push_back({.what = Absence::clocks, .count = 1, .words = std::move(words)});
        progress.at(1);
        return std::make_shared<const Recording>(std::move(recording));
    } catch (const std::bad_alloc&) {
        throw Error{text("cannot read ", path.string(), ": not enough memory; read fewer ranks or a shorter trace")};
    }
}

}  // namespace traces::kineto
