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

/// The largest message that was sent eagerly, as far as the trace shows it. Sizes are compared in classes, each from
/// one power of two to the next, and only messages whose receives began after their sends. A message was sent long
/// before its receive if the time from the end of its send to the receive is at least the time of the send. A class is
/// eager if at least two of its messages, and at least a tenth of them, were sent long before. Nothing where no class
/// is eager, or where buffered sends (MPI_Bsend) were called, which never wait.
std::optional<engine::Bytes> eagerLimit(const traces::Recording& recording);

/// What a replay has to assume so that it makes senders wait as they did.
struct Rendezvous {
    engine::Bytes eagerLimit = 0;  ///< larger messages wait for their receivers
    std::int64_t waited = 0;       ///< calls of MPI_Send that did
    engine::Picoseconds time{};    ///< for so long in all
    /// No limit explains it: messages as large were sent completely before their receives began. `eagerLimit` is none.
    bool isContradictory = false;
};
/// Counts the calls of MPI_Send that waited for a receiver and whose messages are larger than every message that was
/// sent completely before its receive began; if there are no such calls, all that waited (isContradictory). Nothing if
/// no call of MPI_Send waited.
std::optional<Rendezvous> rendezvousIn(const traces::Recording& recording);

}  // namespace app::analysis
