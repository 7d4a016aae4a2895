// SPDX-License-Identifier: BSD-3-Clause
#include "traces/otf2/halves.hpp"

#include <algorithm>
#include <compare>
#include <span>
#include <tuple>

namespace traces::otf2 {
namespace {

/// Indices of halves by rank, in their order: those of rank r are order[start[r]..start[r+1]).
struct BySender {
    template <class SenderOf>
    BySender(const std::vector<Half>& halves, std::int32_t ranks, SenderOf senderOf)
        : start(static_cast<std::size_t>(ranks) + 2) {
        const auto known = [&](const Half& half) { return senderOf(half) >= 0 && senderOf(half) < ranks; };
        for (const Half& half : halves)
            if (known(half)) ++start[static_cast<std::size_t>(senderOf(half)) + 2];
        for (std::size_t r = 2; r < start.size(); ++r) start[r] += start[r - 1];
        order.resize(start.back());
        for (std::size_t i = 0; i < halves.size(); ++i)
            if (known(halves[i])) order[start[static_cast<std::size_t>(senderOf(halves[i])) + 1]++] = i;
    }

    std::span<std::size_t> of(std::size_t rank) {
        return std::span{order}.subspan(start[rank], start[rank + 1] - start[rank]);
    }

    std::vector<std::size_t> start;
    std::vector<std::size_t> order;
};

}  // namespace

std::vector<std::size_t> match(const std::vector<Half>& sends, const std::vector<Half>& receives, std::int32_t ranks) {
    std::vector<std::size_t> partner(sends.size(), alone);
    BySender out{sends, ranks, [](const Half& half) { return half.self; }};
    BySender in{receives, ranks, [](const Half& half) { return half.peer; }};
    const auto toSend = [&](std::size_t i) { return std::tuple{sends[i].peer, sends[i].communicator, sends[i].tag}; };
    const auto toReceive = [&](std::size_t i) {
        return std::tuple{receives[i].self, receives[i].communicator, receives[i].tag};
    };
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
        const std::span<std::size_t> sent = out.of(rank);
        const std::span<std::size_t> received = in.of(rank);
        std::sort(sent.begin(), sent.end(), [&](std::size_t a, std::size_t b) {
            return std::tuple{toSend(a), sends[a].place, a} < std::tuple{toSend(b), sends[b].place, b};
        });
        std::sort(received.begin(), received.end(), [&](std::size_t a, std::size_t b) {
            return std::tuple{toReceive(a), receives[a].place, a} < std::tuple{toReceive(b), receives[b].place, b};
        });
        for (std::size_t s = 0, r = 0; s < sent.size() && r < received.size();) {
            const auto order = toSend(sent[s]) <=> toReceive(received[r]);
            if (order == 0) partner[sent[s++]] = received[r++];
            else if (order < 0) ++s;
            else ++r;
        }
    }
    return partner;
}

}  // namespace traces::otf2
