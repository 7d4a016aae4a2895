// SPDX-License-Identifier: BSD-3-Clause
// What the entry points of Fortran have in common, whichever library they stand before.
#pragma once

#include "engine/live/pmpi/recording/call_sites.hpp"

#include <mpi.h>

#include <cstddef>
#include <string>

namespace engine::mpi::pmpi {

/// Fortran counts places from 1.
inline void countFromOne(int code, const int* done, int* places) {
    if (code != MPI_SUCCESS || *done == MPI_UNDEFINED) return;
    for (int i = 0; i < *done; ++i)
        if (places[i] != MPI_UNDEFINED) ++places[i];
}

/// The calls of C whose places Fortran counts from 1.
namespace from_one {

inline int waitAny(int count, MPI_Request* requests, int* place, MPI_Status* status) {
    const int code = MPI_Waitany(count, requests, place, status);
    const int one = 1;
    countFromOne(code, &one, place);
    return code;
}

inline int testAny(int count, MPI_Request* requests, int* place, int* flag, MPI_Status* status) {
    const int code = MPI_Testany(count, requests, place, flag, status);
    const int any = *flag != 0 ? 1 : 0;
    countFromOne(code, &any, place);
    return code;
}

inline int waitSome(int count, MPI_Request* requests, int* done, int* places, MPI_Status* statuses) {
    const int code = MPI_Waitsome(count, requests, done, places, statuses);
    countFromOne(code, done, places);
    return code;
}

inline int testSome(int count, MPI_Request* requests, int* done, int* places, MPI_Status* statuses) {
    const int code = MPI_Testsome(count, requests, done, places, statuses);
    countFromOne(code, done, places);
    return code;
}

}  // namespace from_one

inline int init() { return MPI_Init(nullptr, nullptr); }
inline int initThread(int required, int* provided) { return MPI_Init_thread(nullptr, nullptr, required, provided); }

/// The code goes where the last argument says, which mpi_f08 may leave out. Argument<Given>: one argument on its way,
/// which Fortran passes by its address.
template <template <class> class Argument, class... Given, class... Addresses>
void passToC(int (*call)(Given...), void* code, Addresses... given) {
    const int answer = call(Argument<Given>{given}...);
    if (code != nullptr) *static_cast<MPI_Fint*>(code) = answer;
}

/// Where the program calls, for as long as its call takes.
class CalledFrom {
public:
    explicit CalledFrom(const Caller& caller) { fortranCaller = caller; }
    ~CalledFrom() { fortranCaller = {}; }
    CalledFrom(const CalledFrom&) = delete;
    CalledFrom& operator=(const CalledFrom&) = delete;
};

/// An argument that is a string.
struct Words {
    std::string words;
};

/// Compilers pass the length of a string behind all arguments, as a size_t (gfortran since version 8): it is kept for
/// as long as the call takes.
class LengthOfWords {
public:
    explicit LengthOfWords(std::size_t length) { current = length; }
    static inline thread_local std::size_t current [[gnu::tls_model("initial-exec")]] = 0;
};

/// Fortran fills strings up with blanks.
class WordsArgument {
public:
    explicit WordsArgument(void* given) : words_{{static_cast<const char*>(given), LengthOfWords::current}} {
        words_.words.erase(words_.words.find_last_not_of(' ') + 1);
        words_.words.erase(0, words_.words.find_first_not_of(' '));
    }
    operator const Words&() const { return words_; }

private:
    Words words_;
};

inline int acceptAt(Words port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made) {
    return MPI_Comm_accept(port.words.c_str(), info, root, comm, made);
}

inline int connectTo(Words port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made) {
    return MPI_Comm_connect(port.words.c_str(), info, root, comm, made);
}

inline int openFile(MPI_Comm comm, Words name, int mode, MPI_Info info, MPI_File* file) {
    return MPI_File_open(comm, name.words.c_str(), mode, info, file);
}

inline int setView(MPI_File file, MPI_Offset place, MPI_Datatype element, MPI_Datatype type, Words form,
                   MPI_Info info) {
    return MPI_File_set_view(file, place, element, type, form.words.c_str(), info);
}

}  // namespace engine::mpi::pmpi

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
