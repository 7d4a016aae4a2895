// SPDX-License-Identifier: BSD-3-Clause
// Replays as they are defined, picosecond by picosecond: every rank does what it can, then ports take what is there.
#pragma once

#include "emulation/replay/replay.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace slow {

using emulation::Does;
using engine::Picoseconds;
using engine::Rank;

class SlowReplay {
public:
    /// On a network without links; alpha is not 0.
    SlowReplay(const emulation::Program& program, const emulation::Conditions& conditions,
               emulation::InPorts inPorts = emulation::InPorts::byMessage)
        : program_{program},
          conditions_{conditions},
          byByte_{inPorts == emulation::InPorts::byByte},
          meetings_(program.collectives.size()),
          waiting_(program.ranks.size()) {
        for (std::size_t i = 0; i < program.messages.size(); ++i)
            letters_.push_back({.record = {program.messages.from[i],
                                           program.messages.to[i],
                                           engine::Round{0},
                                           program.messages.bytes[i],
                                           {},
                                           {},
                                           {},
                                           {}},
                                .order = {static_cast<std::int64_t>(i), -1}});
        for (const Rank rank : program.ranks.ids()) {
            Doer doer{.rank = rank};
            for (std::size_t i = 0; i < program.ranks[rank].size(); ++i) {
                const Does what = program.ranks[rank].what(i);
                const std::int64_t number = program.ranks[rank].number(i);
                doer.at.push_back(i);
                doer.todo.emplace_back(what, number);
                if (what != Does::enters) continue;
                doer.todo.pop_back();
                doer.at.pop_back();
                for (const auto& one : inside(rank, number)) doer.todo.push_back(one), doer.at.push_back(i);
            }
            doers_.push_back(std::move(doer));
        }
        const std::size_t ports = program.ranks.size() * static_cast<std::size_t>(conditions.ports);
        out_.resize(ports);
        in_.resize(ports);
        for (now_ = {}; now_.count() < 100'000 && !idle(); ++now_) tick();
    }

    [[nodiscard]] std::vector<engine::MessageRecord> messages() const {
        std::vector<engine::MessageRecord> all;
        for (const Letter& letter : letters_)
            if (letter.moved) all.push_back(letter.record);
        return all;
    }
    [[nodiscard]] Picoseconds end(Rank rank) const { return doers_[rank.index()].free; }
    [[nodiscard]] std::vector<emulation::Stuck> stuck() const {
        std::vector<emulation::Stuck> found;
        for (const Rank rank : program_.ranks.ids()) {
            const Doer& doer = doers_[rank.index()];
            if (doer.next < doer.todo.size()) found.push_back({rank, doer.at[doer.next]});
        }
        return found;
    }

private:
    struct Letter {
        engine::MessageRecord record;
        std::pair<std::int64_t, std::int64_t> order;
        std::int64_t place = 0;  ///< in its turn, of a collective's
        bool sent = false, awaited = false, moved = false;
        bool leaves = false;   ///< a rendezvous whose ends were there; by bytes
        bool arrived = false;  ///< its last byte has come; by bytes
    };
    struct Doer {
        Rank rank;
        std::vector<std::pair<Does, std::int64_t>> todo{};
        std::vector<std::size_t> at{};  ///< in the program
        std::size_t next = 0;
        Picoseconds free{};
    };

    /// What the rank does in a collective. A meeting is the number of the collective behind all letters.
    std::vector<std::pair<Does, std::int64_t>> inside(Rank rank, std::int64_t collective) {
        const emulation::CollectiveDone& what = program_.collectives[static_cast<std::size_t>(collective)];
        if (what.schedule == nullptr) return {{Does::enters, collective}};
        const auto& members = *what.members;
        const Rank place{static_cast<std::int32_t>(std::ranges::find(members, rank) - members.begin())};
        std::vector<std::pair<Does, std::int64_t>> todo;
        engine::Batch batch;
        for (engine::Round round{0}; round.value < what.schedule->facts().rounds; ++round) {
            std::vector<std::pair<Does, std::int64_t>> awaiting;
            batch.reset(1);
            what.schedule->batch(round, Rank{0}, Rank{static_cast<std::int32_t>(members.size())}, batch);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                const auto [known, isNew] = inside_.try_emplace(std::tuple{collective, round.value, i},
                                                                static_cast<std::int64_t>(letters_.size()));
                if (isNew)
                    letters_.push_back(
                        {.record = {members[engine::asSize(batch.from()[i])],
                                    members[engine::asSize(batch.to()[i])],
                                    round,
                                    batch.bytes()[i],
                                    {},
                                    {},
                                    {},
                                    {}},
                         .order = {static_cast<std::int64_t>(i), collective},
                         .place = std::count(batch.from().begin(),
                                             batch.from().begin() + static_cast<std::ptrdiff_t>(i), batch.from()[i])});
                if (batch.from()[i] == place.value) {
                    todo.emplace_back(Does::sends, known->second);
                    awaiting.emplace_back(Does::awaitsSend, known->second);
                }
                if (batch.to()[i] == place.value) {
                    todo.emplace_back(Does::receives, known->second);
                    awaiting.emplace_back(Does::awaitsReceive, known->second);
                }
            }
            todo.insert(todo.end(), awaiting.begin(), awaiting.end());
        }
        return todo;
    }

