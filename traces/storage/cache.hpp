// SPDX-License-Identifier: BSD-3-Clause
// The user's folder for what can be reproduced.
#pragma once

#include <cstdint>
#include <filesystem>

namespace traces::index {

/// XDG_CACHE_HOME/collscope, or ~/.cache/collscope; empty when neither variable names an absolute folder.
std::filesystem::path cacheFolder();

/// Indices of all traces together take at most so much there, and never more than half of what is free on the disk.
constexpr std::uint64_t cacheCapacity = std::uint64_t{8} << 30;

/// The file for the index of the archive with this anchor: a changed archive replaces its own.
std::filesystem::path placeInCache(const std::filesystem::path& cache, const std::filesystem::path& anchor);

/// Says that `file` was used: it is removed later than others.
void touch(const std::filesystem::path& file);

/// Makes room for `bytes` in `folder`, removing the indices that were not used for longest, and what a broken-off
/// program left a day ago. False when there is no room.
bool makeRoom(const std::filesystem::path& folder, std::uint64_t bytes, std::uint64_t capacity = cacheCapacity);

}  // namespace traces::index
