// SPDX-License-Identifier: BSD-3-Clause
// Memory that lies in a file of ours, for as long as nobody truncates the file.
#pragma once

#include <cstddef>

namespace engine::mpi {

/// From now on the memory is replaced by zeros when its file has become too short for it: else the program that it
/// belongs to would end with SIGBUS. At most 8 at a time; more are not kept.
void keepMapping(void* begin, std::size_t length);
/// Before it is given back.
void forgetMapping(void* begin);

}  // namespace engine::mpi
