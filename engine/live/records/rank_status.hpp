// SPDX-License-Identifier: BSD-3-Clause
// Where each thread of a process of a program is right now, in a small file that the drop-in library maps into its
// memory. The roll call reads it while the program hangs, or after it was killed (hang_diagnosis.hpp).
//
//   process-3.now = RankStatus
#pragma once

#include "engine/live/records/call_records.hpp"

#include <algorithm>
#include <atomic>

namespace engine::live {

/// What calls that several processes make together are counted by. All members of a channel make its calls in one
/// order.
struct Channel {
    enum class Kind : std::uint8_t {
        none,
        communicator,
        file,        ///< opened on the communicator
        window,      ///< made on the communicator
        persistent,  ///< the starts of one persistent collective of the communicator
        group,       ///< processes of a group that make a communicator
        program      ///< all processes: MPI_Finalize
    };
    std::int32_t team = -1;    ///< the communicator's number in the process' own file of teams; -1: none
    std::uint32_t number = 0;  ///< which of its files, windows or persistent collectives, from 1; of a group its mark
    Kind kind = Kind::none;

    friend bool operator==(const Channel&, const Channel&) = default;
};
constexpr Channel::Kind lastChannelKind = Channel::Kind::program;

/// The last call of a thread.
struct CallStatus {
    std::int64_t begin = 0;     ///< nanoseconds of the process' own clock
    std::int64_t end = 0;       ///< 0: it is in it
    std::int64_t sequence = 0;  ///< its number among the calls of `channel`, from 1; 0: it belongs to none
    std::int64_t count = -1;    ///< elements or requests that its arguments name; -1: one number does not say it
    Bytes sent = -1;            ///< as Call has it; -1: not known
    Bytes received = -1;
    Channel channel{};
    std::int32_t team = -1;     ///< number in the process' own file of teams; -1: none
    std::int32_t peer = -1;     ///< rank in the communicator: the root, or whom a message goes to or comes from
    std::int32_t request = -1;  ///< of those that it completes: the one that it waits for now, from 0; -1: not known
    std::int32_t tag = -1;
    std::uint32_t polls = 0;   ///< how often in a row it looked for the same and did not find it; it looks, and goes on
    Other what = Other::none;  ///< the call, where `kind` is step
    Called called{};           ///< the call, where `kind` is call; else the collective that `request` is
    Other awaited = Other::none;  ///< what else `request` is: MPI_Comm_idup
    std::uint16_t site = 0;
    Kind kind = Kind::step;
    std::uint8_t operation = 0;          ///< of operationNames
    CallEffect deed = CallEffect::none;  ///< of the request: postSend, postReceive; else it is `awaited` or `called`
};

/// The call before stays whole while the next one is written: a process may be killed, or read, at any moment.
struct CallStatusSlot {
    std::atomic<std::uint32_t> written{0};  ///< how many calls; the last one lies at this number modulo 2
    std::array<CallStatus, 2> stands{};

    [[nodiscard]] const CallStatus& last() const noexcept {
        return stands[written.load(std::memory_order_acquire) % 2];
    }
    void write(const CallStatus& fresh) noexcept {
        const std::uint32_t next = written.load(std::memory_order_relaxed) + 1;
        stands[next % 2] = fresh;
        written.store(next, std::memory_order_release);
    }
    void left(std::int64_t when) noexcept { stands[written.load(std::memory_order_relaxed) % 2].end = when; }
};

/// A call of a channel as this process made it.
struct Entered {
    std::int64_t sequence = 0;  ///< 0: none
    std::int64_t count = -1;    ///< these as in Stand
    Bytes sent = -1;
    Bytes received = -1;
    std::int32_t root = -1;
    Other what = Other::none;
    Called called{};
    std::uint16_t site = 0;
    Kind kind = Kind::step;
    std::uint8_t operation = 0;
};

/// The latest calls of a channel that a process entered or, of those that do not block, began.
struct EnteredSlot {
    static constexpr std::size_t kept = 8;

    Channel channel{};
    std::int64_t last = 0;               ///< the greatest sequence
    std::array<Entered, kept> latest{};  ///< by sequence, modulo `kept`
};

/// A window of another process that this one has locked.
struct HeldLock {
    Channel window{};
    std::int32_t target = 0;  ///< rank in the communicator, or `everyone`
    std::int32_t state = 0;   ///< 0: none here; 1: shared; 2: exclusive
};

/// How often a process began and ended epochs of a window with another one, for calls that wait for that one.
struct Epochs {
    Channel window{};
    std::int32_t peer = -1;  ///< rank in the communicator
    std::int32_t posts = 0;  ///< MPI_Win_post that name it
    std::int32_t starts = 0;
    std::int32_t completes = 0;
    std::int32_t waits = 0;
};

struct RankStatus {
    static constexpr std::uint64_t expectedMagic = 0x34'77'6f'6e'6c'6f'63ULL;
    static constexpr std::size_t mostThreads = 16;
    static constexpr std::size_t mostChannels = 64;
    static constexpr std::size_t mostLocks = 16;
    static constexpr std::size_t mostEpochs = 64;

    std::uint64_t magic = expectedMagic;
    std::int32_t process = 0;
    std::int32_t processes = 0;
    std::int64_t pid = 0;
    std::array<char, 64> host{};
    std::array<CallStatusSlot, mostThreads> threads{};  ///< by the order of their first calls
    std::array<EnteredSlot, mostChannels> channels{};
    std::int32_t forgotten =
        0;  ///< channels for which there was no slot any more: of one without a slot nothing is known
    std::array<HeldLock, mostLocks> locks{};
    std::array<Epochs, mostEpochs> epochs{};

    /// Keeps that `stand`, a call of a channel, was entered. One thread at a time.
    void enters(const CallStatus& stand) noexcept;
    /// The calls of a channel; null where there is no slot for it.
    [[nodiscard]] const EnteredSlot* of(const Channel& channel) const noexcept;
};

/// The file of a process in the folder of its record.
std::filesystem::path rankStatusFileOf(const std::filesystem::path& folder, std::int32_t process);

}  // namespace engine::live
