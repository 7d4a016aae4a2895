// SPDX-License-Identifier: BSD-3-Clause
// The entry points of calls that all processes of something begin together and complete later, or make more of than
// their time known: communicators of groups, files, persistent collectives.
#include "engine/live/pmpi/recording/recorded_call.hpp"
#include "engine/live/pmpi/recording/recorded_collective.hpp"

#if defined(OMPI_MAJOR_VERSION) && MPI_VERSION < 4
#include <mpi-ext.h>
#endif

using namespace engine::mpi::pmpi;
using engine::live::Called;
using engine::live::CallEffect;
using engine::live::nonBlockingOf;
using engine::live::Other;
using engine::live::Step;

namespace {

/// Begins what all of `channel` begin together. `made`: what completing it makes.
template <class Channel, class Native>
int beginning(Other what, const Caller& caller, const Channel& channel, MPI_Comm* made, const MPI_Request* request,
              Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    const CollectivePosition together = noted.next(channel);
    noted.enterTogether(together);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    noted.begun(*request, together, made);
    noted.done();
    return code;
}

/// A collective among neighbours; `operation`: of live::neighbourCalls.
template <class Native>
int exchanging(Other what, const Caller& caller, std::int32_t operation, MPI_Comm comm, const Arguments& arguments,
               Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    noted.enterTogether(comm);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    noted.done(noted.exchanged(noted.shareOf(operation, comm, arguments)));
    return code;
}

/// One that does not block.
template <class Native>
int exchangingLater(Other what, const Caller& caller, std::int32_t operation, MPI_Comm comm, const Arguments& arguments,
                    const MPI_Request* request, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    const CollectivePosition together = noted.next(comm);
    noted.enterTogether(together);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    const NeighbourShare share = noted.shareOf(operation, comm, arguments);
    const std::uint32_t number = noted.begun(*request, together, nullptr, share);
    noted.done(share.operation < 0 || number == 0
                   ? Step{}
                   : Step{.request = number, .team = share.team, .deed = CallEffect::postNeighbours});
    return code;
}

/// Begins what all of a file begin together and reads or writes `count` elements of it.
template <class Native>
int accessingLater(Other what, const Caller& caller, const OfFile& file, std::int64_t count, MPI_Datatype type,
                   const MPI_Request* request, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    const CollectivePosition together = noted.next(file);
    noted.enterTogether(together);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    noted.begun(*request, together);
    noted.accessed(file.file, bytesMoved(count, type));
    noted.done();
    return code;
}

/// What the starts of a persistent collective record, which do what `called` does; none of its arguments is used later.
Pending startsOf(RecorderSession& session, Communicator& known, MPI_Comm comm, Called called,
                 const Arguments& arguments) {
    try {
        engine::live::Call call{.kind = engine::live::Kind::complete, .called = called};
        describe(call, known, arguments);
        return {.persistent = true, .collective = call, .carrier = session.internal().persistentOf(called, comm)};
    } catch (const std::exception& failure) {
        complain(engine::text("a persistent collective is not recorded: ", failure.what()));
        return {.persistent = true};
    }
}

/// Makes a persistent collective, which is a channel of its own. `starts`: what its starts record.
template <class Native, class Starts>
int preparing(Other what, const Caller& caller, MPI_Comm comm, const MPI_Request* request, Native native,
              Starts starts) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    noted.enterTogether(comm);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    if (Communicator* const known = noted.teamOf(comm) ? noted.session().known(comm) : nullptr) {
        Pending pending = starts(noted, *known);
        pending.other = what;
        pending.channel = known->nextPersistent();
        noted.session().posted(*request, pending);
    }
    noted.doneTogether(comm);
    return code;
}

/// The communicator is no more when the call is done.
template <class Native>
int freeing(Other what, const Caller& caller, const MPI_Comm* comm, Native native) {
    RecordedCall noted{what, caller};
    if (!noted || comm == nullptr) return native();
    noted.enterTogether(*comm);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    noted.doneTogether();
    return code;
}

/// Only the members of a group make it.
template <class Native>
int grouping(Other what, const Caller& caller, MPI_Group members, std::string_view tag, MPI_Comm* made, Native native) {
    RecordedCall noted{what, caller};
    if (!noted || members == MPI_GROUP_NULL) return native();
    CollectivePosition together;
    try {
        together = noted.session().nextOfGroup(noted.session().worldRanks(members), tag);
    } catch (const std::exception&) {
        together = {};  // the library says what it thinks of that group
    }
    noted.enterTogether(together);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    const auto team = noted.teamOf(*made);
    noted.done(team ? Step{.team = *team, .deed = CallEffect::join} : Step{});
    return code;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
    return beginning(Other::Comm_idup, HERE, comm, made, request, [&] { return PMPI_Comm_idup(comm, made, request); });
}

int MPI_Comm_free(MPI_Comm* comm) {
    return freeing(Other::Comm_free, HERE, comm, [&] { return PMPI_Comm_free(comm); });
}

int MPI_Comm_disconnect(MPI_Comm* comm) {
    return freeing(Other::Comm_disconnect, HERE, comm, [&] { return PMPI_Comm_disconnect(comm); });
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group members, int tag, MPI_Comm* made) {
    return grouping(Other::Comm_create_group, HERE, members, std::to_string(tag), made,
                    [&] { return PMPI_Comm_create_group(comm, members, tag, made); });
}

#if MPI_VERSION >= 4
int MPI_Comm_create_from_group(MPI_Group members, const char* tag, MPI_Info info, MPI_Errhandler handler,
                               MPI_Comm* made) {
    return grouping(Other::Comm_create_from_group, HERE, members, tag, made,
                    [&] { return PMPI_Comm_create_from_group(members, tag, info, handler, made); });
}

int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made, MPI_Request* request) {
    return beginning(Other::Comm_idup_with_info, HERE, comm, made, request,
                     [&] { return PMPI_Comm_idup_with_info(comm, info, made, request); });
}
#endif

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
    RecordedCall noted{Other::File_open, HERE};
    if (!noted) return PMPI_File_open(comm, name, mode, info, file);
    noted.enterTogether(comm);
    const int code = PMPI_File_open(comm, name, mode, info, file);
    if (code != MPI_SUCCESS) return noted.failed(code);
    if (const auto team = noted.teamOf(comm)) {
        const std::uint32_t number = noted.session().files().add(*file, *team);
        noted.session().opened(*team, number, name);
        noted.part({.request = number, .team = *team, .deed = CallEffect::openFile});
    }
    noted.doneTogether(comm);
    return code;
}

int MPI_File_close(MPI_File* file) {
    RecordedCall noted{Other::File_close, HERE};
    if (!noted || file == nullptr) return PMPI_File_close(file);
    noted.enterTogether(OfFile{*file});
    const engine::live::Channel closed = noted.session().files().channelOf(*file);
    noted.session().files().forget(*file);
    const int code = PMPI_File_close(file);
    if (code != MPI_SUCCESS) return noted.failed(code);
    if (closed.kind != engine::live::Channel::Kind::none)
        noted.part({.request = closed.number, .team = closed.team, .deed = CallEffect::closeFile});
    noted.doneTogether();
    return code;
}

#if MPI_VERSION >= 4
#define PREPARED(name) CALL(name##_init)
#define P_PREPARED(name) OWN_CALL(name##_init)
#else
#define PREPARED(name) MPIX_##name##_init
#define P_PREPARED(name) PMPIX_##name##_init
#endif
#define ENTRIES "engine/live/pmpi/interception/nonblocking_entries.inc"
#include "engine/live/pmpi/counts.inc"

}  // extern "C"
#pragma GCC visibility pop
