// SPDX-License-Identifier: BSD-3-Clause
#include "engine/cost/model.hpp"

#include "engine/base/bounded.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/problem/problem.hpp"

#include <limits>
#include <set>

namespace engine {
namespace {

/// "key=value" taken apart; an Error where it is not one.
std::pair<std::string, std::string> pairOf(const std::string& word, std::string_view what) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error{text(what, ": '", word, "' is not LETTER=VALUE; write for example L=5us,o=1us,g=2us,G=1ns/B")};
    return {word.substr(0, equals), word.substr(equals + 1)};
}

/// Sets the letter of LogGP that `name` is; whether it is one.
bool setLetter(LogGP& logGP, std::string_view name, std::string_view value, std::string_view what) {
    const std::string where = text(what, ": ", name);
    if (name == "L") logGP.latency = readTime(value, where);
    else if (name == "o") logGP.overhead = readTime(value, where);
    else if (name == "g") logGP.gap = readTime(value, where);
    else if (name == "G") logGP.gapPerByte = readRate(value, where);
    else if (name == "O") logGP.overheadPerByte = readRate(value, where);
    else return false;
    return true;
}

constexpr std::string_view ofOperation = "gamma-";

}  // namespace

Picoseconds Cost::under(const Model& model) const {
    const Picoseconds moving = model.beta * volume, combining = model.gamma * combined;
    const __int128 all = static_cast<__int128>(model.alpha.count()) * startups + moving.count() + combining.count();
    if (all >= endOfTime.count()) refuseTime();
    return Picoseconds{static_cast<std::int64_t>(all)};
}

__int128 Cost::weighed(const Model& model) const {
    return static_cast<__int128>(model.alpha.count()) * startups * 1000 +
           static_cast<__int128>(model.beta.femtosecondsPerByte) * volume +
           static_cast<__int128>(model.gamma.femtosecondsPerByte) * combined;
}

Model Model::combiningBy(Operation operation) const {
    Model model = *this;
    if (const auto found = gammaOf.find(operation); found != gammaOf.end()) model.gamma = found->second;
    return model;
}

void setGammaOf(Model& model, std::string_view words, std::string_view what) {
    const auto equals = words.find('=');
    if (equals == std::string_view::npos || equals == 0)
        throw Error{text(what, ": '", words, "' is not OPERATION=TIME/BYTE; write for example max=0.3ns/B")};
    const std::string_view operation = words.substr(0, equals);
    try {
        model.gammaOf[operationNamed(operation)] = readRate(words.substr(equals + 1), text(what, ' ', operation));
    } catch (const Error& error) {
        const std::string said = error.words();
        throw Error{said.starts_with("unknown") ? text(what, ": ", said) : said};
    }
}

LogGP readLogGP(std::string_view words, std::string_view what) {
    LogGP logGP;
    std::set<std::string> given;
    for (const std::string& word : split(words, ',')) {
        const auto [name, value] = pairOf(word, what);
        if (!given.insert(name).second) throw Error{text(what, ": ", name, " is given twice")};
        if (!setLetter(logGP, name, value, what))
            throw Error{text(what, ": unknown letter '", name, "'; LogGP has L, o, g, G and O")};
    }
    return logGP;
}

std::string toText(const Model& model) {
    std::string words = model.name == Model{}.name ? "" : text("name=", model.name, " ");
    words += text("alpha=", model.alpha.count(), "ps beta=", model.beta.femtosecondsPerByte,
                  "fs/B gamma=", model.gamma.femtosecondsPerByte, "fs/B");
    for (const auto& [operation, rate] : model.gammaOf)
        words += text(' ', ofOperation, engine::name(operation), '=', rate.femtosecondsPerByte, "fs/B");
    if (const auto& logGP = model.logGP)
        words += text(" L=", logGP->latency.count(), "ps o=", logGP->overhead.count(), "ps g=", logGP->gap.count(),
                      "ps G=", logGP->gapPerByte.femtosecondsPerByte,
                      "fs/B O=", logGP->overheadPerByte.femtosecondsPerByte, "fs/B");
    if (model.eagerLimit) words += text(" eager=", *model.eagerLimit, "B");
    return words;
}

Model asAlphaBeta(const Model& model) {
    if (!model.logGP) return model;
    Model plain = model;
    plain.logGP.reset();
    plain.alpha = later(model.logGP->latency, lasting(2, model.logGP->overhead));
    plain.beta =
        Rate{model.logGP->gapPerByte.femtosecondsPerByte + 2 * model.logGP->overheadPerByte.femtosecondsPerByte};
    return plain;
}

Model modelFromText(std::string_view words) {
    Model model;
    std::set<std::string> given;
    for (const std::string& word : split(words, ' ')) {
        const auto [name, value] = pairOf(word, "model");
        given.insert(name);
        LogGP logGP = model.logGP.value_or(LogGP{});
        if (name == "name") model.name = value;
        else if (name == "alpha") model.alpha = readTime(value, name);
        else if (name == "beta") model.beta = readRate(value, name);
        else if (name == "gamma") model.gamma = readRate(value, name);
        else if (name.starts_with(ofOperation))
            setGammaOf(model, text(name.substr(ofOperation.size()), '=', value), "model");
        else if (name == "eager") model.eagerLimit = readBytes(value, name);
        else if (setLetter(logGP, name, value, "model")) model.logGP = logGP;
        else throw Error{text("model: unknown parameter '", name, "'")};
    }
    for (const char* name : {"alpha", "beta", "gamma"})
        if (!given.contains(name))
            throw Error{text("model: ", name, " is missing; alpha, beta and gamma are all needed")};
    return model;
}

}  // namespace engine
