// SPDX-License-Identifier: BSD-3-Clause
// `figure`: what the papers show and say, reproduced.
#include "app/cli/commands.hpp"
#include "app/cli/figures/figure_drawn.hpp"
#include "app/cli/figures/figure_report.hpp"
#include "app/cli/figures/paper_file.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/sweep/sweep_live.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

namespace app::cli {
namespace {

namespace fs = std::filesystem;
using engine::Error;
using engine::text;

constexpr std::int64_t mostBytes = 1 << 20;  // of a paper's file

/// Which items are meant.
struct Meant {
    std::shared_ptr<const figures::Paper> own{};  ///< of a file that the user names
    const figures::Paper* paper = nullptr;        ///< null: all
    const figures::Item* item = nullptr;          ///< null: all
};

const figures::Paper& paperNamed(const std::string& word) {
    std::vector<std::string> names;
    std::vector<std::string> longer;  // papers whose names begin with the word
    for (const figures::Paper& paper : figures::papers()) {
        if (word == paper.name) return paper;
        names.emplace_back(paper.name);
        if (!word.empty() && names.back().starts_with(word)) longer.push_back(names.back());
    }
    names.emplace_back("all");
    const std::string hint = longer.size() > 1 ? text("; did you mean ", engine::joined(longer, " or "), "?")
                                               : engine::didYouMean(word, names);
    throw Error{text("figure: unknown paper '", word, "'", hint.empty() ? "; 'collscope figure' lists them" : hint)};
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

Meant readMeant(const std::vector<std::string>& words) {
    Meant meant;
    if (words.empty() || words[0] == "all") {
        if (words.size() > 1) throw Error{text("figure: all of what? leave '", words[1], "' out")};
        return meant;
    }
    if (words[0].starts_with('@')) {
        const std::string file = words[0].substr(1);
        const std::string content = engine::contentOf(file, mostBytes, text("figure: cannot read '", file, "'"));
        meant.own = std::make_shared<const figures::Paper>(figures::readPaper(content, file));
        meant.paper = meant.own.get();
    } else {
        meant.paper = &paperNamed(words[0]);
    }
    if (words.size() > 1) meant.item = &itemNamed(*meant.paper, words[1]);
    return meant;
}

/// Every item that is meant, with its paper.
std::vector<std::pair<const figures::Paper*, const figures::Item*>> itemsOf(const Meant& meant) {
    std::vector<std::pair<const figures::Paper*, const figures::Item*>> items;
    const auto add = [&](const figures::Paper& paper) {
        for (const figures::Item& item : paper.items)
            if (meant.item == nullptr || meant.item == &item) items.emplace_back(&paper, &item);
    };
    if (meant.paper != nullptr) add(*meant.paper);
    else std::ranges::for_each(figures::papers(), add);
    return items;
}

/// The verdict that is declared; of all others nothing is known before they are made.
std::string nameBefore(const figures::Item& item) {
    return std::string{item.notHere ? nameOf(figures::Verdict::notHere) : "not judged yet"};
}

int listItems(const Meant& meant, const std::string& format, const Console& console) {
    const auto items = itemsOf(meant);
    if (format == "json") {
        Json all = Json::array();
        for (const auto& [paper, item] : items)
            all.push_back({{"paper", paper->name},
                           {"item", item->name},
                           {"kind", nameOf(item->kind)},
                           {"shows", item->shows},
                           {"verdict", nameBefore(*item)},
                           {"chart", !item->panels.empty()},
                           {"picture", !item->panels.empty() || !item->drawn.panels.empty()}});
        console.out << all.dump(2, ' ', false, lenient) << '\n';
        return done;
    }
    Table table{{Align::left, Align::left, Align::left}};
    for (const auto& [paper, item] : items)
        table.row({text(paper->name, ' ', item->name), std::string{nameOf(item->kind)}, item->shows});
    table.write(console.out);
    return done;
}

bool isGood(const FigureResult& made) { return made.elsewhere || verdictOf(made) != figures::Verdict::differs; }

void writeWords(const FigureResult& made, const Console& console) {
    const auto paragraph = [&](const std::string& words) {
        for (const std::string& line : wrapped(words, lineWidth)) console.out << line << '\n';
    };
    paragraph(text(made.name(), ": ", made.item->shows));
    console.out << console.paint(isGood(made) ? Tone::good : Tone::bad, verdictInWords(made)) << '\n';
    paragraph(reasonOf(made));
    const figures::Drawn& drawn = made.item->drawn;
    if (!drawn.panels.empty()) {
        console.out << "\ncollscope figure " << made.name() << " -o FILE.svg draws it. Its runs in the same views:\n";
        for (const std::string& command : commandsOf(drawn)) console.out << "  " << command << '\n';
    }
    if (!made.panels.empty()) console.out << '\n';
    for (const MadePanel& panel : made.panels) {
        console.out << "  " << panel.command << '\n';
        if (!panel.measured.empty()) console.out << "    " << panel.measured << '\n';
    }
    if (made.elsewhere) console.out << "\n--output FILE.png, .svg or .pdf draws it; FILE.csv has its numbers\n";
    if (!made.numbers.empty()) {
        console.out << '\n';
        tableOfNumbers(made.numbers, console).write(console.out);
        const Equations equations{made.numbers};
        console.out << '\n';
        for (const MadeNumber& one : made.numbers) console.out << inDetail(one, equations);
        for (const std::string& line : equations.lines()) paragraph(line);
    }
    if (!made.curves.empty()) console.out << '\n';
    for (const MadeCurves& one : made.curves)
        paragraph(text(stateName(stateOf(one)), ": ", inWords(one),
                       one.curves->why.empty() ? "" : text(" (", one.curves->why, ")")));
    if (const std::string tolerance = toleranceOf(made); !tolerance.empty())
        paragraph(text("in the paper: ", basisOf(made), "; tolerance: ", tolerance));
}

enum class File : std::uint8_t { none, picture, csv, json, page, report };

File kindOf(const fs::path& file, const Meant& meant) {
    const std::string ending = file.extension().string();
    static const std::vector<std::string> endings{".png", ".svg", ".pdf", ".csv", ".json", ".md", ".html"};
    if (ending == ".csv") return File::csv;
    if (ending == ".json") return File::json;
    if (ending == ".md") return File::page;
    if (ending == ".html") return File::report;
    if (std::find(endings.begin(), endings.end(), ending) == endings.end())
        throw Error{text("--output: ", file.string(), " must end in .png, .svg, .pdf, .csv, .json, .md or .html",
                         engine::didYouMean(ending, endings))};
    if (meant.item == nullptr)
        throw Error{text("--output: ", file.string(), " is one picture; name one item, or write .html for a report")};
    return File::picture;
}

/// The flags with which the sweeps of an item are other ones than the paper's. Throws Error.
Way readWay(const Arguments& arguments, const Meant& meant, const Console& console) {
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
        throw Error{"--repeat: runs in virtual time are the same each time; add --on mpi to measure them"};
    if (arguments.repeats) way.live.insert(way.live.end(), {"--repeat", *arguments.repeats});
    if ((!way.instead.empty() || !way.live.empty()) && meant.item == nullptr)
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

void write(File kind, const fs::path& file, const std::vector<FigureResult>& all, const Effort& effort,
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
        for (const FigureResult& made : all) json.push_back(figureJson(made));
        out << json.dump(2, ' ', false, lenient) << '\n';
    });
}

/// Keeps what is known of runs in their file every some seconds, so that little of a long work is lost.
std::function<void()> keptIn(const std::optional<std::string>& file, const KnownRuns& runs, const Console& console) {
    if (!file) return {};
    using Clock = std::chrono::steady_clock;
    return [&, last = Clock::now()]() mutable {
        if (Clock::now() - last < std::chrono::seconds{10}) return;
        runs.keep(*file, console.around.stop);
        last = Clock::now();
    };
}

}  // namespace

int figure(const Arguments& arguments, const Console& console) {
    const auto& words = wordsOf(arguments, 0, 2, "figure [PAPER|@FILE|all [ITEM]]");
    const std::string format = chosenFormat(arguments, {"text", "json", "csv"});
    const Meant meant = readMeant(words);
    const Way way = readWay(arguments, meant, console);
    if (!arguments.output && meant.item == nullptr && (words.empty() || words[0] != "all"))
        return listItems(meant, format, console);
    const fs::path file = arguments.output.value_or("");
    const File kind = arguments.output ? kindOf(file, meant) : File::none;
    if (kind == File::picture && meant.item->panels.empty() && meant.item->drawn.panels.empty())
        sheetOf({.paper = meant.paper, .item = meant.item});
    const bool drawn = kind == File::picture && meant.item->panels.empty();
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
    std::vector<FigureResult> all;
    const auto items = itemsOf(meant);
    const auto begin = std::chrono::steady_clock::now();
    {
        ProgressLine line{console, "making figures"};
        const engine::Progress progress = line.progress();
        if (!way.elsewhere()) {
            std::vector<Wanted> wanted;
            for (const auto& [paper, item] : items) {
                progress.at(0);
                for (Wanted& one : wantedFor(*item, way)) wanted.push_back(std::move(one));
            }
            runs.prepare(wanted, keptIn(arguments.rows, runs, console), progress);
        }
        for (const auto& [paper, item] : items)
            all.push_back(make(*paper, *item, way, runs, way.elsewhere() ? progress : engine::Progress{}));
        if (arguments.rows) runs.keep(*arguments.rows, console.around.stop);
    }
    const Effort effort{.command = commandFor(words, way),
                        .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                        .ran = runs.ran(),
                        .taken = runs.taken(),
                        .form = way.form};
    if (kind != File::none) write(kind, file, all, effort, arguments, console);
    const bool good = std::all_of(all.begin(), all.end(), isGood);
    if (format == "json") {
        Json json = Json::array();
        for (const FigureResult& made : all) json.push_back(figureJson(made));
        console.out << json.dump(2, ' ', false, lenient) << '\n';
    } else if (format == "csv") {
        writeFigureCsv(all, console.out);
    } else if (meant.item != nullptr) {
        writeWords(all.front(), console);
    } else {
        Table table{{Align::left, Align::left, Align::left}};
        for (const FigureResult& made : all)
            table.row({made.name(), console.paint(isGood(made) ? Tone::good : Tone::bad, verdictInWords(made)),
                       reasonOf(made)});
        table.write(console.out);
    }
    if (kind != File::none && format == "text") {
        console.out << '\n';
        sayWritten(file, console);
    }
    return good ? done : checkFailed;
}

}  // namespace app::cli
