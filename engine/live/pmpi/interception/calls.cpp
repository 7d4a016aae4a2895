// SPDX-License-Identifier: BSD-3-Clause
// The entry points that stand before the library's own.
#include "engine/live/pmpi/interception/foreign_library.hpp"
#include "engine/live/pmpi/recording/recorded_call.hpp"
#include "engine/live/pmpi/recording/recorded_collective.hpp"
#include "engine/live/pmpi/replacement/environment.hpp"

using namespace engine::mpi::pmpi;
using engine::live::Called;
using engine::live::nonBlockingOf;
using engine::live::Other;

#pragma GCC visibility push(default)
extern "C" {

int MPI_Init(int* argc, char*** argv) {
    requireOwnLibrary();
    const std::int64_t begin = engine::mpi::now();
    const Caller caller = HERE;
    int provided = 0;
    const int code =
        rulesAskForThreads() ? PMPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided) : PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS) RecorderSession::start(Other::Init, begin, caller);
    return code;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    requireOwnLibrary();
    const std::int64_t begin = engine::mpi::now();
    const Caller caller = HERE;
    const int code = PMPI_Init_thread(argc, argv, rulesAskForThreads() ? MPI_THREAD_MULTIPLE : required, provided);
    if (code == MPI_SUCCESS) RecorderSession::start(Other::Init_thread, begin, caller);
    return code;
}

int MPI_Finalize() {
    RecorderSession::finish(HERE);
    return PMPI_Finalize();
}

/// It does not return: what is known of it is recorded before.
int MPI_Abort(MPI_Comm comm, int code) {
    RecordedCall noted{Other::Abort, HERE};
    if (noted) {
        noted.enter(comm, -1, code, -1);
        noted.done();
    }
    return PMPI_Abort(comm, code);
}

int MPI_Type_free(MPI_Datatype* type) {
    RecorderSession* const session = inside || type == nullptr ? nullptr : RecorderSession::current();
    if (session != nullptr) session->types().forget(*type);
    if (session == nullptr || !session->keepsType(*type)) return PMPI_Type_free(type);
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int MPI_Type_commit(MPI_Datatype* type) {
    const int code = PMPI_Type_commit(type);
    RecorderSession* const session = inside ? nullptr : RecorderSession::current();
    if (code == MPI_SUCCESS && session != nullptr) session->types().add(*type);
    return code;
}

int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* made) {
    const int code = PMPI_Type_dup(type, made);
    RecorderSession* const session = inside ? nullptr : RecorderSession::current();
    if (code == MPI_SUCCESS && session != nullptr && session->types().has(type)) session->types().add(*made);
    return code;
}

int MPI_Op_free(MPI_Op* operation) {
    RecorderSession* const session = inside || operation == nullptr ? nullptr : RecorderSession::current();
    if (session == nullptr || !session->keepsOperation(*operation)) return PMPI_Op_free(operation);
    *operation = MPI_OP_NULL;
    return MPI_SUCCESS;
}

#define ENTRIES "engine/live/pmpi/interception/collective_entries.inc"
#include "engine/live/pmpi/counts.inc"

}  // extern "C"
#pragma GCC visibility pop
