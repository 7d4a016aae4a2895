// SPDX-License-Identifier: BSD-3-Clause
// Ends that have met become the columns of messages, and those that have not are halves.
#pragma once

#include "traces/reading/files/definitions.hpp"
#include "traces/reading/matching/message_matching.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace traces::reading {

/// Messages whose two ends say different sizes, and the first of them by its sender.
struct Disputed {
    std::int64_t count = 0;
    Rank from;
    Rank to;
    Bytes sent = 0;
    Bytes received = 0;

    /// One clause; empty for none.
    [[nodiscard]] std::string words() const;
};

struct Matched {
    Messages messages;
    Column<Half> halves;
    std::optional<OwnColumns> own;
    Disputed disputed{};
};

/// Columns of all pairs, and what is left over. Takes the ends apart. `definitions` hold the strings in which our own
/// archives say ranges of bytes; `storage` is where columns lie that memory cannot hold, null for memory alone.
Matched columnsOf(std::vector<RankEnds>&& ranks, const Partners& partners, const Definitions& definitions, bool own,
                  Storage* storage = nullptr);

}  // namespace traces::reading
