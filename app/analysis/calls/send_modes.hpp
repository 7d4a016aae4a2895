// SPDX-License-Identifier: BSD-3-Clause
// Eager and synchronous sends: which messages an MPI library sends without waiting for their receivers.
#pragma once

#include "engine/base/types.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace app::analysis {

/// By message, whether MPI_Ssend or MPI_Issend sent it; empty where none was.
std::vector<std::uint8_t> synchronousSends(const traces::Recording& recording);

/// The size up to which messages were sent eagerly, as far as the trace shows it. A class of sizes, from one power of
/// two to the next, is eager if of its messages whose receives began after their sends at least a tenth, and at least
/// two, were sent long before: from the end of the send to the receive it took at least as long as the send itself. The
/// largest such message counts. Nothing where no class is eager, or buffered sends (MPI_Bsend) were called, which show
/// nothing.
std::optional<engine::Bytes> eagerLimit(const traces::Recording& recording);

/// What a replay has to assume so that it makes senders wait as they did.
struct Rendezvous {
    engine::Bytes eagerLimit = 0;  ///< larger messages wait for their receivers
    std::int64_t waited = 0;       ///< calls of MPI_Send that did
    engine::Picoseconds time{};    ///< for so long in all
    /// No limit explains it: messages as large were sent completely before their receives began. `eagerLimit` is none.
    bool isContradictory = false;
};
/// Of messages larger than all that were sent completely before their receives began; if there are none, of all.
/// Nothing where no call of MPI_Send waited for its receiver.
std::optional<Rendezvous> rendezvousIn(const traces::Recording& recording);

}  // namespace app::analysis
