// SPDX-License-Identifier: BSD-3-Clause
// What is drawn can be seen on its paper: signs have a contrast of 3 at least, words one of 4.5, light and dark.
#include "app/gui/scenes/common/program_timeline_colours.hpp"
#include "app/gui/scenes/drawing/colours.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/picture/picture.hpp"
#include "app/gui/scenes/time/overview.hpp"
#include "app/gui/style/theme.hpp"
#include "tests/app/gui/program_support.hpp"
#include "tests/app/gui/scenes/scenes_judging.hpp"
#include "tests/support/programs/stepping_program.hpp"

#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>

namespace app::gui {
namespace {

constexpr double leastOfSigns = 3;
constexpr double leastOfPale = 1.7;
constexpr double leastOfWords = 4.5;

/// The strongest contrast that any stroke of a sign has.
double contrastOf(const std::vector<const Shape*>& sign, const QColor& paper) {
    double most = 0;
    for (const Shape* shape : sign)
        for (const QColor& colour : {shape->fill, shape->pen})
            if (colour.isValid()) most = std::max(most, contrast(colour, paper));
    return most;
}

/// What stands in a legend before its words: shapes of no meaning within a small box.
std::vector<const Shape*> signBefore(const Scene& scene, const Shape& words) {
    const QRectF place{words.box.left() - 28, words.box.top() - 3, 28, words.box.height() + 6};
    std::vector<const Shape*> sign;
    for (const Shape& shape : scene.shapes) {
        const bool line = shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::arrow;
        const QRectF box = line ? QRectF{shape.from, shape.to}.normalized() : shape.box;
        if (shape.kind != Shape::Kind::text && shape.kind != Shape::Kind::cells &&
            shape.meaning.kind == Meaning::Kind::none && place.contains(box.topLeft()) &&
            place.contains(box.bottomRight()))
            sign.push_back(&shape);
    }
    return sign;
}

/// How many signs of legends were looked at.
int judgeLegends(const Scene& scene, const QColor& paper, std::string_view view) {
    int looked = 0;
    for (const Shape& words : scene.shapes) {
        if (words.kind != Shape::Kind::text || words.points != points::small || words.bold ||
            words.meaning.kind != Meaning::Kind::none)
            continue;
        const std::vector<const Shape*> sign = signBefore(scene, words);
        if (sign.empty()) continue;
        ++looked;
        // What is held and not needed is pale beside what is.
        const double least = words.text.contains("not needed") ? leastOfPale : leastOfSigns;
        EXPECT_GE(contrastOf(sign, paper), least) << view << ": " << words.text.toStdString();
    }
    return looked;
}

void judgeViews(const DrawableRun& subject, const ViewState& state, QSizeF size,
                std::map<std::string_view, int>& looked) {
    for (const PictureView& view : pictureViews)
        looked[view.name] +=
            judgeLegends(viewScene(view.name, subject, state, size), paletteFor(state.dark).paper, view.name);
}

TEST(Seen, theSignsOfEveryLegend) {
    std::map<std::string_view, int> looked;
    everywhere([&](const DrawableRun& subject, const ViewState& state, QSizeF size) {
        judgeViews(subject, state, size, looked);
    });
    const DrawableRun program = programSubject(support::steppingProgram(6, 12));
    (void)program.programmed();
    for (const bool dark : {false, true}) judgeViews(program, {.dark = dark}, {1000, 700}, looked);
    for (const char* view : {"network", "timeline", "tracks", "idle", "waits", "holdings", "bounds"})
        EXPECT_GT(looked[view], 0) << view;
}

/// Of the time outside of messages a trace without calls says no more; neither is it the hatch of waiting, nor nothing.
TEST(Seen, theTimeOutsideOfMessages) {
    const DrawableRun trace{
        analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(support::steppingProgram(6, 12))))};
    for (const bool dark : {false, true}) {
        const QColor paper = paletteFor(dark).paper;
        int bars = 0;
        for (const Shape& bar :
             shapesOf(idleScene(trace, {.dark = dark}, {400, 300}), Meaning::Kind::rank, Shape::Kind::rectangle)) {
            EXPECT_FALSE(bar.hatched);
            EXPECT_GE(contrastOf({&bar}, paper), leastOfSigns);
            ++bars;
        }
        EXPECT_GE(bars, 12);
    }
}

TEST(Seen, theHatchOfWaiting) {
    for (const bool dark : {false, true}) {
        const Palette palette = paletteFor(dark);
        EXPECT_GE(contrast(palette.waiting, palette.waitingGround), leastOfSigns);
        EXPECT_GE(contrast(palette.waiting, palette.paper), leastOfSigns);
        for (std::size_t k = 1; k < analysis::activities; ++k)
            EXPECT_GE(contrast(strongColour(static_cast<analysis::Activity>(k), dark), palette.paper), leastOfSigns)
                << k;
    }
}

