// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/dropin/later.hpp"

#include "engine/live/dropin/session.hpp"

#include <algorithm>
#include <cstdio>

namespace engine::mpi::dropin {

/// Lives until the program has seen its request done.
struct Later::Task {
    Arguments arguments;
    Asked call;
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

namespace {

/// The same on all processes. Tags tell apart those whose communicators of ours are made at the same time.
int tagOf(const Communicator& comm, Session& session) {
    void* most = nullptr;
    int found = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found);
    const auto end = static_cast<std::uint64_t>(found != 0 ? *static_cast<int*>(most) : 32767);
    std::uint64_t sum = 14695981039346656037ULL;
    for (const std::int32_t rank : comm.worldRanks()) sum = (sum ^ static_cast<std::uint64_t>(rank)) * 1099511628211ULL;
    sum += session.timesMet(sum);
    return static_cast<int>(sum % end);
}

}  // namespace

Later::Later(Session& session, const Communicator& comm)
    : session_{session},
      comm_{comm},
      tag_{tagOf(comm, session)},
      lane_{session, [this](bool groupBFirst) { return makeApart(groupBFirst); }},
      thread_{[this] { work(); }} {}

Later::~Later() {
    {
        const std::lock_guard lock{mutex_};
        tasks_.push_back(nullptr);
    }
    changed_.notify_one();
    thread_.join();
    if (between_ != MPI_COMM_NULL && !Apart::mpiEnds) PMPI_Comm_free(&between_);
}

void Later::add(const Asked& call, OnComm own, MPI_Request* request) {
    auto task = std::make_unique<Task>(Task{call.arguments(), call, std::move(own)});
    task->call = call.with(task->arguments);
    check(PMPI_Grequest_start(Task::query, Task::free, Task::cancel, task.get(), request), "making a request");
    task->request = *request;
    session_.begins();
    {
        const std::lock_guard lock{mutex_};
        tasks_.push_back(task.release());
    }
    changed_.notify_one();
}

void Later::work() {
    const Inside guard;
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

int Later::carryOut(const Task& task) {
    try {
        if (replace(comm_, lane_, task.call)) {
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

/// Processes come to it at any time, while others call other collectives on the program's communicator: it must not be
/// touched.
MPI_Comm Later::makeApart(bool groupBFirst) const {
    std::vector<std::int32_t> ranks = comm_.worldRanks();
    if (groupBFirst) std::rotate(ranks.begin(), ranks.begin() + comm_.groupA(), ranks.end());
    return session_.make(ranks, tag_);
}

MPI_Comm Later::alike() {
    if (!comm_.inter()) return lane_.apart().comm();
    if (between_ != MPI_COMM_NULL) return between_;
    const Apart& both = lane_.apart();
    MPI_Comm own = MPI_COMM_NULL;
    check(PMPI_Comm_split(both.comm(), comm_.isA() ? 0 : 1, both.rank().value, &own), "making groups");
    const int code = PMPI_Intercomm_create(own, 0, both.comm(), comm_.isA() ? comm_.groupA() : 0, tag_, &between_);
    PMPI_Comm_free(&own);
    check(code, "joining groups");
    PMPI_Comm_set_errhandler(between_, MPI_ERRORS_RETURN);
    return between_;
}

}  // namespace engine::mpi::dropin
