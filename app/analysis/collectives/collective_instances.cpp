// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/collectives/collective_instances.hpp"

#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "app/analysis/calls/stream_activity.hpp"
#include "app/analysis/collectives/message_groups.hpp"
#include "app/analysis/collectives/recorded_problem.hpp"
#include "app/analysis/containers/mostly_sorted.hpp"
#include "app/analysis/containers/sorted_runs.hpp"
#include "app/analysis/schedule/logical_rounds.hpp"
#include "app/analysis/schedule/message_signature.hpp"
#include "engine/base/error.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/training.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace app::analysis {

using engine::Bytes;
using engine::Picoseconds;
using engine::Rank;
using engine::Run;
using engine::text;
using traces::BusyEnds;
using traces::Collective;
using traces::Communicator;
using traces::CommunicatorKind;
using traces::Counting;
using traces::Messages;
using traces::noIndex;
using traces::noRank;
using traces::Participant;
using traces::Recording;
using traces::TimeSpan;

std::string communicatorName(const Recording& recording, std::int32_t communicator) {
    const std::string& given = recording.communicators[static_cast<std::size_t>(communicator)].name;
    return given.empty() ? "communicator " + std::to_string(communicator) : given;
}

namespace {

/// An instance of `communicator` with its ranks and groups.
Instance among(const Recording& recording, std::int32_t communicator) {
    const Communicator& entry = recording.communicators[static_cast<std::size_t>(communicator)];
    Instance instance;
    instance.communicator = communicatorName(recording, communicator);
    instance.communicatorNumber = communicator;
    instance.ranks = entry.members;
    if (entry.kind == CommunicatorKind::inter && !entry.remote.empty()) {
        instance.groupA = static_cast<std::int32_t>(entry.members.size());
        instance.groupB = static_cast<std::int32_t>(entry.remote.size());
        instance.ranks.insert(instance.ranks.end(), entry.remote.begin(), entry.remote.end());
    }
    instance.stays.resize(instance.ranks.size());
    return instance;
}

/// What all instances take for the ranks of their communicators.
class InstanceRoom {
public:
    /// Throws Error once it is too much.
    void take(const Instance& instance) {
        most_ = std::max(most_, instance.ranks.size());
        taken_ += instance.ranks.size() * sizeof(Rank) + instance.stays.size() * sizeof(instance.stays.front()) +
                  instance.completing.size() * sizeof(instance.completing.front()) +
                  (instance.run ? instance.run->perRank.size() * sizeof(instance.run->perRank.front()) : 0);
        if (taken_ > room_)
            throw engine::Error{text("collectives and messages of communicators with up to ", most_,
                                     " ranks are too many for the memory of this machine; choose some with ",
                                     engine::field::from, " and ", engine::field::to)};
    }

private:
    std::uint64_t room_ = traces::sensibleMemory();
    std::size_t most_ = 0;
    std::uint64_t taken_ = 0;
};

/// Places of world ranks in one instance after the other.
class Places {
public:
    explicit Places(std::int32_t worldRanks) : place_(static_cast<std::size_t>(worldRanks) + 1, noIndex) {}

    void turnTo(Instance& instance) {
        turnTo(std::as_const(instance));
        instance_ = &instance;
    }
    /// Likewise, while no rank becomes one of it.
    void turnTo(const Instance& instance) {
        for (const Rank rank : known_) at(rank) = noIndex;
        known_.clear();
        instance_ = nullptr;
        for (std::size_t i = 0; i < instance.ranks.size(); ++i) set(instance.ranks[i], i);
    }

    /// noIndex for a rank that is not among those of the instance.
    [[nodiscard]] std::int32_t find(Rank rank) { return at(rank); }

    /// Makes a rank one of the instance's that was none: MPI_COMM_SELF has no members.
    Rank of(Rank rank) {
        if (at(rank) == noIndex) {
            set(rank, instance_->ranks.size());
            instance_->ranks.push_back(rank);
            instance_->stays.emplace_back();
        }
        return Rank{at(rank)};
    }

private:
    std::int32_t& at(Rank rank) { return place_[static_cast<std::size_t>(rank.value + 1)]; }
    void set(Rank rank, std::size_t place) {
        if (at(rank) != noIndex) return;
        at(rank) = static_cast<std::int32_t>(place);
        known_.push_back(rank);
    }

