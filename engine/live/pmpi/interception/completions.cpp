// SPDX-License-Identifier: BSD-3-Clause
// The entry points of what completes requests, or gives them up.
#include "engine/live/pmpi/recording/recorded_call.hpp"

using namespace engine::mpi::pmpi;
using engine::live::Other;

namespace {

/// Kept from call to call: as long as the longest list of requests.
thread_local std::vector<RequestKey> keys;
thread_local std::vector<MPI_Status> ownStatuses;

void rememberKeys(int count, const MPI_Request* requests) {
    keys.clear();
    if (requests == nullptr) return;  // the library says what it thinks of that
    for (int i = 0; i < count; ++i) keys.push_back(keyOf(requests[i]));
}
MPI_Status* statusesOr(MPI_Status* statuses, int count) {
    if (statuses != MPI_STATUSES_IGNORE) return statuses;
    ownStatuses.resize(engine::asSize(std::max(count, 1)));
    return ownStatuses.data();
}

/// Whether a call that returned `code` has completed that one of `keys`: where the library refused its arguments, it
/// left `index` as it was.
bool isOneOf(int code, int index) {
    if (code != MPI_SUCCESS && ReturnedError{code}.isRefusal()) return false;
    return index >= 0 && engine::asSize(index) < keys.size();
}

/// A request is done, with an error unless `code` is MPI_SUCCESS.
void complete(RecordedCall& noted, const std::optional<Pending>& pending, const MPI_Status& status, int code) {
    if (pending) noted.completed(*pending, status, code);
    if (code != MPI_SUCCESS) noted.error(ReturnedError{code});
}

/// A call returned `code`, which is given back, and has completed that one of `keys`.
int completedOne(RecordedCall& noted, int code, RequestKey key, const MPI_Status& status) {
    if (code != MPI_SUCCESS && ReturnedError{code}.isRefusal()) return noted.failed(code);
    complete(noted, noted.session().requests().take(key), status, code);
    noted.done();
    return code;
}

/// The same of `count` of `keys`: those at `indices`, or the first ones. Where some have ended with an error, their
/// statuses say which.
int completedSome(RecordedCall& noted, int code, int count, const int* indices, const MPI_Status* statuses) {
    const bool each = code != MPI_SUCCESS && ReturnedError{code}.isInStatus();
    if (code != MPI_SUCCESS && !each) return noted.failed(code);
    for (int i = 0; i < count; ++i) {
        const int own = each ? statuses[i].MPI_ERROR : MPI_SUCCESS;
        if (own != MPI_SUCCESS && ReturnedError{own}.isPending()) continue;
        complete(noted, noted.session().requests().take(keys[engine::asSize(indices != nullptr ? indices[i] : i)]),
                 statuses[i], own);
    }
    noted.done();
    return code;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    RecordedCall noted{Other::Wait, HERE};
    if (!noted || request == nullptr) return PMPI_Wait(request, status);
    const auto pending = noted.waits(0, 1, keyOf(*request));
    MPI_Status own;
    MPI_Status* const kept = status == MPI_STATUS_IGNORE ? &own : status;
    const int code = PMPI_Wait(request, kept);
    if (code != MPI_SUCCESS && ReturnedError{code}.isRefusal()) return noted.failed(code);
    complete(noted, pending, *kept, code);
    noted.done();
    return code;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    RecordedCall noted{Other::Test, HERE};
    if (!noted || request == nullptr) return PMPI_Test(request, flag, status);
    const RequestKey key = keyOf(*request);
    MPI_Status own;
    MPI_Status* const kept = status == MPI_STATUS_IGNORE ? &own : status;
    const int code = PMPI_Test(request, flag, kept);
    if (code == MPI_SUCCESS && *flag == 0) {
        noted.foundNothing(1, {&key, 1});
        return code;
    }
    return completedOne(noted, code, key, *kept);
}

// One request after the other, which MPI says is the same: so it is known which one is open.
int MPI_Waitall(int count, MPI_Request requests[], MPI_Status* statuses) {
    RecordedCall noted{Other::Waitall, HERE};
    if (!noted || requests == nullptr) return PMPI_Waitall(count, requests, statuses);
    MPI_Status* const kept = statusesOr(statuses, count);
    bool failed = false;
    for (int i = 0; i < count; ++i) {
        const auto pending = noted.waits(i, count, keyOf(requests[i]));
        const int code = PMPI_Wait(&requests[i], &kept[i]);
        if (code == MPI_SUCCESS || !ReturnedError{code}.isRefusal()) complete(noted, pending, kept[i], code);
        else noted.error(ReturnedError{code});
        if (code != MPI_SUCCESS && !failed)
            for (int before = 0; before < i; ++before) kept[before].MPI_ERROR = MPI_SUCCESS;
        failed = failed || code != MPI_SUCCESS;
        if (failed) kept[i].MPI_ERROR = code;
    }
    noted.done();
    return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status* statuses) {
    RecordedCall noted{Other::Testall, HERE};
    if (!noted) return PMPI_Testall(count, requests, flag, statuses);
    rememberKeys(count, requests);
    MPI_Status* const kept = statusesOr(statuses, count);
    const int code = PMPI_Testall(count, requests, flag, kept);
    if (code == MPI_SUCCESS && *flag == 0) {
        noted.foundNothing(count, keys, requests);
        return code;
    }
    return completedSome(noted, code, count, nullptr, kept);
}

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
    RecordedCall noted{Other::Waitany, HERE};
    if (!noted) return PMPI_Waitany(count, requests, index, status);
    rememberKeys(count, requests);
    noted.waitsForAny(count, keys);
    MPI_Status own;
    MPI_Status* const kept = status == MPI_STATUS_IGNORE ? &own : status;
    const int code = PMPI_Waitany(count, requests, index, kept);
    if (isOneOf(code, *index)) return completedOne(noted, code, keys[engine::asSize(*index)], *kept);
    if (code != MPI_SUCCESS) return noted.failed(code);
    noted.done();
    return code;
}