    [[nodiscard]] bool meets(const Letter& letter) const {
        return conditions_.model.eagerLimit && letter.record.bytes > *conditions_.model.eagerLimit;
    }
    [[nodiscard]] Picoseconds cost(const Letter& letter) const {
        return conditions_.model.message(letter.record.bytes);
    }

    /// The port of the rank that is free first; one that is always free where there are as many as it needs.
    Picoseconds& port(std::vector<Picoseconds>& side, Rank rank) {
        static Picoseconds any;
        if (conditions_.ports == 0) return any = {};
        const auto each = static_cast<std::ptrdiff_t>(conditions_.ports);
        const auto first = side.begin() + rank.value * each;
        return *std::min_element(first, first + each);
    }

    /// It takes a port of its sender.
    void send(Letter& letter) {
        Picoseconds& out = port(out_, letter.record.from);
        letter.record.sendBegin = std::max(now_, out);
        out = letter.record.sendEnd = letter.record.sendBegin + cost(letter);
    }

    void tick() {
        if (byByte_) let();
        for (bool changed = true; changed;) {
            changed = byByte_ && hand();
            for (std::size_t i = 0; i < doers_.size(); ++i)
                while (doers_[i].next < doers_[i].todo.size() && doers_[i].free <= now_ && step(i)) changed = true;
        }
        std::vector<Letter*> ready;
        for (Letter& letter : letters_)
            if (letter.sent && letter.awaited && !letter.moved && letter.record.sendBegin <= now_ &&
                (!byByte_ || (meets(letter) && !letter.leaves)))
                ready.push_back(&letter);
        const auto key = [&](const Letter* letter) {
            const auto [number, collective] = letter->order;
            const bool byTurns = collective >= 0 && meets(*letter);
            return std::tuple{letter->record.sendBegin,
                              byTurns ? letter->place : number,
                              collective,
                              letter->record.round,
                              letter->record.from,
                              number};
        };
        std::ranges::sort(ready, [&](const Letter* a, const Letter* b) { return key(a) < key(b); });
        for (Letter* letter : ready) {
            engine::MessageRecord& record = letter->record;
            if (byByte_) {
                letter->leaves = true;
                send(*letter);
                continue;
            }
            Picoseconds& in = port(in_, record.to);
            Picoseconds begin = std::max(now_, in);
            if (meets(*letter)) {
                Picoseconds& out = port(out_, record.from);
                begin = std::max(begin, conditions_.ports == 0 ? now_ : out);
                record.sendBegin = begin;
                record.sendEnd = begin + cost(*letter);
                if (conditions_.ports != 0) out = record.sendEnd;
            }
            record.receiveBegin = begin;
            record.receiveEnd = begin + cost(*letter);
            if (conditions_.ports != 0) port(in_, record.to) = record.receiveEnd;
            letter->moved = true;
        }
    }

    /// One picosecond of all ports: what came in it joins what waits, and each port takes one picosecond of that.
    void let() {
        for (const Rank rank : program_.ranks.ids()) {
            std::int64_t& waiting = waiting_[rank.index()];
            for (const Letter& letter : letters_) {
                const engine::MessageRecord& record = letter.record;
                if (letter.sent && record.to == rank && record.sendBegin < now_ && now_ <= record.sendEnd) ++waiting;
            }
            waiting = conditions_.ports == 0 ? 0 : std::max<std::int64_t>(0, waiting - conditions_.ports);
        }
        for (Letter& letter : letters_) {
            if (!letter.sent || letter.arrived || letter.record.sendEnd != now_) continue;
            letter.arrived = true;
            const std::int64_t waiting = waiting_[letter.record.to.index()];
            letter.record.receiveEnd =
                now_ + Picoseconds{conditions_.ports == 0 ? 0 : (waiting + conditions_.ports - 1) / conditions_.ports};
        }
    }

