// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/figures/claims.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/figures/figure_result.hpp"
#include "engine/base/processors.hpp"
#include "engine/base/text.hpp"

#include <set>
#include <utility>

namespace app::cli {
namespace {

using engine::text;

Json claimJson(const Claim& claim, const MadeNumber& made) {
    return {{"paper", claim.paper},
            {"claim", claim.number->what},
            {"in_print", claim.number->print},
            {"expected", claim.number->expected},
            {"run_over_run", made.value},
            {"holds", stateOf(made) != State::differs},
            {"state", stateName(stateOf(made))},
            {"why", claim.number->why},
            {"formula", claim.number->formula},
            {"commands", made.commands}};
}

/// What the verdict of a row means.
std::string_view meaningOf(State state) {
    switch (state) {
        case State::holds: return "the value here agrees with the statement of the paper";
        case State::fitted: return "the value agrees under a model that was fitted to numbers of the paper";
        case State::explained: return "a known term accounts for the difference from the printed value";
        case State::notHere: return "a decision needs a machine or library that is not available here";
        case State::contradicted: return "the paper's own statements yield another value than the printed one";
        case State::differs:
            return "the value differs from its expected value, or without an explanation from the "
                   "paper";
    }
    return {};
}

}  // namespace

const std::vector<Claim>& claims() {
    static const std::vector<Claim> all = [] {
        std::vector<Claim> found;
        for (const figures::Paper& paper : figures::papers())
            for (const figures::Item& item : paper.items)
                for (const figures::Number& number : item.numbers)
                    if (number.headline) found.push_back({paper.name, &item, &number});
        return found;
    }();
    return all;
}

int checkClaims(const Arguments& arguments, const Console& console) {
    const auto& words = wordsOf(arguments, 0, 1, "claims [PAPER]");
    std::vector<std::string> names;
    for (const figures::Paper& paper : figures::papers()) names.emplace_back(paper.name);
    const std::string paper = words.empty() ? "" : choice(words[0], "claims", names, {});
    const bool json = chosenFormat(arguments, {"text", "json"}) == "json";
    Json found = Json::array();
    std::vector<std::pair<std::string_view, std::vector<MadeNumber>>> made;  // by paper
    std::set<State> states;
    bool printsNothing = false;
    bool allHold = true;
    std::vector<Claim> asked;
    std::vector<Wanted> wanted;
    for (const Claim& claim : claims()) {
        if (!paper.empty() && claim.paper != paper) continue;
        asked.push_back(claim);
        for (Wanted& one : wantedFor(*claim.number)) wanted.push_back(std::move(one));
    }
    KnownRuns runs{engine::processors()};
    {
        ProgressLine line{console, "running"};
        runs.prepare(wanted, {}, line.progress());
        for (const Claim& claim : asked) {
            MadeNumber number = make(*claim.number, claim.item->tolerance, runs, {.stop = console.around.stop});
            allHold = allHold && stateOf(number) != State::differs;
            found.push_back(claimJson(claim, number));
            states.insert(stateOf(number));
            printsNothing = printsNothing || stateInWords(number) == "as expected";
            if (made.empty() || made.back().first != claim.paper)
                made.emplace_back(claim.paper, std::vector<MadeNumber>{});
            made.back().second.push_back(std::move(number));
        }
    }
    if (json) {
        console.out << found.dump(2, ' ', false, lenient) << '\n';
    } else {
        for (const auto& [name, numbers] : made) {
            console.out << console.paint(Tone::strong, name) << '\n';
            tableOfNumbers(numbers, console).write(console.out);
            console.out << '\n';
        }
        Table legend{{Align::left, Align::left}};
        for (const State state : states) legend.row({std::string{stateName(state)}, std::string{meaningOf(state)}});
        if (printsNothing)
            legend.row({"as expected", "the paper prints no number; the value agrees with that of the paper's model"});
        legend.write(console.out);
        console.write(
            "Words of a paper are taken as numbers: 'similar' and 'slightly' as within 10%, 'faster' and 'slower' as above 1.",
            Tone::plain, 0);
        if (!paper.empty()) {
            console.out << "\nThe runs of each claim, and the time of the first divided by that of the second:\n";
            for (const auto& [name, numbers] : made) {
                const Equations equations{numbers};
                for (const MadeNumber& one : numbers) console.out << '\n' << inDetail(one, equations);
                for (const std::string& line : equations.lines()) console.write(line, Tone::plain, 0);
            }
        }
    }
    return allHold ? done : checkFailed;
}

}  // namespace app::cli
