// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/sweep_points.hpp"
#include "app/session/fields.hpp"

#include "app/session/variant.hpp"
#include "emulation/networks/placement.hpp"
#include "engine/text.hpp"

namespace app::cli {
namespace {

using engine::Algorithm;
using engine::Collective;
using engine::Error;
using engine::text;

constexpr std::size_t mostPoints = 1'000'000;

using Settings = std::map<std::string, std::string>;

/// An algorithm with the options that stand behind its id.
struct Chosen {
    const Algorithm* algorithm = nullptr;
    Settings own;
};

Chosen readChosen(const std::string& word) {
    Variant variant = readVariant(word, "sweep");
    return {&engine::algorithmNamed(variant.id), std::move(variant.options)};
}

const engine::Option* optionOf(const Algorithm& algorithm, const std::string& key) {
    for (const engine::Option& option : algorithm.options)
        if (option.name == key) return &option;
    return nullptr;
}

/// Every combination of the values of those settings that the algorithm knows.
std::vector<Settings> combinationsFor(const Chosen& chosen, const Settings& shared) {
    Settings known = chosen.own;
    for (const auto& setting : shared)
        if (optionOf(*chosen.algorithm, setting.first) != nullptr) known.insert(setting);
    for (const auto& [key, words] : chosen.own)
        if (optionOf(*chosen.algorithm, key) == nullptr)
            throw Error{text(chosen.algorithm->id, " has no option '", key, "'; collscope describe ",
                             chosen.algorithm->id, " lists them")};
    return combinations(*chosen.algorithm, known);
}

/// What is asked with one value for each field that lists several.
std::vector<Asked> models(const Asked& asked) {
    std::vector<Asked> all{asked};
    for (const fields::Entry& entry : fields::all()) {
        const auto words = asked.word(entry.key);
        if (!words || entry.several != fields::Several::list) continue;
        std::vector<Asked> more;
        for (const Asked& one : all)
            for (std::string& word : engine::split(*words, ',')) {
                more.push_back(one);
                more.back().drop(entry.key);
                more.back().add(entry.key, std::move(word));
            }
        all = std::move(more);
    }
    return all;
}

/// A flag that none of the algorithms can use is a mistake, not a coordinate.
void requireUsed(const Asked& asked, const std::vector<Chosen>& chosen, const Settings& shared) {
    const auto any = [&](auto&& uses) { return std::any_of(chosen.begin(), chosen.end(), uses); };
    for (const fields::Entry& entry : fields::all())
        if (entry.key != "size" && asked.has(entry.key) &&
            !any([&](const Chosen& one) { return entry.isOf(one.algorithm->collective); }))
            throw Error{text(entry.field(), " says nothing about ", chosen.front().algorithm->id)};
    for (const auto& [key, words] : shared)
        if (!any([&, &name = key](const Chosen& one) { return optionOf(*one.algorithm, name) != nullptr; }))
            throw Error{text("--set: no algorithm of this sweep has an option '", key, "'")};
}

std::string joined(const Settings& settings) {
    std::string words;
    for (const auto& [key, value] : settings) words += (words.empty() ? "" : " ") + key + "=" + value;
    return words;
}

std::vector<std::string> coordinatesOf(const RunWish& wish) {
    const ProblemWish& problem = wish.problem;
    const auto number = [](const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : ""; };
    std::string topology = toText(emulation::PlacedName{wish.network.topology, wish.network.placement});
    if (wish.network.neighboursOnly) topology += " neighbours-only";
    return {wish.algorithm,
            joined(wish.options),
            number(problem.ranks),
            number(problem.groupA),
            number(problem.groupB),
            std::to_string(problem.size),
            number(problem.sizeB),
            problem.sizes,
            std::to_string(problem.root),
            std::to_string(problem.ports),
            topology,
            toText(wish.model)};
}

}  // namespace

const std::vector<std::string>& coordinateNames() {
    static const std::vector<std::string> names{"algorithm", "options", "ranks", "group_a", "group_b",  "size",
                                                "size_b",    "sizes",   "root",  "ports",   "topology", "model"};
    return names;
}

std::vector<Point> readPoints(const Arguments& arguments, const std::vector<std::string>& ids) {
    std::vector<Chosen> chosen;
    for (const std::string& id : ids) chosen.push_back(readChosen(id));
    Asked asked = arguments.asked;
    Asked settingsAlone;
    for (std::string& words : asked.all("set")) settingsAlone.add("set", std::move(words));
    const Settings shared = problemOf(settingsAlone).options;
    asked.drop("set");
    requireUsed(asked, chosen, shared);
    std::vector<Point> points;
    for (const Chosen& one : chosen) {
        const std::vector<Settings> settings = combinationsFor(one, shared);
        for (const Asked& each : models(fitting(asked, one.algorithm->collective))) {
            Asked plain = each;  // the run without its ranges
            for (const fields::Entry& entry : fields::all())
                if (entry.several == fields::Several::range) plain.drop(entry.key);
            RunWish wish = specify(one.algorithm->id, plain).run;
            for (ProblemWish& problem : problemsOf(each, one.algorithm->collective)) {
                wish.problem = std::move(problem);
                for (const Settings& options : settings) {
                    if (points.size() == mostPoints)
                        throw Error{text("the ranges make more than ", mostPoints, " runs; choose smaller ones")};
                    wish.options = options;
                    points.push_back({wish, coordinatesOf(wish)});
                }
            }
        }
    }
    return points;
}

}  // namespace app::cli
