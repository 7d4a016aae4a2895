// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/answers.hpp"

#include "app/analysis/rounds.hpp"
#include "app/session/answers_of.hpp"
#include "engine/text.hpp"
#include "traces/archive.hpp"

namespace app {

std::span<const Question> questions() {
    static const std::vector<Question> all{
        {"collectives", "every collective and stretch of messages: bytes, arrivals, waits, who was last",
         answers::collectives},
        {"algorithms", "which algorithm the messages of each instance look like, with a confidence",
         answers::algorithms},
        {"rounds", "rounds of each instance: messages, bytes, duration, idle share", answers::rounds},
        {"bounds", "rounds, bytes and time beside the lower bounds, and the gap by cause", answers::bounds},
        {"what-if", "every applicable algorithm under the model: time, factor, saving over the whole trace",
         answers::whatIf},
        {"differences", "messages missing, extra or late beside the schedule", answers::differences},
        {"ports", "ranks with more messages under way than ports", answers::ports},
        {"deliveries", "contributions that arrived twice or never", answers::deliveries},
        {"waits", "who waited, by Scalasca's names, and for whom", answers::waits},
        {"delays", "which ranks the waiting came from, directly or passed on", answers::delays},
        {"idle-waves", "delays that travelled from rank to rank", answers::idleWaves},
        {"critical-path", "the chain of messages and pauses that decided the end", answers::criticalPath},
        {"ranks", "how every rank spent the time", answers::ranks},
        {"model", "alpha and beta fitted to the trace's messages, with intervals", answers::model},
        {"links", "load of every link of the network", answers::links},
        {"link-rounds", "the worst link of each round", answers::linkRounds},
        {"link-windows", "the worst link in windows of time, and the hot ones", answers::linkWindows},
        {"clocks", "whether the clocks of ranks agree, and what would make them", answers::clocks},
        {"not-recorded", "what the trace does not say", answers::notRecorded},
    };
    return all;
}

const Question& questionNamed(std::string_view name) {
    std::vector<std::string> names;
    for (const Question& question : questions()) {
        if (question.name == name) return question;
        names.emplace_back(question.name);
    }
    const std::string hint = engine::didYouMean(name, names);
    throw engine::Error{engine::text(engine::Field{"tables"}, ": there is no table '", name, "'",
                                     hint.empty() ? "; 'collscope open --help' names them all" : hint)};
}

engine::Table answerTo(const Question& question, Inquiry& inquiry) {
    inquiry.progress().at(0);
    engine::Table table = question.answer(inquiry);
    table.name = question.name;
    return table;
}

}  // namespace app
