// SPDX-License-Identifier: BSD-3-Clause
// Where the time above the lower bound went.
#pragma once

#include "app/analysis/critical_path/critical_path.hpp"
#include "engine/cost/bounds.hpp"
#include "engine/run/run.hpp"

#include <array>
#include <string>
#include <string_view>

namespace app::analysis {

/// The parts add up to duration - bound. Any may be negative: fewer startups than the bound's, which cost more bytes,
/// time gained because ranks do not wait for each other between rounds.
struct Gap {
    engine::Picoseconds extraRounds{};   ///< startups beyond the bound's, at alpha each
    engine::Picoseconds extraBytes{};    ///< bytes beyond the bound's, at beta each
    engine::Picoseconds combining{};     ///< bytes combined beyond the bound's, at gamma each
    engine::Picoseconds congestion{};    ///< messages slowed down by shared links, or slower than alpha + beta m
    engine::Picoseconds perturbation{};  ///< late ranks, slow ranks, slow links
    engine::Picoseconds waiting{};       ///< the rest
    engine::Picoseconds unexplained{};   ///< where the messages inside were not recorded

    [[nodiscard]] engine::Picoseconds sum() const {
        return extraRounds + extraBytes + combining + congestion + perturbation + waiting + unexplained;
    }
    friend bool operator==(const Gap&, const Gap&) = default;
};

/// A cause as everybody names it: people, tables and machines.
struct GapCause {
    engine::Picoseconds Gap::*time;
    std::string_view word;
    std::string_view key;      ///< in json and tables
    std::string_view meaning;  ///< a clause
    std::string_view gained;   ///< the same where it is negative
};

/// All of them, in the order in which they are reported.
inline constexpr std::array<GapCause, 7> gapCauses{{
    {&Gap::extraRounds, "extra startups", "extra_rounds_s", "startups beyond those in the time bound",
     "fewer startups than in the time bound"},
    {&Gap::extraBytes, "extra bytes", "extra_bytes_s", "serialized bytes beyond those in the time bound",
     "fewer serialized bytes than in the time bound"},
    {&Gap::combining, "combining", "combining_s", "bytes combined beyond those in the time bound",
     "fewer bytes combined than in the time bound"},
    {&Gap::congestion, "congestion", "congestion_s", "shared links", "messages faster than the model"},
    {&Gap::perturbation, "imbalance", "unevenness_s", "late ranks, slow ranks or slow links",
     "late ranks, slow ranks or slow links"},
    {&Gap::waiting, "waiting", "waiting_s", "ranks waited for each other",
     "ranks start a round before others have ended the previous one"},
    {&Gap::unexplained, "unexplained", "unexplained_s", "inside what was not recorded", "inside what was not recorded"},
}};

/// What `cause` is called where it took `time`: what is less than in the bound is nothing extra, and negative waiting
/// is the overlap of rounds.
inline std::string_view nameOf(const GapCause& cause, engine::Picoseconds time) {
    if (time >= engine::Picoseconds{}) return cause.word;
    if (cause.time == &Gap::waiting) return "overlap of rounds";
    return cause.word.starts_with("extra ") ? cause.word.substr(6) : cause.word;
}

/// What `cause` means where it took `time` and the bound has the terms `least`, in a clause. Startups and bytes can be
/// beyond a bound that has too few of them to be met: what is needed in any case is reported then.
std::string meaningOf(const GapCause& cause, engine::Picoseconds time, const engine::Bounds& bounds,
                      const engine::Cost& least);

/// Of a run of which nothing but its messages is known: along its critical path, piece by piece beside `bound` and
/// its terms under `model`, `least`. Messages of the path that belong to one round count as one startup, with the bytes
/// of the largest; the time of the others is congestion. Waiting is the time between messages of the path, without the
/// part in which messages would have been in flight under `model`. If the path has fewer startups and bytes than any
/// schedule needs, what the bound is of is beside it, on a port that its messages waited for: startups and bytes are
/// then as in the bound, and congestion is what the messages of the path took beyond it.
Gap gapAlong(const std::vector<PathStep>& path, const engine::Cost& least, engine::Picoseconds bound,
             const engine::Model& model);

}  // namespace app::analysis