int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
    RecordedCall noted{Other::Testany, HERE};
    if (!noted) return PMPI_Testany(count, requests, index, flag, status);
    rememberKeys(count, requests);
    MPI_Status own;
    MPI_Status* const kept = status == MPI_STATUS_IGNORE ? &own : status;
    const int code = PMPI_Testany(count, requests, index, flag, kept);
    if (code == MPI_SUCCESS && *flag == 0) {
        noted.foundNothing(count, keys);
        return code;
    }
    if (isOneOf(code, *index)) return completedOne(noted, code, keys[engine::asSize(*index)], *kept);
    return code != MPI_SUCCESS ? noted.failed(code) : code;
}

int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status* statuses) {
    RecordedCall noted{Other::Waitsome, HERE};
    if (!noted) return PMPI_Waitsome(count, requests, done, indices, statuses);
    rememberKeys(count, requests);
    noted.waitsForAny(count, keys);
    MPI_Status* const kept = statusesOr(statuses, count);
    const int code = PMPI_Waitsome(count, requests, done, indices, kept);
    return completedSome(noted, code, *done != MPI_UNDEFINED ? *done : 0, indices, kept);
}

int MPI_Testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status* statuses) {
    RecordedCall noted{Other::Testsome, HERE};
    if (!noted) return PMPI_Testsome(count, requests, done, indices, statuses);
    rememberKeys(count, requests);
    MPI_Status* const kept = statusesOr(statuses, count);
    const int code = PMPI_Testsome(count, requests, done, indices, kept);
    if (code == MPI_SUCCESS && *done == 0) noted.foundNothing(count, keys);
    if (code == MPI_SUCCESS && (*done == 0 || *done == MPI_UNDEFINED)) return code;
    return completedSome(noted, code, *done != MPI_UNDEFINED ? *done : 0, indices, kept);
}

int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    RecordedCall noted{Other::Request_get_status, HERE};
    const int code = PMPI_Request_get_status(request, flag, status);
    if (!noted) return code;
    if (code != MPI_SUCCESS) return noted.failed(code);
    const RequestKey key = keyOf(request);
    if (*flag == 0) noted.foundNothing(1, {&key, 1});
    else noted.done();
    return code;
}

int MPI_Cancel(MPI_Request* request) {
    RecordedCall noted{Other::Cancel, HERE};
    if (noted && request != nullptr) noted.session().requests().cancel(*request);
    const int code = PMPI_Cancel(request);
    if (!noted) return code;
    if (code != MPI_SUCCESS) return noted.failed(code);
    noted.done();
    return code;
}

int MPI_Request_free(MPI_Request* request) {
    RecordedCall noted{Other::Request_free, HERE};
    if (noted && request != nullptr) noted.session().requests().forget(*request);
    const int code = PMPI_Request_free(request);
    if (!noted) return code;
    if (code != MPI_SUCCESS) return noted.failed(code);
    noted.done();
    return code;
}

}  // extern "C"
#pragma GCC visibility pop
