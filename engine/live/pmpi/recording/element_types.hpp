// SPDX-License-Identifier: BSD-3-Clause
// Types of elements whose size may be asked for before the library has seen a call: of a handle that is none it would
// complain, of a call that the program did not make.
#pragma once

#include "engine/live/pmpi/recording/requests.hpp"

#include <shared_mutex>
#include <unordered_set>

namespace engine::mpi::pmpi {

class ElementTypes {
public:
    ElementTypes() {
        for (const MPI_Datatype type : {MPI_CHAR,
                                        MPI_SIGNED_CHAR,
                                        MPI_UNSIGNED_CHAR,
                                        MPI_BYTE,
                                        MPI_PACKED,
                                        MPI_SHORT,
                                        MPI_UNSIGNED_SHORT,
                                        MPI_INT,
                                        MPI_UNSIGNED,
                                        MPI_LONG,
                                        MPI_UNSIGNED_LONG,
                                        MPI_LONG_LONG,
                                        MPI_UNSIGNED_LONG_LONG,
                                        MPI_FLOAT,
                                        MPI_DOUBLE,
                                        MPI_LONG_DOUBLE,
                                        MPI_WCHAR,
                                        MPI_C_BOOL,
                                        MPI_INT8_T,
                                        MPI_INT16_T,
                                        MPI_INT32_T,
                                        MPI_INT64_T,
                                        MPI_UINT8_T,
                                        MPI_UINT16_T,
                                        MPI_UINT32_T,
                                        MPI_UINT64_T,
                                        MPI_AINT,
                                        MPI_OFFSET,
                                        MPI_COUNT,
                                        MPI_FLOAT_INT,
                                        MPI_DOUBLE_INT,
                                        MPI_LONG_INT,
                                        MPI_2INT,
                                        MPI_SHORT_INT,
                                        MPI_LONG_DOUBLE_INT,
                                        MPI_C_COMPLEX,
                                        MPI_C_DOUBLE_COMPLEX,
                                        MPI_INTEGER,
                                        MPI_REAL,
                                        MPI_DOUBLE_PRECISION,
                                        MPI_COMPLEX,
                                        MPI_DOUBLE_COMPLEX,
                                        MPI_LOGICAL,
                                        MPI_CHARACTER})
            add(type);
    }
    /// The library has taken it.
    void add(MPI_Datatype type) {
        const std::unique_lock lock{mutex_};
        if (type != MPI_DATATYPE_NULL) known_.insert(keyOf(type));
    }
    void forget(MPI_Datatype type) {
        const std::unique_lock lock{mutex_};
        known_.erase(keyOf(type));
    }
    [[nodiscard]] bool has(MPI_Datatype type) {
        const std::shared_lock lock{mutex_};
        return known_.contains(keyOf(type));
    }

private:
    std::shared_mutex mutex_;
    std::unordered_set<RequestKey> known_;
};

}  // namespace engine::mpi::pmpi
