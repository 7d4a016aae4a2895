// SPDX-License-Identifier: BSD-3-Clause
// The entry points of calls of which only the time is recorded.
#include "engine/live/pmpi/recording/recorded_call.hpp"

#include <atomic>
#include <cstdlib>
#include <string_view>

using namespace engine::mpi::pmpi;
using engine::live::Other;

namespace {

/// Communicators are known from when they are made.
int introduced(int code, MPI_Comm* made) {
    RecorderSession* const session = inside ? nullptr : RecorderSession::current();
    if (code != MPI_SUCCESS || session == nullptr || *made == MPI_COMM_NULL) return code;
    try {
        session->made(*made);
    } catch (const std::exception&) {
        return code;  // met again, and told, where it is used
    }
    return code;
}

}  // namespace

#define MADE_group(call) introduced(call, made)
#define MADE_message(call) call
#define MADE_collective(call) call
#define MADE_oneSided(call) call
#define MADE_file(call) call
#define OWN(name, group)
#define PLAIN(name, group, together, parameters, names)                                                 \
    int MPI_##name parameters {                                                                         \
        return MADE_##group((plain(Other::name, HERE, (together), [&] { return PMPI_##name names; }))); \
    }
#define COUNTED(name, group, together, parameters, names)
#if MPI_VERSION < 4
#define SINCE_MPI_4(name, group, together, parameters, names)
#endif

#pragma GCC visibility push(default)
extern "C" {
#include "engine/live/records/program.inc"
#undef PLAIN
#undef OWN

#define ENTRIES "engine/live/pmpi/interception/counted_entries.inc"
#include "engine/live/pmpi/counts.inc"

int MPI_Comm_set_name(MPI_Comm comm, const char* name) {
    const int code = PMPI_Comm_set_name(comm, name);
    RecorderSession* const session = inside ? nullptr : RecorderSession::current();
    if (code == MPI_SUCCESS && session != nullptr && session->records()) session->named(comm, name);
    return code;
}

#if MPI_VERSION >= 4
int MPI_Session_finalize(MPI_Session* session) {
    int isBegun = 0;
    static std::atomic<bool> isTold{false};
    if (PMPI_Initialized(&isBegun) == MPI_SUCCESS && isBegun == 0 && !isTold.exchange(true)) {
        const char* const rank = std::getenv("PMI_RANK");
        if (rank == nullptr || std::string_view{rank} == "0")
            complain("nothing is recorded: the program uses MPI_Session_init and never calls MPI_Init");
    }
    return PMPI_Session_finalize(session);
}
#endif
}
#pragma GCC visibility pop
