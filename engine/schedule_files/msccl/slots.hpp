// SPDX-License-Identifier: BSD-3-Clause
// Which slot of a rank holds each partial result that it sends or ends with.
//
// A GPU keeps a partial result in any chunk and combines two of them whenever it likes. A rank's slots change only as
// something arrives. So every partial result that is sent, or is a result, is built up in a slot of its own as its
// terms arrive, and one that has been sent for the last time gives its slot to one that goes on from there.
#pragma once

#include "engine/schedule/schedule.hpp"
#include "engine/schedule_files/msccl/execution.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace engine::schedules::msccl {

/// What becomes of a chunk of a message.
struct Slotted {
    int slot = 0;    ///< of the sender
    Slots into = 0;  ///< of the receiver
    Action action = Action::keep;

    friend bool operator==(const Slotted&, const Slotted&) = default;
};

struct SlotPlan {
    int slots = 1;
    Slots own = 0;
    std::vector<std::vector<Slotted>> deliveries{};  ///< by delivery and chunk
};

/// The result is in slot 0. Throws Error, which begins with `file`, where there are more partial results at one time
/// than slots.
SlotPlan slotsFor(const Course& course, std::string_view file);

}  // namespace engine::schedules::msccl
