// SPDX-License-Identifier: BSD-3-Clause
// Work that nobody waits for, beside pictures that somebody does.
#pragma once

#include <unistd.h>

#include <cstddef>

namespace app::gui {

/// Whatever is summed up over so few messages is there in some milliseconds: not worth a thread.
inline constexpr std::size_t quickMessages = 100'000;

/// From now on the calling thread runs where others leave the processors free. (On Linux a thread has a niceness of its
/// own, which those that it starts inherit.)
inline void giveWay() { [[maybe_unused]] const int niceness = ::nice(5); }

}  // namespace app::gui
