// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/algorithm_choices.hpp"

#include "app/session/replay/rule_words.hpp"
#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <set>

namespace app {

using engine::Error;
using engine::text;

namespace {

constexpr std::string_view theBest = "best";
constexpr engine::Field with{"with"};
constexpr engine::live::Extent anyBytes{};
constexpr std::int64_t mostRules = std::int64_t{1} << 20;  // bytes of a file

/// What collectives are called: operations of MPI, and the catalogue's own names.
std::vector<std::string> collectiveNames() {
    std::set<std::string> names;
    for (const engine::Algorithm* algorithm : engine::catalogue()) names.emplace(name(algorithm->collective));
    for (auto operation = static_cast<int>(traces::Operation::barrier);
         operation <= static_cast<int>(traces::Operation::reduceScatterBlock); ++operation)
        names.emplace(nameOf(static_cast<traces::Operation>(operation)));
    return {names.begin(), names.end()};
}

/// What PyTorch calls an operation, "all_reduce", by its name in the catalogue; any other name as it is.
std::string withoutTorchName(const std::string& words) {
    for (auto operation = static_cast<int>(traces::Operation::barrier);
         operation <= static_cast<int>(traces::Operation::reduceScatterBlock); ++operation)
        if (traces::torchName(static_cast<traces::Operation>(operation)) == words)
            return std::string{nameOf(static_cast<traces::Operation>(operation))};
    return words;
}

/// Whether algorithms for `collective` may stand for what `called` names, within one group or between two.
bool isSolvedBy(const std::string& called, engine::Collective collective) {
    if (name(collective) == called) return true;
    const auto call = calledNamed(called);
    return call &&
           (engine::live::isSolvedBy(*call, collective, false) || engine::live::isSolvedBy(*call, collective, true));
}

/// Names what may be meant in place of an algorithm that solves something else.
void requireSolves(const engine::Algorithm& algorithm, const std::string& called) {
    if (isSolvedBy(called, algorithm.collective)) return;
    const std::vector<std::string> fitting = algorithmsFor(called);
    std::string hint = engine::didYouMean(algorithm.id.substr(algorithm.id.find('/') + 1), fitting);
    if (hint.empty() && !fitting.empty()) hint = text("; ", fitting.front(), " does");
    throw Error{text(with, ": ", algorithm.id, " does not solve ", called, hint)};
}

bool isCalled(const analysis::RecordedCollective& one, std::string_view collective) {
    return one.operation == collective || (one.problem && name(one.problem->collective) == collective);
}

}  // namespace

std::vector<std::string> algorithmsFor(const std::string& called) {
    std::vector<std::string> ids;
    for (const engine::Algorithm* algorithm : engine::catalogue())
        if (isSolvedBy(called, algorithm->collective)) ids.push_back(algorithm->id);
    return ids;
}

SaidAlgorithms::SaidAlgorithms(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        if (word.starts_with('@')) {
            readRules(word.substr(1));
            continue;
        }
        Said said = read(word);
        if (std::ranges::any_of(said_, [&](const Said& other) { return said.isLikewiseAbout(other); }))
            throw Error{text(with, ": ", word.substr(0, word.find('=')), " is given twice")};
        said_.push_back(std::move(said));
    }
    std::ranges::stable_sort(said_, {}, &Said::precedence);
}

