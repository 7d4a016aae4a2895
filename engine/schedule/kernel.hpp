// SPDX-License-Identifier: BSD-3-Clause
// From the one text an author writes to both views of a Schedule.
//
// A kernel is a callable `kernel(Rank, Round, auto& out)` that calls, for that rank and round only,
//     out.send(to, ranges)            out.receive(from, ranges)              gather-like
//     out.sendPartial(to, slot, m)    out.receivePartial(from, slots, a, m)  reductions: m bytes, the whole vector, or
//                                                                            ranges of it, as std::span<const Range>
// It is inlined twice: into turn() with a Turn as `out`, and into the loop of batch() with a sink that only writes
// down (from, to, bytes), so that the compiler drops everything else. rounds.hpp: kernels that prepare a round.
#pragma once

#include "engine/schedule/rounds.hpp"
#include "engine/schedule/schedule.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace engine {

/// The `out` of the batch view: keeps peers and bytes of sends, and how much receives combine. One for many ranks, so
/// that the place to write to stays in registers.
class BatchSink {
public:
    explicit BatchSink(Batch& batch) : batch_{&batch}, room_{batch.room()} {}

    /// What follows is done by `rank`.
    void turnTo(Rank rank) { rank_ = rank; }
    /// Hands over what was written.
    void close() { batch_->written(room_.size); }

    void send(Rank to, Range what) { write(to, length(what)); }
    void send(Rank to, const RangePair& what) { write(to, length(what[0]) + length(what[1])); }
    void send(Rank to, std::span<const Range> what) {
        Bytes bytes = 0;
        for (const Range range : what) bytes += length(range);
        write(to, bytes);
    }
    void sendPartial(Rank to, int, Bytes bytes) { write(to, bytes); }
    void sendPartial(Rank to, int, std::span<const Range> what) { send(to, what); }
    void sendBytes(Rank to, Bytes bytes) { write(to, bytes); }
    void combineBytes(Bytes bytes) { batch_->combine(rank_, bytes); }
    template <class What>
    void receive(Rank, const What&) {}
    void receivePartial(Rank, Slots slots, Action action, Bytes bytes) {
        if (const Bytes combined = combinedBytes(slots, action, bytes); combined > 0) batch_->combine(rank_, combined);
    }
    void receivePartial(Rank from, Slots slots, Action action, std::span<const Range> what) {
        if (action == Action::keep) return;
        Bytes bytes = 0;
        for (const Range range : what) bytes += length(range);
        receivePartial(from, slots, action, bytes);
    }

private:
    static Bytes length(Range range) { return range.empty() ? 0 : range.size(); }
    void write(Rank to, Bytes bytes) {
        if (room_.size == room_.capacity) room_ = batch_->moreRoom(room_.size);
        room_.from[room_.size] = rank_.value;
        room_.to[room_.size] = to.value;
        room_.bytes[room_.size] = bytes;
        ++room_.size;
    }

    Batch* batch_;
    Batch::Room room_;
    Rank rank_{};
};

template <class Kernel>
class KernelSchedule final : public Schedule {
public:
    KernelSchedule(Facts facts, Kernel kernel) : Schedule{std::move(facts)}, kernel_{std::move(kernel)} {}

    void batch(Round round, Rank first, Rank last, Batch& out) const override {
        inRound(kernel_, round, [&](const auto& now) {
            if (first < last) write(now, first, last, out);
        });
    }

private:
    template <class Now>
    [[gnu::flatten]] static void write(const Now& given, Rank first, Rank last, Batch& out) {
        const Held<Now> now{given};
        if constexpr (Columnar<Now>) {
            const Batch::Room room = out.roomFor(asSize(last - first));
            const std::int32_t written =
                now.columns(first, last, {room.from + room.size, room.to + room.size, room.bytes + room.size});
            out.written(room.size + asSize(written));
        } else {
            BatchSink sink{out};
            eachActing(now, first, last, [&](Rank rank) {
                sink.turnTo(rank);
                now(rank, sink);
            });
            sink.close();
        }
    }
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

/// Parts one after the other, as one kernel.
template <class... Kernels>
class Sequence : public ByRound<Sequence<Kernels...>> {
public:
    explicit Sequence(Part<Kernels>... parts) : parts_{std::move(parts)...} {}

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const auto tryPart = [&](const auto& part) {
            if (round.value < part.rounds) {
                inRound(part.kernel, round, use);
                return true;
            }
            round = round - part.rounds;
            return false;
        };
        std::apply([&](const auto&... part) { (void)(tryPart(part) || ...); }, parts_);
    }

private:
    std::tuple<Part<Kernels>...> parts_;
};

