// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/wait_states.hpp"

#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "app/analysis/containers/mostly_sorted.hpp"
#include "app/analysis/containers/sorted_runs.hpp"
#include "app/analysis/messages/message_ends.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "app/analysis/wait_states/delay_propagation.hpp"
#include "app/analysis/wait_states/one_sided_calls.hpp"
#include "app/analysis/wait_states/overlapping_waits.hpp"
#include "app/analysis/wait_states/synchronising_calls.hpp"
#include "traces/recording/training.hpp"
#include "traces/storage/large_pages.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <tuple>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using engine::Run;

std::string_view name(WaitKind kind) {
    switch (kind) {
        case WaitKind::lateSender: return "late sender";
        case WaitKind::wrongOrder: return "late sender, wrong order";
        case WaitKind::lateReceiver: return "late receiver";
        case WaitKind::atNxN: return name(CollectiveWait::atNxN);
        case WaitKind::atBarrier: return name(CollectiveWait::atBarrier);
        case WaitKind::lateBroadcast: return name(CollectiveWait::lateBroadcast);
        case WaitKind::earlyReduce: return name(CollectiveWait::earlyReduce);
        case WaitKind::lateContributor: return "late contributor";
        case WaitKind::lateRoot: return "late root";
        case WaitKind::lateMember: return "late member";
        case WaitKind::earlyScan: return name(CollectiveWait::earlyScan);
        case WaitKind::atSynchronisingCall: return "wait at synchronising call";
        case WaitKind::atTeamBarrier: return "wait at OpenMP barrier";
        case WaitKind::atImplicitBarrier: return "wait at implicit OpenMP barrier";
        case WaitKind::criticalContention: return "OpenMP critical contention";
        case WaitKind::lockContention: return "lock contention";
        case WaitKind::idleThread: return "OpenMP idle threads";
        case WaitKind::earlyTransfer: return "early transfer";
        case WaitKind::latePost: return "late post";
        case WaitKind::earlyWait: return "early wait";
        case WaitKind::lateComplete: return "late complete";
        case WaitKind::forProgress: return "wait for progress";
        case WaitKind::windowContention: return "window lock contention";
        case WaitKind::completionNxN: return "NxN completion";
        case WaitKind::completionBarrier: return "barrier completion";
    }
    return {};
}

namespace {

Wait waitOf(const BlockingCall& call) {
    return {.kind = call.kind,
            .isProven = call.isProven,
            .thread = call.thread,
            .lateThread = call.lateThread,
            .rank = call.rank,
            .late = call.late,
            .message = call.message,
            .begin = call.begin,
            .time = call.until() - call.begin};
}

/// The waits at ports of a run, each of which one message ends.
class AtPorts {
public:
    explicit AtPorts(const Run& run)
        : m_{run.messages}, busy_{run}, arrived_{arrivalTimes(run)}, sendsWaitInside_{run.setting.on == "mpi"} {
        // Who computes between the halves of a call looks after its messages meanwhile, and waits for none.
        for (const engine::LocalWork& its : engine::computingOf(run))
            arrived_[its.rank.index()] = std::max(arrived_[its.rank.index()], its.end);
    }

