// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/commands.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/output/schedule_formats.hpp"
#include "app/cli/output/tables.hpp"
#include "app/session/options/costs.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/synthesis/regular_script.hpp"
#include "app/session/synthesis/synthesis.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

std::optional<std::int32_t> countOf(const Arguments::Word& word, std::string_view flag) {
    if (!word) return std::nullopt;
    return static_cast<std::int32_t>(engine::readInteger(*word, flag, 1, 1000));
}

SynthesisWish wishOf(const Arguments& arguments, engine::Collective collective) {
    const Asked& asked = arguments.asked;
    for (const std::string_view key : {"set", "neighbours-only"})
        if (asked.has(key)) throw Error{text("--", key, " is for algorithms; leave it out of a search")};
    requireFitting(asked, collective);
    Specification specification;
    take(specification, asked);
    SynthesisWish wish{.collective = collective,
                       .problem = specification.run.problem,
                       .network = specification.run.network,
                       .model = specification.run.model,
                       .portsGiven = asked.has("ports"),
                       .chunks = countOf(arguments.chunks, "--chunks"),
                       .steps = countOf(arguments.steps, "--steps"),
                       .rounds = countOf(arguments.rounds, "--rounds"),
                       .proof = arguments.proof.value_or("")};
    if (arguments.method) {
        constexpr std::array methods{SearchMethod::solver, SearchMethod::trees, SearchMethod::greedy};
        const auto named =
            std::ranges::find_if(methods, [&](SearchMethod one) { return name(one) == *arguments.method; });
        if (named == methods.end())
            throw Error{text("--method: unknown method '", *arguments.method, "'; choose solver, trees or greedy")};
        wish.method = *named;
    }
    if (wish.model.logGP) throw Error{"--loggp: the cost of a schedule is in alpha and beta; give --alpha and --beta"};
    if (arguments.limit)
        wish.limit =
            std::chrono::duration_cast<std::chrono::milliseconds>(engine::readTime(*arguments.limit, "--limit"));
    if (wish.limit.count() < 1) throw Error{"--limit: must be at least 1ms"};
    return wish;
}

/// The command that runs the schedule in `file` on the network of the search.
std::string runCommand(const SynthesisWish& wish, const SearchRow& row, const std::string& file) {
    std::string words = text("collscope run ", file);
    if (!wish.network.topology.empty()) words += text(" --topology ", wish.network.topology);
    if (!wish.network.placement.empty()) words += text(" --placement ", wish.network.placement);
    if (const int ports = planOf(row).schedule->facts().ports; ports > 1) words += text(" --ports ", ports);
    return words;
}

/// How a schedule is written to a file, by the file's ending.
void (*writerFor(const std::string& file))(const SearchRow&, const Console&) {
    if (file.ends_with(".json"))
        return [](const SearchRow& row, const Console& console) {
            const engine::Plan plan = planOf(row);
            showJson(plan, wholeOf(*plan.schedule), console);
        };
    if (file.ends_with(".xml"))
        return [](const SearchRow& row, const Console& console) { showMsccl(planOf(row), console); };
    if (file.ends_with(".lua"))
        return
            [](const SearchRow& row, const Console& console) { console.out << regularScript(planOf(row), row.chunks); };
    throw Error{text("--output: ", file,
                     " is neither a schedule (.json, .lua, or .xml for MSCCL) nor a chart (.svg, .png or .pdf)")};
}

bool isChart(const std::string& file) {
    return file.ends_with(".svg") || file.ends_with(".png") || file.ends_with(".pdf");
}

Json sizesJson(const std::optional<SizeRange>& sizes) {
    if (!sizes) return {};
    return {{"from_bytes", sizes->from}, {"to_bytes", sizes->to ? Json(*sizes->to) : Json{}}};
}

