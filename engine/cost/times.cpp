// SPDX-License-Identifier: BSD-3-Clause
// The times of bounds, under both kinds of models.
#include "engine/base/bounded.hpp"
#include "engine/cost/bound_parts.hpp"

#include <algorithm>
#include <queue>

namespace engine {
namespace {

/// What a message is, under LogGP: how long from its start to its end, and from one to the next at a rank's port or
/// processor.
struct Pace {
    Picoseconds whole{};
    Picoseconds apart{};
};

// A message's time is rounded to a picosecond, and so is that of each piece that is combined: many of them may take
// less than their bytes at this rate.

constexpr std::int64_t fine = 1000;              // femtoseconds
constexpr std::int64_t mostLost = fine / 2 - 1;  ///< of one message
/// Pieces that a rank combines for each of its startups, at most: so many ports has a rank.
constexpr std::int64_t mostAtOnce = 64;

bool isRounded(Rate rate) { return rate.femtosecondsPerByte % fine != 0; }

/// What `pieces` lose together, at most.
__int128 lostIn(Rate rate, std::int64_t pieces) {
    return isRounded(rate) ? static_cast<__int128>(mostLost) * pieces : 0;
}

/// What `bytes` lose, in as many pieces as lose most. What one of m bytes loses comes again with m + 1000.
__int128 lostIn(Bytes bytes, Rate rate) {
    std::int64_t most = 0, of = 1;
    for (std::int64_t m = 1; m <= fine && isRounded(rate); ++m) {
        const std::int64_t lost = rate.femtosecondsPerByte % fine * m % fine;
        if (lost <= mostLost && lost * of > most * m) most = lost, of = m;
    }
    return (static_cast<__int128>(bytes) * most + of - 1) / of;
}

Picoseconds inPicoseconds(__int128 femtoseconds) {
    if (femtoseconds >= static_cast<__int128>(endOfTime.count()) * fine) refuseTime();
    return Picoseconds{static_cast<std::int64_t>(std::max<__int128>(0, femtoseconds) / fine)};
}

/// The time of messages with these terms is no less. More messages than startups lose more, but take a startup each.
Picoseconds leastTime(const Cost& cost, const Model& model) {
    const bool startupsCount = model.alpha > Picoseconds{mostAtOnce};
    const std::int64_t messages = std::max<std::int64_t>(1, cost.startups);
    const auto lost = [&](Rate rate, Bytes bytes, std::int64_t each) {
        const __int128 inMany = lostIn(bytes, rate);
        return startupsCount ? std::min(inMany, lostIn(rate, messages * each)) : inMany;
    };
    return inPicoseconds(cost.weighed(model) - lost(model.beta, cost.volume, 1) -
                         lost(model.gamma, cost.combined, mostAtOnce));
}

/// The same where each message is one block of `block` bytes.
Picoseconds leastTime(const Cost& cost, Bytes block, const Model& model) {
    return later(lasting(cost.startups, model.alpha), lasting(cost.volume / block, model.beta * block));
}

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

/// The larger one of two sums.
void raise(LogGPTime& time, const LogGPTime& other) {
    if (later(time.first, time.rest) < later(other.first, other.rest)) time = other;
}

/// However its bytes are cut into messages, they keep the port, and the processor, of who takes them in busy for so
/// long after the first one.
LogGPTime timeAtWill(const Bounds& bounds, const LogGP& model, Rate gamma) {
    using Kind = LogGPTime::Kind;
    // What keeps a port or a processor for `message`, and for `byte` for each byte behind the first. Small messages
    // lose more than large ones, where the first byte costs little more than the others.
    const auto taking = [](Bytes behind, Picoseconds message, Rate byte) {
        const __int128 first = static_cast<__int128>(message.count()) * fine;
        const __int128 least = std::min<__int128>(first, byte.femtosecondsPerByte);
        const bool large = first > byte.femtosecondsPerByte + mostLost;
        return inPicoseconds(least * behind - (large ? lostIn(byte, 1) : lostIn(behind, byte)));
    };
    const bool messagesCount = std::max(model.gap, model.overhead) > Picoseconds{mostAtOnce};
    LogGPTime time;
    for (const Spread& spread : bounds.spread) {
        const Picoseconds told = toldAfter(paceOf(model, 0), spread.from, spread.known);
        const Bytes behind = std::max<Bytes>(0, spread.bytes - 1);
        const __int128 lost = lostIn(spread.combined, gamma);
        const __int128 combining = static_cast<__int128>(gamma.femtosecondsPerByte) * spread.combined -
                                   (messagesCount ? std::min(lost, lostIn(gamma, mostAtOnce)) : lost);
        raise(time, {told, taking(behind, model.gap, model.gapPerByte), Kind::port, spread.bytes});
        raise(time, {told, taking(behind, model.overhead, model.overheadPerByte), Kind::processor, spread.bytes});
        raise(time, {told, inPicoseconds(combining), Kind::combining, spread.combined});
    }
    return time;
}

/// Equal blocks follow each other at the port of who is served last.
LogGPTime timeOfWhole(const Bounds& bounds, const LogGP& model) {
    const Pace pace = paceOf(model, bounds.block);
    LogGPTime time;
    for (const Spread& spread : bounds.spread) {
        const std::int64_t others = std::max<std::int64_t>(0, spread.blocks - 1);
        raise(time, {toldAfter(pace, spread.from, spread.known), lasting(others, pace.apart), LogGPTime::Kind::blocks,
                     others * bounds.block});
    }
    return time;
}

/// The longer of the two.
void raise(std::optional<Cost>& least, const Cost& other, const Model& model) {
    if (!least || least->weighed(model) < other.weighed(model)) least = other;
}

}  // namespace

std::optional<LogGPTime> logGPTime(const Bounds& bounds, Blocks blocks, const Model& model) {
    if (blocks == Blocks::anyMessages) return timeAtWill(bounds, *model.logGP, model.gamma);
    return bounds.block > 0 ? std::optional{timeOfWhole(bounds, *model.logGP)} : std::nullopt;
}

std::optional<Cost> leastCost(const Bounds& bounds, Blocks blocks, const Model& model) {
    std::optional<Cost> least;
    if (blocks == Blocks::whole) {
        if (bounds.whole.empty()) return std::nullopt;
        for (const Cost& cost : bounds.whole) raise(least, cost, model);
    }
    for (const Cost& cost : bounds.anyMessages) raise(least, cost, model);
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
        const std::optional<LogGPTime> time = logGPTime(bounds, blocks, model);
        return time ? std::optional{later(time->first, time->rest)} : std::nullopt;
    }
    const std::optional<Cost> cost = leastCost(bounds, blocks, model);
    if (!cost) return std::nullopt;
    const Picoseconds time = leastTime(*cost, model);
    return blocks == Blocks::whole && bounds.block > 0 ? std::max(time, leastTime(*cost, bounds.block, model)) : time;
}

Picoseconds timeBound(const Bounds& bounds, const Model& model) {
    return timeBound(bounds, Blocks::anyMessages, model).value_or(Picoseconds{});
}

}  // namespace engine
