// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/replay_words.hpp"

#include "app/cli/summary.hpp"
#include "app/cli/text.hpp"
#include "engine/text.hpp"

#include <cmath>

namespace app::cli {

using engine::Picoseconds;
using engine::text;

namespace {

/// A share below this is not told in percent.
constexpr double smallestTold = 1e-5;

/// "19.3", "36,707,204".
std::string multiple(double number) {
    constexpr double exactly = 100;
    return number < exactly ? engine::showNumber(number, 3) : analysis::counted(std::llround(number));
}

}  // namespace

std::string against(Picoseconds time, Picoseconds other, std::string_view what) {
    if (time == other) return text("as long as ", what);
    const char* const way = time > other ? " more than " : " less than ";
    const Picoseconds difference = time > other ? time - other : other - time;
    const double share = static_cast<double>(difference.count()) / static_cast<double>(other.count());
    if (other.count() == 0 || share < smallestTold) return text(engine::showTime(difference), way, what);
    if (time > other && share >= 2) return text(multiple(share + 1), " times as long as ", what);
    return text(analysis::percent(share), way, what);
}

std::string off(double share) {
    if (share == 0) return "none";
    const char* const way = share > 0 ? " more" : " less";
    return std::abs(share) < smallestTold ? text("under ", analysis::percent(smallestTold), way)
                                          : text(analysis::percent(std::abs(share)), way);
}

}  // namespace app::cli
