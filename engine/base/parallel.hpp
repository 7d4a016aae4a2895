// SPDX-License-Identifier: BSD-3-Clause
// One piece of work for each of many things, side by side on all processors.
#pragma once

#include "engine/base/processors.hpp"
#include "engine/base/types.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace engine {

/// Calls `work(i)` for every i below `count`, in no order; the calling thread works too and calls `pause()` now and
/// then. The first exception ends the rest and is thrown here.
template <class Work, class Pause>
void parallelFor(std::size_t count, Work work, Pause pause) {
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
        const auto all = static_cast<std::size_t>(processors());
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min(all, count); ++i) others.emplace_back(run, false);
        run(true);
    }
    if (failure) std::rethrow_exception(failure);
}

template <class Work>
void parallelFor(std::size_t count, Work work) {
    parallelFor(count, work, [] {});
}

/// Behind the ranks from `first` on that are worth being side by side: one for each processor at least, and `enough`
/// things in all, of which a rank has `countOf(rank)`. Of more than that the things found at once would need more room.
template <class CountOf>
Rank worthTogether(Rank first, std::int32_t ranks, std::size_t enough, CountOf countOf) {
    const std::int32_t all = processors();
    Rank behind = first;
    for (std::size_t things = 0; behind.value < ranks && (behind.value - first.value < all || things < enough);
         ++behind)
        things += countOf(behind);
    return behind;
}

}  // namespace engine
