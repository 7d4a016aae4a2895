// SPDX-License-Identifier: BSD-3-Clause
// Views of one or several runs on one paper, as a figure of a paper shows them. No Qt type.
#pragma once

#include "app/gui/scenes/picture/picture_options.hpp"
#include "app/session/session.hpp"

#include <string>
#include <vector>

namespace app::gui {

struct Panel {
    std::string title;
    Trace trace;
    Picture picture{};  ///< of which view, time, rank, block and rounds matter
};

struct Panels {
    std::string title{};
    std::string below{};
    int columns = 1;        ///< how many stand in a row
    bool sameTime = false;  ///< timelines have one axis of time, as long as the longest run
    std::vector<Panel> panels;
};

}  // namespace app::gui
