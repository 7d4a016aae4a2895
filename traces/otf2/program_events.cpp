// SPDX-License-Identifier: BSD-3-Clause
#include "traces/otf2/program_events.hpp"

#include "traces/otf2/check.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace traces::otf2 {

using engine::live::Call;
using engine::live::Called;
using engine::live::CallEffect;
using engine::live::Carrier;
using engine::live::Event;
using engine::live::Kind;
using engine::live::Other;
using engine::live::OtherGroup;
using engine::live::Step;

namespace {

OTF2_CollectiveOp operationOf(Called called) {
    switch (engine::live::blockingOf(called)) {
        case Called::allgather: return OTF2_COLLECTIVE_OP_ALLGATHER;
        case Called::allgatherv: return OTF2_COLLECTIVE_OP_ALLGATHERV;
        case Called::allreduce: return OTF2_COLLECTIVE_OP_ALLREDUCE;
        case Called::alltoall: return OTF2_COLLECTIVE_OP_ALLTOALL;
        case Called::alltoallv: return OTF2_COLLECTIVE_OP_ALLTOALLV;
        case Called::alltoallw: return OTF2_COLLECTIVE_OP_ALLTOALLW;
        case Called::bcast: return OTF2_COLLECTIVE_OP_BCAST;
        case Called::exscan: return OTF2_COLLECTIVE_OP_EXSCAN;
        case Called::gather: return OTF2_COLLECTIVE_OP_GATHER;
        case Called::gatherv: return OTF2_COLLECTIVE_OP_GATHERV;
        case Called::reduce: return OTF2_COLLECTIVE_OP_REDUCE;
        case Called::reduceScatter: return OTF2_COLLECTIVE_OP_REDUCE_SCATTER;
        case Called::reduceScatterBlock: return OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK;
        case Called::scan: return OTF2_COLLECTIVE_OP_SCAN;
        case Called::scatter: return OTF2_COLLECTIVE_OP_SCATTER;
        case Called::scatterv: return OTF2_COLLECTIVE_OP_SCATTERV;
        default: return OTF2_COLLECTIVE_OP_BARRIER;
    }
}

std::uint32_t rootOf(std::int32_t root) {
    switch (root) {
        case engine::live::root::none: return OTF2_UNDEFINED_UINT32;
        case engine::live::root::self: return OTF2_COLLECTIVE_ROOT_SELF;
        case engine::live::root::sameGroup: return OTF2_COLLECTIVE_ROOT_THIS_GROUP;
        default: return static_cast<std::uint32_t>(root);
    }
}

/// What all of a communicator do by a call that they join in; OTF2 has no name for collective access to files.
std::optional<OTF2_CollectiveOp> operationOf(const Step& step) {
    if (step.deed != CallEffect::join) return std::nullopt;
    switch (step.what) {
        case Other::File_open: return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
        case Other::File_close:
        case Other::Win_free: return OTF2_COLLECTIVE_OP_DESTROY_HANDLE;
        default: break;
    }
    switch (groupOf(step.what)) {
        case OtherGroup::group:
        case OtherGroup::oneSided: return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
        case OtherGroup::freeing: return OTF2_COLLECTIVE_OP_DESTROY_HANDLE;
        default: return std::nullopt;
    }
}

bool isCollective(const Event& event) {
    return event.kind == Kind::call || event.kind == Kind::request || event.kind == Kind::complete;
}

bool isAmongNeighbours(Other call) {
    const std::string_view name = nameOf(call);
    return name.starts_with("MPI_Neighbor_") || name.starts_with("MPI_Ineighbor_");
}

/// Whether a call is not collective: what the library sends within it belongs to an earlier operation.
bool isLocal(Other call) {
    switch (groupOf(call)) {
        case OtherGroup::group:
        case OtherGroup::oneSided:
        case OtherGroup::freeing:
        case OtherGroup::collective: return false;
        default: return true;
    }
}

}  // namespace

void ProgramEvents::wrote(OTF2_ErrorCode code) {
    check(code, doing_);
    ++count_;
}

