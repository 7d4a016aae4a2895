// SPDX-License-Identifier: BSD-3-Clause
// Open MPI 4.1 sends all messages through the functions in `mca_pml`, an exported variable. The recorder replaces these
// functions by its own, which call them. Each request calls `completed` when it is complete. No public header describes
// these structures: the recorder checks the version, the symbol sizes and two messages to itself before it records.
#include "engine/live/pmpi/recording/recorder_session.hpp"

#if defined(OMPI_MAJOR_VERSION)
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <tuple>
#include <unordered_map>

namespace engine::mpi::pmpi::library {
namespace {

using live::CallEffect;
using live::Event;

constexpr std::string_view version = "Open MPI v4.1.";

/// The library's ompi_request_t.
struct Request {
    std::array<const void*, 7> item;
    int type;
    MPI_Status status;
    void* volatile complete;
    volatile int state;
    bool isPersistent;
    int fortran;
    const void* start;
    const void* free;
    const void* cancel;
    int (*whenComplete)(Request*);
    void* data;
    MPI_Comm comm;
};
static_assert(offsetof(Request, status) == 64 && offsetof(Request, complete) == 88 &&
              offsetof(Request, whenComplete) == 136 && offsetof(Request, comm) == 152);

Request& requestOf(MPI_Request request) { return *reinterpret_cast<Request*>(request); }
bool isComplete(const Request& request) { return request.complete == reinterpret_cast<void*>(1); }

/// The library's mca_pml, as far as it is used.
struct Pml {
    std::array<const void*, 6> others;
    int (*irecvInit)(void*, std::size_t, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
    int (*irecv)(void*, std::size_t, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
    int (*recv)(void*, std::size_t, MPI_Datatype, int, int, MPI_Comm, MPI_Status*);
    int (*isendInit)(const void*, std::size_t, MPI_Datatype, int, int, int, MPI_Comm, MPI_Request*);
    int (*isend)(const void*, std::size_t, MPI_Datatype, int, int, int, MPI_Comm, MPI_Request*);
    int (*send)(const void*, std::size_t, MPI_Datatype, int, int, int, MPI_Comm);
    const void* iprobe;
    const void* probe;
    int (*start)(std::size_t, MPI_Request*);
    std::array<const void*, 8> others2;
};
constexpr std::size_t pmlSize = 184;
static_assert(sizeof(Pml) == pmlSize);
constexpr std::size_t worldSize = 512;  ///< of ompi_mpi_comm_world

Pml* pml = nullptr;  ///< the library's
Pml own;             ///< as it was

/// What a persistent request sends or receives.
struct Prepared {
    CallEffect deed;
    std::int32_t team;
    std::int32_t peer;
    std::int32_t tag;
    Bytes bytes;
};
std::mutex preparedMutex;
std::unordered_map<MPI_Request, Prepared> prepared;
std::atomic<bool> hasPrepared{false};

/// What a function of `pml` was called with, while it is tested.
struct Seen {
    const void* buffer = nullptr;
    std::size_t count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int peer = 0;
    int tag = 0;
    MPI_Comm comm = MPI_COMM_NULL;
    int times = 0;

    friend bool operator==(const Seen&, const Seen&) = default;
};
thread_local Seen* seen [[gnu::tls_model("initial-exec")]] = nullptr;

/// Where a communicator has its table of collectives; 0: not known.
std::size_t tablePlace = 0;
int (*groupOf)(MPI_Comm, MPI_Group*) = nullptr;

/// The number of a communicator that is not in the session. Remembered only within one call, since the library may free
/// it and reuse its address.
std::optional<std::int32_t> hiddenTeamOf(RecorderSession& session, MPI_Comm comm) {
    struct Known {
        MPI_Comm comm = MPI_COMM_NULL;
        std::uint32_t call = 0;
        std::optional<std::int32_t> team{};
    };
    static thread_local Known last;
    if (last.comm == comm && last.call == currentCall.number) return last.team;
    last = {.comm = comm, .call = currentCall.number};
    MPI_Group group = MPI_GROUP_NULL;
    if (groupOf == nullptr || groupOf(comm, &group) != MPI_SUCCESS) return std::nullopt;
    try {
        const std::vector<std::int32_t> ranks = session.worldRanks(group);
        if (std::find(ranks.begin(), ranks.end(), MPI_UNDEFINED) == ranks.end())
            last.team = session.internal().teamOf(ranks);
    } catch (const std::exception&) {
        last.team = std::nullopt;
    }
    PMPI_Group_free(&group);
    return last.team;
}

std::optional<std::int32_t> teamOf(RecorderSession& session, MPI_Comm comm) {
    if (const Communicator* const known = session.known(comm)) return known->team();
    return hiddenTeamOf(session, comm);
}

/// What is to be recorded of a message; nothing of the program's own, whose tags are no negative numbers.
std::optional<Prepared> look(CallEffect deed, const void* buffer, std::size_t count, MPI_Datatype type, int peer,
                             int tag, MPI_Comm comm) {
    if (seen != nullptr) {
        *seen = {buffer, count, type, peer, tag, comm, seen->times + 1};
        return std::nullopt;
    }
    if ((tag >= MPI_ANY_TAG && !currentCall.isJoint) || inside || peer == MPI_PROC_NULL) return std::nullopt;
    RecorderSession* const session = RecorderSession::current();
    if (session == nullptr) return std::nullopt;
    const auto team = teamOf(*session, comm);
    if (!team) return std::nullopt;
    MPI_Count size = 0;
    if (count > 0) PMPI_Type_size_x(type, &size);
    return Prepared{deed, *team, peer, tag, static_cast<Bytes>(count) * std::max<Bytes>(size, 0)};
}

/// What arrived is known of a receive alone.
void complete(Event& message, const MPI_Status& status) {
    if (std::bit_cast<live::Step>(message).deed == CallEffect::postReceive)
        pmpi::complete(message, status.MPI_SOURCE, static_cast<Bytes>(status._ucount));
    else pmpi::complete(message);
}

int completed(Request* request) {
    auto* const message = static_cast<Event*>(std::exchange(request->data, nullptr));
    // After the end of the record its memory is gone.
    if (message != nullptr && RecorderSession::current() != nullptr) complete(*message, request->status);
    return 0;
}

/// A component's own function that a request calls when it is complete, and the message that is recorded beside it.
struct Beside {
    Event* message;
    int (*whenComplete)(Request*);
    void* data;
};

int completedBeside(Request* request) {
    const std::unique_ptr<Beside> beside{static_cast<Beside*>(request->data)};
    if (RecorderSession::current() != nullptr) complete(*beside->message, request->status);
    request->data = beside->data;
    return beside->whenComplete(request);
}

/// Requests that the thread follows since it last looked: coll/adapt sets a function of its own once it has posted one,
/// in the place of ours. Looked at before anything can complete them, unless other threads make progress, too.
struct Followed {
    Request* request;
    Event* message;
};
constexpr std::size_t mostFollowed = 32;
thread_local std::array<Followed, mostFollowed> followed [[gnu::tls_model("initial-exec")]];
thread_local std::size_t followedCount [[gnu::tls_model("initial-exec")]] = 0;
bool isAlone = false;  ///< one thread at a time calls MPI

void lookAgain() {
    // After the end of the record its memory is gone.
    if (RecorderSession::current() == nullptr) followedCount = 0;
    for (std::size_t i = followedCount; i-- > 0;) {
        const auto [request, message] = followed[i];
        const bool isReused = std::any_of(followed.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                          followed.begin() + static_cast<std::ptrdiff_t>(followedCount),
                                          [&](const Followed& later) { return later.request == request; });
        const auto its = request->whenComplete;
        if (isReused || message->end != 0 || isComplete(*request) || its == nullptr || its == completed ||
            its == completedBeside)
            continue;
        request->data = new Beside{message, its, request->data};
        request->whenComplete = completedBeside;
    }
    followedCount = 0;
}

/// Another thread may complete it in between.
void follow(Request& request, Event& message) {
    if (isComplete(request)) return complete(message, request.status);
    if (request.whenComplete != nullptr && request.whenComplete != completed) return;  // of another component
    request.data = &message;
    request.whenComplete = completed;
    if (isComplete(request) && request.whenComplete == completed) {
        request.whenComplete = nullptr;
        completed(&request);
    } else if (isAlone) {
        if (followedCount == mostFollowed) lookAgain();
        followed[followedCount++] = {&request, &message};
    }
}

Event* post(const std::optional<Prepared>& message) {
    if (followedCount > 0) lookAgain();
    RecorderSession* const session = message ? RecorderSession::current() : nullptr;
    if (session == nullptr) return nullptr;
    return session->internal().post(message->deed, message->team, message->peer, message->tag, message->bytes);
}

template <class Native>
int posting(CallEffect deed, const void* buffer, std::size_t count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
            MPI_Request* request, Native native) {
    Event* const message = post(look(deed, buffer, count, type, peer, tag, comm));
    const int code = native();
    if (message != nullptr && code == MPI_SUCCESS) follow(requestOf(*request), *message);
    return code;
}

/// The library reuses handles of freed requests, also for requests of the program: an earlier entry is removed.
template <class Native>
int preparing(CallEffect deed, const void* buffer, std::size_t count, MPI_Datatype type, int peer, int tag,
              MPI_Comm comm, MPI_Request* request, Native native) {
    const int code = native();
    const auto message = look(deed, buffer, count, type, peer, tag, comm);
    if (code != MPI_SUCCESS || (!message && !hasPrepared)) return code;
    const std::lock_guard lock{preparedMutex};
    if (message) prepared.insert_or_assign(*request, *message);
    else prepared.erase(*request);
    hasPrepared = !prepared.empty();
    return code;
}

int irecv(void* to, std::size_t count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    return posting(CallEffect::postReceive, to, count, type, from, tag, comm, request,
                   [&] { return own.irecv(to, count, type, from, tag, comm, request); });
}

int isend(const void* data, std::size_t count, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm,
          MPI_Request* request) {
    return posting(CallEffect::postSend, data, count, type, to, tag, comm, request,
                   [&] { return own.isend(data, count, type, to, tag, mode, comm, request); });
}

int recv(void* to, std::size_t count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    Event* const message = post(look(CallEffect::postReceive, to, count, type, from, tag, comm));
    if (message == nullptr) return own.recv(to, count, type, from, tag, comm, status);
    MPI_Status ours;
    MPI_Status* const kept = status == MPI_STATUS_IGNORE ? &ours : status;
    const int code = own.recv(to, count, type, from, tag, comm, kept);
    if (code == MPI_SUCCESS) complete(*message, *kept);
    return code;
}

int send(const void* data, std::size_t count, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm) {
    Event* const message = post(look(CallEffect::postSend, data, count, type, to, tag, comm));
    const int code = own.send(data, count, type, to, tag, mode, comm);
    if (message != nullptr && code == MPI_SUCCESS) pmpi::complete(*message);
    return code;
}

int irecvInit(void* to, std::size_t count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    return preparing(CallEffect::postReceive, to, count, type, from, tag, comm, request,
                     [&] { return own.irecvInit(to, count, type, from, tag, comm, request); });
}

int isendInit(const void* data, std::size_t count, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm,
              MPI_Request* request) {
    return preparing(CallEffect::postSend, data, count, type, to, tag, comm, request,
                     [&] { return own.isendInit(data, count, type, to, tag, mode, comm, request); });
}

int start(std::size_t count, MPI_Request* requests) {
    if (!hasPrepared || inside) return own.start(count, requests);
    std::vector<Event*> messages(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::optional<Prepared> message;
        {
            const std::lock_guard lock{preparedMutex};
            if (const auto found = prepared.find(requests[i]); found != prepared.end()) message = found->second;
        }
        messages[i] = post(message);
    }
    const int code = own.start(count, requests);
    for (std::size_t i = 0; i < count && code == MPI_SUCCESS; ++i)
        if (messages[i] != nullptr) follow(requestOf(requests[i]), *messages[i]);
    return code;
}

std::size_t sizeOf(const void* address) {
    Dl_info info{};
    void* symbol = nullptr;
    if (address == nullptr || dladdr1(address, &info, &symbol, RTLD_DL_SYMENT) == 0 || symbol == nullptr) return 0;
    return static_cast<const ElfW(Sym)*>(symbol)->st_size;
}

/// Where and in which file a function is; nothing of what is none.
Dl_info placeOf(const void* code) {
    Dl_info info{};
    return code != nullptr && dladdr(code, &info) != 0 ? info : Dl_info{};
}

/// Copies memory of this process; false if it is not mapped.
bool read(const void* from, void* to, std::size_t bytes) {
    static const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    return memory >= 0 && pread(memory, to, bytes, reinterpret_cast<off_t>(from)) == static_cast<ssize_t>(bytes);
}

/// Each collective has a function and its module there, in the order of live::Called; then persistent ones.
struct Entry {
    const void* function;
    const std::array<const void*, 3>* module;  ///< of which the third word is a function of the component
};

/// Whether the functions there have the names of the collectives whose places they have.
bool isTable(const void* address) {
    std::array<Entry, live::blockingCalls> table{};
    if (!read(address, table.data(), sizeof table)) return false;
    std::size_t fitting = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const Dl_info function = placeOf(table[i].function);
        std::array<const void*, 3> module{};
        if (function.dli_sname == nullptr || !read(table[i].module, module.data(), sizeof module)) continue;
        const Dl_info component = placeOf(module[2]);
        if (std::string_view{function.dli_sname}.find(live::name(live::everyCalled[i])) != std::string_view::npos &&
            component.dli_fname != nullptr && std::strstr(component.dli_fname, "mca_coll_") != nullptr)
            ++fitting;
    }
    return fitting * 4 > table.size() * 3;
}

std::size_t findTable(const void* world) {
    std::array<const void*, worldSize / sizeof(void*)> words{};
    std::memcpy(words.data(), world, sizeof words);
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] != nullptr && isTable(words[i])) return i * sizeof(void*);
    return 0;
}

/// A message of this process to itself is posted, once, through the functions in question, with the arguments that were
/// passed, and its request has what it should where it should.
class Trial {
public:
    explicit Trial(MPI_Comm comm) : comm_{comm} {
        PMPI_Comm_rank(comm, &rank_);
        seen = &seen_;
    }
    ~Trial() { seen = nullptr; }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

