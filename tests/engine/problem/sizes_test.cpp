// SPDX-License-Identifier: BSD-3-Clause
#include "engine/problem/sizes.hpp"
#include "engine/base/error.hpp"
#include "tests/support/places.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace engine {
namespace {

std::vector<Bytes> sizesOf(std::string_view name, std::int32_t ranks, Bytes base) {
    const Layout layout = distributionNamed(name).sizes(ranks, base);
    std::vector<Bytes> sizes;
    for (std::int32_t i = 0; i < layout.count(); ++i) sizes.push_back(layout.size(i));
    return sizes;
}

TEST(Sizes, areThoseOfTheTestVectors) {
    std::ifstream file{support::goldenFolder() / "golden-intragroup.json"};
    int compared = 0;
    const auto golden = nlohmann::json::parse(file);
    for (const auto& vector : golden["cases"]) {
        const auto& params = vector["params"];
        if (!params.contains("dist") || !params.contains("m")) continue;
        std::string name = params["dist"];
        std::replace(name.begin(), name.end(), '_', '-');
        EXPECT_EQ(sizesOf(name, params["p"], params["c"]), params["m"].get<std::vector<Bytes>>()) << vector["id"];
        ++compared;
    }
    EXPECT_GE(compared, 12);
}

TEST(Sizes, addUpToTheStatedTotal) {
    for (const Distribution& distribution : distributions())
        for (std::int32_t p = 1; p <= 70; ++p)
            for (const Bytes c : {0, 1, 7, 1000}) {
                const bool total = distribution.name == "broadcast" || distribution.name == "spike";
                EXPECT_EQ(distribution.sizes(p, c).total(), total ? c : p * c) << distribution.name << " p=" << p;
                EXPECT_EQ(distribution.sizes(p, c).count(), p);
            }
}

TEST(Sizes, keepTheirShapeForOddRanks) {
    EXPECT_EQ(sizesOf("half-full", 3, 8), (std::vector<Bytes>{12, 0, 12}));
    EXPECT_EQ(sizesOf("geometric", 3, 8), (std::vector<Bytes>{12, 6, 6}));
    EXPECT_EQ(sizesOf("geometric", 4, 8), (std::vector<Bytes>{16, 8, 8, 0}));
    EXPECT_EQ(sizesOf("linear", 3, 5), (std::vector<Bytes>{10, 5, 0}));
}

TEST(Sizes, giveOneRankAloneTheBase) {
    for (const Distribution& distribution : distributions())
        EXPECT_EQ(sizesOf(distribution.name, 1, 5), (std::vector<Bytes>{5})) << distribution.name;
}

TEST(Sizes, giveLeftOverBytesToTheLowerRanks) {
    EXPECT_EQ(sizesOf("spike", 5, 12), (std::vector<Bytes>{6, 2, 2, 1, 1}));
}

TEST(Sizes, surviveTheLargestTotals) {
    EXPECT_EQ(distributionNamed("linear").sizes(4, Bytes{1} << 60).total(), Bytes{1} << 62);
}

TEST(Sizes, nameTheNearestDistribution) {
    try {
        distributionNamed("geometrical");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "sizes: unknown distribution 'geometrical'; did you mean geometric?");
    }
}

}  // namespace
}  // namespace engine
