// SPDX-License-Identifier: BSD-3-Clause
#include "traces/kineto/rank_trace.hpp"

#include "engine/base/text.hpp"
#include "traces/kineto/kernels.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace traces::kineto {

namespace {

constexpr std::string_view recordsParameters = "record_param_comms", stepPrefix = "ProfilerStep#";

/// Whose launch a kernel is.
struct Launch {
    std::int32_t operation = noIndex;  ///< activity: the innermost operation of PyTorch around the launch
    std::int32_t facts = noIndex;      ///< of the collective around it
};

/// Whether a collective of this library runs on threads: then its annotation, and no kernel, is what it takes.
bool runsOnThreads(std::string_view annotation) {
    return annotation.starts_with("gloo:") || annotation.starts_with("mpi:");
}

/// Whether kernels are called after the protocol that they carry out: of a library with a kernel for each of them, some
/// kernel is called after another one than LL.
bool namesProtocols(const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {
        const auto kernel = communicationKernel(name);
        return kernel && !kernel->ran.protocol.empty() && kernel->ran.protocol != "LL";
    });
}

class Maker {
public:
    explicit Maker(const Profile& profile) : p_{profile}, namesProtocols_{namesProtocols(profile.names)} {
        trace_.path = profile.path;
        trace_.rank = profile.rank;
        trace_.worldSize = profile.worldSize;
        trace_.activities = profile.activities.size();
        trace_.passedOver = profile.passedOver;
    }

    RankTrace make() {
        std::vector<std::size_t> counts(p_.lanes.size());
        for (const Activity& one : p_.activities) ++counts[engine::asSize(one.lane)];
        std::vector<std::vector<std::int32_t>> byLane(p_.lanes.size());
        for (std::size_t lane = 0; lane < byLane.size(); ++lane) byLane[lane].reserve(counts[lane]);
        for (std::size_t i = 0; i < p_.activities.size(); ++i)
            byLane[engine::asSize(p_.activities[i].lane)].push_back(static_cast<std::int32_t>(i));
        struct Key {
            std::int64_t begin, end;
            std::int32_t activity;
        };
        const auto isBefore = [](const Key& a, const Key& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.end != b.end ? a.end > b.end : a.activity < b.activity;
        };
        std::vector<Key> keys;  // beside each other, which is faster than activities anywhere
        for (std::vector<std::int32_t>& its : byLane) {
            keys.clear();
            for (const std::int32_t i : its) keys.push_back({at(i).begin, at(i).end, i});
            if (std::is_sorted(keys.begin(), keys.end(), isBefore)) continue;
            std::sort(keys.begin(), keys.end(), isBefore);
            std::transform(keys.begin(), keys.end(), its.begin(), [](const Key& key) { return key.activity; });
        }
        if (!p_.waits.empty())
            for (const Activity& one : p_.activities)
                if (one.kind == Kind::runtime && one.correlation >= 0) calledAt_[one.correlation] = one.begin;
        // What threads launch, before what streams carry out.
        for (std::size_t lane = 0; lane < byLane.size(); ++lane)
            if (!p_.lanes[lane].isStream) addThread(lane, byLane[lane]);
        for (std::size_t lane = 0; lane < byLane.size(); ++lane)
            if (p_.lanes[lane].isStream) addStream(lane, byLane[lane]);
        chooseOwn();
        findAwaited();
        for (const Activity& one : p_.activities) {
            trace_.first = std::min(trace_.first, one.begin);
            trace_.last = std::max(trace_.last, one.end);
        }
        std::stable_sort(trace_.collectives.begin(), trace_.collectives.end(),
                         [](const auto& a, const auto& b) { return a.begin < b.begin; });
        std::stable_sort(trace_.steps.begin(), trace_.steps.end(),
                         [](const auto& a, const auto& b) { return a.begin < b.begin; });
        return std::move(trace_);
    }

private:
    [[nodiscard]] const Activity& at(std::int32_t index) const { return p_.activities[engine::asSize(index)]; }
    [[nodiscard]] const std::string& nameOf(const Activity& one) const { return p_.names[engine::asSize(one.name)]; }

