// SPDX-License-Identifier: BSD-3-Clause
// A sequence that grows without moving, once it is large, and gives its memory back at once: what one location
// recorded, until it has become columns.
#pragma once

#include "traces/reading/storage.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace traces::reading {

template <class T>
class Blocks {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    /// Rooms of `storage`, which must live while the sequence grows; without it all is in memory.
    explicit Blocks(Storage* storage = nullptr) : storage_{storage} {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    T& operator[](std::size_t i) { return blocks_[i >> shift][i & mask]; }
    const T& operator[](std::size_t i) const { return blocks_[i >> shift][i & mask]; }
    /// From place `i` on, as far as they lie side by side.
    [[nodiscard]] std::span<const T> blockAt(std::size_t i) const {
        return {&(*this)[i], std::min(size_ - i, mask + 1 - (i & mask))};
    }
    T& back() { return (*this)[size_ - 1]; }

    void push_back(const T& value) {
        if (size_ == capacity_) grow();
        blocks_[size_ >> shift][size_ & mask] = value;
        ++size_;
    }

    /// They will not be looked at soon: what lies in files need not be in memory.
    void setAside() const {
        if (storage_ == nullptr || !storage_->spilt()) return;
        if (capacity_ > mask)
            for (T* block : blocks_) reading::setAside(block, bytes);
    }

    /// Values before place `i`, which rises, will not be looked at any more: rooms that hold nothing else are given
    /// back, and of the next one what no other value lies in.
    void forgetBefore(std::size_t i) {
        if (i < nextForgotten_) return;
        nextForgotten_ = i + (mask + 1) / 2;
        for (; forgotten_ < rooms_.size() && rooms_[forgotten_].end <= i; ++forgotten_)
            rooms_[forgotten_].place.reset();
        if (forgotten_ == rooms_.size() || i >= size_) return;
        char* const begin = static_cast<char*>(rooms_[forgotten_].place.get());
        discard(begin, static_cast<std::size_t>(reinterpret_cast<char*>(&(*this)[i]) - begin));
    }

    void clear() {
        blocks_.clear();
        rooms_.clear();
        size_ = capacity_ = forgotten_ = nextForgotten_ = 0;
    }

private:
    static constexpr std::size_t few = 64;
    static constexpr std::size_t shift = 15;
    static constexpr std::size_t mask = (std::size_t{1} << shift) - 1;
    static constexpr std::size_t bytes = sizeof(T) << shift;
    static constexpr std::size_t mostAtOnce = 8;

    /// Of one or several blocks.
    struct Room {
        std::shared_ptr<void> place;
        std::size_t end = 0;  ///< of the values that have a place up to and in it
    };

    void grow() {
        if (capacity_ <= mask) return growFirst();
        const bool spilt = storage_ != nullptr && storage_->spilt();
        if (spilt) reading::setAside(blocks_.back(), bytes);
        // Several at once, as long as they are in memory: those have large pages.
        const std::size_t more = spilt ? 1 : std::min(blocks_.size(), mostAtOnce);
        capacity_ += more << shift;
        rooms_.push_back({roomFor(more * bytes), capacity_});
        auto* const place = static_cast<T*>(rooms_.back().place.get());
        for (std::size_t i = 0; i < more; ++i) blocks_.push_back(place + (i << shift));
    }

    /// Thousands of locations may hold a few each: the first block is as large as it must be, until it is whole.
    void growFirst() {
        const std::size_t next = std::min(std::max<std::size_t>(few, 8 * capacity_), mask + 1);
        std::shared_ptr<void> larger = roomFor(next * sizeof(T));
        if (size_ > 0) std::memcpy(larger.get(), blocks_.front(), size_ * sizeof(T));
        blocks_.assign(1, static_cast<T*>(larger.get()));
        rooms_.assign(1, {std::move(larger), next});
        capacity_ = next;
    }

    [[nodiscard]] std::shared_ptr<void> roomFor(std::size_t size) const {
        return storage_ == nullptr ? room(size) : storage_->room(size);
    }

    Storage* storage_;
    std::vector<Room> rooms_;
    std::vector<T*> blocks_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;       ///< of all blocks together
    std::size_t forgotten_ = 0;      ///< rooms that were given back
    std::size_t nextForgotten_ = 0;  ///< the place from which on more is
};

}  // namespace traces::reading
