// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/replacement/requested_problem.hpp"

#include "engine/live/pmpi/replacement/program_data.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace engine::mpi::pmpi {

using live::Called;

namespace {

/// Those that may meet a contribution twice.
bool isIdempotent(MPI_Op operation) {
    for (const MPI_Op one : {MPI_MIN, MPI_MAX, MPI_LAND, MPI_LOR, MPI_BAND, MPI_BOR})
        if (operation == one) return true;
    return false;
}

Operation operationOf(MPI_Op operation) {
    int mayChangePlaces = 0;
    check(PMPI_Op_commutative(operation, &mayChangePlaces), "reading an operation");
    if (mayChangePlaces == 0) return Operation::ordered;
    return isIdempotent(operation) ? Operation::min : Operation::sum;
}

/// The one block that this process brings to a gathering, or gets of a scattering.
Bytes ownBlock(const CollectiveRequest& call) {
    const auto& [from, to, operation, root] = call.arguments();
    const bool scatters = call.called() == Called::scatter || call.called() == Called::scatterv;
    const Side& other = scatters ? from : to;
    return bytesOf(call.inPlace() ? other.of(call.rank()) : scatters ? to.only() : from.only());
}

/// What each process says, by its rank in the communicator of ours.
std::vector<Bytes> told(Bytes own, std::int32_t processes, MPI_Comm comm) {
    std::vector<Bytes> all(asSize(processes));
    check(PMPI_Allgather(&own, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, comm), "telling sizes");
    return all;
}

/// The same of rows of one length for each group.
std::vector<Bytes> toldRows(const std::vector<Bytes>& own, const Communicator& comm, MPI_Comm apart) {
    std::vector<int> lengths(asSize(comm.groupA()), comm.inter() ? comm.groupB() : comm.size());
    if (comm.inter()) lengths.resize(asSize(comm.groupA()) + asSize(comm.groupB()), comm.groupA());
    std::vector<int> places(lengths.size());
    std::exclusive_scan(lengths.begin(), lengths.end(), places.begin(), 0);
    std::vector<Bytes> all(asSize(places.back() + lengths.back()));
    check(PMPI_Allgatherv(own.data(), static_cast<int>(own.size()), MPI_INT64_T, all.data(), lengths.data(),
                          places.data(), MPI_INT64_T, apart),
          "telling sizes");
    return all;
}

/// Equal blocks of all ranks: of A, then of B.
Layout blocksOfGroups(std::int32_t ofA, Bytes a, std::int32_t ofB, Bytes b) {
    std::vector<Bytes> sizes(asSize(ofA), a);
    sizes.resize(asSize(ofA) + asSize(ofB), b);
    return Layout::irregular(sizes);
}

Layout gathered(const Communicator& comm, CommunicatorContext& context, const CollectiveRequest& call) {
    const Side& to = call.arguments().to;
    if (!comm.inter()) {
        std::vector<Bytes> sizes;
        for (std::int32_t i = 0; i < comm.size(); ++i) sizes.push_back(bytesOf(to.of(i)));
        return Layout::irregular(sizes);
    }
    const Bytes own = bytesOf(call.arguments().from.only());
    if (call.called() == Called::allgatherv)
        return Layout::irregular(told(own, comm.groupA() + comm.groupB(), context.apart().comm()));
    const Bytes theirs = bytesOf(to.only());
    return comm.isA() ? blocksOfGroups(comm.groupA(), own, comm.groupB(), theirs)
                      : blocksOfGroups(comm.groupA(), theirs, comm.groupB(), own);
}

Layout exchanged(const Communicator& comm, CommunicatorContext& context, const CollectiveRequest& call) {
    const auto& [from, to, operation, root] = call.arguments();
    if (call.called() != Called::alltoall) {
        std::vector<Bytes> row;
        for (std::int32_t i = 0; i < call.others(); ++i) row.push_back(bytesOf(call.source().of(i)));
        return Layout::irregular(toldRows(row, comm, context.apart().comm()));
    }
    const Bytes own = bytesOf(call.source().only());
    if (!comm.inter()) return Layout::regular(comm.size() * comm.size(), own);
    const Bytes theirs = bytesOf(to.only());
    const std::int32_t pairs = comm.groupA() * comm.groupB();
    return comm.isA() ? blocksOfGroups(pairs, own, pairs, theirs) : blocksOfGroups(pairs, theirs, pairs, own);
}

/// Of two groups, the root's own knows neither it nor what it sends or wants; the largest of what all say is it.
void tellRoot(const Communicator& comm, CommunicatorContext& context, const CollectiveRequest& call, Problem& problem,
              Bytes& bytes) {
    std::array<std::int64_t, 4> own{};
    if (!call.standsAside()) {
        const std::int32_t root = call.isRoot() ? comm.rank() : call.arguments().root;
        const bool inA = call.isRoot() == comm.isA();
        own = {inA ? root : comm.groupA() + root, bytes, problem.grain, static_cast<std::int64_t>(problem.operation)};
    }
    std::array<std::int64_t, 4> all{};
    check(PMPI_Allreduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_INT64_T, MPI_MAX,
                         context.apart().comm()),
          "telling the root");
    problem.root = Rank{static_cast<std::int32_t>(all[0])};
    bytes = all[1];
    problem.grain = all[2];
    problem.operation = static_cast<Operation>(all[3]);
}

