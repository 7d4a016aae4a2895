// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/places.hpp"

#include <cstdlib>

namespace support {

std::filesystem::path sourceFolder() { return COLLSCOPE_SOURCE; }

std::filesystem::path goldenFolder() { return sourceFolder() / "tests" / "golden"; }

std::filesystem::path sharedTraces() {
    const char* named = std::getenv("COLLSCOPE_SHARED_TRACES");
    return named != nullptr ? std::filesystem::path{named} : sourceFolder() / ".." / "shared" / "traces";
}

}  // namespace support
