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
class Walker::OwnStrand final : public Strand {
public:
    OwnStrand(Walker& walker, Rounds rounds, live::Kind kind)
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
    std::vector<Parcel>& parcels() override { return parcels_; }
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
    std::vector<Parcel> parcels_;
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
    OwnStrand sends{*this, rounds, live::Kind::send};
    OwnStrand receives{*this, rounds, live::Kind::receive};
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

void Walker::apply(Round round, const Turn& turn, const std::vector<Parcel>& receives) {
    for (const Parcel& parcel : receives) {
        ENSURE(
            parcel.message->slots != 0 || parcel.size == parcel.message->bytes,
            text("rank ", rank_, " got a message of another length from ", parcel.message->peer, " in round ", round));
        if (parcel.copied) holdings_.apply(turn, *parcel.message, {parcel.data, asSize(parcel.size)});
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
void Walker::prepareSends(const Turn& turn, std::vector<Parcel>& sends) {
    sends.resize(turn.sends().size());
    for (std::size_t i = 0; i < sends.size(); ++i) {
        Parcel& parcel = sends[i];
        parcel.message = &turn.sends()[i];
        const auto ranges = turn.ranges(*parcel.message);
        if (parcel.message->slots == 0 && ranges.size() == 1) {
            parcel.data = holdings_.line(ranges[0]).data();
            parcel.size = ranges[0].size();
            continue;
        }
        holdings_.read(turn, *parcel.message, parcel.store);
        parcel.data = parcel.store.data();
        parcel.size = static_cast<Bytes>(parcel.store.size());
    }
}

/// A receive of one piece goes straight to its place where it may.
void Walker::prepareReceives(const Turn& turn, std::vector<Parcel>& receives) {
    receives.resize(turn.receives().size());
    for (std::size_t i = 0; i < receives.size(); ++i) {
        Parcel& parcel = receives[i];
        parcel.message = &turn.receives()[i];
        parcel.size = parcel.message->bytes;
        parcel.copied = !canStay(turn, i);
        if (parcel.copied) {
            parcel.store.resize(asSize(parcel.size));
            parcel.data = parcel.store.data();
        } else {
            parcel.data = holdings_.line(turn.ranges(*parcel.message)[0]).data();
        }
    }
}

}  // namespace engine::mpi
