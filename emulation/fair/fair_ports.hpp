// SPDX-License-Identifier: BSD-3-Clause
// Ranks with fewer ports than their turns have messages: what both ends are ready for waits here until both have a
// port. A rank's sends hold its ports in the order of its turn; what a receiver's ports are asked for goes in the order
// in which it came to wait.
#pragma once

#include "engine/base/types.hpp"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

namespace emulation {

class FairPorts {
public:
    struct Message {
        engine::Rank from;
        engine::Rank to;
        engine::Round round;
        engine::Bytes bytes = 0;
        std::int32_t ordinal = 0;  ///< among the messages of its turn from that rank to that rank
        std::int64_t number = 0;   ///< whatever its owner knows it by
    };
    /// The place of a message that has left its sender, and holds none of its ports.
    static constexpr std::int32_t detached = -1;

    /// `ports` of each rank, each way; at least 1.
    FairPorts(std::int32_t ranks, int ports) : ports_{ports}, out_(engine::asSize(ranks)), in_(engine::asSize(ranks)) {}

    void turnBegins(engine::Rank sender) { out_[sender.index()].done = 0; }

    /// Lets `message` wait from `now` on; `place` is its number among the sends of its turn that hold ports, from 0 on.
    void wait(const Message& message, std::int32_t place, engine::Picoseconds now) {
        Sender& sender = out_[message.from.index()];
        const Waiting waiting{message, place, now};
        if (place < sender.done + ports_) ask(waiting);
        else sender.behind.push_back(waiting);
    }

    /// A message that went has arrived.
    void ended(engine::Rank from, engine::Rank to, bool wasDetached) {
        --in_[to.index()].busy;
        asked_.push_back(to);
        if (wasDetached) return;
        Sender& sender = out_[from.index()];
        const std::int32_t next = sender.done++ + ports_;
        const auto found = std::find_if(sender.behind.begin(), sender.behind.end(),
                                        [next](const Waiting& each) { return each.place == next; });
        if (found == sender.behind.end()) return;
        ask(*found);
        sender.behind.erase(found);
    }

    /// Calls `go(message)` for all that go now, and hold their ports from then on. Done when all has come that comes at
    /// this moment; `go` lets nothing come.
    template <class Go>
    void letGo(Go go) {
        std::sort(asked_.begin(), asked_.end());
        for (const engine::Rank rank : asked_) {
            Receiver& receiver = in_[rank.index()];
            for (; receiver.busy < ports_ && !receiver.asked.empty(); receiver.asked.pop()) {
                ++receiver.busy;
                go(receiver.asked.top().message);
            }
        }
        asked_.clear();
    }

private:
    struct Waiting {
        Message message;
        std::int32_t place = 0;
        engine::Picoseconds came{};

        [[nodiscard]] auto order() const {
            return std::tuple{came, message.from.value, message.round.value, place, message.ordinal};
        }
        /// Whether `other` goes first.
        [[nodiscard]] bool isAfter(const Waiting& other) const { return order() > other.order(); }
    };
    struct Later {
        bool operator()(const Waiting& a, const Waiting& b) const { return a.isAfter(b); }
    };
    struct Sender {
        std::int32_t done = 0;        ///< sends of its open turn that have let go of their ports
        std::vector<Waiting> behind;  ///< its ports are held by earlier sends of its turn
    };
    struct Receiver {
        int busy = 0;                                                       ///< ports that are held
        std::priority_queue<Waiting, std::vector<Waiting>, Later> asked{};  ///< these have their sender's port
    };

    void ask(const Waiting& waiting) {
        in_[waiting.message.to.index()].asked.push(waiting);
        asked_.push_back(waiting.message.to);
    }

    int ports_;
    std::vector<Sender> out_;
    std::vector<Receiver> in_;
    std::vector<engine::Rank> asked_;  ///< receivers where something may have changed since all went that could
};

}  // namespace emulation
