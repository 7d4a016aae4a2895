// SPDX-License-Identifier: BSD-3-Clause
// NVIDIA's DGX-1 with Volta GPUs: 8 GPUs with 6 NVLinks each of 25 GB/s each way, some pairs joined by two. The links
// are those of SCCL (Cai et al., PPoPP 2021, figure 1); NCCL knows them, too.
//
// Connection e is link 2e there and 2e+1 back; two NVLinks between a pair are one link of 50 GB/s. A message between
// GPUs that are not joined is passed on by others: the way of the fewest links, of these that with the lowest GPUs.
#include "emulation/networks/topology_arguments.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <array>

namespace emulation::kinds::of_dgx1 {
namespace {

constexpr std::int32_t gpus = 8;

struct Connection {
    std::int32_t low = 0;
    std::int32_t high = 0;
    int cables = 1;
};

constexpr std::array<Connection, 16> connections{{{0, 1, 2},
                                                  {0, 2, 1},
                                                  {0, 3, 1},
                                                  {0, 4, 2},
                                                  {1, 2, 1},
                                                  {1, 3, 2},
                                                  {1, 5, 1},
                                                  {2, 3, 2},
                                                  {2, 6, 2},
                                                  {3, 7, 1},
                                                  {4, 5, 2},
                                                  {4, 6, 1},
                                                  {4, 7, 1},
                                                  {5, 6, 1},
                                                  {5, 7, 2},
                                                  {6, 7, 2}}};

/// The link from one GPU to the other, or -1.
constexpr std::int32_t linkBetween(std::int32_t from, std::int32_t to) {
    for (std::size_t e = 0; e < connections.size(); ++e) {
        if (connections[e].low == from && connections[e].high == to) return 2 * static_cast<std::int32_t>(e);
        if (connections[e].low == to && connections[e].high == from) return 2 * static_cast<std::int32_t>(e) + 1;
    }
    return -1;
}

class Dgx1 final : public Network {
public:
    [[nodiscard]] std::string name() const override { return "dgx1"; }
    [[nodiscard]] std::int32_t ranks() const override { return gpus; }
    [[nodiscard]] std::int32_t links() const override { return 2 * static_cast<std::int32_t>(connections.size()); }

    /// No two GPUs are farther apart than two links.
    void route(Rank from, Rank to, std::vector<LinkId>& out) const override {
        if (from == to) return;
        if (const std::int32_t link = linkBetween(from.value, to.value); link >= 0) {
            out.push_back(LinkId{link});
            return;
        }
        std::int32_t between = 0;
        while (linkBetween(from.value, between) < 0 || linkBetween(between, to.value) < 0) ++between;
        out.push_back(LinkId{linkBetween(from.value, between)});
        out.push_back(LinkId{linkBetween(between, to.value)});
    }

    [[nodiscard]] LinkEnds ends(LinkId link) const override {
        const Connection& connection = connections[link.index() / 2];
        if (link.value % 2 == 0) return {connection.low, connection.high};
        return {connection.high, connection.low};
    }
    [[nodiscard]] std::optional<LinkQuality> quality(LinkId link) const override {
        return LinkQuality{{}, engine::Rate{40'000 / connections[link.index() / 2].cables}};
    }
    [[nodiscard]] engine::Wiring wiring() const override {
        return engine::Wiring::named("dgx1", [](Rank a, Rank b) { return linkBetween(a.value, b.value) >= 0; });
    }
};

NetworkPtr make(std::string_view words, std::int32_t ranks) {
    (void)readArguments("dgx1", words, 0, "dgx1");
    (void)requirePlaces(engine::text(engine::field::topology, " dgx1"), gpus, ranks, Fill::exactly, "");
    return std::make_shared<const Dgx1>();
}

}  // namespace

Topology topology() {
    return {.name = "dgx1",
            .usage = "dgx1",
            .meaning = "the 8 GPUs of an NVIDIA DGX-1 (V100), joined by NVLinks of 25 GB/s, some of them double",
            .spoken = "a DGX-1",
            .make = make,
            .forRanks = [](std::int32_t ranks) { return ranks == gpus ? std::string{"dgx1"} : std::string{}; }};
}

}  // namespace emulation::kinds::of_dgx1
