// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/natives.hpp"

#include <algorithm>
#include <array>

namespace engine::live {

std::span<const Native> natives() {
    static constexpr std::array<Native, 6> all{{
        {"allgatherv/native", Collective::allgatherv, "MPI_Allgatherv", "the MPI library's own, on one group"},
        {"allreduce/native", Collective::allreduce, "MPI_Allreduce", "the MPI library's own"},
        {"barrier/native", Collective::barrier, "MPI_Barrier", "the MPI library's own"},
        {"bcast/native", Collective::bcast, "MPI_Bcast", "the MPI library's own"},
        {"halfduplex-allgather/native", Collective::halfduplexAllgather, "MPI_Allgatherv",
         "the MPI library's own on an intercommunicator, group B contributing nothing"},
        {"intergroup-allgatherv/native", Collective::intergroupAllgatherv, "MPI_Allgatherv",
         "the MPI library's own on an intercommunicator"},
    }};
    return all;
}

const Native* nativeNamed(std::string_view id) {
    const auto all = natives();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Native& native) { return native.id == id; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace engine::live
