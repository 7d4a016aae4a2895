// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/replay/ideal_network.hpp"

#include "app/analysis/wait_states/blocking_calls.hpp"

#include <algorithm>
#include <limits>

namespace app::analysis {

using emulation::Does;
using engine::Picoseconds;
using engine::Rank;
using traces::Operation;
using traces::TimeSpan;

namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

}  // namespace

IdealNetwork::IdealNetwork(const traces::Recording& recording, const RecordedProgram& program, Transfers transfers)
    : program_{program},
      transfers_{transfers},
      sendAt_(program.program.messages.size(), nowhere),
      sent_(program.program.messages.size()),
      receiveAt_(transfers == Transfers::asRecorded ? program.program.messages.size() : 0, nowhere),
      posted_(receiveAt_.size()),
      ranks_(program.program.ranks.size()) {
    for (const RecordedCollective& made : program.collectives) {
        const traces::Collective synchronisation{.operation = Operation::barrier,
                                                 .count = static_cast<std::uint32_t>(made.parts.size())};
        const traces::Collective& collective =
            made.isSynchronisation() ? synchronisation : recording.collectives.instances[made.instance];
        const std::span<const traces::Participant> parts =
            made.isSynchronisation() ? std::span{made.parts} : recording.collectives.of(collective);
        OfCollective its{.firstPart = parts_.size(), .parts = parts.size()};
        for (const traces::Participant& part : parts) its.lastEntry = std::max(its.lastEntry, part.begin);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (parts[i].rank == collective.root) its.root = i;
            parts_.push_back({.rank = parts[i].rank,
                              .at = nowhere,
                              .waitsForAll = traces::joinsAll(collective.operation) || parts[i].end >= its.lastEntry});
        }
        switch (collective.operation) {
            case Operation::bcast:
            case Operation::scatter:
            case Operation::scatterv: its.needs = Needs::root; break;
            case Operation::gather:
            case Operation::gatherv:
            case Operation::reduce: its.needs = Needs::everybodyAtRoot; break;
            case Operation::scan:
            case Operation::exscan: its.needs = Needs::earlierRanks; break;
            default: break;
        }
        if (collective.root == traces::noRank && (its.needs == Needs::root || its.needs == Needs::everybodyAtRoot))
            its.needs = Needs::nobody;
        if (its.needs == Needs::earlierRanks) {
            its.firstInOrder = order_.size();
            for (const Rank member : *program.program.collectives[collectives_.size()].members) {
                const auto place = std::ranges::lower_bound(parts, member, {}, &traces::Participant::rank);
                const std::size_t part = its.firstPart + static_cast<std::size_t>(place - parts.begin());
                parts_[part].place = static_cast<std::uint32_t>(order_.size() - its.firstInOrder);
                order_.push_back(part);
            }
        }
        collectives_.push_back(its);
    }
    for (const Rank rank : program.program.ranks.ids()) {
        const emulation::Operations& doings = program.program.ranks[rank];
        for (std::size_t at = 0; at < doings.size(); ++at) {
            const auto number = engine::asSize(doings.number(at));
            if (doings.what(at) == Does::sends) sendAt_[number] = static_cast<std::uint32_t>(at);
            if (doings.what(at) == Does::receives && !receiveAt_.empty())
                receiveAt_[number] = static_cast<std::uint32_t>(at);
            if (doings.what(at) == Does::ends) parts_[partOf(number, rank)].endsAt = static_cast<std::uint32_t>(at);
            if (doings.what(at) == Does::enters || doings.what(at) == Does::starts)
                parts_[partOf(number, rank)].at = static_cast<std::uint32_t>(at);
        }
    }
    if (transfers_ == Transfers::asRecorded) keepAwaited(recording);
}

Picoseconds IdealNetwork::recordedEntry(const OfPart& part) const {
    const std::vector<Picoseconds>& begun = program_.begun[part.rank];
    return part.at == nowhere ? Picoseconds{} : begun[part.at];
}

