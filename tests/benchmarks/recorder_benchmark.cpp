// SPDX-License-Identifier: BSD-3-Clause
// What recording costs a process of a live run.
#include "engine/live/mpi/recorder.hpp"

#include <benchmark/benchmark.h>

#include <unistd.h>

namespace {

using namespace engine;

/// One event with its clock reading; the record is begun anew when it is full.
void recordEvent(benchmark::State& state) {
    const auto file =
        std::filesystem::temp_directory_path() / ("collscope-benchmark-" + std::to_string(getpid()) + ".rec");
    constexpr std::int64_t room = 100'000;
    mpi::Recorder recorder{file, room};
    std::int64_t begin = mpi::now();
    for (auto _ : state) {
        if (recorder.header().count.load(std::memory_order_relaxed) == room) recorder.header().count = 0;
        const std::int64_t end = mpi::now();
        recorder.add({.begin = begin, .end = end, .round = 1, .bytes = 65536, .peer = 1, .kind = live::Kind::send});
        begin = end;
    }
    std::filesystem::remove(file);
}
BENCHMARK(recordEvent);

}  // namespace
