// SPDX-License-Identifier: BSD-3-Clause
// How the messages of a split-phase allreduce reach their receivers. Every receive of a schedule has a receive slot of
// its own, twice: calls use the two sets in turn (route.hpp says why two are enough).
#pragma once

#include "engine/base/types.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace engine::splitphase {

/// What one rank sends with and receives by. Nothing in it waits for another rank to come.
class Transport {
public:
    virtual ~Transport() = default;

    /// Writes `data`, which may be nothing, into slot `slot` of `to` for call number `call`. The data must stay as they
    /// are until `notify`.
    virtual void put(Rank to, std::int32_t slot, std::int64_t call, std::span<const std::byte> data) = 0;
    /// Tells the receivers of everything that was put since the last time.
    virtual void notify() = 0;
    /// What came into this rank's slot for `call`; nothing while it is in progress. Asked until it is there, then no
    /// more.
    virtual std::optional<std::span<const std::byte>> arrived(std::int32_t slot, std::int64_t call) = 0;
    /// What arrived for `call` is used up.
    virtual void release(std::int32_t slot, std::int64_t call) = 0;
};

}  // namespace engine::splitphase
