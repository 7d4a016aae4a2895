// SPDX-License-Identifier: BSD-3-Clause
// MPICH's Fortran library calls MPI_Bcast and variants, which leads to calls.cpp. Only procedures of its module mpi_f08
// that take no buffer call PMPI_Wait and variants instead: entry points here replace these. All others are called
// through entry points here as well, which note the line of the program that calls.
#include "engine/live/pmpi/interception/fortran_entry.hpp"

#ifdef MPICH_VERSION

#include <dlfcn.h>

#include <type_traits>

static_assert(sizeof(MPI_Status) == sizeof(MPI_F08_status), "statuses of mpi_f08 are passed on as they are");

using namespace engine::mpi::pmpi;

// The objects that programs pass to mpi_f08 for MPI_STATUS_IGNORE and variants lie in MPICH's Fortran library, which
// programs in C do not load.
#pragma weak MPIR_F08_MPI_STATUS_IGNORE_OBJ
#pragma weak MPIR_F08_MPI_STATUSES_IGNORE_OBJ

namespace {

/// One argument on its way. Handles are numbers here, and those of Fortran the same as those of C.
template <class Given>
class Argument {
public:
    explicit Argument(void* given) : given_{*static_cast<Given*>(given)} {}
    operator Given() const { return given_; }

private:
    Given given_;
};
template <class Pointed>
class Argument<Pointed*> {
public:
    explicit Argument(void* given) : given_{static_cast<Pointed*>(given)} {}
    operator Pointed*() const {
        if constexpr (std::is_same_v<Pointed, MPI_Status>) {
            const void* const given = given_;
            if (given == static_cast<const void*>(&MPIR_F08_MPI_STATUS_IGNORE_OBJ)) return MPI_STATUS_IGNORE;
            if (given == static_cast<const void*>(MPIR_F08_MPI_STATUSES_IGNORE_OBJ)) return MPI_STATUSES_IGNORE;
        }
        return given_;
    }

private:
    Pointed* given_;
};

template <>
class Argument<Words> : public WordsArgument {
    using WordsArgument::WordsArgument;
};

/// Files are the only handles that are no numbers in C.
template <>
class Argument<MPI_File> {
public:
    explicit Argument(void* given) : file_{MPI_File_f2c(*static_cast<MPI_Fint*>(given))} {}
    operator MPI_File() const { return file_; }

private:
    MPI_File file_;
};
template <>
class Argument<MPI_File*> {
public:
    explicit Argument(void* given) : given_{static_cast<MPI_Fint*>(given)}, file_{MPI_File_f2c(*given_)} {}
    ~Argument() { *given_ = MPI_File_c2f(file_); }
    Argument(const Argument&) = delete;
    Argument& operator=(const Argument&) = delete;
    operator MPI_File*() { return &file_; }

private:
    MPI_Fint* given_;
    MPI_File file_;
};

int duplicate(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) { return MPI_Comm_idup(comm, made, request); }
int startAll(int count, MPI_Request* requests) { return MPI_Startall(count, requests); }
int waitAll(int count, MPI_Request* requests, MPI_Status* statuses) { return MPI_Waitall(count, requests, statuses); }
int testAll(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
    return MPI_Testall(count, requests, flag, statuses);
}

using from_one::testAny;
using from_one::testSome;
using from_one::waitAny;
using from_one::waitSome;

}  // namespace

/// Notes from where the program calls, and calls the library's own.
#define THROUGH(name, number)                                                               \
    __attribute__((visibility("default"))) void name(PARAMETERS_##number) {                 \
        const CalledFrom here{HERE};                                                        \
        static const auto own = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name)); \
        own(REVERSED_##number);                                                             \
    }
#define REVERSED_0 code
#define REVERSED_1 a, REVERSED_0
#define REVERSED_2 b, REVERSED_1
#define REVERSED_3 c, REVERSED_2
#define REVERSED_4 d, REVERSED_3
#define REVERSED_5 e, REVERSED_4
#define REVERSED_6 f, REVERSED_5
#define REVERSED_7 g, REVERSED_6
#define REVERSED_8 h, REVERSED_7
#define REVERSED_9 i, REVERSED_8
#define REVERSED_10 j, REVERSED_9
#define REVERSED_11 k, REVERSED_10
#define REVERSED_12 l, REVERSED_11

#define THROUGH_ALL(lower, upper, number) \
    THROUGH(mpi_##lower, number)          \
    THROUGH(mpi_##lower##_, number)       \
    THROUGH(mpi_##lower##__, number)      \
    THROUGH(MPI_##upper, number)
#define ENTRY(lower, upper, number, call)                                                 \
    THROUGH_ALL(lower, upper, number)                                                     \
    __attribute__((visibility("default"))) void mpi_##lower##_f08_(PARAMETERS_##number) { \
        const CalledFrom here{HERE};                                                      \
        passToC<Argument>(call, GIVEN_##number);                                          \
    }
#define BUFFER_ENTRY(lower, upper, number, call) \
    THROUGH_ALL(lower, upper, number)            \
    THROUGH(mpi_##lower##_f08ts_, number)
#define THROUGH_WITH_WORDS(name, number)                                                        \
    __attribute__((visibility("default"))) void name(PARAMETERS_##number, std::size_t length) { \
        const CalledFrom here{HERE};                                                            \
        static const auto own = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name));     \
        own(REVERSED_##number, length);                                                         \
    }
#define WORDS_ENTRY(lower, upper, number, call)                                                               \
    THROUGH_WITH_WORDS(mpi_##lower, number)                                                                   \
    THROUGH_WITH_WORDS(mpi_##lower##_, number)                                                                \
    THROUGH_WITH_WORDS(mpi_##lower##__, number)                                                               \
    THROUGH_WITH_WORDS(MPI_##upper, number)                                                                   \
    __attribute__((visibility("default"))) void mpi_##lower##_f08_(PARAMETERS_##number, std::size_t length) { \
        const CalledFrom here{HERE};                                                                          \
        const LengthOfWords its{length};                                                                      \
        passToC<Argument>(call, GIVEN_##number);                                                              \
    }

extern "C" {
#include "engine/live/pmpi/interception/fortran_entries.inc"
}  // extern "C"

#endif
