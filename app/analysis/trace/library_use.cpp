// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/trace/library_use.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/schedule/posting_order.hpp"
#include "app/analysis/schedule/schedule_conformance.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace app::analysis {
namespace {

using engine::text;

constexpr const char* otherSizes = "the same messages, blocks are cut in another way";

/// Whether each message that is missing is there with almost its size, or each pair of ranks exchanges as many bytes in
/// as many messages.
bool differInSizesAlone(const std::vector<DifferenceRow>& rows, std::int32_t ranks) {
    std::map<std::pair<engine::Rank, engine::Rank>, std::array<std::vector<engine::Bytes>, 2>> sizes;
    for (const DifferenceRow& row : rows)
        if (row.what != Difference::late)
            sizes[{row.from, row.to}].at(row.what == Difference::missing ? 0 : 1).push_back(row.bytes);
    return std::ranges::all_of(sizes, [&](auto& pair) {
        auto& [missing, extra] = pair.second;
        std::ranges::sort(missing);
        std::ranges::sort(extra);
        const auto sumOf = [](const std::vector<engine::Bytes>& all) {
            return std::accumulate(all.begin(), all.end(), engine::Bytes{0});
        };
        if (missing.size() == extra.size() && std::abs(sumOf(missing) - sumOf(extra)) <= ranks) return true;
        return std::ranges::equal(
            missing, extra, [&](engine::Bytes one, engine::Bytes other) { return isAlmostAsLarge(one, other, ranks); });
    });
}

/// "3 messages missing, 3 extra".
std::string differenceWords(TraceAnalysis& analysis, std::size_t i, const engine::Plan* plan) {
    const IdentifiedPtr known = analysis.identified(i);
    if (!analysis.instances()[i].hasMessages || known->confidence() >= 1) return {};
    const auto words = [](std::int64_t missing, std::int64_t extra) {
        if (missing + extra == 0) return std::string{"the same messages in another order"};
        return text(counted(missing, "message"), " missing, ", extra, " extra");
    };
    if (known->sequence && known->sequence->isExact) return known->sequence->hasOtherSizes ? otherSizes : "";
    if (known->sequence) return words(known->sequence->missing, known->sequence->extra);
    if (plan == nullptr)
        return known->lookedAt && known->problem
                   ? "fewer than half of the messages match any algorithm of the catalogue"
                   : text(notCompared, ": ", known->whyNoProblem);
    analysis.loadMessages({i});
    std::int64_t missing = 0, extra = 0;
    const std::vector<DifferenceRow> rows =
        differences(*analysis.instances()[i].run, *plan->schedule, {}, {.stop = analysis.progress().stop});
    for (const DifferenceRow& row : rows) {
        missing += row.what == Difference::missing ? 1 : 0;
        extra += row.what == Difference::extra ? 1 : 0;
    }
    if (missing > 0 && differInSizesAlone(rows, plan->schedule->facts().ranks)) return otherSizes;
    return words(missing, extra);
}

struct Asked {
    std::string words;
    std::string why;
};

bool isKnownAs(const engine::Plan& plan, const engine::KnownAs& known) {
    return std::ranges::any_of(plan.algorithm->knownAs, [&](const engine::KnownAs& one) {
        return one.library == known.library && one.call == known.call && one.name == known.name;
    });
}

std::optional<engine::KnownAs> namedIn(const LibrarySetting& setting, const Instance& instance) {
    if (std::optional<engine::KnownAs> ran = ranAs(instance.ofLibrary, instance.operation)) return ran;
    if (const auto wanted = askedFor(setting, instance); wanted && wanted->namesAlgorithm()) return wanted->known;
    return std::nullopt;
}

/// The algorithm that the library names, else the requested one, where none matches exactly; else the best match.
const engine::Plan* likestNamed(const LibrarySetting& setting, const Instance& instance, const Identified& known) {
    const std::optional<engine::KnownAs> named = namedIn(setting, instance);
    if (named && known.confidence() < 1)
        for (const Recognition& one : known.found)
            if (isKnownAs(one.plan, *named)) return &one.plan;
    return known.likeliest();
}

/// ": ring needs at least one element for each rank"; empty where the reason is not known.
std::string whyWords(const AskedFor& wanted, const engine::KnownAs& ran, const Instance& instance) {
    constexpr std::string_view it = "it ";
    const std::string why = whyInstead(wanted, ran, instance.rankCount());
    if (why.empty()) return {};
    if (!why.starts_with(it)) return ": " + why;
    return text(": ", wanted.known.name, ' ', std::string_view{why}.substr(it.size()));
}

Asked asked(const LibrarySetting& setting, const Instance& instance, const Identified& known) {
    const std::optional<AskedFor> wanted = askedFor(setting, instance);
    if (!wanted) return {};
    const std::string words = wanted->known.name.empty() || wanted->known.number < 0
                                  ? wanted->parameter
                                  : text(wanted->parameter, " (", wanted->known.name, ')');
    if (!wanted->namesAlgorithm()) return {words, {}};
    if (const auto ran = ranAs(instance.ofLibrary, instance.operation)) {
        if (ran->number == wanted->known.number) return {words, {}};
        return {words, text(ran->name, " ran", whyWords(*wanted, *ran, instance))};
    }
    if (!instance.component.empty() && instance.component != "tuned")
        return {words, text("component ", instance.component, " ran, to which the parameter does not apply")};
    // Where the library names nothing, the messages show what ran.
    const engine::Plan* const plan = likestNamed(setting, instance, known);
    if (plan == nullptr || known.confidence() < 1 || wanted->known.number >= 0 || isComposed(wanted->known))
        return {words, {}};
    // Two ranks have one way to exchange.
    if (isKnownAs(*plan, wanted->known) || instance.rankCount() <= 2) return {words, {}};
    return {words, text(plan->algorithm->id, " ran", whyWords(*wanted, {}, instance))};
}

/// What the library ran by its own name, behind another component than tuned, else the component alone; empty where
/// neither was recorded.
std::string executedIn(const Instance& instance) {
    const bool isBase = instance.component.empty() || instance.component == "tuned";
    if (!instance.ofLibrary.empty())
        return isBase ? instance.ofLibrary : text(instance.component, ": ", instance.ofLibrary);
    return instance.component.empty() ? "" : text("(component ", instance.component, ')');
}

}  // namespace

