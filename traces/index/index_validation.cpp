// SPDX-License-Identifier: BSD-3-Clause
#include "traces/index/index_validation.hpp"

#include "engine/base/parallel.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace traces::index {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 62;
constexpr std::uint32_t mostTeams = std::uint32_t{1} << 24;
constexpr std::size_t stretch = std::size_t{1} << 18;

bool isTime(Picoseconds time) { return time.count() >= -most && time.count() <= most; }
bool isSize(Bytes bytes) { return bytes >= 0 && bytes <= most; }

/// Kinds and truths are bytes of a file: any number may stand there.
template <class Enum>
bool isKind(Enum value, Enum last) {
    return static_cast<std::underlying_type_t<Enum>>(value) <= static_cast<std::underlying_type_t<Enum>>(last);
}
bool isTruth(const bool& value) {
    unsigned char byte = 0;
    std::memcpy(&byte, &value, 1);
    return byte <= 1;
}

/// Whether `holds(i)` for all i below `count`, on all cores.
template <class Holds>
bool all(std::size_t count, Holds holds) {
    std::atomic<bool> good{true};
    engine::parallelFor((count + stretch - 1) / stretch, [&](std::size_t part) {
        for (std::size_t i = part * stretch; good && i < std::min(count, (part + 1) * stretch); ++i)
            if (!holds(i)) good = false;
    });
    return good;
}

template <class... Columns>
bool alike(std::size_t size, const Columns&... columns) {
    return ((columns.size() == size) && ...);
}

class Judge {
public:
    explicit Judge(const Recording& recording) : r_{recording} {}

    [[nodiscard]] bool head() const {
        return r_.ranks >= 0 && static_cast<std::size_t>(r_.ranks) <= r_.locations.size() &&
               r_.clock.ticksPerSecond > 0 && r_.duration >= Picoseconds{} && isTime(r_.duration) &&
               r_.states.size() == r_.locations.size();
    }

    [[nodiscard]] bool definitions() const {
        for (const Location& one : r_.locations)
            if (!isKind(one.kind, LocationKind::other) || !isRankOrNone(one.rank) ||
                (one.speaksForRank && one.rank == noRank) || !isTime(one.first) || !isTime(one.last))
                return false;
        for (const Region& one : r_.regions)
            if (!isKind(one.call, Call::other) || !isKind(one.recorded, Recorded::no) ||
                !isKind(one.role, RegionRole::critical))
                return false;
        const auto member = [&](Rank rank) { return isRankOrNone(rank); };
        for (const Communicator& one : r_.communicators)
            if (!isKind(one.kind, CommunicatorKind::inter) ||
                !std::all_of(one.members.begin(), one.members.end(), member) ||
                !std::all_of(one.remote.begin(), one.remote.end(), member) || !isCommunicatorOrNone(one.parent))
                return false;
        for (const Window& one : r_.windows)
            if (!isCommunicatorOrNone(one.communicator)) return false;
        for (const std::vector<Rank>& group : r_.groups)
            if (!std::all_of(group.begin(), group.end(), member)) return false;
        for (const Marker& one : r_.markers)
            if (!isTime(one.begin) || !isTime(one.end) || one.end < one.begin || !isLocationOrNone(one.location))
                return false;
        for (const CartTopology& one : r_.topologies)
            if (!isTopology(one)) return false;
        for (const Metric& one : r_.metrics)
            if (!isKind(one.value, MetricValue::relative) || !isKind(one.timing, MetricTiming::next)) return false;
        for (const NotRecorded& one : r_.absences)
            if (!isKind(one.what, Absence::limit) || !isRegionOrNone(one.region) || !isLocationOrNone(one.location) ||
                !isTime(one.begin) || !isTime(one.end))
                return false;
        for (const EarlyEnd& one : r_.earlyEnds)
            if (!isLocationOrNone(one.location) || !isTime(one.last)) return false;
        for (const ClockOffset& one : r_.clockOffsets)
            if (!isLocationOrNone(one.location)) return false;
        return true;
    }

