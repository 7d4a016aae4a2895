// SPDX-License-Identifier: BSD-3-Clause
// How everything looks: what each colour means on light and on dark paper, and the sizes of type and room. Pictures,
// panels, the window and pages take them from here. One colour has one meaning, and no meaning rests on colour alone:
// states also differ in outline or hatch, origins also carry a number.
//
// | what                | looks                                                                        |
// |---------------------|------------------------------------------------------------------------------|
// | state of a rank     | one family of slates: receiving, sending, both, the darker the busier        |
// | waiting             | the one warm colour, hatched                                                 |
// | not yet entered     | an outline of dashes                                                         |
// | done                | nothing but a thin outline                                                   |
// | block               | Okabe and Ito's colours, for blocks alone (originColour)                     |
// | load, amounts       | violet, the stronger the more (loadColour)                                   |
// | look here           | the accent: cursor, cause, what is chosen; never decoration                  |
// | better              | what is saved                                                                |
#pragma once

#include <QColor>

#include <array>

class QByteArray;

namespace app::gui {

/// The colours of one kind of paper.
struct Palette {
    QColor ground;         ///< of the window, between its cards
    QColor paper;          ///< of cards and pictures
    QColor hairline;       ///< around cards and between rows
    QColor ink;            ///< text and what matters
    QColor muted;          ///< secondary text, axes
    QColor faint;          ///< thin lines that must not draw the eye
    QColor tint;           ///< areas behind others
    QColor groove;         ///< bands with a name in them; what of a bar is not filled
    QColor accent;         ///< the one accent: now, cause, chosen
    QColor better;         ///< saved, right
    QColor wrong;          ///< words about what went wrong
    QColor link;           ///< words that lead somewhere
    QColor highlight;      ///< focus, and chosen rows of lists
    QColor sending;        ///< of a rank
    QColor receiving;      ///< likewise
    QColor both;           ///< sending and receiving
    QColor waiting;        ///< the hatch of what waits
    QColor waitingGround;  ///< below that hatch
};

Palette paletteFor(bool dark);

/// A colour of the palette by the name that pages call it by.
struct Role {
    const char* name;
    QColor Palette::*colour;
};

/// All roles, in the order of the palette.
const std::array<Role, 18>& roles();

/// "--ink:#1d2329;--paper:#ffffff;...": the palette for the style sheet of a page.
QByteArray cssVariables(bool dark);

/// Sizes of text, in points at 96 dots per inch: three for what is read, two for axes and marks. Figures are as wide as
/// each other, so that numbers below each other line up.
namespace points {
constexpr double title = 18;
constexpr double heading = 10.5;
constexpr double normal = 9;
constexpr double small = 8.25;
constexpr double tiny = 7.5;
}  // namespace points

/// Pixels that stay free around what a scene draws, and between its parts.
constexpr double margin = 8;

/// Cards, in pixels.
namespace card {
constexpr int radius = 8;  ///< of the corners
constexpr int apart = 4;   ///< half of what lies between two of them
constexpr int inset = 3;   ///< from the outline to what stands within
}  // namespace card

}  // namespace app::gui
