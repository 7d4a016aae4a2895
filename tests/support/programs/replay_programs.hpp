// SPDX-License-Identifier: BSD-3-Clause
// Programs of ranks for tests: line by line, or at random.
#pragma once

#include "emulation/replay/program.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/patterns.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

namespace support {

using emulation::Does;
using engine::Rank;

/// Makes programs line by line.
class Making {
public:
    explicit Making(std::int32_t ranks) { made.ranks.resize(ranks); }

    std::int64_t message(int from, int to, engine::Bytes bytes) {
        made.messages.from.emplace_back(from);
        made.messages.to.emplace_back(to);
        made.messages.bytes.push_back(bytes);
        return static_cast<std::int64_t>(made.messages.size()) - 1;
    }
    Making& add(int rank, Does what, std::int64_t number) {
        made.ranks[Rank{rank}].add(what, number);
        return *this;
    }
    void send(int rank, std::int64_t message) { add(rank, Does::sends, message).add(rank, Does::awaitsSend, message); }
    void receive(int rank, std::int64_t message) {
        add(rank, Does::receives, message).add(rank, Does::awaitsReceive, message);
    }

    emulation::Program made;
};

/// One that no member leaves before all have come.
inline engine::SchedulePtr gatheringSchedule(std::mt19937& random, int ranks) {
    const engine::Bytes bytes = 1 + static_cast<engine::Bytes>(random() % 9);
    switch (random() % 3) {
        case 0: {
            const engine::Problem all{.collective = engine::Collective::barrier, .groupA = ranks};
            return engine::makePlan(engine::algorithmNamed("barrier/dissemination"), all, {}).schedule;
        }
        case 1: {
            const auto sums =
                engine::problemFromText(engine::text("allreduce n=", ranks, " sizes=", ranks, 'x', 4 * bytes));
            return engine::makePlan(engine::algorithmNamed("allreduce/ring"), sums, {}).schedule;
        }
        default: {
            const auto blocks =
                engine::problemFromText(engine::text("allgatherv n=", ranks, " sizes=", ranks, 'x', bytes));
            return engine::makePlan(engine::algorithmNamed("allgatherv/bruck"), blocks, {}).schedule;
        }
    }
}

/// Blocking and nonblocking messages, and collectives among some ranks, of which some are ended late. With few ports
/// no rank does two things at once.
struct ProgramWish {
    bool beside = true;     ///< something goes on beside what a rank does next
    bool meetings = true;   ///< collectives without a schedule
    std::int64_t unit = 1;  ///< of what ranks compute, in picoseconds
    bool toSelf = true;     ///< messages to oneself
};

inline emulation::Program randomProgram(std::mt19937& random, int ranks, const ProgramWish& wish) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    Making making{ranks};
    std::vector<std::tuple<int, Does, std::int64_t>> open;
    const auto close = [&](std::size_t i) {
        making.add(std::get<0>(open[i]), std::get<1>(open[i]), std::get<2>(open[i]));
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
    };
    const auto end = [&](int rank, Does posted, Does awaits, std::int64_t number) {
        making.add(rank, posted, number);
        if (below(2) == 0) making.add(rank, awaits, number);
        else open.emplace_back(rank, awaits, number);
    };
    for (int k = 2 + below(14); k > 0; --k) {
        if (below(2) == 0) making.add(below(ranks), Does::computes, wish.unit * below(25));
        if (!open.empty() && below(3) == 0) close(static_cast<std::size_t>(below(static_cast<int>(open.size()))));
        if (below(5) > 0) {
            const int from = below(ranks);
            const int to =
                wish.toSelf || ranks == 1 ? (from + below(ranks)) % ranks : (from + 1 + below(ranks - 1)) % ranks;
            if (from == to && !wish.toSelf) continue;
            const auto message = making.message(from, to, below(12));
            const bool sendFirst = from == to || below(4) > 0;
            if (sendFirst) end(from, Does::sends, Does::awaitsSend, message);
            end(to, Does::receives, Does::awaitsReceive, message);
            if (!sendFirst) end(from, Does::sends, Does::awaitsSend, message);
            continue;
        }
        std::vector<Rank> members;
        for (int rank = 0; rank < ranks; ++rank)
            if (below(3) > 0) members.emplace_back(rank);
        if (members.empty()) members.emplace_back(0);
        std::shuffle(members.begin(), members.end(), random);
        const auto number = static_cast<std::int64_t>(making.made.collectives.size());
        const auto size = static_cast<int>(members.size());
        const int kind = below(4);
        making.made.collectives.push_back(
            {.members = std::make_shared<const std::vector<Rank>>(members),
             .schedule = wish.meetings && kind == 0 ? nullptr
                         : kind == 1                ? gatheringSchedule(random, size)
                                                    : randomSchedule(random, size, 1 + below(3), 1 + below(2), 9)});
        for (const Rank rank : members) {
            if (below(3) == 0) making.add(rank.value, Does::computes, wish.unit * below(15));
            if (!wish.beside || below(2) == 0) making.add(rank.value, Does::enters, number);
            else end(rank.value, Does::starts, Does::ends, number);
        }
    }
    while (!open.empty()) close(0);
    return making.made;
}

}  // namespace support