std::string inWords(const LibraryUse& use, const Instance& instance) {
    std::string words = use.executed.empty()
                            ? ""
                            : text("the library ran ", instance.ofLibrary.empty() ? use.executed : instance.ofLibrary);
    if (!instance.ofLibrary.empty() && !instance.component.empty())
        words += text(" (component ", instance.component, ')');
    const std::string messages = words.empty() ? "its messages" : ", whose messages";
    if (use.plans.empty()) return words + (use.differs.empty() ? "" : text(words.empty() ? "" : "; ", use.differs));
    if (use.differs.empty()) return text(words, messages, " are those of ", use.catalogue);
    return text(words, messages, " are closest to those of ", use.catalogue, " (", use.differs, ')');
}

namespace {

engine::Picoseconds timeUnder(TraceAnalysis& analysis, std::size_t instance, const emulation::Conditions& conditions,
                              const engine::Plan& plan) {
    const bool whole = analysis.instances()[instance].rankCount() == analysis.trace().report.run->ranks;
    return emulatedTime(plan, conditions, whole ? analysis.topology() : "", {.stop = analysis.progress().stop});
}

bool isTooLong(const engine::Plan& plan) {
    return plan.schedule->facts().rounds * plan.schedule->facts().ranks > 10 * triedTurns;
}

}  // namespace

std::optional<engine::Picoseconds> emulatedAgain(TraceAnalysis& analysis, std::size_t instance,
                                                 std::span<const engine::Plan> plans) {
    const std::optional<emulation::Conditions> conditions = analysis.conditions();
    if (plans.empty() || !conditions || std::ranges::any_of(plans, isTooLong)) return std::nullopt;
    engine::Picoseconds time{};
    for (const engine::Plan& plan : plans) time += timeUnder(analysis, instance, *conditions, plan);
    return time;
}

