// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/storage.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"
#include "traces/index/cache.hpp"

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

constexpr std::size_t smallPage = 4096;
constexpr std::size_t largePage = std::size_t{2} << 20;

std::size_t wholePages(std::size_t bytes) { return (bytes + smallPage - 1) / smallPage * smallPage; }

/// Where a large page may begin, if there is one in `bytes`: what lies before its first one has small pages, each of
/// which costs as much as what is written to it.
void* mapMemory(std::size_t bytes) {
    const std::size_t more = bytes < largePage ? 0 : largePage;
    void* const all = ::mmap(nullptr, bytes + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc{};
    const std::size_t before =
        more == 0 ? 0 : (largePage - reinterpret_cast<std::uintptr_t>(all) % largePage) % largePage;
    char* const place = static_cast<char*>(all) + before;
    if (before > 0) ::munmap(all, before);
    if (more > before) ::munmap(place + wholePages(bytes), more - before);
    ::madvise(place, bytes, MADV_HUGEPAGE);
    return place;
}

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
    if (bytes < large) return reading::room(bytes);
    if (take(bytes)) {
        const auto give = [used = used_, bytes](void* place) {
            ::munmap(place, bytes);
            *used -= bytes;
        };
        return {mapMemory(bytes), give};
    }
    const int file = makeFile();
    void* place = MAP_FAILED;
    try {
        fill(file, bytes);
        place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (place == MAP_FAILED) refuse(errno);
    } catch (...) {
        ::close(file);
        throw;
    }
    ::close(file);
    residence_->add(place, bytes);
    return {place, [bytes, residence = residence_](void* at) {
                residence->remove(at);
                ::munmap(at, bytes);
            }};
}

GrowingRoom::GrowingRoom(GrowingRoom&& other) noexcept
    : storage_{other.storage_},
      place_{std::exchange(other.place_, nullptr)},
      bytes_{std::exchange(other.bytes_, 0)},
      counted_{std::exchange(other.counted_, false)},
      file_{std::exchange(other.file_, -1)} {}

GrowingRoom& GrowingRoom::operator=(GrowingRoom&& other) noexcept {
    std::swap(storage_, other.storage_);
    std::swap(place_, other.place_);
    std::swap(bytes_, other.bytes_);
    std::swap(counted_, other.counted_);
    std::swap(file_, other.file_);
    return *this;
}

GrowingRoom::~GrowingRoom() {
    if (place_ != nullptr) release(bytes_);
}

void GrowingRoom::grow() {
    const std::size_t next = bytes_ < large / 4 ? std::max<std::size_t>(256, 4 * bytes_)
                             : bytes_ < large   ? large
                                                : wholePages(bytes_ + bytes_ / 2);
    if (file_ < 0 && (next < large || storage_ == nullptr || storage_->take(next - (counted_ ? bytes_ : 0)))) {
        if (next >= large) counted_ = storage_ != nullptr;
        return growInMemory(next);
    }
    if (file_ < 0) return moveToFile(next);
    storage_->fill(file_, next);
    setAside(place_, bytes_);
    storage_->residence_->remove(place_);
    void* place = ::mremap(place_, bytes_, next, MREMAP_MAYMOVE);
    if (place == MAP_FAILED) throw std::bad_alloc{};
    storage_->residence_->add(place, next);
    place_ = place;
    bytes_ = next;
}

void GrowingRoom::growInMemory(std::size_t next) {
    void* place = nullptr;
    if (next < large) {
        place = std::realloc(place_, next);
        if (place == nullptr) throw std::bad_alloc{};
    } else if (bytes_ >= large) {
        place = ::mremap(place_, bytes_, next, MREMAP_MAYMOVE);
        if (place == MAP_FAILED) throw std::bad_alloc{};
    } else {
        place = mapMemory(next);
        if (bytes_ > 0) std::memcpy(place, place_, bytes_);
        std::free(place_);
    }
    place_ = place;
    bytes_ = next;
}

void GrowingRoom::moveToFile(std::size_t next) {
    file_ = storage_->makeFile();
    storage_->fill(file_, next);
    void* place = ::mmap(nullptr, next, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (place == MAP_FAILED) storage_->refuse(errno);
    if (bytes_ > 0) std::memcpy(place, place_, bytes_);
    if (bytes_ >= large) ::munmap(place_, bytes_);
    else std::free(place_);
    if (std::exchange(counted_, false)) *storage_->used_ -= bytes_;
    storage_->residence_->add(place, next);
    place_ = place;
    bytes_ = next;
}

std::shared_ptr<void> GrowingRoom::release(std::size_t bytes) {
    void* place = std::exchange(place_, nullptr);
    const std::size_t held = std::exchange(bytes_, 0);
    std::shared_ptr<Residence> residence;
    if (const int file = std::exchange(file_, -1); file >= 0) {
        ::close(file);
        residence = storage_->residence_;
        residence->remove(place);
    }
    if (held < large) {
        void* cut = std::realloc(place, std::max<std::size_t>(bytes, 1));
        return {cut == nullptr ? place : cut, std::free};
    }
    const std::size_t kept = wholePages(std::max<std::size_t>(bytes, 1));
    if (kept < held) ::munmap(static_cast<char*>(place) + kept, held - kept);
    const bool counted = std::exchange(counted_, false);
    const Storage::Used used = counted ? storage_->used_ : nullptr;
    if (used) *used -= held - kept;
    if (residence) residence->add(place, kept);
    return {place, [kept, used, residence](void* at) {
                if (residence) residence->remove(at);
                ::munmap(at, kept);
                if (used) *used -= kept;
            }};
}

std::shared_ptr<void> room(std::size_t bytes) {
    if (bytes < large) {
        void* place = std::malloc(bytes);
        if (place == nullptr) throw std::bad_alloc{};
        return {place, std::free};
    }
    return {mapMemory(bytes), [bytes](void* place) { ::munmap(place, bytes); }};
}

void discard(void* place, std::size_t bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(place);
    const std::uintptr_t begin = (at + largePage - 1) / largePage * largePage;
    const std::uintptr_t end = (at + bytes) / largePage * largePage;
    if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

void setAside(void* place, std::size_t bytes) { ::madvise(place, bytes, MADV_PAGEOUT); }

}  // namespace traces::reading
