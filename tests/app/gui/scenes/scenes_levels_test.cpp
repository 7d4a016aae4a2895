// SPDX-License-Identifier: BSD-3-Clause
// Networks of switches, drawn by level.
#include "app/gui/scenes/graph_layout/switch_levels.hpp"
#include "app/gui/scenes/layout/layout.hpp"
#include "app/gui/scenes/network/network_frame.hpp"
#include "emulation/networks/network.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace app::gui {
namespace {

using Rows = std::vector<std::vector<std::int32_t>>;

/// Another network with its ranks and its switches numbered anew.
class Renumbered final : public emulation::Network {
public:
    Renumbered(emulation::NetworkPtr network, std::int32_t nodes, unsigned seed)
        : network_{std::move(network)}, numbers_(static_cast<std::size_t>(nodes)) {
        std::iota(numbers_.begin(), numbers_.end(), 0);
        std::mt19937 random{seed};
        std::shuffle(numbers_.begin(), numbers_.begin() + ranks(), random);
        std::shuffle(numbers_.begin() + ranks(), numbers_.end(), random);
    }
    [[nodiscard]] std::string name() const override { return "renumbered"; }
    [[nodiscard]] std::int32_t ranks() const override { return network_->ranks(); }
    [[nodiscard]] std::int32_t links() const override { return network_->links(); }
    void route(engine::Rank, engine::Rank, std::vector<engine::LinkId>&) const override {}
    [[nodiscard]] emulation::LinkEnds ends(engine::LinkId link) const override {
        const emulation::LinkEnds ends = network_->ends(link);
        return {numbers_[static_cast<std::size_t>(ends.from)], numbers_[static_cast<std::size_t>(ends.to)]};
    }
    [[nodiscard]] engine::Wiring wiring() const override { return network_->wiring(); }

private:
    emulation::NetworkPtr network_;
    std::vector<std::int32_t> numbers_;
};

/// Pair of links by pair of links.
std::int64_t crossingsJudged(const emulation::Network& network, const Rows& rows) {
    std::map<std::int32_t, std::pair<std::size_t, std::int64_t>> places;  // level and place of each switch
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t i = 0; i < rows[row].size(); ++i) places[rows[row][i]] = {row, static_cast<std::int64_t>(i)};
    std::set<std::tuple<std::size_t, std::int64_t, std::int64_t>> links;  // lower level, place there, place above
    for (engine::LinkId link{0}; link.value < network.links(); ++link.value) {
        const emulation::LinkEnds ends = network.ends(link);
        if (!places.contains(ends.from) || !places.contains(ends.to)) continue;
        auto lower = places[ends.from];
        auto upper = places[ends.to];
        if (lower.first > upper.first) std::swap(lower, upper);
        if (upper.first == lower.first + 1) links.emplace(lower.first, lower.second, upper.second);
    }
    std::int64_t found = 0;
    for (const auto& [row, below, above] : links)
        for (const auto& [otherRow, otherBelow, otherAbove] : links)
            if (row == otherRow && below < otherBelow && above > otherAbove) ++found;
    return found;
}

double fromLine(QPointF point, QLineF line) {
    const QPointF way = line.p2() - line.p1();
    const double square = QPointF::dotProduct(way, way);
    const double along = square == 0 ? 0 : std::clamp(QPointF::dotProduct(point - line.p1(), way) / square, 0.0, 1.0);
    const QPointF apart = point - (line.p1() + along * way);
    return std::hypot(apart.x(), apart.y());
}

