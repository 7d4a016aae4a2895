// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clockwork.hpp"

#include "emulation/conveyor_clock.hpp"
#include "emulation/bounded_time.hpp"
#include "emulation/detailed_clock.hpp"
#include "emulation/fluid.hpp"
#include "emulation/ledger.hpp"
#include "engine/conveyor.hpp"
#include "engine/error.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <optional>

// Loops of 64-bit maxima are built for several instruction sets and chosen when the program starts: the oldest have no
// such instruction. Sanitizers and the choice at start-up do not go together.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define FOR_SEVERAL_PROCESSORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_SEVERAL_PROCESSORS
#endif

namespace emulation {
namespace {

using engine::Batch;
using engine::Bytes;
using engine::Picoseconds;
using engine::Plan;
using engine::Round;

/// Duration of a message, remembering the last size: most rounds have one size only.
class Price {
public:
    explicit Price(const engine::Model& model) : model_{model} {}

    Picoseconds operator()(Bytes bytes) {
        if (bytes != lastBytes_) {
            lastTime_ = later(model_.alpha, lasting(model_.beta, bytes));
            lastBytes_ = bytes;
        }
        return lastTime_;
    }

private:
    engine::Model model_;
    Bytes lastBytes_ = -1;
    Picoseconds lastTime_{};
};

/// next[r] becomes the latest of the three; returns the latest of all.
FOR_SEVERAL_PROCESSORS
Picoseconds latestOfThree(std::span<const Picoseconds> clock, const Picoseconds* __restrict received,
                          Picoseconds* __restrict next) {
    std::int64_t latest = 0;
    for (std::size_t r = 0, ranks = clock.size(); r < ranks; ++r) {
        const std::int64_t done = std::max(next[r].count(), received[r].count());
        const std::int64_t end = std::max(clock[r].count(), done);
        next[r] = Picoseconds{end};
        latest = std::max(latest, end);
    }
    return Picoseconds{latest};
}

/// Keeps no record: for makespans.
struct NoLedger {
    static constexpr bool keeps = false;
    static bool wants() { return true; }
    void open(Round, const Batch&) {}
    void message(const engine::MessageRecord&) {}
    void close(Round, std::span<const Picoseconds>, std::span<const Picoseconds>, std::span<const Moment>) {}
};

/// Whether the plain rules are enough: one alpha and beta for all messages, and nobody waits for a receiver.
bool isPlain(const Network& network, const Conditions& conditions) {
    return !conditions.model.logGP && !conditions.model.eagerLimit && conditions.unevenness.slowRanks.empty() &&
           conditions.unevenness.slowLinks.empty() && isUniform(network);
}

/// The plain rules ask for the busiest link of a way only.
LinkTally tallyFor(const Plan& plan, const Network& network, const Conditions& conditions) {
    return {network, plan.schedule->facts().rounds,
            isPlain(network, conditions) ? LinkTally::Asked::ways : LinkTally::Asked::links};
}

/// All clocks, moved from round to round.
template <class Record>
class Clocks {
public:
    Clocks(const Plan& plan, const Network& network, const Conditions& conditions, LinkTally& links, Record& record)
        : schedule_{*plan.schedule}, conditions_{conditions}, links_{links}, record_{record}, price_{conditions.model},
          routed_{network.links() > 0}, slowed_{routed_ && conditions.sharing == Sharing::bottleneck},
          clock_{startTimes(conditions.unevenness.arrival, schedule_.facts().ranks)}, next_(clock_.size()),
          moments_(Record::keeps ? clock_.size() : 0), latest_{*std::max_element(clock_.begin(), clock_.end())} {
        if (!isPlain(network, conditions)) detailed_.emplace(network, conditions, links);
        if (conditions.stepping == Stepping::lockstep) std::fill(clock_.begin(), clock_.end(), latest_);
        else if (!conditions.model.logGP) apart_ = schedule_.facts().apart;
    }

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
    enum class Ports : std::uint8_t { one, many };
    void step(Round round) {
        if constexpr (!Record::keeps)
            if (!routed_ && !detailed_ && !apart_.contains(round)) return glide(round);
        batch_.reset(clock_.size());
        schedule_.batch(round, Rank{0}, Rank{schedule_.facts().ranks}, batch_);
        if (routed_) {
            for (std::size_t i = 0; i < batch_.size(); ++i)
                links_.add(Rank{batch_.from()[i]}, Rank{batch_.to()[i]}, batch_.bytes()[i]);
            links_.settle();
        }
        record_.open(round, batch_);
        if (apart_.contains(round)) {
            moveApart(round);
        } else if (detailed_) {
            moveInDetail(round);
        } else if constexpr (Record::keeps) {
            move(round);
            for (std::size_t r = 0; r < clock_.size(); ++r)
                next_[r] = std::max({clock_[r], moments_[r].sendEnd, moments_[r].receiveEnd});
        } else {
            std::copy(clock_.begin(), clock_.end(), next_.begin());
            slowed_ ? onlyMove([this](std::size_t i) { return pace(i); })
                    : onlyMove([bytes = batch_.bytes()](std::size_t i) { return bytes[i]; });
        }
        combineAll(batch_.combining());
        if (latest_ >= endOfTime) refuseTime();
        if (conditions_.stepping == Stepping::lockstep) std::fill(next_.begin(), next_.end(), latest_);
        record_.close(round, clock_, next_, moments_);
        if (routed_) links_.closeRound(round);
        std::swap(clock_, next_);
    }