    /// Messages that have come go to those who wait for them. Whether there were any.
    bool hand() {
        bool found = false;
        for (Letter& letter : letters_) {
            if (!letter.arrived || !letter.awaited || letter.moved) continue;
            letter.record.receiveBegin = std::max(letter.record.sendBegin, letter.record.receiveBegin);
            letter.record.receiveEnd = std::max(letter.record.receiveEnd, letter.record.receiveBegin);
            letter.moved = found = true;
        }
        return found;
    }

    /// Whether the next thing is done, or has begun and its end is known.
    bool step(std::size_t index) {
        const auto [what, number] = doers_[index].todo[doers_[index].next];
        const Rank rank = doers_[index].rank;
        Picoseconds until = now_;
        switch (what) {
            case Does::computes: until += Picoseconds{number}; break;
            case Does::sends: {
                Letter& letter = letters_[static_cast<std::size_t>(number)];
                letter.sent = true;
                letter.record.sendBegin = now_;
                if (!meets(letter)) send(letter);
                break;
            }
            case Does::receives: {
                Letter& letter = letters_[static_cast<std::size_t>(number)];
                letter.awaited = true;
                letter.record.receiveBegin = now_;
                break;
            }
            case Does::awaitsSend: {
                const Letter& letter = letters_[static_cast<std::size_t>(number)];
                if (meets(letter) && !letter.moved) return false;
                until = std::max(until, letter.record.sendEnd);
                break;
            }
            case Does::awaitsReceive: {
                const Letter& letter = letters_[static_cast<std::size_t>(number)];
                if (!letter.moved) return false;
                until = std::max(until, letter.record.receiveEnd);
                break;
            }
            case Does::enters: {
                auto& come = meetings_[static_cast<std::size_t>(number)];
                if (std::ranges::find(come, index) == come.end()) come.push_back(index);
                if (come.size() < program_.collectives[static_cast<std::size_t>(number)].members->size()) return false;
                break;
            }
            case Does::starts: {
                beside_[{rank, number}] = doers_.size();
                Doer beside{.rank = rank, .todo = inside(rank, number), .free = now_};
                beside.at.resize(beside.todo.size());
                doers_.push_back(std::move(beside));
                break;
            }
            case Does::ends: {
                const Doer& beside = doers_[beside_.at({rank, number})];
                if (beside.next < beside.todo.size()) return false;
                until = std::max(until, beside.free);
                break;
            }
            case Does::lingers:
            case Does::reaches:
            case Does::passes: break;
        }
        Doer& doer = doers_[index];
        doer.free = until;
        ++doer.next;
        return true;
    }

    /// Nothing will happen any more.
    [[nodiscard]] bool idle() const {
        for (const Doer& doer : doers_)
            if (doer.free >= now_ && doer.next < doer.todo.size()) return false;
        for (const Letter& letter : letters_) {
            if (letter.sent && letter.awaited && !letter.moved) return false;
            if (letter.moved && std::max(letter.record.receiveEnd, letter.record.sendEnd) >= now_) return false;
            if (letter.sent && !meets(letter) && letter.record.sendEnd >= now_) return false;
            if (letter.arrived && letter.record.receiveEnd >= now_) return false;
        }
        return now_.count() > 0;
    }

    const emulation::Program& program_;
    const emulation::Conditions& conditions_;
    bool byByte_;
    std::vector<Letter> letters_;
    std::vector<Doer> doers_;  // those of programs first, by rank
    std::map<std::tuple<std::int64_t, std::int64_t, std::size_t>, std::int64_t> inside_;
    std::map<std::pair<Rank, std::int64_t>, std::size_t> beside_;
    std::vector<std::vector<std::size_t>> meetings_;
    std::vector<Picoseconds> out_, in_;
    std::vector<std::int64_t> waiting_;  // picoseconds of one port, by receiver
    Picoseconds now_{};
};

}  // namespace slow
