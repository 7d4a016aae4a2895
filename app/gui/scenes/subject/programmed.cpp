// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/subject/programmed.hpp"

#include "app/gui/scenes/drawing/numbers.hpp"
#include "engine/base/error.hpp"

namespace app::gui {
namespace {

constexpr std::size_t quickCalls = 50'000;  // with their waits some ten milliseconds

Programmed found(analysis::Interview& interview, const engine::Progress& progress) {
    try {
        return {.program = interview.program(progress), .why = {}};
    } catch (const engine::Error& error) {
        return {.program = nullptr, .why = withMu(QString::fromUtf8(error.what()))};
    }
}

}  // namespace

std::shared_ptr<const Later<Programmed>> programmedLater(const std::shared_ptr<analysis::Interview>& interview,
                                                         const std::shared_ptr<FirstSight>& first) {
    if (!analysis::isProgram(interview->trace())) return nullptr;
    std::size_t calls = interview->trace().recording->messages.size();
    for (const traces::States& states : interview->trace().recording->states) calls += states.size();
    const bool quick = calls <= quickCalls;
    return std::make_shared<const Later<Programmed>>(
        quick, [quick, interview, first](const engine::Progress& progress) {
            if (!quick)
                first->show(std::make_shared<const analysis::TracedProgram>(interview->trace().recording, progress));
            Programmed all = found(*interview, progress);
            first->show(nullptr);
            return all;
        });
}

}  // namespace app::gui
