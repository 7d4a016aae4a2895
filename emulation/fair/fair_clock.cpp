// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/fair/fair_clock.hpp"

#include "emulation/clocks/bounded_time.hpp"
#include "emulation/fair/fair_flows.hpp"
#include "emulation/fair/fair_ports.hpp"
#include "emulation/fair/fair_recorder.hpp"
#include "engine/base/error.hpp"
#include "engine/proof/send_receive_matching.hpp"

#include <algorithm>

namespace emulation {
namespace {

using engine::Bytes;
using engine::Picoseconds;
using engine::Round;

/// Keeps no record: for makespans.
struct NoBooks {
    void portBegins(Rank, Picoseconds) {}
    void portEnds(Rank, Picoseconds) {}
    void moved(const Moved&) {}
    void combined(const engine::LocalWork&, Round) {}
    void turn(const engine::TurnRecord&) {}
};

/// All ranks and all messages in flight.
template <class Books>
class FairClock {
public:
    FairClock(const engine::Plan& plan, const Network& network, const Conditions& conditions, Books& books)
        : schedule_{*plan.schedule},
          conditions_{conditions},
          books_{books},
          flows_{network, conditions},
          count_{schedule_.facts().ranks},
          uncoupled_{conditions.stepping == Stepping::free ? schedule_.facts().uncoupled : engine::Rounds{}},
          strands_(engine::asSize(uncoupled_.count > 0 ? 2 * count_ : count_)),
          limited_{conditions.ports > 0 && schedule_.facts().ports > conditions.ports},
          ports_{limited_ ? count_ : 0, conditions.ports} {}

    Picoseconds run(const engine::Progress& progress) {
        arrive();
        const double turns = static_cast<double>(schedule_.facts().rounds) * static_cast<double>(count_);
        std::int64_t moments = 0;
        for (goOn(); !flows_.queue().empty(); goOn()) {
            if ((moments++ & 1023) == 0) progress.at(static_cast<double>(turnsDone_) / turns);
            now_ = flows_.queue().pop(due_);
            for (const FairQueue::Event event : due_) happen(event);
        }
        progress.at(1);
        ENSURE(turnsDone_ == schedule_.facts().rounds * count_, "a rank waits forever");
        return latest_;
    }

private:
    /// A detached message that comes before its receiver is ready, or has a port for it, as in MPI's queue of such.
    struct Unexpected {
        Rank from;
        Round round;
        std::int32_t ordinal = 0;
        Picoseconds sent{};
    };
    /// A rank's sends; and its receives too, except in uncoupled rounds, where those are a strand of their own,
    /// `count_` places further.
    struct Strand {
        Round round{-1};
        Picoseconds begin{};      ///< of its open turn
        Picoseconds combining{};  ///< time it needs when its messages are in
        std::int32_t open = 0;    ///< messages that its turn waits for
        bool takesPart = false;   ///< sends or receives in its open turn
        bool waits = false;       ///< to be joined by the rank's receives
        std::vector<Unexpected> unexpected;
    };
    Strand& at(std::int32_t strand) { return strands_[engine::asSize(strand)]; }
    [[nodiscard]] Rank rankOf(std::int32_t strand) const { return Rank{strand < count_ ? strand : strand - count_}; }
    [[nodiscard]] std::int32_t receiving(Rank rank, Round round) const {
        return uncoupled_.contains(round) ? rank.value + count_ : rank.value;
    }

    /// Ranks start, in lockstep when the last has entered.
    void arrive() {
        const std::vector<Picoseconds> starts = startTimes(conditions_.perturbation.arrival, count_);
        latest_ = *std::max_element(starts.begin(), starts.end());
        for (std::int32_t r = 0; r < count_; ++r) {
            const Picoseconds start = conditions_.stepping == Stepping::free ? starts[engine::asSize(r)] : latest_;
            if (start > Picoseconds{}) flows_.queue().push(start, {~r, 0});
            else ready_.push_back(r);
        }
    }

    /// Everything that follows at this moment: turns that begin, messages that find ports, and then new rates.
    void goOn() {
        while (!ready_.empty()) {
            const std::int32_t strand = ready_.back();
            ready_.pop_back();
            enterNext(strand);
        }
        if (limited_)
            ports_.letGo([this](const FairPorts::Message& message) {
                go(message.from, message.to, message.round, message.bytes, message.ordinal);
            });
        flows_.settle(now_);
    }

