// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/fair_transport.hpp"

#include <algorithm>
#include <tuple>

namespace emulation {

using engine::Picoseconds;

FairMail::FairMail(const Network& network, const Conditions& conditions)
    : conditions_{conditions}, flows_{network, conditions}, posted_(network.ranks()) {
    if (conditions.ports > 0) ports_.emplace(network.ranks(), conditions.ports);
}

void FairMail::postSend(ReplayLetter& letter, Picoseconds now) {
    letter.sendPosted = true;
    letter.record.sendBegin = letter.record.sendEnd = now;
    letter.left = isDetached(letter);
    if (!letter.left) letter.place = posted_[letter.record.from]++;
    if (letter.receivePosted) start(letter, now);
}

void FairMail::postReceive(ReplayLetter& letter, Picoseconds now) {
    letter.receivePosted = true;
    if (letter.sendPosted) start(letter, now);
}

/// Both ends are there.
void FairMail::start(ReplayLetter& letter, Picoseconds now) {
    if (!ports_) return go(letter, now);
    if (spare_.empty()) {
        spare_.push_back(static_cast<std::int64_t>(waiting_.size()));
        waiting_.emplace_back();
    }
    const std::int64_t number = spare_.back();
    spare_.pop_back();
    waiting_[engine::asSize(number)] = &letter;
    const engine::MessageRecord& record = letter.record;
    ports_->wait({record.from, record.to, record.round, record.bytes, static_cast<std::int32_t>(letter.order), number},
                 isDetached(letter) ? FairPorts::detached : letter.place, now);
}

void FairMail::go(ReplayLetter& letter, Picoseconds now) {
    letter.record.receiveBegin = now;
    if (!isDetached(letter)) letter.record.sendBegin = now;
    const std::int32_t id = flows_.go(letter.record.from, letter.record.to, letter.record.bytes, now);
    if (engine::asSize(id) >= flowing_.size()) flowing_.resize(engine::asSize(id) + 1);
    flowing_[engine::asSize(id)] = &letter;
}

void FairMail::settle(Picoseconds now) {
    if (flows_.queue().hasMore()) return;  // at this moment
    if (ports_)
        ports_->letGo([&](const FairPorts::Message& message) {
            spare_.push_back(message.number);
            go(*waiting_[engine::asSize(message.number)], now);
        });
    flows_.settle(now);
}

FairMail::Moment FairMail::next() {
    const Picoseconds now = flows_.queue().pop(due_);
    strands_.clear();
    ended_.clear();
    for (const FairQueue::Event event : due_) {
        if (event.who < 0) {
            strands_.push_back(~event.who);
            continue;
        }
        if (!flows_.happen(event, now)) continue;
        ReplayLetter& letter = *flowing_[engine::asSize(event.who)];
        letter.record.receiveEnd = now;
        if (!isDetached(letter)) letter.record.sendEnd = now;
        if (ports_) ports_->ended(letter.record.from, letter.record.to, isDetached(letter));
        ended_.push_back(&letter);
    }
    std::ranges::sort(strands_);
    std::ranges::sort(ended_, {}, [](const ReplayLetter* letter) {
        return std::tuple{letter->collective, letter->record.round, letter->record.from, letter->order};
    });
    return {now, strands_, ended_};
}

}  // namespace emulation
