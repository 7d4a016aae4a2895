// SPDX-License-Identifier: BSD-3-Clause
// Messages of Protocol Buffers as they lie in a file: fields with a number each, numbers in bytes of seven bits.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace traces {

/// One message while it is put together.
class ProtoMessage {
public:
    void clear() { bytes_.clear(); }
    [[nodiscard]] std::string_view bytes() const { return bytes_; }

    /// Of type uint64, int64, uint32, bool or an enumeration.
    void number(int field, std::uint64_t value) {
        varint(tag(field, 0));
        varint(value);
    }
    /// Of type fixed64.
    void fixed(int field, std::uint64_t value) {
        varint(tag(field, 1));
        std::array<char, 8> lowFirst{};
        for (char& byte : lowFirst) byte = static_cast<char>(value & 0xff), value >>= 8;
        bytes_.append(lowFirst.data(), lowFirst.size());
    }
    /// Of type string, which must be UTF-8, or a message within this one.
    void words(int field, std::string_view value) {
        varint(tag(field, 2));
        varint(value.size());
        bytes_.append(value);
    }
    void message(int field, const ProtoMessage& inner) { words(field, inner.bytes()); }

private:
    static constexpr std::uint64_t tag(int field, unsigned type) {
        return static_cast<std::uint64_t>(field) << 3 | type;
    }
    void varint(std::uint64_t value) {
        std::array<char, 10> digits{};
        std::size_t count = 0;
        for (; value >= 0x80; value >>= 7) digits[count++] = static_cast<char>(value | 0x80);
        digits[count++] = static_cast<char>(value);
        bytes_.append(digits.data(), count);
    }

    std::string bytes_;
};

}  // namespace traces
