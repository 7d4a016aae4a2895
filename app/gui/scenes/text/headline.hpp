// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/trace/run_report.hpp"
#include "app/gui/scenes/drawing/scene.hpp"
#include "app/session/session.hpp"

#include <QString>

namespace app::gui {

/// The result, in clauses without a full stop.
struct Headline {
    QString time;    ///< what the run took, or what was waited most: `result` begins with it
    QString result;  ///< that, and how it stands beside the least that it has to take
    QString better;  ///< what would be better, where something is known to be; may be empty

    [[nodiscard]] QString words() const { return better.isEmpty() ? result : result + QStringLiteral("; ") + better; }
};

/// Times are held to bounds in virtual time alone, of whose model they are.
Headline headlineOf(const Report& report);
/// The same of a traced program: its costliest cause of waiting.
Headline headlineOf(const analysis::TracedProgram& program);
/// Of either; until its causes are known a program has the headline of any trace.
Headline headlineOf(const DrawableRun& subject);

}  // namespace app::gui
