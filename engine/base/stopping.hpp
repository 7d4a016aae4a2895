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

/// While it stands, scripts of all threads that have no Stopping of their own end with Cancelled soon after `stop` is
/// requested. Made and ended while no other thread runs scripts; one within another counts alone.
class StoppingAll {
public:
    explicit StoppingAll(std::stop_token stop);
    ~StoppingAll();
    StoppingAll(const StoppingAll&) = delete;
    StoppingAll& operator=(const StoppingAll&) = delete;

private:
    std::stop_token stop_;
    const std::stop_token* outer_;
};

}  // namespace engine
