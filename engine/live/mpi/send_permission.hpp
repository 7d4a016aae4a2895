// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace engine::mpi {

/// When a message leaves that its sender has ready.
enum class Leaves : std::uint8_t {
    atOnce,   ///< ahead of its receiver too: then its bytes share the receiver's port with those that are waited for
    granted,  ///< when its receiver has entered the round and said so, by a message without bytes: one startup more
};

}  // namespace engine::mpi