void IdealNetwork::keepAwaited(const traces::Recording& recording) {
    std::vector<std::size_t> numberOf(recording.collectives.instances.size(), nobody);
    for (std::size_t i = 0; i < program_.collectives.size(); ++i)
        if (!program_.collectives[i].isSynchronisation()) numberOf[program_.collectives[i].instance] = i;
    std::size_t next = 0;
    eachCollective(recording, {}, [&](Instance&& instance) {
        while (!isCommunication(recording.collectives.instances[next].operation)) ++next;
        const std::size_t number = numberOf[next++];
        if (number == nobody) return;
        OfCollective& its = collectives_[number];
        if (its.needs == Needs::everybody)
            if (const auto last = lastToComplete(instance)) its.lastCompletion = *instance.completing[*last];
        if (its.needs != Needs::root && its.needs != Needs::everybodyAtRoot) return;
        for (const BlockingCall& call : blockingCalls(instance, 0)) {
            if (call.kind != WaitKind::lateMember && call.kind != WaitKind::lateRoot) continue;
            if (!call.waited()) continue;
            std::size_t& awaited = parts_[partOf(number, call.rank)].awaited;
            const std::size_t late = partOf(number, call.late);
            if (awaited == nobody || recordedEntry(parts_[awaited]) < recordedEntry(parts_[late])) awaited = late;
            its.waitsInside = true;
        }
    });
    for (OfCollective& its : collectives_) {
        if (its.needs != Needs::earlierRanks) continue;
        Picoseconds latest{};
        for (std::size_t i = its.firstInOrder; i < its.firstInOrder + its.parts; ++i) {
            OfPart& part = parts_[order_[i]];
            part.earlierRecorded = latest;
            latest = std::max(latest, recordedEntry(part));
        }
    }
}

std::size_t IdealNetwork::partOf(std::size_t collective, Rank rank) const {
    const OfCollective& its = collectives_[collective];
    const auto first = parts_.begin() + static_cast<std::ptrdiff_t>(its.firstPart);
    const auto found = std::lower_bound(first, first + static_cast<std::ptrdiff_t>(its.parts), rank,
                                        [](const OfPart& part, Rank wanted) { return part.rank < wanted; });
    return static_cast<std::size_t>(found - parts_.begin());
}

bool IdealNetwork::isToCome(Rank rank, std::uint32_t at) const {
    const OfRank& its = ranks_[rank.index()];
    return at != nowhere && at >= its.at && at < its.behind;
}

IdealNetwork::OfCollective& IdealNetwork::opened(std::size_t collective) {
    OfCollective& its = collectives_[collective];
    if (its.window == window_) return its;
    its.window = window_;
    its.latest = its.latestInOrder = {};
    its.missing = its.enteredInOrder = 0;
    for (std::size_t i = its.firstPart; i < its.firstPart + its.parts; ++i) {
        OfPart& part = parts_[i];
        if (isToCome(part.rank, part.at)) ++its.missing;
        else part.entered = {.time = {}, .window = window_};
    }
    if (its.needs == Needs::earlierRanks) goOnInOrder(its);
    return its;
}

void IdealNetwork::completes(Rank rank, std::size_t collective) {
    OfCollective& its = collectives_[collective];
    OfPart& part = parts_[partOf(collective, rank)];
    if (its.lastCompletion == Picoseconds{} || part.completing.window == window_) return;
    part.completing = {.time = ranks_[rank.index()].now, .window = window_};
    for (std::size_t i = its.firstPart; i < its.firstPart + its.parts; ++i)
        if (parts_[i].rank != rank) wake(parts_[i].rank);
}

void IdealNetwork::goOnInOrder(OfCollective& its) {
    for (; its.enteredInOrder < its.parts; ++its.enteredInOrder) {
        OfPart& part = parts_[order_[its.firstInOrder + its.enteredInOrder]];
        part.earlierEntered = its.latestInOrder;
        wake(part.rank);
        if (part.entered.window != window_) return;
        its.latestInOrder = std::max(its.latestInOrder, part.entered.time);
    }
}

