// SPDX-License-Identifier: BSD-3-Clause
// A schedule written down turn by turn, so that a test can spoil it anywhere.
#pragma once

#include "engine/schedule/kernel.hpp"
#include "engine/schedule/schedule.hpp"

#include <utility>
#include <vector>

namespace support {

/// One end of a message, as its rank knows it.
struct End {
    engine::Rank peer{};
    std::vector<engine::Range> what{};
    engine::Bytes bytes = 0;
    engine::Slots slots = 0;
    engine::Action action = engine::Action::keep;
    bool whole = true;  ///< partial results: of the whole vector; otherwise of the ranges
};

struct Ends {
    std::vector<End> sends;
    std::vector<End> receives;
};

/// Where an end stands: `place` counts the sends, or the receives, of the rank in that round.
struct Spot {
    std::size_t round = 0;
    std::size_t rank = 0;
    std::size_t place = 0;
};

struct Script {
    engine::Facts facts;
    std::vector<std::vector<Ends>> turns;  ///< by round, by rank

    explicit Script(const engine::Schedule& schedule) : facts{schedule.facts()} {
        engine::Turn turn;
        for (engine::Round round{0}; round.value < facts.rounds; ++round) {
            turns.emplace_back();
            for (engine::Rank rank{0}; rank.value < facts.ranks; ++rank) {
                schedule.turn(rank, round, turn);
                turns.back().push_back({ends(turn, turn.sends()), ends(turn, turn.receives())});
            }
        }
    }

    /// All sends, in the order of rounds and ranks.
    [[nodiscard]] std::vector<Spot> sends() const {
        std::vector<Spot> all;
        for (std::size_t t = 0; t < turns.size(); ++t)
            for (std::size_t r = 0; r < turns[t].size(); ++r)
                for (std::size_t i = 0; i < turns[t][r].sends.size(); ++i) all.push_back({t, r, i});
        return all;
    }
    [[nodiscard]] End& send(Spot at) { return turns[at.round][at.rank].sends[at.place]; }
    /// The receive that the send at `at` matches: the i-th from a peer is that peer's i-th.
    [[nodiscard]] Spot receiveOf(Spot at) const {
        const Ends& sender = turns[at.round][at.rank];
        const engine::Rank to = sender.sends[at.place].peer;
        std::size_t ith = 0;
        for (std::size_t i = 0; i < at.place; ++i) ith += sender.sends[i].peer == to ? 1 : 0;
        const auto& receives = turns[at.round][to.index()].receives;
        for (std::size_t i = 0; i < receives.size(); ++i)
            if (receives[i].peer.index() == at.rank && ith-- == 0) return {at.round, to.index(), i};
        return {at.round, to.index(), receives.size()};
    }
    [[nodiscard]] End& receive(Spot at) { return turns[at.round][at.rank].receives[at.place]; }
    void eraseSend(Spot at) { remove(turns[at.round][at.rank].sends, at.place); }
    void eraseReceive(Spot at) { remove(turns[at.round][at.rank].receives, at.place); }

    [[nodiscard]] engine::SchedulePtr schedule() const {
        engine::Facts changed = facts;
        changed.rounds = static_cast<std::int64_t>(turns.size());
        return engine::schedule(changed, [turns = turns](engine::Rank rank, engine::Round round, auto& out) {
            const Ends& mine = turns[round.index()][rank.index()];
            for (const End& end : mine.sends)
                if (end.slots == 0) out.send(end.peer, std::span{end.what});
                else if (end.whole) out.sendPartial(end.peer, std::countr_zero(end.slots), end.bytes);
                else out.sendPartial(end.peer, std::countr_zero(end.slots), std::span{end.what});
            for (const End& end : mine.receives)
                if (end.slots == 0) out.receive(end.peer, std::span{end.what});
                else if (end.whole) out.receivePartial(end.peer, end.slots, end.action, end.bytes);
                else out.receivePartial(end.peer, end.slots, end.action, std::span{end.what});
        });
    }

private:
    static std::vector<End> ends(const engine::Turn& turn, std::span<const engine::Message> side) {
        std::vector<End> all;
        for (const engine::Message& m : side) {
            const auto what = turn.ranges(m);
            all.push_back({m.peer, {what.begin(), what.end()}, m.bytes, m.slots, m.action, m.slots == 0 || m.whole});
        }
        return all;
    }
    static void remove(std::vector<End>& side, std::size_t place) {
        side.erase(side.begin() + static_cast<std::ptrdiff_t>(place));
    }
};

}  // namespace support
