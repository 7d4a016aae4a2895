// SPDX-License-Identifier: BSD-3-Clause
// Messages per second with fair sharing. Run: collscope_benchmarks --benchmark_filter=fair
#include "emulation/clocks/virtual_clock.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/patterns.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace engine;

void fair(benchmark::State& state, const char* id, const char* network, const char* sizes, std::int64_t most) {
    const auto ranks = static_cast<int>(state.range(0));
    std::mt19937 random{1};
    std::vector<Bytes> bytes(static_cast<std::size_t>(ranks), 1024);
    if (std::string_view{sizes} == "uneven")
        for (Bytes& each : bytes) each = 512 + static_cast<Bytes>(random() % 1024);
    Plan plan = makePlan(algorithmNamed(id), support::allgatherv(bytes), {});
    Facts facts = plan.schedule->facts();
    facts.rounds = std::min(facts.rounds, most);
    facts.stages.clear();
    plan.schedule = schedule(facts, Borrowed{plan.schedule});
    const emulation::NetworkPtr on = emulation::makeNetwork(network, ranks);
    std::int64_t messages = 0;
    for (auto _ : state)
        messages += emulation::emulate(plan, *on, {.sharing = emulation::Sharing::fair, .budget = 0}).run.messageCount;
    state.SetItemsProcessed(messages);
}

constexpr std::int64_t all = std::int64_t{1} << 30;

#define FAIR(name, ...) BENCHMARK_CAPTURE(fair, name, __VA_ARGS__)->Arg(4096)->Unit(benchmark::kMillisecond)

FAIR(ring_flat, "allgatherv/linear-ring", "fat-tree:4096", "even", 200);
FAIR(ring_torus, "allgatherv/linear-ring", "torus:16x16x16", "even", 200);
FAIR(ring_torus_late, "allgatherv/linear-ring", "torus:16x16x16,link=1us+0.8ns/B", "even", 200);
FAIR(ring_torus_uneven, "allgatherv/linear-ring", "torus:16x16x16", "uneven", 200);
FAIR(ring_fat_tree_uneven, "allgatherv/linear-ring", "fat-tree:16x16x16,taper=2", "uneven", 200);
FAIR(doubling_torus, "allgatherv/recursive-doubling", "torus:16x16x16", "even", all);
FAIR(doubling_fat_tree, "allgatherv/recursive-doubling", "fat-tree:16x16x16,taper=4", "even", all);
FAIR(bruck_dragonfly, "allgatherv/bruck", "dragonfly:16,16,16", "even", all);
FAIR(bruck_torus_uneven, "allgatherv/bruck", "torus:16x16x16", "uneven", all);
FAIR(ring_full_uneven, "allgatherv/linear-ring", "full", "uneven", 200);

}  // namespace
