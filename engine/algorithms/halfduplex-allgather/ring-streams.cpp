// SPDX-License-Identifier: BSD-3-Clause
// Pipelines of contributions run around the ring in both directions and never meet at a port.
//
// Source: Kang et al. (half duplex), section IV: Algorithm 1 (p = q), section IV.E (p > q), Algorithm 3 (p < q),
// corrected. p senders 0..p-1, q receivers p..p+q-1, both even (else see "Dummies"), n = p + q, k bytes per
// contribution.
//
// A stream is one line of the paper's pseudocode: in one round, for every j of a range,
//     place  coefficient * j + offset (mod n)  sends contribution  j + shift  one place up (+1) or down (-1).
// Ranges shrink or are cut where the paper has an `if`; h = min(p, q)/2, i counts the rounds of a stage from 0:
//
//   q <= p        stage 1: h rounds       stage 2: p - h rounds     stage 3: h rounds
//     #1 up       j + i          h<=j<p   h + j + i                 p + j + i           until the target is place n
//     #2 down     j - i          j<h      (waits)                   p+h-i+2j-1          1<=j<=i, brings j - 1
//     #3 up       h - i + 2j     j<i      2j + i         j<h        p - h + i + 2j      j<h
//                 brings h-i+j
//   p < q         stage 1: h rounds       stage 2: q/2 rounds       stage 3: h rounds
//     #1 up       j + i          h<=j<p   h + j + i                 h + q/2 + j + i     until the target is place n
//     #2 down     j - i          j<h      h+q-i+j  if i < q/2 - h   p+q/2-i+2j-1        1<=j<=i, brings j - 1
//     #3 up       h - i + 2j     j<i      2j + i                    q/2 + i + 2j        j<h
//                 brings h-i+j
//     #4 down     2j - i - h + 1          2j - i - p + 1  h + ceil(i/2) <= j < p
//                 h<=j<h+i                2j - i + q + 1  j < h + ceil(i/2), 2j > 2i + 3h - q, j < p
//
// p = q = 2, who sends what where (m0 and m1 belong to ranks 0 and 1, ranks 2 and 3 receive):
//
//   round   stage   #1          #2          #3
//     1       1     1 m1 -> 2   0 m0 -> 3
//     2       2     2 m1 -> 3               0 m0 -> 1
//     3       3                             1 m0 -> 2
//
// At most one stream has a given place as sender, and one as target, so a rank inverts place = coefficient * j + offset
// for each stream and takes the one that answers. Rounds p + q/2, each alpha + beta k.
//
// Correct because a sender of a stream is the target of the same contribution one round before, and because the
// streams with one contribution in opposite directions end on neighbours: all places between have seen it. For p < q
// they may overlap, then some receivers get a contribution twice.
//
// Dummies: an odd group gets one more process, so rounds are p' + q'/2 with p', q' rounded up to even. The dummy
// receiver is rank p + q; the dummy sender is the last rank, which on the ring stands just before rank 0, and is
// place 0. Dummies pass on what comes; the contribution that a dummy sender would bring is left out.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"

#include <algorithm>
#include <array>

namespace engine::algorithms::halfduplex_allgather_ring_streams {
namespace {

/// One line of the paper's pseudocode in one round: j in [first, last), see above.
struct Stream {
    std::int64_t coefficient = 1;  ///< 1 or 2
    std::int64_t offset = 0;
    std::int32_t direction = 1;
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t shift = 0;
};

using Streams = std::array<Stream, 5>;

constexpr std::int32_t up = 1;
constexpr std::int32_t down = -1;

/// a mod n for -n <= a < 2n, without a division.
constexpr std::int64_t wrapped(std::int64_t a, std::int64_t n) { return a < 0 ? a + n : a < n ? a : a - n; }

/// What a place sends: nothing when direction is 0.
struct Step {
    std::int32_t direction = 0;
    std::int64_t contribution = 0;
};

/// The paper's ring of places: p senders, then q receivers, both even.
class Places {
public:
    Places(std::int64_t p, std::int64_t q) : p_{p}, q_{q}, n_{p + q} {}

    [[nodiscard]] std::int64_t edge() const { return std::min(p_, q_) / 2; }
    [[nodiscard]] std::int64_t middle() const { return q_ <= p_ ? p_ - q_ / 2 : q_ / 2; }

    [[nodiscard]] Streams streams(std::int64_t round) const {
        if (round < edge()) return q_ <= p_ ? firstStage(round) : firstStageFewSenders(round);
        if (round < edge() + middle())
            return q_ <= p_ ? secondStage(round - edge()) : secondStageFewSenders(round - edge());
        return thirdStage(round - edge() - middle());
    }

