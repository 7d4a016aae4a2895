// SPDX-License-Identifier: BSD-3-Clause
// Messages per second of schedules through the per-round interface: read alone, and moved in virtual time.
// Run: collscope_benchmarks --benchmark_filter='read|free|lockstep'
#include "emulation/clocks/virtual_clock.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/problems.hpp"

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace {

using namespace engine;

struct Case {
    const char* name;
    const char* id;
    Problem problem;
    std::map<std::string, std::string> options{};
    const char* topology = "full";
};

Problem allgather(int ranks) { return support::allgatherv(std::vector<Bytes>(static_cast<std::size_t>(ranks), 1024)); }

Problem uneven(int ranks) {
    std::vector<Bytes> sizes;
    for (int r = 0; r < ranks; ++r) sizes.push_back(1024 + r % 7 * 100);
    return support::allgatherv(sizes);
}

std::vector<Case> cases() {
    return {{"scatter_ring", "bcast/scatter-ring-allgather", support::bcast(4096, 0, 1 << 20)},
            {"scatter_ring_in_groups",
             "bcast/scatter-ring-allgather",
             support::bcast(4096, 0, 1 << 20),
             {{"groups", "16"}}},
            {"bruck", "allgatherv/bruck", allgather(65536)},
            {"bruck_uneven", "allgatherv/bruck", uneven(65536)},
            {"recursive_doubling", "allgatherv/recursive-doubling", allgather(65536)},
            {"binomial", "bcast/binomial-tree", support::bcast(1 << 20, 0, 1024)},
            {"flat", "bcast/flat", support::bcast(65536, 0, 1024)},
            {"chain", "bcast/chain", support::bcast(65536, 0, 1024)},
            {"pipelined_chain", "bcast/pipelined-chain", support::bcast(4096, 0, 1 << 20), {{"segments", "2048"}}},
            {"binary_tree", "bcast/binary-tree", support::bcast(4096, 0, 1 << 20), {{"segments", "1024"}}},
            {"split_binary_tree", "bcast/split-binary-tree", support::bcast(4096, 0, 1 << 20), {{"segments", "1024"}}},
            {"dissemination", "allreduce/dissemination", support::allreduce(65536, 1024)},
            {"belts", "halfduplex-allgather/ring-belts", support::halfduplex(1024, 1024, 1024)},
            {"streams", "halfduplex-allgather/ring-streams", support::halfduplex(1024, 1024, 1024)},
            {"intragroup", "halfduplex-allgather/ring-intragroup", support::halfduplex(1024, 1024, 1024)},
            {"torus", "allgatherv/recursive-doubling", allgather(65536), {}, "torus:32x32x64"},
            {"torus_bruck", "allgatherv/bruck", uneven(65536), {}, "torus:32x32x64"}};
}

std::int64_t messagesOf(const Schedule& schedule) {
    const Facts& facts = schedule.facts();
    Batch batch;
    std::int64_t messages = 0;
    for (Round round{0}; round.value < facts.rounds; ++round) {
        batch.reset(static_cast<std::size_t>(facts.ranks));
        schedule.batch(round, Rank{0}, Rank{facts.ranks}, batch);
        messages += static_cast<std::int64_t>(batch.size());
    }
    return messages;
}

void readAll(benchmark::State& state, const Case& one) {
    const Plan plan = makePlan(algorithmNamed(one.id), one.problem, one.options);
    std::int64_t messages = 0;
    for (auto _ : state) messages += messagesOf(*plan.schedule);
    state.SetItemsProcessed(messages);
}

void moveAll(benchmark::State& state, const Case& one, emulation::Stepping stepping) {
    const Plan plan = makePlan(algorithmNamed(one.id), one.problem, one.options);
    const emulation::NetworkPtr network = emulation::makeNetwork(one.topology, plan.schedule->facts().ranks);
    const std::int64_t messages = messagesOf(*plan.schedule);
    std::int64_t moved = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(emulation::makespan(plan, *network, {.stepping = stepping}));
        moved += messages;
    }
    state.SetItemsProcessed(moved);
}

[[maybe_unused]] const int registered = [] {
    for (const Case& one : cases()) {
        const std::string name{one.name};
        benchmark::RegisterBenchmark(("read/" + name).c_str(), readAll, one)->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("free/" + name).c_str(), moveAll, one, emulation::Stepping::free)
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("lockstep/" + name).c_str(), moveAll, one, emulation::Stepping::lockstep)
            ->Unit(benchmark::kMillisecond);
    }
    return 0;
}();

}  // namespace
