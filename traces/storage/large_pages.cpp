// SPDX-License-Identifier: BSD-3-Clause
#include "traces/storage/large_pages.hpp"

#include <cstdint>

#include <sys/mman.h>

namespace traces {
namespace {

/// Addresses for `bytes` that begin where a large page may.
char* reserveAligned(std::size_t bytes, int access) {
    const std::size_t room = wholePages(bytes);
    void* const all = ::mmap(nullptr, room + largePage, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc{};
    const std::size_t before = (largePage - reinterpret_cast<std::uintptr_t>(all) % largePage) % largePage;
    char* const place = static_cast<char*>(all) + before;
    if (before > 0) ::munmap(all, before);
    ::munmap(place + room, largePage - before);
    return place;
}

}  // namespace

void* mapLargePages(std::size_t bytes) {
    char* const place = reserveAligned(bytes, PROT_READ | PROT_WRITE);
    ::madvise(place, bytes, MADV_HUGEPAGE);
    return place;
}

void* remapLargePages(void* place, std::size_t before, std::size_t bytes) {
    if (::mremap(place, before, bytes, 0) != MAP_FAILED) return place;
    void* const moved = ::mremap(place, before, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, reserveAligned(bytes, PROT_NONE));
    if (moved == MAP_FAILED) throw std::bad_alloc{};
    return moved;
}

void unmapLargePages(void* place, std::size_t bytes) { ::munmap(place, bytes); }

void preferLargePages(const void* place, std::size_t bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(place);
    const std::uintptr_t begin = wholeLargePages(at);
    const std::uintptr_t end = (at + bytes) / largePage * largePage;
    if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

void reserveMessages(engine::Messages& messages, std::size_t count) {
    messages.reserve(count);
    const auto wish = [count](auto column) { preferLargePages(column.data(), count); };
    wish(messages.from()), wish(messages.to()), wish(messages.round()), wish(messages.bytes());
    wish(messages.sendBegin()), wish(messages.sendEnd()), wish(messages.receiveBegin()), wish(messages.receiveEnd());
}

}  // namespace traces
