// SPDX-License-Identifier: BSD-3-Clause
// The drop-in library from MPI_Init to MPI_Finalize of a program of anyone: what it was told to do, its record, and
// what it knows of the program's communicators.
//
//   COLLSCOPE_TRACE=FOLDER   where the archive goes; collscope-trace without it, no record when it is empty
//   COLLSCOPE_RULES=FILE     which calls are replaced by what (engine/live/replacement_rules.hpp)
//   COLLSCOPE_CALLS=N        calls that a process has room for; 262144 without it
//   COLLSCOPE_INSIDE=no      does not record messages of the MPI library within collectives
//   COLLSCOPE_COLLECTOR=ID   bootId() of the machine of who started the program and makes the archive after its
//                            end, if all processes run there; `collscope record` sets it
#pragma once

#include "engine/live/mpi/mpi_library.hpp"
#include "engine/live/mpi/recorder.hpp"
#include "engine/live/pmpi/library_internals/internal.hpp"
#include "engine/live/pmpi/recorded_archive.hpp"
#include "engine/live/pmpi/recording/call_sites.hpp"
#include "engine/live/pmpi/recording/communicator.hpp"
#include "engine/live/pmpi/recording/communicator_table.hpp"
#include "engine/live/pmpi/recording/element_types.hpp"
#include "engine/live/pmpi/recording/requests.hpp"
#include "engine/live/pmpi/recording/windows.hpp"
#include "engine/live/pmpi/replacement/argument_checker.hpp"
#include "engine/live/records/rank_status.hpp"
#include "engine/live/replacement_rules.hpp"

#include <unistd.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

namespace engine::mpi::pmpi {

/// True on a thread while the library itself calls MPI: such calls pass.
inline thread_local bool inside [[gnu::tls_model("initial-exec")]] = false;

/// True on a thread within a recorded call: what the program's own functions call there is part of it.
inline thread_local bool watching [[gnu::tls_model("initial-exec")]] = false;
/// The last recorded call of this thread looked for something and found nothing.
inline thread_local bool polledLast [[gnu::tls_model("initial-exec")]] = false;

/// The recorded call that a thread is in, for a program that ends there.
struct RecordedNow {
    void* call = nullptr;  ///< null: none
    live::Other what = live::Other::none;
    live::Called called{};                           ///< of none of these
    void (*failed)(void* call, int code) = nullptr;  ///< it returned that error code
};
inline thread_local RecordedNow recordedNow [[gnu::tls_model("initial-exec")]];
/// The code that a call of MPICH is about to return, as long as its error handler has not let it; 0: none.
inline thread_local int failing [[gnu::tls_model("initial-exec")]] = 0;

class InsideRecorder {
public:
    InsideRecorder() : before_{inside} { inside = true; }
    ~InsideRecorder() { inside = before_; }
    InsideRecorder(const InsideRecorder&) = delete;
    InsideRecorder& operator=(const InsideRecorder&) = delete;

private:
    bool before_;
};

/// One sentence on stderr.
void complain(const std::string& sentence);

/// Whether it is true on all processes.
bool trueOnAll(bool own, MPI_Comm comm);

/// What process 0 decided for all.
struct RecorderOptions {
    std::string mistake{};  ///< why the program must not start; empty: nothing
    std::string folder{};   ///< empty: no record
    std::string rules{};    ///< the words of the file
    std::string rulesFile{};
    std::string collector{};  ///< bootId() of who makes the archive after the end; empty: process 0 does before
    std::int64_t room = 0;
    std::int64_t inside = 0;  ///< room for what happens within collectives; 0: none of it is recorded
};

class RecorderSession {
public:
    /// Called by all processes when MPI has begun. A mistake in what was asked ends the program here, with one
    /// sentence.
    /// `what` began at `begin`: it is the first call in the record.
    static void start(live::Other what, std::int64_t begin, const Caller& caller);
    /// Called by all processes before MPI ends.
    static void finish(const Caller& caller);
    /// Null while there is none: before, after, and when there is nothing to do.
    static RecorderSession* current() noexcept { return current_.load(std::memory_order_acquire); }

