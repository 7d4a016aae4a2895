// SPDX-License-Identifier: BSD-3-Clause
// The process around the command line: terminals, colours, Ctrl-C.
#pragma once

#include "app/cli/cli.hpp"

#include <chrono>
#include <stop_token>
#include <thread>

namespace app::cli {

/// Turns the first SIGINT, SIGTERM or SIGHUP into a request to stop while it lives: what was being written is then gone
/// again, and children are ended. A second SIGINT ends the program at once; SIGTERM and SIGHUP do when it has not
/// stopped after `patience`. Files that were being written are gone then, too. After `release` the signals end the
/// program as ever. A file that becomes too large is an error, no signal.
class Interrupt {
public:
    /// Time for a child to end and for a lab to be taken down.
    static constexpr std::chrono::seconds usualPatience{8};

    /// With a patience of 0 every signal ends the program at once.
    explicit Interrupt(std::chrono::seconds patience = usualPatience);
    ~Interrupt() { release(); }
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    [[nodiscard]] std::stop_token token() const { return requested_.get_token(); }
    void release();

private:
    void watch(const std::stop_token& stop);

    std::chrono::seconds patience_;
    std::stop_source requested_;
    std::jthread watcher_;
};

/// What this process finds around it; window and picture are left to the caller.
Surroundings terminal(const Interrupt& interrupt);

}  // namespace app::cli
