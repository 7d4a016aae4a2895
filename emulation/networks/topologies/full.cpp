// SPDX-License-Identifier: BSD-3-Clause
// Every pair of ranks has a way of its own: messages never meet.
#include "emulation/networks/topology_arguments.hpp"

namespace emulation::kinds::of_full {
namespace {

class Full final : public Network {
public:
    explicit Full(std::int32_t ranks) : ranks_{ranks} {}

    [[nodiscard]] std::string name() const override { return "full"; }
    [[nodiscard]] std::int32_t ranks() const override { return ranks_; }
    [[nodiscard]] std::int32_t links() const override { return 0; }
    void route(Rank, Rank, std::vector<LinkId>&) const override {}
    [[nodiscard]] LinkEnds ends(LinkId) const override { return {}; }
    [[nodiscard]] engine::Wiring wiring() const override { return engine::Wiring::any(); }

private:
    std::int32_t ranks_;
};

NetworkPtr make(std::string_view arguments, std::int32_t ranks) {
    (void)readArguments("full", arguments, 0, "full");
    if (ranks == everyPlace) return nullptr;
    return std::make_shared<const Full>(ranks);
}

}  // namespace

Topology topology() {
    return {.name = "full",
            .usage = "full",
            .meaning = "fully connected: no two messages share a link, so that links are not modelled",
            .spoken = "a fully connected network",
            .make = make,
            .forRanks = [](std::int32_t) { return std::string{"full"}; }};
}

}  // namespace emulation::kinds::of_full