/// Several parts in the same rounds, as one kernel.
template <class... Kernels>
class Abreast : public ByRound<Abreast<Kernels...>> {
public:
    explicit Abreast(Part<Kernels>... parts) : parts_{std::move(parts)...} {}

    template <class Use>
    void prepare(Round round, const Use& use) const {
        prepareFrom<0>(
            round, [](Rank, auto&) {}, use);
    }

private:
    /// Parts `Index` and on, behind what `before` does.
    template <std::size_t Index, class Before, class Use>
    void prepareFrom(Round round, const Before& before, const Use& use) const {
        if constexpr (Index == sizeof...(Kernels)) {
            use(before);
        } else {
            const auto& part = std::get<Index>(parts_);
            if (round.value >= part.rounds) return prepareFrom<Index + 1>(round, before, use);
            inRound(part.kernel, round, [&](const auto& now) {
                prepareFrom<Index + 1>(
                    round,
                    [&](Rank rank, auto& out) {
                        before(rank, out);
                        now(rank, out);
                    },
                    use);
            });
        }
    }

    std::tuple<Part<Kernels>...> parts_;
};

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
    return schedule(std::move(facts), Sequence<Kernels...>{std::move(parts)...});
}

/// Several parts in the same rounds, each on ranks of its own or on different ports; as long as the longest.
template <class... Kernels>
auto alongside(std::string name, Part<Kernels>... parts) {
    const std::int64_t rounds = std::max({parts.rounds...});
    return Part{std::move(name), rounds, Abreast<Kernels...>{std::move(parts)...}};
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
    template <class What>
    void sendPartial(Rank to, int slot, const What& what) {
        out_->sendPartial((*toGlobal_)(to), slot, what);
    }
    template <class What>
    void receivePartial(Rank from, Slots slots, Action action, const What& what) {
        out_->receivePartial((*toGlobal_)(from), slots, action, what);
    }
    void sendBytes(Rank to, Bytes bytes) requires requires(Out& out) { out.sendBytes(to, bytes); }
    { out_->sendBytes((*toGlobal_)(to), bytes); }
    void combineBytes(Bytes bytes) requires requires(Out& out) { out.combineBytes(bytes); }
    { out_->combineBytes(bytes); }

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
        if (step == 1) return apart >= 0 && apart < size;
        return apart >= 0 && apart % step == 0 && apart / step < size;
    }
    [[nodiscard]] Rank local(Rank rank) const {
        return Rank{step == 1 ? rank.value - first : (rank.value - first) / step};
    }
    [[nodiscard]] Rank global(Rank local) const { return Rank{first + local.value * step}; }
};

/// What a group does in one round.
template <class Now>
class NowInGroup {
public:
    NowInGroup(Group members, const Now& ofMembers) : group_{members}, now_{ofMembers} {}

    template <class Out>
    void operator()(Rank rank, Out& out) const {
        if (!group_.contains(rank)) return;
        const auto toGlobal = [this](Rank local) { return group_.global(local); };
        PeersMapped<Out, decltype(toGlobal)> mapped{out, toGlobal};
        now_(group_.local(rank), mapped);
    }
    template <class Call>
    void each(Rank first, Rank last, const Call& call) const {
        eachActing(now_, memberFrom(first), memberFrom(last), [&](Rank local) { call(group_.global(local)); });
    }
    std::int32_t columns(Rank first, Rank last, const Columns& out) const requires Columnar<Now> {
        const std::int32_t written = now_.columns(memberFrom(first), memberFrom(last), out);
        for (std::int32_t i = 0; i < written; ++i) out.from[i] = group_.first + out.from[i] * group_.step;
        for (std::int32_t i = 0; i < written; ++i) out.to[i] = group_.first + out.to[i] * group_.step;
        return written;
    }

private:
    /// The first member at or behind a rank.
    [[nodiscard]] Rank memberFrom(Rank rank) const {
        const std::int64_t apart = std::int64_t{rank.value} - group_.first;
        return Rank{static_cast<std::int32_t>(
            std::clamp<std::int64_t>(apart <= 0 ? 0 : (apart + group_.step - 1) / group_.step, 0, group_.size))};
    }

