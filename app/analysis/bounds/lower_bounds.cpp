// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/bounds/lower_bounds.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "emulation/bounds/startups.hpp"
#include "emulation/clocks/route_costs.hpp"
#include "engine/base/text.hpp"
#include "engine/cost/bound_parts.hpp"

#include <algorithm>

namespace app::analysis {

using emulation::bounds::NetworkBound;
using engine::Blocks;
using engine::Bounds;
using engine::Picoseconds;
using engine::Wiring;

namespace {

/// Startups and bytes of the fastest link stand for all.
engine::Model fastestOf(engine::Model model, const emulation::Network& network) {
    Picoseconds& startup = model.logGP ? model.logGP->latency : model.alpha;
    engine::Rate& perByte = model.logGP ? model.logGP->gapPerByte : model.beta;
    const emulation::LinkQuality least = network.least({startup, perByte});
    startup = least.latency;
    perByte = least.beta;
    return model;
}

/// "3 startups, 256 KiB of serialized transfer and 64 KiB combined".
std::string inWords(const engine::Cost& cost, const engine::Model& model) {
    std::vector<std::string> terms;
    if (cost.startups > 0 && model.alpha.count() > 0) terms.push_back(counted(cost.startups, "startup"));
    if (cost.volume > 0 && model.beta.femtosecondsPerByte > 0)
        terms.push_back(engine::showBytes(cost.volume) + " of serialized transfer");
    if (cost.combined > 0 && model.gamma.femtosecondsPerByte > 0)
        terms.push_back(engine::showBytes(cost.combined) + " combined");
    return listed(terms);
}

/// Whether `least` is the time of one startup more than the fewest, because with the fewest the bytes take longer.
bool isOneStartupMore(const Bounds& bounds, const engine::Cost& least, const engine::Model& model) {
    if (!bounds.hurried || least == *bounds.hurried) return false;
    const std::int64_t fewest = bounds.hurried->startups;
    return least == engine::inBytes(fewest + 1, fewest, model);
}

/// Whether bytes take time on links that messages share: under LogGP the first byte of a message takes none.
bool hasSharedLinks(const Machine& machine) {
    return machine.model && !machine.model->logGP && machine.network != nullptr && machine.sharing != LinkSharing::none;
}

/// What the network's links force on a problem; nothing where no links are shared.
std::optional<NetworkBound> networkBoundOf(const engine::Problem& problem, const Machine& machine) {
    if (!hasSharedLinks(machine)) return std::nullopt;
    return emulation::bounds::networkBound(problem, *machine.network, machine.model->beta, machine.slowLinks);
}

constexpr const char* separately = "each bound is proved separately";

/// "3 us until the last rank has its first byte and 65.5 us for 64 KiB at its port (g, G)".
std::string inWords(const engine::LogGPTime& time, engine::Collective collective) {
    using engine::Collective;
    using Kind = engine::LogGPTime::Kind;
    const bool ofBlocks = time.kind == Kind::blocks;
    const std::string untilFirst = engine::text(" until the last rank has its first ", ofBlocks ? "block" : "byte");
    if (time.rest == Picoseconds{}) {
        if (time.first == Picoseconds{}) return "";
        const bool ofRoot = collective == Collective::bcast || collective == Collective::scatterv ||
                            collective == Collective::intergroupBcast;
        return "the time" + (ofRoot ? untilFirst
                                    : " until a rank can have received from all ranks on which it depends, directly or "
                                      "through other ranks");
    }
    std::vector<std::string> terms;
    if (time.first > Picoseconds{}) terms.push_back(engine::showTime(time.first) + untilFirst);
    terms.push_back(engine::text(engine::showTime(time.rest),
                                 ofBlocks                       ? " for its other blocks, "
                                 : time.kind == Kind::combining ? " in which it combines "
                                                                : " for ",
                                 engine::showBytes(time.bytes),
                                 time.kind == Kind::port        ? " at its port (g, G)"
                                 : time.kind == Kind::processor ? " at its processor (o, O)"
                                                                : ""));
    return listed(terms);
}

/// What `least` contains, beside the bounds on startups and bytes of `limit`. `own`: the machine; `fastest`: with its
/// fastest links.
TimeParts partsOf(const engine::Cost& least, const Limit& limit, const Bounds& bounds, const engine::Problem& problem,
                  const engine::Model& own, const engine::Model& fastest) {
    TimeParts parts;
    const engine::Cost ofRows{.startups = limit.rounds.value, .volume = limit.serializedBytes};
    parts.addsUp = least.weighed(fastest) == ofRows.weighed(own);
    const bool oneMore = isOneStartupMore(bounds, least, fastest);
    parts.words = inWords(oneMore ? engine::Cost{.startups = least.startups + 1} : least, fastest);
    if (parts.words.empty()) return parts;
    if (fastest.alpha != own.alpha || fastest.beta != own.beta) parts.words += " on the fastest links";
    if (least.combined == 0 && fastest.gamma.femtosecondsPerByte > 0 && combinesVectors(problem.collective))
        parts.words += "; it contains no combining";
    const bool startupsCount = fastest.alpha.count() > 0, bytesCount = fastest.beta.femtosecondsPerByte > 0;
    const bool sameBytes = engine::showBytes(least.volume) == engine::showBytes(ofRows.volume);
    if (oneMore)
        parts.reason =
            engine::text("with ", counted(least.startups, "startup"), " the bytes take longer than one more startup");
    else if (startupsCount && least.startups > ofRows.startups)
        parts.reason = "schedules with fewer startups need more bytes and take no less time";
    else if (bytesCount && least.volume > ofRows.volume && !sameBytes)
        parts.reason = "schedules with fewer bytes need more startups and take no less time";
    else if ((startupsCount && least.startups < ofRows.startups) || (bytesCount && !sameBytes))
        parts.reason = separately;
    return parts;
}

/// Sets the time that no schedule of the class can beat, where it is known, and what it contains. Late, slow and
/// waiting parts only add to it.
void setTime(Limit& limit, const Bounds& bounds, Blocks blocks, const engine::Problem& problem, const Machine& machine,
             const std::optional<NetworkBound>& network) {
    if (!machine.model) return;
    const engine::Model own = machine.model->combiningBy(problem.operation);
    const engine::Model model = machine.network == nullptr ? own : fastestOf(own, *machine.network);
    limit.time = engine::timeBound(bounds, blocks, model);
    limit.fullNetworkTime = limit.time;
    if (!limit.time) return;
    if (model.logGP) {
        const engine::LogGPTime parts = *engine::logGPTime(bounds, blocks, model);
        limit.parts = {.words = inWords(parts, problem.collective), .reason = {}, .addsUp = false};
        if (parts.kind != engine::LogGPTime::Kind::combining && model.gamma.femtosecondsPerByte > 0 &&
            combinesVectors(problem.collective) && !limit.parts.words.empty())
            limit.parts.words += "; it contains no combining";
        limit.fullNetworkParts = limit.parts;
        return;
    }
    limit.parts = partsOf(*engine::leastCost(bounds, blocks, model), limit, bounds, problem, own, model);
    limit.fullNetworkParts = limit.parts;
    if (machine.network == nullptr) return;
    if (const auto way = emulation::bounds::farthest(problem, *machine.network, own.alpha);
        way && way->time > *limit.time) {
        limit.time = way->time;
        limit.parts = {
            .words = engine::text("the startups between rank ", way->from.value, " and rank ", way->to.value),
            .reason = separately,
            .addsUp = false};
    }
    if (!network) return;
    const Picoseconds startup = emulation::bounds::startupAcross(*network, *machine.network, own.alpha);
    if (startup + network->time() <= *limit.time) return;
    limit.time = startup + network->time();
    limit.networkDecides = true;
    limit.parts = {.words = engine::text("1 startup and ", engine::showTime(network->time()), " in which ",
                                         analysis::inWords(*network, *machine.network)),
                   .reason = separately,
                   .addsUp = false};
}

Limit wholeLimit(const Bounds& bounds, const engine::Problem& problem, const Machine& machine,
                 const std::optional<NetworkBound>& network) {
    Limit limit{*bounds.unitRounds};
    for (const engine::Cost& cost : bounds.whole) limit.serializedBytes = std::max(limit.serializedBytes, cost.volume);
    setTime(limit, bounds, Blocks::whole, problem, machine, network);
    return limit;
}

Limits limitsOf(const engine::Problem& problem, const Wiring& wiring, bool wholeBlocks, const Machine& machine) {
    Limits limits{.bounds = engine::boundsOf(problem, wiring, machine.sends), .anyMessages = {}};
    const Bounds& known = limits.bounds;
    limits.anyMessages = {known.startups, known.volume.value};
    limits.network = networkBoundOf(problem, machine);
    limits.canBeBeaten = machine.sharing == LinkSharing::byRound;
    setTime(limits.anyMessages, known, Blocks::anyMessages, problem, machine, limits.network);
    // Where links of a rank differ, its ports may force more than all links together do.
    const bool differ =
        hasSharedLinks(machine) && !(machine.slowLinks.empty() && emulation::isUniform(*machine.network));
    if (limits.anyMessages.time && differ && machine.sends == engine::Sends::takePorts) {
        const auto ports =
            emulation::bounds::portBound(problem, *machine.network, machine.model->beta, machine.slowLinks);
        if (ports && *limits.anyMessages.time < ports->time()) {
            limits.network = ports;
            setTime(limits.anyMessages, known, Blocks::anyMessages, problem, machine, limits.network);
        }
    }
    if (known.unitRounds && !known.whole.empty()) limits.whole = wholeLimit(known, problem, machine, limits.network);
    // What holds for any messages holds for whole contributions, too.
    if (limits.whole && limits.whole->time && limits.anyMessages.time &&
        *limits.whole->time < *limits.anyMessages.time) {
        limits.whole->time = limits.anyMessages.time;
        limits.whole->parts = limits.anyMessages.parts;
        limits.whole->fullNetworkTime = limits.anyMessages.fullNetworkTime;
        limits.whole->fullNetworkParts = limits.anyMessages.fullNetworkParts;
        limits.whole->networkDecides = limits.anyMessages.networkDecides;
    }
    // A class without a bound on time would leave rows of two classes side by side.
    const bool timed = limits.whole && limits.whole->time.has_value() == limits.anyMessages.time.has_value();
    if (wholeBlocks && timed) limits.blocks = Blocks::whole;
    return limits;
}

/// The wiring that binds the plan.
const Wiring& bindingOf(const engine::Plan& plan, const Machine& machine) {
    static const Wiring any = Wiring::any();
    const engine::Facts& facts = plan.schedule->facts();
    // Dummies are on a ring and on a torus where everybody expects them; elsewhere they may be shortcuts.
    const bool known = facts.wiring.kind() != Wiring::Kind::named || facts.ranks == plan.problem.ranks();
    const bool binds = machine.network != nullptr && machine.network->wiring() == facts.wiring;
    return known && binds ? facts.wiring : any;
}

}  // namespace

std::optional<double> Limits::cuttingSaves() const {
    if (blocks != Blocks::whole || !whole->time || !anyMessages.time || *anyMessages.time >= *whole->time)
        return std::nullopt;
    return 1 - static_cast<double>(anyMessages.time->count()) / static_cast<double>(whole->time->count());
}

Picoseconds Limits::networkForces() const {
    return held().time ? *held().time - *held().fullNetworkTime : Picoseconds{};
}

void Limits::compareWith(Picoseconds duration) {
    beaten = canBeBeaten && held().networkDecides && duration < *held().time;
    if (!beaten) return;
    const auto dropNetwork = [](Limit& limit) {
        limit.time = limit.fullNetworkTime;
        limit.networkDecides = false;
        limit.parts = limit.fullNetworkParts;
    };
    dropNetwork(anyMessages);
    if (whole) dropNetwork(*whole);
}

Limits limitsOf(const engine::Problem& problem, const Wiring& wiring, const Machine& machine) {
    return limitsOf(problem, wiring, false, machine);
}

Limits limitsOf(const engine::Plan& plan, const std::optional<Totals>& totals, const Machine& machine) {
    const Wiring& binding = bindingOf(plan, machine);
    Limits limits = limitsOf(plan.problem, binding, totals && totals->wholeContributions, machine);
    limits.neighbours = binding.kind() != Wiring::Kind::any;
    return limits;
}

std::string nameOfBound(Blocks blocks) { return blocks == Blocks::whole ? "one-block lower bound" : "lower bound"; }

std::string_view shortNameOfBound(Blocks blocks) { return blocks == Blocks::whole ? "one-block bound" : "bound"; }

std::string partsOfTime(const Limit& limit) {
    if (!limit.time || limit.parts.words.empty()) return {};
    const std::string& reason = limit.parts.reason;
    return engine::text("the time bound of ", engine::showTime(*limit.time), " is ", limit.parts.words,
                        reason.empty() ? "" : "; ", reason);
}

namespace {

constexpr std::size_t mostRuns = 4;  // of consecutive ranks that are listed

/// "ranks 0-3 and 8"; "12 ranks" where they would be many numbers.
std::string ranksInWords(const NetworkBound& bound, const emulation::Network& network, std::int32_t side) {
    std::vector<std::string> runs;
    std::int32_t count = 0;
    for (std::int32_t rank = 0; rank < network.ranks(); ++rank) {
        if (bound.side[engine::asSize(rank)] != side) continue;
        const std::int32_t first = rank;
        while (rank + 1 < network.ranks() && bound.side[engine::asSize(rank + 1)] == side) ++rank;
        count += rank - first + 1;
        runs.push_back(first == rank ? engine::text(first) : engine::text(first, "-", rank));
    }
    if (runs.size() > mostRuns) return counted(count, "rank");
    return (count == 1 ? "rank " : "ranks ") + listed(runs);
}

/// "4 links of 2.5 GB/s", "3 links with 4 GB/s together".
std::string linksInWords(const NetworkBound& bound, const emulation::Network& network) {
    const auto rate = [](double speed) { return engine::showNumber(speed * 1e6, 3) + " GB/s"; };
    const auto count = static_cast<std::int64_t>(bound.links.size());
    const auto first = network.quality(bound.links.front());
    const bool equal =
        std::ranges::all_of(bound.links, [&](engine::LinkId link) { return network.quality(link) == first; });
    const std::string links = counted(count, "link");
    if (equal) return links + " of " + rate(bound.speed / static_cast<double>(count));
    return links + " with " + rate(bound.speed) + " together";
}

}  // namespace

std::string inWords(const NetworkBound& bound, const emulation::Network& network) {
    const std::string bytes = engine::showBytes(static_cast<engine::Bytes>(bound.bytes));
    if (bound.kind == NetworkBound::Kind::groups)
        return engine::text(bytes, " cross between ", bound.groups, " groups of ranks over ",
                            linksInWords(bound, network));
    if (bound.kind == NetworkBound::Kind::distances)
        return engine::text("messages load ", counted(static_cast<std::int64_t>(bound.links.size()), "link"), " with ",
                            bytes, " in total on their shortest paths");
    std::int32_t senders = 0;
    for (std::int32_t rank = 0; rank < network.ranks(); ++rank) senders += bound.side[engine::asSize(rank)];
    const std::string over = " over " + linksInWords(bound, network);
    if (2 * senders <= network.ranks())
        return engine::text(ranksInWords(bound, network, 1), senders == 1 ? " sends " : " send ", bytes, over);
    const bool one = network.ranks() - senders == 1;
    return engine::text(ranksInWords(bound, network, 0), one ? " receives " : " receive ", bytes, over);
}

std::string cuttingInWords(const Limits& limits) {
    const std::optional<double> saves = limits.cuttingSaves();
    if (!saves) return {};
    return engine::text("for any messages the lower bound is ", engine::showTime(*limits.anyMessages.time), ", ",
                        percent(*saves), " below the one-block bound");
}

}  // namespace app::analysis
