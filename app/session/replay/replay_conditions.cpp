// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/replay_conditions.hpp"

#include "app/analysis/replay/recorded_program.hpp"
#include "app/analysis/schedule/logical_rounds.hpp"
#include "app/session/options/run_options.hpp"
#include "emulation/networks/rank_placement.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

namespace app {
namespace {

using namespace traces::own::replayed;

constexpr std::string_view byByte = "byte";
constexpr std::string_view byMessage = "message";

}  // namespace

std::string_view nameOf(emulation::InPorts way) { return way == emulation::InPorts::byByte ? byByte : byMessage; }

emulation::InPorts inPortsNamed(const std::string& words) {
    return fields::chosen(words, engine::text(engine::Field{"in-ports"}),
                          {std::string{byMessage}, std::string{byByte}}) == byByte
               ? emulation::InPorts::byByte
               : emulation::InPorts::byMessage;
}

emulation::InPorts inPortsOf(const traces::Recording& recording) {
    const auto found = recording.properties.find(inPorts);
    return found != recording.properties.end() && found->second == byByte ? emulation::InPorts::byByte
                                                                          : emulation::InPorts::byMessage;
}

std::map<std::string, std::string> replayProperties(const RunWish& wish, const std::string& network,
                                                    emulation::InPorts way) {
    std::map<std::string, std::string> properties{{model, engine::toText(wish.model)},
                                                  {topology, network},
                                                  {sharing, toText(wish.sharing, wish.protocol)},
                                                  {ports, std::to_string(wish.problem.ports)}};
    if (const std::string words = toText(wish.perturbation); !words.empty()) properties.emplace(unevenness, words);
    if (way == emulation::InPorts::byByte) properties.emplace(inPorts, byByte);
    return properties;
}

bool takeReplayProperties(const traces::Recording& recording, RunWish& wish) {
    const auto word = [&](const char* name) {
        const auto found = recording.properties.find(name);
        return found == recording.properties.end() ? std::string{} : found->second;
    };
    if (word(model).empty()) return false;
    wish.model = engine::modelFromText(word(model));
    const std::string name = word(topology);
    const auto [network, placement] = emulation::placedNameFrom(name);
    if (!network.empty()) wish.network.topology = network;
    wish.network.placement = placement;
    const auto shared = emulation::sharingFromText(word(sharing));
    wish.sharing = shared.sharing;
    wish.protocol = shared.protocol;
    if (!word(ports).empty())
        wish.problem.ports = static_cast<int>(engine::readInteger(word(ports), ports, 0, 1'000'000));
    if (!word(unevenness).empty()) wish.perturbation = emulation::perturbationFromText(word(unevenness));
    return true;
}

emulation::NetworkPtr networkOf(const NetworkWish& wish, std::int32_t ranks) {
    return emulation::makeNetwork(
        emulation::toText({wish.topology.empty() ? "full" : std::string_view{wish.topology}, wish.placement}), ranks);
}

void shareLinks(emulation::Program& program, const traces::BusyEnds& ends) {
    program.messages.together.clear();
    for (const engine::Round round :
         analysis::inLogicalRounds(ends, static_cast<std::int32_t>(program.ranks.size())).rounds)
        program.messages.together.push_back(round.value);
}

analysis::ComputationOf unslowedOwnTime(const traces::Recording& recording) {
    RunWish wish;
    if (!takeReplayProperties(recording, wish) || wish.perturbation.slowRanks.empty()) return {};
    std::vector<engine::Picoseconds> setUp;
    for (engine::Rank rank{0}; rank.value < recording.ranks; ++rank)
        setUp.push_back(analysis::setUpEnd(recording, rank));
    return [factors = emulation::slowness(wish.perturbation.slowRanks, recording.ranks), setUp = std::move(setUp)](
               engine::Rank rank, engine::Picoseconds from, engine::Picoseconds to) {
        // MPI_Init took as long as before.
        const engine::Picoseconds initialising =
            std::max(engine::Picoseconds{}, std::min(to, setUp[rank.index()]) - from);
        from += initialising;
        // The nearest time that the factor, 1 or more, makes this one of: there is no other.
        const __int128 thousandths = factors[rank].thousandths;
        const __int128 time = (to - from).count();
        return initialising +
               engine::Picoseconds{static_cast<std::int64_t>((2000 * time + thousandths) / (2 * thousandths))};
    };
}

}  // namespace app
