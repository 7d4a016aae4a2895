// SPDX-License-Identifier: BSD-3-Clause
// Scripts run in the middle of plans, which know nothing of who waits for them: a thread says for all of its work
// when a script that it runs is to end.
#pragma once

#include <stop_token>

namespace engine {

/// While it stands, scripts of this thread end with Cancelled soon after `stop` is requested. One within another counts
/// alone.
class Stopping {
public:
    explicit Stopping(std::stop_token stop);
    ~Stopping();
    Stopping(const Stopping&) = delete;
    Stopping& operator=(const Stopping&) = delete;

    /// Whether what this thread does is to end.
    [[nodiscard]] static bool requested();

private:
    std::stop_token stop_;
    const Stopping* outer_;
};

}  // namespace engine
