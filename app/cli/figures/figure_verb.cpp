// SPDX-License-Identifier: BSD-3-Clause
// `figure`: what the papers show and say, reproduced.
#include "app/cli/figures/figure_drawn.hpp"
#include "app/cli/figures/figure_report.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/sweep/sweep_live.hpp"
#include "app/cli/verbs.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <chrono>

namespace app::cli {
namespace {

namespace fs = std::filesystem;
using engine::Error;
using engine::text;

/// Which items are meant.
struct Wanted {
    const figures::Paper* paper = nullptr;  ///< null: all
    const figures::Item* item = nullptr;    ///< null: all
};

const figures::Paper& paperNamed(const std::string& word) {
    std::vector<std::string> names;
    for (const figures::Paper& paper : figures::papers()) {
        if (word == paper.name) return paper;
        names.emplace_back(paper.name);
    }
    names.emplace_back("all");
    const std::string hint = engine::didYouMean(word, names);
    throw Error{
        text("figure: there is no paper '", word, "'", hint.empty() ? "; 'collscope figure' lists them" : hint)};
}

/// A bare number is a figure.
const figures::Item& itemNamed(const figures::Paper& paper, const std::string& word) {
    const bool number = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
    const std::string name = number ? "fig" + word : word;
    std::vector<std::string> names;
    for (const figures::Item& item : paper.items) {
        if (name == item.name) return item;
        names.emplace_back(item.name);
    }
    const std::string hint = engine::didYouMean(name, names);
    throw Error{text("figure: ", paper.name, " has no '", name, "'",
                     hint.empty() ? text("; 'collscope figure ", paper.name, "' lists what it has") : hint)};
}

Wanted readWanted(const std::vector<std::string>& words) {
    Wanted wanted;
    if (words.empty() || words[0] == "all") {
        if (words.size() > 1) throw Error{text("figure: all of what? leave '", words[1], "' out")};
        return wanted;
    }
    wanted.paper = &paperNamed(words[0]);
    if (words.size() > 1) wanted.item = &itemNamed(*wanted.paper, words[1]);
    return wanted;
}

/// Every item that is meant, with its paper.
std::vector<std::pair<const figures::Paper*, const figures::Item*>> itemsOf(const Wanted& wanted) {
    std::vector<std::pair<const figures::Paper*, const figures::Item*>> items;
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items)
            if ((wanted.paper == nullptr || wanted.paper == &paper) && (wanted.item == nullptr || wanted.item == &item))
                items.emplace_back(&paper, &item);
    return items;
}

int listItems(const Wanted& wanted, const std::string& format, const Console& console) {
    const auto items = itemsOf(wanted);
    if (format == "json") {
        Json all = Json::array();
        for (const auto& [paper, item] : items)
            all.push_back({{"paper", paper->name},
                           {"item", item->name},
                           {"kind", nameOf(item->kind)},
                           {"shows", item->shows},
                           {"verdict", nameOf(item->verdict)},
                           {"chart", !item->panels.empty()},
                           {"picture", !item->panels.empty() || figures::drawnOf(paper->name, item->name) != nullptr}});
        console.out << all.dump(2, ' ', false, lenient) << '\n';
        return done;
    }
    Table table{{Align::left, Align::left, Align::left}};
    for (const auto& [paper, item] : items)
        table.row({text(paper->name, ' ', item->name), std::string{nameOf(item->verdict)}, std::string{item->shows}});
    table.write(console.out);
    return done;
}

void writeWords(const Made& made, const Console& console) {
    const auto paragraph = [&](const std::string& words) {
        for (const std::string& line : wrapped(words, lineWidth)) console.out << line << '\n';
    };
    paragraph(text(made.name(), ": ", made.item->shows));
    const bool good = made.holds();
    console.out << console.paint(good ? Tone::good : Tone::bad, verdictOf(made)) << '\n';
    paragraph(reasonOf(made));
    const figures::Drawn* drawn = figures::drawnOf(made.paper->name, made.item->name);
    if (drawn != nullptr) {
        console.out << "\ncollscope figure " << made.name() << " -o FILE.svg draws it. Its runs in the same views:\n";
        for (const std::string& command : commandsOf(*drawn)) console.out << "  " << command << '\n';
    }
    if (!made.panels.empty()) console.out << '\n';
    for (const MadePanel& panel : made.panels) {
        console.out << "  " << panel.command << '\n';
        if (!panel.measured.empty()) console.out << "    " << panel.measured << '\n';
    }
    if (made.elsewhere) console.out << "\n--output FILE.png, .svg or .pdf draws it; FILE.csv has its numbers\n";
    if (!made.numbers.empty()) {
        console.out << '\n';
        Table table{{Align::left, Align::right, Align::right, Align::right, Align::left}};
        table.row({"number", "in print", "expected", "here", ""});
        for (const MadeNumber& one : made.numbers)
            table.row({std::string{one.number->what}, std::string{one.number->print}, inDigits(one.number->expected),
                       inDigits(one.value),
                       stateOf(one) + (one.number->why.empty() ? "" : text(": ", one.number->why))});
        table.write(console.out);
        for (const MadeNumber& one : made.numbers)
            for (const std::string& command : one.commands) console.out << "  " << command << '\n';
    }
    for (const MadeAgreement& one : made.agreements)
        console.out << "\n"
                    << one.line << " and " << one.series
                    << (one.off <= 1e-6 ? " agree at every point\n"
                                        : text(" differ by up to ", inDigits(100 * one.off), " %\n"));
}

enum class File : std::uint8_t { none, picture, csv, json, page, report };

File kindOf(const fs::path& file, const Wanted& wanted) {
    const std::string ending = file.extension().string();
    static const std::vector<std::string> endings{".png", ".svg", ".pdf", ".csv", ".json", ".md", ".html"};
    if (ending == ".csv") return File::csv;
    if (ending == ".json") return File::json;
    if (ending == ".md") return File::page;
    if (ending == ".html") return File::report;
    if (std::find(endings.begin(), endings.end(), ending) == endings.end())
        throw Error{text("--output: ", file.string(), " must end in .png, .svg, .pdf, .csv, .json, .md or .html",
                         engine::didYouMean(ending, endings))};
    if (wanted.item == nullptr)
        throw Error{text("--output: ", file.string(), " is one picture; name one item, or write .html for a report")};
    return File::picture;
}

/// The flags with which the sweeps of an item are other ones than the paper's. Throws Error.
Way readWay(const Arguments& arguments, const Wanted& wanted, const Console& console) {
    Way way{.form = arguments.small ? Form::small : Form::whole, .console = &console};
    const auto add = [&](std::vector<std::string>& flags, std::string_view key) {
        for (std::string& words : arguments.asked.all(key)) {
            flags.push_back(text("--", key));
            if (fields::named(key).kind != fields::Kind::toggle) flags.push_back(std::move(words));
        }
    };
    for (const std::string_view key : figureInstead()) add(way.instead, key);
    if (arguments.asked.word("on") != "virtual") add(way.live, "on");
    for (const fields::Entry& entry : fields::all())
        if (isOfProcesses(entry)) add(way.live, entry.key);
    if (arguments.repeats && way.live.empty())
        throw Error{
            "--repeat: a figure's runs in virtual time are the same each time; add --on mpi, which measures them"};
    if (arguments.repeats) way.live.insert(way.live.end(), {"--repeat", *arguments.repeats});
    if ((!way.instead.empty() || !way.live.empty()) && wanted.item == nullptr)
        throw Error{text(way.live.empty() ? way.instead.front() : way.live.front(),
                         " is about the chart of one item; name it, such as kang-half-duplex fig4")};
    return way;
}

/// What was asked: "collscope figure traff2010 3".
std::string commandFor(const std::vector<std::string>& words, const Way& way) {
    std::string command = "collscope figure";
    for (const auto* part : {&words, &way.instead, &way.live})
        for (const std::string& word : *part) command += ' ' + shellWord(word);
    return command + (way.form == Form::small ? " --small" : "");
}

void write(File kind, const fs::path& file, const std::vector<Made>& all, const Effort& effort,
           const Arguments& arguments, const Console& console) {
    const gui::Picture picture = readPicture(arguments);
    if (kind == File::picture && all.front().panels.empty()) {
        console.around.panels(drawnPanelsOf(all.front()), file, picture);
        return;
    }
    if (kind == File::picture) {
        console.around.chart(sheetOf(all.front()), file, picture);
        return;
    }
    writeFile(file, existing(arguments.force), console.around.stop, [&](std::ostream& out) {
        switch (kind) {
            case File::csv: return writeFigureCsv(all, out);
            case File::page: return writeFigurePage(all, effort, out);
            case File::report: return writeFigureReport(all, effort, console, picture, out);
            default: break;
        }
        Json json = Json::array();
        for (const Made& made : all) json.push_back(figureJson(made));
        out << json.dump(2, ' ', false, lenient) << '\n';
    });
}

}  // namespace

