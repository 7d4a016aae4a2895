// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/sweep/sweep_points.hpp"
#include "app/session/options/run_options.hpp"

#include "app/session/options/specification.hpp"
#include "app/session/options/variant.hpp"
#include "emulation/networks/rank_placement.hpp"
#include "engine/base/processors.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/native_collectives.hpp"
#include "engine/problem/sizes.hpp"

#include <set>

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

Chosen readChosen(const std::string& word, Native native) {
    Variant variant = readVariant(word, "sweep");
    const Algorithm& algorithm =
        native == Native::taken ? engine::live::methodNamed(variant.id) : engine::algorithmNamed(variant.id);
    return {&algorithm, std::move(variant.options)};
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

/// The values in a list; the name of a file may hold commas.
std::vector<std::string> listed(const std::string& words) {
    return words.starts_with('@') ? std::vector{words} : engine::split(words, ',');
}

/// What is asked, and the options that algorithms share.
struct Shared {
    Asked asked;
    Settings settings;
};

/// The values that a name in --together goes through: of a flag, by its name or letter, or of an option.
std::vector<std::string> valuesOf(const std::string& name, const Shared& shared, const std::vector<Chosen>& chosen) {
    std::vector<std::string> known;
    for (const fields::Entry& entry : fields::all()) {
        if (entry.several == fields::Several::no) continue;
        known.emplace_back(entry.key);
        if (name != entry.key && name != std::string(1, entry.letter)) continue;
        const auto words = shared.asked.word(entry.key);
        if (!words) throw Error{text("--together: give ", entry.field(), " too, with a value for each step")};
        if (entry.several == fields::Several::list) return listed(*words);
        std::vector<std::string> values;
        for (const std::int64_t number : readRange(*words, text(entry.field()), entry.number))
            values.push_back(std::to_string(number));
        return values;
    }
    const auto setting = shared.settings.find(name);
    if (setting == shared.settings.end()) {
        for (const auto& [key, words] : shared.settings) known.push_back(key);
        const std::string hint = engine::didYouMean(name, known);
        throw Error{text("--together: '", name, "' is no range of this sweep",
                         hint.empty() ? "; name flags or options of --set, such as p,q" : hint)};
    }
    for (const Chosen& one : chosen) {
        if (optionOf(*one.algorithm, name) == nullptr) continue;
        std::vector<std::string> values;
        for (Settings& each : combinations(*one.algorithm, {{name, setting->second}}))
            values.push_back(std::move(each[name]));
        return values;
    }
    throw Error{text("--set: no algorithm of this sweep has an option '", name, "'")};
}

/// `shared` once for each step of the ranges named in `list`, with the values of that step.
std::vector<Shared> inStep(const std::string& list, const Shared& shared, const std::vector<Chosen>& chosen) {
    std::vector<Shared> steps;
    std::string first;
    for (const std::string& name : engine::split(list, ',')) {
        const std::vector<std::string> values = valuesOf(name, shared, chosen);
        if (steps.empty()) steps.assign(values.size(), shared);
        if (values.size() != steps.size())
            throw Error{text("--together: ", first, " has ", steps.size(), " values, ", name, " has ", values.size(),
                             "; ranges that go in step are of one length")};
        if (first.empty()) first = name;
        const auto entry = std::find_if(fields::all().begin(), fields::all().end(), [&](const fields::Entry& one) {
            return name == one.key || name == std::string(1, one.letter);
        });
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (entry == fields::all().end()) {
                steps[i].settings[name] = values[i];
            } else {
                steps[i].asked.drop(entry->key);
                steps[i].asked.add(entry->key, values[i]);
            }
        }
    }
    return steps;
}

std::vector<Shared> inSteps(const std::vector<std::string>& lists, Shared shared, const std::vector<Chosen>& chosen) {
    std::vector<Shared> all{std::move(shared)};
    for (const std::string& list : lists) {
        std::vector<Shared> more;
        for (const Shared& one : all)
            for (Shared& step : inStep(list, one, chosen)) more.push_back(std::move(step));
        all = std::move(more);
    }
    return all;
}

