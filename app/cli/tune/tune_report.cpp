// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/tune/tune_report.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/format/csv.hpp"
#include "app/cli/output/text_layout.hpp"
#include "app/session/tune/program_cases.hpp"
#include "engine/base/median.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <sstream>

namespace app::cli {
namespace {

using analysis::csvNumber;
using engine::showNumber;
using engine::showTime;
using engine::text;
using tune::Tuned;

constexpr std::string_view tuneStyle = R"(<style>
:root{--ink:#1a1a2e;--line:#d5d9e4;--tint:#f4f6fa}
body{margin:0 auto;max-width:70rem;padding:1rem;font:15px/1.5 "DejaVu Sans",Verdana,sans-serif;color:var(--ink);background:#fff}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem;border-bottom:2px solid var(--line)}p{max-width:52rem}
pre{background:var(--tint);padding:.5rem;font-size:12px;white-space:pre-wrap}
table{border-collapse:collapse;font-size:.8125rem;margin:.5rem 0}td,th{border:1px solid var(--line);padding:.2rem .5rem;text-align:left}
th{background:var(--tint)}svg{display:block;max-width:100%;height:auto}summary{cursor:pointer;font-size:.875rem}
</style>)";

/// Whether any algorithm of the library was a candidate, apart from its choice.
bool measuresLibrary(const Tuned& one) {
    return one.cell.candidates.size() > 1 && !one.cell.candidates[1].isOfCatalogue();
}

std::string fastestWords(const Tuned& one) {
    if (one.verdict.fastest != 0) return toText(one.cell.candidates[one.verdict.fastest]);
    if (!measuresLibrary(one)) return "not measured";
    return one.verdict.usual.count() > 0 ? "none: the others were left out as slow, or fail" : "not measured";
}

std::vector<std::string> callColumn(const Tuned& one) {
    return {titleOf(one.cell) + (one.cell.calls > 0 ? text(", ", analysis::counted(one.cell.calls, "call")) : ""),
            one.verdict.usual.count() > 0 ? showTime(one.verdict.usual) : "not measured"};
}

TunePage::Section answerOf(const tune::TuneReport& report, const TuneAbout& about) {
    TunePage::Section section;
    const std::int64_t rules = report.rules();
    section.paragraphs.push_back(
        report.slowsProgram() ? std::string{"No rule was written: the program is slower with the rules."}
        : std::ranges::none_of(report.cells, measuresLibrary)
            ? text("Algorithms of the catalogue only were measured, which rules of ", nameOf(report.library),
                   " cannot name.")
        : rules == 0 ? text("No rule was written: none of the ", report.cells.size(),
                            " measured cases has an algorithm that is at least 5% faster than the library's choice and "
                            "stays faster with the file.")
                     : text("Rules: ", rules, " of ", report.cells.size(),
                            " measured cases. The largest speed-up over the library's choice is ",
                            showNumber(report.mostGain(), 3), "x."));
    if (!about.caution.empty()) section.paragraphs.push_back(about.caution);
    if (const std::int64_t ours = report.catalogueRules(); ours > 0)
        section.paragraphs.push_back(text("The rules of the drop-in library name algorithms of the catalogue in ",
                                          analysis::counted(ours, "case"), '.'));
    if (const auto time = report.programTime())
        section.paragraphs.push_back(text("The measured collectives of ", about.program, " take ",
                                          showNumber(time->usual, 3), " s in all by the library's choices",
                                          rules == 0 ? ""
                                                     : text(", and ", showNumber(time->tuned, 3), " s with the rules (",
                                                            showNumber(time->usual / time->tuned, 3), "x faster)"),
                                          '.'));
    if (const std::string words = programWords(report); !words.empty()) section.paragraphs.push_back(words);
    if (rules == 0) return section;
    // The variables under which the rules were checked, as options of the launcher.
    const bool isMpich = report.library == tune::Library::mpich;
    section.code = isMpich ? "mpiexec" : "mpirun";
    for (const std::string& variable : tune::environmentOfRules(report.library, about.file)) {
        const std::size_t equals = variable.find('=');
        const std::string name = variable.substr(0, equals);
        section.code +=
            text(isMpich ? " -genv " : " --mca ", isMpich ? name : name.substr(std::string_view{"OMPI_MCA_"}.size()),
                 ' ', variable.substr(equals + 1));
    }
    section.code += " ...";
    return section;
}

TunePage::Section changesOf(const tune::TuneReport& report) {
    TunePage::Section section{.heading = "What changes"};
    section.rows = {{"call", "the library's choice", "rule", "measured", "with the file"}};
    for (const Tuned& one : report.cells) {
        if (!one.kept) continue;
        std::vector<std::string> row = callColumn(one);
        row.insert(row.end(), {toText(one.chosen()), gainWords(one.verdict.gain), gainWords(*one.checked)});
        section.rows.push_back(std::move(row));
    }
    return section;
}

TunePage::Section measuredOf(const tune::TuneReport& report, const TuneAbout& about) {
    TunePage::Section section{.heading = "What was measured"};
    std::vector<std::string>& all = section.paragraphs;
    all.push_back(text(
        "Started by: ", report.command,
        ". Each repetition runs the library's choice, every other algorithm, and the library's choice again. The gain of a "
        "repetition is the mean of both over the algorithm's time. ",
        about.program.empty()
            ? "All ranks start a call at an agreed time. Its time is that of the slowest rank, of up to 20 "
              "calls in sequence where one is short. "
            : "",
        "The first call of each algorithm is not counted."));
    if (!about.program.empty())
        all.push_back(text(
            "The collectives, sizes and communicators are those of ", about.program,
            ". Ranks enter each call one after the other as they did there on average, each at most ",
            showTime(engine::Picoseconds{tune::mostGapOfArrivals * 1000}),
            " after the one before. The time of a call is that from the last entry to the last exit. A communicator of p "
            "ranks is measured on p processes of its own."));
    if (report.model)
        all.push_back(text(
            "Times were predicted with alpha ", engine::showTime(report.model->alpha), " and beta ",
            engine::showRate(report.model->beta),
            ", which were measured first. Algorithms were measured in the order of these times. Those predicted to take "
            "more than twice the shortest time were measured after three repetitions of the others."));
    else all.emplace_back("No times were predicted: the parameters of the model were not measured.");
    all.emplace_back(
        "Intervals are 95% bootstrap intervals of the median. A rule is written where the interval lies above 1 and the median "
        "gain is at least 5%, and kept where the interval lies above 1 again when the library runs with the file and without "
        "it, in turn.");
    all.push_back(
        text("Rules apply from a measured size and number of ranks to the next one, and not beyond those that were "
             "measured. The measurement took ",
             showNumber(report.seconds, 3), " s."));
    if (report.before.busy > contendedShare || report.after.busy > contendedShare)
        all.push_back(text("Other programs kept up to ",
                           analysis::percent(std::max(report.before.busy, report.after.busy)),
                           " of the processors busy."));
    section.items = about.remarks;
    section.items.insert(section.items.end(), report.own.losses.begin(), report.own.losses.end());
    return section;
}

TunePage::Section faultsOf(const tune::TuneReport& report, const TuneAbout& about) {
    TunePage::Section section{.heading = "Algorithms that fail, give wrong results or cannot be selected"};
    std::set<std::string> faults;
    for (const Tuned& one : report.cells) faults.insert(one.faults.begin(), one.faults.end());
    section.items.assign(faults.begin(), faults.end());
    if (!about.commutes)
        section.paragraphs.emplace_back(
            "Those that fail only for operations that do not commute are measured with --commutative.");
    return section;
}

TunePage::Section restOf(const tune::TuneReport& report) {
    TunePage::Section section{.heading = "No gain"};
    section.rows = {{"call", "the library's choice", "fastest other", "gain"}};
    for (const Tuned& one : report.cells) {
        if (one.kept || (one.dropInKept && !measuresLibrary(one))) continue;
        std::vector<std::string> row = callColumn(one);
        row.push_back(fastestWords(one));
        row.push_back(text(one.verdict.fastest == 0 ? std::string{"-"} : gainWords(one.verdict.gain),
                           one.checked ? text("; with the file ", gainWords(*one.checked)) : ""));
        section.rows.push_back(std::move(row));
    }
    return section;
}

/// How far the library is from the catalogue; empty where that was not measured.
TunePage::Section catalogueOf(const tune::TuneReport& report) {
    TunePage::Section section{.heading = "The catalogue"};
    if (std::ranges::none_of(report.cells, [](const Tuned& one) { return one.verdict.catalogue != 0; })) return section;
    section.paragraphs.emplace_back(
        "Algorithms of the catalogue were measured as schedules of point-to-point messages. Where the fastest one is "
        "faster than the library's choice and than the rule above, it was measured again with the drop-in library, whose "
        "rules then name it if the interval lies above 1.");
    section.rows = {{"call", "the library's choice", "fastest of the catalogue", "measured", "with its rule"}};
    for (const Tuned& one : report.cells) {
        if (one.verdict.catalogue == 0) continue;
        std::vector<std::string> row = callColumn(one);
        const std::size_t index = one.verdict.catalogue;
        row.insert(row.end(), {toText(one.cell.candidates[index]), gainWords(one.verdict.catalogueGain),
                               one.dropIn == index && one.dropInChecked ? gainWords(*one.dropInChecked) : "-"});
        section.rows.push_back(std::move(row));
    }
    return section;
}

/// Words within a cell of a table in Markdown.
std::string inTable(std::string words) {
    for (std::size_t at = 0; (at = words.find('|', at)) != std::string::npos; at += 2) words.insert(at, 1, '\\');
    return words;
}

std::string htmlTable(const std::vector<std::vector<std::string>>& rows) {
    std::string html = "<table>\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        html += "<tr>";
        for (const std::string& cell : rows[i])
            html += text(i == 0 ? "<th>" : "<td>", escaped(cell), i == 0 ? "</th>" : "</td>");
        html += "</tr>\n";
    }
    return html + "</table>\n";
}

/// All candidates of a case.
std::vector<std::vector<std::string>> triedRows(const Tuned& one) {
    std::vector<std::vector<std::string>> rows{
        {"algorithm", "measured", "predicted", "speed-up", "repetitions", "note"}};
    for (std::size_t k = 0; k < one.cell.candidates.size(); ++k) {
        const tune::Candidate& candidate = one.cell.candidates[k];
        const tune::Tried& tried = one.tried[k];
        rows.push_back({toText(candidate), tried.time ? showTime(*tried.time) : "-",
                        candidate.predicted.count() > 0 ? showTime(candidate.predicted) : "-",
                        tried.gain ? gainWords(*tried.gain) : "-", tried.gain ? text(tried.gain->rounds) : "-",
                        remarkOn(one, k)});
    }
    return rows;
}

/// Whether a launcher of several words may start processes on other hosts: another one than mpirun and mpiexec, or one
/// of them with a list of hosts.
bool mayUseOtherHosts(const std::string& command) {
    constexpr std::array<std::string_view, 7> lists{"host", "H", "hosts", "hostfile", "machinefile", "default-hostfile",
                                                    "f"};
    std::istringstream words{command};
    std::string word;
    words >> word;
    const std::string program = std::filesystem::path{word}.filename().string();
    bool names = words >> word && !program.starts_with("mpirun") && !program.starts_with("mpiexec");
    for (; words && !names; words >> word)
        names =
            word.starts_with('-') &&
            std::ranges::find(lists, word.substr(std::min(word.find_first_not_of('-'), word.size()))) != lists.end();
    return names;
}

}  // namespace

Json inSeconds(const std::vector<engine::Picoseconds>& times) {
    Json all = Json::array();
    for (const engine::Picoseconds time : times) all.push_back(engine::seconds(time));
    return all;
}

std::string programWords(const tune::TuneReport& report) {
    const std::optional<tune::Gain> gain = report.programGain();
    if (!gain) return {};
    return text("The program took ", showTime(engine::median(report.program.before)), " without the rules and ",
                showTime(engine::median(report.program.after)), " with them (medians of ",
                analysis::counted(gain->rounds, "run"), " of each kind, in turn; speed-up ", gainWords(*gain), "). ",
                report.slowsProgram() ? "It is slower with the rules, so none is written."
                : gain->low > 1       ? "It is faster with the rules."
                                      : "The difference is not larger than the noise.");
}

std::string sharingCaution(const Launcher& launcher, const std::vector<tune::Cell>& cells, int processors) {
    std::int64_t most = 0;
    for (const tune::Cell& cell : cells) most = std::max(most, cell.ranks);
    if (launcher.lab || !launcher.hostfile.empty() || mayUseOtherHosts(launcher.command) || most <= processors)
        return {};
    return text("Caution: ", most, " ranks shared ", processors, processors == 1 ? " processor" : " processors",
                ". All times include waiting for a processor. Measure again with a processor for each rank.");
}

TunePage tunePageOf(const tune::TuneReport& report, const TuneAbout& about) {
    TunePage page{.title = text("Rules for ", report.version)};
    page.sections.push_back(answerOf(report, about));
    if (report.rules() > 0) page.sections.push_back(changesOf(report));
    page.sections.push_back(measuredOf(report, about));
    if (std::ranges::any_of(report.cells, [](const Tuned& one) { return !one.faults.empty(); }))
        page.sections.push_back(faultsOf(report, about));
    if (TunePage::Section ours = catalogueOf(report); !ours.rows.empty()) page.sections.push_back(std::move(ours));
    if (TunePage::Section rest = restOf(report); rest.rows.size() > 1) page.sections.push_back(std::move(rest));
    return page;
}

std::string asMarkdown(const TunePage& page) {
    std::string words = text("# ", page.title, "\n");
    for (const TunePage::Section& section : page.sections) {
        if (!section.heading.empty()) words += text("\n## ", section.heading, "\n");
        for (const std::string& one : section.paragraphs) words += text('\n', one, '\n');
        if (!section.code.empty()) words += text("\n    ", section.code, '\n');
        if (!section.rows.empty()) words += '\n';
        for (std::size_t i = 0; i < section.rows.size(); ++i) {
            words += '|';
            for (const std::string& cell : section.rows[i]) words += text(' ', inTable(cell), " |");
            words += '\n';
            if (i != 0) continue;
            words += '|';
            for (std::size_t k = 0; k < section.rows[i].size(); ++k) words += "---|";
            words += '\n';
        }
        if (!section.items.empty()) words += '\n';
        for (const std::string& item : section.items) words += text("- ", item, '\n');
    }
    return words;
}

std::string asHtml(const TunePage& page, const std::string& map, const std::vector<Tuned>& cases) {
    std::string html =
        text("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", escaped(page.title),
             "</title>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "style-src 'unsafe-inline'\">\n",
             tuneStyle, "</head><body>\n<h1>", escaped(page.title), "</h1>\n");
    for (const TunePage::Section& section : page.sections) {
        if (!section.heading.empty()) html += text("<h2>", escaped(section.heading), "</h2>\n");
        for (const std::string& one : section.paragraphs) html += text("<p>", escaped(one), "</p>\n");
        if (!section.code.empty()) html += text("<pre>", escaped(section.code), "</pre>\n");
        if (!section.rows.empty()) html += htmlTable(section.rows);
        if (!section.items.empty()) {
            html += "<ul>\n";
            for (const std::string& item : section.items) html += text("<li>", escaped(item), "</li>\n");
            html += "</ul>\n";
        }
        if (&section == &page.sections.front()) html += map + '\n';
    }
    html += "<h2>Measurements</h2>\n";
    for (const Tuned& one : cases)
        html += text("<details><summary>", escaped(titleOf(one.cell)), "</summary>\n", htmlTable(triedRows(one)),
                     "</details>\n");
    return html + "</body></html>\n";
}

std::string asCsv(const std::vector<Tuned>& cases) {
    std::string words =
        "collective,ranks,bytes,calls,algorithm,name,segment,default_s,fastest_s,gain,gain_low,gain_high,rounds,rule,checked,"
        "checked_low,checked_high,catalogue,catalogue_gain,catalogue_low,catalogue_high,drop_in,drop_in_rule,drop_in_gain,"
        "drop_in_low,drop_in_high\n";
    for (const Tuned& one : cases) {
        const tune::Verdict& verdict = one.verdict;
        const bool isKnown = verdict.fastest != 0;
        const tune::Candidate& fastest = one.cell.candidates[verdict.fastest];
        words += text(name(one.cell.called), ',', one.cell.ranks, ',', one.cell.bytes, ',',
                      one.cell.calls > 0 ? text(one.cell.calls) : "", ',');
        words += isKnown ? text(fastest.number, ',', analysis::csvCell(fastest.name), ',', fastest.segment) : ",,";
        words += text(',', csvNumber(engine::seconds(verdict.usual)), ',');
        words += isKnown ? text(csvNumber(engine::seconds(verdict.time)), ',', csvNumber(verdict.gain.median), ',',
                                csvNumber(verdict.gain.low), ',', csvNumber(verdict.gain.high))
                         : ",,,";
        words += text(',', verdict.gain.rounds, ',', one.kept ? "yes" : "no");
        words += one.checked ? text(',', csvNumber(one.checked->median), ',', csvNumber(one.checked->low), ',',
                                    csvNumber(one.checked->high))
                             : ",,,";
        words += verdict.catalogue != 0
                     ? text(',', analysis::csvCell(one.cell.candidates[verdict.catalogue].name), ',',
                            csvNumber(verdict.catalogueGain.median), ',', csvNumber(verdict.catalogueGain.low), ',',
                            csvNumber(verdict.catalogueGain.high))
                     : ",,,,";
        // Where the rules of the drop-in library were checked.
        words += one.dropInChecked
                     ? text(',', analysis::csvCell(one.cell.candidates[one.dropIn].name), ',',
                            one.dropInKept ? "yes" : "no", ',', csvNumber(one.dropInChecked->median), ',',
                            csvNumber(one.dropInChecked->low), ',', csvNumber(one.dropInChecked->high), '\n')
                     : ",,,,,\n";
    }
    return words;
}

Json asJson(const std::vector<Tuned>& cases) {
    Json rows = Json::array();
    const auto gain = [](const tune::Gain& from) {
        return Json{{"median", from.median}, {"low", from.low}, {"high", from.high}, {"rounds", from.rounds}};
    };
    for (const Tuned& one : cases)
        rows.push_back(
            {{"collective", name(one.cell.called)},
             {"ranks", one.cell.ranks},
             {"bytes", one.cell.bytes},
             {"calls", one.cell.calls > 0 ? Json(one.cell.calls) : Json{}},
             {"default_s", engine::seconds(one.verdict.usual)},
             {"fastest", one.verdict.fastest == 0 ? Json{} : Json(fastestWords(one))},
             {"gain", one.verdict.fastest == 0 ? Json{} : gain(one.verdict.gain)},
             {"catalogue", one.verdict.catalogue == 0 ? Json{} : Json(one.cell.candidates[one.verdict.catalogue].name)},
             {"catalogue_gain", one.verdict.catalogue == 0 ? Json{} : gain(one.verdict.catalogueGain)},
             {"rule", one.kept},
             {"checked", one.checked ? gain(*one.checked) : Json{}},
             {"drop_in", one.dropInChecked ? Json(one.cell.candidates[one.dropIn].name) : Json{}},
             {"drop_in_rule", one.dropInChecked && one.dropInKept},
             {"drop_in_checked", one.dropInChecked ? gain(*one.dropInChecked) : Json{}},
             {"faults", one.faults}});
    return rows;
}

}  // namespace app::cli