    /// A round without books, links and details. Few messages are looked at one by one where the clocks are; many go
    /// through tiles that stay in the cache.
    void glide(Round round) {
        std::size_t messages = 0;
        const std::int32_t ranks = schedule_.facts().ranks;
        if (conditions_.stepping == Stepping::lockstep || few_) {
            batch_.reset(clock_.size());
            schedule_.batch(round, Rank{0}, Rank{ranks}, batch_);
            messages = batch_.size();
            conditions_.stepping == Stepping::lockstep ? march() : touch();
        } else {
            combining_.clear();
            received_.resize(clock_.size());
            for (std::int32_t first = 0; first < ranks; first += tileOf) {
                batch_.reset(std::min(clock_.size(), std::size_t{tileOf}));
                schedule_.batch(round, Rank{first}, Rank{std::min(ranks, first + tileOf)}, batch_);
                messages += batch_.size();
                schedule_.facts().ports == 1 ? note<Ports::one>() : note<Ports::many>();
                combining_.insert(combining_.end(), batch_.combining().begin(), batch_.combining().end());
            }
            latest_ = std::max(latest_, latestOfThree(clock_, received_.data(), next_.data()));
            combineAll(combining_);
            std::swap(clock_, next_);
        }
        few_ = messages * 8 < clock_.size();
        if (latest_ >= endOfTime) refuseTime();
    }

    /// When the ports of both ends have moved the messages of the batch. What stands there of older rounds is behind the
    /// clocks and does no harm.
    template <Ports ports>
    void note() {
        const std::int32_t* from = batch_.from().data();
        const std::int32_t* to = batch_.to().data();
        const Bytes* bytes = batch_.bytes().data();
        const Picoseconds* clock = clock_.data();
        Picoseconds* sent = next_.data();
        Picoseconds* received = received_.data();
        Price price = price_;  // one that no store below can change
        for (std::size_t i = 0, messages = batch_.size(); i < messages; ++i) {
            const Picoseconds cost = price(bytes[i]);
            const Picoseconds sender = clock[from[i]];
            const Picoseconds sendEnd = sender + cost;
            const Picoseconds receiveEnd = std::max(sender, clock[to[i]]) + cost;
            sent[from[i]] = ports == Ports::one ? sendEnd : std::max(sent[from[i]], sendEnd);
            received[to[i]] = ports == Ports::one ? receiveEnd : std::max(received[to[i]], receiveEnd);
        }
        price_ = price;
    }

    /// In lockstep all clocks are alike: `latest_`.
    void march() {
        Bytes largest = -1;
        for (const Bytes bytes : batch_.bytes()) largest = std::max(largest, bytes);
        const Picoseconds begin = latest_;
        if (!batch_.combining().empty()) {
            std::fill(clock_.begin(), clock_.end(), begin);
            std::fill(next_.begin(), next_.end(), begin);
            onlyMove([bytes = batch_.bytes()](std::size_t i) { return bytes[i]; });
            combineAll(batch_.combining());
        } else if (largest >= 0) {
            latest_ = begin + price_(largest);
        }
    }

    /// Free progress of the ranks that have messages, where their clocks are.
    void touch() {
        const auto from = batch_.from();
        const auto to = batch_.to();
        ends_.resize(batch_.size());
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            const Picoseconds cost = price_(batch_.bytes()[i]);
            const Picoseconds sender = clock_[static_cast<std::size_t>(from[i])];
            ends_[i] = {sender + cost, std::max(sender, clock_[static_cast<std::size_t>(to[i])]) + cost};
        }
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            Picoseconds& sender = clock_[static_cast<std::size_t>(from[i])];
            Picoseconds& receiver = clock_[static_cast<std::size_t>(to[i])];
            sender = std::max(sender, ends_[i].first);
            receiver = std::max(receiver, ends_[i].second);
            latest_ = std::max(latest_, ends_[i].second);
        }
        std::swap(clock_, next_);  // combineAll works on next_
        combineAll(batch_.combining());
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