    /// Lets `strand` begin turns until one has to wait.
    void enterNext(std::int32_t strand) {
        Strand& self = at(strand);
        const Rank rank = rankOf(strand);
        do {
            if (uncoupled_.count > 0 && !partOrJoin(strand, self)) return;
            self.round = self.round + 1;
            if (self.round.value == schedule_.facts().rounds) return;
            self.begin = now_;
            self.combining = {};
            if (limited_ && strand == rank.value) ports_.turnBegins(rank);
            schedule_.turn(rank, self.round, turn_);
            self.takesPart = false;
            if (strand == rank.value) postSends(rank, self);
            if (strand == receiving(rank, self.round)) postReceives(rank, self);
        } while (self.open == 0 && closeTurn(strand, self));
    }

    /// Lets the rank's receives begin a strand of their own with its sends, and its next turn wait until they join.
    /// Whether `strand` goes on.
    bool partOrJoin(std::int32_t strand, Strand& self) {
        const Round next = self.round + 1;
        const bool receives = strand >= count_;
        if (!receives && next == uncoupled_.first) {
            at(strand + count_).round = self.round;
            ready_.push_back(strand + count_);
        }
        if (next != uncoupled_.end()) return true;
        if (!receives) return !(self.waits = at(strand + count_).round < next);
        self.round = next;
        if (Strand& sends = at(strand - count_); sends.waits) {
            sends.waits = false;
            ready_.push_back(strand - count_);
        }
        return false;
    }

    void postSends(Rank rank, Strand& self) {
        for (std::size_t i = 0; i < turn_.sends().size(); ++i) {
            self.takesPart = true;
            const engine::Message& send = turn_.sends()[i];
            const std::int32_t ordinal = numberOf(turn_.sends(), i);
            const bool detached = send.bytes < conditions_.protocol.detached;
            if (!detached) ++self.open;
            Strand& peer = at(receiving(send.peer, self.round));
            const bool isReady = peer.round >= self.round;
            if (detached && (!isReady || limited_)) peer.unexpected.push_back({rank, self.round, ordinal, now_});
            if (isReady) start(rank, send.peer, self.round, send.bytes, ordinal);
        }
    }

    void postReceives(Rank rank, Strand& self) {
        for (std::size_t i = 0; i < turn_.receives().size(); ++i) {
            const engine::Message& receive = turn_.receives()[i];
            self.takesPart = true;
            ++self.open;
            if (const Bytes combined = engine::combinedBytes(receive.slots, receive.action, receive.bytes);
                combined > 0)
                self.combining += conditions_.model.gamma * combined;
            if (receive.peer != rank && at(receive.peer.value).round >= self.round)
                start(receive.peer, rank, self.round, receive.bytes, numberOf(turn_.receives(), i));
        }
    }

    static std::int32_t numberOf(std::span<const engine::Message> messages, std::size_t i) {
        return static_cast<std::int32_t>(engine::ordinalOf(messages, i));
    }

    void start(Rank from, Rank to, Round round, Bytes bytes, std::int32_t ordinal) {
        if (!limited_) return go(from, to, round, bytes, ordinal);
        const std::int32_t place = isDetached(bytes) ? FairPorts::detached : placeOf(from, to, round, ordinal);
        ports_.wait({from, to, round, bytes, ordinal}, place, now_);
    }
    [[nodiscard]] bool isDetached(Bytes bytes) const { return bytes < conditions_.protocol.detached; }
    /// Among the sends of its turn that hold ports.
    std::int32_t placeOf(Rank from, Rank to, Round round, std::int32_t ordinal) {
        schedule_.turn(from, round, sending_);
        std::int32_t place = 0;
        for (const engine::Message& send : sending_.sends()) {
            if (send.peer == to && ordinal-- == 0) break;
            place += isDetached(send.bytes) ? 0 : 1;
        }
        return place;
    }

    /// Both ends are ready, and have a port for it.
    void go(Rank from, Rank to, Round round, Bytes bytes, std::int32_t ordinal) {
        Moved moved{.record = {from, to, round, bytes, now_, {}, now_, {}}, .ordinal = ordinal};
        if (isDetached(bytes)) moved.record.sendBegin = moved.record.sendEnd = takeUnexpected(from, to, round, ordinal);
        else books_.portBegins(from, now_);
        books_.portBegins(to, now_);
        const auto id = engine::asSize(flows_.go(from, to, bytes, now_));
        if (id >= moved_.size()) moved_.resize(id + 1);
        moved_[id] = moved;
    }

