// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/figures/figure_report.hpp"

#include "app/analysis/format/csv.hpp"
#include "app/cli/figures/figure_drawn.hpp"
#include "app/cli/output/text_layout.hpp"
#include "engine/base/text.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <map>
#include <set>
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

/// How many items have which verdict, in the order of verdicts.
std::map<figures::Verdict, int> tally(const std::vector<FigureResult>& all, const figures::Paper* paper = nullptr) {
    std::map<figures::Verdict, int> count;
    for (const FigureResult& made : all)
        if (paper == nullptr || made.paper == paper) ++count[verdictOf(made)];
    return count;
}

std::string tallyInWords(const std::vector<FigureResult>& all) {
    std::string words = analysis::counted(static_cast<std::int64_t>(all.size()), "item");
    const char* between = ": ";
    for (const auto& [verdict, count] : tally(all)) {
        words += text(between, count, ' ', nameOf(verdict));
        between = ", ";
    }
    return words;
}

/// Explains the verdicts.
constexpr std::string_view verdictsInWords =
    "Each verdict is computed from the numbers and curves of its item. *Reproduced*: all of them equal their "
    "expected values and satisfy the printed statements. *Fitted*: likewise, but under a model that was fitted to "
    "numbers printed in the paper, for this item or for another. *Explained*: a number differs from the printed one. A "
    "formula with the missing term is given, and it yields the number here or the printed one. *Contradicted*: the paper's own statements lead to "
    "another number than the printed one. The item gives a run or a calculation as counterexample. *Not available*: to "
    "reproduce the item, or to explain a difference from the paper, a machine, a library or data would be needed that are not "
    "available, or the paper makes no statement that can be tested. *Does not hold*: a number differs from its expected "
    "value; the report names it. A measurement that is printed in words alone, such as 'similar' or 'not faster', is "
    "never contradicted by a run: where the run gives something else, it is explained if the paper's count leaves out a "
    "term, otherwise not available. An item has the verdict of its most severe number or curve, in this order: does not "
    "hold, contradicted, not available, explained, fitted, reproduced.";
constexpr std::string_view columnsInWords =
    "*The paper says* quotes or sums up the printed statement; words in brackets are ours. *Taken as* is the statement as "
    "numbers: 'similar', 'slightly' and 'not significantly' are taken as within 10%, 'better' and 'slower' as above or below 1, "
    "other words as the item says. *Expected* "
    "values follow from the paper's own model, corrected where the item says so, and were derived independently of this "
    "program. Each item states its tolerance, and how many of its statements the paper prints as values.";

/// Explains the kinds of numbers that the items have.
std::string numbersInWords(const std::vector<FigureResult>& all) {
    using figures::Of;
    std::set<Of> kinds;
    bool formulas = false;
    bool pairs = false;
    bool printed = false;
    for (const FigureResult& made : all)
        for (const MadeNumber& one : made.numbers) {
            const figures::Number& number = *one.number;
            printed = printed || one.commands.empty();
            if (!number.formula.empty()) formulas = true;
            else if (!number.over.empty()) pairs = true;
            else kinds.insert(number.of);
            formulas = formulas || !number.term.empty();
        }
    std::vector<std::string> of;
    const auto add = [&](Of kind, const char* words) {
        if (kinds.contains(kind)) of.emplace_back(words);
    };
    add(Of::time, "its time in seconds");
    add(Of::rounds, "its rounds");
    add(Of::messages, "its messages");
    add(Of::bytes, "its bytes");
    add(Of::still, "the idle share of total rank time");
    add(Of::peer, "the peer of one message");
    add(Of::carried, "the bytes of one message");
    add(Of::proved, "whether the schedule is proved (yes) or refuted (no)");
    add(Of::opposed, "the number of messages that have a message in the opposite direction in the same round");
    add(Of::links, "the pairs of ranks that exchange messages");
    std::string words;
    if (pairs)
        words +=
            " A number with two commands is the time of the first run over the time of the second, or the quotient of "
            "their rounds, messages or bytes where that is stated; under the model rounds-only a time counts rounds, under bytes-only a nanosecond is "
            "one byte.";
    if (!of.empty()) words += text(" A number with one command belongs to that run: ", engine::joined(of, ", "), ".");
    if (printed) words += " A number without a command is computed from printed numbers alone.";
    if (formulas)
        words +=
            " Formulas are in the symbols of the first run: p (or n) is the number of ranks, with two groups p and q are their numbers of ranks, size the size given by "
            "--size, total the sum of all contributions, largest the largest one, empty the ranks without data, block "
            "and other options by their names, alpha and beta of the model. a b means a times b; a letter, as in (A), is a "
            "formula below the numbers.";
    return words;
}

