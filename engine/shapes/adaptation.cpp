// SPDX-License-Identifier: BSD-3-Clause
#include "engine/shapes/adaptation.hpp"

#include "engine/base/text.hpp"
#include "engine/shapes/powers.hpp"

#include <algorithm>
#include <tuple>

namespace engine::shapes {
namespace {

struct Boundary {
    std::int32_t round;
    std::int32_t part;
    std::int64_t count;
};

/// The boundaries of a rank before the last of k rounds, from its own contribution on.
std::vector<Boundary> boundaries(std::int32_t n, std::int32_t rounds) {
    std::vector<Boundary> all{{0, 0, 1}};
    for (std::int32_t round = 1; round < rounds; ++round)
        for (std::int32_t part = 1; part <= n; ++part)
            all.push_back({round, part, (part + 1) * power(n + 1, round - 1)});
    return all;
}

/// What the tuple means for the last round.
Adaptation meaning(std::int32_t senders, const Boundary& sender, const Boundary& receiver) {
    Adaptation found{senders, sender.round, receiver.round, sender.part, receiver.part};
    found.fullSenders = senders - 1;
    found.prefix = sender.count;
    found.dropped = receiver.count;
    if (receiver.round < 0) return found;
    if (receiver.round > 0) {
        found.rule = sender.round > 0 ? 1 : 2;
        found.usable = sender.count != receiver.count;
    } else if (sender.round == 0) {
        found.rule = 3;
        found.prefix = found.dropped = 0;
    } else if (sender.round == 1) {
        // The last of the sender's contributions is the receiver's own: it is left out by the sender.
        found.rule = 4;
        found.prefix = sender.part;
        found.dropped = 0;
    } else {
        found.rule = 5;
    }
    return found;
}

}  // namespace

std::vector<Adaptation> adaptations(std::int32_t n, std::int32_t ranks) {
    const std::int32_t rounds = ceilLog(n + 1, ranks);
    const std::int64_t held = power(n + 1, rounds - 1);
    const std::vector<Boundary> senders = boundaries(n, rounds);
    std::vector<Boundary> receivers{{-1, 0, 0}};
    receivers.insert(receivers.end(), senders.begin(), senders.end());
    std::vector<Adaptation> found;
    for (std::int32_t s = 1; s <= n; ++s)
        for (const Boundary& sender : senders)
            for (const Boundary& receiver : receivers)
                if (s * held + sender.count - receiver.count == ranks) found.push_back(meaning(s, sender, receiver));
    return found;
}

std::optional<Adaptation> bestAdaptation(std::int32_t n, std::int32_t ranks) {
    const auto effort = [](const Adaptation& one) {
        return std::tuple{one.messages(), (one.prefix > 0 ? 1 : 0) + (one.dropped > 0 ? 1 : 0), one.rule, one.prefix};
    };
    std::optional<Adaptation> best;
    for (const Adaptation& one : adaptations(n, ranks))
        if (one.usable && (!best || effort(one) < effort(*best))) best = one;
    return best;
}

std::int32_t smallestAdaptable(std::int32_t ranks) {
    std::int32_t n = 1;
    while (!bestAdaptation(n, ranks)) ++n;
    return n;
}

std::string tupleText(const Adaptation& adaptation) {
    return text('(', adaptation.senders, ", ", adaptation.senderRound, ", ", adaptation.receiverRound, ", ",
                adaptation.senderPart, ", ", adaptation.receiverPart, ')');
}

std::string ruleText(const Adaptation& adaptation) {
    return adaptation.receiverRound < 0 ? "base border" : text("case ", adaptation.rule);
}

}  // namespace engine::shapes