    bool passes() {
        for (const bool first : {true, false})
            if (!(first ? sends() : receives())) return false;
        return true;
    }

private:
    bool isSeen(const void* buffer, int count) {
        return std::exchange(seen_, Seen{}) ==
               Seen{buffer, static_cast<std::size_t>(count), MPI_CHAR, rank_, tag, comm_, 1};
    }

    /// A receive that is posted first, and a send that waits.
    bool sends() {
        std::array<char, 3> to{};
        MPI_Request receive = MPI_REQUEST_NULL;
        PMPI_Irecv(to.data(), 3, MPI_CHAR, rank_, tag, comm_, &receive);
        Request& request = requestOf(receive);
        const bool isAlike = isSeen(to.data(), 3) && request.comm == comm_ && request.whenComplete == nullptr &&
                             request.data == nullptr && request.complete == nullptr && !request.isPersistent &&
                             request.start == reinterpret_cast<const void*>(own.start);
        if (isAlike) {
            request.data = this;
            request.whenComplete = [](Request* done) {
                static_cast<Trial*>(done->data)->arrived(*done);
                return 0;
            };
        }
        const bool goes = PMPI_Send(data_.data(), 2, MPI_CHAR, rank_, tag, comm_) == MPI_SUCCESS;
        const bool isSent = isSeen(data_.data(), 2);
        if (!goes) PMPI_Cancel(&receive);
        PMPI_Wait(&receive, MPI_STATUS_IGNORE);
        return goes && isAlike && isSent && arrived_ == 1;
    }

