// SPDX-License-Identifier: BSD-3-Clause
// What an algorithm of one's own can begin with: in resources/templates one for each collective, COLLECTIVE.lua, and
// ideas of the catalogue, COLLECTIVE.IDEA.lua.
#pragma once

#include <QString>

#include <vector>

namespace app::gui {

struct Template {
    QString name;        ///< of the file, without its ending; of the first one of a collective the collective
    QString collective;  ///< as ids begin
    QString title;       ///< of the collective
    QString idea;        ///< the script's own title
    QString text;        ///< a whole script, which is right
};

/// By title; the first one of a collective before its others.
const std::vector<Template>& templates();

/// A script for that collective that can be read, and does nothing.
QString emptyScript(const QString& collective);

}  // namespace app::gui
