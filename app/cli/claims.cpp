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
    {"traff2010", "section 3.1: linear ring, broadcast over spike, 32 MiB", "twice", 2.00,
     "allgatherv/linear-ring -n 30 --sizes broadcast --size 32MiB --model bytes-only",
     "allgatherv/linear-ring -n 30 --sizes spike --size 32MiB --model bytes-only"},
    {"kang2019", "setting 1: p = q, equal sizes; Algorithm 1", "7", 6.84,
     "intergroup-allgatherv/root-gathering-production -p 32 -q 32 --size 1MiB --model bytes-only",
     "intergroup-allgatherv/segmented -p 32 -q 32 --size 1MiB --model bytes-only --set pad=yes"},
    {"kang2019", "setting 2: 25 : 7, equal sizes; Algorithm 1", "4.84", 4.17,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 1MiB --model bytes-only",
     "intergroup-allgatherv/segmented -p 50 -q 14 --size 1MiB --model bytes-only --set pad=yes"},
    {"kang2019", "the same; Algorithm 2", "4.84", 4.67,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 1MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 50 -q 14 --size 1MiB --model bytes-only"},
    {"kang2019", "setting 3: 25 : 7, kA = 4 kB; Algorithm 1", "4.21", 3.61,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 4MiB --size-b 1MiB --model bytes-only",
     "intergroup-allgatherv/segmented -p 50 -q 14 --size 4MiB --size-b 1MiB --model bytes-only --set pad=yes"},
    {"kang2019", "the same; Algorithm 2", "4.21", 4.04,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 4MiB --size-b 1MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 50 -q 14 --size 4MiB --size-b 1MiB --model bytes-only"},
    {"kang2019", "setting 4: 25 : 7, kB = 4 kA; Algorithm 1", "6.68", 5.20,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 1MiB --size-b 4MiB --model bytes-only",
     "intergroup-allgatherv/segmented -p 50 -q 14 --size 1MiB --size-b 4MiB --model bytes-only --set pad=yes"},
    {"kang2019", "the same; Algorithm 2", "6.68", 6.12,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 1MiB --size-b 4MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 50 -q 14 --size 1MiB --size-b 4MiB --model bytes-only"},
    {"kang2019", "setting 5, as 1; Algorithm 2", "7", 6.84,
     "intergroup-allgatherv/root-gathering-production -p 32 -q 32 --size 1MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 32 -q 32 --size 1MiB --model bytes-only"},
    {"kang2019", "setting 6: p = q, arithmetic sizes; Algorithm 2", "7", 6.64,
     "intergroup-allgatherv/root-gathering-production -p 32 -q 32 --sizes linear --size 1MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 32 -q 32 --sizes linear --size 1MiB --model bytes-only"},
    {"kang2019", "setting 7, as 2; Algorithm 2", "4.84", 4.67,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --size 1MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 50 -q 14 --size 1MiB --model bytes-only"},
    {"kang2019", "setting 8: 25 : 7, arithmetic sizes; Algorithm 2", "4.84", 4.67,
     "intergroup-allgatherv/root-gathering-production -p 50 -q 14 --sizes linear --size 1MiB --model bytes-only",
     "intergroup-allgatherv/balanced -p 50 -q 14 --sizes linear --size 1MiB --model bytes-only"},
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
    return emulation::makespan(plan, *networkFor(plan, wish.network), conditionsOf(wish));
}

std::string twoDigits(double number) { return engine::showNumber(std::round(number * 100) / 100, 4); }

Json claimJson(const Claim& claim, double gain) {
    return {{"paper", claim.paper},
            {"claim", claim.place},
            {"in_print", claim.print},
            {"expected", claim.expected},
            {"run_over_run", gain},
            {"holds", holds(claim, gain)},
            {"commands", {text("collscope run ", claim.slow), text("collscope run ", claim.fast)}}};
}

}  // namespace

std::span<const Claim> claims() { return all; }

double gainOf(const Claim& claim) {
    return engine::seconds(timeOf(wishOf(claim.slow))) / engine::seconds(timeOf(wishOf(claim.fast)));
}

bool holds(const Claim& claim, double gain) { return std::abs(gain - claim.expected) <= 0.01 * claim.expected; }

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
            const double gain = gainOf(claim);
            const bool good = holds(claim, gain);
            allHold = allHold && good;
            found.push_back(claimJson(claim, gain));
            table.row({std::string{claim.paper}, std::string{claim.place}, std::string{claim.print},
                       twoDigits(claim.expected), twoDigits(gain),
                       good ? console.paint(Tone::good, "holds") : console.paint(Tone::bad, "does not hold")});
            commands += text("\n", claim.place, ": ", twoDigits(gain), "\n  collscope run ", claim.slow,
                             "\n  collscope run ", claim.fast, "\n");
        }
    }
    if (json) {
        console.out << found.dump(2, ' ', false, lenient) << '\n';
    } else {
        table.write(console.out);
        if (!paper.empty()) console.out << "\nThe runs, and the first one's time over the second's:\n" << commands;
    }
    return allHold ? done : checkFailed;
}

}  // namespace app::cli
