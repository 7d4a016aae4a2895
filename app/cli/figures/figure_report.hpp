// SPDX-License-Identifier: BSD-3-Clause
// Made items as files: a table, a page to read, a report with pictures.
#pragma once

#include "app/cli/figures/figure_result.hpp"
#include "app/cli/output/console.hpp"
#include "app/cli/output/json.hpp"

#include <ostream>
#include <vector>

namespace app::cli {

/// One line per point of every line of every chart, and one per number: item, panel, what it is of, x, y, ...
void writeFigureCsv(const std::vector<FigureResult>& all, std::ostream& out);

Json figureJson(const FigureResult& made);

/// How long all of it took, and what of it ran.
struct Effort {
    std::string command{};  ///< without its output: "collscope figure all --small"
    double seconds = 0;
    std::size_t ran = 0;
    std::size_t taken = 0;
    Form form = Form::whole;
};

/// The same for every run of this program on every machine: items, verdicts, numbers and their commands.
void writeFigurePage(const std::vector<FigureResult>& all, const Effort& effort, std::ostream& out);

/// Each item with command, picture, numbers, verdict and why; what ran; and the text of an artifact appendix.
void writeFigureReport(const std::vector<FigureResult>& all, const Effort& effort, const Console& console,
                       const gui::Picture& picture, std::ostream& out);

}  // namespace app::cli