RequestedProblem vectorsOf(const Communicator& comm, CommunicatorContext& context, const CollectiveRequest& call,
                           Problem problem) {
    const auto& [from, to, operation, root] = call.arguments();
    Bytes bytes = 0;
    if (!call.standsAside()) {
        problem.operation = operationOf(operation);
        problem.grain = bytesOf(1, to.type);
        bytes = call.elements() * problem.grain;
    }
    if (problem.collective == Collective::intergroupReduce) tellRoot(comm, context, call, problem, bytes);
    else if (problem.collective == Collective::reduce) problem.root = Rank{root};
    problem.exclusive = call.called() == Called::exscan;
    problem.layout = Layout::regular(problem.ranks(), bytes);
    if (call.called() == Called::reduceScatter && bytes > 0 && !isEvenlyCut(call, problem)) {
        const int longest = *std::max_element(to.counts, to.counts + comm.size());
        problem.layout = Layout::regular(problem.ranks(), problem.grain * longest * comm.size());
    }
    return {std::move(problem), bytes};
}

}  // namespace

bool isEvenlyCut(const CollectiveRequest& call, const Problem& problem) {
    const Side& to = call.arguments().to;
    const VectorCut cut = blocksOf(problem);
    for (std::int32_t i = 0; to.counts != nullptr && i < problem.ranks(); ++i)
        if (cut[i].size() != to.counts[i] * problem.grain) return false;
    return true;
}

bool mustBeExchanged(const Communicator& comm, const CollectiveRequest& call) {
    switch (call.called()) {
        case Called::gatherv:
        case Called::scatterv:
        case Called::alltoallv:
        case Called::alltoallw: return true;
        case Called::allgatherv:
        case Called::bcast:
        case Called::reduce: return comm.inter();
        default: return false;
    }
}

RequestedProblem requestedProblemOf(const Communicator& comm, CommunicatorContext& context,
                                    const CollectiveRequest& call) {
    Problem problem{.collective = call.collective(),
                    .groupA = comm.inter() ? comm.groupA() : comm.size(),
                    .groupB = comm.inter() ? comm.groupB() : 0};
    switch (call.collective()) {
        case Collective::barrier: return {problem, 0};
        case Collective::bcast:
            problem.root = Rank{call.arguments().root};
            problem.layout = Layout::regular(1, bytesOf(call.arguments().from.only()));
            break;
        case Collective::intergroupBcast: {
            Bytes bytes = call.standsAside() ? 0 : bytesOf(call.arguments().from.only());
            tellRoot(comm, context, call, problem, bytes);
            problem.layout = Layout::regular(1, bytes);
            break;
        }
        case Collective::gatherv:
        case Collective::scatterv:
            problem.root = Rank{call.arguments().root};
            problem.layout = mustBeExchanged(comm, call)
                                 ? Layout::irregular(told(ownBlock(call), comm.size(), context.apart().comm()))
                                 : Layout::regular(comm.size(), ownBlock(call));
            break;
        case Collective::allgatherv:
        case Collective::intergroupAllgatherv: problem.layout = gathered(comm, context, call); break;
        case Collective::alltoallv:
        case Collective::intergroupAlltoallv: problem.layout = exchanged(comm, context, call); break;
        default: return vectorsOf(comm, context, call, std::move(problem));
    }
    const Bytes total = problem.layout.total();
    return {std::move(problem), total};
}

}  // namespace engine::mpi::pmpi
