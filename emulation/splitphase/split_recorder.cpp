// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/splitphase/split_recorder.hpp"

#include "emulation/clocks/run_recorder.hpp"
#include "engine/proof/partials.hpp"

#include <array>
#include <optional>

namespace emulation {
namespace {

using engine::Picoseconds;
using engine::Round;
using engine::Run;

/// What messages carry, told in the order of rounds, senders and places.
class Cargo {
public:
    explicit Cargo(const engine::Plan& plan)
        : schedule_{*plan.schedule}, turns_(engine::asSize(schedule_.facts().ranks)) {
        if (isReduction(plan.problem.collective) && !schedule_.facts().pieces)
            partials_.emplace(schedule_.facts(), plan.problem);
    }

    std::span<const engine::Range> of(const engine::MessageRecord& record) {
        while (round_ < record.round) open(round_ + 1);
        if (record.from != sender_) place_ = 0;
        sender_ = record.from;
        const engine::Turn& turn = turns_[sender_.index()];
        const engine::Message& send = turn.sends()[place_++];
        if (!partials_) return turn.ranges(send);
        asRanges(partials_->read(sender_, send).whole(), terms_);
        return terms_;
    }

private:
    void open(Round round) {
        if (partials_ && round_.value >= 0) partials_->apply(turns_);
        round_ = round;
        sender_ = Rank{-1};
        for (std::size_t r = 0; r < turns_.size(); ++r)
            schedule_.turn(Rank{static_cast<std::int32_t>(r)}, round, turns_[r]);
    }

    const engine::Schedule& schedule_;
    std::vector<engine::Turn> turns_;  // of the open round
    std::optional<engine::Partials> partials_;
    std::vector<engine::Range> terms_;
    Round round_{-1};
    Rank sender_{-1};
    std::size_t place_ = 0;
};

void tellRegions(Run& run, const engine::ById<Rank, SplitPhaseTimes>& ranks) {
    run.stages = {{"start", Round{0}, 0}, {std::string{engine::computingStage}, Round{0}, 0}, {"wait", Round{0}, 0}};
    for (const Rank rank : ranks.ids()) {
        const SplitPhaseTimes& of = ranks[rank];
        const std::array<Picoseconds, 4> times{of.begin, of.started, of.computed, of.end};
        for (std::int32_t stage = 0; stage < 3; ++stage)
            run.spans.push_back({rank, stage, times[engine::asSize(stage)], times[engine::asSize(stage) + 1]});
    }
}

}  // namespace

Run recordOf(const engine::Plan& plan, const SplitMessages& messages, const engine::ById<Rank, SplitPhaseTimes>& times,
             std::int64_t budget) {
    const engine::Facts& facts = plan.schedule->facts();
    engine::RunBuilder builder{facts.ranks, facts.rounds, {}, budget};
    Cargo cargo{plan};
    std::int64_t left = budget;
    for (const SplitMessage& message : messages.all)
        builder.message(message.record, left-- > 0 ? cargo.of(message.record) : std::span<const engine::Range>{});
    for (const Rank rank : times.ids()) {
        for (const SplitStep& step : messages.steps[rank]) {
            builder.turn({rank, step.round, step.began, step.ended});
            if (step.complete < step.ended) builder.combined({rank, step.complete, step.ended});
        }
        builder.computed({rank, times[rank].started, times[rank].computed});
        builder.turn({rank, Round{-1}, times[rank].begin, times[rank].end});
    }
    Run run = builder.finish();
    tellRegions(run, times);
    engine::describe(plan, run);
    return run;
}

}  // namespace emulation
