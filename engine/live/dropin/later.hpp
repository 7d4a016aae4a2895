// SPDX-License-Identifier: BSD-3-Clause
// Calls that do not block, replaced: a thread of each communicator carries them out, one after the other as they were
// called, on communicators of its own. To the program they are generalised requests of the library's, which its own
// MPI_Wait and MPI_Test know. Needs MPI_THREAD_MULTIPLE.
#pragma once

#include "engine/live/dropin/replace.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace engine::mpi::dropin {

/// The library's own call that blocks, on a communicator with the same processes as the program's.
using OnComm = std::function<int(MPI_Comm)>;

class Later {
public:
    Later(Session& session, const Communicator& comm);
    /// When all of them are done.
    ~Later();
    Later(const Later&) = delete;
    Later& operator=(const Later&) = delete;

    /// Where no rule can be followed after all, `own` does it.
    void add(const Asked& call, OnComm own, MPI_Request* request);

private:
    struct Task;

    void work();
    int carryOut(const Task& task);
    MPI_Comm makeApart(bool groupBFirst) const;
    /// A communicator of ours that is like the program's, also where it is one of two groups.
    MPI_Comm alike();

    Session& session_;
    const Communicator& comm_;
    int tag_;
    Lane lane_;
    MPI_Comm between_ = MPI_COMM_NULL;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task*> tasks_;
    std::thread thread_;  ///< last: it works from the beginning on
};

}  // namespace engine::mpi::dropin