Json asJson(const Synthesis& synthesis) {
    Json rows = Json::array();
    for (const SearchRow& row : synthesis.rows)
        rows.push_back({{"chunks", row.chunks},
                        {"steps", row.steps},
                        {"rounds", row.rounds},
                        {"answer", name(row.answer)},
                        {"by", decidedBy(row)},
                        {"algorithm", row.known ? Json(row.known->algorithm->id) : Json{}},
                        {"best", row.best},
                        {"cost_s", row.cost ? Json(engine::seconds(*row.cost)) : Json{}},
                        {"bound_s", engine::seconds(row.bound)},
                        {"sizes", sizesJson(row.sizes)},
                        {"search_s", row.took.count()}});
    Json algorithms = Json::array();
    for (const CostLine& line : synthesis.catalogue)
        algorithms.push_back({{"algorithm", line.name},
                              {"steps", line.steps},
                              {"load", line.share},
                              {"cost_s", engine::seconds(line.cost)},
                              {"neighbours_only", line.direct}});
    Json rival;
    if (!synthesis.rival.empty())
        rival = {{"algorithm", synthesis.rival}, {"time_s", engine::seconds(synthesis.rivalTime)}};
    return {{"problem", toText(synthesis.problem)},
            {"topology", synthesis.network},
            {"composed", synthesis.composed},
            {"neighbours_only", synthesis.neighboursOnly},
            {"fewest_steps", synthesis.fewestSearched},
            {"lower_bound", {{"steps", synthesis.fewestSteps}, {"time_s", engine::seconds(synthesis.bound)}}},
            {"catalogue", std::move(rival)},
            {"algorithms", std::move(algorithms)},
            {"compared_in_part", synthesis.comparedInPart},
            {"rows", std::move(rows)}};
}

}  // namespace

int synthesize(const Arguments& arguments, const Console& console) {
    const std::string& word = wordsOf(arguments, 1, 1, "synthesize COLLECTIVE PROBLEM")[0];
    const std::string format = chosenFormat(arguments, {"text", "json", "csv"});
    const SynthesisWish wish = wishOf(arguments, engine::collectiveNamed(word));
    const bool chart = arguments.output && isChart(*arguments.output);
    if (chart && !console.around.chart)
        throw Error{
            text("--output: ", *arguments.output, ": this program draws no charts; write a .json or .xml file")};
    const auto write = arguments.output && !chart ? writerFor(*arguments.output) : nullptr;
    if (write != nullptr && arguments.output->ends_with(".lua") &&
        (wish.collective != engine::Collective::allgatherv ||
         !makeProblem(wish.collective, wish.problem).layout.isRegular()))
        throw Error{text("-o ", *arguments.output, ": a script needs an allgather of equal sizes; write a .json file")};
    if (arguments.output) requireFree(*arguments.output, arguments.force);
    for (const std::string& file : {wish.proof, wish.proof + ".cnf"})
        if (!wish.proof.empty()) requireFree(file, arguments.force, "--proof");
    Synthesis synthesis;
    {
        ProgressLine line{console, "searching"};
        synthesis = app::synthesize(wish, line.progress());
    }
    const SearchRow* found = synthesis.cheapest();
    const engine::Table table = tableOf(synthesis);
    if (format == "json") console.out << asJson(synthesis).dump(2, ' ', false, lenient) << '\n';
    else if (format == "csv") analysis::writeCsv(table, console.out);
    else {
        engine::Problem problem = synthesis.problem;
        if (!synthesis.portsLimited) problem.ports = 1;
        console.write(text(analysis::problemWords(problem),
                           synthesis.portsLimited ? "" : ", ports limited by links only", ", ",
                           modelWords(wish.model)));
        writeText(table, console, table.rows.size());
        if (const engine::Table catalogue = catalogueTable(synthesis); !catalogue.rows.empty())
            writeText(catalogue, console, catalogue.rows.size());
    }
    // The answer first: it is not to be lost when the file cannot be written.
    if (found != nullptr && chart) {
        console.around.chart({.charts = {chartOf(synthesis)}}, *arguments.output, readPicture(arguments));
        if (format == "text") sayWritten(*arguments.output, console);
    } else if (found != nullptr && arguments.output) {
        writeFile(*arguments.output, existing(arguments.force), console.around.stop, [&](std::ostream& out) {
            write(*found, Console{out, console.err, console.around, console.paint});
        });
        if (format == "text")
            console.out << "wrote " << *arguments.output << ": " << analysis::counted(found->chunks, "chunk") << ", "
                        << analysis::counted(found->steps, "step") << ", " << analysis::counted(found->rounds, "round")
                        << "\nto run it on this network: " << runCommand(wish, *found, *arguments.output) << '\n';
    }
    if (!wish.proof.empty() && format == "text")
        console.out << "wrote " << wish.proof << " and " << wish.proof << ".cnf\n";
    if (found == nullptr && arguments.output) {
        console.err << "collscope: " << *arguments.output << " was not written: no schedule was found\n";
        return checkFailed;
    }
    return done;
}

}  // namespace app::cli
