// SPDX-License-Identifier: BSD-3-Clause
// What one location recorded as bytes that travel between processes of one program on machines of one kind.
#pragma once

#include "traces/reading/location_events.hpp"

#include <string>
#include <string_view>

namespace traces::reading {

std::string toBytes(const LocationEvents& events);

/// Throws Defect when these are not the bytes of toBytes.
LocationEvents locationFrom(std::string_view bytes, Storage* storage);

}  // namespace traces::reading
