// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's Fortran entry points call its C library by the profiling names, past the entry points of calls.cpp; these
// bring them back. MPICH's Fortran library calls MPI_Bcast and its kin by their own names and needs nothing.
#include "engine/live/dropin/sites.hpp"

#include <mpi.h>

#ifdef OMPI_MAJOR_VERSION

#include <algorithm>
#include <type_traits>
#include <vector>

// The addresses that Fortran programs pass for MPI_IN_PLACE, MPI_BOTTOM, MPI_STATUS_IGNORE and their kin.
extern "C" int mpi_fortran_in_place_;
extern "C" int mpi_fortran_bottom_;
extern "C" int mpi_fortran_unweighted_;
extern "C" int mpi_fortran_weights_empty_;
extern "C" int mpi_fortran_status_ignore_;
extern "C" int mpi_fortran_statuses_ignore_;

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
/// Of a number that stands for none, as where a call makes one, whatever the library answers.
template <>
MPI_Request toC(MPI_Fint handle) {
    return MPI_Request_f2c(handle);
}
template <>
MPI_Message toC(MPI_Fint handle) {
    return MPI_Message_f2c(handle);
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
MPI_Fint toFortran(MPI_Message handle) { return MPI_Message_c2f(handle); }

template <class Handle>
concept IsHandle = std::is_same_v<Handle, MPI_Datatype> || std::is_same_v<Handle, MPI_Op> ||
    std::is_same_v<Handle, MPI_Comm> || std::is_same_v<Handle, MPI_Request> || std::is_same_v<Handle, MPI_Message> ||
    std::is_same_v<Handle, MPI_Group> || std::is_same_v<Handle, MPI_Info>;

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

/// A status that the call fills in, or one to be ignored.
template <>
class Argument<MPI_Status*> {
public:
    explicit Argument(void* given) : given_{static_cast<MPI_Fint*>(given)} {
        if (!isIgnored()) MPI_Status_f2c(given_, &status_);
    }
    ~Argument() {
        if (!isIgnored()) MPI_Status_c2f(&status_, given_);
    }
    Argument(const Argument&) = delete;
    Argument& operator=(const Argument&) = delete;
    operator MPI_Status*() { return isIgnored() ? MPI_STATUS_IGNORE : &status_; }

private:
    [[nodiscard]] bool isIgnored() const { return given_ == &mpi_fortran_status_ignore_; }

    MPI_Fint* given_;
    MPI_Status status_{};
};

/// The first of as many as another argument says.
struct First {
    void* given;
};
template <>
class Argument<First> {
public:
    explicit Argument(void* given) : first_{given} {}
    operator First() const { return first_; }

private:
    First first_;
};

/// Requests that the call completes or starts.
class Requests {
public:
    Requests(int count, First first) : given_{static_cast<MPI_Fint*>(first.given)} {
        for (int i = 0; i < count; ++i) handles_.push_back(MPI_Request_f2c(given_[i]));
    }
    ~Requests() { std::transform(handles_.begin(), handles_.end(), given_, MPI_Request_c2f); }
    Requests(const Requests&) = delete;
    Requests& operator=(const Requests&) = delete;
    MPI_Request* data() { return handles_.data(); }

private:
    MPI_Fint* given_;
    std::vector<MPI_Request> handles_;
};

/// Their statuses, unless they are to be ignored.
class Statuses {
public:
    Statuses(int count, First first) : given_{static_cast<MPI_Fint*>(first.given)} {
        if (given_ == &mpi_fortran_statuses_ignore_) return;
        all_.resize(static_cast<std::size_t>(std::max(count, 0)));
        for (std::size_t i = 0; i < all_.size(); ++i) MPI_Status_f2c(given_ + i * numbers, &all_[i]);
    }
    ~Statuses() {
        for (std::size_t i = 0; i < all_.size(); ++i) MPI_Status_c2f(&all_[i], given_ + i * numbers);
    }
    Statuses(const Statuses&) = delete;
    Statuses& operator=(const Statuses&) = delete;
    MPI_Status* data() { return given_ == &mpi_fortran_statuses_ignore_ ? MPI_STATUSES_IGNORE : all_.data(); }

private:
    static constexpr std::size_t numbers = sizeof(MPI_Status) / sizeof(MPI_Fint);

    MPI_Fint* given_;
    std::vector<MPI_Status> all_;
};

int startAll(int count, First requests) { return MPI_Startall(count, Requests{count, requests}.data()); }

int waitAll(int count, First requests, First statuses) {
    return MPI_Waitall(count, Requests{count, requests}.data(), Statuses{count, statuses}.data());
}

int testAll(int count, First requests, int* flag, First statuses) {
    return MPI_Testall(count, Requests{count, requests}.data(), flag, Statuses{count, statuses}.data());
}

/// Fortran counts places from 1.
void countFromOne(int code, const int* done, int* places) {
    if (code != MPI_SUCCESS || *done == MPI_UNDEFINED) return;
    for (int i = 0; i < *done; ++i)
        if (places[i] != MPI_UNDEFINED) ++places[i];
}

int waitAny(int count, First requests, int* place, MPI_Status* status) {
    const int code = MPI_Waitany(count, Requests{count, requests}.data(), place, status);
    const int one = 1;
    countFromOne(code, &one, place);
    return code;
}

int testAny(int count, First requests, int* place, int* flag, MPI_Status* status) {
    const int code = MPI_Testany(count, Requests{count, requests}.data(), place, flag, status);
    const int any = *flag != 0 ? 1 : 0;
    countFromOne(code, &any, place);
    return code;
}

int waitSome(int count, First requests, int* done, int* places, First statuses) {
    const int code =
        MPI_Waitsome(count, Requests{count, requests}.data(), done, places, Statuses{count, statuses}.data());
    countFromOne(code, done, places);
    return code;
}

int testSome(int count, First requests, int* done, int* places, First statuses) {
    const int code =
        MPI_Testsome(count, Requests{count, requests}.data(), done, places, Statuses{count, statuses}.data());
    countFromOne(code, done, places);
    return code;
}

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
#define PARAMETERS_11 void *k, PARAMETERS_10
#define PARAMETERS_12 void *l, PARAMETERS_11
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
#define GIVEN_12 code, l, k, j, i, h, g, f, e, d, c, b, a

// Compilers write Fortran's names in four ways. The module mpi_f08 has names of its own; where a library knows them by
// others, it calls the last one.
#define NAMED(name, number, call)                                           \
    __attribute__((visibility("default"))) void name(PARAMETERS_##number) { \
        const CalledFrom here{__builtin_return_address(0)};                 \
        pass(call, GIVEN_##number);                                         \
    }
#define ENTRY(lower, upper, number, call)   \
    NAMED(mpi_##lower, number, call)        \
    NAMED(mpi_##lower##_, number, call)     \
    NAMED(mpi_##lower##__, number, call)    \
    NAMED(MPI_##upper, number, call)        \
    NAMED(mpi_##lower##_f08_, number, call) \
    NAMED(ompi_##lower##_f, number, call)

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
ENTRY(intercomm_merge, INTERCOMM_MERGE, 3, MPI_Intercomm_merge)
ENTRY(cart_create, CART_CREATE, 6, MPI_Cart_create)
ENTRY(cart_sub, CART_SUB, 3, MPI_Cart_sub)
ENTRY(graph_create, GRAPH_CREATE, 6, MPI_Graph_create)
ENTRY(dist_graph_create, DIST_GRAPH_CREATE, 9, MPI_Dist_graph_create)
ENTRY(dist_graph_create_adjacent, DIST_GRAPH_CREATE_ADJACENT, 10, MPI_Dist_graph_create_adjacent)

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

ENTRY(send, SEND, 6, MPI_Send)
ENTRY(bsend, BSEND, 6, MPI_Bsend)
ENTRY(ssend, SSEND, 6, MPI_Ssend)
ENTRY(rsend, RSEND, 6, MPI_Rsend)
ENTRY(recv, RECV, 7, MPI_Recv)
ENTRY(sendrecv, SENDRECV, 12, MPI_Sendrecv)
ENTRY(sendrecv_replace, SENDRECV_REPLACE, 9, MPI_Sendrecv_replace)

ENTRY(isend, ISEND, 7, MPI_Isend)
ENTRY(ibsend, IBSEND, 7, MPI_Ibsend)
ENTRY(issend, ISSEND, 7, MPI_Issend)
ENTRY(irsend, IRSEND, 7, MPI_Irsend)
ENTRY(irecv, IRECV, 7, MPI_Irecv)
ENTRY(send_init, SEND_INIT, 7, MPI_Send_init)
ENTRY(bsend_init, BSEND_INIT, 7, MPI_Bsend_init)
ENTRY(ssend_init, SSEND_INIT, 7, MPI_Ssend_init)
ENTRY(rsend_init, RSEND_INIT, 7, MPI_Rsend_init)
ENTRY(recv_init, RECV_INIT, 7, MPI_Recv_init)
ENTRY(start, START, 1, MPI_Start)
ENTRY(startall, STARTALL, 2, startAll)

ENTRY(probe, PROBE, 4, MPI_Probe)
ENTRY(iprobe, IPROBE, 5, MPI_Iprobe)
ENTRY(mprobe, MPROBE, 5, MPI_Mprobe)
ENTRY(improbe, IMPROBE, 6, MPI_Improbe)
ENTRY(mrecv, MRECV, 5, MPI_Mrecv)
ENTRY(imrecv, IMRECV, 5, MPI_Imrecv)

ENTRY(wait, WAIT, 2, MPI_Wait)
ENTRY(waitall, WAITALL, 3, waitAll)
ENTRY(waitany, WAITANY, 4, waitAny)
ENTRY(waitsome, WAITSOME, 5, waitSome)
ENTRY(test, TEST, 3, MPI_Test)
ENTRY(testall, TESTALL, 4, testAll)
ENTRY(testany, TESTANY, 5, testAny)
ENTRY(testsome, TESTSOME, 5, testSome)
ENTRY(cancel, CANCEL, 1, MPI_Cancel)
ENTRY(request_free, REQUEST_FREE, 1, MPI_Request_free)

}  // extern "C"

#endif
