// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/claims.hpp"

#include "app/cli/json.hpp"
#include "app/cli/verbs.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace app::cli {
namespace {

using engine::text;

constexpr std::array<Claim, 18> all{{
    {"hasanov2014", "fig. 3: 512 KiB, 2048 ranks, 32 groups", "1.87", 1.86,
     "bcast/scatter-ring-allgather -n 2048 --size 512KiB --model bgp --progress lockstep",
     "bcast/scatter-ring-allgather -n 2048 --size 512KiB --model bgp --progress lockstep --set groups=32"},
    {"hasanov2014", "fig. 5: 512 KiB, 5000 ranks, 50 groups", "3.67", 3.69,
     "bcast/scatter-ring-allgather -n 5000 --size 512KiB --model bgp --progress lockstep",
     "bcast/scatter-ring-allgather -n 5000 --size 512KiB --model bgp --progress lockstep --set groups=50"},
    {"hasanov2014", "fig. 4: 2 MiB, 2048 ranks, 32 groups", "a loss", 0.87,
     "bcast/scatter-ring-allgather -n 2048 --size 2MiB --model bgp --progress lockstep",
     "bcast/scatter-ring-allgather -n 2048 --size 2MiB --model bgp --progress lockstep --set groups=32"},
    {"hasanov2014", "fig. 6: 2 MiB, 5000 ranks, 50 groups", "a gain", 1.37,
     "bcast/scatter-ring-allgather -n 5000 --size 2MiB --model bgp --progress lockstep",
     "bcast/scatter-ring-allgather -n 5000 --size 2MiB --model bgp --progress lockstep --set groups=50"},
    {"traff2010", "fig. 4: broadcast, 32 MiB, 30 ranks, B = 1 MiB", "about 15", 15.47,
     "allgatherv/linear-ring -n 30 --sizes broadcast --size 32MiB --model bytes-only",
     "allgatherv/pipelined-ring -n 30 --sizes broadcast --size 32MiB --model bytes-only --set block=1MiB"},
    {"traff2010", "fig. 4: spike, 32 MiB, 30 ranks, B = 1 MiB", "about 10", 10.55,
     "allgatherv/linear-ring -n 30 --sizes spike --size 32MiB --model bytes-only",
     "allgatherv/pipelined-ring -n 30 --sizes spike --size 32MiB --model bytes-only --set block=1MiB"},
    {"kang2019", "setting 1: p = q, equal sizes; Algorithm 1", "7", 6.97,
     "intergroup-allgatherv/root-gathering-production -p 32 -q 32 --size 1MiB --model bytes-only",
     "intergroup-allgatherv/segmented -p 32 -q 32 --size 1MiB --model bytes-only --set pad=yes", true},
    {"kang2019", "setting 2: 25 : 7, equal sizes; Algorithm 1", "4.84", 4.30,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 1MiB --model bytes-only",
     "intergroup-allgatherv/segmented -p 50 -q 14 --size 1MiB --model bytes-only --set pad=yes", true},
    {"kang2019", "the same; Algorithm 2", "4.84", 4.82,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 1MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 50 -q 14 --size 1MiB --model bytes-only", true},
    {"kang2019", "setting 3: 25 : 7, kA = 4 kB; Algorithm 1", "4.21", 3.74,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 4MiB --size-b 1MiB --model bytes-only",
     "intergroup-allgatherv/segmented -p 50 -q 14 --size 4MiB --size-b 1MiB --model bytes-only --set pad=yes", true},
    {"kang2019", "the same; Algorithm 2", "4.21", 4.19,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 4MiB --size-b 1MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 50 -q 14 --size 4MiB --size-b 1MiB --model bytes-only", true},
    {"kang2019", "setting 4: 25 : 7, kB = 4 kA; Algorithm 1", "6.68", 5.26,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 1MiB --size-b 4MiB --model bytes-only",
     "intergroup-allgatherv/segmented -p 50 -q 14 --size 1MiB --size-b 4MiB --model bytes-only --set pad=yes", true},
    {"kang2019", "the same; Algorithm 2", "6.68", 6.28,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 1MiB --size-b 4MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 50 -q 14 --size 1MiB --size-b 4MiB --model bytes-only", true},
    {"kang2019", "setting 5, as 1; Algorithm 2", "7", 6.97,
     "intergroup-allgatherv/root-gathering-production -p 32 -q 32 --size 1MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 32 -q 32 --size 1MiB --model bytes-only", true},
    {"kang2019", "setting 6: p = q, arithmetic sizes; Algorithm 2", "7", 6.75,
     "intergroup-allgatherv/root-gathering-production -p 32 -q 32 --sizes linear --size 1MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 32 -q 32 --sizes linear --size 1MiB --model bytes-only", true},
    {"kang2019", "setting 7, as 2; Algorithm 2", "4.84", 4.82,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 1MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 50 -q 14 --size 1MiB --model bytes-only", true},
    {"kang2019", "setting 8: 25 : 7, arithmetic sizes; Algorithm 2", "4.84", 4.82,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --sizes linear --size 1MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 50 -q 14 --sizes linear --size 1MiB --model bytes-only", true},
    {"kang-half-duplex", "V.B: p = q on the ring; 4/3 is right", "1.5", 1.328,
     "halfduplex-allgather/ring-intragroup -p 128 -q 128 --size 1MiB --model bytes-only",
     "halfduplex-allgather/ring-streams -p 128 -q 128 --size 1MiB --model bytes-only"},
}};

/// The run that `words` ask for.
RunWish wishOf(std::string_view words) {
    RunWish wish = specified(std::string{words}).run;
    wish.budget = 0;
    return wish;
}

engine::Picoseconds timeOf(const RunWish& wish) {
    const engine::Plan plan = makePlan(wish);
    return emulation::makespan(plan, *networkFor(plan, networkOf(wish)), conditionsOf(wish));
}

/// kang2019, equation (2), in bytes: gather, both roots' messages, and 2 p kA + 2 q kB for the two broadcasts.
double equationTwo(const engine::Problem& problem) {
    const auto of = [&](std::int32_t first, std::int32_t count) {
        return static_cast<double>(problem.layout.blocks(first, count).size());
    };
    const double a = of(0, problem.groupA);
    const double b = of(problem.groupA, problem.groupB);
    return std::max(a - a / problem.groupA, b - b / problem.groupB) + 3 * (a + b);
}

std::string twoDigits(double number) { return engine::showNumber(std::round(number * 100) / 100, 4); }

Json claimJson(const Claim& claim, const Gain& gain) {
    return {{"paper", claim.paper},
            {"claim", claim.place},
            {"in_print", claim.print},
            {"expected", claim.expected},
            {"equation_over_run", gain.equation ? Json(*gain.equation) : Json{}},
            {"run_over_run", gain.runs},
            {"holds", holds(claim, gain)},
            {"commands", {text("collscope run ", claim.slow), text("collscope run ", claim.fast)}}};
}

}  // namespace

std::span<const Claim> claims() { return all; }

Gain gainOf(const Claim& claim) {
    const RunWish fast = wishOf(claim.fast);
    const engine::Picoseconds fastTime = timeOf(fast);
    Gain gain{.runs = engine::seconds(timeOf(wishOf(claim.slow))) / engine::seconds(fastTime), .equation = {}};
    if (claim.byEquation)
        gain.equation = equationTwo(makePlan(fast).problem) * static_cast<double>(fast.model.beta.femtosecondsPerByte) /
                        1000 / static_cast<double>(fastTime.count());
    return gain;
}

bool holds(const Claim& claim, const Gain& gain) {
    // The equations of kang2019 add up the stages of both groups; in a run ranks of one group wait for the other's.
    const double off = claim.byEquation ? 0.03 : 0.01;
    return std::abs(gain.compared() - claim.expected) <= off * claim.expected;
}

int checkClaims(const Arguments& arguments, const Console& console) {
    const auto& words = wordsOf(arguments, 0, 1, "claims [PAPER]");
    std::vector<std::string> names;
    for (const Claim& claim : claims())
        if (names.empty() || names.back() != claim.paper) names.emplace_back(claim.paper);
    const std::string paper = words.empty() ? "" : choice(words[0], "claims", names, {});
    const bool json = chosenFormat(arguments, {"text", "json"}) == "json";
    Json found = Json::array();
    Table table{{Align::left, Align::left, Align::right, Align::right, Align::right, Align::left}};
    table.row({"paper", "claim", "in print", "expected", "here", ""});
    std::string commands;
    bool allHold = true;
    {
        ProgressLine line{console, "running"};
        double finished = 0;
        for (const Claim& claim : claims()) {
            line.progress().at(finished++ / static_cast<double>(claims().size()));
            if (!paper.empty() && claim.paper != paper) continue;
            const Gain gain = gainOf(claim);
            const bool good = holds(claim, gain);
            allHold = allHold && good;
            found.push_back(claimJson(claim, gain));
            table.row({std::string{claim.paper}, std::string{claim.place}, std::string{claim.print},
                       twoDigits(claim.expected), twoDigits(gain.compared()),
                       good ? console.paint(Tone::good, "holds") : console.paint(Tone::bad, "does not hold")});
            commands += text("\n", claim.place, ": ", twoDigits(gain.runs), "\n  collscope run ", claim.slow,
                             "\n  collscope run ", claim.fast, "\n");
        }
    }
    if (json) {
        console.out << found.dump(2, ' ', false, lenient) << '\n';
    } else {
        table.write(console.out);
        if (!paper.empty()) console.out << "\nThe runs, and the first one's time over the second's:\n" << commands;
        if (paper == "kang2019")
            console.out
                << "\nThe table has the paper's equation (2) above the line, which counts 2 p kA + 2 q kB for the\n"
                   "broadcasts where the schedule takes 2 (1 - 1/q) p kA + 2 (1 - 1/p) q kB.\n";
    }
    return allHold ? done : checkFailed;
}

}  // namespace app::cli
