// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/goal/payload_contents.hpp"

#include "engine/base/interval_set.hpp"
#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace engine::schedules::goal {
namespace {

Bytes sizeOf(const ByteSet& set) {
    Bytes bytes = 0;
    for (const Range range : set.intervals()) bytes += range.size();
    return bytes;
}

/// What of `first` is also in `second`.
ByteSet common(const ByteSet& first, const ByteSet& second) {
    ByteSet both;
    for (const Range range : first.intervals()) {
        Bytes at = range.begin;
        second.eachGap(range, [&](Range gap) {
            both.add({at, gap.begin});
            at = gap.end;
        });
        both.add({at, range.end});
    }
    return both;
}

ByteSet without(const ByteSet& first, const ByteSet& second) {
    ByteSet left;
    for (const Range range : first.intervals()) second.eachGap(range, [&](Range gap) { left.add(gap); });
    return left;
}

/// Follows what every rank holds, byte by byte.
Filled fillBytes(Stored& stored, const Course& course) {
    const Contract contract{stored.problem};
    const std::int32_t ranks = stored.facts.ranks;
    std::vector<ByteSet> held(asSize(ranks));
    std::vector<ByteSet> needed(asSize(ranks));
    for (Rank rank{0}; rank.value < ranks; ++rank) {
        held[rank.index()].add(contract.before(rank));
        for (const Range range : contract.after(rank)) needed[rank.index()].add(range);
    }
    Filled filled;
    std::vector<std::pair<std::size_t, ByteSet>> arriving;
    everyRound(course.deliveries, [&](auto first, auto end) {
        arriving.clear();
        for (; first != end; ++first) {
            const ByteSet& has = held[first->from.index()];
            const ByteSet lacking = without(has, held[first->to.index()]);
            const ByteSet wanted = common(lacking, needed[first->to.index()]);
            const ByteSet* carried = nullptr;
            for (const ByteSet* candidate : {&has, &lacking, &wanted})
                if (carried == nullptr && sizeOf(*candidate) == first->bytes) carried = candidate;
            const ByteSet nothing;
            if (first->bytes == 0) carried = &nothing;
            if (carried == nullptr) {
                filled.why =
                    text("which of the ", sizeOf(has), " bytes that rank ", first->from, " holds before round ",
                         first->round.value + 1, " are the ", first->bytes, " that it sends in line ", first->line);
                return false;
            }
            filled.forced = filled.forced && carried != &wanted;
            StoredMessage message = messageOf(*first, stored);
            for (const Range range : carried->intervals()) {
                stored.ranges.push_back(range);
                ++message.rangeCount;
            }
            stored.messages.push_back(message);
            if (!common(*carried, held[first->to.index()]).intervals().empty())
                stored.facts.repeats = "messages carry all that their senders hold";
            arriving.emplace_back(first->to.index(), *carried);
        }
        for (const auto& [rank, carried] : arriving)
            for (const Range range : carried.intervals()) held[rank].add(range);
        return true;
    });
    return filled;
}

/// Whose vectors a rank has combined.
using Terms = std::vector<bool>;

bool isDisjoint(const Terms& a, const Terms& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] && b[i]) return false;
    return true;
}

bool includes(const Terms& whole, const Terms& part) {
    for (std::size_t i = 0; i < part.size(); ++i)
        if (part[i] && !whole[i]) return false;
    return true;
}

Action actionOf(const Terms& received, const Terms& held) {
    if (!isDisjoint(received, held)) return includes(received, held) ? Action::keep : Action::append;
    const auto firstReceived = std::find(received.begin(), received.end(), true) - received.begin();
    const auto firstHeld = std::find(held.begin(), held.end(), true) - held.begin();
    return firstReceived < firstHeld ? Action::prepend : Action::append;
}

/// Every rank keeps one partial result. What is combined already replaces it, all else is combined with it.
std::string fillPartials(Stored& stored, const Course& course) {
    const Bytes vector = stored.problem.collective == Collective::barrier ? 0 : stored.problem.layout.largest();
    const auto ranks = asSize(stored.facts.ranks);
    std::vector<Terms> held(ranks, Terms(ranks));
    for (std::size_t r = 0; r < asSize(stored.problem.ranks()); ++r) held[r][r] = true;
    std::string why;
    everyRound(course.deliveries, [&](auto first, auto end) {
        const std::vector<Terms> before = held;
        for (; first != end; ++first) {
            if (first->bytes != vector) {
                why = text("which ", first->bytes, " of the vector's ", vector, " bytes rank ", first->from,
                           " sends in line ", first->line);
                return false;
            }
            const Terms& received = before[first->from.index()];
            Terms& mine = held[first->to.index()];
            StoredMessage message = messageOf(*first, stored);
            message.slot = message.into = 1;
            message.whole = true;
            message.action =
                stored.problem.collective == Collective::barrier ? Action::append : actionOf(received, mine);
            if (message.action == Action::keep) mine = received;
            else
                for (std::size_t i = 0; i < ranks; ++i) mine[i] = mine[i] || received[i];
            stored.messages.push_back(message);
        }
        return true;
    });
    return why;
}

/// Held in `before`, the state of one round, which costs ranks^2 bits.
constexpr std::int32_t mostFollowed = 4096;

}  // namespace

StoredMessage messageOf(const Delivery& one, const Stored& stored) {
    return {.round = one.round, .from = one.from, .to = one.to, .bytes = one.bytes, .firstRange = stored.ranges.size()};
}

bool canBeFollowed(const Stored& stored) { return stored.facts.ranks <= mostFollowed; }

Filled fillBySize(Stored& stored, const Course& course) {
    Filled filled;
    if (!canBeFollowed(stored)) filled.why = text("what more than ", mostFollowed, " ranks hold, round by round");
    else if (isReduction(stored.problem.collective)) filled = {fillPartials(stored, course), false};
    else filled = fillBytes(stored, course);
    if (!filled.why.empty()) {
        stored.messages.clear();
        stored.ranges.clear();
    }
    return filled;
}

void fillAsBlocks(Stored& stored, const Course& course, std::int32_t ranks) {
    const auto n = asSize(ranks);
    std::vector<Bytes> sizes(n * n);
    const auto blockOf = [&](const Delivery& one) { return one.from.index() * n + one.to.index(); };
    for (const Delivery& one : course.deliveries) sizes[blockOf(one)] += one.bytes;
    stored.problem = {.collective = Collective::alltoallv, .groupA = ranks, .layout = Layout::irregular(sizes)};
    std::vector<Bytes> sent(n * n);
    for (const Delivery& one : course.deliveries) {
        StoredMessage message = messageOf(one, stored);
        if (one.bytes > 0) {
            const Bytes begin =
                stored.problem.layout.offset(static_cast<std::int32_t>(blockOf(one))) + sent[blockOf(one)];
            stored.ranges.push_back({begin, begin + one.bytes});
            message.rangeCount = 1;
            sent[blockOf(one)] += one.bytes;
        }
        stored.messages.push_back(message);
    }
}

}  // namespace engine::schedules::goal
