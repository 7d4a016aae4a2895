// SPDX-License-Identifier: BSD-3-Clause
#include "traces/questions/instances.hpp"

#include "engine/text.hpp"
#include "traces/questions/recorded_problem.hpp"
#include "traces/questions/rounds.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace traces {

using engine::Run;
using engine::text;

bool Selection::has(std::int32_t communicator) const {
    return communicators.empty() ||
           std::find(communicators.begin(), communicators.end(), communicator) != communicators.end();
}

namespace {

std::string nameOf(const Recording& recording, std::int32_t communicator) {
    const std::string& given = recording.communicators[static_cast<std::size_t>(communicator)].name;
    return given.empty() ? text("communicator ", communicator) : given;
}

/// An instance of `communicator` with its ranks and groups.
Instance among(const Recording& recording, std::int32_t communicator) {
    const Communicator& entry = recording.communicators[static_cast<std::size_t>(communicator)];
    Instance instance;
    instance.communicator = nameOf(recording, communicator);
    instance.ranks = entry.members;
    if (entry.kind == CommunicatorKind::inter && !entry.remote.empty()) {
        instance.groupA = static_cast<std::int32_t>(entry.members.size());
        instance.groupB = static_cast<std::int32_t>(entry.remote.size());
        instance.ranks.insert(instance.ranks.end(), entry.remote.begin(), entry.remote.end());
    }
    instance.stays.resize(instance.ranks.size());
    return instance;
}

/// Places of world ranks in the communicator.
std::map<Rank, std::int32_t> placesIn(const Instance& instance) {
    std::map<Rank, std::int32_t> places;
    for (std::size_t i = 0; i < instance.ranks.size(); ++i)
        places.try_emplace(instance.ranks[i], static_cast<std::int32_t>(i));
    return places;
}

Instance collectiveOf(const Recording& recording, const Collective& collective) {
    Instance instance = among(recording, collective.communicator);
    instance.operation = nameOf(collective.operation);
    instance.complete = collective.complete && collective.ordered;
    auto places = placesIn(instance);
    if (collective.root != noRank && places.contains(collective.root)) instance.root = Rank{places[collective.root]};
    bool first = true;
    for (const Participant& part : recording.collectives.of(collective)) {
        if (instance.ranks.empty() || !places.contains(part.rank)) {  // MPI_COMM_SELF has no members
            places[part.rank] = static_cast<std::int32_t>(instance.ranks.size());
            instance.ranks.push_back(part.rank);
            instance.stays.emplace_back();
        }
        instance.stays[static_cast<std::size_t>(places[part.rank])] = TimeSpan{part.begin, part.end};
        instance.begin = first ? part.begin : std::min(instance.begin, part.begin);
        instance.end = first ? part.end : std::max(instance.end, part.end);
        instance.bytes += part.received;
        first = false;
    }
    instance.run.ranks = static_cast<std::int32_t>(instance.ranks.size());
    instance.run.setting.on = "trace";
    RecordedProblem problem = recordedProblem(recording, collective, instance);
    instance.problem = std::move(problem.problem);
    instance.whyNoProblem = std::move(problem.why);
    return instance;
}

/// Which messages of a communicator belong together.
struct Stretch {
    std::int32_t communicator = 0;
    std::int64_t collectives = 0;  ///< of it that the sender had left before
    std::int32_t region = noIndex;  ///< function of the program that the sender was in
    std::int64_t call = 0;         ///< which call of it
    bool nonBlocking = false;

    friend auto operator<=>(const Stretch&, const Stretch&) = default;
};

/// Tells for messages of one rank, in the order of sending, which call of a function of the program they lie in.
class Calls {
public:
    Calls(const Recording& recording, Rank rank) : recording_{recording} {
        const std::int32_t location = recording.locationOf(rank);
        if (location != noIndex && static_cast<std::size_t>(location) < recording.states.size())
            states_ = &recording.states[static_cast<std::size_t>(location)];
    }

