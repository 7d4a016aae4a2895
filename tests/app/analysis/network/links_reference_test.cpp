// SPDX-License-Identifier: BSD-3-Clause
// Loads of links against plain definitions of what the header says, on many small runs.
#include "app/analysis/network/link_loads.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "emulation/networks/network.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/reference/slow_waits.hpp"

#include <gtest/gtest.h>

namespace app::analysis {
namespace {

using engine::Bytes;
using engine::LinkId;
using engine::MessageRecord;
using engine::Picoseconds;
using engine::Rank;
using engine::Round;

/// What each link carries: all messages whose route crosses it, one by one.
struct Crossing {
    MessageRecord message;
    LinkId link;
};
std::vector<Crossing> crossings(const engine::Run& run, const emulation::Network& network) {
    std::vector<Crossing> all;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        std::vector<LinkId> route;
        network.route(run.messages.from()[i], run.messages.to()[i], route);
        for (const LinkId link : route) all.push_back({run.messages[i], link});
    }
    return all;
}

TEST(LinksJudged, carryWhatIsRoutedOverThem) {
    std::mt19937 random{9};
    for (int trial = 0; trial < 500; ++trial) {
        const engine::Run run = slow::randomRun(random, false);
        const auto network = emulation::makeNetwork(trial % 3 == 0 ? "full" : "ring", run.ranks);
        const std::vector<Crossing> all = crossings(run, *network);
        const std::vector<LinkLoad> rows = linkLoads(run, *network);
        std::set<LinkId> used;
        for (const Crossing& one : all) used.insert(one.link);
        ASSERT_EQ(rows.size(), used.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i > 0) {
                ASSERT_GE(rows[i - 1].bytes, rows[i].bytes);
            }
            std::vector<Bytes> byRound(static_cast<std::size_t>(run.rounds));
            std::int64_t messages = 0;
            for (const Crossing& one : all)
                if (one.link == rows[i].link) byRound[one.message.round.index()] += one.message.bytes, ++messages;
            ASSERT_EQ(rows[i].bytes, std::accumulate(byRound.begin(), byRound.end(), Bytes{0}));
            ASSERT_EQ(rows[i].messages, messages);
            const Bytes peak = *std::max_element(byRound.begin(), byRound.end());
            ASSERT_EQ(rows[i].peakBytes, peak);
            if (peak > 0) {
                ASSERT_EQ(byRound[rows[i].peakRound.index()], peak);
            }
        }
        auto row = roundLoads(run, *network);
        for (const RoundLoad& load : row) {
            std::map<LinkId, Bytes> bytes;
            std::map<LinkId, std::int64_t> messages;
            for (const Crossing& one : all)
                if (one.message.round == load.round) bytes[one.link] += one.message.bytes, ++messages[one.link];
            Bytes most = 0;
            Bytes sum = 0;
            for (const auto& [link, carried] : bytes) most = std::max(most, carried), sum += carried;
            ASSERT_EQ(load.links, static_cast<std::int64_t>(bytes.size()));
            ASSERT_EQ(load.bytes, most);
            ASSERT_EQ(bytes[load.worst], most);
            ASSERT_EQ(load.sharing, messages[load.worst]);
            ASSERT_EQ(load.mean, sum / load.links);
        }
    }
}

