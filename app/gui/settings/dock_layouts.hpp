// SPDX-License-Identifier: BSD-3-Clause
// Four ways to set the window, each for one kind of work: where every panel stands, and which are in sight.
#pragma once

#include <QString>

#include <array>
#include <initializer_list>
#include <span>
#include <vector>

namespace app::gui {

enum class Layout : std::uint8_t { learn, inspect, compare, analyse };
inline constexpr std::array layouts{Layout::learn, Layout::inspect, Layout::compare, Layout::analyse};

/// Where the panels of a layout stand. Every panel has its place, also those that are closed at first.
struct Plan {
    /// Panels in one place, one behind the other, by the names of their docks.
    using Stack = std::vector<const char*>;

    std::vector<Stack> left{};  ///< from above
    std::vector<Stack> right{};
    std::vector<Stack> bottom{};  ///< from the left
    Stack closed{};               ///< at first
    Stack front{};                ///< of their stacks
    const char* alone = "";       ///< in front where all stand in one place
    int leftWidth = 300;          ///< pixels
    int rightWidth = 340;
    bool runsAbove = false;  ///< two runs stand above each other, with their networks beside the diagrams
};

const Plan& planOf(Layout layout);
/// As settings and sessions call it: "inspect".
QString name(Layout layout);
/// `inspect` for a word that names none.
Layout layoutNamed(const QString& word);

}  // namespace app::gui
