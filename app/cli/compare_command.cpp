// SPDX-License-Identifier: BSD-3-Clause
// compare: runs and traces side by side.
#include "app/analysis/efficiency/scaling.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/overview/reduction_order_diff.hpp"
#include "app/analysis/overview/run_comparison.hpp"
#include "app/analysis/overview/run_diff.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/tables.hpp"
#include "app/cli/output/text_layout.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/options/variant.hpp"
#include "engine/base/lines.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

bool has(const engine::Algorithm& algorithm, std::string_view option) {
    return std::any_of(algorithm.options.begin(), algorithm.options.end(),
                       [&](const engine::Option& one) { return one.name == option; });
}

/// Whether a word after the colon may be a field of the run: its problem, network or conditions.
bool isOwn(std::string_view key) {
    const fields::Entry* entry = fields::find(key);
    return entry != nullptr && entry->kind != fields::Kind::toggle && key != "set" &&
           (entry->part == fields::Part::problem || entry->part == fields::Part::execution);
}

/// --set for those algorithms that have the option, and what stands behind the colon of this one.
RunWish wishFor(const Arguments& arguments, const std::string& word) {
    const Variant variant = readVariant(word, "compare");
    const engine::Algorithm& algorithm = engine::algorithmNamed(variant.id);
    Asked own = arguments.asked;
    own.drop("set");
    for (const std::string& setting : arguments.asked.all("set"))
        if (has(algorithm, setting.substr(0, setting.find('=')))) own.add("set", setting);
    for (const auto& [key, value] : variant.options) {
        if (has(algorithm, key) || !isOwn(key)) {
            own.add("set", text(key, '=', value));
            continue;
        }
        own.drop(key);
        own.add(key, value);
    }
    return specify(algorithm.id, own).run;
}

/// Throws Error for a --set that none of the algorithms has.
void requireUse(const Arguments& arguments) {
    for (const std::string& setting : arguments.asked.all("set")) {
        const std::string key = setting.substr(0, setting.find('='));
        bool used = false;
        for (const std::string& word : arguments.words)
            if (const engine::Algorithm* algorithm = algorithmOf(word)) used = used || has(*algorithm, key);
        if (!used) throw Error{text("--set: none of those compared has an option '", key, "'")};
    }
}

analysis::Contestant contestant(const Arguments& arguments, const std::string& word, const Console& console) {
    const bool known = algorithmOf(word) != nullptr;
    if (!known && std::filesystem::exists(word)) {
        ProgressLine line{console, "reading"};
        return {word, analysis::openTrace(word, readClocks(arguments), line.progress(), readOpening(arguments))};
    }
    try {
        const RunWish wish = wishFor(arguments, word);
        ProgressLine line{console, "running"};
        return {word, {.report = app::execute(wish, line.progress())}};
    } catch (const Error& error) {
        if (known) throw;
        throw Error{text("'", word, "' is not a trace; ", error.words())};
    }
}

/// Throws Error for flags of traces where there are only runs, and the reverse: they would change nothing.
void requireRuns(const Arguments& arguments) {
    if (std::none_of(arguments.words.begin(), arguments.words.end(), isTrace)) refuseReadingFlags(arguments);
    if (std::any_of(arguments.words.begin(), arguments.words.end(), [](const std::string& word) {
            return algorithmOf(word) != nullptr || !std::filesystem::exists(word);
        }))
        return;
    refuseRunFlags(arguments);
    if (arguments.asked.has("ranks"))
        throw Error{"--ranks: compare looks at all ranks of a trace; leave the flag out, or name an algorithm"};
}

/// Throws Error for algorithms that solve different problems: their messages have nothing to do with each other.
void requireOneProblem(const std::vector<std::string>& words) {
    const engine::Algorithm* first = nullptr;
    for (const std::string& word : words) {
        const engine::Algorithm* algorithm = algorithmOf(word);
        if (algorithm == nullptr) continue;
        if (first == nullptr) first = algorithm;
        if (algorithm->collective != first->collective)
            throw Error{text("compare: ", first->id, " and ", algorithm->id,
                             " solve different problems; name algorithms for one")};
    }
}

