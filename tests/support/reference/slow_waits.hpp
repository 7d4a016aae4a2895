// SPDX-License-Identifier: BSD-3-Clause
// The judge of waits: what wait_states.hpp says in words, looked up message by message in all messages. And runs to
// judge by: a few messages at times that often coincide.
#pragma once

#include "app/analysis/selection/partial_runs.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace app::analysis::slow {

using engine::MessageRecord;
using engine::Picoseconds;
using engine::Rank;
using engine::Run;

/// Up to 24 messages among up to six ranks within some forty picoseconds: many begin or end together, some take no
/// time or have no bytes. `calls`: times are calls, in which an end may come long before the other one; else a port is
/// busy with one message after the other, or with some at once. Now and then clocks contradict each other. `shortest`:
/// where it is above 0 everything takes so long, and clocks do not.
inline Run randomRun(std::mt19937& random, bool calls, int shortest = 0) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int ranks = 2 + below(5);
    const int count = 1 + below(24);
    std::vector<Sample> samples;
    for (int i = 0; i < count; ++i) {
        MessageRecord m;
        m.from = Rank{below(ranks)};
        m.to = Rank{(m.from.value + 1 + below(ranks - 1)) % ranks};
        m.round = engine::Round{below(4)};
        m.bytes = below(4) == 0 ? 0 : below(30);
        const auto after = [&](Picoseconds begin, int most) { return begin + Picoseconds{shortest + below(most)}; };
        m.sendBegin = Picoseconds{below(30)};
        m.sendEnd = after(m.sendBegin, 9);
        m.receiveBegin = calls ? Picoseconds{below(30)} : after(m.sendBegin, 4);
        m.receiveEnd =
            after(shortest == 0 && below(9) == 0 ? m.receiveBegin : std::max(m.sendBegin, m.receiveBegin), 9);
        if (!calls && below(2) == 0) m.receiveBegin = m.sendBegin, m.receiveEnd = m.sendEnd;
        samples.push_back({m});
    }
    Run run = assembled(ranks, std::move(samples));
    if (calls) run.setting.on = "trace";
    return run;
}

struct End {
    Picoseconds begin;
    Picoseconds end;
    std::uint32_t message = 0;
    bool isSend = false;
};

inline std::vector<End> endsOn(const Run& run, Rank rank) {
    std::vector<End> ends;
    for (std::uint32_t i = 0; i < run.messages.size(); ++i) {
        const MessageRecord m = run.messages[i];
        if (m.from == rank) ends.push_back({m.sendBegin, m.sendEnd, i, true});
        if (m.to == rank) ends.push_back({m.receiveBegin, m.receiveEnd, i, false});
    }
    return ends;
}

/// When `rank` is ready for `message` at its port: what it did before is over and combined, and it has come and
/// computed.
inline Picoseconds readyFor(const Run& run, Rank rank, std::uint32_t message, Picoseconds begin) {
    Picoseconds ready = arrivalTimes(run)[rank.index()];
    for (const engine::StageSpan& span : run.spans)
        if (span.rank == rank && run.stages[engine::asSize(span.stage)].name == "compute")
            ready = std::max(ready, span.end);
    for (const End& end : endsOn(run, rank))
        if (end.message != message && end.begin < begin) ready = std::max(ready, end.end);
    for (const engine::LocalWork& its : run.combining)
        if (its.rank == rank && its.begin < begin) ready = std::max(ready, its.end);
    return ready;
}

/// Of the two ends of a message the one that is ready first waits for the other, until the message moves. A rank that
/// began to wait for several at one moment has waited once: for the first of those that it waited for longest.
inline std::vector<Wait> waitsAtPorts(const Run& run) {
    std::vector<Wait> all;
    for (std::uint32_t i = 0; i < run.messages.size(); ++i) {
        const MessageRecord m = run.messages[i];
        const Picoseconds sender = readyFor(run, m.from, i, m.sendBegin);
        const Picoseconds receiver = readyFor(run, m.to, i, m.receiveBegin);
        const bool late = receiver > sender;
        const Picoseconds ready = late ? sender : receiver;
        const Picoseconds time = std::min(m.sendBegin, m.receiveBegin) - ready;
        if (time > Picoseconds{})
            all.push_back({.kind = late ? WaitKind::lateReceiver : WaitKind::lateSender,
                           .rank = late ? m.from : m.to,
                           .late = late ? m.to : m.from,
                           .message = i,
                           .begin = ready,
                           .time = time});
    }
    std::vector<Wait> once;
    for (const Wait& wait : all)
        if (std::none_of(all.begin(), all.end(), [&](const Wait& other) {
                return other.rank == wait.rank && other.begin == wait.begin &&
                       (other.time > wait.time || (other.time == wait.time && other.message < wait.message));
            }))
            once.push_back(wait);
    return once;
}

