// SPDX-License-Identifier: BSD-3-Clause
// The times of bounds, under both kinds of models.
#include "engine/bounded.hpp"
#include "engine/cost/making.hpp"

#include <algorithm>
#include <limits>
#include <queue>

namespace engine {
namespace {

/// What a message is, under LogGP: how long from its begin to its end, and from one to the next at a rank's port or
/// processor.
struct Pace {
    Picoseconds whole{};
    Picoseconds apart{};
};

Pace paceOf(const LogGP& model, Bytes bytes) {
    const Bytes behind = std::max<Bytes>(0, bytes - 1);
    const Picoseconds sending = later(model.overhead, model.overheadPerByte * behind);
    const Picoseconds moving = model.gapPerByte * behind;
    return {later(later(sending, model.overhead), later(model.latency, moving)),
            std::max(later(model.gap, moving), sending)};
}

/// When the last of `known` ranks can have been told what `from` of them knew.
Picoseconds toldAfter(Pace pace, std::int64_t from, std::int64_t known) {
    constexpr std::int64_t most = 1 << 16;  // of more, the first so many are waited for
    std::priority_queue<Picoseconds, std::vector<Picoseconds>, std::greater<>> sends;
    const std::int64_t told = std::min(known - from, most);
    for (std::int64_t i = 0; i < std::min(from, told); ++i) sends.push({});
    Picoseconds last{};
    for (std::int64_t i = 0; i < told; ++i) {
        const Picoseconds begin = sends.top();
        sends.pop();
        last = later(begin, pace.whole);
        sends.push(later(begin, pace.apart));
        sends.push(last);
    }
    return last;
}

/// However its bytes are cut into messages, they keep the port, and the processor, of who takes them in busy for so
/// long after the first one.
Picoseconds timeAtWill(const Bounds& bounds, const LogGP& model, Rate gamma) {
    const auto perByte = [](Picoseconds message, Rate byte) {
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 1000;
        return Rate{std::min(byte.femtosecondsPerByte, std::min(message.count(), most) * 1000)};
    };
    const Rate rate = std::max(perByte(model.gap, model.gapPerByte), perByte(model.overhead, model.overheadPerByte));
    Picoseconds time{};
    for (const Spread& spread : bounds.spread) {
        const Picoseconds told = toldAfter(paceOf(model, 0), spread.from, spread.known);
        time = std::max(
            {time, later(told, rate * std::max<Bytes>(0, spread.bytes - 1)), later(told, gamma * spread.combined)});
    }
    return time;
}

/// Equal blocks follow each other at the port of who is served last.
Picoseconds timeOfWhole(const Bounds& bounds, const LogGP& model) {
    const Pace pace = paceOf(model, bounds.block);
    Picoseconds time{};
    for (const Spread& spread : bounds.spread)
        time = std::max(time, later(toldAfter(pace, spread.from, spread.known),
                                    lasting(std::max<std::int64_t>(0, spread.blocks - 1), pace.apart)));
    return time;
}

/// The longer of the two.
void raise(std::optional<Cost>& least, const Cost& other, const Model& model) {
    if (!least || least->weighed(model) < other.weighed(model)) least = other;
}

}  // namespace

std::optional<Cost> leastCost(const Bounds& bounds, Blocks blocks, const Model& model) {
    std::optional<Cost> least;
    if (blocks == Blocks::whole) {
        if (bounds.whole.empty()) return std::nullopt;
        for (const Cost& cost : bounds.whole) raise(least, cost, model);
    }
    for (const Cost& cost : bounds.atWill) raise(least, cost, model);
    if (bounds.exchange)
        if (const std::optional<Cost> cost = leastOf(*bounds.exchange, bounds.startups.value, model))
            raise(least, *cost, model);
    if (bounds.hurried) {
        const Cost oneMore = inBytes(bounds.hurried->startups + 1, bounds.hurried->startups, model);
        raise(least, oneMore.weighed(model) < bounds.hurried->weighed(model) ? oneMore : *bounds.hurried, model);
    }
    return least;
}

std::optional<Picoseconds> timeBound(const Bounds& bounds, Blocks blocks, const Model& model) {
    if (model.logGP) {
        if (blocks == Blocks::cutAtWill) return timeAtWill(bounds, *model.logGP, model.gamma);
        return bounds.block > 0 ? std::optional{timeOfWhole(bounds, *model.logGP)} : std::nullopt;
    }
    const std::optional<Cost> cost = leastCost(bounds, blocks, model);
    return cost ? std::optional{cost->under(model)} : std::nullopt;
}

Picoseconds timeBound(const Bounds& bounds, const Model& model) {
    return timeBound(bounds, Blocks::cutAtWill, model).value_or(Picoseconds{});
}

}  // namespace engine
