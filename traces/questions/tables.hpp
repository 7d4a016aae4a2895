// SPDX-License-Identifier: BSD-3-Clause
// Answers of this folder as tables, with the column names that csv and json promise (resources/docs/questions.md).
#pragma once

#include "engine/table.hpp"
#include "traces/questions/against.hpp"
#include "traces/questions/critical_path.hpp"
#include "traces/questions/fit.hpp"
#include "traces/questions/recognise.hpp"
#include "traces/questions/rounds.hpp"
#include "traces/questions/waits.hpp"

namespace traces {

engine::Table tableOf(const std::vector<RoundRow>& rows);
engine::Table tableOf(const std::vector<PathStep>& path);
engine::Table tableOf(const std::vector<WaitRow>& rows);
engine::Table tableOf(const std::vector<DelayRow>& rows);
engine::Table tableOf(const std::vector<WaveRow>& rows);
engine::Table tableOf(const std::vector<Recognition>& found);
engine::Table tableOf(const std::vector<DifferenceRow>& rows);
engine::Table tableOf(const std::vector<ChangeRow>& rows);
engine::Table tableOf(const std::vector<PortRow>& rows);
engine::Table tableOf(const std::vector<DeliveryRow>& rows);
engine::Table tableOf(const Fit& fit);
/// How every rank spent the run.
engine::Table ranksTable(const engine::Run& run);

}  // namespace traces