    /// The MPI library ends the program because a call returned `code`, or because it called MPI_Abort.
    static void endsBy(int code) noexcept;
    /// The process ends itself by `how`, "exit" or "_exit". Allocates nothing: handlers of signals may end it.
    static void exits(const char* how, int status) noexcept;

    /// What is known of `comm`, looked at more closely when it is first met. Null when the library does not know it.
    Communicator* of(MPI_Comm comm);
    /// The same of one that was met before. Asks nothing of the library, which would complain of a handle that is none.
    Communicator* known(MPI_Comm comm) noexcept { return known_.find(comm); }
    /// The program made a communicator; called by all its processes at once. All make those of the same members in one
    /// order, but may use them in any: what they have to know alike, or to make together, is settled here.
    void made(MPI_Comm comm);
    [[nodiscard]] bool hasRules() const { return !rules_.empty(); }
    [[nodiscard]] const std::vector<live::Rule>& rules() const { return rules_; }
    [[nodiscard]] ArgumentChecker& argumentChecker() { return argumentChecker_.value(); }
    [[nodiscard]] bool records() const { return recorder_ != nullptr; }
    /// Of this thread.
    void record(const live::Event& event) noexcept;
    /// Counts a call that found nothing. `since`: nanoseconds since the previous call of its thread began, if that one
    /// found nothing either; else 0. Those that follow each other are recorded as one call when another one is
    /// recorded, with the sum of their times, at the end of their span.
    void polled(live::Other call, std::uint16_t site, std::int64_t begin, std::int64_t end,
                std::int64_t since) noexcept;
    /// The same of what the MPI library does within a collective. Gives its place; null where there was none.
    live::Event* recordInside(const live::Event& event) noexcept;
    /// The number of where the program calls.
    std::uint16_t site(const Caller& caller);
    /// This thread enters a call, and leaves it: for who reads where it stands.
    void enters(const live::CallStatus& stand) noexcept;
    void left(std::int64_t when) noexcept;
    [[nodiscard]] Requests& requests() { return requests_; }
    [[nodiscard]] Windows& windows() { return windows_; }
    [[nodiscard]] FileHandles& files() { return files_; }
    [[nodiscard]] ElementTypes& types() { return knownTypes_; }
    [[nodiscard]] Internal& internal() { return internal_; }
    /// A line of the file of teams.
    void describe(const std::string& line);
    /// The file of a communicator has this name.
    void opened(std::int32_t team, std::uint32_t number, const char* name);
    /// The next time that the processes `members`, ranks of MPI_COMM_WORLD, make a communicator by `tag`.
    CollectivePosition nextOfGroup(const std::vector<std::int32_t>& members, std::string_view tag);
    /// What the program holds and does with windows, for who reads where it stands.
    void locks(const live::Channel& window, std::int32_t target, std::int32_t state) noexcept;
    void epoch(const live::Channel& window, const std::vector<std::int32_t>& peers,
               std::int32_t live::Epochs::*count) noexcept;
    void freed(const live::Channel& window) noexcept;
    /// Keeps what was posted; what its handle stood for before is done.
    void posted(MPI_Request request, const Pending& pending);
    /// Messages that the program has matched and not received yet, by their communicators.
    void matched(MPI_Message message, std::int32_t team);
    std::optional<std::int32_t> teamOfMatched(MPI_Message message);
    /// The program gives a communicator a name.
    void named(MPI_Comm comm, const char* name);
    /// A rule fitted but could not be followed, in one call.
    void refused(const std::string& why);

