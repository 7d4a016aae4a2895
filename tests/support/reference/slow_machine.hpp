// SPDX-License-Identifier: BSD-3-Clause
// The judge of models and conditions beyond alpha and beta: simple, slow, written apart from the emulator. Ranks act by
// themselves, like processes that exchange letters, and know of each other only when they have begun which round.
#pragma once

#include "emulation/clocks/virtual_clock.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace support {

class SlowMachine {
public:
    using Time = std::int64_t;  // picoseconds

    SlowMachine(const engine::Plan& plan, const emulation::Network& network, const emulation::Conditions& conditions)
        : schedule_{*plan.schedule},
          network_{network},
          conditions_{conditions},
          model_{conditions.model},
          ranks_{schedule_.facts().ranks},
          rounds_{schedule_.facts().rounds} {}

    /// Finish time of each rank in free progress.
    std::vector<engine::Picoseconds> finishTimes() {
        for (std::int32_t r = 0; r < ranks_; ++r) processes_.push_back({0, startOf(r)});
        for (bool moved = true; moved;) {
            moved = false;
            for (std::int32_t r = 0; r < ranks_; ++r) moved = tryRound(r) || moved;
        }
        std::vector<engine::Picoseconds> ends;
        for (const Process& process : processes_) {
            if (process.round != rounds_) throw std::logic_error{"a rank waits forever"};
            ends.emplace_back(process.clock);
        }
        return ends;
    }

private:
    struct Process {
        std::int64_t round = 0;
        Time clock = 0;       // begin of its open round
        bool sent = false;    // whether the letters of the open round are written
        Time afterSends = 0;  // LogGP: the processor is free
        Time outFree = 0;
        Time inFree = 0;
    };
    struct Letter {
        Time arrives = 0;  // Hockney: the send began; LogGP: the first byte is at the port
        engine::Bytes bytes = 0;
        Time startup = 0;
        Time moving = 0;
        std::int32_t from = 0;
        std::size_t place = 0;
    };
    using Key = std::tuple<std::int32_t, std::int32_t, std::int64_t>;  // from, to, round

    Time startOf(std::int32_t rank) const {
        const auto all = emulation::startTimes(conditions_.perturbation.arrival, ranks_);
        return all[static_cast<std::size_t>(rank)].count();
    }
    std::int64_t thousandths(std::int32_t rank) const {
        for (const auto& slow : conditions_.perturbation.slowRanks)
            if (slow.rank.value == rank) return slow.factor.thousandths;
        return 1000;
    }
    static Time times(std::int64_t thousandths, Time time) {
        return static_cast<Time>((static_cast<__int128>(thousandths) * time + 500) / 1000);
    }
    static Time times(engine::Rate rate, engine::Bytes bytes) {
        return static_cast<Time>((static_cast<__int128>(rate.femtosecondsPerByte) * bytes + 500) / 1000);
    }
    static engine::Bytes after(engine::Bytes bytes, engine::Bytes messages = 1) {
        return bytes > messages ? bytes - messages : 0;
    }
    bool meets(engine::Bytes bytes) const { return model_.eagerLimit.has_value() && bytes > *model_.eagerLimit; }

    /// When `rank` began `round`, if it has come so far.
    std::optional<Time> begun(std::int32_t rank, std::int64_t round) const {
        const auto found = begins_.find({rank, round});
        return found == begins_.end() ? std::nullopt : std::optional{found->second};
    }

    std::vector<engine::LinkId> route(std::int32_t from, std::int32_t to) const {
        std::vector<engine::LinkId> links;
        network_.route(engine::Rank{from}, engine::Rank{to}, links);
        return links;
    }

    /// What a rank sends in a round: which rank takes it, and whether it moves before or after others of the rank.
    struct Sent {
        std::int32_t from;
        std::int32_t to;
        engine::Bytes bytes;
        std::size_t place;
    };
    std::vector<Sent> sentIn(std::int64_t round) const {
        std::vector<Sent> all;
        for (std::int32_t r = 0; r < ranks_; ++r) {
            engine::Turn turn;
            schedule_.turn(engine::Rank{r}, engine::Round{round}, turn);
            std::size_t place = 0;
            for (const engine::Message& send : turn.sends()) all.push_back({r, send.peer.value, send.bytes, place++});
        }
        return all;
    }

