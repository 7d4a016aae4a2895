// SPDX-License-Identifier: BSD-3-Clause
// The coordinates of the runs of a sweep by their names, and the runs among them that others are held to.
#pragma once

#include "app/cli/sweep/sweep_table.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace app::cli {

/// A coordinate or option, and its value in words.
using Named = std::pair<std::string, std::string>;

/// The coordinates with their names, every option as one of its own, numbers first.
std::vector<Named> named(const SweepRow& row);
/// Empty where there is none of that name.
std::string valueOf(const std::vector<Named>& coordinates, const std::string& name);
/// The coordinate that a letter of the flags stands for.
std::string coordinateOf(const std::string& name);
/// A number or a size, if the words are one.
std::optional<double> numberIn(const std::string& words);

/// The runs that others are held to.
class Baseline {
public:
    /// `words`: "ID", "KEY=VALUE" or "ID:KEY=VALUE", or nothing. Throws Error when none of `rows` is meant.
    Baseline(const std::string& words, const std::vector<std::vector<Named>>& rows);

    [[nodiscard]] bool has(std::size_t row) const { return members_.contains(row); }
    [[nodiscard]] bool speaksOf(const std::string& name) const { return wanted_.contains(name); }
    /// The run that this one is held to; nothing where there is none. Throws Error where there are several.
    [[nodiscard]] std::optional<std::size_t> of(const std::vector<Named>& row) const;

private:
    [[nodiscard]] bool matches(const std::vector<Named>& row) const;
    [[nodiscard]] std::vector<Named> restOf(const std::vector<Named>& row) const;

    std::string words_;
    std::map<std::string, std::string> wanted_;
    bool anyOptions_ = false;  ///< whoever is held to them may have options that they have not
    std::map<std::size_t, std::vector<Named>> members_;
};

}  // namespace app::cli
