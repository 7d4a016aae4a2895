// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/schedule/message_signature.hpp"

#include "app/analysis/containers/mostly_sorted.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

namespace app::analysis {

using engine::Rank;
using engine::Round;

namespace {

Token token(bool isSend, Rank peer, engine::Bytes bytes) {
    std::uint64_t mixed = static_cast<std::uint64_t>(bytes) * 0x9E3779B97F4A7C15ULL;
    mixed ^= (mixed >> 29) ^ (static_cast<std::uint64_t>(peer.value) * 2 + (isSend ? 1 : 0)) * 0xBF58476D1CE4E5B9ULL;
    return mixed ^ (mixed >> 32);
}

/// One end with what orders it.
struct Placed {
    Round round;
    bool isReceive;
    Rank peer;
    std::size_t place;
    Token token;
};

void sort(std::span<Placed> ends) {
    sortMostlySorted(ends, [](const Placed& a, const Placed& b) {
        return std::tuple{a.round, a.isReceive, a.peer, a.place} < std::tuple{b.round, b.isReceive, b.peer, b.place};
    });
}

void take(std::vector<Placed>& ends, std::vector<Token>& tokens) {
    sort(ends);
    for (const Placed& end : ends) tokens.push_back(end.token);
}

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// What two sequences begin and end with alike, and what lies between.
struct CommonEnds {
    CommonEnds(std::span<const Token> a, std::span<const Token> b) {
        while (begin < a.size() && begin < b.size() && a[begin] == b[begin]) ++begin;
        while (end < a.size() - begin && end < b.size() - begin && a[a.size() - 1 - end] == b[b.size() - 1 - end])
            ++end;
        left = a.subspan(begin, a.size() - begin - end);
        right = b.subspan(begin, b.size() - begin - end);
    }

    std::size_t begin = 0;
    std::size_t end = 0;
    std::span<const Token> left, right;
};

/// How far one comes with so many differences: by diagonal, from -most - 1 on.
class Reach {
public:
    explicit Reach(std::ptrdiff_t most) : most_{most}, at_(static_cast<std::size_t>(2 * most + 3)) {}

    std::ptrdiff_t& operator[](std::ptrdiff_t k) { return at_[static_cast<std::size_t>(k + most_ + 1)]; }
    /// Whether the d-th difference leads down to the diagonal.
    [[nodiscard]] bool comesDown(std::ptrdiff_t k, std::ptrdiff_t d) {
        return k == -d || (k != d && (*this)[k - 1] < (*this)[k + 1]);
    }

private:
    std::ptrdiff_t most_;
    std::vector<std::ptrdiff_t> at_;
};

/// In how many places the two differ (Myers' greedy algorithm); nothing where these are more than `budget`. `before` is
/// given the reach before each difference.
template <class Before>
std::optional<std::ptrdiff_t> differences(std::span<const Token> a, std::span<const Token> b, std::size_t budget,
                                          Before before) {
    const auto n = static_cast<std::ptrdiff_t>(a.size());
    const auto m = static_cast<std::ptrdiff_t>(b.size());
    const std::ptrdiff_t most = std::min(n + m, static_cast<std::ptrdiff_t>(budget));
    Reach reach{most};
    for (std::ptrdiff_t d = 0; d <= most; ++d) {
        before(reach);
        for (std::ptrdiff_t k = -d; k <= d; k += 2) {
            std::ptrdiff_t x = reach.comesDown(k, d) ? reach[k + 1] : reach[k - 1] + 1;
            while (x < n && x - k < m && x - k >= 0 &&
                   a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - k)])
                ++x;
            reach[k] = x;
            if (x >= n && x - k >= m) return d;
        }
    }
    return std::nullopt;
}

/// Pairs of what lies between a common beginning and a common end; none where the two differ in more than `budget`
/// places.
void middle(const CommonEnds& ends, std::size_t budget, Pairs& pairs) {
    std::vector<Reach> trail;
    const auto found = differences(ends.left, ends.right, budget, [&](const Reach& reach) { trail.push_back(reach); });
    if (!found) return;
    // Walk the trail back.
    auto px = static_cast<std::ptrdiff_t>(ends.left.size());
    auto py = static_cast<std::ptrdiff_t>(ends.right.size());
    for (std::ptrdiff_t step = *found; step >= 0; --step) {
        Reach& former = trail[static_cast<std::size_t>(step)];
        const std::ptrdiff_t diagonal = px - py;
        const bool down = former.comesDown(diagonal, step);
        const std::ptrdiff_t startX = step == 0 ? 0 : down ? former[diagonal + 1] : former[diagonal - 1] + 1;
        while (px > startX)
            --px, --py,
                pairs.emplace_back(ends.begin + static_cast<std::size_t>(px),
                                   ends.begin + static_cast<std::size_t>(py));
        if (step > 0) {
            if (down) --py;
            else --px;
        }
    }
}

}  // namespace

