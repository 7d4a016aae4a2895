// SPDX-License-Identifier: BSD-3-Clause
// THE representation of an algorithm: a pure function of rank and round. Nothing of size ranks x rounds is ever stored.
//
// What a round means, for every executor and for the verifier:
//   A rank's sends are one strand and its receives another. Each takes the rounds in their order and its messages of a
//   round together, and starts its next round when its own one is done: there is no global barrier. At the end of a
//   round the two strands join: they wait for each other. Sends read the rank's state at the last join; receives are
//   applied, in their order, by the next. Strands join in every round but the first ones of Facts::uncoupled: where
//   nothing is said, a turn's sends read the state before the turn, and the turn ends when all its messages have
//   finished. The i-th receive from a peer in a round matches that peer's i-th send to it in the same round.
//
// Two views of the one text an author writes (see kernel.hpp):
//   turn(rank, round)           everything one rank does in one round: live executors, verifier, window
//   batch(round, first, last)   all messages that a tile of ranks sends in one round, as arrays: virtual time
#pragma once

#include "engine/base/types.hpp"
#include "engine/problem/block_layout.hpp"
#include "engine/schedule/counter_example.hpp"
#include "engine/schedule/wiring.hpp"

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace engine {

/// A set of a rank's partial results, bit i = slot i. Gather-like schedules do not use slots.
using Slots = std::uint32_t;

/// What a receive does to the receiver's state.
enum class Action : std::uint8_t {
    keep,     ///< bytes: hold them; partial result: replace the slot's content
    append,   ///< slot := slot o received
    prepend,  ///< slot := received o slot
};

/// One side of a message within a Turn.
struct Message {
    Rank peer{};
    Bytes bytes = 0;               ///< on the wire
    std::uint32_t firstRange = 0;  ///< into the turn's ranges
    std::uint32_t rangeCount = 0;
    Slots slots = 0;  ///< send: the one slot read; receive: the slots changed; 0 for gather-like messages
    Action action = Action::keep;
    bool whole = false;  ///< partial results: of the whole vector, whatever its size; otherwise of the ranges
};

/// What ONE rank does in ONE round. Reused by callers, so that a warm one allocates nothing.
class Turn {
public:
    void clear();

    /// Sends the bytes of up to two ranges, or of any sequence of ranges. A message without bytes is still a message.
    void send(Rank to, Range what) { open(sends_, to, {}), add(sends_, what); }
    void send(Rank to, const RangePair& what) { open(sends_, to, {}), add(sends_, what[0]), add(sends_, what[1]); }
    void send(Rank to, std::span<const Range> what) {
        open(sends_, to, {});
        for (const Range range : what) add(sends_, range);
    }
    void receive(Rank from, Range what) { open(receives_, from, {}), add(receives_, what); }
    void receive(Rank from, const RangePair& what) {
        open(receives_, from, {}), add(receives_, what[0]), add(receives_, what[1]);
    }
    void receive(Rank from, std::span<const Range> what) {
        open(receives_, from, {});
        for (const Range range : what) add(receives_, range);
    }

    /// Sends the partial result in `slot`, of the whole vector: `bytes` on the wire.
    void sendPartial(Rank to, int slot, Bytes bytes) {
        open(sends_, to, {.bytes = bytes, .slots = Slots{1} << slot, .whole = true});
    }
    /// Receives a partial result of the whole vector into each of `slots`.
    void receivePartial(Rank from, Slots slots, Action action, Bytes bytes) {
        open(receives_, from, {.bytes = bytes, .slots = slots, .action = action, .whole = true});
    }
    /// The same of parts of the vector: one or more ranges of its bytes.
    void sendPartial(Rank to, int slot, std::span<const Range> what) {
        open(sends_, to, {.slots = Slots{1} << slot});
        for (const Range range : what) add(sends_, range);
    }
    void receivePartial(Rank from, Slots slots, Action action, std::span<const Range> what) {
        open(receives_, from, {.slots = slots, .action = action});
        for (const Range range : what) add(receives_, range);
    }

    [[nodiscard]] std::span<const Message> sends() const { return sends_; }
    [[nodiscard]] std::span<const Message> receives() const { return receives_; }
    [[nodiscard]] std::span<const Range> ranges(const Message& message) const {
        return {ranges_.data() + message.firstRange, message.rangeCount};
    }
    [[nodiscard]] bool empty() const { return sends_.empty() && receives_.empty(); }

private:
    void open(std::vector<Message>& side, Rank peer, Message message) {
        message.peer = peer;
        message.firstRange = static_cast<std::uint32_t>(ranges_.size());
        side.push_back(message);
    }
    void add(std::vector<Message>& side, Range range) {
        if (range.empty()) return;
        Message& message = side.back();
        message.bytes += range.size();
        if (message.rangeCount > 0) {
            Range& last = ranges_[message.firstRange + message.rangeCount - 1];
            if (last.end == range.begin) {
                last.end = range.end;
                return;
            }
        }
        ranges_.push_back(range);
        ++message.rangeCount;
    }

    std::vector<Message> sends_;
    std::vector<Message> receives_;
    std::vector<Range> ranges_;
};

/// The messages of one round as columns, in the order of their senders. Capacity is kept from round to round.
class Batch {
public:
    /// Makes room for `messages` and forgets the old ones.
    void reset(std::size_t messages) {
        if (from_.size() < messages) {
            from_.resize(messages);
            to_.resize(messages);
            bytes_.resize(messages);
        }
        size_ = 0;
        combining_.clear();
    }
    void push(std::int32_t from, std::int32_t to, Bytes bytes) {
        if (size_ == from_.size()) grow();
        from_[size_] = from;
        to_[size_] = to;
        bytes_[size_] = bytes;
        ++size_;
    }
    /// Where the columns are, how many messages they hold, and for how many there is room.
    struct Room {
        std::int32_t* from = nullptr;
        std::int32_t* to = nullptr;
        Bytes* bytes = nullptr;
        std::size_t size = 0;
        std::size_t capacity = 0;
    };
    /// For writers of many messages: they write behind `size`, ask for more room when it is full, and say in the end
    /// what they have written.
    [[nodiscard]] Room room() { return {from_.data(), to_.data(), bytes_.data(), size_, from_.size()}; }
    /// The same with room for at least so many messages more.
    [[nodiscard]] Room roomFor(std::size_t messages) {
        while (from_.size() < size_ + messages) grow();
        return room();
    }
    [[nodiscard]] Room moreRoom(std::size_t size) {
        size_ = size;
        grow();
        return room();
    }
    void written(std::size_t size) { size_ = size; }
    /// `rank` combines `bytes` at the end of the round.
    void combine(Rank rank, Bytes bytes) { combining_.emplace_back(rank, bytes); }

    [[nodiscard]] std::size_t size() const { return size_; }
    /// Who combines how much when the messages are in; a rank may be named several times.
    [[nodiscard]] std::span<const std::pair<Rank, Bytes>> combining() const { return combining_; }
    [[nodiscard]] std::span<const std::int32_t> from() const { return {from_.data(), size_}; }
    [[nodiscard]] std::span<const std::int32_t> to() const { return {to_.data(), size_}; }
    [[nodiscard]] std::span<const Bytes> bytes() const { return {bytes_.data(), size_}; }

private:
    void grow();

    std::vector<std::int32_t> from_;
    std::vector<std::int32_t> to_;
    std::vector<Bytes> bytes_;
    std::vector<std::pair<Rank, Bytes>> combining_;
    std::size_t size_ = 0;
};

/// Bytes that a receive combines: once into every slot that it appends or prepends to, one that is still empty
/// included.
constexpr Bytes combinedBytes(Slots slots, Action action, Bytes bytes) {
    return action == Action::keep ? 0 : bytes * std::popcount(slots);
}

/// A named run of rounds, e.g. "gather in A": a region in traces, a heading in explanations.
struct Stage {
    std::string name;
    Round first{0};
    std::int64_t rounds = 0;

    friend bool operator==(const Stage&, const Stage&) = default;
};

/// The one of `stages`, which rise, that `round` belongs to; -1: none.
std::int32_t stageOf(std::span<const Stage> stages, Round round);

/// Consecutive rounds.
struct Rounds {
    Round first{0};
    std::int64_t count = 0;

    [[nodiscard]] bool contains(Round round) const { return first <= round && round < end(); }
    [[nodiscard]] Round end() const { return first + count; }

    friend bool operator==(const Rounds&, const Rounds&) = default;
};

/// What is true of a schedule as a whole.
struct Facts {
    std::int32_t ranks = 1;  ///< processes that take part: the problem's, and dummies after them
    std::int64_t rounds = 0;
    int ports = 1;  ///< sends, and receives, of a rank in one round, at most
    std::vector<Stage> stages{};
    Rounds uncoupled{};  ///< strands join only at the end of the last of these rounds; gather-like only
    Wiring wiring{};
    /// Reductions: how many partial results a rank keeps, which of them begin with its own contribution (the others
    /// begin empty), and which one is the result.
    int slots = 1;
    Slots own = 1;
    int result = 0;
    bool pieces = false;  ///< reductions: messages may carry parts of the vector; otherwise every one carries all of it
    /// Why a rank may receive bytes that it already holds; empty when it must not.
    std::string repeats{};
    /// What is wrong beyond the messages, which end there; no sentence: nothing. A proof says it.
    CounterExample wrong{};
    /// What is not known of what messages carry, as "what the messages carry: GOAL names no blocks"; empty: all of it
    /// is. Where something is not, they carry what proves nothing about a problem.
    std::string unstated{};
    std::vector<std::string>
        remarks{};  ///< what the planner decided for this problem, in sentences; a run repeats them

    /// Whether a rank's strands join at the end of `round`.
    [[nodiscard]] bool joins(Round round) const { return !uncoupled.contains(round) || round + 1 == uncoupled.end(); }
    /// The rounds from `round` to the next join.
    [[nodiscard]] Rounds untilJoin(Round round) const {
        return joins(round) ? Rounds{round, 1} : Rounds{round, uncoupled.end() - round};
    }
};

/// An algorithm applied to a problem. Every answer depends on nothing but (rank, round); any order, any thread.
class Schedule {
public:
    virtual ~Schedule() = default;

    [[nodiscard]] const Facts& facts() const { return facts_; }

    /// Everything `rank` does in `round`; 0 <= rank < facts().ranks, 0 <= round < facts().rounds.
    void turn(Rank rank, Round round, Turn& out) const {
        out.clear();
        fill(rank, round, out);
    }
    /// All messages that ranks first..last-1 send in `round`, appended to `out`.
    virtual void batch(Round round, Rank first, Rank last, Batch& out) const = 0;

    /// The stage `round` belongs to; -1 when it has none.
    [[nodiscard]] std::int32_t stageOf(Round round) const { return engine::stageOf(facts_.stages, round); }

protected:
    explicit Schedule(Facts facts) : facts_{std::move(facts)} {}

private:
    virtual void fill(Rank rank, Round round, Turn& out) const = 0;

    Facts facts_;
};

using SchedulePtr = std::shared_ptr<const Schedule>;

}  // namespace engine
