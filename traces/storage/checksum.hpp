// SPDX-License-Identifier: BSD-3-Clause
// A number that tells whether bytes are still what they were. It guards against accidents, not against people.
#pragma once

#include <cstddef>
#include <cstdint>

namespace traces::index {

/// Of `bytes` bytes at `place`, by XXH3 of xxHash: as fast as memory. Another `seed` gives another number.
std::uint64_t checksum(const void* place, std::size_t bytes, std::uint64_t seed = 0);

}  // namespace traces::index
