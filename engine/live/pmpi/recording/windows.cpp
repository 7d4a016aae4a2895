// SPDX-License-Identifier: BSD-3-Clause
// The entry points that all processes of a window call together.
#include "engine/live/pmpi/recording/recorded_call.hpp"

using namespace engine::mpi::pmpi;
using engine::live::CallEffect;
using engine::live::Other;

namespace {

template <class Native>
int making(Other what, const Caller& caller, MPI_Comm comm, MPI_Win* window, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    noted.enterTogether(comm);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    if (const auto team = noted.teamOf(comm)) noted.session().windows().add(*window, *team);
    noted.doneTogether(comm);
    return code;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

#define ENTRIES "engine/live/pmpi/interception/window_entries.inc"
#include "engine/live/pmpi/counts.inc"

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* window) {
    return making(Other::Win_create_dynamic, HERE, comm, window,
                  [&] { return PMPI_Win_create_dynamic(info, comm, window); });
}

int MPI_Win_free(MPI_Win* window) {
    RecordedCall noted{Other::Win_free, HERE};
    if (!noted || window == nullptr) return PMPI_Win_free(window);
    noted.enterTogether(OfWindow{*window});
    const engine::live::Channel channel = noted.session().windows().channelOf(*window);
    noted.session().windows().forget(*window);
    const int code = PMPI_Win_free(window);
    if (code != MPI_SUCCESS) return noted.failed(code);
    noted.session().freed(channel);
    noted.doneTogether();
    return code;
}

int MPI_Win_fence(int mode, MPI_Win window) {
    RecordedCall noted{Other::Win_fence, HERE};
    if (!noted) return PMPI_Win_fence(mode, window);
    const auto known = noted.session().windows().of(window);
    noted.enterTogether(OfWindow{window});
    const int code = PMPI_Win_fence(mode, window);
    if (code != MPI_SUCCESS) return noted.failed(code);
    noted.done(known ? engine::live::Step{.request = known->number, .team = known->team, .deed = CallEffect::meet}
                     : engine::live::Step{});
    return code;
}

}  // extern "C"
#pragma GCC visibility pop