    std::vector<std::int32_t> place_;  ///< by world rank, and before them for noRank
    std::vector<Rank> known_;
    Instance* instance_ = nullptr;
};

constexpr std::size_t stretchesPerCore = 64;
constexpr std::size_t stretchesAtOnce = 16 * stretchesPerCore;

/// The calls of ranks, worked out when first asked for.
class CallsOfRanks {
public:
    explicit CallsOfRanks(const Recording& recording) : recording_{recording}, regions_{recording} {
        if (!recording.fittedClocks.empty()) clocks_ = std::make_shared<const traces::ClockUncertainty>(recording);
    }

    /// Null where nothing was fitted.
    [[nodiscard]] std::shared_ptr<const traces::ClockUncertainty> clocks() const { return clocks_; }

    [[nodiscard]] std::optional<MpiCall> at(Rank rank, Picoseconds time) {
        look();
        return known_.try_emplace(rank, recording_, regions_, locations_[rank.index()]).first->second.at(time);
    }

    /// The thread of the rank that called it.
    [[nodiscard]] ThreadNumber threadIn(const Participant& part) {
        look();
        const std::vector<std::size_t>& locations = locations_[part.rank.index()];
        if (locations.size() < 2 || isTraining(recording_)) return 0;
        const MpiCalls& its = known_.try_emplace(part.rank, recording_, regions_, locations).first->second;
        if (its.locations() < 2) return 0;
        const auto call = part.nonBlocking ? its.at(part.end) : its.beginning(part.begin, part.end);
        if (!call) return 0;
        if (!threads_) threads_.emplace(recording_);
        auto thread = static_cast<ThreadNumber>(threads_->countOf(part.rank) - 1);
        while (thread > 0 && threads_->locationOf(part.rank, thread) != static_cast<std::int32_t>(call->location))
            --thread;
        return thread;
    }

    /// Of a training job: from when on the rank waits for a collective on one of its streams.
    [[nodiscard]] std::optional<Picoseconds> waitsFrom(Rank rank, TimeSpan span) {
        look();
        const auto [entry, isNew] = streams_.try_emplace(rank);
        if (isNew) entry->second = streamActivityOf(recording_, locations_[rank.index()]);
        return entry->second.waitsFrom(span);
    }

private:
    void look() {
        if (locations_.empty()) locations_ = locationsOfRanks(recording_);
    }

    const Recording& recording_;
    std::shared_ptr<const traces::ClockUncertainty> clocks_;
    MpiRegions regions_;
    LocationsOfRanks locations_;
    std::map<Rank, MpiCalls> known_;
    std::optional<Threads> threads_;
    std::map<Rank, StreamActivity> streams_;
};

/// What collectives of a communicator solved: mostly what one of the last did.
class Solved {
public:
    std::shared_ptr<const engine::Problem> shared(std::int32_t communicator, engine::Problem problem) {
        auto& last = last_[communicator];
        auto same = std::ranges::find_if(last, [&](const auto& one) { return *one == problem; });
        if (same == last.end()) {
            if (last.size() == mostKept) last.pop_back();
            last.push_back(std::make_shared<const engine::Problem>(std::move(problem)));
            same = last.end() - 1;
        }
        std::rotate(last.begin(), same, same + 1);
        return last.front();
    }

private:
    static constexpr std::size_t mostKept = 16;

