// SPDX-License-Identifier: BSD-3-Clause
// Allgather for a power of two: pairs swap all they have, the nearest first or the farthest.
#pragma once

#include "engine/base/types.hpp"
#include "engine/stages/binomial.hpp"

namespace engine::stages {

/// In round t (from 0) members whose numbers differ in bit t swap all they have; 2^k members:
///
///   round   member 0   1       2       3           after it, members hold
///     1       <-> 1    <-> 0   <-> 3   <-> 2       0 1 | 0 1 | 2 3 | 2 3
///     2       <-> 2    <-> 3   <-> 0   <-> 1       all
///
/// log2 n rounds, n - 1 serialized shares. Correct because members that agree in all but t low bits hold the same.
template <class Shares>
class DoublingAllgather : public ByRound<DoublingAllgather<Shares>> {
public:
    explicit DoublingAllgather(Shares shares) : shares_{std::move(shares)} {}

    [[nodiscard]] std::int64_t rounds() const { return ceilLog2(shares_.count()); }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const std::int32_t held = std::int32_t{1} << round.value;
        const auto partnerOf = [held](std::int32_t m) { return m ^ held; };
        use(Exchange{partnerOf, partnerOf, [held](std::int32_t m) { return m & -held; }, held, seen(shares_)});
    }

private:
    Shares shares_;
};

/// The lowest `bits` bits of m, the first one last.
constexpr std::int32_t mirrored(std::int32_t m, std::int32_t bits) {
    std::int32_t result = 0;
    for (std::int32_t i = 0; i < bits; ++i) result |= (m >> i & 1) << (bits - 1 - i);
    return result;
}

/// The same with the most distant pairs first: member m begins with share mirrored(m), so that what pairs swap is one
/// run of shares. Backwards it halves a vector with the nearest partner first, and combines neighbours.
///
///   round   member 0   1       2       3           before it, members hold shares
///     1       <-> 2    <-> 3   <-> 0   <-> 1       0 | 2 | 1 | 3
///     2       <-> 1    <-> 0   <-> 3   <-> 2       0 1 | 2 3 | 0 1 | 2 3
template <class Shares>
class FarDoublingAllgather : public ByRound<FarDoublingAllgather<Shares>> {
public:
    explicit FarDoublingAllgather(Shares shares) : shares_{std::move(shares)} {}

    [[nodiscard]] std::int64_t rounds() const { return ceilLog2(shares_.count()); }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const std::int32_t bits = ceilLog2(shares_.count());
        const std::int32_t held = std::int32_t{1} << round.value;
        const auto partnerOf = [far = shares_.count() >> (round.value + 1)](std::int32_t m) { return m ^ far; };
        use(Exchange{partnerOf, partnerOf, [=](std::int32_t m) { return mirrored(m, bits) & -held; }, held,
                     seen(shares_)});
    }

private:
    Shares shares_;
};

}  // namespace engine::stages
