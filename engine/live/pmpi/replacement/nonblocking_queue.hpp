// SPDX-License-Identifier: BSD-3-Clause
// Calls that do not block, replaced: a thread of each communicator carries them out, one after the other as they were
// called, on communicators of ours. Those are made with the program's, by all processes together: later they may come
// to their communicators in any order, and no library makes communicators on several threads in orders that cross. To
// the program they are generalised requests of the library's, which its own MPI_Wait and MPI_Test know. Needs
// MPI_THREAD_MULTIPLE.
#pragma once

#include "engine/live/pmpi/replacement/replace.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace engine::mpi::pmpi {

/// The library's own call that blocks, on a communicator with the same processes as the program's.
using OnComm = std::function<int(MPI_Comm)>;

class NonblockingQueue {
public:
    /// `ours` are like `comm`, one for each order of two groups; `between` is one of two groups, where `comm` is. They
    /// are freed with it.
    NonblockingQueue(RecorderSession& session, const Communicator& comm, std::array<MPI_Comm, 2> ours,
                     MPI_Comm between);
    /// When all of them are done.
    ~NonblockingQueue();
    NonblockingQueue(const NonblockingQueue&) = delete;
    NonblockingQueue& operator=(const NonblockingQueue&) = delete;

    /// Where no rule can be followed after all, `own` does it.
    void add(const CollectiveRequest& call, OnComm own, MPI_Request* request);

private:
    struct Task;

    void work();
    int carryOut(const Task& task);
    /// A communicator of ours that is like the program's, also where it is one of two groups.
    MPI_Comm alike();

    RecorderSession& session_;
    const Communicator& comm_;
    CommunicatorContext context_;
    MPI_Comm between_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task*> tasks_;
    std::thread thread_;  ///< from the first call on
};

}  // namespace engine::mpi::pmpi