    /// Bytes and messages through `link` while one message of `round` moves: asks every rank what it sends. A rank with
    /// k ports sends k messages at a time in its order, and takes the largest k of those that reach it then.
    std::pair<engine::Bytes, std::int64_t> load(engine::LinkId link, std::int64_t round, const Sent& own) const {
        const std::vector<Sent> all = sentIn(round);
        std::size_t ports = model_.logGP ? 1 : static_cast<std::size_t>(conditions_.ports);
        const auto crowded = [&](const Sent& one) {
            const auto same = [&](auto member) {
                return std::count_if(all.begin(), all.end(), [&](const Sent& it) { return it.*member == one.*member; });
            };
            return static_cast<std::size_t>(std::max(same(&Sent::from), same(&Sent::to))) > ports;
        };
        if (ports == 0 || std::none_of(all.begin(), all.end(), crowded)) ports = all.size() + 1;
        std::pair<engine::Bytes, std::int64_t> sum{};
        for (std::int32_t to = 0; to < ranks_; ++to) {
            std::vector<engine::Bytes> others;
            std::int64_t reaching = 0;
            for (const Sent& one : all) {
                const auto links = route(one.from, one.to);
                if (one.to != to || one.place / ports != own.place / ports ||
                    !std::count(links.begin(), links.end(), link))
                    continue;
                ++reaching;
                if (one.from != own.from || one.place != own.place) others.push_back(one.bytes);
            }
            std::sort(others.rbegin(), others.rend());
            const std::size_t left = to == own.to ? ports - 1 : ports;
            for (std::size_t i = 0; i < std::min(left, others.size()); ++i) sum.first += others[i];
            if (to == own.to) sum.first += own.bytes;
            sum.second += std::min(reaching, static_cast<std::int64_t>(ports));
        }
        return sum;
    }

    std::int64_t slowLink(std::int32_t from, std::int32_t to) const {
        const auto node = [&](const emulation::NodeName& name) {
            return name.kind == emulation::NodeName::Kind::networkSwitch ? ranks_ + name.number : name.number;
        };
        for (const auto& slow : conditions_.perturbation.slowLinks)
            if (node(slow.from) == from && node(slow.to) == to) return slow.factor.thousandths;
        return 1000;
    }

    Letter letter(std::int32_t from, std::int32_t to, engine::Bytes bytes, std::int64_t round,
                  std::size_t place) const {
        const bool logGP = model_.logGP.has_value();
        const engine::Rate perByte = logGP ? model_.logGP->gapPerByte : model_.beta;
        const Time ofModel = (logGP ? model_.logGP->latency : model_.alpha).count();
        const auto own = network_.startup(engine::Rank{from}, engine::Rank{to});
        const Time once = own ? own->count() : ofModel;
        Letter letter{0, bytes, once, 0, from, place};
        const auto links = route(from, to);
        if (links.empty()) letter.moving = times(slowLink(from, to), times(perByte, logGP ? after(bytes) : bytes));
        for (const engine::LinkId link : links) {
            const auto quality = network_.quality(link);
            const auto ends = network_.ends(link);
            std::pair<engine::Bytes, std::int64_t> through{bytes, 1};
            if (conditions_.sharing == emulation::Sharing::bottleneck)
                through = load(link, round, {from, to, bytes, place});
            if (!network_.oneAtATime(link)) through.second = 1;
            const engine::Bytes counted = logGP ? after(through.first, through.second) : through.first;
            Time time = times(slowLink(ends.from, ends.to), times(quality ? quality->beta : perByte, counted));
            time += (through.second - 1) * (logGP ? model_.logGP->gap.count() : once);
            letter.moving = std::max(letter.moving, time);
            letter.startup += quality ? quality->latency.count() : 0;
        }
        return letter;
    }

