// SPDX-License-Identifier: BSD-3-Clause
#include "traces/storage/storage.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/storage/cache.hpp"
#include "traces/storage/large_pages.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace traces::reading {
namespace {

constexpr std::size_t large = std::size_t{1} << 20;

/// Where files of what is beyond a budget lie when nobody said so: folders for temporary files may be memory.
std::filesystem::path usualFolder() {
    std::error_code failed;
    const std::filesystem::path cache = index::cacheFolder();
    if (!cache.empty()) std::filesystem::create_directories(cache, failed);
    if (!cache.empty() && !failed && ::access(cache.c_str(), W_OK) == 0) return cache;
    return std::filesystem::temp_directory_path();
}

}  // namespace

Storage::Storage(std::uint64_t budget, std::filesystem::path folder, std::uint64_t taken)
    : inMemory_{budget / 8 * 3 - std::min(taken, budget / 8 * 3)},
      folder_{std::move(folder)},
      residence_{std::make_shared<Residence>(budget)} {}

bool Storage::take(std::uint64_t bytes) {
    if ((*used_ += bytes) <= inMemory_) return true;
    *used_ -= bytes;
    return false;
}

void Storage::refuse(int reason) const {
    throw engine::Error{engine::text(
        "the trace is larger than the memory it may use, and ", (folder_.empty() ? usualFolder() : folder_).string(),
        " cannot take the rest: ", std::strerror(reason), "; allow more memory or make room there")};
}

int Storage::makeFile() {
    spilt_ = true;
    std::string name = ((folder_.empty() ? usualFolder() : folder_) / "collscope-XXXXXX").string();
    const int file = ::mkostemp(name.data(), O_CLOEXEC);
    if (file < 0) refuse(errno);
    ::unlink(name.c_str());
    return file;
}

void Storage::fill(int file, std::size_t bytes) const {
    if (const int failed = ::posix_fallocate(file, 0, static_cast<off_t>(bytes)); failed != 0) refuse(failed);
}

std::shared_ptr<void> Storage::room(std::size_t bytes) {
    GrowingRoom made{this};
    made.grow(bytes);
    return made.release(bytes);
}

GrowingRoom::GrowingRoom(GrowingRoom&& other) noexcept
    : storage_{other.storage_},
      place_{std::exchange(other.place_, nullptr)},
      bytes_{std::exchange(other.bytes_, 0)},
      mapped_{std::exchange(other.mapped_, false)},
      counted_{std::exchange(other.counted_, false)},
      file_{std::exchange(other.file_, -1)} {}

GrowingRoom& GrowingRoom::operator=(GrowingRoom&& other) noexcept {
    std::swap(storage_, other.storage_);
    std::swap(place_, other.place_);
    std::swap(bytes_, other.bytes_);
    std::swap(mapped_, other.mapped_);
    std::swap(counted_, other.counted_);
    std::swap(file_, other.file_);
    return *this;
}

GrowingRoom::~GrowingRoom() {
    if (place_ != nullptr) release(bytes_);
}

void GrowingRoom::grow() {
    grow(bytes_ < largePage / 8 ? std::max<std::size_t>(256, 4 * bytes_)
         : bytes_ < largePage   ? largePage
                                : wholeLargePages(bytes_ + bytes_ / 2));
}

void GrowingRoom::grow(std::size_t bytes) {
    const bool small = bytes < large && !mapped_;
    const std::size_t next = small ? bytes : wholePages(bytes);
    if (file_ >= 0) return growInFile(next);
    if (!small && storage_ != nullptr && !storage_->take(next - (counted_ ? bytes_ : 0))) return moveToFile(next);
    counted_ = !small && storage_ != nullptr;
    growInMemory(next);
}

