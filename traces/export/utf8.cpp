// SPDX-License-Identifier: BSD-3-Clause
#include "traces/export/utf8.hpp"

#include <cstddef>
#include <cstdint>

namespace traces {
namespace {

std::uint8_t byteOf(std::string_view words, std::size_t i) { return static_cast<std::uint8_t>(words[i]); }

/// The bytes of the character that begins at `at`; 0 where none does: neither a part of one, nor one in more bytes than
/// it needs, nor half of a pair.
std::size_t characterAt(std::string_view words, std::size_t at) {
    const std::uint8_t first = byteOf(words, at);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : 4;
    if (first < 0xc2 || first > 0xf4 || at + length > words.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byteOf(words, at + i) & 0xc0) != 0x80) return 0;
    const std::uint8_t second = byteOf(words, at + 1);
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) || (first == 0xf0 && second < 0x90) ||
        (first == 0xf4 && second >= 0x90))
        return 0;
    return length;
}

}  // namespace

std::string validUtf8(std::string_view words) {
    std::string valid;
    valid.reserve(words.size());
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t length = characterAt(words, at);
        if (length == 0) valid += "\xef\xbf\xbd", ++at;
        else valid += words.substr(at, length), at += length;
    }
    return valid;
}

}  // namespace traces
