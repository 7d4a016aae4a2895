// SPDX-License-Identifier: BSD-3-Clause
// Text files that a user names: they are read whole, or refused with a sentence.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace engine {

/// The bytes of a regular file of at most `most` bytes. Throws Error{complaint + ": " + reason} for everything else.
/// Never waits, whatever stands in the file's place.
std::string bytesOf(const std::filesystem::path& file, std::int64_t most, std::string_view complaint);

/// The text of a file as bytesOf reads it, without the UTF-8 byte order mark that some editors write in front. Every
/// format of text is read by this; only who writes the file back needs bytesOf.
std::string contentOf(const std::filesystem::path& file, std::int64_t most, std::string_view complaint);

}  // namespace engine
