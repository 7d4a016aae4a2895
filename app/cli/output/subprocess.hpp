// SPDX-License-Identifier: BSD-3-Clause
// Work for others, done in a process of its own, so that whatever it does to itself nobody else notices.
#pragma once

#include "engine/run/executor.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace app::cli {

/// What a process apart may use.
struct Allowance {
    std::chrono::milliseconds time{5000};
    std::int64_t memory = std::int64_t{256} << 20;  ///< bytes that it asks for itself
};

struct Apart {
    std::vector<std::string> lines;  ///< what the work said before it ended
    std::string trouble{};           ///< why it did not come to its end, as a clause; empty when it did
};

/// Carries out `work` in a process of its own; it says lines. Throws Cancelled, and the process is gone then.
Apart inAProcess(const std::function<void(const std::function<void(const std::string&)>& say)>& work,
                 const Allowance& allowance, const engine::Progress& progress);

}  // namespace app::cli
