// SPDX-License-Identifier: BSD-3-Clause
#include "engine/algorithm/options.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <utility>

namespace engine {
namespace {

constexpr std::string_view pieces = "pieces";  // an option of all schedules as data

/// Throws Error unless `value` is one the option declares.
void check(std::string_view where, const Option& option, const std::string& value) {
    const auto& choices = option.choices;
    if (std::find(choices.begin(), choices.end(), value) != choices.end()) return;
    const std::string what = text(where, ": ", Field{option.name, Field::Named::option});
    switch (option.kind) {
        case Option::Kind::integer: readInteger(value, what, option.low, option.high); return;
        case Option::Kind::bytes:
            if (const Bytes bytes = readBytes(value, what); bytes < option.low)
                throw Error{text(what, ": ", value, " is too small; it must be at least ", option.low, " bytes")};
            return;
        case Option::Kind::text: return;
        case Option::Kind::choice: break;
    }
    throw Error{text(what, " cannot be '", value, "'; it is one of ", joined(choices, ", "))};
}

}  // namespace

Options::Options(std::string_view where, const std::vector<Option>& declared,
                 const std::map<std::string, std::string>& given, Surroundings around)
    : around_{std::move(around)} {
    std::vector<std::string> names;
    for (const Option& option : declared) {
        names.push_back(option.name);
        const auto set = given.find(option.name);
        const std::string& value = set == given.end() ? option.fallback : set->second;
        if (set != given.end()) check(where, option, value);
        if (value != option.fallback) given_[option.name] = value;
        values_.emplace_back(option.name, value);
    }
    for (const auto& [name, value] : given) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        const std::string hint = didYouMean(name, names);
        throw Error{text(where, " has no option '", name, "'",
                         !hint.empty()    ? hint
                         : name == pieces ? "; only schedules that are read from a file have it"
                         : names.empty()  ? "; it has none"
                                          : "; it has " + joined(names, ", "))};
    }
}

const std::string& Options::word(std::string_view name) const {
    const auto found =
        std::find_if(values_.begin(), values_.end(), [&](const auto& entry) { return entry.first == name; });
    ENSURE(found != values_.end(), text("option ", name, " was not declared"));
    return found->second;
}

std::int64_t Options::number(std::string_view name) const { return readBytes(word(name), name); }

std::string toText(const std::map<std::string, std::string>& given) {
    std::vector<std::string> words;
    for (const auto& [name, value] : given) words.push_back(text(name, '=', value));
    return joined(words, " ");
}

std::string toText(const Choices& choices) {
    std::string words;
    for (const Choice& one : choices) words += text(words.empty() ? "" : ", ", one.option, '=', one.value);
    return words;
}

}  // namespace engine
