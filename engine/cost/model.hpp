// SPDX-License-Identifier: BSD-3-Clause
// What communication costs: Hockney's alpha + beta m for a message, gamma for each combined byte.
#pragma once

#include "engine/types.hpp"

#include <string>

namespace engine {

/// Parameters of a machine. A message of m bytes takes alpha + beta m at both of its ends.
struct Model {
    std::string name = "alpha-beta";
    Picoseconds alpha{1'000'000};  ///< startup of a message, >= 0 (default 1 us)
    Rate beta{400'000};            ///< time per byte moved (default 0.4 ns/B = 2.5 GB/s)
    Rate gamma{0};                 ///< time per byte combined in a reduction

    [[nodiscard]] Picoseconds message(Bytes bytes) const { return alpha + beta * bytes; }

    friend bool operator==(const Model&, const Model&) = default;
};

/// Terms of a cost, before a model gives them a time.
struct Cost {
    std::int64_t startups = 0;  ///< times alpha
    Bytes volume = 0;           ///< bytes times beta
    Bytes combined = 0;         ///< bytes times gamma

    [[nodiscard]] Picoseconds under(const Model& model) const {
        return model.alpha * startups + model.beta * volume + model.gamma * combined;
    }
    friend bool operator==(const Cost&, const Cost&) = default;
};

}  // namespace engine
