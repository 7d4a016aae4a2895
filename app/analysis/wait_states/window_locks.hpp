// SPDX-License-Identifier: BSD-3-Clause
// Passive target: locks of windows, and which rank waits for which to let one go.
//
// Whoever locks a window (MPI_Win_lock) waits, in whichever of its calls until it unlocks again, while another one has
// it whose lock excludes its own; of the same window and target, in the order of unlocking. MPI_Win_lock_all is a lock
// of every target, beside others: whoever wants one of them alone waits for it like for any other. Until it unlocks,
// each of its calls waits for who had the target of that call (any target, of a call for all of them) alone, unlocked
// before it does, and was the last to begin that before the call ended (and to be through with it, of those that begin
// together).
//
// A lock is free somewhere within the call that unlocks, which may well end after the next one has it: of the calls
// that may have waited for it, the one that lasted longest is the one that did.
#pragma once

#include "traces/recording/recording.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace app::analysis {

class WindowLocks {
public:
    /// Which lock: at a rank, or at traces::everyRank, and of those there which one.
    using Which = std::pair<engine::Rank, std::uint64_t>;

    /// A rank asks for a lock, in `call`. Calls of one rank come in their order.
    void request(std::uint32_t window, engine::Rank rank, Which which, bool exclusive, traces::TimeSpan call);
    /// It does something to the memory of `target`, or of traces::everyRank.
    void reach(std::uint32_t window, engine::Rank rank, engine::Rank target, traces::TimeSpan call);
    /// It lets the lock go, at `time`.
    void release(std::uint32_t window, engine::Rank rank, Which which, traces::TimeSpan call, engine::Picoseconds time);

    struct Wait {
        engine::Rank rank;
        engine::Rank late;
        traces::TimeSpan call{};
        engine::Picoseconds until{};  ///< the lock was let go
    };
    /// All waits at locks that were let go.
    [[nodiscard]] std::vector<Wait> waits();

private:
    struct Call {
        traces::TimeSpan span{};
        engine::Rank target;
    };
    struct Lock {
        engine::Rank rank;
        bool exclusive = false;
        std::vector<Call> calls;  ///< its first is the lock, its last the unlock
        engine::Picoseconds released{};
    };
    /// Locks that exclude others, by target and of traces::everyRank, by when the call that unlocks begins.
    using Alone = std::map<engine::Rank, std::vector<const Lock*>>;

    static bool mayHaveWaited(const Call& call, const Lock& before);
    static engine::Picoseconds waited(const Call& call, const Lock& before);
    /// `locks` of one target, and those `ofAll`, each in the order in which they were let go.
    static void waitsOfOne(const std::vector<Lock>& locks, const std::vector<const Lock*>& ofAll,
                           std::vector<Wait>& found);
    static void waitsOfAll(const Lock& lock, const Alone& alone, std::vector<Wait>& found);

    // By window.
    std::map<std::uint32_t, std::map<std::pair<engine::Rank, Which>, Lock>> underWay_;
    std::map<std::uint32_t, std::map<Which, std::vector<Lock>>> gone_;
};

}  // namespace app::analysis
