// SPDX-License-Identifier: BSD-3-Clause
// Replays under LogGP as they are defined, picosecond by picosecond: ranks say what they want, then in-ports take what
// has come, then processors that are free take what they could have done first.
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

class SlowProcessors {
public:
    /// On a network without links; o and L are not 0, nor does a message take less than a picosecond of a processor.
    SlowProcessors(const emulation::Program& program, const emulation::Conditions& conditions)
        : program_{program},
          conditions_{conditions},
          letters_{*conditions.model.logGP},
          machines_(program.ranks.size()),
          come_(program.collectives.size()) {
        for (std::size_t i = 0; i < program.messages.size(); ++i)
            add(program.messages.from[i], program.messages.to[i], program.messages.bytes[i], 0, -1, i);
        for (const Rank rank : program.ranks.ids()) {
            Doer doer{.rank = rank};
            for (std::size_t i = 0; i < program.ranks[rank].size(); ++i) {
                std::vector<Item> items = itemsOf(rank, program.ranks[rank].what(i), program.ranks[rank].number(i));
                for (Item& item : items) item.at = i;
                doer.todo.insert(doer.todo.end(), items.begin(), items.end());
            }
            doers_.push_back(std::move(doer));
        }
        bool changed = true;
        for (; changed || pending(); ++now_) changed = tick();
    }

    [[nodiscard]] std::vector<engine::MessageRecord> messages() const {
        std::vector<engine::MessageRecord> all;
        for (const Letter& letter : mail_)
            if (letter.received) all.push_back(letter.record);
        return all;
    }
    [[nodiscard]] Picoseconds end(Rank rank) const { return Picoseconds{doers_[rank.index()].free}; }
    [[nodiscard]] std::vector<emulation::Stuck> stuck() const {
        std::vector<emulation::Stuck> found;
        for (const Rank rank : program_.ranks.ids()) {
            const Doer& doer = doers_[rank.index()];
            if (doer.next < doer.todo.size()) found.push_back({rank, doer.todo[doer.next].at});
        }
        return found;
    }

private:
    using Time = std::int64_t;
    static constexpr Time never = -1;

    struct Letter {
        engine::MessageRecord record;
        std::int64_t collective = -1;
        std::size_t order = 0;
        Time posted = never, expected = never, wanted = never;
        Time arrives = never, taken = never, there = never;
        int place = 0;  ///< among what the in-port took
        bool sent = false, received = false;
    };
    enum class Want { computing, send, awaitSent, expect, want, awaitReceived, meet, begin, join };
    struct Item {
        Want what = Want::computing;
        std::int64_t number = 0;  ///< a letter, a collective, or a time
        std::int64_t collective = -1;
        std::size_t at = 0;
    };
    struct Doer {
        Rank rank;
        std::vector<Item> todo{};
        std::size_t next = 0;
        Time free = 0;
        Time asked = never;  ///< for the processor, which is to compute
    };
    struct Machine {
        Time free = 0, out = 0, in = 0;
        int taken = 0;
    };

    std::int64_t add(Rank from, Rank to, engine::Bytes bytes, std::int64_t round, std::int64_t collective,
                     std::size_t order) {
        mail_.push_back({.record = {from, to, engine::Round{round}, bytes, {}, {}, {}, {}},
                         .collective = collective,
                         .order = order});
        return static_cast<std::int64_t>(mail_.size()) - 1;
    }

    [[nodiscard]] std::int64_t thousandths(Rank rank) const {
        for (const auto& slow : conditions_.perturbation.slowRanks)
            if (slow.rank == rank) return slow.factor.thousandths;
        return 1000;
    }
    static Time times(std::int64_t thousandths, Time time) { return (thousandths * time + 500) / 1000; }
    static Time times(engine::Rate rate, engine::Bytes bytes) {
        return (rate.femtosecondsPerByte * bytes + 500) / 1000;
    }
    [[nodiscard]] static engine::Bytes rest(const Letter& letter) {
        return std::max<engine::Bytes>(1, letter.record.bytes) - 1;
    }
    [[nodiscard]] Time work(Rank rank, const Letter& letter) const {
        return times(thousandths(rank), letters_.overhead.count() + times(letters_.overheadPerByte, rest(letter)));
    }
    [[nodiscard]] Time moving(const Letter& letter) const {
        const auto slower = std::max(thousandths(letter.record.from), thousandths(letter.record.to));
        return times(slower, times(letters_.gapPerByte, rest(letter)));
    }
    [[nodiscard]] Time port(Rank rank, const Letter& letter) const {
        return times(thousandths(rank), letters_.gap.count()) + moving(letter);
    }
    [[nodiscard]] bool meets(const Letter& letter) const {
        return conditions_.model.eagerLimit && letter.record.bytes > *conditions_.model.eagerLimit;
    }
    Letter& letter(std::int64_t number) { return mail_[static_cast<std::size_t>(number)]; }

