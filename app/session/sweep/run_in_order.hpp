// SPDX-License-Identifier: BSD-3-Clause
// Jobs on several threads, whose results are reported in the order of the jobs.
#pragma once

#include "engine/run/executor.hpp"

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace app {

/// Has `work(job, progress)` done for each of `jobs` on `threads` threads (>= 1), and tells `onDone(job, result)` of
/// each as soon as it and all before it are done, from one thread at a time. Throws Cancelled, and whatever `work` and
/// `onDone` throw, after all threads have stopped.
template <class Result, class Work>
void runInOrder(std::size_t jobs, int threads, const Work& work,
                const std::function<void(std::size_t, const Result&)>& onDone, const engine::Progress& progress) {
    std::stop_source stop;
    const std::stop_callback passedOn{progress.stop, [&] { stop.request_stop(); }};
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr fault;
    std::vector<std::optional<Result>> results(jobs);  // until all before them have been told
    std::size_t told = 0;
    std::size_t finished = 0;
    const auto add = [&](std::size_t job, Result result) {
        const std::lock_guard lock{mutex};
        results[job] = std::move(result);
        ++finished;
        for (; told < jobs && results[told]; ++told) onDone(told, *results[told]);
        if (progress.report) progress.report(static_cast<double>(finished) / static_cast<double>(jobs));
    };
    const auto goOn = [&] {
        try {
            for (std::size_t job; !stop.stop_requested() && (job = next++) < jobs;)
                add(job, work(job, engine::Progress{.report = {}, .stop = stop.get_token()}));
        } catch (...) {
            const std::lock_guard lock{mutex};
            if (!fault) fault = std::current_exception();
            stop.request_stop();
        }
    };
    {
        std::vector<std::jthread> others;
        for (int i = 1; i < threads; ++i) others.emplace_back(goOn);
        goOn();
    }
    if (fault) std::rethrow_exception(fault);
    progress.at(1);
}

}  // namespace app