    /// What message `i` ends; nothing where nobody waited for it.
    [[nodiscard]] std::optional<Wait> before(std::uint32_t i) const {
        const Rank from = m_.from()[i];
        const Rank to = m_.to()[i];
        const Picoseconds sender = std::max(busy_(from, m_.sendBegin()[i], i), arrived_[from.index()]);
        const Picoseconds receiver = std::max(busy_(to, m_.receiveBegin()[i], i), arrived_[to.index()]);
        const Picoseconds begin = std::min(m_.sendBegin()[i], m_.receiveBegin()[i]);
        const auto wait = [i](WaitKind kind, Rank rank, Rank late, Picoseconds since, Picoseconds until) {
            return Wait{.kind = kind, .rank = rank, .late = late, .message = i, .begin = since, .time = until - since};
        };
        if (receiver > sender && begin > sender) return wait(WaitKind::lateReceiver, from, to, sender, begin);
        if (receiver <= sender && begin > receiver) return wait(WaitKind::lateSender, to, from, receiver, begin);
        const Picoseconds sends = std::max(m_.sendBegin()[i], arrived_[from.index()]);
        if (sendsWaitInside_ && m_.receiveBegin()[i] > sends && m_.sendEnd()[i] > m_.receiveBegin()[i])
            return wait(WaitKind::lateReceiver, from, to, sends, m_.receiveBegin()[i]);
        return std::nullopt;
    }

private:
    const engine::Messages& m_;
    BusyUntil busy_;
    std::vector<Picoseconds> arrived_;
    bool sendsWaitInside_;
};

/// Messages that end what another one ends, too: a rank whose ports transfer at once after it was idle has
/// waited once, for the first of those that kept it longest.
std::vector<bool> endedByAnother(const AtPorts& all, std::uint32_t messages) {
    struct Begun {
        Rank rank;
        std::uint32_t message = 0;
        Picoseconds begin{};
        Picoseconds time{};
    };
    std::vector<Begun> begun;
    for (std::uint32_t i = 0; i < messages; ++i)
        if (const auto wait = all.before(i)) begun.push_back({wait->rank, i, wait->begin, wait->time});
    std::sort(begun.begin(), begun.end(), [](const Begun& a, const Begun& b) {
        return std::tuple{a.rank, a.begin, -a.time, a.message} < std::tuple{b.rank, b.begin, -b.time, b.message};
    });
    std::vector<bool> beside(messages);
    for (std::size_t k = 1; k < begun.size(); ++k)
        if (begun[k].rank == begun[k - 1].rank && begun[k].begin == begun[k - 1].begin) beside[begun[k].message] = true;
    return beside;
}

/// Finds the waits at ports, message by message, and hands them to `take`.
template <class Take>
void waitsAtPorts(const Run& run, Take take, const engine::Progress& progress) {
    const AtPorts all{run};
    const auto count = static_cast<std::uint32_t>(run.messages.size());
    const std::vector<bool> beside = endedByAnother(all, count);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i % (1U << 16U) == 0) progress.at(static_cast<double>(i) / static_cast<double>(count));
        if (beside[i]) continue;
        if (const auto wait = all.before(i)) take(*wait);
    }
}

/// What of the wait lies in the span; nothing where none does.
std::optional<Wait> within(Wait wait, traces::TimeSpan span) {
    const Picoseconds end = std::min(wait.end(), span.end);
    wait.begin = std::max(wait.begin, span.begin);
    wait.time = end - wait.begin;
    return wait.time > Picoseconds{} ? std::optional{wait} : std::nullopt;
}

/// Calls of one location that found nothing, one after the other, and the call that ended them.
struct PollLoop {
    std::vector<Picoseconds> begins{};  ///< of these calls
    traces::TimeSpan last{};            ///< the call that completed a request, or received what MPI_Iprobe had found
    bool probed = false;
    bool firstIsEnough = false;
    Picoseconds waitsFrom{};  ///< when the wait in `last` began, which counts as such
};

std::vector<PollLoop> pollLoops(const traces::States& states, const MpiRegions& regions, const MpiCalls& calls) {
    std::vector<PollLoop> loops;
    PollLoop now;
    bool isFound = false;
    for (std::size_t s = 0; s < states.size(); ++s) {
        const std::int32_t region = states.region[s];
        if (!regions.isMpi(region)) continue;
        if (regions.foundNothing(region)) {
            if (isFound) now = {}, isFound = false;
            now.begins.push_back(states.begin[s]);
            continue;
        }
        if (now.begins.empty()) continue;
        if (regions.foundMessage(region) && !isFound) {
            isFound = true;
            continue;
        }
        if (isFound || regions.tests(region)) {
            now.last = {states.begin[s], states.end[s]};
            now.probed = isFound;
            now.firstIsEnough = regions.firstIsEnough(region);
            now.waitsFrom = now.begins.back();
            if (!isFound)
                if (const auto call = calls.at(now.last.end)) now.waitsFrom = call->begin;
            loops.push_back(std::move(now));
        }
        now = {}, isFound = false;
    }
    return loops;
}

