// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/calls/calls_by_size.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "app/analysis/messages/size_class.hpp"
#include "traces/recording/by_rank.hpp"
#include "traces/recording/byte_counting.hpp"
#include "traces/recording/vocabulary.hpp"

#include "engine/base/text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

namespace app::analysis {

using engine::Bytes;
using engine::Picoseconds;
using engine::Rank;
using traces::Recording;

namespace {

/// The data that a call sends and receives.
struct MovedByCall {
    Picoseconds begin{};  ///< the call is entered
    std::int32_t communicator = traces::noIndex;
    Bytes sent = 0, received = 0;
    bool hasSize = true;  ///< false of MPI_Barrier
};

class CallSorting {
public:
    CallSorting(const Recording& recording, const Selection& selection)
        : recording_{recording},
          selection_{selection},
          sends_{recording.messages.from.span(), recording.ranks},
          receives_{recording.messages.to.span(), recording.ranks},
          locations_{locationsOfRanks(recording)},
          parts_(engine::asSize(recording.ranks)) {
        for (const traces::Region& region : recording.regions)
            isMpi_.push_back(isMpiCall(region) && region.call != traces::Call::setup);
        for (const traces::Communicator& its : recording.communicators)
            sizes_.push_back(its.kind == traces::CommunicatorKind::self
                                 ? 1
                                 : static_cast<std::int64_t>(its.members.size() + its.remote.size()));
        for (const std::vector<std::size_t>& locations : locations_)
            for (const std::size_t location : locations) takeNotices(location);
        const traces::Counting counting = countingOf(recording);
        for (const traces::Collective& collective : recording.collectives.instances) {
            if (!isCommunication(collective.operation)) continue;
            hasNeighbours_ = hasNeighbours_ || isAmongNeighbours(collective.operation);
            for (const traces::Participant& part : recording.collectives.of(collective)) {
                const auto [sent, received] = traces::movedBy(part, collective, recording, counting);
                parts_[part.rank.index()].push_back(
                    {part.begin, collective.communicator, sent, received, !isBarrier(collective.operation)});
            }
        }
    }

    void take(Rank rank) {
        const std::vector<MovedByCall> moved = movedIn(rank);
        const auto callsMpi = [&](std::size_t location) {
            const auto& regions = recording_.states[location].region;
            return std::any_of(regions.begin(), regions.end(), [&](auto its) { return isMpi_[engine::asSize(its)]; });
        };
        const auto threads = std::ranges::count_if(locations_[rank.index()], callsMpi);
        for (const std::size_t location : locations_[rank.index()]) take(rank, location, moved, threads > 1);
    }

    /// Calls that found nothing, of which the recorder keeps sums by rank.
    void takePolls() {
        const auto lines = recording_.properties.find(traces::own::polling);
        if (lines == recording_.properties.end() || !selection_.part.whole() || !selection_.communicators.empty())
            return;
        // Where they were recorded as calls, one stands for several, and their time is known already unless the
        // recorder had no room for some.
        const bool areAll = std::ranges::none_of(
            recording_.absences, [](const traces::NotRecorded& one) { return one.what == traces::Absence::interval; });
        std::set<std::string> timed;
        for (auto& [key, kind] : kinds_) {
            if (!kind.operation.ends_with(traces::own::foundNothing)) continue;
            kind.calls = 0;
            if (areAll) timed.insert(kind.operation);
            else kind.time = {};
        }
        for (const std::string& line : engine::split(lines->second, '\n')) {
            std::istringstream parts{line};
            std::int64_t rank = 0, calls = 0, between = 0, within = 0;
            std::string name;
            if (!(parts >> rank >> calls >> between >> name >> within) || calls <= 0) continue;
            name += traces::own::foundNothing;
            CallGroup& kind = kinds_[{name, std::nullopt, std::nullopt}];
            kind.operation = name;
            kind.calls += calls;
            if (!timed.contains(name)) kind.time += Picoseconds{1000 * within};
        }
    }

