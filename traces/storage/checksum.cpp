// SPDX-License-Identifier: BSD-3-Clause
#include "traces/storage/checksum.hpp"

#include <xxhash.h>

namespace traces::index {

std::uint64_t checksum(const void* place, std::size_t bytes, std::uint64_t seed) {
    return XXH3_64bits_withSeed(place, bytes, seed);
}

}  // namespace traces::index
