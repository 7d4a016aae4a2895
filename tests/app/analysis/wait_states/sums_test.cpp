// SPDX-License-Identifier: BSD-3-Clause
// What the window's views are about, against slow and plain definitions on random runs.
#include "app/analysis/dataflow/block_ownership.hpp"
#include "app/analysis/network/communication_matrix.hpp"
#include "app/analysis/network/link_rounds.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/network.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/problem/contract.hpp"
#include "engine/run/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace app::analysis {
namespace {

using engine::Bytes;
using engine::Picoseconds;
using engine::Range;
using engine::Rank;
using engine::Round;

/// Messages between any two ranks, in any rounds, at any time, of any pieces of a line of `line` bytes.
engine::Run randomRun(std::mt19937& random, std::int32_t ranks, std::int64_t rounds, int messages, Bytes line) {
    const auto below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    engine::RunBuilder builder{ranks, rounds, {}};
    for (int k = 0; k < messages; ++k) {
        const auto from = static_cast<std::int32_t>(below(ranks));
        const auto to = static_cast<std::int32_t>((from + 1 + below(ranks - 1)) % ranks);
        const Bytes begin = below(line);
        const Range what{begin, begin + 1 + below(line - begin)};
        const Picoseconds sent{below(40)};
        const Picoseconds end = sent + Picoseconds{below(20)};
        builder.message({Rank{from}, Rank{to}, Round{below(rounds)}, what.size(), sent, end, sent, end},
                        std::vector<Range>{what});
    }
    return builder.finish();
}

TEST(Traffic, isWhatEverySenderSentToEveryReceiver) {
    std::mt19937 random{1};
    for (int trial = 0; trial < 30; ++trial) {
        const std::int32_t ranks = 2 + trial % 9;
        const engine::Run run = randomRun(random, ranks, 3, 60, 20);
        const Traffic traffic = trafficOf(run, 2 + trial % 7);
        Bytes largest = 0;
        for (std::int32_t a = 0; a < traffic.ranks.shown; ++a)
            for (std::int32_t b = 0; b < traffic.ranks.shown; ++b) {
                Bytes bytes = 0;
                std::int64_t messages = 0;
                for (std::size_t i = 0; i < run.messages.size(); ++i) {
                    const std::int32_t from = run.messages.from()[i].value;
                    const std::int32_t to = run.messages.to()[i].value;
                    if (from < traffic.ranks.first(a) || from >= traffic.ranks.first(a + 1)) continue;
                    if (to < traffic.ranks.first(b) || to >= traffic.ranks.first(b + 1)) continue;
                    bytes += run.messages.bytes()[i];
                    ++messages;
                }
                ASSERT_EQ(traffic.at(a, b).bytes, bytes);
                ASSERT_EQ(traffic.at(a, b).messages, messages);
                largest = std::max(largest, bytes);
            }
        ASSERT_EQ(traffic.largest, largest);
    }
}

TEST(LinkRounds, areTheLoadsOfTheBusiestLinks) {
    std::mt19937 random{2};
    for (int trial = 0; trial < 20; ++trial) {
        const emulation::NetworkPtr network = emulation::makeNetwork(trial % 2 == 0 ? "ring" : "mesh:2x4", 8);
        const engine::Run run = randomRun(random, 8, 5, 40, 20);
        const emulation::Congestion totals = emulation::congestion(run, *network);
        const LinkRounds found = linkRoundsOf(run, network.get(), &totals);
        ASSERT_EQ(found.unknown, "");
        Bytes before = std::numeric_limits<Bytes>::max();
        Bytes all = 0;
        for (std::size_t row = 0; row < found.links.size(); ++row) {
            Bytes ofLink = 0;
            for (Round round{0}; round.value < run.rounds; ++round) {
                Bytes load = 0;
                for (std::size_t i = 0; i < run.messages.size(); ++i) {
                    std::vector<engine::LinkId> route;
                    network->route(run.messages.from()[i], run.messages.to()[i], route);
                    if (run.messages.round()[i] == round)
                        load += run.messages.bytes()[i] * std::count(route.begin(), route.end(), found.links[row]);
                }
                ASSERT_EQ(found.at(row, static_cast<std::int32_t>(round.value)), load);
                ofLink += load;
            }
            ASSERT_LE(ofLink, before) << "the busiest first";
            before = ofLink;
            all += ofLink;
        }
        ASSERT_EQ(all, std::accumulate(totals.perLink.begin(), totals.perLink.end(), Bytes{0})) << "none is missing";
        ASSERT_EQ(found.used, static_cast<std::int64_t>(found.links.size()));
    }
}

TEST(LinkRounds, sayWhyThereAreNone) {
    std::mt19937 random{3};
    const engine::Run run = randomRun(random, 4, 2, 5, 8);
    const emulation::NetworkPtr full = emulation::makeNetwork("full", 4);
    const emulation::Congestion none = emulation::congestion(run, *full);
    EXPECT_EQ(
        linkRoundsOf(run, nullptr, nullptr).unknown,
        "The network of the messages was not recorded. State it with --topology (in the window: Assume in Analysis).");
    EXPECT_EQ(linkRoundsOf(run, full.get(), &none).unknown, "On a fully connected network no messages share a link.");
}

/// Every byte of the line on one rank: followed one by one.
struct Bits {
    std::vector<bool> held;
    std::vector<bool> twice;
    std::vector<Picoseconds> last;  ///< when it came last; -1: never
};

Bits bitsAt(const engine::Run& run, const engine::Problem& problem, Rank rank, Picoseconds time) {
    const auto line = static_cast<std::size_t>(problem.layout.total());
    Bits bits{std::vector<bool>(line), std::vector<bool>(line), std::vector<Picoseconds>(line, Picoseconds{-1})};
    const Range own = engine::Contract{problem}.before(rank);
    for (Bytes at = own.begin; at < own.end; ++at) bits.held[static_cast<std::size_t>(at)] = true;
    std::vector<std::size_t> order(run.messages.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return run.messages.receiveEnd()[a] < run.messages.receiveEnd()[b];
    });
    for (const std::size_t i : order) {
        if (run.messages.to()[i] != rank || run.messages.receiveEnd()[i] > time) continue;
        for (const Range range : run.messages.what(i))
            for (Bytes at = range.begin; at < range.end; ++at) {
                const auto bit = static_cast<std::size_t>(at);
                if (bits.held[bit]) bits.twice[bit] = true;
                bits.held[bit] = true;
                bits.last[bit] = run.messages.receiveEnd()[i];
            }
    }
    return bits;
}