    std::vector<Item> itemsOf(Rank rank, Does what, std::int64_t number) {
        switch (what) {
            case Does::computes: return {{Want::computing, times(thousandths(rank), number)}};
            case Does::sends:
                if (meets(letter(number))) return {{Want::send, number}};
                return {{Want::send, number}, {Want::awaitSent, number}};
            case Does::receives: return {{Want::expect, number}, {Want::want, number}};
            case Does::awaitsSend: return {{Want::awaitSent, number}};
            case Does::awaitsReceive: return {{Want::awaitReceived, number}};
            case Does::enters: return inside(rank, number);
            case Does::starts: return {{Want::begin, number}};
            case Does::ends: return {{Want::join, number}};
            case Does::lingers:
            case Does::reaches:
            case Does::passes: break;
        }
        return {};
    }

    /// Round by round: says that it has begun, sends, receives, combines.
    std::vector<Item> inside(Rank rank, std::int64_t collective) {
        const emulation::CollectiveDone& what = program_.collectives[static_cast<std::size_t>(collective)];
        if (what.schedule == nullptr) return {{Want::meet, collective}};
        const auto& members = *what.members;
        const Rank place{static_cast<std::int32_t>(std::ranges::find(members, rank) - members.begin())};
        std::vector<Item> all;
        engine::Batch batch;
        for (engine::Round round{0}; round.value < what.schedule->facts().rounds; ++round) {
            std::vector<Item> sends, begins, wants, awaits;
            batch.reset(1);
            what.schedule->batch(round, Rank{0}, Rank{static_cast<std::int32_t>(members.size())}, batch);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                const auto [known, isNew] = known_.try_emplace(std::tuple{collective, round.value, i}, 0);
                if (isNew)
                    known->second =
                        add(members[engine::asSize(batch.from()[i])], members[engine::asSize(batch.to()[i])],
                            batch.bytes()[i], round.value, collective, i);
                const std::int64_t number = known->second;
                if (batch.from()[i] == place.value) {
                    sends.push_back({Want::send, number});
                    sends.push_back({Want::awaitSent, number});
                }
                if (batch.to()[i] != place.value) continue;
                begins.push_back({Want::expect, number});
                wants.push_back({Want::want, number});
                awaits.push_back({Want::awaitReceived, number});
            }
            Time combines = 0;
            for (const auto& [who, bytes] : batch.combining())
                if (who == place) combines += times(thousandths(rank), times(what.gamma, bytes));
            for (const auto* part : {&begins, &sends, &wants, &awaits})
                all.insert(all.end(), part->begin(), part->end());
            all.push_back({Want::computing, combines, collective});
        }
        return all;
    }

    /// Whether anything happened.
    bool tick() {
        bool any = false;
        for (bool changed = true; changed; any = any || changed) {
            changed = false;
            while (stepAll()) changed = true;
            while (takeOne()) changed = true;
            for (const Rank rank : program_.ranks.ids()) changed = work(rank) || changed;
        }
        return any;
    }

    /// What every rank does at this moment, as far as it knows what the others have done; whether that was anything.
    bool stepAll() {
        bool any = false;
        for (std::size_t i = 0; i < doers_.size(); ++i)
            while (doers_[i].next < doers_[i].todo.size() && doers_[i].free <= now_ && step(i)) any = true;
        return any;
    }

    /// Whether the doer is through with the next thing.
    bool step(std::size_t index) {
        Doer& doer = doers_[index];
        const Item item = doer.todo[doer.next];
        switch (item.what) {
            case Want::computing:
                if (item.number == 0) break;
                if (doer.asked == never) doer.asked = now_;
                return false;
            case Want::send: letter(item.number).posted = now_; break;
            case Want::expect: letter(item.number).expected = now_; break;
            case Want::want: letter(item.number).wanted = now_; break;
            case Want::awaitSent: {
                const Letter& one = letter(item.number);
                if (!one.sent || one.record.sendEnd.count() > now_) return false;
                break;
            }
            case Want::awaitReceived: {
                const Letter& one = letter(item.number);
                if (!one.received || one.record.receiveEnd.count() > now_) return false;
                break;
            }
            case Want::meet: {
                auto& come = come_[static_cast<std::size_t>(item.number)];
                if (std::ranges::find(come, index) == come.end()) come.push_back(index);
                if (come.size() < program_.collectives[static_cast<std::size_t>(item.number)].members->size())
                    return false;
                break;
            }
            case Want::begin: {
                beside_[{doer.rank, item.number}] = doers_.size();
                Doer beside{.rank = doer.rank, .todo = inside(doer.rank, item.number), .free = now_};
                doer.free = now_;
                ++doer.next;
                doers_.push_back(std::move(beside));
                return true;
            }
            case Want::join: {
                const Doer& beside = doers_[beside_.at({doer.rank, item.number})];
                if (beside.next < beside.todo.size() || beside.free > now_) return false;
                break;
            }
        }
        doer.free = now_;
        ++doer.next;
        return true;
    }

    /// An in-port takes a message; those of earlier rounds come first.
    bool takeOne() {
        Letter* first = nullptr;
        const auto key = [](const Letter& l) {
            return std::tuple{l.arrives, l.order, l.collective, l.record.round, l.record.from};
        };
        for (Letter& one : mail_) {
            if (!one.sent || one.arrives > now_ || one.taken != never) continue;
            const bool mustWait = std::ranges::any_of(mail_, [&](const Letter& other) {
                return one.collective >= 0 && other.collective == one.collective && other.record.to == one.record.to &&
                       other.record.round < one.record.round && other.taken == never;
            });
            if (!mustWait && (first == nullptr || key(one) < key(*first))) first = &one;
        }
        if (first == nullptr) return false;
        Machine& machine = machines_[first->record.to.index()];
        const Time begin = std::max(now_, machine.in);
        machine.in = begin + port(first->record.to, *first);
        first->there = begin + moving(*first);
        first->place = machine.taken++;
        first->taken = now_;
        return true;
    }

    /// A processor takes what it could have done first.
    bool work(Rank rank) {
        Machine& machine = machines_[rank.index()];
        if (machine.free > now_) return false;
        using Key = std::tuple<Time, int, std::int64_t, std::size_t>;
        Letter* send = nullptr;
        Key ofSend{};
        Letter* receive = nullptr;
        Key ofReceive{};
        for (Letter& one : mail_) {
            if (one.record.from == rank && !one.sent && one.posted != never && (!meets(one) || one.expected != never)) {
                const Key key{meets(one) ? std::max(one.posted, one.expected) : one.posted, 0, one.collective,
                              one.order};
                if (send == nullptr || key < ofSend) send = &one, ofSend = key;
            }
            if (one.record.to == rank && !one.received && one.taken != never && one.there <= now_ &&
                one.wanted != never) {
                const Key key{std::max(one.there, one.wanted), 0, 0, static_cast<std::size_t>(one.place)};
                if (receive == nullptr || key < ofReceive) receive = &one, ofReceive = key;
            }
        }
        Doer* computing = nullptr;
        std::pair<Time, std::int64_t> ofComputing{};
        for (Doer& doer : doers_) {
            if (doer.rank != rank || doer.asked == never) continue;
            const std::pair key{doer.asked, doer.todo[doer.next].collective};
            if (computing == nullptr || key < ofComputing) computing = &doer, ofComputing = key;
        }
        const Time sendsFrom = send == nullptr ? now_ + 1 : std::max(std::get<0>(ofSend), machine.out);
        const Time receivesFrom = receive == nullptr ? now_ + 1 : std::get<0>(ofReceive);
        const Time computesFrom = computing == nullptr ? now_ + 1 : ofComputing.first;
        if (std::min({sendsFrom, receivesFrom, computesFrom}) > now_) return false;
        if (computesFrom <= std::min(sendsFrom, receivesFrom)) {
            machine.free = computing->free = now_ + computing->todo[computing->next].number;
            computing->asked = never;
            ++computing->next;
        } else if (sendsFrom <= receivesFrom) {
            machine.free = now_ + work(rank, *send);
            machine.out = now_ + port(rank, *send);
            send->arrives = now_ + times(thousandths(rank), letters_.overhead.count()) + letters_.latency.count();
            send->sent = true;
            send->record.sendBegin = Picoseconds{now_};
            send->record.sendEnd = Picoseconds{machine.free};
        } else {
            machine.free = now_ + work(rank, *receive);
            receive->received = true;
            receive->record.receiveBegin = Picoseconds{now_};
            receive->record.receiveEnd = Picoseconds{machine.free};
        }
        return true;
    }

    /// Whether anything is still to come.
    [[nodiscard]] bool pending() const {
        for (const Doer& doer : doers_)
            if (doer.free >= now_ && doer.next < doer.todo.size()) return true;
        for (const Machine& machine : machines_)
            if (std::max({machine.free, machine.out, machine.in}) >= now_) return true;
        return std::ranges::any_of(mail_, [&](const Letter& one) {
            return (one.sent && one.taken == never && one.arrives >= now_) || (one.taken != never && one.there >= now_);
        });
    }

    const emulation::Program& program_;
    const emulation::Conditions& conditions_;
    engine::LogGP letters_;
    std::vector<Machine> machines_;
    std::vector<Letter> mail_;
    std::vector<Doer> doers_;  // those of programs first, by rank
    std::map<std::tuple<std::int64_t, std::int64_t, std::size_t>, std::int64_t> known_;
    std::map<std::pair<Rank, std::int64_t>, std::size_t> beside_;
    std::vector<std::vector<std::size_t>> come_;
    Time now_ = 0;
};

}  // namespace slow