    void arrived(const Request& request) {
        const MPI_Status& status = request.status;
        if (status.MPI_SOURCE == rank_ && status.MPI_TAG == tag && status._ucount == 2 && !isComplete(request))
            ++arrived_;
    }

    bool receives() {
        std::array<char, 3> to{};
        MPI_Request send = MPI_REQUEST_NULL;
        if (PMPI_Isend(data_.data(), 1, MPI_CHAR, rank_, tag, comm_, &send) != MPI_SUCCESS) return false;
        const bool isSent = isSeen(data_.data(), 1);
        PMPI_Recv(to.data(), 3, MPI_CHAR, rank_, tag, comm_, MPI_STATUS_IGNORE);
        const bool isReceived = isSeen(to.data(), 3);
        PMPI_Wait(&send, MPI_STATUS_IGNORE);
        return isSent && isReceived;
    }

    static constexpr int tag = 21;
    MPI_Comm comm_;
    int rank_ = 0;
    Seen seen_;
    int arrived_ = 0;
    std::array<char, 2> data_{};
};

}  // namespace

std::string watch(Internal& internal, MPI_Comm ours) {
    char words[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    PMPI_Get_library_version(words, &length);
    if (!std::string_view{words, asSize(length)}.starts_with(version))
        return text("the MPI library is not ", version, "x");
    void* const found = dlsym(RTLD_DEFAULT, "mca_pml");
    const void* const world = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
    for (const auto& [name, size, expected] :
         {std::tuple{"mca_pml", sizeOf(found), pmlSize}, std::tuple{"ompi_mpi_comm_world", sizeOf(world), worldSize}})
        if (size != expected) return text(name, " of the MPI library has ", size, " bytes instead of ", expected);
    own = *static_cast<Pml*>(found);
    const Dl_info component = placeOf(reinterpret_cast<const void*>(own.isend));
    for (const void* const function :
         {reinterpret_cast<const void*>(own.irecvInit), reinterpret_cast<const void*>(own.irecv),
          reinterpret_cast<const void*>(own.recv), reinterpret_cast<const void*>(own.isendInit),
          reinterpret_cast<const void*>(own.send), reinterpret_cast<const void*>(own.start)})
        if (component.dli_fbase == nullptr || placeOf(function).dli_fbase != component.dli_fbase)
            return "the functions of mca_pml are not those of one component";
    groupOf = reinterpret_cast<int (*)(MPI_Comm, MPI_Group*)>(dlsym(RTLD_DEFAULT, "ompi_comm_group"));
    pml = static_cast<Pml*>(found);
    pml->irecvInit = irecvInit;
    pml->irecv = irecv;
    pml->recv = recv;
    pml->isendInit = isendInit;
    pml->isend = isend;
    pml->send = send;
    pml->start = start;
    int provided = MPI_THREAD_MULTIPLE;
    PMPI_Query_thread(&provided);
    isAlone = provided != MPI_THREAD_MULTIPLE;
    if (!Trial{ours}.passes())
        return text("requests of ", std::filesystem::path{component.dli_fname}.filename().string(),
                    " have another layout than those of Open MPI 4.1");
    tablePlace = findTable(world);
    if (tablePlace == 0) internal.limit("the components that carry out collectives are unknown");
    return {};
}

void unwatch() noexcept {
    if (pml != nullptr) *pml = own;
    pml = nullptr;
}

void met(MPI_Comm, const Communicator&) {}
void freed(const Communicator&) noexcept {}

Carried carriedBy(live::Called called, MPI_Comm comm, bool isPersistent) noexcept {
    if (tablePlace == 0) return {};
    const auto* const table = *reinterpret_cast<const Entry* const*>(reinterpret_cast<const char*>(comm) + tablePlace);
    const Entry& entry = table[static_cast<std::size_t>(called) + (isPersistent ? live::blockingCalls : 0)];
    if (entry.function == nullptr || entry.module == nullptr) return {};
    if (isPersistent) {
        const Dl_info function = placeOf(entry.function);
        if (function.dli_sname == nullptr || std::strstr(function.dli_sname, "_init") == nullptr) return {};
    }
    return {entry.function, (*entry.module)[2]};
}

std::span<const Setting> settings() {
    constexpr std::size_t mark = std::string_view{"OMPI_MCA_"}.size();
    static constexpr std::array<Setting, 2> all{{{"OMPI_MCA_coll", mark, {}}, {"OMPI_MCA_pml", mark, {}}}};
    return all;
}

}  // namespace engine::mpi::pmpi::library

#pragma GCC visibility push(default)
/// The library calls it through the dynamic linker whenever it waits.
extern "C" void opal_progress() {
    static const auto own = reinterpret_cast<void (*)()>(dlsym(RTLD_NEXT, "opal_progress"));
    if (engine::mpi::pmpi::library::followedCount > 0) engine::mpi::pmpi::library::lookAgain();
    own();
}
#pragma GCC visibility pop
#endif
