// SPDX-License-Identifier: BSD-3-Clause
// Which rank waited for which in a collective.
#include "app/analysis/collectives/collective_instances.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;

std::string_view name(CollectiveWait wait) {
    switch (wait) {
        case CollectiveWait::none: return "none";
        case CollectiveWait::atNxN: return "wait at NxN";
        case CollectiveWait::atBarrier: return "wait at barrier";
        case CollectiveWait::lateBroadcast: return "late broadcast";
        case CollectiveWait::earlyReduce: return "early reduce";
        case CollectiveWait::earlyScan: return "early scan";
    }
    return {};
}

namespace {

CollectiveWait kindOf(std::string_view operation) {
    const auto is = [&](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), operation) != names.end();
    };
    if (is({"barrier", "fence"})) return CollectiveWait::atBarrier;
    if (is({"bcast", "scatter", "scatterv"})) return CollectiveWait::lateBroadcast;
    if (is({"reduce", "gather", "gatherv"})) return CollectiveWait::earlyReduce;
    if (is({"allreduce", "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw", "reduce-scatter",
            "reduce-scatter-block", "intergroup-allgatherv"}))
        return CollectiveWait::atNxN;
    if (is({"scan", "exscan"})) return CollectiveWait::earlyScan;
    return CollectiveWait::none;
}

/// Places of the ranks that were recorded, by when they entered.
std::vector<std::size_t> byEntry(const Instance& instance) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < instance.stays.size(); ++i)
        if (instance.stays[i]) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return instance.stays[i]->begin; });
    return order;
}

using For = Arrivals::FurtherWait::For;

/// Whether a collective with a root concerns the rank at `place`: of two groups it does all of the other one.
bool takesPart(const Instance& instance, std::size_t place, std::size_t root) {
    const auto isInA = [&](std::size_t one) { return one < engine::asSize(instance.groupA); };
    return instance.groupA == 0 || place == root || isInA(place) != isInA(root);
}

For whomOf(std::size_t place, std::size_t late, std::size_t root, bool gathers) {
    return late == root ? For::root : gathers && place == root ? For::contributor : For::member;
}

void addProvenWaits(const Instance& instance, std::size_t root, Arrivals& arrivals) {
    const bool gathers = arrivals.kind == CollectiveWait::earlyReduce;
    for (const ProvenWait& wait : *instance.waits) {
        const std::optional<Picoseconds> from = instance.blockedFrom(wait.place);
        if (!from) continue;
        const Picoseconds since = std::max(wait.begin, *from + arrivals.perRank[wait.place]);
        if (wait.end > since)
            arrivals.further.push_back(
                {whomOf(wait.place, wait.late, root, gathers), wait.place, wait.late, since, wait.end - since, true});
    }
}

void addFurtherWaits(const Instance& instance, std::size_t root, Arrivals& arrivals) {
    if (instance.waits) return addProvenWaits(instance, root, arrivals);
    const bool gathers = arrivals.kind == CollectiveWait::earlyReduce;
    std::vector<std::size_t> order = byEntry(instance);
    std::erase_if(order, [&](std::size_t place) { return !takesPart(instance, place, root); });
    const auto entry = [&](std::size_t place) { return instance.stays[place]->begin; };
    for (std::size_t place = 0; place < instance.stays.size(); ++place) {
        if (!instance.stays[place] || !takesPart(instance, place, root)) continue;
        const std::optional<Picoseconds> from = instance.blockedFrom(place);
        if (!from) continue;
        const Picoseconds left = instance.stays[place]->end;
        Picoseconds since = *from + arrivals.perRank[place];
        const auto wait = [&](For whom, std::size_t late) {
            if (entry(late) <= since || entry(late) > left) return;
            if (!instance.shows(place, late, entry(late) - since)) return;
            arrivals.further.push_back({whom, place, late, since, entry(late) - since});
            since = entry(late);
        };
        if (gathers && place != root) wait(For::root, root);
        auto last = std::ranges::upper_bound(order, left, {}, entry);
        if (last != order.begin() && *(last - 1) == place) --last;
        if (last == order.begin()) continue;
        const std::size_t late = *(last - 1);
        wait(whomOf(place, late, root, gathers), late);
    }
}

}  // namespace

std::optional<std::size_t> lastToComplete(const Instance& instance) {
    if (instance.completing.empty()) return std::nullopt;
    std::optional<std::size_t> last;
    Picoseconds entered{};
    for (std::size_t i = 0; i < instance.stays.size(); ++i) {
        if (!instance.stays[i] || !instance.completing[i]) return std::nullopt;
        entered = std::max(entered, instance.stays[i]->begin);
        if (!last || *instance.completing[i] > *instance.completing[*last]) last = i;
    }
    if (!last || *instance.completing[*last] <= entered) return std::nullopt;
    const Picoseconds came = *instance.completing[*last];
    // If the rest took longer than the time since the last entry, the collective may have gone on all along.
    const bool all = std::ranges::all_of(
        instance.stays, [&](const auto& stay) { return stay->end > came && stay->end - came <= came - entered; });
    return all ? last : std::nullopt;
}

