// SPDX-License-Identifier: BSD-3-Clause
// The exact sizes are rational; they are rounded so that they add up to the stated total: everyone gets the whole
// part, and the bytes left over go to the largest remainders, the lower rank first. A weight of zero stays zero.
//
// Source: Träff et al. 2010, section 3, with corrections where the printed sizes do not add up to the printed total or
// are not defined: spike divides by 2(p-1), half-full is scaled for odd p, geometric takes the logarithm to base 2 and
// is scaled, and one rank alone holds c.
#include "engine/problem/sizes.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace engine {
namespace {

/// `total` bytes in proportion to `weights`, of which one is above 0.
Layout inProportion(const std::vector<std::int64_t>& weights, Bytes total) {
    const auto sum = std::accumulate(weights.begin(), weights.end(), __int128{0});
    std::vector<Bytes> sizes;
    std::vector<__int128> remainders;
    for (const std::int64_t weight : weights) {
        const __int128 share = static_cast<__int128>(total) * weight;
        sizes.push_back(static_cast<Bytes>(share / sum));
        remainders.push_back(share % sum);
    }
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
    const Bytes left = total - std::accumulate(sizes.begin(), sizes.end(), Bytes{0});
    for (std::size_t i = 0; i < asSize(left); ++i) ++sizes[order[i]];
    return Layout::irregular(sizes);
}

/// `total` bytes in proportion to weight(0), weight(1), ...
template <class Weight>
Layout weighted(std::int32_t ranks, Bytes total, Weight weight) {
    std::vector<std::int64_t> weights;
    for (std::int32_t i = 0; i < ranks; ++i) weights.push_back(weight(i));
    return inProportion(weights, total);
}

Layout broadcast(std::int32_t p, Bytes c) {
    return weighted(p, c, [](std::int32_t i) { return i == 0 ? 1 : 0; });
}

Layout spike(std::int32_t p, Bytes c) {
    if (p == 1) return broadcast(p, c);
    return weighted(p, c, [=](std::int32_t i) { return i == 0 ? p - 1 : 1; });
}

Layout halfFull(std::int32_t p, Bytes c) {
    return weighted(p, p * c, [](std::int32_t i) { return 1 - i % 2; });
}

Layout linear(std::int32_t p, Bytes c) {
    if (p == 1) return broadcast(p, c);
    return weighted(p, p * c, [=](std::int32_t i) { return p - 1 - i; });
}

Layout rising(std::int32_t p, Bytes c) {
    if (p == 1) return broadcast(p, c);
    return weighted(p, p * c, [](std::int32_t i) { return i; });
}

/// Ranks 0 | 1 2 | 3 4 5 6 | ... form classes of 1, 2, 4, ... ranks; every class holds the same, divided evenly.
Layout geometric(std::int32_t p, Bytes c) {
    if (p == 1) return broadcast(p, c);
    const auto classOf = [](std::int32_t i) { return std::bit_floor(static_cast<std::uint32_t>(i) + 1); };
    const std::uint32_t largest = classOf(p - 1);
    return weighted(p, p * c, [=](std::int32_t i) {
        const std::uint32_t size = classOf(i);
        return size == static_cast<std::uint32_t>(p) ? 0 : static_cast<std::int64_t>(largest / size);
    });
}

constexpr std::array<Distribution, 7> all{{
    {"regular", "c at every rank", Layout::regular},
    {"broadcast", "rank 0 has c, the others 0", broadcast},
    {"spike", "rank 0 has c/2, the others share the other half", spike},
    {"half-full", "equal sizes at even ranks, 0 at odd ranks; n c in total", halfFull},
    {"linear", "decreasing linearly from 2c at rank 0 to 0; n c in total", linear},
    {"rising", "increasing linearly from 0 at rank 0 to 2c at the last rank; n c in total", rising},
    {"geometric", "rank 0, the next 2, the next 4, ... have the same total, the last group perhaps less; n c in total",
     geometric},
}};

}  // namespace

std::span<const Distribution> distributions() { return all; }

const Distribution& distributionNamed(std::string_view name) {
    std::vector<std::string> names;
    for (const Distribution& distribution : all) {
        if (distribution.name == name) return distribution;
        names.emplace_back(distribution.name);
    }
    const std::string hint = didYouMean(name, names);
    throw Error{
        text(field::sizes, ": unknown distribution '", name, "'",
             hint.empty() ? text("; ", listing::sizes, " lists them all, and @FILE reads one size per line") : hint)};
}

}  // namespace engine