/// Which of the messages of a rank ended a loop, and since when the rank had polled for it.
struct PolledMessage {
    std::uint32_t message = Wait::none;
    Picoseconds since{};
};

}  // namespace

bool hasPolls(const traces::Recording& recording) {
    const MpiRegions regions{recording};
    for (std::int32_t region = 0; region < static_cast<std::int32_t>(recording.regions.size()); ++region)
        if (regions.foundNothing(region)) return true;
    return false;
}

std::vector<Wait> polledTimes(const traces::Recording& recording, const Selection& selection) {
    std::vector<Wait> polled;
    if (!hasPolls(recording)) return polled;
    const MpiRegions regions{recording};
    const LocationsOfRanks locations = locationsOfRanks(recording);
    const traces::Messages& m = recording.messages;
    const ChosenMessages chosen = selectedMessages(recording, selection);
    std::vector<std::vector<std::uint32_t>> received(engine::asSize(recording.ranks));  // that came late
    for (std::size_t k = 0; k < chosen.size(); ++k)
        if (m.from[chosen[k]] != m.to[chosen[k]]) received[m.to[chosen[k]].index()].push_back(chosen[k]);
    const traces::TimeSpan span = analysedTime(recording, selection.part);
    for (Rank rank{0}; rank.value < recording.ranks; ++rank) {
        if (!selection.part.has(rank) || received[rank.index()].empty()) continue;
        const MpiCalls calls{recording, regions, locations[rank.index()]};
        std::vector<PollLoop> loops;
        for (const std::size_t location : locations[rank.index()])
            std::ranges::move(pollLoops(recording.states[location], regions, calls), std::back_inserter(loops));
        std::ranges::stable_sort(loops, {}, [](const PollLoop& loop) { return loop.last.begin; });
        std::vector<PolledMessage> ending(loops.size());
        for (const std::uint32_t i : received[rank.index()]) {
            const auto behind = std::ranges::upper_bound(loops, m.receiveEnd[i], {},
                                                         [](const PollLoop& loop) { return loop.last.begin; });
            if (behind == loops.begin()) continue;
            const PollLoop& loop = *std::prev(behind);
            const bool isPosted = (m.flags[i] & traces::flag::receiveNonBlocking) != 0;
            if (m.receiveEnd[i] > loop.last.end || isPosted == loop.probed) continue;
            // What was posted within the loop was polled for from then on.
            const auto first =
                isPosted ? std::ranges::lower_bound(loop.begins, m.receiveBegin[i]) : loop.begins.begin();
            if (first == loop.begins.end()) continue;
            PolledMessage& its = ending[static_cast<std::size_t>(std::prev(behind) - loops.begin())];
            if (its.message == Wait::none || (m.sendBegin[i] < m.sendBegin[its.message]) == loop.firstIsEnough)
                its = {i, *first};
        }
        for (std::size_t k = 0; k < loops.size(); ++k) {
            const auto [i, since] = ending[k];
            if (i == Wait::none) continue;
            const Picoseconds time = std::min(m.sendBegin[i], loops[k].waitsFrom) - since;
            // It ends as the wait in the call does: both are for one delay.
            const Picoseconds end = std::min(m.sendBegin[i], m.receiveEnd[i]);
            if (const auto inside = within({.kind = WaitKind::lateSender,
                                            .rank = rank,
                                            .late = m.from[i],
                                            .message = i,
                                            .begin = end - time,
                                            .time = time},
                                           span))
                polled.push_back(*inside);
        }
    }
    return polled;
}

bool mayOverlap(const traces::Recording& recording) {
    if (traces::isTraining(recording)) return false;
    const auto& instances = recording.collectives.instances;
    const bool posts = std::ranges::any_of(instances, [&](const auto& one) {
        return std::ranges::any_of(recording.collectives.of(one), &traces::Participant::nonBlocking);
    });
    if (posts) return true;
    const MpiRegions regions{recording};
    const auto calls = [&](std::size_t location) {
        return std::ranges::any_of(recording.states[location].region,
                                   [&](std::int32_t region) { return regions.isMpi(region); });
    };
    return std::ranges::any_of(locationsOfRanks(recording), [&](const std::vector<std::size_t>& ofRank) {
        return ofRank.size() > 1 && std::ranges::count_if(ofRank, calls) > 1;
    });
}