    /// A round in which no rank's sends wait for its receives: each direction has its own clocks.
    void moveApart(Round round) {
        if (round == apart_.first) out_ = in_ = nextOut_ = nextIn_ = clock_;
        std::copy(out_.begin(), out_.end(), nextOut_.begin());
        std::copy(in_.begin(), in_.end(), nextIn_.begin());
        const auto take = [this](const engine::MessageRecord& record) {
            record_.message(record);
            const auto s = static_cast<std::size_t>(record.from.value);
            const auto r = static_cast<std::size_t>(record.to.value);
            nextOut_[s] = std::max(nextOut_[s], record.sendEnd);
            nextIn_[r] = std::max(nextIn_[r], record.receiveEnd);
            latest_ = std::max({latest_, record.sendEnd, record.receiveEnd});
        };
        if (detailed_) {
            for (const engine::MessageRecord& record : detailed_->moveApart(batch_, round, out_, in_)) take(record);
        } else {
            for (std::size_t i = 0; i < batch_.size(); ++i) {
                const Picoseconds cost = price_(slowed_ ? pace(i) : batch_.bytes()[i]);
                const Picoseconds sendBegin = out_[static_cast<std::size_t>(batch_.from()[i])];
                const Picoseconds receiveBegin = std::max(sendBegin, in_[static_cast<std::size_t>(batch_.to()[i])]);
                take({Rank{batch_.from()[i]}, Rank{batch_.to()[i]}, round, batch_.bytes()[i], sendBegin, sendBegin + cost,
                      receiveBegin, receiveBegin + cost});
            }
        }
        std::swap(out_, nextOut_);
        std::swap(in_, nextIn_);
        for (std::size_t r = 0; r < next_.size(); ++r) next_[r] = std::max({clock_[r], out_[r], in_[r]});
    }

    void moveInDetail(Round round) {
        for (const engine::MessageRecord& record : detailed_->move(batch_, round, clock_, next_)) {
            record_.message(record);
            latest_ = std::max({latest_, record.sendEnd, record.receiveEnd});
        }
    }

