// SPDX-License-Identifier: BSD-3-Clause
// What the links of a network force: the least time in which a collective's bytes can cross them, whatever the
// algorithm.
#pragma once

#include "emulation/bounds/capacities.hpp"
#include "engine/problem/problem.hpp"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace emulation::bounds {

/// A lower bound on the time of every algorithm on links that are shared by all that crosses them at one time, without
/// any startup: bytes / speed.
struct NetworkBound {
    enum class Kind : std::uint8_t {
        cut,        ///< bytes that must leave a set of nodes, over the links that leave it
        groups,     ///< an allreduce among k groups of nodes crosses between them 2 (k - 1) times (Patarasuk and Yuan
                    ///< 2009)
        distances,  ///< bytes times the least length of their ways, over the links' speed times length
    };

    Kind kind = Kind::cut;
    double bytes = 0;  ///< that cross
    double speed = 0;  ///< bytes per femtosecond of `links` together
    /// By node; cut: 1 on the side that sends, 0 on the other; groups: the number of the group, -1 outside of all.
    std::vector<std::int32_t> side{};
    std::int32_t groups = 2;
    std::vector<LinkId> links{};  ///< that are crossed; distances: those with a length

    /// Rounded down, a little more than by a picosecond: times of messages are rounded one by one.
    [[nodiscard]] engine::Picoseconds time() const {
        return engine::Picoseconds{static_cast<std::int64_t>(bytes / speed * (1 - 1e-9) / 1000)};
    }
    [[nodiscard]] bool exceeds(const NetworkBound& other) const { return bytes * other.speed > other.bytes * speed; }
};

/// "cut", "groups", "distances".
std::string_view name(NetworkBound::Kind kind);

/// The largest bound that is found; nothing where no link is ever shared or needed. `beta` holds for links without a
/// quality of their own; `slow` are links that are slower than they say. Throws Error for one that is not there.
///
/// Exact over all cuts for everything but alltoall on networks for which maximum flows are affordable (thousands of
/// ranks; Zhao et al., ForestColl, arXiv 2402.06787, section 4); for allreduce over all groups of up to 128 ranks
/// (Cunningham's network strength by Dilworth truncation). For alltoall the linear program of the multicommodity flow
/// where it is small, else the better of distances and of the cuts that were looked at. Elsewhere single ranks, the
/// ranks below each switch, and slabs of grids are looked at. Of large networks with free places only the links on
/// routes between ranks are looked at (Searched).
std::optional<NetworkBound> networkBound(const engine::Problem& problem, const Network& network, engine::Rate beta,
                                         std::span<const SlowLink> slow = {}, const std::stop_token& stop = {});

/// What the ports of single ranks force where their links differ: all bytes that a rank takes in, or hands out, come in
/// as many messages at a time as it has ports, each over one of its links, so that no more than its fastest ones count.
std::optional<NetworkBound> portBound(const engine::Problem& problem, const Network& network, engine::Rate beta,
                                      std::span<const SlowLink> slow = {});

/// What is found without flows, on networks of any size.
std::optional<NetworkBound> plainBound(const engine::Problem& problem, const Network& network, engine::Rate beta);

}  // namespace emulation::bounds
