// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fstream>
#include <string>

namespace engine::live {

/// Which machine this is, and since which start, as Linux names it; empty where it does not. Processes for which it is
/// the same share one monotonic clock.
inline std::string bootId() {
    std::string id;
    std::ifstream{"/proc/sys/kernel/random/boot_id"} >> id;
    return id;
}

}  // namespace engine::live
