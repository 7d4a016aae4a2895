// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/drawing/colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace app::gui {
namespace {

/// Okabe and Ito (2008), without their black; the order keeps the first few far apart. Grey takes black's place.
constexpr std::array<QRgb, 8> okabeIto{0xff0072b2, 0xffe69f00, 0xff009e73, 0xffcc79a7,
                                       0xff56b4e9, 0xffd55e00, 0xfff0e442, 0xff8c8c8c};
/// The same hues; those too deep for thin lines on dark paper are lighter.
constexpr std::array<QRgb, 8> okabeItoOnDark{0xff2f8fdc, 0xffe69f00, 0xff14b58a, 0xffcc79a7,
                                             0xff8fd0f5, 0xffec7a2c, 0xfff0e442, 0xff9c9c9c};

int channel(double linear) {
    const double curved = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
    return static_cast<int>(std::lround(255 * std::clamp(curved, 0.0, 1.0)));
}

/// Colour of the Oklab space (Ottosson, 2020): equal lightness looks equally light at every hue.
QColor oklch(double lightness, double chroma, double turn) {
    const double a = chroma * std::cos(2 * std::numbers::pi * turn);
    const double b = chroma * std::sin(2 * std::numbers::pi * turn);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return {channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

double luminance(const QColor& colour) {
    const auto linear = [](double curved) {
        return curved <= 0.04045 ? curved / 12.92 : std::pow((curved + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

}  // namespace

QColor originColour(std::int64_t index, std::int64_t count, bool dark) {
    if (count <= static_cast<std::int64_t>(okabeIto.size()))
        return QColor::fromRgb((dark ? okabeItoOnDark : okabeIto)[static_cast<std::size_t>(index) % okabeIto.size()]);
    // More than so many hues nobody tells apart, and every one costs the painter a sprite.
    constexpr std::int64_t mostHues = 64;
    const std::int64_t hues = std::min(count, mostHues);
    const double turn = static_cast<double>(index * hues / count) / static_cast<double>(hues);
    return oklch(dark ? 0.74 : 0.66, 0.13, turn + 0.05);
}

QColor loadColour(double share, bool dark) {
    constexpr double violet = 0.82;  // of a turn
    const double clamped = std::clamp(share, 0.0, 1.0);
    return dark ? oklch(0.40 + 0.46 * clamped, 0.10, violet)
                : oklch(0.83 - 0.49 * clamped, 0.07 + 0.07 * clamped, violet);
}

QColor mixed(const QColor& under, const QColor& over, double share) {
    const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mix(under.red(), over.red()), mix(under.green(), over.green()), mix(under.blue(), over.blue())};
}

QColor readableOn(const QColor& fill) {
    const QColor black{0x11, 0x16, 0x1c};
    const QColor white{0xff, 0xff, 0xff};
    return contrast(black, fill) >= contrast(white, fill) ? black : white;
}

double contrast(const QColor& a, const QColor& b) {
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

}  // namespace app::gui
