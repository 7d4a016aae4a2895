// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/recording/recorded_call.hpp"

#include <algorithm>
#include <bit>

namespace engine::mpi::pmpi {

RecordedCall::RecordedCall(live::Other what, const Caller& caller) : what_{what} {
    if (inside || watching) return;
    session_ = RecorderSession::current();
    if (session_ != nullptr && !session_->records()) session_ = nullptr;
    if (session_ == nullptr) return;
    watching = true;
    const live::OtherGroup group = live::groupOf(what);
    Internal::enters(group == live::OtherGroup::group || group == live::OtherGroup::freeing ||
                     group == live::OtherGroup::collective);
    recordedNow = {this, what, {}, [](void* call, int code) { (void)static_cast<RecordedCall*>(call)->failed(code); }};
    begin_ = now();
    site_ = session_->site(caller);
}

RecordedCall::~RecordedCall() {
    if (session_ == nullptr) return;
    if (entered_) session_->left(now());
    else  // one that does not wait: it was here
        session_->enters({.begin = begin_, .end = now(), .what = what_, .site = site_});
    Internal::leaves();
    recordedNow = {};
    watching = false;
    polledLast = polls_;
}

std::optional<std::int32_t> RecordedCall::teamOf(MPI_Comm comm) {
    try {
        const Communicator* const known = comm == MPI_COMM_NULL ? nullptr : session_->of(comm);
        return known != nullptr ? known->team() : std::nullopt;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void RecordedCall::enter(MPI_Comm comm, std::int32_t peer, std::int32_t tag, std::int64_t count) {
    const Communicator* const known = session_->known(comm);
    session_->enters({.begin = begin_,
                      .count = count,
                      .team = known != nullptr ? known->team().value_or(-1) : -1,
                      .peer = peer,
                      .tag = tag,
                      .what = what_,
                      .site = site_});
    entered_ = true;
}

live::CallStatus RecordedCall::standAt(int place, int count, const std::optional<Pending>& pending) const {
    live::CallStatus stand{.begin = begin_, .count = count, .request = place, .what = what_, .site = site_};
    if (!pending) return stand;
    const live::Step& message = pending->message;
    stand.deed = message.deed;
    if (pending->collective) stand.called = pending->collective->called;
    stand.awaited = pending->other;
    stand.team = message.deed != live::CallEffect::none ? message.team
                 : pending->collective                  ? pending->collective->team
                                                        : pending->channel.team;
    if (message.deed != live::CallEffect::none) stand.peer = message.peer, stand.tag = message.tag;
    else stand.channel = pending->channel, stand.sequence = pending->sequence;
    return stand;
}

std::optional<Pending> RecordedCall::waits(int place, int count, RequestKey key) {
    std::optional<Pending> pending = session_->requests().take(key);
    session_->enters(standAt(place, count, pending));
    entered_ = true;
    return pending;
}

namespace {

/// The only request that is pending, where there is one alone.
std::optional<std::pair<int, Pending>> onlyOne(Requests& requests, std::span<const RequestKey> keys) {
    std::optional<std::pair<int, Pending>> found;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto pending = requests.look(keys[i]);
        if (!pending) continue;
        if (found) return std::nullopt;
        found = {static_cast<int>(i), *pending};
    }
    return found;
}

}  // namespace

void RecordedCall::waitsForAny(int count, std::span<const RequestKey> keys) {
    if (const auto only = onlyOne(session_->requests(), keys))
        session_->enters(standAt(only->first, count, only->second));
    else session_->enters({.begin = begin_, .count = count, .what = what_, .site = site_});
    entered_ = true;
}

void RecordedCall::polls(live::CallStatus stand, RequestKey key) {
    struct Looked {
        RequestKey key;
        std::uint32_t times;
        std::int64_t begin;
        live::Other what;
        std::uint16_t site;
    };
    static thread_local Looked last [[gnu::tls_model("initial-exec")]];
    const bool again = last.key == key && last.what == what_ && last.site == site_;
    stand.end = now();
    session_->polled(what_, site_, begin_, stand.end, polledLast ? begin_ - last.begin : 0);
    polls_ = true;
    last = {key, again && last.times < UINT32_MAX ? last.times + 1 : 1, begin_, what_, site_};
    stand.polls = last.times;
    session_->enters(stand);
    entered_ = true;
}

void RecordedCall::foundNothing(MPI_Comm comm, std::int32_t peer, std::int32_t tag) {
    const Communicator* const known = session_->known(comm);
    polls({.begin = begin_,
           .team = known != nullptr ? known->team().value_or(-1) : -1,
           .peer = peer,
           .tag = tag,
           .what = what_,
           .site = site_},
          static_cast<RequestKey>(static_cast<std::uint32_t>(peer)) << 32U | static_cast<std::uint32_t>(tag));
}

void RecordedCall::foundNothing(int count, std::span<const RequestKey> keys, const MPI_Request* all) {
    auto only = onlyOne(session_->requests(), keys);
    // Of several that must all be done, now and then: which is the first that is not.
    if (!only && all != nullptr) {
        static thread_local std::uint32_t times [[gnu::tls_model("initial-exec")]] = 0;
        constexpr std::uint32_t often = 16;
        static thread_local int open [[gnu::tls_model("initial-exec")]] = -1;
        if (times++ % often == 0) {
            open = -1;
            for (int i = 0; i < count && open < 0; ++i) {
                int done = 1;
                if (session_->requests().look(keys[static_cast<std::size_t>(i)]))
                    PMPI_Request_get_status(all[i], &done, MPI_STATUS_IGNORE);
                if (done == 0) open = i;
            }
        }
        if (open >= 0 && open < count)
            if (const auto pending = session_->requests().look(keys[static_cast<std::size_t>(open)]))
                only = {open, *pending};
    }
    live::CallStatus stand{.begin = begin_, .count = count, .what = what_, .site = site_};
    if (only) stand = standAt(only->first, count, only->second);
    polls(stand, only ? keys[static_cast<std::size_t>(only->first)] : static_cast<RequestKey>(count));
}

CollectivePosition RecordedCall::next(MPI_Comm comm) {
    counted_ = session_->known(comm);
    return counted_ != nullptr ? counted_->nextCall() : CollectivePosition{};
}

void RecordedCall::enterTogether(const CollectivePosition& together) {
    if (together.channel.kind != live::Channel::Kind::group) team_ = together.channel.team;
    session_->enters({.begin = begin_,
                      .sequence = together.sequence,
                      .channel = together.channel,
                      .team = together.channel.team,
                      .what = what_,
                      .site = site_});
    entered_ = true;
}

void RecordedCall::enterAt(MPI_Win window, std::int32_t peer, std::int32_t tag) {
    const live::Channel channel = session_->windows().channelOf(window);
    session_->enters({.begin = begin_,
                      .channel = channel,
                      .team = channel.team,
                      .peer = peer,
                      .tag = tag,
                      .what = what_,
                      .site = site_});
    entered_ = true;
}

std::uint32_t RecordedCall::begun(MPI_Request request, const CollectivePosition& together, MPI_Comm* made,
                                  const NeighbourShare& neighbours) {
    if (together.sequence == 0 && made == nullptr) return 0;
    const std::uint32_t number = session_->requests().number();
    session_->posted(request, {.number = number,
                               .neighbours = neighbours,
                               .other = what_,
                               .channel = together.channel,
                               .sequence = together.sequence,
                               .made = made});
    return number;
}

NeighbourShare RecordedCall::shareOf(std::int32_t operation, MPI_Comm comm, const Arguments& arguments) {
    const auto team = teamOf(comm);
    if (!team) return {};
    const auto bytesOf = [](const Side& side, const std::vector<bool>& neighbours) {
        Bytes all = 0;
        for (std::size_t i = 0; i < neighbours.size(); ++i)
            if (const auto place = static_cast<std::int32_t>(i); neighbours[i])
                all += bytesMoved(side.count(place), side.typeOf(place));
        return all;
    };
    const Neighbours& its = session_->known(comm)->neighbours();
    return {operation, *team, bytesOf(arguments.from, its.to), bytesOf(arguments.to, its.from)};
}

live::Step RecordedCall::exchanged(const NeighbourShare& share, std::uint32_t request) {
    if (share.operation < 0) return {};
    part({.bytes = share.sent, .request = request, .team = share.team, .deed = live::CallEffect::sentToNeighbours});
    return {.bytes = share.received,
            .tag = share.operation,
            .request = request,
            .team = share.team,
            .deed = live::CallEffect::doneWithNeighbours};
}

Bytes bytesMoved(std::int64_t count, MPI_Datatype type) {
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    return std::max<Bytes>(0, count) * std::max<Bytes>(0, size);
}

live::Step RecordedCall::message(live::CallEffect deed, MPI_Comm comm, std::int32_t peer, std::int32_t tag,
                                 std::int64_t count, MPI_Datatype type) {
    const auto team = teamOf(comm);
    if (!team || peer == MPI_PROC_NULL) return {};
    const bool sends = deed == live::CallEffect::send || deed == live::CallEffect::postSend;
    return {.bytes = sends ? bytesMoved(count, type) : 0, .tag = tag, .peer = peer, .team = *team, .deed = deed};
}

live::Step RecordedCall::came(live::CallEffect deed, std::optional<std::int32_t> team, const MPI_Status& status,
                              int code) {
    if (!team || status.MPI_SOURCE < 0) return {};
    MPI_Count bytes = 0;
    if (code == MPI_SUCCESS) PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    return {.bytes = std::max<Bytes>(0, bytes),
            .tag = status.MPI_TAG,
            .peer = status.MPI_SOURCE,
            .team = *team,
            .deed = deed};
}

void RecordedCall::accessed(MPI_File file, Bytes bytes) {
    const live::Channel its = session_->files().channelOf(file);
    if (its.kind == live::Channel::Kind::none) return;
    const bool reads = live::nameOf(what_).find("read") != std::string_view::npos;
    part({.bytes = bytes,
          .request = its.number,
          .team = its.team,
          .deed = reads ? live::CallEffect::readFile : live::CallEffect::writeFile});
}

void RecordedCall::part(live::Step step) {
    if (step.deed == live::CallEffect::none) return;
    step.kind = live::Kind::part;
    step.what = what_;
    session_->record(std::bit_cast<live::Event>(step));
}

void RecordedCall::completed(const Pending& pending, const MPI_Status& status, int code) {
    using live::CallEffect;
    if (pending.collective) {
        live::Call done = *pending.collective;
        done.kind = live::Kind::complete;
        done.begin = pending.number;
        done.end = 0;
        return session_->record(std::bit_cast<live::Event>(done));
    }
    if (pending.other != live::Other::none) {
        if (pending.made != nullptr) (void)teamOf(*pending.made);  // known from now on
        return part(exchanged(pending.neighbours, pending.number));
    }
    int cancelled = 0;
    if (pending.cancelled) PMPI_Test_cancelled(&status, &cancelled);
    live::Step step = pending.message;
    if (cancelled != 0) step.deed = CallEffect::cancelled;
    else if (step.deed == CallEffect::postSend) step.deed = CallEffect::sent;
    else if (pending.hasNoStatus) step.deed = CallEffect::received;
    else step = came(CallEffect::received, step.team, status, code);
    step.request = pending.number;
    part(step);
    if (pending.sentToo.deed == CallEffect::none) return;
    step = pending.sentToo;
    step.deed = CallEffect::sent;
    part(step);
}

void RecordedCall::started(MPI_Request request, std::int64_t begin) {
    const auto pending = session_->requests().start(request);
    if (!pending) return;
    if (pending->other != live::Other::none) {
        const std::int64_t end = now();
        session_->enters({.begin = begin,
                          .end = end,
                          .sequence = pending->sequence,
                          .channel = pending->channel,
                          .team = pending->channel.team,
                          .what = pending->other,
                          .site = site_});
        if (pending->collective) session_->internal().carried(pending->carrier, begin);
        return part(
            {.begin = begin,
             .end = end,
             .request = pending->number,
             .team = pending->channel.team,
             .deed = pending->collective ? live::CallEffect::postCollective : live::CallEffect::postNeighbours});
    }
    if (pending->partitions > 0) return;  // posted when they are ready
    live::Step step = pending->message;
    step.request = pending->number;
    part(step);
}

void RecordedCall::done(const live::Step& own) {
    live::Step step = own;
    step.kind = live::Kind::step;
    step.begin = begin_;
    step.end = now();
    step.site = site_;
    step.what = what_;
    session_->record(std::bit_cast<live::Event>(step));
}

int RecordedCall::failed(int code, const live::Step& own) {
    if (session_ == nullptr) return code;
    const ReturnedError error{code};
    // A refused call takes no part in a collective of the others.
    if (error.isRefusal() && counted_ != nullptr) counted_->takeBackCall();
    this->error(error);
    done(own);
    return code;
}

void RecordedCall::doneTogether() {
    done(team_ < 0 ? live::Step{} : live::Step{.team = team_, .deed = live::CallEffect::join});
}

void RecordedCall::doneTogether(MPI_Comm comm) {
    if (const auto team = teamOf(comm)) {
        team_ = *team;
        // Met here for the first time: the next one has to count on from this one.
        if (counted_ == nullptr) (void)session_->known(comm)->nextCall();
    }
    doneTogether();
}

}  // namespace engine::mpi::pmpi
