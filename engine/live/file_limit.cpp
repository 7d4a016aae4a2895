// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/file_limit.hpp"

#include <csignal>
#include <ctime>

namespace engine::live {
namespace {

sigset_t theSignal() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    return set;
}

}  // namespace

FileLimit::FileLimit() {
    const sigset_t set = theSignal();
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &set, &before);
    wasBlocked_ = sigismember(&before, SIGXFSZ) == 1;
}

FileLimit::~FileLimit() {
    if (wasBlocked_) return;
    const sigset_t set = theSignal();
    const timespec none{};
    while (sigtimedwait(&set, nullptr, &none) > 0) {
    }
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace engine::live
