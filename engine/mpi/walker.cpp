// SPDX-License-Identifier: BSD-3-Clause
#include "engine/mpi/exchange.hpp"

#include <algorithm>

namespace engine::mpi {
namespace {

bool overlap(std::span<const Range> a, std::span<const Range> b) {
    return std::any_of(a.begin(), a.end(), [&](Range left) {
        return std::any_of(b.begin(), b.end(),
                           [&](Range right) { return left.begin < right.end && right.begin < left.end; });
    });
}

}  // namespace

void Walker::walk() {
    for (Round round{0}; round.value < schedule_.facts().rounds; ++round) {
        schedule_.turn(rank_, round, turn_);
        if (!turn_.empty()) take(round);
    }
}

void Walker::take(Round round) {
    const std::int64_t begin = now();
    if (mark_.recorder != nullptr) mark_.recorder->at(begin, round.value);
    prepareSends();
    prepareReceives();
    exchange_.carry(round, sends_, receives_);
    for (const Parcel& parcel : receives_) {
        ENSURE(parcel.message->slots != 0 || parcel.size == parcel.message->bytes,
               text("rank ", rank_, " got a message of another length from ", parcel.message->peer, " in round ", round));
        if (parcel.copied)
            buffers_.apply(turn_, *parcel.message, {parcel.data, static_cast<std::size_t>(parcel.size)});
    }
    if (mark_.recorder != nullptr)
        mark_.recorder->add({.begin = begin,
                             .end = now(),
                             .round = round.value,
                             .repeat = mark_.repeat,
                             .kind = live::Kind::turn,
                             .entry = mark_.entry});
}

/// A send of one piece goes out from where it lies; others are gathered first.
void Walker::prepareSends() {
    sends_.resize(turn_.sends().size());
    for (std::size_t i = 0; i < sends_.size(); ++i) {
        Parcel& parcel = sends_[i];
        parcel.message = &turn_.sends()[i];
        const auto ranges = turn_.ranges(*parcel.message);
        if (parcel.message->slots == 0 && ranges.size() == 1) {
            parcel.data = buffers_.line(ranges[0]).data();
            parcel.size = ranges[0].size();
            continue;
        }
        buffers_.read(turn_, *parcel.message, parcel.store);
        parcel.data = parcel.store.data();
        parcel.size = static_cast<Bytes>(parcel.store.size());
    }
}

/// A receive of one piece goes straight to its place, unless this turn still reads or also writes there.
void Walker::prepareReceives() {
    receives_.resize(turn_.receives().size());
    for (std::size_t i = 0; i < receives_.size(); ++i) {
        Parcel& parcel = receives_[i];
        parcel.message = &turn_.receives()[i];
        parcel.size = parcel.message->bytes;
        parcel.copied = !canStay(i);
        if (parcel.copied) {
            parcel.store.resize(static_cast<std::size_t>(parcel.size));
            parcel.data = parcel.store.data();
        } else {
            parcel.data = buffers_.line(turn_.ranges(*parcel.message)[0]).data();
        }
    }
}

bool Walker::canStay(std::size_t receive) const {
    const Message& message = turn_.receives()[receive];
    const auto ranges = turn_.ranges(message);
    if (message.slots != 0 || ranges.size() != 1) return false;
    const auto meets = [&](const Message& other) { return overlap(ranges, turn_.ranges(other)); };
    for (std::size_t i = 0; i < turn_.receives().size(); ++i)
        if (i != receive && meets(turn_.receives()[i])) return false;
    return std::none_of(turn_.sends().begin(), turn_.sends().end(), meets);
}

}  // namespace engine::mpi
