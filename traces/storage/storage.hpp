// SPDX-License-Identifier: BSD-3-Clause
// Room for what a trace holds: in memory up to a budget, beyond it in files that nobody else sees and that are gone
// with their last user. Their pages are given back before they take more memory than that.
#pragma once

#include "traces/storage/column.hpp"
#include "traces/storage/resident_pages.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

namespace traces::reading {

class Storage {
public:
    /// `budget`: bytes that the program may hold at one time; three eighths of it are for large rooms in memory, the
    /// rest is for what comes of them and for what is looked at in files. `folder`: where files are made; it must have
    /// room for them. Empty: that of the cache, or the system's for temporary files where there is none. `taken`: what
    /// another Storage of this budget may hold of the three eighths.
    Storage(std::uint64_t budget, std::filesystem::path folder, std::uint64_t taken = 0);

    /// Memory that is not cleared first; may outlive the Storage. Throws bad_alloc, or Error when `folder` cannot take
    /// it.
    std::shared_ptr<void> room(std::size_t bytes);

    /// Whether some room lies in a file.
    [[nodiscard]] bool spilt() const { return spilt_; }
    /// As much as one of many may take at once: a small part of what there is for all.
    [[nodiscard]] std::uint64_t sensibleStep() const { return inMemory_ / 64; }

private:
    friend class GrowingRoom;
    /// What large rooms in memory take at present; outlives the Storage with the last of them.
    using Used = std::shared_ptr<std::atomic<std::uint64_t>>;

    /// Whether `bytes` more stay within the budget; they count from then on.
    bool take(std::uint64_t bytes);
    /// A file without a name; throws Error.
    int makeFile();
    /// Takes its blocks at once: a full disk must not end the program later. Throws Error.
    void fill(int file, std::size_t bytes) const;
    [[noreturn]] void refuse(int reason) const;

    std::uint64_t inMemory_;
    std::filesystem::path folder_;
    std::shared_ptr<Residence> residence_;  ///< outlives the Storage with the last room in a file
    Used used_ = std::make_shared<std::atomic<std::uint64_t>>(0);
    std::atomic<bool> spilt_{false};
};

/// Memory that becomes larger without being copied, except once when it is no longer small, and once when it goes
/// beyond the budget and into a file.
class GrowingRoom {
public:
    /// Without a Storage there is no budget. It must live as long as the room does.
    explicit GrowingRoom(Storage* storage = nullptr) : storage_{storage} {}
    GrowingRoom(GrowingRoom&& other) noexcept;
    GrowingRoom& operator=(GrowingRoom&& other) noexcept;
    ~GrowingRoom();

