// SPDX-License-Identifier: BSD-3-Clause
// Stretches of time one after the other, with sums over bundles of them: what passed between two moments, and where the
// long ones are, costs by the bundles and not by the stretches.
#pragma once

#include "app/analysis/calls/activity.hpp"

#include <utility>
#include <vector>

namespace app::analysis {

/// Time by activity.
using TimeByActivity = std::array<engine::Picoseconds, activities>;

class Lane;

/// Time by activity in columns of time that lie one after the other, added up over lanes. Costs by the stretches and
/// bundles of a lane, not by the columns that they lie in.
class TimeInColumns {
public:
    /// `edges` never fall, and the last is above the first; column i is [edges[i], edges[i + 1]).
    explicit TimeInColumns(std::vector<engine::Picoseconds> edges)
        : edges_{std::move(edges)}, parts_(edges_.size()), whole_(edges_.size()) {}

    [[nodiscard]] std::size_t size() const { return edges_.size() - 1; }
    void add(const Lane& lane);
    /// Hands what was added to `take(column, length, sums)`, column by column, and forgets it.
    template <class Take>
    void each(Take take) {
        std::array<std::int32_t, activities> open{};
        for (std::size_t column = 0; column < size(); ++column) {
            const engine::Picoseconds length = edges_[column + 1] - edges_[column];
            TimeByActivity& sums = parts_[column];
            for (std::size_t k = 0; k < activities; ++k) {
                open[k] += whole_[column][k];
                sums[k] += open[k] * length;
            }
            take(column, length, std::as_const(sums));
            sums = {};
            whole_[column] = {};
        }
    }

private:
    std::vector<engine::Picoseconds> edges_;
    std::vector<TimeByActivity> parts_;  ///< of stretches that begin or end within a column
    /// How many more stretches than in the column before fill a column.
    std::vector<std::array<std::int32_t, activities>> whole_;
};

class Lane {
public:
    static constexpr std::uint32_t noId = 0xffffffff;

    struct Stretch {
        engine::Picoseconds begin{};
        engine::Picoseconds end{};
        Activity activity = Activity::none;
        std::uint32_t id = noId;  ///< of what it is one: a call, a wait; noId of none

        friend bool operator==(const Stretch&, const Stretch&) = default;
    };

    /// Appends; stretches come in their order, and one that begins before the last has ended counts from there on. One
    /// that takes no time is not kept. What lies between two is of no activity. Then finish().
    void add(Stretch stretch);
    void finish();

    [[nodiscard]] bool empty() const { return what_.empty(); }
    /// How many there are, those of no activity between others included.
    [[nodiscard]] std::size_t size() const { return what_.size(); }
    [[nodiscard]] Stretch operator[](std::size_t i) const { return {edges_[i], edges_[i + 1], what_[i], ids_[i]}; }

    /// The stretch at `time`, else the first one after it; size() after the end.
    [[nodiscard]] std::size_t at(engine::Picoseconds time) const;

    /// Hands those of at least `shortest` and some activity that overlap [begin, end) to `take(stretch)`, in their
    /// order.
    template <class Take>
    void eachOfAtLeast(engine::Picoseconds shortest, engine::Picoseconds begin, engine::Picoseconds end,
                       Take take) const {
        for (std::size_t i = at(begin); i < size() && edges_[i] < end;) {
            if (i % bundle == 0 && longest_[i / bundle] < shortest) {
                i += bundle;
                continue;
            }
            if (what_[i] != Activity::none && edges_[i + 1] - edges_[i] >= shortest) take((*this)[i]);
            ++i;
        }
    }

private:
    friend class TimeInColumns;
    static constexpr std::size_t bundle = 64;

    std::vector<engine::Picoseconds> edges_;  ///< begins, and at last the end
    std::vector<Activity> what_;
    std::vector<std::uint32_t> ids_;
    std::vector<TimeByActivity> sums_;          ///< by bundle
    std::vector<engine::Picoseconds> longest_;  ///< of a bundle
};

}  // namespace app::analysis