/// The same without the marks of a page.
std::string plain(std::string_view words) {
    std::string safe;
    for (const char c : words)
        if (c != '*') safe += c;
    return safe;
}

constexpr std::string_view style = R"(<style>
:root{--ink:#1a1a2e;--muted:#5a5f73;--line:#d5d9e4;--tint:#f4f6fa;--good:#1b6e3c;--fit:#5b4a9c;--term:#8a5a00;--bad:#b0203a}
body{margin:0 auto;max-width:70rem;padding:1rem;font:15px/1.5 "DejaVu Sans",Verdana,sans-serif;color:var(--ink);background:#fff;overflow-wrap:break-word}
h1{font-size:1.6rem;margin:.5rem 0}h2{margin:3rem 0 .25rem;border-bottom:2px solid var(--line)}h3{font-size:1rem;margin:0 0 .25rem}
p{margin:.4rem 0;max-width:52rem}.quiet{color:var(--muted);font-size:.875rem}
section.item{border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;margin:1rem 0}
pre{background:var(--tint);padding:.5rem;font-size:12px;white-space:pre-wrap;margin:.4rem 0}
table{border-collapse:collapse;font-size:.8125rem;margin:.5rem 0}td,th{border:1px solid var(--line);padding:.2rem .5rem;text-align:left;vertical-align:top}
th{background:var(--tint)}td.n{text-align:right;white-space:nowrap}svg{display:block;max-width:100%;height:auto;margin:.5rem 0}
summary{cursor:pointer;font-size:.875rem}ul{margin:.4rem 0;padding-left:1.2rem;font-size:.875rem}
.v{font-weight:bold;color:var(--muted)}.reproduced,.holds,.as-expected{color:var(--good)}.fitted{color:var(--fit)}.explained{color:var(--term)}
.contradicted,.does-not-hold{color:var(--bad)}nav ul{display:flex;flex-wrap:wrap;gap:.1rem .8rem;list-style:none;padding:0}
</style>)";

/// A verdict or a state in its colour.
std::string marked(std::string_view words) {
    std::string name{words};
    std::replace(name.begin(), name.end(), ' ', '-');
    return text("<span class=\"v ", name, "\">", words, "</span>");
}

void writeNumbers(const FigureResult& made, std::ostream& out) {
    if (made.numbers.empty()) return;
    const Equations equations{made.numbers};
    out << "<table><tr><th>number</th><th>the paper says</th><th>taken as</th><th>expected</th><th>here</th><th>verdict "
           "and evidence</th></tr>\n";
    for (const MadeNumber& one : made.numbers) {
        const figures::Number& number = *one.number;
        out << "<tr><td>" << escaped(number.what) << "</td><td>" << escaped(number.print) << "</td><td class=\"n\">"
            << escaped(saidOf(one)) << "</td><td class=\"n\">" << valueInWords(number, number.expected)
            << "</td><td class=\"n\">" << valueInWords(number, one.value) << "</td><td>" << marked(stateInWords(one))
            << (number.why.empty() ? "" : ": ") << escaped(number.why);
        if (!number.formula.empty()) out << "<br>formula: " << escaped(equations.named(number.formula));
        if (const std::string evidence = evidenceOf(one, equations); !evidence.empty())
            out << "<br>" << escaped(evidence);
        out << "</td></tr>\n";
    }
    out << "</table>\n";
    for (const std::string& line : equations.lines()) out << "<p class=\"quiet\">" << escaped(line) << "</p>\n";
}

void writeCurves(const FigureResult& made, std::ostream& out) {
    if (made.curves.empty()) return;
    out << "<ul>\n";
    for (const MadeCurves& one : made.curves)
        out << "<li>" << marked(stateName(stateOf(one))) << ": " << escaped(inWords(one))
            << (one.curves->why.empty() ? "" : text(" (", escaped(one.curves->why), ")")) << "</li>\n";
    out << "</ul>\n";
}

/// All that the item runs, each number's commands below its name.
std::string commandLinesOf(const FigureResult& made) {
    std::string commands;
    for (const MadePanel& panel : made.panels) commands += panel.command + '\n';
    for (const MadeNumber& one : made.numbers) {
        if (one.commands.empty()) continue;
        commands += text("# ", one.number->what, '\n');
        for (const std::string& command : one.commands) commands += command + '\n';
    }
    return commands;
}

/// The command that makes the item, and all that it runs.
void writeCommands(const FigureResult& made, std::ostream& out) {
    out << "<pre>collscope figure " << made.name() << "</pre>\n";
    if (const std::string commands = commandLinesOf(made); !commands.empty())
        out << "<details><summary>Commands of its charts and numbers</summary><pre>" << escaped(commands)
            << "</pre></details>\n";
}

#ifdef __clang__
constexpr std::string_view compiler = __VERSION__;
#else
constexpr std::string_view compiler = "GCC " __VERSION__;
#endif

/// The words of the whole program that the environment section needs.
std::string system() {
    utsname name{};
    if (::uname(&name) != 0) return "not known";
    return text(name.sysname, ' ', name.release, ' ', name.machine);
}

void writeAppendix(const Effort& effort, std::ostream& out) {
    out << "<h2 id=\"appendix\">Artifact appendix</h2>\n<p>Everything above was made by one program, in virtual time: no "
           "cluster is needed, and every number is the same on every machine.</p>\n<table>\n";
    const auto row = [&](std::string_view what, std::string_view words) {
        out << "<tr><th>" << what << "</th><td>" << escaped(words) << "</td></tr>\n";
    };
    row("Program", "collscope " COLLSCOPE_VERSION);
    row("Command", text(effort.command, " -o report.html"));
    row("One item", "collscope figure PAPER ITEM -o FILE.pdf, or .svg, .png, .csv");
    row("Headlines", "collscope claims");
    row("Time", text(inDigits(effort.seconds), " s"));
    row("Runs",
        text(effort.ran, " made", effort.taken == 0 ? "" : text(", ", effort.taken, " read from the file of rows")));
    row("Machine", text(std::thread::hardware_concurrency(), " processors, ", system()));
    row("Compiled by", compiler);
    row("Checks",
        "exit code 0 unless the verdict of an item is 'does not hold': a number or a curve differs from its expected "
        "value, or from the paper without a term or a counterexample that accounts for the difference");
    out << "</table>\n";
}

/// The paper's title, if all items are of one.
std::string reportTitle(const std::vector<FigureResult>& all) {
    const bool ofOne = !all.empty() && std::ranges::all_of(all, [&](const FigureResult& made) {
        return made.paper == all.front().paper;
    });
    return ofOne ? all.front().paper->title : "Five papers on collective communication, item by item";
}

std::string anchorOf(const FigureResult& made) { return text(made.paper->name, '-', made.item->name); }

void writeItem(const FigureResult& made, const Console& console, gui::Picture picture, std::ostream& out) {
    out << "<section class=\"item\" id=\"" << anchorOf(made) << "\">\n<h3>" << made.name() << ": "
        << marked(verdictInWords(made)) << "</h3>\n<p>" << escaped(made.item->shows) << ".</p>\n";
    if (!made.panels.empty()) {
        Sheet sheet = sheetOf(made);
        const auto panels = static_cast<int>(sheet.charts.size());
        picture.width = panels == 1 ? 900 : 1400;
        picture.height = panels == 1 ? 560 : panels <= 3 ? 640 : panels <= 12 ? 1100 : 1800;
        if (console.around.drawing) {
            sheet.title.clear();  // its words stand around it here
            sheet.below.clear();
            out << console.around.drawing(sheet, picture) << '\n';
        }
        out << "<p class=\"quiet\">" << escaped(axesOf(made)) << "</p>\n";
    }
    if (const figures::Drawn& drawn = made.item->drawn; !drawn.panels.empty()) {
        picture.width = 1200;
        picture.height = 800;
        if (console.around.panelsDrawing) out << console.around.panelsDrawing(drawnPanelsOf(made), picture) << '\n';
        out << "<pre>collscope figure " << made.name() << " -o FILE.svg\n";
        for (const std::string& command : commandsOf(drawn)) out << escaped(command) << '\n';
        out << "</pre>\n";
    }
    out << "<p>" << escaped(reasonOf(made)) << "</p>\n";
    writeNumbers(made, out);
    writeCurves(made, out);
    if (const std::string tolerance = toleranceOf(made); !tolerance.empty())
        out << "<p class=\"quiet\">In the paper: " << basisOf(made) << ". Tolerance: " << tolerance << ".</p>\n";
    writeCommands(made, out);
    out << "</section>\n";
}

/// How many items of each paper have which verdict, with links to them.
void writeContents(const std::vector<FigureResult>& all, std::ostream& out) {
    out << "<table><tr><th>paper</th>";
    const auto total = tally(all);
    for (const auto& [verdict, count] : total) out << "<th>" << marked(nameOf(verdict)) << "</th>";
    out << "</tr>\n";
    const figures::Paper* paper = nullptr;
    for (const FigureResult& made : all) {
        if (made.paper == paper) continue;
        paper = made.paper;
        out << "<tr><td><a href=\"#" << paper->name << "\">" << escaped(paper->title) << "</a></td>";
        const auto counts = tally(all, paper);
        for (const auto& [verdict, count] : total) {
            const auto found = counts.find(verdict);
            out << "<td class=\"n\">" << (found == counts.end() ? 0 : found->second) << "</td>";
        }
        out << "</tr>\n";
    }
    out << "</table>\n";
}

}  // namespace

