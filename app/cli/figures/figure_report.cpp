// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/figures/figure_report.hpp"

#include "app/analysis/format/csv.hpp"
#include "app/cli/figures/figure_drawn.hpp"
#include "app/cli/output/text.hpp"
#include "engine/text.hpp"

#include <sys/utsname.h>

#include <map>
#include <thread>

namespace app::cli {
namespace {

using analysis::csvCell;
using analysis::csvNumber;
using engine::text;

/// Words within a cell of a markdown table.
std::string inCell(std::string_view words) {
    std::string safe;
    for (const char c : words) {
        if (c == '|' || c == '*' || c == '_' || c == '<') safe += '\\';
        safe += c;
    }
    return safe;
}

std::string agreementInWords(const MadeAgreement& one) {
    return text(one.line, one.off <= 1e-6 ? " equals " : " differs from ", one.series,
                one.off <= 1e-6 ? " at every point" : text(" by up to ", inDigits(100 * one.off), " %"));
}

/// How many items have which verdict, "does not hold" first.
std::map<std::string, int> tally(const std::vector<Made>& all) {
    std::map<std::string, int> count;
    for (const Made& made : all) ++count[verdictOf(made)];
    return count;
}

std::string tallyInWords(const std::vector<Made>& all) {
    std::string words = analysis::counted(static_cast<std::int64_t>(all.size()), "item");
    const char* between = ": ";
    for (const auto& [verdict, count] : tally(all)) {
        words += text(between, count, ' ', verdict);
        between = ", ";
    }
    return words;
}

/// What the words mean that stand at every item, and what a number is of.
constexpr std::string_view howToRead =
    "Of an item, *reproduced* says that the paper's model, run here, gives what is printed; *fitted*, that a model was "
    "fitted to the printed number, which shows that it can be so, not that it is; *explained*, that ours differs from "
    "print, and from what; *contradicted*, that by the paper's own model or statements it cannot be so.\n\n"
    "*Expected* is what the paper's own model gives, worked out apart from this program; ours may differ from it by "
    "1 %. A number with two commands is the first one's time over the second's, or their rounds where it says so. A "
    "number with one command is what its words say of that run: its rounds, the idle share of total rank time, "
    "who a message of its schedule goes to or comes from, whether the schedule is proved (1) or refuted (0), or "
    "a formula in the parameters of the run.";

/// The same without the marks of a page.
std::string plain(std::string_view words) {
    std::string safe;
    for (const char c : words)
        if (c != '*') safe += c;
    return safe;
}

constexpr std::string_view style = R"(<style>
body{margin:0 auto;max-width:1100px;padding:16px;font:15px/1.45 "DejaVu Sans",Verdana,sans-serif;color:#1a1a2e;background:#fff}
h1{font-size:24px}h2{margin-top:48px;border-bottom:1px solid #ccd}h3{margin:36px 0 4px}
pre{background:#f3f5f9;padding:8px;overflow-x:auto;font-size:12px;white-space:pre-wrap}
table{border-collapse:collapse;font-size:13px;margin:8px 0}td,th{border:1px solid #ccd;padding:3px 8px;text-align:left;vertical-align:top}
td.n{text-align:right}svg{max-width:100%;height:auto;border:1px solid #dde}
.v{font-weight:bold}
</style>)";

void writeNumbers(const Made& made, std::ostream& out) {
    if (made.numbers.empty()) return;
    out << "<table><tr><th>number</th><th>in print</th><th>expected</th><th>here</th><th></th><th>commands</th></tr>\n";
    for (const MadeNumber& one : made.numbers) {
        const figures::Number& number = *one.number;
        out << "<tr><td>" << escaped(number.what) << "</td><td>" << escaped(number.print) << "</td><td class=\"n\">"
            << inDigits(number.expected) << "</td><td class=\"n\">" << inDigits(one.value) << "</td><td>"
            << escaped(stateOf(one)) << (number.why.empty() ? "" : ": ") << escaped(number.why) << "</td><td><pre>";
        if (!number.formula.empty()) out << "formula " << escaped(number.formula) << "\nin the letters of\n";
        for (const std::string& command : one.commands) out << escaped(command) << '\n';
        out << "</pre></td></tr>\n";
    }
    out << "</table>\n";
}

/// The words of the whole program that the environment section needs.
std::string system() {
    utsname name{};
    if (::uname(&name) != 0) return "not known";
    return text(name.sysname, ' ', name.release, ' ', name.machine);
}

void writeAppendix(const std::vector<Made>& all, const Effort& effort, std::ostream& out) {
    std::string slowest;
    double most = 0;
    for (const Made& made : all)
        if (made.seconds > most) most = made.seconds, slowest = made.name();
    out << "<h2 id=\"appendix\">Artifact appendix</h2>\n<p>Everything above was made by one program, in virtual time: no "
           "cluster is needed, and every number is the same on every machine.</p>\n<table>\n";
    const auto row = [&](std::string_view what, const std::string& words) {
        out << "<tr><th>" << what << "</th><td>" << escaped(words) << "</td></tr>\n";
    };
    row("Program", "collscope " COLLSCOPE_VERSION);
    row("Command", text(effort.command, " -o report.html"));
    row("One item", "collscope figure PAPER ITEM -o FILE.pdf, or .svg, .png, .csv");
    row("Headlines", "collscope claims");
    row("Time", text(inDigits(effort.seconds), " s; longest ", slowest, " with ", inDigits(most), " s"));
    row("Runs", text(effort.ran, " made, ", effort.taken, " taken from before"));
    row("Machine", text(std::thread::hardware_concurrency(), " processors, ", system()));
    row("Compiled by", __VERSION__);
    row("Checks",
        "exit code 0 when every number is what is expected to 1 % and every formula agrees where it should; "
        "contradictions that are recorded and explained do not fail");
    out << "</table>\n<table><tr><th>item</th><th>runs made</th><th>taken from before</th><th>seconds</th></tr>\n";
    for (const Made& made : all)
        out << "<tr><td>" << made.name() << "</td><td class=\"n\">" << made.ran << "</td><td class=\"n\">" << made.taken
            << "</td><td class=\"n\">" << inDigits(made.seconds) << "</td></tr>\n";
    out << "</table>\n";
}

std::string anchorOf(const Made& made) { return text(made.paper->name, '-', made.item->name); }

void writeItem(const Made& made, const Console& console, gui::Picture picture, std::ostream& out) {
    out << "<h3 id=\"" << anchorOf(made) << "\">" << made.name() << "</h3>\n<p>" << escaped(made.item->shows)
        << ".</p>\n<p><span class=\"v\">" << verdictOf(made) << "</span>: " << escaped(reasonOf(made)) << "</p>\n";
    if (!made.panels.empty()) {
        const auto panels = static_cast<int>(made.panels.size());
        picture.width = panels == 1 ? 900 : 1400;
        picture.height = panels == 1 ? 560 : panels <= 3 ? 640 : panels <= 12 ? 1100 : 1800;
        if (console.around.drawing) out << console.around.drawing(sheetOf(made), picture) << '\n';
        out << "<p>" << escaped(axesOf(made)) << "</p>\n<pre>";
        for (const MadePanel& panel : made.panels) out << escaped(panel.command) << '\n';
        out << "</pre>\n";
    }
    if (const figures::Drawn* drawn = figures::drawnOf(made.paper->name, made.item->name)) {
        picture.width = 1200;
        picture.height = 800;
        if (console.around.panelsDrawing) out << console.around.panelsDrawing(drawnPanelsOf(made), picture) << '\n';
        out << "<pre>collscope figure " << made.name() << " -o FILE.svg\n";
        for (const std::string& command : commandsOf(*drawn)) out << escaped(command) << '\n';
        out << "</pre>\n";
    }
    writeNumbers(made, out);
    for (const MadeAgreement& one : made.agreements) out << "<p>" << escaped(agreementInWords(one)) << ".</p>\n";
}

}  // namespace

void writeFigureCsv(const std::vector<Made>& all, std::ostream& out) {
    out << "item,panel,kind,name,x,y,low,high,in_print,command\n";
    for (const Made& made : all) {
        for (const MadePanel& panel : made.panels) {
            const auto write = [&](const char* kind, const Chart::Line& line) {
                for (const Chart::Point& point : line.points)
                    out << csvCell(made.name()) << ',' << csvCell(panel.chart.title) << ',' << kind << ','
                        << csvCell(line.name) << ',' << csvNumber(point.x) << ',' << csvNumber(point.y) << ','
                        << csvNumber(point.low) << ',' << csvNumber(point.high) << ",," << csvCell(panel.command)
                        << '\n';
            };
            for (const Chart::Line& line : panel.chart.lines) write("run", line);
            for (const Chart::Line& line : panel.chart.formulas) write("formula", line);
            for (const Chart::Line& line : panel.chart.bounds) write("bound", line);
            for (const Chart::Line& line : panel.chart.measured) write("measured", line);
            for (const Chart::Mark& mark : panel.chart.marks)
                out << csvCell(made.name()) << ',' << csvCell(panel.chart.title) << ",print,," << csvNumber(mark.x)
                    << ',' << csvNumber(mark.y) << ",,," << csvCell(mark.words) << ",\n";
        }
        for (const MadeNumber& one : made.numbers) {
            out << csvCell(made.name()) << ",,number," << csvCell(one.number->what) << ",," << csvNumber(one.value)
                << ",,," << csvCell(one.number->print) << ',' << csvCell(engine::joined(one.commands, " / ")) << '\n';
        }
    }
}

Json figureJson(const Made& made) {
    Json panels = Json::array();
    for (const MadePanel& panel : made.panels) {
        Json lines = Json::array();
        const auto add = [&](const char* kind, const Chart::Line& line) {
            Json points = Json::array();
            for (const Chart::Point& point : line.points) points.push_back({point.x, point.y});
            if (!line.points.empty()) lines.push_back({{"kind", kind}, {"name", line.name}, {"points", points}});
        };
        for (const Chart::Line& line : panel.chart.lines) add("run", line);
        for (const Chart::Line& line : panel.chart.formulas) add("formula", line);
        for (const Chart::Line& line : panel.chart.bounds) add("bound", line);
        for (const Chart::Line& line : panel.chart.measured) add("measured", line);
        Json marks = Json::array();
        for (const Chart::Mark& mark : panel.chart.marks)
            marks.push_back({{"x", mark.x}, {"y", mark.y}, {"in_print", mark.words}});
        panels.push_back({{"title", panel.chart.title},
                          {"command", panel.command},
                          {"across", panel.chart.across.name},
                          {"up", panel.chart.up.name},
                          {"lines", lines},
                          {"marks", marks}});
    }
    Json numbers = Json::array();
    for (const MadeNumber& one : made.numbers)
        numbers.push_back({{"what", one.number->what},
                           {"in_print", one.number->print},
                           {"expected", one.number->expected},
                           {"here", one.value},
                           {"state", stateOf(one)},
                           {"why", one.number->why},
                           {"formula", one.number->formula},
                           {"commands", one.commands}});
    Json agreements = Json::array();
    for (const MadeAgreement& one : made.agreements)
        agreements.push_back({{"line", one.line}, {"series", one.series}, {"off", one.off}, {"holds", one.holds}});
    return {{"item", made.name()},        {"kind", nameOf(made.item->kind)}, {"shows", made.item->shows},
            {"verdict", verdictOf(made)}, {"why", reasonOf(made)},           {"panels", panels},
            {"numbers", numbers},         {"agreements", agreements}};
}

void writeFigurePage(const std::vector<Made>& all, const Effort& effort, std::ostream& out) {
    out << "# The papers, item by item\n\nWritten by `" << effort.command << " -o FILE.md`"
        << (effort.form == Form::small ? ", the small form: fewer points, and without the numbers of the largest runs"
                                       : "")
        << ". " << howToRead << "\n\n"
        << tallyInWords(all) << ".\n";
    const figures::Paper* paper = nullptr;
    for (const Made& made : all) {
        if (made.paper != paper) {
            paper = made.paper;
            out << "\n## " << paper->name << "\n\n"
                << paper->title << "\n\n| item | what it is about | here | why |\n|---|---|---|---|\n";
            for (const Made& one : all)
                if (one.paper == paper)
                    out << "| " << one.item->name << " | " << inCell(one.item->shows) << " | " << verdictOf(one)
                        << " | " << inCell(reasonOf(one)) << " |\n";
        }
        if (made.panels.empty() && made.numbers.empty()) continue;
        out << "\n### " << made.name() << "\n\n```sh\n";
        for (const MadePanel& panel : made.panels) out << panel.command << '\n';
        for (const MadeNumber& one : made.numbers)
            for (const std::string& command : one.commands) out << command << '\n';
        out << "```\n";
        if (!made.numbers.empty()) out << "\n| number | in print | expected | here | |\n|---|---|---:|---:|---|\n";
        for (const MadeNumber& one : made.numbers) {
            out << "| " << inCell(one.number->what) << " | " << inCell(one.number->print) << " | "
                << inDigits(one.number->expected) << " | " << inDigits(one.value) << " | " << stateOf(one);
            if (!one.number->formula.empty()) out << "; a formula: `" << one.number->formula << '`';
            if (!one.number->why.empty()) out << ": " << inCell(one.number->why);
            out << " |\n";
        }
        if (!made.agreements.empty()) out << '\n';
        for (const MadeAgreement& one : made.agreements) out << "- " << inCell(agreementInWords(one)) << ".\n";
    }
}

void writeFigureReport(const std::vector<Made>& all, const Effort& effort, const Console& console,
                       const gui::Picture& picture, std::ostream& out) {
    out << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>The papers, item by item</title>\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        << style << "</head><body>\n<h1>The papers, item by item</h1>\n<p>" << tallyInWords(all) << ". " << effort.ran
        << " runs were made, " << effort.taken << " results taken from before, in " << inDigits(effort.seconds)
        << " s. <a href=\"#appendix\">How to repeat it</a>.</p>\n";
    if (effort.form == Form::small)
        out << "<p>This is the small form: some sweeps run on fewer or smaller problems, and the largest numbers are left "
               "out.</p>\n";
    out << "<p>" << escaped(plain(howToRead)) << "</p>\n"
        << "<table><tr><th>item</th><th>what it is about</th><th>here</th></tr>\n";
    for (const Made& made : all)
        out << "<tr><td><a href=\"#" << anchorOf(made) << "\">" << made.name() << "</a></td><td>"
            << escaped(made.item->shows) << "</td><td>" << verdictOf(made) << "</td></tr>\n";
    out << "</table>\n";
    const figures::Paper* paper = nullptr;
    for (const Made& made : all) {
        if (made.paper != paper) {
            paper = made.paper;
            out << "<h2>" << paper->name << "</h2>\n<p>" << escaped(paper->title) << "</p>\n";
        }
        writeItem(made, console, picture, out);
    }
    writeAppendix(all, effort, out);
    out << "</body></html>\n";
}

}  // namespace app::cli
