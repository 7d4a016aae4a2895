// SPDX-License-Identifier: BSD-3-Clause
// Where the program calls, by small numbers.
#pragma once

#include "engine/live/records/collective_records.hpp"

#include <array>
#include <atomic>
#include <functional>

namespace engine::mpi::dropin {

/// Where the program called Fortran's entry points, whose calls come from our own code; null: it called C's.
inline thread_local const void* fortranCaller [[gnu::tls_model("initial-exec")]] = nullptr;

/// The program's own address of return: `address`, or that of its Fortran call.
inline const void* callerOr(const void* address) { return fortranCaller != nullptr ? fortranCaller : address; }

class Sites {
public:
    /// The number of an address of return, from 1; 0 when there are too many. `tell` learns of each new one, once.
    template <class Tell>
    std::uint16_t of(const void* address, Tell tell) {
        const auto hash = reinterpret_cast<std::uintptr_t>(address) * 0x9E3779B97F4A7C15ULL >> 52U;
        for (std::size_t i = 0; i < most; ++i) {
            const std::size_t at = (hash + i) % most;
            const void* known = addresses_[at].load(std::memory_order_relaxed);
            const auto number = static_cast<std::uint16_t>(at + 1);
            if (known == address) return number;
            if (known != nullptr) continue;
            if (addresses_[at].compare_exchange_strong(known, address)) {
                tell(number, lookUp(address));
                return number;
            }
            if (known == address) return number;
        }
        return 0;
    }

private:
    static constexpr std::size_t most = 4096;
    [[nodiscard]] static live::Site lookUp(const void* address);

    std::array<std::atomic<const void*>, most> addresses_{};
};

}  // namespace engine::mpi::dropin
