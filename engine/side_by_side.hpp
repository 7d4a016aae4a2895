// SPDX-License-Identifier: BSD-3-Clause
// One piece of work for each of many things, side by side on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace engine {

/// Calls `work(i)` for every i below `count`, in no order; the calling thread works too and calls `pause()` now and
/// then. The first exception ends the rest and is thrown here.
template <class Work, class Pause>
void sideBySide(std::size_t count, Work work, Pause pause) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;
    std::mutex guard;
    const auto run = [&](bool first) {
        try {
            for (std::size_t i = next++; i < count && !failed; i = next++) {
                if (first) pause();
                work(i);
            }
        } catch (...) {
            const std::lock_guard lock{guard};
            if (!failure) failure = std::current_exception();
            failed = true;
        }
    };
    {
        const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min(cores, count); ++i) others.emplace_back(run, false);
        run(true);
    }
    if (failure) std::rethrow_exception(failure);
}

template <class Work>
void sideBySide(std::size_t count, Work work) {
    sideBySide(count, work, [] {});
}

}  // namespace engine
