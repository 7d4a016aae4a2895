// SPDX-License-Identifier: BSD-3-Clause
// Who waits and who is waited for: ranks, and where they have several threads, each of these.
//
// A thread is named by its rank and by its number there: 0 is the one that speaks for the rank, in which it calls MPI
// as a rule, the others follow in the order of the trace. What is said of a rank alone is said of its thread 0.
#pragma once

#include "engine/base/types.hpp"
#include "traces/recording/recording.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace app::analysis {

/// The number of a thread within its rank.
using ThreadNumber = std::uint16_t;

class Threads {
public:
    /// Of ranks that have one thread each, of which nothing is known.
    Threads(std::int32_t ranks);  // NOLINT(google-explicit-constructor): so many ranks are so many threads
    /// The threads that recorded something; of a rank at most 65,535.
    explicit Threads(const traces::Recording& recording);

    [[nodiscard]] std::int32_t ranks() const { return ranks_; }
    /// All threads of all ranks.
    [[nodiscard]] std::int32_t count() const { return ranks_ + static_cast<std::int32_t>(others_.size()); }
    [[nodiscard]] ThreadNumber countOf(engine::Rank rank) const;
    [[nodiscard]] bool isRecorded(engine::Rank rank) const { return recorded_.empty() || recorded_[rank.index()]; }
    /// How many ranks were recorded.
    [[nodiscard]] std::int32_t recordedRanks() const {
        return recorded_.empty() ? ranks_ : static_cast<std::int32_t>(std::ranges::count(recorded_, true));
    }

    /// All threads in one row: ranks as their thread 0 first, then the others.
    [[nodiscard]] std::int32_t placeOf(engine::Rank rank, ThreadNumber thread) const {
        return thread == 0 ? rank.value : ranks_ + first_[rank.index()] + thread - 1;
    }
    [[nodiscard]] std::pair<engine::Rank, ThreadNumber> at(std::int32_t place) const {
        return place < ranks_ ? std::pair{engine::Rank{place}, ThreadNumber{0}}
                              : others_[engine::asSize(place - ranks_)];
    }

    /// Index into Recording::locations; traces::noIndex where it has none.
    [[nodiscard]] std::int32_t locationOf(engine::Rank rank, ThreadNumber thread) const {
        const auto place = engine::asSize(placeOf(rank, thread));
        return place < locations_.size() ? locations_[place] : traces::noIndex;
    }

private:
    std::int32_t ranks_ = 0;
    std::vector<std::int32_t> first_;  ///< by rank: its thread 1 among the others; empty where no rank has any
    std::vector<std::pair<engine::Rank, ThreadNumber>> others_;
    std::vector<std::int32_t> locations_;  ///< by place
    std::vector<bool> recorded_;           ///< by rank; empty: all
};

/// "OMP thread 2"; empty of thread 0, which is the rank itself.
std::string nameOf(const traces::Recording& recording, const Threads& threads, engine::Rank rank, ThreadNumber thread);

}  // namespace app::analysis
