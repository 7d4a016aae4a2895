// SPDX-License-Identifier: BSD-3-Clause
// From the one text an author writes to both views of a Schedule.
//
// A kernel is a callable `kernel(Rank, Round, auto& out)` that calls, for that rank and round only,
//     out.send(to, ranges)            out.receive(from, ranges)              gather-like
//     out.sendPartial(to, slot, m)    out.receivePartial(from, slots, a, m)  reductions
// It is inlined twice: into turn() with a Turn as `out`, and into the loop of batch() with a sink that only writes
// down (from, to, bytes), so that the compiler drops everything else.
#pragma once

#include "engine/schedule.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

namespace engine {

/// The `out` of the batch view: keeps peers and bytes of sends, and how much receives combine.
class BatchSink {
public:
    BatchSink(Batch& batch, Rank rank) : batch_{&batch}, rank_{rank} {}

    void send(Rank to, Range what) { batch_->push(rank_.value, to.value, length(what)); }
    void send(Rank to, const RangePair& what) {
        batch_->push(rank_.value, to.value, length(what[0]) + length(what[1]));
    }
    void send(Rank to, std::span<const Range> what) {
        Bytes bytes = 0;
        for (const Range range : what) bytes += length(range);
        batch_->push(rank_.value, to.value, bytes);
    }
    void sendPartial(Rank to, int, Bytes bytes) { batch_->push(rank_.value, to.value, bytes); }
    template <class What>
    void receive(Rank, const What&) {}
    void receivePartial(Rank, Slots slots, Action action, Bytes bytes) {
        if (const Bytes combined = combinedBytes(slots, action, bytes); combined > 0) batch_->combine(rank_, combined);
    }

private:
    static Bytes length(Range range) { return range.empty() ? 0 : range.size(); }

    Batch* batch_;
    Rank rank_;
};

template <class Kernel>
class KernelSchedule final : public Schedule {
public:
    KernelSchedule(Facts facts, Kernel kernel) : Schedule{std::move(facts)}, kernel_{std::move(kernel)} {}

    void batch(Round round, Rank first, Rank last, Batch& out) const override {
        for (Rank rank = first; rank < last; ++rank) {
            BatchSink sink{out, rank};
            kernel_(rank, round, sink);
        }
    }

private:
    void fill(Rank rank, Round round, Turn& out) const override { kernel_(rank, round, out); }

    Kernel kernel_;
};

/// Makes a Schedule of facts and a kernel.
template <class Kernel>
SchedulePtr schedule(Facts facts, Kernel kernel) {
    return std::make_shared<const KernelSchedule<Kernel>>(std::move(facts), std::move(kernel));
}

/// A kernel with its name and its number of rounds: the building block of `then` and `alongside`.
template <class Kernel>
struct Part {
    std::string name;
    std::int64_t rounds = 0;
    Kernel kernel;
};

template <class Kernel>
Part(std::string, std::int64_t, Kernel) -> Part<Kernel>;

/// One part after the other; every part counts its rounds from 0 and becomes a stage. Parts without rounds are dropped.
template <class... Kernels>
SchedulePtr then(Facts facts, Part<Kernels>... parts) {
    facts.rounds = 0;
    facts.stages.clear();
    const auto enter = [&](const auto& part) {
        if (part.rounds > 0) facts.stages.push_back({part.name, Round{facts.rounds}, part.rounds});
        facts.rounds += part.rounds;
    };
    (enter(parts), ...);
    return schedule(std::move(facts),
                    [all = std::make_tuple(std::move(parts)...)](Rank rank, Round round, auto& out) {
                        const auto tryPart = [&](const auto& part) {
                            if (round.value < part.rounds) {
                                part.kernel(rank, round, out);
                                return true;
                            }
                            round = round - part.rounds;
                            return false;
                        };
                        std::apply([&](const auto&... part) { (void)(tryPart(part) || ...); }, all);
                    });
}

/// Several parts in the same rounds, each on ranks of its own or on different ports; as long as the longest.
template <class... Kernels>
auto alongside(std::string name, Part<Kernels>... parts) {
    const std::int64_t rounds = std::max({parts.rounds...});
    return Part{std::move(name), rounds,
                [all = std::make_tuple(std::move(parts)...)](Rank rank, Round round, auto& out) {
                    const auto run = [&](const auto& part) {
                        if (round.value < part.rounds) part.kernel(rank, round, out);
                    };
                    std::apply([&](const auto&... part) { (run(part), ...); }, all);
                }};
}

/// An `out` that translates peers from the numbering within a group to that of the whole.
template <class Out, class ToGlobal>
class PeersMapped {
public:
    PeersMapped(Out& out, const ToGlobal& toGlobal) : out_{&out}, toGlobal_{&toGlobal} {}

    template <class What>
    void send(Rank to, const What& what) {
        out_->send((*toGlobal_)(to), what);
    }
    template <class What>
    void receive(Rank from, const What& what) {
        out_->receive((*toGlobal_)(from), what);
    }
    void sendPartial(Rank to, int slot, Bytes bytes) { out_->sendPartial((*toGlobal_)(to), slot, bytes); }
    void receivePartial(Rank from, Slots slots, Action action, Bytes bytes) {
        out_->receivePartial((*toGlobal_)(from), slots, action, bytes);
    }

private:
    Out* out_;
    const ToGlobal* toGlobal_;
};

/// Consecutive ranks first, first+step, ... (size of them) as a group: the usual argument of `onGroup`.
struct Group {
    std::int32_t first = 0;
    std::int32_t size = 0;
    std::int32_t step = 1;

    [[nodiscard]] bool contains(Rank rank) const {
        const std::int32_t apart = rank.value - first;
        return apart >= 0 && apart % step == 0 && apart / step < size;
    }
    [[nodiscard]] Rank local(Rank rank) const { return Rank{(rank.value - first) / step}; }
    [[nodiscard]] Rank global(Rank local) const { return Rank{first + local.value * step}; }
};

/// A kernel written for ranks 0..size-1, run on the members of a group; nothing happens on other ranks.
template <class Kernel>
auto onGroup(Group group, Kernel kernel) {
    return [group, kernel = std::move(kernel)](Rank rank, Round round, auto& out) {
        if (!group.contains(rank)) return;
        const auto toGlobal = [&](Rank local) { return group.global(local); };
        PeersMapped<std::remove_reference_t<decltype(out)>, decltype(toGlobal)> mapped{out, toGlobal};
        kernel(group.local(rank), round, mapped);
    };
}

/// A finished schedule as a kernel, for algorithms that are chosen while the program runs.
class Borrowed {
public:
    explicit Borrowed(SchedulePtr schedule) : schedule_{std::move(schedule)} {}

    template <class Out>
    void operator()(Rank rank, Round round, Out& out) const {
        thread_local std::vector<Turn> spare;  // one per depth of nesting
        Turn turn = spare.empty() ? Turn{} : std::move(spare.back());
        if (!spare.empty()) spare.pop_back();
        schedule_->turn(rank, round, turn);
        for (const Message& message : turn.sends()) {
            if (message.slots == 0) out.send(message.peer, turn.ranges(message));
            else out.sendPartial(message.peer, slotOf(message.slots), message.bytes);
        }
        for (const Message& message : turn.receives()) {
            if (message.slots == 0) out.receive(message.peer, turn.ranges(message));
            else out.receivePartial(message.peer, message.slots, message.action, message.bytes);
        }
        spare.push_back(std::move(turn));
    }

private:
    static int slotOf(Slots slots) { return __builtin_ctz(slots); }

    SchedulePtr schedule_;
};

}  // namespace engine