/// What is asked with one value for each field that lists several.
std::vector<Asked> models(const Asked& asked) {
    std::vector<Asked> all{asked};
    for (const fields::Entry& entry : fields::all()) {
        const auto words = asked.word(entry.key);
        if (!words || entry.several != fields::Several::list) continue;
        std::vector<Asked> more;
        for (const Asked& one : all)
            for (std::string& word : listed(*words)) {
                // A mistake, where all other points would only be refused.
                if (entry.key == "sizes" && !word.starts_with('@')) engine::distributionNamed(word);
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
            throw Error{
                text(entry.field(), " does not apply to ", chosen.front().algorithm->id,
                     entry.key == "sizes" ? text("; ", engine::field::size, " sets the bytes of each rank") : "")};
    for (const auto& [key, words] : shared)
        if (!any([&, &name = key](const Chosen& one) { return optionOf(*one.algorithm, name) != nullptr; }))
            throw Error{text("--set: no algorithm of this sweep has an option '", key, "'")};
}

/// All that was asked of the run and is no other coordinate, as flags: "--op max --arrival random:1ms,7 --repeat 9".
std::string conditionsOf(const RunWish& wish, const std::optional<engine::splitphase::Settings>& split,
                         const std::optional<std::string>& repeats) {
    RunWish rest = wish;
    rest.options.clear();
    rest.network = {};
    rest.model = {};
    rest.problem = {.operation = wish.problem.operation, .element = wish.problem.element};
    std::string words =
        lineOf({.run = std::move(rest), .split = split}, {"size"}).substr(shellWord(wish.algorithm).size());
    if (repeats && *repeats != "1") words += " --repeat " + *repeats;
    return words.empty() ? words : words.substr(1);
}

std::vector<std::string> coordinatesOf(const RunWish& wish, const std::optional<engine::splitphase::Settings>& split,
                                       const std::optional<std::string>& repeats) {
    const ProblemWish& problem = wish.problem;
    const auto number = [](const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : ""; };
    std::string topology = toText(emulation::PlacedName{wish.network.topology, wish.network.placement});
    if (wish.network.neighboursOnly) topology += " neighbours-only";
    return {wish.algorithm,
            engine::toText(wish.options),
            number(problem.ranks),
            number(problem.groupA),
            number(problem.groupB),
            std::to_string(problem.size),
            number(problem.sizeB),
            problem.sizes,
            std::to_string(problem.root),
            std::to_string(problem.ports),
            topology,
            toText(wish.model),
            conditionsOf(wish, split, repeats)};
}

/// The points of one algorithm.
void addPoints(std::vector<Point>& points, const Chosen& one, const Shared& shared,
               const std::optional<std::string>& repeats, std::string& leftOut) {
    const std::vector<Settings> settings = combinationsFor(one, shared.settings);
    for (const Asked& each : models(fitting(shared.asked, one.algorithm->collective))) {
        Asked plain = each;  // the run without its ranges
        for (const fields::Entry& entry : fields::all())
            if (entry.several == fields::Several::range) plain.drop(entry.key);
        const bool native = engine::live::nativeNamed(one.algorithm->id) != nullptr;
        // Options of virtual time are set for all points; they are left out later of those that are only measured.
        Specification specification = native ? Specification{} : specify(one.algorithm->id, plain);
        RunWish& wish = specification.run;
        if (native) {
            wish.algorithm = one.algorithm->id;
            take(specification, plain);
        }
        std::string impossible;
        std::vector<ProblemWish> problems =
            problemsOf(completed(each, *one.algorithm), one.algorithm->collective, &impossible);
        if (leftOut.empty()) leftOut = std::move(impossible);
        for (ProblemWish& problem : problems) {
            wish.problem = std::move(problem);
            for (const Settings& options : settings) {
                if (points.size() == mostPoints)
                    throw Error{text("the ranges make more than ", mostPoints, " runs; choose smaller ones")};
                wish.options = options;
                points.push_back({wish, specification.split, coordinatesOf(wish, specification.split, repeats)});
            }
        }
    }
}

}  // namespace

const std::vector<std::string>& coordinateNames() {
    static const std::vector<std::string> names{"algorithm", "options", "ranks",     "group_a", "group_b",
                                                "size",      "size_b",  "sizes",     "root",    "ports",
                                                "topology",  "model",   "conditions"};
    return names;
}

std::vector<Point> readPoints(const Arguments& arguments, const std::vector<std::string>& ids, Native native,
                              std::string* leftOut) {
    std::string impossible;
    std::vector<Chosen> chosen;
    for (const std::string& id : ids) chosen.push_back(readChosen(id, native));
    Asked asked = arguments.asked;
    Asked settingsAlone;
    for (std::string& words : asked.all("set")) settingsAlone.add("set", std::move(words));
    const Settings shared = problemOf(settingsAlone).options;
    asked.drop("set");
    requireUsed(asked, chosen, shared);
    const std::vector<Shared> steps = inSteps(arguments.together, {asked, shared}, chosen);
    std::vector<Point> points;
    for (const Chosen& one : chosen)
        for (const Shared& step : steps) addPoints(points, one, step, arguments.repeats, impossible);
    // Steps differ in nothing for an algorithm that knows none of their ranges.
    if (!arguments.together.empty()) {
        std::set<std::vector<std::string>> seen;
        std::erase_if(points, [&](const Point& point) { return !seen.insert(point.coordinates).second; });
    }
    if (leftOut != nullptr) *leftOut = std::move(impossible);
    return points;
}

int repeatsOf(const Arguments& arguments, const std::vector<Point>& points) {
    if (!arguments.repeats) return 1;
    const auto repeats = engine::readInteger(*arguments.repeats, "--repeat", 1, 10'000);
    for (const Point& point : points)
        if (repeats > 1 && point.wish.perturbation.arrival.pattern != emulation::Arrival::Pattern::random)
            throw Error{"--repeat: in virtual time every run is the same; add --arrival random:1ms, which has seeds"};
    return static_cast<int>(repeats);
}

int threadsOf(const Arguments& arguments) {
    if (arguments.threads) return static_cast<int>(engine::readInteger(*arguments.threads, "--threads", 1, 1024));
    return engine::processors();
}

}  // namespace app::cli
