// SPDX-License-Identifier: BSD-3-Clause
// Which links a message crosses. A link is one direction of a cable; both directions are used independently.
#pragma once

#include "engine/base/types.hpp"
#include "engine/schedule/wiring.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emulation {

using engine::LinkId;
using engine::Rank;

/// Nodes 0..ranks-1 are the ranks; free places follow, on which no rank stands, and then switches.
struct LinkEnds {
    std::int32_t from = 0;
    std::int32_t to = 0;
};

/// What a link is like, where a network says so itself; a model's alpha and beta hold everywhere else.
struct LinkQuality {
    engine::Picoseconds latency{};  ///< added to a message's startup for each such link it crosses
    engine::Rate beta{};            ///< time per byte through this link

    friend bool operator==(const LinkQuality&, const LinkQuality&) = default;
};

class Lines;

/// A network as arithmetic: nothing of size ranks x ranks is stored.
class Network {
public:
    virtual ~Network() = default;

    /// As --topology takes it: "full", "ring", "torus:4x4".
    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual std::int32_t ranks() const = 0;
    /// Ranks and free places: a free place forwards messages and neither sends nor receives any.
    [[nodiscard]] virtual std::int32_t places() const { return ranks(); }
    /// The place, as placements count, of a node below places().
    [[nodiscard]] virtual std::int32_t placeOf(std::int32_t node) const { return node; }
    /// Number of links; 0 for a network whose messages never share one (fully connected).
    [[nodiscard]] virtual std::int32_t links() const = 0;
    /// Appends the links from `from` to `to` in the order they are crossed; nothing when from == to.
    virtual void route(Rank from, Rank to, std::vector<LinkId>& out) const = 0;
    /// The network as lines of links (grid_link_loads.hpp), where every route is a run along at most one line per
    /// dimension; nothing elsewhere.
    [[nodiscard]] virtual std::shared_ptr<const Lines> lines() const { return nullptr; }
    [[nodiscard]] virtual LinkEnds ends(LinkId link) const = 0;
    /// What the link is like; nothing where the model decides.
    [[nodiscard]] virtual std::optional<LinkQuality> quality(LinkId) const { return std::nullopt; }
    /// The startup of a message between the two ranks in place of the model's; nothing where the model's holds. What
    /// its links add comes on top.
    [[nodiscard]] virtual std::optional<engine::Picoseconds> startup(Rank, Rank) const { return std::nullopt; }
    /// Whether messages go through the link one after another, so that their startups add up there, too.
    [[nodiscard]] virtual bool oneAtATime(LinkId) const { return false; }
    /// The least startup and time per byte of any message, if those of the model are `ofModel`.
    [[nodiscard]] virtual LinkQuality least(LinkQuality ofModel) const;
    /// Who are direct neighbours; `any` where that is everyone. No rank has any where switches stand between them.
    [[nodiscard]] virtual engine::Wiring wiring() const = 0;
    /// How its places are counted: row-major, the last length runs fastest and is one row, SMP node or leaf switch. The
    /// product is at least ranks(); placements work on it.
    [[nodiscard]] virtual std::vector<int> shape() const { return {ranks()}; }

    /// The row of shape() on which the rank stands: its SMP node or leaf switch.
    [[nodiscard]] virtual std::int32_t rowOf(Rank rank) const { return rank.value / shape().back(); }

    /// "3", "free place 12", "switch 1", ...: what the node is called.
    [[nodiscard]] virtual std::string nodeName(std::int32_t node) const;
    /// "3 -> 4".
    [[nodiscard]] std::string linkName(LinkId link) const;
};

using NetworkPtr = std::shared_ptr<const Network>;

/// In place of a number of ranks: as many as the network has places.
inline constexpr std::int32_t everyPlace = 0;

/// The row of every rank, where the network has several; else none.
std::vector<std::int32_t> nodesOf(const Network& network);

/// One kind of network: what `list topologies` shows and a user may ask for. One file under
/// emulation/networks/topologies defines `Topology topology()` in namespace emulation::kinds::of_<name>; the build
/// finds it.
struct Topology {
    std::string name;      ///< the word before the colon
    std::string usage;     ///< "torus:AxBxC"
    std::string meaning;   ///< one clause
    std::string spoken{};  ///< in a sentence: "a fully connected network"; empty: "a " and its name
    /// Builds it for `ranks` ranks, or, for everyPlace, with a rank on each place: null where `arguments`, which stand
    /// behind the colon, leave the number of places to the ranks. Throws Error.
    NetworkPtr (*make)(std::string_view arguments, std::int32_t ranks) = nullptr;
    /// One of this kind for `ranks` ranks, 1 or more, as a user would write it: what the window offers and every kind
    /// is tested on. Empty where no size fits; null where numbers are not enough to say one.
    std::string (*forRanks)(std::int32_t ranks) = nullptr;
    bool fewestLinks = true;  ///< whether no way has more links than it must
};

/// Every kind of network, sorted by name.
std::span<const Topology> topologies();

/// "ring", "torus:4x4", ... for `ranks` ranks; throws Error with the nearest name, or when sizes do not fit. Every kind
/// takes the last option "link=1us+0.8ns/B", the quality of its links where it does not say one itself, and a name with
/// " placement=..." behind it gives that placement (see rank_placement.hpp): names of networks can be read back. Behind
/// all other options, ",cores=6" puts several ranks on each place, with the options of a cluster behind it. For
/// everyPlace as Topology::make.
NetworkPtr makeNetwork(std::string_view specification, std::int32_t ranks);

}  // namespace emulation
