// SPDX-License-Identifier: BSD-3-Clause
// What the library itself says of a call's arguments, before messages of ours depend on them. It is asked on a
// communicator of this process alone: nothing is sent, nothing is copied but what is there already. A call that it does
// not take is handed on to it as it came, so that its words, its class and its handler are the library's.
#pragma once

#include "engine/live/dropin/places.hpp"

#include <mutex>

namespace engine::mpi::dropin {

class Judge {
public:
    Judge();
    /// While MPI lives.
    ~Judge();
    Judge(const Judge&) = delete;
    Judge& operator=(const Judge&) = delete;

    /// Roots are left to the caller, as is MPI_IN_PLACE.
    [[nodiscard]] bool takesBcast(void* buffer, int count, MPI_Datatype type);
    [[nodiscard]] bool takesAllreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation);
    /// `own`: the rank whose place in `places` is that of `brought`; none between groups.
    [[nodiscard]] bool takesAllgather(const Brought& brought, const Places& places, std::int32_t sources,
                                      std::optional<std::int32_t> own);

private:
    bool takesBuffer(const void* buffer, int count, MPI_Datatype type);
    bool takesOwn(const Brought& brought, const Places& places, std::int32_t own);

    std::mutex one_;  ///< threads may not call on one communicator at once
    MPI_Comm alone_ = MPI_COMM_NULL;
};

}  // namespace engine::mpi::dropin
