// SPDX-License-Identifier: BSD-3-Clause
// An algorithm's own knobs: declared once in its file, then offered by the command line, the window and the tests.
#pragma once

#include "engine/base/types.hpp"
#include "engine/cost/model.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// One declared option (`--set name=value`).
struct Option {
    enum class Kind : std::uint8_t { integer, choice, bytes, text };

    std::string name{};
    Kind kind = Kind::integer;
    std::string fallback{};  ///< the value when nothing is set
    std::string meaning{};   ///< one clause for people
    std::vector<std::string>
        choices{};         ///< choice: all values; integer and bytes: words allowed beside numbers ("auto")
    std::string broken{};  ///< the choice that breaks the contract on purpose, to show why; empty: there is none
    std::int64_t low = 1;
    std::int64_t high = std::numeric_limits<std::int32_t>::max();
};

/// The option `exclusive` of scans, which planning makes part of the problem.
inline Option exclusiveOption() {
    return {.name = "exclusive",
            .kind = Option::Kind::choice,
            .fallback = "no",
            .meaning = "whether a rank's own vector is left out of its result",
            .choices = {"no", "yes"}};
}

/// The value that leaves the choice to the algorithm.
inline constexpr std::string_view automatic = "auto";

/// What surrounds a problem and guides what is left to an algorithm.
struct Surroundings {
    Model model{};
    /// The node, or row of a network, on which each rank stands; none where that is not known. May be null: not known.
    std::function<std::vector<std::int32_t>()> nodes{};
    /// For each rank the number of its node, or of its own place, on a way through the network on which those that
    /// follow each other are near. May be null: not known.
    std::function<std::vector<std::int32_t>()> way{};
};

/// Checked values for declared options. Unknown names and bad values are refused when it is made.
class Options {
public:
    Options() = default;
    /// Throws Error (with the nearest name) for a name not declared or a value out of range. `where` names the
    /// algorithm. Values called "auto" are chosen for `around`.
    Options(std::string_view where, const std::vector<Option>& declared,
            const std::map<std::string, std::string>& given, Surroundings around = {});

    /// Value of an integer or bytes option that is a number.
    [[nodiscard]] std::int64_t number(std::string_view name) const;
    [[nodiscard]] const std::string& word(std::string_view name) const;
    [[nodiscard]] bool is(std::string_view name, std::string_view value) const { return word(name) == value; }

    [[nodiscard]] bool isAuto(std::string_view name) const { return is(name, automatic); }
    /// What values called "auto" weigh startups and bytes by.
    [[nodiscard]] const Model& model() const { return around_.model; }
    [[nodiscard]] std::vector<std::int32_t> nodes() const {
        return around_.nodes ? around_.nodes() : std::vector<std::int32_t>{};
    }
    [[nodiscard]] std::vector<std::int32_t> way() const {
        return around_.way ? around_.way() : std::vector<std::int32_t>{};
    }
    [[nodiscard]] const Surroundings& around() const { return around_; }

    /// All options with their values, in the order of declaration.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& all() const { return values_; }
    /// Those that differ from their fallback, as given: what has to be repeated to get the same schedule.
    [[nodiscard]] const std::map<std::string, std::string>& given() const { return given_; }

private:
    std::vector<std::pair<std::string, std::string>> values_;
    std::map<std::string, std::string> given_;
    Surroundings around_;
};

/// What a value called "auto" came to. `option` is the name of the option; where one number does not settle it, a
/// phrase.
struct Choice {
    std::string option;
    std::string value;

    friend bool operator==(const Choice&, const Choice&) = default;
};
using Choices = std::vector<Choice>;

/// "block=4096, groups=4".
std::string toText(const Choices& choices);
/// "block=4096 groups=4".
std::string toText(const std::map<std::string, std::string>& given);

}  // namespace engine
