// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/relay/relay.hpp"

#include "emulation/relay/relay_plan.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/proof/send_receive_matching.hpp"

#include <algorithm>
#include <bit>
#include <mutex>

namespace emulation {
namespace {

using engine::Batch;
using engine::Facts;
using engine::Message;
using engine::Round;
using engine::SchedulePtr;
using engine::Slots;
using engine::Turn;

using PlanPtr = std::shared_ptr<const RelayPlan>;

/// Which ranks can send to each other without a relay: neighbours, and those with free places only between them.
engine::Wiring directly(const NetworkPtr& network) {
    if (network->places() == network->ranks()) return network->wiring();
    return engine::Wiring::named(network->name(), [network](Rank a, Rank b) {
        std::vector<LinkId> route;
        std::vector<Rank> stops;
        network->route(a, b, route);
        appendStops(*network, route, stops);
        return stops.size() == 1;
    });
}

/// How a round of the old schedule lies in the new one.
struct Expansion {
    std::int64_t firstStep = 0;
    /// A round with the same senders and receivers, at most this one, whose plan serves for both; -1 where all messages
    /// are between neighbours and the round is taken as it is.
    std::int64_t plannedAs = -1;
};

/// Makes plans; remembers the latest ones. Any thread.
class Planning {
public:
    Planning(SchedulePtr schedule, NetworkPtr network, RelayRules rules)
        : schedule_{std::move(schedule)}, network_{std::move(network)}, wiring_{directly(network_)}, rules_{rules} {
        rules_.network = network_.get();
    }

    [[nodiscard]] const engine::Schedule& schedule() const { return *schedule_; }
    [[nodiscard]] const Network& network() const { return *network_; }
    [[nodiscard]] const engine::Wiring& wiring() const { return wiring_; }
    [[nodiscard]] bool partials() const { return rules_.partials; }

    [[nodiscard]] PlanPtr plan(std::int64_t round) const {
        {
            const std::scoped_lock lock{mutex_};
            for (auto known = latest_.rbegin(); known != latest_.rend(); ++known)
                if (known->first == round) return known->second;
        }
        auto made = std::make_shared<const RelayPlan>(planRelays(relayedMessages(Round{round}), rules_));
        const std::scoped_lock lock{mutex_};
        if (latest_.size() == remembered) latest_.erase(latest_.begin());
        latest_.emplace_back(round, made);
        return made;
    }

private:
    static constexpr std::size_t remembered = 16;

    [[nodiscard]] std::vector<RelayedMessage> relayedMessages(Round round) const {
        const Rank all{schedule_->facts().ranks};
        std::vector<RelayedMessage> relayedMessages;
        std::vector<Turn> turns(all.index());
        for (Rank rank{0}; rank < all; ++rank) {
            Turn& turn = turns[rank.index()];
            schedule_->turn(rank, round, turn);
            std::int32_t ordinal = 0;
            for (const Message& send : turn.sends())
                relayedMessages.push_back(
                    {.from = rank, .to = send.peer, .ordinal = ordinal++, .bytes = send.bytes, .read = send.slots});
        }
        if (rules_.partials)
            for (RelayedMessage& relayed : relayedMessages) matchReceive(turns, relayed);
        return relayedMessages;
    }

    static void matchReceive(std::span<const Turn> turns, RelayedMessage& relayed) {
        const auto sends = turns[relayed.from.index()].sends();
        const auto receives = turns[relayed.to.index()].receives();
        const auto ordinal = engine::ordinalOf(sends, static_cast<std::size_t>(relayed.ordinal));
        const auto place = engine::placeOf(receives, relayed.from, ordinal);
        ENSURE(place, "a send without its receive cannot be relayed");
        relayed.place = static_cast<std::int32_t>(*place);
        relayed.changed = receives[*place].slots;
        relayed.action = receives[*place].action;
    }

