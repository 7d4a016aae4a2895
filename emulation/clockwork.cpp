// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clockwork.hpp"

#include "emulation/belt_clock.hpp"
#include "emulation/fluid.hpp"
#include "emulation/ledger.hpp"
#include "engine/conveyor.hpp"
#include "engine/error.hpp"
#include "engine/text.hpp"

#include <algorithm>

namespace emulation {
namespace {

using engine::Batch;
using engine::Bytes;
using engine::Picoseconds;
using engine::Plan;
using engine::Round;

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

/// Keeps no record: for makespans.
struct NoLedger {
    static constexpr bool keeps = false;
    static bool wants() { return true; }
    void open(Round, const Batch&) {}
    void message(const engine::MessageRecord&) {}
    void close(Round, std::span<const Picoseconds>, std::span<const Picoseconds>, std::span<const Moment>) {}
};

/// Lets ranks combine what they received. The latest end.
Picoseconds combineAll(const Batch& batch, const engine::Model& model, std::span<Picoseconds> ends) {
    Picoseconds latest{};
    for (const auto& [rank, bytes] : batch.combining()) {
        Picoseconds& end = ends[static_cast<std::size_t>(rank.value)];
        end += model.gamma * bytes;
        latest = std::max(latest, end);
    }
    return latest;
}

/// All clocks, moved from round to round.
template <class Record>
class Clocks {
public:
    Clocks(const Plan& plan, const Network& network, const Conditions& conditions, LinkTally& links, Record& record)
        : schedule_{*plan.schedule}, conditions_{conditions}, links_{links}, record_{record}, price_{conditions.model},
          routed_{network.links() > 0}, slowed_{routed_ && conditions.sharing == Sharing::bottleneck},
          clock_(static_cast<std::size_t>(schedule_.facts().ranks)), next_(clock_.size()), moments_(clock_.size()) {}

    Picoseconds run(const engine::Progress& progress) {
        const std::int64_t rounds = schedule_.facts().rounds;
        for (Round round{0}; round.value < rounds && record_.wants(); ++round) {
            step(round);
            if ((round.value & 63) == 0) progress.at(static_cast<double>(round.value) / static_cast<double>(rounds));
        }
        progress.at(1);
        return latest_;
    }

private:
    void step(Round round) {
        batch_.reset(clock_.size());
        schedule_.batch(round, Rank{0}, Rank{schedule_.facts().ranks}, batch_);
        if (routed_)
            for (std::size_t i = 0; i < batch_.size(); ++i)
                links_.add(Rank{batch_.from()[i]}, Rank{batch_.to()[i]}, batch_.bytes()[i]);
        record_.open(round, batch_);
        if constexpr (Record::keeps) {
            move(round);
            for (std::size_t r = 0; r < clock_.size(); ++r)
                next_[r] = std::max({clock_[r], moments_[r].sendEnd, moments_[r].receiveEnd});
        } else {
            std::copy(clock_.begin(), clock_.end(), next_.begin());
            slowed_ ? onlyMove([this](std::size_t i) { return pace(i); })
                    : onlyMove([bytes = batch_.bytes()](std::size_t i) { return bytes[i]; });
        }
        if (!batch_.combining().empty()) latest_ = std::max(latest_, combineAll(batch_, conditions_.model, next_));
        if (latest_ >= endOfTime) refuseTime();
        if (conditions_.stepping == Stepping::lockstep) std::fill(next_.begin(), next_.end(), latest_);
        record_.close(round, clock_, next_, moments_);
        if (routed_) links_.closeRound(round);
        std::swap(clock_, next_);
    }

    /// Times every message of the round; leaves in `moments_` what each rank's ports did.
    void move(Round round) {
        const auto from = batch_.from();
        const auto to = batch_.to();
        const auto bytes = batch_.bytes();
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            const Picoseconds cost = price_(slowed_ ? pace(i) : bytes[i]);
            const auto s = static_cast<std::size_t>(from[i]);
            const auto r = static_cast<std::size_t>(to[i]);
            const Picoseconds sendEnd = clock_[s] + cost;
            const Picoseconds receiveBegin = std::max(clock_[s], clock_[r]);
            const Picoseconds receiveEnd = receiveBegin + cost;
            if constexpr (Record::keeps)
                record_.message({Rank{from[i]}, Rank{to[i]}, round, bytes[i], clock_[s], sendEnd, receiveBegin, receiveEnd});
            moments_[s].sendEnd = std::max(moments_[s].sendEnd, sendEnd);
            moments_[r].receiveBegin = receiveBegin;
            moments_[r].receiveEnd = std::max(moments_[r].receiveEnd, receiveEnd);
            latest_ = std::max(latest_, receiveEnd);
        }
    }

    /// The same clocks, without a word about what the ports did.
    template <class Pace>
    void onlyMove(Pace paceOf) {
        const std::int32_t* from = batch_.from().data();
        const std::int32_t* to = batch_.to().data();
        const Picoseconds* clock = clock_.data();
        Picoseconds* next = next_.data();
        Picoseconds latest = latest_;
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            const Picoseconds cost = price_(paceOf(i));
            const Picoseconds sender = clock[from[i]];
            const Picoseconds receiveEnd = std::max(sender, clock[to[i]]) + cost;
            next[from[i]] = std::max(next[from[i]], sender + cost);
            next[to[i]] = std::max(next[to[i]], receiveEnd);
            latest = std::max(latest, receiveEnd);
        }
        latest_ = latest;
    }

