// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/new_file.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <random>
#include <utility>

namespace engine {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t bufferBytes = std::size_t{1} << 16;

[[noreturn]] void refuse(const fs::path& file, int code) {
    throw Error{text("cannot write '", file.string(), "': ", whyUnwritable(code))};
}

std::string randomName() {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::random_device random;
    std::string name{NewFile::draftPrefix};
    for (int i = 0; i < 12; ++i) name += letters[random() % letters.size()];
    return name;
}

/// A file beside `file` that was not there before; returns its descriptor, or -1 and errno.
int openBeside(const fs::path& file, fs::path& draft) {
    constexpr mode_t everybody = 0666;  // as far as the user's mask allows
    for (;;) {
        draft = file.parent_path() / randomName();
        const int descriptor = ::open(draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, everybody);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
}

}  // namespace

class NewFile::Buffer final : public std::streambuf {
public:
    Buffer(const fs::path& file, fs::path& draft, std::stop_token stop)
        : file_{file}, stop_{std::move(stop)}, descriptor_{openBeside(file, draft)} {
        if (descriptor_ < 0) refuse(file, errno);
        setp(bytes_.data(), bytes_.data() + bytes_.size());
    }
    ~Buffer() override {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    [[nodiscard]] int descriptor() const { return descriptor_; }

    void close() {
        const int code = ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
        if (code != 0) refuse(file_, code);
    }

private:
    int_type overflow(int_type next) override {
        sync();
        if (!traits_type::eq_int_type(next, traits_type::eof())) sputc(traits_type::to_char_type(next));
        return traits_type::not_eof(next);
    }
    int sync() override {
        if (stop_.stop_requested()) throw Cancelled{};
        for (const char* at = pbase(); at < pptr();) {
            const ssize_t written = ::write(descriptor_, at, static_cast<std::size_t>(pptr() - at));
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) refuse(file_, errno);
            at += written;
        }
        setp(bytes_.data(), bytes_.data() + bytes_.size());
        return 0;
    }

    const fs::path& file_;
    std::stop_token stop_;
    std::array<char, bufferBytes> bytes_;
    int descriptor_;
};

NewFile::NewFile(fs::path file, Existing existing, std::stop_token stop)
    : file_{std::move(file)}, existing_{existing}, out_{nullptr} {
    std::error_code code;
    const fs::file_status there = fs::symlink_status(file_, code);
    if (fs::exists(there)) {
        if (existing == Existing::refuse) refuse(file_, EEXIST);
        if (!fs::is_regular_file(fs::status(file_, code)) && !fs::is_symlink(there))
            throw Error{text("cannot write '", file_.string(), "': it is not a regular file")};
    }
    buffer_ = std::make_unique<Buffer>(file_, draft_, std::move(stop));
    leftover_ = std::make_unique<Leftover>(draft_);
    if (fs::is_regular_file(there)) ::fchmod(buffer_->descriptor(), static_cast<mode_t>(there.permissions()));
    out_.rdbuf(buffer_.get());
    out_.exceptions(std::ios::badbit);  // lets pass what the buffer throws
}

NewFile::~NewFile() {
    // What is still in the buffer belongs to a file that is gone.
    if (!draft_.empty()) ::unlink(draft_.c_str());
}

std::ostream& NewFile::out() { return out_; }

const fs::path& NewFile::draft() const { return draft_; }

int NewFile::descriptor() const { return buffer_->descriptor(); }

void NewFile::publish() {
    out_.flush();
    // The former content goes only when the new one is safe on the disk.
    std::error_code ignored;
    if (existing_ == Existing::replace && fs::exists(file_, ignored) && ::fsync(descriptor()) != 0)
        refuse(file_, errno);
    buffer_->close();
    if (const std::error_code failed = moveTo(draft_, file_, existing_)) refuse(file_, failed.value());
    leftover_.reset();
    draft_.clear();
}

void writeFile(const fs::path& file, std::string_view content, Existing existing) {
    NewFile made{file, existing};
    made.out().write(content.data(), static_cast<std::streamsize>(content.size()));
    made.publish();
}

std::error_code moveTo(const fs::path& from, const fs::path& to, Existing existing) {
    const auto reason = [] { return std::error_code{errno, std::generic_category()}; };
    if (existing == Existing::replace) return ::rename(from.c_str(), to.c_str()) == 0 ? std::error_code{} : reason();
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
    if (errno != EINVAL && errno != ENOSYS) return reason();
    // A file system that does not know it. A second name fails where there is one, too; folders have no second names.
    std::error_code ignored;
    if (fs::is_directory(fs::symlink_status(from, ignored))) {
        if (fs::exists(fs::symlink_status(to, ignored))) return std::make_error_code(std::errc::file_exists);
        return ::rename(from.c_str(), to.c_str()) == 0 ? std::error_code{} : reason();
    }
    if (::link(from.c_str(), to.c_str()) == 0) {
        ::unlink(from.c_str());
        return {};
    }
    return reason();
}

std::string whyUnwritable(int code) {
    switch (code) {
        case ENOSPC: return "the disk is full";
        case EDQUOT: return "your share of the disk is used up";
        case EFBIG: return "files may not become as large as this one (ulimit -f)";
        case EEXIST: return "it is there already";
        case ENOENT: return "its folder does not exist";
        case ENOTDIR: return "what should be its folder is none";
        case EISDIR: return "it is a folder";
        case EACCES:
        case EPERM: return "you have no right to write there";
        case EROFS: return "its folder can only be read";
        case ENAMETOOLONG: return "its name is too long";
        default: return std::generic_category().message(code);
    }
}

}  // namespace engine
