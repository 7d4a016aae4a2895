// SPDX-License-Identifier: BSD-3-Clause
// Answers of this folder as tables, with the column names that csv and json promise (resources/docs/questions.md).
#pragma once

#include "app/analysis/against.hpp"
#include "app/analysis/critical_path.hpp"
#include "app/analysis/fit.hpp"
#include "app/analysis/recognise.hpp"
#include "app/analysis/rounds.hpp"
#include "app/analysis/waits.hpp"
#include "engine/table.hpp"

namespace app::analysis {

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

}  // namespace app::analysis
