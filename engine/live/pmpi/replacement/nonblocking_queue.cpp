// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/replacement/nonblocking_queue.hpp"

#include "engine/live/pmpi/recording/recorder_session.hpp"

#include <cstdio>

namespace engine::mpi::pmpi {

/// Lives until the program has seen its request done.
struct NonblockingQueue::Task {
    Arguments arguments;
    CollectiveRequest call;
    OnComm own;
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS;

    static int query(void* task, MPI_Status* status) {
        PMPI_Status_set_elements(status, MPI_BYTE, 0);
        PMPI_Status_set_cancelled(status, 0);
        status->MPI_SOURCE = MPI_UNDEFINED;
        status->MPI_TAG = MPI_UNDEFINED;
        return static_cast<Task*>(task)->code;
    }
    static int free(void* task) {
        delete static_cast<Task*>(task);
        return MPI_SUCCESS;
    }
    /// A collective cannot be cancelled.
    static int cancel(void*, int) { return MPI_SUCCESS; }
};

NonblockingQueue::NonblockingQueue(RecorderSession& session, const Communicator& comm, std::array<MPI_Comm, 2> ours,
                                   MPI_Comm between)
    : session_{session},
      comm_{comm},
      context_{session, [ours](bool groupBFirst) { return ours[groupBFirst ? 1 : 0]; }},
      between_{between} {
    (void)context_.apart();
    if (comm.inter()) (void)context_.apart(true);
}

NonblockingQueue::~NonblockingQueue() {
    {
        const std::lock_guard lock{mutex_};
        tasks_.push_back(nullptr);
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
    if (between_ != MPI_COMM_NULL && !PrivateCommunicator::mpiEnds) PMPI_Comm_free(&between_);
}

void NonblockingQueue::add(const CollectiveRequest& call, OnComm own, MPI_Request* request) {
    auto task = std::make_unique<Task>(Task{call.arguments(), call, std::move(own)});
    task->call = call.with(task->arguments);
    check(PMPI_Grequest_start(Task::query, Task::free, Task::cancel, task.get(), request), "making a request");
    task->request = *request;
    session_.begins();
    {
        const std::lock_guard lock{mutex_};
        tasks_.push_back(task.release());
        if (!thread_.joinable()) thread_ = std::thread{[this] { work(); }};
    }
    changed_.notify_one();
}

void NonblockingQueue::work() {
    const InsideRecorder guard;
    for (;;) {
        Task* task = nullptr;
        {
            std::unique_lock lock{mutex_};
            changed_.wait(lock, [this] { return !tasks_.empty(); });
            task = tasks_.front();
            tasks_.pop_front();
        }
        if (task == nullptr) return;
        task->code = carryOut(*task);
        const MPI_Request request = task->request;
        session_.ends();
        PMPI_Grequest_complete(request);  // the task may be gone from here on
    }
}

int NonblockingQueue::carryOut(const Task& task) {
    try {
        if (replace(comm_, context_, task.call)) {
            session_.replacedLater();
            return MPI_SUCCESS;
        }
        return task.own(alike());
    } catch (const Failed& failure) {
        std::fprintf(stderr, "collscope: %s\n", failure.what());
        return failure.code();
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "collscope: %s\n", failure.what());
        return MPI_ERR_OTHER;
    }
}

MPI_Comm NonblockingQueue::alike() { return comm_.inter() ? between_ : context_.apart().comm(); }

}  // namespace engine::mpi::pmpi
