// SPDX-License-Identifier: BSD-3-Clause
#include "traces/recording/recording_builder.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace traces {

using engine::text;

namespace {

template <class T, class Value>
Column<T> columnOf(const std::vector<Message>& messages, Value value) {
    std::vector<T> column(messages.size());
    std::transform(messages.begin(), messages.end(), column.begin(), value);
    return column;
}

Messages columnsOf(const std::vector<Message>& all) {
    return {.from = columnOf<Rank>(all, [](const Message& m) { return m.from; }),
            .to = columnOf<Rank>(all, [](const Message& m) { return m.to; }),
            .communicator = columnOf<std::int32_t>(all, [](const Message& m) { return m.communicator; }),
            .tag = columnOf<std::uint32_t>(all, [](const Message& m) { return m.tag; }),
            .bytes = columnOf<Bytes>(all, [](const Message& m) { return m.bytes; }),
            .sendBegin = columnOf<Picoseconds>(all, [](const Message& m) { return m.sendBegin; }),
            .sendEnd = columnOf<Picoseconds>(all, [](const Message& m) { return m.sendEnd; }),
            .receiveBegin = columnOf<Picoseconds>(all, [](const Message& m) { return m.receiveBegin; }),
            .receiveEnd = columnOf<Picoseconds>(all, [](const Message& m) { return m.receiveEnd; }),
            .flags = columnOf<MessageFlags>(all, [](const Message& m) { return m.flags; })};
}

}  // namespace

RecordingBuilder::RecordingBuilder(std::int32_t ranks) : states_(engine::asSize(ranks)), any_(engine::asSize(ranks)) {
    recording_.ranks = ranks;
    std::vector<Rank> everyone;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        recording_.locations.push_back({.id = static_cast<std::uint64_t>(rank),
                                        .name = "Master thread",
                                        .kind = LocationKind::thread,
                                        .rank = Rank{rank},
                                        .speaksForRank = true,
                                        .process = text("MPI Rank ", rank),
                                        .path = {"machine", text("node ", rank)},
                                        .properties = {}});
        everyone.push_back(Rank{rank});
    }
    recording_.communicators.push_back({.name = "MPI_COMM_WORLD",
                                        .kind = CommunicatorKind::world,
                                        .members = std::move(everyone),
                                        .remote = {},
                                        .ids = {0}});
}

std::int32_t RecordingBuilder::communicator(std::string name, std::vector<Rank> members, std::vector<Rank> remote) {
    const std::size_t index = recording_.communicators.size();
    const CommunicatorKind kind = remote.empty() ? CommunicatorKind::ordinary : CommunicatorKind::inter;
    recording_.communicators.push_back({.name = std::move(name),
                                        .kind = kind,
                                        .members = std::move(members),
                                        .remote = std::move(remote),
                                        .parent = 0,
                                        .ids = {index}});
    return static_cast<std::int32_t>(index);
}

void RecordingBuilder::enter(std::int32_t location, Picoseconds time, std::string_view region) {
    OpenStates& states = states_.at(engine::asSize(location));
    auto& regions = recording_.regions;
    auto at = std::find_if(regions.begin(), regions.end(), [&](const Region& known) { return known.name == region; });
    if (at == regions.end()) {
        const Call call = callOf(region);
        at = regions.insert(at,
                            {std::string{region}, call == Call::none ? "user" : "mpi", call, Recorded::notExpected, 0});
    }
    ++at->calls;
    states.region.push_back(static_cast<std::int32_t>(at - regions.begin()));
    states.depth.push_back(static_cast<std::uint16_t>(std::min<std::size_t>(states.stack.size(), 65535)));
    states.stack.push_back(static_cast<std::uint32_t>(states.begin.size()));
    states.begin.push_back(time);
    states.end.push_back(time);
    seen(Rank{location}, time, time);
}

void RecordingBuilder::leave(std::int32_t location, Picoseconds time) {
    OpenStates& states = states_.at(engine::asSize(location));
    ENSURE(!states.stack.empty(), text("location ", location, " leaves a region it never entered"));
    states.end[states.stack.back()] = time;
    states.stack.pop_back();
    seen(Rank{location}, time, time);
}

std::int32_t RecordingBuilder::thread(Rank rank, std::string name) {
    const Location& own = recording_.locations.at(rank.index());
    const std::size_t index = recording_.locations.size();
    recording_.locations.push_back({.id = index,
                                    .name = std::move(name),
                                    .kind = LocationKind::thread,
                                    .rank = rank,
                                    .process = own.process,
                                    .path = own.path,
                                    .properties = {}});
    states_.emplace_back();
    any_.push_back(false);
    return static_cast<std::int32_t>(index);
}

void RecordingBuilder::notice(std::int32_t location, const Notice& notice) {
    notices_.resize(recording_.locations.size());
    Notice& told = notices_.at(engine::asSize(location)).emplace_back(notice);
    told.entered = static_cast<std::uint32_t>(states_.at(engine::asSize(location)).begin.size());
    seen(Rank{location}, notice.time, notice.time);
}

void RecordingBuilder::message(const Message& message) {
    messages_.push_back(message);
    seen(message.from, message.sendBegin, message.sendEnd);
    seen(message.to, message.receiveBegin, message.receiveEnd);
}

void RecordingBuilder::half(const Half& half) {
    halves_.push_back(half);
    seen(half.self, half.begin, half.end);
}

