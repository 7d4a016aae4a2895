// SPDX-License-Identifier: BSD-3-Clause
#include "engine/synthesis/remaining_rounds.hpp"

#include "engine/synthesis/counting_bounds.hpp"

#include <algorithm>

namespace engine::synthesis {
namespace {

std::vector<std::pair<std::int32_t, std::int32_t>> fartherThan(const Fabric& fabric, const std::vector<Chunk>& chunks,
                                                               std::int32_t rounds) {
    const auto far = distances(fabric);
    std::vector<std::pair<std::int32_t, std::int32_t>> late;
    for (std::int32_t rank = 0; rank < fabric.ranks; ++rank)
        for (std::size_t c = 0; c < chunks.size(); ++c)
            if (const std::int32_t way = chunks[c].needed[asSize(rank)] ? fewestStepsTo(far, chunks[c], rank) : 0;
                way < 0 || way > rounds)
                late.emplace_back(rank, static_cast<std::int32_t>(c));
    return late;
}

/// What a rank cannot receive in so many rounds even if nobody else needs anything.
std::vector<std::pair<std::int32_t, std::int32_t>> lateAlone(const Fabric& fabric, const std::vector<Chunk>& chunks,
                                                             std::int32_t rounds, const Patience& patience) {
    for (std::int32_t rank = 0; rank < fabric.ranks; ++rank) {
        std::vector<Chunk> alone;
        std::vector<std::pair<std::int32_t, std::int32_t>> missing;
        for (std::size_t c = 0; c < chunks.size(); ++c) {
            if (!chunks[c].needed[asSize(rank)] || chunks[c].isHeld(rank)) continue;
            missing.emplace_back(rank, static_cast<std::int32_t>(c));
            alone.push_back(chunks[c]);
            alone.back().needed.assign(asSize(fabric.ranks), false);
            alone.back().needed[asSize(rank)] = true;
        }
        if (alone.empty()) continue;
        if (patience.stop && patience.stop()) return {};
        const auto fewest = fewestRoundsFrom(fabric, alone, patience);
        if (fewest && *fewest > rounds) return missing;
    }
    return {};
}

}  // namespace

std::optional<std::int32_t> fewestRoundsFrom(const Fabric& fabric, const std::vector<Chunk>& chunks,
                                             const Patience& patience) {
    const auto far = distances(fabric);
    std::int32_t rounds = 0;
    for (const Chunk& chunk : chunks)
        for (std::int32_t rank = 0; rank < fabric.ranks; ++rank) {
            if (!chunk.needed[asSize(rank)]) continue;
            const std::int32_t way = fewestStepsTo(far, chunk, rank);
            if (way < 0) return std::nullopt;
            rounds = std::max(rounds, way);
        }
    Fabric wide = fabric;
    std::fill(wide.lanes.begin(), wide.lanes.end(), static_cast<std::int32_t>(chunks.size()));
    const auto most = static_cast<std::int32_t>(chunks.size()) * fabric.ranks;
    for (; rounds > 0 && rounds <= most; ++rounds) {
        if (patience.stop && patience.stop()) return std::nullopt;  // to build the formula takes long as well
        Search search{wide, chunks, rounds, rounds};
        const Truth truth = search.decide(rounds, patience).truth;
        if (truth == Truth::satisfiable) return rounds;
        if (truth == Truth::unknown) return std::nullopt;
    }
    return rounds == 0 ? std::optional{0} : std::nullopt;
}

RemainingRounds remainingRoundsAfter(const Fabric& fabric, const std::vector<Chunk>& chunks, std::int32_t played,
                                     std::optional<std::int32_t> fewest, std::int32_t lost, const Patience& patience) {
    RemainingRounds now{.played = played, .left = fewestRoundsFrom(fabric, chunks, patience)};
    if (!now.left) now.lost = lost;
    else if (fewest) now.lost = std::max(0, played + *now.left - *fewest);
    if (now.lost > lost) {
        const std::int32_t rest = std::max(0, *fewest - played);
        now.late = fartherThan(fabric, chunks, rest);
        if (now.late.empty()) now.late = lateAlone(fabric, chunks, rest, patience);
    }
    return now;
}

std::vector<RemainingRounds> remainingRoundsOf(const Fabric& fabric, std::vector<Chunk> chunks,
                                               const std::vector<Send>& sends, const Patience& patience,
                                               std::optional<std::int32_t> fewest) {
    if (!fewest) fewest = fewestRoundsFrom(fabric, chunks, patience);
    std::vector<RemainingRounds> all{{.left = fewest}};
    for (Chunk& chunk : chunks) {
        std::vector<bool> held(asSize(fabric.ranks));
        for (std::int32_t rank = 0; rank < fabric.ranks; ++rank) held[asSize(rank)] = chunk.isHeld(rank);
        chunk.held = std::move(held);
    }
    std::int32_t rounds = 0;
    for (const Send& send : sends) rounds = std::max(rounds, send.step + 1);
    for (std::int32_t round = 0; round < rounds; ++round) {
        for (const Send& send : sends)
            if (send.step == round) chunks[asSize(send.chunk)].held[asSize(send.to)] = true;
        all.push_back(remainingRoundsAfter(fabric, chunks, round + 1, fewest, all.back().lost, patience));
    }
    return all;
}

}  // namespace engine::synthesis
