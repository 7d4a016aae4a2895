// SPDX-License-Identifier: BSD-3-Clause
// What an algorithm of one's own can begin with: one for each collective, in resources/templates.
#pragma once

#include <QString>

#include <vector>

namespace app::gui {

struct Template {
    QString collective;  ///< as ids begin
    QString title;       ///< of the collective
    QString text;        ///< a whole script, which is right
};

/// By title.
const std::vector<Template>& templates();

/// A script for that collective that can be read, and does nothing.
QString emptyScript(const QString& collective);

}  // namespace app::gui
