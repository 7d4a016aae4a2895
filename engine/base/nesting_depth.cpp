// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/nesting_depth.hpp"

#include <algorithm>
#include <cstddef>

namespace engine {
namespace {

/// Behind the next `end`, or at the end of all.
std::size_t behind(std::string_view words, std::string_view end, std::size_t from) {
    const std::size_t at = words.find(end, from);
    return at == std::string_view::npos ? words.size() : at + end.size();
}

/// Behind the string that begins at `from` with its quotation mark.
std::size_t behindString(std::string_view words, std::size_t from) {
    std::size_t at = from + 1;
    while (at < words.size() && words[at] != '"') at += words[at] == '\\' ? 2 : 1;
    return std::min(at + 1, words.size());
}

/// Behind the tag that begins at `from`; `open` says whether it opens an element, `quotes` inside of it may hold ">".
std::size_t behindTag(std::string_view words, std::size_t from, bool& open) {
    std::size_t at = from;
    while (at < words.size() && words[at] != '>') {
        const bool quote = words[at] == '"' || words[at] == '\'';
        at = quote ? behind(words, words.substr(at, 1), at + 1) : at + 1;
    }
    open = at < words.size() && words[at - 1] != '/';
    return std::min(at + 1, words.size());
}

/// Behind "<!...>", which may hold other brackets in brackets of its own.
std::size_t behindDeclaration(std::string_view words, std::size_t from) {
    int brackets = 0;
    for (std::size_t at = from; at < words.size(); ++at) {
        if (words[at] == '[') ++brackets;
        if (words[at] == ']') --brackets;
        if (words[at] == '>' && brackets <= 0) return at + 1;
    }
    return words.size();
}

}  // namespace

int nestingOfDot(std::string_view words) {
    int depth = 0;
    int most = 0;
    int html = 0;          // levels of angle brackets
    bool comment = false;  // perhaps, until the end of the line
    for (std::size_t at = 0; at < words.size();) {
        const char c = words[at];
        if (html == 0 && !comment) {
            if (c == '"') {
                at = behindString(words, at);
                continue;
            }
            if (words.substr(at, 2) == "/*") {
                at = behind(words, "*/", at + 2);
                continue;
            }
            if (words.substr(at, 2) == "//") {
                at = behind(words, "\n", at);
                continue;
            }
        }
        if (c == '\n') comment = false;
        if (c == '#' && html == 0) comment = true;
        if (c == '<') ++html;
        if (c == '>' && html > 0) --html;
        if (c == '{') most = std::max(most, ++depth);
        if (c == '}' && html == 0 && !comment) --depth;
        ++at;
    }
    return most;
}

int nestingOfXml(std::string_view words) {
    int depth = 0;
    int most = 0;
    for (std::size_t at = words.find('<'); at < words.size(); at = words.find('<', at)) {
        const std::string_view tag = words.substr(at);
        if (tag.starts_with("<!--")) at = behind(words, "-->", at + 4);
        else if (tag.starts_with("<![CDATA[")) at = behind(words, "]]>", at + 9);
        else if (tag.starts_with("<?")) at = behind(words, "?>", at + 2);
        else if (tag.starts_with("<!")) at = behindDeclaration(words, at);
        else if (tag.starts_with("</")) --depth, at += 2;
        else {
            bool opens = false;
            at = behindTag(words, at, opens);
            most = std::max(most, depth + 1);
            if (opens) ++depth;
        }
    }
    return most;
}

}  // namespace engine
