// SPDX-License-Identifier: BSD-3-Clause
// What one process of a live run leaves behind: a file of fixed-size records that it appends to while it runs. A
// process that is killed leaves everything up to its death; whoever started the run reads all files and joins them
// (record_merging.hpp).
//
//   file = Header, then Header::capacity places for an Event, of which the first Header::count are written
#pragma once

#include "engine/base/types.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine::live {

/// Most methods that one job measures in turn.
inline constexpr std::size_t mostEntries = 16;

enum class Kind : std::uint8_t {
    begin,    ///< an execution begins on this process
    send,     ///< a message left
    receive,  ///< a message is in
    turn,     ///< a turn is done, its messages included
    end,      ///< an execution is done: from its start to its end
    start,    ///< split-phase: the first half
    compute,  ///< split-phase: the computation between the halves
    wait,     ///< split-phase: the second half
    call,  ///< a collective of a program (collective_records.hpp): from here on the other members mean something else
    request,    ///< a collective of a program that does not block was posted
    complete,   ///< and is done
    step,       ///< any other call of a program
    part,       ///< what happened within the next call of its thread
    internal,   ///< a message of the MPI library itself, within a collective (call_records.hpp)
    algorithm,  ///< a function of the MPI library that carries out a collective (call_records.hpp)
};

/// One thing that happened. Times are nanoseconds of the process' own monotonic clock.
struct Event {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t round = 0;
    Bytes bytes = 0;
    std::int32_t peer = 0;
    std::int32_t repeat = 0;  ///< index of the execution of its entry, warm-ups not counted
    Kind kind = Kind::begin;
    std::uint8_t detail = 0;  ///< of a call of a program
    std::uint16_t site = 0;   ///< of a call of a program
    std::uint16_t entry = 0;  ///< which of the job's methods
    std::uint16_t place = 0;  ///< among the sends, or receives, of the turn
};
static_assert(sizeof(Event) == 48);

enum class State : std::int32_t {
    started,  ///< it runs, or died without a word
    done,     ///< it came to the end
    stopped,  ///< whoever started the run asked it to end
    failed,   ///< it ended itself; `fault` says why
    ended,    ///< SIGTERM from somebody else ended it
};

/// Difference between a process' clock and that of process 0: the process' clock shows `offset` more when it shows `at`
/// [ns].
struct ClockSample {
    std::int64_t at = 0;
    std::int64_t offset = 0;
};

/// Of one program; a record that names more is damaged.
inline constexpr std::int32_t mostProcesses = 1 << 24;

struct Header {
    static constexpr std::uint64_t expectedMagic = 0x31'30'65'70'6f'63'73'6cULL;

    std::uint64_t magic = expectedMagic;
    std::int32_t process = 0;  ///< in the whole job
    std::int32_t processes = 0;
    std::int64_t pid = 0;
    std::array<char, 64> host{};
    std::array<char, 128> library{};  ///< what the MPI library calls itself
    /// The rank this process had in each entry; -1 where it stood aside.
    std::array<std::int32_t, mostEntries> ranks{};
    /// Nanoseconds it took once to make the communicators of each entry.
    std::array<std::int64_t, mostEntries> setUp{};
    std::array<ClockSample, 2> clock{};  ///< before and after the executions; equal where all share one clock
    std::int64_t capacity = 0;
    std::atomic<std::int64_t> count{0};
    std::int64_t dropped = 0;  ///< events for which there was no place
    // Where it is right now, for a process that dies.
    std::int64_t turnBegan = 0;
    std::int64_t round = 0;
    std::int32_t repeat = 0;  ///< below 0 while it warms up
    std::int32_t entry = 0;
    std::atomic<State> state{State::started};
    std::int32_t faultEntry = 0;
    std::array<char, 504> fault{};  ///< the first wrong byte, of `faultEntry`, or why it failed; empty when all is well
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free && std::atomic<State>::is_always_lock_free);

/// Writes as much of `words` as there is room for, and a final zero.
template <std::size_t Size>
void keep(std::array<char, Size>& place, std::string_view words) {
    const std::size_t length = words.size() < Size - 1 ? words.size() : Size - 1;
    words.copy(place.data(), length);
    place[length] = '\0';
}

/// What one process left.
struct Record {
    std::int32_t process = 0;
    std::int32_t processes = 0;
    std::int64_t pid = 0;
    std::string host{};
    std::string library{};
    std::array<std::int32_t, mostEntries> ranks{};
    std::array<std::int64_t, mostEntries> setUp{};
    std::array<ClockSample, 2> clock{};
    std::int64_t dropped = 0;
    std::int64_t turnBegan = 0;
    Round round{0};
    std::int32_t repeat = 0;
    std::int32_t entry = 0;
    State state = State::started;
    std::int32_t faultEntry = 0;
    std::string fault{};
    std::vector<Event> events{};

    /// A time of this process on the clock of process 0; between two samples the offset is taken to drift evenly.
    [[nodiscard]] std::int64_t common(std::int64_t own) const;
};

/// The file of process `process` in the folder of a job.
std::filesystem::path fileOf(const std::filesystem::path& folder, std::int32_t process);

/// Reads the bytes of a file; throws Error when they are none of these.
Record recordFrom(std::span<const std::byte> bytes);

/// Reads one file; throws Error when it is none of these.
Record readRecord(const std::filesystem::path& file);

/// All records in `folder`, by process; those of processes that never started are missing.
std::vector<Record> readRecords(const std::filesystem::path& folder);

/// For launchers that kill all processes without a word when one gives up: where a record in `folder` says that its
/// process failed, those that left no word were stopped. Changes nothing otherwise. Throws Error when a file cannot be
/// written.
void noteStopped(const std::filesystem::path& folder);

/// The share of its events that process 0 has recorded, 0..1: how far a running job has come. 0 when it has not
/// started.
double shareDone(const std::filesystem::path& folder);

}  // namespace engine::live
