// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proof/runnable_part.hpp"

#include "engine/proof/send_receive_matching.hpp"

#include <algorithm>
#include <utility>

namespace engine {
namespace {

void copySend(const Turn& from, const Message& message, Turn& to) {
    if (message.slots == 0) to.send(message.peer, from.ranges(message));
    else if (message.whole) to.sendPartial(message.peer, std::countr_zero(message.slots), message.bytes);
    else to.sendPartial(message.peer, std::countr_zero(message.slots), from.ranges(message));
}

void copyReceive(const Turn& from, const Message& message, Turn& to) {
    if (message.slots == 0) to.receive(message.peer, from.ranges(message));
    else if (message.whole) to.receivePartial(message.peer, message.slots, message.action, message.bytes);
    else to.receivePartial(message.peer, message.slots, message.action, from.ranges(message));
}

/// The messages of one round that both of their ends know.
std::vector<Turn> agreedOf(std::span<const Turn> turns) {
    const auto exists = [&](Rank rank) { return rank.value >= 0 && rank.index() < turns.size(); };
    const auto sameBytes = [&](const Turn& sender, const Message& send, const Turn& receiver, const Message& receive) {
        const auto sent = sender.ranges(send);
        const auto expected = receiver.ranges(receive);
        return send.bytes == receive.bytes && (send.slots == 0) == (receive.slots == 0) &&
               std::equal(sent.begin(), sent.end(), expected.begin(), expected.end());
    };
    std::vector<Turn> agreed(turns.size());
    Matches matches{turns};
    for (Rank rank{0}; rank.index() < turns.size(); ++rank) {
        const Turn& mine = turns[rank.index()];
        for (std::size_t i = 0; i < mine.sends().size(); ++i) {
            const Message& send = mine.sends()[i];
            const Message* receive = exists(send.peer) ? matches.receiveFor(rank, i) : nullptr;
            if (receive != nullptr && sameBytes(mine, send, turns[send.peer.index()], *receive))
                copySend(mine, send, agreed[rank.index()]);
        }
        for (std::size_t i = 0; i < mine.receives().size(); ++i) {
            const Message& receive = mine.receives()[i];
            const Message* send = exists(receive.peer) ? matches.sendFor(rank, i) : nullptr;
            if (send != nullptr && sameBytes(turns[receive.peer.index()], *send, mine, receive))
                copyReceive(mine, receive, agreed[rank.index()]);
        }
    }
    return agreed;
}

Facts cut(Facts facts, CounterExample wrong) {
    const Round end = *wrong.place.round + 1;
    facts.rounds = end.value;
    std::erase_if(facts.stages, [&](const Stage& stage) { return stage.first >= end; });
    for (Stage& stage : facts.stages) stage.rounds = std::min(stage.rounds, end - stage.first);
    if (facts.uncoupled.first >= end) facts.uncoupled = {};
    facts.uncoupled.count = std::min(facts.uncoupled.count, end - facts.uncoupled.first);
    facts.wrong = std::move(wrong);
    return facts;
}

class CutShort final : public Schedule {
public:
    CutShort(SchedulePtr whole, CounterExample wrong, std::vector<Turn> last)
        : Schedule{cut(whole->facts(), std::move(wrong))}, whole_{std::move(whole)}, last_{std::move(last)} {}

    void batch(Round round, Rank first, Rank last, Batch& out) const override {
        if (round.value + 1 < facts().rounds) return whole_->batch(round, first, last, out);
        for (Rank rank = first; rank < last; ++rank) {
            const Turn& turn = last_[rank.index()];
            for (const Message& send : turn.sends()) out.push(rank.value, send.peer.value, send.bytes);
            for (const Message& receive : turn.receives())
                if (const Bytes bytes = combinedBytes(receive.slots, receive.action, receive.bytes); bytes > 0)
                    out.combine(rank, bytes);
        }
    }

private:
    void fill(Rank rank, Round round, Turn& out) const override {
        if (round.value + 1 < facts().rounds) whole_->turn(rank, round, out);
        else out = last_[rank.index()];
    }

    SchedulePtr whole_;
    std::vector<Turn> last_;  // of each rank, in the last round
};

}  // namespace

SchedulePtr asFarAsPaired(SchedulePtr schedule, const Progress& progress) {
    Pairing pairing{*schedule};
    std::optional<CounterExample> unpaired = pairing.firstUnpaired(progress);
    if (!unpaired) return schedule;
    std::vector<Turn> last = agreedOf(pairing.turns());
    return std::make_shared<const CutShort>(std::move(schedule), *std::move(unpaired), std::move(last));
}

}  // namespace engine
