// SPDX-License-Identifier: BSD-3-Clause
// Which messages are in flight in a span of time, however many there are and however long some of them take.
#pragma once

#include "engine/run/run.hpp"

#include <limits>
#include <span>
#include <vector>

namespace app::gui {

/// In how many parts the work on so many messages is done side by side: a few are not worth a thread.
std::size_t partsOf(std::size_t messages);

/// A message is in flight from when its first port is busy to when its last one is free.
class MessageIndex {
public:
    MessageIndex() = default;
    /// Of all kept messages; `run` must outlive the index.
    explicit MessageIndex(const engine::Run& run);

    /// All messages by when they begin; of several at once, the first in the run first.
    [[nodiscard]] std::span<const std::uint32_t> byBegin() const { return byBegin_; }
    /// Those in flight at some moment of [begin, end], by when they begin; the first `most` of them.
    [[nodiscard]] std::vector<std::uint32_t> touching(engine::Picoseconds begin, engine::Picoseconds end,
                                                      std::size_t most = std::numeric_limits<std::size_t>::max()) const;

private:
    void sort(const engine::Run& run);
    void noteEnds();

    const engine::Messages* messages_ = nullptr;
    std::vector<std::uint32_t> byBegin_;
    std::vector<std::vector<engine::Picoseconds>> latest_;  // end of every 32 in that order, of every 32 of those, ...
};

}  // namespace app::gui
