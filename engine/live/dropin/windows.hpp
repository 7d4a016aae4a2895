// SPDX-License-Identifier: BSD-3-Clause
// Whose the windows of the program are, by their handles.
#pragma once

#include "engine/live/dropin/requests.hpp"

namespace engine::mpi::dropin {

class Windows {
public:
    void add(MPI_Win window, std::int32_t team) {
        const std::lock_guard lock{mutex_};
        teams_.insert_or_assign(keyOf(window), team);
    }
    /// The number of its communicator; nothing where that is not known.
    [[nodiscard]] std::optional<std::int32_t> teamOf(MPI_Win window) {
        const std::lock_guard lock{mutex_};
        const auto found = teams_.find(keyOf(window));
        return found != teams_.end() ? std::optional{found->second} : std::nullopt;
    }
    void forget(MPI_Win window) {
        const std::lock_guard lock{mutex_};
        teams_.erase(keyOf(window));
    }

private:
    std::mutex mutex_;
    std::unordered_map<std::uint64_t, std::int32_t> teams_;
};

}  // namespace engine::mpi::dropin
