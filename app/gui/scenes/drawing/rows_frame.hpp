// SPDX-License-Identifier: BSD-3-Clause
// Rows of ranks below each other in pictures over time: how high they are, which of them are in sight, and the groups
// whose rows lie together, one row for all of a group that is folded.
#pragma once

#include "app/analysis/collectives/rank_groups.hpp"
#include "app/gui/scenes/drawing/scene_builder.hpp"

#include <QLineF>

#include <optional>

namespace app::gui {

/// Ranks whose rows lie together: rows `first` to `end`, without that one.
struct RowGroup {
    QString name;
    const std::vector<engine::Rank>* ranks = nullptr;  ///< of the subject
    std::size_t first = 0;
    std::size_t end = 0;
    bool folded = false;
};

struct RowsFrame {
    QRectF plot;
    double labels = 0;       ///< right end of the names of rows
    double groupsLeft = 0;   ///< left end of the names of groups
    double groupsRight = 0;  ///< and how far they may reach
    double pitch = 1;        ///< height of a row
    double top = 0;          ///< the row at the top of the plot; a fraction is cut off
    std::vector<RowGroup> groups;
    std::vector<std::int32_t> rowOf;  ///< by rank; empty: each rank in the row of its number

    [[nodiscard]] double topOf(std::size_t row) const { return plot.top() + (static_cast<double>(row) - top) * pitch; }
    [[nodiscard]] std::size_t rowOfRank(engine::Rank rank) const {
        return rowOf.empty() ? rank.index() : static_cast<std::size_t>(rowOf[rank.index()]);
    }
    /// The first row in sight.
    [[nodiscard]] std::size_t firstRow() const { return static_cast<std::size_t>(top); }

    /// Makes `count` rows as high as `view` wants them, and at least so high that they fill the plot, as far as `most`
    /// pixels each allow.
    void fit(std::size_t count, double most, const ProgramTimelineView& view);
    /// Notes `named` and adds their rows in turn: `addGroup(number)` where `view` folds it, else `addRanks(number)`;
    /// both return how many rows there are then.
    template <class AddGroup, class AddRanks>
    void addGroups(const std::vector<analysis::RankGroup>& named, const ProgramTimelineView& view, AddGroup addGroup,
                   AddRanks addRanks) {
        std::size_t rows = 0;
        for (std::size_t i = 0; i < named.size(); ++i) {
            const auto number = static_cast<std::int32_t>(i);
            RowGroup group{
                .name = nameOf(named[i]), .ranks = &named[i].ranks, .first = rows, .folded = isFolded(view, number)};
            rows = group.folded ? addGroup(number) : addRanks(number);
            group.end = rows;
            groups.push_back(std::move(group));
        }
    }

    static QString nameOf(const analysis::RankGroup& group);
    static bool isFolded(const ProgramTimelineView& view, std::int32_t group);
};

/// Pixels that the names of groups take, with their sign and the air behind.
double roomForGroupNames(const std::vector<analysis::RankGroup>& groups);

/// Names of groups, with a sign that tells folded ones, and lines between them.
void drawGroups(SceneBuilder& pencil, const RowsFrame& frame);

/// The part of a line within the plot; of no length where there is none.
QLineF partWithin(const QRectF& plot, QLineF line);

}  // namespace app::gui
