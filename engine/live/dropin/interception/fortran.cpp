// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's Fortran entry points call its C library by the profiling names, past the entry points of calls.cpp; these
// bring them back. fortran_mpich.cpp does so for MPICH.
#include "engine/live/dropin/interception/fortran_entry.hpp"

#ifdef OMPI_MAJOR_VERSION

#include <algorithm>
#include <list>
#include <mutex>
#include <type_traits>
#include <vector>

// The addresses that Fortran programs pass for MPI_IN_PLACE, MPI_BOTTOM, MPI_STATUS_IGNORE and variants.
extern "C" int mpi_fortran_in_place_;
extern "C" int mpi_fortran_bottom_;
extern "C" int mpi_fortran_unweighted_;
extern "C" int mpi_fortran_weights_empty_;
extern "C" int mpi_fortran_status_ignore_;
extern "C" int mpi_fortran_statuses_ignore_;

using namespace engine::mpi::dropin;

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

template <>
class Argument<MPI_Aint> {
public:
    explicit Argument(void* given) : given_{*static_cast<MPI_Aint*>(given)} {}
    operator MPI_Aint() const { return given_; }

private:
    MPI_Aint given_;
};

template <>
class Argument<MPI_Offset> {
public:
    explicit Argument(void* given) : given_{*static_cast<MPI_Offset*>(given)} {}
    operator MPI_Offset() const { return given_; }

private:
    MPI_Offset given_;
};

template <>
class Argument<Words> : public WordsArgument {
    using WordsArgument::WordsArgument;
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
template <>
MPI_Win toC(MPI_Fint handle) {
    return MPI_Win_f2c(handle);
}
template <>
MPI_File toC(MPI_Fint handle) {
    return MPI_File_f2c(handle);
}
MPI_Fint toFortran(MPI_File handle) { return MPI_File_c2f(handle); }
MPI_Fint toFortran(MPI_Win handle) { return MPI_Win_c2f(handle); }
MPI_Fint toFortran(MPI_Comm handle) { return MPI_Comm_c2f(handle); }
MPI_Fint toFortran(MPI_Datatype handle) { return MPI_Type_c2f(handle); }
MPI_Fint toFortran(MPI_Op handle) { return MPI_Op_c2f(handle); }
MPI_Fint toFortran(MPI_Request handle) { return MPI_Request_c2f(handle); }
MPI_Fint toFortran(MPI_Message handle) { return MPI_Message_c2f(handle); }

template <class Handle>
concept IsHandle =
    std::is_same_v<Handle, MPI_Datatype> || std::is_same_v<Handle, MPI_Op> || std::is_same_v<Handle, MPI_Comm> ||
    std::is_same_v<Handle, MPI_Request> || std::is_same_v<Handle, MPI_Message> || std::is_same_v<Handle, MPI_Group> ||
    std::is_same_v<Handle, MPI_Info> || std::is_same_v<Handle, MPI_Win> || std::is_same_v<Handle, MPI_File>;

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

/// The C function keeps the address of the handle until the request is complete; Open MPI fills it in before.
int duplicate(MPI_Comm comm, First made, MPI_Request* request) {
    static std::mutex guard;
    static std::list<MPI_Comm> kept;
    MPI_Comm* handle = nullptr;
    {
        const std::lock_guard lock{guard};
        handle = &kept.emplace_back(MPI_COMM_NULL);
    }
    const int code = MPI_Comm_idup(comm, handle, request);
    if (code == MPI_SUCCESS) *static_cast<MPI_Fint*>(made.given) = MPI_Comm_c2f(*handle);
    return code;
}

int init() { return MPI_Init(nullptr, nullptr); }
int initThread(int required, int* provided) { return MPI_Init_thread(nullptr, nullptr, required, provided); }

}  // namespace

// Compilers write Fortran's names in four ways. The module mpi_f08 has names of its own; where a library knows them by
// others, it calls the last one.
#define NAMED(name, number, call)                                           \
    __attribute__((visibility("default"))) void name(PARAMETERS_##number) { \
        const CalledFrom here{HERE};                                        \
        passToC<Argument>(call, GIVEN_##number);                            \
    }
#define ENTRY(lower, upper, number, call)   \
    NAMED(mpi_##lower, number, call)        \
    NAMED(mpi_##lower##_, number, call)     \
    NAMED(mpi_##lower##__, number, call)    \
    NAMED(MPI_##upper, number, call)        \
    NAMED(mpi_##lower##_f08_, number, call) \
    NAMED(ompi_##lower##_f, number, call)
#define BUFFER_ENTRY ENTRY
// Open MPI's module mpi_f08 declares the length as an int.
#define NAMED_WITH_WORDS(name, number, call, Length)                                       \
    __attribute__((visibility("default"))) void name(PARAMETERS_##number, Length length) { \
        const CalledFrom here{HERE};                                                       \
        const LengthOfWords its{static_cast<std::size_t>(length)};                         \
        passToC<Argument>(call, GIVEN_##number);                                           \
    }
#define WORDS_ENTRY(lower, upper, number, call)                     \
    NAMED_WITH_WORDS(mpi_##lower, number, call, std::size_t)        \
    NAMED_WITH_WORDS(mpi_##lower##_, number, call, std::size_t)     \
    NAMED_WITH_WORDS(mpi_##lower##__, number, call, std::size_t)    \
    NAMED_WITH_WORDS(MPI_##upper, number, call, std::size_t)        \
    NAMED_WITH_WORDS(mpi_##lower##_f08_, number, call, std::size_t) \
    NAMED_WITH_WORDS(ompi_##lower##_f, number, call, int)

extern "C" {
#include "engine/live/dropin/interception/fortran_entries.inc"
}  // extern "C"

#endif