/// Throws Error for a run and a trace, or two traces, of different collectives.
void requireOneCollective(const std::vector<analysis::Contestant>& contestants) {
    const analysis::Contestant* first = nullptr;
    for (const analysis::Contestant& one : contestants) {
        if (!one.trace.report.plan) continue;
        if (first == nullptr) first = &one;
        const engine::Problem &its = one.trace.report.plan->problem, &problem = first->trace.report.plan->problem;
        if (its.collective != problem.collective)
            throw Error{text("compare: ", first->label, " and ", one.label, " solve different problems (",
                             name(problem.collective), " on ", analysis::counted(problem.ranks(), "rank"), ", ",
                             name(its.collective), " on ", analysis::counted(its.ranks(), "rank"),
                             "); their times are not comparable")};
    }
}

/// Throws Error for an algorithm beside the trace of a program, whose time is no time of one collective.
void requireAlike(const std::vector<analysis::Contestant>& contestants) {
    const auto program =
        std::ranges::find_if(contestants, [](const auto& one) { return analysis::isProgram(one.trace); });
    const auto run = std::ranges::find_if(contestants, [](const auto& one) { return !one.trace.recording; });
    if (program != contestants.end() && run != contestants.end())
        throw Error{text("compare: ", program->label, " is a trace of a program, and ", run->label,
                         " is one collective; 'collscope open ", program->label,
                         " --tables what-if' compares its collectives with algorithms")};
}

/// "The runs solve different problems (...)"; empty where they solve one, or these are unknown.
std::string otherProblemInWords(const std::vector<analysis::Contestant>& contestants) {
    const auto &first = contestants[0].trace.report.plan, &second = contestants[1].trace.report.plan;
    if (!first || !second || first->problem == second->problem) return {};
    return text("The runs solve different problems (", toText(first->problem), "; ", toText(second->problem), ").");
}

/// Of programs on different numbers of ranks: that --scaling compares these. Empty for others.
std::string otherRanksInWords(const std::vector<analysis::Contestant>& contestants) {
    const analysis::Trace &first = contestants[0].trace, &second = contestants[1].trace;
    if (!analysis::isProgram(first) || !analysis::isProgram(second) ||
        first.recording->ranks == second.recording->ranks)
        return {};
    return text("The traces have ", first.recording->ranks, " and ", second.recording->ranks,
                " ranks: --scaling strong or weak compares their efficiency.");
}

/// --scaling. Throws Error.
analysis::ScalingKind readScaling(const std::string& words) {
    if (words == "strong") return analysis::ScalingKind::strong;
    if (words == "weak") return analysis::ScalingKind::weak;
    throw Error{text("--scaling: '", words, "' is not strong or weak; write for example --scaling strong")};
}

/// --no-worse-than: 0.05 of "5%". Throws Error.
double readAllowance(const std::string& words) {
    std::string_view number = engine::trimmed(words);
    const bool percent = number.ends_with('%');
    if (percent) number = engine::trimmed(number.substr(0, number.size() - 1));
    const double value = numberFrom<double>(number).value_or(-1);
    if (!(value >= 0 && value <= 1e6) || !percent)
        throw Error{text("--no-worse-than: '", words, "' is not a percentage, such as 5%")};
    return value / 100;
}

/// The first trace that has no call path in common with the first of all: they are of different programs. Null: none.
const analysis::Contestant* otherProgram(const std::vector<analysis::Contestant>& contestants) {
    const analysis::CallPaths first{*contestants.front().trace.recording};
    const auto other = std::find_if(std::next(contestants.begin()), contestants.end(), [&](const auto& one) {
        return !analysis::areOfOneProgram(first, analysis::CallPaths{*one.trace.recording});
    });
    return other != contestants.end() ? &*other : nullptr;
}

/// Throws Error where a trace has no call path in common with the first one. `flag` needs runs of one program.
void requireOneProgram(const std::vector<analysis::Contestant>& contestants, std::string_view flag) {
    if (const analysis::Contestant* other = otherProgram(contestants); other != nullptr)
        throw Error{text("compare ", flag, ": ", contestants.front().label, " and ", other->label,
                         " have no call path in common; compare runs of one program")};
}