Sequences sequencesOf(const engine::Run& run) {
    Sequences sequences{.perRank = std::vector<std::vector<Token>>(static_cast<std::size_t>(run.ranks)),
                        .messages = static_cast<std::int64_t>(run.messages.size())};
    std::vector<std::vector<Placed>> ends(sequences.perRank.size());
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const engine::MessageRecord m = run.messages[i];
        ends[m.from.index()].push_back({m.round, false, m.to, i, token(true, m.to, m.bytes)});
        ends[m.to.index()].push_back({m.round, true, m.from, i, token(false, m.from, m.bytes)});
    }
    for (std::size_t rank = 0; rank < ends.size(); ++rank) {
        sequences.perRank[rank].reserve(ends[rank].size());
        take(ends[rank], sequences.perRank[rank]);
    }
    return sequences;
}

std::uint64_t lookOf(const traces::BusyEnds& ends, std::span<const engine::Bytes> bytes, const InRounds& messages,
                     std::int32_t ranks) {
    std::vector<std::size_t> next(engine::asSize(ranks) + 1);  // of the ends of a rank
    for (const Rank from : ends.from) ++next[from.index() + 1];
    for (const Rank to : ends.to) ++next[to.index() + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<Placed> placed(2 * ends.from.size());
    std::size_t place = 0;
    for (const std::uint32_t i : messages.order) {
        const Rank from = ends.from[i], to = ends.to[i];
        placed[next[from.index()]++] = {messages.rounds[i], false, to, place, token(true, to, bytes[i])};
        placed[next[to.index()]++] = {messages.rounds[i], true, from, place++, token(false, from, bytes[i])};
    }
    std::uint64_t mixed = 0x243F6A8885A308D3ULL;
    for (std::size_t rank = 0; rank < engine::asSize(ranks); ++rank) {
        const std::size_t first = rank == 0 ? 0 : next[rank - 1];
        const std::span<Placed> its = std::span{placed}.subspan(first, next[rank] - first);
        sort(its);
        for (const Placed& end : its) mixed = (mixed ^ end.token) * 0x100000001B3ULL + 1;
        mixed = (mixed ^ 0xFF) * 0x100000001B3ULL;
    }
    return mixed;
}

std::span<const Token> PlannedTokens::of(std::size_t rank) {
    tokens_.clear();
    if (rank >= ranks()) return tokens_;
    const Rank self{static_cast<std::int32_t>(rank)};
    // Many short schedules are compared one after the other.
    thread_local engine::Turn turn;
    thread_local std::vector<Placed> ends;
    for (Round round{0}; round.value < schedule_.facts().rounds; ++round) {
        if (progress_.stop.stop_requested()) throw engine::Cancelled{};
        schedule_.turn(self, round, turn);
        ends.clear();
        std::size_t place = 0;
        for (const engine::Message& send : turn.sends())
            ends.push_back({round, false, send.peer, place++, token(true, send.peer, send.bytes)});
        for (const engine::Message& receive : turn.receives())
            ends.push_back({round, true, receive.peer, place++, token(false, receive.peer, receive.bytes)});
        looked_ += std::max<std::int64_t>(1, static_cast<std::int64_t>(turn.sends().size()));
        take(ends, tokens_);
    }
    return tokens_;
}

Pairs aligned(std::span<const Token> a, std::span<const Token> b, std::size_t most) {
    Pairs pairs;
    const CommonEnds ends{a, b};
    for (std::size_t i = 0; i < ends.begin; ++i) pairs.emplace_back(i, i);
    if (!ends.left.empty() && !ends.right.empty()) middle(ends, most, pairs);
    for (std::size_t i = 0; i < ends.end; ++i) pairs.emplace_back(a.size() - 1 - i, b.size() - 1 - i);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

namespace {

/// How many tokens both have, in whatever order: both are sorted.
std::size_t sharedBy(std::span<const Token> a, std::span<const Token> b) {
    std::size_t shared = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i] == b[j]) ++shared, ++i, ++j;
        else if (a[i] < b[j]) ++i;
        else ++j;
    }
    return shared;
}

