// SPDX-License-Identifier: BSD-3-Clause
// A GPU's part of a file that is being written: its thread blocks, and who must wait for whom.
#pragma once

#include "engine/schedule_files/msccl/memory.hpp"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace engine::schedules::msccl {

class WrittenGpu {
public:
    /// Adds a step to the thread block that talks to `peer`; of none of its own for steps within the GPU. Whatever used
    /// the same chunks before, as far as one of both writes, is waited for.
    void add(Kind kind, std::int32_t peer, Place source, Place target, std::int64_t count);

    void write(std::ostream& out, std::size_t id, std::int64_t inputs, std::int64_t outputs) const;

    [[nodiscard]] std::size_t mostSteps() const;

private:
    /// Sends (1) or receives (2) with a peer; 0: neither.
    using Role = std::pair<int, std::int32_t>;
    struct Written {
        Role role{};
        std::vector<Step> steps{};
        std::map<std::int32_t, std::int32_t> waited{};  ///< the last step of each other thread block that it waited for
    };
    struct Cell {
        Doer writer{};
        std::vector<Doer> readers{};
    };

    std::int32_t blockFor(Role role);

    std::vector<Written> blocks_;
    std::map<Role, std::int32_t> roles_;
    std::map<std::pair<Buffer, std::int64_t>, Cell> cells_;
    std::int64_t scratch_ = 0;
};

}  // namespace engine::schedules::msccl
