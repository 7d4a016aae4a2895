// SPDX-License-Identifier: BSD-3-Clause
// Who may talk to whom directly: what an algorithm made for a ring or a torus promises, and what its runs are laid on.
#pragma once

#include "engine/types.hpp"

#include <string>
#include <vector>

namespace engine {

/// Direct neighbours. Ranks of a torus are numbered row-major: the last dimension runs fastest.
class Wiring {
public:
    enum class Kind : std::uint8_t { any, ring, torus };

    Wiring() = default;
    static Wiring any() { return {}; }
    static Wiring ring(std::int32_t ranks);
    static Wiring torus(std::vector<int> dimensions);

    [[nodiscard]] Kind kind() const { return kind_; }
    /// Ring: its length; torus: one length per dimension; any: empty.
    [[nodiscard]] const std::vector<int>& dimensions() const { return dimensions_; }
    [[nodiscard]] bool adjacent(Rank a, Rank b) const;
    /// "any", "ring" or "torus:4x4": also what --topology takes ("any" is called "full" there).
    [[nodiscard]] std::string name() const;

    friend bool operator==(const Wiring&, const Wiring&) = default;

private:
    Kind kind_ = Kind::any;
    std::vector<int> dimensions_;
};

}  // namespace engine
