// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/threads/threads.hpp"

#include "engine/base/by_id.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "engine/live/threads/buffers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <latch>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace engine {
namespace {

using Clock = std::chrono::steady_clock;

/// Which of a rank's strands a thread does.
enum class Strand : std::uint8_t { both, sends, receives };

/// A message on its way.
struct Packet {
    Round round{};
    std::size_t place = 0;  ///< in the sender's turn
    Picoseconds sendBegin{};
    Picoseconds sendEnd{};
    std::vector<std::byte> data{};
};

/// What one rank has been sent and not yet taken, first in first out per sender.
class Inbox {
public:
    void put(Rank from, Packet packet) {
        {
            const std::scoped_lock lock{mutex_};
            queues_[from].push_back(std::move(packet));
        }
        arrived_.notify_one();
    }
    Packet take(Rank from, const std::stop_token& stop) {
        std::unique_lock lock{mutex_};
        if (!arrived_.wait(lock, stop, [&] { return !queues_[from].empty(); })) throw Cancelled{};
        Packet packet = std::move(queues_[from].front());
        queues_[from].pop_front();
        return packet;
    }

private:
    std::mutex mutex_;
    std::condition_variable_any arrived_;
    std::unordered_map<Rank, std::deque<Packet>> queues_;
};

/// What a rank saw, told to the observer after all have joined.
struct Log {
    struct Received {
        MessageRecord record;
        std::size_t place = 0;
        std::uint32_t firstRange = 0;
        std::uint32_t rangeCount = 0;
    };
    Picoseconds entered{};
    std::array<std::vector<TurnRecord>, 2> turns;  ///< in [1] those of a receiving strand alone
    std::vector<Received> received;
    std::vector<Range> ranges;
};

/// One run: everything the threads share.
class RankThreads {
public:
    explicit RankThreads(const Plan& plan)
        : plan_{plan}, facts_{plan.schedule->facts()}, inboxes_(facts_.ranks), logs_(facts_.ranks) {
        for (const Rank rank : logs_.ids()) buffers_.emplace_back(plan.problem, facts_, rank);
    }

    void run(const Progress& progress) {
        std::latch ready{facts_.ranks};
        std::stop_source stop;
        const std::stop_callback forward{progress.stop, [&] { stop.request_stop(); }};
        {
            std::vector<std::jthread> threads;
            for (const Rank rank : logs_.ids())
                threads.emplace_back([this, rank, &ready, &stop] { work(rank, ready, stop); });
        }
        if (failure_) std::rethrow_exception(failure_);
        progress.at(1);
    }

    void tell(RunBuilder& builder) {
        ById<Rank, std::size_t> next(facts_.ranks);
        std::vector<std::pair<const Log*, const Log::Received*>> inRound;
        for (Round round{0}; round.value < facts_.rounds; ++round) {
            inRound.clear();
            for (const Rank rank : logs_.ids()) {
                const Log& log = logs_[rank];
                for (std::size_t& at = next[rank]; at < log.received.size() && log.received[at].record.round == round;
                     ++at)
                    inRound.emplace_back(&log, &log.received[at]);
            }
            std::sort(inRound.begin(), inRound.end(), [](const auto& a, const auto& b) {
                return std::pair{a.second->record.from, a.second->place} <
                       std::pair{b.second->record.from, b.second->place};
            });
            for (const auto& [log, received] : inRound)
                builder.message(received->record,
                                std::span{log->ranges}.subspan(received->firstRange, received->rangeCount));
        }
        std::vector<TurnRecord> turns;
        for (const Log& log : logs_) {
            turns.clear();
            std::merge(log.turns[0].begin(), log.turns[0].end(), log.turns[1].begin(), log.turns[1].end(),
                       std::back_inserter(turns),
                       [](const TurnRecord& a, const TurnRecord& b) { return a.round < b.round; });
            for (const TurnRecord& turn : turns) builder.turn(turn);
        }
    }

    [[nodiscard]] std::vector<Picoseconds> entered() const {
        std::vector<Picoseconds> when;
        for (const Log& log : logs_) when.push_back(log.entered);
        return when;
    }

    [[nodiscard]] std::string fault() const {
        for (const RankBuffers& buffers : buffers_)
            if (std::string fault = buffers.compare(); !fault.empty()) return fault;
        return {};
    }

private:
    [[nodiscard]] Picoseconds now() const { return std::chrono::duration_cast<Picoseconds>(Clock::now() - start_); }

    void work(Rank rank, std::latch& ready, std::stop_source& stop) {
        try {
            if (rank == Rank{0}) start_ = Clock::now();
            ready.arrive_and_wait();
            logs_[rank].entered = now();
            Turn turn;
            Picoseconds since = logs_[rank].entered;
            for (Round round{0}; round.value < facts_.rounds;) {
                const Rounds together = facts_.untilJoin(round);
                since = together.count > 1 ? walkUncoupled(rank, together, since, turn, stop)
                                           : walk(rank, together, Strand::both, since, turn, stop.get_token());
                round = together.end();
            }
        } catch (...) {
            fail(stop);
        }
    }