    [[nodiscard]] bool states() const {
        return std::all_of(r_.states.begin(), r_.states.end(), [&](const States& s) {
            return alike(s.begin.size(), s.end, s.region, s.depth) &&
                   std::all_of(s.open.begin(), s.open.end(), [&](std::uint32_t i) { return i < s.size(); }) &&
                   all(s.size(), [&](std::size_t i) {
                       return isTime(s.begin[i]) && isTime(s.end[i]) && s.begin[i] <= s.end[i] && s.region[i] >= 0 &&
                              isRegionOrNone(s.region[i]);
                   });
        });
    }

    [[nodiscard]] bool isNotice(const Notice& notice) const {
        if (!isKind(notice.kind, NoticeKind::tryFile)) return false;
        if (!isRankOrNone(notice.peer) && !(isOneSided(notice.kind) && notice.peer == everyRank)) return false;
        if (isOneSided(notice.kind))
            return notice.subject < r_.windows.size() &&
                   (notice.kind != NoticeKind::syncGroup || notice.number < r_.groups.size());
        if (notice.kind == NoticeKind::parameter)
            return notice.subject < r_.parameters.size() && notice.detail <= std::uint8_t{2} &&
                   (notice.detail != 0 || notice.number < r_.parameters[notice.subject].words.size());
        if (isOfFile(notice.kind))
            return notice.subject < r_.files.size() &&
                   (notice.kind != NoticeKind::beginOperation ||
                    notice.detail <= static_cast<std::uint8_t>(FileOperation::other)) &&
                   isSize(static_cast<Bytes>(notice.number));
        const bool lock = notice.kind == NoticeKind::acquireLock || notice.kind == NoticeKind::releaseLock;
        return lock || notice.subject < mostTeams;
    }

    [[nodiscard]] bool notices() const {
        return (r_.notices.empty() || r_.notices.size() == r_.locations.size()) &&
               std::all_of(r_.notices.begin(), r_.notices.end(), [&](const Column<Notice>& its) {
                   const std::size_t calls = r_.states[engine::asSize(&its - r_.notices.data())].size();
                   return all(its.size(), [&](std::size_t i) {
                       return its[i].entered <= calls && (i == 0 || its[i - 1].entered <= its[i].entered) &&
                              isTime(its[i].time) && (i == 0 || its[i - 1].time <= its[i].time) && isNotice(its[i]);
                   });
               });
    }

    [[nodiscard]] bool messages() const {
        const Messages& m = r_.messages;
        return areMessages(m) && all(m.size(), [&](std::size_t i) { return m.communicator[i] >= 0; }) &&
               all(r_.halves.size(), [&](std::size_t i) {
                   const Half& half = r_.halves[i];
                   return isKind(half.side, Side::receive) && isRank(half.self) && isRankOrNone(half.peer) &&
                          isCommunicatorOrNone(half.communicator) && isSize(half.bytes) && isTime(half.begin) &&
                          isTime(half.end) && isTruth(half.nonBlocking);
               });
    }

    [[nodiscard]] bool library() const {
        const Library& its = r_.library;
        return areMessages(its.messages) && its.collective.size() == its.messages.size() &&
               all(its.collective.size(),
                   [&](std::size_t i) { return isIndex(its.collective[i], r_.collectives.instances.size()); });
    }

    [[nodiscard]] bool collectives() const {
        const auto& [instances, participants] = r_.collectives;
        return all(instances.size(),
                   [&, &instances = instances, &participants = participants](std::size_t i) {
                       const Collective& one = instances[i];
                       return isKind(one.operation, lastOperation) && one.communicator >= 0 &&
                              isCommunicatorOrNone(one.communicator) && isRankOrNone(one.root) &&
                              one.first <= participants.size() && one.count <= participants.size() - one.first &&
                              isTruth(one.complete) && isTruth(one.ordered) &&
                              isIndex(one.algorithm, r_.algorithms.size()) &&
                              isIndex(one.ofLibrary, r_.library.algorithms.size()) &&
                              isIndex(one.component, r_.library.components.size());
                   }) &&
               all(participants.size(),
                   [&, &participants = participants](std::size_t i) {
                       const Participant& one = participants[i];
                       return isRank(one.rank) && isTime(one.begin) && isTime(one.end) && isSize(one.sent) &&
                              isSize(one.received) && isTruth(one.nonBlocking) &&
                              one.root >= Participant::rootSameGroup && isIndex(one.reduction, r_.reductions.size());
                   }) &&
               all(r_.unfinished.size(), [&](std::size_t i) {
                   const Unfinished& one = r_.unfinished[i];
                   return isRankOrNone(one.rank) && isRegionOrNone(one.region) && isTime(one.begin);
               });
    }