    Group group_;
    Held<Now> now_;
};

/// A kernel written for ranks 0..size-1, run on the members of a group; nothing happens on other ranks.
template <class Kernel>
class OnGroup : public ByRound<OnGroup<Kernel>> {
public:
    OnGroup(Group group, Kernel kernel) : group_{group}, kernel_{std::move(kernel)} {}

    template <class Use>
    void prepare(Round round, const Use& use) const {
        inRound(kernel_, round, [&](const auto& now) {
            use(NowInGroup<std::remove_cvref_t<decltype(now)>>{group_, now});
        });
    }

private:
    Group group_;
    Kernel kernel_;
};

template <class Kernel>
auto onGroup(Group group, Kernel kernel) {
    return OnGroup<Kernel>{group, std::move(kernel)};
}

/// An `out` that needs no more of a message than its bytes: that of the batch view, or what leads to it.
template <class Out>
concept BytesSuffice = requires(Out& out) {
    out.sendBytes(Rank{}, Bytes{});
    out.combineBytes(Bytes{});
};

/// A finished schedule as a kernel, for algorithms that are chosen while the program runs.
class Borrowed : public ByRound<Borrowed> {
public:
    /// What the schedule does in one round. In the batch view it asks the schedule once for many ranks.
    class Now {
    public:
        Now(const Schedule& schedule, Round round) : schedule_{&schedule}, round_{round} {}

        template <class Out>
        void operator()(Rank rank, Out& out) const {
            if constexpr (BytesSuffice<Out>) {
                open(rank, rank + 1);
                const std::size_t r = place(rank);
                for (std::size_t i = sends_[r]; i < sends_[r + 1]; ++i)
                    out.sendBytes(Rank{batch_.to()[i]}, batch_.bytes()[i]);
                for (std::size_t i = combines_[r]; i < combines_[r + 1]; ++i)
                    out.combineBytes(batch_.combining()[i].second);
            } else {
                repeat(rank, out);
            }
        }
        template <class Call>
        void each(Rank first, Rank last, const Call& call) const {
            if (!(first < last)) return;
            open(first, last);
            if (!batch_.combining().empty()) {
                for (Rank rank = first; rank < last; ++rank) call(rank);
                return;
            }
            const std::size_t end = sends_[place(last)];
            for (std::size_t i = sends_[place(first)]; i < end;) {
                const Rank rank{batch_.from()[i]};
                call(rank);
                i = sends_[place(rank) + 1];
            }
        }

    private:
        /// Has what ranks first..last-1 do at hand; all ranks, when it was asked for others before.
        void open(Rank first, Rank last) const;
        [[nodiscard]] std::size_t place(Rank rank) const { return asSize(rank - first_); }
        template <class Out>
        void repeat(Rank rank, Out& out) const {
            thread_local std::vector<Turn> spare;  // one per depth of nesting
            Turn turn = spare.empty() ? Turn{} : std::move(spare.back());
            if (!spare.empty()) spare.pop_back();
            schedule_->turn(rank, round_, turn);
            for (const Message& message : turn.sends()) {
                if (message.slots == 0) out.send(message.peer, turn.ranges(message));
                else if (message.whole) out.sendPartial(message.peer, __builtin_ctz(message.slots), message.bytes);
                else out.sendPartial(message.peer, __builtin_ctz(message.slots), turn.ranges(message));
            }
            for (const Message& message : turn.receives()) {
                if (message.slots == 0) out.receive(message.peer, turn.ranges(message));
                else if (message.whole) out.receivePartial(message.peer, message.slots, message.action, message.bytes);
                else out.receivePartial(message.peer, message.slots, message.action, turn.ranges(message));
            }
            spare.push_back(std::move(turn));
        }

        const Schedule* schedule_;
        Round round_;
        mutable Rank first_{0};  // of the ranks at hand
        mutable Rank last_{0};   // behind them
        mutable Batch batch_;
        mutable std::vector<std::size_t> sends_;     // by rank from first_ on: its first message; and the number of all
        mutable std::vector<std::size_t> combines_;  // the same for what it combines
    };

    explicit Borrowed(SchedulePtr schedule) : schedule_{std::move(schedule)} {}

    [[nodiscard]] Now now(Round round) const { return {*schedule_, round}; }
    template <class Use>
    void prepare(Round round, const Use& use) const {
        use(now(round));
    }

private:
    SchedulePtr schedule_;
};

}  // namespace engine
