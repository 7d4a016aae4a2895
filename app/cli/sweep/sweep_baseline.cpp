// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/sweep/sweep_baseline.hpp"

#include "app/cli/output/text_layout.hpp"
#include "app/session/options/variant.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/native_collectives.hpp"

#include <algorithm>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

bool isOption(const std::string& name) {
    return std::find(coordinateNames().begin(), coordinateNames().end(), name) == coordinateNames().end();
}

/// Numbers of runs in two halves stand apart from the other conditions.
void addConditions(const std::string& conditions, std::vector<Named>& numbers, std::vector<Named>& words) {
    const std::vector<std::string> parts = engine::split(conditions, ' ');
    std::string rest;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool number = parts[i] == "--compute" || parts[i] == "--tests";
        if (number && i + 1 < parts.size()) {
            numbers.emplace_back(parts[i].substr(2), parts[i + 1]);
            ++i;
        } else {
            rest += (rest.empty() ? "" : " ") + parts[i];
        }
    }
    words.emplace_back("conditions", rest);
}

}  // namespace

std::vector<Named> named(const SweepRow& row) {
    std::vector<Named> all;
    std::vector<Named> words;
    for (std::size_t i = 0; i < row.coordinates.size(); ++i) {
        const std::string& name = coordinateNames()[i];
        const bool number = name == "ranks" || name.starts_with("group_") || name == "size" || name == "size_b" ||
                            name == "root" || name == "ports";
        if (name == "conditions") addConditions(row.coordinates[i], all, words);
        else if (name != "options") (number ? all : words).emplace_back(name, row.coordinates[i]);
    }
    for (const std::string& option : engine::split(row.coordinates[1], ' ')) {
        const auto equals = option.find('=');
        if (equals != std::string::npos) all.emplace_back(option.substr(0, equals), option.substr(equals + 1));
    }
    all.insert(all.end(), words.begin(), words.end());
    return all;
}

std::string valueOf(const std::vector<Named>& coordinates, const std::string& name) {
    for (const Named& one : coordinates)
        if (one.first == name) return one.second;
    return {};
}

std::string coordinateOf(const std::string& name) {
    return name == "n" ? "ranks" : name == "p" ? "group_a" : name == "q" ? "group_b" : name;
}

std::optional<double> numberIn(const std::string& words) {
    if (const auto number = numberFrom<std::int64_t>(words)) return static_cast<double>(*number);
    if (words.empty() || words.front() < '0' || words.front() > '9') return std::nullopt;
    try {
        return static_cast<double>(engine::readBytes(words, "a size"));
    } catch (const Error&) {
    }
    try {
        return engine::seconds(engine::readTime(words, "a time"));
    } catch (const Error&) {
        return std::nullopt;
    }
}

Baseline::Baseline(const std::string& words, const std::vector<std::vector<Named>>& rows) : words_{words} {
    if (words.empty()) return;
    const bool options = words.substr(0, words.find(':')).find('=') != std::string::npos;
    const Variant variant = readVariant(options ? ':' + words : words, "--baseline");
    if (!options) wanted_["algorithm"] = engine::live::methodNamed(variant.id).id;
    anyOptions_ = !options;
    for (const auto& [name, value] : variant.options) wanted_[coordinateOf(name)] = value;
    std::set<std::string> known;
    for (const auto& row : rows)
        for (const Named& one : row) known.insert(one.first);
    for (const auto& [name, value] : wanted_)
        if (!known.contains(name)) {
            const std::string hint = engine::didYouMean(name, {known.begin(), known.end()});
            throw Error{text("--baseline: the runs have no '", name, "'",
                             hint.empty() ? "; give ID or KEY=VALUE such as groups=1" : hint)};
        }
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (matches(rows[i])) members_.emplace(i, restOf(rows[i]));
    if (members_.empty()) throw Error{text("--baseline: no run of this sweep is ", words)};
}

std::optional<std::size_t> Baseline::of(const std::vector<Named>& row) const {
    const std::vector<Named> rest = restOf(row);
    std::optional<std::size_t> found;
    for (const auto& [member, its] : members_) {
        if (its != rest) continue;
        if (found)
            throw Error{text("--baseline: ", words_, " is several runs for one of ", valueOf(row, "algorithm"),
                             "; be more specific, such as ID:KEY=VALUE")};
        found = member;
    }
    return found;
}

bool Baseline::matches(const std::vector<Named>& row) const {
    return std::all_of(wanted_.begin(), wanted_.end(), [&](const auto& one) {
        const std::string value = valueOf(row, one.first);
        return value == one.second || (numberIn(value) && numberIn(value) == numberIn(one.second));
    });
}

/// What of a row is the same in the run that it is held to.
std::vector<Named> Baseline::restOf(const std::vector<Named>& row) const {
    std::vector<Named> rest;
    for (const Named& one : row)
        if (!wanted_.contains(one.first) && !(anyOptions_ && isOption(one.first))) rest.push_back(one);
    return rest;
}

}  // namespace app::cli
