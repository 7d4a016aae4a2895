// SPDX-License-Identifier: BSD-3-Clause
// The process around the command line: terminals, colours, Ctrl-C.
#pragma once

#include "app/cli/cli.hpp"

#include <csignal>
#include <thread>
#include <vector>

namespace app::cli {

/// Turns the first of some signals into a request to stop while it lives: what was being written is then gone again,
/// and children are ended. A second SIGINT ends the program at once; SIGTERM and SIGHUP do when it has not stopped
/// after some seconds. After `release` the signals end the program as ever. A file that becomes too large is an error,
/// no signal.
class Interrupt {
public:
    explicit Interrupt(std::vector<int> signals = {SIGINT});
    ~Interrupt() { release(); }
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    [[nodiscard]] std::stop_token token() const { return requested_.get_token(); }
    void release();

private:
    void watch(const std::stop_token& stop);

    std::vector<int> signals_;
    std::stop_source requested_;
    std::jthread watcher_;
};

/// What this process finds around it; window and picture are left to the caller.
Surroundings terminal(const Interrupt& interrupt);

}  // namespace app::cli
