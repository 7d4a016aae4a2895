// SPDX-License-Identifier: BSD-3-Clause
// What the measurements of an autotuner decided: gains, and rules.
#include "app/session/tune/autotuner.hpp"

#include "app/session/tune/rules_check.hpp"
#include "app/session/tune/rules_explain.hpp"
#include "engine/base/text.hpp"
#include "engine/live/replacement_rules.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace app::tune {

using engine::Bytes;
using engine::text;
using engine::live::Called;
using engine::live::Extent;

std::string titleOf(const Cell& cell) {
    return text(name(cell.called), ", ", cell.ranks, " ranks",
                cell.called == Called::barrier ? "" : ", " + exactBytes(cell.bytes));
}

std::string gainWords(const Gain& gain) {
    return text(engine::showNumber(gain.median, 3), "x (", engine::showNumber(gain.low, 3), " to ",
                engine::showNumber(gain.high, 3), ")");
}

std::string remarkOn(const Tuned& one, std::size_t candidate) {
    const std::string prefix = toText(one.cell.candidates[candidate]) + ": ";
    for (const std::string& fault : one.faults)
        if (fault.starts_with(prefix)) return fault.substr(prefix.size());
    if (one.verdict.best != 0 && candidate == one.verdict.best) return one.kept ? "rule" : "fastest";
    if (candidate != 0 && candidate == one.verdict.catalogue)
        return one.hasRule(candidate) ? "rule of the drop-in library" : "fastest of the catalogue";
    return candidate < one.tried.size() && one.tried[candidate].dropped
               ? "left out: slower than the fastest so far by 25% or more"
               : "";
}

bool Tuned::hasRule(std::size_t candidate) const {
    return candidate != 0 && ((dropInKept && candidate == dropIn) || (kept && candidate == verdict.best));
}

Gain Tuned::gainOf(std::size_t candidate) const {
    if (!cell.candidates[candidate].isOfCatalogue()) return checked.value_or(verdict.gain);
    return candidate == dropIn ? dropInChecked.value_or(verdict.catalogueGain) : verdict.catalogueGain;
}

std::size_t Tuned::shown() const {
    if (!verdict.catalogueHelps()) return verdict.best;
    const auto value = [&](std::size_t one) { return std::pair{hasRule(one), gainOf(one).median}; };
    return verdict.best != 0 && value(verdict.best) >= value(verdict.catalogue) ? verdict.best : verdict.catalogue;
}

double TuneReport::mostGain() const {
    double most = 1;
    for (const Tuned& one : cells)
        if (one.kept && one.checked) most = std::max(most, one.checked->median);
    return most;
}

std::optional<ProgramTime> TuneReport::programTime() const {
    ProgramTime time;
    for (const Tuned& one : cells) {
        const double usual = static_cast<double>(one.cell.calls) * engine::seconds(one.verdict.usual);
        time.usual += usual;
        time.tuned += one.kept && one.checked ? usual / one.checked->median : usual;
    }
    return time.usual > 0 ? std::optional{time} : std::nullopt;
}

std::optional<Gain> TuneReport::programGain() const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < program.after.size(); ++i)
        ratios.push_back(engine::seconds(program.before[i]) / engine::seconds(program.after[i]));
    return ratios.empty() ? std::nullopt : std::optional{gainOf(ratios)};
}

std::int64_t TuneReport::rules() const { return std::ranges::count_if(cells, &Tuned::kept); }

std::int64_t TuneReport::catalogueRules() const {
    return std::ranges::count_if(
        cells, [](const Tuned& one) { return one.dropInKept && one.cell.candidates[one.dropIn].isOfCatalogue(); });
}

engine::live::Rule ruleOf(Called called, const std::string& way) {
    return engine::live::rulesFromText(text(name(called), " intra * * ", way), "catalogue").front();
}

/// Every algorithm of the catalogue that a rule of the drop-in library may name for the call, and that can run it; in
/// segments of 8 KiB and 64 KiB too, where it has an option for their number.
Unit unitOf(Library library, Called called) {
    return library == Library::mpich ? unitOfMpich(called) : unitOfOpenMpi(called);
}

Converted asOwnRules(const std::vector<Tuned>& cells, Library library, const Installed& installed) {
    const RuleTable table = tableOf(cells, library);
    return library == Library::mpich ? asMpichSelection(table, installed) : asOpenMpiRules(table, installed);
}