    /// The innermost function below the outermost one, and how many calls of it came before.
    std::pair<std::int32_t, std::int64_t> at(Picoseconds time) {
        if (states_ == nullptr) return {noIndex, 0};
        for (; next_ < states_->size() && states_->begin[next_] <= time; ++next_) {
            const std::int32_t region = states_->region[next_];
            if (recording_.regions[static_cast<std::size_t>(region)].call != Call::none) continue;
            open_.push_back({region, states_->depth[next_], states_->end[next_], calls_[region]++});
        }
        while (!open_.empty() && open_.back().end < time) open_.pop_back();
        for (auto call = open_.rbegin(); call != open_.rend(); ++call)
            if (call->end >= time && call->depth > 0) return {call->region, call->number};
        return {noIndex, 0};
    }

private:
    struct Open {
        std::int32_t region;
        std::uint16_t depth;
        Picoseconds end;
        std::int64_t number;
    };
    const Recording& recording_;
    const States* states_ = nullptr;
    std::size_t next_ = 0;
    std::vector<Open> open_;
    std::map<std::int32_t, std::int64_t> calls_;
};

/// When ranks left the collectives of their communicators.
using Leaving = std::map<std::pair<std::int32_t, Rank>, std::vector<Picoseconds>>;

Leaving leavingOf(const Recording& recording) {
    Leaving leaving;
    for (const Collective& collective : recording.collectives.instances)
        for (const Participant& part : recording.collectives.of(collective))
            leaving[{collective.communicator, part.rank}].push_back(part.end);
    for (auto& [who, times] : leaving) std::sort(times.begin(), times.end());
    return leaving;
}

engine::MessageRecord recordOf(const Message& m, Rank from, Rank to, Picoseconds zero) {
    return {from,
            to,
            engine::Round{0},
            m.bytes,
            m.sendBegin - zero,
            m.sendEnd - zero,
            m.receiveBegin - zero,
            std::max(m.receiveEnd, m.receiveBegin) - zero};
}

/// Indices of the selected messages by the order of sending of each rank, at most questionMessages.
std::vector<std::uint32_t> selected(const Recording& recording, const Selection& selection) {
    std::vector<std::uint32_t> chosen;
    for (std::size_t i = 0; i < recording.messages.size(); ++i) {
        const Message m = recording.messages[i];
        if (!selection.has(m.communicator) || !selection.part.has(m.from) || !selection.part.has(m.to)) continue;
        if (!selection.part.overlaps(std::min(m.sendBegin, m.receiveBegin), std::max(m.sendEnd, m.receiveEnd))) continue;
        chosen.push_back(static_cast<std::uint32_t>(i));
    }
    if (chosen.size() <= questionMessages) return chosen;
    const auto sent = [&](std::size_t i) { return recording.messages.sendBegin[i]; };
    const auto cut = chosen.begin() + static_cast<std::ptrdiff_t>(questionMessages);
    std::nth_element(chosen.begin(), cut, chosen.end(), [&](auto a, auto b) { return sent(a) < sent(b); });
    chosen.erase(cut, chosen.end());
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

Instance messagesOf(const Recording& recording, std::int32_t communicator, const std::vector<std::size_t>& indices) {
    Instance instance = among(recording, communicator);
    instance.operation = "messages";
    instance.hasMessages = true;
    auto places = placesIn(instance);
    const auto placeOf = [&](Rank rank) {
        const auto [entry, isNew] = places.try_emplace(rank, static_cast<std::int32_t>(instance.ranks.size()));
        if (isNew) instance.ranks.push_back(rank), instance.stays.emplace_back();
        return Rank{entry->second};
    };
    bool first = true;
    for (const std::size_t i : indices) {
        const Message m = recording.messages[i];
        const Picoseconds begin = std::min(m.sendBegin, m.receiveBegin);
        const Picoseconds end = std::max(m.sendEnd, m.receiveEnd);
        instance.begin = first ? begin : std::min(instance.begin, begin);
        instance.end = first ? end : std::max(instance.end, end);
        first = false;
    }
    std::vector<Sample> samples;
    for (const std::size_t i : indices) {
        const Message m = recording.messages[i];
        const Rank from = placeOf(m.from);
        const Rank to = placeOf(m.to);
        samples.push_back({recordOf(m, from, to, instance.begin)});
        const auto stay = [&](Rank rank, Picoseconds begin, Picoseconds end) {
            auto& span = instance.stays[static_cast<std::size_t>(rank.value)];
            span = span ? TimeSpan{std::min(span->begin, begin), std::max(span->end, end)} : TimeSpan{begin, end};
        };
        stay(from, m.sendBegin, m.sendEnd);
        stay(to, m.receiveBegin, m.receiveEnd);
        instance.bytes += m.bytes;
    }
    Run run = assembled(static_cast<std::int32_t>(instance.ranks.size()), std::move(samples), instance.duration());
    run.setting.on = "trace";
    run.groupA = instance.groupA;
    run.groupB = instance.groupB;
    instance.run = inLogicalRounds(run);
    return instance;
}

}  // namespace

std::vector<Instance> instancesOf(const Recording& recording, const Selection& selection) {
    std::vector<Instance> instances;
    for (const Collective& collective : recording.collectives.instances) {
        if (!isCommunication(collective.operation) || !selection.has(collective.communicator)) continue;
        Instance instance = collectiveOf(recording, collective);
        const bool anyone = std::any_of(instance.ranks.begin(), instance.ranks.end(),
                                        [&](Rank rank) { return selection.part.has(rank); });
        if (anyone && selection.part.overlaps(instance.begin, instance.end)) instances.push_back(std::move(instance));
    }
    const Leaving leaving = leavingOf(recording);
    std::map<Stretch, std::vector<std::size_t>> stretches;
    std::optional<Calls> calls;
    Rank rank = noRank;
    for (const std::size_t i : selected(recording, selection)) {
        const Message m = recording.messages[i];
        if (m.from != rank) rank = m.from, calls.emplace(recording, rank);
        Stretch stretch{.communicator = m.communicator, .nonBlocking = (m.flags & flag::sendNonBlocking) != 0};
        if (const auto left = leaving.find({m.communicator, m.from}); left != leaving.end())
            stretch.collectives =
                std::upper_bound(left->second.begin(), left->second.end(), m.sendBegin) - left->second.begin();
        std::tie(stretch.region, stretch.call) = calls->at(m.sendBegin);
        stretches[stretch].push_back(i);
    }
    for (const auto& [stretch, indices] : stretches)
        instances.push_back(messagesOf(recording, stretch.communicator, indices));
    std::stable_sort(instances.begin(), instances.end(),
                     [](const Instance& a, const Instance& b) { return a.begin < b.begin; });
    std::map<std::string, std::int64_t> turns;
    for (Instance& instance : instances) instance.turn = turns[instance.communicator]++;
    return instances;
}

Run selectedRun(const Recording& recording, const Selection& selection) {
    std::vector<Sample> samples;
    for (const std::size_t i : selected(recording, selection)) {
        const Message m = recording.messages[i];
        samples.push_back({recordOf(m, m.from, m.to, {})});
    }
    Run run = assembled(recording.ranks, std::move(samples), selection.part.whole() ? recording.duration : Picoseconds{});
    run.setting.on = "trace";
    return inLogicalRounds(run);
}

Instance instanceOf(const Run& run, const std::optional<engine::Problem>& problem) {
    Instance instance;
    instance.communicator = "world";
    instance.operation = problem ? std::string{engine::name(problem->collective)} : "messages";
    instance.groupA = run.groupA;
    instance.groupB = run.groupB;
    for (Rank rank{0}; rank.value < run.ranks; ++rank) instance.ranks.push_back(rank);
    instance.stays.resize(instance.ranks.size());
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const engine::MessageRecord m = run.messages[i];
        const auto stay = [&](Rank rank, Picoseconds begin, Picoseconds end) {
            auto& span = instance.stays[static_cast<std::size_t>(rank.value)];
            span = span ? TimeSpan{std::min(span->begin, begin), std::max(span->end, end)} : TimeSpan{begin, end};
        };
        stay(m.from, m.sendBegin, m.sendEnd);
        stay(m.to, m.receiveBegin, m.receiveEnd);
    }
    for (const engine::StageSpan& span : run.spans) {
        auto& stay = instance.stays[static_cast<std::size_t>(span.rank.value)];
        stay = stay ? TimeSpan{std::min(stay->begin, span.begin), std::max(stay->end, span.end)}
                    : TimeSpan{span.begin, span.end};
    }
    if (problem && problem->collective == engine::Collective::bcast) instance.root = problem->root;
    instance.end = run.duration;
    instance.bytes = run.byteCount;
    instance.complete = run.droppedMessages == 0;
    instance.run = run;
    instance.hasMessages = true;
    instance.hasRounds = true;
    instance.problem = problem;
    if (!problem) instance.whyNoProblem = "the problem was not recorded";
    return instance;
}

