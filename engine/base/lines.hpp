// SPDX-License-Identifier: BSD-3-Clause
// Text files that are read line by line.
#pragma once

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace engine {

/// Without blanks, tabs and carriage returns at either end. It points into `words`.
constexpr std::string_view trimmed(std::string_view words) {
    const auto first = words.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return words.substr(first, words.find_last_not_of(" \t\r") - first + 1);
}

/// Where a # begins a comment: at the start of a line, or anywhere.
enum class Comments : std::uint8_t { wholeLines, anywhere };

/// Calls take(line, number) for each line that is neither empty nor a comment, trimmed; lines are numbered from 1. An
/// Error of it begins with "FILE:LINE: ".
template <class Take>
void eachLine(std::string_view words, std::string_view file, Comments comments, Take take) {
    std::int64_t number = 0;
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t end = std::min(words.find('\n', at), words.size());
        std::string_view line = words.substr(at, end - at);
        at = end + 1;
        ++number;
        if (comments == Comments::anywhere) line = line.substr(0, line.find('#'));
        line = trimmed(line);
        if (line.empty() || line.front() == '#') continue;
        try {
            take(line, number);
        } catch (const Error& error) {
            throw Error{text(file, ':', number, ": ", error.words())};
        }
    }
}

/// The words of a line, which blanks and tabs separate.
inline std::vector<std::string> wordsOfLine(std::string_view line) {
    std::vector<std::string> words;
    for (std::size_t at = line.find_first_not_of(" \t\r"); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
        words.emplace_back(line.substr(at, end - at));
        at = line.find_first_not_of(" \t\r", end);
    }
    return words;
}

}  // namespace engine
