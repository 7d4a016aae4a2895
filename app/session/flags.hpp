// SPDX-License-Identifier: BSD-3-Clause
// Wishes as the flags that state them, so that what the program did can be asked for again.
#pragma once

#include "app/session/session.hpp"

#include <string>

namespace app {

/// " -n 8 --size 12 --sizes spike", each flag after a blank; what is as it is without a flag is left out, but not the
/// size.
std::string flagsOf(const ProblemWish& problem);
std::string flagsOf(const NetworkWish& network);
/// " --set segments=4 --set groups=2".
std::string flagsOf(const std::map<std::string, std::string>& options);

}  // namespace app