void IdealNetwork::enter(Rank rank, std::size_t collective) {
    OfCollective& its = opened(collective);
    OfPart& part = parts_[partOf(collective, rank)];
    if (part.entered.window == window_) return;
    part.entered = {.time = ranks_[rank.index()].now, .window = window_};
    its.latest = std::max(its.latest, part.entered.time);
    --its.missing;
    if (its.waitsInside)
        for (std::size_t i = its.firstPart; i < its.firstPart + its.parts; ++i)
            if (parts_[i].awaited != nobody) wake(parts_[i].rank);
    if (its.needs == Needs::earlierRanks) return goOnInOrder(its);
    // Others wait for the entry of the root, or for the last one.
    if (its.needs == Needs::root ? &part != &parts_[its.firstPart + its.root] : its.missing > 0) return;
    for (std::size_t i = its.firstPart; i < its.firstPart + its.parts; ++i) wake(parts_[i].rank);
}

std::optional<Picoseconds> IdealNetwork::servedAt(std::size_t collective, Rank rank) {
    OfCollective& its = opened(collective);
    const std::size_t self = partOf(collective, rank) - its.firstPart;
    const OfPart& part = parts_[its.firstPart + self];
    const OfPart& root = parts_[its.firstPart + its.root];
    const auto all = [&]() -> std::optional<Picoseconds> {
        if (its.missing > 0) return std::nullopt;
        return its.latest;
    };
    switch (its.needs) {
        case Needs::nobody: return Picoseconds{};
        case Needs::root:
            if (root.entered.window != window_) return std::nullopt;
            return root.entered.time;
        case Needs::everybody: return part.waitsForAll ? all() : Picoseconds{};
        case Needs::everybodyAtRoot: return self == its.root && part.waitsForAll ? all() : Picoseconds{};
        case Needs::earlierRanks:
            if (part.place > its.enteredInOrder) return std::nullopt;
            return part.earlierEntered;
    }
    return Picoseconds{};
}

std::optional<IdealNetwork::Awaited> IdealNetwork::awaitedBy(Rank rank, std::size_t at, Picoseconds end) {
    const emulation::Operations& doings = program_.program.ranks[rank];
    const emulation::PointToPoint& messages = program_.program.messages;
    const Picoseconds begin = program_.begun[rank][at];
    const auto number = engine::asSize(doings.number(at));
    const auto endOf = [&](const Stamped& stamped, Rank other, std::uint32_t place) -> std::optional<Awaited> {
        if (stamped.window == window_) return Awaited{program_.begun[other][place], stamped.time};
        if (isToCome(other, place)) return std::nullopt;
        return Awaited{begin, {}};
    };
    switch (doings.what(at)) {
        case Does::awaitsReceive: return endOf(sent_[number], messages.from[number], sendAt_[number]);
        case Does::awaitsSend: {
            const Rank to = messages.to[number];
            const std::uint32_t place = receiveAt_[number];
            // Whether the library waits for a receiver is known where it was seen to.
            if (place == nowhere || to == rank || program_.begun[to][place] <= begin ||
                program_.begun[to][place] >= end)
                return Awaited{begin, {}};
            return endOf(posted_[number], to, place);
        }
        case Does::enters:
        case Does::ends: break;
        default: return Awaited{begin, {}};
    }
    const std::optional<Picoseconds> served = servedAt(number, rank);
    if (!served) return std::nullopt;
    const OfCollective& its = collectives_[number];
    const OfPart& part = parts_[partOf(number, rank)];
    const bool isRoot = &part == &parts_[its.firstPart + its.root];
    if (doings.what(at) == Does::ends && its.lastCompletion > Picoseconds{}) return completionOf(collectives_[number]);
    Awaited all{begin, *served};
    switch (its.needs) {
        case Needs::nobody: break;
        case Needs::root: all.recorded = recordedEntry(parts_[its.firstPart + its.root]); break;
        case Needs::everybody: all.recorded = part.waitsForAll ? its.lastEntry : begin; break;
        case Needs::everybodyAtRoot: all.recorded = isRoot && part.waitsForAll ? its.lastEntry : begin; break;
        case Needs::earlierRanks: all.recorded = part.earlierRecorded; break;
    }
    if (part.awaited == nobody) return all;
    // Whoever came while it stood inside, until that one.
    const Picoseconds last = recordedEntry(parts_[part.awaited]);
    for (std::size_t i = its.firstPart; i < its.firstPart + its.parts; ++i) {
        const Picoseconds entry = recordedEntry(parts_[i]);
        if (entry <= begin || entry > last) continue;
        if (parts_[i].entered.window != window_) return std::nullopt;
        all = {std::max(all.recorded, entry), std::max(all.came, parts_[i].entered.time)};
    }
    return all;
}

