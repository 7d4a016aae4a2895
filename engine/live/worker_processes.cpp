// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/worker_processes.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace engine::live {

void leadWhole(WorkerProcesses& crew, std::size_t first, std::size_t last, const Job& work,
               const std::function<void(std::size_t job, std::string result)>& take) {
    std::mutex guard;
    std::map<std::size_t, std::string> coming;
    crew.lead(
        first, last,
        [&](std::size_t job) {
            std::string result = work(job);
            const std::lock_guard lock{guard};
            take(job, std::move(result));
        },
        [&](std::size_t job, std::string_view piece) {
            if (!piece.empty()) {
                coming[job] += piece;
                return;
            }
            std::string result = std::exchange(coming[job], {});
            coming.erase(job);
            const std::lock_guard lock{guard};
            take(job, std::move(result));
        });
}

void serveWhole(WorkerProcesses& crew, const Job& work) {
    crew.serve([&](std::size_t job, const Tell& tell) { tell(work(job)); });
}

}  // namespace engine::live
