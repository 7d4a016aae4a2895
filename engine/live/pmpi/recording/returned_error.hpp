// SPDX-License-Identifier: BSD-3-Clause
// The error code that a call of the MPI library returned.
#pragma once

#include "engine/live/records/call_records.hpp"

#include <mpi.h>

namespace engine::mpi::pmpi {

class ReturnedError {
public:
    /// `code` is not MPI_SUCCESS.
    explicit ReturnedError(int code);

    /// The library rejected the arguments and did nothing.
    [[nodiscard]] bool isRefusal() const { return refused_; }
    [[nodiscard]] bool isPending() const { return class_ == MPI_ERR_PENDING; }
    [[nodiscard]] bool isInStatus() const { return class_ == MPI_ERR_IN_STATUS; }
    /// The message was longer than the receive buffer and is consumed.
    [[nodiscard]] bool isTruncation() const { return class_ == MPI_ERR_TRUNCATE; }
    /// As it is recorded.
    [[nodiscard]] live::Step step() const {
        return {.tag = place_, .deed = refused_ ? live::CallEffect::refused : live::CallEffect::failed};
    }

private:
    int class_ = MPI_ERR_UNKNOWN;
    std::int32_t place_ = 0;  ///< in live::errorClassNames
    bool refused_ = false;
};

/// Whether a call that receives has taken a message, whatever it returned.
inline bool tookMessage(int code) { return code == MPI_SUCCESS || ReturnedError{code}.isTruncation(); }

}  // namespace engine::mpi::pmpi
