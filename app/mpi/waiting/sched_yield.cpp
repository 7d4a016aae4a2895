// SPDX-License-Identifier: BSD-3-Clause
// How a process waits for messages. The MPI library asks for news without end and calls sched_yield in between. With 16
// processes on a few processors they all look busy to the system, and one that got its message waits for the time slices
// of those that did not: milliseconds, as long as a message of the lab itself. There (COLLSCOPE_NAP, in microseconds)
// they sleep for a moment instead; who sleeps is woken at once. The library's own collectives wait in the same way.
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cstdlib>
#include <ctime>

namespace {

/// Nanoseconds; negative: not asked yet.
constinit std::atomic<long> nap{-1};

long readNap() {
    const char* words = std::getenv("COLLSCOPE_NAP");
    const long time = words != nullptr ? std::strtol(words, nullptr, 10) * 1000 : 0;
    // Otherwise the system makes every sleep 50 us longer.
    if (time > 0) prctl(PR_SET_TIMERSLACK, 1000UL);
    return time > 0 && time < 1'000'000'000 ? time : 0;
}

}  // namespace

/// In place of the C library's: this program exports it, so that the MPI library calls it too.
extern "C" int sched_yield() noexcept {
    long time = nap.load(std::memory_order_relaxed);
    if (time < 0) nap = time = readNap();
    if (time == 0) return static_cast<int>(syscall(SYS_sched_yield));
    const timespec moment{.tv_sec = 0, .tv_nsec = time};
    nanosleep(&moment, nullptr);
    return 0;
}