void RecordingBuilder::collective(Operation operation, std::int32_t communicator, Rank root,
                                  std::vector<Participant> participants) {
    const Communicator& within = recording_.communicators.at(engine::asSize(communicator));
    std::sort(participants.begin(), participants.end(),
              [](const Participant& a, const Participant& b) { return a.rank < b.rank; });
    // As each rank passes it, where it does not say so itself.
    const auto placeIn = [](const std::vector<Rank>& group, Rank rank) {
        const auto place = std::find(group.begin(), group.end(), rank);
        return place != group.end() ? static_cast<std::int32_t>(place - group.begin()) : Participant::rootNone;
    };
    const bool inter = within.kind == CommunicatorKind::inter;
    const bool rootIsRemote = inter && placeIn(within.remote, root) >= 0;
    for (Participant& part : participants) {
        seen(part.rank, part.begin, part.end);
        if (root == noRank || part.root != Participant::rootNone) continue;
        const bool isRemote = inter && placeIn(within.remote, part.rank) >= 0;
        if (within.kind == CommunicatorKind::self) part.root = 0;
        else if (inter && isRemote == rootIsRemote)
            part.root = part.rank == root ? Participant::rootSelf : Participant::rootSameGroup;
        else part.root = placeIn(rootIsRemote ? within.remote : within.members, root);
    }
    const std::size_t expected =
        within.kind == CommunicatorKind::self ? 1 : within.members.size() + within.remote.size();
    instances_.push_back({{.operation = operation,
                           .communicator = communicator,
                           .root = root,
                           .first = 0,
                           .count = participants.size(),
                           .complete = participants.size() == expected},
                          std::move(participants)});
}

void RecordingBuilder::inside(const Message& message) {
    instances_.back().inside.push_back(message);
    instances_.back().inside.back().communicator = instances_.back().collective.communicator;
}

void RecordingBuilder::ranInside(std::string algorithm, std::string component) {
    const auto indexOf = [](std::vector<std::string>& all, std::string words) {
        if (words.empty()) return noIndex;
        const auto at = std::find(all.begin(), all.end(), words);
        if (at != all.end()) return static_cast<std::int32_t>(at - all.begin());
        all.push_back(std::move(words));
        return static_cast<std::int32_t>(all.size() - 1);
    };
    instances_.back().collective.ofLibrary = indexOf(recording_.library.algorithms, std::move(algorithm));
    instances_.back().collective.component = indexOf(recording_.library.components, std::move(component));
}

std::int32_t RecordingBuilder::metric(Metric metric) {
    recording_.metrics.push_back(std::move(metric));
    return static_cast<std::int32_t>(recording_.metrics.size() - 1);
}

void RecordingBuilder::samples(std::int32_t location, std::int32_t metric, std::vector<Picoseconds> time,
                               std::vector<double> values) {
    if (!time.empty()) seen(Rank{location}, time.front(), time.back());
    recording_.samples.push_back({.location = location,
                                  .rank = recording_.locations.at(engine::asSize(location)).rank,
                                  .about = {},
                                  .metrics = {metric},
                                  .time = std::move(time),
                                  .values = {std::move(values)}});
}

void RecordingBuilder::seen(Rank rank, Picoseconds begin, Picoseconds end) {
    const auto index = rank.index();
    Location& location = recording_.locations.at(index);
    location.first = any_[index] ? std::min(location.first, begin) : begin;
    location.last = any_[index] ? std::max(location.last, end) : end;
    any_[index] = true;
    recording_.duration = std::max(recording_.duration, end);
}

Recording RecordingBuilder::finish() {
    for (std::size_t i = 0; i < states_.size(); ++i) {
        OpenStates& states = states_[i];
        for (const std::uint32_t open : states.stack) states.end[open] = recording_.locations[i].last;
        recording_.states.push_back({std::move(states.begin), std::move(states.end), std::move(states.region),
                                     std::move(states.depth), std::move(states.stack)});
    }
    if (!notices_.empty()) notices_.resize(recording_.locations.size());
    for (std::vector<Notice>& notices : notices_) recording_.notices.emplace_back(std::move(notices));
    std::stable_sort(messages_.begin(), messages_.end(),
                     [](const Message& a, const Message& b) { return a.from < b.from; });
    recording_.messages = columnsOf(messages_);
    recording_.halves = std::move(halves_);
    std::stable_sort(instances_.begin(), instances_.end(), [](const Instance& a, const Instance& b) {
        return a.collective.communicator < b.collective.communicator;
    });
    std::vector<Collective> instances;
    std::vector<Participant> participants;
    std::vector<std::pair<Message, std::int32_t>> inside;
    for (Instance& instance : instances_) {
        for (const Message& message : instance.inside)
            inside.emplace_back(message, static_cast<std::int32_t>(instances.size()));
        instance.collective.first = participants.size();
        instances.push_back(instance.collective);
        participants.insert(participants.end(), instance.participants.begin(), instance.participants.end());
    }
    recording_.collectives = {std::move(instances), std::move(participants)};
    std::stable_sort(inside.begin(), inside.end(), [](const auto& a, const auto& b) {
        return std::tie(a.first.from, a.first.sendBegin) < std::tie(b.first.from, b.first.sendBegin);
    });
    std::vector<Message> sent;
    std::vector<std::int32_t> within;
    for (const auto& [message, instance] : inside) sent.push_back(message), within.push_back(instance);
    recording_.library.messages = columnsOf(sent);
    recording_.library.collective = std::move(within);
    Recording finished = std::move(recording_);
    *this = RecordingBuilder{0};
    return finished;
}

}  // namespace traces
