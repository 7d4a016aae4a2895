// SPDX-License-Identifier: BSD-3-Clause
// A number in print, compared with the runs that give ours.
#include "app/analysis/messages/opposed.hpp"
#include "app/cli/arguments/definitions.hpp"
#include "app/cli/figures/figure_made.hpp"
#include "app/cli/sweep/sweep_chart.hpp"
#include "engine/text.hpp"
#include "engine/verify.hpp"

#include <cmath>

namespace app::cli {
namespace {

using engine::text;
using figures::Of;

/// Of what was run.
double figureOf(const SweepResult& result, Of of) {
    switch (of) {
        case Of::time: return engine::seconds(result.time);
        case Of::rounds: return static_cast<double>(result.rounds);
        case Of::messages: return static_cast<double>(result.messages);
        case Of::bytes: return static_cast<double>(result.bytes);
        case Of::still: return result.still;
        case Of::proved:
        case Of::peer:
        case Of::opposed: break;
    }
    ENSURE(false, "a number of a schedule is none of its run");
    return 0;
}

/// The rank at the other end.
double peerOf(const figures::Message& message, const engine::Schedule& schedule) {
    engine::Turn turn;
    schedule.turn(engine::Rank{message.rank}, engine::Round{message.round - 1}, turn);
    const auto messages = message.sent ? turn.sends() : turn.receives();
    const auto place = static_cast<std::size_t>(message.place - 1);
    ENSURE(place < messages.size(), text("rank ", message.rank, " has no such message in round ", message.round));
    return messages[place].peer.value;
}

bool isOfSchedule(Of of) { return of == Of::proved || of == Of::peer || of == Of::opposed; }

/// Of what is sent, whoever runs it.
double figureOf(const engine::Plan& plan, const figures::Number& number, const engine::Progress& progress) {
    if (number.of == Of::peer) return peerOf(number.message, *plan.schedule);
    if (number.of == Of::opposed) return static_cast<double>(analysis::opposedMessages(*plan.schedule, progress));
    return engine::verify(*plan.schedule, plan.problem, progress).proved ? 1 : 0;
}

/// The command that shows what the number is of.
std::string commandOf(const figures::Number& number, std::string_view words) {
    switch (number.of) {
        case Of::proved: return text("collscope verify ", words);
        case Of::peer:
            return text("collscope show ", words, " --rounds ", number.message.round, " --rank ", number.message.rank);
        case Of::opposed: return text("collscope show ", words);
        default: return text("collscope run ", words);
    }
}

}  // namespace

MadeNumber make(const figures::Number& number, KnownRuns& runs, const engine::Progress& progress) {
    constexpr double tolerance = 0.01;
    MadeNumber made{.number = &number, .commands = {commandOf(number, number.slow)}};
    const Specification slow = specified(std::string{number.slow});
    if (!number.formula.empty()) {
        made.value =
            Formula{number.formula, std::string{number.what}}.at(lettersOf({slow.run, slow.split, {}}, nullptr));
    } else if (isOfSchedule(number.of)) {
        made.value = figureOf(makePlan(slow.run, progress), number, progress);
    } else {
        made.value = figureOf(runs.of(slow, progress), number.of);
        if (!number.fast.empty()) {
            made.commands.push_back(commandOf(number, number.fast));
            made.value /= figureOf(runs.of(specified(std::string{number.fast}), progress), number.of);
        }
    }
    made.holds = std::abs(made.value - number.expected) <= tolerance * std::abs(number.expected);
    return made;
}

std::string stateOf(const MadeNumber& made) {
    if (!made.holds) return "does not hold";
    if (made.number->contradicted) return "contradicted";
    if (made.number->fitted) return "fitted";
    return made.number->why.empty() ? "holds" : "explained";
}

std::string inDigits(double number) {
    constexpr int figures = 4;
    constexpr double thousandth = 1000;  // below 1 four figures are more than print has
    return engine::showNumber(std::abs(number) < 1 ? std::round(number * thousandth) / thousandth : number, figures);
}

}  // namespace app::cli
