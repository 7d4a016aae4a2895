// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/calls/activity_timeline.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Picoseconds;

void Lane::add(Stretch stretch) {
    if (!edges_.empty()) stretch.begin = std::max(stretch.begin, edges_.back());
    if (stretch.end <= stretch.begin) return;
    if (edges_.empty()) {
        edges_.push_back(stretch.begin);
    } else if (edges_.back() < stretch.begin) {
        what_.push_back(Activity::none);
        ids_.push_back(noId);
        edges_.push_back(stretch.begin);
    }
    what_.push_back(stretch.activity);
    ids_.push_back(stretch.id);
    edges_.push_back(stretch.end);
}

void Lane::finish() {
    const std::size_t bundles = (size() + bundle - 1) / bundle;
    sums_.assign(bundles, {});
    longest_.assign(bundles, {});
    for (std::size_t i = 0; i < size(); ++i) {
        const Picoseconds time = edges_[i + 1] - edges_[i];
        sums_[i / bundle][static_cast<std::size_t>(what_[i])] += time;
        if (what_[i] != Activity::none) longest_[i / bundle] = std::max(longest_[i / bundle], time);
    }
    edges_.shrink_to_fit();
    what_.shrink_to_fit();
    ids_.shrink_to_fit();
}

std::size_t Lane::at(Picoseconds time) const {
    if (empty() || time >= edges_.back()) return size();
    if (time <= edges_.front()) return 0;
    return static_cast<std::size_t>(std::upper_bound(edges_.begin(), edges_.end(), time) - edges_.begin()) - 1;
}

void TimeInColumns::add(const Lane& lane) {
    const std::vector<Picoseconds>& times = lane.edges_;
    const Picoseconds begin = edges_.front();
    const Picoseconds end = edges_.back();
    if (lane.empty() || end <= times.front() || begin >= times.back()) return;
    // The column in which a time lies that is not before `column`: steps that double, then halves.
    const auto columnOf = [&](Picoseconds time, std::size_t column) {
        std::size_t step = 1;
        while (column + step < size() && edges_[column + step] <= time) column += step, step *= 2;
        const auto first = edges_.begin() + static_cast<std::ptrdiff_t>(column);
        const auto last = edges_.begin() + static_cast<std::ptrdiff_t>(std::min(column + step, size()));
        return static_cast<std::size_t>(std::upper_bound(first, last, time) - edges_.begin()) - 1;
    };
    std::size_t i = lane.at(begin);
    std::size_t column = columnOf(std::max(times[i], begin), 0);
    while (i < lane.size() && times[i] < end) {
        if (times[i] >= edges_[column + 1]) ++column;
        if (i % Lane::bundle == 0 && times[i] >= begin && i + Lane::bundle <= lane.size() &&
            times[i + Lane::bundle] <= edges_[column + 1]) {
            const TimeByActivity& all = lane.sums_[i / Lane::bundle];
            for (std::size_t k = 0; k < activities; ++k) parts_[column][k] += all[k];
            i += Lane::bundle;
            continue;
        }
        const auto k = static_cast<std::size_t>(lane.what_[i]);
        const Picoseconds from = std::max(times[i], begin);
        const Picoseconds to = std::min(times[i + 1], end);
        if (to <= edges_[column + 1]) {
            parts_[column][k] += to - from;
        } else {
            parts_[column][k] += edges_[column + 1] - from;
            const std::size_t last = columnOf(to - Picoseconds{1}, column + 1);
            ++whole_[column + 1][k];
            --whole_[last][k];
            parts_[last][k] += to - edges_[last];
            column = last;
        }
        ++i;
    }
}

}  // namespace app::analysis
