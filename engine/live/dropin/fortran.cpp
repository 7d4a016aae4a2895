// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's Fortran entry points call its C library by the profiling names, past the entry points of calls.cpp; these
// bring them back. MPICH's Fortran library calls MPI_Bcast and its kin by their own names and needs nothing.
#include "engine/live/dropin/sites.hpp"

#include <mpi.h>

#ifdef OMPI_MAJOR_VERSION

#include <type_traits>

// The addresses that Fortran programs pass for MPI_IN_PLACE and MPI_BOTTOM.
extern "C" int mpi_fortran_in_place_;
extern "C" int mpi_fortran_bottom_;
extern "C" int mpi_fortran_unweighted_;
extern "C" int mpi_fortran_weights_empty_;

namespace {

static_assert(sizeof(MPI_Fint) == sizeof(int), "counts of Fortran are passed on as they are");

/// One argument on its way: Fortran passes addresses of everything.
template <class Given>
class Argument;

template <class Byte>
requires std::is_void_v<Byte>
class Argument<Byte*> {
public:
    explicit Argument(void* given) : given_{given} {}
    operator Byte*() const {
        if (given_ == &mpi_fortran_in_place_) return MPI_IN_PLACE;
        return given_ == &mpi_fortran_bottom_ ? MPI_BOTTOM : given_;
    }

private:
    void* given_;
};

/// Numbers, logical values, and fields of them.
template <class Number>
requires std::is_same_v < std::remove_const_t<Number>,
int > class Argument<Number*> {
public:
    explicit Argument(void* given) : given_{static_cast<int*>(given)} {}
    operator Number*() const {
        if (given_ == &mpi_fortran_unweighted_) return MPI_UNWEIGHTED;
        return given_ == &mpi_fortran_weights_empty_ ? MPI_WEIGHTS_EMPTY : given_;
    }

private:
    int* given_;
};
template <>
class Argument<int> {
public:
    explicit Argument(void* given) : given_{*static_cast<int*>(given)} {}
    operator int() const { return given_; }

private:
    int given_;
};

template <class Handle>
Handle toC(MPI_Fint handle);
template <>
MPI_Datatype toC(MPI_Fint handle) {
    return MPI_Type_f2c(handle);
}
template <>
MPI_Op toC(MPI_Fint handle) {
    return MPI_Op_f2c(handle);
}
template <>
MPI_Comm toC(MPI_Fint handle) {
    return MPI_Comm_f2c(handle);
}
/// Requests come out only.
template <>
MPI_Request toC(MPI_Fint) {
    return MPI_REQUEST_NULL;
}
template <>
MPI_Group toC(MPI_Fint handle) {
    return MPI_Group_f2c(handle);
}
template <>
MPI_Info toC(MPI_Fint handle) {
    return MPI_Info_f2c(handle);
}
MPI_Fint toFortran(MPI_Comm handle) { return MPI_Comm_c2f(handle); }
MPI_Fint toFortran(MPI_Datatype handle) { return MPI_Type_c2f(handle); }
MPI_Fint toFortran(MPI_Op handle) { return MPI_Op_c2f(handle); }
MPI_Fint toFortran(MPI_Request handle) { return MPI_Request_c2f(handle); }

template <class Handle>
concept IsHandle =
    std::is_same_v<Handle, MPI_Datatype> || std::is_same_v<Handle, MPI_Op> || std::is_same_v<Handle, MPI_Comm> ||
    std::is_same_v<Handle, MPI_Request> || std::is_same_v<Handle, MPI_Group> || std::is_same_v<Handle, MPI_Info>;

template <IsHandle Handle>
class Argument<Handle> {
public:
    explicit Argument(void* given) : handle_{toC<Handle>(*static_cast<MPI_Fint*>(given))} {}
    operator Handle() const { return handle_; }

private:
    Handle handle_;
};
/// A handle that the call changes.
template <IsHandle Handle>
class Argument<Handle*> {
public:
    explicit Argument(void* given) : given_{static_cast<MPI_Fint*>(given)}, handle_{toC<Handle>(*given_)} {}
    ~Argument() { *given_ = toFortran(handle_); }
    Argument(const Argument&) = delete;
    Argument& operator=(const Argument&) = delete;
    operator Handle*() { return &handle_; }

private:
    MPI_Fint* given_;
    Handle handle_;
};

/// The code goes where the last argument says, which mpi_f08 may leave out.
template <class... Given, class... Addresses>
void pass(int (*call)(Given...), void* code, Addresses... given) {
    const int answer = call(Argument<Given>{given}...);
    if (code != nullptr) *static_cast<MPI_Fint*>(code) = answer;
}

/// Where the program calls, for as long as its call takes.
class CalledFrom {
public:
    explicit CalledFrom(const void* caller) { engine::mpi::dropin::fortranCaller = caller; }
    ~CalledFrom() { engine::mpi::dropin::fortranCaller = nullptr; }
    CalledFrom(const CalledFrom&) = delete;
    CalledFrom& operator=(const CalledFrom&) = delete;
};

int init() { return MPI_Init(nullptr, nullptr); }
int initThread(int required, int* provided) { return MPI_Init_thread(nullptr, nullptr, required, provided); }

}  // namespace

