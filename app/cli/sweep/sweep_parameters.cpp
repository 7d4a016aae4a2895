// SPDX-License-Identifier: BSD-3-Clause
// The numbers of a run by the names that formulas use.
#include "app/cli/sweep/sweep_chart.hpp"

#include "app/cli/output/text_layout.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/native_collectives.hpp"

namespace app::cli {
namespace {

double inSeconds(engine::Rate rate) { return static_cast<double>(rate.femtosecondsPerByte) * 1e-15; }

/// What the sizes of all contributions come to; a problem that cannot be made has none.
void addSizes(ParameterValues& values, const RunWish& wish) {
    const engine::Algorithm& algorithm = engine::live::methodNamed(wish.algorithm);
    try {
        const engine::Layout layout = makeProblem(algorithm.collective, wish.problem).layout;
        std::int64_t empty = 0;
        if (layout.smallest() == 0)
            for (std::int32_t i = 0; i < layout.count(); ++i) empty += layout.size(i) == 0 ? 1 : 0;
        values["total"] = static_cast<double>(layout.total());
        values["largest"] = static_cast<double>(layout.largest());
        values["smallest"] = static_cast<double>(layout.smallest());
        values["empty"] = static_cast<double>(empty);
    } catch (const engine::Error&) {
        return;
    }
}

/// The options that are numbers, those that nobody set too.
void addOptions(ParameterValues& values, const RunWish& wish) {
    using Kind = engine::Option::Kind;
    for (const engine::Option& option : engine::live::methodNamed(wish.algorithm).options) {
        const auto set = wish.options.find(option.name);
        const std::string& words = set == wish.options.end() ? option.fallback : set->second;
        try {
            if (option.kind == Kind::bytes)
                values[option.name] = static_cast<double>(engine::readBytes(words, option.name));
        } catch (const engine::Error&) {
            continue;  // a word such as "auto"
        }
        if (const auto number = numberFrom<double>(words)) values[option.name] = *number;
    }
}

}  // namespace

ParameterValues parameterValuesOf(const Point& point, const SweepResult* result) {
    const ProblemWish& problem = point.wish.problem;
    const engine::Model model = engine::asAlphaBeta(point.wish.model.combiningBy(problem.operation));
    ParameterValues values{{"size", static_cast<double>(problem.size)},
                           {"size_b", static_cast<double>(problem.sizeB.value_or(problem.size))},
                           {"root", static_cast<double>(problem.root)},
                           {"ports", problem.ports},
                           {"alpha", engine::seconds(model.alpha)},
                           {"beta", inSeconds(model.beta)},
                           {"gamma", inSeconds(model.gamma)}};
    if (problem.ranks) values["n"] = values["p"] = static_cast<double>(*problem.ranks);
    if (problem.groupA) values["p"] = static_cast<double>(*problem.groupA);
    if (problem.groupB) values["q"] = static_cast<double>(*problem.groupB);
    addSizes(values, point.wish);
    addOptions(values, point.wish);
    if (point.split) {
        values["compute"] = static_cast<double>(point.split->compute.count()) * 1e-9;
        values["tests"] = static_cast<double>(point.split->looks());
    }
    if (result != nullptr && result->halves) {
        values["alone"] = engine::seconds(result->halves->alone);
        values["calls"] = result->halves->calls;
        if (result->halves->hidden) values["hidden"] = *result->halves->hidden;
    }
    if (result != nullptr && result->refusal.empty()) {
        values["time"] = engine::seconds(result->time);
        values["rounds"] = static_cast<double>(result->rounds);
        values["messages"] = static_cast<double>(result->messages);
        values["bytes"] = static_cast<double>(result->bytes);
        values["idle"] = result->idle;
        values["bound_rounds"] = static_cast<double>(result->leastRounds);
        values["bound_volume"] = static_cast<double>(result->leastVolume);
        if (result->measured) values["measured"] = engine::seconds(result->measured->median);
        if (result->least) values["bound"] = engine::seconds(*result->least);
    }
    return values;
}

}  // namespace app::cli
