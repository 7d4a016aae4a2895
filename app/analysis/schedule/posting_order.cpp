// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/schedule/posting_order.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <span>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using engine::Round;

namespace {

/// The messages of one side of a rank by who is at their other end and by their bytes, each with its rounds, rising.
using RoundsOf = std::map<PostingOrder::Message, std::vector<Round>>;

/// How many of `seen` have a counterpart in `planned`, each one of its own: in the order of its rounds, and in any.
struct SharedEnds {
    std::size_t inOrder = 0;
    std::size_t inAnyOrder = 0;
};
SharedEnds sharedEndsOf(RoundsOf& planned, std::span<const PostingOrder::Message> seen) {
    std::size_t inAnyOrder = 0;
    std::map<PostingOrder::Message, std::size_t> next;
    std::vector<Round> ends;  // of the shortest last rounds of sequences that do not fall, by their lengths
    for (const PostingOrder::Message& message : seen) {
        const auto rounds = planned.find(message);
        if (rounds == planned.end()) continue;
        std::size_t& at = next[message];
        if (at == rounds->second.size()) continue;
        const Round round = rounds->second[at++];
        ++inAnyOrder;
        const auto longer = std::ranges::upper_bound(ends, round);
        if (longer == ends.end()) ends.push_back(round);
        else *longer = round;
    }
    return {ends.size(), inAnyOrder};
}

/// Messages of almost the same size to one peer become messages of one size, that of the smallest in `planned`.
class JoinedSizes {
public:
    JoinedSizes(const RoundsOf& planned, std::int32_t ranks) : ranks_{ranks} {
        for (const auto& [message, rounds] : planned) {
            const bool isNew = planned_.empty() || planned_.rbegin()->first.first != message.first ||
                               !isAlmostAsLarge(last_, message.second, ranks_);
            std::vector<Round>& all = isNew ? planned_[message] : planned_.rbegin()->second;
            all.insert(all.end(), rounds.begin(), rounds.end());
            last_ = message.second;
        }
        for (auto& [message, rounds] : planned_) std::ranges::sort(rounds);
    }

    SharedEnds sharedWith(std::span<const PostingOrder::Message> seen) {
        std::vector<PostingOrder::Message> joined;
        for (PostingOrder::Message message : seen) {
            const auto next = planned_.lower_bound(message);
            const auto takes = [&](auto its) {
                return its->first.first == message.first && isAlmostAsLarge(its->first.second, message.second, ranks_);
            };
            if (next != planned_.begin() && takes(std::prev(next))) message = std::prev(next)->first;
            else if (next != planned_.end() && takes(next)) message = next->first;
            joined.push_back(message);
        }
        return sharedEndsOf(planned_, joined);
    }

private:
    std::int32_t ranks_;
    engine::Bytes last_ = 0;
    RoundsOf planned_;
};

/// Of one side of a rank where each peer has as many messages with as many bytes, but other sizes, such as full
/// segments and a shorter last one; nothing in common elsewhere.
SharedEnds sharedInOtherSegments(const RoundsOf& planned, std::span<const PostingOrder::Message> seen,
                                 std::int32_t ranks) {
    struct Amount {
        std::int64_t messages = 0;
        engine::Bytes bytes = 0;
    };
    std::map<Rank, Amount> apart;  // planned beyond seen
    RoundsOf byPeer;
    for (const auto& [message, rounds] : planned) {
        const auto count = static_cast<std::int64_t>(rounds.size());
        apart[message.first].messages += count, apart[message.first].bytes += count * message.second;
        std::vector<Round>& all = byPeer[{message.first, 0}];
        all.insert(all.end(), rounds.begin(), rounds.end());
    }
    std::vector<PostingOrder::Message> peers;
    for (const auto& [peer, bytes] : seen) {
        --apart[peer].messages, apart[peer].bytes -= bytes;
        peers.emplace_back(peer, 0);
    }
    for (const auto& [peer, its] : apart)
        if (its.messages != 0 || std::abs(its.bytes) > ranks) return {};
    for (auto& [peer, rounds] : byPeer) std::ranges::sort(rounds);
    return sharedEndsOf(byPeer, peers);
}

/// In the order of rounds, if only sizes differ: these of single messages, or of all segments to one peer together.
std::size_t sharedInOtherSizes(const RoundsOf& planned, std::span<const PostingOrder::Message> seen,
                               std::int32_t ranks) {
    const std::size_t shared = JoinedSizes{planned, ranks}.sharedWith(seen).inOrder;
    return shared == seen.size() ? shared : std::max(shared, sharedInOtherSegments(planned, seen, ranks).inOrder);
}

}  // namespace

bool isAlmostAsLarge(engine::Bytes one, engine::Bytes other, std::int32_t ranks) {
    const engine::Bytes apart = one < other ? other - one : one - other;
    return apart <= ranks && 16 * apart <= std::min(one, other);
}