    std::map<std::int32_t, std::vector<std::shared_ptr<const engine::Problem>>> last_;  ///< the last one first
};

Instance collectiveOf(const Recording& recording, const Collective& collective, Counting counting, Places& places,
                      CallsOfRanks& calls, Solved& solved) {
    Instance instance = among(recording, collective.communicator);
    instance.operation = nameOf(collective.operation);
    instance.complete = collective.complete && collective.ordered;
    places.turnTo(instance);
    if (collective.root != noRank && places.find(collective.root) != noIndex)
        instance.root = Rank{places.find(collective.root)};
    const std::span<const Participant> parts = recording.collectives.of(collective);
    const TimeSpan span = spanOf(parts);
    instance.begin = span.begin;
    instance.end = span.end;
    instance.clocks = calls.clocks();
    for (const Participant& part : parts) {
        instance.stays[static_cast<std::size_t>(places.of(part.rank).value)] = TimeSpan{part.begin, part.end};
        instance.bytes += movedBy(part, collective, recording, counting).received;
        if (const ThreadNumber thread = calls.threadIn(part); thread != 0) {
            instance.threads.resize(instance.stays.size());
            instance.threads[places.of(part.rank).index()] = thread;
        }
    }
    if (std::any_of(parts.begin(), parts.end(), [](const Participant& part) { return part.nonBlocking; })) {
        instance.completing.resize(instance.stays.size());
        for (const Participant& part : parts) {
            const auto call = calls.at(part.rank, part.end);
            if (!part.nonBlocking) instance.completing[places.of(part.rank).index()] = part.begin;
            else if (call) instance.completing[places.of(part.rank).index()] = call->begin;
        }
    }
    if (isTraining(recording)) {
        instance.completing.resize(instance.stays.size());
        for (const Participant& part : parts)
            instance.completing[places.of(part.rank).index()] = calls.waitsFrom(part.rank, {part.begin, part.end});
    }
    RecordedProblem problem = recordedProblem(recording, collective, instance, counting);
    if (problem.problem) instance.problem = solved.shared(collective.communicator, std::move(*problem.problem));
    instance.whyNoProblem = std::move(problem.why);
    const auto words = [](const std::vector<std::string>& all, std::int32_t index) {
        return index == noIndex ? std::string{} : all[engine::asSize(index)];
    };
    instance.ofLibrary = words(recording.library.algorithms, collective.ofLibrary);
    instance.component = words(recording.library.components, collective.component);
    return instance;
}

/// Messages of the library by the collective that they are of.
class OfCollectives {
public:
    explicit OfCollectives(const Recording& recording) {
        const traces::Column<std::int32_t>& of = recording.library.collective;
        if (of.empty()) return;
        first_.resize(recording.collectives.instances.size() + 1);
        for (const std::int32_t instance : of)
            if (instance != noIndex) ++first_[engine::asSize(instance) + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        indices_.resize(first_.back());
        std::vector<std::uint32_t> next = first_;
        for (std::uint32_t i = 0; i < of.size(); ++i)
            if (of[i] != noIndex) indices_[next[engine::asSize(of[i])]++] = i;
    }

    /// By their senders, in the order of posting.
    [[nodiscard]] std::span<const std::uint32_t> at(std::uint32_t instance) const {
        if (first_.empty()) return {};
        return std::span{indices_}.subspan(first_[instance], first_[instance + 1] - first_[instance]);
    }

private:
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> indices_;
};

/// Messages of the recording that belong to collectives among neighbours.
class OfNeighbours {
public:
    explicit OfNeighbours(const Recording& recording) : recording_{recording} {
        const auto& instances = recording.collectives.instances;
        for (std::uint32_t i = 0; i < instances.size(); ++i) {
            if (!isAmongNeighbours(instances[i].operation)) continue;
            for (const Participant& part : recording.collectives.of(instances[i]))
                calls_[{instances[i].communicator, part.rank}].emplace_back(part.begin, i);
        }
        for (auto& [who, calls] : calls_) std::ranges::stable_sort(calls);
    }

