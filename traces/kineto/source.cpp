// SPDX-License-Identifier: BSD-3-Clause
#include "traces/kineto/source.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace traces::kineto {

struct Source::File {
    gzFile handle = nullptr;
    int descriptor = -1;
    ~File() {
        if (handle != nullptr) ::gzclose(handle);
        else if (descriptor >= 0) ::close(descriptor);
    }
};

Source::Source(const std::filesystem::path& path) : file_{std::make_unique<File>()}, buffer_((1U << 18U) + 1) {
    const auto refuse = [&](int reason) {
        throw engine::Error{engine::text("cannot read ", path.string(), ": ", std::strerror(reason))};
    };
    // What is no file must not block.
    file_->descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file_->descriptor < 0) refuse(errno);
    struct stat facts {};
    if (::fstat(file_->descriptor, &facts) != 0) refuse(errno);
    if (!S_ISREG(facts.st_mode)) throw engine::Error{engine::text(path.string(), " is not a regular file")};
    file_->handle = ::gzdopen(file_->descriptor, "rb");
    if (file_->handle == nullptr) refuse(ENOMEM);
    (void)::gzbuffer(file_->handle, 1U << 17U);
    at_ = end_ = buffer_.data();
    fill();
}

Source::~Source() = default;

void Source::fill() {
    if (over_) {
        // Stays at the 0 behind the last byte.
        at_ = end_ - 1;
        return;
    }
    before_ += static_cast<std::size_t>(end_ - buffer_.data());
    at_ = end_ = buffer_.data();
    if (readOn() > 0) return;
    over_ = true;
    buffer_[0] = '\0';
    end_ = at_ + 1;
}

void Source::gather(std::size_t bytes) {
    while (!over_ && atHand().size() < bytes) {
        const std::size_t rest = atHand().size();
        before_ += static_cast<std::size_t>(at_ - buffer_.data());
        std::memmove(buffer_.data(), at_, rest);
        at_ = buffer_.data();
        end_ = at_ + rest;
        if (readOn() <= 0) return;
    }
}

void Source::stop(std::string why) {
    damage_ = std::move(why);
    over_ = true;
    buffer_[0] = '\0';
    before_ = Tell();
    at_ = buffer_.data();
    end_ = at_ + 1;
}

int Source::readOn() {
    char* const behind = buffer_.data() + (end_ - buffer_.data());
    const std::size_t room = buffer_.size() - 1 - static_cast<std::size_t>(behind - buffer_.data());
    const int got = ::gzread(file_->handle, behind, static_cast<unsigned>(room));
    end_ += got > 0 ? got : 0;
    int fault = Z_OK;
    const char* const why = ::gzerror(file_->handle, &fault);
    if (got < 0 || fault == Z_BUF_ERROR) {
        // The words begin with the name of the descriptor.
        const char* const colon = std::strrchr(why, ':');
        damage_ = fault == Z_BUF_ERROR ? "its compressed data end early; copy the file again"
                                       : engine::text("its compression is damaged:", colon ? colon + 1 : " unknown",
                                                      "; copy the file again");
    }
    return got;
}

std::uint64_t Source::consumed() const {
    const auto offset = ::gzoffset(file_->handle);
    return offset < 0 ? 0 : static_cast<std::uint64_t>(offset);
}

std::uint64_t plainSize(const std::filesystem::path& path) {
    std::error_code failed;
    const std::uint64_t size = std::filesystem::file_size(path, failed);
    constexpr std::uint64_t least = 18;  // header and end of a compressed file
    if (failed || size < least) return failed ? 0 : size;
    std::ifstream file{path, std::ios::binary};
    std::array<unsigned char, 4> bytes{};
    const auto read = [&](std::uint64_t at, std::streamsize count) {
        file.seekg(static_cast<std::streamoff>(at));
        return static_cast<bool>(file.read(reinterpret_cast<char*>(bytes.data()), count));
    };
    if (!read(0, 2) || bytes[0] != 0x1f || bytes[1] != 0x8b || !read(size - 4, 4)) return size;
    // Its end has the size modulo 2^32.
    std::uint64_t plain = bytes[0] | bytes[1] << 8U | bytes[2] << 16U | std::uint64_t{bytes[3]} << 24U;
    while (plain < size) plain += std::uint64_t{1} << 32U;
    // In place of its end a file that was cut has any number. Json compresses by a factor of 10 to 30.
    constexpr std::uint64_t mostFactor = 100;
    return std::min(plain, mostFactor * size);
}

}  // namespace traces::kineto
