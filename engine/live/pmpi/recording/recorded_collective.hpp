// SPDX-License-Identifier: BSD-3-Clause
// One call of the program: carried out by a rule or by the library, and recorded.
#pragma once

#include "engine/live/pmpi/recording/recorder_session.hpp"
#include "engine/live/pmpi/recording/returned_error.hpp"
#include "engine/live/pmpi/replacement/nonblocking_queue.hpp"

namespace engine::mpi::pmpi {

/// What the arguments of a collective say of it, and its communicator, which must have a number.
void describe(live::Call& call, const Communicator& comm, const Arguments& arguments);

class RecordedCollective {
public:
    /// `large`: its counts may be too many for an int, and no rule replaces it.
    RecordedCollective(live::Called called, const Arguments& arguments, MPI_Comm comm, const Caller& caller, bool large)
        : session_{inside || comm == MPI_COMM_NULL ? nullptr : RecorderSession::current()},
          arguments_{arguments},
          comm_{comm},
          large_{large},
          call_{.begin = session_ != nullptr ? now() : 0, .called = called} {
        if (session_ != nullptr && session_->records() && !watching) enter(caller);
    }
    ~RecordedCollective() {
        if (!recorded_) return;
        session_->left(call_.end != 0 ? call_.end : now());
        Internal::leaves();
        recordedNow = {};
        watching = false;
    }
    RecordedCollective(const RecordedCollective&) = delete;
    RecordedCollective& operator=(const RecordedCollective&) = delete;

    /// By a rule, or by `native`. Then it is recorded: nothing is looked at before the call unless a rule might replace
    /// it. A failure of ours goes to the communicator's error handler, like one of the library's.
    template <class Native>
    int carryOut(Native native) {
        if (session_ == nullptr) return native();
        if (mayFollowRules())
            if (const std::optional<int> code = byRule()) return *code == MPI_SUCCESS ? *code : failed(*code);
        const int code = native();
        if (code != MPI_SUCCESS) return failed(code);
        done();
        return code;
    }

    /// One that does not block: by a rule, for which `own` stands in where it cannot be followed, or by `native`.
    template <class Native>
    int begin(MPI_Request* request, Native native, OnComm own) {
        if (session_ == nullptr || request == nullptr) return native();
        std::optional<int> code = mayFollowRules() ? byRuleLater(request, std::move(own)) : std::nullopt;
        const bool byLibrary = !code;
        if (byLibrary) code = native();
        if (*code != MPI_SUCCESS) return failed(*code);
        posted(*request, byLibrary);
        return *code;
    }

private:
    /// Whether rules may replace the call. They do not replace calls with large counts; the end of the program says so.
    bool mayFollowRules();
    /// What became of it; nothing where the library has to do it.
    std::optional<int> byRule();
    std::optional<int> byRuleLater(MPI_Request* request, OnComm own);
    /// The communicator, where some rule may fit.
    Communicator* mayBeReplaced();
    int tell(const std::exception& failure, int code) const;
    void done();
    /// Gives `code` back.
    int failed(int code);
    void posted(MPI_Request request, bool byLibrary);
    void enter(const Caller& caller);
    /// Whether its communicator is one that is recorded. One that was not met before is looked at when the library has
    /// taken it, lest a handle that is none be complained of by a call that the program did not make.
    bool isKnown();
    void note();

    RecorderSession* session_;
    const Arguments& arguments_;
    MPI_Comm comm_;
    bool large_;
    live::Call call_;
    bool recorded_ = false;
    Communicator* known_ = nullptr;  ///< where it was met
    CollectivePosition together_{};  ///< its place among the calls that all of it make together, where it was met
};

}  // namespace engine::mpi::pmpi