std::optional<IdealNetwork::Awaited> IdealNetwork::completionOf(OfCollective& its) {
    Awaited last{its.lastCompletion, {}};
    for (std::size_t i = its.firstPart; i < its.firstPart + its.parts; ++i) {
        const OfPart& part = parts_[i];
        if (part.completing.window == window_) last.came = std::max(last.came, part.completing.time);
        else if (isToCome(part.rank, part.endsAt)) return std::nullopt;
    }
    return last;
}

bool IdealNetwork::passCall(Rank rank) {
    OfRank& its = ranks_[rank.index()];
    const emulation::Operations& doings = program_.program.ranks[rank];
    const std::vector<Picoseconds>& begun = program_.begun[rank];
    const auto waits = [&](std::size_t at) {
        const Does what = doings.what(at);
        return what == Does::awaitsSend || what == Does::awaitsReceive || what == Does::enters || what == Does::ends ||
               what == Does::lingers;
    };
    const Picoseconds begin = begun[its.at];
    std::size_t behind = its.at;
    for (; behind < its.behind && begun[behind] == begin && waits(behind); ++behind)
        if (doings.what(behind) == Does::enters) enter(rank, engine::asSize(doings.number(behind)));
        else if (doings.what(behind) == Does::ends) completes(rank, engine::asSize(doings.number(behind)));
    const Picoseconds end = behind < begun.size() ? begun[behind] : program_.spent[rank].end;
    Picoseconds recorded = begin, now = its.now;
    for (std::size_t at = its.at; at < behind; ++at) {
        const std::optional<Awaited> awaited = awaitedBy(rank, at, end);
        if (!awaited) return false;
        if (awaited->recorded > end) continue;  // clocks contradict each other
        recorded = std::max(recorded, awaited->recorded);
        now = std::max(now, awaited->came);
    }
    its.now = now + (end - recorded);
    its.at = behind;
    return true;
}

void IdealNetwork::wake(Rank rank) {
    OfRank& its = ranks_[rank.index()];
    if (its.queued || its.at >= its.behind) return;
    its.queued = true;
    queue_.push_back(rank);
}