    std::int32_t region(const std::string& name, std::string_view paradigm, Call call) {
        return regions_.of(trace_.regions, name, paradigm, call);
    }

    /// The region of an activity by itself; looked up by its name once.
    std::int32_t regionOf(const Activity& one) {
        const bool isKernel = one.kind == Kind::kernel;
        std::vector<std::int32_t>& known = isKernel ? kernelRegions_ : otherRegions_;
        known.resize(p_.names.size(), noIndex);
        std::int32_t& its = known[engine::asSize(one.name)];
        if (its == noIndex) {
            // Steps are distinguished by their markers.
            const std::string& whole = nameOf(one);
            const bool isStep = one.kind == Kind::annotation && whole.starts_with(stepPrefix);
            const std::string name = isStep ? std::string{stepPrefix.substr(0, stepPrefix.size() - 1)} : whole;
            const bool ofUser = one.kind == Kind::operation || one.kind == Kind::annotation || one.kind == Kind::python;
            its = region(isKernel ? shortName(name) : name, ofUser ? "user" : "cuda", Call::none);
        }
        return its;
    }

    static void push(LaneCalls& lane, std::int64_t begin, std::int64_t end, std::int32_t region, std::size_t depth) {
        lane.begin.push_back(begin);
        lane.end.push_back(end);
        lane.region.push_back(region);
        lane.depth.push_back(static_cast<std::uint16_t>(std::min<std::size_t>(depth, 65535)));
    }

    /// `least`: how many calls it will have, or more.
    LaneCalls& newLane(std::size_t lane, std::size_t least) {
        LaneCalls& calls = trace_.lanes.emplace_back();
        calls.begin.reserve(least);
        calls.end.reserve(least);
        calls.region.reserve(least);
        calls.depth.reserve(least);
        const Lane& its = p_.lanes[lane];
        calls.isStream = its.isStream;
        calls.name = its.isStream ? engine::text("stream ", its.thread) : its.name;
        while (!calls.name.empty() && calls.name.back() == ' ') calls.name.pop_back();
        if (calls.name.empty()) calls.name = engine::text("thread ", its.thread);
        return calls;
    }

    void addThread(std::size_t lane, const std::vector<std::int32_t>& activities) {
        if (activities.empty()) return;
        LaneCalls& calls = newLane(lane, activities.size());
        struct Open {
            std::int32_t activity;
            std::int64_t end;
        };
        std::vector<Open> open;
        for (const std::int32_t index : activities) {
            const Activity& one = at(index);
            while (!open.empty() && open.back().end <= one.begin) open.pop_back();
            // Rounded times overlap a little, and what runs beside its thread more.
            const std::int64_t end = open.empty() ? one.end : std::min(one.end, open.back().end);
            const std::string& name = nameOf(one);
            if (one.kind == Kind::annotation && name.starts_with(stepPrefix))
                trace_.steps.push_back({name.substr(stepPrefix.size()), one.begin, one.end});
            if (one.kind == Kind::runtime && one.correlation >= 0) {
                Launch launch;
                for (auto around = open.rbegin(); around != open.rend(); ++around) {
                    const Activity& outer = at(around->activity);
                    if (launch.facts == noIndex && outer.facts >= 0) launch.facts = outer.facts;
                    if (launch.operation == noIndex && outer.kind == Kind::operation &&
                        nameOf(outer) != recordsParameters)
                        launch.operation = around->activity;
                    if (launch.facts != noIndex && launch.operation != noIndex) break;
                }
                if (launch.operation != noIndex || launch.facts != noIndex) launches_[one.correlation] = launch;
            }
            std::int32_t its = noIndex;
            if (one.kind == Kind::annotation && runsOnThreads(name))
                if (const auto does = communicationNamed(name)) {
                    std::int32_t facts = one.facts;
                    for (const Open& around : open)
                        if (at(around.activity).facts >= 0 && nameOf(at(around.activity)) == recordsParameters)
                            facts = at(around.activity).facts;
                    its = region(does->name, "user", does->call);
                    addCommunication(*does, facts, {}, one.begin, one.end);
                }
            push(calls, one.begin, end, its == noIndex ? regionOf(one) : its, open.size());
            open.push_back({index, end});
        }
    }

