// SPDX-License-Identifier: BSD-3-Clause
// What the bound of a network takes, beside running an algorithm on it in virtual time.
// Run: collscope_benchmarks --benchmark_filter=network
#include "emulation/bounds/network_bound.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace engine;

Problem problemOf(Collective collective, std::int32_t ranks, Bytes size) {
    const std::int32_t count = collective == Collective::alltoallv ? ranks * ranks : ranks;
    return {.collective = collective, .groupA = ranks, .layout = Layout::regular(count, size)};
}

void networkBound(benchmark::State& state, Collective collective, const char* topology) {
    const auto ranks = static_cast<std::int32_t>(state.range(0));
    const emulation::NetworkPtr network = emulation::makeNetwork(topology, ranks);
    Bytes size = 65536;  // another one each time, so that no answer is remembered
    for (auto _ : state)
        benchmark::DoNotOptimize(
            emulation::bounds::networkBound(problemOf(collective, ranks, size += 8), *network, Rate{400'000}));
}

void networkRun(benchmark::State& state, const char* id, const char* topology) {
    const auto ranks = static_cast<std::int32_t>(state.range(0));
    const emulation::NetworkPtr network = emulation::makeNetwork(topology, ranks);
    const Algorithm& algorithm = algorithmNamed(id);
    const Plan plan = makePlan(algorithm, problemOf(algorithm.collective, ranks, 65536), {});
    for (auto _ : state) benchmark::DoNotOptimize(emulation::makespan(plan, *network, {}));
}

#define ON(topology, ranks)                                                      \
    BENCHMARK_CAPTURE(networkBound, allgather, Collective::allgatherv, topology) \
        ->Arg(ranks)                                                             \
        ->Unit(benchmark::kMillisecond);                                         \
    BENCHMARK_CAPTURE(networkBound, allreduce, Collective::allreduce, topology)  \
        ->Arg(ranks)                                                             \
        ->Unit(benchmark::kMillisecond);                                         \
    BENCHMARK_CAPTURE(networkBound, alltoall, Collective::alltoallv, topology)   \
        ->Arg(ranks)                                                             \
        ->Unit(benchmark::kMillisecond);                                         \
    BENCHMARK_CAPTURE(networkRun, allgather, "allgatherv/linear-ring", topology) \
        ->Arg(ranks)                                                             \
        ->Unit(benchmark::kMillisecond)

ON("fat-tree:8x8,taper=4", 64);
ON("torus:8x8", 64);
ON("dragonfly:4,4,4", 64);
ON("fat-tree:32x32,taper=4", 1024);

}  // namespace
