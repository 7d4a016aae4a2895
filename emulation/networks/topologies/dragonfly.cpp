// SPDX-License-Identifier: BSD-3-Clause
// Groups of routers, every pair of groups joined by one link (Kim et al. 2008; routers in rows: Faanes et al. 2012).
//
// dragonfly:G,CxB,H: G groups of C chassis of B routers with H hosts each. The routers of a chassis are linked all to
// all, and so are the routers at the same place of all chassis of a group. dragonfly:G,R,H has one chassis.
// The link from group i to group j leaves from router (j < i ? j : j - 1) mod CxB, so that all carry equally many.
// Minimal routing: to the router with the link, across, to the router of the destination; within a group first within
// the chassis, then between chassis.
//
// routing=simgrid is SimGrid 3.32's, for comparisons: the link from group i to j is at router j, and after a hop within
// a chassis the message goes on as if it were in chassis 0. Such a route may leave out a hop between chassis or have
// one too many, and is then no connected way.
#include "emulation/networks/topology_arguments.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

namespace emulation::kinds::of_dragonfly {
namespace {

struct Sizes {
    std::int32_t groups = 1;
    std::int32_t chassis = 1;
    std::int32_t routers = 1;  ///< of a chassis
    std::int32_t hosts = 1;    ///< of a router

    [[nodiscard]] std::int32_t inGroup() const { return chassis * routers; }
};

enum class Rule : std::uint8_t { minimal, simgrid };

/// Index of `peer` among those that are not `self`, and back.
std::int32_t indexOf(std::int32_t self, std::int32_t peer) { return peer < self ? peer : peer - 1; }
std::int32_t peerAt(std::int32_t self, std::int32_t index) { return index < self ? index : index + 1; }

class Dragonfly final : public Network {
public:
    Dragonfly(std::string name, Sizes sizes, Rule rule, std::int32_t ranks)
        : name_{std::move(name)}, sizes_{sizes}, rule_{rule}, ranks_{ranks} {
        const __int128 routers = static_cast<__int128>(sizes.groups) * sizes.inGroup();
        const __int128 inChassis = static_cast<__int128>(2) * ranks;
        const __int128 betweenChassis = inChassis + routers * (sizes.routers - 1);
        const __int128 betweenGroups = betweenChassis + routers * (sizes.chassis - 1);
        const __int128 links = betweenGroups + static_cast<__int128>(sizes.groups) * (sizes.groups - 1);
        requireLinks(engine::text(engine::field::topology, " ", name_), links);
        inChassis_ = static_cast<std::int32_t>(inChassis);
        betweenChassis_ = static_cast<std::int32_t>(betweenChassis);
        betweenGroups_ = static_cast<std::int32_t>(betweenGroups);
        links_ = static_cast<std::int32_t>(links);
    }

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::int32_t ranks() const override { return ranks_; }
    [[nodiscard]] std::int32_t links() const override { return links_; }

    /// Links 2r and 2r+1 lead from and to rank r; then those in a chassis, between chassis, between groups.
    void route(Rank from, Rank to, std::vector<LinkId>& out) const override {
        if (from == to) return;
        out.push_back(LinkId{2 * from.value});
        std::int32_t at = from.value / sizes_.hosts;
        const std::int32_t goal = to.value / sizes_.hosts;
        const std::int32_t here = at / sizes_.inGroup();
        const std::int32_t there = goal / sizes_.inGroup();
        if (here != there) {
            walk(at, gate(here, there), Rule::minimal, out);
            out.push_back(LinkId{betweenGroups_ + here * (sizes_.groups - 1) + indexOf(here, there)});
            at = gate(there, here);
        }
        walk(at, goal, rule_, out);
        out.push_back(LinkId{2 * to.value + 1});
    }

    [[nodiscard]] LinkEnds ends(LinkId link) const override {
        if (link.value < inChassis_) {
            const std::int32_t rank = link.value / 2;
            const std::int32_t router = ranks_ + rank / sizes_.hosts;
            return link.value % 2 == 0 ? LinkEnds{rank, router} : LinkEnds{router, rank};
        }
        if (link.value < betweenChassis_) {
            const std::int32_t peers = sizes_.routers - 1;
            const std::int32_t router = (link.value - inChassis_) / peers;
            const std::int32_t place = router % sizes_.routers;
            const std::int32_t peer = peerAt(place, (link.value - inChassis_) % peers);
            return {ranks_ + router, ranks_ + router - place + peer};
        }
        if (link.value < betweenGroups_) {
            const std::int32_t peers = sizes_.chassis - 1;
            const std::int32_t router = (link.value - betweenChassis_) / peers;
            const std::int32_t chassis = router / sizes_.routers % sizes_.chassis;
            const std::int32_t peer = peerAt(chassis, (link.value - betweenChassis_) % peers);
            return {ranks_ + router, ranks_ + router + (peer - chassis) * sizes_.routers};
        }
        const std::int32_t here = (link.value - betweenGroups_) / (sizes_.groups - 1);
        const std::int32_t there = peerAt(here, (link.value - betweenGroups_) % (sizes_.groups - 1));
        return {ranks_ + gate(here, there), ranks_ + gate(there, here)};
    }

