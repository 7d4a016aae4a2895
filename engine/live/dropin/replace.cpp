// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/dropin/replace.hpp"

#include "engine/live/dropin/data.hpp"
#include "engine/live/dropin/session.hpp"

#include <algorithm>
#include <numeric>

namespace engine::mpi::dropin {
namespace {

constexpr Bytes most = std::numeric_limits<int>::max();

Layout layoutOf(const std::vector<Bytes>& sizes) {
    if (std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>{}) == sizes.end())
        return Layout::regular(static_cast<std::int32_t>(sizes.size()), sizes.front());
    return Layout::irregular(sizes);
}

std::span<std::byte> pieceOf(std::span<std::byte> line, Range range) {
    return line.subspan(asSize(range.begin), asSize(range.size()));
}

/// Whether the contributions lie at the receiver as they lie on the byte line.
bool isLine(const Places& places, std::int32_t sources) {
    if (!isPlain(places.type)) return false;
    for (std::int32_t i = 1; i < sources && places.counts != nullptr; ++i)
        if (places.displacements[i] != std::int64_t{places.displacements[i - 1]} + places.counts[i - 1]) return false;
    return true;
}

std::vector<Bytes> sizesAt(const Places& places, std::int32_t sources) {
    std::vector<Bytes> sizes;
    for (std::int32_t i = 0; i < sources; ++i) sizes.push_back(bytesOf(places.count(i), places.type));
    return sizes;
}

/// Only the library itself can judge such arguments.
bool isStrange(const Places& places, std::int32_t sources) {
    if (places.type == MPI_DATATYPE_NULL || places.each < 0) return true;
    if (places.counts == nullptr) return false;
    if (places.displacements == nullptr) return true;
    return std::any_of(places.counts, places.counts + sources, [](int count) { return count < 0; });
}

bool isStrange(const Brought& brought) {
    return brought.buffer != MPI_IN_PLACE && (brought.count < 0 || brought.type == MPI_DATATYPE_NULL);
}

Replaced gatherInOneGroup(Communicator& comm, live::Called called, const Brought& brought, const Places& places) {
    const std::vector<Bytes> sizes = sizesAt(places, comm.size());
    const Bytes total = std::accumulate(sizes.begin(), sizes.end(), Bytes{0});
    if (total == 0 || total > most) return std::nullopt;
    const auto rule = comm.ruleFor(called, total);
    if (!rule) return std::nullopt;
    const Problem problem{.collective = Collective::allgatherv, .groupA = comm.size(), .layout = layoutOf(sizes)};
    const auto plan = comm.planFor(*rule, problem);
    if (!plan) return std::nullopt;

    Apart& apart = comm.apart();
    const bool direct = isLine(places, comm.size());
    const std::span<std::byte> line =
        direct
            ? std::span{static_cast<std::byte*>(at(places.buffer, places.displacement(0), places.type)), asSize(total)}
            : comm.scratch(total);
    const auto place = [&](std::int32_t rank) { return at(places.buffer, places.displacement(rank), places.type); };
    const std::span<std::byte> own = pieceOf(line, problem.layout.block(comm.rank()));
    // It may be shorter than its place, of which the rest then keeps what it holds.
    if (brought.buffer != MPI_IN_PLACE)
        pack(brought.buffer, brought.count, brought.type, own.first(asSize(bytesOf(brought.count, brought.type))),
             apart.comm());
    else if (!direct) pack(place(comm.rank()), places.count(comm.rank()), places.type, own, apart.comm());
    Holdings holdings{line};
    apart.carryOut(*plan, holdings);
    for (std::int32_t i = 0; i < comm.size() && !direct; ++i)
        unpack(pieceOf(line, problem.layout.block(i)), place(i), places.count(i), places.type, apart.comm());
    return rule->way;
}

/// Bytes that each process brings, of A and then of B. An allgather's arguments tell them; what the others of the own
/// group bring to an allgatherv they have to say.
std::vector<Bytes> sizesBetween(Communicator& comm, live::Called called, Bytes own, const Places& places) {
    std::vector<Bytes> sizes;
    if (called == live::Called::allgatherv) {
        sizes.resize(asSize(comm.groupA()) + asSize(comm.groupB()));
        check(PMPI_Allgather(&own, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, comm.apart().comm()), "telling sizes");
        return sizes;
    }
    const Bytes theirs = bytesOf(places.each, places.type);
    sizes.resize(asSize(comm.groupA()), comm.isA() ? own : theirs);
    sizes.resize(sizes.size() + asSize(comm.groupB()), comm.isA() ? theirs : own);
    return sizes;
}

Replaced gatherBetweenGroups(Communicator& comm, live::Called called, const Brought& brought, const Places& places) {
    if (brought.buffer == MPI_IN_PLACE) return std::nullopt;
    const std::vector<Bytes> sizes = sizesBetween(comm, called, bytesOf(brought.count, brought.type), places);
    const auto middle = sizes.begin() + comm.groupA();
    const Bytes ofA = std::accumulate(sizes.begin(), middle, Bytes{0});
    const Bytes ofB = std::accumulate(middle, sizes.end(), Bytes{0});
    const Bytes total = ofA + ofB;
    if (total == 0 || total > most) return std::nullopt;
    const auto rule = comm.ruleFor(called, total);
    if (!rule) return std::nullopt;

    const bool oneWay = rule->rule->algorithm->collective == Collective::halfduplexAllgather;
    if (oneWay && ofA > 0 && ofB > 0) {
        Session::current()->refused(text(rule->rule->words, " needs a group that contributes nothing"));
        return std::nullopt;
    }
    const bool turned = oneWay && ofA == 0;  // the senders come first
    Problem problem{.collective = rule->rule->algorithm->collective,
                    .groupA = turned ? comm.groupB() : comm.groupA(),
                    .groupB = turned ? comm.groupA() : comm.groupB()};
    problem.layout = layoutOf(!oneWay  ? sizes
                              : turned ? std::vector<Bytes>(middle, sizes.end())
                                       : std::vector<Bytes>(sizes.begin(), middle));
    const auto plan = comm.planFor(*rule, problem);
    if (!plan) return std::nullopt;

    Apart& apart = comm.apart(turned);
    const std::span<std::byte> line = comm.scratch(total);
    const bool isFirst = comm.isA() != turned;
    if (isFirst || !oneWay)
        pack(brought.buffer, brought.count, brought.type, pieceOf(line, problem.layout.block(apart.rank().value)),
             apart.comm());
    Holdings holdings{line};
    apart.carryOut(*plan, holdings);
    if (isFirst && oneWay) return rule->way;
    const std::int32_t firstSource = isFirst ? problem.groupA : 0;
    for (std::int32_t i = 0; i < comm.sources(); ++i)
        unpack(pieceOf(line, problem.layout.block(firstSource + i)),
               at(places.buffer, places.displacement(i), places.type), places.count(i), places.type, apart.comm());
    return rule->way;
}

/// Those that may meet a contribution twice.
bool isIdempotent(MPI_Op operation) {
    for (const MPI_Op one : {MPI_MIN, MPI_MAX, MPI_LAND, MPI_LOR, MPI_BAND, MPI_BOR})
        if (operation == one) return true;
    return false;
}

}  // namespace

