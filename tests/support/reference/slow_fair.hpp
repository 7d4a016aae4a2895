// SPDX-License-Identifier: BSD-3-Clause
// The judge of fair sharing: simple, slow, in floating point, written apart from it. All rates are worked out anew
// whenever anything happens, by raising the level of all flows until one more link is full.
#pragma once

#include "emulation/clocks/virtual_clock.hpp"
#include "engine/algorithm/algorithm.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace support {

/// Links by number, and weight.
struct SlowFlow {
    std::vector<int> links;
    double weight = 1;
};

/// Max-min fair rates of `flows`.
inline std::vector<double> fairRates(const std::vector<double>& capacities, const std::vector<SlowFlow>& flows) {
    std::vector<double> rates(flows.size(), 0);
    std::vector<bool> fixed(flows.size(), false);
    for (std::size_t left = flows.size(); left > 0;) {
        double level = std::numeric_limits<double>::infinity();
        std::vector<double> levels(capacities.size(), level);
        for (std::size_t l = 0; l < capacities.size(); ++l) {
            double room = capacities[l];
            double weight = 0;
            for (std::size_t f = 0; f < flows.size(); ++f) {
                const auto crossings = std::count(flows[f].links.begin(), flows[f].links.end(), static_cast<int>(l));
                if (crossings == 0) continue;
                if (fixed[f]) room -= rates[f];
                else weight += flows[f].weight;
            }
            if (weight > 0) levels[l] = room / weight;
            level = std::min(level, levels[l]);
        }
        for (std::size_t f = 0; f < flows.size(); ++f) {
            if (fixed[f]) continue;
            const bool full = std::any_of(flows[f].links.begin(), flows[f].links.end(), [&](int link) {
                return levels[static_cast<std::size_t>(link)] <= level * (1 + 1e-12);
            });
            if (!full) continue;
            rates[f] = level * flows[f].weight;
            fixed[f] = true;
            --left;
        }
    }
    return rates;
}

