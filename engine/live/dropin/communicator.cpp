// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/dropin/communicator.hpp"

#include "engine/live/dropin/session.hpp"

#include <algorithm>

namespace engine::mpi::dropin {
namespace {

std::vector<std::int32_t> ranksOf(MPI_Comm comm, const Session& session, int (*groupOf)(MPI_Comm, MPI_Group*)) {
    MPI_Group group = MPI_GROUP_NULL;
    check(groupOf(comm, &group), "reading a communicator");
    std::vector<std::int32_t> ranks = session.worldRanks(group);
    PMPI_Group_free(&group);
    return ranks;
}

bool areKnown(const std::vector<std::int32_t>& ranks) {
    return std::find(ranks.begin(), ranks.end(), MPI_UNDEFINED) == ranks.end();
}

std::string nameOf(MPI_Comm comm) {
    char words[MPI_MAX_OBJECT_NAME];
    int length = 0;
    if (PMPI_Comm_get_name(comm, words, &length) != MPI_SUCCESS) return {};
    return {words, asSize(length)};
}

}  // namespace

bool Apart::mpiEnds = false;

Apart::Apart(MPI_Comm comm) : comm_{comm}, exchange_{freeExchange(comm, mark_, anyPorts)} {
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm_, &rank_.value);
}

Apart::~Apart() {
    if (!mpiEnds) PMPI_Comm_free(&comm_);
}

void Apart::carryOut(const Plan& plan, Holdings& holdings) {
    Walker{*plan.schedule, holdings, rank_, *exchange_, mark_}.walk();
}

Communicator::Communicator(MPI_Comm comm, Session& session) : session_{session}, comm_{comm} {
    int inter = 0;
    check(PMPI_Comm_test_inter(comm, &inter), "reading a communicator");
    inter_ = inter != 0;
    PMPI_Comm_rank(comm, &rank_);
    PMPI_Comm_size(comm, &size_);
    live::Team team{.name = nameOf(comm)};
    bool known = true;
    if (inter_) {
        PMPI_Comm_remote_size(comm, &remote_);
        team.kind = live::TeamKind::inter;
        team.members = ranksOf(comm, session, PMPI_Comm_group);
        team.others = ranksOf(comm, session, PMPI_Comm_remote_group);
        known = areKnown(team.members) && areKnown(team.others);
        isA_ = *std::min_element(team.members.begin(), team.members.end()) <
               *std::min_element(team.others.begin(), team.others.end());
        if (!isA_) team.members.swap(team.others);
    } else if (comm == MPI_COMM_SELF) {
        team.kind = live::TeamKind::self;
    } else {
        team.members = ranksOf(comm, session, PMPI_Comm_group);
        known = areKnown(team.members);
    }
    if (!known) return;
    team_ = session.introduce(team);
    for (std::size_t i = 0; i < session.rules().size(); ++i) {
        const live::Rule& rule = session.rules()[i];
        if (!(inter_ ? rule.inter : rule.intra) || !rule.ranks.has(std::int64_t{size_} + remote_)) continue;
        rules_[static_cast<std::size_t>(rule.called)].push_back({&rule, static_cast<std::uint8_t>(i + 1)});
    }
}

std::optional<Numbered> Communicator::ruleFor(live::Called called, Bytes bytes) const {
    for (const Numbered& one : rules_[static_cast<std::size_t>(called)])
        if (one.rule->bytes.has(bytes)) return one.rule->algorithm != nullptr ? std::optional{one} : std::nullopt;
    return std::nullopt;
}

std::shared_ptr<const Plan> Communicator::planFor(const Numbered& rule, const Problem& problem) {
    for (const Planned& known : plans_)
        if (known.way == rule.way && known.problem == problem) return known.plan;
    std::shared_ptr<const Plan> plan;
    try {
        plan = std::make_shared<const Plan>(makePlan(*rule.rule->algorithm, problem, rule.rule->options));
        if (const std::int32_t needed = plan->schedule->facts().ranks; needed != problem.ranks()) {
            session_.refused(text(rule.rule->words, " needs ", needed, " processes for ", problem.ranks(), " ranks"));
            plan = nullptr;
        }
    } catch (const Error& objection) {
        session_.refused(text(rule.rule->words, ": ", objection.what()));
    }
    if (plans_.size() == mostPlans) plans_.erase(plans_.begin());
    plans_.push_back({rule.way, problem, plan});
    return plan;
}

Apart& Communicator::apart(bool groupBFirst) {
    std::unique_ptr<Apart>& place = apart_[groupBFirst ? 1 : 0];
    if (place) return *place;
    MPI_Comm made = MPI_COMM_NULL;
    // Not duplicated: that would call the copy functions of the program's own attributes.
    if (inter_) check(PMPI_Intercomm_merge(comm_, isA_ == groupBFirst ? 1 : 0, &made), "joining groups");
    else check(PMPI_Comm_split(comm_, 0, rank_, &made), "copying a communicator");
    place = std::make_unique<Apart>(made);
    return *place;
}

std::span<std::byte> Communicator::scratch(Bytes bytes) {
    if (static_cast<Bytes>(scratch_.size()) < bytes) scratch_.resize(asSize(bytes));
    return std::span{scratch_}.first(asSize(bytes));
}

}  // namespace engine::mpi::dropin
