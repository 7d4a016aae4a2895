// SPDX-License-Identifier: BSD-3-Clause
// Every field of a Recording in one order, for what writes it and for what reads it. A field that is added to one of
// these structures does not compile until it is named here.
#pragma once

#include "traces/recording/recording.hpp"

#include <concepts>
#include <type_traits>

namespace traces::index {

/// T or const T.
template <class X, class T>
concept Like = std::same_as<std::remove_const_t<X>, T>;

template <class Flow, Like<Clock> X>
void fields(Flow& flow, X& x) {
    auto& [ticksPerSecond, zero] = x;
    flow(ticksPerSecond, zero);
}
template <class Flow, Like<Location> X>
void fields(Flow& flow, X& x) {
    auto& [id, name, kind, rank, speaks, process, path, events, first, last, properties] = x;
    flow(id, name, kind, rank, speaks, process, path, events, first, last, properties);
}
template <class Flow, Like<Region> X>
void fields(Flow& flow, X& x) {
    auto& [name, paradigm, call, recorded, calls, place, role] = x;
    flow(name, paradigm, call, recorded, calls, place, role);
}
template <class Flow, Like<Communicator> X>
void fields(Flow& flow, X& x) {
    auto& [name, kind, members, remote, parent, ids, joined] = x;
    flow(name, kind, members, remote, parent, ids, joined);
}
template <class Flow, Like<States> X>
void fields(Flow& flow, X& x) {
    auto& [begin, end, region, depth, open] = x;
    flow(begin, end, region, depth, open);
}
template <class Flow, Like<Messages> X>
void fields(Flow& flow, X& x) {
    auto& [from, to, communicator, tag, bytes, sendBegin, sendEnd, receiveBegin, receiveEnd, flags] = x;
    flow(from, to, communicator, tag, bytes, sendBegin, sendEnd, receiveBegin, receiveEnd, flags);
}
template <class Flow, Like<Collectives> X>
void fields(Flow& flow, X& x) {
    auto& [instances, participants] = x;
    flow(instances, participants);
}
template <class Flow, Like<Library> X>
void fields(Flow& flow, X& x) {
    auto& [messages, collective, algorithms, components] = x;
    flow(messages, collective, algorithms, components);
}
template <class Flow, Like<CartTopology> X>
void fields(Flow& flow, X& x) {
    auto& [name, communicator, lengths, periodic, coordinates] = x;
    flow(name, communicator, lengths, periodic, coordinates);
}
template <class Flow, Like<Metric> X>
void fields(Flow& flow, X& x) {
    auto& [name, description, unit, value, timing] = x;
    flow(name, description, unit, value, timing);
}
template <class Flow, Like<Parameter> X>
void fields(Flow& flow, X& x) {
    auto& [name, words] = x;
    flow(name, words);
}
template <class Flow, Like<File> X>
void fields(Flow& flow, X& x) {
    auto& [name, through] = x;
    flow(name, through);
}
template <class Flow, Like<Marker> X>
void fields(Flow& flow, X& x) {
    auto& [group, category, text, begin, end, location] = x;
    flow(group, category, text, begin, end, location);
}
template <class Flow, Like<MetricSamples> X>
void fields(Flow& flow, X& x) {
    auto& [location, rank, about, metrics, time, values] = x;
    flow(location, rank, about, metrics, time, values);
}
template <class Flow, Like<NotRecorded> X>
void fields(Flow& flow, X& x) {
    auto& [what, region, location, count, begin, end, words] = x;
    flow(what, region, location, count, begin, end, words);
}
template <class Flow, Like<EarlyEnd> X>
void fields(Flow& flow, X& x) {
    auto& [location, last, why] = x;
    flow(location, last, why);
}
template <class Flow, Like<RecordCount> X>
void fields(Flow& flow, X& x) {
    auto& [name, count] = x;
    flow(name, count);
}
template <class Flow, Like<OwnColumns> X>
void fields(Flow& flow, X& x) {
    auto& [round, place, whatStart, what] = x;
    flow(round, place, whatStart, what);
}
template <class Flow, Like<Recording> X>
void fields(Flow& flow, X& x) {
    auto& [name, creator, clock, ranks, duration, locations, regions, communicators, states, notices, messages, halves,
           collectives, library, windows, groups, parameters, files, markers, algorithms, reductions, unfinished,
           topologies, metrics, samples, clockOffsets, absences, earlyEnds, records, remarks, properties, own,
           corrected, fittedClocks] = x;
    flow(name, creator, clock, ranks, duration, locations, regions, communicators, states, notices, messages, halves,
         collectives, library, windows, groups, parameters, files, markers, algorithms, reductions, unfinished,
         topologies, metrics, samples, clockOffsets, absences, earlyEnds, records, remarks, properties, own, corrected,
         fittedClocks);
}

/// Kept as it lies in memory.
template <class T>
struct AsItLies : std::bool_constant<std::is_arithmetic_v<T> || std::is_enum_v<T>> {};
template <>
struct AsItLies<Picoseconds> : std::true_type {};
template <>
struct AsItLies<Rank> : std::true_type {};
template <>
struct AsItLies<engine::Range> : std::true_type {};
template <>
struct AsItLies<Window> : std::true_type {};
template <>
struct AsItLies<Notice> : std::true_type {};
template <>
struct AsItLies<Half> : std::true_type {};
template <>
struct AsItLies<Collective> : std::true_type {};
template <>
struct AsItLies<Participant> : std::true_type {};
template <>
struct AsItLies<Unfinished> : std::true_type {};
template <>
struct AsItLies<ClockOffset> : std::true_type {};
template <>
struct AsItLies<FittedClock> : std::true_type {};

}  // namespace traces::index
