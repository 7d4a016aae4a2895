// SPDX-License-Identifier: BSD-3-Clause
// How much memory what a trace holds may take.
#pragma once

#include <cstdint>
#include <filesystem>

namespace traces {

/// A quarter of this machine's memory.
std::uint64_t sensibleMemory();

/// How much memory the columns of a trace may take while it is read and afterwards; what is beyond it lies in files
/// without names, in `folder` (that of the cache when empty, or the system's for temporary files where there is none).
struct MemoryBudget {
    std::uint64_t bytes = sensibleMemory();
    std::filesystem::path folder{};
};

}  // namespace traces