    SchedulePtr schedule_;
    NetworkPtr network_;
    engine::Wiring wiring_;
    RelayRules rules_;
    mutable std::mutex mutex_;
    mutable std::vector<std::pair<std::int64_t, PlanPtr>> latest_;  // oldest first
};

/// Walks the old schedule once: how many steps each round takes, and what that makes of the facts.
class Survey {
public:
    Survey(const Planning& planning, const engine::Progress& progress)
        : planning_{planning}, facts_{planning.schedule().facts()} {
        const std::int64_t rounds = facts_.rounds;
        std::int64_t step = 0;
        for (Round round{0}; round.value < rounds; ++round) {
            const std::int64_t as =
                expansions_.empty() || !sameAsBefore(round) ? plannedAs(round) : expansions_.back().plannedAs;
            expansions_.push_back({step, as});
            step += batch_.size() == 0 ? 0 : as < 0 ? 1 : steps_;
            progress.at(static_cast<double>(round.value + 1) / static_cast<double>(rounds));
        }
        unchanged_ = step == rounds && !relayed_ && facts_.wiring == planning.wiring();
        moveStages(step);
        facts_.rounds = step;
        facts_.uncoupled = {};  // what is passed on is sent by one who has just received it
        facts_.wiring = planning.wiring();
        facts_.slots = slots_ = std::max(slots_, facts_.slots);
        if (relayed_ && !planning.partials() && facts_.repeats.empty())
            facts_.repeats = "a rank has the data that it relays, even if it is to receive the same bytes later";
    }

    /// The old schedule is what is asked for.
    [[nodiscard]] bool unchanged() const { return unchanged_; }
    [[nodiscard]] const Facts& facts() const { return facts_; }
    [[nodiscard]] std::vector<Expansion> takeExpansions() { return std::move(expansions_); }

private:
    /// Reads the round's messages; whether the same ranks send to the same ranks as in the round before. Reductions
    /// also differ in their slots and are not compared.
    bool sameAsBefore(Round round) {
        read(round);
        if (planning_.partials() || batch_.size() != before_.size()) return false;
        return std::equal(batch_.from().begin(), batch_.from().end(), before_.from().begin()) &&
               std::equal(batch_.to().begin(), batch_.to().end(), before_.to().begin());
    }

    std::int64_t plannedAs(Round round) {
        if (expansions_.empty()) read(round);
        std::vector<LinkId> route;
        std::vector<Rank> stops;
        bool far = false;
        for (std::size_t i = 0; i < batch_.size() && !far; ++i) {
            route.clear();
            stops.clear();
            planning_.network().route(Rank{batch_.from()[i]}, Rank{batch_.to()[i]}, route);
            appendStops(planning_.network(), route, stops);
            far = stops.size() > 1;
        }
        if (!far) return -1;
        relayed_ = true;
        const PlanPtr plan = planning_.plan(round.value);
        steps_ = plan->steps();
        if (planning_.partials())
            for (std::int64_t step = 0; step < steps_; ++step)
                for (const Hop& hop : plan->leaving(step, Rank{0}, Rank{facts_.ranks}))
                    slots_ = std::max(slots_, hop.toSlot + 1);
        return round.value;
    }

    void read(Round round) {
        std::swap(batch_, before_);
        batch_.reset(engine::asSize(facts_.ranks));
        planning_.schedule().batch(round, Rank{0}, Rank{facts_.ranks}, batch_);
    }

    void moveStages(std::int64_t end) {
        const auto stepOf = [&](std::int64_t round) {
            return round < facts_.rounds ? expansions_[engine::asSize(round)].firstStep : end;
        };
        for (engine::Stage& stage : facts_.stages) {
            const std::int64_t last = stepOf(stage.first.value + stage.rounds);
            stage.first = Round{stepOf(stage.first.value)};
            stage.rounds = last - stage.first.value;
        }
        std::erase_if(facts_.stages, [](const engine::Stage& stage) { return stage.rounds == 0; });
    }

    const Planning& planning_;
    Facts facts_;
    std::vector<Expansion> expansions_;
    Batch batch_;
    Batch before_;
    std::int64_t steps_ = 0;  // of the round planned last
    int slots_ = 0;
    bool relayed_ = false;
    bool unchanged_ = false;
};

class Relayed final : public engine::Schedule {
public:
    Relayed(Facts facts, std::vector<Expansion> expansions, std::unique_ptr<const Planning> planning)
        : Schedule{std::move(facts)}, expansions_{std::move(expansions)}, planning_{std::move(planning)} {}

    void batch(Round round, Rank first, Rank last, Batch& out) const override {
        const StepInRound place = stepInRound(round);
        if (!place.plan) return planning_->schedule().batch(place.round, first, last, out);
        Turn origin;
        for (const Hop& hop : place.plan->leaving(place.step, first, last)) {
            const RelayedMessage& relayed = place.plan->relayed(hop);
            out.push(hop.from.value, hop.to.value,
                     planning_->partials() ? relayed.bytes : messageOf(relayed, place.round, origin).bytes);
        }
        if (!planning_->partials()) return;
        for (const Hop& hop : place.plan->reaching(place.step, first, last)) {
            const RelayedMessage& relayed = place.plan->relayed(hop);
            const engine::Bytes bytes = engine::combinedBytes(relayed.changed, relayed.action, relayed.bytes);
            if (hop.last && bytes > 0) out.combine(hop.to, bytes);
        }
    }

private:
    struct StepInRound {
        Round round;  ///< of the old schedule
        std::int64_t step = 0;
        PlanPtr plan;  ///< null: the round as it is
    };