SaidAlgorithms::Said SaidAlgorithms::read(const std::string& word) {
    Said said;
    if (word == theBest) return said;
    const auto equals = word.find('=');
    if (equals == std::string::npos)
        throw Error{text(with, ": '", word, "' is not COLLECTIVE=ID; write for example ",
                         "allreduce=allreduce/ring:segments=4, allreduce=best, or best")};
    std::string about = said.words = word.substr(0, equals);
    if (const auto colon = about.rfind(':'); colon != std::string::npos) {
        try {
            said.bytes = engine::live::bytesFromText(about.substr(colon + 1));
        } catch (const Error& error) {
            throw Error{text(with, ": '", word, "': ", error.words(), "; write bytes such as 8, ..64KiB or 64KiB..")};
        }
        about.resize(colon);
    }
    const auto at = about.find('@');
    if (at != std::string::npos) said.communicator = about.substr(at + 1);
    const std::vector<std::string> known = collectiveNames();
    const std::string called = about.substr(0, at);
    said.collective = called;
    std::ranges::replace(said.collective, '_', '-');  // MPI's spelling: reduce_scatter
    if (std::ranges::find(known, said.collective) == known.end()) said.collective = withoutTorchName(called);
    if (std::ranges::find(known, said.collective) == known.end()) {
        const std::string hint = engine::didYouMean(said.collective, known);
        throw Error{text(with, ": unknown collective '", said.collective, "'",
                         hint.empty() ? text("; choose one of ", engine::joined(known, ", ")) : hint)};
    }
    if (at != std::string::npos && said.communicator.empty())
        throw Error{text(with, ": '", word, "' names no communicator behind @")};
    const std::string way = word.substr(equals + 1);
    if (way == theBest) return said;
    said.variant = readVariant(way, text(with));
    // The collective is known: its own algorithm of this name comes before others of the same name.
    const std::vector<std::string> fitting = algorithmsFor(said.collective);
    if (const auto meant = std::ranges::find_if(
            fitting, [&](const std::string& id) { return id.substr(id.find('/') + 1) == said.variant.id; });
        meant != fitting.end())
        throw Error{text(with, ": unknown algorithm '", said.variant.id, "'; did you mean ", *meant, "?")};
    try {
        requireSolves(engine::algorithmNamed(said.variant.id), said.collective);
    } catch (const Error& error) {
        throw Error{with, error.words()};
    }
    return said;
}

void SaidAlgorithms::readRules(const std::string& file) {
    const std::string words = engine::contentOf(file, mostRules, text(with, ": cannot read '", file, "'"));
    for (engine::live::Rule& rule : engine::live::rulesFromText(words, file)) {
        Variant variant{rule.algorithm != nullptr ? rule.algorithm->id : "", rule.options};
        said_.push_back({.words = {},
                         .collective = {},
                         .communicator = {},
                         .rule = std::move(rule),
                         .variant = std::move(variant)});
    }
}

int SaidAlgorithms::Said::precedence() const {
    const int says = (collective.empty() ? 0 : 1) + (communicator.empty() ? 0 : 1) + (bytes == anyBytes ? 0 : 1);
    return rule ? 0 : says > 0 ? -says : 1;
}

bool SaidAlgorithms::Said::fits(const analysis::RecordedCollective& one) const {
    if (rule) return app::fits(*rule, one);
    if (!collective.empty() && !isCalled(one, collective)) return false;
    if (!communicator.empty() && one.communicator != communicator) return false;
    return bytes == anyBytes || (one.problem && bytes.has(bytesInRules(*one.problem)));
}

void SaidAlgorithms::requireAbout(const std::vector<analysis::RecordedCollective>& all) const {
    if (all.empty() && std::ranges::any_of(said_, [](const Said& said) { return !said.rule && !said.words.empty(); }))
        throw Error{
            text(with, ": no collective was recorded on all of its ranks, so that none can run by another algorithm")};
    for (const Said& said : said_)
        if (!said.rule && !said.words.empty() &&
            std::ranges::none_of(all, [&](const analysis::RecordedCollective& one) { return said.fits(one); }))
            throw Error{text(with, ": the program has no ", said.words)};
}

const Variant* SaidAlgorithms::of(const analysis::RecordedCollective& collective) const {
    const auto found = std::ranges::find_if(said_, [&](const Said& said) { return said.fits(collective); });
    const bool isNative = found != said_.end() && found->rule && found->rule->algorithm == nullptr;
    return found == said_.end() || isNative ? nullptr : &found->variant;
}

}  // namespace app
