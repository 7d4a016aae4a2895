// SPDX-License-Identifier: BSD-3-Clause
// All schedules in a folder, proved or refuted one by one: what `verify FOLDER` does.
#pragma once

#include "app/session/session.hpp"
#include "engine/base/table.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace app {

/// What became of one file.
enum class AuditVerdict : std::uint8_t {
    proved,
    refuted,
    leftOut,     ///< it was read, but cannot be proved alone: an algorithm for many problems, or data unstated
    unreadable,  ///< it is no schedule
};

/// "proved", "refuted", "not proved", "not readable".
std::string_view name(AuditVerdict verdict);

struct AuditedFile {
    std::string file{};     ///< relative to the folder
    std::string problem{};  ///< empty where unreadable or left out
    std::int64_t ranks = 0;
    std::int64_t rounds = 0;
    std::int64_t messages = 0;
    AuditVerdict verdict = AuditVerdict::unreadable;
    std::string why{};                   ///< the first counterexample, or why it is not proved
    std::vector<std::string> remarks{};  ///< what the reader assumed
};

struct Audit {
    std::vector<AuditedFile> files{};  ///< by name
    std::int64_t others = 0;           ///< files whose endings are not those of schedules

    [[nodiscard]] std::int64_t count(AuditVerdict verdict) const;
};

/// Proves every .json, .xml, .goal, .lua and .et file in `folder` and its folders for the problem that it states
/// itself. Links to folders are not followed. NAME.0.et stands for all NAME.RANK.et. Throws Error where the folder
/// cannot be read, has no schedule, or has more than 100,000; Cancelled.
Audit audit(const std::filesystem::path& folder, const engine::Progress& progress = {});

/// One row for each file.
engine::Table tableOf(const Audit& audit);

}  // namespace app
