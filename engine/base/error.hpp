// SPDX-License-Identifier: BSD-3-Clause
// Two kinds of failure: the user's mistake (Error, a sentence for the user) and our own (Defect, a sentence for us).
#pragma once

#include "engine/base/option_placeholders.hpp"

#include <stdexcept>
#include <string>

namespace engine {

/// A mistake of the user: one sentence that says what, where, and what would be right, with marks for the fields that
/// it is about (field.hpp). The command line prints it with its flags and ends with exit code 2; the window shows it,
/// with its labels, beside the first of these fields.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& words) : std::runtime_error{plain(words)}, words_{words} {}
    /// About a field that the sentence does not name.
    Error(Field about, const std::string& words);

    /// The sentence with its marks; what() has keys in their place.
    [[nodiscard]] const std::string& words() const { return words_; }

private:
    std::string words_;
};

/// An algorithm of a user's file that fails for a problem it does not refuse: such a problem is neither refused nor
/// passed over, for it is the file that is wrong.
class Faulty : public Error {
public:
    using Error::Error;
};

/// The sentence of any failure, with its marks where it has some.
std::string wordsOf(const std::exception& failure);

/// The user (or a closing window) asked a long work to stop; nothing is wrong.
class Cancelled : public std::runtime_error {
public:
    Cancelled() : std::runtime_error{"cancelled"} {}
};

/// A mistake of this program.
class Defect : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

}  // namespace engine

/// States what must hold if our code is right; throws Defect with the place and the reason otherwise.
#define ENSURE(condition, reason)                                                                           \
    do {                                                                                                    \
        if (!(condition))                                                                                   \
            throw ::engine::Defect{std::string{__FILE__ ":"} + std::to_string(__LINE__) + ": " + (reason)}; \
    } while (false)
