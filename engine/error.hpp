// SPDX-License-Identifier: BSD-3-Clause
// Two kinds of failure: the user's mistake (Error, a sentence for the user) and our own (Defect, a sentence for us).
#pragma once

#include <stdexcept>
#include <string>

namespace engine {

/// A mistake of the user: one sentence that says what, where, and what would be right. The command line prints it
/// and ends with exit code 2; the window shows it beside the field.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

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
