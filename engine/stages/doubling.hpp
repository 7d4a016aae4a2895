// SPDX-License-Identifier: BSD-3-Clause
// Allgather for a power of two: pairs swap all they have.
#pragma once

#include "engine/stages/binomial.hpp"
#include "engine/types.hpp"

namespace engine::stages {

/// In round t (from 0) members whose numbers differ in bit t swap all they have; 2^k members:
///
///   round   member 0   1       2       3           after it, members hold
///     1       <-> 1    <-> 0   <-> 3   <-> 2       0 1 | 0 1 | 2 3 | 2 3
///     2       <-> 2    <-> 3   <-> 0   <-> 1       all
///
/// log2 n rounds, n - 1 shares in a row. Correct because members that agree in all but t low bits hold the same.
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

}  // namespace engine::stages
