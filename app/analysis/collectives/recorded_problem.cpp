// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/collectives/recorded_problem.hpp"

#include "app/analysis/collectives/collective_instances.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <limits>
#include <variant>

namespace app::analysis {

using engine::Bytes;
using engine::Layout;
using engine::Problem;
using engine::Rank;
using engine::text;
using traces::Counting;
using traces::Operation;
using traces::Participant;
using traces::Recording;

namespace {

using Parts = std::span<const Participant>;

/// The participants by their ranks in the communicator, which they then have for ranks of the world.
std::vector<Participant> byPlace(Parts parts, const Instance& instance) {
    std::vector<Participant> inOrder;
    for (std::size_t place = 0; place < instance.ranks.size(); ++place) {
        const auto part = std::lower_bound(parts.begin(), parts.end(), instance.ranks[place],
                                           [](const Participant& one, Rank rank) { return one.rank < rank; });
        if (part == parts.end() || part->rank != instance.ranks[place]) continue;
        inOrder.push_back(*part);
        inOrder.back().rank = Rank{static_cast<std::int32_t>(place)};
    }
    return inOrder;
}

Bytes mostReceived(Parts parts) {
    Bytes most = 0;
    for (const Participant& part : parts) most = std::max(most, part.received);
    return most;
}

/// The most that a rank, other than `except`, sent.
Bytes mostSent(Parts parts, std::optional<Rank> except) {
    Bytes most = 0;
    for (const Participant& part : parts)
        if (part.rank != except) most = std::max(most, part.sent);
    return most;
}

/// Sizes of what the root gathers, or scatters, as the others tell them. What it keeps for itself it may have told
/// (as its own part in its own collective), or all of it together is known, or it counts as much as another's.
std::optional<Layout> atRoot(Parts parts, Rank root, bool gathers, Counting counting) {
    std::vector<Bytes> sizes;
    std::size_t own = parts.size();
    Bytes others = 0;
    Bytes kept = 0;
    Bytes together = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Bytes mine = gathers ? parts[i].sent : parts[i].received;
        sizes.push_back(mine);
        if (parts[i].rank != root) {
            others += mine;
            continue;
        }
        own = i;
        kept = mine;
        together = gathers ? parts[i].received : parts[i].sent;
    }
    if (own == parts.size()) return std::nullopt;
    if (counting == Counting::totals && together >= others) kept = together - others;
    if (counting == Counting::totals && together < others) return std::nullopt;
    sizes[own] = kept;
    return Layout::irregular(sizes);
}

/// Sizes of an allgather(v) within one group: they must add up to what everyone received.
std::optional<Layout> gathered(Parts parts, Counting counting) {
    const auto p = static_cast<Bytes>(parts.size());
    const Bytes received = mostReceived(parts);
    std::vector<Bytes> sent;
    Bytes sum = 0;
    for (const Participant& part : parts) sent.push_back(part.sent), sum += part.sent;
    if (sum == received && (p > 1 || counting != Counting::unknown)) return Layout::irregular(sent);
    if (counting == Counting::arguments) return Layout::irregular(sent);
    if (sum == p * received && std::all_of(sent.begin(), sent.end(), [&](Bytes bytes) { return bytes % p == 0; }) &&
        counting == Counting::totals) {
        for (Bytes& bytes : sent) bytes /= p;
        return Layout::irregular(sent);
    }
    return std::nullopt;
}

/// Sizes of an allgather between groups, of A and then of B.
std::optional<Layout> exchanged(Parts parts, const Instance& instance, Counting counting) {
    std::vector<Bytes> sizes;
    for (const Participant& part : parts) {
        const bool inA = static_cast<std::int32_t>(sizes.size()) < instance.groupA;
        const Bytes others = inA ? instance.groupB : instance.groupA;
        if (counting == Counting::totals && part.sent % others != 0) return std::nullopt;
        sizes.push_back(counting == Counting::totals ? part.sent / others : part.sent);
    }
    return Layout::irregular(sizes);
}

/// The vector of a reduce-scatter: everyone brings all of it. Nothing where the parts do not tell one length.
std::optional<Bytes> scatteredVector(Parts parts) {
    Bytes together = 0;
    for (const Participant& part : parts) {
        if (part.sent != parts.front().sent) return std::nullopt;
        together += part.received;
    }
    const Bytes vector = parts.front().sent;
    // Some count a rank's block, others everything that is combined for it.
    const auto p = static_cast<Bytes>(parts.size());
    return together == vector || together == p * vector ? std::optional{vector} : std::nullopt;
}

/// Sets how far apart the blocks of a reduce-scatter are cut; false where they are cut otherwise than its algorithms
/// do.
bool cutsAsRecorded(Problem& problem, Parts parts) {
    Bytes together = 0;
    for (const Participant& part : parts) together += part.received;
    const Bytes shares = together == problem.layout.largest() ? 1 : static_cast<Bytes>(parts.size());
    for (const Bytes grain : {4, 8, 16, 2, 1}) {
        if (problem.layout.largest() % grain != 0) continue;
        problem.grain = grain == 4 ? 0 : grain;
        bool same = true;
        for (std::size_t i = 0; i < parts.size() && same; ++i)
            same = blocksOf(problem)[static_cast<std::int64_t>(i)].size() * shares == parts[i].received;
        if (same) return true;
    }
    return false;
}

/// The vector of a scan whose recorder counts all that a rank's part moves: to itself and those after it, from itself
/// and those before it.
std::optional<Bytes> scannedVector(Parts parts, bool exclusive) {
    const auto p = static_cast<Bytes>(parts.size());
    const Bytes most = exclusive ? p - 1 : p;
    if (most == 0 || parts.front().sent % most != 0) return std::nullopt;
    const Bytes vector = parts.front().sent / most;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto rank = static_cast<Bytes>(i);
        if (parts[i].sent != (most - rank) * vector || parts[i].received != (rank + (exclusive ? 0 : 1)) * vector)
            return std::nullopt;
    }
    return vector;
}

