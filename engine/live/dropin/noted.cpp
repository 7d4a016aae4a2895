// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/dropin/noted.hpp"

#include <algorithm>
#include <bit>

namespace engine::mpi::dropin {

Noted::Noted(live::Other what, const void* caller) : what_{what} {
    if (inside || watching) return;
    session_ = Session::current();
    if (session_ != nullptr && !session_->records()) session_ = nullptr;
    if (session_ == nullptr) return;
    watching = true;
    begin_ = now();
    site_ = session_->site(caller);
}

Noted::~Noted() {
    if (session_ == nullptr) return;
    if (entered_) session_->left(now());
    else  // one that does not wait: it was here
        session_->enters({.begin = begin_, .end = now(), .site = site_, .what = static_cast<std::uint8_t>(what_)});
    watching = false;
}

std::optional<std::int32_t> Noted::teamOf(MPI_Comm comm) {
    try {
        const Communicator* const known = comm == MPI_COMM_NULL ? nullptr : session_->of(comm);
        return known != nullptr ? known->team() : std::nullopt;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void Noted::enter(MPI_Comm comm, std::int32_t peer, std::int32_t tag, std::int64_t count) {
    const Communicator* const known = session_->known(comm);
    session_->enters({.begin = begin_,
                      .count = count,
                      .team = known != nullptr ? known->team().value_or(-1) : -1,
                      .peer = peer,
                      .tag = tag,
                      .site = site_,
                      .what = static_cast<std::uint8_t>(what_)});
    entered_ = true;
}

std::optional<Pending> Noted::waits(int place, int count, RequestKey key) {
    live::Stand stand{
        .begin = begin_, .count = count, .request = place, .site = site_, .what = static_cast<std::uint8_t>(what_)};
    std::optional<Pending> pending = session_->requests().take(key);
    if (pending) {
        const live::Step& message = pending->message;
        stand.deed = message.deed;
        stand.called = pending->collective.called;
        stand.team = message.deed == live::Deed::none ? pending->collective.team : message.team;
        if (message.deed != live::Deed::none) stand.peer = message.peer, stand.tag = message.tag;
        else stand.sequence = pending->sequence;
    }
    session_->enters(stand);
    entered_ = true;
    return pending;
}

void Noted::enterTogether(MPI_Comm comm) {
    live::Stand stand{.begin = begin_, .site = site_, .what = static_cast<std::uint8_t>(what_)};
    if (Communicator* const known = session_->known(comm)) {
        stand.team = known->team().value_or(-1);
        stand.sequence = known->nextCall();
        counted_ = true;
    }
    session_->enters(stand);
    entered_ = true;
}

live::Step Noted::message(live::Deed deed, MPI_Comm comm, std::int32_t peer, std::int32_t tag, int count,
                          MPI_Datatype type) {
    const auto team = teamOf(comm);
    if (!team || peer == MPI_PROC_NULL) return {};
    MPI_Count size = 0;
    if (deed == live::Deed::send || deed == live::Deed::postSend) PMPI_Type_size_x(type, &size);
    return {.bytes = std::max<Bytes>(0, count) * std::max<Bytes>(0, size),
            .tag = tag,
            .peer = peer,
            .team = *team,
            .deed = deed};
}

live::Step Noted::came(live::Deed deed, std::optional<std::int32_t> team, const MPI_Status& status) {
    if (!team || status.MPI_SOURCE < 0) return {};
    MPI_Count bytes = 0;
    PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    return {.bytes = std::max<Bytes>(0, bytes),
            .tag = status.MPI_TAG,
            .peer = status.MPI_SOURCE,
            .team = *team,
            .deed = deed};
}

void Noted::part(live::Step step) {
    if (step.deed == live::Deed::none) return;
    step.kind = live::Kind::part;
    step.what = what_;
    session_->record(std::bit_cast<live::Event>(step));
}

void Noted::completed(const Pending& pending, const MPI_Status& status) {
    using live::Deed;
    if (pending.message.deed == Deed::none) {
        live::Call done = pending.collective;
        done.kind = live::Kind::complete;
        done.begin = pending.number;
        done.end = 0;
        return session_->record(std::bit_cast<live::Event>(done));
    }
    int cancelled = 0;
    if (pending.cancelled) PMPI_Test_cancelled(&status, &cancelled);
    live::Step step = pending.message;
    if (cancelled != 0) step.deed = Deed::cancelled;
    else if (step.deed == Deed::postSend) step.deed = Deed::sent;
    else step = came(Deed::received, step.team, status);
    step.request = pending.number;
    part(step);
}

void Noted::started(MPI_Request request) {
    const auto pending = session_->requests().start(request);
    if (!pending) return;
    live::Step step = pending->message;
    step.request = pending->number;
    part(step);
}

void Noted::done(const live::Step& own) {
    live::Step step = own;
    step.kind = live::Kind::step;
    step.begin = begin_;
    step.end = now();
    step.site = site_;
    step.what = what_;
    session_->record(std::bit_cast<live::Event>(step));
}

void Noted::doneTogether(MPI_Comm comm) {
    // Met here for the first time: the next one has to count on from this one.
    if (!counted_ && teamOf(comm)) (void)session_->known(comm)->nextCall();
    done();
}

}  // namespace engine::mpi::dropin
