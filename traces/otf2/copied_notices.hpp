// SPDX-License-Identifier: BSD-3-Clause
// Notices of a recording as records of an archive again.
#pragma once

#include "traces/otf2/copied_definitions.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>

#include <otf2/otf2.h>

namespace traces::otf2 {

/// Numbers of a location's operations on files, none of which comes twice.
class OperationNumbers {
public:
    /// That of the operation which a notice begins or ends.
    std::uint64_t operator()(const Notice& notice);

private:
    std::uint64_t last_ = 0;
    std::unordered_map<std::uint16_t, std::uint64_t> ofSlot_;
};

/// What the notice says, as the location tells it; `doing` is what complaints begin with.
void writeNotice(CopiedDefinitions& definitions, const Recording& recording, const Location& location,
                 const Notice& notice, OperationNumbers& operations, OTF2_EvtWriter* writer, OTF2_TimeStamp time,
                 const std::string& doing);

}  // namespace traces::otf2
