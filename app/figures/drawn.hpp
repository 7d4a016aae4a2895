// SPDX-License-Identifier: BSD-3-Clause
// Figures and tables in print that show schedules, placements or the movement of data: the runs, and the views that
// draw them. Data alone, as item.hpp.
#pragma once

#include <string_view>
#include <vector>

namespace app::figures {

/// A run in one of the views of `collscope export`.
struct DrawnPanel {
    std::string_view title;
    std::string_view run;   ///< words behind `collscope export`
    std::string_view view;  ///< a name of `--view`
    int afterRound = -1;    ///< the moment shown: the end of this round, from 1, or 0: the start; -1: the view's own
    int rank = -1;          ///< the rank that is selected; -1: none
    // Of the view "strip":
    int first = 1;          ///< round
    int count = 0;          ///< of rounds; 0: all from `first` on
    bool together = false;  ///< in one picture
    char senders = '\0';    ///< 'A', 'B': only the messages of that group
    bool held = false;      ///< beside each rank what it holds
    // Of the view "brackets":
    std::string_view borders{};  ///< the symbol of data boundaries; empty: none are drawn
    int bordersTo = 0;           ///< the last round of which they are drawn; 0: of all
};

/// What an item shows, in the arrangement of the print.
struct Drawn {
    std::string_view paper;
    std::string_view item;
    int columns = 1;
    bool sameTime = false;  ///< timelines have one axis of time
    std::string_view below{};
    std::vector<DrawnPanel> panels;
};

/// All of them, in the order of the papers.
const std::vector<Drawn>& drawnItems();
/// The one of an item; null where it shows none.
const Drawn* drawnOf(std::string_view paper, std::string_view item);

}  // namespace app::figures