    /// Bytes through the busiest link on the message's way: the size it moves as if it had.
    Bytes pace(std::size_t i) {
        Bytes most = batch_.bytes()[i];
        for (const LinkId link : links_.route(Rank{batch_.from()[i]}, Rank{batch_.to()[i]}))
            most = std::max(most, links_.inRound(link));
        return most;
    }

    const engine::Schedule& schedule_;
    const Conditions& conditions_;
    LinkTally& links_;
    Record& record_;
    Price price_;
    bool routed_;
    bool slowed_;
    Batch batch_;
    std::vector<Picoseconds> clock_;  // per rank: when its open round began
    std::vector<Picoseconds> next_;   // per rank: when its open round ends
    std::vector<Moment> moments_;     // per rank: its ports in its latest rounds; ends before clock_ are of older rounds
    Picoseconds latest_{};
};

/// A ledger that is closed when its budget of messages is spent.
struct MessagesOnly : Ledger {
    using Ledger::Ledger;
    [[nodiscard]] bool wants() const { return keepsMore(); }
};

/// The plan's conveyor, if its clocks can be moved without looking at single messages.
const engine::Conveyor* plainConveyor(const Plan& plan, const Network& network, const Conditions& conditions) {
    const auto* schedule = dynamic_cast<const engine::ConveyorSchedule*>(plan.schedule.get());
    const bool plain = network.links() == 0 && conditions.stepping == Stepping::free && schedule != nullptr &&
                       schedule->facts().rounds > 0;
    return plain && schedule->conveyor().sendsEmpty ? &schedule->conveyor() : nullptr;
}

BeltTimes turn(const engine::Conveyor& conveyor, const Conditions& conditions, const engine::Progress& progress) {
    Price price{conditions.model};
    std::vector<Picoseconds> costs;
    costs.reserve(conveyor.blocks.size());
    Picoseconds longest{};
    for (const engine::Range block : conveyor.blocks) {
        costs.push_back(price(block.size()));
        longest = std::max(longest, costs.back());
    }
    const auto rounds = *std::max_element(conveyor.rounds.begin(), conveyor.rounds.end());
    if (longest.count() > endOfTime.count() / std::max<std::int64_t>(1, rounds)) refuseTime();
    return turnConveyor(conveyor, costs, progress);
}

/// The run of a conveyor: books from the belt clock, messages (as far as the budget goes) from the general one.
engine::Run runConveyor(const Plan& plan, const Network& network, const Conditions& conditions,
                        const engine::Conveyor& conveyor, LinkTally& links, const engine::Progress& progress) {
    MessagesOnly ledger{plan, conditions.budget};
    const Picoseconds kept = Clocks{plan, network, conditions, links, ledger}.run({.report = {}, .stop = progress.stop});
    if (ledger.wants()) return ledger.finish(kept);
    return ledger.finish(conveyor, turn(conveyor, conditions, progress));
}

void requireFit(const Plan& plan, const Network& network, const Conditions& conditions) {
    if (conditions.wire != Wire{} && !isFluid(conditions.sharing))
        throw engine::Error{"--header and --detached need --sharing fair or fair-weighted"};
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
    requireFit(plan, network, conditions);
    Emulated result;
    LinkTally links{network, plan.schedule->facts().rounds};
    if (isFluid(conditions.sharing)) {
        result = emulateFluid(plan, network, conditions, progress);
    } else if (const engine::Conveyor* conveyor = plainConveyor(plan, network, conditions)) {
        result.run = runConveyor(plan, network, conditions, *conveyor, links, progress);
    } else {
        Ledger ledger{plan, conditions.budget};
        const Picoseconds duration = Clocks{plan, network, conditions, links, ledger}.run(progress);
        result.run = ledger.finish(duration);
    }
    if (!isFluid(conditions.sharing)) result.congestion = links.finish();
    engine::describe(plan, result.run);
    result.run.setting.on = "virtual";
    result.run.setting.topology = network.name();
    result.run.setting.model = words(conditions.model);
    result.run.setting.progress = conditions.stepping == Stepping::free ? "free" : "lockstep";
    result.run.setting.sharing = toText(conditions.sharing, conditions.wire);
    return result;
}

Picoseconds makespan(const Plan& plan, const Network& network, const Conditions& conditions,
                     const engine::Progress& progress) {
    requireFit(plan, network, conditions);
    if (isFluid(conditions.sharing)) return fluidMakespan(plan, network, conditions, progress);
    if (const engine::Conveyor* conveyor = plainConveyor(plan, network, conditions)) {
        const BeltTimes times = turn(*conveyor, conditions, progress);
        return *std::max_element(times.last.begin(), times.last.end());
    }
    LinkTally links{network, plan.schedule->facts().rounds};
    NoLedger nothing;
    return Clocks{plan, network, conditions, links, nothing}.run(progress);
}

}  // namespace emulation