    void fail(std::stop_source& stop) {
        const std::scoped_lock lock{failureMutex_};
        if (!failure_) failure_ = std::current_exception();
        stop.request_stop();
    }

    /// The rank's sends, and on a thread of their own its receives, until they join. When that is.
    Picoseconds walkUncoupled(Rank rank, Rounds rounds, Picoseconds since, Turn& turn, std::stop_source& stop) {
        Picoseconds received = since;
        std::jthread receives{[&] {
            try {
                Turn own;
                received = walk(rank, rounds, Strand::receives, since, own, stop.get_token());
            } catch (...) {
                fail(stop);
            }
        }};
        const Picoseconds sent = walk(rank, rounds, Strand::sends, since, turn, stop.get_token());
        receives.join();
        return std::max(sent, received);
    }

    /// One turn after the other, without a gap: a rank is at its first one from `since` on. When the last one ends.
    Picoseconds walk(Rank rank, Rounds rounds, Strand strand, Picoseconds since, Turn& turn,
                     const std::stop_token& stop) {
        std::vector<TurnRecord>& turns = logs_[rank].turns[strand == Strand::receives];
        for (Round round = rounds.first; round < rounds.end(); ++round) {
            plan_.schedule->turn(rank, round, turn);
            const bool sends = strand != Strand::receives && !turn.sends().empty();
            const bool receives = strand != Strand::sends && !turn.receives().empty();
            if (!sends && !receives) continue;
            Picoseconds end{};
            if (sends) end = send(rank, round, turn);
            if (receives) end = receive(rank, round, turn, stop);
            turns.push_back({rank, round, since, end});
            since = end;
        }
        return since;
    }

    /// All sends of a turn leave. When the last one has.
    Picoseconds send(Rank rank, Round round, const Turn& turn) {
        Picoseconds end{};
        for (std::size_t place = 0; place < turn.sends().size(); ++place) {
            const Message& send = turn.sends()[place];
            Packet packet{.round = round, .place = place, .sendBegin = now()};
            buffers_[rank].read(turn, send, packet.data);
            packet.sendEnd = end = now();
            inboxes_[send.peer].put(rank, std::move(packet));
        }
        return end;
    }

    /// All receives of a turn arrive, then they are applied together. When the last one is.
    Picoseconds receive(Rank rank, Round round, const Turn& turn, const std::stop_token& stop) {
        Log& log = logs_[rank];
        std::vector<Packet> packets;
        for (const Message& receive : turn.receives()) packets.push_back(inboxes_[rank].take(receive.peer, stop));
        Picoseconds end{};
        for (std::size_t i = 0; i < packets.size(); ++i) {
            const Message& receive = turn.receives()[i];
            ENSURE(packets[i].round == round, text("rank ", rank, " takes a message of another round"));
            const Picoseconds receiveBegin = now();
            buffers_[rank].apply(turn, receive, packets[i].data);
            end = now();
            const auto ranges = turn.ranges(receive);
            log.received.push_back({{receive.peer, rank, round, receive.bytes, packets[i].sendBegin, packets[i].sendEnd,
                                     receiveBegin, end},
                                    packets[i].place,
                                    static_cast<std::uint32_t>(log.ranges.size()),
                                    static_cast<std::uint32_t>(ranges.size())});
            log.ranges.insert(log.ranges.end(), ranges.begin(), ranges.end());
        }
        return end;
    }

    const Plan& plan_;
    const Facts& facts_;
    ById<Rank, Inbox> inboxes_;
    ById<Rank, Log> logs_;
    ById<Rank, RankBuffers> buffers_;
    Clock::time_point start_;
    std::mutex failureMutex_;
    std::exception_ptr failure_;
};

void requireRoom(const Plan& plan, const ThreadLimits& limits) {
    const Facts& facts = plan.schedule->facts();
    if (facts.ranks > limits.ranks)
        throw Error{text(field::on, " threads runs at most ", limits.ranks, " ranks, not ", facts.ranks, "; use ",
                         field::on, " virtual for more")};
    if (RankBuffers::memoryFor(plan) > limits.memory)
        throw Error{text(field::on, " threads would need more than ", showBytes(limits.memory),
                         " of buffers; choose a smaller ", field::size, " or ", field::on, " virtual")};
}

}  // namespace

Execution runOnThreads(const Plan& plan, const Progress& progress, const ThreadLimits& limits) {
    requireRoom(plan, limits);
    const Facts& facts = plan.schedule->facts();
    RankThreads ranks{plan};
    ranks.run(progress);
    RunBuilder builder{facts.ranks, facts.rounds, facts.stages};
    ranks.tell(builder);
    Execution execution;
    execution.run = builder.finish();
    describe(plan, execution.run);
    execution.run.setting.on = "threads";
    execution.run.entered = ranks.entered();
    execution.run.setting.topology = facts.wiring.kind() == Wiring::Kind::any ? "full" : facts.wiring.name();
    execution.fault = ranks.fault();
    execution.correct = execution.fault.empty();
    return execution;
}

}  // namespace engine
