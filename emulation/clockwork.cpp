// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clockwork.hpp"

#include "engine/error.hpp"
#include "engine/partials.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <optional>

namespace emulation {
namespace {

using engine::Batch;
using engine::Bytes;
using engine::MessageRecord;
using engine::Picoseconds;
using engine::Plan;
using engine::Round;
using engine::Schedule;
using engine::Turn;

/// Virtual time stays below 2^62 ps, so that adding two times never overflows.
constexpr Picoseconds endOfTime{std::int64_t{1} << 62};

[[noreturn]] void refuseTime() {
    throw engine::Error{"the run lasts longer than 53 days of virtual time; choose smaller sizes or a faster model"};
}

/// Duration of a message, remembering the last size: most rounds have one size only.
class Price {
public:
    explicit Price(const engine::Model& model) : model_{model} {}

    Picoseconds operator()(Bytes bytes) {
        if (bytes != lastBytes_) {
            const __int128 femto = static_cast<__int128>(model_.beta.femtosecondsPerByte) * bytes;
            if (femto / 1000 >= endOfTime.count()) refuseTime();
            lastBytes_ = bytes;
            lastTime_ = model_.message(bytes);
        }
        return lastTime_;
    }

private:
    engine::Model model_;
    Bytes lastBytes_ = -1;
    Picoseconds lastTime_{};
};

/// Says nothing to anyone: for makespans.
struct Silent {
    void message(std::size_t, const MessageRecord&) {}
    void begin(Round, const Batch&) {}
    void end(Round, const Batch&, const std::vector<Picoseconds>&, const std::vector<Picoseconds>&) {}
};

/// The contributions of a partial result as ranges of their numbers, in order; falling stretches one by one.
void asRanges(const engine::Partial& partial, std::vector<engine::Range>& out) {
    out.clear();
    for (const auto& [first, last] : partial.stretches()) {
        if (first <= last) out.push_back({first, Bytes{last} + 1});
        else
            for (Bytes term = first; term >= last; --term) out.push_back({term, term + 1});
    }
}

/// Tells a RunBuilder; asks the schedule for the contents of messages as long as the builder keeps them.
class Telling {
public:
    Telling(const Plan& plan, engine::RunBuilder& builder, std::int64_t budget)
        : schedule_{*plan.schedule}, builder_{builder}, left_{budget},
          touched_(static_cast<std::size_t>(schedule_.facts().ranks), Round{-1}), turns_(touched_.size()) {
        if (engine::isReduction(plan.problem.collective) && budget > 0)
            partials_.emplace(schedule_.facts(), plan.problem.ranks());
    }

