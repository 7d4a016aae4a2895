// SPDX-License-Identifier: BSD-3-Clause
// MPICH 4 over UCX: all messages go through ucp_tag_send_nbx and ucp_tag_recv_nbx, which it calls through the dynamic
// linker. Their tags of 64 bits hold the communicator's context, the sender's rank and MPI's tag; what a sender's
// endpoint leads to is known by the address that it was made with. Contexts of the program's communicators come from a
// look for messages that changes nothing. Before anything is recorded, all of this is compared with what is known of a
// communicator of ours.
#include "engine/live/pmpi/recording/recorder_session.hpp"

#if !defined(OMPI_MAJOR_VERSION)
#if __has_include(<ucp/api/ucp.h>)
#include <ucp/api/ucp.h>

#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

namespace engine::mpi::pmpi::library {
namespace {

using live::CallEffect;
using live::Event;

constexpr std::string_view version = "MPICH Version:\t4.";

/// What MPICH puts into a tag of UCX.
struct Tag {
    explicit Tag(std::uint64_t bits)
        : context{static_cast<std::uint16_t>(bits >> 48U)},
          source{static_cast<std::int32_t>(bits >> 32U & 0xffffU)},
          tag{static_cast<std::int32_t>(bits & 0x1fff'ffffU)} {}  // without those that mark an error

    [[nodiscard]] bool isCollective() const { return (context & 1U) != 0; }
    /// Of a communicator that MPICH makes for itself beside one of the program: the processes of a host, or one process
    /// of each host; within the local group of an intercommunicator, or all of it.
    [[nodiscard]] std::uint32_t part() const { return context >> 1U & 7U; }
    [[nodiscard]] std::size_t communicator() const { return context >> 4U; }

    std::uint16_t context;
    std::int32_t source;
    std::int32_t tag;
};
enum Part : std::uint32_t { whole, ofHost, ofHosts, localGroup = 4 };
constexpr std::size_t parts = 8;

/// Processes of a communicator, or of a part of it.
struct Members {
    std::int32_t team = -1;             ///< below 0: not known
    std::vector<std::int32_t> world{};  ///< by rank in it: that in MPI_COMM_WORLD
};

/// The communicators of a context.
struct Context {
    std::int32_t team = -1;
    std::vector<std::int32_t> local{};
    std::vector<std::int32_t> remote{};  ///< of an intercommunicator
    std::array<std::atomic<const Members*>, parts> known{};
    std::array<std::unique_ptr<const Members>, parts> kept{};
    std::mutex mutex{};
};

std::array<std::atomic<Context*>, 4096> contexts;
std::mutex contextsMutex;
std::atomic<bool> isWatching{false};
Internal* recorded = nullptr;

std::unordered_map<ucp_ep_h, std::uint64_t> addresses;  ///< by endpoint
std::mutex addressesMutex;
std::uint64_t ownAddress = 0;
std::unordered_map<ucp_ep_h, std::int32_t> processes;  ///< ranks of MPI_COMM_WORLD
std::vector<std::int32_t> hosts;                       ///< by process: the first process of its host
std::int32_t ownProcess = 0;

/// What is seen of a thread's own messages and looks while it is tested.
struct Trial {
    std::optional<Tag> looked{};
    std::int64_t collective = 0;
};
thread_local Trial* trial [[gnu::tls_model("initial-exec")]] = nullptr;

/// UCX addresses of workers begin with a unique number, which 32 bytes contain.
std::uint64_t markOf(const void* address) {
    std::array<unsigned char, 32> bytes{};
    std::memcpy(bytes.data(), address, bytes.size());
    std::uint64_t mark = 14695981039346656037ULL;  // FNV-1a
    for (const unsigned char byte : bytes) mark = (mark ^ byte) * 1099511628211ULL;
    return mark;
}

Members membersOf(const Context& context, std::uint32_t part) {
    Members found{.team = context.team, .world = context.local};
    std::vector<std::int32_t>& world = found.world;
    std::vector<std::int32_t> met;
    switch (part & ~std::uint32_t{localGroup}) {
        case whole: break;
        case ofHost:
            std::erase_if(world,
                          [&](std::int32_t process) { return hosts[asSize(process)] != hosts[asSize(ownProcess)]; });
            break;
        case ofHosts:
            std::erase_if(world, [&](std::int32_t process) {
                const std::int32_t host = hosts[asSize(process)];
                const bool isMet = std::find(met.begin(), met.end(), host) != met.end();
                if (!isMet) met.push_back(host);
                return isMet;
            });
            break;
        default: return {};
    }
    const bool isBetween = part == whole && !context.remote.empty();
    if (!isBetween && (!context.remote.empty() || world != context.local)) found.team = recorded->teamOf(world);
    return found;
}

const Members* membersOf(const Tag& tag) {
    Context* const context = contexts[tag.communicator()].load(std::memory_order_acquire);
    if (context == nullptr) return nullptr;
    auto& known = context->known[tag.part()];
    if (const Members* const members = known.load(std::memory_order_acquire)) return members;
    const std::lock_guard lock{context->mutex};
    auto& kept = context->kept[tag.part()];
    if (kept == nullptr) kept = std::make_unique<const Members>(membersOf(*context, tag.part()));
    known.store(kept.get(), std::memory_order_release);
    return kept.get();
}

/// The context by which an intercommunicator sends is another than that by which it receives.
Context* contextOf(const Communicator& known) {
    auto context = std::make_unique<Context>();
    context->team = known.team().value_or(-1);
    const std::vector<std::int32_t>& world = known.worldRanks();
    context->local = world;
    if (known.inter()) {
        const auto middle = world.begin() + known.groupA();
        context->local.assign(world.begin(), middle);
        context->remote.assign(middle, world.end());
        if (!known.isA()) context->local.swap(context->remote);
    }
    return context.release();
}

void keep(std::size_t place, Context* context) {
    const std::lock_guard lock{contextsMutex};
    delete contexts[place].exchange(context, std::memory_order_acq_rel);
}

/// The function by which MPICH reports the packed size of non-contiguous data, and its result within a send. The
/// recorder never calls it itself, since MPICH frees the type after packing.
std::atomic<std::size_t (*)(void*)> packedSize{nullptr};
thread_local std::size_t packedBytes [[gnu::tls_model("initial-exec")]] = 0;

std::size_t notePackedSize(void* state) { return packedBytes = packedSize.load(std::memory_order_relaxed)(state); }

/// Nothing where MPICH packs them.
Bytes bytesOf(std::size_t count, const ucp_request_param_t& parameters) {
    if ((parameters.op_attr_mask & UCP_OP_ATTR_FIELD_DATATYPE) == 0) return static_cast<Bytes>(count);
    const ucp_datatype_t type = parameters.datatype;
    const bool isContiguous = (type & UCP_DATATYPE_CLASS_MASK) == UCP_DATATYPE_CONTIG;
    return isContiguous ? static_cast<Bytes>((type >> UCP_DATATYPE_SHIFT) * count) : 0;
}

Event* post(CallEffect deed, const Tag& tag, ucp_ep_h to, bool isAnySource, std::size_t count,
            const ucp_request_param_t& parameters) {
    if (trial != nullptr && deed == CallEffect::postSend && tag.isCollective()) ++trial->collective;
    if (!isWatching.load(std::memory_order_relaxed) || inside || (!tag.isCollective() && !currentCall.isJoint))
        return nullptr;
    try {
        const Members* members = membersOf(tag);
        if (members == nullptr && deed == CallEffect::postSend && currentCall.comm != nullptr &&
            currentCall.comm->inter() && tag.part() == whole) {
            keep(tag.communicator(), contextOf(*currentCall.comm));
            members = membersOf(tag);
        }
        if (members == nullptr || members->team < 0) return nullptr;
        std::int32_t peer = isAnySource ? -1 : tag.source;
        if (deed == CallEffect::postSend) {
            const auto process = processes.find(to);
            const Context* const context = contexts[tag.communicator()].load(std::memory_order_acquire);
            if (process == processes.end() || context == nullptr) return nullptr;
            const bool isBetween = tag.part() == whole && !context->remote.empty();
            const std::vector<std::int32_t>& world = isBetween ? context->remote : members->world;
            // Ranks of most communicators are those of MPI_COMM_WORLD.
            peer = process->second;
            if (asSize(peer) >= world.size() || world[asSize(peer)] != process->second)
                peer =
                    static_cast<std::int32_t>(std::find(world.begin(), world.end(), process->second) - world.begin());
            if (asSize(peer) >= world.size()) return nullptr;
        }
        return recorded->post(deed, members->team, peer, tag.tag, bytesOf(count, parameters));
    } catch (const std::exception&) {
        return nullptr;
    }
}

/// A message whose request is pending, and what its request was to call.
struct Pending {
    Event* message;
    ucp_send_nbx_callback_t sent;
    ucp_tag_recv_nbx_callback_t received;
    void* data;
};

void completeReceive(Event& message, const ucp_tag_recv_info_t& info) {
    complete(message, Tag{info.sender_tag}.source, static_cast<Bytes>(info.length));
}

void sent(void* request, ucs_status_t status, void* data) {
    const std::unique_ptr<Pending> pending{static_cast<Pending*>(data)};
    if (status == UCS_OK && isWatching) complete(*pending->message);
    pending->sent(request, status, pending->data);
}

void received(void* request, ucs_status_t status, const ucp_tag_recv_info_t* info, void* data) {
    const std::unique_ptr<Pending> pending{static_cast<Pending*>(data)};
    if (status == UCS_OK && isWatching) completeReceive(*pending->message, *info);
    pending->received(request, status, info, pending->data);
}

template <class Native>
ucs_status_ptr_t sending(ucp_ep_h to, std::size_t count, ucp_tag_t tag, const ucp_request_param_t& parameters,
                         Native native) {
    Event* const message = post(CallEffect::postSend, Tag{tag}, to, false, count, parameters);
    if (message == nullptr) return native(&parameters);
    const bool calls = (parameters.op_attr_mask & UCP_OP_ATTR_FIELD_CALLBACK) != 0;
    ucp_request_param_t ours = parameters;
    Pending* pending = nullptr;
    if (calls) {
        pending = new Pending{message, parameters.cb.send, nullptr, parameters.user_data};
        ours.op_attr_mask |= UCP_OP_ATTR_FIELD_USER_DATA;
        ours.cb.send = sent;
        ours.user_data = pending;
    }
    packedBytes = 0;
    const ucs_status_ptr_t request = native(&ours);
    if (packedBytes > 0) setBytes(*message, static_cast<Bytes>(packedBytes));
    if (UCS_PTR_IS_PTR(request)) return request;
    // Without a request nothing was called.
    if (!UCS_PTR_IS_ERR(request)) complete(*message);
    delete pending;
    return request;
}

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// The tag by which MPICH looks for a message.
std::optional<Tag> lookFor(int source, int tag, MPI_Comm comm) {
    Trial own;
    Trial* const before = std::exchange(trial, &own);
    int found = 0;
    // The probe sends nothing itself, but makes progress on collectives of the program.
    const bool wasInside = std::exchange(inside, false);
    PMPI_Iprobe(source, tag, comm, &found, MPI_STATUS_IGNORE);
    inside = wasInside;
    trial = before;
    return own.looked;
}

/// Finds the process of each endpoint; gives why it cannot.
std::string findProcesses(MPI_Comm ours, std::int32_t size) {
    std::vector<std::uint64_t> marks(asSize(size));
    check(PMPI_Allgather(&ownAddress, 1, MPI_UINT64_T, marks.data(), 1, MPI_UINT64_T, ours), "reading addresses");
    std::unordered_map<std::uint64_t, std::int32_t> byMark;
    for (std::int32_t process = 0; process < size; ++process) byMark[marks[asSize(process)]] = process;
    const std::lock_guard lock{addressesMutex};
    if (ownAddress == 0 || byMark.contains(0)) return "this MPICH does not send through UCX";
    for (const auto& [endpoint, mark] : addresses)
        if (const auto process = byMark.find(mark); process != byMark.end()) processes[endpoint] = process->second;
    std::vector<bool> isFound(asSize(size));
    for (const auto& [endpoint, process] : processes) isFound[asSize(process)] = true;
    if (std::find(isFound.begin(), isFound.end(), false) != isFound.end() || byMark.size() != marks.size())
        return "addresses of UCX do not identify processes";
    return {};
}

void findHosts(MPI_Comm ours, std::int32_t size) {
    MPI_Comm host = MPI_COMM_NULL;
    check(PMPI_Comm_split_type(ours, MPI_COMM_TYPE_SHARED, ownProcess, MPI_INFO_NULL, &host), "reading hosts");
    std::int32_t first = 0;
    check(PMPI_Allreduce(&ownProcess, &first, 1, MPI_INT32_T, MPI_MIN, host), "reading hosts");
    PMPI_Comm_free(&host);
    hosts.resize(asSize(size));
    check(PMPI_Allgather(&first, 1, MPI_INT32_T, hosts.data(), 1, MPI_INT32_T, ours), "reading hosts");
}

}  // namespace

std::string watch(Internal& internal, MPI_Comm ours) {
    char words[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    PMPI_Get_library_version(words, &length);
    if (!std::string_view{words, asSize(length)}.starts_with(version)) return "the MPI library is not MPICH 4";
    std::int32_t size = 0;
    PMPI_Comm_size(ours, &size);
    PMPI_Comm_rank(ours, &ownProcess);
    const std::string why = findProcesses(ours, size);
    findHosts(ours, size);
    constexpr int someTag = 1'234'567;
    const auto first = lookFor(0, 0, ours);
    const auto last = lookFor(size - 1, someTag, ours);
    Trial own;
    trial = &own;
    PMPI_Barrier(ours);
    trial = nullptr;
    if (!why.empty()) return why;  // only now: until here all processes must make the same calls
    const bool fits = first && last && first->context == last->context && first->part() == whole &&
                      !first->isCollective() && first->source == 0 && first->tag == 0 && last->source == size - 1 &&
                      last->tag == someTag;
    if (size > 1 && (!fits || own.collective == 0))
        return "messages of this MPICH do not go through UCX, or their tags have another layout";
    recorded = &internal;
    isWatching = true;
    return {};
}

void unwatch() noexcept { isWatching = false; }

void met(MPI_Comm comm, const Communicator& known) {
    if (comm == MPI_COMM_SELF || !known.team() || known.size() + known.sources() < 2) return;
    if (const auto tag = lookFor(MPI_ANY_SOURCE, 0, comm)) keep(tag->communicator(), contextOf(known));
}

/// Its context may become that of another.
void freed(const Communicator& known) noexcept {
    if (!known.team()) return;
    const std::lock_guard lock{contextsMutex};
    for (auto& place : contexts) {
        const Context* const context = place.load(std::memory_order_relaxed);
        if (context != nullptr && context->team == *known.team())
            delete place.exchange(nullptr, std::memory_order_acq_rel);
    }
}

Carried carriedBy(live::Called, MPI_Comm, bool) noexcept { return {}; }

std::span<const Setting> settings() {
    static constexpr std::array<Setting, 1> all{{{.prefix = "MPIR_CVAR_", .except = "MPIR_CVAR_CH3_"}}};
    return all;
}

}  // namespace engine::mpi::pmpi::library

namespace library = engine::mpi::pmpi::library;

#pragma GCC visibility push(default)
extern "C" {

ucs_status_ptr_t ucp_tag_send_nbx(ucp_ep_h to, const void* data, std::size_t count, ucp_tag_t tag,
                                  const ucp_request_param_t* parameters) {
    static const auto own = library::next<decltype(&ucp_tag_send_nbx)>("ucp_tag_send_nbx");
    return library::sending(to, count, tag, *parameters,
                            [&](const ucp_request_param_t* ours) { return own(to, data, count, tag, ours); });
}

ucs_status_ptr_t ucp_tag_send_sync_nbx(ucp_ep_h to, const void* data, std::size_t count, ucp_tag_t tag,
                                       const ucp_request_param_t* parameters) {
    static const auto own = library::next<decltype(&ucp_tag_send_sync_nbx)>("ucp_tag_send_sync_nbx");
    return library::sending(to, count, tag, *parameters,
                            [&](const ucp_request_param_t* ours) { return own(to, data, count, tag, ours); });
}

ucs_status_ptr_t ucp_tag_recv_nbx(ucp_worker_h worker, void* to, std::size_t count, ucp_tag_t tag, ucp_tag_t mask,
                                  const ucp_request_param_t* parameters) {
    using engine::live::CallEffect;
    static const auto own = library::next<decltype(&ucp_tag_recv_nbx)>("ucp_tag_recv_nbx");
    const bool calls = (parameters->op_attr_mask & UCP_OP_ATTR_FIELD_CALLBACK) != 0;
    const bool isAnySource = (mask >> 32U & 0xffffU) == 0;
    engine::live::Event* const message =
        calls ? library::post(CallEffect::postReceive, library::Tag{tag}, nullptr, isAnySource, count, *parameters)
              : nullptr;
    if (message == nullptr) return own(worker, to, count, tag, mask, parameters);
    auto* const pending = new library::Pending{message, nullptr, parameters->cb.recv, parameters->user_data};
    ucp_request_param_t ours = *parameters;
    ours.op_attr_mask |= UCP_OP_ATTR_FIELD_USER_DATA;
    ours.cb.recv = library::received;
    ours.user_data = pending;
    const ucs_status_ptr_t request = own(worker, to, count, tag, mask, &ours);
    if (UCS_PTR_IS_PTR(request)) return request;
    if (!UCS_PTR_IS_ERR(request)) {
        if ((ours.op_attr_mask & UCP_OP_ATTR_FIELD_RECV_INFO) != 0)
            library::completeReceive(*message, *ours.recv_info.tag_info);
        else engine::mpi::pmpi::complete(*message);
    }
    delete pending;
    return request;
}

ucp_tag_message_h ucp_tag_probe_nb(ucp_worker_h worker, ucp_tag_t tag, ucp_tag_t mask, int removes,
                                   ucp_tag_recv_info_t* info) {
    static const auto own = library::next<decltype(&ucp_tag_probe_nb)>("ucp_tag_probe_nb");
    if (library::trial != nullptr) library::trial->looked = library::Tag{tag};
    return own(worker, tag, mask, removes, info);
}

ucs_status_t ucp_ep_create(ucp_worker_h worker, const ucp_ep_params_t* parameters, ucp_ep_h* endpoint) {
    static const auto own = library::next<decltype(&ucp_ep_create)>("ucp_ep_create");
    const ucs_status_t status = own(worker, parameters, endpoint);
    if (status == UCS_OK && (parameters->field_mask & UCP_EP_PARAM_FIELD_REMOTE_ADDRESS) != 0) {
        const std::lock_guard lock{library::addressesMutex};
        library::addresses[*endpoint] = library::markOf(parameters->address);
    }
    return status;
}

ucs_status_t ucp_worker_get_address(ucp_worker_h worker, ucp_address_t** address, std::size_t* length) {
    static const auto own = library::next<decltype(&ucp_worker_get_address)>("ucp_worker_get_address");
    const ucs_status_t status = own(worker, address, length);
    if (status == UCS_OK && *length >= sizeof(std::array<char, 32>) && library::ownAddress == 0)
        library::ownAddress = library::markOf(*address);
    return status;
}

ucs_status_t ucp_dt_create_generic(const ucp_generic_dt_ops_t* functions, void* context, ucp_datatype_t* type) {
    static const auto own = library::next<decltype(&ucp_dt_create_generic)>("ucp_dt_create_generic");
    std::size_t (*known)(void*) = nullptr;
    ucp_generic_dt_ops_t ours = *functions;
    if (library::packedSize.compare_exchange_strong(known, functions->packed_size) || known == functions->packed_size)
        ours.packed_size = library::notePackedSize;
    return own(&ours, context, type);
}

}  // extern "C"
#pragma GCC visibility pop

#else

namespace engine::mpi::pmpi::library {

std::string watch(Internal&, MPI_Comm) { return "this recorder was built without the headers of UCX"; }
void unwatch() noexcept {}
void met(MPI_Comm, const Communicator&) {}
void freed(const Communicator&) noexcept {}
Carried carriedBy(live::Called, MPI_Comm, bool) noexcept { return {}; }
std::span<const Setting> settings() { return {}; }

}  // namespace engine::mpi::pmpi::library

#endif
#endif
