// SPDX-License-Identifier: BSD-3-Clause
// list and describe.
#include "app/analysis/tables/table_definition.hpp"
#include "app/analysis/trace/run_report.hpp"
#include "app/cli/better_schedule_output.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/table_documentation.hpp"
#include "app/cli/output/tables.hpp"
#include "app/session/options/costs.hpp"
#include "app/session/options/models.hpp"
#include "app/session/proofs/properties.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/library_names.hpp"
#include "engine/catalogue/native_collectives.hpp"
#include "engine/problem/sizes.hpp"

#include <algorithm>
#include <map>

namespace app::cli {
namespace {

using engine::Algorithm;
using engine::text;

/// A name and what it means.
struct Entry {
    std::string name;
    std::string meaning;
};

/// The parameters alone.
std::string valuesOf(const NamedModel& named) {
    engine::Model nameless = named.model;
    nameless.name = engine::Model{}.name;
    return modelWords(nameless);
}

/// The option with which a scan is what `call` of a library does; empty for the others.
std::string_view optionFor(std::string_view call) {
    return call == "exscan" || call == "iexscan" ? " --set exclusive=yes" : "";
}

/// Our algorithm, or why there is none.
std::string oursInWords(const engine::LibraryAlgorithm& one) {
    return one.id.empty() ? "none: " + one.why : text(one.id, optionFor(one.known.call));
}

std::vector<Entry> entriesOf(std::string_view topic, const Surroundings& around) {
    std::vector<Entry> entries;
    if (topic == "topologies")
        for (const emulation::Topology& topology : emulation::topologies())
            entries.push_back({topology.usage, topology.meaning});
    if (topic == "sizes") {
        for (const engine::Distribution& distribution : engine::distributions())
            entries.push_back({std::string{distribution.name}, std::string{distribution.meaning}});
        entries.push_back({"@FILE", "one size per line of a file; lines that begin with # are comments"});
    }
    if (topic == "models")
        for (const NamedModel& one : models())
            entries.push_back({one.model.name, text(one.title, "; ", valuesOf(one))});
    if (topic == "libraries")
        for (const engine::LibraryAlgorithm& one : engine::libraryAlgorithms())
            entries.push_back({toText(one.known), oursInWords(one)});
    if (topic == "tables")
        for (const analysis::TableDefinition& definition : analysis::tableDefinitions())
            entries.push_back({std::string{definition.name}, std::string{definition.meaning}});
    if (topic == "lessons" && around.lessons)
        for (const gui::LessonName& lesson : around.lessons()) entries.push_back({lesson.name, lesson.title});
    return entries;
}

void listAlgorithms(const Console& console) {
    Table table{{Align::left, Align::left}, 2};
    console.out << analysis::counted(static_cast<std::int64_t>(engine::catalogue().size()), "algorithm") << '\n';
    std::optional<engine::Collective> collective;
    for (const Algorithm* algorithm : engine::catalogue()) {
        if (algorithm->collective != collective) table.row({console.paint(Tone::strong, name(algorithm->collective))});
        collective = algorithm->collective;
        table.row({"  " + algorithm->id, algorithm->title});
    }
    table.write(console.out);
    console.out << '\n' << console.paint(Tone::strong, "the MPI library's own, which run only over MPI") << '\n';
    Table natives{{Align::left, Align::left}, 2};
    for (const engine::live::Native& native : engine::live::natives())
        natives.row({"  " + native.about.id, native.about.title});
    natives.write(console.out);
    console.out << "\ncollscope describe ALGORITHM explains one. There are also topologies, models, sizes, tables,\n"
                   "libraries and lessons, for example: collscope list lessons\n";
}

/// By library and call, since names with both would leave no room for the meaning.
void listLibraries(const Console& console) {
    Table table{{Align::left, Align::left}, 2};
    table.row({"name in the library", "algorithm of Collscope"});
    std::string last;
    for (const engine::LibraryAlgorithm& one : engine::libraryAlgorithms()) {
        const std::string call = text(one.known.library, " ", one.known.call);
        if (call != last) table.row({console.paint(Tone::strong, call)});
        last = call;
        table.row(
            {one.known.number < 0 ? "  " + one.known.name : text("  ", one.known.number, " (", one.known.name, ")"),
             oursInWords(one)});
    }
    table.write(console.out);
    console.out << "\nThe number of an algorithm of Open MPI is its value in the parameter\n"
                   "coll_tuned_COLLECTIVE_algorithm.\n";
}

void listEntries(std::string_view topic, const Console& console) {
    Table table{{Align::left, Align::left}, 2};
    for (const Entry& entry : entriesOf(topic, console.around)) table.row({entry.name, entry.meaning});
    console.out << console.paint(Tone::strong, topic) << '\n';
    if (topic == "sizes")
        console.out << "c: --size; n: number of contributions; in an alltoallv the rule is applied to the receivers\n";
    if (topic == "models")
        console.out
            << "alpha: startup of a message; beta: time per byte; gamma: time per byte combined.\n"
               "L, o, g, G and O are the parameters of LogGP, in place of alpha and beta: latency; overhead and gap per "
               "message; gap and overhead per byte.\n";
    table.write(console.out);
}

/// The algorithms, and after them what has only their words.
std::vector<const Algorithm*> everyEntry() {
    std::vector<const Algorithm*> all{engine::catalogue().begin(), engine::catalogue().end()};
    for (const engine::live::Native& native : engine::live::natives()) all.push_back(&native.about);
    return all;
}

const Algorithm& entryNamed(const std::string& id) {
    const engine::live::Native* native = engine::live::nativeNamed(id);
    return native != nullptr ? native->about : engine::algorithmNamed(id);
}

engine::Table listTable(std::string_view topic, const Surroundings& around) {
    engine::Table table;
    if (topic == "algorithms") {
        for (const char* column : {"id", "collective", "title", "formula", "source", "runs_on"})
            table.columns.push_back({column, engine::Content::words});
        for (const Algorithm* algorithm : everyEntry())
            table.rows.push_back({engine::cell(algorithm->id), engine::cell(std::string{name(algorithm->collective)}),
                                  engine::cell(algorithm->title), engine::cell(algorithm->formula),
                                  engine::cell(algorithm->source),
                                  engine::cell(algorithm->plan == nullptr ? "mpi" : "virtual threads mpi")});
        return table;
    }
    table.columns = {{"name", engine::Content::words}, {"meaning", engine::Content::words}};
    for (const Entry& entry : entriesOf(topic, around))
        table.rows.push_back({engine::cell(entry.name), engine::cell(entry.meaning)});
    return table;
}

Json listJson(std::string_view topic, const Surroundings& around) {
    if (topic == "tables") return questionsJson();
    Json entries = Json::array();
    if (topic == "algorithms") {
        for (const Algorithm* algorithm : everyEntry()) entries.push_back(algorithmJson(*algorithm));
        return entries;
    }
    for (const Entry& entry : entriesOf(topic, around))
        entries.push_back({{"name", entry.name}, {"meaning", entry.meaning}});
    if (topic == "models")
        for (std::size_t i = 0; i < models().size(); ++i) {
            entries[i]["parameters"] = modelJson(models()[i].model);
            entries[i]["source"] = models()[i].source;
        }
    return entries;
}

std::string optionWords(const engine::Option& option) {
    std::string words = option.meaning + " (";
    if (!option.choices.empty()) {
        const bool isNumber =
            option.kind == engine::Option::Kind::integer || option.kind == engine::Option::Kind::bytes;
        if (isNumber) words += option.kind == engine::Option::Kind::bytes ? "bytes, or " : "a number, or ";
        for (std::size_t i = 0; i < option.choices.size(); ++i) words += (i == 0 ? "" : ", ") + option.choices[i];
        words += "; ";
    }
    return words + (option.fallback.empty() ? "not set" : option.fallback) + " by default)";
}

/// What is said of an algorithm, or where it stands; who wrote a file need not have a paper.
std::string_view sourceName(const Algorithm& algorithm) {
    if (algorithm.source == algorithm.id) return "file";
    return engine::schedules::isPath(algorithm.id) ? "source" : "paper";
}

/// "Open MPI allreduce ring (4 in coll_tuned_allreduce_algorithm)", "MPICH allreduce ring".
std::string knownAsWords(const engine::KnownAs& known) {
    const std::string words = text(known.library, " ", known.call, " ", known.name);
    const std::string number =
        known.number < 0 ? "" : text(" (", known.number, " in coll_tuned_", known.call, "_algorithm)");
    const std::string_view option = optionFor(known.call);
    return text(words, number, option.empty() ? "" : ", with", option);
}

/// What the collective does; of the problem, where one is given.
std::string_view promiseOf(const Algorithm& algorithm, const engine::Plan* asked) {
    return asked != nullptr ? promise(asked->problem) : promise(algorithm.collective);
}

void describeText(const Algorithm& algorithm, const engine::Plan* asked, const Console& console) {
    const Paint& paint = console.paint;
    console.out << paint(Tone::strong, algorithm.id) << '\n' << algorithm.title << '\n' << '\n';
    const Explanation explanation = explain(algorithm, asked);
    Table table{{Align::left, Align::left}};
    const auto row = [&](std::string_view key, const std::string& words) {
        if (!words.empty()) table.row({paint(Tone::faint, key), words});
    };
    row("collective", text(name(algorithm.collective), ": ", promiseOf(algorithm, asked)));
    row("idea", algorithm.idea);
    row(sourceName(algorithm), algorithm.source);
    row("cost", algorithm.formula);
    row("parameters", algorithm.letters);
    for (const engine::KnownAs& known : algorithm.knownAs) row("known as", knownAsWords(known));
    row("network", explanation.wiring);
    for (const std::string& refusal : explanation.refusals) row("requirements", refusal);
    if (explanation.refusals.empty())
        row("requirements", algorithm.collective != engine::Collective::barrier &&
                                    engine::isReduction(algorithm.collective) && !algorithm.keepsOrder
                                ? "a commutative operation"
                                : "none");
    if (asked == nullptr && !explanation.bounds.empty())
        row("example",
            text("the bounds below are for ", analysis::problemWords(*explanation.problem), "; ",
                 isIntergroup(algorithm.collective) ? "-p 8 -q 4" : "-n 8",
                 algorithm.collective == engine::Collective::barrier ? "" : " --size 1MiB", " sets another problem"));
    for (const std::string& bound : explanation.bounds) row("lower bound", bound);
    table.write(console.out);
    if (!algorithm.options.empty()) {
        console.out << '\n' << paint(Tone::faint, "options (--set NAME=VALUE)") << '\n';
        Table options{{Align::left, Align::left}, 2};
        for (const engine::Option& option : algorithm.options) options.row({option.name, optionWords(option)});
        options.write(console.out);
    }
    if (!algorithm.errata.empty()) {
        console.out << '\n' << paint(Tone::faint, "errata (corrected here)") << '\n';
        Table errata{{Align::left, Align::left}, 2};
        for (const engine::Erratum& erratum : algorithm.errata) errata.row({erratum.place, erratum.correction});
        errata.write(console.out);
    }
}

Json describeJson(const Algorithm& algorithm, const engine::Plan* asked) {
    const Explanation explanation = explain(algorithm, asked);
    Json json = algorithmJson(algorithm);
    json["promise"] = promiseOf(algorithm, asked);
    json["network"] = explanation.wiring;
    json["needs"] = explanation.refusals;
    json["bounds"] = explanation.bounds;
    return json;
}

/// A cell of a Markdown table: bars would end it.
std::string cell(std::string_view words) {
    std::string safe;
    for (const char c : words) safe += c == '|' ? std::string{"\\|"} : std::string{c};
    return safe;
}

/// The table of the README.
void tableMarkdown(const Console& console) {
    console.out << "| algorithm | what it is | cost | source |\n|---|---|---|---|\n";
    for (const Algorithm* algorithm : engine::catalogue())
        console.out << "| `" << algorithm->id << "` | " << cell(algorithm->title) << " | " << cell(algorithm->formula)
                    << " | " << cell(algorithm->source) << " |\n";
}

void listMarkdown(std::string_view topic, const Console& console) {
    if (topic == "algorithms") return tableMarkdown(console);
    if (topic == "tables") return writeQuestionsMarkdown(console.out);
    console.out << "| name | meaning |\n|---|---|\n";
    for (const Entry& entry : entriesOf(topic, console.around))
        console.out << "| `" << cell(entry.name) << "` | " << cell(entry.meaning) << " |\n";
}

void describeMarkdown(const Algorithm& algorithm, const Console& console) {
    const Explanation explanation = explain(algorithm);
    std::ostream& out = console.out;
    out << "## `" << algorithm.id << "`\n\n" << algorithm.title << ". " << algorithm.idea << "\n\n";
    out << "| | |\n|---|---|\n";
    const auto row = [&](std::string_view key, const std::string& words) {
        if (!words.empty()) out << "| " << key << " | " << cell(words) << " |\n";
    };
    row(sourceName(algorithm), algorithm.source);
    row("cost", algorithm.formula);
    row("parameters", algorithm.letters);
    for (const engine::KnownAs& known : algorithm.knownAs) row("known as", knownAsWords(known));
    row("network", explanation.wiring);
    for (const std::string& refusal : explanation.refusals) row("requirements", refusal);
    for (const std::string& bound : explanation.bounds) row("lower bound", bound);
    for (const engine::Option& option : algorithm.options) row("`--set " + option.name + "=`", optionWords(option));
    for (const engine::Erratum& erratum : algorithm.errata) row("in print", erratum.place + ": " + erratum.correction);
}

/// Algorithms have a slash in their names, so that no model is taken for one.
bool namesAModel(const std::string& word) {
    const auto known = models();
    return std::any_of(known.begin(), known.end(), [&](const NamedModel& one) { return one.model.name == word; });
}

void describeModel(const NamedModel& named, const std::string& format, const Console& console) {
    if (format == "json") {
        console.out << Json{{"name", named.model.name},
                            {"title", named.title},
                            {"parameters", modelJson(named.model)},
                            {"source", named.source}}
                           .dump(2, ' ', false, lenient)
                    << '\n';
        return;
    }
    if (format == "markdown") {
        console.out << "## `" << named.model.name << "`\n\n"
                    << named.title << ".\n\n| | |\n|---|---|\n| values | " << valuesOf(named) << " |\n| source | "
                    << cell(named.source) << " |\n";
        return;
    }
    const Paint& paint = console.paint;
    console.out << paint(Tone::strong, named.model.name) << '\n' << named.title << "\n\n";
    Table table{{Align::left, Align::left}};
    table.row({paint(Tone::faint, "values"), valuesOf(named)});
    table.row({paint(Tone::faint, "source"), named.source});
    table.write(console.out);
}

/// Null where no kind of network has this name.
const emulation::Topology* topologyNamed(std::string_view name) {
    const auto all = emulation::topologies();
    // Of torus:4x4 the kind.
    const auto found = std::ranges::find(all, name.substr(0, name.find(':')), &emulation::Topology::name);
    return found == all.end() ? nullptr : &*found;
}

void describeTopology(const emulation::Topology& topology, const std::string& format, const Console& console) {
    constexpr std::int32_t ranks = 16;
    const std::string example = topology.forRanks == nullptr ? "" : topology.forRanks(ranks);
    if (format == "json") {
        console.out << Json{{"name", topology.name},
                            {"usage", topology.usage},
                            {"meaning", topology.meaning},
                            {"example", example}}
                           .dump(2, ' ', false, lenient)
                    << '\n';
        return;
    }
    if (format == "markdown") {
        console.out << "## `" << topology.usage << "`\n\n" << topology.meaning << ".\n";
        return;
    }
    console.out << console.paint(Tone::strong, topology.name) << '\n' << topology.meaning << "\n\n";
    Table table{{Align::left, Align::left}};
    table.row({console.paint(Tone::faint, "usage"), text("--topology ", topology.usage)});
    if (!example.empty())
        table.row({console.paint(Tone::faint, "example"), text("--topology ", example, ", for ", ranks, " ranks")});
    table.write(console.out);
}

}  // namespace

std::vector<std::string> topicsOfList() {
    return engine::split(std::string{listTopics.substr(1, listTopics.size() - 2)}, '|');
}

int list(const Arguments& arguments, const Console& console) {
    const auto& words = wordsOf(arguments, 0, 1, text("list ", listTopics));
    const std::vector<std::string> topics = topicsOfList();
    // The former name of the tables.
    // The former name of the tables, and what topologies are called in sentences.
    const std::map<std::string, std::string> others{{"questions", "tables"}, {"networks", "topologies"}};
    const auto other = words.empty() ? others.end() : others.find(words[0]);
    const std::string topic =
        words.empty() ? topics.front() : choice(other == others.end() ? words[0] : other->second, "list", topics, {});
    const std::string format = chosenFormat(arguments, {"text", "json", "csv", "markdown"});
    if (format == "json") console.out << listJson(topic, console.around).dump(2, ' ', false, lenient) << '\n';
    else if (format == "csv") analysis::writeCsv(listTable(topic, console.around), console.out);
    else if (format == "markdown") listMarkdown(topic, console);
    else if (topic == "algorithms") listAlgorithms(console);
    else if (topic == "libraries") listLibraries(console);
    else listEntries(topic, console);
    return done;
}

int describe(const Arguments& arguments, const Console& console) {
    const auto& words = wordsOf(arguments, 0, 1, "describe ID");
    const std::string format = arguments.markdown ? "markdown" : chosenFormat(arguments, {"text", "json", "markdown"});
    if (arguments.search && (words.empty() || namesAModel(words[0])))
        throw engine::Error{"--search: name an algorithm and a problem"};
    if (words.empty()) {
        if (format != "markdown") throw engine::Error{"describe: ID is missing; 'collscope list' lists all algorithms"};
        tableMarkdown(console);
        return done;
    }
    const bool isNoAlgorithm = namesAModel(words[0]) || (topologyNamed(words[0]) != nullptr && !arguments.search);
    if (isNoAlgorithm && arguments.asked != Asked{})
        throw engine::Error{
            text("describe: '", words[0], "' is no algorithm, and has no problem; leave its options out")};
    if (namesAModel(words[0])) {
        describeModel(modelNamed(words[0]), format, console);
        return done;
    }
    if (const emulation::Topology* topology = topologyNamed(words[0]); topology != nullptr && !arguments.search) {
        describeTopology(*topology, format, console);
        return done;
    }
    const Algorithm& algorithm = entryNamed(words[0]);
    if (arguments.search && format == "markdown") throw engine::Error{"--search: choose the format text or json"};
    std::optional<Better> better;
    std::optional<engine::Plan> asked;
    if (const auto searchTime = timeOfSearch(arguments)) {
        const RunWish wish = specify(words[0], arguments.asked).run;
        const Report report = [&] {
            ProgressLine line{console, "running"};
            return execute(wish, line.progress());
        }();
        better = searchedFor(searchTime, report, wish.problem, console);
        asked = report.plan;
    } else if (arguments.asked != Asked{}) {
        asked = makePlan(specify(words[0], arguments.asked).run);
    }
    const engine::Plan* const plan = asked ? &*asked : nullptr;
    if (format == "json") {
        Json json = describeJson(algorithm, plan);
        if (better) json["search"] = betterJson(*better);
        console.out << json.dump(2, ' ', false, lenient) << '\n';
    } else if (format == "markdown") {
        describeMarkdown(algorithm, console);
    } else {
        describeText(algorithm, plan, console);
        if (better) writeBetter(*better, console);
    }
    return done;
}

}  // namespace app::cli