    /// Takes these messages out of those that were chosen.
    [[nodiscard]] ChosenMessages takenFrom(ChosenMessages&& chosen) {
        if (calls_.empty()) return std::move(chosen);
        const Messages& m = recording_.messages;
        std::vector<std::uint32_t> others;
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            const std::uint32_t i = chosen[k];
            const auto calls = (m.tag[i] & traces::own::tagOfNeighbours) != 0
                                   ? calls_.find({m.communicator[i], m.from[i]})
                                   : calls_.end();
            // In the call that was entered last when it was posted.
            const auto next = calls == calls_.end()
                                  ? std::vector<std::pair<Picoseconds, std::uint32_t>>::const_iterator{}
                                  : std::ranges::upper_bound(std::as_const(calls->second), m.sendBegin[i], {},
                                                             &std::pair<Picoseconds, std::uint32_t>::first);
            if (calls == calls_.end() || next == calls->second.begin()) others.push_back(i);
            else messages_[std::prev(next)->second].push_back(i);
        }
        return ChosenMessages::some(std::move(others));
    }
    [[nodiscard]] std::vector<std::uint32_t> of(std::uint32_t instance) {
        const auto found = messages_.extract(instance);
        return found.empty() ? std::vector<std::uint32_t>{} : std::move(found.mapped());
    }

private:
    const Recording& recording_;
    std::map<std::pair<std::int32_t, Rank>, std::vector<std::pair<Picoseconds, std::uint32_t>>> calls_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> messages_;
};

/// Ends of messages side by side, with ranks and times as an instance counts them.
class EndColumns {
public:
    void clear() {
        from_.clear(), to_.clear(), sendBegin_.clear(), sendEnd_.clear(), receiveBegin_.clear(), receiveEnd_.clear();
        bytes_.clear();
    }
    void reserve(std::size_t count) {
        from_.reserve(count), to_.reserve(count), sendBegin_.reserve(count), sendEnd_.reserve(count);
        receiveBegin_.reserve(count), receiveEnd_.reserve(count), bytes_.reserve(count);
    }
    void push(const Messages& m, std::uint32_t i, Rank from, Rank to, Picoseconds zero) {
        from_.push_back(from), to_.push_back(to);
        sendBegin_.push_back(m.sendBegin[i] - zero), sendEnd_.push_back(m.sendEnd[i] - zero);
        receiveBegin_.push_back(m.receiveBegin[i] - zero);
        receiveEnd_.push_back(std::max(m.receiveEnd[i], m.receiveBegin[i]) - zero);
        bytes_.push_back(m.bytes[i]);
    }
    [[nodiscard]] BusyEnds ends() const { return {from_, to_, sendBegin_, sendEnd_, receiveBegin_, receiveEnd_}; }
    [[nodiscard]] std::span<const Bytes> bytes() const { return bytes_; }

private:
    std::vector<Rank> from_, to_;
    std::vector<Picoseconds> sendBegin_, sendEnd_, receiveBegin_, receiveEnd_;
    std::vector<Bytes> bytes_;
};

/// Adds the messages with these ends to `run`.
void addMessages(Run& run, const BusyEnds& ends, std::span<const Bytes> bytes, const InRounds& placed) {
    addInRounds(run, placed, [&](std::uint32_t i, engine::Round round) {
        run.messages.push({ends.from[i], ends.to[i], round, bytes[i], ends.sendBegin[i], ends.sendEnd[i],
                           ends.receiveBegin[i], ends.receiveEnd[i]},
                          {});
    });
}

/// Gives `instance` the messages of `columns` as its run.
void makeRun(Instance& instance, const EndColumns& columns, const InRounds& placed) {
    Run run;
    run.setting.on = "trace";
    run.ranks = instance.rankCount();
    run.groupA = instance.groupA;
    run.groupB = instance.groupB;
    run.duration = instance.duration();
    addMessages(run, columns.ends(), columns.bytes(), placed);
    instance.run = std::make_shared<const Run>(std::move(run));
}

/// The recording's own columns, where they are the ends of all messages as they stand.
std::optional<BusyEnds> endsAsTheyLie(const Messages& m, std::size_t chosen) {
    if (chosen != m.size()) return std::nullopt;
    for (std::size_t i = 0; i < m.size(); ++i)
        if (m.receiveEnd[i] < m.receiveBegin[i]) return std::nullopt;
    return BusyEnds{m.from.span(),    m.to.span(),           m.sendBegin.span(),
                    m.sendEnd.span(), m.receiveBegin.span(), m.receiveEnd.span()};
}

/// Messages by which of their sender's they are, so that how they look does not depend on times.
InRounds inOrderOfPosting(std::span<const Rank> from, std::int32_t ranks) {
    InRounds posted;
    std::vector<std::int64_t> next(engine::asSize(ranks));
    for (const Rank rank : from) posted.rounds.push_back(engine::Round{next[rank.index()]++});
    posted.order.resize(from.size());
    std::iota(posted.order.begin(), posted.order.end(), 0U);
    sortMostlySorted(std::span{posted.order},
                     [&](std::uint32_t a, std::uint32_t b) { return posted.rounds[a] < posted.rounds[b]; });
    return posted;
}

/// The messages `indices` of the library as an instance that is this collective counts them.
void collect(const Recording& recording, std::span<const std::uint32_t> indices, const Instance& instance,
             Places& places, EndColumns& columns) {
    const Messages& messages = recording.library.messages;
    places.turnTo(instance);
    std::vector<std::uint32_t> inOrder;
    // A block that a rank sends to itself is no message of any algorithm.
    for (const std::uint32_t i : indices)
        if (places.find(messages.from[i]) != noIndex && places.find(messages.to[i]) != noIndex &&
            messages.from[i] != messages.to[i])
            inOrder.push_back(i);
    std::ranges::stable_sort(inOrder, {}, [&](std::uint32_t i) { return places.find(messages.from[i]); });
    columns.clear();
    for (const std::uint32_t i : inOrder)
        columns.push(messages, i, Rank{places.find(messages.from[i])}, Rank{places.find(messages.to[i])},
                     instance.begin);
}

/// What the messages of the library prove about a collective.
void addWaits(Instance& instance, const BusyEnds& ends) {
    std::vector<std::optional<Picoseconds>> entries;
    for (const std::optional<TimeSpan>& stay : instance.stays)
        entries.push_back(stay ? std::optional{stay->begin - instance.begin} : std::nullopt);
    instance.waits = provenWaits(ends, entries);
    for (ProvenWait& wait : *instance.waits) wait.begin += instance.begin, wait.end += instance.begin;
}

/// Gives a collective the messages that the library sent within it.
void addNative(const Recording& recording, Instance& instance, InstanceMessages kept, Places& places,
               EndColumns& columns) {
    collect(recording, instance.leftOut, instance, places, columns);
    const InRounds placed = inRoundsOfOneAlgorithm(columns.ends(), instance.rankCount());
    instance.hasMessages = true;
    instance.rounds = placed.count();
    instance.messageCount = static_cast<std::int64_t>(columns.bytes().size());
    instance.look = lookOf(columns.ends(), columns.bytes(), inOrderOfPosting(columns.ends().from, instance.rankCount()),
                           instance.rankCount());
    if (kept == InstanceMessages::leftOut) return;
    makeRun(instance, columns, placed);
    instance.leftOut = {};
}

/// Gives a collective among neighbours its messages.
void addOfNeighbours(const Recording& recording, Instance& instance, std::vector<std::uint32_t>&& indices,
                     InstanceMessages kept, Places& places, EndColumns& columns) {
    if (indices.empty()) return;
    places.turnTo(instance);
    columns.clear();
    std::ranges::stable_sort(indices, {}, [&](std::uint32_t i) { return places.find(recording.messages.from[i]); });
    for (const std::uint32_t i : indices)
        columns.push(recording.messages, i, places.of(recording.messages.from[i]), places.of(recording.messages.to[i]),
                     instance.begin);
    const InRounds placed = inLogicalRounds(columns.ends(), instance.rankCount());
    instance.hasMessages = true;
    instance.rounds = placed.count();
    instance.messageCount = static_cast<std::int64_t>(indices.size());
    instance.look = lookOf(columns.ends(), columns.bytes(), placed, instance.rankCount());
    if (kept == InstanceMessages::kept) makeRun(instance, columns, placed);
    else instance.leftOut = std::move(indices);
}

/// Gives collectives among neighbours their messages. Returns the other ones that were chosen. `instances`: all
/// collectives that were.
ChosenMessages giveToNeighbours(const Recording& recording, const Selection& selection,
                                std::vector<Instance>& instances, InstanceMessages kept) {
    OfNeighbours neighbours{recording};
    ChosenMessages others = neighbours.takenFrom(selectedMessages(recording, selection));
    const std::vector<std::uint32_t> numbers = selectedCollectives(recording, selection);
    Places places{recording.ranks};
    EndColumns columns;
    for (std::size_t k = 0; k < instances.size(); ++k)
        if (instances[k].isAmongNeighbours())
            addOfNeighbours(recording, instances[k], neighbours.of(numbers[k]), kept, places, columns);
    return others;
}

/// An instance of the messages `indices`, which are kept or left out.
Instance messagesOf(const Recording& recording, std::int32_t communicator, std::span<std::uint32_t> indices,
                    InstanceMessages kept, Places& places, EndColumns& columns) {
    Instance instance = among(recording, communicator);
    instance.operation = "messages";
    instance.hasMessages = true;
    places.turnTo(instance);
    const Messages& messages = recording.messages;
    bool first = true;
    for (const std::uint32_t i : indices) {
        const Picoseconds begin = std::min(messages.sendBegin[i], messages.receiveBegin[i]);
        const Picoseconds end = std::max(messages.sendEnd[i], messages.receiveEnd[i]);
        instance.begin = first ? begin : std::min(instance.begin, begin);
        instance.end = first ? end : std::max(instance.end, end);
        first = false;
        places.of(messages.from[i]);
        places.of(messages.to[i]);
    }
    sortMostlySorted(indices, [&](std::uint32_t a, std::uint32_t b) {
        return places.find(messages.from[a]) < places.find(messages.from[b]);
    });
    columns.clear();
    for (const std::uint32_t i : indices) {
        const Rank from = places.of(messages.from[i]);
        const Rank to = places.of(messages.to[i]);
        columns.push(messages, i, from, to, instance.begin);
        const auto stay = [&](Rank rank, Picoseconds begin, Picoseconds end) {
            auto& span = instance.stays[rank.index()];
            span = span ? TimeSpan{std::min(span->begin, begin), std::max(span->end, end)} : TimeSpan{begin, end};
        };
        stay(from, messages.sendBegin[i], messages.sendEnd[i]);
        stay(to, messages.receiveBegin[i], messages.receiveEnd[i]);
        instance.bytes += messages.bytes[i];
    }
    const InRounds placed = inLogicalRounds(columns.ends(), instance.rankCount());
    instance.rounds = placed.count();
    instance.messageCount = static_cast<std::int64_t>(indices.size());
    instance.look = lookOf(columns.ends(), columns.bytes(), placed, instance.rankCount());
    if (kept == InstanceMessages::kept) makeRun(instance, columns, placed);
    else instance.leftOut.assign(indices.begin(), indices.end());
    return instance;
}

}  // namespace

