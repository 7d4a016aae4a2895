// SPDX-License-Identifier: BSD-3-Clause
// Where each thread of a process of a program is right now, in a small file that the drop-in library maps into its
// memory: whoever finds the program dead or standing reads it (rollcall.hpp).
//
//   process-3.now = Standing
#pragma once

#include "engine/live/steps.hpp"

#include <algorithm>
#include <atomic>

namespace engine::live {

/// Operations of reductions that are told apart.
inline constexpr std::array<std::string_view, 15> operationNames{
    "", "sum", "prod", "max", "min", "land", "lor", "lxor", "band", "bor", "bxor", "maxloc", "minloc", "user"};

/// The last call of a thread.
struct Stand {
    std::int64_t begin = 0;  ///< nanoseconds of the process' own clock
    std::int64_t end = 0;    ///< 0: it is in it
    std::int64_t sequence =
        0;                    ///< the how many-th that all of its communicator call together, from 1; 0: none of those
    std::int64_t count = -1;  ///< elements or requests that its arguments name; -1: one number does not say it
    std::int32_t team = -1;   ///< number in the process' own file of teams; -1: none
    std::int32_t peer = -1;   ///< rank in the communicator: the root, or whom a message goes to or comes from
    std::int32_t request = -1;  ///< of those that it completes: the one that it waits for now, from 0; -1: not known
    std::int32_t tag = -1;
    Kind kind = Kind::step;  ///< call, request or step: what the next one names
    std::uint16_t site = 0;
    std::uint8_t what = static_cast<std::uint8_t>(Other::none);  ///< a Called, or an Other
    std::uint8_t operation = 0;                                  ///< of operationNames
    Deed deed = Deed::none;  ///< of the request: postSend, postReceive; else it is the collective `called`
    Called called{};
};

/// What of a thread is written while others may read. An odd stamp: it is being written.
struct StandSlot {
    std::atomic<std::uint32_t> stamp{0};
    Stand stand{};

    void write(const Stand& fresh) noexcept {
        const std::uint32_t before = stamp.load(std::memory_order_relaxed);
        stamp.store(before + 1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        stand = fresh;
        stamp.store(before + 2, std::memory_order_release);
    }
    void left(std::int64_t when) noexcept { stand.end = when; }
};

struct Standing {
    static constexpr std::uint64_t expectedMagic = 0x33'77'6f'6e'6c'6f'63ULL;
    static constexpr std::size_t mostThreads = 16;
    static constexpr std::size_t mostTeams = 64;

    std::uint64_t magic = expectedMagic;
    std::int32_t process = 0;
    std::int32_t processes = 0;
    std::int64_t pid = 0;
    std::array<char, 64> host{};
    std::array<StandSlot, mostThreads> threads{};  ///< by the order of their first calls
    /// By number of the team: the last of the calls that all of it make together which the process has begun.
    std::array<std::atomic<std::int64_t>, mostTeams> begun{};

    void begins(std::int32_t team, std::int64_t sequence) noexcept {
        if (team < 0 || static_cast<std::size_t>(team) >= mostTeams) return;
        std::atomic<std::int64_t>& its = begun[static_cast<std::size_t>(team)];
        if (its.load(std::memory_order_relaxed) < sequence) its.store(sequence, std::memory_order_relaxed);
    }
};

/// The file of a process in the folder of its record.
std::filesystem::path standingFileOf(const std::filesystem::path& folder, std::int32_t process);

}  // namespace engine::live