    void addStream(std::size_t lane, const std::vector<std::int32_t>& activities) {
        if (activities.empty()) return;
        LaneCalls& calls = newLane(lane, activities.size());
        if (!p_.waits.empty())
            launched_.try_emplace({p_.lanes[lane].process, p_.lanes[lane].thread}).first->second.lane =
                trace_.lanes.size() - 1;
        std::int32_t around = noIndex;  // operation whose call is the last one of depth 0
        std::size_t top = 0;            // the last call of depth 0
        std::int64_t computing = 0;
        const auto cut = [&](std::int64_t begin) {
            // One after the other is what a stream carries out: more is due to rounding. Those between end before the
            // last one begins.
            for (const std::size_t i : {top, calls.end.size() - 1})
                calls.end[i] = std::max(calls.begin[i], std::min(calls.end[i], begin));
        };
        for (const std::int32_t index : activities) {
            const Activity& one = at(index);
            if (!calls.end.empty()) cut(one.begin);
            const std::int64_t begin = calls.begin.empty() ? one.begin : std::max(one.begin, calls.begin.back());
            const std::int64_t end = std::max(one.end, begin);
            const auto found = one.correlation >= 0 ? launches_.find(one.correlation) : launches_.end();
            const Launch launch = found == launches_.end() ? Launch{} : found->second;
            noteLaunch(lane, one, begin, end);
            if (one.kind == Kind::kernel) {
                if (const CommunicationKernel* const its = communicationOf(one); its != nullptr) {
                    top = calls.begin.size();
                    addCollectiveKernel(calls, *its, one, launch, begin, end);
                    around = noIndex;
                    continue;
                }
                computing += end - begin;
            }
            if (launch.operation == noIndex) {
                top = calls.begin.size();
                push(calls, begin, end, regionOf(one), 0);
                around = noIndex;
                continue;
            }
            if (around != launch.operation) {
                top = calls.begin.size();
                push(calls, begin, end, regionOf(at(launch.operation)), 0);
                around = launch.operation;
            }
            calls.end[top] = end;
            push(calls, begin, end, regionOf(one), 1);
        }
        computing_[trace_.lanes.size() - 1] = computing;
    }

    /// Kept only where streams are known to wait.
    void noteLaunch(std::size_t lane, const Activity& one, std::int64_t begin, std::int64_t end) {
        if (p_.waits.empty()) return;
        const auto called = calledAt_.find(one.correlation);
        if (called == calledAt_.end()) return;
        const bool communicates = one.kind == Kind::kernel && communicationOf(one) != nullptr;
        launched_[{p_.lanes[lane].process, p_.lanes[lane].thread}].all.push_back(
            {called->second, begin, end, communicates ? one.name : noIndex});
    }

    /// A stream waits for the last kernel that was launched on the other one before the event was recorded. Its own
    /// next kernel begins behind that.
    void findAwaited() {
        const auto byCall = [](const Launched& one, std::int64_t time) { return one.called < time; };
        for (auto& [stream, its] : launched_)
            std::stable_sort(its.all.begin(), its.all.end(),
                             [](const Launched& a, const Launched& b) { return a.called < b.called; });
        for (const StreamWait& wait : p_.waits) {
            const auto recorded = calledAt_.find(wait.recordedBy), called = calledAt_.find(wait.correlation);
            const auto producer = launched_.find({wait.device, wait.producer});
            const auto consumer = launched_.find({wait.device, wait.stream});
            if (recorded == calledAt_.end() || called == calledAt_.end() || producer == launched_.end() ||
                consumer == launched_.end())
                continue;
            const auto& before = producer->second.all;
            const auto& behind = consumer->second.all;
            const auto last = std::lower_bound(before.begin(), before.end(), recorded->second, byCall);
            const auto next = std::lower_bound(behind.begin(), behind.end(), called->second, byCall);
            if (last == before.begin() || next == behind.end()) continue;
            const Launched& collective = *(last - 1);
            if (collective.communication == noIndex || next->communication != noIndex) continue;
            trace_.awaited.push_back({producer->second.lane, collective.end, std::max(next->begin, collective.end),
                                      communication_.at(collective.communication)->does.name});
        }
    }

