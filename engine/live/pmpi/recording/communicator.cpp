// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/recording/communicator.hpp"

#include "engine/live/pmpi/recording/recorder_session.hpp"
#include "engine/live/pmpi/replacement/nonblocking_queue.hpp"

#include <algorithm>

namespace engine::mpi::pmpi {
namespace {

std::vector<std::int32_t> ranksOf(MPI_Comm comm, const RecorderSession& session, int (*groupOf)(MPI_Comm, MPI_Group*)) {
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

Communicator::Communicator(MPI_Comm comm, RecorderSession& session)
    : comm_{comm}, context_{session, [this](bool groupBFirst) { return makeApart(groupBFirst); }}, session_{session} {
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
    worldRanks_ = team.kind == live::TeamKind::self ? ranksOf(comm, session, PMPI_Comm_group) : team.members;
    worldRanks_.insert(worldRanks_.end(), team.others.begin(), team.others.end());
    team_ = session.introduce(team);
    for (std::size_t i = 0; i < session.rules().size(); ++i) {
        const live::Rule& rule = session.rules()[i];
        if (!live::isBlocking(rule.called) && !session.hasThreads()) continue;
        if (!(inter_ ? rule.inter : rule.intra) || !rule.ranks.has(std::int64_t{size_} + remote_)) continue;
        rules_[static_cast<std::size_t>(rule.called)].push_back({&rule, static_cast<std::uint8_t>(i + 1)});
    }
}

Communicator::~Communicator() = default;

void Communicator::prepareLater() {
    const auto isNamed = [this](live::Called called) { return !live::isBlocking(called) && mayReplace(called); };
    if (std::none_of(live::everyCalled.begin(), live::everyCalled.end(), isNamed)) return;
    const std::array<MPI_Comm, 2> ours{makeApart(false), inter_ ? makeApart(true) : MPI_COMM_NULL};
    later_ = std::make_unique<NonblockingQueue>(session_, *this, ours, inter_ ? alike() : MPI_COMM_NULL);
}

const Neighbours& Communicator::neighbours() {
    if (neighbours_) return *neighbours_;
    Neighbours found;
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(comm_, &kind);
    if (kind == MPI_CART) {
        int dimensions = 0;
        PMPI_Cartdim_get(comm_, &dimensions);
        for (int i = 0; i < dimensions; ++i) {
            int before = MPI_PROC_NULL, behind = MPI_PROC_NULL;
            PMPI_Cart_shift(comm_, i, 1, &before, &behind);
            for (const int rank : {before, behind}) found.from.push_back(rank != MPI_PROC_NULL);
        }
        found.to = found.from;
    } else if (kind == MPI_GRAPH) {
        int count = 0;
        PMPI_Graph_neighbors_count(comm_, rank_, &count);
        found.from.assign(asSize(count), true);
        found.to = found.from;
    } else if (kind == MPI_DIST_GRAPH) {
        int sources = 0, targets = 0, isWeighted = 0;
        PMPI_Dist_graph_neighbors_count(comm_, &sources, &targets, &isWeighted);
        found.from.assign(asSize(sources), true);
        found.to.assign(asSize(targets), true);
    }
    return neighbours_.emplace(std::move(found));
}

std::optional<NumberedRule> Communicator::ruleFor(live::Called called, Bytes bytes) const {
    for (const NumberedRule& one : rules_[static_cast<std::size_t>(called)])
        if (one.rule->bytes.has(bytes)) return one.rule->algorithm != nullptr ? std::optional{one} : std::nullopt;
    return std::nullopt;
}

MPI_Comm Communicator::makeApart(bool groupBFirst) const {
    if (!inter_) return alike();
    MPI_Comm made = MPI_COMM_NULL;
    check(PMPI_Intercomm_merge(comm_, isA_ == groupBFirst ? 1 : 0, &made), "joining groups");
    return made;
}

/// Not duplicated: that would call the copy functions of the program's own attributes.
MPI_Comm Communicator::alike() const {
    MPI_Comm made = MPI_COMM_NULL;
    check(PMPI_Comm_split(comm_, 0, rank_, &made), "copying a communicator");
    PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    return made;
}

}  // namespace engine::mpi::pmpi
