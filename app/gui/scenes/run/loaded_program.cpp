// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/run/loaded_program.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"
#include "engine/base/error.hpp"

namespace app::gui {
namespace {

constexpr std::size_t quickCalls = 50'000;  // with their waits some ten milliseconds

ProgramResult found(analysis::AnalysisQueue& queue, const engine::Progress& progress) {
    try {
        return {.program = queue.program(progress), .why = {}};
    } catch (const engine::Error& error) {
        return {.program = nullptr, .why = withMu(QString::fromUtf8(error.what()))};
    }
}

}  // namespace

std::shared_ptr<const Later<ProgramResult>> programmedLater(const std::shared_ptr<analysis::AnalysisQueue>& queue,
                                                            const std::shared_ptr<EarlyProgram>& first) {
    if (!analysis::isProgram(queue->trace())) return nullptr;
    std::size_t calls = queue->trace().recording->messages.size();
    for (const traces::States& states : queue->trace().recording->states) calls += states.size();
    const bool quick = calls <= quickCalls;
    return std::make_shared<const Later<ProgramResult>>(quick, [quick, queue, first](const engine::Progress& progress) {
        if (!quick) first->show(std::make_shared<const analysis::TracedProgram>(queue->trace().recording, progress));
        ProgramResult all = found(*queue, progress);
        first->show(nullptr);
        return all;
    });
}

}  // namespace app::gui
