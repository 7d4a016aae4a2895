// SPDX-License-Identifier: BSD-3-Clause
// The events of one thread of a recorded program (engine/live/records/call_records.hpp), as OTF2 has them.
#pragma once

#include "engine/live/records/call_records.hpp"
#include "traces/otf2/handles.hpp"
#include "traces/recording/calls.hpp"

#include <functional>
#include <span>
#include <vector>

namespace traces::otf2 {

constexpr OTF2_AttributeRef algorithmAttribute = 0;
constexpr OTF2_AttributeRef reductionAttribute = 1;
/// Names the error class that a call returned, within the call.
constexpr OTF2_ParameterRef errorParameter = 0;

/// Numbers of calls: first all collectives, then all others.
constexpr std::uint32_t numberOf(engine::live::Called called) { return static_cast<std::uint32_t>(called); }
constexpr std::uint32_t numberOf(engine::live::Other call) {
    return static_cast<std::uint32_t>(engine::live::everyCalled.size()) + static_cast<std::uint32_t>(call);
}

/// What of the archive the events name.
struct Names {
    std::span<const OTF2_StringRef> ways{};                         ///< by number
    std::span<const OTF2_StringRef> reductions{};                   ///< by place in live::operationNames
    std::span<const OTF2_StringRef> errors{};                       ///< by place in live::errorClassNames
    std::function<OTF2_CommRef(std::int32_t team)> communicator{};  ///< of the process; throws Error where it has none
    /// That one of the windows of that communicator, likewise.
    std::function<OTF2_RmaWinRef(std::int32_t team, std::uint32_t number)> window{};
    /// Of these ranks of that communicator.
    std::function<OTF2_GroupRef(std::int32_t team, const std::vector<std::int32_t>& ranks)> group{};
    /// Of the call with that number, from that place.
    std::function<OTF2_RegionRef(std::uint32_t call, std::uint16_t site)> region{};
    std::function<OTF2_TimeStamp(std::int64_t time)> time{};
};

class ProgramEvents {
public:
    ProgramEvents(OTF2_EvtWriter* writer, const Names& names, OTF2_TimeStamp first, const std::string& doing)
        : writer_{writer}, names_{names}, last_{first}, doing_{doing}, attributes_{OTF2_AttributeList_New()} {}

    /// Of one thread, in the order in which they were recorded.
    void write(std::span<const engine::live::Event> events);
    /// From now until `end` there was no room to record.
    void off(std::int64_t end);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::int64_t calls() const { return calls_; }
    [[nodiscard]] std::int64_t replaced() const { return replaced_; }
    /// The time of the last event.
    [[nodiscard]] OTF2_TimeStamp last() const { return last_; }

private:
    /// A call and what happened within it, which is forgotten then.
    void call(const engine::live::Event& event);
    void collective(const engine::live::Call& call, OTF2_TimeStamp end);
    void completed(const engine::live::Call& call, OTF2_TimeStamp end);
    /// Names the operation in the attributes of the next event.
    void addReduction(const engine::live::Call& call);
    void beginning(const engine::live::Step& step, OTF2_TimeStamp time);
    /// What a call does to windows.
    void oneSided(const engine::live::Step& step, OTF2_TimeStamp begin, OTF2_TimeStamp end);
    void ending(const engine::live::Step& step, OTF2_TimeStamp time);
    void wrote(OTF2_ErrorCode code);

    OTF2_EvtWriter* writer_;
    const Names& names_;
    OTF2_TimeStamp last_;
    const std::string& doing_;
    Attributes attributes_;
    std::vector<engine::live::Event> parts_;
    std::uint64_t count_ = 0;
    std::int64_t calls_ = 0;
    std::int64_t replaced_ = 0;
};

}  // namespace traces::otf2
