// SPDX-License-Identifier: BSD-3-Clause
// The program of every rank as a trace recorded it: what it computed, sent, received and took part in, in its order.
//
// A blocking call posts its message and awaits it; what was posted before is awaited in the call that completed it.
// What MPI_Waitany and wildcards chose in the recording, they choose again. Time in these calls and in collectives is
// not kept. All other time is the rank's own: that outside of MPI is computation; that of all other MPI calls,
// behind MPI_Init, is kept as recorded (TimeSpent::inMpi).
//
// Calls that move nothing that is recorded may synchronise. Where the analysis of wait states found a rank to wait in
// one of them (synchronising_calls.hpp, one_sided_calls.hpp), it waits in the program: for all ranks of that call where
// all made it, such as MPI_Comm_dup and MPI_Finalize, else for the one rank that it waited for, at a window.
//
// Collectives of a training job run on streams of the accelerators, beside kernels of other streams. A collective
// begins as long after the kernels before it as recorded, but not before the one before it on its stream has ended.
// Where the other streams of the rank were idle when it ended, the rank waits for it, from their last kernel on. A
// collective that ended beside a kernel was hidden: the rank waits for it before the kernel that needs it, where that
// was recorded, else at the end of that step. All other time of the rank is kept, that between kernels included, up to
// the end of its last step.
#pragma once

#include "app/analysis/collectives/collective_instances.hpp"
#include "emulation/replay/replay.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/run/executor.hpp"
#include "traces/recording/recording.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app::analysis {

/// How the algorithm of a collective is known.
enum class AlgorithmSource : std::uint8_t {
    none,
    recorded,    ///< its recorder or the library names it
    recognised,  ///< the messages inside are its own
    closest,     ///< the messages inside are closest to its own
};

/// "recorded"; empty for none.
std::string_view name(AlgorithmSource source);

/// Two algorithms of the catalogue, one after the other, as libraries compose a collective of them.
struct AlgorithmsInSequence {
    std::string words;  ///< "reduce/binomial-tree, then bcast/binomial-tree"
    engine::SchedulePtr schedule;
};

/// "allreduce/ring:segments=4": what makes the same plan again.
std::string variantWords(const engine::Plan& plan);

/// A collective of the program, by the number it has there.
struct RecordedCollective {
    std::string communicator;  ///< its name
    std::string operation;     ///< "allgatherv"
    bool nonBlocking = false;  ///< of any of its ranks
    engine::Bytes bytes = 0;   ///< that its ranks received, as recorded
    emulation::Lasting lasted;
    std::shared_ptr<const engine::Problem> problem;  ///< null: not known
    std::string whyNoProblem;                        ///< else a clause
    std::optional<engine::Rank> root{};              ///< among its members
    std::string algorithm{};                         ///< that is known: "bcast/pipelined-chain:segments=8"; empty: none
    std::size_t instance = 0;                        ///< among those of the recording, unless it is a synchronisation
    /// Of a synchronisation, by rank: calls that move nothing that is recorded, but in which ranks waited for others,
    /// such as MPI_Comm_dup, MPI_Finalize and MPI_Win_wait. Its `operation` is the name of the call.
    std::vector<traces::Participant> parts{};
    bool isOfLibrary = false;  ///< `algorithm` is what the MPI library ran by itself
    AlgorithmSource source = AlgorithmSource::none;
    std::shared_ptr<const AlgorithmsInSequence> sequence{};  ///< recognised in place of `algorithm`
    bool forOne = false;  ///< of a synchronisation: a rank waits for one other rank, at a window

    [[nodiscard]] bool isSynchronisation() const { return !parts.empty(); }
};

/// When ranks have left MPI_Init, which they do nothing before but compute.
struct SetUp {
    engine::ById<engine::Rank, engine::Picoseconds> ends;  ///< 0 where that was not recorded

    [[nodiscard]] engine::Picoseconds last() const;
    [[nodiscard]] engine::Picoseconds mean() const;
};

/// When the rank leaves MPI_Init; 0 where that was not recorded.
engine::Picoseconds setUpEnd(const traces::Recording& recording, engine::Rank rank);

struct RecordedProgram {
    emulation::Program program;  ///< none of its collectives has a schedule yet
    std::vector<RecordedCollective> collectives;
    engine::ById<engine::Rank, emulation::TimeSpent> spent;              ///< as recorded
    engine::Picoseconds duration{};                                      ///< likewise
    engine::ById<engine::Rank, std::vector<engine::Picoseconds>> begun;  ///< by rank and what it does: when
    SetUp setUp;
    /// By the names of calls that wait for one other rank at a window: how often all ranks call them.
    std::map<std::string, std::int64_t> callsAtWindows{};
    std::vector<std::string> remarks;  ///< what the trace lacks
};

/// Of which parts the time consists that ranks do not compute, but that a replay keeps as recorded (TimeSpent::inMpi).
struct KeptTimes {
    engine::ById<engine::Rank, engine::Picoseconds> gaps;  ///< in the recording of the rank
    std::map<std::string, engine::Picoseconds> calls;      ///< by MPI function, summed over ranks
};
KeptTimes keptTimes(const traces::Recording& recording, const RecordedProgram& program);

/// How long a stretch of a rank's computation takes.
using ComputationOf =
    std::function<engine::Picoseconds(engine::Rank, engine::Picoseconds from, engine::Picoseconds to)>;

/// Messages with both ends and collectives with all members; the rest is left out and named. `ownTime` empty: as long
/// as recorded. Throws Cancelled.
RecordedProgram recordedProgram(const traces::Recording& recording, const ComputationOf& ownTime = {},
                                const engine::Progress& progress = {});

/// The call that the rank was in at `time`, by its name; empty outside of calls.
std::string callAt(const traces::Recording& recording, engine::Rank rank, engine::Picoseconds time);

}  // namespace app::analysis