/// What each of A and of B sends to every one of the other group, or nothing where they differ.
std::optional<Layout> exchangedInPairs(Parts parts, const Instance& instance) {
    std::vector<Bytes> sizes;
    const auto pairs = static_cast<std::size_t>(instance.groupA) * static_cast<std::size_t>(instance.groupB);
    for (const Participant& part : parts) sizes.push_back(part.sent);
    const auto groupB = sizes.begin() + instance.groupA;
    if (std::adjacent_find(sizes.begin(), groupB, std::not_equal_to<>{}) != groupB ||
        std::adjacent_find(groupB, sizes.end(), std::not_equal_to<>{}) != sizes.end())
        return std::nullopt;
    std::vector<Bytes> all(pairs, sizes.front());
    all.resize(2 * pairs, *groupB);
    return Layout::irregular(all);
}

/// What all of them combine by; nothing where that was not recorded, or is an operation of the program's own, of which
/// it is unknown whether it commutes.
std::optional<engine::Operation> recordedOperation(const Recording& recording, Parts parts) {
    const std::int16_t number = parts.empty() ? traces::noIndex : parts.front().reduction;
    if (number == traces::noIndex ||
        std::ranges::any_of(parts, [&](const Participant& part) { return part.reduction != number; }))
        return std::nullopt;
    const std::string& name = recording.reductions[engine::asSize(number)];
    for (const auto operation : {engine::Operation::sum, engine::Operation::min, engine::Operation::max})
        if (name == engine::name(operation)) return operation;
    return name == engine::name(engine::Operation::user) ? std::nullopt : std::optional{engine::Operation::user};
}

/// The collective of the catalogue; nothing where it has none, or too little is recorded of such calls.
std::optional<engine::Collective> collectiveOf(Operation operation, bool between) {
    using engine::Collective;
    switch (operation) {
        case Operation::fence:
        case Operation::barrier: return Collective::barrier;
        case Operation::bcast: return between ? Collective::intergroupBcast : Collective::bcast;
        case Operation::allreduce: return between ? Collective::intergroupAllreduce : Collective::allreduce;
        case Operation::allgather:
        case Operation::allgatherv: return between ? Collective::intergroupAllgatherv : Collective::allgatherv;
        case Operation::reduce: return between ? Collective::intergroupReduce : Collective::reduce;
        case Operation::gather:
        case Operation::gatherv: return Collective::gatherv;
        case Operation::scatter:
        case Operation::scatterv: return Collective::scatterv;
        case Operation::alltoall: return between ? Collective::intergroupAlltoallv : Collective::alltoallv;
        case Operation::reduceScatter:
        case Operation::reduceScatterBlock: return Collective::reduceScatter;
        case Operation::scan:
        case Operation::exscan: return Collective::scan;
        default: return std::nullopt;
    }
}

using LayoutOrWhy = std::variant<Layout, const char*>;

LayoutOrWhy orWhy(const std::optional<Layout>& layout, const char* why) {
    return layout ? LayoutOrWhy{*layout} : LayoutOrWhy{why};
}