TEST(BlockOwnership, areThoseOfEveryByte) {
    std::mt19937 random{4};
    for (int trial = 0; trial < 25; ++trial) {
        engine::Problem problem;
        problem.collective = engine::Collective::allgatherv;
        problem.groupA = 5;
        problem.layout = engine::Layout::irregular({3, 7, 1, 4, 5});
        const engine::Run run = randomRun(random, 5, 3, 4 + trial, problem.layout.total());
        const Columns columns{problem, nullptr, run, trial % 3 == 0 ? 2 : 9};
        const BlockOwnership holdings{problem, nullptr, nullptr, run, columns};
        ASSERT_EQ(holdings.unknown(), "");
        for (const Picoseconds time : {Picoseconds{0}, Picoseconds{17}, Picoseconds{30}, run.duration}) {
            Coverage all;
            for (Rank rank{0}; rank.value < 5; ++rank) {
                const Bits bits = bitsAt(run, problem, rank, time);
                const Range after = engine::Contract{problem}.after(rank).front();
                for (std::int32_t column = 0; column < columns.count(); ++column) {
                    Holding wanted;
                    Picoseconds last{-1};
                    for (Bytes at = columns.range(column).begin; at < columns.range(column).end; ++at) {
                        const auto bit = static_cast<std::size_t>(at);
                        ++wanted.size;
                        if (bits.held[bit]) ++wanted.held;
                        if (after.begin <= at && at < after.end) ++wanted.needed;
                        wanted.again = wanted.again || bits.twice[bit];
                        last = std::max(last, bits.last[bit]);
                    }
                    const Picoseconds lately = time - Picoseconds{5};
                    wanted.fresh = last.count() >= 0 && (last > lately || last == time);
                    ASSERT_EQ(holdings.at(rank, column, time, lately), wanted)
                        << "trial " << trial << ", rank " << rank.value << ", column " << column;
                    all.needed += wanted.needed > 0 ? 1 : 0;
                    all.held += wanted.needed > 0 && wanted.held >= wanted.needed ? 1 : 0;
                    all.neededBytes += static_cast<double>(wanted.needed);
                    all.heldBytes += static_cast<double>(std::min(wanted.held, wanted.needed));
                }
            }
            const Coverage coverage = holdings.coverageAt(time);
            ASSERT_EQ(coverage.needed, all.needed);
            ASSERT_EQ(coverage.held, all.held);
            ASSERT_EQ(coverage.share(), all.share());
        }
    }
}

/// `run` without the last of the messages of `round`.
engine::Run without(const engine::Run& run, Round round) {
    engine::RunBuilder builder{run.ranks, run.rounds, {}};
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const bool last = i + 1 == run.messages.size() || run.messages.round()[i + 1] != round;
        if (run.messages.round()[i] != round || !last) builder.message(run.messages[i], run.messages.what(i));
    }
    engine::Run cut = builder.finish();
    cut.setting = run.setting;
    return cut;
}

/// The schedule says what a message makes of a cut vector: what of it did not happen cannot be told from it.
TEST(BlockOwnership, ofCutVectorsAreUnknownWhereMessagesAreMissing) {
    for (const char* id :
         {"allreduce/ring", "allreduce/reduce-scatter-allgather", "reduce-scatter/pairwise-exchange"}) {
        const engine::Algorithm& algorithm = engine::algorithmNamed(id);
        engine::Problem problem;
        problem.collective = algorithm.collective;
        problem.groupA = 4;
        problem.layout = engine::Layout::regular(4, 64);
        const engine::Plan plan = makePlan(algorithm, problem, {});
        const engine::Run whole = emulation::emulate(plan, *emulation::makeNetwork("full", 4), {}).run;
        const auto holdingsOf = [&](const engine::Run& run) {
            return BlockOwnership{problem, &plan, nullptr, run, Columns{problem, &plan, run, 9}};
        };
        EXPECT_EQ(holdingsOf(whole).unknown(), "") << id;
        for (Round round{0}; round.value < whole.rounds; ++round) {
            const std::string why = holdingsOf(without(whole, round)).unknown();
            EXPECT_EQ(why, engine::text("Round ", round.value + 1,
                                        " has 3 of the 4 messages of its schedule, so the partial results are "
                                        "unknown."))
                << id;
        }
    }
}

}  // namespace
}  // namespace app::analysis
