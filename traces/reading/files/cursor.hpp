// SPDX-License-Identifier: BSD-3-Clause
// The numbers of OTF2 files: https://perftools.pages.jsc.fz-juelich.de/cicd/otf2, library version 3.0.2.
//
//   full        as many bytes as the type has
//   compressed  a byte that counts the bytes that follow: 0 = the value 0, 255 = all bits set ("undefined")
//   string      bytes up to a zero
//   length      a byte, or 255 and eight bytes
//
// A chunk says whether its numbers have the lowest byte first. Nothing is ever read beyond `end`: what does not fit is
// 0 and leaves the reader `broken`.
#pragma once

#include "engine/base/types.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace traces::reading {

/// Cursor that a buffer must have beyond its content: compressed numbers are fetched as eight bytes at once.
constexpr std::size_t padding = 16;

static_assert(std::endian::native == std::endian::little, "numbers are fetched as this machine keeps them");

class Cursor {
public:
    Cursor() = default;
    /// `padding` readable bytes lie behind `content`.
    Cursor(std::span<const std::uint8_t> content, bool bigEndian)
        : at_{content.data()}, end_{content.data() + content.size()}, big_{bigEndian} {}

    [[nodiscard]] bool broken() const { return broken_; }
    /// What was read cannot be right.
    void spoil() { broken_ = true; }
    [[nodiscard]] bool atEnd() const { return at_ >= end_; }
    [[nodiscard]] std::size_t left() const { return engine::asSize(end_ - at_); }
    [[nodiscard]] const std::uint8_t* at() const { return at_; }

    std::uint8_t byte() {
        if (at_ >= end_) return fail<std::uint8_t>();
        return *at_++;
    }

    std::uint64_t full64() {
        if (left() < 8) return fail<std::uint64_t>();
        const std::uint64_t value = fetch();
        at_ += 8;
        return big_ ? __builtin_bswap64(value) : value;
    }
    std::uint32_t full32() {
        if (left() < 4) return fail<std::uint32_t>();
        std::uint32_t value = 0;
        std::memcpy(&value, at_, 4);
        at_ += 4;
        return big_ ? __builtin_bswap32(value) : value;
    }
    double fullDouble() { return std::bit_cast<double>(full64()); }

    std::uint64_t number64() { return number(8); }
    std::uint32_t number32() { return static_cast<std::uint32_t>(number(4)); }
    std::int64_t signed64() { return static_cast<std::int64_t>(number64()); }

    std::string_view string() {
        const void* zero = left() == 0 ? nullptr : std::memchr(at_, 0, left());
        if (zero == nullptr) return fail<std::string_view>();
        const std::string_view words{reinterpret_cast<const char*>(at_),
                                     engine::asSize(static_cast<const std::uint8_t*>(zero) - at_)};
        at_ += words.size() + 1;
        return words;
    }

    /// The record that begins here with its length; `this` is behind it afterwards.
    Cursor record() {
        std::uint64_t length = byte();
        if (length == 255) length = full64();
        if (length > left()) return fail<Cursor>();
        Cursor content{{at_, engine::asSize(length)}, big_};
        content.broken_ = broken_;
        at_ += length;
        return content;
    }

private:
    template <class T>
    T fail() {
        broken_ = true;
        at_ = end_;
        return {};
    }

    [[nodiscard]] std::uint64_t fetch() const {
        std::uint64_t value = 0;
        std::memcpy(&value, at_, 8);
        return value;
    }

    std::uint64_t number(unsigned most) {
        if (at_ >= end_) return fail<std::uint64_t>();
        const unsigned size = *at_++;
        if (size == 0) return 0;
        if (size == 255) return ~std::uint64_t{0};
        if (size > most || size > left()) return fail<std::uint64_t>();
        std::uint64_t value = fetch();
        if (big_) value = __builtin_bswap64(value) >> (64 - 8 * size);
        else if (size < 8) value &= (std::uint64_t{1} << (8 * size)) - 1;
        at_ += size;
        return value;
    }

    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    bool big_ = false;
    bool broken_ = false;
};

}  // namespace traces::reading
