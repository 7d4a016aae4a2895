// SPDX-License-Identifier: BSD-3-Clause
// What the bytes are that a recorder counted in a collective. Recorders count differently:
//   totals      Score-P: all bytes a rank's part moves, own share included: p m for an allgather of m bytes each
//   arguments   EZTrace: the bytes its own arguments describe: m for that allgather, and as much on every rank of a
//   bcast
//   tensors   PyTorch: what a rank's tensors hold: m into and p m out of that allgather, m of an allreduce
#pragma once

#include "traces/recording/recording.hpp"

namespace traces {

enum class Counting : std::uint8_t { unknown, totals, arguments, tensors };

/// How the recorder of `recording` counted: by its name, or by what ranks that are no root sent in a broadcast.
Counting countingOf(const Recording& recording);

/// What a rank sends to all ranks of a collective and receives from them, itself included where it is one of them.
struct MovedBytes {
    Bytes sent = 0;
    Bytes received = 0;
};
/// As recorded; for an alltoall of which the arguments were counted, the blocks of all ranks. `counting`: countingOf.
MovedBytes movedBy(const Participant& part, const Collective& collective, const Recording& recording,
                   Counting counting);

}  // namespace traces
