// SPDX-License-Identifier: BSD-3-Clause
// What of a run is selected: a rank, and a message, a link or a block with it or without.
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

#include <optional>

namespace app::gui {

/// Only what the run has can be selected. Each change says whether it was one.
class Selection final {
public:
    /// Nothing of `subject`, which may be null.
    explicit Selection(DrawableRunPtr subject = {}) : subject_{std::move(subject)} {}

    [[nodiscard]] std::optional<engine::Rank> rank() const { return rank_; }
    [[nodiscard]] std::optional<std::size_t> message() const { return message_; }
    [[nodiscard]] std::optional<engine::LinkId> link() const { return link_; }
    [[nodiscard]] std::optional<std::int32_t> block() const { return block_; }
    /// What was chosen last and is still chosen, or asked about.
    [[nodiscard]] const std::optional<Meaning>& asked() const { return asked_; }

    /// A rank takes the message with it that was selected; none clears everything.
    bool selectRank(std::optional<engine::Rank> rank);
    bool selectMessage(std::optional<std::size_t> message);
    bool selectLink(std::optional<engine::LinkId> link);
    /// A column of what is held, on a rank; without one, the rank stays. No column: none is followed any more.
    bool selectBlock(std::optional<std::int32_t> block, std::optional<engine::Rank> rank);
    /// One of the user's marks, by its number; none: none is any more. The rest stays.
    bool selectMark(std::optional<std::size_t> mark);
    /// What was clicked: a rank, a message, a link or a block on a rank. The same again clears, except a block on a
    /// rank. Bounds, causes of the time, notes and stretches in which a rank is still are asked about.
    bool toggle(const Meaning& meaning);
    /// The next (+1) or previous (-1) rank; the first or last one when none is selected.
    bool selectNeighbour(int direction);
    /// The selected rank's next (+1) or previous (-1) message; any rank's when none is selected.
    [[nodiscard]] std::optional<std::size_t> nextMessage(int direction) const;

private:
    bool ask(const std::optional<Meaning>& meaning);
    [[nodiscard]] bool concerns(std::size_t message) const;

    DrawableRunPtr subject_;
    std::optional<engine::Rank> rank_;
    std::optional<std::size_t> message_;
    std::optional<engine::LinkId> link_;
    std::optional<std::int32_t> block_;
    std::optional<Meaning> asked_;
};

}  // namespace app::gui
