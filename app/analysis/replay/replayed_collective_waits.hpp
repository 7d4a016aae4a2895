// SPDX-License-Identifier: BSD-3-Clause
// What ranks wait for each other in the collectives of a replay: by the rules for recorded ones (arrivalsOf), so that
// both can stand side by side.
#pragma once

#include "app/analysis/collectives/collective_instances.hpp"
#include "app/analysis/replay/recorded_program.hpp"
#include "emulation/replay/replay.hpp"

#include <map>
#include <vector>

namespace app::analysis {

/// Sees who comes to the collectives of `program`, and when; tells `next` all it sees, if there is one.
class CollectiveStays : public emulation::ReplayObserver {
public:
    explicit CollectiveStays(const RecordedProgram& program, emulation::ReplayObserver* next = nullptr);

    void message(const engine::MessageRecord& message, std::int64_t collective) override;
    void did(engine::Rank rank, std::size_t at, engine::Picoseconds begin, engine::Picoseconds end) override;

    void ran(engine::Rank rank, std::int64_t collective, engine::Picoseconds begin, engine::Picoseconds end) override;

    /// In collectives that all have left.
    [[nodiscard]] const engine::ById<engine::Rank, engine::Picoseconds>& waited() const { return waited_; }

private:
    /// One whose members come and go.
    struct Open {
        Instance instance;
        std::size_t left = 0;
    };

    Open& openedAt(std::size_t collective);
    /// A rank has left; what all waited is added up when that was the last one.
    void leave(std::size_t collective, Open& open);
    std::size_t placeOf(const std::vector<engine::Rank>& members, engine::Rank rank);

    const RecordedProgram& program_;
    emulation::ReplayObserver* next_;
    engine::ById<engine::Rank, engine::Picoseconds> waited_;
    std::map<std::size_t, Open> open_;  ///< by number
    std::map<const std::vector<engine::Rank>*, std::map<engine::Rank, std::size_t>> places_;
};

}  // namespace app::analysis
