// SPDX-License-Identifier: BSD-3-Clause
// A run beside the schedule it should have followed, message by message.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"

#include <optional>
#include <vector>

namespace app::analysis {

enum class Difference : std::uint8_t {
    missing,  ///< the schedule has it, the run does not
    extra,    ///< the run has it, the schedule does not
    late,     ///< its sender could have sent it long before
};
std::string_view name(Difference difference);

struct DifferenceRow {
    Difference what = Difference::missing;
    engine::Rank from;
    engine::Rank to;
    engine::Bytes bytes = 0;
    std::optional<engine::Round> planned;   ///< round in the schedule
    std::optional<engine::Round> happened;  ///< round in the run
    engine::Picoseconds by{};               ///< late: after everything its sender had to do before was done

    friend bool operator==(const DifferenceRow&, const DifferenceRow&) = default;
};

/// Messages of one pair of ranks are matched in their order, by their bytes. Late are those that begin more than
/// `tolerance` after their sender had done all that the schedule has it do before; without one, more than the median
/// message takes. Ordered by round. Throws Cancelled.
std::vector<DifferenceRow> differences(const engine::Run& run, const engine::Schedule& schedule,
                                       std::optional<engine::Picoseconds> tolerance = {},
                                       const engine::Progress& progress = {});

/// The same run with the rounds of the schedule's messages that match its own; one that matches none has the round of
/// the one before it of its sender.
engine::Run inRoundsOf(const engine::Run& run, const engine::Schedule& schedule, const engine::Progress& progress = {});

/// A message that two runs do not share, or do at another time.
struct ChangeRow {
    engine::Rank from;
    engine::Rank to;
    engine::Bytes bytes = 0;
    std::optional<engine::Round> roundA;  ///< nothing: only the second run has it
    std::optional<engine::Round> roundB;
    engine::Picoseconds later{};  ///< in both: how much later it arrived in the second

    friend bool operator==(const ChangeRow&, const ChangeRow&) = default;
};
/// Messages only one run has, then those of another round, then those whose time differs, the largest change first.
/// Messages of one pair of ranks are matched in their order, by their bytes.
std::vector<ChangeRow> changes(const engine::Run& a, const engine::Run& b);

/// Moments at which a rank had more messages in flight on one side than it has ports.
struct PortRow {
    engine::Rank rank;
    bool sending = false;
    std::int64_t atOnce = 0;  ///< most of them at one moment
    std::int64_t times = 0;   ///< how often the limit was passed
    engine::Picoseconds first{};

    friend bool operator==(const PortRow&, const PortRow&) = default;
};
std::vector<PortRow> portViolations(const engine::Run& run, int ports);

/// Bytes of one contribution that a rank got more than once, or not at all.
struct DeliveryRow {
    engine::Rank rank;
    engine::Block block;
    engine::Bytes twice = 0;  ///< bytes that arrived again
    engine::Bytes never = 0;  ///< bytes that it should hold in the end and does not

    friend bool operator==(const DeliveryRow&, const DeliveryRow&) = default;
};

/// Where the contents of messages are known. Contents that were not recorded are taken from the message of the
/// schedule that matches, if there is one. Nothing for reductions, whose contributions travel combined, and when no
/// content is known.
struct Deliveries {
    std::vector<DeliveryRow> rows;
    bool inferred = false;  ///< contents come from the schedule
};
std::optional<Deliveries> deliveries(const engine::Run& run, const engine::Problem& problem,
                                     const engine::Schedule* schedule = nullptr, const engine::Progress& progress = {});

}  // namespace app::analysis
