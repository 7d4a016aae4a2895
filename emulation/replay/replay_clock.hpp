// SPDX-License-Identifier: BSD-3-Clause
// The clock behind replay(): processes go through programs (replay.cpp) and through the rounds of collectives
// (replay_collectives.cpp), and wait for what a transport tells.
#pragma once

#include "emulation/replay/collective_execution.hpp"
#include "emulation/replay/message_transport.hpp"
#include "emulation/replay/replay.hpp"
#include "emulation/replay/sequential_process.hpp"

#include <deque>
#include <map>
#include <utility>

namespace emulation {

class ReplayClock {
public:
    /// All but `inPorts` outlive the object; `observer` may be null.
    ReplayClock(const Program& program, const Network& network, const Conditions& conditions,
                const engine::Progress& progress, ReplayObserver* observer, InPorts inPorts);

    /// Once.
    Replayed run();

private:
    friend MessageTransport;  // tells the next four

    /// On until it must wait, or until its posts must wait for what happens before them.
    void proceed(std::int32_t number);
    /// It is known when it is there.
    void arrived(InFlightMessage& message);
    /// It is known when a processor has finished it: who waits for that goes on then.
    void worked(const ProcessorTask& task);
    void passed() { progress_.at(static_cast<double>(did_) / static_cast<double>(all_ + 1)); }

    // A program:

    /// Whether the process has finished what it does.
    bool act(std::int32_t number, SequentialProcess& self, Does what, std::int64_t of);
    /// Whether something says how long the collective before took.
    [[nodiscard]] bool isScheduled(const SequentialProcess& self) const;
    bool await(std::int32_t number, SequentialProcess& self, InFlightMessage& message, Does what);
    /// A collective beside the program begins, and is waited for.
    void start(std::int32_t number, SequentialProcess& self, std::int64_t collective);
    bool end(SequentialProcess& self, std::int64_t collective);
    /// A chain computes once its processor is free.
    bool computeInTurn(std::int32_t number, SequentialProcess& self, engine::Picoseconds time);
    void reach(const SequentialProcess& self, std::int64_t milestone);
    bool pass(std::int32_t number, SequentialProcess& self, std::int64_t milestone);

    // Strands:

    [[nodiscard]] Factor factorOf(Rank rank) const { return factors_.empty() ? Factor{} : factors_[rank]; }
    /// The process goes on when its time has come.
    void wake(std::int32_t process) { transport_.wake(process, processes_[engine::asSize(process)].now); }
    void resume(std::int32_t process, engine::Picoseconds now);
    /// The process computes or combines; whether it has finished that.
    bool work(std::int32_t number, SequentialProcess& self, engine::Picoseconds time);
    /// Posts come in the order of time, over all ranks.
    bool mayPost(std::int32_t number, const SequentialProcess& self);
    /// A new process, or one that has finished and that nobody waits for any more.
    std::int32_t spawn(SequentialProcess process);
    /// A process that has a parent has finished.
    void finish(std::int32_t number, SequentialProcess& self);

    // A collective:

    void enter(SequentialProcess& self, std::int64_t collective);
    void leave(SequentialProcess& self);
    /// Through the rounds of its collective; whether all of them are behind it.
    bool within(std::int32_t number, SequentialProcess& self);
    /// Whether nobody leaves it before all have entered, and nothing that happens elsewhere meets its messages.
    bool mayGather(const CollectiveDone& what);
    /// Whether the rank does nothing but one collective after the other on one stream, so that nothing else meets its
    /// messages.
    [[nodiscard]] bool hasOneStream(Rank rank) const;
    /// All go through at once when the last one has entered.
    bool gather(std::int32_t number, SequentialProcess& self, const CollectiveDone& what,
                CollectiveExecution& execution);
    /// Nothing is known of what happens: all go on when the last one has entered.
    bool meet(std::int32_t number, SequentialProcess& self, const CollectiveDone& what, CollectiveExecution& execution);
    /// Members go through the rounds one by one, also those that have waited until now: nothing has happened at their
    /// ports since they came, and none of them can have left. Whether any had.
    bool open(std::int32_t collective, const CollectiveDone& what, CollectiveExecution& execution);
    /// Members that wait for one who will never come go on as far as they can. Whether there were any.
    bool openHeld();
    [[nodiscard]] bool lockstep() const { return conditions_.stepping == Stepping::lockstep; }
    /// In lockstep members begin a round together, or leave, when the last of them has finished the one before.
    /// Whether they do.
    bool begins(std::int32_t number, SequentialProcess& self, const CollectiveDone& what,
                CollectiveExecution& execution);
    /// Those who wait for all to come go on.
    void letGo(CollectiveExecution& execution);
    /// Rounds whose sends and receives go apart; one processor keeps to the order of the rounds, and so does lockstep.
    [[nodiscard]] engine::Rounds apartIn(const CollectiveDone& what) const;
    /// Sends and receives of the rounds before `behind`, each at its own pace; whether both have finished.
    bool goApart(SequentialProcess& self, std::int32_t number, engine::Round behind);
    /// The messages of a round; whether all of them have finished.
    bool exchange(std::int32_t number, SequentialProcess& self, OpenRound& open);
    /// The same under LogGP: its processor sends in the order of the turn, then it receives.
    bool exchangeInTurn(std::int32_t number, SequentialProcess& self, OpenRound& open);

    const Program& program_;
    const Conditions& conditions_;
    const engine::Progress& progress_;
    ReplayObserver* observer_;
    bool byByte_;
    RoundCosts costs_;
    CollectiveRoundsCache roundsCache_;
    engine::ById<Rank, Factor> factors_;  // empty: all 1
    MessageTransport transport_;
    std::vector<InFlightMessage> messages_;        // outside of collectives
    std::vector<CollectiveExecution> executions_;  // by collective
    PlacesOfMembers places_;
    engine::ById<Rank, std::int64_t> underWay_;  // receives that were posted, and collectives beside
    std::vector<bool> oneStream_;                // by rank; empty: none has
    std::vector<engine::Picoseconds> clocks_;    // of the members of a collective
    std::map<std::pair<std::int32_t, std::int64_t>, std::int32_t> beside_;  // by rank and collective: process
    struct Milestone {
        bool reached = false;
        engine::Picoseconds time{};
        std::vector<std::int32_t> awaitedBy{};  // processes
    };
    std::vector<Milestone> milestones_;
    std::vector<engine::Picoseconds> freeFrom_;  // processors of chains
    std::deque<SequentialProcess> processes_;    // those of programs first, by rank, then those of chains
    std::vector<std::int32_t> idle_;             // processes that may be used again
    std::size_t all_ = 0;                        // things to do
    std::size_t did_ = 0;
    Replayed result_;
};

}  // namespace emulation
