// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/json_text.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <charconv>

namespace engine::schedules {
namespace {

constexpr int mostDepth = 64;

void appendUtf8(std::string& words, std::uint32_t code) {
    const auto byte = [&](std::uint32_t value) { words += static_cast<char>(static_cast<unsigned char>(value)); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xC0 | code >> 6);
        byte(0x80 | (code & 0x3F));
    } else {
        byte(0xE0 | code >> 12);
        byte(0x80 | (code >> 6 & 0x3F));
        byte(0x80 | (code & 0x3F));
    }
}

}  // namespace

void JsonText::refuse(std::size_t at, std::string_view words) const {
    const auto line = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    throw Error{text(file_, ':', line, ": ", words)};
}

void JsonText::blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

std::size_t JsonText::here() {
    blanks();
    return at_;
}

void JsonText::open(char bracket, std::string_view what, std::string_view kind) {
    blanks();
    if (at_ == text_.size() || text_[at_] != bracket) refuse(at_, text(what, " must be ", kind));
    if (++depth_ > mostDepth) refuse(at_, text("nested deeper than ", mostDepth, " levels"));
    ++at_;
}

bool JsonText::closes(char bracket) {
    blanks();
    if (at_ == text_.size() || text_[at_] != bracket) return false;
    ++at_;
    --depth_;
    return true;
}

bool JsonText::goesOn(char bracket) {
    if (closes(bracket)) return false;
    take(',', text("',' or '", bracket, '\''));
    return true;
}

void JsonText::take(char c, std::string_view what) {
    blanks();
    if (at_ == text_.size()) refuse(at_, text("the file ends, but ", what, " is missing"));
    if (text_[at_] != c) refuse(at_, text(what, " is missing here"));
    ++at_;
}

std::string_view JsonText::token() {
    blanks();
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:]}[{\"", at_), text_.size());
    return text_.substr(at_, end - at_);
}

std::int64_t JsonText::number(std::string_view what, std::int64_t low, std::int64_t high) {
    const std::string_view words = token();
    std::int64_t value = 0;
    const auto [rest, code] = std::from_chars(words.data(), words.data() + words.size(), value);
    if (words.empty() || code != std::errc{} || rest != words.data() + words.size())
        refuse(at_, text(what, " must be a whole number from ", low, " to ", high));
    if (value < low || value > high) refuse(at_, text(what, " is ", value, ", but must be from ", low, " to ", high));
    at_ += words.size();
    return value;
}

std::uint32_t JsonText::hexadecimal() {
    std::uint32_t code = 0;
    const std::string_view digits = text_.substr(at_, std::min<std::size_t>(4, text_.size() - at_));
    const auto [rest, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() < 4 || failure != std::errc{} || rest != digits.data() + digits.size())
        refuse(at_, "\\u needs four hexadecimal digits");
    at_ += 4;
    return code;
}

void JsonText::appendEscaped(std::string& words) {
    constexpr std::string_view from = "\"\\/bfnrt";
    constexpr std::string_view to = "\"\\/\b\f\n\r\t";
    if (at_ == text_.size()) refuse(at_, "the file ends within a word");
    const char c = text_[at_++];
    if (c == 'u') return appendUtf8(words, hexadecimal());
    const auto place = from.find(c);
    if (place == std::string_view::npos) refuse(at_, text("\\", c, " means nothing"));
    words += to[place];
}

std::string JsonText::word(std::string_view what) {
    blanks();
    if (at_ == text_.size() || text_[at_] != '"') refuse(at_, text(what, " must be a word in quotes"));
    const std::size_t begin = at_++;
    std::string words;
    while (at_ < text_.size() && text_[at_] != '"') {
        const char c = text_[at_++];
        if (static_cast<unsigned char>(c) < 0x20) refuse(begin, text(what, " holds a control character"));
        if (c == '\\') appendEscaped(words);
        else words += c;
    }
    // What is said goes on one line, and marks of fields are control characters.
    std::replace_if(
        words.begin(), words.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    if (at_ == text_.size()) refuse(begin, text(what, " has no end: a quote is missing"));
    ++at_;
    return words;
}

std::string JsonText::scalar(std::string_view what) {
    blanks();
    if (at_ < text_.size() && text_[at_] == '"') return word(what);
    const std::string_view words = token();
    if (words.empty()) refuse(at_, text(what, " must be a word or a number"));
    at_ += words.size();
    return std::string{words};
}

bool JsonText::null() {
    if (token() != "null") return false;
    at_ += 4;
    return true;
}

void JsonText::skip() {
    blanks();
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    if (c == '{') return object("it", [this](std::string_view) { skip(); });
    if (c == '[') return array("it", [this] { skip(); });
    if (c == '"') return (void)word("it");
    const std::string_view words = token();
    double value = 0;
    const auto [rest, code] = std::from_chars(words.data(), words.data() + words.size(), value);
    const bool isNumber = !words.empty() && code == std::errc{} && rest == words.data() + words.size();
    if (!isNumber && words != "null" && words != "true" && words != "false") refuse(at_, "a value is missing here");
    at_ += words.size();
}

void JsonText::end() {
    blanks();
    if (at_ < text_.size()) refuse(at_, "nothing may follow the end of the object");
}

}  // namespace engine::schedules
