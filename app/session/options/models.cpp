// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/options/models.hpp"

#include "engine/base/error.hpp"
#include "engine/base/lines.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace app {
namespace {

using engine::Error;
using engine::text;

constexpr std::int64_t mostModel = std::int64_t{1} << 20;  // bytes of a file

/// Written by the build: {"bgp", "the text of the file"}, ...
constexpr std::pair<std::string_view, std::string_view> texts[] = {
#include "models.inc"
};

/// Keys and values; an Error where a line is none, or a key comes twice.
std::map<std::string, std::string> keysOf(std::string_view words, const std::string& where) {
    std::map<std::string, std::string> values;
    engine::eachLine(words, where, engine::Comments::wholeLines, [&](std::string_view line, std::int64_t) {
        const auto blank = line.find_first_of(" \t");
        if (blank == std::string_view::npos)
            throw Error{text("'", line, "' has no value; write for example alpha 1us")};
        const std::string key{line.substr(0, blank)};
        if (!values.emplace(key, engine::trimmed(line.substr(blank))).second) throw Error{text(key, " is given twice")};
    });
    return values;
}

const std::vector<std::string>& keys() {
    static const std::vector<std::string> all{"title", "source", "alpha", "beta", "bandwidth", "gamma",
                                              "eager", "L",      "o",     "g",    "G",         "O"};
    return all;
}

}  // namespace

NamedModel readModelText(std::string_view words, const std::string& name, const std::string& where) {
    NamedModel named;
    named.model.name = name;
    engine::Model& model = named.model;
    const auto values = keysOf(words, where);
    if (values.empty()) throw Error{text(where, ": the model is empty; write for example alpha 1us")};
    std::string letters;
    for (const auto& [key, value] : values) {
        const std::string what = text(where, ": ", key);
        if (key.starts_with("gamma-")) {
            engine::setGammaOf(model, text(key.substr(6), '=', value), what);
            continue;
        }
        if (std::find(keys().begin(), keys().end(), key) == keys().end()) {
            const std::string hint = engine::didYouMean(key, keys());
            throw Error{text(
                where, ": unknown parameter '", key, "'",
                hint.empty() ? "; alpha, beta, bandwidth, gamma, gamma-max, eager, L, o, g, G and O are some" : hint)};
        }
        if (key == "title") named.title = value;
        else if (key == "source") named.source = value;
        else if (key == "alpha") model.alpha = engine::readTime(value, what);
        else if (key == "beta") model.beta = engine::readRate(value, what);
        else if (key == "bandwidth") model.beta = engine::readBandwidth(value, what);
        else if (key == "gamma") model.gamma = engine::readRate(value, what);
        else if (key == "eager") model.eagerLimit = engine::readBytes(value, what);
        else letters += text(letters.empty() ? "" : ",", key, "=", value);
    }
    if (values.contains("beta") && values.contains("bandwidth"))
        throw Error{text(where, ": beta and bandwidth set the same value; give one of them")};
    if (letters.empty()) return named;
    for (const auto& [key, value] : values)
        if (key == "alpha" || key == "beta" || key == "bandwidth")
            throw Error{text(where, ": ", key, " does not go with the letters of LogGP")};
    model.logGP = engine::readLogGP(letters, where);
    return named;
}

std::span<const NamedModel> models() {
    static const std::vector<NamedModel> all = [] {
        std::vector<NamedModel> read;
        for (const auto& [name, words] : texts)
            read.push_back(readModelText(words, std::string{name}, text("resources/models/", name, ".model")));
        std::sort(read.begin(), read.end(),
                  [](const NamedModel& a, const NamedModel& b) { return a.model.name < b.model.name; });
        return read;
    }();
    return all;
}

const NamedModel& modelNamed(std::string_view name) {
    std::vector<std::string> names;
    for (const NamedModel& one : models()) {
        if (one.model.name == name) return one;
        names.push_back(one.model.name);
    }
    const std::string hint = engine::didYouMean(name, names);
    throw Error{
        text(engine::field::model, ": unknown model '", name, "'",
             hint.empty() ? text("; ", engine::listing::models, " lists them all, @FILE is one of your own") : hint)};
}

engine::Model modelFromNameOrFile(const std::string& word) {
    if (!word.starts_with('@')) return modelNamed(word).model;
    const std::filesystem::path path{word.substr(1)};
    const std::string words =
        engine::contentOf(path, mostModel, text(engine::field::model, ": cannot read '", path.string(), "'"));
    std::string name = path.stem().string();
    // Where a model is said in one line, blanks and colons part its values.
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == ':' || c == ','; }, '-');
    return readModelText(words, name, text(engine::field::model, " ", word)).model;
}

}  // namespace app
