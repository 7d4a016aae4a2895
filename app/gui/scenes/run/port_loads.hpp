// SPDX-License-Identifier: BSD-3-Clause
// What ports did, in cells of some ranks and some time: the numbers behind a picture of more messages than can be
// drawn one by one.
#pragma once

#include "app/gui/scenes/drawing/time_axis.hpp"
#include "engine/base/types.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace app::gui {

class DrawableRun;

struct PortLoad {
    double busy = 0;      ///< picoseconds of ports
    double messages = 0;  ///< that began to be sent

    /// Whatever happened here shows, however short it was.
    [[nodiscard]] bool any() const { return busy > 0 || messages > 0; }
};

/// Ranks that sums know together: neighbours, so that there are few hundred of these bundles at most.
class Bundles {
public:
    /// 256 of even size, or fewer ranks. `edges`, rising: ranks at which groups begin; no bundle reaches over the edge
    /// of a group that is as large as a bundle.
    explicit Bundles(std::int32_t ranks, std::span<const std::int32_t> edges = {});

    [[nodiscard]] std::int32_t ranks() const { return static_cast<std::int32_t>(of_.size()); }
    [[nodiscard]] std::int32_t count() const { return of_.back() + 1; }
    [[nodiscard]] std::int32_t of(engine::Rank rank) const { return of_[rank.index()]; }
    /// The row of every bundle, where each lies in one of these, by rank; else nothing.
    [[nodiscard]] std::optional<std::vector<std::int32_t>> rowsOf(std::span<const std::int32_t> rows) const;

private:
    std::vector<std::int32_t> of_;  // by rank, rising
};

/// Cells over the whole of an axis.
class PortLoads {
public:
    /// `rowOf`: below `rows`, by rank; negative for ranks that are in none.
    PortLoads(std::vector<std::int32_t> rowOf, std::int32_t rows, const TimeAxis& axis, std::int32_t columns);

    [[nodiscard]] std::int32_t rows() const { return rows_; }
    [[nodiscard]] std::int32_t columns() const { return columns_; }
    [[nodiscard]] const PortLoad& at(std::int32_t row, std::int32_t column) const {
        return cells_[static_cast<std::size_t>(column) * static_cast<std::size_t>(rows_) +
                      static_cast<std::size_t>(row)];
    }

    /// From the sums of the subject where its bundles lie in one row each, but where their buckets are too wide for the
    /// columns, from its messages. From sums it costs by the cells, whatever the number of messages.
    void fill(const DrawableRun& subject);
    /// Columns `first` to `next` from the messages alone: exact; costs by those in flight there, or by those of the
    /// ranks in rows.
    void fillFromMessages(const DrawableRun& subject, std::int32_t first, std::int32_t next);

private:
    [[nodiscard]] engine::Picoseconds edge(std::int32_t column) const;
    [[nodiscard]] std::vector<std::uint32_t> lookedAt(const DrawableRun& subject, engine::Picoseconds begin,
                                                      engine::Picoseconds end) const;
    [[nodiscard]] std::span<PortLoad> column(std::int32_t which) {
        return std::span{cells_}.subspan(static_cast<std::size_t>(which) * static_cast<std::size_t>(rows_),
                                         static_cast<std::size_t>(rows_));
    }

    std::vector<std::int32_t> rowOf_;
    std::int32_t rows_;
    std::int32_t columns_;
    engine::Picoseconds begin_;
    engine::Picoseconds span_;
    std::vector<PortLoad> cells_;  // column by column
};

/// Kept messages that ranks for which `wanted` holds send or receive.
std::size_t messagesOf(const DrawableRun& subject, const std::vector<bool>& wanted);
/// The same, by index: those that some of these ranks send, and those that they get from others.
std::vector<std::uint32_t> listOf(const DrawableRun& subject, const std::vector<bool>& wanted);

}  // namespace app::gui
