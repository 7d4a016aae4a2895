// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/common/program_timeline_colours.hpp"

#include "app/gui/scenes/text/rank_glyphs.hpp"

namespace app::gui {
namespace {

using analysis::Activity;

struct Pair {
    QRgb light;
    QRgb dark;
};

constexpr std::array<Pair, analysis::activities - 1> callColours{{{0xffffffff, 0xff151a21},
                                                                  {0xffcfe4d6, 0xff2b4a38},
                                                                  {0xffd9d3ea, 0xff433a63},
                                                                  {0xffe9d8c8, 0xff57432f},
                                                                  {0xffdfe4e8, 0xff39424c},
                                                                  {0xffc3dff0, 0xff24506b},
                                                                  {0xffe1e8bd, 0xff4c5426},
                                                                  {0xfff1cfdf, 0xff64334c}}};
constexpr std::array<Pair, analysis::activities - 1> strongColours{{{0xffffffff, 0xff151a21},
                                                                    {0xff5c9b72, 0xff4f9a6c},
                                                                    {0xff8d7fbd, 0xff9384cf},
                                                                    {0xffb0885c, 0xffb98d5e},
                                                                    {0xff8b96a3, 0xff8b96a3},
                                                                    {0xff4d9cc9, 0xff4d9cc9},
                                                                    {0xff8a982f, 0xffa8b84a},
                                                                    {0xffc96a97, 0xffd27ba5}}};

/// In the order of Activity, up to waiting, which the palette has.
template <class Colours>
QColor pick(const Colours& colours, Activity activity, bool dark, QColor Palette::*waiting) {
    if (activity == Activity::waiting) return paletteFor(dark).*waiting;
    if (activity == Activity::none) return paletteFor(dark).paper;
    const Pair& pair = colours[static_cast<std::size_t>(activity)];
    return QColor::fromRgb(dark ? pair.dark : pair.light);
}

}  // namespace

QColor activityColour(Activity activity, bool dark) {
    return pick(callColours, activity, dark, &Palette::waitingGround);
}

QColor strongColour(Activity activity, bool dark) { return pick(strongColours, activity, dark, &Palette::waiting); }

QColor sharedColour(Activity activity, bool dark) {
    return activity == Activity::waiting ? strongColour(activity, dark) : activityColour(activity, dark);
}

Shape& drawActivity(SceneBuilder& pencil, const QRectF& box, Activity activity, bool dark) {
    Shape& shape = pencil.rectangle(box, activityColour(activity, dark));
    if (activity == Activity::waiting && box.width() >= 3 && box.height() >= 4) {
        hatchAsWaiting(shape, pencil.palette());
    } else if (activity == Activity::waiting) {
        shape.fill = strongColour(activity, dark);
    }
    return shape;
}

}  // namespace app::gui