std::optional<Wait> waitIn(const BlockingCall& call, traces::TimeSpan span) { return within(waitOf(call), span); }

void eachWait(const Run& run, const Part& part, const std::function<void(const Wait&)>& take,
              const engine::Progress& progress) {
    // What kept a rank busy before, and the message that it waits for, may lie outside of the part's time.
    const traces::TimeSpan span = part.span(run.duration);
    const Part anyTime{.ranks = part.ranks, .tags = part.tags, .bytes = part.bytes};
    const auto takeChosen = [&](const Wait& wait) {
        if (!anyTime.whole() && !isIn(anyTime, run.messages[wait.message])) return;
        if (const auto inside = within(wait, span)) take(*inside);
    };
    if (!timesAreCalls(run)) return waitsAtPorts(run, takeChosen, progress);
    eachBlockingCall(
        run,
        [&](std::span<const BlockingCall> calls) {
            for (const BlockingCall& call : calls)
                if (call.waited()) takeChosen(waitOf(call));
        },
        progress);
}

TracedWaits tracedWaits(const Run& run, const Part& part, const engine::Progress& progress) {
    TracedWaits waits;
    std::vector<Wait>& all = waits.all;
    eachWait(
        run, part, [&](const Wait& wait) { all.push_back(wait); }, progress);
    const auto sent = run.messages.sendBegin();
    std::stable_sort(all.begin(), all.end(), [&](const Wait& a, const Wait& b) {
        return std::tuple{sent[a.message], a.message} < std::tuple{sent[b.message], b.message};
    });
    waits.threads = Threads{run.ranks};
    waits.delays = propagateDelays(all, waits.threads, &waits.shares, &waits.earlier);
    return waits;
}

std::vector<Wait> waits(const Run& run, const engine::Progress& progress) {
    return tracedWaits(run, Part{}, progress).all;
}

TracedWaits tracedWaits(const traces::Recording& recording, const Selection& selection,
                        const std::vector<Instance>& instances, const engine::Progress& progress) {
    TracedWaits waits{.span = analysedTime(recording, selection.part)};
    std::vector<Wait>& all = waits.all;
    const traces::TimeSpan span = waits.span;
    std::int32_t seen = 0;  // ranks with messages
    eachBlockingCall(
        recording, selection, instances,
        [&](std::span<const BlockingCall> calls) {
            // As if all ranks had as many as those before, of a message at most two: a vector that doubles would be
            // there twice.
            if (!calls.empty() && calls.front().instance == Wait::none) ++seen;
            const std::size_t soFar =
                all.size() + engine::asSize(std::count_if(calls.begin(), calls.end(),
                                                          [](const BlockingCall& call) { return call.waited(); }));
            if (soFar > all.capacity() && seen > 0) {
                all.reserve(soFar + std::min(2 * std::min(selection.most.messages, recording.messages.size()),
                                             soFar / engine::asSize(seen) * engine::asSize(recording.ranks - seen)));
                traces::preferLargePages(all.data(), all.capacity());
            }
            for (const BlockingCall& call : calls)
                if (const auto inside = waitIn(call, span)) all.push_back(*inside);
        },
        progress);
    waits.threads = Threads{recording};
    ThreadCalls beside = callsOfThreadsAndWindows(recording, waits.threads, selection, progress);
    for (const BlockingCall& call : beside.calls)
        if (const auto inside = waitIn(call, span)) all.push_back(*inside);
    waits.barriers = std::move(beside.barriers);
    const auto sort = [&] {
        sortRuns(all, [](const Wait& a, const Wait& b) {
            return std::pair{a.begin, a.end()} < std::pair{b.begin, b.end()};
        });
    };
    sort();
    if (mayOverlap(recording)) {
        OverlapCut<Wait> cut{engine::asSize(waits.threads.count())};
        for (Wait& wait : all) cut.add(engine::asSize(waits.threads.placeOf(wait.rank, wait.thread)), wait);
        std::erase_if(all, [](const Wait& wait) { return wait.time <= Picoseconds{}; });
        sort();
    }
    // Who polled for a message passes the delay of its sender on.
    const std::size_t count = all.size();
    waits.polled = polledTimes(recording, selection);
    all.insert(all.end(), waits.polled.begin(), waits.polled.end());
    waits.delays = propagateDelays(all, waits.threads, &waits.shares, &waits.earlier);
    all.resize(count);
    std::erase_if(waits.shares, [&](const WaitShare& share) { return share.wait >= count; });
    std::erase_if(waits.earlier, [&](const EarlierPart& part) { return part.wait >= count; });
    return waits;
}

