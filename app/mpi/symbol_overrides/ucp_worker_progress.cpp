// SPDX-License-Identifier: BSD-3-Clause
// How a process waits where MPICH sends by UCX, as Debian's does: it asks UCX for news without end and never lets go of
// its processor. Where there are more processes than processors, one that got its message waits for the time slices of
// the others: eight processes on two processors need 30 ms for a barrier. There each question without an answer is
// followed by sched_yield (sched_yield.cpp), as Open MPI does when it is oversubscribed.
#include <dlfcn.h>
#include <sched.h>
#include <cstdlib>

namespace {

using Progress = unsigned (*)(void*);

bool isCrowded() {
    if (std::getenv("COLLSCOPE_NAP") != nullptr) return true;
    const char* here = std::getenv("MPI_LOCALNRANKS");  // from Hydra: processes of this job on this machine
    cpu_set_t processors;
    if (here == nullptr || sched_getaffinity(0, sizeof processors, &processors) != 0) return false;
    return std::strtol(here, nullptr, 10) > CPU_COUNT(&processors);
}

}  // namespace

/// In place of UCX's: this program exports it, so that MPICH calls it. Returns how much news there was.
extern "C" unsigned ucp_worker_progress(void* worker) noexcept {
    static const auto progress = reinterpret_cast<Progress>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
    static const bool crowded = isCrowded();
    const unsigned news = progress(worker);
    if (news == 0 && crowded) sched_yield();
    return news;
}