void ProgramEvents::write(std::span<const Event> events) {
    for (const Event& event : events) {
        if (event.kind == Kind::algorithm) carriers_.push_back(std::bit_cast<Carrier>(event));
        if (event.kind != Kind::internal) continue;
        const auto number = static_cast<std::uint32_t>(messages_.size());
        insides_.push_back({event.begin, number, false});
        if (event.end != 0) insides_.push_back({event.end, number, true});
        messages_.push_back(std::bit_cast<Step>(event));
    }
    std::stable_sort(insides_.begin(), insides_.end(),
                     [](const Inside& a, const Inside& b) { return a.time < b.time; });
    std::stable_sort(carriers_.begin(), carriers_.end(),
                     [](const Carrier& a, const Carrier& b) { return a.begin < b.begin; });
    for (const Event& event : events) {
        switch (event.kind) {
            case Kind::part:
            case Kind::complete: parts_.push_back(event); break;
            case Kind::call:
            case Kind::request:
            case Kind::step:
                call(event);
                parts_.clear();
                break;
            default: break;
        }
    }
    inside(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<OTF2_TimeStamp>::max());
    leaveUnless({});
}

void ProgramEvents::leaveUnless(std::span<const OTF2_RegionRef> functions) {
    const auto left = std::mismatch(functions_.begin(), functions_.end(), functions.begin(), functions.end()).first;
    for (auto depth = functions_.end() - left; depth > 0; --depth, functions_.pop_back())
        wrote(OTF2_EvtWriter_Leave(writer_, nullptr, last_, functions_.back()));
}

void ProgramEvents::inside(std::int64_t time, OTF2_TimeStamp end, std::optional<std::uint64_t> request) {
    for (; nextInside_ < insides_.size() && insides_[nextInside_].time <= time; ++nextInside_) {
        const Inside& one = insides_[nextInside_];
        last_ = std::min(end, std::max(last_, names_.time(one.time)));
        const Step& message = messages_[one.message];
        if (!one.completes && isOfNeighbours(message, request)) ofNeighbours_.insert(one.message);
        const bool ofNeighbours = ofNeighbours_.contains(one.message);
        const Channel channel = ofNeighbours
                                    ? Channel{names_.communicator(message.team),
                                              static_cast<std::uint32_t>(message.tag) | own::tagOfNeighbours,
                                              lastOfNeighbours - one.message}
                                    : Channel{names_.inside(message.team), static_cast<std::uint32_t>(message.tag),
                                              firstInside + one.message};
        if (one.completes) insideCompleted(message, channel);
        else insidePosted(message, channel, ofNeighbours ? std::nullopt : requestOf(message, request));
    }
}

bool ProgramEvents::isOfNeighbours(const Step& message, std::optional<std::uint64_t> request) {
    const std::pair key{message.team, message.tag};
    if (names_.isOfLibrary(message.team)) return false;
    if (request || !atNeighbours_) return !request && neighbours_.contains(key);
    neighbours_.insert(key);
    return true;
}

std::optional<std::uint64_t> ProgramEvents::requestOf(const Step& message, std::optional<std::uint64_t> request) {
    // A nonblocking collective has tags of its own, which its first messages show.
    const std::pair key{message.team, message.tag};
    if (request) requestOf_.try_emplace(key, *request), neighbours_.erase(key);
    if (const auto its = requestOf_.find(key); its != requestOf_.end()) return its->second;
    if (!mayBeOfEarlierOnes_) return std::nullopt;
    // A collective that begins with a local operation, such as a copy, posts its first message when the program waits.
    const auto first = std::ranges::find(withoutMessages_, message.team, &Begun::team);
    if (first == withoutMessages_.end()) return std::nullopt;
    const std::uint64_t earliest = first->request;
    requestOf_.emplace(key, earliest);
    withoutMessages_.erase(first);
    return earliest;
}

