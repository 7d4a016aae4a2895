// SPDX-License-Identifier: BSD-3-Clause
// What few startups cost where every contribution has one receiver (Bruck et al. 1997, section 2, for any number of
// startups). Time in slots of alpha: messages of one port begin in different slots, and what comes in one slot goes on
// in a later one. So of what a rank hands out, at most ports x slots contributions go straight to their receivers, and
// ports^h x C(slots, h) over h hops; each hop is sent once more. Straight ones take a message each.
#include "engine/cost/bound_parts.hpp"

#include <algorithm>

namespace engine {
namespace {

constexpr std::int64_t plenty = std::int64_t{1} << 40;

/// What goes through all ports.
struct Sum {
    __int128 messages = 0;
    __int128 bytes = 0;
};

/// Ways over one hop, two, three, ...: how many there are from one rank.
class Ways {
public:
    Ways(int ports, std::int64_t slots) : ports_{ports}, slots_{slots}, ways_{std::min(plenty, ports * slots)} {}

    [[nodiscard]] std::int64_t hops() const { return hops_; }
    [[nodiscard]] std::int64_t count() const { return ways_; }
    /// To those of one hop more; false when there are none.
    bool next() {
        if (hops_ >= slots_) return false;
        const __int128 more = static_cast<__int128>(ways_) * ports_ * (slots_ - hops_) / (hops_ + 1);
        ++hops_;
        ways_ = static_cast<std::int64_t>(std::min<__int128>(more, plenty));
        return true;
    }

private:
    int ports_;
    std::int64_t slots_;
    std::int64_t hops_ = 1;
    std::int64_t ways_;
};

/// The cheapest ways for all contributions of one rank, when a way of h hops costs h `hop`, and a straight one
/// `startup` more; false when there are too few.
bool addCheapest(Sum& sum, const Meant& meant, const Exchange& exchange, std::int64_t slots, Picoseconds startup,
                 Picoseconds hop) {
    std::int64_t left = meant.blocks;
    std::int64_t straight = 0;
    std::int64_t hops = 0;
    const auto goStraight = [&] {
        straight = std::min(left, std::min(plenty, exchange.ports * slots));
        hops += straight;
        left -= straight;
    };
    bool tried = false;
    for (Ways ways{exchange.ports, slots}; left > 0 && ways.next();) {
        if (!tried && hop * (ways.hops() - 1) > startup) goStraight(), tried = true;
        const std::int64_t taken = std::min(left, ways.count());
        hops += taken * ways.hops();
        left -= taken;
    }
    if (!tried) goStraight();
    sum.messages += static_cast<__int128>(meant.ranks) * straight;
    sum.bytes += static_cast<__int128>(meant.ranks) * hops * meant.bytes;
    return left == 0;
}

/// Through the average port; nothing where so few slots do not do.
std::optional<Cost> averageIn(const Exchange& exchange, std::int64_t slots, const Model& model) {
    Sum sum;
    for (const Meant& meant : exchange.meant)
        if (!addCheapest(sum, meant, exchange, slots, model.alpha, model.beta * meant.bytes)) return std::nullopt;
    const __int128 doors = static_cast<__int128>(exchange.ranks) * exchange.ports;
    return Cost{.startups = static_cast<std::int64_t>(sum.messages / doors),
                .volume = static_cast<Bytes>(sum.bytes / doors)};
}

}  // namespace

Cost inBytes(std::int64_t startups, std::int64_t most, const Model& model) {
    if (startups <= most || model.beta.femtosecondsPerByte == 0) return {.startups = startups};
    const __int128 time = static_cast<__int128>(startups - most) * model.alpha.count() * 1000;
    constexpr __int128 mostBytes = Bytes{1} << 62;
    return {.startups = most, .volume = static_cast<Bytes>(std::min(mostBytes, time / model.beta.femtosecondsPerByte))};
}

std::optional<Cost> leastOf(const Exchange& exchange, std::int64_t startups, const Model& model) {
    if (model.alpha == Picoseconds{} || exchange.meant.empty()) return std::nullopt;
    // In so many slots everything can go straight, or over two hops: more change nothing.
    std::int64_t enough = 3;
    for (const Meant& meant : exchange.meant) enough = std::max(enough, meant.blocks + 2);
    // The least number of slots in which the average port can be done.
    std::int64_t tooFew = 0;
    std::int64_t slots = enough + 1;
    while (slots - tooFew > 1) {
        const std::int64_t middle = tooFew + (slots - tooFew) / 2;
        const std::optional<Cost> cost = averageIn(exchange, middle, model);
        (cost && cost->weighed(model) <= static_cast<__int128>(model.alpha.count()) * middle * 1000 ? slots : tooFew) =
            middle;
    }
    // With one slot less it takes longer than the slots; with fewer still, no less.
    const Cost bySlots = inBytes(slots, startups, model);
    const std::optional<Cost> longer = tooFew > 0 ? averageIn(exchange, tooFew, model) : std::nullopt;
    if (!longer) return bySlots;
    return slots > enough || longer->weighed(model) < bySlots.weighed(model) ? *longer : bySlots;
}

std::optional<Bytes> volumeIn(const Exchange& exchange, std::int64_t startups) {
    Sum sum;
    for (const Meant& meant : exchange.meant)
        if (!addCheapest(sum, meant, exchange, startups, Picoseconds{}, Picoseconds{1})) return std::nullopt;
    const __int128 doors = static_cast<__int128>(exchange.ranks) * exchange.ports;
    return static_cast<Bytes>((sum.bytes + doors - 1) / doors);
}

}  // namespace engine
