// SPDX-License-Identifier: BSD-3-Clause
// One thing for each rank, round, block or link: a vector whose places are ids.
#pragma once

#include "engine/base/types.hpp"

#include <cassert>
#include <concepts>
#include <span>
#include <utility>
#include <vector>

namespace engine {

/// The ids 0..count-1, in a loop: for (const Rank rank : Ids<Rank>{ranks}).
template <class Key>
class Ids {
    using Number = decltype(Key::value);

public:
    class Iterator {
    public:
        explicit constexpr Iterator(Key key) : key_{key} {}
        constexpr Key operator*() const { return key_; }
        constexpr Iterator& operator++() {
            ++key_;
            return *this;
        }
        friend constexpr bool operator==(Iterator, Iterator) = default;

    private:
        Key key_;
    };

    /// `count` >= 0.
    explicit constexpr Ids(std::integral auto count) : count_{static_cast<Number>(count)} {}

    [[nodiscard]] constexpr Iterator begin() const { return Iterator{Key{0}}; }
    [[nodiscard]] constexpr Iterator end() const { return Iterator{Key{count_}}; }

private:
    Number count_;
};

/// Only the id of its kind opens it; without NDEBUG one outside stops the program.
template <class Key, class T>
class ById {
public:
    ById() = default;
    /// One for each of `count` >= 0 ids.
    explicit ById(std::integral auto count) : all_(asSize(count)) {}
    ById(std::integral auto count, const T& value) : all_(asSize(count), value) {}
    explicit ById(std::vector<T> all) : all_{std::move(all)} {}

    [[nodiscard]] T& operator[](Key key) {
        assert(key.index() < all_.size());
        return all_[key.index()];
    }
    [[nodiscard]] const T& operator[](Key key) const {
        assert(key.index() < all_.size());
        return all_[key.index()];
    }

    [[nodiscard]] std::size_t size() const { return all_.size(); }
    [[nodiscard]] bool empty() const { return all_.empty(); }
    [[nodiscard]] auto begin() { return all_.begin(); }
    [[nodiscard]] auto end() { return all_.end(); }
    [[nodiscard]] auto begin() const { return all_.begin(); }
    [[nodiscard]] auto end() const { return all_.end(); }
    /// The ids that it has a place for.
    [[nodiscard]] Ids<Key> ids() const { return Ids<Key>{all_.size()}; }

    void resize(std::integral auto count) { all_.resize(asSize(count)); }
    void assign(std::span<const T> values) { all_.assign(values.begin(), values.end()); }
    template <class... Arguments>
    T& emplace_back(Arguments&&... arguments) {
        return all_.emplace_back(std::forward<Arguments>(arguments)...);
    }
    [[nodiscard]] const std::vector<T>& vector() const& { return all_; }
    [[nodiscard]] std::vector<T> vector() && { return std::move(all_); }

    friend bool operator==(const ById&, const ById&) = default;

private:
    std::vector<T> all_;
};

}  // namespace engine
