// SPDX-License-Identifier: BSD-3-Clause
// The style keeps what it promises: text can be read, states are told apart without colour, and one colour has one
// meaning.
#include "app/gui/scenes/drawing/style.hpp"

#include "app/gui/scenes/drawing/colours.hpp"
#include "app/gui/scenes/drawing/scene_builder.hpp"

#include <gtest/gtest.h>

#include <QFontMetricsF>

#include <cmath>
#include <set>

namespace app::gui {
namespace {

/// How far apart two hues are, in degrees.
double turnBetween(const QColor& a, const QColor& b) {
    const double apart = std::abs(a.hslHueF() - b.hslHueF());
    return 360 * std::min(apart, 1 - apart);
}

TEST(Style, wordsCanBeReadOnEveryGround) {
    for (const bool dark : {false, true}) {
        const Palette palette = paletteFor(dark);
        for (const QColor& ground : {palette.paper, palette.ground, palette.tint, palette.groove}) {
            EXPECT_GE(contrast(palette.ink, ground), 7);
            EXPECT_GE(contrast(palette.muted, ground), 4.5);
        }
        for (const QColor& words : {palette.accent, palette.better, palette.wrong, palette.link})
            for (const QColor& ground : {palette.paper, palette.ground, palette.tint})
                EXPECT_GE(contrast(words, ground), 4.5) << words.name().toStdString();
        for (const QColor& fill : {palette.sending, palette.receiving, palette.both, palette.waitingGround})
            EXPECT_GE(contrast(readableOn(fill), fill), 4.5);
        for (int origin = 0; origin < 40; ++origin)
            for (const int count : {8, 40})
                EXPECT_GE(contrast(readableOn(originColour(origin, count, dark)), originColour(origin, count, dark)),
                          4.5);
    }
}

TEST(Style, blocksAreSeenAsThinLinesOnDarkPaper) {
    for (const int count : {8, 40})
        for (int origin = 0; origin < count; ++origin)
            EXPECT_GE(contrast(originColour(origin, count, true), paletteFor(true).paper), 4.5) << origin;
}

TEST(Style, statesOfARankAreOneFamilyToldApartByLightness) {
    for (const bool dark : {false, true}) {
        const Palette palette = paletteFor(dark);
        for (const auto& [a, b] : {std::pair{palette.receiving, palette.sending}, {palette.sending, palette.both}}) {
            EXPECT_LE(turnBetween(a, b), 20);
            EXPECT_GE(contrast(a, b), 1.8);
        }
        EXPECT_GT(contrast(palette.both, palette.paper), contrast(palette.sending, palette.paper));
        EXPECT_GT(contrast(palette.sending, palette.paper), contrast(palette.receiving, palette.paper));
    }
}

TEST(Style, waitingLoadAndAccentHaveColoursOfTheirOwn) {
    for (const bool dark : {false, true}) {
        const Palette palette = paletteFor(dark);
        const QColor load = loadColour(1, dark);
        for (const QColor& state : {palette.sending, palette.receiving, palette.both}) {
            EXPECT_GE(turnBetween(palette.waiting, state), 90);
            EXPECT_GE(turnBetween(load, state), 40);
        }
        EXPECT_GE(turnBetween(load, palette.waiting), 90);
        EXPECT_GE(turnBetween(palette.accent, palette.waiting), 45);
        EXPECT_GE(turnBetween(palette.accent, load), 40);
        EXPECT_LE(turnBetween(palette.waiting, palette.waitingGround), 15) << "a hatch and its ground are one thing";
    }
}

TEST(Style, loadsAreFartherFromThePaperTheHigherTheyAre) {
    for (const bool dark : {false, true}) {
        const QColor paper = paletteFor(dark).paper;
        EXPECT_GE(contrast(loadColour(0, dark), paper), 1.5);
        EXPECT_GE(contrast(loadColour(1, dark), paper), 4.5);
        for (int step = 1; step <= 16; ++step)
            EXPECT_GT(contrast(loadColour(step / 16.0, dark), paper),
                      contrast(loadColour((step - 1) / 16.0, dark), paper));
    }
}

TEST(Style, figuresAreAsWideAsEachOther) {
    for (const double size : {points::title, points::heading, points::normal, points::small, points::tiny})
        for (const bool bold : {false, true}) {
            const QFontMetricsF font{fontOf(size, bold)};
            for (const QChar figure : QStringLiteral("0123456789"))
                EXPECT_DOUBLE_EQ(font.horizontalAdvance(figure), font.horizontalAdvance(QChar{'0'}));
        }
}

TEST(Style, pagesKnowEveryRole) {
    for (const bool dark : {false, true}) {
        const Palette palette = paletteFor(dark);
        const QByteArray css = cssVariables(dark);
        std::set<std::string> names;
        for (const Role& role : roles()) {
            EXPECT_TRUE(names.insert(role.name).second) << role.name;
            EXPECT_TRUE((palette.*role.colour).isValid()) << role.name;
            EXPECT_TRUE(
                css.contains(QByteArray{"--"} + role.name + ':' + (palette.*role.colour).name().toUtf8() + ';'));
        }
    }
    EXPECT_EQ(sizeof(Palette), roles().size() * sizeof(QColor)) << "a colour without a name";
}

}  // namespace
}  // namespace app::gui
