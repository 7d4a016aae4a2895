// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/dropin/watched.hpp"

#include <cstdio>

namespace engine::mpi::dropin {

Communicator* Watched::mayBeReplaced() {
    Communicator* const known = session_->of(comm_);
    return known != nullptr && known->mayReplace(call_.called) ? known : nullptr;
}

std::optional<int> Watched::byRule() {
    try {
        Communicator* const known = mayBeReplaced();
        if (known == nullptr) return std::nullopt;
        const Inside guard;
        const Asked asked{*known, call_.called, arguments_};
        if (!canBeReplaced(asked)) return std::nullopt;
        const Replaced way = replace(*known, known->lane(), asked);
        if (!way) return std::nullopt;
        call_.way = *way;
        note(*known);
        return MPI_SUCCESS;
    } catch (const Failed& failure) {
        return tell(failure, failure.code());
    } catch (const std::exception& failure) {
        return tell(failure, MPI_ERR_OTHER);
    }
}

std::optional<int> Watched::byRuleLater(MPI_Request* request, OnComm own) {
    try {
        Communicator* const known = mayBeReplaced();
        if (known == nullptr) return std::nullopt;
        const Inside guard;
        const Asked asked{*known, call_.called, arguments_};
        if (!canBeReplaced(asked)) return std::nullopt;
        // What they tell each other they tell later: the rest can be decided here, and no thread is needed for it.
        if (!mustBeTold(*known, asked) && !ruleFor(*known, asked, questionOf(*known, known->lane(), asked)))
            return std::nullopt;
        known->later().add(asked, std::move(own), request);
        return MPI_SUCCESS;
    } catch (const Failed& failure) {
        return tell(failure, failure.code());
    } catch (const std::exception& failure) {
        return tell(failure, MPI_ERR_OTHER);
    }
}

int Watched::tell(const std::exception& failure, int code) const {
    std::fprintf(stderr, "collscope: %s\n", failure.what());
    PMPI_Comm_call_errhandler(comm_, code);
    return code;
}

void Watched::done() {
    call_.end = now();
    try {
        if (const Communicator* const known = session_->of(comm_)) note(*known);
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "collscope: a call is not recorded: %s\n", failure.what());
    }
}

void Watched::note(const Communicator& known) {
    if (!known.team()) return;
    if (call_.end == 0) call_.end = now();
    call_.team = *known.team();
    if (call_.called == live::Called::barrier) return session_->record(call_);
    const Asked asked{known, call_.called, arguments_};
    const auto [sent, received] = asked.counted();
    call_.sent = sent;
    call_.received = received;
    call_.root = asked.recordedRoot();
    session_->record(call_);
}

}  // namespace engine::mpi::dropin
