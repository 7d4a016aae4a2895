// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/ring_shift_vectors.hpp"

#include "emulation/clocks/hockney.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#define ALWAYS_INLINE [[gnu::always_inline]] inline

namespace emulation {
namespace {

// Vectors by hand, because they pay: the rings of `collscope bench` on a processor with AVX-512 take 1.34 to 1.43 times
// as long with the same rounds as plain loops over blocks of places, the best of eight such, and 2.1 times as long with
// std::experimental::simd, which has no shift by one place over two registers.

/// `width` neighbouring places: in memory that is aligned to them, and in any.
template <int width>
struct Vector {
    using Aligned [[gnu::vector_size(width * sizeof(double))]] = double;
    using Loose [[gnu::vector_size(width * sizeof(double)), gnu::aligned(alignof(double)), gnu::may_alias]] = double;
};

/// What stands one place to the left of each: the last of `before`, and `now` without its last.
template <class V, std::size_t... lane>
ALWAYS_INLINE V oneBefore(V before, V now, std::index_sequence<lane...>) {
    return __builtin_shufflevector(before, now, (sizeof...(lane) - 1 + lane)...);
}

template <bool waits>
ALWAYS_INLINE void moveOne(const ShiftedPlaces& places, std::int64_t place, OfRounds& left, OfRounds& first,
                           OfRounds& last) {
    double own = places.clock[place];
    for (int k = 0; k < togetherRounds; ++k) {
        const double* cost = places.cost + place - k;
        double next;
        if constexpr (waits) {
            next = hockney::passOn(own, left[k], cost[0], cost[-1], places.wait[place]);
            first[k] = std::min(first[k], own);
            last[k] = std::max(last[k], next);
        } else {
            next = hockney::passOn(own, left[k], cost[0], cost[-1]);
        }
        left[k] = own;
        own = next;
    }
    places.clock[place] = own;
}

template <int width, bool waits>
ALWAYS_INLINE void move(const ShiftedPlaces& places, OfRounds& left, OfRounds& first, OfRounds& last) {
    using V = typename Vector<width>::Aligned;
    using Loose = typename Vector<width>::Loose;
    constexpr auto each = std::make_index_sequence<width>{};
    std::int64_t place = 0;
    // A store over the border of a cache line costs more than all the sums: so the clocks are aligned, the costs are
    // not.
    for (; place < places.count && reinterpret_cast<std::uintptr_t>(places.clock + place) % sizeof(V) != 0; ++place)
        moveOne<waits>(places, place, left, first, last);
    if (place + width <= places.count) {
        V clockBefore[togetherRounds];
        V costBefore[togetherRounds];
        V earliest[togetherRounds];
        V latest[togetherRounds];
        for (int k = 0; k < togetherRounds; ++k) {
            clockBefore[k] = V{} + left[k];
            costBefore[k] = V{} + places.cost[place - k - 1];
            earliest[k] = V{} + first[k];
            latest[k] = V{} + last[k];
        }
        for (; place + width <= places.count; place += width) {
            V own = *reinterpret_cast<const Loose*>(places.clock + place);
            V out = *reinterpret_cast<const Loose*>(places.cost + place);
            V wait{};
            if constexpr (waits) wait = *reinterpret_cast<const Loose*>(places.wait + place);
            for (int k = 0; k < togetherRounds; ++k) {
                const V in = oneBefore(costBefore[k], out, each);
                const V before = oneBefore(clockBefore[k], own, each);
                V next;
                if constexpr (waits) {
                    next = hockney::passOn(own, before, out, in, wait);
                    earliest[k] = earliest[k] < own ? earliest[k] : own;
                    latest[k] = hockney::larger(latest[k], next);
                } else {
                    next = hockney::passOn(own, before, out, in);
                }
                clockBefore[k] = own;
                costBefore[k] = out;
                own = next;
                out = in;
            }
            *reinterpret_cast<Loose*>(places.clock + place) = own;
            if constexpr (waits) *reinterpret_cast<Loose*>(places.wait + place) = wait;
        }
        for (int k = 0; k < togetherRounds; ++k) {
            left[k] = clockBefore[k][width - 1];
            for (int lane = 0; waits && lane < width; ++lane) {
                first[k] = std::min(first[k], earliest[k][lane]);
                last[k] = std::max(last[k], latest[k][lane]);
            }
        }
    }
    for (; place < places.count; ++place) moveOne<waits>(places, place, left, first, last);
}

template <int width>
ALWAYS_INLINE void moveAsked(const ShiftedPlaces& places, OfRounds& left, OfRounds& first, OfRounds& last) {
    if (places.wait != nullptr) move<width, true>(places, left, first, last);
    else move<width, false>(places, left, first, last);
}

#ifdef __x86_64__
[[gnu::target("avx512f")]] void moveEight(const ShiftedPlaces& places, OfRounds& left, OfRounds& first,
                                          OfRounds& last) {
    moveAsked<8>(places, left, first, last);
}
[[gnu::target("avx2")]] void moveFour(const ShiftedPlaces& places, OfRounds& left, OfRounds& first, OfRounds& last) {
    moveAsked<4>(places, left, first, last);
}
#endif
void moveTwo(const ShiftedPlaces& places, OfRounds& left, OfRounds& first, OfRounds& last) {
    moveAsked<2>(places, left, first, last);
}

using Mover = void (*)(const ShiftedPlaces&, OfRounds&, OfRounds&, OfRounds&);

/// The widest that this processor has.
Mover widest() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f")) return moveEight;
    if (__builtin_cpu_supports("avx2")) return moveFour;
#endif
    return moveTwo;
}

}  // namespace

void movePlaces(const ShiftedPlaces& places, OfRounds& left, OfRounds& first, OfRounds& last) {
    static const Mover mover = widest();
    mover(places, left, first, last);
}

}  // namespace emulation
