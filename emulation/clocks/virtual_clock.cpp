// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/virtual_clock.hpp"

#include "emulation/clocks/ring_shift_clock.hpp"
#include "emulation/clocks/round_clocks.hpp"
#include "emulation/fair/fair_clock.hpp"
#include "emulation/fair/fair_network.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule/ring_shift.hpp"

#include <algorithm>

namespace emulation {
namespace {

using engine::Batch;
using engine::Bytes;
using engine::Picoseconds;
using engine::Plan;
using engine::Round;

/// Keeps no record: for makespans.
struct NoLedger {
    static constexpr bool keeps = false;
    static bool wants() { return true; }
    void open(Round, const Batch&) {}
    void message(const engine::MessageRecord&) {}
    void combined(const engine::LocalWork&) {}
    void close(Round, std::span<const Picoseconds>, std::span<const Picoseconds>, std::span<const Moment>) {}
};

/// The plain rules ask for the busiest link of a route only.
LinkTally tallyFor(const Plan& plan, const Network& network, const Conditions& conditions) {
    return {network, plan.schedule->facts().rounds,
            isPlain(plan, network, conditions) ? LinkTally::Asked::routes : LinkTally::Asked::links};
}

/// A recorder that is closed when its budget of messages is spent.
struct MessagesOnly : RunRecorder {
    using RunRecorder::RunRecorder;
    [[nodiscard]] bool wants() const { return keepsMore(); }
};

bool everyPlaceTakesPart(const engine::RingShift& ringShift) {
    std::int64_t left = ringShift.rounds.back();
    for (const std::int64_t own : ringShift.rounds) {
        if (own == 0 && left == 0) return false;
        left = own;
    }
    return true;
}

/// The plan's ring shift, if its clocks can be moved without looking at single messages.
const engine::RingShift* plainRingShift(const Plan& plan, const Network& network, const Conditions& conditions) {
    const auto* schedule = dynamic_cast<const engine::RingShiftSchedule*>(plan.schedule.get());
    const bool plain = network.links() == 0 && schedule != nullptr && schedule->facts().rounds > 0;
    const bool fits = plain && schedule->ringShift().sendsEmpty && everyPlaceTakesPart(schedule->ringShift());
    return fits && isPlain(plan, network, conditions) ? &schedule->ringShift() : nullptr;
}

/// What a ring shift's clock begins with.
struct RingShiftStart {
    std::vector<Picoseconds> costs;   ///< by block
    std::vector<Picoseconds> starts;  ///< by place
    Picoseconds latest{};             ///< of the starts
};

/// Throws Error when the time may overflow.
RingShiftStart startOf(const engine::RingShift& ringShift, const Conditions& conditions) {
    Price price{conditions.model};
    std::vector<Picoseconds> costs;
    costs.reserve(ringShift.blocks.size());
    Picoseconds longest{};
    for (const engine::Range block : ringShift.blocks) {
        costs.push_back(price(block.size()));
        longest = std::max(longest, costs.back());
    }
    const auto rounds = *std::max_element(ringShift.rounds.begin(), ringShift.rounds.end());
    const std::vector<Picoseconds> starts = startTimes(conditions.perturbation.arrival, ringShift.places());
    const Picoseconds latest = *std::max_element(starts.begin(), starts.end());
    (void)later(latest, lasting(rounds, longest));
    std::vector<Picoseconds> ofPlaces = starts;
    for (std::size_t place = 0; place < ringShift.rankAt.size(); ++place)
        ofPlaces[place] = starts[engine::asSize(ringShift.rankAt[place])];
    return {std::move(costs), std::move(ofPlaces), latest};
}

RingShiftTimes timesOf(const engine::RingShift& ringShift, const Conditions& conditions,
                       const engine::Progress& progress) {
    const RingShiftStart start = startOf(ringShift, conditions);
    if (conditions.stepping == Stepping::lockstep)
        return runRingShiftInLockstep(ringShift, start.costs, start.latest, progress);
    return runRingShift(ringShift, start.costs, start.starts, {.threads = conditions.threads}, progress);
}

Picoseconds endOf(const engine::RingShift& ringShift, const Conditions& conditions, const engine::Progress& progress) {
    if (conditions.stepping == Stepping::lockstep) {
        const RingShiftTimes times = timesOf(ringShift, conditions, progress);
        return *std::max_element(times.last.begin(), times.last.end());
    }
    const RingShiftStart start = startOf(ringShift, conditions);
    return makespanOf(ringShift, start.costs, start.starts, {.threads = conditions.threads}, progress);
}

/// The run of a ring shift: sums from its own clock, messages (as far as the budget goes) from the general one.
engine::Run runRingShift(const Plan& plan, const Network& network, const Conditions& conditions,
                         const engine::RingShift& ringShift, LinkTally& links, const engine::Progress& progress) {
    MessagesOnly ledger{plan, conditions.budget, RunRecorder::Counting::byTurn};
    const Picoseconds kept =
        Clocks{plan, network, conditions, links, ledger}.run({.report = {}, .stop = progress.stop});
    if (ledger.wants()) return ledger.finish(kept);
    return ledger.finish(ringShift, timesOf(ringShift, conditions, progress));
}

/// The conditions with what the plan's operation takes per byte.
Conditions combining(const Plan& plan, Conditions conditions) {
    conditions.model = conditions.model.combiningBy(plan.problem.operation);
    return conditions;
}

void requireFit(const Plan& plan, const Network& network, const Conditions& conditions) {
    if (conditions.protocol != Protocol{} && !isFair(conditions.sharing))
        throw engine::Error{engine::text(engine::field::header, " and ", engine::field::detached, " need ",
                                         engine::field::sharing, " fair or fair-weighted")};
    if (isFair(conditions.sharing)) requireFair(network, conditions);
    if (network.ranks() != plan.schedule->facts().ranks)
        throw engine::Error{engine::text(engine::field::topology, " ", network.name(), " has ", network.ranks(),
                                         " places, but ", plan.algorithm->id, " runs on ", plan.schedule->facts().ranks,
                                         " ranks")};
}

}  // namespace

Emulated emulate(const Plan& plan, const Network& network, const Conditions& asked, const engine::Progress& progress) {
    const Conditions conditions = combining(plan, asked);
    requireFit(plan, network, conditions);
    Emulated result;
    LinkTally links = tallyFor(plan, network, conditions);
    if (isFair(conditions.sharing)) {
        result = emulateFair(plan, network, conditions, progress);
    } else if (const engine::RingShift* ringShift = plainRingShift(plan, network, conditions)) {
        result.run = runRingShift(plan, network, conditions, *ringShift, links, progress);
    } else {
        RunRecorder ledger{
            plan, conditions.budget,
            isPlain(plan, network, conditions) ? RunRecorder::Counting::byTurn : RunRecorder::Counting::byMessage};
        const Picoseconds duration = Clocks{plan, network, conditions, links, ledger}.run(progress);
        result.run = ledger.finish(duration);
    }
    if (!isFair(conditions.sharing)) result.congestion = links.finish();
    engine::describe(plan, result.run);
    result.run.setting.on = "virtual";
    result.run.setting.topology = network.name();
    result.run.setting.model = engine::toText(asked.model);
    result.run.setting.perturbation = toText(conditions.perturbation);
    result.run.setting.progress = conditions.stepping == Stepping::free ? "free" : "lockstep";
    result.run.setting.sharing = toText(conditions.sharing, conditions.protocol);
    return result;
}

Picoseconds makespan(const Plan& plan, const Network& network, const Conditions& asked,
                     const engine::Progress& progress) {
    const Conditions conditions = combining(plan, asked);
    requireFit(plan, network, conditions);
    if (isFair(conditions.sharing)) return fairMakespan(plan, network, conditions, progress);
    if (const engine::RingShift* ringShift = plainRingShift(plan, network, conditions))
        return endOf(*ringShift, conditions, progress);
    LinkTally links = tallyFor(plan, network, conditions);
    NoLedger nothing;
    return Clocks{plan, network, conditions, links, nothing}.run(progress);
}

}  // namespace emulation
