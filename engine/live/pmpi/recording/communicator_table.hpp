// SPDX-License-Identifier: BSD-3-Clause
// The communicators of the program that were met, by their handles.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <shared_mutex>

namespace engine::mpi::pmpi {

class Communicator;

class CommunicatorTable {
public:
    /// Null where it was not met, or is freed. Locks nothing where a thread asks for the same one again.
    Communicator* find(MPI_Comm comm) noexcept {
        thread_local Found last [[gnu::tls_model("initial-exec")]];
        const std::uint64_t erased = erased_.load(std::memory_order_acquire);
        if (last.known != nullptr && last.comm == comm && last.erased == erased) return last.known;
        const std::shared_lock lock{mutex_};
        const auto found = all_.find(comm);
        if (found == all_.end()) return nullptr;
        last = {found->second, comm, erased};
        return found->second;
    }
    void add(MPI_Comm comm, Communicator& known) {
        const std::unique_lock lock{mutex_};
        all_[comm] = &known;
    }
    /// Handles are used again for others.
    void erase(MPI_Comm comm) {
        const std::unique_lock lock{mutex_};
        all_.erase(comm);
        erased_.fetch_add(1, std::memory_order_release);
    }

private:
    struct Found {
        Communicator* known = nullptr;
        MPI_Comm comm{};
        std::uint64_t erased = 0;
    };

    std::shared_mutex mutex_;
    std::atomic<std::uint64_t> erased_{0};
    std::map<MPI_Comm, Communicator*> all_;
};

}  // namespace engine::mpi::pmpi
