// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/printable.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace app::cli {
namespace {

/// Bytes of the character that `words` begins with; 0 where they are no UTF-8.
std::size_t lengthOf(std::string_view words) {
    const auto byte = [&](std::size_t i) { return i < words.size() ? static_cast<unsigned char>(words[i]) : 0U; };
    const auto more = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80; };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first < 0xe0) return more(1) ? 2 : 0;
    if (first >= 0xe0 && first < 0xf0) {
        const bool fits = first == 0xe0 ? byte(1) >= 0xa0 : first != 0xed || byte(1) < 0xa0;
        return fits && more(1) && more(2) ? 3 : 0;
    }
    if (first >= 0xf0 && first < 0xf5) {
        const bool fits = first == 0xf0 ? byte(1) >= 0x90 : first != 0xf4 || byte(1) < 0x90;
        return fits && more(1) && more(2) && more(3) ? 4 : 0;
    }
    return 0;
}

void writeOut(std::string& to, unsigned char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    to.append("\\x").append(1, digits[byte >> 4U]).append(1, digits[byte & 15U]);
}

/// Whether the character that `words` begins with turns the direction of what is written, or hides how lines end: text
/// after it does not stand where it seems to.
bool turnsText(std::string_view words) {
    constexpr std::array<std::string_view, 13> turning{"\u061c", "\u200e", "\u200f", "\u2028", "\u2029",
                                                       "\u202a", "\u202b", "\u202c", "\u202d", "\u202e",
                                                       "\u2066", "\u2067", "\u2068"};
    constexpr std::string_view last = "\u2069";
    return words.starts_with(last) ||
           std::ranges::any_of(turning, [&](std::string_view one) { return words.starts_with(one); });
}

/// A colour of ours that `words` begin with, or nothing.
std::string_view colourAt(std::string_view words) {
    for (const std::string_view code : {"\033[0m", "\033[1m", "\033[2m", "\033[31m", "\033[32m"})
        if (words.starts_with(code)) return code;
    return {};
}

}  // namespace

std::string visibly(std::string_view words, bool coloured) {
    std::string shown;
    shown.reserve(words.size());
    while (!words.empty()) {
        const auto first = static_cast<unsigned char>(words[0]);
        const std::string_view colour = coloured ? colourAt(words) : std::string_view{};
        std::size_t length = colour.empty() ? lengthOf(words) : colour.size();
        // U+0080 to U+009F are orders, too.
        const bool order = (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f ||
                           (first == 0xc2 && length == 2 && static_cast<unsigned char>(words[1]) < 0xa0);
        if (colour.empty() && (length == 0 || order || turnsText(words))) {
            length = length == 0 ? 1 : length;
            for (std::size_t i = 0; i < length; ++i) writeOut(shown, static_cast<unsigned char>(words[i]));
        } else {
            shown.append(words.substr(0, length));
        }
        words.remove_prefix(length);
    }
    return shown;
}

std::string visibleName(std::string_view name) {
    std::string shown = visibly(name, false);
    for (std::size_t i = 0; i < shown.size(); ++i)
        if (shown[i] == '\n' || shown[i] == '\t') shown.replace(i, 1, shown[i] == '\n' ? "\\n" : "\\t");
    return shown;
}

VisibleStream::Letter VisibleStream::overflow(Letter next) {
    using Traits = std::char_traits<char>;
    if (Traits::eq_int_type(next, Traits::eof())) return Traits::not_eof(next);
    const char letter = Traits::to_char_type(next);
    return xsputn(&letter, 1) == 1 ? next : Traits::eof();
}

std::streamsize VisibleStream::xsputn(const char* words, std::streamsize count) {
    line_.append(words, static_cast<std::size_t>(count));
    const std::size_t last = line_.rfind('\n');
    if (last != std::string::npos) {
        to_ << visibly(std::string_view{line_}.substr(0, last + 1), coloured_);
        line_.erase(0, last + 1);
    }
    return to_ ? count : 0;
}

int VisibleStream::sync() {
    to_ << visibly(line_, coloured_) << std::flush;
    line_.clear();
    return to_ ? 0 : -1;
}

}  // namespace app::cli
