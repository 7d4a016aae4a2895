// SPDX-License-Identifier: BSD-3-Clause
// The process around the command line: terminals, colours, Ctrl-C.
#pragma once

#include "app/cli/cli.hpp"

#include <thread>

namespace app::cli {

/// Turns the first SIGINT into a request to stop while it lives; after `release` the signal ends the program again.
class Interrupt {
public:
    Interrupt();
    ~Interrupt() { release(); }
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    [[nodiscard]] std::stop_token token() const { return requested_.get_token(); }
    void release();

private:
    std::stop_source requested_;
    std::jthread watcher_;
};

/// What this process finds around it; window and picture are left to the caller.
Surroundings terminal(const Interrupt& interrupt);

}  // namespace app::cli