    const CommunicationKernel* communicationOf(const Activity& one) {
        const auto [entry, isNew] = communication_.try_emplace(one.name);
        if (isNew) entry->second = communicationKernel(nameOf(one));
        if (isNew && entry->second && !namesProtocols_) entry->second->ran.protocol.clear();
        return entry->second ? &*entry->second : nullptr;
    }

    void addCollectiveKernel(LaneCalls& calls, const CommunicationKernel& kernel, const Activity& one,
                             const Launch& launch, std::int64_t begin, std::int64_t end) {
        std::int32_t facts = one.facts >= 0 ? one.facts : launch.facts;
        // A kernel has the first ranks of a large group, the operation that launched it also their distance.
        if (facts >= 0 && launch.facts >= 0 && p_.facts[engine::asSize(facts)].ranksCut &&
            p_.facts[engine::asSize(facts)].start < 0)
            facts = launch.facts;
        Communication does = kernel.does;
        if (facts >= 0)
            if (auto named = communicationNamed(p_.facts[engine::asSize(facts)].name)) does = *std::move(named);
        const std::int32_t its = region(does.name, "cuda", does.call);
        push(calls, begin, end, its, 0);
        push(calls, begin, end, regionOf(one), 1);
        addCommunication(does, facts, kernel.ran, begin, end);
    }

    void addCommunication(const Communication& does, std::int32_t facts, Ran ran, std::int64_t begin,
                          std::int64_t end) {
        if (does.call != Call::collective) {
            ++trace_.transfers;
            return;
        }
        if (!does.wellKnown) ++trace_.unnamed;
        CollectiveCall call{.begin = begin, .end = end, .operation = does.operation, .ran = std::move(ran)};
        const CollectiveFacts none;
        call.group = groupOf(facts >= 0 ? p_.facts[engine::asSize(facts)] : none, does.name);
        if (facts >= 0) {
            const CollectiveFacts& its = p_.facts[engine::asSize(facts)];
            call.ran.elementType = its.elementType;
            call.sequence = its.sequence;
            const Bytes element = elementBytes(its.elementType);
            call.sent = std::max<Bytes>(its.in, 0) * element;
            call.received = std::max<Bytes>(its.out < 0 ? its.in : its.out, 0) * element;
            // Older traces record the input alone; some record an output of 0.
            const auto members = static_cast<Bytes>(trace_.groups[engine::asSize(call.group)].members.size());
            if (its.out <= 0) switch (does.operation) {
                    case Operation::allreduce:
                    case Operation::bcast:
                    case Operation::alltoall: call.received = call.sent; break;
                    case Operation::allgather:
                        // Without its members the size of the operation is unknown.
                        if (members == 0) call.sent = 0;
                        call.received = members * call.sent;
                        break;
                    case Operation::reduceScatterBlock: call.received = members > 0 ? call.sent / members : 0; break;
                    default: break;
                }
        }
        trace_.collectives.push_back(std::move(call));
    }

    /// Index of the process group; looked up by what says which it is, as it may have many members.
    std::int32_t groupOf(const CollectiveFacts& facts, const std::string& operation) {
        const auto [known, isUnknown] =
            groupsByFacts_.try_emplace({facts.group, facts.description, operation, facts.ranks, facts.ranksCut,
                                        facts.size, facts.start, facts.stride},
                                       noIndex);
        if (isUnknown) {
            Group group = madeGroup(facts);
            // Groups that are not known are distinguished by what they do: the streams of two may be in any order.
            if (group.name.empty() && group.members.empty()) group.description = operation;
            const auto [entry, isNew] = groups_.try_emplace(group, static_cast<std::int32_t>(trace_.groups.size()));
            if (isNew) trace_.groups.push_back(std::move(group));
            known->second = entry->second;
        }
        return known->second;
    }

