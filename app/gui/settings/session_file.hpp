// SPDX-License-Identifier: BSD-3-Clause
// What a window looks at, as one json file: the run or trace, the view of it, the selection and the user's notes. Paths
// in it are relative to it. Fields that this version does not know are kept.
#pragma once

#include "app/gui/scenes/drawing/scene.hpp"
#include "app/gui/settings/run_settings.hpp"
#include "app/session/replay/replay_changes.hpp"

#include <QJsonObject>

#include <filesystem>
#include <optional>

namespace app::gui {

struct SavedSession {
    static constexpr int version = 1;

    std::optional<RunWish> wish{};   ///< to be run again; else
    std::filesystem::path trace{};   ///< an archive: its whole path
    std::int64_t messages = 0;       ///< that the archive had
    engine::Picoseconds duration{};  ///< and how long its run took
    ReplayWords replay{};            ///< what its replay is to do another way
    ViewState view{};                ///< cursor, span, selection and marks; looks are the window's own
    QJsonObject others{};            ///< the whole file that it was read from
};

/// The content of a file at `file`, which need not be there.
QByteArray jsonOf(const SavedSession& session, const std::filesystem::path& file);

/// What the content of `file` says. Throws Error that names the file and what is wrong in it.
SavedSession sessionFrom(const QByteArray& content, const std::filesystem::path& file);

/// What `file` says. Throws Error also where it cannot be read.
SavedSession readSession(const std::filesystem::path& file);

}  // namespace app::gui