void eachCollective(const Recording& recording, const Selection& selection,
                    const std::function<void(Instance&& instance)>& take) {
    Places places{recording.ranks};
    const Counting counting = countingOf(recording);
    CallsOfRanks calls{recording};
    Solved solved;
    const OfCollectives inside{recording};
    EndColumns columns;
    for (const std::uint32_t i : selectedCollectives(recording, selection)) {
        Instance instance =
            collectiveOf(recording, recording.collectives.instances[i], counting, places, calls, solved);
        instance.collective = i;
        if (const auto messages = inside.at(i); !messages.empty()) {
            collect(recording, messages, instance, places, columns);
            addWaits(instance, columns.ends());
            instance.isNative = true;
            instance.leftOut.assign(messages.begin(), messages.end());
        }
        take(std::move(instance));
    }
}

std::vector<Instance> instancesOf(const Recording& recording, const Selection& selection, InstanceMessages messages,
                                  const std::function<void(const std::vector<Instance>&)>& collectivesFound) {
    std::vector<Instance> instances;
    // Room that nobody writes to takes none.
    instances.reserve(2 * recording.collectives.instances.size());
    InstanceRoom room;
    const auto keep = [&](Instance&& instance) {
        room.take(instance);
        instances.push_back(std::move(instance));
    };
    eachCollective(recording, selection, keep);
    if (collectivesFound) collectivesFound(instances);
    if (!recording.library.messages.empty())
        engine::parallelFor((instances.size() + stretchesPerCore - 1) / stretchesPerCore, [&](std::size_t piece) {
            Places places{recording.ranks};
            EndColumns columns;
            for (std::size_t k = piece * stretchesPerCore;
                 k < std::min(instances.size(), (piece + 1) * stretchesPerCore); ++k)
                if (instances[k].isNative) addNative(recording, instances[k], messages, places, columns);
        });
    const ChosenMessages others = giveToNeighbours(recording, selection, instances, messages);
    // Piece by piece, so that too many are refused before they are there.
    const Stretches found = stretchesOf(recording, others);
    const std::span<const Stretch> stretches{found.all};
    std::vector<Instance> made(stretchesAtOnce);
    for (std::size_t first = 0; first < stretches.size(); first += stretchesAtOnce) {
        const std::size_t count = std::min(stretchesAtOnce, stretches.size() - first);
        engine::parallelFor((count + stretchesPerCore - 1) / stretchesPerCore, [&](std::size_t piece) {
            Places places{recording.ranks};
            EndColumns columns;
            for (std::size_t k = piece * stretchesPerCore; k < std::min(count, (piece + 1) * stretchesPerCore); ++k) {
                const auto& [communicator, indices] = stretches[first + k];
                made[k] = messagesOf(recording, communicator, indices, messages, places, columns);
            }
        });
        for (std::size_t k = 0; k < count; ++k) keep(std::move(made[k]));
    }
    sortRuns(instances, [](const Instance& a, const Instance& b) { return a.begin < b.begin; });
    std::map<std::string, std::int64_t> turns;
    for (Instance& instance : instances) instance.turn = turns[instance.communicator]++;
    return instances;
}

