// SPDX-License-Identifier: BSD-3-Clause
// The answers that the list of questions names, and how they are put together.
#pragma once

#include "app/session/answers.hpp"

#include <functional>
#include <set>

namespace app::answers {

engine::Table collectives(Inquiry& inquiry);
engine::Table algorithms(Inquiry& inquiry);
engine::Table rounds(Inquiry& inquiry);
engine::Table bounds(Inquiry& inquiry);
engine::Table whatIf(Inquiry& inquiry);
engine::Table differences(Inquiry& inquiry);
engine::Table ports(Inquiry& inquiry);
engine::Table deliveries(Inquiry& inquiry);
engine::Table waits(Inquiry& inquiry);
engine::Table delays(Inquiry& inquiry);
engine::Table idleWaves(Inquiry& inquiry);
engine::Table criticalPath(Inquiry& inquiry);
engine::Table ranks(Inquiry& inquiry);
engine::Table model(Inquiry& inquiry);
engine::Table links(Inquiry& inquiry);
engine::Table linkRounds(Inquiry& inquiry);
engine::Table linkWindows(Inquiry& inquiry);
engine::Table clocks(Inquiry& inquiry);
engine::Table notRecorded(Inquiry& inquiry);

/// The rows of `answer` for every instance, behind a column with its number (from 1). `shape` has the columns.
engine::Table perInstance(Inquiry& inquiry, engine::Table shape,
                          const std::function<engine::Table(std::size_t)>& answer);

/// Adds `remark` unless it is empty or there already.
void addRemark(engine::Table& table, const std::string& remark);

/// Where the time an instance took is to be held against an emulation: from the last arrival of a collective whose
/// inside was not recorded, else all of it.
engine::Picoseconds measuredTime(const analysis::Instance& instance);

/// What could have been faster for one kind of instance.
struct Advice {
    std::size_t first = 0;  ///< the first instance of this kind
    std::int64_t instances = 0;
    engine::Picoseconds measured{};  ///< all of them
    std::optional<engine::Plan> own{};
    std::optional<engine::Picoseconds> again{};  ///< its own algorithm, emulated, once
    const analysis::WhatIf* alternatives = nullptr;

    /// What an alternative is to be compared with: the own algorithm emulated alike, else the time measured.
    [[nodiscard]] engine::Picoseconds reference() const {
        return again ? *again : measured / std::max<std::int64_t>(instances, 1);
    }
    [[nodiscard]] double factor(engine::Picoseconds time) const {
        return time.count() > 0 ? static_cast<double>(reference().count()) / static_cast<double>(time.count()) : 1;
    }
    /// Over the whole trace, if the measured time shrinks by the same factor; below 0 where it would grow.
    [[nodiscard]] engine::Picoseconds saving(engine::Picoseconds time) const;
    /// How far the emulation of the own algorithm is from what was measured, as a share of it.
    [[nodiscard]] std::optional<double> deviation() const;
};
/// Largest saving first. Kinds without a known problem are left out, and all but `kinds` (numbers as of
/// Inquiry::kindOf), if there are any.
std::vector<Advice> advice(Inquiry& inquiry, const std::set<std::size_t>& kinds = {});

}  // namespace app::answers
