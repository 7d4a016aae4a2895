// SPDX-License-Identifier: BSD-3-Clause
// Traces of the PyTorch profiler, or execution traces of Chakra, one file per rank, as a Recording
// (traces/recording/training.hpp says what it holds).
#pragma once

#include "traces/recording/archive.hpp"
#include "traces/recording/recording.hpp"

#include <filesystem>

namespace traces::kineto {

/// Whether `path` is a file of either, or a folder that holds some and no OTF2 archive: by names (*.json, *.json.gz,
/// NAME.RANK.et) and first bytes.
bool isJob(const std::filesystem::path& path);

/// Reads the file, or all files of the folder, side by side. Ranks without a file are named in a remark. Throws Error
/// where a file is no such trace or ends early, and Cancelled.
RecordingPtr readJob(const std::filesystem::path& path, const engine::Progress& progress = {},
                     const TellExpected& before = {});

}  // namespace traces::kineto
