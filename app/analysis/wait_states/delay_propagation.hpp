// SPDX-License-Identifier: BSD-3-Clause
// The delay that caused each wait.
//
// Each rank has an account of the time that it has lost to each rank's delays, its own included. If r waits for s, the
// amounts by which the account of s exceeds that of r are delays of those ranks, propagated by s. The rest of the wait
// is a delay of s. The wait is divided among these delays. Both ranks are synchronised then, and r takes over the
// account of s: time that ranks lost before they were synchronised causes no later wait between them.
//
//   0 is 5 ms late    1 waits 5 ms for 0        both accounts: 5 ms of 0
//   both compute
//   1 is 5 ms late    2 waits 5 ms for 1        2 has lost nothing, 1 has lost 5 ms to 0: passed on, from 0
//   1 is late again   2 waits 1 ms for 1        both have lost 5 ms to 0: this one is from 1
//
//   0 and 1 wait 8 ms and 3 ms for 2 at a barrier, then 0 waits 1 ms for 1: both have lost 8 ms to 2, this one is from
//   1
//
// No more is propagated than s has waited since it was last synchronised with r, directly or by way of other ranks:
//
//   2 and 3 are 5 ms late in each iteration    0 waits 5 ms for 2, and 1 waits 5 ms for 3
//   2 waits 1 us for 3 before                  of what 0 waits, 1 us is from 3, and the rest from 2
//
// What a rank has lost to another one came from delays of that rank one after the other. The delays that followed when
// two ranks had last been synchronised are those that one of them propagates to the other, the latest ones first.
#pragma once

#include "app/analysis/wait_states/wait_state.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace app::analysis {

/// A rank came late, and others waited for it until it came.
struct Delay {
    engine::Rank rank;
    engine::Picoseconds until{};           ///< it came
    engine::Rank waiter;                   ///< who waited longest
    engine::Picoseconds since{};           ///< and from when on
    ThreadNumber thread = 0;               ///< of `rank`
    ThreadNumber waiterThread = 0;         ///< of `waiter`
    WaitKind kind = WaitKind::lateSender;  ///< of the first wait for it

    friend bool operator==(const Delay&, const Delay&) = default;
};

/// The part of a wait that follows from another delay than the largest one.
struct WaitShare {
    std::uint32_t wait = 0;  ///< its place among all
    std::uint32_t wave = 0;
    std::int32_t hops = 0;
    ThreadNumber originThread = 0;
    engine::Rank origin;
    engine::Picoseconds time{};

    friend bool operator==(const WaitShare&, const WaitShare&) = default;
};

/// Of a wait that follows from several delays of one rank, of which `Wait::wave` and `WaitShare::wave` are the last:
/// what of it follows from an earlier one.
struct EarlierPart {
    std::uint32_t wait = 0;  ///< its place among all
    std::uint32_t last = 0;  ///< the wave of the wait, or of its share, for that rank
    std::uint32_t wave = 0;  ///< of the earlier delay
    engine::Picoseconds time{};

    friend bool operator==(const EarlierPart&, const EarlierPart&) = default;
};

/// Finds `origin`, `hops` and `wave` of waits, which stay in their order: those of the largest part of each. `shares`
/// receives all other parts; parts as small as noise are added to the largest one. Returns the delays that began the
/// waves, by their ends. Where several end together, what a rank waited for comes before what others waited for it. Of
/// each rank the 64 largest parts are kept apart; where there are more, less counts as passed on. Each of `threads`,
/// whose waits they are, has an account of its own. `earlier` receives what of the parts follows
/// from earlier delays of their ranks; parts as small as noise are added to the next one.
std::vector<Delay> propagateDelays(std::vector<Wait>& waits, const Threads& threads,
                                   std::vector<WaitShare>* shares = nullptr,
                                   std::vector<EarlierPart>* earlier = nullptr);

class Accounts;

/// `origin`, `hops` and shares alone, of waits that come one after the other.
class DelayPropagation {
public:
    /// `threads` must outlive it.
    explicit DelayPropagation(const Threads& threads);
    DelayPropagation(const DelayPropagation&) = delete;
    DelayPropagation& operator=(const DelayPropagation&) = delete;
    ~DelayPropagation();

    /// Those that end together, later than all before; their shares, by their places among these, are put into
    /// `shares`.
    void trace(std::span<Wait> ending, std::vector<WaitShare>& shares);

private:
    std::unique_ptr<Accounts> accounts_;
    std::vector<Wait*> places_;
};

/// A delay that was passed on at least once, with all waits that follow from it.
struct IdleWave {
    engine::Rank origin;
    engine::Picoseconds begin{};  ///< first wait begins
    engine::Picoseconds end{};    ///< last wait ends
    std::int64_t ranks = 0;       ///< that waited
    std::int32_t hops = 0;        ///< of the longest chain
    engine::Picoseconds time{};   ///< all its waits

    friend bool operator==(const IdleWave&, const IdleWave&) = default;
};
/// Of waits whose delays are traced, with their parts that follow from earlier delays; most costly first.
std::vector<IdleWave> idleWaves(const std::vector<Wait>& waits, const std::vector<EarlierPart>& earlier);

}  // namespace app::analysis