void addMessages(const Recording& recording, Instance& instance) {
    Places places{recording.ranks};
    EndColumns columns;
    if (instance.isNative) return addNative(recording, instance, InstanceMessages::kept, places, columns);
    places.turnTo(instance);
    const Messages& messages = recording.messages;
    for (const std::uint32_t i : instance.leftOut)
        columns.push(messages, i, places.of(messages.from[i]), places.of(messages.to[i]), instance.begin);
    makeRun(instance, columns, inLogicalRounds(columns.ends(), instance.rankCount()));
    instance.leftOut = {};
}

Run selectedRun(const Recording& recording, const Selection& selection) {
    const Messages& m = recording.messages;
    const ChosenMessages chosen = selectedMessages(recording, selection);
    Run run;
    run.setting.on = "trace";
    run.ranks = recording.ranks;
    if (selection.part.whole()) run.duration = recording.duration;
    EndColumns columns;
    std::optional<BusyEnds> ends = endsAsTheyLie(m, chosen.size());
    const bool asTheyLie = ends.has_value();
    if (!asTheyLie) {
        columns.reserve(chosen.size());
        for (std::size_t k = 0; k < chosen.size(); ++k)
            columns.push(m, chosen[k], m.from[chosen[k]], m.to[chosen[k]], {});
        ends = columns.ends();
    }
    addMessages(run, *ends, asTheyLie ? m.bytes.span() : columns.bytes(), inLogicalRounds(*ends, run.ranks));
    return run;
}

