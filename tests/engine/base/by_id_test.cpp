// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/by_id.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace engine {
namespace {

template <class Container, class Key>
concept Opens = requires(Container all, Key key) {
    all[key];
};

TEST(ById, isOpenedByItsOwnIdsOnly) {
    static_assert(Opens<ById<Rank, int>, Rank>);
    static_assert(!Opens<ById<Rank, int>, Round>);
    static_assert(!Opens<ById<Rank, int>, int>);
    ById<Rank, int> places{3};
    places[Rank{2}] = 7;
    EXPECT_EQ(places.vector(), (std::vector<int>{0, 0, 7}));
    EXPECT_EQ((ById<Round, int>(std::int64_t{2}, 5)).vector(), (std::vector<int>{5, 5}));
}

TEST(ById, namesItsIdsInOrder) {
    std::vector<Rank> seen;
    for (const Rank rank : ById<Rank, int>{4}.ids()) seen.push_back(rank);
    EXPECT_EQ(seen, (std::vector<Rank>{Rank{0}, Rank{1}, Rank{2}, Rank{3}}));
    for (const Round round : Ids<Round>{0}) ADD_FAILURE() << round.value;
}

}  // namespace
}  // namespace engine
