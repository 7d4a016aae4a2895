// SPDX-License-Identifier: BSD-3-Clause
// How busy this machine is with other things: a measurement beside busy neighbours is worth less.
#pragma once

namespace app {

struct Load {
    double busy = 0;     ///< share of all processors' time that was used, 0..1; -1 when the system does not say
    double average = 0;  ///< processes that wanted to run during the last minute
    int processors = 1;

    friend bool operator==(const Load&, const Load&) = default;
};

/// Looks for a tenth of a second.
Load lookAtLoad();

/// Above this share of busy processors a measurement is called contended.
inline constexpr double contendedShare = 0.15;

}  // namespace app