/// Ends of a rank that begin together are one call, which waits for the last of those it needs: a receive for its
/// sender, a send for its receiver where that came before the send was over; never longer than it has what it needs. It
/// waits for a sender in the wrong order where it receives this message alone, and a call that begins later takes what
/// was sent before.
inline std::vector<Wait> waitsInCalls(const Run& run) {
    std::vector<Wait> all;
    for (Rank rank{0}; rank.value < run.ranks; ++rank) {
        std::map<Picoseconds, Wait> calls;
        for (const bool sends : {true, false})
            for (const End& end : endsOn(run, rank)) {
                const MessageRecord m = run.messages[end.message];
                if (end.isSend != sends || m.from == m.to) continue;
                const Picoseconds came = sends ? m.receiveBegin : m.sendBegin;
                if (sends && end.end <= came) continue;
                const Picoseconds time = std::min(came, end.end) - end.begin;
                Wait& wait = calls[end.begin];
                if (time > wait.time)
                    wait = {.kind = sends ? WaitKind::lateReceiver : WaitKind::lateSender,
                            .rank = rank,
                            .late = sends ? m.to : m.from,
                            .message = end.message,
                            .begin = end.begin,
                            .time = time};
            }
        for (auto& [begin, wait] : calls) {
            if (wait.time <= Picoseconds{}) continue;
            // A late receiver that is a late sender of the same call, too, is the latter; of other senders the last
            // one counts if it explains nine tenths of the wait.
            if (wait.kind == WaitKind::lateReceiver) {
                const Wait sends = wait;
                const Picoseconds came = run.messages[sends.message].receiveBegin;
                std::optional<Picoseconds> last;
                for (const End& end : endsOn(run, rank)) {
                    const MessageRecord m = run.messages[end.message];
                    if (end.isSend || end.begin != begin || m.from == m.to) continue;
                    if (m.from != sends.late && 10 * (came - m.sendBegin) > came - begin) continue;
                    const Picoseconds time = std::min(m.sendBegin, end.end) - begin;
                    if (time <= Picoseconds{} || came > end.end || (last && m.sendBegin <= *last)) continue;
                    last = m.sendBegin;
                    wait.kind = WaitKind::lateSender, wait.late = m.from, wait.message = end.message, wait.time = time;
                }
            }
            // What a call receives beside the message may come in any order.
            const std::vector<End> ends = endsOn(run, rank);
            const bool isOne =
                std::ranges::count_if(ends, [&](const End& end) { return !end.isSend && end.begin == begin; }) < 2;
            for (const End& end : ends)
                if (!end.isSend && isOne && wait.kind == WaitKind::lateSender && end.begin > begin &&
                    run.messages[end.message].sendBegin < run.messages[wait.message].sendBegin)
                    wait.kind = WaitKind::wrongOrder;
            all.push_back(wait);
        }
    }
    return all;
}

/// Waits of one rank that end together, or ranks that wait for each other until the same moment: who comes first is not
/// said.
inline bool isOpen(const std::vector<Wait>& waits) {
    for (const Wait& a : waits) {
        Rank at = a.late;
        for (std::size_t step = 0; step <= waits.size(); ++step) {
            if (at == a.rank) return true;
            const auto next = std::find_if(waits.begin(), waits.end(),
                                           [&](const Wait& b) { return b.rank == at && b.end() == a.end(); });
            if (next == waits.end()) break;
            at = next->late;
        }
        if (std::count_if(waits.begin(), waits.end(),
                          [&](const Wait& b) { return b.rank == a.rank && b.end() == a.end(); }) > 1)
            return true;
    }
    return false;
}

