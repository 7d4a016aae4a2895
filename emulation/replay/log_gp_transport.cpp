// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/log_gp_transport.hpp"

#include "emulation/clocks/log_gp.hpp"

#include <algorithm>
#include <utility>

namespace emulation {

using engine::MessageRecord;
using engine::Picoseconds;
using What = ProcessorTask::What;

LogGPMail::LogGPMail(std::int32_t ranks, const Conditions& conditions, engine::ById<Rank, Factor> factors)
    : model_{conditions.model}, factors_{std::move(factors)}, machines_(ranks) {}

bool LogGPMail::meets(const ReplayLetter& letter) const {
    return letter.synchronous || (model_.eagerLimit && letter.record.bytes > *model_.eagerLimit);
}

void LogGPMail::postSend(ReplayLetter& letter, Picoseconds now) {
    letter.sendPosted = true;
    Picoseconds& begin = letter.record.sendBegin;
    begin = std::max(begin, now);
    if (!meets(letter) || letter.receivePosted) askToSend(letter, begin);
}

void LogGPMail::expect(ReplayLetter& letter, Picoseconds now) {
    letter.receivePosted = true;
    if (!meets(letter)) return;
    Picoseconds& begin = letter.record.sendBegin;
    begin = std::max(begin, now);
    if (letter.sendPosted) askToSend(letter, begin);
}

void LogGPMail::want(ReplayLetter& letter, Picoseconds now) {
    if (std::exchange(letter.wanted, true)) return;
    Picoseconds& begin = letter.record.receiveBegin;
    begin = std::max(begin, now);
    if (letter.arrived) askToReceive(letter, begin);
}

void LogGPMail::occupy(std::int32_t strand, Rank rank, std::int64_t collective, Picoseconds lasts, Picoseconds now) {
    machines_[rank].others.push({.since = now, .collective = collective, .strand = strand, .lasts = lasts});
    look(rank);
}

void LogGPMail::askToSend(ReplayLetter& letter, Picoseconds since) {
    machines_[letter.record.from].sends.push({.since = since,
                                              .what = What::sends,
                                              .collective = letter.collective,
                                              .order = letter.order,
                                              .letter = &letter});
    look(letter.record.from);
}

void LogGPMail::askToReceive(ReplayLetter& letter, Picoseconds since) {
    machines_[letter.record.to].others.push({.since = since,
                                             .what = What::receives,
                                             .collective = letter.collective,
                                             .order = letter.taken,
                                             .letter = &letter});
    look(letter.record.to);
}

ReplayEvent LogGPMail::next() {
    const ReplayEvent event = events_.top();
    events_.pop();
    return event;
}

void LogGPMail::comes(const ReplayEvent& event) {
    ReplayLetter& letter = *event.letter;
    MessageRecord& record = letter.record;
    if (letter.door != nullptr && letter.door->taken < letter.before) {
        letter.door->waiting.push_back(event);
        return;
    }
    Machine& machine = machines_[record.to];
    const Picoseconds begin = std::max(event.time, machine.in);
    machine.in = later(begin, loggp::occupation(*model_.logGP, factorOf(record.to), letter.cost));
    letter.taken = machine.taken++;
    letter.arrived = true;
    record.receiveBegin = std::max(record.receiveBegin, later(begin, letter.cost));
    if (letter.wanted) askToReceive(letter, record.receiveBegin);
    if (letter.door == nullptr) return;
    Door& door = *letter.door;
    ++door.taken;
    std::erase_if(door.waiting, [&](ReplayEvent waiting) {
        if (door.taken < waiting.letter->before) return false;
        waiting.time = event.time;
        events_.push(waiting);
        return true;
    });
}

/// When the processor can do something next, it will look what that is.
void LogGPMail::look(Rank rank) {
    const Machine& machine = machines_[rank];
    Picoseconds when = endOfTime;
    if (!machine.sends.empty()) when = std::max(machine.sends.top().since, machine.out);
    if (!machine.others.empty()) when = std::min(when, machine.others.top().since);
    if (when == endOfTime) return;
    events_.push(
        {.time = std::max(when, machine.free), .what = Moves::works, .order = static_cast<std::uint32_t>(rank.value)});
}

std::optional<ProcessorTask> LogGPMail::work(Rank rank, Picoseconds now) {
    Machine& machine = machines_[rank];
    if (machine.free > now) return std::nullopt;
    const auto when = [&](const Tasks& tasks) {
        const ProcessorTask& task = tasks.top();
        return std::pair{task.what == What::sends ? std::max(task.since, machine.out) : task.since, task.what};
    };
    const bool sends = !machine.sends.empty() && (machine.others.empty() || when(machine.sends) < when(machine.others));
    Tasks& tasks = sends ? machine.sends : machine.others;
    if (tasks.empty() || when(tasks).first > now) return std::nullopt;
    ProcessorTask task = tasks.top();
    tasks.pop();
    task.end = now;
    if (task.what == What::computes) task.end = later(now, task.lasts);
    else if (task.what == What::sends) send(task, machine);
    else receive(task);
    machine.free = task.end;
    look(rank);
    return task;
}

void LogGPMail::send(ProcessorTask& task, Machine& machine) {
    ReplayLetter& letter = *task.letter;
    MessageRecord& record = letter.record;
    const engine::LogGP& letters = *model_.logGP;
    const Factor slowness = factorOf(record.from);
    record.sendBegin = task.end;
    record.sendEnd = task.end = later(record.sendBegin, loggp::work(letters, slowness, record.bytes));
    machine.out = later(record.sendBegin, loggp::occupation(letters, slowness, letter.cost));
    const Picoseconds arrival = loggp::arrival(letters, slowness, record.sendBegin, letter.startup);
    events_.push(
        {.time = arrival, .what = Moves::comes, .order = letter.order, .sendBegin = arrival, .letter = &letter});
    letter.left = true;
}

void LogGPMail::receive(ProcessorTask& task) {
    MessageRecord& record = task.letter->record;
    record.receiveBegin = task.end;
    record.receiveEnd = task.end =
        later(record.receiveBegin, loggp::work(*model_.logGP, factorOf(record.to), record.bytes));
    task.letter->there = true;
}

}  // namespace emulation
