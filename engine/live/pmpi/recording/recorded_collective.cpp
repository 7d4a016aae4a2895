// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/recording/recorded_collective.hpp"

#include <bit>
#include <cstdio>

namespace engine::mpi::pmpi {

Communicator* RecordedCollective::mayBeReplaced() {
    Communicator* const known = session_->of(comm_);
    return known != nullptr && known->mayReplace(call_.called) ? known : nullptr;
}

bool RecordedCollective::mayFollowRules() {
    if (!session_->hasRules()) return false;
    const Communicator* const known = session_->known(comm_);
    if (large_ && known != nullptr && known->mayReplace(call_.called))
        session_->refused(text(live::nameOfCall(call_.called), "_c, which has large counts"));
    return !large_;
}

std::optional<int> RecordedCollective::byRule() {
    try {
        Communicator* const known = mayBeReplaced();
        if (known == nullptr) return std::nullopt;
        const InsideRecorder guard;
        const CollectiveRequest asked{*known, call_.called, arguments_};
        if (!canBeReplaced(*known, asked)) return std::nullopt;
        const Replaced way = replace(*known, known->context(), asked);
        if (!way) return std::nullopt;
        call_.way = *way;
        note();
        return MPI_SUCCESS;
    } catch (const Failed& failure) {
        return tell(failure, failure.code());
    } catch (const std::exception& failure) {
        return tell(failure, MPI_ERR_OTHER);
    }
}

std::optional<int> RecordedCollective::byRuleLater(MPI_Request* request, OnComm own) {
    try {
        Communicator* const known = mayBeReplaced();
        if (known == nullptr) return std::nullopt;
        const InsideRecorder guard;
        if (known->later() == nullptr) {
            session_->refused(text(name(call_.called), " on a communicator whose making is not seen (MPI_Comm_idup)"));
            return std::nullopt;
        }
        const CollectiveRequest asked{*known, call_.called, arguments_};
        if (!canBeReplaced(*known, asked)) return std::nullopt;
        // What they tell each other they tell later: the rest can be decided here, and no thread is needed for it.
        if (!mustBeExchanged(*known, asked) &&
            !ruleFor(*known, asked, requestedProblemOf(*known, known->context(), asked)))
            return std::nullopt;
        known->later()->add(asked, std::move(own), request);
        return MPI_SUCCESS;
    } catch (const Failed& failure) {
        return tell(failure, failure.code());
    } catch (const std::exception& failure) {
        return tell(failure, MPI_ERR_OTHER);
    }
}

int RecordedCollective::tell(const std::exception& failure, int code) const {
    std::fprintf(stderr, "collscope: %s\n", failure.what());
    PMPI_Comm_call_errhandler(comm_, code);
    return code;
}

namespace {

/// Of live::operationNames.
std::uint8_t numberOf(MPI_Op operation) {
    if (operation == MPI_OP_NULL) return 0;
    std::uint8_t number = 1;
    for (const MPI_Op named : {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR,
                               MPI_BXOR, MPI_MAXLOC, MPI_MINLOC}) {
        if (operation == named) return number;
        ++number;
    }
    return number;
}

/// Elements that all processes of a right call name alike, as far as one number says it.
std::int64_t elementsOf(live::Called called, const Arguments& arguments) {
    const auto& [from, to, operation, root] = arguments;
    switch (live::blockingOf(called)) {
        case live::Called::barrier: return -1;
        case live::Called::scatter: return to.inPlace() ? from.each : to.each;
        case live::Called::gather: return from.inPlace() ? to.each : from.each;
        default: return from.hasCounts() || to.hasCounts() ? -1 : to.each;
    }
}

}  // namespace

void describe(live::Call& call, const Communicator& comm, const Arguments& arguments) {
    call.team = *comm.team();
    call.operation = numberOf(arguments.operation);
    if (live::blockingOf(call.called) == live::Called::barrier) return;
    const CollectiveRequest asked{comm, call.called, arguments};
    const auto [sent, received] = asked.counted();
    call.sent = sent;
    call.received = received;
    call.root = asked.recordedRoot();
}

void RecordedCollective::enter(const Caller& caller) {
    watching = recorded_ = true;
    recordedNow = {this, live::Other::none, call_.called,
                   [](void* call, int code) { (void)static_cast<RecordedCollective*>(call)->failed(code); }};
    call_.site = session_->site(caller);
    known_ = session_->known(comm_);
    Internal::enters(true, known_);
    call_.operation = numberOf(arguments_.operation);
    live::CallStatus stand{.begin = call_.begin,
                           .count = elementsOf(call_.called, arguments_),
                           .peer = live::isRooted(call_.called) ? arguments_.root : -1,
                           .called = call_.called,
                           .site = call_.site,
                           .kind = live::Kind::call,
                           .operation = call_.operation};
    if (known_ != nullptr) {
        together_ = known_->nextCall();
        stand.sequence = together_.sequence;
        stand.channel = together_.channel;
        stand.team = known_->team().value_or(-1);
        const CollectiveRequest asked{*known_, call_.called, arguments_};
        if (live::isRooted(call_.called)) stand.peer = asked.recordedRoot();
        if (call_.called != live::Called::barrier && asked.isSizedBy(session_->types())) {
            const auto [sent, received] = asked.counted();
            stand.sent = sent;
            stand.received = received;
        }
    }
    session_->enters(stand);
}

bool RecordedCollective::isKnown() {
    if (!recorded_) return false;
    if (known_ == nullptr) {
        known_ = session_->of(comm_);
        if (known_ != nullptr) (void)known_->nextCall();
    }
    return known_ != nullptr && known_->team();
}

void RecordedCollective::done() {
    call_.end = now();
    try {
        note();
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "collscope: a call is not recorded: %s\n", failure.what());
    }
}

int RecordedCollective::failed(int code) {
    call_.end = now();
    if (!recorded_) return code;
    const ReturnedError error{code};
    // A nonblocking call that fails leaves no request.
    const bool isNone = error.isRefusal() || !live::isBlocking(call_.called);
    // Its arguments may be invalid, and it takes no part in a collective of the others.
    if (isNone && known_ != nullptr) known_->takeBackCall();
    live::Step part = error.step();
    part.kind = live::Kind::part;
    part.what = live::Other::Init;  // no matter which: a part belongs to the next call of its thread
    if (isNone) part.deed = live::CallEffect::refused;
    session_->record(std::bit_cast<live::Event>(part));
    if (!isNone) done();
    else session_->record(std::bit_cast<live::Event>(call_));
    return code;
}

void RecordedCollective::note() {
    if (!recorded_) return;
    if (call_.end == 0) call_.end = now();
    const bool known = isKnown();
    if (known) describe(call_, *known_, arguments_);
    else call_.team = live::noTeam;
    if (known && call_.way == 0) session_->internal().carried(call_.called, comm_, call_.begin);
    session_->record(std::bit_cast<live::Event>(call_));
}

void RecordedCollective::posted(MPI_Request request, bool byLibrary) {
    call_.end = now();
    try {
        if (!isKnown()) return note();
        describe(call_, *known_, arguments_);
        if (byLibrary) session_->internal().carried(call_.called, comm_, call_.begin);
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "collscope: a call is not recorded: %s\n", failure.what());
        return;
    }
    const std::uint32_t number = session_->requests().number();
    session_->posted(
        request, {.number = number, .collective = call_, .channel = together_.channel, .sequence = together_.sequence});
    call_.kind = live::Kind::request;
    call_.received = number;
    session_->record(std::bit_cast<live::Event>(call_));
}

}  // namespace engine::mpi::pmpi
