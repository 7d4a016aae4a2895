// SPDX-License-Identifier: BSD-3-Clause
// What the library itself says of a call's arguments, before messages of ours depend on them. It is asked on a
// communicator of this process alone: nothing is sent, nothing is copied but what is there already. A call that it does
// not take is handed on to it as it came, so that its words, its class and its handler are the library's.
#pragma once

#include "engine/live/pmpi/replacement/collective_arguments.hpp"

#include <mutex>

namespace engine::mpi::pmpi {

class ArgumentChecker {
public:
    ArgumentChecker();
    /// While MPI lives.
    ~ArgumentChecker();
    ArgumentChecker(const ArgumentChecker&) = delete;
    ArgumentChecker& operator=(const ArgumentChecker&) = delete;

    /// Roots, and what CollectiveRequest::isStrange() sees, are left to the caller.
    [[nodiscard]] bool takes(const CollectiveRequest& call);

private:
    bool takesVectors(const CollectiveRequest& call);
    bool takesBytes(const CollectiveRequest& call);
    bool takesSide(const CollectiveRequest& call, const Side& side, bool each);
    bool takesBuffer(const void* buffer, int count, MPI_Datatype type);
    bool takesOwn(const Elements& own, const Elements& place);

    std::mutex one_;  ///< threads may not call on one communicator at once
    MPI_Comm alone_ = MPI_COMM_NULL;
};

}  // namespace engine::mpi::pmpi