    /// Lets ranks combine what they received.
    void combineAll(std::span<const std::pair<Rank, Bytes>> combining) {
        for (const auto& [rank, bytes] : combining) {
            Picoseconds& end = next_[static_cast<std::size_t>(rank.value)];
            end += detailed_ ? detailed_->combining(rank, bytes) : conditions_.model.gamma * bytes;
            latest_ = std::max(latest_, end);
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
        return std::max(batch_.bytes()[i], links_.busiest(i, Rank{batch_.from()[i]}, Rank{batch_.to()[i]}));
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
    static constexpr std::int32_t tileOf = 4096;  // ranks: their messages stay in the nearest cache
    bool few_ = false;                // the round before had few messages
    std::vector<Picoseconds> received_;  // by rank: when its in-port had done its latest message
    std::vector<std::pair<Picoseconds, Picoseconds>> ends_;      // of the round's messages: send, receive
    std::vector<std::pair<Rank, Bytes>> combining_;              // of all tiles of the round
    std::vector<Moment> moments_;     // per rank: its ports in its latest rounds; ends before clock_ are of older rounds
    Picoseconds latest_;
    engine::Rounds apart_;            // where each direction has its own clocks:
    std::vector<Picoseconds> out_, in_, nextOut_, nextIn_;
    std::optional<DetailedClock> detailed_;
};

/// A ledger that is closed when its budget of messages is spent.
struct MessagesOnly : Ledger {
    using Ledger::Ledger;
    [[nodiscard]] bool wants() const { return keepsMore(); }
};

bool everyPlaceTakesPart(const engine::Conveyor& conveyor) {
    std::int64_t left = conveyor.rounds.back();
    for (const std::int64_t own : conveyor.rounds) {
        if (own == 0 && left == 0) return false;
        left = own;
    }
    return true;
}

/// The plan's conveyor, if its clocks can be moved without looking at single messages.
const engine::Conveyor* plainConveyor(const Plan& plan, const Network& network, const Conditions& conditions) {
    const auto* schedule = dynamic_cast<const engine::ConveyorSchedule*>(plan.schedule.get());
    const bool plain = network.links() == 0 && schedule != nullptr && schedule->facts().rounds > 0;
    const bool fits = plain && schedule->conveyor().sendsEmpty && everyPlaceTakesPart(schedule->conveyor());
    return fits && isPlain(network, conditions) ? &schedule->conveyor() : nullptr;
}

ConveyorTimes timesOf(const engine::Conveyor& conveyor, const Conditions& conditions, const engine::Progress& progress) {
    Price price{conditions.model};
    std::vector<Picoseconds> costs;
    costs.reserve(conveyor.blocks.size());
    Picoseconds longest{};
    for (const engine::Range block : conveyor.blocks) {
        costs.push_back(price(block.size()));
        longest = std::max(longest, costs.back());
    }
    const auto rounds = *std::max_element(conveyor.rounds.begin(), conveyor.rounds.end());
    const std::vector<Picoseconds> starts = startTimes(conditions.unevenness.arrival, conveyor.places());
    const Picoseconds latest = *std::max_element(starts.begin(), starts.end());
    (void)later(latest, lasting(rounds, longest));
    if (conditions.stepping == Stepping::lockstep) return marchConveyor(conveyor, costs, latest, progress);
    std::vector<Picoseconds> ofPlaces = starts;
    for (std::size_t place = 0; place < conveyor.rankAt.size(); ++place)
        ofPlaces[place] = starts[static_cast<std::size_t>(conveyor.rankAt[place])];
    return turnConveyor(conveyor, costs, ofPlaces, {.threads = conditions.threads}, progress);
}

/// The run of a conveyor: books from its own clock, messages (as far as the budget goes) from the general one.
engine::Run runConveyor(const Plan& plan, const Network& network, const Conditions& conditions,
                        const engine::Conveyor& conveyor, LinkTally& links, const engine::Progress& progress) {
    MessagesOnly ledger{plan, conditions.budget, Ledger::Counting::byTurn};
    const Picoseconds kept = Clocks{plan, network, conditions, links, ledger}.run({.report = {}, .stop = progress.stop});
    if (ledger.wants()) return ledger.finish(kept);
    return ledger.finish(conveyor, timesOf(conveyor, conditions, progress));
}

/// Fluid sharing knows alpha and beta, links of their own quality, and nothing else.
void requireFluid(const Network& network, const Conditions& conditions) {
    const auto refuse = [&](bool given, std::string_view what) {
        if (given) throw engine::Error{engine::text("--sharing fair knows no ", what, "; choose --sharing bottleneck")};
    };
    refuse(conditions.model.logGP.has_value(), "LogGP");
    refuse(conditions.model.eagerLimit.has_value(), "eager limit");
    refuse(!conditions.unevenness.none(), "--arrival, --slow-ranks and --slow-links");
    for (LinkId link{0}; link.value < network.links(); ++link)
        refuse(network.oneAtATime(link), "ports that take messages one by one");
}

void requireFit(const Plan& plan, const Network& network, const Conditions& conditions) {
    if (conditions.wire != Wire{} && !isFluid(conditions.sharing))
        throw engine::Error{"--header and --detached need --sharing fair or fair-weighted"};
    if (isFluid(conditions.sharing)) requireFluid(network, conditions);
    if (network.ranks() != plan.schedule->facts().ranks)
        throw engine::Error{engine::text("--topology ", network.name(), " has ", network.ranks(), " places, but ",
                                         plan.algorithm->id, " runs on ", plan.schedule->facts().ranks, " ranks")};
}

}  // namespace

Emulated emulate(const Plan& plan, const Network& network, const Conditions& conditions,
                 const engine::Progress& progress) {
    requireFit(plan, network, conditions);
    Emulated result;
    LinkTally links = tallyFor(plan, network, conditions);
    if (isFluid(conditions.sharing)) {
        result = emulateFluid(plan, network, conditions, progress);
    } else if (const engine::Conveyor* conveyor = plainConveyor(plan, network, conditions)) {
        result.run = runConveyor(plan, network, conditions, *conveyor, links, progress);
    } else {
        Ledger ledger{plan, conditions.budget,
                      isPlain(network, conditions) ? Ledger::Counting::byTurn : Ledger::Counting::byMessage};
        const Picoseconds duration = Clocks{plan, network, conditions, links, ledger}.run(progress);
        result.run = ledger.finish(duration);
    }
    if (!isFluid(conditions.sharing)) result.congestion = links.finish();
    engine::describe(plan, result.run);
    result.run.setting.on = "virtual";
    result.run.setting.topology = network.name();
    result.run.setting.model = engine::toText(conditions.model);
    result.run.setting.unevenness = toText(conditions.unevenness);
    result.run.setting.progress = conditions.stepping == Stepping::free ? "free" : "lockstep";
    result.run.setting.sharing = toText(conditions.sharing, conditions.wire);
    return result;
}

Picoseconds makespan(const Plan& plan, const Network& network, const Conditions& conditions,
                     const engine::Progress& progress) {
    requireFit(plan, network, conditions);
    if (isFluid(conditions.sharing)) return fluidMakespan(plan, network, conditions, progress);
    if (const engine::Conveyor* conveyor = plainConveyor(plan, network, conditions)) {
        const ConveyorTimes times = timesOf(*conveyor, conditions, progress);
        return *std::max_element(times.last.begin(), times.last.end());
    }
    LinkTally links = tallyFor(plan, network, conditions);
    NoLedger nothing;
    return Clocks{plan, network, conditions, links, nothing}.run(progress);
}

}  // namespace emulation
