// SPDX-License-Identifier: BSD-3-Clause
// What pictures of a traced program need, found out beside other work.
#pragma once

#include "app/analysis/overview/analysis_queue.hpp"
#include "app/gui/scenes/drawing/lazy_value.hpp"

#include <QString>

#include <memory>
#include <mutex>

namespace app::gui {

struct ProgramResult {
    analysis::TracedProgramPtr program;  ///< null where it could not be found out
    QString why;                         ///< then, as a sentence
};

/// What of a program there is to see while waits and causes are looked for.
class EarlyProgram {
public:
    /// Null before and after that.
    [[nodiscard]] analysis::TracedProgramPtr program() const {
        const std::scoped_lock lock{access_};
        return program_;
    }
    void show(analysis::TracedProgramPtr program) {
        const std::scoped_lock lock{access_};
        program_.swap(program);
    }

private:
    mutable std::mutex access_;
    analysis::TracedProgramPtr program_;
};

/// Of the trace that `queue` analyses; null where that is no program. Where it takes long `first` shows it
/// meanwhile.
std::shared_ptr<const Later<ProgramResult>> programmedLater(const std::shared_ptr<analysis::AnalysisQueue>& queue,
                                                            const std::shared_ptr<EarlyProgram>& first);

}  // namespace app::gui
