// SPDX-License-Identifier: BSD-3-Clause
// Notices of a recording as records of an archive again.
#pragma once

#include "traces/otf2/copied_definitions.hpp"
#include "traces/recording.hpp"

#include <string>

#include <otf2/otf2.h>

namespace traces::otf2 {

/// What the notice says, as the location tells it; `doing` is what complaints begin with.
void writeNotice(CopiedDefinitions& definitions, const Recording& recording, const Location& location,
                 const Notice& notice, OTF2_EvtWriter* writer, OTF2_TimeStamp time, const std::string& doing);

}  // namespace traces::otf2