    [[nodiscard]] engine::Wiring wiring() const override {
        return engine::Wiring::named(name_, [](Rank, Rank) { return false; });
    }
    [[nodiscard]] std::vector<int> shape() const override { return {sizes_.groups, sizes_.inGroup(), sizes_.hosts}; }

private:
    /// The router of group `here` that has the link to group `there`.
    [[nodiscard]] std::int32_t gate(std::int32_t here, std::int32_t there) const {
        return here * sizes_.inGroup() + (rule_ == Rule::simgrid ? there : indexOf(here, there) % sizes_.inGroup());
    }

    /// From router to router of one group.
    void walk(std::int32_t at, std::int32_t goal, Rule rule, std::vector<LinkId>& out) const {
        const std::int32_t place = at % sizes_.routers;
        const std::int32_t placeThere = goal % sizes_.routers;
        if (place != placeThere) {
            out.push_back(LinkId{inChassis_ + at * (sizes_.routers - 1) + indexOf(place, placeThere)});
            at = rule == Rule::simgrid ? goal - goal % sizes_.inGroup() + placeThere : at - place + placeThere;
        }
        const std::int32_t chassis = at / sizes_.routers % sizes_.chassis;
        const std::int32_t chassisThere = goal / sizes_.routers % sizes_.chassis;
        if (chassis != chassisThere && at != goal)
            out.push_back(LinkId{betweenChassis_ + at * (sizes_.chassis - 1) + indexOf(chassis, chassisThere)});
    }

    std::string name_;
    Sizes sizes_;
    Rule rule_;
    std::int32_t ranks_;
    std::int32_t inChassis_ = 0;  // first link of each class
    std::int32_t betweenChassis_ = 0;
    std::int32_t betweenGroups_ = 0;
    std::int32_t links_ = 0;
};

NetworkPtr make(std::string_view words, std::int32_t ranks) {
    const Arguments arguments = readArguments("dragonfly", words, 3, "dragonfly:9,4,2", {"routing"});
    const std::vector<int> group =
        engine::readDimensions(arguments.sizes[1], engine::text(engine::field::topology, " dragonfly: routers"));
    if (group.size() > 2) throw engine::Error{arguments.where + ": a group is R routers or CxB routers in C chassis"};
    const Sizes sizes{.groups = arguments.number(arguments.sizes[0]),
                      .chassis = group.size() == 2 ? group[0] : 1,
                      .routers = group.back(),
                      .hosts = arguments.number(arguments.sizes[2])};
    const std::string routers = engine::showDimensions(group);
    std::string name = engine::text("dragonfly:", sizes.groups, ",", routers, ",", sizes.hosts);
    Rule rule = Rule::minimal;
    if (const auto routing = arguments.option("routing")) {
        if (*routing != "minimal" && *routing != "simgrid")
            throw engine::Error{
                engine::text(arguments.where, ": routing=", *routing, " is not known; it is minimal or simgrid")};
        if (*routing == "simgrid") {
            rule = Rule::simgrid;
            name += ",routing=simgrid";
        }
        if (rule == Rule::simgrid && sizes.groups > sizes.routers)
            throw engine::Error{engine::text(arguments.where, ": SimGrid joins at most as many groups as a chassis ",
                                             "has routers; give at least ", sizes.groups, " routers")};
    }
    const __int128 inGroup = static_cast<__int128>(sizes.inGroup()) * sizes.hosts;
    requireLinks(engine::text(engine::field::topology, " ", name), inGroup * sizes.groups);
    const auto places = static_cast<std::int64_t>(inGroup) * sizes.groups;
    ranks = requirePlaces(engine::text(engine::field::topology, " ", name), places, ranks, Fill::atMost,
                          engine::text("dragonfly:", (ranks - 1) / static_cast<std::int64_t>(inGroup) + 1, ",", routers,
                                       ",", sizes.hosts));
    return std::make_shared<const Dragonfly>(std::move(name), sizes, rule, ranks);
}

std::string forRanks(std::int32_t ranks) {
    const std::vector<int> lengths = balanced(ranks, 3);
    return engine::text("dragonfly:", lengths[0], ',', lengths[1], ',', lengths[2]);
}

}  // namespace

Topology topology() {
    return {.name = "dragonfly",
            .usage = "dragonfly:GROUPS,ROUTERS,HOSTS",
            .meaning = "groups of routers linked all to all, one link for every pair of groups; minimal routing",
            .make = make,
            .forRanks = forRanks,
            .fewestLinks = false};
}

}  // namespace emulation::kinds::of_dragonfly
