// SPDX-License-Identifier: BSD-3-Clause
// The clocks of all ranks, moved from round to round: what virtual_clock.hpp says, for schedules of any kind.
#pragma once

#include "emulation/clocks/bounded_time.hpp"
#include "emulation/clocks/detailed_clock.hpp"
#include "emulation/clocks/hockney.hpp"
#include "emulation/clocks/run_recorder.hpp"
#include "emulation/clocks/virtual_clock.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace emulation {

/// Duration of a message, remembering the last size: most rounds have one size only.
class Price {
public:
    explicit Price(const engine::Model& model) : model_{model} {}

    engine::Picoseconds operator()(engine::Bytes bytes) {
        if (bytes != lastBytes_) {
            lastTime_ = later(model_.alpha, model_.beta * bytes);
            lastBytes_ = bytes;
        }
        return lastTime_;
    }

private:
    engine::Model model_;
    engine::Bytes lastBytes_ = -1;
    engine::Picoseconds lastTime_{};
};

/// Whether the plain rules are enough: one alpha and beta for all messages, a port for each of a round, and nobody
/// waits for a receiver.
bool isPlain(const engine::Plan& plan, const Network& network, const Conditions& conditions);

/// next[r] becomes the latest of clock[r], received[r] and next[r]; returns the latest of all.
engine::Picoseconds latestOfThree(std::span<const engine::Picoseconds> clock, const engine::Picoseconds* received,
                                  engine::Picoseconds* next);

/// Notes when the ports of both ends have moved the messages of a batch in which no rank sends or receives twice:
/// sent[s] and received[r], by rank. Rows of messages, as the shifts of rings and trees have them, take least time.
void moveOnePort(const engine::Batch& batch, Price& price, const engine::Picoseconds* clock, engine::Picoseconds* sent,
                 engine::Picoseconds* received);

/// Record: receives rounds and messages, and whether it needs more of them; see RunRecorder.
template <class Record>
class Clocks {
    using Batch = engine::Batch;
    using Bytes = engine::Bytes;
    using Picoseconds = engine::Picoseconds;
    using Round = engine::Round;

public:
    Clocks(const engine::Plan& plan, const Network& network, const Conditions& conditions, LinkTally& links,
           Record& record)
        : schedule_{*plan.schedule},
          conditions_{conditions},
          links_{links},
          record_{record},
          price_{conditions.model},
          routed_{network.links() > 0},
          slowed_{routed_ && conditions.sharing == Sharing::bottleneck},
          clock_{startTimes(conditions.perturbation.arrival, schedule_.facts().ranks)},
          next_(clock_.size()),
          moments_(Record::keeps ? clock_.size() : 0),
          latest_{*std::max_element(clock_.begin(), clock_.end())} {
        if (!isPlain(plan, network, conditions)) detailed_.emplace(network, conditions, links);
        if (conditions.stepping == Stepping::lockstep) std::fill(clock_.begin(), clock_.end(), latest_);
        else if (!conditions.model.logGP) uncoupled_ = schedule_.facts().uncoupled;
    }

    Picoseconds run(const engine::Progress& progress) {
        const std::int64_t rounds = schedule_.facts().rounds;
        for (Round round{0}; round.value < rounds && record_.wants(); ++round) {
            step(round);
            if ((round.value & 63) == 0) progress.at(static_cast<double>(round.value) / static_cast<double>(rounds));
        }
        progress.at(1);
        return latest_;
    }

private:
    void step(Round round) {
        if constexpr (!Record::keeps)
            if (!routed_ && !detailed_ && !uncoupled_.contains(round)) return glide(round);
        batch_.reset(clock_.size());
        schedule_.batch(round, Rank{0}, Rank{schedule_.facts().ranks}, batch_);
        if (routed_) {
            for (std::size_t i = 0; i < batch_.size(); ++i)
                links_.add(Rank{batch_.from()[i]}, Rank{batch_.to()[i]}, batch_.bytes()[i]);
            links_.settle();
        }
        record_.open(round, batch_);
        if (uncoupled_.contains(round)) {
            moveUncoupled(round);
        } else if (detailed_) {
            std::copy(clock_.begin(), clock_.end(), next_.begin());
            moveStrands(round, {clock_, clock_}, {next_, next_});
        } else if constexpr (Record::keeps) {
            move(round);
            for (std::size_t r = 0; r < clock_.size(); ++r)
                next_[r] = std::max({clock_[r], moments_[r].sendEnd, moments_[r].receiveEnd});
        } else {
            std::copy(clock_.begin(), clock_.end(), next_.begin());
            slowed_ ? onlyMove([this](std::size_t i) { return pace(i); })
                    : onlyMove([bytes = batch_.bytes()](std::size_t i) { return bytes[i]; });
        }
        combineAll(batch_.combining());
        if (latest_ >= endOfTime) refuseTime();
        if (conditions_.stepping == Stepping::lockstep) std::fill(next_.begin(), next_.end(), latest_);
        record_.close(round, clock_, next_, moments_);
        if (routed_) links_.closeRound(round);
        std::swap(clock_, next_);
    }

