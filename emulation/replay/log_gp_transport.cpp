// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/log_gp_transport.hpp"

#include "emulation/clocks/log_gp.hpp"

#include <algorithm>
#include <utility>

namespace emulation {

using engine::MessageRecord;
using engine::Picoseconds;
using What = ProcessorTask::What;

LogGPTransport::LogGPTransport(std::int32_t ranks, const Conditions& conditions, engine::ById<Rank, Factor> factors)
    : model_{conditions.model}, factors_{std::move(factors)}, machines_(ranks) {}

bool LogGPTransport::meets(const InFlightMessage& message) const {
    return message.synchronous || (model_.eagerLimit && message.record.bytes > *model_.eagerLimit);
}

void LogGPTransport::postSend(InFlightMessage& message, Picoseconds now) {
    message.sendPosted = true;
    Picoseconds& begin = message.record.sendBegin;
    begin = std::max(begin, now);
    if (!meets(message) || message.receivePosted) askToSend(message, begin);
}

void LogGPTransport::expect(InFlightMessage& message, Picoseconds now) {
    message.receivePosted = true;
    if (!meets(message)) return;
    Picoseconds& begin = message.record.sendBegin;
    begin = std::max(begin, now);
    if (message.sendPosted) askToSend(message, begin);
}

void LogGPTransport::want(InFlightMessage& message, Picoseconds now) {
    if (std::exchange(message.wanted, true)) return;
    Picoseconds& begin = message.record.receiveBegin;
    begin = std::max(begin, now);
    if (message.arrived) askToReceive(message, begin);
}

void LogGPTransport::occupy(std::int32_t process, Rank rank, std::int64_t collective, Picoseconds lasts,
                            Picoseconds now) {
    machines_[rank].others.push({.since = now, .collective = collective, .process = process, .lasts = lasts});
    look(rank);
}

void LogGPTransport::askToSend(InFlightMessage& message, Picoseconds since) {
    machines_[message.record.from].sends.push({.since = since,
                                               .what = What::sends,
                                               .collective = message.collective,
                                               .order = message.order,
                                               .message = &message});
    look(message.record.from);
}

void LogGPTransport::askToReceive(InFlightMessage& message, Picoseconds since) {
    machines_[message.record.to].others.push({.since = since,
                                              .what = What::receives,
                                              .collective = message.collective,
                                              .order = message.taken,
                                              .message = &message});
    look(message.record.to);
}

ReplayEvent LogGPTransport::next() {
    const ReplayEvent event = events_.top();
    events_.pop();
    return event;
}

void LogGPTransport::comes(const ReplayEvent& event) {
    InFlightMessage& message = *event.message;
    MessageRecord& record = message.record;
    if (message.queue != nullptr && message.queue->taken < message.before) {
        message.queue->waiting.push_back(event);
        return;
    }
    Machine& machine = machines_[record.to];
    const Picoseconds begin = std::max(event.time, machine.in);
    machine.in = later(begin, loggp::occupation(*model_.logGP, factorOf(record.to), message.cost));
    message.taken = machine.taken++;
    message.arrived = true;
    record.receiveBegin = std::max(record.receiveBegin, later(begin, message.cost));
    if (message.wanted) askToReceive(message, record.receiveBegin);
    if (message.queue == nullptr) return;
    ReceiverQueue& queue = *message.queue;
    ++queue.taken;
    std::erase_if(queue.waiting, [&](ReplayEvent waiting) {
        if (queue.taken < waiting.message->before) return false;
        waiting.time = event.time;
        events_.push(waiting);
        return true;
    });
}

/// When the processor can do something next, it will look what that is.
void LogGPTransport::look(Rank rank) {
    const Machine& machine = machines_[rank];
    Picoseconds when = endOfTime;
    if (!machine.sends.empty()) when = std::max(machine.sends.top().since, machine.out);
    if (!machine.others.empty()) when = std::min(when, machine.others.top().since);
    if (when == endOfTime) return;
    events_.push(
        {.time = std::max(when, machine.free), .what = Moves::works, .order = static_cast<std::uint32_t>(rank.value)});
}

std::optional<ProcessorTask> LogGPTransport::work(Rank rank, Picoseconds now) {
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

void LogGPTransport::send(ProcessorTask& task, Machine& machine) {
    InFlightMessage& message = *task.message;
    MessageRecord& record = message.record;
    const engine::LogGP& messages = *model_.logGP;
    const Factor slowness = factorOf(record.from);
    record.sendBegin = task.end;
    record.sendEnd = task.end = later(record.sendBegin, loggp::work(messages, slowness, record.bytes));
    machine.out = later(record.sendBegin, loggp::occupation(messages, slowness, message.cost));
    const Picoseconds arrival = loggp::arrival(messages, slowness, record.sendBegin, message.startup);
    events_.push(
        {.time = arrival, .what = Moves::comes, .order = message.order, .sendBegin = arrival, .message = &message});
    message.left = true;
}

void LogGPTransport::receive(ProcessorTask& task) {
    MessageRecord& record = task.message->record;
    record.receiveBegin = task.end;
    record.receiveEnd = task.end =
        later(record.receiveBegin, loggp::work(*model_.logGP, factorOf(record.to), record.bytes));
    task.message->there = true;
}

}  // namespace emulation
