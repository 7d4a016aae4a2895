// SPDX-License-Identifier: BSD-3-Clause
// One call of the program that is recorded beside the collectives, from its start to its end.
#pragma once

#include "engine/live/pmpi/recording/recorder_session.hpp"
#include "engine/live/pmpi/recording/returned_error.hpp"

#include <span>

namespace engine::mpi::pmpi {

class RecordedCall {
public:
    /// Calls within a recorded one, by functions of the program that MPI calls, are part of it.
    RecordedCall(live::Other what, const Caller& caller);
    ~RecordedCall();
    RecordedCall(const RecordedCall&) = delete;
    RecordedCall& operator=(const RecordedCall&) = delete;

    /// Whether it is recorded.
    explicit operator bool() const { return session_ != nullptr; }
    [[nodiscard]] RecorderSession& session() { return *session_; }

    /// For who reads where the process stands: it is about to be carried out.
    void enter(MPI_Comm comm, std::int32_t peer, std::int32_t tag, std::int64_t count);
    /// The same of a call that completes `count` requests: from now on it waits for the one at `place`, which is given
    /// back where it is known.
    std::optional<Pending> waits(int place, int count, RequestKey key);
    /// It completes requests and does not know which of them it waits for first.
    void waitsForAny(int count, std::span<const RequestKey> keys);
    /// It looked for something and did not find it: a message of `comm`, or the requests `keys`, for which a program
    /// that looks again and again waits.
    void foundNothing(MPI_Comm comm, std::int32_t peer, std::int32_t tag);
    /// `all`: those requests, where all of them must be done; else null.
    void foundNothing(int count, std::span<const RequestKey> keys, const MPI_Request* all = nullptr);
    /// The next call that all of a communicator, file or window make together.
    [[nodiscard]] CollectivePosition next(MPI_Comm comm);
    [[nodiscard]] CollectivePosition next(const OfFile& file) { return session_->files().next(file.file); }
    [[nodiscard]] CollectivePosition next(const OfWindow& window) { return session_->windows().next(window.window); }
    void enterTogether(const CollectivePosition& together);
    template <class Channel>
    void enterTogether(const Channel& channel) {
        enterTogether(next(channel));
    }
    /// At a window: `peer` is the rank that it is about, `everyone` for all; `tag`: of a lock, whether it is exclusive.
    void enterAt(MPI_Win window, std::int32_t peer, std::int32_t tag);
    /// It begins `request`, which all of `together` begin. `made`: what completing it makes. Gives its number; 0 where
    /// it is not followed.
    std::uint32_t begun(MPI_Request request, const CollectivePosition& together, MPI_Comm* made = nullptr,
                        const NeighbourShare& neighbours = {});
    /// What this process moves in a collective among neighbours; nothing where its communicator is not known.
    [[nodiscard]] NeighbourShare shareOf(std::int32_t operation, MPI_Comm comm, const Arguments& arguments);
    /// Such a collective is done, as the deed of the call, which blocks, or of `request`.
    [[nodiscard]] live::Step exchanged(const NeighbourShare& share, std::uint32_t request = 0);
    /// What it does to one message; nothing where the communicator or the peer is none that is known.
    [[nodiscard]] live::Step message(live::CallEffect deed, MPI_Comm comm, std::int32_t peer, std::int32_t tag,
                                     std::int64_t count, MPI_Datatype type);
    /// The same of one that came, as its status says. `team` is that of its communicator. With an error, `code`,
    /// nothing says how many bytes there were.
    [[nodiscard]] live::Step came(live::CallEffect deed, std::optional<std::int32_t> team, const MPI_Status& status,
                                  int code);
    /// The number of a communicator, where it has one.
    [[nodiscard]] std::optional<std::int32_t> teamOf(MPI_Comm comm);

    /// It reads or writes so much of a file, as its name says.
    void accessed(MPI_File file, Bytes bytes);
    /// Something beside the call's own deed.
    void part(live::Step step);
    void completed(const Pending& pending, const MPI_Status& status, int code = MPI_SUCCESS);
    /// A persistent request was.
    void started(MPI_Request request) { started(request, begin_); }
    /// The same of one of several: it began at `begin`.
    void started(MPI_Request request, std::int64_t begin);
    /// The call itself, which did `own`.
    void done(const live::Step& own = {});
    /// An error of one of several things that the call did.
    void error(const ReturnedError& error) { part(error.step()); }
    /// It returned an error, `own` being what it did all the same. Gives `code` back.
    int failed(int code, const live::Step& own = {});
    /// The call itself, which all of the communicator make that it was entered with, be it by a file or a window.
    void doneTogether();
    void doneTogether(MPI_Comm comm);
    void doneTogether(const OfFile&) { doneTogether(); }
    void doneTogether(const OfWindow&) { doneTogether(); }

private:
    /// What a call stands at that waits for a request.
    [[nodiscard]] live::CallStatus standAt(int place, int count, const std::optional<Pending>& pending) const;
    void polls(live::CallStatus stand, RequestKey key);
    RecorderSession* session_ = nullptr;
    std::int64_t begin_ = 0;
    std::uint16_t site_ = 0;
    live::Other what_;
    bool entered_ = false;
    bool polls_ = false;               ///< it found nothing
    std::int32_t team_ = -1;           ///< of the communicator all of which make it; -1: not known
    Communicator* counted_ = nullptr;  ///< that which has counted it among the calls that all of it make together
};

/// Of elements that are as many as they say.
Bytes bytesMoved(std::int64_t count, MPI_Datatype type);

/// A call of which nothing is recorded but its time.
template <class Channel, class Native>
int plain(live::Other what, const Caller& caller, const Channel& together, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    noted.enterTogether(together);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    noted.doneTogether(together);
    return code;
}

/// One that reads or writes `count` elements of a file.
template <class Channel, class Native>
int accessing(live::Other what, const Caller& caller, MPI_File file, const Channel& together, std::int64_t count,
              MPI_Datatype type, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    noted.enterTogether(together);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    noted.accessed(file, bytesMoved(count, type));
    noted.doneTogether(together);
    return code;
}

}  // namespace engine::mpi::pmpi
