// SPDX-License-Identifier: BSD-3-Clause
// Of too many messages those that were sent first.
#pragma once

#include "engine/base/types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace traces {

/// Indices into `sent` of the `most` smallest times, in their order; all where there are no more. Of equal times the
/// first ones. Takes 4 bytes for each of them, whatever there is beside them.
std::vector<std::uint32_t> firstSent(std::span<const engine::Picoseconds> sent, std::size_t most);

/// The same among `chosen`, indices into `sent` that rise.
std::vector<std::uint32_t> firstSent(std::span<const engine::Picoseconds> sent, std::vector<std::uint32_t> chosen,
                                     std::size_t most);

}  // namespace traces
