// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/flow_schedule.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace engine::schedules {

Stored storedFrom(std::vector<Flow> flows, const Problem& problem, std::int64_t chunks, std::string_view file) {
    std::sort(flows.begin(), flows.end());
    flows.erase(std::unique(flows.begin(), flows.end()), flows.end());
    Stored stored{.problem = problem, .chunks = chunks};
    Facts& facts = stored.facts;
    facts.ranks = problem.ranks();
    std::map<std::int64_t, std::int64_t> rounds;
    for (const Flow& flow : flows) rounds.emplace(flow.time, 0);
    for (auto& [time, round] : rounds) round = facts.rounds++;
    requireTurns(facts, file);
    std::map<std::tuple<std::int64_t, std::int32_t, bool>, int> ports;
    std::set<std::pair<std::int32_t, std::int64_t>> received;
    bool repeats = false;
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const Flow& flow = flows[i];
        const std::int64_t round = rounds[flow.time];
        const bool another =
            i == 0 || flows[i - 1].time != flow.time || flows[i - 1].from != flow.from || flows[i - 1].to != flow.to;
        if (another) {
            stored.messages.push_back({.round = Round{round},
                                       .from = Rank{flow.from},
                                       .to = Rank{flow.to},
                                       .firstRange = stored.ranges.size()});
            facts.ports = std::max({facts.ports, ++ports[{round, flow.from, true}], ++ports[{round, flow.to, false}]});
        }
        StoredMessage& message = stored.messages.back();
        message.bytes += flowBytes;
        repeats = !received.emplace(flow.to, flow.chunk).second || repeats;
        const Range range{flow.chunk * flowBytes, (flow.chunk + 1) * flowBytes};
        if (message.rangeCount > 0 && stored.ranges.back().end == range.begin) {
            stored.ranges.back().end = range.end;
        } else {
            stored.ranges.push_back(range);
            ++message.rangeCount;
        }
    }
    if (repeats) facts.repeats = "the file sends some chunks twice to one rank";
    stored.problem.ports = facts.ports;
    return stored;
}

}  // namespace engine::schedules
