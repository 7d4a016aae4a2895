// SPDX-License-Identifier: BSD-3-Clause
// Requests of the program that are pending, by their handles.
#pragma once

#include "engine/live/records/rank_status.hpp"

#include <mpi.h>

#include <mutex>
#include <optional>
#include <type_traits>
#include <unordered_map>

namespace engine::mpi::pmpi {

/// What a process moves in a collective among neighbours.
struct NeighbourShare {
    std::int32_t operation = -1;  ///< of live::neighbourCalls; -1: none
    std::int32_t team = 0;
    Bytes sent = 0;
    Bytes received = 0;
};

/// What completing a request needs.
struct Pending {
    std::uint32_t number = 0;  ///< 0: it rests, to be started again
    bool persistent = false;
    bool cancelled = false;    ///< the program asked for it
    live::Step message{};      ///< what was posted; deed none for a collective
    live::Step sentToo{};      ///< what was sent by the same request: MPI_Isendrecv
    bool hasNoStatus = false;  ///< the library does not fill in the status: `message` says what was received
    std::optional<live::Call> collective{};
    NeighbourShare neighbours{};
    live::Carrier carrier{};                ///< what carries out a persistent collective, where it is known
    live::Other other = live::Other::none;  ///< what else was posted, or made a persistent collective: MPI_Comm_idup
    live::Channel channel{};                ///< of what all processes of it post together
    std::int64_t sequence = 0;              ///< there
    MPI_Comm* made = nullptr;               ///< what completing it makes
    std::int32_t partitions = 0;            ///< of a partitioned send; it is posted when all are ready
    std::int32_t ready = 0;                 ///< of these
};

using RequestKey = std::uint64_t;

/// Handles are pointers or numbers.
template <class Handle>
RequestKey keyOf(Handle request) {
    if constexpr (std::is_pointer_v<Handle>) return reinterpret_cast<RequestKey>(request);
    else return static_cast<RequestKey>(request);
}

class Requests {
public:
    /// A number for what is posted now.
    std::uint32_t number();
    /// Keeps a request. The library may hand out one handle again for what was done at once, sends and collectives:
    /// what was pending by that handle is given back.
    std::optional<Pending> add(MPI_Request request, const Pending& pending);
    /// A persistent request is posted again; nothing where it is not known.
    std::optional<Pending> start(MPI_Request request);
    /// So many partitions more are ready; what is pending when these were the last ones.
    std::optional<Pending> ready(MPI_Request request, std::int32_t partitions);
    /// What is pending.
    [[nodiscard]] std::optional<Pending> look(RequestKey key);
    /// Whether it is one of a persistent collective, pending or not.
    [[nodiscard]] bool isPersistentCollective(MPI_Request request);
    /// What was pending; a persistent request rests from now on.
    std::optional<Pending> take(RequestKey key);
    void cancel(MPI_Request request);
    /// The program gives it up.
    void forget(MPI_Request request);

private:
    std::mutex mutex_;
    std::uint32_t last_ = 0;
    std::unordered_map<RequestKey, Pending> all_;
};

}  // namespace engine::mpi::pmpi
