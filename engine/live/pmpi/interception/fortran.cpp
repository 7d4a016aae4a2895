// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's Fortran entry points call its C library by the profiling names, past the entry points of calls.cpp; these
// bring them back. fortran_mpich.cpp does so for MPICH.
#include "engine/live/pmpi/interception/fortran_entry.hpp"

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

using namespace engine::mpi::pmpi;

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
/// One number.
template <class Number>
requires std::is_integral_v<Number>
class Argument<Number> {
public:
    explicit Argument(void* given) : given_{*static_cast<Number*>(given)} {}
    operator Number() const { return given_; }

private:
    Number given_;
};

template <>
class Argument<Words> : public WordsArgument {
    using WordsArgument::WordsArgument;
};

template <class Handle>
struct Conversion;
#define HANDLE(kind, name)                                                    \
    template <>                                                               \
    struct Conversion<kind> {                                                 \
        static kind toC(MPI_Fint handle) { return name##_f2c(handle); }       \
        static MPI_Fint toFortran(kind handle) { return name##_c2f(handle); } \
    };
HANDLE(MPI_Datatype, MPI_Type)
HANDLE(MPI_Op, MPI_Op)
HANDLE(MPI_Comm, MPI_Comm)
HANDLE(MPI_Request, MPI_Request)  // also of a number that stands for none, as where a call makes one
HANDLE(MPI_Message, MPI_Message)
HANDLE(MPI_Group, MPI_Group)
HANDLE(MPI_Info, MPI_Info)
HANDLE(MPI_Win, MPI_Win)
HANDLE(MPI_File, MPI_File)
#undef HANDLE

template <class Handle>
concept IsHandle = requires(Handle handle) {
    Conversion<Handle>::toFortran(handle);
};

template <IsHandle Handle>
class Argument<Handle> {
public:
    explicit Argument(void* given) : handle_{Conversion<Handle>::toC(*static_cast<MPI_Fint*>(given))} {}
    operator Handle() const { return handle_; }

private:
    Handle handle_;
};
/// A handle that the call changes.
template <IsHandle Handle>
class Argument<Handle*> {
public:
    explicit Argument(void* given) : given_{static_cast<MPI_Fint*>(given)}, handle_{Conversion<Handle>::toC(*given_)} {}
    ~Argument() { *given_ = Conversion<Handle>::toFortran(handle_); }
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
    return from_one::waitAny(count, Requests{count, requests}.data(), place, status);
}

int testAny(int count, First requests, int* place, int* flag, MPI_Status* status) {
    return from_one::testAny(count, Requests{count, requests}.data(), place, flag, status);
}

int waitSome(int count, First requests, int* done, int* places, First statuses) {
    return from_one::waitSome(count, Requests{count, requests}.data(), done, places, Statuses{count, statuses}.data());
}

int testSome(int count, First requests, int* done, int* places, First statuses) {
    return from_one::testSome(count, Requests{count, requests}.data(), done, places, Statuses{count, statuses}.data());
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
#include "engine/live/pmpi/interception/fortran_entries.inc"
}  // extern "C"

#endif