void GrowingRoom::growInMemory(std::size_t next) {
    if (mapped_) {
        place_ = remapLargePages(place_, bytes_, next);
    } else if (next < large) {
        void* const place = std::realloc(place_, next);
        if (place == nullptr) throw std::bad_alloc{};
        place_ = place;
    } else {
        void* const place = mapLargePages(next);
        if (bytes_ > 0) std::memcpy(place, place_, bytes_);
        std::free(place_);
        place_ = place;
        mapped_ = true;
    }
    bytes_ = next;
}

void GrowingRoom::growInFile(std::size_t next) {
    storage_->fill(file_, next);
    setAside(place_, bytes_);
    storage_->residence_->remove(place_);
    void* place = ::mremap(place_, bytes_, next, MREMAP_MAYMOVE);
    if (place == MAP_FAILED) throw std::bad_alloc{};
    storage_->residence_->add(place, next);
    place_ = place;
    bytes_ = next;
}

void GrowingRoom::moveToFile(std::size_t next) {
    const int file = storage_->makeFile();
    void* place = MAP_FAILED;
    try {
        storage_->fill(file, next);
        place = ::mmap(nullptr, next, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (place == MAP_FAILED) storage_->refuse(errno);
    } catch (...) {
        ::close(file);
        throw;
    }
    file_ = file;
    if (bytes_ > 0) std::memcpy(place, place_, bytes_);
    if (mapped_) unmapLargePages(place_, bytes_);
    else std::free(place_);
    mapped_ = true;
    if (std::exchange(counted_, false)) *storage_->used_ -= bytes_;
    storage_->residence_->add(place, next);
    place_ = place;
    bytes_ = next;
}

void GrowingRoom::cut(std::size_t bytes) {
    if (bytes == 0 || bytes >= bytes_ || file_ >= 0) return;
    if (!mapped_) {
        if (void* const place = std::realloc(place_, bytes); place != nullptr) place_ = place, bytes_ = bytes;
        return;
    }
    const std::size_t kept = wholePages(bytes);
    if (kept >= bytes_) return;
    unmapLargePages(static_cast<char*>(place_) + kept, bytes_ - kept);
    if (counted_) *storage_->used_ -= bytes_ - kept;
    bytes_ = kept;
}

void GrowingRoom::write(std::size_t at, const void* from, std::size_t count) const {
    for (const char* next = static_cast<const char*>(from); count > 0;) {
        const ssize_t written = ::pwrite(file_, next, count, static_cast<off_t>(at));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) storage_->refuse(written < 0 ? errno : ENOSPC);
        next += written, at += static_cast<std::size_t>(written), count -= static_cast<std::size_t>(written);
    }
}

std::shared_ptr<void> GrowingRoom::release(std::size_t bytes) {
    std::shared_ptr<Residence> residence;
    if (const int file = std::exchange(file_, -1); file >= 0) {
        ::close(file);
        residence = storage_->residence_;
        residence->remove(place_);
    }
    cut(std::max<std::size_t>(bytes, 1));
    void* const place = std::exchange(place_, nullptr);
    const std::size_t kept = std::exchange(bytes_, 0);
    if (!std::exchange(mapped_, false)) return {place, std::free};
    const Storage::Used used = std::exchange(counted_, false) ? storage_->used_ : nullptr;
    if (residence) residence->add(place, kept);
    return {place, [kept, used, residence](void* at) {
                if (residence) residence->remove(at);
                unmapLargePages(at, kept);
                if (used) *used -= kept;
            }};
}

std::shared_ptr<void> room(std::size_t bytes) {
    if (bytes < large) {
        void* place = std::malloc(bytes);
        if (place == nullptr) throw std::bad_alloc{};
        return {place, std::free};
    }
    return {mapLargePages(bytes), [bytes](void* place) { unmapLargePages(place, bytes); }};
}

void discard(void* place, std::size_t bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(place);
    const std::uintptr_t begin = wholeLargePages(at);
    const std::uintptr_t end = (at + bytes) / largePage * largePage;
    if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

void setAside(void* place, std::size_t bytes) { ::madvise(place, bytes, MADV_PAGEOUT); }

}  // namespace traces::reading
