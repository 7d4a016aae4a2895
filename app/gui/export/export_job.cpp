// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/export/export_job.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/picture/picture.hpp"
#include "app/session/options/recorded.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"

namespace app::gui {
namespace {

using engine::text;
using What = FileKind::What;

/// What is exported, as the command line names it; empty where it cannot.
std::string subjectWords(const DrawableRun& subject, const std::filesystem::path& source) {
    if (!source.empty()) return shellWord(source.string());
    const std::optional<RunWish> wish = wishBehind(subject.report());
    if (!wish) return {};
    if (engine::schedules::isPath(wish->algorithm) && !std::filesystem::exists(wish->algorithm)) return {};
    return lineOf({.run = *wish});
}

}  // namespace

std::string exportCommand(const DrawableRun& subject, const std::filesystem::path& source, const Picture& picture,
                          const std::filesystem::path& file) {
    const std::string words = subjectWords(subject, source);
    if (words.empty()) return {};
    // It knows no notes.
    const FileKind* kind = fileKind(file.extension().string());
    const bool drawn = kind != nullptr && (kind->what == What::picture || kind->what == What::film);
    const bool hasNotes = drawn || (kind != nullptr && kind->what == What::page);
    if (hasNotes && !picture.marks.empty()) return {};
    std::string command = "collscope export " + words;
    const Picture usual;
    if (drawn) {
        if (picture.view != usual.view) command += " --view " + picture.view;
        if (picture.width != usual.width) command += text(" --width ", picture.width);
        if (picture.height != usual.height) command += text(" --height ", picture.height);
        if (picture.block) command += text(" --block ", *picture.block);
        if (kind->what == What::film && picture.seconds != usual.seconds)
            command += text(" --seconds ", static_cast<std::int64_t>(picture.seconds));
        // Without a time it is the end, or the counterexample.
        const bool atEnd = !picture.time || (*picture.time == subject.run().duration && !subject.fault());
        if (kind->what == What::picture && !atEnd) command += text(" --time ", picture.time->count(), "ps");
    }
    if (picture.dark && kind != nullptr && kind->what != What::messages) command += " --dark";
    return command + " -o " + shellWord(file.string());
}

QString whyNot(const DrawableRun& subject, What what) {
    if (what == What::film) {
        const QString why = toQt(whyNoFilms());
        return why.isEmpty() ? why : why.left(1).toUpper() + why.mid(1) + '.';
    }
    if (what == What::messages && subject.run().messages.size() == 0)
        return QCoreApplication::translate("Exporting", "This run has no messages to be listed.");
    return {};
}

QString remarkOn(const DrawableRun& subject, What what) {
    const engine::Run& run = subject.run();
    if (what == What::page)
        return QCoreApplication::translate("Exporting",
                                           "A page has every view, moment and block of the run, to be read and "
                                           "played in a browser; it needs no network.");
    if (what != What::messages) return {};
    if (run.droppedMessages > 0)
        return QCoreApplication::translate("Exporting", "The table contains the first %1 of %2 messages.")
            .arg(run.messages.size())
            .arg(run.messageCount);
    return QCoreApplication::translate("Exporting", "One line for each of the %1 messages, times in seconds.")
        .arg(run.messageCount);
}

QImage previewOf(const DrawableRun& subject, const Picture& picture, QSize room, double ratio) {
    const QSize size{picture.width, picture.height};
    const Scene scene = viewScene(picture.view, subject, stateOf(subject, picture), size);
    const QSize fitting = size.scaled(room * ratio, Qt::KeepAspectRatio).boundedTo(size * ratio);
    QImage image{fitting.expandedTo({1, 1}), QImage::Format_RGB32};
    image.fill(Qt::white);
    QPainter painter{&image};
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    painter.scale(static_cast<double>(image.width()) / size.width(),
                  static_cast<double>(image.height()) / size.height());
    paint(painter, scene, Strokes::smooth);
    painter.end();
    image.setDevicePixelRatio(ratio);
    return image;
}

}  // namespace app::gui
