// SPDX-License-Identifier: BSD-3-Clause
// Runs made of messages alone: parts of a run, and runs put together from what a trace recorded.
#pragma once

#include "engine/run/run.hpp"
#include "traces/recording/recording.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace app::analysis {

/// Numbers from `low` to `high`, with both.
struct NumberRange {
    std::int64_t low = 0;
    std::int64_t high = 0;

    friend bool operator==(const NumberRange&, const NumberRange&) = default;
};

/// What statistics are about. Everything unless said otherwise.
struct Part {
    std::optional<engine::Picoseconds> from{};  ///< messages that end before are left out
    std::optional<engine::Picoseconds> to{};    ///< messages that begin at or after it are left out
    std::vector<engine::Rank> ranks{};          ///< messages with an end elsewhere are left out; empty: all ranks
    std::vector<NumberRange> tags{};            ///< messages with others are left out, and all collectives; empty: all
    std::vector<NumberRange> bytes{};           ///< likewise by their sizes

    [[nodiscard]] bool whole() const { return !from && !to && ranks.empty() && !choosesMessages(); }
    /// Whether it is about some messages by what they are: then not about collectives.
    [[nodiscard]] bool choosesMessages() const { return !tags.empty() || !bytes.empty(); }
    [[nodiscard]] bool has(engine::Rank rank) const;
    [[nodiscard]] bool hasTag(std::uint32_t tag) const { return isIn(tags, tag); }
    [[nodiscard]] bool hasSize(engine::Bytes size) const { return isIn(bytes, size); }
    [[nodiscard]] bool overlaps(engine::Picoseconds begin, engine::Picoseconds end) const {
        return (!to || begin < *to) && (!from || end >= *from);
    }
    /// The time that is looked at of a trace that lasts for `duration`: what lies outside counts in no table.
    [[nodiscard]] traces::TimeSpan span(engine::Picoseconds duration) const {
        const engine::Picoseconds end = std::min(to.value_or(duration), duration);
        return {std::min(from.value_or(engine::Picoseconds{}), end), end};
    }

    friend bool operator==(const Part&, const Part&) = default;

private:
    /// Everything is where nothing is said.
    static bool isIn(const std::vector<NumberRange>& all, std::int64_t number) {
        return all.empty() || std::any_of(all.begin(), all.end(), [&](const NumberRange& one) {
                   return one.low <= number && number <= one.high;
               });
    }
};

/// A message and the ranges of the byte line it carried, if known.
struct Sample {
    engine::MessageRecord message;
    std::vector<engine::Range> what{};
};

/// When a message was first and last seen on either of its ranks.
inline engine::Picoseconds beginOf(const engine::MessageRecord& m) { return std::min(m.sendBegin, m.receiveBegin); }
inline engine::Picoseconds endOf(const engine::MessageRecord& m) { return std::max(m.sendEnd, m.receiveEnd); }

/// From when on both ranks were in the message: it could not move before.
inline engine::Picoseconds transferBegin(const engine::MessageRecord& m) {
    return std::max(m.sendBegin, m.receiveBegin);
}

/// A run of `samples` with every number that follows from them. Times may overlap in any way; the run lasts until the
/// latest of them, but at least `duration`.
engine::Run assembled(std::int32_t ranks, std::vector<Sample> samples, engine::Picoseconds duration = {});

/// Adds to `run`, of which only messages, ranks and a least duration are there, every number that follows from them.
void sumUp(engine::Run& run);

/// The messages of `run` as samples.
std::vector<Sample> samplesOf(const engine::Run& run);

/// Throws Error where the part names ranks that are not 0..ranks - 1, or begins after the end.
void requireWithin(const Part& part, std::int32_t ranks, engine::Picoseconds duration);

/// Whether `part` has the message.
bool isIn(const Part& part, const engine::MessageRecord& message);

/// The part of `run`; times stay as they are.
engine::Run partOf(const engine::Run& run, const Part& part);

/// Whether times say when a call was entered and left (traces of other tools) instead of when a port was busy.
inline bool timesAreCalls(const engine::Run& run) { return run.setting.on == "trace"; }

/// When each rank came to the collective, as the run recorded it, or as its setting says: 0 where nothing does. Nobody
/// waits before.
std::vector<engine::Picoseconds> arrivalTimes(const engine::Run& run);

}  // namespace app::analysis
