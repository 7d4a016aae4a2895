// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/dropin/judge.hpp"

#include "engine/live/dropin/data.hpp"

#include <algorithm>

namespace engine::mpi::dropin {

Judge::Judge() {
    check(PMPI_Comm_dup(MPI_COMM_SELF, &alone_), "copying MPI_COMM_SELF");
    PMPI_Comm_set_errhandler(alone_, MPI_ERRORS_RETURN);
}

Judge::~Judge() { PMPI_Comm_free(&alone_); }

/// Broadcast to nobody else: what is there is looked at and left.
bool Judge::takesBuffer(const void* buffer, int count, MPI_Datatype type) {
    return PMPI_Bcast(const_cast<void*>(buffer), count, type, 0, alone_) == MPI_SUCCESS;
}

bool Judge::takesBcast(void* buffer, int count, MPI_Datatype type) {
    const std::lock_guard lock{one_};
    return buffer != MPI_IN_PLACE && takesBuffer(buffer, count, type);
}

bool Judge::takesAllreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation) {
    // Two names of one place: a library may take them of a process alone and not of several.
    if (to == MPI_IN_PLACE || from == to) return false;
    const std::lock_guard lock{one_};
    if (PMPI_Allreduce(from, to, 0, type, operation, alone_) != MPI_SUCCESS) return false;
    return (from == MPI_IN_PLACE || takesBuffer(from, count, type)) && takesBuffer(to, count, type);
}

/// The own contribution on its way to the own place.
bool Judge::takesOwn(const Brought& brought, const Places& places, std::int32_t own) {
    if (bytesOf(brought.count, brought.type) > bytesOf(places.count(own), places.type)) return false;
    void* const place = at(places.buffer, places.displacement(own), places.type);
    return brought.buffer != place || PMPI_Allgather(brought.buffer, brought.count, brought.type, place,
                                                     places.count(own), places.type, alone_) == MPI_SUCCESS;
}

bool Judge::takesAllgather(const Brought& brought, const Places& places, std::int32_t sources,
                           std::optional<std::int32_t> own) {
    const bool inPlace = brought.buffer == MPI_IN_PLACE;
    if (places.buffer == MPI_IN_PLACE || (inPlace && !own)) return false;
    const std::lock_guard lock{one_};
    if (PMPI_Allgather(brought.buffer, 0, brought.type, places.buffer, 0, places.type, alone_) != MPI_SUCCESS)
        return false;
    int longest = places.each;
    for (std::int32_t i = 0; i < sources && places.counts != nullptr; ++i)
        longest = std::max(longest, places.counts[i]);
    // Open MPI gathers into types that were not committed; packing takes none of them.
    if (!takesBuffer(places.buffer, longest, places.type)) return false;
    return inPlace ||
           (takesBuffer(brought.buffer, brought.count, brought.type) && (!own || takesOwn(brought, places, *own)));
}

}  // namespace engine::mpi::dropin
