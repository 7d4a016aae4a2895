// SPDX-License-Identifier: BSD-3-Clause
// The two halves of messages as locations recorded them, and how they find each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace traces::otf2 {

/// A send or a receive of rank `self`, with the times its port was busy.
struct Half {
    std::int32_t self = 0;
    std::int32_t peer = 0;
    std::uint32_t communicator = 0;
    std::uint32_t place = 0;  ///< order among halves of one envelope where the order of events is another
    std::int64_t tag = 0;
    std::int64_t bytes = 0;
    std::int64_t begin = 0;  ///< in the unit of the reader that fills it
    std::int64_t end = 0;
};

constexpr auto alone = static_cast<std::size_t>(-1);

/// For each send the index of its receive, or `alone`: MPI's rule that messages of one (communicator, sender, receiver,
/// tag) do not overtake each other. `sends` lie in the order of their ranks, each rank's and each rank's receives in
/// the order they were posted.
std::vector<std::size_t> match(const std::vector<Half>& sends, const std::vector<Half>& receives, std::int32_t ranks);

}  // namespace traces::otf2
