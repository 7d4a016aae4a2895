// SPDX-License-Identifier: BSD-3-Clause
// The panels around the pictures, and four ways to set the window, each for one kind of work: where every panel stands,
// and which are in sight.
#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace app::gui {

enum class Layout : std::uint8_t { learn, inspect, compare, analyse };
inline constexpr std::array layouts{Layout::learn, Layout::inspect, Layout::compare, Layout::analyse};

/// In the order of the menu.
enum class Dock : std::uint8_t {
    setup,
    lesson,
    task,
    editor,
    explanation,
    details,
    notes,
    blockOwnership,
    bounds,
    charts,
    roundStrip,
    rounds,
    whatIf,
    allAlgorithms,
    callTree,
    iterations,
    analysis,
    replay
};
inline constexpr std::size_t dockCount = static_cast<std::size_t>(Dock::replay) + 1;

enum class DockSide : std::uint8_t { left, right, bottom };
enum class DockSight : std::uint8_t {
    closed,
    open,
    front  ///< of its stack; of two of them, the first tab
};

/// Where a panel stands in one layout.
struct DockPlace {
    DockSide side;
    std::uint8_t stack;  ///< of its side, from above; at the bottom from the left
    std::uint8_t tab;    ///< orders a stack
    DockSight sight;
};

/// Whose name a title has while two runs are compared.
enum class TitleRun : std::uint8_t {
    none,
    first,
    told  ///< that of which something was chosen
};

struct DockRow {
    Dock dock;
    const char* name;   ///< in settings; that of the view, where it shows one
    const char* title;  ///< to be translated
    TitleRun run;
    bool isWide;                                   ///< has longer lines than a form
    std::array<DockPlace, layouts.size()> places;  ///< by layout

    [[nodiscard]] const DockPlace& in(Layout layout) const { return places[static_cast<std::size_t>(layout)]; }
};
using DockRows = std::array<DockRow, dockCount>;
/// By dock. A new row needs a new `dockVersion` (dock_areas.cpp).
const DockRows& dockRows();
const DockRow& rowOf(Dock dock);

/// Where the panels of a layout stand. Every panel has its place, also those that are closed at first.
struct Plan {
    /// Panels in one place, one behind the other.
    using Stack = std::vector<Dock>;

    std::vector<Stack> left{};  ///< from above
    std::vector<Stack> right{};
    std::vector<Stack> bottom{};  ///< from the left
    Stack front{};                ///< of their stacks, in the order in which they are raised
};
Plan planOf(Layout layout);

struct LayoutRow {
    const char* name;           ///< in settings and sessions
    std::optional<Dock> alone;  ///< in front where all stand in one place, if it is open
    int leftWidth;              ///< pixels
    int rightWidth;
    bool runsAbove;  ///< two runs stand above each other, with their networks beside the diagrams
};
const LayoutRow& rowOf(Layout layout);
/// As settings and sessions call it: "inspect".
QString name(Layout layout);
/// `inspect` for a word that names none.
Layout layoutNamed(const QString& word);

}  // namespace app::gui
