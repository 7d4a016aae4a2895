// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/replacement/communicator_context.hpp"

#include "engine/live/pmpi/recording/recorder_session.hpp"

namespace engine::mpi::pmpi {

bool PrivateCommunicator::mpiEnds = false;

PrivateCommunicator::PrivateCommunicator(MPI_Comm comm) : comm_{comm}, exchange_{freeExchange(comm, mark_, anyPorts)} {
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm_, &rank_.value);
}

PrivateCommunicator::~PrivateCommunicator() {
    if (!mpiEnds) PMPI_Comm_free(&comm_);
}

void PrivateCommunicator::carryOut(const Plan& plan, Holdings& holdings) {
    Walker{*plan.schedule, holdings, rank_, *exchange_, mark_}.walk();
}

PrivateCommunicator& CommunicatorContext::apart(bool groupBFirst) {
    std::unique_ptr<PrivateCommunicator>& place = apart_[groupBFirst ? 1 : 0];
    if (!place) place = std::make_unique<PrivateCommunicator>(make_(groupBFirst));
    return *place;
}

std::shared_ptr<const Plan> CommunicatorContext::planFor(const NumberedRule& rule, const Problem& problem) {
    for (const Planned& known : plans_)
        if (known.way == rule.way && known.problem == problem) {
            if (!known.plan) session_.refused(known.whyNone);
            return known.plan;
        }
    std::shared_ptr<const Plan> plan;
    std::string why;
    try {
        plan = std::make_shared<const Plan>(makePlan(*rule.rule->algorithm, problem, rule.rule->options));
        if (const std::int32_t needed = plan->schedule->facts().ranks; needed != problem.ranks()) {
            why = text(rule.rule->words, " needs ", needed, " processes for ", problem.ranks(), " ranks");
            plan = nullptr;
        }
    } catch (const Error& objection) {
        why = objection.what();
        if (!why.starts_with(rule.rule->algorithm->id)) why = text(rule.rule->words, ": ", why);
    }
    if (!plan) session_.refused(why);
    if (plans_.size() == mostPlans) plans_.erase(plans_.begin());
    plans_.push_back({rule.way, problem, plan, std::move(why)});
    return plan;
}

std::span<std::byte> CommunicatorContext::scratch(Bytes bytes) {
    if (room_ < bytes) {
        scratch_.reset();
        scratch_ = std::make_unique_for_overwrite<std::byte[]>(asSize(bytes));
        room_ = bytes;
    }
    return {scratch_.get(), asSize(bytes)};
}

}  // namespace engine::mpi::pmpi
