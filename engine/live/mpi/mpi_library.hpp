// SPDX-License-Identifier: BSD-3-Clause
// The MPI library's own words, for files of this folder only.
#pragma once

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/problem/problem.hpp"

#include <mpi.h>

#include <cstddef>
#include <limits>
#include <span>

namespace engine::mpi {

/// The library failed.
class Failed : public Error {
public:
    Failed(const std::string& words, int code) : Error{words}, code_{code} {}

    /// As the library gave it.
    [[nodiscard]] int code() const { return code_; }

private:
    int code_;
};

/// Throws Failed with the library's words when `code` is a failure of `what`.
inline void check(int code, const char* what) {
    if (code == MPI_SUCCESS) return;
    char words[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, words, &length);
    throw Failed{text(what, ": ", std::string_view{words, asSize(length)}), code};
}

/// The library counts with int.
inline int count(Bytes bytes) {
    if (bytes > std::numeric_limits<int>::max())
        throw Error{text(field::on, " mpi moves at most 2 GiB at once, not ", showBytes(bytes), "; choose a smaller ",
                         field::size)};
    return static_cast<int>(bytes);
}

inline MPI_Datatype typeOf(Element element) {
    switch (element) {
        case Element::int32: return MPI_INT32_T;
        case Element::int64: return MPI_INT64_T;
        case Element::uint32: return MPI_UINT32_T;
        case Element::uint64: return MPI_UINT64_T;
        case Element::float32: return MPI_FLOAT;
        case Element::float64: return MPI_DOUBLE;
    }
    return MPI_DATATYPE_NULL;
}

/// How a problem's vectors are combined: an operation of the library or one made for it, and what it counts in. All
/// but that of Operation::ordered may change the order of their operands.
class Combining {
public:
    explicit Combining(const Problem& problem);
    ~Combining();
    Combining(const Combining&) = delete;
    Combining& operator=(const Combining&) = delete;

    [[nodiscard]] MPI_Op operation() const { return operation_; }
    [[nodiscard]] MPI_Datatype type() const { return type_; }
    /// How many of `type` are in so many bytes.
    [[nodiscard]] int units(Bytes bytes) const { return count(bytes / unit_); }
    /// right := left o right.
    void combine(std::span<const std::byte> left, std::span<std::byte> right) const;
    [[nodiscard]] bool commutes() const { return commutes_; }

private:
    MPI_Op operation_ = MPI_OP_NULL;
    MPI_Datatype type_;
    Bytes unit_;
    bool commutes_;
    bool ownOperation_ = false;
    bool ownType_ = false;
};

/// A communicator that is freed.
class Team {
public:
    explicit Team(MPI_Comm comm) : comm_{comm} {}
    ~Team() {
        if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    /// MPI_COMM_NULL for processes that take no part.
    [[nodiscard]] MPI_Comm comm() const { return comm_; }
    [[nodiscard]] Rank rank() const {
        int rank = 0;
        MPI_Comm_rank(comm_, &rank);
        return Rank{rank};
    }

private:
    MPI_Comm comm_;
};

}  // namespace engine::mpi
