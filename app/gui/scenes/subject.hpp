// SPDX-License-Identifier: BSD-3-Clause
// A report, prepared for drawing: what every frame would otherwise compute again.
#pragma once

#include "app/gui/scenes/scene.hpp"

namespace app::gui {

class Subject {
public:
    explicit Subject(Report report);

    [[nodiscard]] const Report& report() const { return report_; }
    [[nodiscard]] const engine::Run& run() const { return *report_.run; }

    /// Begin of every round and, last, the end of the run: the stops of "step forward". Strictly rising.
    [[nodiscard]] const std::vector<engine::Picoseconds>& stops() const { return stops_; }
    /// The round in progress at `time`: the latest whose first message has begun; 0 before.
    [[nodiscard]] engine::Round roundAt(engine::Picoseconds time) const;
    /// Messages under way at `time` (some port busy), by index into run().messages.
    [[nodiscard]] std::vector<std::size_t> messagesAt(engine::Picoseconds time) const;

private:
    Report report_;
    std::vector<engine::Picoseconds> stops_;
    std::vector<engine::Picoseconds> roundBegins_;
    engine::Picoseconds longest_{};          // longest time a message is under way
    std::vector<std::size_t> bySendBegin_;   // message indices by begin
};

}  // namespace app::gui
