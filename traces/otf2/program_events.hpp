// SPDX-License-Identifier: BSD-3-Clause
// The events of one thread of a recorded program (engine/live/records/call_records.hpp), as OTF2 has them.
#pragma once

#include "engine/live/records/call_records.hpp"
#include "traces/otf2/handles.hpp"
#include "traces/recording/calls.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace traces::otf2 {

constexpr OTF2_AttributeRef algorithmAttribute = 0;
constexpr OTF2_AttributeRef reductionAttribute = 1;
constexpr OTF2_AttributeRef libraryAlgorithmAttribute = 2;
constexpr OTF2_AttributeRef libraryComponentAttribute = 3;
constexpr OTF2_AttributeRef insideAttribute = 4;
constexpr OTF2_AttributeRef neighboursAttribute = 5;
/// Requests of messages of the MPI library itself are counted from here; those of the program are smaller.
constexpr std::uint64_t firstInside = std::uint64_t{1} << 32U;
/// Requests of messages within collectives among neighbours (own::tagOfNeighbours) are counted down from here.
constexpr std::uint64_t lastOfNeighbours = firstInside - 1;
/// Names the error class that a call returned, within the call.
constexpr OTF2_ParameterRef errorParameter = 0;

/// Numbers of calls: first all collectives, then all others.
constexpr std::uint32_t numberOf(engine::live::Called called) { return static_cast<std::uint32_t>(called); }
constexpr std::uint32_t numberOf(engine::live::Other call) {
    return static_cast<std::uint32_t>(engine::live::everyCalled.size()) + static_cast<std::uint32_t>(call);
}

/// Behind them those that found nothing.
constexpr std::uint32_t foundNothingOf(engine::live::Other call) {
    return numberOf(engine::live::Other::none) + 1 + static_cast<std::uint32_t>(call);
}

/// How the MPI library carried out a collective.
struct Carried {
    OTF2_StringRef algorithm = OTF2_UNDEFINED_STRING;
    OTF2_StringRef component = OTF2_UNDEFINED_STRING;
};

