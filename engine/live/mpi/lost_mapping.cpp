// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/mpi/lost_mapping.hpp"

#include <sys/mman.h>
#include <array>
#include <atomic>
#include <csignal>

namespace engine::mpi {
namespace {

struct Kept {
    std::atomic<std::byte*> begin{nullptr};
    std::size_t length = 0;
};

/// Global, since a signal handler has no other access.
std::array<Kept, 8> kept;
struct sigaction before {};
bool watching = false;

extern "C" void mappingLost(int, siginfo_t* info, void*) {
    auto* const at = static_cast<std::byte*>(info->si_addr);
    for (const Kept& one : kept) {
        std::byte* const begin = one.begin.load();
        if (begin == nullptr || at < begin || at >= begin + one.length) continue;
        if (mmap(begin, one.length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == begin)
            return;
    }
    // Not our memory: the access faults again, under the previous handler.
    sigaction(SIGBUS, &before, nullptr);
}

}  // namespace

void keepMapping(void* begin, std::size_t length) {
    for (Kept& one : kept) {
        if (one.begin.load() != nullptr) continue;
        one.length = length;
        one.begin = static_cast<std::byte*>(begin);
        break;
    }
    if (watching) return;
    watching = true;
    struct sigaction action {};
    action.sa_sigaction = mappingLost;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, &before);
}

void forgetMapping(void* begin) {
    for (Kept& one : kept)
        if (one.begin.load() == begin) one.begin = nullptr;
}

}  // namespace engine::mpi
