// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/picture/picture.hpp"

#include "app/gui/scenes/charts/scaling_scene.hpp"
#include "app/gui/scenes/charts/sweep_scene.hpp"
#include "app/gui/scenes/charts/tuning_map_scene.hpp"
#include "app/gui/scenes/common/block_highlight.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/picture/heading.hpp"
#include "app/gui/scenes/picture/offscreen.hpp"
#include "app/gui/scenes/picture/panels.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/scenes/text/summary.hpp"
#include "engine/base/error.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/text.hpp"

#include <QBuffer>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <array>

namespace app::gui {
namespace {

QByteArray pngOf(const Scene& scene, QSize size) {
    QByteArray content;
    QBuffer buffer{&content};
    buffer.open(QIODevice::WriteOnly);
    if (!imageOf(scene, size).save(&buffer, "PNG"))
        throw engine::Error{"the picture is too large to be encoded as PNG"};
    return content;
}

Scene onPaper(Scene scene, bool dark, QSizeF size) {
    Shape paper;
    paper.box = {QPointF{}, size};
    paper.fill = paletteFor(dark).paper;
    scene.shapes.insert(scene.shapes.begin(), paper);
    return scene;
}

/// `ending` is one of `pictureEndings`.
void saveStill(const std::filesystem::path& file, const std::string& ending, const Scene& scene, QSize size,
               engine::Existing existing) {
    save(file,
         ending == ".png"   ? pngOf(scene, size)
         : ending == ".svg" ? svgOf(scene, size)
                            : pdfOf(scene, size),
         existing);
}

}  // namespace

void save(const std::filesystem::path& file, const QByteArray& content, engine::Existing existing) {
    engine::writeFile(file, {content.constData(), static_cast<std::size_t>(content.size())}, existing);
}

namespace {

/// Of a program the timeline is that of its ranks; its messages alone are the view "messages".
std::string_view drawnView(std::string_view view, const DrawableRun& subject) {
    return view == "timeline" && programOf(subject) != nullptr ? "tracks" : view;
}

}  // namespace

Scene viewScene(std::string_view name, const DrawableRun& subject, const ViewState& state, QSizeF size) {
    const View& view = viewNamed(drawnView(name, subject));
    const bool whole = view.scene == posterScene;  // has its title in it
    return onPaper(whole ? posterScene(subject, state, size) : titled(view, subject, state, size), state.dark, size);
}

void requireFor(std::string_view view, const DrawableRun& subject) {
    const View& drawn = viewNamed(drawnView(view, subject));
    QString why;
    if (drawn.scene == posterScene) return;
    if (drawn.ofPrograms && programOf(subject) == nullptr) {
        why = whyNoProgram(subject);
    } else {
        // A view that has nothing to show of this run is a sentence.
        const Scene scene = drawn.scene(subject, {.time = subject.run().duration}, QSizeF{800, 500});
        constexpr std::size_t lines = 4;
        const bool isSentence = scene.shapes.size() <= lines && std::ranges::all_of(scene.shapes, [](const Shape& one) {
                                    return one.kind == Shape::Kind::text;
                                });
        if (!isSentence) return;
        why = scene.description;
        if (why.isEmpty())
            for (const Shape& one : scene.shapes) why += (why.isEmpty() ? QString{} : QStringLiteral(" ")) + one.text;
    }
    if (why.endsWith('.')) why.chop(1);
    throw engine::Error{engine::text("--view ", view, ": ", (why.left(1).toLower() + why.mid(1)).toStdString())};
}

ViewState stateOf(const DrawableRun& subject, const Picture& picture, engine::Picoseconds time) {
    ViewState state{.time = time, .dark = picture.dark};
    state.marks = picture.marks;
    state.rank = picture.rank;
    state.rounds = picture.rounds;
    if (picture.block) state.block = columnOfBlock(subject, *picture.block);
    return state;
}

ViewState stateOf(const DrawableRun& subject, const Picture& picture) {
    // At the end every message has arrived: nothing is seen of the network but its links.
    const bool network = picture.view == "network" || (picture.view == "poster" && !subject.isProgram());
    const bool telling = network || subject.fault();
    return stateOf(subject, picture,
                   picture.time ? *picture.time
                   : telling    ? tellingMoment(subject)
                                : subject.run().duration);
}

QImage imageOf(const Scene& scene, QSize size, Strokes strokes) {
    QImage image{size, QImage::Format_RGB32};
    if (image.isNull()) throw engine::Error{"not enough memory for a picture of this size"};
    image.fill(Qt::white);
    QPainter painter{&image};
    paint(painter, scene, strokes);
    return image;
}

QByteArray svgOf(const Scene& scene, QSize size) {
    QByteArray content;
    QBuffer buffer{&content};
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(size);
    generator.setViewBox(QRect{QPoint{}, size});
    generator.setTitle(QStringLiteral("Collscope"));
    // Qt writes these two as they are.
    generator.setDescription(withoutControls(scene.description).toHtmlEscaped());
    QPainter painter{&generator};
    paint(painter, scene);
    painter.end();
    return content;
}

QByteArray pdfOf(const Scene& scene, QSize size) {
    constexpr double pointsPerUnit = 72.0 / 96;
    QByteArray content;
    QBuffer buffer{&content};
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer{&buffer};
    writer.setResolution(96);
    writer.setPageSize(QPageSize{QSizeF{size} * pointsPerUnit, QPageSize::Point, {}, QPageSize::ExactMatch});
    writer.setPageMargins({0, 0, 0, 0});
    writer.setTitle(scene.description.section('.', 0, 0));
    writer.setCreator(QStringLiteral("Collscope"));
    QPainter painter{&writer};
    paint(painter, scene);
    painter.end();
    return content;
}

void writeStill(const DrawableRun& subject, const std::filesystem::path& file, const Picture& picture,
                const engine::Progress& progress) {
    const QSize size{picture.width, picture.height};
    const ViewState state = stateOf(subject, picture);
    const Scene scene = viewScene(picture.view, subject, state, size);
    progress.at(0.5);
    saveStill(file, file.extension().string(), scene, size, picture.existing);
    progress.at(1);
}

void requireChart(const std::filesystem::path& file) {
    const std::string ending = file.extension().string();
    if (std::ranges::find(pictureEndings, ending) == pictureEndings.end())
        throw engine::Error{engine::text(file.string(), ": charts end in .png, .svg or .pdf, tables in .csv or .json",
                                         engine::didYouMean(ending, {pictureEndings.begin(), pictureEndings.end()}))};
}

namespace {

/// `draw` makes the scene of that size, once there are fonts.
template <class Draw>
void writePaper(const std::filesystem::path& file, const Picture& picture, Draw draw) {
    requireChart(file);
    const OffscreenGui gui;
    const QSize size{picture.width, picture.height};
    saveStill(file, file.extension().string(), onPaper(draw(size), picture.dark, size), size, picture.existing);
}

template <class Draw>
std::string paperInSvg(const Picture& picture, Draw draw) {
    const OffscreenGui gui;
    const QSize size{picture.width, picture.height};
    const QByteArray content = svgOf(onPaper(draw(size), picture.dark, size), size);
    return content.mid(content.indexOf("<svg")).toStdString();
}

}  // namespace

void writeSheet(const Sheet& sheet, const std::filesystem::path& file, const Picture& picture) {
    writePaper(file, picture, [&](QSizeF size) { return sheetScene(sheet, picture.dark, size); });
}

std::string sheetInSvg(const Sheet& sheet, const Picture& picture) {
    return paperInSvg(picture, [&](QSizeF size) { return sheetScene(sheet, picture.dark, size); });
}

void writeTuningMap(const std::vector<tune::Tuned>& cases, const std::filesystem::path& file, const Picture& picture) {
    writePaper(file, picture, [&](QSizeF size) { return tuningMapScene(cases, picture.dark, size); });
}

std::string tuningMapInSvg(const std::vector<tune::Tuned>& cases, const Picture& picture) {
    return paperInSvg(picture, [&](QSizeF size) { return tuningMapScene(cases, picture.dark, size); });
}

void writeScaling(const engine::Table& table, const std::filesystem::path& file, const Picture& picture) {
    writePaper(file, picture, [&](QSizeF size) { return scalingScene(table, picture.dark, size); });
}

void writePanels(const Panels& panels, const std::filesystem::path& file, const Picture& picture) {
    writePaper(file, picture, [&](QSizeF size) { return panelsScene(panels, picture.dark, size); });
}

std::string panelsInSvg(const Panels& panels, const Picture& picture) {
    return paperInSvg(picture, [&](QSizeF size) { return panelsScene(panels, picture.dark, size); });
}

}  // namespace app::gui
