// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/replacement/argument_checker.hpp"

#include "engine/live/pmpi/replacement/program_data.hpp"

#include <algorithm>

namespace engine::mpi::pmpi {

ArgumentChecker::ArgumentChecker() {
    check(PMPI_Comm_dup(MPI_COMM_SELF, &alone_), "copying MPI_COMM_SELF");
    PMPI_Comm_set_errhandler(alone_, MPI_ERRORS_RETURN);
}

ArgumentChecker::~ArgumentChecker() { PMPI_Comm_free(&alone_); }

bool ArgumentChecker::takes(const CollectiveRequest& call) {
    const std::lock_guard lock{one_};
    if (call.collective() == Collective::barrier) return true;
    return combinesVectors(call.collective()) ? takesVectors(call) : takesBytes(call);
}

/// Broadcast to nobody else: what is there is looked at and left.
bool ArgumentChecker::takesBuffer(const void* buffer, int count, MPI_Datatype type) {
    return PMPI_Bcast(const_cast<void*>(buffer), count, type, 0, alone_) == MPI_SUCCESS;
}

bool ArgumentChecker::takesSide(const CollectiveRequest& call, const Side& side, bool each) {
    if (side.types != nullptr) {
        for (std::int32_t i = 0; i < call.others(); ++i)
            if (!takesBuffer(side.buffer, side.counts[i], side.types[i])) return false;
        return true;
    }
    int longest = side.counts != nullptr ? 0 : static_cast<int>(side.each);
    for (std::int32_t i = 0; each && side.counts != nullptr && i < call.others(); ++i)
        longest = std::max(longest, side.counts[i]);
    return takesBuffer(side.buffer, longest, side.type);
}

bool ArgumentChecker::takesVectors(const CollectiveRequest& call) {
    const auto& [from, to, operation, root] = call.arguments();
    // Two names of one place: a library may take them of a process alone and not of several.
    if (call.brings() && call.takes() && from.buffer == to.buffer) return false;
    int in = 0;
    int out = 0;
    const void* const source = call.brings() ? from.buffer : &in;
    void* const target = call.takes() ? to.buffer : &out;
    if (PMPI_Allreduce(source, target, 0, to.type, operation, alone_) != MPI_SUCCESS) return false;
    const std::int64_t all = call.elements();
    if (all > std::numeric_limits<int>::max()) return false;
    const auto elements = static_cast<int>(all);
    return (!call.brings() || takesBuffer(call.source().buffer, elements, to.type)) &&
           (!call.takes() || takesBuffer(to.buffer, static_cast<int>(to.count(call.rank())), to.type));
}

bool ArgumentChecker::takesBytes(const CollectiveRequest& call) {
    const Side& from = call.source();
    const Side& to = call.arguments().to;
    const bool sends = call.brings() && (!call.inPlace() || &from != &to);
    const bool receives = call.takes() && (!call.inPlace() || &from == &to);
    if (sends && receives && from.types == nullptr &&
        PMPI_Allgather(from.buffer, 0, from.type, to.buffer, 0, to.type, alone_) != MPI_SUCCESS)
        return false;
    // Open MPI gathers into types that were not committed; packing takes none of them.
    if (receives && !takesSide(call, to, call.takesFromEach())) return false;
    if (sends && !takesSide(call, from, call.bringsToEach())) return false;
    if (!sends || !receives || isIntergroup(call.collective())) return true;
    return takesOwn(call.bringsToEach() ? from.of(call.rank()) : from.only(),
                    call.takesFromEach() ? to.of(call.rank()) : to.only());
}

/// The own contribution on its way to the own place.
bool ArgumentChecker::takesOwn(const Elements& own, const Elements& place) {
    if (bytesOf(own) > bytesOf(place)) return false;
    return own.address != place.address || PMPI_Allgather(own.address, own.count, own.type, place.address, place.count,
                                                          place.type, alone_) == MPI_SUCCESS;
}

}  // namespace engine::mpi::pmpi
