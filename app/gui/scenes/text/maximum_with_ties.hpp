// SPDX-License-Identifier: BSD-3-Clause
// Who has the most of something, where several may have as much.
#pragma once

#include "engine/base/types.hpp"

#include <QString>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace app::gui {

/// The first of those that have the most, and how many they are; 0 of none.
struct Leaders {
    std::size_t first = 0;
    std::int64_t count = 0;
};

template <class Number>
Leaders leadersOf(const std::vector<Number>& numbers) {
    const auto most = std::max_element(numbers.begin(), numbers.end());
    if (most == numbers.end()) return {};
    return {static_cast<std::size_t>(most - numbers.begin()), std::count(most, numbers.end(), *most)};
}

/// "rank 3" of one, "rank 3 (and 1 other alike)" of two, "rank 3 (and 14 others alike)" of fifteen.
QString withOthers(const QString& first, std::int64_t all);

/// "rank 3 waits" of one, "rank 3 and 1 other wait" of more.
QString withOthers(const QString& first, std::int64_t all, const QString& one, const QString& several);

/// ". Rank 3 and 1 other wait longest: 54.43 us of 190.5 us each (28.6%).", or ", each as long: ..." where all are
/// equal.
QString whoLongest(const std::vector<engine::Picoseconds>& times, engine::Picoseconds duration, const QString& one,
                   const QString& several);

}  // namespace app::gui
