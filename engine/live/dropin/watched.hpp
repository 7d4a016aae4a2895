// SPDX-License-Identifier: BSD-3-Clause
// One call of the program: carried out by a rule or by the library, and recorded.
#pragma once

#include "engine/live/dropin/later.hpp"
#include "engine/live/dropin/session.hpp"

namespace engine::mpi::dropin {

class Watched {
public:
    Watched(live::Called called, const Arguments& arguments, MPI_Comm comm)
        : session_{inside || comm == MPI_COMM_NULL ? nullptr : Session::current()},
          arguments_{arguments},
          comm_{comm},
          call_{.begin = session_ != nullptr ? now() : 0, .called = called} {}

    /// By a rule, or by `native`. Then it is recorded: nothing is looked at before the call unless a rule might replace
    /// it. A failure of ours goes to the communicator's error handler, like one of the library's.
    template <class Native>
    int carryOut(Native native) {
        if (session_ == nullptr) return native();
        if (session_->hasRules())
            if (const std::optional<int> code = byRule()) return *code;
        const int code = native();
        if (code == MPI_SUCCESS) done();
        return code;
    }

    /// One that does not block: by a rule, for which `own` stands in where it cannot be followed, or by `native`. It is
    /// not recorded.
    template <class Native>
    int begin(MPI_Request* request, Native native, OnComm own) {
        if (session_ == nullptr || request == nullptr || !session_->hasRules()) return native();
        if (const std::optional<int> code = byRuleLater(request, std::move(own))) return *code;
        return native();
    }

private:
    /// What became of it; nothing where the library has to do it.
    std::optional<int> byRule();
    std::optional<int> byRuleLater(MPI_Request* request, OnComm own);
    /// The communicator, where some rule may fit.
    Communicator* mayBeReplaced();
    int tell(const std::exception& failure, int code) const;
    void done();
    void note(const Communicator& known);

    Session* session_;
    const Arguments& arguments_;
    MPI_Comm comm_;
    live::Call call_;
};

}  // namespace engine::mpi::dropin
