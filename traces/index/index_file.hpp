// SPDX-License-Identifier: BSD-3-Clause
// A recording as one file whose columns are used where they lie, mapped into memory.
//
//   head      what it is, who wrote it (a sum of the sources that read archives), of which archive, its parts' sums
//   columns   each at a multiple of 64 bytes, as they lie in memory
//   rest      all other fields, and where the columns are
//
// The file is of this machine and this program alone: whatever differs, it is not taken. Every byte is covered by a
// sum.
#pragma once

#include "engine/run/executor.hpp"
#include "traces/index/fingerprint.hpp"
#include "traces/recording/recording.hpp"

#include <filesystem>

namespace traces::index {

/// Bytes that the index of `recording` takes.
std::uint64_t sizeOf(const Recording& recording);

/// Writes `file`, whole or not at all, in the place of an index or of nothing. False when it cannot be written; throws
/// Cancelled.
bool write(const Recording& recording, const Fingerprint& of, const std::filesystem::path& file,
           const engine::Progress& progress = {});

/// Whether an index of ours, of any version, has this name: nothing else may be replaced.
bool isIndex(const std::filesystem::path& file);

/// The recording of the archive with this fingerprint, or null when `file` is not there, not of it, of another version
/// of the program, or damaged; when a value in it could not have been read; or when it belongs to somebody who is
/// neither the user nor the owner of `anchor`, if that is given. It keeps the file, whatever becomes of its name. Its
/// pages are given back before the program holds more than `budget` bytes.
RecordingPtr load(const std::filesystem::path& file, const Fingerprint& of, std::uint64_t budget,
                  const std::filesystem::path& anchor = {});

}  // namespace traces::index