Picoseconds timeFromLastEntry(const Instance& instance) {
    return std::max(Picoseconds{}, instance.duration() - arrivalsOf(instance).spread.value_or(Picoseconds{}));
}

Arrivals arrivalsOf(const Instance& instance) {
    Arrivals arrivals;
    arrivals.perRank.resize(instance.stays.size());
    arrivals.awaited.resize(instance.stays.size());
    for (std::size_t i = 0; i < arrivals.awaited.size(); ++i) arrivals.awaited[i] = Rank{static_cast<std::int32_t>(i)};
    std::optional<std::size_t> first;
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < instance.stays.size(); ++i) {
        if (!instance.stays[i]) continue;
        if (!first || instance.stays[i]->begin < instance.stays[*first]->begin) first = i;
        if (!last || instance.stays[i]->begin > instance.stays[*last]->begin) last = i;
    }
    if (!first || !instance.isCollective()) return arrivals;
    const auto before = [&](std::size_t place) { return instance.stays[*last]->begin - instance.stays[place]->begin; };
    std::size_t other = *last;  // than the first one, also where all come at once
    for (std::size_t i = 0; i < instance.stays.size() && other == *first; ++i)
        if (instance.stays[i]) other = i;
    if (other != *first && instance.shows(*first, other, before(*first))) arrivals.spread = before(*first);
    bool isLast = arrivals.spread && arrivals.spread->count() > 0;
    for (std::size_t i = 0; i < instance.stays.size() && isLast; ++i)
        isLast = i == *last || !instance.stays[i] || instance.shows(i, *last, before(i));
    if (isLast) arrivals.last = Rank{static_cast<std::int32_t>(*last)};
    arrivals.kind = kindOf(instance.operation);
    const bool rooted = arrivals.kind == CollectiveWait::lateBroadcast || arrivals.kind == CollectiveWait::earlyReduce;
    const std::size_t root = instance.root ? static_cast<std::size_t>(instance.root->value) : instance.stays.size();
    if (arrivals.kind == CollectiveWait::none || (rooted && (root >= instance.stays.size() || !instance.stays[root]))) {
        arrivals.kind = CollectiveWait::none;
        return arrivals;
    }
    const std::optional<std::size_t> completer =
        arrivals.kind == CollectiveWait::atNxN || arrivals.kind == CollectiveWait::atBarrier ? lastToComplete(instance)
                                                                                             : std::nullopt;
    const auto waits = [&](std::size_t rank, std::size_t late) {
        const std::optional<Picoseconds> from = instance.blockedFrom(rank);
        if (!from) return;
        const Picoseconds came = completer ? instance.completing[late].value() : instance.stays[late]->begin;
        const Picoseconds until = std::min(came, instance.stays[rank]->end);
        if (until <= *from || !instance.shows(rank, late, until - *from)) return;
        arrivals.perRank[rank] = until - *from;
        arrivals.awaited[rank] = Rank{static_cast<std::int32_t>(late)};
        arrivals.waiting += arrivals.perRank[rank];
    };
    if (arrivals.kind == CollectiveWait::earlyReduce) {
        std::optional<std::size_t> earliest;
        for (std::size_t i = 0; i < instance.stays.size(); ++i) {
            if (i == root || !instance.stays[i] || !takesPart(instance, i, root)) continue;
            if (!earliest || instance.stays[i]->begin < instance.stays[*earliest]->begin) earliest = i;
        }
        if (earliest) waits(root, *earliest);
        addFurtherWaits(instance, root, arrivals);
        return arrivals;
    }
    std::optional<std::size_t> latest;  // of those before
    for (std::size_t i = 0; i < instance.stays.size(); ++i) {
        if (!instance.stays[i]) continue;
        if (arrivals.kind == CollectiveWait::earlyScan) {
            if (latest) waits(i, *latest);
            if (!latest || instance.stays[i]->begin > instance.stays[*latest]->begin) latest = i;
        } else if (!rooted || (i != root && takesPart(instance, i, root))) {
            waits(i, rooted ? root : completer.value_or(*last));
        }
    }
    if (rooted) addFurtherWaits(instance, root, arrivals);
    return arrivals;
}

std::vector<Picoseconds> waitedIn(const Instance& instance) {
    Arrivals arrivals = arrivalsOf(instance);
    for (const Arrivals::FurtherWait& more : arrivals.further) arrivals.perRank[more.place] += more.time;
    return std::move(arrivals.perRank);
}

}  // namespace app::analysis