#define PARAMETERS_0 void* code
#define PARAMETERS_1 void *a, PARAMETERS_0
#define PARAMETERS_2 void *b, PARAMETERS_1
#define PARAMETERS_3 void *c, PARAMETERS_2
#define PARAMETERS_4 void *d, PARAMETERS_3
#define PARAMETERS_5 void *e, PARAMETERS_4
#define PARAMETERS_6 void *f, PARAMETERS_5
#define PARAMETERS_7 void *g, PARAMETERS_6
#define PARAMETERS_8 void *h, PARAMETERS_7
#define PARAMETERS_9 void *i, PARAMETERS_8
#define PARAMETERS_10 void *j, PARAMETERS_9
#define GIVEN_0 code
#define GIVEN_1 code, a
#define GIVEN_2 code, b, a
#define GIVEN_3 code, c, b, a
#define GIVEN_4 code, d, c, b, a
#define GIVEN_5 code, e, d, c, b, a
#define GIVEN_6 code, f, e, d, c, b, a
#define GIVEN_7 code, g, f, e, d, c, b, a
#define GIVEN_8 code, h, g, f, e, d, c, b, a
#define GIVEN_9 code, i, h, g, f, e, d, c, b, a
#define GIVEN_10 code, j, i, h, g, f, e, d, c, b, a

// Compilers write Fortran's names in four ways; the module mpi_f08 calls the names of the fifth.
#define NAMED(name, number, call)                                           \
    __attribute__((visibility("default"))) void name(PARAMETERS_##number) { \
        const CalledFrom here{__builtin_return_address(0)};                 \
        pass(call, GIVEN_##number);                                         \
    }
#define ENTRY(lower, upper, number, call) \
    NAMED(mpi_##lower, number, call)      \
    NAMED(mpi_##lower##_, number, call)   \
    NAMED(mpi_##lower##__, number, call)  \
    NAMED(MPI_##upper, number, call)      \
    NAMED(ompi_##lower##_f, number, call)

/// Those with logical values are called past the fifth name, too.
#define LOGICAL_ENTRY(lower, upper, number, call) \
    ENTRY(lower, upper, number, call)             \
    NAMED(mpi_##lower##_f08_, number, call)

#define COLLECTIVE(lower, upper, number, andRequest, name) \
    ENTRY(lower, upper, number, MPI_##name)                \
    ENTRY(i##lower, I##upper, andRequest, MPI_I##lower)

extern "C" {

ENTRY(init, INIT, 0, init)
ENTRY(init_thread, INIT_THREAD, 2, initThread)
ENTRY(finalize, FINALIZE, 0, MPI_Finalize)
ENTRY(type_free, TYPE_FREE, 1, MPI_Type_free)
ENTRY(op_free, OP_FREE, 1, MPI_Op_free)

ENTRY(comm_dup, COMM_DUP, 2, MPI_Comm_dup)
ENTRY(comm_dup_with_info, COMM_DUP_WITH_INFO, 3, MPI_Comm_dup_with_info)
ENTRY(comm_split, COMM_SPLIT, 4, MPI_Comm_split)
ENTRY(comm_split_type, COMM_SPLIT_TYPE, 5, MPI_Comm_split_type)
ENTRY(comm_create, COMM_CREATE, 3, MPI_Comm_create)
ENTRY(comm_create_group, COMM_CREATE_GROUP, 4, MPI_Comm_create_group)
ENTRY(intercomm_create, INTERCOMM_CREATE, 6, MPI_Intercomm_create)
LOGICAL_ENTRY(intercomm_merge, INTERCOMM_MERGE, 3, MPI_Intercomm_merge)
LOGICAL_ENTRY(cart_create, CART_CREATE, 6, MPI_Cart_create)
LOGICAL_ENTRY(cart_sub, CART_SUB, 3, MPI_Cart_sub)
LOGICAL_ENTRY(graph_create, GRAPH_CREATE, 6, MPI_Graph_create)
LOGICAL_ENTRY(dist_graph_create, DIST_GRAPH_CREATE, 9, MPI_Dist_graph_create)
LOGICAL_ENTRY(dist_graph_create_adjacent, DIST_GRAPH_CREATE_ADJACENT, 10, MPI_Dist_graph_create_adjacent)

COLLECTIVE(allgather, ALLGATHER, 7, 8, Allgather)
COLLECTIVE(allgatherv, ALLGATHERV, 8, 9, Allgatherv)
COLLECTIVE(allreduce, ALLREDUCE, 6, 7, Allreduce)
COLLECTIVE(alltoall, ALLTOALL, 7, 8, Alltoall)
COLLECTIVE(alltoallv, ALLTOALLV, 9, 10, Alltoallv)
COLLECTIVE(barrier, BARRIER, 1, 2, Barrier)
COLLECTIVE(bcast, BCAST, 5, 6, Bcast)
COLLECTIVE(exscan, EXSCAN, 6, 7, Exscan)
COLLECTIVE(gather, GATHER, 8, 9, Gather)
COLLECTIVE(gatherv, GATHERV, 9, 10, Gatherv)
COLLECTIVE(reduce, REDUCE, 7, 8, Reduce)
COLLECTIVE(reduce_scatter, REDUCE_SCATTER, 6, 7, Reduce_scatter)
COLLECTIVE(reduce_scatter_block, REDUCE_SCATTER_BLOCK, 6, 7, Reduce_scatter_block)
COLLECTIVE(scan, SCAN, 6, 7, Scan)
COLLECTIVE(scatter, SCATTER, 8, 9, Scatter)
COLLECTIVE(scatterv, SCATTERV, 9, 10, Scatterv)

}  // extern "C"

#endif
