// SPDX-License-Identifier: BSD-3-Clause
// Whether an archive is still the one it was, without reading all of it.
#pragma once

#include <cstdint>
#include <filesystem>

namespace traces::index {

/// Of the anchor, the global definitions, and every file of definitions and events of a location: names, sizes, times
/// of the last change, and contents - small files whole, of each larger one its first and last 4 KiB and six pieces of
/// 4 KiB between them. What keeps all of this is taken for unchanged.
struct Fingerprint {
    std::uint64_t sum = 0;
    std::uint64_t eventBytes = 0;  ///< in the files of events

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// `anchor`: as anchorOf gives it. Files that cannot be read count as empty ones.
Fingerprint fingerprintOf(const std::filesystem::path& anchor);

}  // namespace traces::index