/// Accounts of what each rank has lost to whom, as delay_propagation.hpp says it; `shares` receives the parts of waits
/// that follow from other delays than the largest, `earlier` those from earlier delays of one rank.
inline void findOrigins(std::vector<Wait>& waits, std::vector<WaitShare>& shares, std::vector<EarlierPart>& earlier) {
    struct Lost {
        Picoseconds time{};
        std::int32_t hops = 0;
        std::uint32_t wave = 0;
    };
    std::map<Rank, std::map<Rank, Lost>> accounts;
    std::map<Rank, std::vector<std::uint32_t>> waveOfEach;  // picosecond that ranks have lost to a rank
    std::vector<bool> done(waits.size());
    std::uint32_t waves = 0;
    // Waits for one rank until one moment are waits for one delay.
    std::map<Rank, std::pair<Picoseconds, std::uint32_t>> latest;
    const auto waveOf = [&](const Wait& wait) {
        const auto known = latest.find(wait.late);
        if (known == latest.end() || known->second.first != wait.end()) latest[wait.late] = {wait.end(), waves++};
        return latest[wait.late].second;
    };
    std::map<Rank, Picoseconds> waited;  // in all
    /// What the second rank had waited when both were last synchronised.
    std::map<Rank, std::map<Rank, Picoseconds>> synchronised;
    const auto inStep = [&](Rank rank, Rank late) {
        std::map<Rank, Picoseconds> both = synchronised[rank];
        for (const auto& [other, time] : synchronised[late]) both[other] = std::max(both[other], time);
        both[rank] = waited[rank], both[late] = waited[late];
        synchronised[rank] = synchronised[late] = both;
        const std::map<Rank, Lost> before = accounts[rank];
        std::map<Rank, Lost> after;
        for (const auto& [origin, lost] : accounts[late]) {
            const auto known = before.find(origin);
            const bool isOld = known != before.end() && known->second.time >= lost.time;
            after[origin] = {lost.time, isOld ? known->second.hops : lost.hops + 1,
                             isOld ? known->second.wave : lost.wave};
        }
        // Of its own delays it knows itself.
        if (before.contains(rank)) {
            const Picoseconds heard = after.contains(rank) ? after[rank].time : Picoseconds{};
            after[rank] = before.at(rank);
            after[rank].time = std::max(after[rank].time, heard);
        } else if (after.contains(rank)) {
            after[rank].hops = -1;
        }
        accounts[rank] = after;
    };
    std::vector<std::size_t> together;  // that end at one moment, in their order
    for (std::size_t left = waits.size(); left > 0; --left) {
        // Next is the one that ends first, after what the rank waited for that it waits for.
        std::size_t next = waits.size();
        for (std::size_t i = 0; i < waits.size(); ++i)
            if (!done[i] && (next == waits.size() || waits[i].end() < waits[next].end())) next = i;
        for (bool found = true; found;) {
            found = false;
            for (std::size_t i = 0; i < waits.size() && !found; ++i)
                if (!done[i] && waits[i].rank == waits[next].late && waits[i].end() == waits[next].end())
                    next = i, found = true;
        }
        done[next] = true;
        Wait& wait = waits[next];
        if (!together.empty() && waits[together.front()].end() != wait.end()) together.clear();
        together.push_back(next);
        std::map<Rank, Lost> passed;
        __int128 sum = 0;
        Picoseconds net{};
        std::set<Rank> others;
        for (const auto& [origin, lost] : accounts[wait.late]) others.insert(origin);
        for (const auto& [origin, lost] : accounts[wait.rank]) others.insert(origin);
        const auto lostBy = [&](Rank who, Rank origin) {
            const auto part = accounts[who].find(origin);
            return part == accounts[who].end() ? Lost{} : part->second;
        };
        for (const Rank origin : others) {
            if (origin == wait.rank || origin == wait.late) continue;
            const Lost lost = lostBy(wait.late, origin);
            const Picoseconds more = lost.time - lostBy(wait.rank, origin).time;
            net += more;
            if (more <= Picoseconds{}) continue;
            passed[origin] = {more, lost.hops + 1, lost.wave};
            sum += more.count();
        }
        // The late rank cannot have lost more than it waited since both were synchronised.
        const Picoseconds lostSince = waited[wait.late] - synchronised[wait.rank][wait.late];
        const Picoseconds mostPassed = std::min(wait.time, lostSince);
        net = std::min(net, lostSince);
        Picoseconds own = wait.time;
        Picoseconds most{};
        wait.origin = wait.late;
        for (auto& [origin, part] : passed) {
            if (sum > mostPassed.count())
                part.time =
                    Picoseconds{static_cast<std::int64_t>(__int128{part.time.count()} * mostPassed.count() / sum)};
            own -= part.time;
        }
        std::erase_if(passed, [](const auto& part) { return part.second.time == Picoseconds{}; });
        for (const auto& [origin, part] : passed)
            if (part.time > most) most = part.time, wait.origin = origin, wait.hops = part.hops, wait.wave = part.wave;
        const bool isOwn = passed.empty() || most < own;
        if (isOwn) wait.origin = wait.late, wait.hops = 0, wait.wave = waveOf(wait);
        const auto share = [&](Rank origin, const Lost& part) {
            shares.push_back({.wait = static_cast<std::uint32_t>(next),
                              .wave = part.wave,
                              .hops = part.hops,
                              .origin = origin,
                              .time = part.time});
        };
        // Less is noise: of what the late rank adds a 32nd of the wait, of what was passed on a 256th.
        if (!isOwn && 32 * own >= wait.time) share(wait.late, {own, 0, waveOf(wait)});
        for (const auto& [origin, part] : passed)
            if ((isOwn || origin != wait.origin) && 256 * part.time >= wait.time) share(origin, part);
        for (const auto& [origin, part] : passed) {
            if (256 * part.time < wait.time) continue;
            const std::vector<std::uint32_t>& lost = waveOfEach[origin];
            std::map<std::uint32_t, Picoseconds> pieces;
            Picoseconds collected{};
            for (std::int64_t last = lostBy(wait.late, origin).time.count(), i = last;
                 i-- > last - part.time.count();) {
                const std::uint32_t wave = lost[static_cast<std::size_t>(i)];
                pieces[wave] += Picoseconds{1}, collected += Picoseconds{1};
                const bool goesOn = i > last - part.time.count() && lost[static_cast<std::size_t>(i) - 1] == wave;
                if (goesOn || 256 * collected < wait.time) continue;
                // Of equally long ones the latest.
                std::uint32_t longest = pieces.rbegin()->first;
                for (auto its = pieces.rbegin(); its != pieces.rend(); ++its)
                    if (its->second > pieces[longest]) longest = its->first;
                if (longest != part.wave)
                    earlier.push_back({static_cast<std::uint32_t>(next), part.wave, longest, collected});
                pieces.clear(), collected = {};
            }
        }
        if (wait.time > net) {
            const Picoseconds known = lostBy(wait.late, wait.late).time;
            const Picoseconds late = lostBy(wait.rank, wait.late).time + wait.time - net;
            accounts[wait.late][wait.late] = {std::max(known, late), -1, waveOf(wait)};
            std::vector<std::uint32_t>& lost = waveOfEach[wait.late];
            while (static_cast<std::int64_t>(lost.size()) < late.count()) lost.push_back(waveOf(wait));
        }
        waited[wait.rank] += wait.time;
        inStep(wait.rank, wait.late);
        bool last = true;
        for (std::size_t i = 0; i < waits.size(); ++i) last = last && (done[i] || waits[i].end() != wait.end());
        if (last && together.size() > 1)
            for (const std::size_t i : together) inStep(waits[i].rank, waits[i].late);
    }
}

