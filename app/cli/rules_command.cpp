// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/commands.hpp"
#include "app/cli/output/files.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/sweep/sweep_points.hpp"
#include "app/session/options/costs.hpp"
#include "app/session/sweep/fastest.hpp"
#include "engine/base/error.hpp"
#include "engine/base/processors.hpp"
#include "engine/base/text.hpp"
#include "engine/live/replacement_rules.hpp"

#include <algorithm>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

/// A collective by its name, or by that of a call that rules know beside it.
engine::Collective collectiveAsCalled(const std::string& word) {
    if (word == "reduce-scatter-block" || word == "reduce_scatter_block" || word == "reduce_scatter")
        return engine::Collective::reduceScatter;
    if (word == "exscan") return engine::Collective::scan;
    return engine::collectiveNamed(word);
}

/// Algorithms, or a collective that stands for all of its own.
std::vector<std::string> candidatesOf(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (const std::string& word : words) {
        if (word.find_first_of("/.") != std::string::npos) {  // an id, or a file
            all.push_back(word);
            continue;
        }
        for (const engine::Algorithm* algorithm : engine::algorithmsFor(collectiveAsCalled(word)))
            for (std::string& way : waysOf(*algorithm)) all.push_back(std::move(way));
    }
    return all;
}

std::string headOf(const RunWish& wish) {
    const std::string network =
        wish.network.topology.empty() ? "the algorithms' own networks" : "network " + wish.network.topology;
    return text("# the fastest in virtual time: ", modelWords(wish.model), ", ", network, "\n");
}

Json asJson(const std::vector<Fastest>& all) {
    Json rows = Json::array();
    for (const Fastest& one : all)
        rows.push_back(
            {{"ranks", one.ranks}, {"bytes", one.bytes}, {"way", one.way}, {"time_s", engine::seconds(one.time)}});
    return rows;
}

}  // namespace

int rules(const Arguments& arguments, const Console& console) {
    const auto& words = wordsOf(arguments, 1, 64, "rules COLLECTIVE|ID... PROBLEM-RANGES");
    const std::string format = chosenFormat(arguments, {"text", "json"});
    if (arguments.output && format != "text")
        throw Error{"rules: --output takes the rules themselves; leave it out for --format json"};
    if (arguments.output) requireFree(*arguments.output, arguments.force);
    const std::vector<Point> points = readPoints(arguments, candidatesOf(words));
    std::vector<RunWish> wishes;
    for (const Point& point : points) wishes.push_back(point.wish);
    const engine::Collective collective = engine::algorithmNamed(wishes.at(0).algorithm).collective;
    for (const RunWish& wish : wishes)
        if (engine::algorithmNamed(wish.algorithm).collective != collective)
            throw Error{text("rules: ", wish.algorithm, " solves another problem than ", wishes.front().algorithm)};
    ProgressLine line{console, "trying"};
    const int threads = engine::processors();
    const std::vector<Fastest> all = fastestOf(wishes, threads, line.progress());
    const std::string text = headOf(wishes.front()) + triedIn(all) + rulesOf(collective, all);
    (void)engine::live::rulesFromText(text, "rules");
    if (arguments.output) {
        writeFile(*arguments.output, existing(arguments.force), console.around.stop,
                  [&](std::ostream& out) { out << text; });
        console.out << "wrote " << *arguments.output << '\n';
    } else if (format == "json") {
        console.out << asJson(all).dump(2, ' ', false, lenient) << '\n';
    } else {
        console.out << text;
    }
    return done;
}

}  // namespace app::cli
