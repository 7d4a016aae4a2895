// SPDX-License-Identifier: BSD-3-Clause
// Wait states by Scalasca's names, who was late, and where the delay came from.
//
//   late sender     the receiver was ready before the sender began
//   late receiver   the sender could not finish before the receiver was ready
//
// In traces of other tools times say when calls were entered: a rank waits from then on. In our own runs they say when
// a port was busy: a rank waits from the end of what it did before.
//
// A delay is passed on where the late rank itself had just waited: right before the late message it had received one
// for which it waited. All waits that follow from one delay make an idle wave.
#pragma once

#include "engine/executor.hpp"
#include "engine/run.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace app::analysis {

enum class WaitKind : std::uint8_t { lateSender, lateReceiver };
std::string_view name(WaitKind kind);

struct Wait {
    WaitKind kind = WaitKind::lateSender;
    engine::Rank rank;  ///< who waited
    engine::Rank late;  ///< for whom
    std::uint32_t message = 0;
    engine::Picoseconds begin{};
    engine::Picoseconds time{};
    engine::Rank origin;     ///< where the delay came from: `late`, unless that rank was only passing it on
    std::int32_t hops = 0;   ///< ranks that passed it on
    std::uint32_t wave = 0;  ///< waits that follow from one delay have the same number

    friend bool operator==(const Wait&, const Wait&) = default;
};

/// Every wait for a message, in the order in which the messages were sent.
std::vector<Wait> waits(const engine::Run& run);

/// What the waits of a run come to on each of its ranks.
struct WaitSums {
    std::vector<engine::Picoseconds> forSender;    ///< per rank: it waited for a late sender
    std::vector<engine::Picoseconds> forReceiver;  ///< per rank: it waited for a late receiver
    std::vector<engine::Picoseconds> caused;       ///< per rank: others waited for it
};
/// The sums of waits(run), without keeping them. Throws Cancelled.
WaitSums waitSums(const engine::Run& run, const engine::Progress& progress = {});

/// Waits of one kind on one rank, in all.
struct WaitRow {
    WaitKind kind = WaitKind::lateSender;
    engine::Rank rank;
    std::int64_t waits = 0;
    engine::Picoseconds time{};
    engine::Picoseconds longest{};
    engine::Rank mostlyFor;  ///< for whom it waited longest in all

    friend bool operator==(const WaitRow&, const WaitRow&) = default;
};
/// Longest in all first.
std::vector<WaitRow> waitsPerRank(const std::vector<Wait>& waits);

/// What one rank made others wait.
struct DelayRow {
    engine::Rank origin;
    std::int64_t waits = 0;
    engine::Picoseconds direct{};    ///< waits for this rank itself
    engine::Picoseconds passedOn{};  ///< waits for ranks that only passed its delay on
    friend bool operator==(const DelayRow&, const DelayRow&) = default;
};
/// Most costly first.
std::vector<DelayRow> delays(const std::vector<Wait>& waits);
/// The same as of waits(run), without keeping them.
std::vector<DelayRow> delays(const engine::Run& run);

/// A delay that was passed on at least once.
struct WaveRow {
    engine::Rank origin;
    engine::Picoseconds begin{};  ///< first wait begins
    engine::Picoseconds end{};    ///< last wait ends
    std::int64_t ranks = 0;       ///< that waited
    std::int32_t hops = 0;        ///< of the longest chain
    engine::Picoseconds time{};   ///< all its waits

    friend bool operator==(const WaveRow&, const WaveRow&) = default;
};
/// Most costly first.
std::vector<WaveRow> idleWaves(const std::vector<Wait>& waits);

/// How unevenly something is spread over ranks: the largest share above the mean, 0 = even.
struct Imbalance {
    engine::Picoseconds mean{};
    engine::Picoseconds most{};
    engine::Rank who;
    [[nodiscard]] double share() const {
        return mean.count() > 0 ? static_cast<double>(most.count()) / static_cast<double>(mean.count()) - 1 : 0;
    }
};
/// Of the time that ports were busy.
Imbalance busyImbalance(const engine::Run& run);

}  // namespace app::analysis
