// SPDX-License-Identifier: BSD-3-Clause
// Messages of Protocol Buffers as they lie in a file: fields with a number each, numbers in bytes of seven bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace traces {

/// One message while it is put together.
class ProtoMessage {
public:
    void clear() { size_ = 0; }
    [[nodiscard]] std::string_view bytes() const { return {bytes_.data(), size_}; }

    /// Of type uint64, int64, uint32, bool or an enumeration.
    void number(int field, std::uint64_t value) {
        varint(tag(field, 0));
        varint(value);
    }
    /// Of type fixed64.
    void fixed(int field, std::uint64_t value) {
        varint(tag(field, 1));
        char* at = room(8);
        for (int byte = 0; byte < 8; ++byte, value >>= 8) *at++ = static_cast<char>(value & 0xff);
        size_ += 8;
    }
    /// Of type string, which must be UTF-8.
    void words(int field, std::string_view value) {
        varint(tag(field, 2));
        varint(value.size());
        std::copy(value.begin(), value.end(), room(value.size()));
        size_ += value.size();
    }
    /// Fields that were put together elsewhere.
    void append(std::string_view fields) {
        std::copy(fields.begin(), fields.end(), room(fields.size()));
        size_ += fields.size();
    }
    /// A message within this one: what is written until close() is its.
    [[nodiscard]] std::size_t open(int field) {
        varint(tag(field, 2));
        *room(1) = 0;  // its length, of one byte where it is short
        return ++size_;
    }
    void close(std::size_t opened) {
        const std::size_t length = size_ - opened;
        if (length < 0x80) {
            bytes_[opened - 1] = static_cast<char>(length);
            return;
        }
        std::size_t more = 0;
        for (std::size_t left = length >> 7; left > 0; left >>= 7) ++more;
        char* const first = room(more) - length;
        std::copy_backward(first, first + length, first + length + more);
        size_ = opened - 1;
        varint(length);
        size_ += length;
    }

private:
    static constexpr std::uint64_t tag(int field, unsigned type) {
        return static_cast<std::uint64_t>(field) << 3 | type;
    }
    void varint(std::uint64_t value) {
        char* const first = room(10);
        char* at = first;
        for (; value >= 0x80; value >>= 7) *at++ = static_cast<char>(value | 0x80);
        *at++ = static_cast<char>(value);
        size_ += static_cast<std::size_t>(at - first);
    }
    /// Where so many bytes more can be written.
    char* room(std::size_t bytes) {
        if (size_ + bytes > bytes_.size()) bytes_.resize(2 * (size_ + bytes));
        return bytes_.data() + size_;
    }

    std::vector<char> bytes_ = std::vector<char>(64);  ///< the first `size_` of them are written
    std::size_t size_ = 0;
};

}  // namespace traces
