// SPDX-License-Identifier: BSD-3-Clause
// A recorded program with calls that do not block in place of those that do, where no data hang on it.
//
// Nothing says what a rank does with the data of a message, so what it has received it needs where it received it, and
// what is sent must be there where it was sent. But a rank need not wait until a message has left, nor post a receive
// only when it needs it, as long as it has a buffer for each channel, which is another rank, a communicator and a tag:
//   a blocking send          is awaited where the rank next sends on that channel, or at the end
//   a blocking receive       is posted where the rank has received the message before on that channel, or when it has
//                            left MPI_Init; it is awaited where it was
//   a broadcast's or scatter's root, all but the root of a reduction or gather
//                            get nothing: they start it where it was, and end it where they next take part in a
//                            collective of that communicator, or at the end
#pragma once

#include "app/analysis/replay/recorded_program.hpp"

namespace app::analysis {

struct Overlapped {
    RecordedProgram program;
    std::int64_t sends = 0;        ///< that their ranks do not wait for any more
    std::int64_t receives = 0;     ///< that are posted earlier
    std::int64_t collectives = 0;  ///< parts of ranks in them that they do not wait for any more
};

/// `program` was made of `recording`.
Overlapped overlapped(const traces::Recording& recording, RecordedProgram program);

}  // namespace app::analysis
