// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/collective_execution.hpp"

#include <utility>

namespace emulation {

using engine::Round;

OpenRound::OpenRound(const std::vector<Rank>& members, std::shared_ptr<const CollectiveRound> what, std::int32_t number,
                     Round round, std::int64_t passes)
    : what_{std::move(what)}, passes_{passes} {
    messages_.reserve(what_->size());
    std::size_t first = 0;  // of its sender
    for (std::size_t i = 0; i < what_->size(); ++i) {
        if (what_->from(i) != what_->from(first)) first = i;
        messages_.push_back({.record = {members[engine::asSize(what_->from(i))],
                                        members[engine::asSize(what_->to(i))],
                                        round,
                                        what_->bytes(i),
                                        {},
                                        {},
                                        {},
                                        {}},
                             .cost = what_->cost(i),
                             .startup = what_->startup(i),
                             .collective = number,
                             .order = static_cast<std::uint32_t>(i),
                             .place = static_cast<std::int32_t>(i - first)});
    }
}

void OpenRound::leadTo(std::vector<ReceiverQueue>& queues) {
    for (std::size_t i = 0; i < messages_.size(); ++i) {
        ReceiverQueue& queue = queues[engine::asSize(what_->to(i))];
        messages_[i].queue = &queue;
        messages_[i].before = queue.awaited;
    }
    for (std::size_t place = 0; place < queues.size(); ++place)
        queues[place].awaited += static_cast<std::uint32_t>(what_->receives(static_cast<std::int32_t>(place)).size());
}

OpenRound& OpenRounds::at(Round round) {
    const std::size_t place = engine::asSize(round.value - first_);
    while (open_.size() <= place) {
        const Round next{first_ + static_cast<std::int64_t>(open_.size())};
        const std::int64_t processes = apart_.contains(next) ? 2 : 1;
        open_.push_back(
            std::make_unique<OpenRound>(*collective_.members, roundsCache_.round(collective_, next), number_, next,
                                        processes * static_cast<std::int64_t>(collective_.members->size())));
        if (!queues_.empty()) open_.back()->leadTo(queues_);
    }
    return *open_[place];
}

void OpenRounds::pass(Round round) {
    std::unique_ptr<OpenRound>& passed = open_[engine::asSize(round.value - first_)];
    if (!passed->pass()) return;
    passed.reset();
    for (; !open_.empty() && open_.front() == nullptr; open_.pop_front()) ++first_;
}

std::int32_t PlacesOfMembers::of(const std::vector<Rank>& members, Rank rank) {
    engine::ById<Rank, std::int32_t>& places = known_[&members];
    if (places.empty()) {
        places.resize(ranks_);
        for (std::size_t place = 0; place < members.size(); ++place)
            places[members[place]] = static_cast<std::int32_t>(place);
    }
    return places[rank];
}

}  // namespace emulation
