// SPDX-License-Identifier: BSD-3-Clause
// Reads json piece by piece, as the reader of a file asks for it: nothing but what is asked for is kept, and every
// complaint names file and line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace engine::schedules {

/// All functions throw Error{"FILE:LINE: ..."}.
class JsonText {
public:
    /// `text` must outlive this. `file` is what complaints call it.
    JsonText(std::string_view text, std::string file) : text_{text}, file_{std::move(file)} {}

    /// Reads an object; `each(key)` must read or skip the value.
    template <class Each>
    void object(std::string_view what, const Each& each) {
        open('{', what, "an object");
        if (closes('}')) return;
        do {
            const std::string key = word("a member's name");
            take(':', "':' behind the name of a member");
            each(std::string_view{key});
        } while (goesOn('}'));
    }
    /// Reads an array; `each()` must read or skip one element.
    template <class Each>
    void array(std::string_view what, const Each& each) {
        open('[', what, "an array");
        if (closes(']')) return;
        do each();
        while (goesOn(']'));
    }
    /// A whole number from `low` to `high`.
    std::int64_t number(std::string_view what, std::int64_t low, std::int64_t high);
    std::string word(std::string_view what);
    /// A number or a word, as text.
    std::string scalar(std::string_view what);
    void skip();
    /// Nothing but blanks may be left.
    void end();

    /// Whether null stands here; it is read then.
    bool null();

    /// The byte that comes next, to complain of later.
    std::size_t here();
    [[noreturn]] void refuse(std::size_t at, std::string_view words) const;

private:
    void blanks();
    void open(char bracket, std::string_view what, std::string_view kind);
    bool closes(char bracket);
    bool goesOn(char bracket);
    void take(char c, std::string_view what);
    std::string_view token();
    void appendEscaped(std::string& words);
    std::uint32_t hexadecimal();

    std::string_view text_;
    std::string file_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace engine::schedules
