// SPDX-License-Identifier: BSD-3-Clause
// The only dialog of the window in which a file is chosen. It reads folders and says a name: it deletes, renames, moves
// and makes nothing, whatever is pressed in it.
#pragma once

#include <QString>

class QWidget;

namespace app::gui {

struct PathQuestion {
    enum class Purpose : std::uint8_t {
        open,       ///< a file that is there
        folder,     ///< a folder that is there
        saveFile,   ///< any file; one that is there only after the user agreed to lose it
        newFolder,  ///< any name; whoever makes the folder refuses one that is there
    };

    Purpose purpose = Purpose::open;
    QString title{};
    QString filters{};  ///< in Qt's words: "Pictures (*.png *.svg);;All files (*)"; empty: all files
    QString folder{};   ///< where it begins; the working folder when this is empty or gone
    QString name{};     ///< what is proposed
};

/// The whole path that the user chose; empty when they chose none. `parent` waits meanwhile.
QString askForPath(QWidget* parent, const PathQuestion& question);

}  // namespace app::gui
