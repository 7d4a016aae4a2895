// SPDX-License-Identifier: BSD-3-Clause
// Messages per second in virtual time. Run: collscope_benchmarks --benchmark_filter=emulate
#include "emulation/clocks/virtual_clock.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/problems.hpp"

#include <benchmark/benchmark.h>

#include <sys/resource.h>

namespace {

using namespace engine;

void emulateRing(benchmark::State& state, const char* id, std::int64_t budget) {
    const auto size = static_cast<int>(state.range(0));
    const Plan plan = makePlan(algorithmNamed(id), support::halfduplex(size, size, 65536), {});
    const emulation::NetworkPtr network = emulation::makeNetwork("ring", plan.schedule->facts().ranks);
    std::int64_t messages = 0;
    for (auto _ : state) messages += emulation::emulate(plan, *network, {.budget = budget}).run.messageCount;
    state.SetItemsProcessed(messages);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["peak_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

BENCHMARK_CAPTURE(emulateRing, belts_summaries, "halfduplex-allgather/ring-belts", 0)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(emulateRing, belts_200000_kept, "halfduplex-allgather/ring-belts", 200'000)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(emulateRing, intragroup_summaries, "halfduplex-allgather/ring-intragroup", 0)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);

}  // namespace
