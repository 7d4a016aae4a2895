// SPDX-License-Identifier: BSD-3-Clause
// Who may talk to whom directly: what an algorithm made for a ring or a torus promises, and what its runs are laid on.
#pragma once

#include "engine/base/types.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace engine {

/// Direct neighbours. Ranks of a torus are numbered row-major: the last dimension runs fastest.
class Wiring {
public:
    enum class Kind : std::uint8_t { any, ring, torus, named };

    Wiring() = default;
    static Wiring any() { return {}; }
    static Wiring ring(std::int32_t ranks);
    static Wiring torus(std::vector<int> dimensions);
    /// Any other network: `name` as --topology takes it, and whether a link leads from the first rank to the second.
    static Wiring named(std::string name, std::function<bool(Rank, Rank)> adjacent);

    [[nodiscard]] Kind kind() const { return kind_; }
    /// Ring: its length; torus: one length per dimension; otherwise empty.
    [[nodiscard]] const std::vector<int>& dimensions() const { return dimensions_; }
    [[nodiscard]] bool adjacent(Rank a, Rank b) const;
    /// "any", "ring", "torus:4x4" or the name given: also what a user may ask for ("any" is called "full" there).
    [[nodiscard]] std::string name() const;

    friend bool operator==(const Wiring& a, const Wiring& b) {
        return a.kind_ == b.kind_ && a.dimensions_ == b.dimensions_ && a.name_ == b.name_;
    }

private:
    Kind kind_ = Kind::any;
    std::vector<int> dimensions_;
    std::string name_;                                               // named only
    std::shared_ptr<const std::function<bool(Rank, Rank)>> linked_;  // named only
};

}  // namespace engine
