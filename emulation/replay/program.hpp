// SPDX-License-Identifier: BSD-3-Clause
// The program of every rank, whatever it was made of: what a rank does, one thing after the other, or in chains that
// wait for one another. It says nothing about when; that results from virtual time (replay.hpp).
//
// A message has a send and a receive, and each rank names its own end. A blocking call posts its end and awaits it
// next; MPI_Waitall awaits several, one after the other, which takes as long in any order.
#pragma once

#include "engine/base/by_id.hpp"
#include "engine/base/types.hpp"
#include "engine/cost/model.hpp"
#include "engine/schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace emulation {

using engine::Rank;

/// What a rank does next; in brackets what the number beside it says.
enum class Does : std::uint8_t {
    computes,       ///< for a time [ps]
    sends,          ///< posts the send of a [message]; goes on at once
    receives,       ///< posts the receive of a [message]; goes on at once
    awaitsSend,     ///< until the [message], whose send it has posted, has left
    awaitsReceive,  ///< until the [message], whose receive it has posted, is there
    enters,         ///< takes part in a [collective]
    starts,         ///< takes part in a [collective] beside what follows
    ends,           ///< waits for a [collective] that it has started
    lingers,        ///< for a time [ps] in the collective that came before, where no schedule says what that took
    reaches,        ///< a [milestone], for the other chains of its rank; goes on at once
    passes,         ///< a [milestone], as soon as it is reached
};

/// What one rank does: columns of 9 bytes.
class Operations {
public:
    void add(Does what, std::int64_t number) {
        what_.push_back(what);
        number_.push_back(number);
    }
    [[nodiscard]] std::size_t size() const { return what_.size(); }
    [[nodiscard]] Does what(std::size_t i) const { return what_[i]; }
    [[nodiscard]] std::int64_t number(std::size_t i) const { return number_[i]; }

    friend bool operator==(const Operations&, const Operations&) = default;

private:
    std::vector<Does> what_;
    std::vector<std::int64_t> number_;
};

/// Messages between two ranks, outside of collectives.
struct PointToPoint {
    std::vector<Rank> from;
    std::vector<Rank> to;
    std::vector<engine::Bytes> bytes;
    /// Messages of one number are in flight together and share links; empty: each is alone.
    std::vector<std::int64_t> together;
    /// Of a rendezvous, whatever its bytes (MPI_Ssend): not 0; empty: the eager limit says.
    std::vector<std::uint8_t> synchronous{};

    [[nodiscard]] std::size_t size() const { return from.size(); }
};

/// One collective and who takes part.
struct CollectiveDone {
    /// Members by their rank in it, each once.
    std::shared_ptr<const std::vector<Rank>> members;
    /// As many ranks as members; null: nothing is known but that nobody leaves before all have entered.
    engine::SchedulePtr schedule;
    engine::Rate gamma{};  ///< time per byte combined
    /// Its own alpha and beta; null: those of the conditions, which count in any case under LogGP and where links are
    /// shared fairly.
    std::shared_ptr<const engine::Model> model{};
};

/// A collective that a rank starts on a stream of its accelerator, where collectives follow one another.
struct OnStream {
    static constexpr std::int64_t none = -1;
    std::int64_t after = none;      ///< the [collective] before it on the stream, which must have ended
    engine::Picoseconds delay{};    ///< from the rank's start of it to the earliest time at which the rank enters it
    engine::Picoseconds lingers{};  ///< from the last member's entry to the rank's exit, where there is no schedule
    /// False: it does not wait for the last member, as the root of a broadcast, and `lingers` counts from its own
    /// entry.
    bool waits = true;
};

/// A part of what a rank does that follows its own order: its other chains run beside it. It takes part in no
/// collective.
struct Chain {
    Rank rank;
    /// Counted through all ranks: what chains compute on one processor takes turns, in the order in which it becomes
    /// ready. Under LogGP a rank has one processor, whatever this says.
    std::int32_t processor = 0;
    Operations does{};
};

struct Program {
    engine::ById<Rank, Operations> ranks;
    PointToPoint messages;
    std::vector<CollectiveDone> collectives;
    /// By rank, beside what it `starts`, in that order; empty where collectives that are started know no streams.
    engine::ById<Rank, std::vector<OnStream>> streams{};
    std::vector<Chain> chains{};  ///< beside what `ranks` do
    std::int64_t milestones = 0;  ///< each is reached once, by one chain
    std::int32_t processors = 0;  ///< of chains
    /// By rank: so much of what it computes first is MPI_Init, which slow ranks do not prolong; empty: nothing.
    engine::ById<Rank, engine::Picoseconds> setUp{};
};

}  // namespace emulation
