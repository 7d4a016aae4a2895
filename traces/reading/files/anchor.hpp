// SPDX-License-Identifier: BSD-3-Clause
// The anchor file of an archive: how its other files are laid out, who wrote it, and its properties.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace traces::reading {

struct Anchor {
    std::filesystem::path path;
    std::uint64_t eventChunk = 0;       ///< bytes
    std::uint64_t definitionChunk = 0;  ///< bytes
    std::uint64_t locations = 0;        ///< as announced; not to be trusted
    std::uint64_t definitions = 0;      ///< as announced; not to be trusted
    std::string machine;
    std::string creator;
    std::string description;
    std::map<std::string, std::string> properties;

    [[nodiscard]] std::filesystem::path definitionFile() const;
    /// `kind` is ".evt" or ".def".
    [[nodiscard]] std::filesystem::path fileOf(std::uint64_t location, const char* kind) const;
};

/// Throws Error when `path` is no anchor file, is damaged, or belongs to an archive that is compressed or packed.
Anchor readAnchor(const std::filesystem::path& path);

}  // namespace traces::reading