int figure(const Arguments& arguments, const Console& console) {
    const auto& words = wordsOf(arguments, 0, 2, "figure [PAPER|all [ITEM]]");
    const std::string format = chosenFormat(arguments, {"text", "json", "csv"});
    const Wanted wanted = readWanted(words);
    const Way way = readWay(arguments, wanted, console);
    if (!arguments.output && wanted.item == nullptr && (words.empty() || words[0] != "all"))
        return listItems(wanted, format, console);
    const fs::path file = arguments.output.value_or("");
    const File kind = arguments.output ? kindOf(file, wanted) : File::none;
    if (kind == File::picture && wanted.item->panels.empty() &&
        !figures::drawnOf(wanted.paper->name, wanted.item->name))
        sheetOf({.paper = wanted.paper, .item = wanted.item});
    const bool drawn = kind == File::picture && wanted.item->panels.empty();
    if ((kind == File::picture && !drawn && !console.around.chart) || (drawn && !console.around.panels) ||
        (kind == File::report && !console.around.drawing))
        throw Error{text("--output: ", file.string(), " is a picture, which cannot be made here; write .csv or .json")};
    if (arguments.output) requireFree(file, arguments.force);
    KnownRuns runs{threadsOf(arguments)};
    if (arguments.rows) {
        if (arguments.output && fs::weakly_canonical(*arguments.rows) == fs::weakly_canonical(file))
            throw Error{"--rows and --output name the same file; choose another name for one of them"};
        runs.take(*arguments.rows);
        runs.keep(*arguments.rows, console.around.stop);  // said now where it cannot be
    }
    std::vector<Made> all;
    const auto items = itemsOf(wanted);
    const auto begin = std::chrono::steady_clock::now();
    {
        ProgressLine line{console, "making figures"};
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto before = runs.ran();
            const double size = static_cast<double>(items.size());
            const engine::Progress progress = line.progress();
            progress.at(static_cast<double>(i) / size);
            all.push_back(make(*items[i].first, *items[i].second, way, runs,
                               within(progress, static_cast<double>(i) / size, static_cast<double>(i + 1) / size)));
            if (arguments.rows && runs.ran() > before) runs.keep(*arguments.rows, console.around.stop);
        }
    }
    const Effort effort{.command = commandFor(words, way),
                        .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                        .ran = runs.ran(),
                        .taken = runs.taken(),
                        .form = way.form};
    if (kind != File::none) write(kind, file, all, effort, arguments, console);
    const bool good = std::all_of(all.begin(), all.end(), [](const Made& made) { return made.holds(); });
    if (format == "json") {
        Json json = Json::array();
        for (const Made& made : all) json.push_back(figureJson(made));
        console.out << json.dump(2, ' ', false, lenient) << '\n';
    } else if (format == "csv") {
        writeFigureCsv(all, console.out);
    } else if (wanted.item != nullptr) {
        writeWords(all.front(), console);
    } else {
        Table table{{Align::left, Align::left, Align::left}};
        for (const Made& made : all)
            table.row(
                {made.name(), console.paint(made.holds() ? Tone::good : Tone::bad, verdictOf(made)), reasonOf(made)});
        table.write(console.out);
    }
    return good ? done : checkFailed;
}

}  // namespace app::cli
