// SPDX-License-Identifier: BSD-3-Clause
// A crew of two processes, one of which is a thread: whatever is told goes through the bytes that would travel.
#pragma once

#include "engine/live/worker_processes.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

namespace support {

class TwoProcesses {
    using Work = std::function<void(std::size_t job, const engine::live::Tell& tell)>;

    class Member : public engine::live::WorkerProcesses {
    public:
        Member(TwoProcesses& both, bool leads) : both_{both}, leads_{leads} {}
        [[nodiscard]] bool leads() const override { return leads_; }
        [[nodiscard]] int members() const override { return 2; }
        /// Every second job is the other's.
        void lead(std::size_t first, std::size_t last, const std::function<void(std::size_t)>& own,
                  const std::function<void(std::size_t, std::string_view)>& hear) override {
            {
                std::unique_lock lock{both_.guard_};
                both_.changed_.wait(lock, [&] { return both_.work_ != nullptr; });
            }
            for (std::size_t job = first; job < last; ++job) {
                if (job % 2 == 0) {
                    own(job);
                    continue;
                }
                (*both_.work_)(job, [&](std::string_view piece) {
                    if (piece.empty()) return;
                    ++both_.pieces;
                    hear(job, piece);
                });
                hear(job, {});
            }
            const std::lock_guard lock{both_.guard_};
            both_.over_ = true;
            both_.changed_.notify_all();
        }
        void serve(const Work& work) override {
            std::unique_lock lock{both_.guard_};
            both_.work_ = &work;
            both_.changed_.notify_all();
            both_.changed_.wait(lock, [&] { return both_.over_; });
        }

    private:
        TwoProcesses& both_;
        bool leads_;
    };

public:
    engine::live::WorkerProcesses& first() { return first_; }
    engine::live::WorkerProcesses& second() { return second_; }

    int pieces = 0;  ///< that were told

private:
    Member first_{*this, true};
    Member second_{*this, false};
    std::mutex guard_;
    std::condition_variable changed_;
    const Work* work_ = nullptr;
    bool over_ = false;
};

}  // namespace support
