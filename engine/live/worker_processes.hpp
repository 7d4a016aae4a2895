// SPDX-License-Identifier: BSD-3-Clause
// Several processes that share a list of jobs: the first one hands them out, the others ask. Whoever is done first gets
// the next one, so that no process waits for a slow job of another.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace engine::live {

/// Says something of what a job comes to, in bytes that travel; nothing where `piece` is empty.
using Tell = std::function<void(std::string_view piece)>;

class WorkerProcesses {
public:
    virtual ~WorkerProcesses() = default;

    /// Whether this process hands out.
    [[nodiscard]] virtual bool leads() const = 0;
    /// Processes, this one included.
    [[nodiscard]] virtual int members() const = 0;
    /// On the first process: has jobs `first`..`last`-1 done by all. Its own ones are done by `own`, one after the
    /// other on another thread. What the others tell of theirs is heard on this one as it comes in, pieces of a job in
    /// their order and between pieces of others; an empty one says that there will be no more of it. All processes must
    /// mean the same by a job. Throws Error when a process gave up, and whatever `own` and `hear` throw.
    virtual void lead(std::size_t first, std::size_t last, const std::function<void(std::size_t job)>& own,
                      const std::function<void(std::size_t job, std::string_view piece)>& hear) = 0;
    /// On the others: does jobs until there will be no more.
    virtual void serve(const std::function<void(std::size_t job, const Tell& tell)>& work) = 0;
};

/// What a job comes to, where that is small.
using Job = std::function<std::string(std::size_t job)>;

/// WorkerProcesses::lead, with whole results: tells them to `take` as they come in, one at a time, from either thread.
void leadWhole(WorkerProcesses& crew, std::size_t first, std::size_t last, const Job& work,
               const std::function<void(std::size_t job, std::string result)>& take);
void serveWhole(WorkerProcesses& crew, const Job& work);

}  // namespace engine::live