/// As many pairs as aligned() gives.
std::size_t alignedCount(std::span<const Token> a, std::span<const Token> b, std::size_t most) {
    const CommonEnds ends{a, b};
    const std::size_t same = ends.begin + ends.end;
    if (ends.left.empty() || ends.right.empty()) return same;
    const auto apart = differences(ends.left, ends.right, most, [](const Reach&) {});
    return apart ? same + (ends.left.size() + ends.right.size() - static_cast<std::size_t>(*apart)) / 2 : same;
}

std::vector<Token> sorted(std::span<const Token> tokens) {
    std::vector<Token> rising{tokens.begin(), tokens.end()};
    std::sort(rising.begin(), rising.end());
    return rising;
}

/// How many of sorted tokens others have, in whatever order.
std::size_t sharedBy(const std::vector<Token>& rising, std::span<const Token> others) {
    thread_local std::vector<Token> otherRising;
    otherRising.assign(others.begin(), others.end());
    std::sort(otherRising.begin(), otherRising.end());
    return sharedBy(std::span{rising}, std::span<const Token>{otherRising});
}

}  // namespace

void sortTokens(Sequences& sequences) {
    sequences.rising.clear();
    for (const std::vector<Token>& tokens : sequences.perRank) sequences.rising.push_back(sorted(tokens));
}

std::uint64_t amountsOfTokens(const Sequences& sequences) {
    std::uint64_t mixed = 0x243F6A8885A308D3ULL;
    for (const std::vector<Token>& tokens : sequences.perRank) {
        std::uint64_t sum = tokens.size();
        for (Token one : tokens) {
            one = (one ^ (one >> 30)) * 0xBF58476D1CE4E5B9ULL;
            sum += one ^ (one >> 27);
        }
        mixed = (mixed ^ sum) * 0x94D049BB133111EBULL;
        mixed ^= mixed >> 31;
    }
    return mixed;
}

double likeness(const Sequences& seen, PlannedTokens& planned, double least, bool* inAnyOrder) {
    const auto its = [&](std::size_t rank) {
        return rank < seen.perRank.size() ? std::span<const Token>{seen.perRank[rank]} : std::span<const Token>{};
    };
    std::vector<std::size_t> order(std::max(seen.perRank.size(), planned.ranks()));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return its(a).size() > its(b).size(); });
    std::size_t all = 0;  // ends of both, where ranks to come have what was seen and no more
    for (const std::vector<Token>& one : seen.perRank) all += 2 * one.size();
    std::size_t apart = 0;            // ends that only one of them has
    std::size_t apartInAnyOrder = 0;  // that only one of them would have in whatever order
    if (inAnyOrder != nullptr) *inAnyOrder = false;
    for (const std::size_t rank : order) {
        const std::span<const Token> own = its(rank);
        const std::span<const Token> other = planned.of(rank);
        all += other.size();
        all -= own.size();
        // Just so many are enough, however the product is rounded.
        const auto enough = static_cast<std::size_t>(std::ceil(least * static_cast<double>(all) - 1e-6));
        const std::size_t most = all - std::min(enough, all);
        // In what order they come matters only where there are enough of them.
        const std::size_t ends = own.size() + other.size();
        if (std::ranges::equal(own, other)) continue;
        if (apartInAnyOrder + ends - 2 * std::min(own.size(), other.size()) > most) {
            if (inAnyOrder != nullptr) *inAnyOrder = true;
            return 0;
        }
        const std::size_t shared =
            rank < seen.rising.size() ? sharedBy(seen.rising[rank], other) : sharedBy(sorted(own), other);
        apartInAnyOrder += ends - 2 * shared;
        if (inAnyOrder != nullptr) *inAnyOrder = apartInAnyOrder > most;
        if (apart + ends - 2 * shared > most) return 0;
        apart += ends - 2 * alignedCount(own, other, std::min(alignedApart, most - apart));
        if (apart > most) return 0;
    }
    return all == 0 ? 1 : 1 - static_cast<double>(apart) / static_cast<double>(all);
}

}  // namespace app::analysis
