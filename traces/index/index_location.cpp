// SPDX-License-Identifier: BSD-3-Clause
#include "traces/index/index_location.hpp"

#include "traces/index/index_file.hpp"

namespace traces {

reading::Storage roomBeside(const Recording& recording, const MemoryBudget& memory) {
    return reading::Storage{memory.bytes, memory.folder, index::sizeOf(recording)};
}

}  // namespace traces
