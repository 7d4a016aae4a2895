// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/files/chunks.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/storage/storage.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace traces::reading {

using engine::Error;
using engine::text;

namespace {

[[noreturn]] void unreadable(const std::string& name, int reason) {
    throw Error{text("cannot read the archive's file ", name, ": ", std::strerror(reason),
                     reason == EMFILE || reason == ENFILE ? "; allow more open files (ulimit -n)"
                                                          : "; all files of the archive must be there and readable")};
}

/// A file descriptor that does not wait: a pipe in the place of a file must not keep us.
int openRegular(const std::filesystem::path& path, std::uint64_t& size) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) unreadable(path.string(), errno);
    struct stat facts {};
    if (::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        ::close(file);
        throw Error{text("cannot read the archive's file ", path.string(),
                         ": it is no file; all files of the archive must be there")};
    }
    size = static_cast<std::uint64_t>(facts.st_size);
    return file;
}

/// Reads up to `count` bytes; fewer when the file ends before.
std::size_t readAt(int file, std::uint8_t* to, std::size_t count, std::uint64_t offset, const std::string& name) {
    std::size_t got = 0;
    while (got < count) {
        const ssize_t step = ::pread(file, to + got, count - got, static_cast<off_t>(offset + got));
        if (step < 0 && errno == EINTR) continue;
        if (step < 0) unreadable(name, errno);
        if (step == 0) break;
        got += engine::asSize(step);
    }
    return got;
}

}  // namespace

ChunkedFile::ChunkedFile(const std::filesystem::path& path, std::uint64_t chunkSize)
    : file_{openRegular(path, size_)},
      chunkSize_{std::clamp(chunkSize, smallestChunk, largestChunk)},
      name_{path.string()} {}

ChunkedFile::~ChunkedFile() { ::close(file_); }

bool ChunkedFile::load(std::uint64_t offset, std::size_t most, Cursor& content) {
    if (offset >= size_) return false;
    const auto count = engine::asSize(std::min<std::uint64_t>(most, size_ - offset));
    if (room_ < count + padding) buffer_ = room(room_ = count + padding);
    auto* const bytes = static_cast<std::uint8_t*>(buffer_.get());
    const std::size_t got = readAt(file_, bytes, count, offset, name_);
    std::memset(bytes + got, 0, padding);
    const bool big = got > 1 && bytes[1] == 0x23;
    if (got < headerSize || bytes[0] != mark::header || (!big && bytes[1] != 0x42)) return false;
    content = Cursor{{bytes + headerSize, got - headerSize}, big};
    return true;
}

bool ChunkedFile::next(Cursor& content) {
    const std::uint64_t offset = offset_;
    offset_ = std::min(size_, offset_ + chunkSize_);
    return load(offset, chunkSize_, content);
}

bool ChunkedFile::peek(Cursor& content, std::size_t most) { return load(0, most, content); }

std::vector<std::uint8_t> wholeFile(const std::filesystem::path& path, std::uint64_t most) {
    std::uint64_t size = 0;
    const int file = openRegular(path, size);
    try {
        if (size > most)
            throw Error{text("cannot read the archive's file ", path.string(), ": it has ", size, " bytes, ", most,
                             " are allowed")};
        std::vector<std::uint8_t> content(engine::asSize(size) + padding);
        content.resize(readAt(file, content.data(), engine::asSize(size), 0, path.string()) + padding);
        std::fill(content.end() - padding, content.end(), std::uint8_t{0});
        ::close(file);
        return content;
    } catch (...) {
        ::close(file);
        throw;
    }
}

}  // namespace traces::reading
