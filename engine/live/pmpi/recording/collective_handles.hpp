// SPDX-License-Identifier: BSD-3-Clause
// The files, and the groups that make communicators, of the program: whose calls their processes make together.
#pragma once

#include "engine/live/pmpi/recording/requests.hpp"
#include "engine/live/records/rank_status.hpp"

namespace engine::mpi::pmpi {

/// A call that several processes make together: which channel counts it, and its number there.
struct CollectivePosition {
    live::Channel channel{};
    std::int64_t sequence = 0;  ///< 0: of none that is known
};

/// Calls by the handle of what counts them, beside communicators and windows.
class FileHandles {
public:
    /// All processes of a communicator open its files in one order; gives its number.
    std::uint32_t add(MPI_File file, std::int32_t team) {
        const std::lock_guard lock{mutex_};
        const std::uint32_t number = ++made_[team];
        files_.insert_or_assign(keyOf(file), Known{{team, number, live::Channel::Kind::file}});
        return number;
    }
    /// The next call that all of the file make together; nothing of a file that is not known.
    [[nodiscard]] CollectivePosition next(MPI_File file) {
        const std::lock_guard lock{mutex_};
        const auto found = files_.find(keyOf(file));
        if (found == files_.end()) return {};
        return {found->second.channel, ++found->second.calls};
    }
    /// Nothing of a file that is not known.
    [[nodiscard]] live::Channel channelOf(MPI_File file) {
        const std::lock_guard lock{mutex_};
        const auto found = files_.find(keyOf(file));
        return found != files_.end() ? found->second.channel : live::Channel{};
    }
    void forget(MPI_File file) {
        const std::lock_guard lock{mutex_};
        files_.erase(keyOf(file));
    }

private:
    struct Known {
        live::Channel channel;
        std::int64_t calls = 0;
    };

    std::mutex mutex_;
    std::unordered_map<RequestKey, Known> files_;
    std::unordered_map<std::int32_t, std::uint32_t> made_;  ///< by communicator
};

/// What a call is counted by, where that is not a communicator.
struct OfFile {
    MPI_File file;
};
struct OfWindow {
    MPI_Win window;
};

}  // namespace engine::mpi::pmpi
