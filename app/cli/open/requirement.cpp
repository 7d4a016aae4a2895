// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/open/requirement.hpp"

#include "app/analysis/efficiency/efficiency.hpp"
#include "app/cli/commands.hpp"
#include "engine/base/error.hpp"
#include "engine/base/lines.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"
#include "traces/recording/vocabulary.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace app::cli {

using engine::Error;
using engine::text;

struct Requirement::Metric {
    std::string_view name;
    double (analysis::Efficiency::*value)() const;
    bool needsIdeal;
    bool needsThreads;
    bool comparesComputation;  ///< it is a share of computation, unknown where no rank computed
};

namespace {

/// Of an analysis without efficiency.
std::string_view whyUnknown(const analysis::TraceAnalysis& analysis) {
    const auto& recording = analysis.trace().recording;
    if (recording && traces::isTraining(*recording))
        return ": a training job has no parallel efficiency; see --tables steps";
    if (!recording || !analysis::hasMpiCalls(*recording)) return ": the trace has no calls of MPI, so no efficiency";
    return ": the selected part is not between MPI_Init and MPI_Finalize, so its efficiency is unknown";
}

constexpr std::array<Requirement::Metric, 7> metrics{{
    {"parallel-efficiency", &analysis::Efficiency::parallel, false, false, false},
    {"load-balance", &analysis::Efficiency::loadBalance, false, false, true},
    {"communication-efficiency", &analysis::Efficiency::communication, false, false, false},
    {"serialization-efficiency", &analysis::Efficiency::serialization, true, false, true},
    {"transfer-efficiency", &analysis::Efficiency::transfer, true, false, false},
    {"hybrid-efficiency", &analysis::Efficiency::hybrid, false, true, false},
    {"thread-efficiency", &analysis::Efficiency::thread, false, true, true},
}};

}  // namespace

std::vector<std::string> requirementMetrics() {
    std::vector<std::string> names;
    for (const Requirement::Metric& metric : metrics) names.emplace_back(metric.name);
    return names;
}

Requirement readRequirement(const std::string& words) {
    const std::size_t sign = words.find(">=");
    if (sign == std::string::npos)
        throw Error{text("--require ", words, ": must be METRIC>=VALUE, such as 'parallel-efficiency>=0.8' in quotes")};
    Requirement its{.words = words};
    const std::string name{engine::trimmed(std::string_view{words}.substr(0, sign))};
    const std::vector<std::string> names = requirementMetrics();
    for (const Requirement::Metric& metric : metrics)
        if (metric.name == name) its.metric = &metric;
    if (its.metric == nullptr) {
        const std::string hint = engine::didYouMean(name, names);
        throw Error{text("--require ", words, ": unknown metric '", name, "'",
                         hint.empty() ? text("; choose from ", engine::joined(names, ", ")) : hint)};
    }
    std::string_view value = engine::trimmed(std::string_view{words}.substr(sign + 2));
    const bool percent = value.ends_with('%');
    if (percent) value = engine::trimmed(value.substr(0, value.size() - 1));
    its.least = numberFrom<double>(value).value_or(-1) / (percent ? 100 : 1);
    if (!(its.least >= 0 && its.least <= 1))
        throw Error{text("--require ", words, ": the value must be between 0 and 1, or 0% and 100%")};
    return its;
}

int require(const std::vector<Requirement>& requirements, analysis::TraceAnalysis& analysis, const Console& console) {
    int result = done;
    std::optional<analysis::Efficiency> its;
    if (!requirements.empty() && analysis.trace().propertyOfProgram(traces::own::standing) != nullptr) {
        console.err << "collscope: the program did not finish, so that --require is not met\n";
        result = checkFailed;
    }
    for (const Requirement& one : requirements) {
        if (!its) its = analysis.efficiency();
        if (!its) throw Error{text("--require ", one.words, whyUnknown(analysis))};
        if (one.metric->needsIdeal && !its->idealTime)
            its = analysis::Efficiencies{*analysis.trace().recording, analysis.progress()}.of(
                analysis.span(), analysis.wish().part.ranks);
        if (its->contradictsItself())
            throw Error{text("--require ", one.words,
                             ": the clocks of ranks contradict each other, so the efficiency is unknown")};
        if (one.metric->needsThreads && !its->threads)
            throw Error{text("--require ", one.words, ": the trace does not show the computation of threads")};
        if (one.metric->comparesComputation && its->maxComputation == engine::Picoseconds{})
            throw Error{
                text("--require ", one.words, ": no rank computed outside of MPI, so there is nothing to compare")};
        const double value = ((*its).*one.metric->value)();
        if (value >= one.least) continue;
        // Enough digits that the two differ.
        int digits = 3;
        while (digits < 9 && engine::showNumber(value, digits) == engine::showNumber(one.least, digits)) ++digits;
        console.err << "collscope: " << one.metric->name << " is " << engine::showNumber(value, digits)
                    << ", required >= " << engine::showNumber(one.least, digits) << '\n';
        result = checkFailed;
    }
    return result;
}

}  // namespace app::cli
