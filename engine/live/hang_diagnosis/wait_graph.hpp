// SPDX-License-Identifier: BSD-3-Clause
// Which rank waits for which in a program that hangs, and whose absence that comes from.
#pragma once

#include <cstdint>
#include <vector>

namespace engine::live {

class WaitGraph {
public:
    explicit WaitGraph(std::int32_t processes) : processes_{processes} {}

    /// `waiters` wait until all of `awaited` have come. `together`: in a call that they make together, and which
    /// `entered` have entered, rising, whether they wait in it or not. Empty `awaited`: they wait for nobody, or for
    /// somebody who is not known.
    void add(std::vector<std::int32_t> waiters, std::vector<std::int32_t> awaited, bool together,
             std::vector<std::int32_t> entered = {});

    struct Verdict {
        /// By process: others wait for it, and it waits for nobody; or, where all wait in a circle, it is the odd one
        /// out. Whoever only waits for such a process is not at fault.
        std::vector<bool> atFault{};
        /// Processes that wait for each other, of which none is the odd one out.
        std::vector<std::vector<std::int32_t>> circles{};
    };
    [[nodiscard]] Verdict judge() const;

private:
    struct Wait {
        std::vector<std::int32_t> waiters, awaited, entered;
        bool together = false;
    };
    /// Somebody who waits in `later` has entered `earlier` before.
    [[nodiscard]] static bool precedes(const Wait& earlier, const Wait& later);
    [[nodiscard]] std::vector<std::vector<std::int32_t>> edges() const;
    void judgeCircle(const std::vector<std::int32_t>& nodes, Verdict& verdict) const;

    std::int32_t processes_;
    std::vector<Wait> waits_;
};

}  // namespace engine::live