std::optional<Faster> fasterThan(TraceAnalysis& analysis, std::size_t instance, const LibraryUse& use) {
    const AlgorithmRanking* const others = analysis.whatIf(instance);
    const std::optional<emulation::Conditions> conditions = analysis.conditions();
    const bool isLong = std::ranges::any_of(use.plans, [](const engine::Plan* plan) { return isTooLong(*plan); });
    if (others == nullptr || others->ranked.empty() || !conditions || use.plans.empty() || isLong) return std::nullopt;
    const Alternative& best = others->ranked.front();
    const auto factorUnder = [&](const engine::Model& model) {
        emulation::Conditions under = *conditions;
        under.model = model;
        engine::Picoseconds own{};  // one after the other
        for (const engine::Plan* const plan : use.plans) own += timeUnder(analysis, instance, under, *plan);
        return ratio(own, std::max(timeUnder(analysis, instance, under, best.plan), engine::Picoseconds{1}));
    };
    const double factor = factorUnder(conditions->model);
    Faster faster{&best, factor, factor, factor};
    if (!analysis.modelOrigin().ends_with("fitted") || !analysis.fit()) return faster;
    // The factor depends on alpha / beta alone, whose extremes are these.
    const Fit& fit = *analysis.fit();
    for (const bool startupsAreLow : {true, false}) {
        engine::Model model = conditions->model;
        if (!analysis.wish().alpha) model.alpha = startupsAreLow ? fit.alphaLow : fit.alphaHigh;
        if (!analysis.wish().beta) model.beta = startupsAreLow ? fit.betaHigh : fit.betaLow;
        const double at = factorUnder(model);
        faster.low = std::min(faster.low, at), faster.high = std::max(faster.high, at);
    }
    return faster;
}

std::string factorWords(const Faster& faster) {
    const auto shown = [](double number) { return engine::showNumber(number, 3); };
    if (faster.low == faster.high) return shown(faster.factor);
    return text(shown(faster.factor), " (", shown(faster.low), " to ", shown(faster.high), ')');
}

void putNamedFirst(std::vector<Recognition>& found, const LibrarySetting& setting, const Instance& instance) {
    const std::optional<engine::KnownAs> named = namedIn(setting, instance);
    const auto end =
        std::ranges::find_if(found, [&](const Recognition& one) { return one.confidence < found.front().confidence; });
    const auto firstOf = [&](auto isWanted) {
        return std::find_if(found.begin(), end, [&](const Recognition& one) { return isWanted(one.plan); });
    };
    auto first = named ? firstOf([&](const engine::Plan& plan) { return isKnownAs(plan, *named); }) : end;
    if (first == end)
        first = firstOf([&](const engine::Plan& plan) {
            return std::ranges::any_of(plan.algorithm->knownAs, [&](const engine::KnownAs& one) {
                return setting.version.starts_with(one.library);
            });
        });
    if (first != end) std::rotate(found.begin(), first, std::next(first));
}

LibraryUse usedIn(TraceAnalysis& analysis, std::size_t instance, const LibrarySetting& setting) {
    const Instance& its = analysis.instances()[instance];
    const IdentifiedPtr known = analysis.identified(instance);
    const engine::Plan* const plan = likestNamed(setting, its, *known);
    const Asked wanted = asked(setting, its, *known);
    LibraryUse use{.executed = executedIn(its),
                   .differs = differenceWords(analysis, instance, plan),
                   .asked = wanted.words,
                   .instead = wanted.why};
    if (known->sequence) {
        use.plans = {&known->sequence->first, &known->sequence->second};
        use.catalogue = text(wordsOf(known->sequence->first), ", then ", wordsOf(known->sequence->second));
    } else if (plan != nullptr) {
        use.plans = {plan};
        use.catalogue = wordsOf(*plan);
    }
    return use;
}

std::optional<LibraryUse> usedInUnmatched(TraceAnalysis& analysis, std::size_t instance) {
    const Instance& its = analysis.instances()[instance];
    if (!its.isNative || !its.hasMessages || analysis.identified(instance)->confidence() >= 1) return std::nullopt;
    return usedIn(analysis, instance, librarySettingOf(*analysis.trace().recording));
}

}  // namespace app::analysis