/// The strip of the whole time shows waiting as everything above it does.
TEST(Seen, waitingInTheWholeTimeIsHatched) {
    const DrawableRun program = programSubject(support::steppingProgram(6, 12));
    (void)program.programmed();
    for (const bool dark : {false, true}) {
        const Palette palette = paletteFor(dark);
        const Scene scene = overviewBackground(program, {.dark = dark}, {700, 60});
        const auto cells = std::ranges::find(scene.shapes, Shape::Kind::cells, &Shape::kind);
        ASSERT_NE(cells, scene.shapes.end());
        int inked = 0;
        int ground = 0;
        for (int x = 0; x < cells->cells->width(); ++x)
            for (int y = 0; y < cells->cells->height(); ++y) {
                const QColor colour = cells->cells->pixelColor(x, y);
                inked += colour == palette.waiting ? 1 : 0;
                ground += colour == palette.waitingGround ? 1 : 0;
            }
        EXPECT_GT(ground, 2 * inked) << "a hatch is mostly ground";
        EXPECT_GT(inked, ground / 8);
    }
}

/// A widget as it is drawn, on the ground of the window.
QImage drawn(QWidget& widget, const QPalette& palette) {
    widget.setPalette(palette);
    widget.resize(80, 28);
    QImage image{widget.size(), QImage::Format_RGB32};
    image.fill(palette.color(QPalette::Window));
    widget.render(&image, {}, {}, QWidget::DrawChildren);
    return image;
}

/// The strongest contrast to `ground` in a column of pixels at the middle of the button.
double outlineOf(const QImage& image, const QColor& ground) {
    double most = 0;
    for (int y = 0; y < 4; ++y) most = std::max(most, contrast(image.pixelColor(image.width() / 4, y), ground));
    return most;
}

TEST(Seen, whichButtonIsPressed) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
        const QPalette palette = widgetPalette(theme);
        const QColor ground = palette.color(QPalette::Window);
        QToolButton flat;
        flat.setAutoRaise(true);
        QToolButton raised;
        QPushButton pushed;
        for (QAbstractButton* button : {static_cast<QAbstractButton*>(&flat), static_cast<QAbstractButton*>(&raised),
                                        static_cast<QAbstractButton*>(&pushed)}) {
            button->setCheckable(true);
            button->setChecked(true);
            const QImage image = drawn(*button, palette);
            EXPECT_GE(outlineOf(image, ground), leastOfSigns) << button->metaObject()->className();
            const QColor fill = image.pixelColor(10, 14);
            EXPECT_GE(contrast(palette.color(QPalette::ButtonText), fill), leastOfWords);
            button->setChecked(false);
            EXPECT_NE(drawn(*button, palette).pixelColor(10, 14), fill);
        }
        // What opens and closes has an arrow for that.
        QToolButton opens;
        opens.setArrowType(Qt::DownArrow);
        opens.setAutoRaise(true);
        opens.setCheckable(true);
        opens.setChecked(true);
        EXPECT_LT(outlineOf(drawn(opens, palette), ground), leastOfSigns);
    }
}

/// Where one is in what is scrolled: the handle is what stands out, not the trough.
TEST(Seen, theHandleOfScrollBars) {
    for (const Theme theme : {Theme::light, Theme::dark})
        for (const Qt::Orientation way : {Qt::Vertical, Qt::Horizontal}) {
            const QPalette palette = widgetPalette(theme);
            QScrollBar bar{way};
            bar.setPalette(palette);
            bar.resize(way == Qt::Vertical ? QSize{16, 200} : QSize{200, 16});
            bar.setRange(0, 100);
            bar.setPageStep(50);
            QImage image{bar.size(), QImage::Format_RGB32};
            image.fill(palette.color(QPalette::Window));
            bar.render(&image);
            const auto at = [&](int along) {
                return way == Qt::Vertical ? image.pixelColor(8, along) : image.pixelColor(along, 8);
            };
            EXPECT_GE(contrast(at(40), at(170)), leastOfSigns) << "the handle, and the trough beyond it";
            EXPECT_GE(contrast(at(40), palette.color(QPalette::Window)), leastOfSigns);
            EXPECT_LT(contrast(at(170), palette.color(QPalette::Window)), 1.5);
        }
}

TEST(Seen, theWordsOfEveryWidget) {
    using Of = std::pair<QPalette::ColorRole, QPalette::ColorRole>;
    for (const Theme theme : {Theme::light, Theme::dark}) {
        const QPalette palette = widgetPalette(theme);
        for (const auto& [words, ground] :
             {Of{QPalette::WindowText, QPalette::Window}, Of{QPalette::Text, QPalette::Base},
              Of{QPalette::Text, QPalette::AlternateBase}, Of{QPalette::ButtonText, QPalette::Button},
              Of{QPalette::HighlightedText, QPalette::Highlight}, Of{QPalette::ToolTipText, QPalette::ToolTipBase},
              Of{QPalette::PlaceholderText, QPalette::Base}, Of{QPalette::Link, QPalette::Base}})
            EXPECT_GE(contrast(palette.color(words), palette.color(ground)), leastOfWords) << words << " on " << ground;
        // A chosen row is told from the others, and what has the focus from what has not.
        for (const QPalette::ColorRole ground : {QPalette::Base, QPalette::AlternateBase, QPalette::Window})
            EXPECT_GE(contrast(palette.color(QPalette::Highlight), palette.color(ground)), leastOfSigns) << ground;
    }
}

}  // namespace
}  // namespace app::gui
