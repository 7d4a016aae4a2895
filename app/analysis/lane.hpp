// SPDX-License-Identifier: BSD-3-Clause
// Stretches of time one after the other, with sums over bundles of them: what passed between two moments, and where the
// long ones are, costs by the bundles and not by the stretches.
#pragma once

#include "app/analysis/activity.hpp"

#include <span>
#include <vector>

namespace app::analysis {

/// Time by activity.
using TimeByActivity = std::array<engine::Picoseconds, activities>;

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

    /// The stretch at `time`, else the first one after it; size() after the end. Quick where it is not far behind
    /// `near`, which is before or at it.
    [[nodiscard]] std::size_t at(engine::Picoseconds time, std::size_t near = 0) const;
    /// Adds what passed in [begin, end). Quick where calls go forward in time with the same `near`, 0 at first.
    void addTo(TimeByActivity& sums, engine::Picoseconds begin, engine::Picoseconds end, std::size_t& near) const;

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
    static constexpr std::size_t bundle = 64;

    std::vector<engine::Picoseconds> edges_;  ///< begins, and at last the end
    std::vector<Activity> what_;
    std::vector<std::uint32_t> ids_;
    std::vector<TimeByActivity> sums_;          ///< by bundle
    std::vector<engine::Picoseconds> longest_;  ///< of a bundle
};

}  // namespace app::analysis
