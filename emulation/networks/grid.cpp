// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/networks/grid.hpp"

#include "emulation/networks/grid_link_loads.hpp"
#include "emulation/networks/topology_arguments.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace emulation {
namespace {

/// How far one step in each dimension is; the last dimension has stride 1.
std::vector<std::int32_t> stridesOf(const std::vector<int>& lengths) {
    std::vector<std::int32_t> strides(lengths.size(), 1);
    for (std::size_t d = lengths.size(); d-- > 1;) strides[d - 1] = strides[d] * lengths[d];
    return strides;
}

std::int32_t placesOf(const std::vector<int>& lengths) {
    std::int32_t places = 1;
    for (const int length : lengths) places *= length;
    return places;
}

}  // namespace

Torus::Torus(std::string name, std::vector<int> lengths, engine::Wiring wiring, Ties ties, std::int32_t ranks)
    : name_{std::move(name)},
      lengths_{std::move(lengths)},
      strides_{stridesOf(lengths_)},
      places_{placesOf(lengths_)},
      ranks_{ranks > 0 ? ranks : places_},
      wiring_{std::move(wiring)},
      ties_{ties} {
    requireLinks(engine::text(engine::field::topology, " ", name_), static_cast<__int128>(places_) * 2 * dimensions());
}

std::int32_t Torus::links() const { return places_ * 2 * dimensions(); }

void Torus::route(Rank from, Rank to, std::vector<LinkId>& out) const {
    std::int32_t at = from.value;
    for (std::int32_t d = dimensions() - 1; d >= 0; --d) {
        const std::int32_t length = lengths_[d];
        const std::int32_t stride = strides_[d];
        std::int32_t place = at / stride % length;
        const std::int32_t goal = to.value / stride % length;
        const std::int32_t rising = (goal - place + length) % length;
        const bool turned = ties_ == Ties::simgrid && 2 * place == length && goal == 0;
        const bool up = 2 * rising <= length && !turned;
        const std::int32_t hops = up ? rising : length - rising;
        const std::int32_t onward = up ? stride : -stride;
        const std::int32_t edge = up ? length - 1 : 0;  // beyond it the dimension starts again
        const std::size_t before = out.size();
        out.resize(before + engine::asSize(hops));
        for (LinkId* link = out.data() + before; link != out.data() + out.size(); ++link) {
            *link = LinkId{at * 2 * dimensions() + 2 * d + (up ? 0 : 1)};
            at += place == edge ? onward - onward * length : onward;
            place = place == edge ? length - 1 - edge : place + (up ? 1 : -1);
        }
    }
}

std::shared_ptr<const Lines> Torus::lines() const {
    return std::make_shared<const Lines>(lengths_, Lines::Ends::joined, ties_, [this](int d, Rank rank, bool up) {
        return LinkId{rank.value * 2 * dimensions() + 2 * d + (up ? 0 : 1)};
    });
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

Mesh::Mesh(std::string name, std::vector<int> lengths, std::int32_t ranks)
    : name_{std::move(name)}, lengths_{std::move(lengths)}, strides_{stridesOf(lengths_)} {
    places_ = placesOf(lengths_);
    ranks_ = ranks > 0 ? ranks : places_;
    std::int64_t links = 0;
    for (const int length : lengths_) {
        first_.push_back(static_cast<std::int32_t>(links));
        links += std::int64_t{2} * (places_ / length) * (length - 1);
        requireLinks(engine::text(engine::field::topology, " ", name_), links);
    }
    first_.push_back(static_cast<std::int32_t>(links));
}

void Mesh::route(Rank from, Rank to, std::vector<LinkId>& out) const {
    for (std::size_t d = lengths_.size(); d-- > 0;) {
        const std::int32_t length = lengths_[d];
        const std::int32_t stride = strides_[d];
        std::int32_t place = from.value / stride % length;
        const std::int32_t goal = to.value / stride % length;
        // Dimensions behind d are at their goal, those before it still where the message began.
        const std::int32_t row = from.value / (stride * length) * (length - 1) * stride + to.value % stride;
        for (; place < goal; ++place) out.push_back(LinkId{first_[d] + 2 * (row + place * stride)});
        for (; place > goal; --place) out.push_back(LinkId{first_[d] + 2 * (row + (place - 1) * stride) + 1});
    }
}

std::shared_ptr<const Lines> Mesh::lines() const {
    return std::make_shared<const Lines>(lengths_, Lines::Ends::open, Ties::rising, [this](int d, Rank rank, bool up) {
        const auto dimension = engine::asSize(d);
        std::vector<LinkId> way;
        route(rank, Rank{rank.value + (up ? strides_[dimension] : -strides_[dimension])}, way);
        return way.front();
    });
}

LinkEnds Mesh::ends(LinkId link) const {
    const auto after = std::upper_bound(first_.begin(), first_.end() - 1, link.value);
    const auto d = engine::asSize(after - first_.begin()) - 1;
    const std::int32_t pair = (link.value - first_[d]) / 2;
    const std::int32_t stride = strides_[d];
    const std::int32_t row = stride * (lengths_[d] - 1);
    const std::int32_t lower = pair / row * stride * lengths_[d] + pair % row;
    return (link.value - first_[d]) % 2 == 0 ? LinkEnds{lower, lower + stride} : LinkEnds{lower + stride, lower};
}

engine::Wiring Mesh::wiring() const {
    return engine::Wiring::named(name_, [lengths = lengths_](Rank a, Rank b) {
        std::int32_t left = a.value;
        std::int32_t right = b.value;
        std::int32_t apart = 0;
        for (auto length = lengths.rbegin(); length != lengths.rend(); ++length) {
            apart += std::abs(left % *length - right % *length);
            left /= *length;
            right /= *length;
        }
        return apart == 1;
    });
}

Hypercube::Hypercube(int dimensions) : dimensions_{dimensions} {
    requireLinks(engine::text(engine::field::topology, " ", name()),
                 (static_cast<__int128>(1) << dimensions) * dimensions);
}

std::string Hypercube::name() const { return engine::text("hypercube:", dimensions_); }

void Hypercube::route(Rank from, Rank to, std::vector<LinkId>& out) const {
    std::int32_t at = from.value;
    for (std::int32_t left = from.value ^ to.value; left != 0; left &= left - 1) {
        const int bit = std::countr_zero(static_cast<std::uint32_t>(left));
        out.push_back(LinkId{at * dimensions_ + bit});
        at ^= 1 << bit;
    }
}

LinkEnds Hypercube::ends(LinkId link) const {
    const std::int32_t from = link.value / dimensions_;
    return {from, from ^ (1 << link.value % dimensions_)};
}

engine::Wiring Hypercube::wiring() const {
    return engine::Wiring::named(
        name(), [](Rank a, Rank b) { return std::has_single_bit(static_cast<std::uint32_t>(a.value ^ b.value)); });
}

std::vector<int> Hypercube::shape() const {
    return dimensions_ == 0 ? std::vector<int>{1} : std::vector<int>(engine::asSize(dimensions_), 2);
}

}  // namespace emulation