ThreadCalls callsOfThreadsAndWindows(const traces::Recording& recording, const Threads& threads,
                                     const Selection& selection, const engine::Progress& progress) {
    ThreadCalls all = threadCalls(recording, threads, selection, progress);
    for (const std::vector<BlockingCall>& more :
         {oneSidedCalls(recording, selection), synchronisingCalls(recording, selection)})
        all.calls.insert(all.calls.end(), more.begin(), more.end());
    return all;
}

std::vector<WaitRow> waitsPerRank(const std::vector<Wait>& waits) {
    using Thread = std::pair<Rank, ThreadNumber>;
    std::map<std::pair<WaitKind, Thread>, WaitRow> rows;
    std::map<std::pair<WaitKind, Thread>, std::map<Thread, Picoseconds>> late;
    for (const Wait& wait : waits) {
        const std::pair key{wait.kind, Thread{wait.rank, wait.thread}};
        WaitRow& row = rows[key];
        row.kind = wait.kind;
        row.rank = wait.rank;
        row.thread = wait.thread;
        ++row.waits;
        row.time += wait.time;
        row.longest = std::max(row.longest, wait.time);
        late[key][{wait.late, wait.lateThread}] += wait.time;
    }
    std::vector<WaitRow> sorted;
    for (auto& [key, row] : rows) {
        const auto& by = late[key];
        std::tie(row.mostlyFor, row.mostlyForThread) =
            std::max_element(by.begin(), by.end(), [](const auto& a, const auto& b) {
                return a.second < b.second;
            })->first;
        sorted.push_back(row);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    return sorted;
}

std::vector<WaitRow> completionsPerRank(const std::vector<Instance>& instances, const Part& part) {
    std::map<std::pair<WaitKind, Rank>, WaitRow> rows;
    for (const Instance& instance : instances) {
        // Of what was posted nothing says when a rank would have left; of our own runs the messages say more.
        if (!instance.isCollective() || (instance.hasMessages && !instance.isNative) || !instance.complete ||
            !instance.completing.empty())
            continue;
        const CollectiveWait wait = arrivalsOf(instance).kind;
        if (wait != CollectiveWait::atNxN && wait != CollectiveWait::atBarrier) continue;
        const WaitKind kind = wait == CollectiveWait::atNxN ? WaitKind::completionNxN : WaitKind::completionBarrier;
        Picoseconds first = Picoseconds::max();
        for (const auto& stay : instance.stays) first = std::min(first, stay->end);
        for (std::size_t place = 0; place < instance.stays.size(); ++place) {
            const Picoseconds time = instance.stays[place]->end - std::max(first, instance.stays[place]->begin);
            const Rank rank = instance.ranks[place];
            if (time <= Picoseconds{} || !part.has(rank)) continue;
            WaitRow& row = rows[{kind, rank}];
            row.kind = kind;
            row.rank = rank;
            ++row.waits;
            row.time += time;
            row.longest = std::max(row.longest, time);
        }
    }
    std::vector<WaitRow> sorted;
    for (const auto& [key, row] : rows) sorted.push_back(row);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    return sorted;
}

Imbalance imbalanceOf(const std::vector<Picoseconds>& times, const Part& part) {
    Imbalance result;
    std::int64_t ranks = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const Rank rank{static_cast<std::int32_t>(i)};
        if (!part.has(rank)) continue;
        ++ranks;
        result.mean += times[i];
        if (times[i] > result.most) result.most = times[i], result.who = rank;
        result.least = ranks == 1 ? times[i] : std::min(result.least, times[i]);
    }
    if (ranks > 0) result.mean /= ranks;
    return result;
}

}  // namespace app::analysis