    /// A round without sums, links and details. Few messages are looked at one by one where the clocks are; many go
    /// through tiles that stay in the cache.
    void glide(Round round) {
        std::size_t messages = 0;
        const std::int32_t ranks = schedule_.facts().ranks;
        if (conditions_.stepping == Stepping::lockstep || few_) {
            batch_.reset(clock_.size());
            schedule_.batch(round, Rank{0}, Rank{ranks}, batch_);
            messages = batch_.size();
            conditions_.stepping == Stepping::lockstep ? march() : touch();
        } else {
            combining_.clear();
            received_.resize(clock_.size());
            for (std::int32_t first = 0; first < ranks; first += tileOf) {
                batch_.reset(std::min(clock_.size(), std::size_t{tileOf}));
                schedule_.batch(round, Rank{first}, Rank{std::min(ranks, first + tileOf)}, batch_);
                messages += batch_.size();
                if (schedule_.facts().ports == 1)
                    moveOnePort(batch_, price_, clock_.data(), next_.data(), received_.data());
                else moveManyPorts();
                combining_.insert(combining_.end(), batch_.combining().begin(), batch_.combining().end());
            }
            latest_ = std::max(latest_, latestOfThree(clock_, received_.data(), next_.data()));
            combineAll(combining_);
            std::swap(clock_, next_);
        }
        few_ = messages * 8 < clock_.size();
        if (latest_ >= endOfTime) refuseTime();
    }

    /// When the ports of both ends have moved the messages of the batch. What stands there of older rounds is behind
    /// the clocks and does no harm.
    void moveManyPorts() {
        const std::int32_t* from = batch_.from().data();
        const std::int32_t* to = batch_.to().data();
        const Bytes* bytes = batch_.bytes().data();
        const Picoseconds* clock = clock_.data();
        Picoseconds* sent = next_.data();
        Picoseconds* received = received_.data();
        Price price = price_;  // one that no store below can change
        for (std::size_t i = 0, messages = batch_.size(); i < messages; ++i) {
            const Picoseconds cost = price(bytes[i]);
            const Picoseconds sender = clock[from[i]];
            sent[from[i]] = std::max(sent[from[i]], hockney::sendEnd(sender, cost));
            received[to[i]] = std::max(received[to[i]], hockney::receiveEnd(sender, clock[to[i]], cost));
        }
        price_ = price;
    }

    /// In lockstep all clocks are alike: `latest_`.
    void march() {
        Bytes largest = -1;
        for (const Bytes bytes : batch_.bytes()) largest = std::max(largest, bytes);
        const Picoseconds begin = latest_;
        if (!batch_.combining().empty()) {
            std::fill(clock_.begin(), clock_.end(), begin);
            std::fill(next_.begin(), next_.end(), begin);
            onlyMove([bytes = batch_.bytes()](std::size_t i) { return bytes[i]; });
            combineAll(batch_.combining());
        } else if (largest >= 0) {
            latest_ = begin + price_(largest);
        }
    }