TEST(Levels, areThoseOfTheTreeWhateverItsNumbers) {
    for (const auto& [ranks, topology] : std::vector<std::pair<int, std::string>>{{16, "fat-tree:4x4"},
                                                                                  {27, "fat-tree:3x3x3"},
                                                                                  {64, "fat-tree:4x4x4"},
                                                                                  {64, "fat-tree:4x4x4,taper=2"},
                                                                                  {32, "fat-tree:4x2x2x2"}}) {
        const emulation::NetworkPtr network = emulation::makeNetwork(topology, ranks);
        const Levels levels = levelsOf(*network, {});
        ASSERT_TRUE(levels.strict) << topology;
        ASSERT_EQ(levels.switches.size(), network->shape().size()) << topology;
        const std::int64_t natural = crossingsIn(*network, levels.switches);
        EXPECT_EQ(natural, crossingsJudged(*network, levels.switches)) << topology;
        std::size_t switches = 0;
        for (const auto& row : levels.switches) {
            switches += row.size();
        }
        Rows numbered = levels.switches;
        for (auto& row : numbered) std::ranges::sort(row);
        EXPECT_LE(natural, crossingsIn(*network, numbered)) << topology << ": no more than in their own order";
        for (unsigned seed = 0; seed < 20; ++seed) {
            const Renumbered other{network, ranks + static_cast<std::int32_t>(switches), seed};
            const Levels found = levelsOf(other, {});
            ASSERT_EQ(found.switches.size(), levels.switches.size()) << topology;
            for (std::size_t row = 0; row < levels.switches.size(); ++row)
                EXPECT_EQ(found.switches[row].size(), levels.switches[row].size()) << topology;
            // Any order, judged; and the one found is nearly as good as that which knew the numbers of the tree.
            Rows shuffled = found.switches;
            std::mt19937 random{seed};
            for (auto& row : shuffled) std::shuffle(row.begin(), row.end(), random);
            EXPECT_EQ(crossingsIn(other, shuffled), crossingsJudged(other, shuffled)) << topology;
            EXPECT_LE(crossingsIn(other, found.switches), natural * 3 / 2) << topology << ", seed " << seed;
            EXPECT_LE(crossingsIn(other, found.switches), crossingsIn(other, shuffled))
                << topology << ", seed " << seed;
        }
    }
}

/// 20 ranks on a tree for 64: most leaves have none, and so have two of its four parts.
TEST(Levels, putSwitchesWithoutRanksBesideTheirLike) {
    for (const std::string topology : {"fat-tree:4x4x4", "fat-tree:4x4x4,taper=2", "fat-tree:4x4"}) {
        const std::int32_t places = topology == "fat-tree:4x4" ? 16 : 64;
        const Levels all = levelsOf(*emulation::makeNetwork(topology, places), {});
        for (const std::int32_t ranks :
             places == 64 ? std::vector<std::int32_t>{20, 32, 33, 50} : std::vector<std::int32_t>{6, 9, 12}) {
            const Levels some = levelsOf(*emulation::makeNetwork(topology, ranks), {});
            ASSERT_TRUE(some.strict) << topology << ' ' << ranks;
            ASSERT_EQ(some.switches.size(), all.switches.size()) << topology << ' ' << ranks;
            for (std::size_t row = 0; row < all.switches.size(); ++row) {
                std::set<std::int32_t> expected;
                for (const std::int32_t node : all.switches[row]) expected.insert(node - places + ranks);
                EXPECT_EQ(std::set<std::int32_t>(some.switches[row].begin(), some.switches[row].end()), expected)
                    << topology << ", " << ranks << " ranks, level " << row + 1;
            }
        }
    }
}

TEST(Levels, areNoneWhereRanksAreLinkedDirectly) {
    EXPECT_TRUE(levelsOf(*emulation::makeNetwork("cluster:4", 16), {}).leaves.empty());
    EXPECT_TRUE(levelsOf(*emulation::makeNetwork("torus:4x4", 16), {}).leaves.empty());
    EXPECT_FALSE(levelsOf(*emulation::makeNetwork("dragonfly:4,2,2", 16), {}).strict);
}

TEST(NetworkByLevel, hasRanksBelowTheirSwitchesAndCoresOnTop) {
    for (const auto& [ranks, topology] : std::vector<std::pair<int, std::string>>{{16, "fat-tree:4x4"},
                                                                                  {64, "fat-tree:4x4x4"},
                                                                                  {20, "fat-tree:4x4x4"},
                                                                                  {1024, "fat-tree:32x32"},
                                                                                  {1024, "fat-tree:8x8x16"}}) {
        const DrawableRun subject = subjectOf(wishFor("bcast/binomial-tree", ranks, topology));
        const NetworkShape& print = subject.blueprint();
        ASSERT_EQ(print.arrangement, NetworkShape::Arrangement::levels) << topology;
        for (const QRectF area : {QRectF{0, 0, 700, 500}, QRectF{0, 0, 200, 200}, QRectF{0, 0, 1800, 900}}) {
            const NetworkLayout layout{subject, area};
            double lowest = area.bottom();
            for (std::int32_t rank = 0; rank < ranks; ++rank) {
                EXPECT_TRUE(area.contains(layout.middleOf(rank))) << topology;
                lowest = std::min(lowest, layout.middleOf(rank).y());
            }
            for (const auto& tier : print.tiers) {
                const double y = layout.middleOf(tier.front()).y();
                EXPECT_LT(y, lowest) << topology;
                for (std::size_t i = 0; i < tier.size(); ++i) {
                    EXPECT_DOUBLE_EQ(layout.middleOf(tier[i]).y(), y);
                    if (i > 0) {
                        EXPECT_GT(layout.middleOf(tier[i]).x(), layout.middleOf(tier[i - 1]).x());
                    }
                }
                lowest = y;
            }
            for (std::int32_t a = 0; a < ranks; ++a)
                for (std::int32_t b = 0; b < a; ++b)
                    ASSERT_GT(QLineF(layout.middleOf(a), layout.middleOf(b)).length(),
                              layout.radius() > 1 ? 1.6 * layout.radius() : 0.1)
                        << topology << ' ' << a << ' ' << b << ' ' << area.width();
        }
    }
}

