// SPDX-License-Identifier: BSD-3-Clause
// A sequence that grows without moving, once it is large, and gives its memory back at once: what one location
// recorded, until it has become columns.
#pragma once

#include "engine/base/error.hpp"
#include "traces/storage/storage.hpp"

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
    /// Rooms of `storage`, which must live as long as the sequence; without it all is in memory.
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
    /// Adds `count` values, whose bytes may lie anywhere.
    void append(const void* values, std::size_t count) {
        for (const char* from = static_cast<const char*>(values); count > 0;) {
            if (size_ == capacity_) grow();
            const std::size_t some = std::min({count, capacity_ - size_, mask + 1 - (size_ & mask)});
            std::memcpy(static_cast<void*>(&blocks_[size_ >> shift][size_ & mask]), from, some * sizeof(T));
            size_ += some, from += some * sizeof(T), count -= some;
        }
    }

    /// They will not be looked at soon: what lies in files need not be in memory.
    void setAside() const {
        if (storage_ == nullptr || !storage_->spilt()) return;
        if (capacity_ > many)
            for (std::size_t i = 0; i < size_; i += mask + 1)
                reading::setAside(blocks_[i >> shift], std::min(bytes, (size_ - i) * sizeof(T)));
    }

    /// Of a sequence that is fit: values before place `i`, which rises, will not be looked at any more: rooms that hold
    /// nothing else are given back, and of the next one what no other value lies in.
    void forgetBefore(std::size_t i) {
        ENSURE(!isStaged(), "a sequence forgets before it is whole");
        if (i < nextForgotten_) return;
        nextForgotten_ = i + (mask + 1) / 2;
        for (; forgotten_ < rooms_.size() && rooms_[forgotten_].end <= i; ++forgotten_)
            rooms_[forgotten_].place = GrowingRoom{};
        if (forgotten_ == rooms_.size() || i >= size_) return;
        char* const begin = static_cast<char*>(rooms_[forgotten_].place.place());
        discard(begin, static_cast<std::size_t>(reinterpret_cast<char*>(&(*this)[i]) - begin));
    }

    /// Nothing more will come: gives room back that has no value.
    void fit() {
        if (isStaged()) {
            leaveStaged();
            staged_ = GrowingRoom{};
        } else if (size_ > 0 && size_ < capacity_) {
            rooms_.back().place.cut((size_ - beginOfLast()) * sizeof(T));
            // A small one may be at another place then.
            const std::size_t before = beginOfLast() >> shift;
            blocks_.resize(before);
            addBlocks(((size_ + mask) >> shift) - before);
        }
        if (size_ > 0) rooms_.back().end = capacity_ = size_;
    }

    void clear() {
        blocks_.clear();
        rooms_.clear();
        staged_ = GrowingRoom{};
        size_ = capacity_ = forgotten_ = nextForgotten_ = 0;
    }

private:
    static constexpr std::size_t few = 64;
    static constexpr std::size_t many = 4096;
    static constexpr std::size_t shift = 15;
    static constexpr std::size_t mask = (std::size_t{1} << shift) - 1;
    static constexpr std::size_t bytes = sizeof(T) << shift;
    static constexpr std::size_t mostAtOnce = 8;

    /// Of one or several blocks.
    struct Room {
        GrowingRoom place;
        std::size_t end = 0;  ///< of the values that have a place up to and in it
    };

    void grow() {
        if (isStaged()) leaveStaged();
        if (capacity_ < few) growFirst(few);
        else if (capacity_ < many) growFirst(8 * capacity_);
        else if (capacity_ == many) growFirst(blocksAtOnce() << shift);
        else if (capacity_ == rooms_.back().end) addRoom();
        if (capacity_ > many && rooms_.back().place.spilt()) stage();
        else staged_ = GrowingRoom{};
    }

    void addRoom() {
        ENSURE((capacity_ & mask) == 0, "a sequence was told that nothing more would come");
        const std::size_t more = storage_ != nullptr && storage_->spilt()
                                     ? std::clamp<std::size_t>(blocks_.size() / 2, 1, mostAtOnce)
                                     : blocksAtOnce();
        rooms_.push_back({GrowingRoom{storage_}, capacity_ + (more << shift)});
        rooms_.back().place.grow(more * bytes);
        capacity_ = rooms_.back().end;
        addBlocks(more);
    }

    /// Values of a room in a file are put together beside it, block by block.
    void stage() {
        const std::size_t first = size_ & ~mask;
        if (!isStaged()) staged_.grow(bytes);
        if (first < size_) std::memcpy(staged_.place(), blocks_[first >> shift], (size_ - first) * sizeof(T));
        blocks_.resize(first >> shift);
        blocks_.push_back(static_cast<T*>(staged_.place()));
        capacity_ = first + mask + 1;
    }
    void leaveStaged() {
        const std::size_t first = (size_ - 1) & ~mask;
        const Room& last = rooms_.back();
        last.place.write((first - beginOfLast()) * sizeof(T), staged_.place(), (size_ - first) * sizeof(T));
        blocks_.back() = static_cast<T*>(last.place.place()) + (first - beginOfLast());
    }

    [[nodiscard]] bool isStaged() const { return staged_.place() != nullptr; }

    /// The first value of the last room.
    [[nodiscard]] std::size_t beginOfLast() const { return rooms_.size() == 1 ? 0 : rooms_[rooms_.size() - 2].end; }

    /// Thousands of locations may hold a few each: the first room is as large as it must be, until it has complete
    /// blocks.
    void growFirst(std::size_t next) {
        if (rooms_.empty()) rooms_.push_back({GrowingRoom{storage_}, 0});
        rooms_.front().place.grow(next * sizeof(T));
        rooms_.front().end = capacity_ = next;
        blocks_.clear();
        addBlocks(std::max<std::size_t>(1, next >> shift));
    }

    /// Those of the last room.
    void addBlocks(std::size_t count) {
        auto* const place = static_cast<T*>(rooms_.back().place.place());
        for (std::size_t i = 0; i < count; ++i) blocks_.push_back(place + (i << shift));
    }

    /// Several, where that is little of what there is: those have large pages, and `fit` gives back what is too much.
    [[nodiscard]] std::size_t blocksAtOnce() const {
        if (storage_ == nullptr) return mostAtOnce;
        return std::clamp<std::size_t>(static_cast<std::size_t>(storage_->sensibleStep() / bytes), 1, mostAtOnce);
    }

    Storage* storage_;
    std::vector<Room> rooms_;
    std::vector<T*> blocks_;
    GrowingRoom staged_;  ///< of the block that is written at present, where it will lie in a file
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;       ///< of all blocks together
    std::size_t forgotten_ = 0;      ///< rooms that were given back
    std::size_t nextForgotten_ = 0;  ///< the place from which on more is
};

}  // namespace traces::reading