void writeFigureCsv(const std::vector<FigureResult>& all, std::ostream& out) {
    out << "item,panel,kind,name,x,y,low,high,in_print,command\n";
    for (const FigureResult& made : all) {
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

Json figureJson(const FigureResult& made) {
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
                           {"tolerance", one.tolerance},
                           {"state", stateName(stateOf(one))},
                           {"evidence", evidenceOf(one, Equations{{}})},
                           {"why", one.number->why},
                           {"formula", one.number->formula},
                           {"commands", one.commands}});
    Json agreements = Json::array();
    for (const MadeCurves& one : made.curves)
        agreements.push_back({{"line", one.first},
                              {"series", one.second},
                              {"off", one.off()},
                              {"low", one.low()},
                              {"high", one.high()},
                              {"in_print", saidOf(one.curves->says)},
                              {"state", stateName(stateOf(one))},
                              {"why", one.curves->why},
                              {"holds", stateOf(one) != State::differs}});
    return {{"item", made.name()},       {"kind", nameOf(made.item->kind)},
            {"shows", made.item->shows}, {"verdict", verdictInWords(made)},
            {"why", reasonOf(made)},     {"differences", differencesOf(made)},
            {"panels", panels},          {"numbers", numbers},
            {"agreements", agreements}};
}

void writeFigurePage(const std::vector<FigureResult>& all, const Effort& effort, std::ostream& out) {
    out << "# " << reportTitle(all) << "\n\nWritten by `" << effort.command << " -o FILE.md`"
        << (effort.form == Form::small
                ? ", the small form: fewer points, and without the numbers of the largest runs, of which the column *why* may speak"
                : "")
        << ". " << verdictsInWords << "\n\n"
        << columnsInWords << numbersInWords(all) << "\n\n"
        << tallyInWords(all) << ".\n";
    const figures::Paper* paper = nullptr;
    for (const FigureResult& made : all) {
        if (made.paper != paper) {
            paper = made.paper;
            out << "\n## " << paper->name << "\n\n"
                << paper->title << "\n\n"
                << paper->notes << (paper->notes.empty() ? "" : "\n\n")
                << "| item | what it is about | verdict | why |\n|---|---|---|---|\n";
            for (const FigureResult& one : all)
                if (one.paper == paper)
                    out << "| " << one.item->name << " | " << inCell(one.item->shows) << " | " << verdictInWords(one)
                        << " | " << inCell(reasonOf(one)) << " |\n";
        }
        if (made.panels.empty() && made.numbers.empty()) continue;
        out << "\n### " << made.name() << "\n\n```sh\n";
        out << commandLinesOf(made) << "```\n";
        const Equations equations{made.numbers};
        if (!made.numbers.empty())
            out << "\n| number | the paper says | taken as | expected | here | verdict |\n|---|---|---:|---:|---:|---|\n";
        for (const MadeNumber& one : made.numbers) {
            out << "| " << inCell(one.number->what) << " | " << inCell(one.number->print) << " | " << saidOf(one)
                << " | " << valueInWords(*one.number, one.number->expected) << " | "
                << valueInWords(*one.number, one.value) << " | " << stateInWords(one);
            if (!one.number->formula.empty()) out << "; formula: " << inCell(equations.named(one.number->formula));
            if (!one.number->why.empty()) out << (one.number->formula.empty() ? ": " : "; ") << inCell(one.number->why);
            if (const std::string evidence = evidenceOf(one, equations); !evidence.empty())
                out << ". " << inCell(evidence);
            out << " |\n";
        }
        for (const std::string& line : equations.lines()) out << '\n' << inCell(line) << '\n';
        if (!made.curves.empty()) out << '\n';
        for (const MadeCurves& one : made.curves)
            out << "- " << stateName(stateOf(one)) << ": " << inCell(inWords(one))
                << (one.curves->why.empty() ? "" : text(" (", inCell(one.curves->why), ")")) << ".\n";
        if (const std::string tolerance = toleranceOf(made); !tolerance.empty())
            out << "\nIn the paper: " << basisOf(made) << ". Tolerance: " << tolerance << ".\n";
    }
}

