// SPDX-License-Identifier: BSD-3-Clause
// Whose the windows of the program are, by their handles, and whom they are open to.
#pragma once

#include "engine/live/pmpi/recording/collective_handles.hpp"

#include <vector>

namespace engine::mpi::pmpi {

/// A window by the number of its communicator, and which of its windows that is, from 1: all its processes make them in
/// one order.
struct WindowOf {
    std::int32_t team = 0;
    std::uint32_t number = 0;
};

class Windows {
public:
    void add(MPI_Win window, std::int32_t team) {
        const std::lock_guard lock{mutex_};
        windows_.insert_or_assign(keyOf(window), Known{{team, ++made_[team]}, {}, {}, 0});
    }
    /// Nothing where that is not known.
    [[nodiscard]] std::optional<WindowOf> of(MPI_Win window) {
        const std::lock_guard lock{mutex_};
        const auto found = windows_.find(keyOf(window));
        return found != windows_.end() ? std::optional{found->second.window} : std::nullopt;
    }
    [[nodiscard]] live::Channel channelOf(MPI_Win window) {
        const auto known = of(window);
        return known ? live::Channel{known->team, known->number, live::Channel::Kind::window} : live::Channel{};
    }
    /// The next call that all of the window make together; nothing of a window that is not known.
    [[nodiscard]] CollectivePosition next(MPI_Win window) {
        const std::lock_guard lock{mutex_};
        const auto found = windows_.find(keyOf(window));
        if (found == windows_.end()) return {};
        const WindowOf& its = found->second.window;
        return {{its.team, its.number, live::Channel::Kind::window}, ++found->second.calls};
    }
    void forget(MPI_Win window) {
        const std::lock_guard lock{mutex_};
        windows_.erase(keyOf(window));
    }

    enum class Side : std::uint8_t { exposed, accessed };
    /// Ranks that the window is opened to, or whose it means to write and read, until it ends.
    void begin(MPI_Win window, Side side, std::vector<std::int32_t> ranks) {
        const std::lock_guard lock{mutex_};
        if (const auto found = windows_.find(keyOf(window)); found != windows_.end())
            ranksOf(found->second, side) = std::move(ranks);
    }
    /// Those that it began with.
    [[nodiscard]] std::vector<std::int32_t> end(MPI_Win window, Side side) {
        const std::lock_guard lock{mutex_};
        const auto found = windows_.find(keyOf(window));
        if (found == windows_.end()) return {};
        return std::exchange(ranksOf(found->second, side), {});
    }

private:
    struct Known {
        WindowOf window;
        std::vector<std::int32_t> exposed, accessed;
        std::int64_t calls = 0;  ///< that all of it make together
    };
    static std::vector<std::int32_t>& ranksOf(Known& known, Side side) {
        return side == Side::exposed ? known.exposed : known.accessed;
    }

    std::mutex mutex_;
    std::unordered_map<std::uint64_t, Known> windows_;
    std::unordered_map<std::int32_t, std::uint32_t> made_;  ///< by communicator
};

}  // namespace engine::mpi::pmpi
