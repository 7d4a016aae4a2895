// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/hang_diagnosis/first_termination.hpp"

#include "engine/live/hang_diagnosis/process_states.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

namespace engine::live {
namespace {

/// Of processes, by rank.
class Descriptors {
public:
    Descriptors() = default;
    Descriptors(const Descriptors&) = delete;
    Descriptors& operator=(const Descriptors&) = delete;
    ~Descriptors() {
        for (const pollfd& one : all_)
            if (one.fd >= 0) close(one.fd);
    }

    /// Opens those of processes that have begun since.
    void find(const std::filesystem::path& folder) {
        const auto known = static_cast<std::int32_t>(all_.size());
        if (known == 0) {
            const auto first = readRankStatus(rankStatusFileOf(folder, 0));
            if (first == nullptr || first->pid == 0) return;
            constexpr std::int32_t most = 1024;  // descriptors of a process, as a rule; of more nothing is known
            if (first->processes <= most / 2) all_.resize(asSize(first->processes), {-1, POLLIN, 0});
            isOpen_.resize(all_.size());
        }
        for (std::size_t process = 0; process < all_.size(); ++process) {
            if (isOpen_[process]) continue;
            const auto status = readRankStatus(rankStatusFileOf(folder, static_cast<std::int32_t>(process)));
            if (status == nullptr || status->pid == 0) continue;
            isOpen_[process] = true;
            if (!isOfThisMachine(*status)) continue;
            all_[process].fd = static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(status->pid), 0));
            if (all_[process].fd < 0 && errno == ESRCH) gone_.push_back(static_cast<std::int32_t>(process));
        }
    }
    [[nodiscard]] bool areAllOpen() const {
        return !isOpen_.empty() && std::ranges::all_of(isOpen_, [](bool open) { return open; });
    }

    /// Those that have ended after up to `milliseconds`.
    std::vector<std::int32_t> ended(int milliseconds) {
        poll(all_.data(), all_.size(), gone_.empty() ? milliseconds : 0);
        for (std::size_t process = 0; process < all_.size(); ++process)
            if (all_[process].revents != 0) gone_.push_back(static_cast<std::int32_t>(process));
        return gone_;
    }

private:
    std::vector<pollfd> all_;  ///< -1 where there is none: poll() passes over it
    std::vector<bool> isOpen_;
    std::vector<std::int32_t> gone_;
};

}  // namespace

FirstTermination::FirstTermination(std::filesystem::path folder)
    : folder_{std::move(folder)}, watcher_{[this](const std::stop_token& stop) { watch(stop); }} {}

std::optional<std::int32_t> FirstTermination::process() const {
    const std::scoped_lock guard{lock_};
    return first_;
}

void FirstTermination::watch(const std::stop_token& stop) {
    Descriptors processes;
    while (!stop.stop_requested()) {
        const bool complete = processes.areAllOpen();
        if (!complete) processes.find(folder_);
        // A process may crash as soon as it has left MPI_Init.
        constexpr int often = 5, seldom = 50;  // ms
        const std::vector<std::int32_t> ended = processes.ended(complete ? seldom : often);
        if (ended.empty()) continue;
        const std::scoped_lock guard{lock_};
        if (ended.size() == 1) first_ = ended.front();
        return;
    }
}

}  // namespace engine::live
