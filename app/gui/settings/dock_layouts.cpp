// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/settings/dock_layouts.hpp"

#include <algorithm>

namespace app::gui {
namespace {

struct Named {
    const char* name;
    Plan plan;
};

/// In the order of Layout.
const std::array<Named, layouts.size()>& all() {
    static const std::array<Named, layouts.size()> made{{
        {"learn",
         {.left = {{"lesson", "explanation", "details", "notes", "setup"}, {"editor"}},
          .right = {{"holdings", "bounds", "charts", "task", "replay"}, {"strip", "rounds", "sliders"}},
          .bottom = {{"where"}, {"when", "answers", "multiples"}},
          .closed = {"details", "notes", "setup", "editor", "bounds", "charts", "task", "rounds", "sliders", "where",
                     "when", "answers", "multiples", "replay"},
          .front = {"explanation", "lesson", "holdings", "strip"},
          .alone = "lesson",
          .leftWidth = 360}},
        {"inspect",
         {.left = {{"explanation", "details", "notes", "setup", "lesson", "editor"}, {"holdings", "task"}},
          .right = {{"strip", "rounds", "replay"}, {"bounds", "charts", "sliders"}},
          .bottom = {{"where"}, {"when", "answers", "multiples"}},
          .closed = {"notes", "setup", "lesson", "editor", "task", "where", "when", "answers", "multiples", "replay"},
          .front = {"explanation", "holdings", "strip", "bounds"},
          .alone = "explanation"}},
        {"compare",
         {.left = {{"explanation", "details", "notes", "setup", "lesson", "editor"}},
          .right = {{"holdings", "task", "replay"}, {"strip", "rounds", "bounds", "charts", "sliders"}},
          .bottom = {{"where"}, {"when", "answers", "multiples"}},
          .closed = {"explanation", "details", "notes", "setup", "lesson", "editor", "holdings", "task", "strip",
                     "rounds", "bounds", "charts", "sliders", "where", "when", "multiples", "answers", "replay"},
          .runsAbove = true}},
        {"analyse",
         {.left = {{"explanation", "details", "notes", "setup", "lesson", "editor"}},
          .right = {{"holdings", "strip", "bounds", "sliders", "task", "replay"}},
          .bottom = {{"where", "charts", "rounds"}, {"when", "answers", "multiples"}},
          .closed = {"explanation", "notes", "setup", "lesson", "editor", "holdings", "strip", "bounds", "sliders",
                     "task", "where", "when", "multiples", "replay"},
          .front = {"details", "answers", "charts"},
          .alone = "answers"}},
    }};
    return made;
}

}  // namespace

const Plan& planOf(Layout layout) { return all()[static_cast<std::size_t>(layout)].plan; }

QString name(Layout layout) { return QString::fromLatin1(all()[static_cast<std::size_t>(layout)].name); }

Layout layoutNamed(const QString& word) {
    for (const Layout layout : layouts)
        if (name(layout) == word) return layout;
    return Layout::inspect;
}

}  // namespace app::gui
