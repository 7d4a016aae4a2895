// SPDX-License-Identifier: BSD-3-Clause
// How long proofs take. Run: collscope_benchmarks --benchmark_filter=Verify
#include "engine/catalogue/catalogue.hpp"
#include "engine/proof/verify.hpp"
#include "tests/support/problems.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace engine;

/// One half-duplex algorithm on every p, q <= 24: 576 proofs.
void verifyGrid(benchmark::State& state, const char* id) {
    const Algorithm& algorithm = algorithmNamed(id);
    std::int64_t messages = 0;
    for (auto _ : state)
        for (int p = 1; p <= 24; ++p)
            for (int q = 1; q <= 24; ++q) {
                const Plan plan = makePlan(algorithm, support::halfduplex(p, q), {});
                const Verdict verdict = verify(*plan.schedule, plan.problem);
                if (!verdict.proved) state.SkipWithError(verdict.counterExample.c_str());
                messages += verdict.messages;
            }
    state.SetItemsProcessed(messages);
}

BENCHMARK_CAPTURE(verifyGrid, ring_streams, "halfduplex-allgather/ring-streams")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(verifyGrid, ring_belts, "halfduplex-allgather/ring-belts")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(verifyGrid, ring_intragroup, "halfduplex-allgather/ring-intragroup")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(verifyGrid, root_gathering, "halfduplex-allgather/root-gathering")->Unit(benchmark::kMillisecond);

}  // namespace