    /// When that message was sent: now, unless it had to wait for its receiver.
    Picoseconds takeUnexpected(Rank from, Rank to, Round round, std::int32_t ordinal) {
        std::vector<Unexpected>& waiting = at(receiving(to, round)).unexpected;
        const auto found = std::find_if(waiting.begin(), waiting.end(), [&](const Unexpected& each) {
            return each.from == from && each.round == round && each.ordinal == ordinal;
        });
        if (found == waiting.end()) return now_;
        const Picoseconds sent = found->sent;
        waiting.erase(found);
        return sent;
    }

    void happen(FairQueue::Event event) {
        if (event.who < 0) goOnWith(~event.who);
        else if (flows_.happen(event, now_)) end(moved_[engine::asSize(event.who)]);
    }

    void end(Moved& moved) {
        engine::MessageRecord& record = moved.record;
        const bool detached = isDetached(record.bytes);
        record.receiveEnd = now_;
        latest_ = std::max(latest_, now_);
        books_.portEnds(record.to, now_);
        if (!detached) {
            record.sendEnd = now_;
            books_.portEnds(record.from, now_);
        }
        books_.moved(moved);
        if (limited_) ports_.ended(record.from, record.to, detached);
        if (!detached) release(record.from.value);
        release(receiving(record.to, record.round));
    }

    /// One message of the strand's turn has ended.
    void release(std::int32_t strand) {
        Strand& self = at(strand);
        if (--self.open == 0 && closeTurn(strand, self)) ready_.push_back(strand);
    }

    /// All messages of the turn are in. Whether the next turn may begin at once.
    bool closeTurn(std::int32_t strand, Strand& self) {
        if (self.combining > Picoseconds{}) {
            books_.portBegins(rankOf(strand), now_);
            flows_.queue().push(later(now_, self.combining), {~strand, 0});
            return false;
        }
        return turnEnds(strand, self);
    }

    /// The rank starts, or has combined what it received.
    void goOnWith(std::int32_t strand) {
        latest_ = std::max(latest_, now_);
        Strand& self = at(strand);
        if (self.round >= Round{0}) {
            books_.portEnds(rankOf(strand), now_);
            books_.combined({rankOf(strand), now_ - self.combining, now_}, self.round);
            if (!turnEnds(strand, self)) return;
        }
        ready_.push_back(strand);
    }

    bool turnEnds(std::int32_t strand, Strand& self) {
        if (self.takesPart) books_.turn({rankOf(strand), self.round, self.begin, now_});
        if (strand < count_) ++turnsDone_;
        if (conditions_.stepping == Stepping::free) return true;
        if (turnsDone_ % count_ == 0)
            for (std::int32_t r = 0; r < count_; ++r) ready_.push_back(r);
        return false;
    }

    const engine::Schedule& schedule_;
    const Conditions& conditions_;
    Books& books_;
    FairFlows flows_;
    std::vector<Moved> moved_;  // by the number of the flow
    std::int32_t count_;        // ranks
    engine::Rounds uncoupled_;
    std::vector<Strand> strands_;
    bool limited_;     // some turn has more messages than there are ports
    FairPorts ports_;  // where they are limited
    engine::Turn sending_;
    std::vector<std::int32_t> ready_;  // strands whose next turn begins now
    std::vector<FairQueue::Event> due_;
    engine::Turn turn_;
    Picoseconds now_{};
    Picoseconds latest_{};
    std::int64_t turnsDone_ = 0;
};

}  // namespace

Emulated emulateFair(const engine::Plan& plan, const Network& network, const Conditions& conditions,
                     const engine::Progress& progress) {
    FairRecorder books{plan, network, conditions.budget, progress};
    Emulated result;
    const Picoseconds duration = FairClock{plan, network, conditions, books}.run(progress);
    result.run = books.finish(duration);
    result.congestion = books.congestion();
    return result;
}

Picoseconds fairMakespan(const engine::Plan& plan, const Network& network, const Conditions& conditions,
                         const engine::Progress& progress) {
    NoBooks nothing;
    return FairClock{plan, network, conditions, nothing}.run(progress);
}

}  // namespace emulation
