// SPDX-License-Identifier: BSD-3-Clause
// What the MPI library does within the collectives of a program: the messages that it sends, and the functions that
// carry them out. How they are seen depends on the library: openmpi.cpp, mpich.cpp.
#pragma once

#include "engine/live/pmpi/recording/call_sites.hpp"
#include "engine/live/records/call_records.hpp"

#include <mpi.h>

#include <atomic>
#include <mutex>

namespace engine::mpi::pmpi {

class Communicator;
class RecorderSession;

/// The call of the program that a thread is in.
struct CurrentCall {
    std::uint32_t number = 0;            ///< counts the calls of the thread
    bool isJoint = false;                ///< all of a communicator make it: what is sent within it is the library's own
    const Communicator* comm = nullptr;  ///< of a collective, where it was met
    live::Event* carrier = nullptr;      ///< the first function that was recorded within it
};
inline thread_local CurrentCall currentCall [[gnu::tls_model("initial-exec")]];

class Internal {
public:
    explicit Internal(RecorderSession& session) : session_{session} {}

    /// Begins to watch, on all processes or on none, and writes down why not. `ours`: a communicator of all processes.
    void start(MPI_Comm ours, bool isWanted);
    void stop();
    [[nodiscard]] bool isOn() const { return on_.load(std::memory_order_relaxed); }

    /// The program enters and leaves a call.
    static void enters(bool isJoint, const Communicator* comm = nullptr) noexcept {
        currentCall = {.number = currentCall.number + 1, .isJoint = isJoint, .comm = comm};
    }
    static void leaves() noexcept { currentCall.isJoint = false; }
    /// A collective of `comm` is done that began at `begin`: records which component carried it out.
    void carried(live::Called called, MPI_Comm comm, std::int64_t begin) noexcept;
    /// What carries out a persistent collective of `comm`, which is not recorded yet, and that it did so.
    [[nodiscard]] live::Carrier persistentOf(live::Called called, MPI_Comm comm);
    void carried(live::Carrier carrier, std::int64_t begin) noexcept;

    /// A message is about to be posted. Null where it is not recorded.
    [[nodiscard]] live::Event* post(live::CallEffect deed, std::int32_t team, std::int32_t peer, std::int32_t tag,
                                    Bytes bytes) noexcept;
    /// The number of a communicator of the library itself; those of the same members share it.
    [[nodiscard]] std::int32_t teamOf(const std::vector<std::int32_t>& members);
    /// The number of a function of the MPI library. `arguments`: names of those that are recorded.
    [[nodiscard]] std::uint16_t numberOf(const void* code, const char* arguments = "");
    /// What the record lacks.
    void limit(std::string_view sentence);

private:
    RecorderSession& session_;
    std::atomic<bool> on_{false};
    Addresses codes_;
    std::mutex mutex_;
    std::map<std::vector<std::int32_t>, std::int32_t> teams_;
};

/// The size of a message that became known when it was posted; another thread may complete it already.
void setBytes(live::Event& message, Bytes bytes) noexcept;
/// A message was found complete now; of a receive: so many bytes came from `peer`.
void complete(live::Event& message) noexcept;
void complete(live::Event& message, std::int32_t peer, Bytes bytes) noexcept;

/// What depends on the MPI library.
namespace library {

/// Begins to watch messages. Gives why it cannot; empty: it does. Called by all processes together.
std::string watch(Internal& internal, MPI_Comm ours);
void unwatch() noexcept;
/// The program's communicators, from when they are met until they are freed.
void met(MPI_Comm comm, const Communicator& known);
void freed(const Communicator& known) noexcept;

/// How a collective of a communicator is carried out, or its persistent variant; null: not known.
struct Carried {
    const void* function = nullptr;
    const void* component = nullptr;  ///< a function of it
};
Carried carriedBy(live::Called called, MPI_Comm comm, bool isPersistent = false) noexcept;

/// Variables of the environment that select algorithms: their prefix, the number of leading characters that are not
/// recorded, and a prefix of variables that the launcher sets, which are skipped.
struct Setting {
    std::string_view prefix;
    std::size_t dropped = 0;
    std::string_view except{};
};
std::span<const Setting> settings();

}  // namespace library
}  // namespace engine::mpi::pmpi
