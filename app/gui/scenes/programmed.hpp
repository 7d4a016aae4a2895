// SPDX-License-Identifier: BSD-3-Clause
// What pictures of a traced program need, found out beside other work.
#pragma once

#include "app/analysis/interview.hpp"
#include "app/gui/scenes/later.hpp"

#include <QString>

#include <memory>

namespace app::gui {

struct Programmed {
    analysis::TracedProgramPtr program;  ///< null where it could not be found out
    QString why;                         ///< then, as a sentence
};

/// Of the trace that `interview` is about; null where that is no program.
std::shared_ptr<const Later<Programmed>> programmedLater(const std::shared_ptr<analysis::Interview>& interview);

}  // namespace app::gui
