// SPDX-License-Identifier: BSD-3-Clause
// What a program holds while it reads, and cannot give back, is bounded by the budget, however large the trace is.
#include "engine/base/text.hpp"
#include "tests/support/programs/two_processes.hpp"
#include "tests/support/written_trace.hpp"
#include "tests/traces/samples.hpp"
#include "traces/clocks/clocks.hpp"
#include "traces/recording/archive.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COLLSCOPE_SANITIZED
#endif

namespace of_memory {
namespace {

namespace fs = std::filesystem;
using traces::samples::Scratch;

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;
constexpr std::uint64_t budget = 48 * mebibyte;

/// Bytes of memory that a process has asked for and that lie in no file; 0 when it is over.
std::int64_t ownMemoryOf(pid_t process) {
    std::ifstream status{engine::text("/proc/", process, "/status")};
    for (std::string word; status >> word;)
        if (std::int64_t kibibytes = 0; word == "VmData:" && status >> kibibytes) return kibibytes * 1024;
    return 0;
}

/// The most that a process of its own asks for while it does `work`, as far as many looks see it; what earlier tests of
/// this program have asked for is not counted.
std::int64_t mostOf(const std::function<void()>& work) {
    const std::int64_t inherited = ownMemoryOf(::getpid());
    const pid_t child = ::fork();
    if (child == 0) {
        try {
            work();
        } catch (const std::exception&) {
            ::_exit(1);
        }
        ::_exit(0);
    }
    std::int64_t most = 0;
    int status = 1;
    while (::waitpid(child, &status, WNOHANG) == 0) {
        most = std::max(most, ownMemoryOf(child) - inherited);
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    EXPECT_EQ(status, 0);
    return most;
}

/// With a trace, and with one four times as long.
struct Memory {
    std::int64_t few = 0;
    std::int64_t many = 0;
};
constexpr std::int64_t little = 12 * mebibyte;  // where several threads happen to meet

Memory mostFor(support::Pattern pattern, const std::function<void(const fs::path&)>& work) {
    // A short work is done again: not every look comes in time on a busy machine.
    const auto most = [&](std::uint64_t events, int times) {
        const Scratch scratch;
        const fs::path folder = scratch / "trace";
        support::writeTrace(folder, pattern, events);
        std::int64_t found = 0;
        for (int k = 0; k < times; ++k) found = std::max(found, mostOf([&] { work(folder); }));
        return found;
    };
    return {most(3'000'000, 3), most(12'000'000, 1)};
}

TEST(Memory, doesNotGrowWithTheTrace) {
#ifdef COLLSCOPE_SANITIZED
    GTEST_SKIP() << "a sanitizer's own memory grows with the program's";
#endif
    const Scratch scratch;
    const traces::MemoryBudget memory{.bytes = budget, .folder = scratch.path()};
    traces::ClockFit fit{.byRank = std::vector<traces::ClockLine>(support::writtenRanks),
                         .tied = std::vector<bool>(support::writtenRanks),
                         .slack = std::vector<traces::Picoseconds>(support::writtenRanks)};
    fit.byRank[1].offset = traces::Picoseconds{5};
    const Memory alone = mostFor(support::Pattern::mixed, [&](const fs::path& folder) {
        const traces::RecordingPtr recording = traces::readRecording(folder, {}, memory);
        traces::corrected(*recording, fit, memory);
    });
    EXPECT_LT(alone.many, alone.few + little);
    const Memory leading = mostFor(support::Pattern::mixed, [&](const fs::path& folder) {
        support::TwoProcesses both;
        const std::jthread other{[&] { traces::helpReading(folder, both.second(), memory); }};
        traces::readRecording(folder, {}, memory, &both.first());
    });
    EXPECT_LT(leading.many, leading.few + little);
}

TEST(Memory, doesNotGrowWithTheCollectivesThatClocksAreFittedTo) {
#ifdef COLLSCOPE_SANITIZED
    GTEST_SKIP() << "a sanitizer's own memory grows with the program's";
#endif
    const Scratch scratch;
    const traces::MemoryBudget memory{.bytes = budget, .folder = scratch.path()};
    const Memory fitting = mostFor(support::Pattern::reductions, [&](const fs::path& folder) {
        const traces::RecordingPtr recording = traces::readRecording(folder, {}, memory);
        traces::corrected(*recording, traces::fitClocks(*recording, memory), memory);
    });
    EXPECT_LT(fitting.many, fitting.few + little);
}

}  // namespace
}  // namespace of_memory
