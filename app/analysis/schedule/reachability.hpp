// SPDX-License-Identifier: BSD-3-Clause
// What messages can have done, whatever they carried: who can know of whom once all of them have come, and how many
// bytes each rank took in. Messages that leave a rank without what a collective promises it were not that collective,
// however like its algorithms they look.
#pragma once

#include "engine/problem/contract.hpp"
#include "engine/problem/problem.hpp"
#include "engine/run/run.hpp"

#include <cstdint>
#include <vector>

namespace app::analysis {

/// Who can know of whom after a run: a message tells what its sender had been told before it began to send.
class Reachability {
public:
    /// Ranks whose news are followed; of more ranks so many, evenly spread.
    static constexpr std::int32_t followed = 512;

    explicit Reachability(const engine::Run& run);

    /// Whether every rank can have what `problem` promises it: as many bytes as it needs and did not bring, and news of
    /// everyone whose bytes, or vector, they are made of. Necessary, not sufficient: contents are not looked at.
    /// Where the run's times contradict each other only bytes tell.
    [[nodiscard]] bool sufficesFor(const engine::Problem& problem) const;

private:
    void spread(const engine::Run& run);
    [[nodiscard]] bool hasBytes(engine::Rank rank, const engine::Contract& contract) const;
    [[nodiscard]] bool hasResult(engine::Rank rank, const engine::Problem& problem,
                                 const engine::Contract& contract) const;
    [[nodiscard]] bool knows(engine::Rank who, std::size_t origin) const {
        return (known_[who.index() * words_ + origin / 64] >> (origin % 64) & 1) != 0;
    }

    std::int32_t ranks_;
    std::vector<engine::Rank> origins_;  ///< whose news are followed, rising
    std::size_t words_;
    std::vector<std::uint64_t> known_;  ///< by rank `words_` words: a bit for each of `origins_`
    std::vector<engine::Bytes> received_;
    bool ordered_ = true;  ///< the times of the run say who could know what
};

}  // namespace app::analysis
