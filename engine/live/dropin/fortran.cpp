// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's Fortran entry points call its C library by the profiling names, past the entry points of calls.cpp; these
// bring them back. MPICH's Fortran library calls MPI_Bcast and its kin by their own names and needs nothing.
#include <mpi.h>

#ifdef OMPI_MAJOR_VERSION

// The addresses that Fortran programs pass for MPI_IN_PLACE and MPI_BOTTOM.
extern "C" int mpi_fortran_in_place_;
extern "C" int mpi_fortran_bottom_;

namespace {

void* address(void* given) {
    if (given == &mpi_fortran_in_place_) return MPI_IN_PLACE;
    return given == &mpi_fortran_bottom_ ? MPI_BOTTOM : given;
}

void answer(MPI_Fint* error, int code) {
    if (error != nullptr) *error = code;
}

static_assert(sizeof(MPI_Fint) == sizeof(int), "counts of Fortran are passed on as they are");

void init(MPI_Fint* error) { answer(error, MPI_Init(nullptr, nullptr)); }

void initThread(MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
    answer(error, MPI_Init_thread(nullptr, nullptr, *required, provided));
}

void finalize(MPI_Fint* error) { answer(error, MPI_Finalize()); }

void barrier(MPI_Fint* comm, MPI_Fint* error) { answer(error, MPI_Barrier(MPI_Comm_f2c(*comm))); }

void bcast(void* buffer, MPI_Fint* count, MPI_Fint* type, MPI_Fint* root, MPI_Fint* comm, MPI_Fint* error) {
    answer(error, MPI_Bcast(address(buffer), *count, MPI_Type_f2c(*type), *root, MPI_Comm_f2c(*comm)));
}

void allreduce(void* from, void* to, MPI_Fint* count, MPI_Fint* type, MPI_Fint* operation, MPI_Fint* comm,
               MPI_Fint* error) {
    answer(error, MPI_Allreduce(address(from), address(to), *count, MPI_Type_f2c(*type), MPI_Op_f2c(*operation),
                                MPI_Comm_f2c(*comm)));
}

void allgather(void* from, MPI_Fint* sent, MPI_Fint* sentType, void* to, MPI_Fint* received, MPI_Fint* receivedType,
               MPI_Fint* comm, MPI_Fint* error) {
    answer(error, MPI_Allgather(address(from), *sent, MPI_Type_f2c(*sentType), address(to), *received,
                                MPI_Type_f2c(*receivedType), MPI_Comm_f2c(*comm)));
}

void allgatherv(void* from, MPI_Fint* sent, MPI_Fint* sentType, void* to, MPI_Fint* received, MPI_Fint* displacements,
                MPI_Fint* receivedType, MPI_Fint* comm, MPI_Fint* error) {
    answer(error, MPI_Allgatherv(address(from), *sent, MPI_Type_f2c(*sentType), address(to), received, displacements,
                                 MPI_Type_f2c(*receivedType), MPI_Comm_f2c(*comm)));
}

}  // namespace

// Compilers write Fortran's names in four ways; the module mpi_f08 calls the names of the fifth.
#define NAMED(name, parameters, arguments, body) \
    __attribute__((visibility("default"))) void name parameters { body arguments; }
#define ENTRY(lower, upper, parameters, arguments, body) \
    NAMED(mpi_##lower, parameters, arguments, body)      \
    NAMED(mpi_##lower##_, parameters, arguments, body)   \
    NAMED(mpi_##lower##__, parameters, arguments, body)  \
    NAMED(MPI_##upper, parameters, arguments, body)      \
    NAMED(ompi_##lower##_f, parameters, arguments, body)

extern "C" {

ENTRY(init, INIT, (MPI_Fint * error), (error), init)
ENTRY(init_thread, INIT_THREAD, (MPI_Fint * required, MPI_Fint* provided, MPI_Fint* error), (required, provided, error),
      initThread)
ENTRY(finalize, FINALIZE, (MPI_Fint * error), (error), finalize)
ENTRY(barrier, BARRIER, (MPI_Fint * comm, MPI_Fint* error), (comm, error), barrier)
ENTRY(bcast, BCAST, (void* buffer, MPI_Fint* count, MPI_Fint* type, MPI_Fint* root, MPI_Fint* comm, MPI_Fint* error),
      (buffer, count, type, root, comm, error), bcast)
ENTRY(allreduce, ALLREDUCE,
      (void* from, void* to, MPI_Fint* count, MPI_Fint* type, MPI_Fint* operation, MPI_Fint* comm, MPI_Fint* error),
      (from, to, count, type, operation, comm, error), allreduce)
ENTRY(allgather, ALLGATHER,
      (void* from, MPI_Fint* sent, MPI_Fint* sentType, void* to, MPI_Fint* received, MPI_Fint* receivedType,
       MPI_Fint* comm, MPI_Fint* error),
      (from, sent, sentType, to, received, receivedType, comm, error), allgather)
ENTRY(allgatherv, ALLGATHERV,
      (void* from, MPI_Fint* sent, MPI_Fint* sentType, void* to, MPI_Fint* received, MPI_Fint* displacements,
       MPI_Fint* receivedType, MPI_Fint* comm, MPI_Fint* error),
      (from, sent, sentType, to, received, displacements, receivedType, comm, error), allgatherv)

}  // extern "C"

#endif