/// When each rank is done, in picoseconds, under free progress with fair sharing on links of the same `beta`, each of
/// `latency` picoseconds beside the model's alpha; with the ports that `conditions` asks for.
inline std::vector<double> fairFinishTimes(const engine::Plan& plan, const emulation::Network& network,
                                           const emulation::Conditions& conditions, double latency) {
    using namespace engine;
    struct Flow {
        int from, to;
        bool detached;
        double begin;  // of its first byte
        double left;   // bytes
        SlowFlow way;
    };
    struct Process {
        std::int64_t round = -1;
        int open = 0;
        int sent = 0;      // of its round, through its ports and done
        int incoming = 0;  // messages that hold its ports
        double ready = 0;  // it has started, and its messages are in and combined
        Bytes combining = 0;
    };
    const Facts& facts = plan.schedule->facts();
    const Model& model = conditions.model;
    const double beta = static_cast<double>(model.beta.femtosecondsPerByte) / 1000;
    std::vector<Process> ranks(static_cast<std::size_t>(facts.ranks));
    // Both ends have come; `place` is among the sends of its round that hold ports, -1 for one that has left.
    struct Waiting {
        double came;
        int from;
        std::int64_t round;
        int place, number, to;
        Bytes bytes;
        [[nodiscard]] auto order() const { return std::tuple{came, from, round, place, number}; }
    };
    std::vector<Flow> flows;
    std::vector<Waiting> waiting;
    double now = 0;
    const auto come = [&](int from, int to, std::int64_t round, int number) {
        Turn turn;
        plan.schedule->turn(Rank{from}, Round{round}, turn);
        int place = 0;
        int before = 0;
        for (const Message& send : turn.sends()) {
            const bool detached = send.bytes < conditions.protocol.detached;
            if (send.peer.value == to && before++ == number) {
                waiting.push_back({now, from, round, detached ? -1 : place, number, to, send.bytes});
                return;
            }
            if (!detached) ++place;
        }
        throw std::logic_error{"nobody sends what is received"};
    };
    const auto start = [&](int from, int to, Bytes bytes) {
        std::vector<emulation::LinkId> route;
        network.route(Rank{from}, Rank{to}, route);
        SlowFlow way;
        for (const auto link : route) way.links.push_back(link.value);
        const double before = static_cast<double>(model.alpha.count()) + latency * static_cast<double>(route.size());
        if (conditions.sharing == emulation::Sharing::fairWeighted && before > 0) way.weight = 1e6 / before;
        flows.push_back({from, to, bytes < conditions.protocol.detached, now + before,
                         static_cast<double>(bytes + conditions.protocol.header), way});
    };
    const auto enter = [&](int r) {
        Process& self = ranks[static_cast<std::size_t>(r)];
        ++self.round;
        self.combining = 0;
        self.sent = 0;
        if (self.round == facts.rounds) return;
        Turn turn;
        plan.schedule->turn(Rank{r}, Round{self.round}, turn);
        std::map<int, int> sends, receives;  // so far, by peer
        for (const Message& send : turn.sends()) {
            if (send.bytes >= conditions.protocol.detached) ++self.open;
            const int number = sends[send.peer.value]++;
            if (ranks[send.peer.index()].round >= self.round) come(r, send.peer.value, self.round, number);
        }
        for (const Message& receive : turn.receives()) {
            ++self.open;
            self.combining += combinedBytes(receive.slots, receive.action, receive.bytes);
            const int number = receives[receive.peer.value]++;
            if (ranks[receive.peer.index()].round >= self.round) come(receive.peer.value, r, self.round, number);
        }
    };
    const auto starts = emulation::startTimes(conditions.perturbation.arrival, facts.ranks);
    for (std::size_t r = 0; r < ranks.size(); ++r) ranks[r].ready = static_cast<double>(starts[r].count());
    // Switches come behind the ranks.
    const auto node = [&](const emulation::NodeName& name) {
        return name.kind == emulation::NodeName::Kind::networkSwitch ? facts.ranks + name.number : name.number;
    };
    const auto slowness = [&](int from, int to) {
        for (const emulation::SlowLink& slow : conditions.perturbation.slowLinks)
            if (node(slow.from) == from && node(slow.to) == to)
                return static_cast<double>(slow.factor.thousandths) / 1000;
        return 1.0;
    };
    std::vector<double> capacities;
    for (emulation::LinkId id{0}; id.value < network.links(); ++id)
        capacities.push_back(1 / beta / slowness(network.ends(id).from, network.ends(id).to));
    std::vector<double> ends(ranks.size(), 0);
    for (;;) {
        bool moved = true;
        while (moved) {
            moved = false;
            for (int r = 0; r < facts.ranks; ++r) {
                Process& self = ranks[static_cast<std::size_t>(r)];
                if (self.round == facts.rounds || self.open > 0) continue;
                if (self.combining > 0) {
                    self.ready = now + static_cast<double>((model.gamma * self.combining).count());
                    self.combining = 0;
                }
                if (self.ready > now) continue;
                ends[static_cast<std::size_t>(r)] = now;
                enter(r);
                moved = true;
            }
        }
        std::sort(waiting.begin(), waiting.end(),
                  [](const Waiting& a, const Waiting& b) { return a.order() < b.order(); });
        for (auto next = waiting.begin(); next != waiting.end();) {
            Process& receiver = ranks[static_cast<std::size_t>(next->to)];
            const int done = ranks[static_cast<std::size_t>(next->from)].sent;
            const int ports = conditions.ports;
            if (ports > 0 && (next->place >= done + ports || receiver.incoming == ports)) {
                ++next;
                continue;
            }
            ++receiver.incoming;
            start(next->from, next->to, next->bytes);
            next = waiting.erase(next);
        }
        std::vector<SlowFlow> moving;
        for (const Flow& flow : flows)
            if (flow.begin <= now && !flow.way.links.empty() && flow.left > 0) moving.push_back(flow.way);
        const std::vector<double> rates = fairRates(capacities, moving);
        double next = std::numeric_limits<double>::infinity();
        std::size_t m = 0;
        std::vector<double> rateOf(flows.size(), 0);
        for (std::size_t f = 0; f < flows.size(); ++f) {
            const Flow& flow = flows[f];
            if (flow.begin > now) {
                next = std::min(next, flow.begin);
                continue;
            }
            const bool alone = flow.way.links.empty() || flow.left <= 0;
            rateOf[f] = alone ? 1 / beta / slowness(flow.from, flow.to) : rates[m++];
            next = std::min(next, now + std::max(flow.left, 0.0) / rateOf[f]);
        }
        for (const Process& each : ranks)
            if (each.open == 0 && each.ready > now) next = std::min(next, each.ready);
        if (next == std::numeric_limits<double>::infinity()) break;
        for (std::size_t f = 0; f < flows.size(); ++f) flows[f].left -= rateOf[f] * (next - now);
        now = next;
        for (std::size_t f = flows.size(); f-- > 0;) {
            if (flows[f].begin > now || flows[f].left > 1e-6) continue;
            --ranks[static_cast<std::size_t>(flows[f].to)].open;
            --ranks[static_cast<std::size_t>(flows[f].to)].incoming;
            if (!flows[f].detached) {
                --ranks[static_cast<std::size_t>(flows[f].from)].open;
                ++ranks[static_cast<std::size_t>(flows[f].from)].sent;
            }
            flows.erase(flows.begin() + static_cast<std::ptrdiff_t>(f));
        }
    }
    for (const Process& each : ranks)
        if (each.round != facts.rounds) throw std::logic_error{"a rank waits forever"};
    return ends;
}

}  // namespace support
