// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/round_clocks.hpp"

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

bool isPlain(const engine::Plan& plan, const Network& network, const Conditions& conditions) {
    const bool portsSuffice = conditions.ports == 0 || plan.schedule->facts().ports <= conditions.ports;
    return portsSuffice && !conditions.model.logGP && !conditions.model.eagerLimit &&
           conditions.perturbation.slowRanks.empty() && conditions.perturbation.slowLinks.empty() && isUniform(network);
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

namespace {

/// Messages that are looked at together.
constexpr std::size_t rowLength = 64;

/// Whether these messages are one row: from and to ranks that follow each other, and of one size.
[[gnu::always_inline]] inline bool isRow(const std::int32_t* from, const std::int32_t* to, const engine::Bytes* bytes) {
    std::int32_t astray = 0;
    engine::Bytes unlike = 0;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(rowLength); ++i) {
        astray |= (from[i] - from[0] - i) | (to[i] - to[0] - i);
        unlike |= bytes[i] ^ bytes[0];
    }
    return astray == 0 && unlike == 0;
}

}  // namespace

FOR_SEVERAL_PROCESSORS
void moveOnePort(const engine::Batch& batch, Price& given, const Picoseconds* clock, Picoseconds* __restrict sent,
                 Picoseconds* __restrict received) {
    const std::int32_t* from = batch.from().data();
    const std::int32_t* to = batch.to().data();
    const engine::Bytes* bytes = batch.bytes().data();
    Price price = given;  // one that no store below can change
    for (std::size_t i = 0, messages = batch.size(); i < messages;) {
        if (i + rowLength <= messages && isRow(from + i, to + i, bytes + i)) {
            const Picoseconds cost = price(bytes[i]);
            const Picoseconds* senders = clock + from[i];
            const Picoseconds* receivers = clock + to[i];
            Picoseconds* sendEnds = sent + from[i];
            Picoseconds* receiveEnds = received + to[i];
            for (std::size_t k = 0; k < rowLength; ++k) {
                sendEnds[k] = hockney::sendEnd(senders[k], cost);
                receiveEnds[k] = hockney::receiveEnd(senders[k], receivers[k], cost);
            }
            i += rowLength;
            continue;
        }
        for (const std::size_t end = std::min(i + rowLength, messages); i < end; ++i) {
            const Picoseconds cost = price(bytes[i]);
            const Picoseconds sender = clock[from[i]];
            sent[from[i]] = hockney::sendEnd(sender, cost);
            received[to[i]] = hockney::receiveEnd(sender, clock[to[i]], cost);
        }
    }
    given = price;
}

}  // namespace emulation