std::string_view name(CollectiveWait wait) {
    switch (wait) {
        case CollectiveWait::none: return "none";
        case CollectiveWait::atNxN: return "wait at NxN";
        case CollectiveWait::atBarrier: return "wait at barrier";
        case CollectiveWait::lateBroadcast: return "late broadcast";
        case CollectiveWait::earlyReduce: return "early reduce";
    }
    return {};
}

namespace {

CollectiveWait kindOf(std::string_view operation) {
    const auto is = [&](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), operation) != names.end();
    };
    if (is({"barrier"})) return CollectiveWait::atBarrier;
    if (is({"bcast", "scatter", "scatterv"})) return CollectiveWait::lateBroadcast;
    if (is({"reduce", "gather", "gatherv"})) return CollectiveWait::earlyReduce;
    if (is({"allreduce", "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw",
            "reduce-scatter", "reduce-scatter-block",
            "intergroup-allgatherv"}))
        return CollectiveWait::atNxN;
    return CollectiveWait::none;
}

}  // namespace

Arrivals arrivalsOf(const Instance& instance) {
    Arrivals arrivals;
    arrivals.perRank.resize(instance.stays.size());
    std::optional<std::size_t> first;
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < instance.stays.size(); ++i) {
        if (!instance.stays[i]) continue;
        if (!first || instance.stays[i]->begin < instance.stays[*first]->begin) first = i;
        if (!last || instance.stays[i]->begin > instance.stays[*last]->begin) last = i;
    }
    if (!first || !instance.isCollective()) return arrivals;
    arrivals.spread = instance.stays[*last]->begin - instance.stays[*first]->begin;
    if (arrivals.spread.count() > 0) arrivals.last = Rank{static_cast<std::int32_t>(*last)};
    arrivals.kind = kindOf(instance.operation);
    const auto waits = [&](std::size_t rank, Picoseconds until) {
        const TimeSpan& stay = *instance.stays[rank];
        arrivals.perRank[rank] = std::max(Picoseconds{}, std::min(until, stay.end) - stay.begin);
        arrivals.waiting += arrivals.perRank[rank];
    };
    const bool rooted =
        arrivals.kind == CollectiveWait::lateBroadcast || arrivals.kind == CollectiveWait::earlyReduce;
    const std::size_t root = instance.root ? static_cast<std::size_t>(instance.root->value) : instance.stays.size();
    if (arrivals.kind == CollectiveWait::none || (rooted && (root >= instance.stays.size() || !instance.stays[root]))) {
        arrivals.kind = CollectiveWait::none;
        return arrivals;
    }
    if (arrivals.kind == CollectiveWait::earlyReduce) {
        std::optional<Picoseconds> earliest;
        for (std::size_t i = 0; i < instance.stays.size(); ++i)
            if (i != root && instance.stays[i])
                earliest = earliest ? std::min(*earliest, instance.stays[i]->begin) : instance.stays[i]->begin;
        if (earliest) waits(root, *earliest);
        return arrivals;
    }
    const Picoseconds until = instance.stays[rooted ? root : *last]->begin;
    for (std::size_t i = 0; i < instance.stays.size(); ++i)
        if (instance.stays[i] && (!rooted || i != root)) waits(i, until);
    if (arrivals.kind == CollectiveWait::lateBroadcast && arrivals.waiting.count() > 0)
        arrivals.last = Rank{static_cast<std::int32_t>(root)};
    return arrivals;
}

}  // namespace traces
