// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/terminal.hpp"

#include "engine/base/temporary_files.hpp"

#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string_view>

namespace app::cli {
namespace {

sigset_t allSignals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
    return set;
}

[[noreturn]] void endAtOnce() {
    engine::removeLeftovers();
    std::_Exit(interrupted);
}

}  // namespace

Interrupt::Interrupt(std::chrono::seconds patience) : patience_{patience} {
    std::signal(SIGXFSZ, SIG_IGN);
    const sigset_t set = allSignals();
    // Threads started later inherit the mask, so that the signals wait for the watcher.
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    watcher_ = std::jthread{[this](const std::stop_token& stop) { watch(stop); }};
}

void Interrupt::watch(const std::stop_token& stop) {
    const sigset_t set = allSignals();
    const timespec pause{.tv_sec = 0, .tv_nsec = 50'000'000};
    std::optional<std::chrono::steady_clock::time_point> latest;
    const std::stop_callback wake{stop, [self = pthread_self()] { pthread_kill(self, SIGINT); }};
    while (true) {
        const int signal = latest ? sigtimedwait(&set, nullptr, &pause) : sigwaitinfo(&set, nullptr);
        if (stop.stop_requested()) return;
        if (signal > 0 && patience_ == patience_.zero()) endAtOnce();
        if (signal == SIGINT && requested_.stop_requested()) endAtOnce();  // asked twice
        if (signal > 0) requested_.request_stop();
        if (signal > 0 && signal != SIGINT && !latest) latest = std::chrono::steady_clock::now() + patience_;
        if (latest && std::chrono::steady_clock::now() > *latest) endAtOnce();
    }
}

void Interrupt::release() {
    if (!watcher_.joinable()) return;
    watcher_.request_stop();
    watcher_.join();
    const sigset_t set = allSignals();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

Surroundings terminal(const Interrupt& interrupt) {
    const char* noColour = std::getenv("NO_COLOR");
    const char* kind = std::getenv("TERM");
    Surroundings around;
    around.stop = interrupt.token();
    around.terminal = isatty(STDERR_FILENO) != 0;
    around.screen = isatty(STDOUT_FILENO) != 0;
    around.colour = around.screen && (noColour == nullptr || *noColour == '\0') && kind != nullptr &&
                    std::string_view{kind} != "dumb";
    return around;
}

}  // namespace app::cli