namespace {

/// `choiceOf` a cell.
template <class ChoiceOf>
RuleTable tableWith(const std::vector<Tuned>& cells, Library library, const ChoiceOf& choiceOf) {
    const std::string owner{nameOf(library)};
    RuleTable table;
    std::map<Called, std::map<std::int64_t, std::map<Bytes, Choice>>> byCall;
    std::set<Called> ruled;
    for (const Tuned& one : cells) {
        const Choice choice = choiceOf(one);
        if (!choice.isDefault()) ruled.insert(one.cell.called);
        byCall[one.cell.called][one.cell.ranks][one.cell.bytes] = choice;
    }
    for (const auto& [called, byRanks] : byCall) {
        if (!ruled.contains(called)) continue;
        RuleTable::Call call{.called = called, .unit = unitOf(library, called)};
        const RuleTable::Column none{.ranks = {}, .parts = {{Extent{}, Choice{.library = owner}}}};
        const auto add = [&](std::int64_t low, std::int64_t high, RuleTable::Column column) {
            if (low > high) return;
            column.ranks = {low, high};
            call.columns.push_back(std::move(column));
        };
        add(2, byRanks.begin()->first - 1, none);
        for (auto at = byRanks.begin(); at != byRanks.end(); ++at) {
            const auto& [ranks, bySize] = *at;
            RuleTable::Column column;
            const auto part = [&](Bytes low, Bytes high, const Choice& choice) {
                if (low <= high) column.parts.push_back({{low, high}, choice});
            };
            if (call.unit == Unit::none) {
                part(0, unlimited, bySize.begin()->second);
            } else {
                part(0, inUnit(call.unit, ranks, bySize.begin()->first) - 1, none.parts[0].choice);
                for (auto size = bySize.begin(); size != bySize.end(); ++size) {
                    const auto after = std::next(size);
                    const Bytes low = inUnit(call.unit, ranks, size->first);
                    part(low, after == bySize.end() ? low : inUnit(call.unit, ranks, after->first) - 1, size->second);
                }
                part(inUnit(call.unit, ranks, bySize.rbegin()->first) + 1, unlimited, none.parts[0].choice);
            }
            const auto after = std::next(at);
            add(ranks, after == byRanks.end() ? ranks : after->first - 1, std::move(column));
        }
        add(byRanks.rbegin()->first + 1, unlimited, none);
        table.calls.push_back(std::move(call));
    }
    return table;
}

/// What a rule with a candidate chooses; 0: nothing.
Choice choiceOf(const Tuned& one, std::size_t index, Library library) {
    Choice choice{.library = std::string{nameOf(library)}};
    if (index == 0) return choice;
    const Candidate& chosen = one.cell.candidates[index];
    if (chosen.isOfCatalogue()) {
        const engine::live::Rule rule = ruleOf(one.cell.called, chosen.name);
        choice = {.id = rule.algorithm->id, .named = rule.words, .library = "Collscope"};
        if (const auto given = rule.options.find("segments"); given != rule.options.end())
            choice.segments = engine::readInteger(given->second, "segments", 1, unlimited);
        return choice;
    }
    choice.named = chosen.name;
    choice.id = idKnownAs(choice.library, std::string{name(one.cell.called)}, chosen.name);
    choice.segment = chosen.segment;
    choice.fanOut = chosen.fanOut;
    return choice;
}

}  // namespace

RuleTable tableOf(const std::vector<Tuned>& cells, Library library) {
    return tableWith(cells, library,
                     [&](const Tuned& one) { return choiceOf(one, one.kept ? one.verdict.best : 0, library); });
}

RuleTable dropInTableOf(const std::vector<Tuned>& cells, Library library) {
    return tableWith(cells, library,
                     [&](const Tuned& one) { return choiceOf(one, one.dropInKept ? one.dropIn : 0, library); });
}

void chooseForDropIn(std::vector<Tuned>& cells, Library library) {
    for (Tuned& one : cells) {
        const Verdict& verdict = one.verdict;
        const bool isKnown = one.kept && !choiceOf(one, verdict.best, library).id.empty();
        one.dropIn = isKnown ? verdict.best : 0;
        // Where the library counts no bytes, one algorithm would have to be the choice at all sizes.
        if (verdict.catalogueHelps() && unitOf(library, one.cell.called) != Unit::none &&
            (!isKnown || verdict.catalogueGain.median > verdict.gain.median))
            one.dropIn = verdict.catalogue;
        one.dropInKept = one.dropIn != 0;
    }
}

}  // namespace app::tune
