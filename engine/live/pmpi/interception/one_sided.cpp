// SPDX-License-Identifier: BSD-3-Clause
// The entry points by which processes write and read windows of each other: epochs, locks, operations.
#include "engine/live/pmpi/recording/recorded_call.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

using namespace engine::mpi::pmpi;
using engine::live::CallEffect;
using engine::live::Other;
using engine::live::Step;
using WindowSide = Windows::Side;

namespace {

/// The ranks of a group within that of a window; those that it has not are left out.
std::vector<std::int32_t> ranksAt(MPI_Win window, MPI_Group members) {
    int count = 0;
    MPI_Group all = MPI_GROUP_NULL;
    if (PMPI_Group_size(members, &count) != MPI_SUCCESS || PMPI_Win_get_group(window, &all) != MPI_SUCCESS) return {};
    std::vector<int> own(static_cast<std::size_t>(count));
    std::iota(own.begin(), own.end(), 0);
    std::vector<int> ranks(own.size(), MPI_UNDEFINED);
    PMPI_Group_translate_ranks(members, count, own.data(), all, ranks.data());
    PMPI_Group_free(&all);
    ranks.erase(std::remove(ranks.begin(), ranks.end(), MPI_UNDEFINED), ranks.end());
    return {ranks.begin(), ranks.end()};
}

/// The call and all it is about, at a window that is known.
void doneWith(RecordedCall& noted, MPI_Win window, const std::vector<std::int32_t>& ranks) {
    const auto known = noted.session().windows().of(window);
    if (!known) return noted.done();
    for (const std::int32_t rank : ranks)
        noted.part({.request = known->number, .peer = rank, .team = known->team, .deed = CallEffect::member});
    noted.done({.request = known->number, .team = known->team, .deed = CallEffect::together});
}

template <class Native>
int beginning(Other what, const Caller& caller, WindowSide side, MPI_Group members, MPI_Win window, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    std::vector<std::int32_t> ranks = ranksAt(window, members);
    noted.enterAt(window, engine::live::everyone, -1);
    // Before it waits: whoever waits for this call of theirs need not wait any more.
    noted.session().epoch(noted.session().windows().channelOf(window), ranks,
                          side == WindowSide::exposed ? &engine::live::Epochs::posts : &engine::live::Epochs::starts);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    doneWith(noted, window, ranks);
    noted.session().windows().begin(window, side, std::move(ranks));
    return code;
}

template <class Native>
int ending(Other what, const Caller& caller, WindowSide side, MPI_Win window, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    noted.enterAt(window, engine::live::everyone, -1);
    const std::vector<std::int32_t> ranks = noted.session().windows().end(window, side);
    noted.session().epoch(
        noted.session().windows().channelOf(window), ranks,
        side == WindowSide::exposed ? &engine::live::Epochs::waits : &engine::live::Epochs::completes);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    doneWith(noted, window, ranks);
    return code;
}

/// No rank, and not MPI_PROC_NULL, which is -1 in some libraries.
constexpr int ofAll = std::numeric_limits<int>::min();

/// What one process does to the window of another, or to those `ofAll`.
template <class Native>
int reaching(Other what, const Caller& caller, Step step, MPI_Win window, Native native) {
    RecordedCall noted{what, caller};
    if (!noted) return native();
    const std::int32_t target = step.peer == ofAll ? engine::live::everyone : step.peer;
    noted.enterAt(window, target, step.tag);
    const int code = native();
    if (code != MPI_SUCCESS) return noted.failed(code);
    if (step.deed == CallEffect::lock || step.deed == CallEffect::unlock)
        noted.session().locks(noted.session().windows().channelOf(window), target,
                              step.deed == CallEffect::unlock ? 0 : 1 + step.tag);
    const auto known = noted.session().windows().of(window);
    if (!known || step.peer == MPI_PROC_NULL) {
        noted.done();
        return code;
    }
    if (step.peer == ofAll) step.peer = engine::live::everyone;
    step.team = known->team;
    step.request = known->number;
    noted.done(step);
    return code;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int MPI_Win_post(MPI_Group members, int mode, MPI_Win window) {
    return beginning(Other::Win_post, HERE, WindowSide::exposed, members, window,
                     [&] { return PMPI_Win_post(members, mode, window); });
}

int MPI_Win_start(MPI_Group members, int mode, MPI_Win window) {
    return beginning(Other::Win_start, HERE, WindowSide::accessed, members, window,
                     [&] { return PMPI_Win_start(members, mode, window); });
}

int MPI_Win_complete(MPI_Win window) {
    return ending(Other::Win_complete, HERE, WindowSide::accessed, window, [&] { return PMPI_Win_complete(window); });
}

int MPI_Win_wait(MPI_Win window) {
    return ending(Other::Win_wait, HERE, WindowSide::exposed, window, [&] { return PMPI_Win_wait(window); });
}

int MPI_Win_test(MPI_Win window, int* flag) {
    RecordedCall noted{Other::Win_test, HERE};
    if (!noted || flag == nullptr) return PMPI_Win_test(window, flag);
    const int code = PMPI_Win_test(window, flag);
    if (code != MPI_SUCCESS) return noted.failed(code);
    if (*flag == 0) noted.foundNothing(MPI_COMM_NULL, -1, -1);
    else doneWith(noted, window, noted.session().windows().end(window, WindowSide::exposed));
    return code;
}

int MPI_Win_lock(int type, int rank, int mode, MPI_Win window) {
    return reaching(Other::Win_lock, HERE,
                    {.tag = type == MPI_LOCK_EXCLUSIVE ? 1 : 0, .peer = rank, .deed = CallEffect::lock}, window,
                    [&] { return PMPI_Win_lock(type, rank, mode, window); });
}

int MPI_Win_unlock(int rank, MPI_Win window) {
    return reaching(Other::Win_unlock, HERE, {.peer = rank, .deed = CallEffect::unlock}, window,
                    [&] { return PMPI_Win_unlock(rank, window); });
}

int MPI_Win_lock_all(int mode, MPI_Win window) {
    return reaching(Other::Win_lock_all, HERE, {.peer = ofAll, .deed = CallEffect::lock}, window,
                    [&] { return PMPI_Win_lock_all(mode, window); });
}

int MPI_Win_unlock_all(MPI_Win window) {
    return reaching(Other::Win_unlock_all, HERE, {.peer = ofAll, .deed = CallEffect::unlock}, window,
                    [&] { return PMPI_Win_unlock_all(window); });
}

int MPI_Win_flush(int rank, MPI_Win window) {
    return reaching(Other::Win_flush, HERE, {.peer = rank, .deed = CallEffect::flush}, window,
                    [&] { return PMPI_Win_flush(rank, window); });
}

int MPI_Win_flush_all(MPI_Win window) {
    return reaching(Other::Win_flush_all, HERE, {.peer = ofAll, .deed = CallEffect::flush}, window,
                    [&] { return PMPI_Win_flush_all(window); });
}

int MPI_Win_flush_local(int rank, MPI_Win window) {
    return reaching(Other::Win_flush_local, HERE, {.peer = rank, .deed = CallEffect::flush}, window,
                    [&] { return PMPI_Win_flush_local(rank, window); });
}

int MPI_Win_flush_local_all(MPI_Win window) {
    return reaching(Other::Win_flush_local_all, HERE, {.peer = ofAll, .deed = CallEffect::flush}, window,
                    [&] { return PMPI_Win_flush_local_all(window); });
}

#define ENTRIES "engine/live/pmpi/interception/one_sided_entries.inc"
#include "engine/live/pmpi/counts.inc"

int MPI_Fetch_and_op(const void* from, void* to, MPI_Datatype type, int target, MPI_Aint place, MPI_Op operation,
                     MPI_Win window) {
    return reaching(Other::Fetch_and_op, HERE,
                    {.bytes = bytesMoved(1, type), .peer = target, .deed = CallEffect::change}, window,
                    [&] { return PMPI_Fetch_and_op(from, to, type, target, place, operation, window); });
}

int MPI_Compare_and_swap(const void* from, const void* compared, void* to, MPI_Datatype type, int target,
                         MPI_Aint place, MPI_Win window) {
    return reaching(Other::Compare_and_swap, HERE,
                    {.bytes = bytesMoved(1, type), .peer = target, .deed = CallEffect::change}, window,
                    [&] { return PMPI_Compare_and_swap(from, compared, to, type, target, place, window); });
}

}  // extern "C"
#pragma GCC visibility pop
