// SPDX-License-Identifier: BSD-3-Clause
// The option `n` of the n-way algorithms: messages a rank sends, and receives, in one round.
#pragma once

#include "engine/options.hpp"
#include "engine/problem.hpp"

#include <algorithm>

namespace engine::algorithms {

inline constexpr std::int32_t mostPorts = 8;

inline Option portsOption() {
    return {.name = "n",
            .kind = Option::Kind::integer,
            .fallback = "ports",
            .meaning = "messages a rank sends, and receives, in a round; ports: as many as it has ports, up to 8",
            .choices = {"ports"},
            .low = 1,
            .high = mostPorts};
}

/// n as the options say.
inline std::int32_t portsOf(const Problem& problem, const Options& options) {
    return options.is("n", "ports") ? std::min(problem.ports, mostPorts)
                                    : static_cast<std::int32_t>(options.number("n"));
}

/// How many of a rank's `messages` of one round follow each other at a port: those beyond its ports wait.
inline std::int64_t inARow(const Problem& problem, std::int64_t messages) {
    return (messages + problem.ports - 1) / problem.ports;
}

}  // namespace engine::algorithms
