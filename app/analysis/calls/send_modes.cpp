// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/calls/send_modes.hpp"

#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "app/analysis/messages/size_class.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/by_rank.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>

namespace app::analysis {

using engine::Bytes;
using engine::Picoseconds;
using engine::Rank;
using traces::Messages;
using traces::Recording;

namespace {

/// By region, whether it is one of these functions, whose names in C or Fortran may be followed by a place.
std::vector<bool> regionsOf(const Recording& recording, std::initializer_list<std::string_view> functions) {
    constexpr std::size_t prefix = 4;  // of "mpi_"
    std::vector<bool> are;
    for (const traces::Region& region : recording.regions) {
        const std::string name = engine::lowered(region.name.substr(0, region.name.find_first_of(" _", prefix)));
        are.push_back(region.calls > 0 && std::ranges::find(functions, name) != functions.end());
    }
    return are;
}

/// By message, whether it was sent in a call of these functions; empty where none was called.
std::vector<std::uint8_t> sentIn(const Recording& recording, std::initializer_list<std::string_view> functions) {
    const std::vector<bool> are = regionsOf(recording, functions);
    std::vector<std::uint8_t> sent;
    if (std::ranges::find(are, true) == are.end()) return sent;
    const Messages& m = recording.messages;
    sent.resize(m.size());
    const traces::Grouped sends{m.from.span(), recording.ranks};
    const LocationsOfRanks locations = locationsOfRanks(recording);
    for (Rank rank{0}; rank.value < recording.ranks; ++rank) {
        std::vector<traces::TimeSpan> calls;
        for (const std::size_t location : locations[rank.index()]) {
            const traces::States& states = recording.states[location];
            for (std::size_t i = 0; i < states.size(); ++i)
                if (are[engine::asSize(states.region[i])]) calls.push_back({states.begin[i], states.end[i]});
        }
        std::ranges::sort(calls, {}, &traces::TimeSpan::begin);
        for (const std::uint32_t i : sends.of(rank)) {
            const auto behind = std::ranges::upper_bound(calls, m.sendBegin[i], {}, &traces::TimeSpan::begin);
            if (behind != calls.begin() && m.sendBegin[i] <= (behind - 1)->end) sent[i] = 1;
        }
    }
    return sent;
}

bool hasBufferedSends(const Recording& recording) {
    const std::vector<bool> are = regionsOf(recording, {"mpi_bsend", "mpi_ibsend"});
    return std::ranges::find(are, true) != are.end();
}

bool endOfSendIsKnown(const Messages& m, std::size_t i) { return (m.flags[i] & traces::flag::sendEndUnknown) == 0; }

/// The number of the class of sizes: 0 of 0 bytes.
std::size_t classOf(Bytes bytes) {
    return engine::asSize(std::bit_width(static_cast<std::uint64_t>(sizeClassOf(bytes))));
}

/// The messages of one class of sizes whose receives began after their sends.
struct SizeClass {
    std::int64_t late = 0;
    std::int64_t sentBefore = 0;
    Bytes largestSentBefore = 0;
};

}  // namespace

std::vector<std::uint8_t> synchronousSends(const Recording& recording) {
    return sentIn(recording, {"mpi_ssend", "mpi_issend"});
}

std::optional<Bytes> eagerLimit(const Recording& recording) {
    constexpr std::int64_t fewest = 2, share = 10;  // clocks of two nodes may disagree
    if (hasBufferedSends(recording)) return std::nullopt;
    const Messages& m = recording.messages;
    std::array<SizeClass, 65> classes{};
    for (std::size_t i = 0; i < m.size(); ++i) {
        if (!endOfSendIsKnown(m, i) || m.receiveBegin[i] <= m.sendBegin[i] || m.from[i] == m.to[i]) continue;
        SizeClass& its = classes[classOf(m.bytes[i])];
        ++its.late;
        if (m.receiveBegin[i] - m.sendEnd[i] < m.sendEnd[i] - m.sendBegin[i]) continue;
        ++its.sentBefore;
        its.largestSentBefore = std::max(its.largestSentBefore, m.bytes[i]);
    }
    std::optional<Bytes> limit;
    for (const SizeClass& its : classes)
        if (its.sentBefore >= fewest && share * its.sentBefore >= its.late) limit = its.largestSentBefore;
    return limit;
}

std::optional<Rendezvous> rendezvousIn(const Recording& recording) {
    const std::vector<std::uint8_t> plain = sentIn(recording, {"mpi_send"});
    if (plain.empty() || hasBufferedSends(recording)) return std::nullopt;
    const Messages& m = recording.messages;
    Bytes eager = -1;
    for (std::size_t i = 0; i < m.size(); ++i)
        if (endOfSendIsKnown(m, i) && m.sendEnd[i] <= m.receiveBegin[i]) eager = std::max(eager, m.bytes[i]);
    Bytes smallest = 0;
    const Bytes surelyEager = eagerLimit(recording).value_or(-1);
    Rendezvous larger, all;
    for (std::size_t i = 0; i < m.size(); ++i) {
        if (plain[i] == 0 || !endOfSendIsKnown(m, i) || m.bytes[i] <= surelyEager) continue;
        if (m.from[i] == m.to[i]) continue;
        const Picoseconds waited = m.receiveBegin[i] - m.sendBegin[i];
        // A send that took long for another reason ends when it likes; one that waited is over soon after.
        if (waited <= Picoseconds{} || m.sendEnd[i] < m.receiveBegin[i]) continue;
        if (2 * waited < m.sendEnd[i] - m.sendBegin[i]) continue;
        ++all.waited;
        all.time += waited;
        if (m.bytes[i] <= eager) continue;
        smallest = larger.waited == 0 ? m.bytes[i] : std::min(smallest, m.bytes[i]);
        ++larger.waited;
        larger.time += waited;
    }
    if (all.waited == 0) return std::nullopt;
    all.isContradictory = true;
    if (larger.waited == 0) return all;
    larger.eagerLimit = eager >= 0 ? eager : smallest - 1;
    return larger;
}

}  // namespace app::analysis
