// SPDX-License-Identifier: BSD-3-Clause
// When n-way dissemination on P ranks can be adapted so that every contribution comes exactly once.
//
// Source: End, Yahyapour, Simmendinger, Alrutz 2016, section III.B, with its conditions restated in counts.
// N = n + 1, k = ceil(log_N P), M = N^(k-1). After round l a rank holds N^l contributions: its own and those of its
// neighbours to the left. They came in parts, so a rank that kept them can hand out, or leave out, its first c ones for
// every boundary
//
//     c(0) = 1 (its own),   c(l, j) = (j + 1) N^(l-1) (up to part j of round l),   l = 1..k-1, j = 1..n
//
// In the last round the senders are M, 2M, ..., sM to the left; all but the last send everything, the last one its
// first a = c(l_snd, j_snd), and the receiver leaves out its own first d = c(l_rcv, j_rcv). That is right if
//
//     P = s M + a - d,    d = 0 standing for the base border (nothing left out)
//
// P = 8, n = 2, rank 0:  own x0 x7 x6 | sender 1: x5 x4 x3 | sender 2: x2 x1 (x0): a = 2, d = 0, tuple (2, 1, -1, 1, 0)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace engine::shapes {

/// One solution: the paper's 5-tuple, and what it says about the last round.
struct Adaptation {
    std::int32_t senders = 0;        ///< s
    std::int32_t senderRound = 0;    ///< l_snd, 0..k-1
    std::int32_t receiverRound = 0;  ///< l_rcv, 0..k-1, or -1 for the base border
    std::int32_t senderPart = 0;     ///< j_snd, 1..n, or 0 with l_snd = 0
    std::int32_t receiverPart = 0;   ///< j_rcv, 1..n, or 0 with l_rcv <= 0

    int rule = 0;                  ///< the theorem's case 1..5; 0 for the base border
    std::int32_t fullSenders = 0;  ///< senders M, 2M, ... that send everything they hold
    std::int64_t prefix = 0;       ///< contributions that sender sM sends, its first ones; 0: it does not send
    std::int64_t dropped = 0;      ///< own first contributions that a rank leaves out of its result
    /// False where a = d but it is not case 3: the last sender would be the receiver. Case 3 covers these P.
    bool usable = true;

    /// Messages of a rank in the last round.
    [[nodiscard]] std::int32_t messages() const { return fullSenders + (prefix > 0 ? 1 : 0); }

    friend bool operator==(const Adaptation&, const Adaptation&) = default;
};

/// All solutions of the equation for n >= 1 and P >= 2, rising in the tuple's numbers; few even for large P.
std::vector<Adaptation> adaptations(std::int32_t n, std::int32_t ranks);

/// The usable solution with the fewest messages in the last round, and then the least to keep: nothing (case 3), a
/// prefix, or a prefix and the rest. Nothing when n-way dissemination is not adaptable to P.
std::optional<Adaptation> bestAdaptation(std::int32_t n, std::int32_t ranks);

/// The least n that has an adaptation for P >= 2; it exists, n = P - 1 at the latest.
std::int32_t smallestAdaptable(std::int32_t ranks);

/// "(2, 1, -1, 1, 0)": s, l_snd, l_rcv, j_snd, j_rcv.
std::string tupleText(const Adaptation& adaptation);

/// "base border" or "case 1": which rule of the theorem applies.
std::string ruleText(const Adaptation& adaptation);

}  // namespace engine::shapes
