// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/threads/threads.hpp"

#include "engine/field.hpp"
#include "engine/live/threads/buffers.hpp"
#include "engine/text.hpp"

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

/// Which part of its turns a thread does.
enum class Side : std::uint8_t { both, sends, receives };

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
    std::array<std::vector<TurnRecord>, 2> turns;  ///< in [1] those of receives that run apart
    std::vector<Received> received;
    std::vector<Range> ranges;
};

/// One run: everything the threads share.
class RankThreads {
public:
    explicit RankThreads(const Plan& plan)
        : plan_{plan}, facts_{plan.schedule->facts()}, inboxes_(size()), logs_(size()) {
        for (std::size_t r = 0; r < size(); ++r)
            buffers_.emplace_back(plan.problem, facts_, Rank{static_cast<std::int32_t>(r)});
    }

    void run(const Progress& progress) {
        std::latch ready{static_cast<std::ptrdiff_t>(size())};
        std::stop_source stop;
        const std::stop_callback forward{progress.stop, [&] { stop.request_stop(); }};
        {
            std::vector<std::jthread> threads;
            for (std::size_t r = 0; r < size(); ++r)
                threads.emplace_back([this, r, &ready, &stop] { work(r, ready, stop); });
        }
        if (failure_) std::rethrow_exception(failure_);
        progress.at(1);
    }

    void tell(RunBuilder& builder) {
        std::vector<std::size_t> next(size());
        std::vector<std::pair<const Log*, const Log::Received*>> inRound;
        for (Round round{0}; round.value < facts_.rounds; ++round) {
            inRound.clear();
            for (std::size_t r = 0; r < size(); ++r)
                for (; next[r] < logs_[r].received.size() && logs_[r].received[next[r]].record.round == round;
                     ++next[r])
                    inRound.emplace_back(&logs_[r], &logs_[r].received[next[r]]);
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

    [[nodiscard]] std::string fault() const {
        for (const RankBuffers& buffers : buffers_)
            if (std::string fault = buffers.compare(); !fault.empty()) return fault;
        return {};
    }

private:
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(facts_.ranks); }
    [[nodiscard]] Picoseconds now() const { return std::chrono::duration_cast<Picoseconds>(Clock::now() - start_); }

    void work(std::size_t self, std::latch& ready, std::stop_source& stop) {
        try {
            if (self == 0) start_ = Clock::now();
            ready.arrive_and_wait();
            const Rank rank{static_cast<std::int32_t>(self)};
            walk(rank, {Round{0}, facts_.apart.first.value}, Side::both, stop.get_token());
            if (facts_.apart.count > 0) walkApart(rank, stop);
            walk(rank, {facts_.apart.end(), facts_.rounds - facts_.apart.end().value}, Side::both, stop.get_token());
        } catch (...) {
            fail(stop);
        }
    }

    void fail(std::stop_source& stop) {
        const std::scoped_lock lock{failureMutex_};
        if (!failure_) failure_ = std::current_exception();
        stop.request_stop();
    }

    /// The rank's sends, and on a thread of their own its receives.
    void walkApart(Rank rank, std::stop_source& stop) {
        std::jthread receives{[&] {
            try {
                walk(rank, facts_.apart, Side::receives, stop.get_token());
            } catch (...) {
                fail(stop);
            }
        }};
        walk(rank, facts_.apart, Side::sends, stop.get_token());
    }

    void walk(Rank rank, Rounds rounds, Side side, const std::stop_token& stop) {
        Turn turn;
        std::vector<TurnRecord>& turns = logs_[rank.index()].turns[side == Side::receives];
        for (Round round = rounds.first; round < rounds.end(); ++round) {
            plan_.schedule->turn(rank, round, turn);
            const bool sends = side != Side::receives && !turn.sends().empty();
            const bool receives = side != Side::sends && !turn.receives().empty();
            if (!sends && !receives) continue;
            const Picoseconds begin = now();
            if (sends) send(rank, round, turn);
            if (receives) receive(rank, round, turn, stop);
            turns.push_back({rank, round, begin, now()});
        }
    }

    /// All sends of a turn leave.
    void send(Rank rank, Round round, const Turn& turn) {
        const auto self = rank.index();
        for (std::size_t place = 0; place < turn.sends().size(); ++place) {
            const Message& send = turn.sends()[place];
            Packet packet{.round = round, .place = place, .sendBegin = now()};
            buffers_[self].read(turn, send, packet.data);
            packet.sendEnd = now();
            inboxes_[send.peer.index()].put(rank, std::move(packet));
        }
    }

    /// All receives of a turn arrive, then they are applied together.
    void receive(Rank rank, Round round, const Turn& turn, const std::stop_token& stop) {
        const auto self = rank.index();
        Log& log = logs_[self];
        std::vector<Packet> packets;
        for (const Message& receive : turn.receives()) packets.push_back(inboxes_[self].take(receive.peer, stop));
        for (std::size_t i = 0; i < packets.size(); ++i) {
            const Message& receive = turn.receives()[i];
            ENSURE(packets[i].round == round, text("rank ", rank, " takes a message of another round"));
            const Picoseconds receiveBegin = now();
            buffers_[self].apply(turn, receive, packets[i].data);
            const auto ranges = turn.ranges(receive);
            log.received.push_back({{receive.peer, rank, round, receive.bytes, packets[i].sendBegin, packets[i].sendEnd,
                                     receiveBegin, now()},
                                    packets[i].place,
                                    static_cast<std::uint32_t>(log.ranges.size()),
                                    static_cast<std::uint32_t>(ranges.size())});
            log.ranges.insert(log.ranges.end(), ranges.begin(), ranges.end());
        }
    }

    const Plan& plan_;
    const Facts& facts_;
    std::vector<Inbox> inboxes_;
    std::vector<Log> logs_;
    std::vector<RankBuffers> buffers_;
    Clock::time_point start_;
    std::mutex failureMutex_;
    std::exception_ptr failure_;
};

void requireRoom(const Plan& plan, const ThreadLimits& limits) {
    const Facts& facts = plan.schedule->facts();
    if (facts.ranks > limits.ranks)
        throw Error{text(field::on, " threads runs at most ", limits.ranks, " ranks, not ", facts.ranks, "; use ",
                         field::on, " virtual for more")};
    const __int128 needed = static_cast<__int128>(RankBuffers::memoryFor(plan.problem, facts)) * facts.ranks;
    if (needed > limits.memory)
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
    execution.run.setting.topology = facts.wiring.kind() == Wiring::Kind::any ? "full" : facts.wiring.name();
    execution.fault = ranks.fault();
    execution.correct = execution.fault.empty();
    return execution;
}

}  // namespace engine
