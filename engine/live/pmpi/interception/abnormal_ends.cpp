// SPDX-License-Identifier: BSD-3-Clause
// How a process ends before MPI_Finalize: functions of the C library and of the MPI library, of which each only takes a
// note and passes on.
#include "engine/live/pmpi/recording/recorder_session.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>

using engine::mpi::pmpi::failing;
using engine::mpi::pmpi::RecorderSession;

namespace {

#ifdef MPICH_NUMVERSION
/// Where several threads may call at once, the call that fails holds locks of MPICH.
bool mayAsk() {
    int provided = MPI_THREAD_MULTIPLE;
    return RecorderSession::current() != nullptr && PMPI_Query_thread(&provided) == MPI_SUCCESS &&
           provided != MPI_THREAD_MULTIPLE;
}

/// Objects of MPICH begin with their handles. One without an error handler has that of MPI_COMM_WORLD, which is not
/// distinguished here.
template <class Handle>
bool isFatal(int (*handlerOf)(Handle, MPI_Errhandler*), Handle handle) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (handlerOf(handle, &handler) != MPI_SUCCESS) return true;
    return handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_ABORT;
}
#endif

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

[[noreturn]] void _exit(int status) {
    RecorderSession::exits("_exit", status);
    for (;;) syscall(SYS_exit_group, status);
}

[[noreturn]] void _Exit(int status) noexcept { _exit(status); }

#ifdef OMPI_MAJOR_VERSION
/// By this the error handler MPI_ERRORS_ARE_FATAL, and MPI_Abort, end a program.
int ompi_mpi_abort(void* comm, int code) {
    static const auto own = reinterpret_cast<int (*)(void*, int)>(dlsym(RTLD_NEXT, "ompi_mpi_abort"));
    RecorderSession::endsBy(code);
    return own(comm, code);
}
#endif

#ifdef MPICH_NUMVERSION
// Each call that fails asks one of these for what it returns. Where its error handler is MPI_ERRORS_ARE_FATAL, they end
// the program instead: they notify the launcher first, which may kill the process before it comes to exit().
#define FAILING(name, handlerOf)                                                                             \
    int name(void* object, const char* function, int code) {                                                 \
        static const auto own = reinterpret_cast<int (*)(void*, const char*, int)>(dlsym(RTLD_NEXT, #name)); \
        const bool isFirst = failing == 0;                                                                   \
        failing = code;                                                                                      \
        if (isFirst && mayAsk() && isFatal(PMPI_Comm_get_errhandler, MPI_COMM_WORLD) &&                      \
            (object == nullptr || isFatal(handlerOf, *static_cast<int*>(object))))                           \
            RecorderSession::endsBy(code);                                                                   \
        const int returned = own(object, function, code);                                                    \
        if (isFirst) failing = 0;                                                                            \
        return returned;                                                                                     \
    }
FAILING(MPIR_Err_return_comm, PMPI_Comm_get_errhandler)
FAILING(MPIR_Err_return_win, PMPI_Win_get_errhandler)
#undef FAILING
#endif

}  // extern "C"
#pragma GCC visibility pop
