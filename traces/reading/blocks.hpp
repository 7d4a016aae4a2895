// SPDX-License-Identifier: BSD-3-Clause
// A sequence that grows without moving and gives its memory back at once: what one location recorded, until it has
// become columns.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include <sys/mman.h>

namespace traces::reading {

template <class T>
class Blocks {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    T& operator[](std::size_t i) { return blocks_[i >> shift][i & mask]; }
    const T& operator[](std::size_t i) const { return blocks_[i >> shift][i & mask]; }
    T& back() { return (*this)[size_ - 1]; }

    void push_back(const T& value) {
        if ((size_ & mask) == 0) grow();
        blocks_[size_ >> shift][size_ & mask] = value;
        ++size_;
    }

    void clear() {
        blocks_.clear();
        size_ = 0;
    }

private:
    static constexpr std::size_t shift = 15;
    static constexpr std::size_t mask = (std::size_t{1} << shift) - 1;
    static constexpr std::size_t bytes = sizeof(T) << shift;

    /// Straight from the system: the heap would keep what is given back.
    struct Unmap {
        void operator()(T* block) const { ::munmap(block, bytes); }
    };

    void grow() {
        void* block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) throw std::bad_alloc{};
        std::unique_ptr<T[], Unmap> owner{static_cast<T*>(block)};
        blocks_.push_back(std::move(owner));
    }

    std::vector<std::unique_ptr<T[], Unmap>> blocks_;
    std::size_t size_ = 0;
};

}  // namespace traces::reading
