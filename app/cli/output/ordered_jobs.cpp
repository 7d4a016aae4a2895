// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/ordered_jobs.hpp"

#include <map>
#include <utility>

namespace app::cli {

void leadInTurn(engine::live::WorkerProcesses& crew, std::size_t first, std::size_t behind,
                const engine::live::Job& work, const std::function<void(std::string result)>& take,
                const engine::Progress& progress) {
    std::map<std::size_t, std::string> early;
    std::size_t next = first;
    std::size_t finished = 0;
    leadWhole(crew, first, behind, work, [&](std::size_t job, std::string result) {
        early.emplace(job, std::move(result));
        for (auto earliest = early.begin(); earliest != early.end() && earliest->first == next;
             earliest = early.begin(), ++next) {
            take(std::move(earliest->second));
            early.erase(earliest);
        }
        progress.at(static_cast<double>(++finished) / static_cast<double>(behind - first));
    });
}

}  // namespace app::cli
