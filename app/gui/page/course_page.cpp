// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/page/course_page.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/session/options/specification.hpp"
#include "app/teaching/teaching.hpp"

#include <map>
#include <memory>

namespace app::gui::page {
namespace {

constexpr std::size_t shotsPerRound = 2;

/// A run of the course, and what of it the stops show.
struct Scenery {
    DrawableRunPtr subject;
    std::vector<ViewState> veiled;             ///< at questions
    std::vector<engine::Picoseconds> moments;  ///< of the stops
    std::unique_ptr<Footage> footage;
    std::size_t number = 0;
};

/// `revealed`: the shot that answers it.
QByteArray questionHtml(const DrawableRun& subject, const Question& question, std::size_t revealed) {
    QByteArray items;
    QString truth;
    for (const Choice& choice : choices(subject, question)) {
        const Judgement judgement = *judge(subject, question, choice.meaning);
        truth = judgement.reason;
        items += "<li data-right=\"" + QByteArray{judgement.right ? "1" : "0"} + "\" data-why=\"" +
                 escaped(judgement.mistake) + "\">" + escaped(choice.words) + "</li>";
    }
    const QByteArray words = escaped(inWords(subject, question));
    return "<div class=\"question\" role=\"group\" aria-label=\"" + words + "\" data-shot=\"" +
           QByteArray::number(static_cast<qulonglong>(revealed)) + "\" data-truth=\"" + escaped(truth) + "\"><p><b>" +
           words + "</b></p><ul>" + items +
           "</ul><p class=\"verdict\" role=\"status\"></p><p class=\"answers\">Answer: " + escaped(truth) +
           "</p></div>";
}

/// The runs of all lessons, each once, with the shots that their stops need.
class Theatre {
public:
    Theatre(const std::vector<const Lesson*>& lessons, Drawing& drawing, const engine::Progress& progress) {
        for (const Lesson* lesson : lessons) collect(*lesson, progress);
        for (auto& [line, scenery] : all_) {
            std::vector<ViewState> shots;
            const DrawableRun& subject = *scenery.subject;
            for (const engine::Picoseconds time :
                 momentsOf(subject, subject.stops().size() * shotsPerRound, scenery.moments))
                shots.push_back({.time = time});
            shots.insert(shots.end(), scenery.veiled.begin(), scenery.veiled.end());
            scenery.footage = std::make_unique<Footage>(scenery.subject, std::move(shots), drawing);
        }
    }

    [[nodiscard]] const Scenery& of(const RunWish& wish) const { return all_.at(lineOf(wish)); }
    /// In the order of their numbers.
    [[nodiscard]] std::vector<const Scenery*> all() const {
        std::vector<const Scenery*> found(all_.size());
        for (const auto& [line, scenery] : all_) found[scenery.number] = &scenery;
        return found;
    }

private:
    static std::string lineOf(const RunWish& wish) {
        Specification specification;
        specification.run = wish;
        return app::lineOf(specification);
    }

    void collect(const Lesson& lesson, const engine::Progress& progress) {
        Scenery* scenery = nullptr;
        for (const Stop& stop : lesson.stops) {
            if (stop.run) {
                const auto [found, fresh] = all_.try_emplace(lineOf(*stop.run));
                scenery = &found->second;
                if (fresh) {
                    scenery->number = all_.size() - 1;
                    scenery->subject = std::make_shared<const DrawableRun>(execute(*stop.run, {.stop = progress.stop}));
                }
            }
            const DrawableRun& subject = *scenery->subject;
            requireTrue(lesson, stop, subject);
            scenery->moments.push_back(momentOf(stop, subject));
            if (stop.question)
                scenery->veiled.push_back(
                    {.time = askedAt(*stop.question, stop, subject), .veil = veilOf(*stop.question, subject)});
        }
    }

