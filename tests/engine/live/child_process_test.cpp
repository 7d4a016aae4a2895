// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/child_process.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace engine::live {
namespace {

TEST(RunToEnd, startsAProgramThatSignalsReach) {
    sigset_t terminating;
    sigemptyset(&terminating);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&terminating, signal);
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &terminating, &before);  // as the program's watcher of signals does
    const int code = runToEnd({"grep", "-q", "SigBlk:.0000000000000000", "/proc/self/status"}, {}, {});
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    EXPECT_EQ(code, 0) << "the program inherited blocked signals";
}

TEST(RunToEnd, returnsTheExitCodeOrTheSignal) {
    EXPECT_EQ(runToEnd({"sh", "-c", "exit $CODE"}, {{"CODE", "7"}}, {}), 7);
    EXPECT_EQ(runToEnd({"sh", "-c", "kill -TERM $$"}, {}, {}), 128 + SIGTERM);
}

}  // namespace
}  // namespace engine::live