    void fill(Rank rank, Round round, Turn& out) const override {
        const StepInRound place = stepInRound(round);
        if (!place.plan) return planning_->schedule().turn(rank, place.round, out);
        Turn origin;
        for (const Hop& hop : place.plan->leaving(place.step, rank, rank + 1)) {
            const RelayedMessage& relayed = place.plan->relayed(hop);
            const Message& message = messageOf(relayed, place.round, origin);
            const int slot = hop.fromSlot >= 0 ? hop.fromSlot : std::countr_zero(relayed.read);
            if (!planning_->partials()) out.send(hop.to, origin.ranges(message));
            else if (message.whole) out.sendPartial(hop.to, slot, relayed.bytes);
            else out.sendPartial(hop.to, slot, origin.ranges(message));
        }
        for (const Hop& hop : place.plan->reaching(place.step, rank, rank + 1)) {
            const RelayedMessage& relayed = place.plan->relayed(hop);
            const Message& message = messageOf(relayed, place.round, origin);
            const Slots slots = hop.last ? relayed.changed : hop.toSlot >= 0 ? Slots{1} << hop.toSlot : Slots{0};
            const engine::Action action = hop.last ? relayed.action : engine::Action::keep;
            if (!planning_->partials()) out.receive(hop.from, origin.ranges(message));
            else if (message.whole) out.receivePartial(hop.from, slots, action, relayed.bytes);
            else out.receivePartial(hop.from, slots, action, origin.ranges(message));
        }
    }

    [[nodiscard]] StepInRound stepInRound(Round step) const {
        const auto after =
            std::upper_bound(expansions_.begin(), expansions_.end(), step.value,
                             [](std::int64_t s, const Expansion& expansion) { return s < expansion.firstStep; });
        const Expansion& expansion = *(after - 1);
        const Round round{(after - 1) - expansions_.begin()};
        return {round, step.value - expansion.firstStep,
                expansion.plannedAs < 0 ? nullptr : planning_->plan(expansion.plannedAs)};
    }

    /// What the message's origin sent in the old schedule; `turn` becomes the origin's turn.
    [[nodiscard]] const Message& messageOf(const RelayedMessage& relayed, Round round, Turn& turn) const {
        planning_->schedule().turn(relayed.from, round, turn);
        return turn.sends()[engine::asSize(relayed.ordinal)];
    }

    std::vector<Expansion> expansions_;  // per round of the old schedule
    std::unique_ptr<const Planning> planning_;
};

void requireNeighbours(const engine::Schedule& schedule, const Network& network) {
    if (network.ranks() != schedule.facts().ranks)
        throw engine::Error{engine::text(engine::field::neighboursOnly, ": ", network.name(), " has ", network.ranks(),
                                         " ranks, but the schedule has ", schedule.facts().ranks)};
    for (std::int32_t link = 0; link < network.links(); ++link) {
        const LinkEnds ends = network.ends(LinkId{link});
        if (std::max(ends.from, ends.to) < network.places()) continue;
        throw engine::Error{engine::text(engine::field::neighboursOnly, ": ", network.name(),
                                         " has switches between its ranks, which cannot store messages; choose a "
                                         "network that links ranks directly, for example torus, mesh or hypercube")};
    }
}

}  // namespace

SchedulePtr neighboursOnly(SchedulePtr schedule, const engine::Problem& problem, NetworkPtr network,
                           const engine::Progress& progress) {
    requireNeighbours(*schedule, *network);
    if (network->wiring().kind() == engine::Wiring::Kind::any) return schedule;
    const RelayRules rules{
        .ports = schedule->facts().ports,
        .partials = engine::isReduction(problem.collective),
        .orderMatters =
            engine::combinesVectors(problem.collective) &&
            (problem.operation == engine::Operation::user || problem.operation == engine::Operation::ordered),
        .slots = schedule->facts().slots,
    };
    auto planning = std::make_unique<const Planning>(schedule, std::move(network), rules);
    Survey survey{*planning, progress};
    if (survey.unchanged()) return schedule;
    return std::make_shared<const Relayed>(survey.facts(), survey.takeExpansions(), std::move(planning));
}

}  // namespace emulation
