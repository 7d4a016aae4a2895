// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/terminal.hpp"

#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <ctime>

namespace app::cli {
namespace {

sigset_t interruptOnly() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    return signals;
}

}  // namespace

Interrupt::Interrupt() {
    const sigset_t signals = interruptOnly();
    // Threads started later inherit the mask, so that the signal waits for the watcher.
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    watcher_ = std::jthread{[this, signals](const std::stop_token& stop) {
        const timespec pause{.tv_sec = 0, .tv_nsec = 50'000'000};
        while (!stop.stop_requested())
            if (sigtimedwait(&signals, nullptr, &pause) == SIGINT) {
                if (requested_.stop_requested()) std::_Exit(interrupted);  // asked twice: at once
                requested_.request_stop();
            }
    }};
}

void Interrupt::release() {
    if (!watcher_.joinable()) return;
    watcher_.request_stop();
    watcher_.join();
    const sigset_t signals = interruptOnly();
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

Surroundings terminal(const Interrupt& interrupt) {
    const char* noColour = std::getenv("NO_COLOR");
    const char* kind = std::getenv("TERM");
    Surroundings around;
    around.stop = interrupt.token();
    around.terminal = isatty(STDERR_FILENO) != 0;
    around.colour = isatty(STDOUT_FILENO) != 0 && (noColour == nullptr || *noColour == '\0') && kind != nullptr &&
                    std::string_view{kind} != "dumb";
    return around;
}

}  // namespace app::cli
