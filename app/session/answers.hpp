// SPDX-License-Identifier: BSD-3-Clause
// Questions to a trace and their answers: tables by name, and a first page in sentences. Nothing is guessed: what was
// not recorded stays empty in a table, and its remarks say why.
#pragma once

#include "app/session/inquiry.hpp"
#include "engine/table.hpp"
#include "traces/archive.hpp"

#include <span>
#include <string_view>

namespace app {

/// One question. The list of them stands in answers.cpp; `open --tables` and the window show it.
struct Question {
    std::string_view name;     ///< "rounds": as --tables takes it, and the name of its table
    std::string_view meaning;  ///< one clause
    engine::Table (*answer)(Inquiry&);
};

/// In the order of reading.
std::span<const Question> questions();

/// The question called `name`; throws Error with the nearest name.
const Question& questionNamed(std::string_view name);

/// Asks; the table carries the question's name.
engine::Table answerTo(const Question& question, Inquiry& inquiry);

/// What the trace says, in a few sentences, the most important first.
std::vector<std::string> firstPage(Inquiry& inquiry);

/// Whose times are looked at.
enum class Clocks : std::uint8_t { recorded, fitted };

/// Messages that the window keeps of a trace: 56 bytes each, those of 10^8 events.
inline constexpr std::int64_t drawnMessages = 30'000'000;

/// Reads an archive of any tool; with fitted clocks messages no longer arrive before they are sent. The run keeps the
/// earliest `budget` messages of another tool's archive and counts the rest.
Trace openTrace(const std::filesystem::path& path, Clocks clocks = Clocks::recorded,
                const engine::Progress& progress = {}, const traces::Opening& opening = {},
                std::int64_t budget = engine::RunBuilder::defaultBudget);

/// How far above the bound an instance was and why; the parts add up to duration - bound. Nothing without a bound.
struct InstanceGap {
    engine::Bounds bounds;
    engine::Picoseconds bound{};
    engine::Picoseconds extraRounds{};
    engine::Picoseconds extraBytes{};
    engine::Picoseconds combining{};
    engine::Picoseconds congestion{};
    engine::Picoseconds waiting{};
    engine::Picoseconds unexplained{};  ///< where the messages inside were not recorded
};
std::optional<InstanceGap> gapOf(Inquiry& inquiry, std::size_t instance);

}  // namespace app
