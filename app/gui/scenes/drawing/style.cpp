// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/drawing/style.hpp"

#include <QByteArray>

namespace app::gui {

Palette paletteFor(bool dark) {
    if (dark) {
        return {.ground = QColor{0x11, 0x15, 0x1a},
                .paper = QColor{0x19, 0x1f, 0x27},
                .hairline = QColor{0x2d, 0x36, 0x41},
                .ink = QColor{0xe8, 0xec, 0xf1},
                .muted = QColor{0xa3, 0xad, 0xb9},
                .faint = QColor{0x3f, 0x4a, 0x56},
                .tint = QColor{0x21, 0x29, 0x32},
                .groove = QColor{0x2b, 0x34, 0x3e},
                .accent = QColor{0xff, 0x6f, 0x91},
                .better = QColor{0x4f, 0xc3, 0xb0},
                .wrong = QColor{0xff, 0x8a, 0x80},
                .link = QColor{0x7a, 0xbd, 0xf0},
                .highlight = QColor{0x2a, 0x76, 0xb5},
                .sending = QColor{0x7d, 0x96, 0xaf},
                .receiving = QColor{0x42, 0x52, 0x63},
                .both = QColor{0xc9, 0xd8, 0xe6},
                .waiting = QColor{0xd6, 0x9f, 0x3a},
                .waitingGround = QColor{0x33, 0x2c, 0x1e}};
    }
    return {.ground = QColor{0xf7, 0xf7, 0xf4},
            .paper = QColor{0xff, 0xff, 0xff},
            .hairline = QColor{0xdc, 0xe1, 0xe6},
            .ink = QColor{0x1d, 0x23, 0x29},
            .muted = QColor{0x5c, 0x68, 0x73},
            .faint = QColor{0xcd, 0xd5, 0xdd},
            .tint = QColor{0xf3, 0xf5, 0xf7},
            .groove = QColor{0xe9, 0xed, 0xf1},
            .accent = QColor{0xc2, 0x18, 0x4e},
            .better = QColor{0x0b, 0x75, 0x68},
            .wrong = QColor{0xb3, 0x26, 0x1e},
            .link = QColor{0x00, 0x5a, 0x96},
            .highlight = QColor{0x00, 0x6a, 0xb0},
            .sending = QColor{0x7c, 0x93, 0xaa},
            .receiving = QColor{0xc6, 0xd2, 0xde},
            .both = QColor{0x3c, 0x4f, 0x63},
            .waiting = QColor{0xbe, 0x7f, 0x06},
            .waitingGround = QColor{0xff, 0xf5, 0xdc}};
}

const std::array<Role, 18>& roles() {
    static constexpr std::array<Role, 18> all{{{"ground", &Palette::ground},
                                               {"paper", &Palette::paper},
                                               {"hairline", &Palette::hairline},
                                               {"ink", &Palette::ink},
                                               {"muted", &Palette::muted},
                                               {"faint", &Palette::faint},
                                               {"tint", &Palette::tint},
                                               {"groove", &Palette::groove},
                                               {"accent", &Palette::accent},
                                               {"better", &Palette::better},
                                               {"wrong", &Palette::wrong},
                                               {"link", &Palette::link},
                                               {"highlight", &Palette::highlight},
                                               {"sending", &Palette::sending},
                                               {"receiving", &Palette::receiving},
                                               {"both", &Palette::both},
                                               {"waiting", &Palette::waiting},
                                               {"waiting-ground", &Palette::waitingGround}}};
    return all;
}

QByteArray cssVariables(bool dark) {
    const Palette palette = paletteFor(dark);
    QByteArray css;
    for (const Role& role : roles())
        css += QByteArray{"--"} + role.name + ':' + (palette.*role.colour).name().toUtf8() + ';';
    return css;
}

}  // namespace app::gui
