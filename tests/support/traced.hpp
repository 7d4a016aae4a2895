// SPDX-License-Identifier: BSD-3-Clause
// Traces to analyse: runs of the catalogue in virtual time, and runs and recordings that a test makes.
#pragma once

#include "app/analysis/tables/table_definition.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/network.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/problem/sizes.hpp"
#include "tests/support/problems.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <memory>
#include <string>
#include <utility>

namespace app::analysis::samples {

/// The run of an algorithm in virtual time, fully connected, under the model that holds where none is given.
inline Trace ran(const std::string& algorithm, const engine::Problem& problem) {
    const engine::Plan plan = engine::makePlan(engine::algorithmNamed(algorithm), problem, {});
    const auto network = emulation::makeNetwork("full", plan.schedule->facts().ranks);
    return {.report = reportOn(std::make_shared<const engine::Run>(emulation::emulate(plan, *network, {}).run))};
}

/// The answer to one question about a run of which nothing is known but its messages, and `plan` if there is one.
inline engine::Table answered(std::string_view question, engine::Run run, std::optional<engine::Plan> plan = {}) {
    Trace trace;
    trace.report.run = std::make_shared<const engine::Run>(std::move(run));
    trace.report.plan = std::move(plan);
    TraceAnalysis analysis{trace, {}};
    return computeTable(tableNamed(question), analysis);
}

/// A recording as it is analysed once it is read.
inline Trace traceOf(traces::Recording recording) {
    auto kept = std::make_shared<const traces::Recording>(std::move(recording));
    return {.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), .recording = kept};
}

}  // namespace app::analysis::samples
