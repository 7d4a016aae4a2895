// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/recorded_problem.hpp"

#include "app/analysis/instances.hpp"
#include "engine/error.hpp"
#include "engine/text.hpp"
#include "traces/vocabulary.hpp"

#include <algorithm>
#include <limits>

namespace app::analysis {

using engine::Bytes;
using engine::Layout;
using engine::Problem;
using engine::Rank;
using engine::text;
using traces::Operation;
using traces::Participant;
using traces::Recording;

namespace {

using Parts = std::span<const Participant>;

/// Equal contributions of `each` bytes, or one contribution per rank.
Layout layoutOf(const std::vector<Bytes>& sizes) {
    if (std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>{}) == sizes.end())
        return Layout::regular(static_cast<std::int32_t>(sizes.size()), sizes.front());
    return Layout::irregular(sizes);
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
    return layoutOf(sizes);
}

/// Sizes of an allgather(v) within one group: they must add up to what everyone received.
std::optional<Layout> gathered(Parts parts, Counting counting) {
    const auto p = static_cast<Bytes>(parts.size());
    const Bytes received = mostReceived(parts);
    std::vector<Bytes> sent;
    Bytes sum = 0;
    for (const Participant& part : parts) sent.push_back(part.sent), sum += part.sent;
    if (sum == received && (p > 1 || counting != Counting::unknown)) return layoutOf(sent);
    if (counting == Counting::arguments) return layoutOf(sent);
    if (sum == p * received && std::all_of(sent.begin(), sent.end(), [&](Bytes bytes) { return bytes % p == 0; }) &&
        counting == Counting::totals) {
        for (Bytes& bytes : sent) bytes /= p;
        return layoutOf(sent);
    }
    return std::nullopt;
}

/// Sizes of an allgather between groups, of A and then of B.
std::optional<Layout> exchanged(Parts parts, const Instance& instance, Counting counting) {
    std::vector<Bytes> sizes;
    for (const Rank rank : instance.ranks) {
        const auto part = std::find_if(parts.begin(), parts.end(), [&](const auto& one) { return one.rank == rank; });
        if (part == parts.end()) return std::nullopt;
        const bool inA = static_cast<std::int32_t>(sizes.size()) < instance.groupA;
        const Bytes others = inA ? instance.groupB : instance.groupA;
        if (counting == Counting::totals && part->sent % others != 0) return std::nullopt;
        sizes.push_back(counting == Counting::totals ? part->sent / others : part->sent);
    }
    return layoutOf(sizes);
}

}  // namespace

Counting countingOf(const Recording& recording) {
    if (recording.creator.starts_with("Score-P")) return Counting::totals;
    if (recording.creator == traces::own::creator) return Counting::arguments;
    for (const traces::Collective& collective : recording.collectives.instances) {
        if (collective.operation != Operation::bcast || collective.count < 2) continue;
        for (const Participant& part : recording.collectives.of(collective)) {
            if (part.rank == collective.root || part.received == 0) continue;
            return part.sent == 0 ? Counting::totals : Counting::arguments;
        }
    }
    return Counting::unknown;
}

RecordedProblem recordedProblem(const Recording& recording, const traces::Collective& collective,
                                const Instance& instance, Counting counting) {
    using engine::Collective;
    const Parts parts = recording.collectives.of(collective);
    if (!instance.complete) return {std::nullopt, "not all of its ranks were recorded"};
    Problem problem{.groupA = instance.groupB > 0 ? instance.groupA : static_cast<std::int32_t>(parts.size()),
                    .groupB = instance.groupB};
    const RecordedProblem uncounted{
        std::nullopt, "whether its recorder counts what a rank moves or what its arguments say is not known"};
    switch (collective.operation) {
        case Operation::barrier: problem.collective = Collective::barrier; break;
        case Operation::bcast:
            if (!instance.root) return {std::nullopt, "its root was not recorded"};
            problem.collective = Collective::bcast;
            problem.root = *instance.root;
            problem.layout = Layout::regular(1, mostReceived(parts));
            break;
        case Operation::allreduce: {
            if (counting == Counting::unknown) return uncounted;
            problem.collective = Collective::allreduce;
            const auto p = static_cast<Bytes>(parts.size());
            const Bytes bytes = mostReceived(parts);
            if (counting == Counting::totals && bytes % p != 0)
                return {std::nullopt, "its bytes are no multiple of its ranks"};
            problem.layout = Layout::regular(problem.groupA, counting == Counting::totals ? bytes / p : bytes);
            break;
        }
        case Operation::allgather:
        case Operation::allgatherv: {
            problem.collective = instance.groupB > 0 ? Collective::intergroupAllgatherv : Collective::allgatherv;
            if (instance.groupB > 0 && counting == Counting::unknown) return uncounted;
            const auto layout = instance.groupB > 0 ? exchanged(parts, instance, counting) : gathered(parts, counting);
            if (!layout)
                return counting == Counting::unknown ? uncounted
                                                     : RecordedProblem{std::nullopt, "its bytes do not add up"};
            problem.layout = *layout;
            break;
        }
        case Operation::reduce: {
            if (!instance.root) return {std::nullopt, "its root was not recorded"};
            problem.collective = Collective::reduce;
            problem.root = *instance.root;
            problem.layout = Layout::regular(problem.groupA, mostSent(parts, *instance.root));
            break;
        }
        case Operation::gather:
        case Operation::gatherv:
        case Operation::scatter:
        case Operation::scatterv: {
            if (!instance.root) return {std::nullopt, "its root was not recorded"};
            const bool gathers =
                collective.operation == Operation::gather || collective.operation == Operation::gatherv;
            problem.collective = gathers ? Collective::gatherv : Collective::scatterv;
            problem.root = *instance.root;
            const auto layout = atRoot(parts, *instance.root, gathers, counting);
            if (!layout) return {std::nullopt, "its bytes do not add up"};
            problem.layout = *layout;
            break;
        }
        case Operation::alltoall: {
            if (counting == Counting::unknown) return uncounted;
            problem.collective = Collective::alltoallv;
            const auto p = static_cast<Bytes>(parts.size());
            const Bytes bytes = mostReceived(parts);
            if (counting == Counting::totals && bytes % p != 0)
                return {std::nullopt, "its bytes are no multiple of its ranks"};
            if (p * p > std::numeric_limits<std::int32_t>::max())
                return {std::nullopt, "it has more pairs of ranks than can be numbered"};
            problem.layout =
                Layout::regular(static_cast<std::int32_t>(p * p), counting == Counting::totals ? bytes / p : bytes);
            break;
        }
        case Operation::alltoallv:
        case Operation::alltoallw: return {std::nullopt, "what each pair of ranks exchanged was not recorded"};
        case Operation::scan:
        case Operation::exscan:
            if (counting != Counting::arguments) return uncounted;
            problem.collective = Collective::scan;
            problem.exclusive = collective.operation == Operation::exscan;
            problem.layout = Layout::regular(problem.groupA, mostSent(parts, std::nullopt));
            break;
        default: return {std::nullopt, text("the catalogue has no ", nameOf(collective.operation))};
    }
    if (instance.groupB > 0 && problem.collective != Collective::intergroupAllgatherv)
        return {std::nullopt, text("the catalogue has no ", nameOf(collective.operation), " between two groups")};
    try {
        engine::validate(problem);
    } catch (const engine::Error& error) {
        return {std::nullopt, error.what()};
    }
    return {problem, {}};
}

}  // namespace app::analysis
