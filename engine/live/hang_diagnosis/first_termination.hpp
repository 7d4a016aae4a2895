// SPDX-License-Identifier: BSD-3-Clause
// Which process of a program ends first. Launchers end the others as soon as one was killed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

namespace engine::live {

/// Watches the processes of this machine that leave their states in the folder of a record (rank_status.hpp), from
/// when they are in MPI_Init on.
class FirstTermination {
public:
    explicit FirstTermination(std::filesystem::path folder);

    /// Its rank in MPI_COMM_WORLD; empty: none has ended yet, or several had when the first end was noticed.
    [[nodiscard]] std::optional<std::int32_t> process() const;

private:
    void watch(const std::stop_token& stop);

    std::filesystem::path folder_;
    mutable std::mutex lock_;
    std::optional<std::int32_t> first_;
    std::jthread watcher_;
};

}  // namespace engine::live
