// SPDX-License-Identifier: BSD-3-Clause
// Subjects of traced programs, for the tests of their pictures.
#pragma once

#include "tests/app/gui/scenes/scenes_support.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace app::gui {

inline constexpr QSizeF programPaper{1100, 600};

inline DrawableRun programSubject(traces::Recording recording) {
    auto kept = std::make_shared<const traces::Recording>(std::move(recording));
    return DrawableRun{analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), kept};
}

inline std::vector<Shape> boxesOf(const Scene& scene, Meaning::Kind kind) {
    return shapesOf(scene, kind, Shape::Kind::rectangle);
}

}  // namespace app::gui