PostingOrder::PostingOrder(const engine::Run& run) : sends(engine::asSize(run.ranks)), receives(sends.size()) {
    const engine::Messages& m = run.messages;
    std::vector<std::uint32_t> order(m.size());
    const auto fill = [&](std::span<const Rank> self, std::span<const Rank> peer, std::span<const Picoseconds> begin,
                          std::vector<std::vector<Message>>& side) {
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return begin[i]; });
        for (const std::uint32_t i : order) side[self[i].index()].emplace_back(peer[i], m.bytes()[i]);
    };
    fill(m.from(), m.to(), m.sendBegin(), sends);
    fill(m.to(), m.from(), m.receiveBegin(), receives);
}

double likeness(const PostingOrder& seen, const engine::Schedule& schedule, double least, std::int64_t& looked,
                const engine::Progress& progress) {
    const engine::Facts& facts = schedule.facts();
    std::size_t all = 0, common = 0, inAnyOrder = 0;
    std::size_t ofOtherSizes = 0, comparedBefore = 0;
    for (std::size_t rank = 0; rank < seen.sends.size(); ++rank)
        all += seen.sends[rank].size() + seen.receives[rank].size();
    std::size_t toCome = all;        // ends that ranks to come have
    thread_local engine::Turn turn;  // many short schedules are compared one after the other
    for (Rank rank{0}; rank.value < facts.ranks; ++rank) {
        RoundsOf sends, receives;
        Round lastSend{0};
        for (Round round{0}; round.value < facts.rounds; ++round) {
            if (progress.stop.stop_requested()) throw engine::Cancelled{};
            schedule.turn(rank, round, turn);
            const auto take = [&](const auto& messages, RoundsOf& side, Round its) {
                for (const engine::Message& one : messages) side[{one.peer, one.bytes}].push_back(its);
                all += messages.size();
            };
            if (!turn.sends().empty()) lastSend = round;
            take(turn.sends(), sends, round);
            take(turn.receives(), receives, lastSend);
            looked += std::max<std::int64_t>(1, static_cast<std::int64_t>(turn.sends().size()));
        }
        if (rank.index() >= seen.sends.size()) continue;
        for (const auto& [planned, own] :
             {std::pair{&sends, &seen.sends[rank.index()]}, std::pair{&receives, &seen.receives[rank.index()]}}) {
            const SharedEnds shared = sharedEndsOf(*planned, *own);
            common += shared.inOrder, inAnyOrder += shared.inAnyOrder;
            // What differs on one rank by more than sizes differs.
            if (2 * ofOtherSizes < comparedBefore) continue;
            ofOtherSizes +=
                shared.inOrder == own->size() ? own->size() : sharedInOtherSizes(*planned, *own, facts.ranks);
            comparedBefore += 2 * own->size();
        }
        // At best the schedule has what was seen of the ranks to come, and no more.
        toCome -= seen.sends[rank.index()].size() + seen.receives[rank.index()].size();
        const std::size_t allAtBest = all + toCome;
        const auto isSameAtBest = [&](std::size_t shared) { return 2 * (shared + toCome) == allAtBest; };
        if (2 * static_cast<double>(common + toCome) / static_cast<double>(allAtBest) < least - 1e-9 &&
            !isSameAtBest(inAnyOrder) && !isSameAtBest(ofOtherSizes))
            return 0;
    }
    double alike = all == 0 ? 1 : 2 * static_cast<double>(common) / static_cast<double>(all);
    if (2 * inAnyOrder == all) alike = std::max(alike, sameInAnotherOrder);
    if (2 * ofOtherSizes == all && common < ofOtherSizes) alike = std::max(alike, sameWithOtherSizes);
    return alike >= least - 1e-9 ? alike : 0;
}

std::optional<std::pair<PostingOrder, PostingOrder>> cutBehind(const PostingOrder& seen,
                                                               const engine::Schedule& schedule) {
    const engine::Facts& facts = schedule.facts();
    std::pair<PostingOrder, PostingOrder> parts{PostingOrder{seen.sends.size()}, PostingOrder{seen.sends.size()}};
    engine::Turn turn;
    for (Rank rank{0}; rank.index() < seen.sends.size(); ++rank) {
        std::size_t sends = 0, receives = 0;
        for (Round round{0}; rank.value < facts.ranks && round.value < facts.rounds; ++round) {
            schedule.turn(rank, round, turn);
            sends += turn.sends().size(), receives += turn.receives().size();
        }
        const auto cut = [&](std::vector<std::vector<PostingOrder::Message>> PostingOrder::*side, std::size_t count) {
            const std::vector<PostingOrder::Message>& all = (seen.*side)[rank.index()];
            if (count > all.size()) return false;
            const auto middle = all.begin() + static_cast<std::ptrdiff_t>(count);
            (parts.first.*side)[rank.index()].assign(all.begin(), middle);
            (parts.second.*side)[rank.index()].assign(middle, all.end());
            return true;
        };
        if (!cut(&PostingOrder::sends, sends) || !cut(&PostingOrder::receives, receives)) return std::nullopt;
    }
    return parts;
}

}  // namespace app::analysis
