// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/storage.hpp"

#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace traces::reading {

std::shared_ptr<void> room(std::size_t bytes) {
    constexpr std::size_t large = std::size_t{1} << 20;
    if (bytes < large) {
        void* place = std::malloc(bytes);
        if (place == nullptr) throw std::bad_alloc{};
        return {place, std::free};
    }
    void* place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) throw std::bad_alloc{};
    ::madvise(place, bytes, MADV_HUGEPAGE);
    return {place, [bytes](void* memory) { ::munmap(memory, bytes); }};
}

}  // namespace traces::reading
