// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/commands.hpp"
#include "app/cli/output/schedule_formats.hpp"
#include "app/session/options/ranges.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <limits>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

/// The rounds and the rank asked for. `first` is the number that the format gives the first round.
Cut readCut(const Arguments& arguments, const engine::Schedule& schedule, std::int64_t first) {
    const engine::Facts& facts = schedule.facts();
    Cut cut = wholeOf(schedule);
    if (arguments.rank)
        cut.rank =
            engine::Rank{static_cast<std::int32_t>(engine::readInteger(*arguments.rank, "--rank", 0, facts.ranks - 1))};
    if (!arguments.rounds) return cut;
    const auto read = [&](std::string_view words) {
        return engine::readInteger(words, "--rounds", first, std::numeric_limits<std::int64_t>::max()) - first;
    };
    const std::string& words = *arguments.rounds;
    const auto dots = words.find("..");
    cut.first = engine::Round{read(words.substr(0, dots))};
    const std::int64_t last = dots == std::string::npos ? cut.first.value : read(words.substr(dots + 2));
    if (last < cut.first.value)
        throw Error{text("--rounds: the first number of ", words, " must not exceed the second")};
    if (cut.first.value >= facts.rounds)
        throw Error{text("--rounds: ", words, " is beyond the last round, ", facts.rounds - 1 + first)};
    cut.last = engine::Round{std::min(last, facts.rounds - 1) + 1};
    return cut;
}

}  // namespace

int show(const Arguments& arguments, const Console& console) {
    const std::string& id = wordsOf(arguments, 1, 1, "show ID PROBLEM")[0];
    const std::string format = chosenFormat(arguments, {"text", "json", "dot", "goal", "msccl"});
    const engine::Algorithm& algorithm = engine::algorithmNamed(id);
    requireFitting(arguments.asked, algorithm.collective);
    RunWish wish = problemOf(completed(arguments.asked, algorithm));
    wish.algorithm = id;
    const engine::Plan plan = makePlan(wish, {.stop = console.around.stop});
    const Cut cut = readCut(arguments, *plan.schedule, format == "text" ? 1 : 0);
    if ((format == "goal" || format == "msccl") && (arguments.rounds || arguments.rank))
        throw Error{text("show: ", format, " is always written whole; leave out --rounds and --rank")};
    if (format == "json") showJson(plan, cut, console);
    else if (format == "dot") showDot(plan, cut, console);
    else if (format == "goal") showGoal(plan, console);
    else if (format == "msccl") showMsccl(plan, console);
    else showText(plan, *networkFor(plan, wish.network), cut, console);
    return done;
}

}  // namespace app::cli
