// SPDX-License-Identifier: BSD-3-Clause
// The calls of a program beside its collectives (collective_records.hpp), as the drop-in library records them: one
// event for each, after events of what happened within it and needs one of its own. And what the MPI library does
// within a collective, with times of its own.
#pragma once

#include "engine/live/records/collective_records.hpp"

namespace engine::live {

/// By their names: MPI_Send is Other::Send.
enum class Other : std::uint16_t {
#define OWN(name, group) name,
#define PLAIN(name, group, together, parameters, names) name,
#include "engine/live/records/program.inc"
#undef OWN
#undef PLAIN
    none
};

enum class OtherGroup : std::uint8_t { setup, message, group, freeing, collective, oneSided, file };

/// "MPI_Send".
std::string_view nameOf(Other call);
OtherGroup groupOf(Other call);

/// The error classes of the MPI standard by name; the first stands for one that the program or the library added.
inline constexpr std::array errorClassNames = std::to_array<std::string_view>({
    "user-defined error class",
#define ERROR_CLASS(name, refuses) "MPI_ERR_" #name,
#define ERROR_CLASS_4(name, refuses) "MPI_ERR_" #name,
#include "engine/live/records/error_classes.inc"
#undef ERROR_CLASS
#undef ERROR_CLASS_4
});

/// What a call does to a message.
enum class CallEffect : std::uint8_t {
    none,
    send,         ///< sends it
    postSend,     ///< begins a request that does
    sent,         ///< that request is done
    receive,      ///< receives it
    postReceive,  ///< begins a request that does
    received,     ///< that request is done
    cancelled,    ///< a request ended without
    meet,         ///< no message: all of a window meet
    // Of a window of `team`: `request` says which of those that it has had, from 1.
    member,          ///< `peer` is one of those that the call opens its window to, or whose it means to write and read
    together,        ///< with all members that are parts of the call, as MPI_Win_post and variants
    lock,            ///< that of `peer`; tag: 1 alone, 0 beside others
    unlock,          ///< that of `peer`
    put,             ///< into that of `peer`
    get,             ///< out of that of `peer`
    change,          ///< that of `peer`, by an operation
    flush,           ///< what was done to that of `peer` is done
    failed,          ///< none: the call returned error class `tag` and may have communicated before
    refused,         ///< none: the call returned error class `tag` and did nothing
    join,            ///< none: all of `team` make the call, which makes or frees a communicator, a window or a file
    postCollective,  ///< none: a part with times of its own that starts a persistent collective of `team`, `request`
    postNeighbours,  ///< the same of one among neighbours, whose messages are those of the MPI library
    // Of a collective among neighbours, `tag` of neighbourCalls; `request`: 0 of one that blocks.
    sentToNeighbours,    ///< none: `bytes` that the one which is done next sends
    doneWithNeighbours,  ///< none: it is done and receives `bytes`
    // Of a file of `team`: `request` says which of those that it has had, from 1.
    openFile,
    closeFile,
    readFile,  ///< `bytes`, as of writeFile
    writeFile,
    foundNothing  ///< none: `bytes` calls of MPI_Test, MPI_Iprobe and variants, one after the other, found nothing
};
constexpr CallEffect lastDeed = CallEffect::foundNothing;
/// Collectives among neighbours: MPI_Neighbor_allgather, ...
inline constexpr std::array<std::string_view, 5> neighbourCalls{"allgather", "allgatherv", "alltoall", "alltoallv",
                                                                "alltoallw"};
/// The peer of what a call does to the windows of all.
constexpr std::int32_t everyone = -1;

/// A call, or a part of one. Lies in a record as an Event; times as there, of most parts those of their call.
struct Step {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    Bytes bytes = 0;
    std::int32_t tag = 0;       ///< of failed, refused: the error class, a place in errorClassNames
    std::uint32_t request = 0;  ///< its number, from 1; 0: none
    std::int32_t peer = 0;      ///< rank in the communicator, of the other group where there are two
    std::int32_t team = 0;      ///< number in the process' own file of teams
    Kind kind = Kind::step;
    CallEffect deed = CallEffect::none;
    std::uint16_t site = 0;  ///< of the program's call, in the file of teams; 0: not known
    Other what = Other::none;
    std::uint16_t thread = 0;
};
static_assert(sizeof(Step) == sizeof(Event) && offsetof(Step, kind) == offsetof(Event, kind) &&
              offsetof(Step, thread) == offsetof(Call, thread) && offsetof(Step, site) == offsetof(Call, site));

/// A message of the MPI library itself. Lies in a record as a Step of kind `internal`: its deed is postSend or
/// postReceive; it was posted at `begin` and found complete at `end`, 0 if it never was. Bytes of a receive are those
/// that arrived, its peer is unknown (below 0) until then where the library accepts any.
///
/// A function of the MPI library that carries out a collective. Lies in a record so, too.
struct Carrier {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::array<std::int32_t, 6> arguments{};  ///< those that the file of teams names
    Kind kind = Kind::algorithm;
    std::uint8_t unused = 0;
    std::uint16_t function = 0;   ///< its number in the file of teams; 0: not known
    std::uint16_t component = 0;  ///< a function of the component to which the collective was given, likewise
    std::uint16_t thread = 0;
};
static_assert(sizeof(Carrier) == sizeof(Event) && offsetof(Carrier, kind) == offsetof(Event, kind) &&
              offsetof(Carrier, thread) == offsetof(Step, thread));

/// Which thread of its process an event of a program belongs to.
std::uint16_t threadOf(const Event& event);

/// Checks all events of a program's record; throws Error where one names what nobody watches.
void requireWatched(const Record& record);

}  // namespace engine::live