Replaced bcast(Communicator& comm, void* buffer, int count, MPI_Datatype type, int root) {
    if (comm.inter() || type == MPI_DATATYPE_NULL || count < 0 || root < 0 || root >= comm.size()) return std::nullopt;
    if (!Session::current()->judge().takesBcast(buffer, count, type)) return std::nullopt;
    const Bytes bytes = bytesOf(count, type);
    if (bytes == 0 || bytes > most) return std::nullopt;
    const auto rule = comm.ruleFor(live::Called::bcast, bytes);
    if (!rule) return std::nullopt;
    const auto plan = comm.planFor(*rule, {.collective = Collective::bcast,
                                           .groupA = comm.size(),
                                           .layout = Layout::regular(1, bytes),
                                           .root = Rank{root}});
    if (!plan) return std::nullopt;
    Apart& apart = comm.apart();
    const bool direct = isPlain(type);
    const std::span<std::byte> line =
        direct ? std::span{static_cast<std::byte*>(buffer), asSize(bytes)} : comm.scratch(bytes);
    const bool isRoot = comm.rank() == root;
    if (!direct && isRoot) pack(buffer, count, type, line, apart.comm());
    Holdings holdings{line};
    apart.carryOut(*plan, holdings);
    if (!direct && !isRoot) unpack(line, buffer, count, type, apart.comm());
    return rule->way;
}

