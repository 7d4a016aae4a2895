// SPDX-License-Identifier: BSD-3-Clause
// Gather-like kernels at work on partial results: finished ones are handed on as bytes are, and a broadcast run
// backwards combines what it used to spread.
#pragma once

#include "engine/schedule/rounds.hpp"
#include "engine/schedule/schedule.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace engine::stages {

/// Ranges as the span that partial results want, whichever of its kinds a kernel hands over; lives as long as this.
class AsSpan {
public:
    explicit AsSpan(Range range) : own_{range, {}}, span_{own_.data(), 1} {}
    explicit AsSpan(const RangePair& pair) : own_{pair}, span_{own_} {}
    explicit AsSpan(std::span<const Range> ranges) : span_{ranges} {}
    AsSpan(const AsSpan&) = delete;
    AsSpan& operator=(const AsSpan&) = delete;

    operator std::span<const Range>() const { return span_; }  // NOLINT: that is what it is for

private:
    RangePair own_{};
    std::span<const Range> span_;
};

/// An `out` that sends from slot `from` and keeps what comes in slots `to`. Where messages are `whole`, each carries a
/// vector of so many bytes that is never cut.
template <class Out>
class HandedOn {
public:
    HandedOn(Out& out, int from, Slots to, std::optional<Bytes> whole)
        : out_{&out}, from_{from}, to_{to}, whole_{whole} {}

    template <class What>
    void send(Rank to, const What& what) {
        whole_ ? out_->sendPartial(to, from_, *whole_) : out_->sendPartial(to, from_, AsSpan{what});
    }
    template <class What>
    void receive(Rank from, const What& what) {
        whole_ ? out_->receivePartial(from, to_, Action::keep, *whole_)
               : out_->receivePartial(from, to_, Action::keep, AsSpan{what});
    }

private:
    Out* out_;
    int from_;
    Slots to_;
    std::optional<Bytes> whole_;
};

/// A gather-like kernel that moves ranges of a vector, whose results are in one slot.
template <class Kernel>
class OfResults : public ByRound<OfResults<Kernel>> {
public:
    OfResults(Kernel kernel, int slot, std::optional<Bytes> whole)
        : kernel_{std::move(kernel)}, slot_{slot}, whole_{whole} {}

    [[nodiscard]] std::int64_t rounds() const { return kernel_.rounds(); }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        inRound(kernel_, round, [&](const auto& now) {
            use(Now<std::remove_cvref_t<decltype(now)>>{now, slot_, whole_});
        });
    }

private:
    template <class Inner>
    struct Now {
        Held<Inner> inner;
        int slot;
        std::optional<Bytes> whole;

        template <class Out>
        void operator()(Rank rank, Out& out) const {
            HandedOn<Out> handed{out, slot, Slots{1} << slot, whole};
            inner(rank, handed);
        }
        template <class Call>
        void each(Rank first, Rank last, const Call& call) const {
            eachActing(inner, first, last, call);
        }
        std::int32_t columns(Rank first, Rank last, const Columns& out) const requires Columnar<Inner> {
            return inner.columns(first, last, out);
        }
    };

    Kernel kernel_;
    int slot_;
    std::optional<Bytes> whole_;
};

/// `kernel`, which moves ranges of a vector, on the results in `slot`.
template <class Kernel>
auto ofResults(Kernel kernel, int slot = 0) {
    return OfResults<Kernel>{std::move(kernel), slot, std::nullopt};
}

/// `kernel`, each of whose messages moves all that there is, on results that are vectors of so many bytes.
template <class Kernel>
auto ofWholeResults(Kernel kernel, Bytes vector, int slot = 0) {
    return OfResults<Kernel>{std::move(kernel), slot, vector};
}

/// A vector as a broadcast's message is cut that is to be run backwards: in units, which are never cut.
struct Backwards {
    Bytes vector = 0;
    Bytes unit = 1;
    bool whole = true;  ///< every message carries all of it
    /// What the receiver does: the sender's ranks come behind its own, or before. Nothing: behind when its number is
    /// greater.
    std::optional<Action> action = Action::append;

    /// The message that the broadcast is to move.
    [[nodiscard]] Range message() const { return whole ? Range{0, vector} : Range{0, vector / unit}; }
};

/// An `out` that sends what was received, and receives what was sent.
template <class Out>
class TurnedRound {
public:
    TurnedRound(Out& out, const Backwards& how, Rank rank) : out_{&out}, how_{&how}, rank_{rank} {}

    template <class What>
    void send(Rank to, const What& what) {
        const Action action = how_->action.value_or(to > rank_ ? Action::append : Action::prepend);
        if (how_->whole) out_->receivePartial(to, 1, action, how_->vector);
        else inBytes(what, [&](std::span<const Range> bytes) { out_->receivePartial(to, 1, action, bytes); });
    }
    template <class What>
    void receive(Rank from, const What& what) {
        if (how_->whole) out_->sendPartial(from, 0, how_->vector);
        else inBytes(what, [&](std::span<const Range> bytes) { out_->sendPartial(from, 0, bytes); });
    }

private:
    [[nodiscard]] Range scaled(Range units) const { return {units.begin * how_->unit, units.end * how_->unit}; }
    template <class Use>
    void inBytes(Range units, const Use& use) const {
        use(AsSpan{scaled(units)});
    }
    template <class Use>
    void inBytes(const RangePair& units, const Use& use) const {
        use(AsSpan{RangePair{scaled(units[0]), scaled(units[1])}});
    }
    template <class Use>
    void inBytes(std::span<const Range> units, const Use& use) const {
        if (how_->unit == 1) return use(units);
        thread_local std::vector<Range> bytes;
        bytes.clear();
        for (const Range range : units) bytes.push_back(scaled(range));
        use(std::span<const Range>{bytes});
    }

    Out* out_;
    const Backwards* how_;
    Rank rank_;
};

/// A broadcast's kernel run backwards: the last round first, and every message the other way. Where the broadcast hands
/// each rank each byte once, this combines everyone's vector on the root: a rank sends a part when all that the
/// broadcast let it pass on has come back, since rounds that were later are earlier now. An allgather is a broadcast
/// from every rank, so backwards it is a reduce-scatter.
template <class Kernel>
class ReversedBroadcast : public ByRound<ReversedBroadcast<Kernel>> {
public:
    ReversedBroadcast(Kernel kernel, std::int64_t rounds, const Backwards& how)
        : kernel_{std::move(kernel)}, rounds_{rounds}, how_{how} {}

    [[nodiscard]] std::int64_t rounds() const { return rounds_; }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        inRound(kernel_, Round{rounds_ - 1 - round.value}, [&](const auto& now) {
            use(Now<std::remove_cvref_t<decltype(now)>>{now, how_});
        });
    }

private:
    template <class Inner>
    struct Now {
        Held<Inner> inner;
        Backwards how;

        template <class Out>
        void operator()(Rank rank, Out& out) const {
            TurnedRound<Out> turned{out, how, rank};
            inner(rank, turned);
        }
        template <class Call>
        void each(Rank first, Rank last, const Call& call) const {
            eachActing(inner, first, last, call);
        }
    };

    Kernel kernel_;
    std::int64_t rounds_;
    Backwards how_;
};

}  // namespace engine::stages
