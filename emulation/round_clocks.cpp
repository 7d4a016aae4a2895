// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/round_clocks.hpp"

// Loops of 64-bit maxima are built for several instruction sets and chosen when the program starts: the oldest have no
// such instruction. Sanitizers and the choice at start-up do not go together.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define FOR_SEVERAL_PROCESSORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_SEVERAL_PROCESSORS
#endif

namespace emulation {

using engine::Picoseconds;

bool isPlain(const Network& network, const Conditions& conditions) {
    return !conditions.model.logGP && !conditions.model.eagerLimit && conditions.unevenness.slowRanks.empty() &&
           conditions.unevenness.slowLinks.empty() && isUniform(network);
}

FOR_SEVERAL_PROCESSORS
Picoseconds latestOfThree(std::span<const Picoseconds> clock, const Picoseconds* __restrict received,
                          Picoseconds* __restrict next) {
    std::int64_t latest = 0;
    for (std::size_t r = 0, ranks = clock.size(); r < ranks; ++r) {
        const std::int64_t done = std::max(next[r].count(), received[r].count());
        const std::int64_t end = std::max(clock[r].count(), done);
        next[r] = Picoseconds{end};
        latest = std::max(latest, end);
    }
    return Picoseconds{latest};
}

}  // namespace emulation