    std::vector<CallGroup> kinds() {
        std::vector<CallGroup> all;
        for (auto& [key, kind] : kinds_) all.push_back(std::move(kind));
        std::stable_sort(all.begin(), all.end(),
                         [](const CallGroup& a, const CallGroup& b) { return a.time > b.time; });
        return all;
    }

private:
    /// `areMany`: threads of the rank call MPI, so that data begun within a call may be another thread's.
    void take(Rank rank, std::size_t location, const std::vector<MovedByCall>& moved, bool areMany) {
        auto next = moved.begin();
        const traces::States& states = recording_.states[location];
        Picoseconds until{-1};
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (!isMpi_[engine::asSize(states.region[i])] || states.begin[i] < until) continue;
            const Picoseconds begin = states.begin[i], end = states.end[i];
            until = end;
            while (next != moved.end() && next->begin < begin) ++next;
            MovedByCall all{.begin = begin, .hasSize = false};
            for (; next != moved.end() && (next->begin == begin || next->begin < end); ++next) {
                if (areMany && next->begin != begin) continue;
                all.communicator = next->communicator;
                all.sent += next->sent;
                all.received += next->received;
                all.hasSize = all.hasSize || next->hasSize;
            }
            if (!selection_.part.overlaps(begin, end)) continue;
            if (!selection_.communicators.empty() &&
                (all.communicator == traces::noIndex || !selection_.has(all.communicator)))
                continue;
            add(rank, states.region[i], all, end - begin);
        }
    }

    /// Operations on windows and files, in the call that makes them.
    void takeNotices(std::size_t location) {
        if (location >= recording_.notices.size()) return;
        const Rank rank = recording_.locations[location].rank;
        for (const traces::Notice& notice : recording_.notices[location]) {
            using Kind = traces::NoticeKind;
            MovedByCall moved{.begin = notice.time};
            const auto bytes = static_cast<Bytes>(notice.number);
            const auto isFor = [&](traces::FileOperation operation) {
                return notice.kind == Kind::beginOperation && notice.detail == static_cast<std::uint8_t>(operation);
            };
            if (notice.kind == Kind::put || notice.kind == Kind::atomic || isFor(traces::FileOperation::write))
                moved.sent = bytes;
            else if (notice.kind == Kind::get || isFor(traces::FileOperation::read)) moved.received = bytes;
            else continue;
            if (isOneSided(notice.kind)) moved.communicator = recording_.windows[notice.subject].communicator;
            parts_[rank.index()].push_back(moved);
        }
    }

    std::vector<MovedByCall> movedIn(Rank rank) {
        const traces::Messages& m = recording_.messages;
        std::vector<MovedByCall> moved = std::move(parts_[rank.index()]);
        // Collectives among neighbours count what their arguments say.
        const auto isCounted = [&](std::uint32_t i) {
            return !hasNeighbours_ || (m.tag[i] & traces::own::tagOfNeighbours) == 0;
        };
        for (const std::uint32_t i : sends_.of(rank))
            if (isCounted(i)) moved.push_back({m.sendBegin[i], m.communicator[i], m.bytes[i], 0, true});
        for (const std::uint32_t i : receives_.of(rank))
            if (isCounted(i)) moved.push_back({m.receiveBegin[i], m.communicator[i], 0, m.bytes[i], true});
        std::sort(moved.begin(), moved.end(),
                  [](const MovedByCall& a, const MovedByCall& b) { return a.begin < b.begin; });
        return moved;
    }

    void add(Rank rank, std::int32_t region, const MovedByCall& moved, Picoseconds time) {
        std::optional<std::int64_t> ranks;
        if (moved.communicator != traces::noIndex) ranks = sizes_[engine::asSize(moved.communicator)];
        std::optional<Bytes> upTo;
        if (moved.hasSize) upTo = sizeClassOf(std::max(moved.sent, moved.received));
        const std::string& operation = recording_.regions[engine::asSize(region)].name;
        CallGroup& kind = kinds_[{operation, ranks, upTo}];
        if (kind.calls == 0) kind = {.operation = operation, .ranks = ranks, .upTo = upTo};
        ++kind.calls;
        kind.sent += moved.sent;
        kind.received += moved.received;
        kind.time += time;
        if (kind.slowest != traces::noRank && time <= kind.longest) return;
        kind.longest = time;
        kind.slowest = rank;
        kind.begin = moved.begin;
    }

    const Recording& recording_;
    const Selection& selection_;
    traces::Grouped sends_, receives_;
    LocationsOfRanks locations_;
    std::vector<std::vector<MovedByCall>> parts_;  // by rank; collectives
    bool hasNeighbours_ = false;                   // collectives among them
    std::vector<bool> isMpi_;                      // by region
    std::vector<std::int64_t> sizes_;              // of communicators
    std::map<std::tuple<std::string, std::optional<std::int64_t>, std::optional<Bytes>>, CallGroup> kinds_;
};

}  // namespace

std::vector<CallGroup> callGroups(const Recording& recording, const Selection& selection,
                                  const engine::Progress& progress) {
    CallSorting sorting{recording, selection};
    for (Rank rank{0}; rank.value < recording.ranks; ++rank) {
        progress.at(static_cast<double>(rank.value) / recording.ranks);
        if (selection.part.has(rank)) sorting.take(rank);
    }
    sorting.takePolls();
    return sorting.kinds();
}

}  // namespace app::analysis
