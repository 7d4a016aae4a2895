// SPDX-License-Identifier: BSD-3-Clause
// The entry points of messages between two processes.
#include "engine/live/pmpi/recording/recorded_call.hpp"

#include <algorithm>

using namespace engine::mpi::pmpi;
using engine::live::CallEffect;
using engine::live::Other;
using engine::live::Step;

namespace {

template <class Native>
int sending(Other what, const Caller& caller, std::int64_t count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
            Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    noted.enter(comm, to, tag, count);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    noted.done(noted.message(CallEffect::send, comm, to, tag, count, type));
    return code;
}

/// Posts a request, or makes a persistent one that is posted later.
template <class Native>
int posting(Other what, const Caller& caller, CallEffect deed, bool persistent, std::int64_t count, MPI_Datatype type,
            int peer, int tag, MPI_Comm comm, MPI_Request* request, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    Step step = noted.message(deed, comm, peer, tag, count, type);
    if (step.deed != CallEffect::none) {
        Pending pending{
            .number = persistent ? 0 : noted.session().requests().number(), .persistent = persistent, .message = step};
        pending.message.request = step.request = pending.number;
        noted.session().posted(*request, pending);
    }
    noted.done(persistent ? Step{} : step);
    return code;
}

template <class Native>
int receiving(Other what, const Caller& caller, int from, int tag, MPI_Comm comm, MPI_Status* status, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native(status);
    noted.enter(comm, from, tag, -1);
    MPI_Status own;
    MPI_Status* const kept = status == MPI_STATUS_IGNORE ? &own : status;
    const int code = native(kept);
    if (!tookMessage(code)) return noted.failed(code);
    const Step did = from == MPI_PROC_NULL ? Step{} : noted.came(CallEffect::receive, noted.teamOf(comm), *kept, code);
    if (code != MPI_SUCCESS) return noted.failed(code, did);
    noted.done(did);
    return code;
}

/// A look that finds nothing is not recorded: programs look as often as they can. `found`: null of one that waits.
template <class Native>
int looking(Other what, const Caller& caller, MPI_Comm comm, int from, int tag, const int* found, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    if (found == nullptr) noted.enter(comm, from, tag, -1);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    if (found == nullptr || *found != 0) noted.done();
    else noted.foundNothing(comm, from, tag);
    return code;
}

template <class Native>
int exchanging(Other what, const Caller& caller, const Step& sent, MPI_Datatype sentType, MPI_Comm comm, int from,
               MPI_Status* status, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native(status);
    noted.enter(comm, from, sent.tag, sent.bytes);
    MPI_Status own;
    MPI_Status* const kept = status == MPI_STATUS_IGNORE ? &own : status;
    const int code = native(kept);
    if (!tookMessage(code)) return noted.failed(code);
    if (from != MPI_PROC_NULL) noted.part(noted.came(CallEffect::receive, noted.teamOf(comm), *kept, code));
    const Step did = noted.message(CallEffect::send, comm, sent.peer, sent.tag, sent.bytes, sentType);
    if (code != MPI_SUCCESS) return noted.failed(code, did);
    noted.done(did);
    return code;
}

#if MPI_VERSION >= 4
/// One request for a message to another process and one from it. MPICH 4.0.2 does not fill in the status of such a
/// request: the message received is recorded with the source, tag and size that the program passed, unless source or
/// tag is a wildcard.
template <class Native>
int postingBoth(Other what, const Caller& caller, const Step& sent, MPI_Datatype sentType, const Step& got,
                MPI_Datatype gotType, MPI_Comm comm, MPI_Request* request, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    Step send = noted.message(CallEffect::postSend, comm, sent.peer, sent.tag, sent.bytes, sentType);
    Step receive = noted.message(CallEffect::postSend, comm, got.peer, got.tag, got.bytes, gotType);
    if (receive.deed != CallEffect::none) receive.deed = CallEffect::postReceive;
    for (Step* const step : {&send, &receive})
        if (step->deed != CallEffect::none) step->request = noted.session().requests().number();
    Pending pending{.number = receive.request, .message = receive, .sentToo = send};
    pending.hasNoStatus = got.peer != MPI_ANY_SOURCE && got.tag != MPI_ANY_TAG;
    if (receive.deed == CallEffect::none) pending = {.number = send.request, .message = send};
    if (pending.message.deed != CallEffect::none) noted.session().posted(*request, pending);
    if (receive.deed != CallEffect::none) noted.part(send);
    noted.done(pending.message);
    return code;
}
#endif

#if MPI_VERSION >= 4
/// Makes a partitioned request: one message of all partitions each time that it is started. A send is posted by the
/// call that marks its last partition as ready.
template <class Native>
int partitioning(Other what, const Caller& caller, CallEffect deed, int partitions, MPI_Count count, MPI_Datatype type,
                 int peer, int tag, MPI_Comm comm, const MPI_Request* request, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    Step step = noted.message(CallEffect::postSend, comm, peer, tag, partitions * count, type);
    if (step.deed != CallEffect::none) {
        step.deed = deed;
        const bool sends = deed == CallEffect::postSend;
        noted.session().posted(*request, {.persistent = true,
                                          .message = step,
                                          .hasNoStatus = !sends && peer != MPI_ANY_SOURCE && tag != MPI_ANY_TAG,
                                          .partitions = sends ? partitions : 0});
    }
    noted.done();
    return code;
}

template <class Native>
int readying(Other what, const Caller& caller, int partitions, MPI_Request request, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    // Before the library sends: another thread may complete the request at once.
    const auto all = noted.session().requests().ready(request, partitions);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    Step step;
    if (all) step = all->message, step.request = all->number;
    noted.done(step);
    return code;
}
#endif

/// Messages that were matched before they are received: of which communicator.
void matched(RecordedCall& noted, MPI_Comm comm, MPI_Message message) {
    if (message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC)
        if (const auto team = noted.teamOf(comm)) noted.session().matched(message, *team);
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

#define ENTRIES "engine/live/pmpi/interception/message_entries.inc"
#include "engine/live/pmpi/counts.inc"

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
    return looking(Other::Probe, HERE, comm, from, tag, nullptr, [&] { return PMPI_Probe(from, tag, comm, status); });
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* found, MPI_Status* status) {
    return looking(Other::Iprobe, HERE, comm, from, tag, found,
                   [&] { return PMPI_Iprobe(from, tag, comm, found, status); });
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
    RecordedCall noted{Other::Mprobe, HERE};
    if (!noted) return PMPI_Mprobe(from, tag, comm, message, status);
    noted.enter(comm, from, tag, -1);
    const int code = PMPI_Mprobe(from, tag, comm, message, status);
    if (code != MPI_SUCCESS) return noted.failed(code);
    matched(noted, comm, *message);
    noted.done();
    return code;
}

int MPI_Improbe(int from, int tag, MPI_Comm comm, int* found, MPI_Message* message, MPI_Status* status) {
    RecordedCall noted{Other::Improbe, HERE};
    if (!noted) return PMPI_Improbe(from, tag, comm, found, message, status);
    const int code = PMPI_Improbe(from, tag, comm, found, message, status);
    if (code == MPI_SUCCESS && *found == 0) noted.foundNothing(comm, from, tag);
    if (code != MPI_SUCCESS) return noted.failed(code);
    if (*found == 0) return code;
    matched(noted, comm, *message);
    noted.done();
    return code;
}

#if MPI_VERSION >= 4
int MPI_Psend_init(const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int to, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return partitioning(Other::Psend_init, HERE, CallEffect::postSend, partitions, count, type, to, tag, comm, request,
                        [&] { return PMPI_Psend_init(buffer, partitions, count, type, to, tag, comm, info, request); });
}

int MPI_Precv_init(void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                   MPI_Info info, MPI_Request* request) {
    return partitioning(
        Other::Precv_init, HERE, CallEffect::postReceive, partitions, count, type, from, tag, comm, request,
        [&] { return PMPI_Precv_init(buffer, partitions, count, type, from, tag, comm, info, request); });
}

int MPI_Pready(int partition, MPI_Request request) {
    return readying(Other::Pready, HERE, 1, request, [&] { return PMPI_Pready(partition, request); });
}

int MPI_Pready_range(int first, int last, MPI_Request request) {
    return readying(Other::Pready_range, HERE, last - first + 1, request,
                    [&] { return PMPI_Pready_range(first, last, request); });
}

#if MPICH_NUMVERSION < 40100000
int MPI_Pready_list(int count, int partitions[], MPI_Request request) {
#else
int MPI_Pready_list(int count, const int partitions[], MPI_Request request) {
#endif
    return readying(Other::Pready_list, HERE, count, request,
                    [&] { return PMPI_Pready_list(count, partitions, request); });
}

int MPI_Parrived(MPI_Request request, int partition, int* flag) {
    RecordedCall noted{Other::Parrived, HERE};
    if (!noted) return PMPI_Parrived(request, partition, flag);
    const RequestKey key = keyOf(request);
    const int code = PMPI_Parrived(request, partition, flag);
    if (code != MPI_SUCCESS) return noted.failed(code);
    if (*flag == 0) noted.foundNothing(1, {&key, 1});
    else noted.done();
    return code;
}
#endif

int MPI_Start(MPI_Request* request) {
    RecordedCall noted{Other::Start, HERE};
    const int code = PMPI_Start(request);
    if (!noted) return code;
    if (code != MPI_SUCCESS) return noted.failed(code);
    noted.started(*request);
    noted.done();
    return code;
}

int MPI_Startall(int count, MPI_Request requests[]) {
    RecordedCall noted{Other::Startall, HERE};
    if (!noted || requests == nullptr) return PMPI_Startall(count, requests);
    // One collective after the other, which MPI says is the same: so it is known which messages are whose.
    const bool apart = count > 0 && std::any_of(requests, requests + count, [&](MPI_Request request) {
                           return noted.session().requests().isPersistentCollective(request);
                       });
    const int code = apart ? MPI_SUCCESS : PMPI_Startall(count, requests);
    if (code != MPI_SUCCESS) return noted.failed(code);
    for (int i = 0; i < count; ++i) {
        const std::int64_t begin = engine::mpi::now();
        const int own = apart ? PMPI_Start(&requests[i]) : MPI_SUCCESS;
        if (own != MPI_SUCCESS) return noted.failed(own);
        noted.started(requests[i], begin);
    }
    noted.done();
    return code;
}

}  // extern "C"
#pragma GCC visibility pop