    std::map<std::string, Scenery> all_;
};

/// The shot of a question: the one with its veil.
std::size_t veiledShot(const Footage& footage, const Question& question, const Stop& stop) {
    const engine::Picoseconds veil = veilOf(question, footage.subject());
    const engine::Picoseconds time = askedAt(question, stop, footage.subject());
    std::size_t shot = 0;
    while (footage.shots()[shot].veil != veil || footage.shots()[shot].time != time) ++shot;
    return shot;
}

Step stepOf(const Stop& stop, const Scenery& scenery, const QByteArray& id, const QString& heading) {
    const Footage& footage = *scenery.footage;
    const DrawableRun& subject = footage.subject();
    Step step{.id = id,
              .heading = heading,
              .html = paragraphsOf(stop.text).toUtf8(),
              .run = scenery.number,
              .shot = footage.shotAt(momentOf(stop, subject)),
              .rank = stop.rank,
              .pictured = true};
    if (stop.question) {
        step.html += questionHtml(subject, *stop.question, step.shot);
        step.shot = veiledShot(footage, *stop.question, stop);
    }
    return step;
}

Chapter chapterOf(const std::vector<const Lesson*>& lessons, std::size_t number, const Theatre& theatre) {
    const Lesson& lesson = *lessons[number];
    const auto name = [&](std::size_t lessonNumber) {
        return "lesson=" + QByteArray::number(static_cast<qulonglong>(lessonNumber + 1));
    };
    Chapter chapter{.id = name(number), .title = lesson.title, .before = {}, .steps = {}, .after = {}};
    chapter.before =
        "<p class=\"quiet\">" + QByteArray::number(lesson.minutes) + " minutes; " + escaped(lesson.paper) + "</p>";
    const Scenery* scenery = nullptr;
    for (std::size_t stop = 0; stop < lesson.stops.size(); ++stop) {
        const Stop& each = lesson.stops[stop];
        if (each.run) scenery = &theatre.of(*each.run);
        QString heading = QStringLiteral("%1 of %2").arg(stop + 1).arg(lesson.stops.size());
        if (each.run)
            heading += QStringLiteral(": ") + QString::fromStdString(scenery->subject->report().plan->algorithm->title);
        chapter.steps.push_back(stepOf(
            each, *scenery, name(number) + "&stop=" + QByteArray::number(static_cast<qulonglong>(stop + 1)), heading));
    }
    chapter.after = "<p>End of this lesson. The <a href=\"#glossary\">glossary</a> explains every term.</p>";
    if (number + 1 < lessons.size())
        chapter.after =
            "<p>Next lesson: <a href=\"#" + name(number + 1) + "\">" + escaped(lessons[number + 1]->title) + "</a></p>";
    return chapter;
}

QByteArray leadOf(const std::vector<const Lesson*>& lessons, const QString& result) {
    QByteArray html =
        "<p>Every step shows a computed run. Go through the steps with the left and right keys, answer the questions, "
        "and click a rank, a message or a block for details. Instructions that name a menu, a button or another panel are "
        "for the window: <code>collscope view</code>, menu Teach.</p><nav aria-label=\"Lessons\"><ol>";
    for (std::size_t i = 0; i < lessons.size(); ++i)
        html += "<li><a href=\"#lesson=" + QByteArray::number(static_cast<qulonglong>(i + 1)) + "\">" +
                escaped(lessons[i]->title) + "</a> <span class=\"quiet\">" + QByteArray::number(lessons[i]->minutes) +
                " minutes</span></li>";
    return html + "</ol></nav><p id=\"result\">" + escaped(result) + "</p>";
}

}  // namespace

QByteArray pageOfLessons(const std::vector<const Lesson*>& lessons, bool dark, const engine::Progress& progress) {
    Inks inks{dark};
    Drawing drawing{inks};
    const Theatre theatre{lessons, drawing, progress};
    const bool one = lessons.size() == 1;
    Document document{.title = one ? lessons.front()->title : QStringLiteral("Collective communication, seen"),
                      .lead = {},
                      .results = {},
                      .runs = {},
                      .stories = {},
                      .chapters = {},
                      .rest = glossarySection(),
                      .foot = "<p>Made by Collscope. A link to this page keeps the step and what is chosen.</p>",
                      .keep = false};
    for (const Scenery* scenery : theatre.all()) {
        document.runs.push_back(scenery->footage.get());
        // Bounds are what lessons explain: before that they cannot be understood.
        const engine::Run& run = scenery->subject->run();
        document.results.push_back(countedInWords(run.rounds, QStringLiteral("round"), QStringLiteral("rounds")) +
                                   QStringLiteral(", ") + timeInSentence(run.duration));
    }
    for (std::size_t i = 0; i < lessons.size(); ++i) document.chapters.push_back(chapterOf(lessons, i, theatre));
    document.lead = leadOf(lessons, document.results[document.chapters.front().steps.front().run]);
    progress.at(1);
    return htmlOf(document, drawing, inks);
}

}  // namespace app::gui::page