/// In the order of sending; without origins and what follows from these where isOpen().
inline std::vector<Wait> waits(const Run& run, std::vector<WaitShare>& shares, std::vector<EarlierPart>& earlier) {
    std::vector<Wait> all = run.setting.on == "trace" ? waitsInCalls(run) : waitsAtPorts(run);
    std::sort(all.begin(), all.end(), [&](const Wait& a, const Wait& b) {
        return std::tuple{run.messages[a.message].sendBegin, a.message} <
               std::tuple{run.messages[b.message].sendBegin, b.message};
    });
    if (!isOpen(all)) findOrigins(all, shares, earlier);
    return all;
}
inline std::vector<Wait> waits(const Run& run) {
    std::vector<WaitShare> shares;
    std::vector<EarlierPart> earlier;
    return waits(run, shares, earlier);
}

/// All x with use(x), put together in every table below by asking for each key in turn.
template <class Use>
std::vector<Wait> those(const std::vector<Wait>& waits, Use use) {
    std::vector<Wait> found;
    std::copy_if(waits.begin(), waits.end(), std::back_inserter(found), use);
    return found;
}

inline Picoseconds sumOf(const std::vector<Wait>& waits) {
    Picoseconds sum{};
    for (const Wait& wait : waits) sum += wait.time;
    return sum;
}

inline std::vector<WaitRow> waitsPerRank(const std::vector<Wait>& waits, std::int32_t ranks) {
    std::vector<WaitRow> rows;
    for (const WaitKind kind : {WaitKind::lateSender, WaitKind::wrongOrder, WaitKind::lateReceiver})
        for (Rank rank{0}; rank.value < ranks; ++rank) {
            const auto its = those(waits, [&](const Wait& w) { return w.kind == kind && w.rank == rank; });
            if (its.empty()) continue;
            WaitRow row{kind, rank, static_cast<std::int64_t>(its.size()), sumOf(its), {}, {}};
            for (const Wait& wait : its) row.longest = std::max(row.longest, wait.time);
            Picoseconds most{-1};
            for (Rank late{0}; late.value < ranks; ++late) {
                const auto forIt = those(its, [&](const Wait& w) { return w.late == late; });
                if (!forIt.empty() && sumOf(forIt) > most) most = sumOf(forIt), row.mostlyFor = late;
            }
            rows.push_back(row);
        }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    return rows;
}

