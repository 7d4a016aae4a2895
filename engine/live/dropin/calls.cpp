// SPDX-License-Identifier: BSD-3-Clause
// The entry points that stand before the library's own. Each of them does the call, and then records it: nothing is
// looked at before the call unless a rule might replace it.
#include "engine/live/dropin/data.hpp"
#include "engine/live/dropin/replace.hpp"
#include "engine/live/dropin/session.hpp"

#include <cstdio>
#include <numeric>

namespace engine::mpi::dropin {
namespace {

using live::Call;
using live::Called;

/// One call of the program.
class Watched {
public:
    Watched(Called called, MPI_Comm comm)
        : session_{inside || comm == MPI_COMM_NULL ? nullptr : Session::current()},
          comm_{comm},
          call_{.begin = session_ != nullptr ? now() : 0, .called = called} {}

    /// Carries it out: by `replace`, which answers the number of a rule or nothing, or by `native`. Then records what
    /// `describe` says of it. A failure of ours goes to the communicator's error handler, like one of the library's.
    template <class Replace, class Native, class Describe>
    int carryOut(Replace replace, Native native, Describe describe) {
        if (session_ == nullptr) return native();
        try {
            if (session_->hasRules()) {
                Communicator* const known = session_->of(comm_);
                if (known != nullptr && known->mayReplace(call_.called)) {
                    const Inside guard;
                    if (const Replaced way = replace(*known)) {
                        call_.way = *way;
                        note(*known, describe);
                        return MPI_SUCCESS;
                    }
                }
            }
        } catch (const Failed& failure) {
            return tell(failure, failure.code());
        } catch (const std::exception& failure) {
            return tell(failure, MPI_ERR_OTHER);
        }
        const int code = native();
        if (code != MPI_SUCCESS) return code;
        call_.end = now();
        try {
            if (const Communicator* const known = session_->of(comm_)) note(*known, describe);
        } catch (const std::exception& failure) {
            std::fprintf(stderr, "collscope: a call is not recorded: %s\n", failure.what());
        }
        return code;
    }

private:
    int tell(const std::exception& failure, int code) const {
        std::fprintf(stderr, "collscope: %s\n", failure.what());
        PMPI_Comm_call_errhandler(comm_, code);
        return code;
    }

    template <class Describe>
    void note(const Communicator& known, Describe describe) {
        if (!known.team()) return;
        if (call_.end == 0) call_.end = now();
        call_.team = *known.team();
        describe(known, call_);
        session_->record(call_);
    }

    Session* session_;
    MPI_Comm comm_;
    Call call_;
};

Bytes broughtBytes(const Brought& brought, const Places& places, std::int32_t rank) {
    return brought.buffer == MPI_IN_PLACE ? bytesOf(places.count(rank), places.type)
                                          : bytesOf(brought.count, brought.type);
}

int gather(Called called, const Brought& brought, const Places& places, MPI_Comm comm, auto native) {
    return Watched{called, comm}.carryOut(
        [&](Communicator& known) { return allgather(known, called, brought, places); }, native,
        [&](const Communicator& known, Call& call) {
            call.sent = broughtBytes(brought, places, known.rank());
            std::int64_t elements = std::int64_t{places.each} * known.sources();
            if (places.counts != nullptr)
                elements = std::accumulate(places.counts, places.counts + known.sources(), std::int64_t{0});
            call.received = bytesOf(elements, places.type);
        });
}

/// Who sends and who receives; where there are two groups, the sender's other processes do neither.
void describeBcast(const Communicator& known, Call& call, int count, MPI_Datatype type, int root) {
    call.root = root == MPI_ROOT ? live::root::self : root == MPI_PROC_NULL ? live::root::sameGroup : root;
    if (root == MPI_PROC_NULL) return;
    const Bytes bytes = bytesOf(count, type);
    const bool sends = root == MPI_ROOT || (!known.inter() && root == known.rank());
    call.sent = sends ? bytes : 0;
    call.received = root == MPI_ROOT ? 0 : bytes;
}

}  // namespace
}  // namespace engine::mpi::dropin

using namespace engine::mpi::dropin;
using engine::live::Called;

#pragma GCC visibility push(default)
extern "C" {

int MPI_Init(int* argc, char*** argv) {
    const int code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS) Session::start();
    return code;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    const int code = PMPI_Init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS) Session::start();
    return code;
}

int MPI_Finalize() {
    Session::finish();
    return PMPI_Finalize();
}

int MPI_Barrier(MPI_Comm comm) {
    return Watched{Called::barrier, comm}.carryOut([&](Communicator& known) { return barrier(known); },
                                                   [&] { return PMPI_Barrier(comm); }, [](const auto&, auto&) {});
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return Watched{Called::bcast, comm}.carryOut(
        [&](Communicator& known) { return bcast(known, buffer, count, type, root); },
        [&] { return PMPI_Bcast(buffer, count, type, root, comm); },
        [&](const auto& known, auto& call) { describeBcast(known, call, count, type, root); });
}

int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
    return Watched{Called::allreduce, comm}.carryOut(
        [&](Communicator& known) { return allreduce(known, from, to, count, type, operation); },
        [&] { return PMPI_Allreduce(from, to, count, type, operation, comm); },
        [&](const auto&, auto& call) { call.sent = call.received = bytesOf(count, type); });
}

int MPI_Allgather(const void* from, int sent, MPI_Datatype sentType, void* to, int received, MPI_Datatype receivedType,
                  MPI_Comm comm) {
    return gather(Called::allgather, {from, sent, sentType}, {.buffer = to, .type = receivedType, .each = received},
                  comm, [&] { return PMPI_Allgather(from, sent, sentType, to, received, receivedType, comm); });
}

int MPI_Allgatherv(const void* from, int sent, MPI_Datatype sentType, void* to, const int* received,
                   const int* displacements, MPI_Datatype receivedType, MPI_Comm comm) {
    return gather(Called::allgatherv, {from, sent, sentType},
                  {.buffer = to, .type = receivedType, .counts = received, .displacements = displacements}, comm, [&] {
                      return PMPI_Allgatherv(from, sent, sentType, to, received, displacements, receivedType, comm);
                  });
}

}  // extern "C"
#pragma GCC visibility pop
