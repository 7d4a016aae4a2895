// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/replay_rules.hpp"

#include "app/session/replay/rule_words.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <map>
#include <utility>

namespace app {

using engine::Bytes;
using engine::Error;
using engine::text;

namespace {

constexpr std::string_view nativeWay = "native";

/// Operation and kind of communicator, as rules name them.
using CallWords = std::string;
/// By ranks and bytes: what the call is to run by.
using Wishes = std::map<std::int32_t, std::map<Bytes, std::string>>;

/// "allreduce/ring:segments=4"; whether a scan is exclusive says the call.
std::string wayOf(const engine::Plan& plan) {
    std::map<std::string, std::string> options = plan.options.given();
    if (plan.problem.collective == engine::Collective::scan) options.erase("exclusive");
    return wayInRules(plan.algorithm->id, options, plan);
}

/// Of one that rules have a word for.
CallWords callOf(const analysis::RecordedCollective& collective) {
    return text(engine::live::name(*calledAs(collective)), isBetweenGroups(*collective.problem) ? " inter" : " intra");
}

/// From the first to the last of consecutive sizes that occur with one way; the library keeps all other calls.
void write(const CallWords& call, std::int32_t ranks, const std::map<Bytes, std::string>& byBytes, std::string& rules) {
    for (auto first = byBytes.begin(); first != byBytes.end();) {
        auto behind = first;
        Bytes last = first->first;
        for (; behind != byBytes.end() && behind->second == first->second; ++behind) last = behind->first;
        if (first->second != nativeWay)
            rules += text(call, ' ', ranks, ' ', first->first, "..", last, ' ', first->second, '\n');
        first = behind;
    }
}

}  // namespace

std::string rulesOf(const std::vector<analysis::RecordedCollective>& collectives,
                    const std::vector<CollectiveWay>& ways) {
    std::map<CallWords, Wishes> all;
    for (std::size_t i = 0; i < collectives.size(); ++i) {
        const analysis::RecordedCollective& collective = collectives[i];
        if (!collective.problem || !calledAs(collective)) continue;
        const std::string way = ways[i].isChosen() ? wayOf(*ways[i].plan) : std::string{nativeWay};
        const std::int32_t ranks = collective.problem->ranks();
        const Bytes bytes = bytesInRules(*collective.problem);
        const auto [known, isNew] = all[callOf(collective)][ranks].try_emplace(bytes, way);
        if (!isNew && known->second != way)
            throw Error{text("rules distinguish calls only by operation, ranks and bytes, but ", collective.operation,
                             " of ", ranks, " ranks and ", engine::showBytes(bytes), " is to run by ", known->second,
                             " and by ", way)};
    }
    std::string rules;
    for (const auto& [call, wishes] : all)
        for (const auto& [ranks, byBytes] : wishes) write(call, ranks, byBytes, rules);
    (void)engine::live::rulesFromText(rules, "the rules of the check");
    return rules;
}

}  // namespace app