    /// Whether all processes may call MPI from several threads at once, as calls that are replaced and do not block
    /// need.
    [[nodiscard]] bool hasThreads() const { return threads_; }
    /// Such a call begins, ends, and was replaced.
    void begins() {
        if (underWay_ == 0) freeKept();
        ++underWay_;
    }
    void ends() noexcept { --underWay_; }
    void replacedLater() noexcept { ++replacedLater_; }
    /// Whether the program's type or operation has to be kept, because calls in progress may still use it. It is freed
    /// when they have finished.
    bool keepsType(MPI_Datatype type);
    bool keepsOperation(MPI_Op operation);

    /// Ranks of MPI_COMM_WORLD; MPI_UNDEFINED for processes of another world.
    [[nodiscard]] std::vector<std::int32_t> worldRanks(MPI_Group group) const;
    /// The number of a communicator in the file of teams, which learns of it.
    std::int32_t introduce(const live::Team& team);

private:
    explicit RecorderSession(RecorderOptions options);
    void askForThreads();
    /// What was kept and is used no more.
    void freeKept();
    void openRecord();
    void writeProcessors();
    void recordPolls() noexcept;
    void writeTeams(const std::string& line);
    void closeRecord(const Caller& caller);
    /// Writes down, once, how this process ends before MPI_Finalize: by `how`, or within the recorded call.
    void ended(int status, const char* how, std::string_view error) noexcept;
    void openStatus(const std::filesystem::path& folder);
    /// Called by all processes.
    void removeRecords() const;
    void collect();
    void hand() const;
    /// Who started the program makes the archive when it has ended; the same on all processes.
    [[nodiscard]] bool isCollectedLater() const;
    [[nodiscard]] live::Record ask(std::int32_t process) const;
    [[nodiscard]] live::Calls everyone() const;
    static int forget(MPI_Comm comm, int, void* known, void* session);

    static std::atomic<RecorderSession*> current_;

    RecorderOptions options_;
    std::vector<live::Rule> rules_;
    std::optional<ArgumentChecker> argumentChecker_;  ///< where there are rules
    MPI_Comm comm_ = MPI_COMM_NULL;                   ///< all processes, for the library's own words
    MPI_Group world_ = MPI_GROUP_NULL;
    int process_ = 0;
    int processes_ = 1;
    int key_ = MPI_KEYVAL_INVALID;
    bool apart_ = false;  ///< processes have clocks of their own
    CommunicatorTable known_;
    std::unique_ptr<Recorder> recorder_;
    live::RankStatus* status_ = nullptr;  ///< as long as there is a recorder
    CallSites sites_;
    Requests requests_;
    Windows windows_;
    FileHandles files_;
    ElementTypes knownTypes_;
    Internal internal_{*this};
    std::atomic<std::int64_t> calls_{0};            ///< events of the program's calls, recorded or not
    std::atomic<std::int64_t> insides_{0};          ///< events within collectives, likewise
    std::map<std::uint32_t, std::int64_t> groups_;  ///< calls of each
    std::mutex statusMutex_;                        ///< of what all threads write there
    std::map<MPI_Message, std::int32_t> matched_;
    std::mutex seldom_;  ///< never taken once a communicator is known
    std::string teams_;
    int teamsFile_ = -1;
    pid_t pid_ = getpid();  ///< processes that this one starts by fork() are not recorded
    std::atomic<bool> hasEnded_{false};
    std::int32_t teamCount_ = 0;
    std::int64_t switchesBefore_ = 0;  ///< involuntary ones, before the record
    struct Polled {
        std::atomic<std::int64_t> calls{0}, nanoseconds{0}, within{0};
    };
    std::array<Polled, static_cast<std::size_t>(live::Other::none)> polled_{};  ///< by call
    bool threads_ = false;
    std::atomic<std::int64_t> underWay_{0};
    std::atomic<std::int64_t> replacedLater_{0};
    std::vector<MPI_Datatype> types_;               ///< kept
    std::vector<MPI_Op> operations_;                ///< kept
    std::map<std::string, std::int64_t> refusals_;  ///< calls by why
};

}  // namespace engine::mpi::pmpi