void ProgramEvents::insidePosted(const Step& message, const Channel& channel, std::optional<std::uint64_t> request) {
    if (request) check(OTF2_AttributeList_AddUint64(attributes_.get(), insideAttribute, *request), doing_);
    if (message.deed == CallEffect::postReceive)
        return wrote(OTF2_EvtWriter_MpiIrecvRequest(writer_, attributes_.get(), last_, channel.request));
    wrote(OTF2_EvtWriter_MpiIsend(writer_, attributes_.get(), last_, static_cast<std::uint32_t>(message.peer),
                                  channel.communicator, channel.tag, static_cast<std::uint64_t>(message.bytes),
                                  channel.request));
}

void ProgramEvents::insideCompleted(const Step& message, const Channel& channel) {
    if (message.deed == CallEffect::postSend)
        return wrote(OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, last_, channel.request));
    wrote(OTF2_EvtWriter_MpiIrecv(writer_, nullptr, last_, static_cast<std::uint32_t>(message.peer),
                                  channel.communicator, channel.tag, static_cast<std::uint64_t>(message.bytes),
                                  channel.request));
}

Carried ProgramEvents::carriedBy(std::int64_t begin, std::int64_t end) {
    while (nextCarrier_ < carriers_.size() && carriers_[nextCarrier_].begin < begin) ++nextCarrier_;
    const std::size_t first = nextCarrier_;
    while (nextCarrier_ < carriers_.size() && carriers_[nextCarrier_].begin <= end) ++nextCarrier_;
    if (first == nextCarrier_) return {};
    return names_.carried(std::span{carriers_}.subspan(first, nextCarrier_ - first));
}

void ProgramEvents::add(const Carried& carried) {
    const auto addOne = [&](OTF2_AttributeRef attribute, OTF2_StringRef words) {
        if (words != OTF2_UNDEFINED_STRING)
            check(OTF2_AttributeList_AddStringRef(attributes_.get(), attribute, words), doing_);
    };
    addOne(libraryAlgorithmAttribute, carried.algorithm);
    addOne(libraryComponentAttribute, carried.component);
}

void ProgramEvents::call(const Event& event) {
    // Clocks of two hosts are only known so well: what must not happen is that time goes back on one of them.
    const std::span<const OTF2_RegionRef> functions = names_.functions(event.site);
    leaveUnless(functions);
    inside(event.begin - 1, std::max(last_, names_.time(event.begin)));
    const OTF2_TimeStamp begin = last_ = std::max(last_, names_.time(event.begin));
    for (const OTF2_RegionRef function : functions.subspan(functions_.size())) {
        wrote(OTF2_EvtWriter_Enter(writer_, nullptr, begin, function));
        functions_.push_back(function);
    }
    const OTF2_TimeStamp end = std::max(begin, names_.time(event.end));
    const bool ours = isCollective(event);
    const auto step = std::bit_cast<Step>(event);
    const OTF2_RegionRef region = names_.region(ours ? numberOf(std::bit_cast<Call>(event).called)
                                                : step.deed == CallEffect::foundNothing ? foundNothingOf(step.what)
                                                                                        : numberOf(step.what),
                                                event.site);
    // A refused call takes no part in a collective.
    const bool refused = std::any_of(parts_.begin(), parts_.end(), [](const Event& part) {
        return !isCollective(part) && std::bit_cast<Step>(part).deed == CallEffect::refused;
    });
    const bool isApart = event.kind == Kind::call && std::bit_cast<Call>(event).team == engine::live::noTeam;
    const bool collects = event.kind == Kind::call && !refused && !isApart;
    apart_ += isApart && !refused ? 1 : 0;
    const auto joined = ours ? std::nullopt : operationOf(step);
    wrote(OTF2_EvtWriter_Enter(writer_, nullptr, begin, region));
    if (collects || joined) wrote(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, begin));
    for (const Event& part : parts_)
        if (!isCollective(part)) beginning(std::bit_cast<Step>(part), begin);
    if (!ours) beginning(step, begin);
    for (const Event& part : parts_) {
        if (isCollective(part)) continue;
        const auto its = std::bit_cast<Step>(part);
        if (its.deed == CallEffect::postCollective) posted({its.request, its.team}, part.begin, part.end, end);
        if (its.deed != CallEffect::postNeighbours) continue;
        inside(part.begin - 1, end);
        last_ = std::min(end, std::max(last_, names_.time(part.begin)));
        wrote(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer_, nullptr, last_, its.request));
        atNeighbours_ = true;
        inside(part.end, end);
        atNeighbours_ = false;
    }
    atNeighbours_ = !ours && isAmongNeighbours(step.what);
    if (event.kind == Kind::request) {
        const auto begun = std::bit_cast<Call>(event);
        posted({static_cast<std::uint64_t>(begun.received), begun.team}, event.begin, event.end, end);
    }
    const Carried carried = carriedBy(event.begin, event.end);
    mayBeOfEarlierOnes_ = !ours && isLocal(step.what);
    inside(event.end, end);
    mayBeOfEarlierOnes_ = atNeighbours_ = false;
    last_ = end;
    for (const Event& part : parts_)
        if (isCollective(part)) completed(std::bit_cast<Call>(part), end);
        else ending(std::bit_cast<Step>(part), end);
    if (collects) {
        add(carried);
        collective(std::bit_cast<Call>(event), end);
    }
    if (!ours && step.deed >= CallEffect::member && step.deed <= CallEffect::flush) oneSided(step, begin, end);
    if (!ours) ending(step, end);
    if (joined) {
        add(carried);
        wrote(OTF2_EvtWriter_MpiCollectiveEnd(writer_, attributes_.get(), end, *joined, names_.communicator(step.team),
                                              OTF2_UNDEFINED_UINT32, 0, 0));
    }
    wrote(OTF2_EvtWriter_Leave(writer_, nullptr, end, region));
    ++calls_;
}

