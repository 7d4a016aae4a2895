// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/lane.hpp"

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

std::size_t Lane::at(Picoseconds time, std::size_t near) const {
    if (empty() || time >= edges_.back()) return size();
    if (time <= edges_.front()) return 0;
    // Steps that double, then halves: what is near is found without a look at what is far.
    std::size_t step = 1;
    while (near + step < size() && edges_[near + step] <= time) near += step, step *= 2;
    const auto first = edges_.begin() + static_cast<std::ptrdiff_t>(near);
    const auto last = edges_.begin() + static_cast<std::ptrdiff_t>(std::min(near + step, size()));
    return static_cast<std::size_t>(std::upper_bound(first, last, time) - edges_.begin()) - 1;
}

void Lane::addTo(TimeByActivity& sums, Picoseconds begin, Picoseconds end, std::size_t& near) const {
    if (empty() || end <= edges_.front() || begin >= edges_.back()) return;
    std::size_t i = near = at(begin, near);
    while (i < size() && edges_[i] < end) {
        near = i;
        if (i % bundle == 0 && edges_[i] >= begin && i + bundle <= size() && edges_[i + bundle] <= end) {
            const TimeByActivity& all = sums_[i / bundle];
            for (std::size_t k = 0; k < activities; ++k) sums[k] += all[k];
            i += bundle;
            continue;
        }
        sums[static_cast<std::size_t>(what_[i])] += std::min(edges_[i + 1], end) - std::max(edges_[i], begin);
        ++i;
    }
}

}  // namespace app::analysis