    bool tryRound(std::int32_t r) {
        Process& self = processes_[static_cast<std::size_t>(r)];
        if (self.round == rounds_) return false;
        engine::Turn turn;
        schedule_.turn(engine::Rank{r}, engine::Round{self.round}, turn);
        bool moved = begins_.emplace(std::pair{r, self.round}, self.clock).second;
        // A rendezvous needs to know when the other one has begun the round.
        for (const engine::Message& send : turn.sends())
            if (meets(send.bytes) && !begun(send.peer.value, self.round)) return moved;
        if (!self.sent) {
            self.sent = moved = true;
            write(r, self, turn);
        }
        std::vector<Letter> post;
        std::map<std::int32_t, std::size_t> taken;
        for (const engine::Message& receive : turn.receives()) {
            const auto& waiting = letters_[{receive.peer.value, r, self.round}];
            const std::size_t place = taken[receive.peer.value]++;
            if (place >= waiting.size()) return moved;
            post.push_back(waiting[place]);
        }
        Time end = model_.logGP ? readByLogGP(r, self, post) : readByHockney(r, self, post);
        for (const engine::Message& receive : turn.receives())
            if (receive.action != engine::Action::keep)
                for (engine::Slots slots = receive.slots; slots != 0; slots &= slots - 1) combined_ += receive.bytes;
        end += times(thousandths(r), times(model_.gamma, combined_));
        combined_ = 0;
        self = {self.round + 1, end, false, 0, self.outFree, self.inFree};
        return true;
    }

    Time cost(std::int32_t r, std::int32_t peer, const Letter& letter) const {
        return times(std::max(thousandths(r), thousandths(peer)), letter.startup + letter.moving);
    }
    Time work(std::int32_t r, engine::Bytes bytes) const {
        return times(thousandths(r),
                     model_.logGP->overhead.count() + times(model_.logGP->overheadPerByte, after(bytes)));
    }

    void write(std::int32_t r, Process& self, const engine::Turn& turn) {
        self.afterSends = self.clock;
        std::size_t place = 0;
        for (const engine::Message& send : turn.sends()) {
            const std::int32_t to = send.peer.value;
            Letter out = letter(r, to, send.bytes, self.round, place++);
            Time begin = self.clock;
            if (model_.logGP) begin = std::max(self.afterSends, self.outFree);
            if (meets(send.bytes)) begin = std::max(begin, *begun(to, self.round));
            out.arrives = begin;
            if (model_.logGP) {
                out.moving = times(std::max(thousandths(r), thousandths(to)), out.moving);
                out.arrives = begin + times(thousandths(r), model_.logGP->overhead.count()) + out.startup;
                self.outFree = begin + times(thousandths(r), model_.logGP->gap.count()) + out.moving;
                self.afterSends = begin + work(r, send.bytes);
            } else {
                self.afterSends = std::max(self.afterSends, begin + cost(r, to, out));
            }
            letters_[{r, to, self.round}].push_back(out);
        }
    }

    Time readByHockney(std::int32_t r, const Process& self, const std::vector<Letter>& post) const {
        Time end = self.afterSends;
        for (const Letter& in : post) end = std::max(end, std::max(self.clock, in.arrives) + cost(r, in.from, in));
        return end;
    }

    Time readByLogGP(std::int32_t r, Process& self, std::vector<Letter> post) const {
        std::sort(post.begin(), post.end(), [](const Letter& a, const Letter& b) {
            return std::tuple{a.arrives, a.from, a.place} < std::tuple{b.arrives, b.from, b.place};
        });
        Time processor = self.afterSends;
        for (const Letter& in : post) {
            const Time atPort = std::max(in.arrives, self.inFree);
            self.inFree = atPort + times(thousandths(r), model_.logGP->gap.count()) + in.moving;
            processor = std::max(processor, atPort + in.moving) + work(r, in.bytes);
        }
        return processor;
    }

    const engine::Schedule& schedule_;
    const emulation::Network& network_;
    const emulation::Conditions& conditions_;
    const engine::Model& model_;
    std::int32_t ranks_;
    std::int64_t rounds_;
    std::vector<Process> processes_;
    std::map<Key, std::vector<Letter>> letters_;
    std::map<std::pair<std::int32_t, std::int64_t>, Time> begins_;
    engine::Bytes combined_ = 0;
};

/// Finish time of each rank in free progress.
inline std::vector<engine::Picoseconds> finishTimes(const engine::Plan& plan, const emulation::Network& network,
                                                    const emulation::Conditions& conditions) {
    return SlowMachine{plan, network, conditions}.finishTimes();
}

}  // namespace support