    [[nodiscard]] void* place() const { return place_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// Whether it lies in a file.
    [[nodiscard]] bool spilt() const { return file_ >= 0; }
    /// Writes into the file that it lies in, in which all `count` bytes from `at` on have room: pages that nobody has
    /// written yet are brought in one by one otherwise. Throws Error.
    void write(std::size_t at, const void* from, std::size_t count) const;

    /// Half as large again, at least; what was written stays, maybe at another place. Throws bad_alloc or Error.
    void grow();
    /// The same to `bytes`, which are more than it has.
    void grow(std::size_t bytes);

    /// Gives back what is in memory behind the first `bytes`; of 0 and of what is in a file, nothing.
    void cut(std::size_t bytes);

    /// Gives the room away, cut to `bytes`.
    std::shared_ptr<void> release(std::size_t bytes);

private:
    void growInMemory(std::size_t next);
    void growInFile(std::size_t next);
    void moveToFile(std::size_t next);

    Storage* storage_;
    void* place_ = nullptr;
    std::size_t bytes_ = 0;
    bool mapped_ = false;   ///< from the system, not from the heap
    bool counted_ = false;  ///< in the budget
    int file_ = -1;
};

/// The first `count` values of a room; nothing is left there.
template <class T>
Column<T> columnOf(GrowingRoom& room, std::size_t count) {
    if (count == 0) return {};
    std::shared_ptr<void> place = room.release(count * sizeof(T));
    const std::span<const T> values{static_cast<const T*>(place.get()), count};
    return {std::move(place), values};
}

/// A column while it grows.
template <class T>
class Growing {
public:
    explicit Growing(Storage* storage = nullptr) : room_{storage} {}
    Growing(Growing&& other) noexcept : room_{std::move(other.room_)}, size_{std::exchange(other.size_, 0)} {}
    Growing& operator=(Growing&& other) noexcept {
        std::swap(room_, other.room_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Growing() = default;

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    T& operator[](std::size_t i) { return begin()[i]; }
    const T& operator[](std::size_t i) const { return begin()[i]; }
    T& back() { return (*this)[size_ - 1]; }
    T* begin() { return static_cast<T*>(room_.place()); }
    T* end() { return begin() + size_; }
    const T* begin() const { return static_cast<const T*>(room_.place()); }
    const T* end() const { return begin() + size_; }
    [[nodiscard]] std::span<const T> span() const { return {begin(), size_}; }

    void push_back(const T& value) {
        if ((size_ + 1) * sizeof(T) > room_.bytes()) room_.grow();
        (*this)[size_++] = value;
    }
    /// Adds `count` values, whose bytes may lie anywhere.
    void append(const void* values, std::size_t count) {
        if (count == 0) return;
        while ((size_ + count) * sizeof(T) > room_.bytes()) room_.grow();
        if (room_.spilt()) room_.write(size_ * sizeof(T), values, count * sizeof(T));
        else std::memcpy(static_cast<void*>(end()), values, count * sizeof(T));
        size_ += count;
    }

    /// Nothing more will come for now: gives room back that has no value.
    void fit() { room_.cut(size_ * sizeof(T)); }

    /// The finished column; nothing is left here.
    Column<T> column() { return columnOf<T>(room_, std::exchange(size_, 0)); }

private:
    GrowingRoom room_;
    std::size_t size_ = 0;
};

/// The same without a budget.
std::shared_ptr<void> room(std::size_t bytes);

/// Gives back the large pages that lie wholly within these bytes, which a room has and nobody reads any more.
void discard(void* place, std::size_t bytes);

/// Asks the system to write pages out that will not be needed soon; what was written stays.
void setAside(void* place, std::size_t bytes);

/// The same for whole pages within `values`.
template <class T>
void setAside(std::span<T> values) {
    constexpr std::uintptr_t page = 4096;
    const auto begin = (reinterpret_cast<std::uintptr_t>(values.data()) + page - 1) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(values.data() + values.size()) / page * page;
    if (begin < end) setAside(reinterpret_cast<void*>(begin), end - begin);
}

/// A column of `count` values to be written through the span before anyone reads it.
template <class T>
std::pair<Column<T>, std::span<T>> makeColumn(std::size_t count, Storage* storage = nullptr) {
    if (count == 0) return {};
    std::shared_ptr<void> place = storage == nullptr ? room(count * sizeof(T)) : storage->room(count * sizeof(T));
    const std::span<T> values{static_cast<T*>(place.get()), count};
    return {Column<T>{std::move(place), values}, values};
}

/// A column that is written piece by piece before anyone reads it: by `values`, or, where it lies in a file, by
/// `write`.
template <class T>
class WrittenColumn {
public:
    WrittenColumn() = default;
    WrittenColumn(std::size_t count, Storage* storage) : count_{count}, room_{storage} {
        if (count > 0) room_.grow(count * sizeof(T));
    }

    [[nodiscard]] std::span<T> values() const { return {static_cast<T*>(room_.place()), count_}; }
    [[nodiscard]] bool spilt() const { return room_.spilt(); }
    /// Those from place `first` on. Throws Error.
    void write(std::size_t first, std::span<const T> some) const {
        if (spilt()) room_.write(first * sizeof(T), some.data(), some.size_bytes());
        else std::copy(some.begin(), some.end(), values().begin() + static_cast<std::ptrdiff_t>(first));
    }
    /// All of them; nothing is left here.
    Column<T> column() { return columnOf<T>(room_, std::exchange(count_, 0)); }

private:
    std::size_t count_ = 0;
    GrowingRoom room_;
};

/// As many values as it was made for, not set, which may change for as long as it lives.
template <class T>
class Values {
public:
    Values() = default;
    explicit Values(std::size_t count, Storage* storage = nullptr) {
        auto [column, values] = makeColumn<T>(count, storage);
        keeper_ = std::move(column);
        values_ = values;
    }

    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] bool empty() const { return values_.empty(); }
    T& operator[](std::size_t i) { return values_[i]; }
    const T& operator[](std::size_t i) const { return values_[i]; }
    T* begin() { return values_.data(); }
    T* end() { return begin() + size(); }
    const T* begin() const { return values_.data(); }
    const T* end() const { return begin() + size(); }

private:
    Column<T> keeper_;
    std::span<T> values_;
};

}  // namespace traces::reading
