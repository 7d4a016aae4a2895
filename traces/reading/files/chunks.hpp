// SPDX-License-Identifier: BSD-3-Clause
// OTF2 files of definitions and events, chunk by chunk: every chunk but the last has the same size and begins with
//
//   03   42 (lowest byte first) or 23 (highest first)   number of its first record (8 bytes)   of its last (8 bytes)
//
// Records follow; 00 ends the chunk, 01 the buffer of the writer, 02 the file.
#pragma once

#include "traces/reading/files/cursor.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace traces::reading {

namespace mark {
constexpr std::uint8_t endOfChunk = 0;
constexpr std::uint8_t endOfBuffer = 1;
constexpr std::uint8_t endOfFile = 2;
constexpr std::uint8_t header = 3;
constexpr std::uint8_t timestamp = 5;
constexpr std::uint8_t attributes = 6;
}  // namespace mark

constexpr std::uint64_t smallestChunk = 256 * 1024;       ///< what the OTF2 library allows
constexpr std::uint64_t largestChunk = 16 * 1024 * 1024;  ///< what the OTF2 library allows
constexpr std::size_t headerSize = 18;

/// One open file. Memory: one chunk, and no more than the file has.
class ChunkedFile {
public:
    /// Throws Error when `path` cannot be opened or is no regular file.
    ChunkedFile(const std::filesystem::path& path, std::uint64_t chunkSize);
    ChunkedFile(const ChunkedFile&) = delete;
    ChunkedFile& operator=(const ChunkedFile&) = delete;
    ~ChunkedFile();

    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// Loads the next chunk, without its header; false when the file has no further one, or not a right one.
    /// The bytes stay until the next call. Throws Error when the file cannot be read.
    bool next(Cursor& content);

    /// The first `most` bytes of the first chunk, without moving on: enough for its first records.
    bool peek(Cursor& content, std::size_t most);

    /// Cursor of the file that were loaded.
    [[nodiscard]] std::uint64_t loaded() const { return offset_; }

private:
    bool load(std::uint64_t offset, std::size_t most, Cursor& content);

    std::uint64_t size_ = 0;
    int file_;
    std::uint64_t chunkSize_;
    std::uint64_t offset_ = 0;
    std::shared_ptr<void> buffer_;  ///< not cleared first
    std::size_t room_ = 0;          ///< bytes of it
    std::string name_;
};

/// A whole small file with `padding` zeros behind it; throws Error when it cannot be read or is larger than `most`.
std::vector<std::uint8_t> wholeFile(const std::filesystem::path& path, std::uint64_t most);

}  // namespace traces::reading
