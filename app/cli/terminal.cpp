// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/terminal.hpp"

#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string_view>
#include <utility>

namespace app::cli {
namespace {

constexpr std::chrono::seconds patience{3};  // of those who want the program to end

sigset_t setOf(const std::vector<int>& signals) {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : signals) sigaddset(&set, signal);
    return set;
}

}  // namespace

Interrupt::Interrupt(std::vector<int> signals) : signals_{std::move(signals)} {
    std::signal(SIGXFSZ, SIG_IGN);
    const sigset_t set = setOf(signals_);
    // Threads started later inherit the mask, so that the signals wait for the watcher.
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    watcher_ = std::jthread{[this](const std::stop_token& stop) { watch(stop); }};
}

void Interrupt::watch(const std::stop_token& stop) {
    const sigset_t set = setOf(signals_);
    const timespec pause{.tv_sec = 0, .tv_nsec = 50'000'000};
    std::optional<std::chrono::steady_clock::time_point> latest;
    while (!stop.stop_requested()) {
        const int signal = sigtimedwait(&set, nullptr, &pause);
        if (signal == SIGINT && requested_.stop_requested()) std::_Exit(interrupted);  // asked twice: at once
        if (signal > 0) requested_.request_stop();
        if (signal > 0 && signal != SIGINT && !latest) latest = std::chrono::steady_clock::now() + patience;
        if (latest && std::chrono::steady_clock::now() > *latest) std::_Exit(interrupted);
    }
}

void Interrupt::release() {
    if (!watcher_.joinable()) return;
    watcher_.request_stop();
    watcher_.join();
    const sigset_t set = setOf(signals_);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
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
