// SPDX-License-Identifier: BSD-3-Clause
// Runs as files: the ending says whether they become a picture, a film, a page or a table.
#include "app/gui/export/export_writer.hpp"
#include "app/gui/page/course_page.hpp"
#include "app/gui/page/run_page.hpp"
#include "app/gui/scenes/picture/file_kinds.hpp"
#include "app/gui/scenes/picture/offscreen.hpp"
#include "app/gui/scenes/picture/picture.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/run/message_file.hpp"
#include "app/teaching/teaching.hpp"
#include "engine/base/error.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <span>

namespace app::gui {
namespace {

constexpr auto filmEndings = endingsOf<FileKind::What::film>();
constexpr std::string_view pageEnding = endingsOf<FileKind::What::page>()[0];

/// ".png, .svg or .pdf".
std::string alternatives(std::span<const std::string_view> words) {
    return fields::alternatives({words.begin(), words.end()});
}

FileKind::What requireKnown(const std::filesystem::path& file) {
    const std::string ending = file.extension().string();
    if (const FileKind* kind = fileKind(ending)) return kind->what;
    std::vector<std::string> endings;
    for (const FileKind& kind : fileKinds) endings.emplace_back(kind.ending);
    throw engine::Error{engine::text(
        file.string(), ": pictures end in ", alternatives(pictureEndings), ", films in ", alternatives(filmEndings),
        ", pages in ", pageEnding,
        "; .csv is a table of messages, .pftrace and .json are traces for Perfetto, and .otf2 is a copy of a trace",
        engine::didYouMean(ending, endings))};
}

}  // namespace

void writePicture(const Trace& trace, const std::filesystem::path& file, const Picture& picture,
                  const engine::Progress& progress) {
    const FileKind::What what = requireKnown(file);
    if (what == FileKind::What::messages) {
        engine::NewFile table{file, picture.existing, progress.stop};
        writeMessagesCsv(*trace.report.run, table.out());
        return table.publish();
    }
    const OffscreenGui gui;
    if (what == FileKind::What::page)
        return save(file, page::pageOfRun(trace.report, picture.dark, picture.marks, progress, trace.recording),
                    picture.existing);
    const DrawableRun subject{trace.report, trace.recording};
    requireFor(picture.view, subject);
    if (what == FileKind::What::film) writeFilm(subject, file, picture, progress);
    else writeStill(subject, file, picture, progress);
}

void writeCourse(const std::vector<std::string>& words, const std::filesystem::path& file, const Picture& picture,
                 const engine::Progress& progress) {
    if (file.extension() != pageEnding)
        throw engine::Error{engine::text(file.string(), ": lessons become a page, which ends in ", pageEnding)};
    std::vector<Lesson> given;
    for (const std::string& word : words) given.push_back(lessonCalled(word));
    std::vector<const Lesson*> course;
    for (const Lesson& lesson : given) course.push_back(&lesson);
    const OffscreenGui gui;
    save(file, page::pageOfLessons(course, picture.dark, progress), picture.existing);
}

}  // namespace app::gui
