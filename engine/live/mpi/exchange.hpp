// SPDX-License-Identifier: BSD-3-Clause
// One rank's turns as messages of the library.
#pragma once

#include "engine/live/mpi/mpi_library.hpp"
#include "engine/live/mpi/recorder.hpp"
#include "engine/live/mpi/send_permission.hpp"
#include "engine/live/threads/buffers.hpp"
#include "engine/schedule/wiring.hpp"

#include <memory>
#include <vector>

namespace engine::mpi {

/// The data of one side of a message for the length of a turn: where they lie, or a copy.
struct MessageBuffer {
    const Message* message = nullptr;
    std::byte* data = nullptr;
    Bytes size = 0;
    bool copied = false;  ///< a receive that has to be applied when all are in
    std::vector<std::byte> store{};
};

/// A rank's sends, or its receives, until both join.
class TurnSide {
public:
    virtual ~TurnSide() = default;
    /// Makes the next buffers ready; false when there are none left.
    virtual bool next() = 0;
    [[nodiscard]] virtual Round round() const = 0;
    virtual std::vector<MessageBuffer>& buffers() = 0;
    /// All of them have finished.
    virtual void done() = 0;
};

/// How the buffers of a turn travel. Records every one of them.
class Exchange {
public:
    virtual ~Exchange() = default;
    /// Carries both sides, each as fast as it can; false, and nothing done, where one has to wait for the other.
    virtual bool carryUncoupled(TurnSide& sends, TurnSide& receives) = 0;
    /// Returns when all have finished. A received buffer's `size` becomes what came.
    virtual void carry(Round round, std::vector<MessageBuffer>& sends, std::vector<MessageBuffer>& receives) = 0;
};

/// What all records of one execution have in common.
struct Mark {
    std::int32_t repeat = 0;
    std::uint16_t entry = 0;
    Recorder* recorder = nullptr;  ///< null while warming up

    void note(live::Kind kind, std::int64_t begin, std::int64_t end, Round round, std::size_t place,
              const MessageBuffer& buffer) const {
        if (recorder != nullptr)
            recorder->add({.begin = begin,
                           .end = end,
                           .round = round.value,
                           .bytes = buffer.size,
                           .peer = buffer.message->peer.value,
                           .repeat = repeat,
                           .kind = kind,
                           .entry = entry,
                           .place = static_cast<std::uint16_t>(place)});
    }
};

/// Anyone to anyone: receives at once, and at most `ports` sends of a turn, those beyond them when earlier ones have
/// finished. Which message comes first is not the receiver's to say.
std::unique_ptr<Exchange> freeExchange(MPI_Comm comm, const Mark& mark, int ports, Leaves leaves = Leaves::atOnce);

/// For the drop-in library, whose processes have what ports they have.
inline constexpr int anyPorts = 1 << 20;

/// Only `sendrecv` with a direct neighbour on the ring or torus of `comm`, one at a time: along each dimension first to
/// the next and from the one before, then the other way. Any other message is an Error that names rank, round and peer.
std::unique_ptr<Exchange> neighbourExchange(MPI_Comm comm, const Mark& mark, Leaves leaves = Leaves::atOnce);

/// A communicator whose ranks stand on `wiring`, placed by the library.
MPI_Comm placedOn(const Wiring& wiring, MPI_Comm comm);

/// Executes the plan once on this rank.
class Walker {
public:
    Walker(const Schedule& schedule, Holdings& holdings, Rank rank, Exchange& exchange, const Mark& mark)
        : schedule_{schedule}, holdings_{holdings}, rank_{rank}, exchange_{exchange}, mark_{mark} {}

    void walk();

private:
    class OwnTurnSide;

    bool walkUncoupled(Rounds rounds);
    void take(Round round);
    void prepareSends(const Turn& turn, std::vector<MessageBuffer>& sends);
    void prepareReceives(const Turn& turn, std::vector<MessageBuffer>& receives);
    void apply(Round round, const Turn& turn, const std::vector<MessageBuffer>& receives);
    void noteTurn(Round round, std::int64_t begin);

    const Schedule& schedule_;
    Holdings& holdings_;
    Rank rank_;
    Exchange& exchange_;
    const Mark& mark_;
    Turn turn_;
    std::vector<MessageBuffer> sends_;
    std::vector<MessageBuffer> receives_;
};

}  // namespace engine::mpi
