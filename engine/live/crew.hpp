// SPDX-License-Identifier: BSD-3-Clause
// Several processes that share a list of jobs: the first one hands them out, the others ask. Whoever is done first gets
// the next one, so that no process waits for a slow job of another.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace engine::live {

/// What a job comes to, in bytes that travel.
using Job = std::function<std::string(std::size_t job)>;

class Crew {
public:
    virtual ~Crew() = default;

    /// Whether this process hands out.
    [[nodiscard]] virtual bool leads() const = 0;
    /// Processes, this one included.
    [[nodiscard]] virtual int members() const = 0;
    /// On the first process: has jobs `first`..`last`-1 done by all, itself included, and tells their results to `take`
    /// as they come in, one at a time. All processes must mean the same by a job. Throws Error when a process gave up,
    /// and whatever `take` and `work` throw.
    virtual void lead(std::size_t first, std::size_t last, const Job& work,
                      const std::function<void(std::size_t job, std::string result)>& take) = 0;
    /// On the others: does jobs until there will be no more.
    virtual void serve(const Job& work) = 0;
};

}  // namespace engine::live
