// SPDX-License-Identifier: BSD-3-Clause
// What one location recorded as bytes that travel between processes of one program on machines of one kind, piece by
// piece: it may be more than either of them can hold.
#pragma once

#include "traces/reading/locations/location_events.hpp"

#include <functional>
#include <string_view>

namespace traces::reading {

/// Tells all of `events`, in pieces of some 1 MiB.
void tellBytes(const LocationEvents& events, const std::function<void(std::string_view piece)>& tell);

/// A location while its pieces arrive.
class Arriving {
public:
    explicit Arriving(Storage* storage) : storage_{storage}, events_{storage} {}

    /// The next piece. Throws Defect when it is none of tellBytes.
    void take(std::string_view piece);
    /// What has arrived; nothing is left here.
    LocationEvents finish() {
        events_.fit();
        return std::move(events_);
    }

private:
    Storage* storage_;
    LocationEvents events_;
};

}  // namespace traces::reading