Replaced allgather(Communicator& comm, live::Called called, const Brought& brought, const Places& places) {
    if (isStrange(brought) || isStrange(places, comm.sources())) return std::nullopt;
    const auto own = comm.inter() ? std::nullopt : std::optional{comm.rank()};
    if (!Session::current()->judge().takesAllgather(brought, places, comm.sources(), own)) return std::nullopt;
    return comm.inter() ? gatherBetweenGroups(comm, called, brought, places)
                        : gatherInOneGroup(comm, called, brought, places);
}

Replaced allreduce(Communicator& comm, const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation) {
    if (comm.inter() || type == MPI_DATATYPE_NULL || count < 0 || operation == MPI_OP_NULL) return std::nullopt;
    if (!Session::current()->judge().takesAllreduce(from, to, count, type, operation)) return std::nullopt;
    int mayChangePlaces = 0;
    check(PMPI_Op_commutative(operation, &mayChangePlaces), "reading an operation");
    const Bytes bytes = bytesOf(count, type);
    if (mayChangePlaces == 0 || bytes == 0 || bytes > most || !isDense(type)) return std::nullopt;
    const auto rule = comm.ruleFor(live::Called::allreduce, bytes);
    if (!rule) return std::nullopt;
    const Bytes element = bytes / count;
    const auto plan = comm.planFor(*rule, {.collective = Collective::allreduce,
                                           .groupA = comm.size(),
                                           .layout = Layout::regular(comm.size(), bytes),
                                           .operation = isIdempotent(operation) ? Operation::min : Operation::sum,
                                           .grain = element});
    if (!plan) return std::nullopt;
    const Facts& facts = plan->schedule->facts();
    if (bytes > most / facts.slots) return std::nullopt;
    Apart& apart = comm.apart();
    Holdings holdings{comm.scratch(bytes * facts.slots), bytes, facts,
                      [&](std::span<const std::byte> left, std::span<std::byte> right) {
                          const auto elements = static_cast<int>(static_cast<Bytes>(right.size()) / element);
                          check(PMPI_Reduce_local(left.data(), right.data(), elements, type, operation), "combining");
                      },
                      Operands::mayChangePlaces};
    const auto* own = static_cast<const std::byte*>(from == MPI_IN_PLACE ? to : from);
    for (int slot = 0; slot < facts.slots; ++slot) {
        if ((facts.own >> slot & 1U) == 0) continue;
        std::copy_n(own, bytes, holdings.slot(slot).begin());
        holdings.setFilled(slot, true);
    }
    apart.carryOut(*plan, holdings);
    std::copy_n(holdings.slot(facts.result).begin(), bytes, static_cast<std::byte*>(to));
    return rule->way;
}

Replaced barrier(Communicator& comm) {
    if (comm.inter()) return std::nullopt;
    const auto rule = comm.ruleFor(live::Called::barrier, 0);
    if (!rule) return std::nullopt;
    const auto plan = comm.planFor(*rule, {.collective = Collective::barrier, .groupA = comm.size()});
    if (!plan) return std::nullopt;
    Holdings holdings{{}, 0, plan->schedule->facts(), [](auto, auto) {}};
    comm.apart().carryOut(*plan, holdings);
    return rule->way;
}

}  // namespace engine::mpi::dropin
