// SPDX-License-Identifier: BSD-3-Clause
// Which processors of its machine this process may use: a launcher binds each of several processes to some of them.
#pragma once

#include <string>
#include <string_view>

namespace engine {

/// On how many of them threads of the one that asks, and those that it starts, may run; at least 1.
int processors();

/// Those of the thread that asks, as bytes for another process of the same machine; empty where unknown.
std::string ownProcessors();
/// From now on the thread that asks, and those that it starts, may also run on `others`, which ownProcessors of another
/// process of this machine said. What the system does not allow remains as it is.
void alsoUseProcessors(std::string_view others);

}  // namespace engine