    /// What `place` sends in the round of these streams.
    [[nodiscard]] Step stepOf(std::int64_t place, const Streams& streams) const {
        for (const Stream& stream : streams) {
            if (stream.first >= stream.last) continue;
            std::int64_t j = wrapped(place - stream.offset, n_);
            if (stream.coefficient == 2 && j % 2 != 0) continue;
            if (stream.coefficient == 2) j /= 2;
            j = stream.first + wrapped(j - stream.first, stream.coefficient == 2 ? n_ / 2 : n_);
            if (j < stream.last) return {stream.direction, j + stream.shift};
        }
        return {};
    }

private:
    [[nodiscard]] Streams firstStage(std::int64_t i) const {
        const std::int64_t h = edge();
        return {{{1, i, up, h, p_}, {1, -i, down, 0, h}, {2, h - i, up, 0, i, h - i}}};
    }
    [[nodiscard]] Streams firstStageFewSenders(std::int64_t i) const {
        const std::int64_t h = edge();
        Streams streams = firstStage(i);
        streams[3] = {2, 1 - i - h, down, h, h + i};
        return streams;
    }
    [[nodiscard]] Streams secondStage(std::int64_t i) const {
        return {{untilLastPlace(edge() + i), {2, i, up, 0, edge()}}};
    }
    [[nodiscard]] Streams secondStageFewSenders(std::int64_t i) const {
        const std::int64_t h = edge();
        const std::int64_t turned = h + (i + 1) / 2;  // of stream 4, those below have left rank 0 behind
        const std::int64_t lowest = std::max(h, i - q_ / 2 + 3 * h / 2 + 1);
        return {{{1, h + i, up, h, p_},
                 {1, h + q_ - i, down, 0, i < q_ / 2 - h ? h : 0},
                 {2, i, up, 0, h},
                 {2, 1 - i - p_, down, turned, p_},
                 {2, 1 - i + q_, down, lowest, std::min(p_, turned)}}};
    }
    [[nodiscard]] Streams thirdStage(std::int64_t i) const {
        const std::int64_t start = q_ <= p_ ? p_ - q_ / 2 : q_ / 2;
        return {{untilLastPlace(start + edge() + i),
                 {2, p_ + q_ / 2 - i - 1, down, 1, i + 1, -1},
                 {2, start + i, up, 0, edge()}}};
    }
    /// Stream 1, which does not go on to rank 0.
    [[nodiscard]] Stream untilLastPlace(std::int64_t offset) const {
        return {1, offset, up, edge(), std::min(p_, n_ - 1 - offset)};
    }

    std::int64_t p_;
    std::int64_t q_;
    std::int64_t n_;
};

std::int32_t even(std::int32_t n) { return n + n % 2; }

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const std::int32_t dummySenders = p % 2;
    const Places places{even(p), even(problem.groupB)};
    const std::int32_t n = even(p) + even(problem.groupB);
    Facts facts{.ranks = n, .wiring = Wiring::ring(n)};
    if (even(p) < even(problem.groupB))
        facts.repeats = "streams that bring one contribution from both sides overlap by a few receivers";
    const auto part = [&](std::string name, std::int64_t rounds, std::int64_t before) {
        return Part{std::move(name), rounds, Prepared{[=, layout = problem.layout](Round round, const auto& use) {
                        const Streams streams = places.streams(before + round.value);
                        use([&](Rank rank, auto& out) {
                            const auto neighbour = [&](std::int32_t way) {
                                return static_cast<std::int32_t>(wrapped(rank.value + way, n));
                            };
                            const auto stepOf = [&](std::int32_t other) {
                                Step step = places.stepOf(wrapped(other + dummySenders, n), streams);
                                step.contribution -= dummySenders;
                                if (step.contribution < 0) step.direction = 0;
                                return step;
                            };
                            const auto block = [&](const Step& step) {
                                return layout.block(static_cast<std::int32_t>(step.contribution));
                            };
                            const Step own = stepOf(rank.value);
                            if (own.direction != 0) out.send(Rank{neighbour(own.direction)}, block(own));
                            for (const std::int32_t way : {up, down}) {
                                const Step coming = stepOf(neighbour(-way));
                                if (coming.direction == way) out.receive(Rank{neighbour(-way)}, block(coming));
                            }
                        });
                    }}};
    };
    const std::int64_t edge = places.edge();
    const std::int64_t middle = places.middle();
    return then(facts, part("enter", edge, 0), part("pass", middle, edge), part("meet", edge, edge + middle));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    if (!problem.layout.isRegular()) return std::nullopt;
    // With at most two receivers one round is for the contribution of place 0 alone, which a dummy does not bring.
    const std::int64_t empty = problem.groupA % 2 == 1 && problem.groupB <= 2 ? 1 : 0;
    const std::int64_t rounds = even(problem.groupA) + even(problem.groupB) / 2 - empty;
    return Cost{.startups = rounds, .volume = rounds * problem.layout.largest()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "halfduplex-allgather/ring-streams",
        .collective = Collective::halfduplexAllgather,
        .title = "Ring streams",
        .idea =
            "Contributions leave the arc of senders at both ends, in pipelines that interleave so that no port is used twice in a round.",
        .source = "Kang et al. (half duplex), section IV, Algorithms 1 and 3",
        .formula = "(p + q/2)(alpha + beta k)",
        .letters = "p senders, q receivers, each rounded up to even; k bytes per contribution",
        .errata = {{"Algorithm 3, lines 35-43", "rank p + q appears for odd i: ranks are meant modulo p + q"},
                   {"Algorithm 3, line 40",
                    "the guard 2j > 2i + p/2 holds for p = q only; for p < q it is 2j > 2i + 3p/2 - q"},
                   {"Algorithm 3, line 39", "j must stay below p as well"},
                   {"proof for sequences #1 and #4-2", "quotes the guard as 2i + q - p/2; see line 40"},
                   {"Figures 2 and 3 and section IV.E",
                    "the text swaps p and q: Figure 2 shows 4 senders and 6 receivers, Figure 3 shows 6 and 4"},
                   {"section IV.D",
                    "the first contribution arrives at the end of round q/2, not after q/2 - 1 "
                    "rounds; the sum p + q/2 - 1 is right"},
                   {"section IV, odd p or q",
                    "the dummy must be a process of its own: played by a neighbour, its port is used twice"},
                   {"section IV.D, optimality", "p + q/2 is one round above the bound; ring-belts attains it"},
                   {"section V.B", "the theoretical gains are 4/3, 6/5 and 3/2 for p = q, p = 2q and 2p = q"},
                   {"abstract", "the ring gains up to 1.4; section V reports up to 1.9"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::halfduplex_allgather_ring_streams
