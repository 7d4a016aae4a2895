// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/proofs/proofs.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <algorithm>
#include <array>
#include <random>

namespace app {
namespace {

using engine::Algorithm;
using engine::Collective;
using engine::Option;

constexpr std::int32_t everyRanks = 70;
constexpr std::int32_t everyGroup = 24;
constexpr std::array<std::int64_t, 14> sampledRanks{96,  127, 128, 129, 200,  255,  256,
                                                    257, 333, 512, 777, 1000, 1023, 1024};
constexpr std::array<engine::Bytes, 8> sizes{12, 7, 0, 24, 5, 1, 36, 2};
constexpr std::array<const char*, 6> rules{"regular", "broadcast", "spike", "half-full", "linear", "geometric"};

/// Draws the same numbers on every machine: std::mt19937 is fixed by the standard, its distributions are not. Each
/// algorithm has numbers of its own, so that a new one changes nobody else's problems.
class Draw {
public:
    explicit Draw(const std::string& algorithm) : engine_{seed} {
        for (const char letter : algorithm) engine_.seed((engine_() ^ static_cast<unsigned char>(letter)) * prime);
    }
    std::size_t below(std::size_t count) { return engine_() % count; }
    template <class List>
    const auto& of(const List& list) {
        return list[below(list.size())];
    }

private:
    static constexpr std::uint32_t seed = 20161127;
    static constexpr std::uint32_t prime = 16777619;
    std::mt19937 engine_;
};

std::string drawNumber(const Option& option, std::int64_t ranks, Draw& draw) {
    const std::array<std::int64_t, 7> numbers{1, 2, 3, 4, 5, 8, std::max<std::int64_t>(1, ranks / 2)};
    return std::to_string(std::clamp(draw.of(numbers), option.low, option.high));
}

/// Half of the options keep their fallback; the others get any value that is not broken on purpose.
std::map<std::string, std::string> drawOptions(const Algorithm& algorithm, std::int64_t ranks, Draw& draw) {
    std::map<std::string, std::string> drawn;
    for (const Option& option : algorithm.options) {
        if (draw.below(2) == 0) continue;
        const bool numeric = option.kind == Option::Kind::integer || option.kind == Option::Kind::bytes;
        if (numeric) drawn[option.name] = drawNumber(option, ranks, draw);
        else if (!option.choices.empty()) drawn[option.name] = draw.of(option.choices);
        if (!option.broken.empty() && drawn[option.name] == option.broken) drawn.erase(option.name);
    }
    return drawn;
}

void addOneGroup(const Algorithm& algorithm, std::int64_t ranks, Draw& draw, std::vector<Conjecture>& all) {
    ProblemWish wish;
    wish.ranks = ranks;
    wish.size = draw.of(sizes);
    const Collective collective = algorithm.collective;
    if (hasRoot(collective)) wish.root = static_cast<std::int64_t>(draw.below(static_cast<std::size_t>(ranks)));
    if (isUneven(collective)) wish.sizes = draw.of(rules);
    if (combinesVectors(collective)) wish.size *= 4;
    if (isReduction(collective)) wish.ports = 1 + static_cast<int>(draw.below(8));
    all.push_back({&algorithm, wish, {}, {}});
    all.push_back({&algorithm, wish, drawOptions(algorithm, ranks, draw), {}});
}

void addTwoGroups(const Algorithm& algorithm, std::int64_t p, std::int64_t q, Draw& draw,
                  std::vector<Conjecture>& all) {
    ProblemWish wish;
    wish.groupA = p;
    wish.groupB = q;
    wish.size = draw.of(sizes);
    const Collective collective = algorithm.collective;
    const bool full = isUneven(collective) && collective != Collective::halfduplexAllgather;
    if (hasRoot(collective)) wish.root = static_cast<std::int64_t>(draw.below(static_cast<std::size_t>(p + q)));
    if (combinesVectors(collective)) wish.size *= 4;
    if (full && draw.below(2) == 0) wish.sizeB = draw.of(sizes);
    all.push_back({&algorithm, wish, drawOptions(algorithm, p + q, draw), {}});
    if (full) wish.sizes = draw.of(rules);
    all.push_back({&algorithm, wish, {}, {}});
}

/// Tori whose first `slab` layers are group A.
void addTori(const Algorithm& algorithm, std::vector<Conjecture>& all) {
    for (const std::vector<int>& lengths : std::vector<std::vector<int>>{
             {2, 2}, {3, 3}, {4, 4}, {5, 3}, {8, 2}, {7, 5}, {4, 3, 2}, {6, 2, 3}, {5, 4, 2}, {4, 2, 2, 2}}) {
        std::int64_t layer = 1;
        for (std::size_t d = 1; d < lengths.size(); ++d) layer *= lengths[d];
        for (int slab = 1; slab < lengths.front(); ++slab) {
            ProblemWish wish;
            wish.groupA = slab * layer;
            wish.groupB = (lengths.front() - slab) * layer;
            wish.size = 12;
            all.push_back({&algorithm, wish, {}, "torus:" + engine::showDimensions(lengths)});
        }
    }
}

}  // namespace

std::vector<Conjecture> wholeCatalogue() {
    std::vector<Conjecture> all;
    for (const Algorithm* algorithm : engine::catalogue()) {
        Draw draw{algorithm->id};
        if (isIntergroup(algorithm->collective)) {
            for (std::int32_t p = 1; p <= everyGroup; ++p)
                for (std::int32_t q = 1; q <= everyGroup; ++q) addTwoGroups(*algorithm, p, q, draw, all);
        } else {
            for (std::int32_t n = 1; n <= everyRanks; ++n) addOneGroup(*algorithm, n, draw, all);
            for (const std::int64_t n : sampledRanks) addOneGroup(*algorithm, n, draw, all);
        }
        if (algorithm->collective == Collective::halfduplexAllgather) addTori(*algorithm, all);
    }
    return all;
}

}  // namespace app
