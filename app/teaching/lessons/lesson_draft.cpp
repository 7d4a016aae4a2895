// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/lessons/lesson_draft.hpp"

#include "app/gui/settings/run_settings.hpp"
#include "app/session/options/specification.hpp"
#include "app/teaching/lessons/lesson_facts.hpp"
#include "app/teaching/lessons/lesson_names.hpp"
#include "app/teaching/lessons/templates.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <QCoreApplication>
#include <QFile>

namespace app::gui {
namespace {

engine::Error mistakeAt(const std::string& path, int line, const std::string& why) {
    return engine::Error{engine::text(path, ':', line, ": ", why)};
}

}  // namespace

bool isLesson(std::string_view path) { return path.ends_with(lessonEnding); }

LessonDraft draftFrom(const std::string& path, const std::string& text, const engine::Progress& progress) {
    LessonDraft draft{.lesson = readLesson(text, path), .held = {}};
    for (std::size_t i = 0; i < draft.lesson.stops.size(); ++i) {
        const Stop& stop = draft.lesson.stops[i];
        if (!stop.run) continue;
        try {
            if (stop.run->on != "virtual" || !isSmall(*stop.run, makePlan(*stop.run, {.stop = progress.stop})))
                draft.held.insert(i);
        } catch (const engine::Error& error) {
            throw mistakeAt(path, stop.lineOf("run"), error.words());
        }
    }
    return draft;
}

QString borneOut(const LessonDraft& draft, const std::string& path, const engine::Progress& progress) {
    std::optional<DrawableRun> subject;
    std::size_t facts = 0;
    const std::vector<Stop>& stops = draft.lesson.stops;
    for (std::size_t i = 0; i < stops.size(); ++i) {
        if (draft.held.contains(stopOfRun(draft.lesson, i))) continue;
        try {
            if (stops[i].run) subject.emplace(execute(*stops[i].run, {.stop = progress.stop}));
        } catch (const engine::Error& error) {
            throw mistakeAt(path, stops[i].lineOf("run"), error.words());
        }
        if (const std::optional<Mistake> mistake = mistakeIn(stops[i], *subject))
            throw mistakeAt(path, mistake->line, mistake->words);
        facts += stops[i].facts.size();
    }
    const auto counted = [](std::size_t number, const char* one, const char* more) {
        return QCoreApplication::translate("LessonDraft", number == 1 ? one : more).arg(number);
    };
    QString words = QCoreApplication::translate("LessonDraft", "%1; their runs bear out %2")
                        .arg(counted(stops.size(), "%1 stop", "%1 stops"), counted(facts, "%1 fact", "%1 facts"));
    if (!draft.held.empty())
        words += QCoreApplication::translate("LessonDraft",
                                             ". Large runs and those of real processes wait until the lesson is given");
    return words;
}

std::size_t stopAtLine(const Lesson& lesson, int line) {
    std::size_t found = 0;
    while (found + 1 < lesson.stops.size() && lesson.stops[found + 1].line <= line) ++found;
    return found;
}

std::size_t stopOfRun(const Lesson& lesson, std::size_t stop) {
    while (stop > 0 && !lesson.stops[stop].run) --stop;
    return stop;
}

QString lessonTemplate() {
    (void)templates();  // the same resource
    QFile file{QStringLiteral(":/templates/lesson.lesson")};
    ENSURE(file.open(QIODevice::ReadOnly), "it is part of the program");
    return QString::fromUtf8(file.readAll());
}

}  // namespace app::gui
