// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/exchange.hpp"

#include <algorithm>

namespace engine::mpi {
namespace {

bool overlap(std::span<const Range> a, std::span<const Range> b) {
    return std::any_of(a.begin(), a.end(), [&](Range left) {
        return std::any_of(b.begin(), b.end(),
                           [&](Range right) { return left.begin < right.end && right.begin < left.end; });
    });
}

/// Whether a receive of one piece may go straight to its place: this turn neither reads nor also writes there.
bool canStay(const Turn& turn, std::size_t receive) {
    const Message& message = turn.receives()[receive];
    const auto ranges = turn.ranges(message);
    if (message.slots != 0 || ranges.size() != 1) return false;
    const auto meets = [&](const Message& other) { return overlap(ranges, turn.ranges(other)); };
    for (std::size_t i = 0; i < turn.receives().size(); ++i)
        if (i != receive && meets(turn.receives()[i])) return false;
    return std::none_of(turn.sends().begin(), turn.sends().end(), meets);
}

}  // namespace

/// The sends, or the receives, of `rounds`.
class Walker::OwnTurnSide final : public TurnSide {
public:
    OwnTurnSide(Walker& walker, Rounds rounds, live::Kind kind)
        : walker_{walker}, rounds_{rounds}, kind_{kind}, round_{rounds.first - 1} {}

    bool next() override {
        for (round_ = round_ + 1; round_ < rounds_.end(); ++round_) {
            walker_.schedule_.turn(walker_.rank_, round_, turn_);
            if ((kind_ == live::Kind::send ? turn_.sends() : turn_.receives()).empty()) continue;
            begin_ = now();
            if (walker_.mark_.recorder != nullptr) walker_.mark_.recorder->at(begin_, round_.value);
            if (kind_ == live::Kind::send) walker_.prepareSends(turn_, parcels_);
            else walker_.prepareReceives(turn_, parcels_);
            return true;
        }
        return false;
    }
    [[nodiscard]] Round round() const override { return round_; }
    std::vector<MessageBuffer>& buffers() override { return parcels_; }
    void done() override {
        if (kind_ == live::Kind::receive) walker_.apply(round_, turn_, parcels_);
        walker_.noteTurn(round_, begin_);
    }

private:
    Walker& walker_;
    Rounds rounds_;
    live::Kind kind_;
    Round round_;
    std::int64_t begin_ = 0;
    Turn turn_;
    std::vector<MessageBuffer> parcels_;
};

void Walker::walk() {
    const Facts& facts = schedule_.facts();
    for (Round round{0}; round.value < facts.rounds;) {
        const Rounds together = facts.untilJoin(round);
        if (together.count == 1 || !walkUncoupled(together))
            for (; round < together.end(); ++round) take(round);
        round = together.end();
    }
}

bool Walker::walkUncoupled(Rounds rounds) {
    OwnTurnSide sends{*this, rounds, live::Kind::send};
    OwnTurnSide receives{*this, rounds, live::Kind::receive};
    return exchange_.carryUncoupled(sends, receives);
}

void Walker::take(Round round) {
    schedule_.turn(rank_, round, turn_);
    if (turn_.empty()) return;
    const std::int64_t begin = now();
    if (mark_.recorder != nullptr) mark_.recorder->at(begin, round.value);
    prepareSends(turn_, sends_);
    prepareReceives(turn_, receives_);
    exchange_.carry(round, sends_, receives_);
    apply(round, turn_, receives_);
    noteTurn(round, begin);
}

void Walker::apply(Round round, const Turn& turn, const std::vector<MessageBuffer>& receives) {
    for (const MessageBuffer& buffer : receives) {
        ENSURE(
            buffer.message->slots != 0 || buffer.size == buffer.message->bytes,
            text("rank ", rank_, " got a message of another length from ", buffer.message->peer, " in round ", round));
        if (buffer.copied) holdings_.apply(turn, *buffer.message, {buffer.data, asSize(buffer.size)});
    }
}

void Walker::noteTurn(Round round, std::int64_t begin) {
    if (mark_.recorder == nullptr) return;
    mark_.recorder->add({.begin = begin,
                         .end = now(),
                         .round = round.value,
                         .repeat = mark_.repeat,
                         .kind = live::Kind::turn,
                         .entry = mark_.entry});
}

/// A send of one piece goes out from where it lies; others are gathered first.
void Walker::prepareSends(const Turn& turn, std::vector<MessageBuffer>& sends) {
    sends.resize(turn.sends().size());
    for (std::size_t i = 0; i < sends.size(); ++i) {
        MessageBuffer& buffer = sends[i];
        buffer.message = &turn.sends()[i];
        const auto ranges = turn.ranges(*buffer.message);
        if (buffer.message->slots == 0 && ranges.size() == 1) {
            buffer.data = holdings_.line(ranges[0]).data();
            buffer.size = ranges[0].size();
            continue;
        }
        holdings_.read(turn, *buffer.message, buffer.store);
        buffer.data = buffer.store.data();
        buffer.size = static_cast<Bytes>(buffer.store.size());
    }
}

/// A receive of one piece goes straight to its place where it may.
void Walker::prepareReceives(const Turn& turn, std::vector<MessageBuffer>& receives) {
    receives.resize(turn.receives().size());
    for (std::size_t i = 0; i < receives.size(); ++i) {
        MessageBuffer& buffer = receives[i];
        buffer.message = &turn.receives()[i];
        buffer.size = buffer.message->bytes;
        buffer.copied = !canStay(turn, i);
        if (buffer.copied) {
            buffer.store.resize(asSize(buffer.size));
            buffer.data = buffer.store.data();
        } else {
            buffer.data = holdings_.line(turn.ranges(*buffer.message)[0]).data();
        }
    }
}

}  // namespace engine::mpi