void IdealNetwork::proceed(Rank rank, TimeSpan window, const Computation& computation) {
    OfRank& its = ranks_[rank.index()];
    const emulation::Operations& doings = program_.program.ranks[rank];
    const std::vector<Picoseconds>& begun = program_.begun[rank];
    const emulation::PointToPoint& messages = program_.program.messages;
    const auto postedAt = [&](std::size_t number) {
        if (posted_.empty()) return;
        posted_[number] = {its.now, window_};
        wake(messages.from[number]);
    };
    for (; its.at < its.behind; ++its.at) {
        const Does what = doings.what(its.at);
        const auto number = what == Does::computes ? 0 : engine::asSize(doings.number(its.at));
        if (transfers_ == Transfers::asRecorded && what != Does::computes && what != Does::sends &&
            what != Does::receives && what != Does::starts) {
            if (!passCall(rank)) return;
            --its.at;  // the loop goes on behind the call
            continue;
        }
        switch (what) {
            case Does::computes: {
                const Picoseconds end = its.at + 1 < begun.size() ? begun[its.at + 1] : program_.spent[rank].end;
                const Picoseconds from = std::max(begun[its.at], window.begin), to = std::min(end, window.end);
                if (from < to) its.now += computation(rank, from, to);
                break;
            }
            case Does::sends:
                sent_[number] = {its.now, window_};
                wake(messages.to[number]);
                break;
            case Does::receives: postedAt(number); break;
            case Does::awaitsReceive: {
                const Stamped& sent = sent_[number];
                const Rank from = messages.from[number];
                if (sent.window == window_) its.now = std::max(its.now, sent.time);
                else if (isToCome(from, sendAt_[number])) return;
                break;
            }
            case Does::enters: enter(rank, number); [[fallthrough]];
            case Does::ends: {
                const std::optional<Picoseconds> served = servedAt(number, rank);
                if (!served) return;
                its.now = std::max(its.now, *served);
                break;
            }
            case Does::starts: enter(rank, number); break;
            case Does::awaitsSend:
            case Does::lingers:
            case Does::reaches:
            case Does::passes: break;
        }
    }
}

Picoseconds IdealNetwork::timeOf(TimeSpan window, const Computation& computation,
                                 const engine::ById<Rank, Picoseconds>* ends) {
    engine::ById<Rank, TimeSpan> windows(program_.begun.size(), window);
    if (ends != nullptr)
        for (const Rank rank : program_.begun.ids())
            windows[rank].end = std::max(window.begin, std::min(window.end, (*ends)[rank]));
    return timeOf(windows, computation);
}

Picoseconds IdealNetwork::timeOf(const engine::ById<Rank, TimeSpan>& windows, const Computation& computation) {
    ++window_;
    queue_.clear();
    for (const Rank rank : program_.begun.ids()) {
        const std::vector<Picoseconds>& begun = program_.begun[rank];
        const TimeSpan& window = windows[rank];
        // An activity that started before the window counts as far as it reaches into it.
        const auto first = std::upper_bound(begun.begin(), begun.end(), window.begin);
        const auto behind = std::lower_bound(begun.begin(), begun.end(), window.end);
        OfRank& its = ranks_[rank.index()];
        its = {.at = first == begun.begin() ? 0 : static_cast<std::size_t>(first - begun.begin()) - 1,
               .behind = static_cast<std::size_t>(behind - begun.begin())};
        // Activities that started at the same time belong together.
        while (its.at > 0 && begun[its.at - 1] == begun[its.at]) --its.at;
    }
    for (const Rank rank : program_.begun.ids()) wake(rank);
    std::size_t next = 0;
    const auto run = [&] {
        while (next < queue_.size()) {
            const Rank rank = queue_[next++];
            ranks_[rank.index()].queued = false;
            proceed(rank, windows[rank], computation);
            if (next == queue_.size()) queue_.clear(), next = 0;
        }
    };
    run();
    // Contradictory records can deadlock: then the rank that is earliest skips its wait.
    const auto isStuck = [&](Rank rank) { return ranks_[rank.index()].at < ranks_[rank.index()].behind; };
    for (;;) {
        Rank earliest = traces::noRank;
        const auto begins = [&](Rank rank) { return program_.begun[rank][ranks_[rank.index()].at]; };
        for (const Rank rank : program_.begun.ids())
            if (isStuck(rank) && (earliest == traces::noRank || begins(rank) < begins(earliest))) earliest = rank;
        if (earliest == traces::noRank) break;
        ++ranks_[earliest.index()].at;
        wake(earliest);
        run();
    }
    Picoseconds longest{};
    for (const OfRank& its : ranks_) longest = std::max(longest, its.now);
    return longest;
}

}  // namespace app::analysis