inline std::vector<DelayRow> delays(const std::vector<Wait>& waits, const std::vector<WaitShare>& shares,
                                    std::int32_t ranks) {
    std::vector<DelayRow> rows;
    for (Rank rank{0}; rank.value < ranks; ++rank) {
        DelayRow row{.origin = rank};
        const auto add = [&](std::int32_t hops, Picoseconds time) {
            ++row.waits;
            (hops == 0 ? row.direct : row.passedOn) += time;
        };
        for (std::uint32_t i = 0; i < waits.size(); ++i) {
            Picoseconds rest = waits[i].time;
            for (const WaitShare& share : shares)
                if (share.wait == i) rest -= share.time;
            if (waits[i].origin == rank) add(waits[i].hops, rest);
        }
        for (const WaitShare& share : shares)
            if (share.origin == rank) add(share.hops, share.time);
        if (row.waits > 0) rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.direct + a.passedOn > b.direct + b.passedOn; });
    return rows;
}

/// For each wave the first one of its delay: waves of one origin whose direct waits overlap, one by one, are one delay.
inline std::map<std::uint32_t, std::uint32_t> delaysOfWaves(const std::vector<Wait>& waits) {
    struct Direct {
        Rank origin;
        ThreadNumber thread = 0;
        Picoseconds begin = Picoseconds::max(), end{};
    };
    std::map<std::uint32_t, Direct> direct;
    for (const Wait& wait : waits) {
        if (wait.hops > 0) continue;
        Direct& its = direct[wait.wave];
        its.origin = wait.origin, its.thread = wait.originThread;
        its.begin = std::min(its.begin, wait.begin), its.end = std::max(its.end, wait.begin + wait.time);
    }
    std::map<std::uint32_t, std::uint32_t> delays;
    std::set<std::uint32_t> done;
    for (const auto& [wave, first] : direct) {
        // All of this origin, the one that ends first before the others.
        std::vector<std::pair<Picoseconds, std::uint32_t>> its;
        for (const auto& [other, one] : direct)
            if (one.origin == first.origin && one.thread == first.thread) its.emplace_back(one.end, other);
        std::sort(its.begin(), its.end());
        std::uint32_t delay = its.front().second;
        Picoseconds begin = direct[delay].begin, end = direct[delay].end;
        for (const auto& [until, other] : its) {
            const Picoseconds both = end - std::max(begin, direct[other].begin);
            const Picoseconds shorter = std::min(end - begin, until - direct[other].begin);
            if (both + both <= shorter) delay = other, begin = direct[other].begin;
            begin = std::min(begin, direct[other].begin), end = until;
            delays[other] = delay;
        }
    }
    return delays;
}

inline std::vector<IdleWave> idleWaves(const std::vector<Wait>& waits, const std::vector<EarlierPart>& earlier) {
    const std::map<std::uint32_t, std::uint32_t> delays = delaysOfWaves(waits);
    /// Each wait in pieces, one for each delay.
    struct Piece {
        Wait wait;
        Picoseconds time{};
    };
    std::map<std::uint32_t, std::vector<Piece>> ofDelay;
    const auto add = [&](const Wait& wait, std::uint32_t wave, Picoseconds time) {
        if (time > Picoseconds{}) ofDelay[delays.contains(wave) ? delays.at(wave) : wave].push_back({wait, time});
    };
    for (std::uint32_t i = 0; i < waits.size(); ++i) {
        Picoseconds last = waits[i].time;
        for (const EarlierPart& part : earlier)
            if (part.wait == i && part.last == waits[i].wave) add(waits[i], part.wave, part.time), last -= part.time;
        add(waits[i], waits[i].wave, last);
    }
    std::vector<IdleWave> rows;
    for (const auto& [delay, its] : ofDelay) {
        IdleWave row;
        row.begin = Picoseconds::max();
        std::set<Rank> ranks;
        for (const auto& [wait, time] : its) {
            row.origin = wait.origin;
            row.time += time;
            row.begin = std::min(row.begin, wait.begin);
            row.end = std::max(row.end, wait.begin + wait.time);
            row.hops = std::max(row.hops, wait.hops);
            ranks.insert(wait.rank);
        }
        if (row.hops == 0) continue;
        row.ranks = static_cast<std::int64_t>(ranks.size());
        rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    return rows;
}

}  // namespace app::analysis::slow
