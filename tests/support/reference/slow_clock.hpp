// SPDX-License-Identifier: BSD-3-Clause
// The judge of the emulator: simple, slow, written apart from it. It knows the per-rank view only and lets every rank
// act by itself, like processes that exchange letters.
#pragma once

#include "engine/algorithm/algorithm.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace support {

/// Finish time of each rank in free progress without congestion: a message keeps the sender's port busy from the
/// sender's start of the round, and the receiver's from the later of both starts, for alpha + beta m. Where strands
/// do not join all sends are posted first, one behind the other.
inline std::vector<engine::Picoseconds> finishTimes(const engine::Plan& plan, const engine::Model& model) {
    using namespace engine;
    const Facts& facts = plan.schedule->facts();
    struct Process {
        Round round{0};
        Picoseconds clock{};
        bool posted = false;
        Picoseconds sent{};  // where strands do not join: when the last send is done
    };
    using Letter = std::tuple<std::int32_t, std::int32_t, std::int64_t>;  // from, to, round
    std::map<Letter, std::vector<std::pair<Picoseconds, Bytes>>> letters;
    std::vector<Process> processes(static_cast<std::size_t>(facts.ranks));
    for (bool moved = true; moved;) {
        moved = false;
        for (std::int32_t r = 0; r < facts.ranks; ++r) {
            Process& self = processes[static_cast<std::size_t>(r)];
            if (self.round.value == facts.rounds) continue;
            Turn turn;
            plan.schedule->turn(Rank{r}, self.round, turn);
            const bool uncoupled = facts.uncoupled.contains(self.round);
            if (uncoupled && self.round == facts.uncoupled.first && !self.posted) {
                self.sent = self.clock;
                for (Round round = facts.uncoupled.first; round < facts.uncoupled.end(); ++round) {
                    Turn ahead;
                    plan.schedule->turn(Rank{r}, round, ahead);
                    Picoseconds end = self.sent;
                    for (const Message& send : ahead.sends()) {
                        letters[{r, send.peer.value, round.value}].emplace_back(self.sent, send.bytes);
                        end = std::max(end, self.sent + model.message(send.bytes));
                    }
                    self.sent = end;
                }
                self.posted = moved = true;
            }
            if (!self.posted && !uncoupled) {
                for (const Message& send : turn.sends())
                    letters[{r, send.peer.value, self.round.value}].emplace_back(self.clock, send.bytes);
                self.posted = moved = true;
            }
            std::map<std::int32_t, std::size_t> taken;
            Picoseconds end = self.clock;
            Bytes combined = 0;
            bool complete = true;
            for (const Message& receive : turn.receives()) {
                const auto& waiting = letters[{receive.peer.value, r, self.round.value}];
                const std::size_t place = taken[receive.peer.value]++;
                if (place >= waiting.size()) {
                    complete = false;
                    break;
                }
                end = std::max(end, std::max(self.clock, waiting[place].first) + model.message(waiting[place].second));
                combined += combinedBytes(receive.slots, receive.action, receive.bytes);
            }
            if (!complete) continue;
            if (!uncoupled)
                for (const Message& send : turn.sends()) end = std::max(end, self.clock + model.message(send.bytes));
            if (uncoupled && self.round + 1 == facts.uncoupled.end()) end = std::max(end, self.sent);
            self = {self.round + 1, end + model.gamma * combined, false, self.sent};
            moved = true;
        }
    }
    std::vector<Picoseconds> ends;
    for (const Process& process : processes) {
        if (process.round.value != facts.rounds) throw std::logic_error{"a rank waits forever"};
        ends.push_back(process.clock);
    }
    return ends;
}

}  // namespace support