    Group madeGroup(const CollectiveFacts& facts) const {
        Group group{facts.group, facts.description, {}};
        for (const ProcessGroup& known : p_.groups)
            if (!facts.group.empty() && known.name == facts.group) {
                group.members = known.ranks;
                if (group.description.empty()) group.description = known.description;
            }
        const auto size = static_cast<std::size_t>(std::max<std::int64_t>(facts.size, 0));
        if (group.members.empty() && !facts.ranksCut) group.members = facts.ranks;
        if (group.members.empty() && facts.size > 0 && facts.size <= mostRanks && facts.start >= 0 &&
            facts.start < mostRanks && facts.stride >= 1 && facts.stride < mostRanks &&
            facts.start + (facts.size - 1) * facts.stride < mostRanks)
            for (std::size_t i = 0; i < size; ++i)
                group.members.push_back(
                    static_cast<std::int32_t>(facts.start + static_cast<std::int64_t>(i) * facts.stride));
        // A list of all ranks is left out, or cut.
        if (group.members.empty() && trace_.worldSize > 0 && trace_.worldSize <= mostRanks &&
            (facts.size == trace_.worldSize || group.description == "default_pg")) {
            group.members.resize(engine::asSize(trace_.worldSize));
            std::iota(group.members.begin(), group.members.end(), 0);
        }
        std::vector<std::int32_t> once = group.members;
        std::sort(once.begin(), once.end());
        if (std::adjacent_find(once.begin(), once.end()) != once.end()) group.members.clear();
        return group;
    }

    void chooseOwn() {
        std::size_t own = trace_.lanes.size();
        std::int64_t most = -1;
        for (const auto& [lane, computing] : computing_)
            if (computing > most) own = lane, most = computing;
        if (own == trace_.lanes.size()) {
            std::size_t events = 0;
            for (std::size_t lane = 0; lane < trace_.lanes.size(); ++lane)
                if (trace_.lanes[lane].begin.size() > events) own = lane, events = trace_.lanes[lane].begin.size();
        }
        if (own < trace_.lanes.size()) trace_.lanes[own].isRanks = true;
    }

    const Profile& p_;
    bool namesProtocols_;
    RankTrace trace_;
    RegionIndex regions_;
    std::vector<std::int32_t> kernelRegions_, otherRegions_;  ///< by name
    std::unordered_map<std::int64_t, Launch> launches_;       ///< by correlation
    std::unordered_map<std::int32_t, std::optional<CommunicationKernel>> communication_;
    std::map<Group, std::int32_t> groups_;
    std::map<std::tuple<std::string, std::string, std::string, std::vector<std::int32_t>, bool, std::int64_t,
                        std::int64_t, std::int64_t>,
             std::int32_t>
        groupsByFacts_;
    std::map<std::size_t, std::int64_t> computing_;  ///< ns, by lane that is a stream
    struct Launched {
        std::int64_t called = 0;  ///< when its thread launched it
        std::int64_t begin = 0;
        std::int64_t end = 0;
        std::int32_t communication = noIndex;  ///< its name, if it is of a communication library
    };
    struct OfStream {
        std::size_t lane = 0;  ///< index into RankTrace::lanes
        std::vector<Launched> all;
    };
    std::unordered_map<std::int64_t, std::int64_t> calledAt_;             ///< calls of the runtime, by correlation
    std::map<std::pair<std::int64_t, std::int64_t>, OfStream> launched_;  ///< by device and stream
};

}  // namespace

std::int32_t RegionIndex::of(std::vector<Region>& regions, const std::string& name, std::string_view paradigm,
                             Call call) {
    const auto [entry, isNew] = known_.try_emplace({name, call}, static_cast<std::int32_t>(regions.size()));
    if (isNew)
        regions.push_back({.name = name,
                           .paradigm = std::string{paradigm},
                           .call = call,
                           .recorded = call == Call::collective ? Recorded::yes : Recorded::notExpected});
    return entry->second;
}

RankTrace rankTraceOf(const Profile& profile) { return Maker{profile}.make(); }

}  // namespace traces::kineto