    [[nodiscard]] bool samples() const {
        return std::all_of(r_.samples.begin(), r_.samples.end(), [&](const MetricSamples& s) {
            return s.location >= 0 && isLocationOrNone(s.location) && isRankOrNone(s.rank) &&
                   s.values.size() == s.metrics.size() &&
                   std::all_of(s.metrics.begin(), s.metrics.end(),
                               [&](std::int32_t i) { return i >= 0 && isIndex(i, r_.metrics.size()); }) &&
                   all(s.time.size(),
                       [&](std::size_t i) { return isTime(s.time[i]) && (i == 0 || s.time[i - 1] <= s.time[i]); }) &&
                   std::all_of(s.values.begin(), s.values.end(), [&](const Column<double>& values) {
                       return values.size() == s.time.size() &&
                              all(values.size(), [&](std::size_t i) { return std::isfinite(values[i]); });
                   });
        });
    }

    [[nodiscard]] bool own() const {
        if (!r_.own) return !isOwn(r_);
        const std::size_t messages = r_.messages.size();
        const auto& [round, place, whatStart, what] = *r_.own;
        if (!alike(messages, round, place) || whatStart.size() != messages + 1) return false;
        return all(messages + 1, [&, &whatStart = whatStart, &what = what](std::size_t i) {
            return whatStart[i] <= what.size() && (i == 0 || whatStart[i - 1] <= whatStart[i]);
        });
    }

private:
    [[nodiscard]] bool isRank(Rank rank) const { return rank.value >= 0 && rank.value < r_.ranks; }
    [[nodiscard]] bool isRankOrNone(Rank rank) const { return rank == noRank || isRank(rank); }
    [[nodiscard]] static bool isIndex(std::int32_t index, std::size_t size) {
        return index == noIndex || (index >= 0 && static_cast<std::size_t>(index) < size);
    }
    [[nodiscard]] bool isCommunicatorOrNone(std::int32_t i) const { return isIndex(i, r_.communicators.size()); }
    [[nodiscard]] bool isRegionOrNone(std::int32_t i) const { return isIndex(i, r_.regions.size()); }
    [[nodiscard]] bool isLocationOrNone(std::int32_t i) const { return isIndex(i, r_.locations.size()); }

    /// The communicators of some may be unknown.
    [[nodiscard]] bool areMessages(const Messages& m) const {
        return alike(m.size(), m.to, m.communicator, m.tag, m.bytes, m.sendBegin, m.sendEnd, m.receiveBegin,
                     m.receiveEnd, m.flags) &&
               all(m.size(), [&](std::size_t i) {
                   return isRank(m.from[i]) && isRank(m.to[i]) && isCommunicatorOrNone(m.communicator[i]) &&
                          isSize(m.bytes[i]) && isTime(m.sendBegin[i]) && isTime(m.sendEnd[i]) &&
                          isTime(m.receiveBegin[i]) && isTime(m.receiveEnd[i]);
               });
    }

    [[nodiscard]] bool isTopology(const CartTopology& one) const {
        if (one.communicator < 0 || !isCommunicatorOrNone(one.communicator) ||
            one.lengths.size() != one.periodic.size() || one.coordinates.size() != static_cast<std::size_t>(r_.ranks))
            return false;
        return std::all_of(one.coordinates.begin(), one.coordinates.end(), [&](const std::vector<std::int32_t>& at) {
            if (at.empty()) return true;
            if (at.size() != one.lengths.size()) return false;
            for (std::size_t d = 0; d < at.size(); ++d)
                if (at[d] < 0 || at[d] >= one.lengths[d]) return false;
            return true;
        });
    }

    const Recording& r_;
};

}  // namespace

bool plausible(const Recording& recording) {
    const Judge judge{recording};
    return judge.head() && judge.definitions() && judge.states() && judge.notices() && judge.messages() &&
           judge.samples() && judge.collectives() && judge.library() && judge.own();
}

}  // namespace traces::index
