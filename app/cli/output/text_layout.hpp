// SPDX-License-Identifier: BSD-3-Clause
// Text for people: aligned tables, colour, wrapped paragraphs, counts with separators.
#pragma once

#include "app/analysis/format/cell_format.hpp"

#include <charconv>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app::cli {

/// No line of text for people is longer.
inline constexpr std::size_t lineWidth = 100;

enum class Tone : std::uint8_t { plain, strong, faint, good, bad };

/// Colours words for a terminal, or leaves them as they are.
class Paint {
public:
    explicit Paint(bool on = false) : on_{on} {}
    [[nodiscard]] std::string operator()(Tone tone, std::string_view words) const;

private:
    bool on_;
};

enum class Align : std::uint8_t { left, right };

/// Columns as wide as their widest cell, two spaces apart. A last column on the left is wrapped or cut at lineWidth.
class Table {
public:
    enum class Long : std::uint8_t { wrap, cut };

    explicit Table(std::vector<Align> columns, std::size_t indent = 0, Long last = Long::wrap);
    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    void write(std::ostream& out) const;

private:
    void writeRow(std::ostream& out, const std::vector<std::string>& row, const std::vector<std::size_t>& widths) const;

    std::vector<Align> columns_;
    std::size_t indent_;
    Long long_;
    std::vector<std::vector<std::string>> rows_;
};

/// The number that `words` are, to their last character; nothing where they are none.
template <class Number>
std::optional<Number> numberFrom(std::string_view words) {
    Number number{};
    const auto [end, fault] = std::from_chars(words.data(), words.data() + words.size(), number);
    return fault == std::errc{} && end == words.data() + words.size() ? std::optional{number} : std::nullopt;
}

/// Characters that `words` take on a terminal.
std::size_t displayWidth(std::string_view words);

/// `words` cut to `width` characters, the last three of them "..." where something was cut.
std::string fitted(std::string_view words, std::size_t width);

/// Lines of at most `width` characters, broken at spaces; longer words stand alone.
std::vector<std::string> wrapped(std::string_view words, std::size_t width);

/// Words as text of an html page.
std::string escaped(std::string_view words);

/// The sentence with the flags of its fields (engine/base/option_placeholders.hpp): "--size: ...".
std::string spoken(std::string_view sentence);

}  // namespace app::cli
