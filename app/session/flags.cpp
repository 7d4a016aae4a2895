// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/flags.hpp"

#include "engine/text.hpp"

namespace app {

using engine::text;

std::string flagsOf(const ProblemWish& problem) {
    const ProblemWish usual;
    std::string flags;
    if (problem.ranks) flags += text(" -n ", *problem.ranks);
    if (problem.groupA) flags += text(" -p ", *problem.groupA);
    if (problem.groupB) flags += text(" -q ", *problem.groupB);
    flags += text(" --size ", problem.size);
    if (problem.sizeB) flags += text(" --size-b ", *problem.sizeB);
    if (problem.sizes != usual.sizes) flags += " --sizes " + problem.sizes;
    if (problem.root != usual.root) flags += text(" --root ", problem.root);
    if (problem.operation != usual.operation) flags += text(" --op ", name(problem.operation));
    if (problem.element != usual.element) flags += text(" --type ", name(problem.element));
    if (problem.ports != usual.ports) flags += text(" --ports ", problem.ports);
    return flags;
}

std::string flagsOf(const NetworkWish& network) {
    std::string flags;
    if (!network.topology.empty()) flags += " --topology " + network.topology;
    if (!network.placement.empty()) flags += " --placement " + network.placement;
    if (network.neighboursOnly) flags += " --neighbours-only";
    return flags;
}

std::string flagsOf(const std::map<std::string, std::string>& options) {
    std::string flags;
    for (const auto& [key, value] : options) flags += text(" --set ", key, "=", value);
    return flags;
}

}  // namespace app
