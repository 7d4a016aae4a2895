// SPDX-License-Identifier: BSD-3-Clause
// The option `n` of the n-way algorithms: messages a rank sends, and receives, in one round; as a number, or as a
// policy that chooses one (End et al. 2016, section IV, took the smallest n, and before that the fastest).
#pragma once

#include "engine/algorithm/options.hpp"
#include "engine/problem/problem.hpp"

#include <algorithm>
#include <optional>

namespace engine::algorithms {

inline constexpr std::int32_t mostPorts = 8;

inline Option portsOption() {
    return {.name = "n",
            .kind = Option::Kind::integer,
            .fallback = "ports",
            .meaning =
                "messages a rank sends, and receives, in a round; ports: as many as it has ports, up to 8; "
                "smallest: the least that fits; best: the one with the least time under the model",
            .choices = {"ports", "smallest", "best"},
            .low = 1,
            .high = mostPorts};
}

/// Whether n is left to a policy.
inline bool isPolicy(const Options& options) { return options.is("n", "smallest") || options.is("n", "best"); }

/// n as the options say. `costOf(n)`: the algorithm's cost with n messages, nothing where it does not fit.
template <class CostOf>
std::int32_t portsOf(const Problem& problem, const Options& options, CostOf costOf) {
    if (options.is("n", "ports")) return std::min(problem.ports, mostPorts);
    if (!isPolicy(options)) return static_cast<std::int32_t>(options.number("n"));
    const Model model = asAlphaBeta(options.model()).combiningBy(problem.operation);
    std::int32_t chosen = 1;
    std::optional<__int128> least;
    for (std::int32_t n = 1; n <= mostPorts; ++n) {
        const std::optional<Cost> cost = costOf(n);
        if (!cost) continue;
        if (options.is("n", "smallest")) return n;
        if (const __int128 time = cost->weighed(model); !least || time < *least) least = time, chosen = n;
    }
    return chosen;
}

/// What a policy came to.
inline Choices chosenPorts(const Options& options, std::int32_t n) {
    return isPolicy(options) ? Choices{{"n", std::to_string(n)}} : Choices{};
}

/// How many of a rank's `messages` of one round follow each other at a port: those beyond its ports wait.
inline std::int64_t serializedMessages(const Problem& problem, std::int64_t messages) {
    return (messages + problem.ports - 1) / problem.ports;
}

}  // namespace engine::algorithms
