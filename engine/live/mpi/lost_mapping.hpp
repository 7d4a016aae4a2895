// SPDX-License-Identifier: BSD-3-Clause
// Memory mapped from files of ours, which somebody may truncate.
#pragma once

#include <cstddef>

namespace engine::mpi {

/// Replaces the mapping by zeros if an access faults because the file was truncated. Without this, SIGBUS would end the
/// program. At most 8 mappings at a time; further ones are not protected.
void keepMapping(void* begin, std::size_t length);
/// Call before the memory is unmapped.
void forgetMapping(void* begin);

}  // namespace engine::mpi
