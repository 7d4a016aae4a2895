// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule/wiring.hpp"

#include "engine/base/text.hpp"

#include <utility>

namespace engine {

Wiring Wiring::ring(std::int32_t ranks) {
    Wiring wiring;
    wiring.kind_ = Kind::ring;
    wiring.dimensions_ = {ranks};
    return wiring;
}

Wiring Wiring::torus(std::vector<int> dimensions) {
    Wiring wiring;
    wiring.kind_ = Kind::torus;
    wiring.dimensions_ = std::move(dimensions);
    return wiring;
}

Wiring Wiring::named(std::string name, std::function<bool(Rank, Rank)> adjacent) {
    Wiring wiring;
    wiring.kind_ = Kind::named;
    wiring.name_ = std::move(name);
    wiring.linked_ = std::make_shared<const std::function<bool(Rank, Rank)>>(std::move(adjacent));
    return wiring;
}

bool Wiring::adjacent(Rank a, Rank b) const {
    if (kind_ == Kind::any) return a != b;
    if (kind_ == Kind::named) return (*linked_)(a, b);
    int apart = 0;
    std::int32_t left = a.value;
    std::int32_t right = b.value;
    for (auto length = dimensions_.rbegin(); length != dimensions_.rend(); ++length) {
        const std::int32_t step = (left % *length - right % *length + *length) % *length;
        if (step != 0) {
            if (step != 1 && step != *length - 1) return false;
            ++apart;
        }
        left /= *length;
        right /= *length;
    }
    return apart == 1;
}

std::string Wiring::name() const {
    switch (kind_) {
        case Kind::any: return "any";
        case Kind::ring: return "ring";
        case Kind::torus: return "torus:" + showDimensions(dimensions_);
        case Kind::named: return name_;
    }
    return {};
}

}  // namespace engine