/// What of the archive the events name.
struct Names {
    std::span<const OTF2_StringRef> ways{};                         ///< by number
    std::span<const OTF2_StringRef> reductions{};                   ///< by place in live::operationNames
    std::span<const OTF2_StringRef> errors{};                       ///< by place in live::errorClassNames
    std::function<OTF2_CommRef(std::int32_t team)> communicator{};  ///< of the process; throws Error where it has none
    /// By which the library's own messages in it are written.
    std::function<OTF2_CommRef(std::int32_t team)> inside{};
    /// Whether only the library has that communicator.
    std::function<bool(std::int32_t team)> isOfLibrary{};
    std::function<Carried(std::span<const engine::live::Carrier> carriers)> carried{};
    /// That one of the windows of that communicator, likewise.
    std::function<OTF2_RmaWinRef(std::int32_t team, std::uint32_t number)> window{};
    /// That one of the files of that communicator, likewise.
    std::function<OTF2_IoHandleRef(std::int32_t team, std::uint32_t number)> file{};
    /// Of these ranks of that communicator.
    std::function<OTF2_GroupRef(std::int32_t team, const std::vector<std::int32_t>& ranks)> group{};
    /// Of the call with that number, from that place.
    std::function<OTF2_RegionRef(std::uint32_t call, std::uint16_t site)> region{};
    /// Functions of the program that led to that place, from the outermost on.
    std::function<std::span<const OTF2_RegionRef>(std::uint16_t site)> functions{};
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
    /// Calls of collectives with processes of another MPI_COMM_WORLD.
    [[nodiscard]] std::int64_t apart() const { return apart_; }
    /// Messages of the library whose completion is unknown.
    [[nodiscard]] std::int64_t incomplete() const {
        return static_cast<std::int64_t>(2 * messages_.size() - insides_.size());
    }
    /// The time of the last event.
    [[nodiscard]] OTF2_TimeStamp last() const { return last_; }

private:
    /// A call and what happened within it, which is forgotten then.
    void call(const engine::live::Event& event);
    /// The thread leaves those functions that it is in and that are not among these.
    void leaveUnless(std::span<const OTF2_RegionRef> functions);
    void collective(const engine::live::Call& call, OTF2_TimeStamp end);
    void completed(const engine::live::Call& call, OTF2_TimeStamp end);
    /// Names the operation in the attributes of the next event.
    void addReduction(const engine::live::Call& call);
    void add(const Carried& carried);
    /// Functions of the library between two times, which never fall.
    [[nodiscard]] Carried carriedBy(std::int64_t begin, std::int64_t end);
    /// A collective that does not block, or a persistent one, of a communicator.
    struct Begun {
        std::uint64_t request;
        std::int32_t team;
    };
    /// One was posted within a call that lasts until `end`.
    void posted(const Begun& begun, std::int64_t from, std::int64_t until, OTF2_TimeStamp end);
    /// The library's own messages: all that was posted or completed until `time`, no later than `end`. `request`: of
    /// the nonblocking collective that is being posted.
    void inside(std::int64_t time, OTF2_TimeStamp end, std::optional<std::uint64_t> request = std::nullopt);
    /// By what a message of the library is written.
    struct Channel {
        OTF2_CommRef communicator;
        std::uint32_t tag;
        std::uint64_t request;
    };
    void insidePosted(const engine::live::Step& message, const Channel& channel, std::optional<std::uint64_t> request);
    void insideCompleted(const engine::live::Step& message, const Channel& channel);
    /// The collective that does not block to which a message belongs; `request`: that which is being posted.
    std::optional<std::uint64_t> requestOf(const engine::live::Step& message, std::optional<std::uint64_t> request);
    bool isOfNeighbours(const engine::live::Step& message, std::optional<std::uint64_t> request);
    void beginning(const engine::live::Step& step, OTF2_TimeStamp time);
    /// What a call does to windows.
    void oneSided(const engine::live::Step& step, OTF2_TimeStamp begin, OTF2_TimeStamp end);
    void ending(const engine::live::Step& step, OTF2_TimeStamp time);
    void doneWithNeighbours(const engine::live::Step& step, OTF2_TimeStamp time);
    void wrote(OTF2_ErrorCode code);

    OTF2_EvtWriter* writer_;
    const Names& names_;
    OTF2_TimeStamp last_;
    const std::string& doing_;
    Attributes attributes_;
    std::vector<engine::live::Event> parts_;
    std::vector<OTF2_RegionRef> functions_;  ///< that the thread is in
    /// One end of a message of the library.
    struct Inside {
        std::int64_t time;
        std::uint32_t message;
        bool completes;
    };
    std::vector<engine::live::Step> messages_;
    std::vector<Inside> insides_;  ///< in the order of their times
    std::size_t nextInside_ = 0;
    std::vector<engine::live::Carrier> carriers_;  ///< in the order of their times
    std::size_t nextCarrier_ = 0;
    /// Nonblocking collectives that are pending: by communicator and tag of their messages, and what carries them out.
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint64_t> requestOf_;
    std::vector<Begun> withoutMessages_;  ///< those that have posted none yet, the earliest first
    bool mayBeOfEarlierOnes_ = false;     ///< in a call that is not collective
    std::map<std::uint64_t, Carried> carriedOf_;
    bool atNeighbours_ = false;  ///< in a call that makes or starts a collective among neighbours
    std::set<std::pair<std::int32_t, std::int32_t>> neighbours_;  ///< communicators and tags of such messages
    std::set<std::uint32_t> ofNeighbours_;                        ///< such messages
    std::uint64_t sentToNeighbours_ = 0;                          ///< bytes, by the one that is done next
    std::uint64_t fileOperations_ = 0;
    std::uint64_t count_ = 0;
    std::int64_t calls_ = 0;
    std::int64_t replaced_ = 0;
    std::int64_t apart_ = 0;
};

}  // namespace traces::otf2
