// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/grid.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"

#include <limits>

namespace emulation {

Torus::Torus(std::string name, std::vector<int> lengths, engine::Wiring wiring)
    : name_{std::move(name)}, lengths_{std::move(lengths)}, strides_(lengths_.size()), wiring_{std::move(wiring)} {
    for (std::size_t d = lengths_.size(); d-- > 0;) {
        strides_[d] = ranks_;
        ranks_ *= lengths_[d];
    }
    if (ranks_ > std::numeric_limits<std::int32_t>::max() / (2 * dimensions()))
        throw engine::Error{engine::text("--topology ", name_, " has more than 2^31-1 links")};
}

std::int32_t Torus::links() const { return ranks_ * 2 * dimensions(); }

void Torus::route(Rank from, Rank to, std::vector<LinkId>& out) const {
    std::int32_t at = from.value;
    for (std::int32_t d = dimensions() - 1; d >= 0; --d) {
        const std::int32_t length = lengths_[d];
        const std::int32_t stride = strides_[d];
        std::int32_t place = at / stride % length;
        const std::int32_t goal = to.value / stride % length;
        const std::int32_t rising = (goal - place + length) % length;
        const bool up = 2 * rising <= length;
        for (std::int32_t hop = up ? rising : length - rising; hop > 0; --hop) {
            out.push_back(LinkId{at * 2 * dimensions() + 2 * d + (up ? 0 : 1)});
            const std::int32_t next = up ? (place + 1) % length : (place + length - 1) % length;
            at += (next - place) * stride;
            place = next;
        }
    }
}

LinkEnds Torus::ends(LinkId link) const {
    const std::int32_t from = link.value / (2 * dimensions());
    const std::int32_t d = link.value % (2 * dimensions()) / 2;
    const bool up = link.value % 2 == 0;
    const std::int32_t length = lengths_[d];
    const std::int32_t place = from / strides_[d] % length;
    const std::int32_t next = up ? (place + 1) % length : (place + length - 1) % length;
    return {from, from + (next - place) * strides_[d]};
}

}  // namespace emulation