/// The efficiencies of traces of one program. Throws Error for anything else.
engine::Table scalingOf(const std::vector<analysis::Contestant>& contestants, analysis::ScalingKind kind,
                        const Console& console) {
    std::vector<analysis::ScalingTrace> traces;
    for (const analysis::Contestant& one : contestants) {
        if (!analysis::isProgram(one.trace) || !analysis::hasMpiCalls(*one.trace.recording))
            throw Error{text("compare --scaling: ", one.label, " is not a trace of an MPI program")};
    }
    requireOneProgram(contestants, "--scaling");
    for (const analysis::Contestant& one : contestants) {
        ProgressLine line{console, "measuring"};
        analysis::Efficiencies efficiencies{*one.trace.recording, line.progress()};
        traces.push_back(
            {one.label, one.trace.recording->ranks, efficiencies.of(efficiencies.whole()),
             analysis::computationCounters(*one.trace.recording, efficiencies.computation(), efficiencies.whole())});
        if (traces.back().efficiency.contradictsItself())
            throw Error{text("compare --scaling: the clocks of ranks in ", one.label,
                             " contradict each other, so the efficiency is unknown")};
    }
    engine::Table table = analysis::scalingTable(traces, kind);
    const std::vector<std::string> shared = analysis::sharedProcessorRemarks(contestants);
    table.remarks.insert(table.remarks.end(), shared.begin(), shared.end());
    return table;
}

/// The table of scaling as POP's reports have it: a column for each trace.
void writeScaling(const engine::Table& table, const Console& console) {
    std::vector<Align> align(table.rows.size() + 1, Align::right);
    align.front() = Align::left;
    Table shown{align, 0};
    std::vector<std::string> heads{""};
    for (const auto& row : table.rows) heads.push_back(analysis::shown(row[0], table.columns[0].content));
    shown.row(std::move(heads));
    for (std::size_t column = 1; column < table.columns.size(); ++column) {
        const auto indent = static_cast<std::size_t>(2 * analysis::factorDepth(table.columns[column]));
        std::vector<std::string> cells{std::string(indent, ' ') + analysis::heading(table.columns[column])};
        for (const auto& row : table.rows) cells.push_back(analysis::shown(row[column], table.columns[column].content));
        shown.row(std::move(cells));
    }
    console.out << table.title << "\n\n";
    shown.write(console.out);
    for (const std::string& remark : table.remarks) console.write(remark);
}

/// One recording each of two programs tells nothing about differences below 1%.
bool isClear(const analysis::Winner& winner) {
    constexpr double significant = 0.01;
    return winner.share() >= significant;
}

/// Which of two is faster.
std::string winnerInWords(const std::vector<analysis::Contestant>& contestants, const analysis::Winner& winner) {
    const std::string &first = contestants[0].label, &second = contestants[1].label;
    if (isClear(winner) || !analysis::isProgram(contestants[0].trace) || !analysis::isProgram(contestants[1].trace))
        return analysis::winInWords(winner, first, second);
    return text(first, " and ", second, " take about the same time, ",
                engine::showTime(analysis::timeOf(contestants[0].trace)), " and ",
                engine::showTime(analysis::timeOf(contestants[1].trace)), '.');
}

/// The exit code: checkFailed if the second takes more than `allowed` longer than the first, or one did not finish.
int noWorse(const std::vector<analysis::Contestant>& contestants, double allowed, const Console& console) {
    for (const analysis::Contestant& one : contestants)
        if (one.trace.propertyOfProgram(traces::own::standing) != nullptr) {
            console.err << "collscope: " << one.label << " did not finish, so that --no-worse-than is not met\n";
            return checkFailed;
        }
    const engine::Picoseconds first = analysis::timeOf(contestants[0].trace),
                              second = analysis::timeOf(contestants[1].trace);
    const double more = analysis::ratio(second, std::max(first, engine::Picoseconds{1})) - 1;
    if (more <= allowed) return done;
    console.err << "collscope: " << contestants[1].label << " took " << engine::showTime(second) << ", "
                << engine::showNumber(100 * more, 3) << "% longer than " << contestants[0].label << " ("
                << engine::showTime(first) << "); --no-worse-than allows " << engine::showNumber(100 * allowed, 3)
                << "%\n";
    return checkFailed;
}

}  // namespace

