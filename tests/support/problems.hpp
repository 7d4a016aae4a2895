// SPDX-License-Identifier: BSD-3-Clause
// Short ways to state problems in tests.
#pragma once

#include "engine/problem/problem.hpp"

namespace support {

inline engine::Problem halfduplex(int p, int q, engine::Bytes size = 12) {
    return {.collective = engine::Collective::halfduplexAllgather,
            .groupA = p,
            .groupB = q,
            .layout = engine::Layout::regular(p, size)};
}

inline engine::Problem allgatherv(const std::vector<engine::Bytes>& sizes) {
    return {.collective = engine::Collective::allgatherv,
            .groupA = static_cast<std::int32_t>(sizes.size()),
            .layout = engine::Layout::irregular(sizes)};
}

inline engine::Problem bcast(int ranks, int root = 0, engine::Bytes size = 12) {
    return {.collective = engine::Collective::bcast,
            .groupA = ranks,
            .layout = engine::Layout::regular(1, size),
            .root = engine::Rank{root}};
}

inline engine::Problem allreduce(int ranks, engine::Bytes size = 12) {
    return {
        .collective = engine::Collective::allreduce, .groupA = ranks, .layout = engine::Layout::regular(ranks, size)};
}

inline engine::Problem barrier(int ranks) { return {.collective = engine::Collective::barrier, .groupA = ranks}; }

}  // namespace support
