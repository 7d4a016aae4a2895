// SPDX-License-Identifier: BSD-3-Clause
// Who runs a plan: threads here, MPI in engine/live/mpi, virtual time in emulation.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/base/error.hpp"
#include "engine/run/run.hpp"

#include <functional>
#include <stop_token>

namespace engine {

/// How far a long work has come, and whether it should go on. Both parts may be empty.
struct Progress {
    /// Called now and then with a share 0..1; from any thread.
    std::function<void(double)> report{};
    std::stop_token stop{};

    void at(double share) const {
        if (report) report(share);
        if (stop.stop_requested()) throw Cancelled{};
    }
};

/// What came out of a live run: its record, and whether the data were right.
struct Execution {
    Run run;
    bool correct = true;
    std::string fault{};  ///< the first wrong byte or element as a sentence, when not correct
};

/// Writes into `run` what is known from its plan: algorithm, options, problem, groups. Executors call it.
void describe(const Plan& plan, Run& run);

}  // namespace engine
