// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/storage.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"

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

void* mapMemory(std::size_t bytes) {
    void* place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) throw std::bad_alloc{};
    ::madvise(place, bytes, MADV_HUGEPAGE);
    return place;
}

/// A file without a name. Its blocks are taken at once: a full disk must not end the program later.
void* mapFile(std::size_t bytes, const std::filesystem::path& folder) {
    std::string name = (folder / "collscope-XXXXXX").string();
    const int file = ::mkostemp(name.data(), O_CLOEXEC);
    int failed = file < 0 ? errno : 0;
    void* place = MAP_FAILED;
    if (file >= 0) {
        ::unlink(name.c_str());
        failed = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
        if (failed == 0) {
            place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            if (place == MAP_FAILED) failed = errno;
        }
        ::close(file);
    }
    if (failed != 0)
        throw engine::Error{engine::text("the trace is larger than the memory it may use, and ", folder.string(),
                                         " cannot take the rest: ", std::strerror(failed),
                                         "; allow more memory or make room there")};
    return place;
}

}  // namespace

Storage::Storage(std::uint64_t budget, std::filesystem::path folder) : budget_{budget}, folder_{std::move(folder)} {}

std::shared_ptr<void> Storage::room(std::size_t bytes) {
    if (bytes < large) return reading::room(bytes);
    const std::shared_ptr<std::atomic<std::uint64_t>> used = used_;
    if ((*used += bytes) <= budget_) {
        const auto give = [used, bytes](void* place) {
            ::munmap(place, bytes);
            *used -= bytes;
        };
        return {mapMemory(bytes), give};
    }
    *used -= bytes;
    spilt_ = true;
    return {mapFile(bytes, folder_), [bytes](void* place) { ::munmap(place, bytes); }};
}

std::shared_ptr<void> room(std::size_t bytes) {
    if (bytes < large) {
        void* place = std::malloc(bytes);
        if (place == nullptr) throw std::bad_alloc{};
        return {place, std::free};
    }
    return {mapMemory(bytes), [bytes](void* place) { ::munmap(place, bytes); }};
}

void setAside(void* place, std::size_t bytes) { ::madvise(place, bytes, MADV_PAGEOUT); }

}  // namespace traces::reading
