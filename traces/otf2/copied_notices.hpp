// SPDX-License-Identifier: BSD-3-Clause
// Notices of a recording as records of an archive again.
#pragma once

#include "traces/recording.hpp"

#include <string>

#include <otf2/otf2.h>

namespace traces::otf2 {

/// The communicator that a copy defines for a team of threads.
OTF2_CommRef teamOf(const Recording& recording, std::uint32_t team);

/// `doing` is what complaints begin with.
void writeNotice(const Recording& recording, const Notice& notice, OTF2_EvtWriter* writer, OTF2_TimeStamp time,
                 const std::string& doing);

}  // namespace traces::otf2