TEST(NetworkByLevel, leadsNoLinkThroughARankOrASwitch) {
    for (const auto& [ranks, topology] : std::vector<std::pair<int, std::string>>{
             {16, "fat-tree:4x4"}, {64, "fat-tree:4x4x4"}, {256, "fat-tree:16x16"}, {144, "dragonfly:9,4,4"}}) {
        const DrawableRun subject = subjectOf(wishFor("bcast/binomial-tree", ranks, topology));
        const NetworkShape& print = subject.blueprint();
        const NetworkLayout layout{subject, {0, 0, 700, 500}};
        for (const NetworkShape::Line& line : print.lines) {
            const Track track = layout.between(line.from, line.to);
            const bool toRank = std::min(line.from, line.to) < print.ranks;
            for (std::int32_t node = toRank ? 0 : print.ranks; node < (toRank ? print.ranks : print.nodes); ++node) {
                if (node == line.from || node == line.to || print.arrangement != NetworkShape::Arrangement::levels)
                    continue;
                for (int leg = 0; leg < track.count; ++leg)
                    ASSERT_GT(fromLine(layout.middleOf(node), track.legs[static_cast<std::size_t>(leg)]),
                              toRank ? 0.9 * layout.radius() : 0.5 * layout.switchRadius())
                        << topology << ": " << line.from << " to " << line.to << " meets " << node;
            }
            // From one to the other, without a gap.
            EXPECT_LT(QLineF(track.at(0), layout.middleOf(line.from)).length(), 3 * layout.radius());
            EXPECT_LT(QLineF(track.at(1), layout.middleOf(line.to)).length(), 3 * layout.radius());
        }
    }
}

TEST(NetworkByLevel, setsTheGroupsOfADragonflyApart) {
    for (const auto& [ranks, topology] :
         std::vector<std::pair<int, std::string>>{{72, "dragonfly:9,4,2"}, {1024, "dragonfly:8,8,16"}}) {
        const DrawableRun subject = subjectOf(wishFor("bcast/binomial-tree", ranks, topology));
        const NetworkShape& print = subject.blueprint();
        const std::vector<int> shape = subject.report().network->shape();
        ASSERT_EQ(print.leaves.size(), static_cast<std::size_t>(shape[0] * shape[1]));
        const NetworkLayout layout{subject, {0, 0, 600, 600}};
        const auto apart = [&](std::size_t i) {
            return QLineF{layout.middleOf(print.leaves[i].node),
                          layout.middleOf(print.leaves[(i + 1) % print.leaves.size()].node)}
                .length();
        };
        double within = 0;
        double between = 1000;
        for (std::size_t i = 0; i < print.leaves.size(); ++i) {
            const bool last = (i + 1) % static_cast<std::size_t>(shape[1]) == 0;
            if (last) between = std::min(between, apart(i));
            else within = std::max(within, apart(i));
        }
        EXPECT_GT(between, 1.3 * within) << topology;
    }
}

TEST(NetworkByLevel, numbersRanksThatAreTooSmallBelowTheirSwitch) {
    const DrawableRun subject = subjectOf(wishFor("bcast/binomial-tree", 1024, "fat-tree:32x32"));
    const DrawableRun fewer = subjectOf(wishFor("bcast/binomial-tree", 1024, "fat-tree:64x16"));
    const Scene wide = networkScene(fewer, {}, {1500, 700});
    EXPECT_TRUE(says(wide, QStringLiteral("960\u20131023")));
    EXPECT_EQ(quarrelsIn(wide, {1500, 700}), "");
    const Scene narrow = networkScene(subject, {}, {700, 500});
    EXPECT_TRUE(says(narrow, QStringLiteral("0")));
    EXPECT_FALSE(says(narrow, QStringLiteral("\u2013")));
    EXPECT_EQ(quarrelsIn(narrow, {700, 500}), "");
}

}  // namespace
}  // namespace app::gui
