// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/settings/dock_layouts.hpp"

#include <QtGlobal>

#include <algorithm>
#include <iterator>

namespace app::gui {
namespace {

// clang-format off
constexpr DockRows allDocks = [] {
    using enum DockSide;
    using enum DockSight;
    return DockRows{{  // places to learn, to inspect, to compare, to analyse
        {Dock::setup, "setup", QT_TRANSLATE_NOOP("app::gui::Contents", "Set-up"), TitleRun::none, false,
         {{{left, 0, 4, closed}, {left, 0, 3, closed}, {left, 0, 3, closed}, {left, 0, 3, closed}}}},
        {Dock::lesson, "lesson", QT_TRANSLATE_NOOP("app::gui::Contents", "Lesson"), TitleRun::none, false,
         {{{left, 0, 0, front}, {left, 0, 4, closed}, {left, 0, 4, closed}, {left, 0, 4, closed}}}},
        {Dock::task, "task", QT_TRANSLATE_NOOP("app::gui::Contents", "Task"), TitleRun::none, false,
         {{{right, 0, 3, closed}, {left, 1, 1, closed}, {right, 0, 1, closed}, {right, 0, 4, closed}}}},
        {Dock::editor, "editor", QT_TRANSLATE_NOOP("app::gui::Contents", "Editor"), TitleRun::none, true,
         {{{left, 1, 0, closed}, {left, 0, 5, closed}, {left, 0, 5, closed}, {left, 0, 5, closed}}}},
        {Dock::explanation, "explanation", QT_TRANSLATE_NOOP("app::gui::Contents", "Explanation"), TitleRun::told, false,
         {{{left, 0, 1, front}, {left, 0, 0, front}, {left, 0, 0, closed}, {left, 0, 0, closed}}}},
        {Dock::details, "details", QT_TRANSLATE_NOOP("app::gui::Contents", "Details"), TitleRun::told, false,
         {{{left, 0, 2, closed}, {left, 0, 1, open}, {left, 0, 1, closed}, {left, 0, 1, front}}}},
        {Dock::notes, "notes", QT_TRANSLATE_NOOP("app::gui::Contents", "Notes"), TitleRun::none, false,
         {{{left, 0, 3, closed}, {left, 0, 2, closed}, {left, 0, 2, closed}, {left, 0, 2, closed}}}},
        {Dock::blockOwnership, "holdings", QT_TRANSLATE_NOOP("app::gui::Contents", "Block ownership"), TitleRun::first, false,
         {{{right, 0, 0, front}, {left, 1, 0, front}, {right, 0, 0, closed}, {right, 0, 0, closed}}}},
        {Dock::bounds, "bounds", QT_TRANSLATE_NOOP("app::gui::Contents", "Bounds"), TitleRun::first, false,
         {{{right, 0, 1, closed}, {right, 1, 0, front}, {right, 1, 2, closed}, {right, 0, 2, closed}}}},
        {Dock::charts, "charts", QT_TRANSLATE_NOOP("app::gui::Contents", "Charts"), TitleRun::first, false,
         {{{right, 0, 2, closed}, {right, 1, 1, open}, {right, 1, 3, closed}, {bottom, 0, 1, front}}}},
        {Dock::roundStrip, "strip", QT_TRANSLATE_NOOP("app::gui::Contents", "Round by round"), TitleRun::first, false,
         {{{right, 1, 0, front}, {right, 0, 0, front}, {right, 1, 0, closed}, {right, 0, 1, closed}}}},
        {Dock::rounds, "rounds", QT_TRANSLATE_NOOP("app::gui::Contents", "Rounds"), TitleRun::first, false,
         {{{right, 1, 1, closed}, {right, 0, 1, open}, {right, 1, 1, closed}, {bottom, 0, 2, open}}}},
        {Dock::whatIf, "sliders", QT_TRANSLATE_NOOP("app::gui::Contents", "What-if analysis"), TitleRun::first, false,
         {{{right, 1, 2, closed}, {right, 1, 2, open}, {right, 1, 4, closed}, {right, 0, 3, closed}}}},
        {Dock::allAlgorithms, "multiples", QT_TRANSLATE_NOOP("app::gui::Contents", "All algorithms"), TitleRun::none, false,
         {{{bottom, 1, 2, closed}, {bottom, 1, 2, closed}, {bottom, 1, 2, closed}, {bottom, 1, 2, closed}}}},
        {Dock::callTree, "where", QT_TRANSLATE_NOOP("app::gui::Contents", "Call tree"), TitleRun::first, false,
         {{{bottom, 0, 0, closed}, {bottom, 0, 0, closed}, {bottom, 0, 0, closed}, {bottom, 0, 0, closed}}}},
        {Dock::iterations, "when", QT_TRANSLATE_NOOP("app::gui::Contents", "Iterations"), TitleRun::first, false,
         {{{bottom, 1, 0, closed}, {bottom, 1, 0, closed}, {bottom, 1, 0, closed}, {bottom, 1, 0, closed}}}},
        {Dock::analysis, "answers", QT_TRANSLATE_NOOP("app::gui::Contents", "Analysis"), TitleRun::first, false,
         {{{bottom, 1, 1, closed}, {bottom, 1, 1, closed}, {bottom, 1, 1, closed}, {bottom, 1, 1, front}}}},
        {Dock::replay, "replay", QT_TRANSLATE_NOOP("app::gui::Contents", "Replay"), TitleRun::none, true,
         {{{right, 0, 4, closed}, {right, 0, 2, closed}, {right, 0, 2, closed}, {right, 0, 5, closed}}}},
    }};
}();
// clang-format on
static_assert([] {
    for (std::size_t i = 0; i < dockCount; ++i)
        if (allDocks[i].dock != static_cast<Dock>(i)) return false;
    return true;
}());

/// In the order of Layout.
constexpr std::array<LayoutRow, layouts.size()> allLayouts{{{"learn", Dock::lesson, 360, 340, false},
                                                            {"inspect", Dock::explanation, 300, 340, false},
                                                            {"compare", std::nullopt, 300, 340, true},
                                                            {"analyse", Dock::analysis, 300, 340, false}}};

}  // namespace

const DockRows& dockRows() { return allDocks; }

const DockRow& rowOf(Dock dock) { return allDocks[static_cast<std::size_t>(dock)]; }

Plan planOf(Layout layout) {
    std::vector<const DockRow*> byTab;
    for (const DockRow& row : allDocks) byTab.push_back(&row);
    std::ranges::stable_sort(byTab, {}, [layout](const DockRow* row) { return row->in(layout).tab; });
    Plan plan;
    for (const DockRow* const row : byTab) {
        const DockPlace& place = row->in(layout);
        auto& side = place.side == DockSide::left    ? plan.left
                     : place.side == DockSide::right ? plan.right
                                                     : plan.bottom;
        if (side.size() <= place.stack) side.resize(place.stack + std::size_t{1});
        side[place.stack].push_back(row->dock);
    }
    for (const auto* side : {&plan.left, &plan.right, &plan.bottom})
        for (const Plan::Stack& stack : *side)
            std::copy_if(stack.rbegin(), stack.rend(), std::back_inserter(plan.front),
                         [layout](Dock dock) { return rowOf(dock).in(layout).sight == DockSight::front; });
    return plan;
}

const LayoutRow& rowOf(Layout layout) { return allLayouts[static_cast<std::size_t>(layout)]; }

QString name(Layout layout) { return QString::fromLatin1(rowOf(layout).name); }

Layout layoutNamed(const QString& word) {
    for (const Layout layout : layouts)
        if (name(layout) == word) return layout;
    return Layout::inspect;
}

}  // namespace app::gui
