// SPDX-License-Identifier: BSD-3-Clause
// Films: frames painted here, encoded by the program ffmpeg.
#include "app/gui/scenes/picture/picture.hpp"
#include "engine/base/error.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/text.hpp"

#include <QProcess>
#include <QStandardPaths>

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

constexpr int framesPerSecond = 25;
constexpr double stillSeconds = 1;        // at the end, to read the result
constexpr qint64 mostWaiting = 16 << 20;  // bytes that ffmpeg has not taken yet
constexpr int patience = 2000;            // milliseconds for its last words

QStringList encoderFor(const std::string& ending) {
    if (ending == ".mp4")
        return {"-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18", "-movflags", "+faststart", "-f", "mp4"};
    if (ending == ".webm")
        return {"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "28", "-cpu-used", "5", "-row-mt", "1", "-f", "webm"};
    return {"-vf", "fps=12.5,split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none", "-f", "gif"};
}

/// In the form that ffmpeg needs, which otherwise takes "-y", "concat:a|b" and "%d" for words of its own.
QString plainly(const std::filesystem::path& path) {
    return QStringLiteral("file:") + QString::fromStdString(std::filesystem::absolute(path).string());
}

QString encoderProgram() { return QStandardPaths::findExecutable(QStringLiteral("ffmpeg")); }

}  // namespace

std::string whyNoFilms() {
    return encoderProgram().isEmpty() ? "films need the program ffmpeg, which is not installed; "
                                        ".png, .svg, .pdf and .html need nothing else"
                                      : "";
}

void writeFilm(const DrawableRun& subject, const std::filesystem::path& file, const Picture& picture,
               const engine::Progress& progress) {
    const QString program = encoderProgram();
    if (const std::string why = whyNoFilms(); !why.empty()) throw engine::Error{engine::text(file.string(), ": ", why)};
    // Colours of films are stored for two pixels at a time.
    const QSize size{picture.width / 2 * 2, picture.height / 2 * 2};
    engine::NewFile film{file, picture.existing};
    QProcess encoder;
    encoder.setProcessChannelMode(QProcess::MergedChannels);
    encoder.start(program, QStringList{"-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgra", "-s",
                                       QStringLiteral("%1x%2").arg(size.width()).arg(size.height()), "-r",
                                       QString::number(framesPerSecond), "-i", "-"} +
                               encoderFor(file.extension().string()) + QStringList{plainly(film.draft())});
    const auto fail = [&] {
        encoder.closeWriteChannel();
        if (!encoder.waitForFinished(patience)) encoder.kill();
        encoder.waitForFinished(patience);
        const std::string words = encoder.readAll().trimmed().toStdString();
        return engine::Error{engine::text(file.string(), ": ffmpeg failed", words.empty() ? "" : ": ", words)};
    };
    if (!encoder.waitForStarted()) throw fail();
    const int frames = std::max(1, static_cast<int>(std::lround(picture.seconds * framesPerSecond)));
    const int still = std::min(frames / 4, static_cast<int>(stillSeconds * framesPerSecond));
    for (int frame = 0; frame < frames; ++frame) {
        progress.at(static_cast<double>(frame) / frames);
        const double share = std::min(1.0, static_cast<double>(frame) / std::max(1, frames - 1 - still));
        const ViewState state =
            stateOf(subject, picture,
                    engine::Picoseconds{std::llround(share * static_cast<double>(subject.run().duration.count()))});
        const QImage image = imageOf(viewScene(picture.view, subject, state, size), size, Strokes::quick);
        encoder.write(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes());
        while (encoder.bytesToWrite() > mostWaiting)
            if (!encoder.waitForBytesWritten(-1)) throw fail();
    }
    encoder.closeWriteChannel();
    if (!encoder.waitForFinished(-1) || encoder.exitStatus() != QProcess::NormalExit || encoder.exitCode() != 0)
        throw fail();
    film.publish();
    progress.at(1);
}

}  // namespace app::gui