void ProgramEvents::posted(const Begun& begun, std::int64_t from, std::int64_t until, OTF2_TimeStamp end) {
    inside(from - 1, end);
    last_ = std::min(end, std::max(last_, names_.time(from)));
    wrote(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer_, nullptr, last_, begun.request));
    carriedOf_[begun.request] = carriedBy(from, until);
    inside(until, end, begun.request);
    if (std::ranges::none_of(requestOf_, [&](const auto& one) { return one.second == begun.request; }))
        withoutMessages_.push_back(begun);
}

void ProgramEvents::collective(const Call& call, OTF2_TimeStamp end) {
    if (call.way != 0 && call.way < names_.ways.size()) {
        check(OTF2_AttributeList_AddStringRef(attributes_.get(), algorithmAttribute, names_.ways[call.way]), doing_);
        ++replaced_;
    }
    addReduction(call);
    wrote(OTF2_EvtWriter_MpiCollectiveEnd(
        writer_, attributes_.get(), end, operationOf(call.called), names_.communicator(call.team), rootOf(call.root),
        static_cast<std::uint64_t>(call.sent), static_cast<std::uint64_t>(call.received)));
}

void ProgramEvents::addReduction(const Call& call) {
    if (call.operation != 0 && call.operation < names_.reductions.size())
        check(OTF2_AttributeList_AddStringRef(attributes_.get(), reductionAttribute, names_.reductions[call.operation]),
              doing_);
}

void ProgramEvents::completed(const Call& call, OTF2_TimeStamp end) {
    addReduction(call);
    const auto request = static_cast<std::uint64_t>(call.begin);
    if (const auto its = carriedOf_.find(request); its != carriedOf_.end()) {
        add(its->second);
        carriedOf_.erase(its);
    }
    std::erase_if(requestOf_, [&](const auto& one) { return one.second == request; });
    std::erase_if(withoutMessages_, [&](const Begun& one) { return one.request == request; });
    wrote(OTF2_EvtWriter_NonBlockingCollectiveComplete(
        writer_, attributes_.get(), end, operationOf(call.called), names_.communicator(call.team), rootOf(call.root),
        static_cast<std::uint64_t>(call.sent), static_cast<std::uint64_t>(call.received), request));
}

