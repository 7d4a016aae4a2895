// SPDX-License-Identifier: BSD-3-Clause
// Room for millions of messages is asked for in large pages: small ones cost more than what is written to them.
#pragma once

#include "engine/run/run.hpp"

#include <cstddef>
#include <new>

namespace traces {

constexpr std::size_t largePage = std::size_t{2} << 20;

/// The least number of large pages that hold so many bytes, in bytes.
constexpr std::size_t wholeLargePages(std::size_t bytes) { return (bytes + largePage - 1) / largePage * largePage; }

/// The least number of pages of any size that hold so many.
constexpr std::size_t wholePages(std::size_t bytes) {
    constexpr std::size_t page = 4096;
    return (bytes + page - 1) / page * page;
}

/// Memory that takes no room before it is written to, in large pages from its first byte on where there are `bytes` for
/// one. Throws bad_alloc.
void* mapLargePages(std::size_t bytes);
/// The same memory with `bytes` of it, or more behind it; what was written stays, maybe at another place.
void* remapLargePages(void* place, std::size_t before, std::size_t bytes);
void unmapLargePages(void* place, std::size_t bytes);

/// Of a vector that may hold millions: what has room for a large page takes whole ones. A vector's own room begins
/// anywhere, so that its first and last page are small ones.
template <class T>
struct LargePageAllocator {
    using value_type = T;

    LargePageAllocator() = default;
    template <class U>
    explicit LargePageAllocator(const LargePageAllocator<U>& /*other*/) {}

    T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        return static_cast<T*>(bytes < largePage ? ::operator new(bytes) : mapLargePages(bytes));
    }
    void deallocate(T* place, std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        bytes < largePage ? ::operator delete(place) : unmapLargePages(place, bytes);
    }
    friend bool operator==(const LargePageAllocator&, const LargePageAllocator&) { return true; }
};

/// A wish for memory that is not written to yet; nothing for less than some pages.
void preferLargePages(const void* place, std::size_t bytes);

template <class T>
void preferLargePages(const T* place, std::size_t count) {
    preferLargePages(static_cast<const void*>(place), count * sizeof(T));
}

/// messages.reserve(count) with that wish.
void reserveMessages(engine::Messages& messages, std::size_t count);

}  // namespace traces
