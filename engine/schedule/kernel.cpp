// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule/kernel.hpp"

namespace engine {

void Borrowed::Now::open(Rank first, Rank last) const {
    if (first_ <= first && last <= last_) return;
    const bool another = first_ < last_;
    first_ = another ? Rank{0} : first;
    last_ = another ? Rank{schedule_->facts().ranks} : last;
    const auto ranks = asSize(last_ - first_);
    batch_.reset(ranks);
    schedule_->batch(round_, first_, last_, batch_);
    // Both columns are in the order of ranks: count, then add up.
    sends_.assign(ranks + 1, 0);
    combines_.assign(ranks + 1, 0);
    for (const std::int32_t from : batch_.from()) ++sends_[place(Rank{from}) + 1];
    for (const auto& [rank, bytes] : batch_.combining()) ++combines_[place(rank) + 1];
    for (std::size_t r = 0; r < ranks; ++r) {
        sends_[r + 1] += sends_[r];
        combines_[r + 1] += combines_[r];
    }
}

}  // namespace engine
