// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/options/costs.hpp"

#include "app/session/options/models.hpp"
#include "app/session/options/run_options.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app {
namespace {

using engine::Error;
using engine::Model;
using engine::text;
using fields::exactly;

constexpr std::string_view changed = "-changed";

/// The machine of resources/models with this name, or null.
const Model* known(std::string_view name) {
    for (const NamedModel& one : models())
        if (one.model.name == name) return &one.model;
    return nullptr;
}

/// The machine that `model` is, or from which flags lead to it; null where none does.
const Model* baseOf(const Model& model) {
    static const Model usual;
    const bool isChanged = model.name.ends_with(changed);
    const Model* base = model.name == usual.name ? &usual
                        : isChanged              ? known(model.name.substr(0, model.name.size() - changed.size()))
                                                 : known(model.name);
    if (base == nullptr) return nullptr;
    Model renamed = *base;
    renamed.name = model.name;
    if (model == *base) return base;
    // The name of a machine with other values is another name, but for the one that nobody has to name.
    if (!isChanged && base != &usual) return nullptr;
    if (isChanged && model == renamed) return nullptr;
    if (base->logGP && !model.logGP) return nullptr;
    // No flag takes back what an operation takes.
    for (const auto& [operation, rate] : base->gammaOf)
        if (!model.gammaOf.contains(operation)) return nullptr;
    if (model.logGP && (model.alpha != base->alpha || model.beta != base->beta)) return nullptr;
    return base;
}

}  // namespace

Model modelFromWord(const std::string& word) {
    if (word.starts_with('@') || word.find('=') == std::string::npos) return modelFromNameOrFile(word);
    std::string words = word;
    std::replace(words.begin(), words.end(), ':', ' ');
    try {
        return engine::modelFromText(words);
    } catch (const Error& error) {
        constexpr std::string_view where = "model";
        const std::string& said = error.words();
        if (!said.starts_with(where)) throw Error{engine::field::model, said};
        throw Error{text(engine::field::model, said.substr(where.size()))};
    }
}

CostWords costWords(const Specification& specification) {
    const Model& model = specification.run.model;
    CostWords words;
    const Model* base = baseOf(model);
    if (base == nullptr) {
        words.model = engine::toText(model);
        std::replace(words.model.begin(), words.model.end(), ' ', ':');
        return words;
    }
    const bool usual = base->name == Model{}.name;
    if (!usual || model.name != base->name || (specification.costsKnown && model == *base)) words.model = base->name;
    if (model.alpha != base->alpha) words.alpha = exactly(model.alpha);
    if (model.beta != base->beta) words.beta = exactly(model.beta);
    if (model.gamma != base->gamma) words.gamma = exactly(model.gamma);
    for (const auto& [operation, rate] : model.gammaOf) {
        const auto known = base->gammaOf.find(operation);
        if (known == base->gammaOf.end() || known->second != rate)
            words.gammaOf.push_back(text(engine::name(operation), '=', exactly(rate)));
    }
    if (model.logGP != base->logGP) words.logGP = exactly(*model.logGP);
    if (model.eagerLimit != base->eagerLimit) words.eager = model.eagerLimit ? exactly(*model.eagerLimit) : "all";
    return words;
}

void settleCosts(Specification& specification, const Asked& asked) {
    Model& model = specification.run.model;
    const engine::Field alpha = engine::field::alpha;
    const engine::Field beta = engine::field::beta;
    const engine::Field bandwidth = engine::field::bandwidth;
    if (asked.has(beta.key) && asked.has(bandwidth.key))
        throw Error{text(beta, " and ", bandwidth, " set the same value; give one of them")};
    if (model.logGP)
        for (const engine::Field given : {alpha, beta, bandwidth})
            if (asked.has(given.key))
                throw Error{text(given, " does not go with LogGP, which has L, o, g, G and O; set them with ",
                                 engine::field::logGP)};
    if (const auto word = asked.word("model"); word && model != modelFromWord(*word)) model.name += changed;
}

std::string modelWords(const engine::Model& model) {
    std::string gamma = engine::text(", gamma ", engine::showRate(model.gamma));
    for (const auto& [operation, rate] : model.gammaOf)
        gamma += engine::text(", ", engine::showRate(rate), " for ", engine::name(operation));
    std::string words =
        engine::text("alpha ", engine::showTime(model.alpha), ", beta ", engine::showRate(model.beta), gamma);
    if (const auto& logGP = model.logGP)
        words = engine::text("L ", engine::showTime(logGP->latency), ", o ", engine::showTime(logGP->overhead), ", g ",
                             engine::showTime(logGP->gap), ", G ", engine::showRate(logGP->gapPerByte), ", O ",
                             engine::showRate(logGP->overheadPerByte), gamma);
    if (model.eagerLimit) words += engine::text(", eager up to ", exactly(*model.eagerLimit));
    return model.name == engine::Model{}.name ? words : engine::text(model.name, ": ", words);
}

}  // namespace app
