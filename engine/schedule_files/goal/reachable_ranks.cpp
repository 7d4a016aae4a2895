// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/goal/reachable_ranks.hpp"

#include <algorithm>

namespace engine::schedules::goal {

Chances::Chances(std::span<const Delivery> deliveries, std::int32_t ranks)
    : reached_(asSize(ranks), RankSet{ranks}), pending_(asSize(ranks), RankSet{ranks}) {
    for (Rank rank{0}; rank.value < ranks; ++rank) reached_[rank.index()].insert(rank);
    std::vector<std::pair<Rank, RankSet>> before;  // of the senders of one round
    for (auto end = deliveries.end(); end != deliveries.begin();) {
        auto first = end;
        while (first != deliveries.begin() && (first - 1)->round == (end - 1)->round) --first;
        before.clear();
        for (auto one = first; one != end; ++one) {
            if (before.empty() || before.back().first != one->from)
                before.emplace_back(one->from, reached_[one->from.index()]);
            before.back().second.add(reached_[one->to.index()]);
        }
        for (auto& [rank, reached] : before) {
            std::swap(reached, reached_[rank.index()]);
            later_.emplace_back(rank, std::move(reached));
        }
        changes_.push_back(before.size());
        end = first;
    }
}

void Chances::enter(std::span<const Delivery> round) {
    round_ = round;
    next_ = 0;
    for (std::size_t left = changes_.back(); left > 0; --left) {
        reached_[later_.back().first.index()] = std::move(later_.back().second);
        later_.pop_back();
    }
    changes_.pop_back();
    for (const Delivery& one : round_) pending_[one.from.index()].clear();
    for (const Delivery& one : round_) pending_[one.from.index()].add(reached_[one.to.index()]);
    if (!round_.empty()) settle();
}

void Chances::pass() {
    pending_[round_[next_].from.index()].clear();
    if (++next_ < round_.size()) settle();
}

void Chances::settle() {
    const Rank sender = round_[next_].from;
    pending_[sender.index()].clear();
    for (std::size_t other = next_ + 1; other < round_.size() && round_[other].from == sender; ++other)
        pending_[sender.index()].add(reached_[round_[other].to.index()]);
}

}  // namespace engine::schedules::goal
