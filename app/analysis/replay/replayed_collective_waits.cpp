// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/replay/replayed_collective_waits.hpp"

namespace app::analysis {

using emulation::Does;
using engine::Picoseconds;
using engine::Rank;

CollectiveStays::CollectiveStays(const RecordedProgram& program, emulation::ReplayObserver* next)
    : program_{program}, next_{next} {
    waited_.resize(static_cast<std::int32_t>(program.program.ranks.size()));
}

void CollectiveStays::message(const engine::MessageRecord& message, std::int64_t collective) {
    if (next_ != nullptr) next_->message(message, collective);
}

CollectiveStays::Open& CollectiveStays::openedAt(std::size_t collective) {
    const auto [entry, isNew] = open_.try_emplace(collective);
    Instance& instance = entry->second.instance;
    if (!isNew) return entry->second;
    const RecordedCollective& recorded = program_.collectives[collective];
    instance.operation = recorded.isSynchronisation() ? "barrier" : recorded.operation;
    instance.ranks = *program_.program.collectives[collective].members;
    instance.root = recorded.root;
    instance.stays.resize(instance.ranks.size());
    if (recorded.nonBlocking) instance.completing.resize(instance.ranks.size());
    return entry->second;
}

std::size_t CollectiveStays::placeOf(const std::vector<Rank>& members, Rank rank) {
    const auto [entry, isNew] = places_.try_emplace(&members);
    if (isNew)
        for (std::size_t place = 0; place < members.size(); ++place) entry->second[members[place]] = place;
    return entry->second.at(rank);
}

void CollectiveStays::did(Rank rank, std::size_t at, Picoseconds begin, Picoseconds end) {
    if (next_ != nullptr) next_->did(rank, at, begin, end);
    const emulation::Operations& doings = program_.program.ranks[rank];
    const Does what = doings.what(at);
    if (what != Does::enters && what != Does::starts && what != Does::ends) return;
    if (!program_.program.streams.empty()) return;
    const std::size_t collective = engine::asSize(doings.number(at));
    Open& open = openedAt(collective);
    const std::size_t place = placeOf(*program_.program.collectives[collective].members, rank);
    Instance& instance = open.instance;
    auto& stay = instance.stays[place];
    if (what != Does::ends) stay = {begin, end};
    const bool letsGo = what == Does::starts && program_.collectives[collective].isSynchronisation();
    if (letsGo) leave(collective, open);
    if (what == Does::starts) return;
    stay->end = end;
    if (!instance.completing.empty()) instance.completing[place] = begin;
    leave(collective, open);
}

void CollectiveStays::ran(Rank rank, std::int64_t collective, Picoseconds begin, Picoseconds end) {
    if (next_ != nullptr) next_->ran(rank, collective, begin, end);
    const std::size_t number = engine::asSize(collective);
    Open& open = openedAt(number);
    open.instance.stays[placeOf(*program_.program.collectives[number].members, rank)] = {begin, end};
    leave(number, open);
}

void CollectiveStays::leave(std::size_t collective, Open& open) {
    if (++open.left < open.instance.ranks.size()) return;
    const std::vector<Picoseconds> waits = waitedIn(open.instance);
    for (std::size_t i = 0; i < waits.size(); ++i) waited_[open.instance.ranks[i]] += waits[i];
    open_.erase(collective);
}

}  // namespace app::analysis
