// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/bounded.hpp"

#include "engine/base/error.hpp"

namespace engine {

void refuseTime() {
    throw Error{"this takes longer than 53 days of virtual time; choose smaller sizes or a faster model"};
}

void refuseBytes() { throw Error{"messages have more than 2^62 bytes in total; choose smaller sizes or fewer ranks"}; }

}  // namespace engine
