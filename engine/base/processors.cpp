// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/processors.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include <sched.h>

namespace engine {

int processors() {
    cpu_set_t own;
    CPU_ZERO(&own);
    const int count = sched_getaffinity(0, sizeof own, &own) == 0 ? CPU_COUNT(&own) : 0;
    return count > 0 ? count : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::string ownProcessors() {
    cpu_set_t own;
    CPU_ZERO(&own);
    if (sched_getaffinity(0, sizeof own, &own) != 0) return {};
    return {reinterpret_cast<const char*>(&own), sizeof own};
}

void alsoUseProcessors(std::string_view others) {
    cpu_set_t all;
    cpu_set_t more;
    CPU_ZERO(&all);
    if (others.size() != sizeof more || sched_getaffinity(0, sizeof all, &all) != 0) return;
    std::memcpy(&more, others.data(), sizeof more);
    CPU_OR(&all, &all, &more);
    sched_setaffinity(0, sizeof all, &all);
}

}  // namespace engine
