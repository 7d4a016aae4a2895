// SPDX-License-Identifier: BSD-3-Clause
// One rank waits for another, or one of its threads for another.
#pragma once

#include "app/analysis/calls/thread_ids.hpp"
#include "engine/base/types.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace app::analysis {

/// By Scalasca's names; where it has no class for a wait, by one like them.
enum class WaitKind : std::uint8_t {
    lateSender,           ///< the receiver was ready before the sender began
    wrongOrder,           ///< likewise, in a call that receives one message, while a message sent before was there: it
                          ///< takes that one later
    lateReceiver,         ///< the sender could not finish before the receiver was ready
    atNxN,                ///< of a collective that everybody contributes to, until the last rank had come
    atBarrier,            ///< likewise
    lateBroadcast,        ///< until the root had come
    earlyReduce,          ///< of the root, until the first other rank had come
    lateContributor,      ///< of the root, from then on, or since it came, until the last other rank had come; not
                          ///< Scalasca's
    lateRoot,             ///< of a member of a reduce or gather, until the root had entered; not Scalasca's
    lateMember,           ///< in a rooted collective, until the last other rank that it may depend on had entered; not
                          ///< Scalasca's
    earlyScan,            ///< until the last of the ranks before it had come
    atSynchronisingCall,  ///< in MPI_Finalize, MPI_Comm_split and others that move no data, until the last rank had
                          ///< entered; not Scalasca's
    // Of threads of one rank for another one of them:
    atTeamBarrier,       ///< at a barrier of OpenMP that the program has, until the last thread had come
    atImplicitBarrier,   ///< likewise, at one that ends a construct of OpenMP
    criticalContention,  ///< for a critical section of OpenMP, until the thread in it had left
    lockContention,      ///< for a lock, until the thread that held it had let it go
    idleThread,          ///< of a thread of OpenMP, while no parallel region needs it
    // At windows that others write and read:
    earlyTransfer,  ///< of an operation, until its target had opened its window
    latePost,       ///< of who begins or ends its access, until the last target had opened its window
    earlyWait,      ///< of who closes its window, until the last access to it was over
    lateComplete,   ///< likewise, from then until that rank had said so
    forProgress,    ///< of passive target communication, until the target, which was outside of MPI, had entered a call
    windowContention,  ///< for a lock of a window, until who had it before had let it go
    // Nobody is late any more, so these follow from no delay:
    completionNxN,     ///< of a collective that everybody contributes to, once the first rank has left
    completionBarrier  ///< likewise
};
inline constexpr std::size_t waitKinds = static_cast<std::size_t>(WaitKind::completionBarrier) + 1;
std::string_view name(WaitKind kind);
/// Whether MPI does not promise that the rank depends on the one it is said to wait for: it follows from when ranks
/// entered and left, unless the messages inside the call were recorded.
constexpr bool mayBeInferred(WaitKind kind) {
    return kind == WaitKind::lateRoot || kind == WaitKind::lateMember || kind == WaitKind::atSynchronisingCall ||
           kind == WaitKind::forProgress;
}
inline constexpr std::string_view inferredWords = "inferred from when ranks entered and left calls";
/// What is waited for: what sums of waits are distinguished by. Every wait is in one group, completions in none: nobody
/// is late any more.
enum class WaitGroup : std::uint8_t {
    senders,      ///< late ones, in the wrong order or not
    receivers,    ///< late ones
    collectives,  ///< recorded ones
    windows,      ///< that others write and read
    threads       ///< of one rank for each other
};
inline constexpr std::size_t waitGroups = static_cast<std::size_t>(WaitGroup::threads) + 1;
constexpr WaitGroup groupOf(WaitKind kind) {
    using enum WaitKind;
    if (kind == lateSender || kind == wrongOrder) return WaitGroup::senders;
    if (kind == lateReceiver) return WaitGroup::receivers;
    if (kind >= atTeamBarrier && kind <= idleThread) return WaitGroup::threads;
    if (kind >= earlyTransfer && kind <= windowContention) return WaitGroup::windows;
    return WaitGroup::collectives;
}

struct Wait {
    static constexpr std::uint32_t none = 0xffffffff;

    WaitKind kind = WaitKind::lateSender;
    bool isProven = false;                                      ///< in a collective: by the messages inside
    ThreadNumber thread = 0, lateThread = 0, originThread = 0;  ///< of `rank`, `late` and `origin`
    engine::Rank rank;                                          ///< of the call that is blocked
    engine::Rank late;                                          ///< that it waits for
    std::uint32_t message = none;                               ///< of a collective none
    engine::Picoseconds begin{};
    engine::Picoseconds time{};
    engine::Rank origin{};   ///< where the delay came from: `late`, unless that rank was only passing it on
    std::int32_t hops = 0;   ///< ranks that passed it on
    std::uint32_t wave = 0;  ///< waits that follow from one delay have the same number

    [[nodiscard]] engine::Picoseconds end() const { return begin + time; }
    [[nodiscard]] bool isInferred() const { return !isProven && mayBeInferred(kind); }

    friend bool operator==(const Wait&, const Wait&) = default;
};

}  // namespace app::analysis
