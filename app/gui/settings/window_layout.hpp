// SPDX-License-Identifier: BSD-3-Clause
// How the window stood when it was closed, kept from one start to the next. Qt trusts the bytes in which it tells that,
// so they come back only as they were kept.
#pragma once

#include "app/gui/settings/dock_areas.hpp"

#include <QSettings>

#include <optional>

namespace app::gui {

struct WindowLayout {
    QByteArray geometry;  ///< as QWidget tells it
    QByteArray pictures;  ///< how they share the middle, as QSplitter tells it
    DockAreas::Arrangement docks;
    /// Of each layout that was left, how it stood; in the order of `layouts`.
    std::array<std::optional<DockAreas::Arrangement>, layouts.size()> left{};
    friend bool operator==(const WindowLayout&, const WindowLayout&) = default;
};

void save(QSettings& settings, const WindowLayout& layout);
/// What was saved; nothing before the first time. Throws Error when it was damaged or saved by another version.
std::optional<WindowLayout> savedLayout(QSettings& settings);
/// Keeps what was saved where the next start does not look for it.
void setLayoutAside(QSettings& settings);

/// Whether all of the settings can be read. Those that cannot are moved to a file beside their own, and start empty.
bool setAsideUnreadable(QSettings& settings);

}  // namespace app::gui
