// SPDX-License-Identifier: BSD-3-Clause
// The fewest rounds of any schedule, by trying all: the slow judge of the search. For up to 16 pairs of rank and chunk.
#pragma once

#include "engine/synthesis/search_problem.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace support {

class ExhaustiveSchedules {
public:
    ExhaustiveSchedules(const engine::synthesis::Fabric& fabric, const std::vector<engine::synthesis::Chunk>& chunks)
        : fabric_{fabric}, chunks_{chunks} {}

    /// The fewest rounds of all schedules of so many steps; nothing where none exists.
    std::optional<int> fewestRounds(int steps) {
        std::map<std::uint32_t, int> reached{{begin(), 0}};  // what ranks hold, and the fewest rounds to get there
        for (int step = 0; step < steps; ++step) {
            std::map<std::uint32_t, int> next;
            for (const auto& [state, rounds] : reached)
                for (const auto& [after, more] : from(state)) {
                    const auto [at, fresh] = next.try_emplace(after, rounds + more);
                    if (!fresh) at->second = std::min(at->second, rounds + more);
                }
            reached = std::move(next);
        }
        std::optional<int> fewest;
        for (const auto& [state, rounds] : reached)
            if (holdsAll(state) && (!fewest || rounds < *fewest)) fewest = rounds;
        return fewest;
    }

private:
    [[nodiscard]] std::uint32_t bit(int rank, std::size_t chunk) const {
        return std::uint32_t{1} << (static_cast<std::size_t>(rank) * chunks_.size() + chunk);
    }
    [[nodiscard]] std::uint32_t begin() const {
        std::uint32_t state = 0;
        for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) state |= bit(chunks_[chunk].owner, chunk);
        return state;
    }
    [[nodiscard]] bool holdsAll(std::uint32_t state) const {
        for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk)
            for (int rank = 0; rank < fabric_.ranks; ++rank)
                if (chunks_[chunk].needed[static_cast<std::size_t>(rank)] && (state & bit(rank, chunk)) == 0)
                    return false;
        return true;
    }

    /// All that one step can lead to, each with its fewest rounds.
    const std::map<std::uint32_t, int>& from(std::uint32_t state) {
        const auto [at, fresh] = steps_.try_emplace(state);
        if (fresh) {
            loads_.assign(fabric_.lanes.size(), 0);
            used_.assign(fabric_.channels.size(), 0);
            choose(state, state, 0, at->second);
        }
        return at->second;
    }

    /// Decides for each rank and chunk, from `place` on, whether and from whom the chunk comes.
    void choose(std::uint32_t before, std::uint32_t after, std::size_t place, std::map<std::uint32_t, int>& out) {
        if (place == static_cast<std::size_t>(fabric_.ranks) * chunks_.size()) {
            if (!withinPorts()) return;
            int rounds = 1;
            for (std::size_t link = 0; link < loads_.size(); ++link)
                rounds = std::max(rounds, (loads_[link] + fabric_.lanes[link] - 1) / fabric_.lanes[link]);
            const auto [at, fresh] = out.try_emplace(after, rounds);
            if (!fresh) at->second = std::min(at->second, rounds);
            return;
        }
        const auto rank = static_cast<int>(place / chunks_.size());
        const std::size_t chunk = place % chunks_.size();
        choose(before, after, place + 1, out);
        if ((before & bit(rank, chunk)) != 0) return;
        for (std::size_t c = 0; c < fabric_.channels.size(); ++c) {
            const engine::synthesis::Channel& channel = fabric_.channels[c];
            if (channel.to != rank || (before & bit(channel.from, chunk)) == 0) continue;
            for (const std::int32_t link : channel.links) ++loads_[static_cast<std::size_t>(link)];
            ++used_[c];
            choose(before, after | bit(rank, chunk), place + 1, out);
            --used_[c];
            for (const std::int32_t link : channel.links) --loads_[static_cast<std::size_t>(link)];
        }
    }

    [[nodiscard]] bool withinPorts() const {
        if (fabric_.ports == 0) return true;
        std::vector<int> out(static_cast<std::size_t>(fabric_.ranks));
        std::vector<int> in(out.size());
        for (std::size_t c = 0; c < used_.size(); ++c) {
            if (used_[c] == 0) continue;
            if (++out[static_cast<std::size_t>(fabric_.channels[c].from)] > fabric_.ports) return false;
            if (++in[static_cast<std::size_t>(fabric_.channels[c].to)] > fabric_.ports) return false;
        }
        return true;
    }

    engine::synthesis::Fabric fabric_;
    std::vector<engine::synthesis::Chunk> chunks_;
    std::map<std::uint32_t, std::map<std::uint32_t, int>> steps_;
    std::vector<int> loads_;
    std::vector<int> used_;
};

}  // namespace support
