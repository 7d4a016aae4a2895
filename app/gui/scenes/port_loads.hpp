// SPDX-License-Identifier: BSD-3-Clause
// What ports did, in cells of some ranks and some time: the numbers behind a picture of more messages than can be
// drawn one by one.
#pragma once

#include "app/gui/scenes/time_axis.hpp"
#include "engine/types.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace app::gui {

class Subject;

struct PortLoad {
    double busy = 0;      ///< picoseconds of ports
    double messages = 0;  ///< that began to be sent

    /// Whatever happened here shows, however short it was.
    [[nodiscard]] bool any() const { return busy > 0 || messages > 0; }
};

/// Ranks that sums know together: neighbours, so that there are never more than 256 of these bundles.
class Bundles {
public:
    explicit Bundles(std::int32_t ranks) : ranks_{std::max(ranks, 1)}, count_{std::min(ranks_, 256)} {}

    [[nodiscard]] std::int32_t ranks() const { return ranks_; }
    [[nodiscard]] std::int32_t count() const { return count_; }
    [[nodiscard]] std::int32_t of(engine::Rank rank) const {
        return static_cast<std::int32_t>(static_cast<std::int64_t>(rank.value) * count_ / ranks_);
    }

private:
    std::int32_t ranks_;
    std::int32_t count_;
};

/// Cells over the whole of an axis. Each row holds whole bundles.
class PortLoads {
public:
    /// `rows`: 1 .. bundles.
    PortLoads(Bundles bundles, std::int32_t rows, const TimeAxis& axis, std::int32_t columns);

    [[nodiscard]] std::int32_t rows() const { return rows_; }
    [[nodiscard]] std::int32_t columns() const { return columns_; }
    [[nodiscard]] std::int32_t rowOfBundle(std::int32_t bundle) const {
        return static_cast<std::int32_t>(static_cast<std::int64_t>(bundle) * rows_ / bundles_.count());
    }
    /// First rank of every row, and the number of all.
    [[nodiscard]] std::vector<std::int32_t> firstRanks() const;
    [[nodiscard]] const PortLoad& at(std::int32_t row, std::int32_t column) const {
        return cells_[static_cast<std::size_t>(column) * static_cast<std::size_t>(rows_) +
                      static_cast<std::size_t>(row)];
    }

    /// From the sums of the subject, but where their buckets are too wide for the columns, from its messages. Costs by
    /// the cells, whatever the number of messages.
    void fill(const Subject& subject);
    /// Columns `first` to `next` from the messages alone: exact; costs by those under way there.
    void fillFromMessages(const Subject& subject, std::int32_t first, std::int32_t next);

private:
    [[nodiscard]] engine::Picoseconds edge(std::int32_t column) const;
    [[nodiscard]] std::span<PortLoad> column(std::int32_t which) {
        return std::span{cells_}.subspan(static_cast<std::size_t>(which) * static_cast<std::size_t>(rows_),
                                         static_cast<std::size_t>(rows_));
    }

    Bundles bundles_;
    std::int32_t rows_;
    std::int32_t columns_;
    engine::Picoseconds begin_;
    engine::Picoseconds span_;
    std::vector<PortLoad> cells_;  // column by column
};

}  // namespace app::gui
