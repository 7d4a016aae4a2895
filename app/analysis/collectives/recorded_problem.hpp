// SPDX-License-Identifier: BSD-3-Clause
// From what a recorder counted in a collective to the problem it solved. Recorders count differently:
//   totals      Score-P: all bytes a rank's part moves, own share included: p m for an allgather of m bytes each
//   arguments   EZTrace: the bytes its own arguments describe: m for that allgather, and as much on every rank of a
//   bcast
//   tensors   PyTorch: what a rank's tensors hold: m into and p m out of that allgather, m of an allreduce
#pragma once

#include "engine/problem/problem.hpp"
#include "traces/recording/recording.hpp"

#include <optional>
#include <string>

namespace app::analysis {

struct Instance;

enum class Counting : std::uint8_t { unknown, totals, arguments, tensors };

/// How the recorder of `recording` counted: by its name, or by what ranks that are no root sent in a broadcast.
Counting countingOf(const traces::Recording& recording);

struct RecordedProblem {
    std::optional<engine::Problem> problem;
    std::string why;  ///< a clause where there is none
};

/// The problem that `collective` solved. `instance` knows its ranks and groups, `counting` is that of the recording.
RecordedProblem recordedProblem(const traces::Recording& recording, const traces::Collective& collective,
                                const Instance& instance, Counting counting);

}  // namespace app::analysis