void writeFigureReport(const std::vector<FigureResult>& all, const Effort& effort, const Console& console,
                       const gui::Picture& picture, std::ostream& out) {
    const std::string title = escaped(reportTitle(all));
    out << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" << title
        << "</title>\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        << style << "</head><body>\n<h1>" << title << "</h1>\n<p>" << tallyInWords(all) << ". " << effort.ran
        << " runs were made"
        << (effort.taken == 0 ? "" : text(", ", effort.taken, " results were read from the file of rows,")) << " in "
        << inDigits(effort.seconds) << " s. <a href=\"#appendix\">How to repeat it</a>.</p>\n";
    if (effort.form == Form::small)
        out << "<p>This is the small form: some sweeps run on fewer or smaller problems, and the largest numbers are left "
               "out.</p>\n";
    out << "<p>" << escaped(plain(verdictsInWords)) << "</p>\n<p>"
        << escaped(plain(columnsInWords) + numbersInWords(all)) << "</p>\n";
    writeContents(all, out);
    const figures::Paper* paper = nullptr;
    for (const FigureResult& made : all) {
        if (made.paper != paper) {
            paper = made.paper;
            out << "<h2 id=\"" << paper->name << "\">" << escaped(paper->title) << "</h2>\n"
                << (paper->notes.empty() ? "" : text("<p>", escaped(paper->notes), "</p>\n")) << "<nav><ul>\n";
            for (const FigureResult& one : all)
                if (one.paper == paper)
                    out << "<li><a href=\"#" << anchorOf(one) << "\">" << one.item->name << "</a> "
                        << marked(verdictInWords(one)) << "</li>\n";
            out << "</ul></nav>\n";
        }
        writeItem(made, console, picture, out);
    }
    writeAppendix(effort, out);
    out << "</body></html>\n";
}

}  // namespace app::cli
