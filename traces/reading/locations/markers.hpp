// SPDX-License-Identifier: BSD-3-Clause
// The file of markers beside the anchor: remarks about moments and spans, which tools and people add to an archive.
#pragma once

#include "traces/reading/files/anchor.hpp"
#include "traces/reading/locations/rank_mapping.hpp"
#include "traces/recording/recording.hpp"

#include <vector>

namespace traces::reading {

/// By their begins; of a damaged file what lies before the damage, none where there is no such file.
std::vector<Marker> readMarkers(const Anchor& anchor, const World& world, const Clock& clock);

}  // namespace traces::reading
