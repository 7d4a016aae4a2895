// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/page/document.hpp"

#include "app/gui/explain/glossary.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/picture/heading.hpp"
#include "engine/base/error.hpp"

#include <QCryptographicHash>
#include <QFile>
#include <QRegularExpression>

static void loadPage() { Q_INIT_RESOURCE(page); }

namespace app::gui::page {
namespace {

QByteArray resource(const char* name) {
    loadPage();
    QFile file{QStringLiteral(":/page/") + QString::fromLatin1(name)};
    ENSURE(file.open(QIODevice::ReadOnly), "the page's script and style are part of the program");
    return file.readAll();
}

/// A page's policy names what it may carry out: this very script and this very style, and nothing from elsewhere.
QByteArray sourceOf(const QByteArray& words) {
    return "'sha256-" + QCryptographicHash::hash(words, QCryptographicHash::Sha256).toBase64() + '\'';
}

QByteArray numberOf(std::size_t number) { return QByteArray::number(static_cast<qulonglong>(number)); }

QByteArray figureOf(const Footage& run, std::size_t view, std::size_t shot, const Drawing& drawing,
                    std::span<const Screen> shown) {
    const StageView& its = stageViews()[view];
    const QString heading = headingOf(its.name);
    QByteArray html = "<figure data-view=\"" + QByteArray{its.name.data()} + "\" data-heading=\"" + escaped(heading) +
                      "\"><figcaption>" + escaped(heading) + "</figcaption>";
    for (const Screen screen : shown)
        html += pictureOf(drawing, its, screen, run.frame(view, screen, shot),
                          heading + QStringLiteral(". ") + run.words(shot));
    return html + "</figure>";
}

/// All that is played, at the start.
QByteArray figuresOf(const Footage& run, std::size_t shot, const Drawing& drawing) {
    QByteArray html = "<div class=\"pictures\">";
    for (std::size_t view = 0; view < stageViews().size(); ++view) html += figureOf(run, view, shot, drawing, screens);
    return html + "</div>";
}

/// The network and block ownership, small: for readers without JavaScript.
QByteArray smallFiguresOf(const Footage& run, std::size_t shot, const Drawing& drawing) {
    constexpr std::array small{Screen::phone};
    return "<div class=\"small\">" + figureOf(run, 0, shot, drawing, small) + figureOf(run, 1, shot, drawing, small) +
           "</div>";
}

QByteArray tabs() {
    QByteArray html =
        "<div class=\"controls\" id=\"pictures-chosen\" role=\"group\" aria-label=\"Picture\" data-live hidden>";
    for (const StageView& view : stageViews())
        html += "<button type=\"button\" data-view=\"" + QByteArray{view.name.data()} + "\" aria-pressed=\"" +
                (&view == stageViews().data() ? "true" : "false") + "\">" + escaped(headingOf(view.name)) + "</button>";
    return html + "</div>";
}

QByteArray slidersOf(const Document& document) {
    QByteArray html;
    for (const Axis& axis : document.axes)
        html += "<label>" + escaped(axis.label) + " <input type=\"range\" id=\"grid-" + axis.key +
                "\" min=\"0\" max=\"" + QByteArray::number(axis.values.size() - 1) + "\" value=\"" +
                QByteArray::number(axis.at) + "\" aria-valuetext=\"" + escaped(axis.values[axis.at]) +
                "\"> <output id=\"grid-" + axis.key + "-is\">" + escaped(axis.values[axis.at]) + "</output></label>";
    return html;
}

QByteArray controlsOf(const Document& document) {
    return "<div class=\"controls\" role=\"group\" aria-label=\"Moment\" data-live hidden>"
           "<button type=\"button\" id=\"back\" aria-label=\"one step back\">\u25c0</button>"
           "<button type=\"button\" id=\"play\">Play</button>"
           "<button type=\"button\" id=\"next\" aria-label=\"one step forward\">\u25b6</button>"
           "<input type=\"range\" id=\"at\" min=\"0\" max=\"1\" value=\"0\" aria-label=\"Moment\"></div>\n"
           "<details id=\"more\" data-live hidden><summary>Choose</summary><div class=\"controls\">"
           "<label>Rank <select id=\"choose-rank\"><option value=\"\">all</option></select></label>"
           "<label>Follow <select id=\"choose-block\"><option value=\"\">nothing</option></select></label>" +
           slidersOf(document) + "</div></details>\n";
}

QByteArray stageOf(const Document& document, const Drawing& drawing) {
    const Step& first = document.chapters.front().steps.front();
    return "<section id=\"stage\" aria-label=\"Pictures\">\n" + tabs() +
           figuresOf(*document.runs[first.run], first.shot, drawing) +
           "<p id=\"words\" role=\"status\" aria-live=\"polite\">" +
           escaped(document.runs[first.run]->words(first.shot)) + "</p>\n" + controlsOf(document) +
           "<div id=\"chosen\" role=\"region\" aria-label=\"Chosen\" tabindex=\"0\" hidden><button type=\"button\" "
           "id=\"close\" aria-label=\"choose nothing\">\u00d7</button><div id=\"chosen-words\" aria-live=\"polite\"></div>"
           "</div></section>\n";
}

QByteArray dataOf(const Document& document, const Drawing& drawing) {
    QByteArray json = "{\"keep\":" + QByteArray{document.keep ? "true" : "false"} + ",\"runs\":[";
    for (std::size_t run = 0; run < document.runs.size(); ++run) {
        json += (run > 0 ? ",\n{" : "{") + document.runs[run]->json() + ",\"result\":" + toJson(document.results[run]);
        if (run < document.stories.size() && !document.stories[run].isEmpty())
            json += ",\"story\":" + toJson(QString::fromUtf8(document.stories[run]));
        json += '}';
    }
    json += "],\n";
    if (!document.axes.empty()) {
        json += "\"grid\":{\"axes\":[";
        for (const Axis& axis : document.axes) {
            json += (&axis == document.axes.data() ? "" : ",") + ("{\"key\":\"" + axis.key) +
                    "\",\"at\":" + QByteArray::number(axis.at) + ",\"values\":[";
            for (const QString& value : axis.values) json += (json.endsWith('[') ? "" : ",") + toJson(value);
            json += "]}";
        }
        json += "],\"runs\":[";
        for (const int run : document.grid) json += (json.endsWith('[') ? "" : ",") + QByteArray::number(run);
        json += "]},\n";
    }
    return json + "\"shapes\":" + drawing.json() + '}';
}

}  // namespace

QByteArray escaped(const QString& words) { return withoutControls(words).toHtmlEscaped().toUtf8(); }

QByteArray storyOf(const Chapter& chapter, const Document& document, const Drawing& drawing) {
    QByteArray html = chapter.before;
    for (const Step& step : chapter.steps) {
        html += "<section class=\"step\" id=\"" + step.id + "\" data-run=\"" + numberOf(step.run) + "\" data-shot=\"" +
                numberOf(step.shot) + '"';
        if (step.rank) html += " data-rank=\"" + QByteArray::number(step.rank->value) + '"';
        html += "><h3>" + escaped(step.heading) + "</h3>";
        if (step.pictured) html += smallFiguresOf(*document.runs[step.run], step.shot, drawing);
        html += step.html + "</section>\n";
    }
    return html + chapter.after;
}

QByteArray htmlOf(const Document& document, const Drawing& drawing, const Inks& inks) {
    const QByteArray style = inks.style() + resource("page.css");
    const QByteArray script = resource("page.js");
    QByteArray story;
    for (const Chapter& chapter : document.chapters) {
        story += "<section class=\"chapter\" id=\"" + chapter.id + "\">";
        story += "<h2>" + escaped(chapter.title) + "</h2>";
        story += "<div class=\"steps\">" + storyOf(chapter, document, drawing) + "</div></section>\n";
    }
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + escaped(document.title) +
           "</title>\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action "
           "'none'; script-src " +
           sourceOf(script) + "; style-src " + sourceOf(style) + "\">\n<style>" + style +
           "</style></head><body>\n<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>" +
           inks.patterns() + "</defs></svg>\n<header><h1>" + escaped(document.title) + "</h1>\n" + document.lead +
           "</header>\n<main><div class=\"together\">\n" + stageOf(document, drawing) + "<div id=\"story\">\n" + story +
           "</div></div>\n" + document.rest + "</main>\n<footer>" + document.foot +
           "</footer>\n<div id=\"tip\" aria-hidden=\"true\" hidden></div>\n<script type=\"application/json\" id=\"data\">" +
           dataOf(document, drawing) + "</script>\n<script>" + script + "</script></body></html>\n";
}

QByteArray tableOf(const Table& table, const QString& caption, std::size_t most, const QByteArray& ids) {
    QByteArray html =
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" + escaped(caption) + "\"><table><thead><tr>";
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        if (analysis::says(table, column)) columns.push_back(column);
    for (const std::size_t column : columns)
        html += "<th scope=\"col\">" + escaped(toQt(analysis::heading(table.columns[column]))) + "</th>";
    html += "</tr></thead><tbody>";
    for (std::size_t row = 0; row < std::min(table.rows.size(), most); ++row) {
        html += ids.isEmpty() ? QByteArray{"<tr>"} : "<tr id=\"" + ids + '=' + numberOf(row) + "\">";
        for (const std::size_t column : columns)
            html += "<td>" +
                    escaped(withMu(toQt(analysis::shown(table.rows[row][column], table.columns[column].content)))) +
                    "</td>";
        html += "</tr>\n";
    }
    html += "</tbody></table></div>";
    QStringList remarks;
    if (table.rows.size() > most)
        remarks << countInWords(static_cast<std::int64_t>(table.rows.size() - most)) + " more are not in this file.";
    for (const std::string& remark : table.remarks) remarks << toQt(remark);
    for (const QString& remark : remarks) html += "<p class=\"quiet\">" + escaped(remark) + "</p>";
    return html;
}

QByteArray linked(const QString& html) {
    static const QRegularExpression link{QStringLiteral("<a href=\"(\\w+):([^\"]*)\">(.*?)</a>")};
    QString words;
    qsizetype end = 0;
    for (auto found = link.globalMatch(html); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        words += html.mid(end, match.capturedStart() - end);
        end = match.capturedEnd();
        const QString kind = match.captured(1);
        const QString inside = match.captured(3);
        QString target;
        if (kind == QLatin1String("rank") || kind == QLatin1String("block") || kind == QLatin1String("message"))
            target = kind + '=' + match.captured(2);
        else if (kind == QLatin1String("still"))
            target = QStringLiteral("rank=") + match.captured(2).section(':', 0, 0);
        else if (kind == QLatin1String("round"))
            target = QStringLiteral("round=%1").arg(match.captured(2).toLongLong() + 1);
        words += target.isEmpty() ? inside : QStringLiteral("<a href=\"#%1\">%2</a>").arg(target, inside);
    }
    return (words + html.mid(end)).toUtf8();
}

QByteArray glossarySection() {
    QByteArray html = "<section id=\"glossary\"><h2>Words</h2><dl>";
    for (const Term& term : glossary())
        html += "<dt><dfn>" + escaped(term.word) + "</dfn></dt><dd>" + term.html.toUtf8() + "</dd>";
    return html + "</dl></section>\n";
}

}  // namespace app::gui::page