void ProgramEvents::beginning(const Step& step, OTF2_TimeStamp time) {
    const auto peer = static_cast<std::uint32_t>(step.peer);
    const auto tag = static_cast<std::uint32_t>(step.tag);
    const auto bytes = static_cast<std::uint64_t>(step.bytes);
    switch (step.deed) {
        case CallEffect::send:
            wrote(OTF2_EvtWriter_MpiSend(writer_, nullptr, time, peer, names_.communicator(step.team), tag, bytes));
            break;
        case CallEffect::postSend:
            wrote(OTF2_EvtWriter_MpiIsend(writer_, nullptr, time, peer, names_.communicator(step.team), tag, bytes,
                                          step.request));
            break;
        case CallEffect::postReceive:
            wrote(OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, time, step.request));
            break;
        case CallEffect::meet: wrote(OTF2_EvtWriter_RmaCollectiveBegin(writer_, nullptr, time)); break;
        case CallEffect::doneWithNeighbours:
            if (step.request == 0) wrote(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, time));
            break;
        case CallEffect::postNeighbours:  // those of persistent ones have a time of their own
            if (step.kind == Kind::step)
                wrote(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer_, nullptr, time, step.request));
            break;
        case CallEffect::readFile:
        case CallEffect::writeFile:
            wrote(OTF2_EvtWriter_IoOperationBegin(
                writer_, nullptr, time, names_.file(step.team, step.request),
                step.deed == CallEffect::readFile ? OTF2_IO_OPERATION_MODE_READ : OTF2_IO_OPERATION_MODE_WRITE,
                OTF2_IO_OPERATION_FLAG_NONE, bytes, fileOperations_));
            break;
        default: break;
    }
}

void ProgramEvents::oneSided(const Step& step, OTF2_TimeStamp begin, OTF2_TimeStamp end) {
    const OTF2_RmaWinRef window = names_.window(step.team, step.request);
    const auto peer = static_cast<std::uint32_t>(step.peer);
    const auto bytes = static_cast<std::uint64_t>(step.bytes);
    const OTF2_LockType lock = step.tag == 1 ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED;
    switch (step.deed) {
        case CallEffect::together: {
            std::vector<std::int32_t> ranks;
            for (const Event& part : parts_)
                if (!isCollective(part) && std::bit_cast<Step>(part).deed == CallEffect::member)
                    ranks.push_back(std::bit_cast<Step>(part).peer);
            const bool ends = step.what != engine::live::Other::Win_start && step.what != engine::live::Other::Win_post;
            wrote(OTF2_EvtWriter_RmaGroupSync(
                writer_, nullptr, ends ? end : begin,
                ends ? OTF2_RMA_SYNC_LEVEL_MEMORY | OTF2_RMA_SYNC_LEVEL_PROCESS : OTF2_RMA_SYNC_LEVEL_NONE, window,
                names_.group(step.team, ranks)));
            break;
        }
        case CallEffect::lock:
            wrote(OTF2_EvtWriter_RmaRequestLock(writer_, nullptr, begin, window, peer, 0, lock));
            break;
        case CallEffect::unlock: wrote(OTF2_EvtWriter_RmaReleaseLock(writer_, nullptr, end, window, peer, 0)); break;
        case CallEffect::flush:
            wrote(OTF2_EvtWriter_RmaSync(writer_, nullptr, begin, window, peer, OTF2_RMA_SYNC_TYPE_MEMORY));
            break;
        case CallEffect::put: wrote(OTF2_EvtWriter_RmaPut(writer_, nullptr, begin, window, peer, bytes, 0)); break;
        case CallEffect::get: wrote(OTF2_EvtWriter_RmaGet(writer_, nullptr, begin, window, peer, bytes, 0)); break;
        case CallEffect::change:
            wrote(OTF2_EvtWriter_RmaAtomic(writer_, nullptr, begin, window, peer, OTF2_RMA_ATOMIC_TYPE_ACCUMULATE,
                                           bytes, 0, 0));
            break;
        default: break;
    }
}