TEST(LinksJudged, areHotFromFourFifthsOfTheBusiestWindowOn) {
    std::mt19937 random{10};
    int hot = 0;
    int near = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        std::vector<Sample> samples = samplesOf(slow::randomRun(random, trial % 2 == 0));
        const int windows = 1 + static_cast<int>(random() % 6);
        const Picoseconds length{10};
        const engine::Run run = assembled(6, samples, length * windows);
        if (run.duration != length * windows) continue;
        const auto network = emulation::makeNetwork("ring", 6);
        // Bytes by window and link; a message loads its links from when both ranks are in it until it is there.
        std::vector<std::map<LinkId, double>> loads(static_cast<std::size_t>(windows));
        for (const auto& [m, link] : crossings(run, *network)) {
            const Picoseconds begin = std::max(m.sendBegin, m.receiveBegin);
            const Picoseconds end = std::max(begin, m.receiveEnd);
            for (int w = 0; w < windows; ++w) {
                const Picoseconds from = std::max(begin, length * w);
                const Picoseconds to = std::min(end, length * (w + 1));
                double share = 0;
                if (begin < end && from < to)
                    share = static_cast<double>((to - from).count()) / static_cast<double>((end - begin).count());
                if (begin == end && std::min<std::int64_t>(begin / length, windows - 1) == w) share = 1;
                loads[static_cast<std::size_t>(w)][link] += share * static_cast<double>(m.bytes);
            }
        }
        const auto most = [](const std::map<LinkId, double>& window) {
            double worst = 0;
            for (const auto& [link, bytes] : window) worst = std::max(worst, bytes);
            return worst;
        };
        double peak = 0;
        for (const auto& window : loads) peak = std::max(peak, most(window));
        const std::vector<WindowLoad> rows = windowLoads(run, {{}, run.duration}, *network, windows, engine::Rate{500});
        auto row = rows.begin();
        for (int w = 0; w < windows; ++w) {
            const auto& window = loads[static_cast<std::size_t>(w)];
            const double worst = most(window);
            if (worst <= 1e-9) continue;
            ASSERT_NE(row, rows.end());
            ASSERT_EQ(row->begin, length * w);
            ASSERT_EQ(row->end, length * (w + 1));
            ASSERT_NEAR(window.at(row->worst), worst, 1e-6);
            ASSERT_NEAR(static_cast<double>(row->bytes), worst, 0.5 + 1e-6);
            ASSERT_NEAR(row->ofPeak, worst / peak, 1e-9);
            ASSERT_NEAR(row->use.value(), worst * 0.5 / 10, 1e-9) << "bytes x beta of the window's time";
            if (std::abs(worst / peak - 0.8) > 1e-9) {
                ASSERT_EQ(row->hot, worst / peak > 0.8) << worst / peak;
            }
            hot += row->hot ? 1 : 0;
            near += worst / peak > 0.5 && worst / peak < 0.8 ? 1 : 0;
            ++row;
        }
        ASSERT_EQ(row, rows.end());
    }
    EXPECT_GT(hot, 100);
    EXPECT_GT(near, 100) << "not every busy window is hot";
}

TEST(LinksJudged, areHotAtFourFifthsExactly) {
    // 10 bytes over one link, then 8 over another: the second window carries four fifths.
    const auto moving = [](int from, Bytes bytes, int begin) {
        MessageRecord m;
        m.from = Rank{from};
        m.to = Rank{from + 1};
        m.bytes = bytes;
        m.sendBegin = m.receiveBegin = Picoseconds{begin};
        m.sendEnd = m.receiveEnd = Picoseconds{begin + 10};
        return Sample{m};
    };
    const auto network = emulation::makeNetwork("ring", 6);
    const engine::Run run = assembled(6, {moving(0, 10, 0), moving(2, 8, 10), moving(3, 7, 20)});
    const auto rows = windowLoads(run, {{}, run.duration}, *network, 3);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_TRUE(rows[0].hot);
    EXPECT_TRUE(rows[1].hot);
    EXPECT_FALSE(rows[2].hot);
    const auto part = windowLoads(run, {Picoseconds{15}, Picoseconds{25}}, *network, 2);
    ASSERT_EQ(part.size(), 2U);
    EXPECT_EQ(part[0].begin, Picoseconds{15});
    EXPECT_EQ(part[0].bytes, 4) << "half of the second message";
    EXPECT_EQ(part[1].bytes, 4) << "half of the third, of 7 bytes";
}

}  // namespace
}  // namespace app::analysis
