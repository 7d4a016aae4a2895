// SPDX-License-Identifier: BSD-3-Clause
// What ranks did with files, as far as a trace of another tool has records of that.
#pragma once

#include "app/analysis/collectives/collective_instances.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace app::analysis {

/// One file through one interface, by all ranks of a part.
struct FileUse {
    std::uint32_t file = 0;  ///< index into Recording::files
    std::int64_t ranks = 0;  ///< that did anything with it
    std::int64_t opens = 0;
    std::int64_t reads = 0;
    std::int64_t writes = 0;
    engine::Bytes read = 0;
    engine::Bytes written = 0;
    engine::Picoseconds time{};                    ///< in operations, summed over ranks
    std::optional<engine::Picoseconds> longest{};  ///< operation; nothing where none ended
    engine::Picoseconds begin{};                   ///< of that one
    engine::Rank slowest = traces::noRank;         ///< whose that was; may be of no rank
    std::int64_t seeks = 0;
    std::int64_t locks = 0;          ///< of it that were had
    engine::Picoseconds lockWait{};  ///< until they were, summed over ranks

    friend bool operator==(const FileUse&, const FileUse&) = default;
};

/// Of the part's ranks, in its time: opens, seeks, locks and operations that overlap it, with the time that lies in it.
/// An operation that never ended has no bytes and no time. Nothing where messages or communicators are chosen, which
/// files have none of. A lock is waited for from when the innermost call around it was entered, or the lock before it
/// in this call was had. What took longest first.
std::vector<FileUse> fileUses(const traces::Recording& recording, const Selection& selection);

}  // namespace app::analysis
