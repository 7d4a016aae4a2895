// SPDX-License-Identifier: BSD-3-Clause
// How many pairs of ranks talk to each other: the links of kang2019, section 4, which a library has to set up.
#pragma once

#include "engine/base/by_id.hpp"

#include <optional>
#include <vector>

namespace app::analysis {

struct Connections {
    std::int64_t pairs = 0;
    std::int64_t most = 0;  ///< of one rank

    friend bool operator==(const Connections&, const Connections&) = default;
};

/// Counts them, message by message. Gives up beyond four million pairs, which need room.
class ConnectionCount {
public:
    explicit ConnectionCount(std::int32_t ranks) : above_(ranks) {}

    void add(engine::Rank from, engine::Rank to);
    /// Nothing where there are too many.
    [[nodiscard]] std::optional<Connections> finish();

private:
    struct Peers {
        std::int32_t latest = -1;
        std::size_t compactAt = 16;
        std::vector<std::int32_t> all;  // ranks above this one, some several times
    };

    void compact(Peers& peers);

    engine::ById<engine::Rank, Peers> above_;
    std::int64_t kept_ = 0;  // entries of all
    bool tooMany_ = false;
};

}  // namespace app::analysis
