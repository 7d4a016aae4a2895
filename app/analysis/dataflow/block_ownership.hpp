// SPDX-License-Identifier: BSD-3-Clause
// Block ownership over time: followed once through a whole run, then looked up for any time.
#pragma once

#include "app/analysis/dataflow/block_columns.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/proof/verify.hpp"

#include <string>

namespace app::analysis {

/// One rank's share of one column at one moment. Bytes; for reductions, contributions in the rank's result, and where
/// vectors are cut bytes times contributions.
struct Holding {
    engine::Bytes size = 0;    ///< of the column
    engine::Bytes held = 0;    ///< 0..size
    engine::Bytes needed = 0;  ///< what the contract wants this rank to hold in the end, 0..size
    bool again = false;        ///< something came (or was combined) twice
    bool fresh = false;        ///< something came lately

    friend bool operator==(const Holding&, const Holding&) = default;
};

/// How far a collective has come at one moment: all cells together.
struct Coverage {
    std::int64_t needed = 0;  ///< cells of which something is needed
    std::int64_t held = 0;    ///< those of which all of it is held
    double neededBytes = 0;
    double heldBytes = 0;
    bool again = false;
    bool through = false;  ///< somebody holds what it does not need

    /// Of what is needed, by bytes: 0..1.
    [[nodiscard]] double share() const { return neededBytes > 0 ? heldBytes / neededBytes : 1; }
};

class BlockOwnership {
public:
    BlockOwnership() = default;
    /// `plan` says which partial result a message changes; without one, reductions are not known. Where `verdict`
    /// refutes it, a message brings only what its sender holds. Both may be null.
    BlockOwnership(const engine::Problem& problem, const engine::Plan* plan, const engine::Verdict* verdict,
                   const engine::Run& run, const Columns& columns);

    /// Why the matrix cannot be filled, as a sentence; empty when it can.
    [[nodiscard]] const std::string& unknown() const { return unknown_; }
    /// What `rank` holds of `column` at `time`; what came after `lately`, or this very moment, is fresh.
    [[nodiscard]] Holding at(engine::Rank rank, std::int32_t column, engine::Picoseconds time,
                             engine::Picoseconds lately) const;
    /// The last moment up to `time` at which anything changed; 0 before the first.
    [[nodiscard]] engine::Picoseconds lastChange(engine::Picoseconds time) const;
    /// Looks at every rank and column.
    [[nodiscard]] Coverage coverageAt(engine::Picoseconds time) const;

private:
    struct Change {
        engine::Picoseconds time{};
        engine::Bytes held = 0;  ///< from now on
        engine::Bytes again = 0;
    };
    struct Start {
        engine::Bytes held = 0;
        engine::Bytes needed = 0;
    };
    struct Noted {
        std::size_t cell = 0;
        Change change;
    };

    void begin(const engine::Problem& problem, const Columns& columns);
    /// `refuted`: the facts of the schedule, where it is.
    std::vector<Noted> followBytes(const engine::Problem& problem, const engine::Facts* refuted, const engine::Run& run,
                                   const Columns& columns);
    std::vector<Noted> followPieces(const engine::Plan& plan, const engine::Run& run, const Columns& columns);
    std::vector<Noted> followPartials(const engine::Plan& plan, const engine::Run& run, const Columns& columns);
    void keep(std::vector<Noted> noted);
    [[nodiscard]] std::size_t cell(std::int32_t rank, std::int32_t column) const {
        return static_cast<std::size_t>(rank) * sizes_.size() + static_cast<std::size_t>(column);
    }

    std::string unknown_;
    std::vector<engine::Bytes> sizes_;          // per column
    std::vector<Start> starts_;                 // per cell
    std::vector<std::size_t> firstChange_;      // per cell, and the end
    std::vector<Change> changes_;               // by cell, then time
    std::vector<engine::Picoseconds> moments_;  // of all changes, rising
};

}  // namespace app::analysis
