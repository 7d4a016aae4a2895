// SPDX-License-Identifier: BSD-3-Clause
// One entry of a job on one process: its data, and how it is executed.
#pragma once

#include "engine/live/mpi/exchange.hpp"
#include "engine/live/mpi/world.hpp"

namespace engine::mpi {

class Method {
public:
    virtual ~Method() = default;
    /// Fresh data: what this rank brings, everything else wrong on purpose.
    virtual void fill() = 0;
    /// Once, between two barriers of the caller; every process of the entry calls it.
    virtual void execute() = 0;
    /// The first wrong byte as a sentence; empty when there is none.
    [[nodiscard]] virtual std::string compare() const = 0;
    /// Events that one execution records on this process.
    [[nodiscard]] virtual std::int64_t events() const = 0;
    /// Nanoseconds that making communicators of its own took this process; 0 when it needs none.
    [[nodiscard]] virtual std::int64_t setUp() const { return 0; }
};

/// The library's own collective.
std::unique_ptr<Method> ofTheLibrary(const Entry& entry, MPI_Comm comm);

/// The allreduce of `entry`, split in two halves.
std::unique_ptr<Method> splitPhase(const Entry& entry, MPI_Comm comm, Rank rank, const Mark& mark);

/// `comm` must outlive it; `mark` is read while it executes.
std::unique_ptr<Method> methodOf(const Entry& entry, MPI_Comm comm, bool neighboursOnly, Leaves leaves,
                                 const Mark& mark);

}  // namespace engine::mpi