Instance instanceOf(const engine::RunPtr& shared, const std::optional<engine::Problem>& problem) {
    const Run& run = *shared;
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
            auto& span = instance.stays[rank.index()];
            span = span ? TimeSpan{std::min(span->begin, begin), std::max(span->end, end)} : TimeSpan{begin, end};
        };
        stay(m.from, m.sendBegin, m.sendEnd);
        stay(m.to, m.receiveBegin, m.receiveEnd);
    }
    for (const engine::LocalWork& its : run.combining)
        if (auto& stay = instance.stays[its.rank.index()]) stay->end = std::max(stay->end, its.end);
    for (const engine::StageSpan& span : run.spans) {
        auto& stay = instance.stays[span.rank.index()];
        stay = stay ? TimeSpan{std::min(stay->begin, span.begin), std::max(stay->end, span.end)}
                    : TimeSpan{span.begin, span.end};
    }
    if (problem && problem->collective == engine::Collective::bcast) instance.root = problem->root;
    instance.end = run.duration;
    instance.bytes = run.byteCount;
    instance.complete = run.droppedMessages == 0;
    instance.rounds = run.rounds;
    instance.messageCount = run.messageCount;
    instance.run = shared;
    instance.hasMessages = true;
    instance.hasRounds = true;
    if (problem) instance.problem = std::make_shared<const engine::Problem>(*problem);
    return instance;
}

}  // namespace app::analysis
