// SPDX-License-Identifier: BSD-3-Clause
// Records of files that become notices: their operations are distinguished by numbers that archives give them,
// of which any may come; here by which of those in progress they are.
#pragma once

#include "traces/reading/files/cursor.hpp"
#include "traces/reading/files/definitions.hpp"
#include "traces/reading/locations/rank_mapping.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace traces::reading {

/// The operations of one location that are in progress, numbered by the least that is free.
class FileOperations {
public:
    /// A handle, and the number of an operation on it; as the location says them.
    using Operation = std::pair<std::uint32_t, std::uint64_t>;

    /// Nothing where more are in progress than can be distinguished. One that began already starts again.
    std::optional<std::uint16_t> begin(const Operation& operation);
    /// Nothing where it is not in progress.
    std::optional<std::uint16_t> end(const Operation& operation);

private:
    std::map<Operation, std::uint16_t> underWay_;
    std::set<std::uint16_t> free_;
    std::uint16_t used_ = 0;  ///< slots that were ever taken
};

/// Of one location, record by record.
class FileNotices {
public:
    [[nodiscard]] static bool areOf(std::uint8_t kind);

    /// What the record `record` of `kind` tells, but for when; nothing where it cannot be right, tells of what is not
    /// defined, or ends what never began.
    std::optional<Notice> noticeOf(std::uint8_t kind, Cursor& record, const LocalDefinitions& local,
                                   const World& world);

private:
    FileOperations operations_;
};

}  // namespace traces::reading