void ProgramEvents::ending(const Step& step, OTF2_TimeStamp time) {
    const auto peer = static_cast<std::uint32_t>(step.peer);
    const auto tag = static_cast<std::uint32_t>(step.tag);
    const auto bytes = static_cast<std::uint64_t>(step.bytes);
    switch (step.deed) {
        case CallEffect::sent: wrote(OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, time, step.request)); break;
        case CallEffect::receive:
            wrote(OTF2_EvtWriter_MpiRecv(writer_, nullptr, time, peer, names_.communicator(step.team), tag, bytes));
            break;
        case CallEffect::received:
            wrote(OTF2_EvtWriter_MpiIrecv(writer_, nullptr, time, peer, names_.communicator(step.team), tag, bytes,
                                          step.request));
            break;
        case CallEffect::failed:
        case CallEffect::refused:
            wrote(OTF2_EvtWriter_ParameterString(writer_, nullptr, time, errorParameter,
                                                 names_.errors[static_cast<std::size_t>(step.tag)]));
            break;
        case CallEffect::cancelled:
            wrote(OTF2_EvtWriter_MpiRequestCancelled(writer_, nullptr, time, step.request));
            break;
        case CallEffect::sentToNeighbours: sentToNeighbours_ = bytes; break;
        case CallEffect::doneWithNeighbours: doneWithNeighbours(step, time); break;
        case CallEffect::openFile:
            wrote(OTF2_EvtWriter_IoCreateHandle(writer_, nullptr, time, names_.file(step.team, step.request),
                                                OTF2_IO_ACCESS_MODE_READ_WRITE, OTF2_IO_CREATION_FLAG_NONE,
                                                OTF2_IO_STATUS_FLAG_NONE));
            break;
        case CallEffect::closeFile:
            wrote(OTF2_EvtWriter_IoDestroyHandle(writer_, nullptr, time, names_.file(step.team, step.request)));
            break;
        case CallEffect::readFile:
        case CallEffect::writeFile:
            wrote(OTF2_EvtWriter_IoOperationComplete(writer_, nullptr, time, names_.file(step.team, step.request),
                                                     bytes, fileOperations_++));
            break;
        case CallEffect::meet:
            wrote(OTF2_EvtWriter_RmaCollectiveEnd(writer_, nullptr, time, OTF2_COLLECTIVE_OP_BARRIER,
                                                  OTF2_RMA_SYNC_LEVEL_MEMORY | OTF2_RMA_SYNC_LEVEL_PROCESS,
                                                  names_.window(step.team, step.request), OTF2_UNDEFINED_UINT32, 0, 0));
            break;
        default: break;
    }
}

void ProgramEvents::doneWithNeighbours(const Step& step, OTF2_TimeStamp time) {
    constexpr std::array<OTF2_CollectiveOp, engine::live::neighbourCalls.size()> operations{
        OTF2_COLLECTIVE_OP_ALLGATHER, OTF2_COLLECTIVE_OP_ALLGATHERV, OTF2_COLLECTIVE_OP_ALLTOALL,
        OTF2_COLLECTIVE_OP_ALLTOALLV, OTF2_COLLECTIVE_OP_ALLTOALLW};
    const OTF2_CollectiveOp operation = operations[static_cast<std::size_t>(step.tag)];
    const OTF2_CommRef communicator = names_.communicator(step.team);
    const auto received = static_cast<std::uint64_t>(step.bytes);
    check(OTF2_AttributeList_AddUint64(attributes_.get(), neighboursAttribute, 1), doing_);
    wrote(step.request == 0 ? OTF2_EvtWriter_MpiCollectiveEnd(writer_, attributes_.get(), time, operation, communicator,
                                                              OTF2_UNDEFINED_UINT32, sentToNeighbours_, received)
                            : OTF2_EvtWriter_NonBlockingCollectiveComplete(writer_, attributes_.get(), time, operation,
                                                                           communicator, OTF2_UNDEFINED_UINT32,
                                                                           sentToNeighbours_, received, step.request));
}

void ProgramEvents::off(std::int64_t end) {
    wrote(OTF2_EvtWriter_MeasurementOnOff(writer_, nullptr, last_, OTF2_MEASUREMENT_OFF));
    last_ = std::max(last_, names_.time(end));
    wrote(OTF2_EvtWriter_MeasurementOnOff(writer_, nullptr, last_, OTF2_MEASUREMENT_ON));
}

}  // namespace traces::otf2
