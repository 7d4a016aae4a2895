// SPDX-License-Identifier: BSD-3-Clause
// Who has the most of something, where several may have as much.
#pragma once

#include "engine/base/types.hpp"

#include <QString>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace app::gui {

/// The first of those that have the most, how many they are (0 of none), and the places of a few of them.
struct Leaders {
    static constexpr std::size_t mostNamed = 4;

    std::size_t first = 0;
    std::int64_t count = 0;
    std::vector<std::size_t> named;  ///< at most mostNamed, rising
};

template <class Number>
Leaders leadersOf(const std::vector<Number>& numbers) {
    const auto most = std::max_element(numbers.begin(), numbers.end());
    if (most == numbers.end()) return {};
    Leaders leaders{static_cast<std::size_t>(most - numbers.begin()), 0, {}};
    for (std::size_t i = leaders.first; i < numbers.size(); ++i) {
        if (numbers[i] != *most) continue;
        if (leaders.named.size() < Leaders::mostNamed) leaders.named.push_back(i);
        ++leaders.count;
    }
    return leaders;
}

/// "link 0 -> 1" of one, "links 0 -> 1, 1 -> 2 and 2 -> 3" of a few, "12 links (such as 0 -> 1)" of more.
QString inWords(const Leaders& leaders, const QString& one, const QString& several,
                const std::function<QString(std::size_t)>& name);
/// "rank 3", "ranks 3 and 5", "15 ranks (such as rank 3)".
QString ranksInWords(const Leaders& leaders);
/// The same as the first words of a sentence.
QString capitalised(const QString& words);

/// ". Ranks 3 and 5 wait longest: 54.43 us of 190.5 us each (28.6%).", or ", each as long: ..." where all are equal.
QString whoLongest(const std::vector<engine::Picoseconds>& times, engine::Picoseconds duration, const QString& one,
                   const QString& several);

}  // namespace app::gui
