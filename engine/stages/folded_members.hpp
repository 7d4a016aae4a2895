// SPDX-License-Identifier: BSD-3-Clause
// Kernels for a power of two of members, run by any number of ranks: neighbours fold to places (shapes/folding.hpp).
#pragma once

#include "engine/schedule/kernel.hpp"
#include "engine/shapes/folding.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::stages {

/// Which rank of a pair acts for both.
enum class Front : std::uint8_t { lower, upper };

/// What places do in one round.
template <class Now>
class NowOnPlaces {
public:
    NowOnPlaces(const shapes::Folding& folding, Front front, const Now& ofPlaces)
        : folding_{folding}, front_{front}, now_{ofPlaces} {}

    template <class Out>
    void operator()(Rank rank, Out& out) const {
        const auto toGlobal = [this](Rank place) {
            return front_ == Front::upper ? folding_.upper(place.value) : folding_.lower(place.value);
        };
        const Rank place{folding_.placeOf(rank)};
        if (toGlobal(place) != rank) return;
        PeersMapped<Out, decltype(toGlobal)> mapped{out, toGlobal};
        now_(place, mapped);
    }

private:
    shapes::Folding folding_;
    Front front_;
    Held<Now> now_;
};

/// `kernel`, written for places, on the ranks that act for them.
template <class Kernel>
auto onPlaces(const shapes::Folding& folding, Kernel kernel, Front front = Front::upper) {
    return Prepared{[folding, front, kernel = std::move(kernel)](Round round, const auto& use) {
        inRound(kernel, round, [&](const auto& now) {
            use(NowOnPlaces<std::remove_cvref_t<decltype(now)>>{folding, front, now});
        });
    }};
}

/// The lower rank of each pair hands its vector of `bytes` to the upper one, which acts for both.
inline auto foldIn(const shapes::Folding& folding, Bytes bytes) {
    return Part{"fold", folding.pairs() > 0 ? 1 : 0, [=](Rank rank, Round, auto& out) {
                    if (!folding.paired(rank)) return;
                    const Rank other = folding.partner(rank);
                    if (rank < other) out.sendPartial(other, 0, bytes);
                    else out.receivePartial(other, 1, Action::prepend, bytes);
                }};
}

/// The rank that acts for a pair hands the whole result to the other.
inline auto unfold(const shapes::Folding& folding, Bytes bytes, Front front = Front::upper) {
    return Part{"unfold", folding.pairs() > 0 ? 1 : 0, [=](Rank rank, Round, auto& out) {
                    if (!folding.paired(rank)) return;
                    const Rank other = folding.partner(rank);
                    if ((front == Front::upper) == (other < rank)) out.sendPartial(other, 0, bytes);
                    else out.receivePartial(other, 1, Action::keep, bytes);
                }};
}

}  // namespace engine::stages