    void begin(Round round, const Batch&) {
        sender_ = -1;
        if (left_ <= 0) return;
        for (std::size_t r = 0; r < turns_.size(); ++r)
            schedule_.turn(engine::Rank{static_cast<std::int32_t>(r)}, round, turns_[r]);
    }
    void message(std::size_t, const MessageRecord& record) {
        if (left_ <= 0) {
            builder_.message(record, {});
            return;
        }
        if (record.from.value != sender_) place_ = 0;
        sender_ = record.from.value;
        const Turn& turn = turns_[static_cast<std::size_t>(sender_)];
        const engine::Message& send = turn.sends()[place_++];
        if (partials_) asRanges(partials_->carried(record.from, send), terms_);
        builder_.message(record, partials_ ? std::span<const engine::Range>{terms_} : turn.ranges(send));
        --left_;
    }
    void end(Round round, const Batch& batch, const std::vector<Picoseconds>& before,
             const std::vector<Picoseconds>& after) {
        const auto touch = [&](std::int32_t rank) {
            const auto r = static_cast<std::size_t>(rank);
            if (touched_[r] == round) return;
            touched_[r] = round;
            builder_.turn({engine::Rank{rank}, round, before[r], after[r]});
        };
        for (std::size_t i = 0; i < batch.size(); ++i) {
            touch(batch.from()[i]);
            touch(batch.to()[i]);
        }
        if (partials_ && left_ > 0) partials_->apply(turns_);
    }

private:
    const Schedule& schedule_;
    engine::RunBuilder& builder_;
    std::int64_t left_;           // messages whose contents are still wanted
    std::vector<Round> touched_;  // per rank: the latest round it took part in
    std::vector<Turn> turns_;     // of the round, while contents are wanted
    std::optional<engine::Partials> partials_;
    std::vector<engine::Range> terms_;
    std::int32_t sender_ = -1;
    std::size_t place_ = 0;
};

/// Lets ranks combine what they received; in lockstep all wait for the one that combines most. The latest end.
Picoseconds combineAll(const Batch& batch, const Conditions& conditions, std::vector<Picoseconds>& next) {
    Picoseconds latest{};
    for (const auto& [rank, bytes] : batch.combining()) {
        Picoseconds& end = next[static_cast<std::size_t>(rank.value)];
        end += conditions.model.gamma * bytes;
        latest = std::max(latest, end);
    }
    return latest;
}

/// Moves all clocks from round to round.
template <class Teller>
Picoseconds turnAllRounds(const Plan& plan, const Network& network, const Conditions& conditions, LinkTally& links,
                          Teller& teller, const engine::Progress& progress) {
    const Schedule& schedule = *plan.schedule;
    const auto ranks = static_cast<std::size_t>(schedule.facts().ranks);
    const std::int64_t rounds = schedule.facts().rounds;
    const bool routed = network.links() > 0;
    const bool slowed = routed && conditions.sharing == Sharing::bottleneck;
    Price price{conditions.model};
    Batch batch;
    std::vector<Picoseconds> clock(ranks);
    std::vector<Picoseconds> next(ranks);
    Picoseconds latest{};
    for (Round round{0}; round.value < rounds; ++round) {
        batch.reset(ranks);
        schedule.batch(round, engine::Rank{0}, engine::Rank{schedule.facts().ranks}, batch);
        const auto from = batch.from();
        const auto to = batch.to();
        const auto bytes = batch.bytes();
        if (routed)
            for (std::size_t i = 0; i < batch.size(); ++i)
                links.add(engine::Rank{from[i]}, engine::Rank{to[i]}, bytes[i]);
        teller.begin(round, batch);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            Bytes pace = bytes[i];
            if (slowed)
                for (const LinkId link : links.route(engine::Rank{from[i]}, engine::Rank{to[i]}))
                    pace = std::max(pace, links.inRound(link));
            const Picoseconds cost = price(pace);
            const auto s = static_cast<std::size_t>(from[i]);
            const auto r = static_cast<std::size_t>(to[i]);
            const Picoseconds sendEnd = clock[s] + cost;
            const Picoseconds receiveBegin = std::max(clock[s], clock[r]);
            const Picoseconds receiveEnd = receiveBegin + cost;
            teller.message(i, {engine::Rank{from[i]}, engine::Rank{to[i]}, round, bytes[i], clock[s], sendEnd,
                               receiveBegin, receiveEnd});
            next[s] = std::max(next[s], sendEnd);
            next[r] = std::max(next[r], receiveEnd);
            latest = std::max(latest, receiveEnd);
        }
        latest = std::max(latest, combineAll(batch, conditions, next));
        if (latest >= endOfTime) refuseTime();
        if (conditions.stepping == Stepping::lockstep) std::fill(next.begin(), next.end(), latest);
        teller.end(round, batch, clock, next);
        if (routed) links.closeRound(round);
        std::copy(next.begin(), next.end(), clock.begin());
        if ((round.value & 63) == 0) progress.at(static_cast<double>(round.value) / static_cast<double>(rounds));
    }
    progress.at(1);
    return latest;
}

void requireFit(const Plan& plan, const Network& network) {
    if (network.ranks() != plan.schedule->facts().ranks)
        throw engine::Error{engine::text("--topology ", network.name(), " has ", network.ranks(), " places, but ",
                                         plan.algorithm->id, " runs on ", plan.schedule->facts().ranks, " ranks")};
}

std::string words(const engine::Model& model) {
    return engine::text("alpha=", model.alpha.count(), "ps beta=", model.beta.femtosecondsPerByte,
                        "fs/B gamma=", model.gamma.femtosecondsPerByte, "fs/B");
}

}  // namespace

Emulated emulate(const Plan& plan, const Network& network, const Conditions& conditions,
                 const engine::Progress& progress) {
    requireFit(plan, network);
    const engine::Facts& facts = plan.schedule->facts();
    LinkTally links{network, facts.rounds};
    engine::RunBuilder builder{facts.ranks, facts.rounds, facts.stages, conditions.budget};
    Telling teller{plan, builder, conditions.budget};
    turnAllRounds(plan, network, conditions, links, teller, progress);
    Emulated result{builder.finish(), links.finish()};
    engine::describe(plan, result.run);
    result.run.setting.on = "virtual";
    result.run.setting.topology = network.name();
    result.run.setting.model = words(conditions.model);
    result.run.setting.progress = conditions.stepping == Stepping::free ? "free" : "lockstep";
    result.run.setting.sharing = conditions.sharing == Sharing::none ? "none" : "bottleneck";
    return result;
}

Picoseconds makespan(const Plan& plan, const Network& network, const Conditions& conditions,
                     const engine::Progress& progress) {
    requireFit(plan, network);
    LinkTally links{network, plan.schedule->facts().rounds};
    Silent teller;
    return turnAllRounds(plan, network, conditions, links, teller, progress);
}

}  // namespace emulation
