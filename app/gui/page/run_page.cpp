// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/page/run_page.hpp"

#include "app/gui/page/page_parameter_grid.hpp"
#include "app/gui/page/run_narrative.hpp"
#include "app/gui/scenes/common/annotation_notes.hpp"
#include "app/gui/scenes/picture/heading.hpp"
#include "app/gui/scenes/text/headline.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/session/options/recorded.hpp"

#include <algorithm>

namespace app::gui::page {
namespace {

constexpr qsizetype mostOfRun = mostBytes / 3;
constexpr qsizetype mostOfPlate = mostBytes / 12;
constexpr std::size_t mostShots = 600;
constexpr std::size_t fewShots = 8;

/// A picture without animation: below the story.
struct Plate {
    const char* id;
    StageView view;
    Table (*table)(const DrawableRun&, const ViewState&);  ///< its numbers; may be null
};

constexpr Plate plates[]{
    {"strip", {"strip", {QSize{1200, 330}, QSize{360, 640}}}, nullptr},
    {"bounds", {"bounds", {QSize{640, 330}, QSize{360, 330}}}, boundsTable},
    {"idle", {"idle", {QSize{640, 330}, QSize{360, 330}}}, idleTable},
    {"links", {"links", {QSize{640, 330}, QSize{360, 330}}}, linksTable},
    {"matrix", {"matrix", {QSize{640, 420}, QSize{360, 360}}}, nullptr},
    {"waits", {"waits", {QSize{640, 420}, QSize{360, 360}}}, waitsTable},
};
constexpr std::size_t mostRows = 64;

QByteArray plateOf(const Plate& plate, const DrawableRun& subject, Inks& inks) {
    Drawing drawing{inks};
    const ViewState end{.time = subject.run().duration};
    const QString heading = headingOf(plate.view.name);
    const QString said = viewNamed(plate.view.name).scene(subject, end, plate.view.size(Screen::desk)).description;
    QByteArray pictures;
    for (const Screen screen : screens)
        pictures += pictureOf(drawing, plate.view, screen, frameOf(drawing, plate.view, screen, subject, end),
                              heading + QStringLiteral(". ") + said);
    if (pictures.size() > mostOfPlate)
        pictures = "<p class=\"quiet\">It has more marks than this file has room for; the window shows it.</p>";
    QByteArray html = "<section id=\"" + QByteArray{plate.id} + "\"><h2>" + escaped(heading) + "</h2><figure>" +
                      pictures + "</figure>";
    if (plate.table != nullptr)
        if (const Table table = plate.table(subject, end); !table.rows.empty())
            html += tableOf(table, heading, mostRows);
    return html + "</section>\n";
}

/// As many shots as have room, all of the story's and of the notes among them where that is possible.
std::unique_ptr<Footage> filmed(const DrawableRunPtr& subject, const std::vector<Mark>& notes, Inks& inks,
                                std::unique_ptr<Drawing>& drawing, const engine::Progress& progress) {
    for (std::size_t most = mostShots;; most /= 2) {
        drawing = std::make_unique<Drawing>(inks);
        std::vector<ViewState> shots;
        std::vector<engine::Picoseconds> wanted;
        if (most > fewShots) {
            wanted = toldMoments(*subject);
            for (const Mark& note : notes) wanted.push_back(std::clamp(note.time, {}, subject->run().duration));
        }
        for (const engine::Picoseconds time : momentsOf(*subject, most, wanted))
            shots.push_back({.time = time, .marks = notes});
        // Some that follow each other tell how much all of them will be.
        if (shots.size() > fewShots) {
            Drawing trial{inks};
            const auto middle = shots.begin() + static_cast<std::ptrdiff_t>((shots.size() - fewShots) / 2);
            const Footage first{subject, {*middle}, trial};
            const Footage more{subject, {middle, middle + static_cast<std::ptrdiff_t>(fewShots)}, trial};
            const qsizetype each = more.bytes() / static_cast<qsizetype>(fewShots - 1);
            if (first.bytes() + each * static_cast<qsizetype>(shots.size()) > mostOfRun && most > fewShots) continue;
        }
        auto footage = std::make_unique<Footage>(subject, std::move(shots), *drawing, progress);
        if (footage->bytes() <= mostOfRun || most <= fewShots) return footage;
    }
}

/// `rest`: what of the contents there is.
QByteArray leadOf(const DrawableRun& subject, const QString& result, const QByteArray& rest) {
    QByteArray html = "<p class=\"quiet\">" + escaped(subtitleOf(subject)) + "</p><p id=\"result\">" + escaped(result) +
                      "</p><nav aria-label=\"Contents\"><ul>";
    const std::pair<const char*, QString> parts[]{{"story", QStringLiteral("The run")},
                                                  {"notes", QStringLiteral("Notes")},
                                                  {"strip", QStringLiteral("Round by round")},
                                                  {"bounds", headingOf("bounds")},
                                                  {"waits", headingOf("waits")},
                                                  {"ranks", QStringLiteral("Every rank")},
                                                  {"blocks", QStringLiteral("Every block")},
                                                  {"messages", QStringLiteral("All messages")},
                                                  {"glossary", QStringLiteral("Words")}};
    for (const auto& [id, words] : parts)
        if (QByteArray{"story"} == id || rest.contains("id=\"" + QByteArray{id} + '"'))
            html += "<li><a href=\"#" + QByteArray{id} + "\">" + escaped(words) + "</a></li>";
    return html + "</ul></nav>";
}

/// What stands in the pictures, to be read without them.
QByteArray notesOf(const DrawableRun& subject, const std::vector<Mark>& notes) {
    if (notes.empty()) return {};
    const std::vector<engine::Round> told = toldRounds(subject.run());
    QByteArray html = "<section id=\"notes\"><h2>Notes</h2><ul>";
    for (const Mark& note : notes) {
        const engine::Round round = subject.roundAt(note.time);
        const QByteArray number = QByteArray::number(static_cast<qlonglong>(round.value + 1));
        QByteArray moment = escaped(momentOf(subject, note.time));
        if (subject.hasRounds() && std::ranges::find(told, round) != told.end())
            moment = "<a href=\"#round=" + number + "\">" + moment + "</a>";
        const QString place = whereInWords(subject, note);
        html += "<li>" + moment + (place.isEmpty() ? QByteArray{} : ", " + escaped(place)) + ": " +
                escaped(QString::fromStdString(note.note)) + "</li>";
    }
    return html + "</ul></section>\n";
}

QByteArray footOf(const Report& report) {
    QByteArray html = "<p>Made by Collscope";
    if (const std::optional<RunWish> wish = wishBehind(report)) {
        Specification specification;
        specification.run = *wish;
        html += " from <code>" + escaped(QString::fromStdString(commandOf(specification))) + "</code>";
    }
    return html + ". A link to this page keeps the moment and what is chosen.</p>";
}

}  // namespace

QByteArray pageOfRun(const Report& report, bool dark, const std::vector<Mark>& notes, const engine::Progress& progress,
                     const traces::RecordingPtr& recording) {
    const auto subject = std::make_shared<const DrawableRun>(report, recording);
    (void)subject->tallies();
    if (subject->isProgram()) (void)subject->programmed();
    Inks inks{dark};
    std::unique_ptr<Drawing> drawing;
    const std::unique_ptr<Footage> footage = filmed(subject, notes, inks, drawing, within(progress, 0, 0.5));
    const QString result = headlineOf(*subject).words();
    Document document{.title = titleOf(*subject),
                      .lead = {},
                      .results = {result},
                      .runs = {footage.get()},
                      .stories = {{}},
                      .chapters = {storyOfRun(*footage, 0)},
                      .rest = notesOf(*subject, notes),
                      .foot = footOf(report)};
    for (const Plate& plate : plates) document.rest += plateOf(plate, *subject, inks);
    const QByteArray parts = partsOf(*subject);
    const qsizetype left = mostBytes - footage->bytes() - document.rest.size() - parts.size();
    const Grid grid = gridAround(report, *footage, *drawing, left, within(progress, 0.5, 1));
    for (const std::unique_ptr<Footage>& other : grid.others) {
        document.runs.push_back(other.get());
        document.results.push_back(headlineOf(other->subject()).words());
        document.stories.push_back(storyOf(storyOfRun(*other, document.runs.size() - 1), document, *drawing));
    }
    document.axes = grid.axes;
    document.grid = grid.runs;
    document.rest += gridTable(grid, document.results) + parts + glossarySection();
    document.lead = leadOf(*subject, result, document.rest);
    return htmlOf(document, *drawing, inks);
}

}  // namespace app::gui::page
