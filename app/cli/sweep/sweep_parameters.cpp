// SPDX-License-Identifier: BSD-3-Clause
// The numbers of a run by the letters that formulas take.
#include "app/cli/sweep/sweep_chart.hpp"

#include "app/cli/output/text.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/native_collectives.hpp"

namespace app::cli {
namespace {

double inSeconds(engine::Rate rate) { return static_cast<double>(rate.femtosecondsPerByte) * 1e-15; }

/// What the sizes of all contributions come to; a problem that cannot be made has none.
void addSizes(ParameterValues& letters, const RunWish& wish) {
    const engine::Algorithm& algorithm = engine::live::methodNamed(wish.algorithm);
    try {
        const engine::Layout layout = makeProblem(algorithm.collective, wish.problem).layout;
        std::int64_t empty = 0;
        if (layout.smallest() == 0)
            for (std::int32_t i = 0; i < layout.count(); ++i) empty += layout.size(i) == 0 ? 1 : 0;
        letters["total"] = static_cast<double>(layout.total());
        letters["largest"] = static_cast<double>(layout.largest());
        letters["smallest"] = static_cast<double>(layout.smallest());
        letters["empty"] = static_cast<double>(empty);
    } catch (const engine::Error&) {
        return;
    }
}

/// The options that are numbers, those that nobody set too.
void addOptions(ParameterValues& letters, const RunWish& wish) {
    using Kind = engine::Option::Kind;
    for (const engine::Option& option : engine::live::methodNamed(wish.algorithm).options) {
        const auto set = wish.options.find(option.name);
        const std::string& words = set == wish.options.end() ? option.fallback : set->second;
        try {
            if (option.kind == Kind::bytes)
                letters[option.name] = static_cast<double>(engine::readBytes(words, option.name));
        } catch (const engine::Error&) {
            continue;  // a word such as "auto"
        }
        if (const auto number = numberFrom<double>(words)) letters[option.name] = *number;
    }
}

}  // namespace

ParameterValues lettersOf(const Point& point, const SweepResult* result) {
    const ProblemWish& problem = point.wish.problem;
    const engine::Model model = engine::asAlphaBeta(point.wish.model.combiningBy(problem.operation));
    ParameterValues letters{{"size", static_cast<double>(problem.size)},
                            {"size_b", static_cast<double>(problem.sizeB.value_or(problem.size))},
                            {"root", static_cast<double>(problem.root)},
                            {"ports", problem.ports},
                            {"alpha", engine::seconds(model.alpha)},
                            {"beta", inSeconds(model.beta)},
                            {"gamma", inSeconds(model.gamma)}};
    if (problem.ranks) letters["n"] = letters["p"] = static_cast<double>(*problem.ranks);
    if (problem.groupA) letters["p"] = static_cast<double>(*problem.groupA);
    if (problem.groupB) letters["q"] = static_cast<double>(*problem.groupB);
    addSizes(letters, point.wish);
    addOptions(letters, point.wish);
    if (point.split) {
        letters["compute"] = static_cast<double>(point.split->compute.count()) * 1e-9;
        letters["tests"] = static_cast<double>(point.split->looks());
    }
    if (result != nullptr && result->halves) {
        letters["alone"] = engine::seconds(result->halves->alone);
        letters["calls"] = result->halves->calls;
        if (result->halves->hidden) letters["hidden"] = *result->halves->hidden;
    }
    if (result != nullptr && result->refusal.empty()) {
        letters["time"] = engine::seconds(result->time);
        letters["rounds"] = static_cast<double>(result->rounds);
        letters["messages"] = static_cast<double>(result->messages);
        letters["bytes"] = static_cast<double>(result->bytes);
        letters["idle"] = result->idle;
        letters["bound_rounds"] = static_cast<double>(result->leastRounds);
        letters["bound_volume"] = static_cast<double>(result->leastVolume);
        if (result->measured) letters["measured"] = engine::seconds(result->measured->median);
        if (result->least) letters["bound"] = engine::seconds(*result->least);
    }
    return letters;
}

}  // namespace app::cli