/// What the ranks contribute to `problem`, of which all else is known; or a clause that says why it is unknown.
LayoutOrWhy layoutOf(const Problem& problem, Parts parts, const Instance& instance, Counting counting) {
    using engine::Collective;
    constexpr const char* uncounted =
        "its recorder may count the bytes that a rank moves, or those of its arguments: the trace does not show which";
    constexpr const char* noSum = "its bytes do not add up";
    constexpr const char* noMultiple = "its bytes are no multiple of its ranks";
    const bool areTotals = counting == Counting::totals, isUnknown = counting == Counting::unknown;
    const auto p = static_cast<Bytes>(parts.size());
    const Bytes received = mostReceived(parts);
    switch (problem.collective) {
        case Collective::barrier: return Layout{};
        case Collective::bcast:
        case Collective::intergroupBcast: return Layout::regular(1, received);
        case Collective::reduce:
        case Collective::intergroupReduce: return Layout::regular(problem.ranks(), mostSent(parts, problem.root));
        case Collective::intergroupAllreduce:
            if (counting != Counting::arguments) return uncounted;
            return Layout::regular(problem.ranks(), received);
        case Collective::allreduce:
            if (isUnknown) return uncounted;
            if (areTotals && received % p != 0) return noMultiple;
            return Layout::regular(problem.ranks(), areTotals ? received / p : received);
        case Collective::allgatherv: return orWhy(gathered(parts, counting), isUnknown ? uncounted : noSum);
        case Collective::intergroupAllgatherv:
            return isUnknown ? uncounted : orWhy(exchanged(parts, instance, counting), noSum);
        case Collective::gatherv:
        case Collective::scatterv:
            return orWhy(atRoot(parts, problem.root, problem.collective == Collective::gatherv, counting), noSum);
        case Collective::intergroupAlltoallv:
            return counting != Counting::arguments ? uncounted : orWhy(exchangedInPairs(parts, instance), noSum);
        case Collective::alltoallv:
            if (isUnknown) return uncounted;
            if (areTotals && received % p != 0) return noMultiple;
            if (p * p > std::numeric_limits<std::int32_t>::max())
                return "it has more pairs of ranks than can be numbered";
            return Layout::regular(static_cast<std::int32_t>(p * p), areTotals ? received / p : received);
        case Collective::reduceScatter:
        case Collective::scan: {
            if (problem.collective == Collective::scan && isUnknown) return uncounted;
            const std::optional<Bytes> vector = problem.collective == Collective::reduceScatter ? scatteredVector(parts)
                                                : areTotals ? scannedVector(parts, problem.exclusive)
                                                            : std::optional{mostSent(parts, std::nullopt)};
            if (!vector) return noSum;
            return Layout::regular(problem.groupA, *vector);
        }
        default: break;
    }
    return noSum;
}

}  // namespace

RecordedProblem recordedProblem(const Recording& recording, const traces::Collective& collective,
                                const Instance& instance, Counting counting) {
    const Operation operation = collective.operation;
    if (!instance.complete) return {std::nullopt, "not all of its ranks were recorded"};
    if (counting == Counting::tensors)
        counting = operation == Operation::allreduce ? Counting::arguments : Counting::totals;
    const bool between = instance.groupB > 0;
    const std::optional<engine::Collective> its = collectiveOf(operation, between);
    if (operation == Operation::alltoallv || operation == Operation::alltoallw)
        return {std::nullopt, "what each pair of ranks exchanged was not recorded"};
    if (!its) return {std::nullopt, text("the catalogue has no ", nameOf(operation))};
    if (engine::hasRoot(*its) && !instance.root) return {std::nullopt, "its root was not recorded"};
    const std::vector<Participant> inOrder = byPlace(recording.collectives.of(collective), instance);
    const Parts parts = inOrder;
    Problem problem{.collective = *its,
                    .groupA = between ? instance.groupA : static_cast<std::int32_t>(parts.size()),
                    .groupB = instance.groupB,
                    .exclusive = operation == Operation::exscan};
    if (engine::hasRoot(*its)) problem.root = *instance.root;
    const LayoutOrWhy layout = layoutOf(problem, parts, instance, counting);
    if (const auto* const why = std::get_if<const char*>(&layout)) return {std::nullopt, *why};
    problem.layout = std::get<Layout>(layout);
    if (problem.collective == engine::Collective::reduceScatter && !cutsAsRecorded(problem, parts))
        return {std::nullopt, "its blocks differ more than those of the catalogue's algorithms"};
    if (between && !engine::isIntergroup(problem.collective))
        return {std::nullopt, text("the catalogue has no ", nameOf(operation), " between two groups")};
    if (const auto combined = recordedOperation(recording, parts)) problem.operation = *combined;
    // Of which elements is not recorded.
    if (engine::combinesVectors(problem.collective) && problem.layout.largest() % unitOf(problem) != 0)
        problem.grain = 1;
    try {
        engine::validate(problem);
    } catch (const engine::Error& error) {
        return {std::nullopt, error.what()};
    }
    return {problem, {}};
}

}  // namespace app::analysis
