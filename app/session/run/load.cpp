// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/load.hpp"

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>

namespace app {
namespace {

struct Ticks {
    std::int64_t all = 0;
    std::int64_t still = 0;
};

/// The first line of /proc/stat: ticks of all processors; the fourth and fifth number are those in which nothing ran.
Ticks ticks() {
    std::ifstream in{"/proc/stat"};
    std::string word;
    in >> word;
    Ticks sum;
    std::int64_t number = 0;
    for (int i = 0; i < 8 && in >> number; ++i) {
        sum.all += number;
        if (i == 3 || i == 4) sum.still += number;
    }
    return sum;
}

}  // namespace

Load lookAtLoad() {
    Load load;
    std::ifstream{"/proc/loadavg"} >> load.average;
    load.processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const Ticks before = ticks();
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
    const Ticks after = ticks();
    const std::int64_t all = after.all - before.all;
    load.busy = all > 0 ? 1 - static_cast<double>(after.still - before.still) / static_cast<double>(all) : -1;
    return load;
}

}  // namespace app