int compare(const Arguments& arguments, const Console& console) {
    const auto& words = wordsOf(arguments, 2, 64, "compare A B ... PROBLEM");
    const std::string format = chosenFormat(arguments, {"text", "json", "csv"});
    const auto scaling = arguments.scaling ? std::optional{readScaling(*arguments.scaling)} : std::nullopt;
    const auto allowed = arguments.noWorseThan ? std::optional{readAllowance(*arguments.noWorseThan)} : std::nullopt;
    if (arguments.output && !scaling) throw Error{"--output: draws the table of --scaling; add --scaling KIND"};
    if (const std::string ending =
            arguments.output ? std::filesystem::path{*arguments.output}.extension().string() : "";
        ending == ".csv" || ending == ".json")
        throw Error{text("--output ", *arguments.output, ": pictures of --scaling end in .png, .svg or .pdf; for the ",
                         "table write --format ", ending.substr(1))};
    if (arguments.output && !console.around.scaling)
        throw Error{"pictures are drawn by collscope, not by collscope-mpi"};
    if (arguments.output) requireFree(*arguments.output, arguments.force);
    if (allowed && words.size() != 2) throw Error{"--no-worse-than: needs two runs or traces, A and B"};
    requireUse(arguments);
    requireRuns(arguments);
    requireOneProblem(words);
    std::vector<analysis::Contestant> contestants;
    for (const std::string& word : words) contestants.push_back(contestant(arguments, word, console));
    for (const analysis::Contestant& one : contestants)
        if (const auto& verdict = one.trace.report.verdict; verdict && !verdict->proved) {
            console.err << "collscope: compare: " << one.label
                        << " does not solve the problem: " << one.trace.report.fault << '\n';
            return checkFailed;
        }
    requireAlike(contestants);
    requireOneCollective(contestants);
    const bool areAllPrograms =
        std::ranges::all_of(contestants, [](const auto& one) { return analysis::isProgram(one.trace); });
    if (allowed && areAllPrograms) requireOneProgram(contestants, "--no-worse-than");
    if (scaling) {
        const engine::Table table = scalingOf(contestants, *scaling, console);
        if (arguments.output) console.around.scaling(table, *arguments.output, readPicture(arguments));
        if (format == "csv") analysis::writeCsv(table, console.out);
        else if (format == "json")
            console.out << Json{{table.name, tableJson(table)}}.dump(2, ' ', false, lenient) << '\n';
        else {
            writeScaling(table, console);
            if (arguments.output) {
                console.out << '\n';
                sayWritten(*arguments.output, console);
            }
        }
        return allowed ? noWorse(contestants, *allowed, console) : done;
    }
    std::vector<engine::Table> tables{analysis::compareRuns(contestants)};
    std::string reason;  // why one of two programs is faster
    if (contestants.size() == 2 && format != "csv") {
        if (auto order = bracketChanges(contestants[0], contestants[1], {.stop = console.around.stop}))
            tables.push_back(std::move(*order));
        const engine::Progress untilStopped{.report = {}, .stop = console.around.stop};
        std::vector<engine::Table> ofPrograms = analysis::programChanges(contestants[0], contestants[1], untilStopped);
        if (auto changed = messageChanges(contestants[0], contestants[1])) tables.push_back(std::move(*changed));
        // Call paths say in one line what instances say in many.
        else if (ofPrograms.empty() || format == "json")
            tables.push_back(instanceChanges(contestants[0], contestants[1], untilStopped));
        reason = analysis::mainReason(ofPrograms);
        for (engine::Table& table : ofPrograms) tables.push_back(std::move(table));
    }
    const bool ofOtherPrograms = areAllPrograms && otherProgram(contestants) != nullptr;
    std::optional<analysis::Winner> winner;
    if (contestants.size() == 2)
        winner = analysis::winnerOf(contestants[0].trace.report, contestants[1].trace.report,
                                    analysis::timeOf(contestants[0].trace), analysis::timeOf(contestants[1].trace));
    if (format == "csv") {
        analysis::writeCsv(tables.front(), console.out);
    } else if (format == "json") {
        Json json = Json::object();
        if (winner && winner->by.count() > 0 && !ofOtherPrograms)
            json["winner"] = Json{{"name", words[winner->second ? 1 : 0]},
                                  {"by_s", engine::seconds(winner->by)},
                                  {"share", winner->share()},
                                  {"because", winner->because}};
        for (const engine::Table& table : tables) json[table.name] = tableJson(table);
        console.out << json.dump(2, ' ', false, lenient) << '\n';
    } else {
        if (winner) {
            if (const std::string other = otherProblemInWords(contestants); !other.empty()) console.write(other);
            if (const std::string other = otherRanksInWords(contestants); !other.empty()) console.write(other);
            console.write(ofOtherPrograms
                              ? "The traces have no call site of MPI in common: they may be of different "
                                "programs, and no speed-up is reported."
                              : text(winnerInWords(contestants, *winner),
                                     isClear(*winner) && !reason.empty() ? " " : "", isClear(*winner) ? reason : ""));
            console.out << '\n';
        }
        for (const engine::Table& table : tables) {
            if (&table != &tables.front()) console.out << '\n';
            writeText(table, console, 20, "json");
        }
    }
    return allowed ? noWorse(contestants, *allowed, console) : done;
}

}  // namespace app::cli
