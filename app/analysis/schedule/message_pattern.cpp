// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/schedule/message_pattern.hpp"

#include "engine/base/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace app::analysis {

using engine::Rank;
using engine::text;

namespace {

/// How many ranks further every message goes, from -ranks/2 on; 0 where they differ.
std::int32_t shiftOf(const std::vector<Ends>& edges, std::int32_t ranks) {
    const auto distance = [&](const Ends& one) { return (one.to.value - one.from.value + ranks) % ranks; };
    const std::int32_t first = distance(edges.front());
    if (std::any_of(edges.begin(), edges.end(), [&](const Ends& one) { return distance(one) != first; })) return 0;
    return first <= ranks / 2 ? first : first - ranks;
}

/// The most partners of a rank, where each edge goes both ways; else 0. Edges are in order.
std::int32_t partnersOf(const std::vector<Ends>& edges) {
    std::int32_t most = 0;
    for (std::size_t first = 0; first < edges.size();) {
        std::size_t behind = first;
        while (behind < edges.size() && edges[behind].from == edges[first].from) {
            if (!std::binary_search(edges.begin(), edges.end(), Ends{edges[behind].to, edges[behind].from})) return 0;
            ++behind;
        }
        most = std::max(most, static_cast<std::int32_t>(behind - first));
        first = behind;
    }
    return most;
}

/// Whether edges, one fewer than ranks, leave no rank apart and lead all away from one rank, or all to it.
bool isTree(const std::vector<Ends>& edges, std::int32_t ranks) {
    std::vector<std::int32_t> group(engine::asSize(ranks));
    std::iota(group.begin(), group.end(), 0);
    const auto root = [&](std::int32_t rank) {
        while (group[engine::asSize(rank)] != rank)
            rank = group[engine::asSize(rank)] = group[engine::asSize(group[engine::asSize(rank)])];
        return rank;
    };
    std::vector<std::int32_t> sent(group.size());
    std::vector<std::int32_t> received(group.size());
    for (const Ends& edge : edges) {
        const std::int32_t from = root(edge.from.value);
        const std::int32_t to = root(edge.to.value);
        if (from == to) return false;  // a circle
        group[engine::asSize(from)] = to;
        ++sent[edge.from.index()];
        ++received[edge.to.index()];
    }
    const auto atMostOne = [](std::int32_t count) { return count <= 1; };
    return std::all_of(sent.begin(), sent.end(), atMostOne) || std::all_of(received.begin(), received.end(), atMostOne);
}

}  // namespace

MessagePattern patternOf(std::vector<Ends> messages, std::int32_t ranks) {
    std::erase_if(messages, [](const Ends& one) { return one.from == one.to; });
    std::sort(messages.begin(), messages.end());
    messages.erase(std::unique(messages.begin(), messages.end()), messages.end());
    if (messages.empty()) return {};
    std::vector<bool> takesPart(engine::asSize(ranks));
    for (const Ends& one : messages) takesPart[one.from.index()] = takesPart[one.to.index()] = true;
    MessagePattern pattern;
    pattern.ranks = static_cast<std::int32_t>(std::count(takesPart.begin(), takesPart.end(), true));
    const std::size_t count = messages.size();
    pattern.pairs = static_cast<std::int32_t>(count);
    const std::size_t among = engine::asSize(pattern.ranks);
    if (among > 2 && count == among * (among - 1)) {
        pattern.kind = PatternKind::allToAll;
    } else if (const std::int32_t partners = partnersOf(messages); partners > 0) {
        pattern.kind = PatternKind::exchange;
        pattern.by = partners;
    } else if (const std::int32_t by = shiftOf(messages, ranks); by != 0 && among > 2) {
        pattern.kind = PatternKind::shift;
        pattern.by = by;
    } else if (among > 2 && count == among - 1 && isTree(messages, ranks)) {
        pattern.kind = PatternKind::tree;
        const auto isOne = [&](Rank Ends::*end) {
            return std::ranges::all_of(messages, [&](const Ends& one) { return one.*end == messages.front().*end; });
        };
        pattern.isStar = isOne(&Ends::from) || isOne(&Ends::to);
    }
    return pattern;
}

std::string inWords(const MessagePattern& pattern) {
    const std::string among = text(" among ", pattern.ranks, " ranks");
    switch (pattern.kind) {
        case PatternKind::shift: return text("a shift by ", pattern.by, among);
        case PatternKind::exchange:
            return pattern.by == 1 ? text("an exchange in pairs", among)
                                   : text("an exchange with up to ", pattern.by, " partners", among);
        case PatternKind::tree: return text("a tree", among);
        case PatternKind::allToAll: return text("an all-to-all exchange", among);
        case PatternKind::none: break;
    }
    return {};
}

}  // namespace app::analysis
