// SPDX-License-Identifier: BSD-3-Clause
// Runs as files: the ending says whether they become a picture, a film or a page.
#include "app/gui/gui.hpp"
#include "app/gui/lesson.hpp"
#include "app/gui/page/course_page.hpp"
#include "app/gui/page/run_page.hpp"
#include "app/gui/scenes/offscreen.hpp"
#include "app/gui/scenes/picture.hpp"
#include "engine/error.hpp"
#include "engine/new_file.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <span>

namespace app::gui {
namespace {

constexpr std::array<std::string_view, 3> filmEndings{".gif", ".mp4", ".webm"};
constexpr std::string_view pageEnding = ".html";

/// ".png, .svg or .pdf".
std::string alternatives(std::span<const std::string_view> words) {
    std::string all;
    for (const std::string_view& word : words)
        all += engine::text(all.empty() ? "" : &word == &words.back() ? " or " : ", ", word);
    return all;
}

bool isOneOf(std::span<const std::string_view> endings, const std::string& ending) {
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

void requireKnown(const std::filesystem::path& file) {
    const std::string ending = file.extension().string();
    if (isOneOf(pictureEndings, ending) || isOneOf(filmEndings, ending) || ending == pageEnding) return;
    std::vector<std::string> endings{pictureEndings.begin(), pictureEndings.end()};
    endings.insert(endings.end(), filmEndings.begin(), filmEndings.end());
    endings.emplace_back(pageEnding);
    throw engine::Error{
        engine::text(file.string(), ": pictures end in ", alternatives(pictureEndings), ", films in ",
                     alternatives(filmEndings), ", pages in ", pageEnding,
                     "; .csv is a table of messages, .pftrace or .json a trace for Perfetto, and of a trace "
                     ".otf2 a copy",
                     engine::didYouMean(ending, endings))};
}

}  // namespace

void writePicture(const Trace& trace, const std::filesystem::path& file, const Picture& picture,
                  const engine::Progress& progress) {
    requireKnown(file);
    const std::string ending = file.extension().string();
    const OffscreenGui gui;
    if (ending == pageEnding)
        return save(file, page::pageOfRun(trace.report, picture.dark, progress), picture.existing);
    const Subject subject{trace.report, trace.recording};
    if (isOneOf(filmEndings, ending)) writeFilm(subject, file, picture, progress);
    else writeStill(subject, file, picture, progress);
}

std::vector<LessonName> lessonNames() {
    std::vector<LessonName> names;
    for (const Lesson& lesson : lessons()) names.push_back({lesson.name, lesson.title.toStdString()});
    return names;
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