    /// Free progress of the ranks that have messages, where their clocks are.
    void touch() {
        const auto from = batch_.from();
        const auto to = batch_.to();
        ends_.resize(batch_.size());
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            const Picoseconds cost = price_(batch_.bytes()[i]);
            const Picoseconds sender = clock_[engine::asSize(from[i])];
            ends_[i] = {hockney::sendEnd(sender, cost),
                        hockney::receiveEnd(sender, clock_[engine::asSize(to[i])], cost)};
        }
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            Picoseconds& sender = clock_[engine::asSize(from[i])];
            Picoseconds& receiver = clock_[engine::asSize(to[i])];
            sender = std::max(sender, ends_[i].first);
            receiver = std::max(receiver, ends_[i].second);
            latest_ = std::max(latest_, ends_[i].second);
        }
        std::swap(clock_, next_);  // combineAll works on next_
        combineAll(batch_.combining());
        std::swap(clock_, next_);
    }

    /// Times every message of the round; leaves in `moments_` what each rank's ports did.
    void move(Round round) {
        const auto from = batch_.from();
        const auto to = batch_.to();
        const auto bytes = batch_.bytes();
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            const Picoseconds cost = price_(slowed_ ? pace(i) : bytes[i]);
            const auto s = engine::asSize(from[i]);
            const auto r = engine::asSize(to[i]);
            const Picoseconds sendEnd = hockney::sendEnd(clock_[s], cost);
            const Picoseconds receiveBegin = hockney::receiveBegin(clock_[s], clock_[r]);
            const Picoseconds receiveEnd = hockney::receiveEnd(clock_[s], clock_[r], cost);
            if constexpr (Record::keeps)
                record_.message(
                    {Rank{from[i]}, Rank{to[i]}, round, bytes[i], clock_[s], sendEnd, receiveBegin, receiveEnd});
            moments_[s].sendEnd = std::max(moments_[s].sendEnd, sendEnd);
            moments_[r].receiveBegin = receiveBegin;
            moments_[r].receiveEnd = std::max(moments_[r].receiveEnd, receiveEnd);
            latest_ = std::max(latest_, receiveEnd);
        }
    }

    /// A round in which strands have clocks of their own.
    void moveUncoupled(Round round) {
        if (round == uncoupled_.first) out_ = in_ = clock_;
        nextOut_ = out_;
        nextIn_ = in_;
        moveStrands(round, {out_, in_}, {nextOut_, nextIn_});
        std::swap(out_, nextOut_);
        std::swap(in_, nextIn_);
        for (std::size_t r = 0; r < next_.size(); ++r) next_[r] = std::max({clock_[r], out_[r], in_[r]});
    }

    /// Times every message of a round that `now` begins and that moves the clocks in `next` on.
    void moveStrands(Round round, Strands<const Picoseconds> now, Strands<Picoseconds> next) {
        const auto take = [&](const engine::MessageRecord& record) {
            record_.message(record);
            Picoseconds& sender = next.sends[record.from.index()];
            Picoseconds& receiver = next.receives[record.to.index()];
            sender = std::max(sender, record.sendEnd);
            receiver = std::max(receiver, record.receiveEnd);
            latest_ = std::max({latest_, record.sendEnd, record.receiveEnd});
        };
        if (detailed_) {
            for (const engine::MessageRecord& record : detailed_->move(batch_, round, now)) take(record);
            return;
        }
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            const Picoseconds cost = price_(slowed_ ? pace(i) : batch_.bytes()[i]);
            const Picoseconds sendBegin = now.sends[engine::asSize(batch_.from()[i])];
            const Picoseconds receiver = now.receives[engine::asSize(batch_.to()[i])];
            take({Rank{batch_.from()[i]}, Rank{batch_.to()[i]}, round, batch_.bytes()[i], sendBegin,
                  hockney::sendEnd(sendBegin, cost), hockney::receiveBegin(sendBegin, receiver),
                  hockney::receiveEnd(sendBegin, receiver, cost)});
        }
    }

    /// Lets ranks combine what they received.
    void combineAll(std::span<const std::pair<Rank, Bytes>> combining) {
        for (const auto& [rank, bytes] : combining) {
            Picoseconds& end = next_[rank.index()];
            const Picoseconds begin = end;
            end += detailed_ ? detailed_->combining(rank, bytes) : conditions_.model.gamma * bytes;
            record_.combined({rank, begin, end});
            latest_ = std::max(latest_, end);
        }
    }

    /// The same clocks, without a word about what the ports did.
    template <class Pace>
    void onlyMove(Pace paceOf) {
        const std::int32_t* from = batch_.from().data();
        const std::int32_t* to = batch_.to().data();
        const Picoseconds* clock = clock_.data();
        Picoseconds* next = next_.data();
        Picoseconds latest = latest_;
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            const Picoseconds cost = price_(paceOf(i));
            const Picoseconds sender = clock[from[i]];
            const Picoseconds receiveEnd = hockney::receiveEnd(sender, clock[to[i]], cost);
            next[from[i]] = std::max(next[from[i]], hockney::sendEnd(sender, cost));
            next[to[i]] = std::max(next[to[i]], receiveEnd);
            latest = std::max(latest, receiveEnd);
        }
        latest_ = latest;
    }

    /// Bytes through the busiest link on the message's route: the size it moves as if it had.
    Bytes pace(std::size_t i) {
        return std::max(batch_.bytes()[i], links_.busiest(i, Rank{batch_.from()[i]}, Rank{batch_.to()[i]}));
    }

    const engine::Schedule& schedule_;
    const Conditions& conditions_;
    LinkTally& links_;
    Record& record_;
    Price price_;
    bool routed_;
    bool slowed_;
    Batch batch_;
    std::vector<Picoseconds> clock_;                         // per rank: when its open round began
    std::vector<Picoseconds> next_;                          // per rank: when its open round ends
    static constexpr std::int32_t tileOf = 4096;             // ranks: their messages stay in a near cache
    bool few_ = false;                                       // the round before had few messages
    std::vector<Picoseconds> received_;                      // by rank: when its in-port had done its latest message
    std::vector<std::pair<Picoseconds, Picoseconds>> ends_;  // of the round's messages: send, receive
    std::vector<std::pair<Rank, Bytes>> combining_;          // of all tiles of the round
    std::vector<Moment> moments_;  // per rank: its ports in its latest rounds; ends before clock_ are of older rounds
    Picoseconds latest_;
    engine::Rounds uncoupled_;  // where strands have their own clocks:
    std::vector<Picoseconds> out_, in_, nextOut_, nextIn_;
    std::optional<DetailedClock> detailed_;
};

}  // namespace emulation
